/** The operations on commission formulas. */
import { Effect } from "effect";
import type { CommissionFormulas } from "quittance";
import * as Wire from "../wire/CommissionFormula.ts";
import type { Handlers } from "./Handlers.ts";
import * as Responses from "./Responses.ts";

const page = Responses.page("commission_formulas", Wire.commissionFormula);

/** The handlers of the operations of this group; each calls its service. */
export const commissionFormulas = (
  service: CommissionFormulas.CommissionFormulas,
): Handlers["commission_formulas"] => ({
  list: ({ principal, query }) => Effect.flatMap(service.list(principal, query), page),
  create: ({ principal, payload, options }) =>
    Effect.map(service.create(principal, payload, options), Responses.createdRecord),
  update: ({ principal, path, payload, options }) =>
    Effect.map(service.update(principal, path.id, payload, options), Responses.emptyBody),
  simulate: ({ principal, payload }) =>
    Effect.map(
      service.simulateAs(principal, payload, (one) => Responses.bytesOf(Wire.simulationResult(one))),
      (results) => Responses.listOfBytes(Wire.simulationStart, results, Wire.simulationEnd),
    ),
  cancel: ({ principal, path, payload, options }) =>
    Effect.map(service.cancel(principal, path.id, payload, options), Responses.emptyBody),
});
