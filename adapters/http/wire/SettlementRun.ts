/** Settlement policies and runs on the wire. */
import type { SettlementPolicy as Domain, SettlementPolicies, SettlementRuns, Storage } from "quittance";
import * as Policies from "../api/SettlementPolicies.ts";
import * as Runs from "../api/SettlementRuns.ts";
import { GAP, recordWriter, textAround } from "./Encoding.ts";

const cadence = (stated: Domain.Terms["cadence"]) =>
  stated === "manual" ? stated : { type: stated.type, day: stated.day, time_zone: stated.timeZone };

/** The policy of a workspace. */
export const settlementPolicy = recordWriter<SettlementPolicies.WorkspacePolicy>()(
  Policies.SettlementPolicy,
  {
    cadence: (row) => cadence(row.cadence),
    next_run: [{}],
  },
);

/** The policy of a partner. */
export const partnerPolicy = recordWriter<SettlementPolicies.PartnerPolicy>()(
  Policies.PartnerSettlementPolicy,
  {
    cadence: (row) => (row.cadence === null ? null : cadence(row.cadence)),
    in_force: [{ cadence: (row) => cadence(row.cadence) }],
    next_run: [{}],
  },
);

/** When runs settle what a partner has earned. */
export const settlementSchedule = recordWriter<SettlementPolicies.Schedule>()(Policies.SettlementSchedule, {
  cadence: (row) => cadence(row.cadence),
  next_run: [{}],
});

/** The fields of a run that are not written as they are. */
const runFields = {
  person: (row: SettlementRuns.Run) => row.startedByPerson,
};

/** A run in a list. */
export const settlementRun = recordWriter<SettlementRuns.Run>()(Runs.SettlementRun, runFields);

/** The result of a run for one partner and currency. */
export const settlementRunResult = recordWriter<Storage.Listed["settlementRunResult"]>()(
  Runs.SettlementRunResult,
  { drafts: [{}] },
);

/** A run, without the results of the page. */
export const aroundResults = textAround(
  recordWriter<Omit<SettlementRuns.RunWithResults, "results">>()(Runs.SettlementRunDetails, {
    run: [runFields],
    results: GAP,
  }),
);

/** What a run would do, without its results. */
export const aroundDryRun = textAround(
  recordWriter<Omit<SettlementRuns.DryRun, "results">>()(Runs.SettlementDryRun, {
    results: GAP,
  }),
);

/** What a run would find for one partner and currency. */
export const dryRunResult = recordWriter<SettlementRuns.DryRunResult>()(Runs.SettlementDryRunResult, {});
