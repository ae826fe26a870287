/** Settlement policies and runs on the wire. */
import type {
  SettlementPolicy as Domain,
  SettlementPolicies,
  SettlementRun,
  SettlementRuns,
  Storage,
} from "quittance";
import * as Policies from "../api/SettlementPolicies.ts";
import * as Runs from "../api/SettlementRuns.ts";
import { around, GAP, recordWriter } from "./Encoding.ts";
import { createdAt, moment } from "./Entry.ts";

const cadence = (given: Domain.Terms["cadence"]) =>
  given === "manual" ? given : { type: given.type, day: given.day, time_zone: given.timeZone };

const nextRun = ({ nextRun }: Pick<SettlementPolicies.WorkspacePolicy, "nextRun">) =>
  nextRun === null ? null : { label: nextRun.label, at: moment(nextRun.at) ?? "" };

/** The policy of a workspace. */
export const settlementPolicy = recordWriter<SettlementPolicies.WorkspacePolicy>()(
  Policies.SettlementPolicy,
  {
    cadence: (row) => cadence(row.cadence),
    next_run: nextRun,
    updated_at: (row) => moment(row.updatedAt),
  },
);

/** The policy of a partner. */
export const partnerPolicy = recordWriter<SettlementPolicies.PartnerPolicy>()(
  Policies.PartnerSettlementPolicy,
  {
    cadence: (row) => (row.cadence === null ? null : cadence(row.cadence)),
    in_force: [{ cadence: (row) => cadence(row.cadence) }],
    next_run: nextRun,
    updated_at: (row) => moment(row.updatedAt),
  },
);

const totals = ({ totals }: Pick<SettlementRun.Counts, "totals">) =>
  Object.entries(totals).map(([currency, digits]) => ({ currency, amount: BigInt(digits) }));

const until = (row: SettlementRun.Criteria): string => moment(row.until) ?? "";

/** The fields of a run that are not written as they are. */
const runFields = {
  until,
  totals,
  created_at: createdAt,
  finished_at: (row: SettlementRun.SettlementRun) => moment(row.finishedAt),
};

/** A run in a list. */
export const settlementRun = recordWriter<Storage.Listed["settlementRun"]>()(Runs.SettlementRun, runFields);

/** The result of a run for one partner and currency. */
export const settlementRunResult = recordWriter<Storage.Listed["settlementRunResult"]>()(
  Runs.SettlementRunResult,
  { drafts: [{}] },
);

/** A run, without the results of the page. */
export const aroundResults = around(
  recordWriter<Omit<SettlementRuns.RunWithResults, "results">>()(Runs.SettlementRunDetails, {
    run: [runFields],
    results: GAP,
  }),
);

/** What a run would do, without its results. */
export const aroundDryRun = around(
  recordWriter<Omit<SettlementRuns.DryRun, "results">>()(Runs.SettlementDryRun, {
    until,
    totals,
    results: GAP,
  }),
);

/** What a run would find for one partner and currency. */
export const dryRunResult = recordWriter<SettlementRuns.DryRunResult>()(Runs.SettlementDryRunResult, {});
