/** The operations on settlement policies and runs. */
import { Effect } from "effect";
import type { SettlementPolicies, SettlementRuns } from "quittance";
import {
  aroundDryRun,
  aroundResults,
  dryRunResult,
  partnerPolicy,
  settlementPolicy,
  settlementRun,
  settlementRunResult,
} from "../wire/SettlementRun.ts";
import type { Handlers } from "./Handlers.ts";
import * as Responses from "./Responses.ts";

/** The handlers of the operations on policies; each calls its service. */
export const settlementPolicies = (
  service: SettlementPolicies.SettlementPolicies,
): Handlers["settlement_policies"] => ({
  read: ({ principal, path }) =>
    Effect.map(service.read(principal, path.workspaceId), (policy) =>
      Responses.jsonText(settlementPolicy(policy)),
    ),
  write: ({ principal, path, payload, options }) =>
    Effect.map(service.write(principal, path.workspaceId, payload, options), Responses.emptyBody),
  read_override: ({ principal, path }) =>
    Effect.map(service.readOverride(principal, path.workspaceId, path.partnerId), (policy) =>
      Responses.jsonText(partnerPolicy(policy)),
    ),
  write_override: ({ principal, path, payload, options }) =>
    Effect.map(
      service.writeOverride(principal, path.workspaceId, path.partnerId, payload, options),
      Responses.emptyBody,
    ),
  remove_override: ({ principal, path, options }) =>
    Effect.map(
      service.removeOverride(principal, path.workspaceId, path.partnerId, options),
      Responses.emptyBody,
    ),
});

const page = Responses.page("settlement_runs", settlementRun);

/** The handlers of the operations on runs; each calls its service. */
export const settlementRuns = (service: SettlementRuns.SettlementRuns): Handlers["settlement_runs"] => ({
  list: ({ principal, query }) => Effect.flatMap(service.list(principal, query), page),
  start: ({ principal, payload, options }) =>
    payload.dryRun === true
      ? Effect.flatMap(service.dryRun(principal, payload), (run) => {
          const [open, close] = aroundDryRun(run);
          return Responses.listOfItems(open, run.results, dryRunResult, close);
        })
      : Effect.map(service.start(principal, payload, options), Responses.createdRecord),
  read: ({ principal, path, query }) =>
    Effect.flatMap(service.read(principal, path.id, query), ({ results, ...rest }) => {
      const [open, close] = aroundResults(rest);
      return Responses.listOfItems(open, results, settlementRunResult, close);
    }),
});
