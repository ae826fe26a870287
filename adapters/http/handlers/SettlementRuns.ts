/** Settlement runs, whose results are a list of any length. */
import { Effect } from "effect";
import type { SettlementRuns } from "quittance";
import { aroundDryRun, aroundResults, dryRunResult, settlementRunResult } from "../wire/SettlementRun.ts";
import type { Handlers } from "./Handlers.ts";
import * as Responses from "./Responses.ts";

/** Starts a run, or returns what it would do. */
export const startRun =
  (service: SettlementRuns.SettlementRuns): Handlers["settlement_runs"]["start"] =>
  ({ principal, payload, options }) =>
    payload.dryRun === true
      ? Effect.flatMap(service.dryRun(principal, payload), (run) =>
          Responses.listOfItems(aroundDryRun(run), run.results, dryRunResult),
        )
      : Effect.map(service.start(principal, payload, options), Responses.createdRecord);

/** Reads a run with a page of its results. */
export const readRun =
  (service: SettlementRuns.SettlementRuns): Handlers["settlement_runs"]["read"] =>
  ({ principal, path, query }) =>
    Effect.flatMap(service.read(principal, path.id, query), ({ results, ...rest }) =>
      Responses.listOfItems(aroundResults(rest), results, settlementRunResult),
    );
