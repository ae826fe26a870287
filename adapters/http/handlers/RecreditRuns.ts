/** Recredit runs, whose results are a list of any length. */
import { Effect } from "effect";
import type { RecreditRuns } from "quittance";
import { aroundResults, recreditRunResult } from "../wire/RecreditRun.ts";
import type { Handlers } from "./Handlers.ts";
import * as Responses from "./Responses.ts";

/** Reads a run with a page of its results. */
export const readRecredit =
  (service: RecreditRuns.RecreditRuns): Handlers["recredits"]["read"] =>
  ({ principal, path, query }) =>
    Effect.flatMap(service.read(principal, path.id, query), ({ results, ...rest }) =>
      Responses.listOfItems(aroundResults(rest), results, recreditRunResult),
    );
