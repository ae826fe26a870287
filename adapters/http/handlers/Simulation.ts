/** Trying an expression: each result is written before the next is computed. */
import { Effect } from "effect";
import type { CommissionFormulas } from "quittance";
import * as Wire from "../wire/CommissionFormula.ts";
import type { Handlers } from "./Handlers.ts";
import * as Responses from "./Responses.ts";

export const simulate =
  (service: CommissionFormulas.CommissionFormulas): Handlers["commission_formulas"]["simulate"] =>
  ({ principal, payload }) =>
    Effect.map(
      service.simulateAs(principal, payload, (explanation) =>
        Responses.bytesOf(Wire.simulationResult(explanation)),
      ),
      (results) => Responses.listOfBytes(Wire.simulationStart, results, Wire.simulationEnd),
    );
