/** Starts the settlement runs of cadences: one for each period, whichever workers look for them. */
import { Clock, Effect } from "effect";
import { beginPeriod, duePeriod, type SettlementPolicy } from "../../domain/SettlementPolicy.ts";
import { type DuePolicyPosition, periodRunId } from "../../domain/SettlementRun.ts";
import {
  type Records,
  type Settling,
  Storage,
  type StorageError,
  type Upkeep,
  type Versioned,
} from "../../ports/Storage.ts";
import type { Failure } from "../commands/Access.ts";
import { countPartners } from "../commands/ChosenPartners.ts";
import { noEffect, Pipeline } from "../commands/Pipeline.ts";
import * as Save from "../commands/Save.ts";
import { logAndContinue } from "../process/FailureLog.ts";
import { startRun } from "./RunStart.ts";

/** Policies that one page reads. */
const POLICIES = 100;

const make = Effect.gen(function* () {
  const storage: Records & Settling & Upkeep = yield* Storage;
  const pipeline = yield* Pipeline;

  /** Starts the run of the newest period of a policy. Its next period moves in the same commit. */
  const start = ({
    id,
    customerId,
    scheduledBy,
    scheduledByPerson,
  }: Versioned<SettlementPolicy>): Effect.Effect<unknown, Failure> =>
    pipeline.run(customerId, { principalId: scheduledBy, person: scheduledByPerson }, {}, (execution) =>
      Effect.gen(function* () {
        const [policy] = yield* storage.find(customerId, "settlementPolicy", [id]);
        const cadence = policy?.terms.cadence ?? "manual";
        const due =
          policy === undefined || cadence === "manual" ? null : duePeriod(policy, cadence, execution.at);
        if (due === null || policy === undefined) return noEffect({});
        const { workspaceId, partnerId } = policy;
        const runId = periodRunId(id, due.period.label);
        const moved = Save.appendEvents("settlementPolicy", execution, policy, [
          beginPeriod(policy, { ...due, runId }, execution),
        ]);
        const [earlier] = yield* storage.find(customerId, "settlementRun", [runId]);
        // A cadence that changed and changed back may name a period again; it has its run.
        if (earlier !== undefined) return { result: {}, requires: [], changes: [moved] };
        const partnerIds = partnerId === null ? null : [partnerId];
        const partnerCount = yield* countPartners(storage, { customerId, workspaceId, partnerIds });
        const { changes, outbox } = startRun(execution, {
          id: runId,
          ...{ customerId, workspaceId, partnerIds, currencies: null, partnerCount },
          until: due.period.at,
          period: due.period.label,
          policyId: id,
        });
        return { result: {}, requires: [], changes: [...changes, moved], outbox };
      }),
    );

  const startOrLog = (policy: Versioned<SettlementPolicy>): Effect.Effect<unknown> =>
    logAndContinue(`no run was started for the policy ${policy.id}`)(start(policy));

  /** Reads page after page: policies that cannot be started remain due, and must not keep the later ones from being read. */
  const round: Effect.Effect<void, StorageError> = Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis;
    let after: DuePolicyPosition | null = null;
    for (;;) {
      const due: ReadonlyArray<Versioned<SettlementPolicy>> = yield* storage.dueSettlementPolicies(
        now,
        after,
        POLICIES,
      );
      yield* Effect.forEach(due, startOrLog, { discard: true });
      const last = due.at(-1);
      if (last === undefined || due.length < POLICIES) return;
      after = { nextRunAt: last.nextRunAt ?? now, id: last.id };
    }
  });

  return {
    /** Starts the runs that are due, of every customer. One that cannot be started waits for the next round. */
    round,
  };
});

/** The schedules of settlement runs. */
export class Schedules extends Effect.Service<Schedules>()("quittance/services/Schedules", {
  effect: make,
}) {}
