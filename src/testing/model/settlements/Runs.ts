/** Starts settlement runs in the model: by request, by cadence, and dry. */
import type { CustomerId } from "../../../domain/Ids.ts";
import type { CommandOf, RunRequest } from "../Command.ts";
import {
  accept,
  applyRules,
  baseRules,
  type Generated,
  type Prediction,
  queryResult,
  refuse,
} from "../prediction/Prediction.ts";
import { personOf } from "../prediction/Rights.ts";
import { logControl } from "../records/ControlLogs.ts";
import { newestPeriod, nextPeriod } from "../world/Periods.ts";
import type { SettlementPolicy, SettlementRun } from "../world/Settlements.ts";
import { MINUTE } from "../world/Time.ts";
import type { World } from "../world/World.ts";
import { approvesItself, findingOf, nothingDue, partnersOf, readDue, totalsOf } from "./RunFindings.ts";

const areDistinct = (values: ReadonlyArray<string> | null | undefined): boolean =>
  values == null || (values.length > 0 && new Set(values).size === values.length);

const isRequest = ({ partnerIds, currencies }: RunRequest): boolean =>
  areDistinct(partnerIds) && areDistinct(currencies);

/** The criteria of a request; null when it names a partner that the workspace does not have, or a moment in the future. */
const criteriaOf = (
  world: World,
  customerId: CustomerId,
  { workspaceId, partnerIds, currencies, until }: RunRequest,
) => {
  const own: ReadonlyArray<string> = partnersOf(world, {
    customerId,
    workspaceId,
    currencies: null,
    until: 0,
  });
  if (partnerIds?.some((id) => !own.includes(id))) return null;
  if (until != null && until > world.now + 5 * MINUTE) return null;
  return {
    ...{ customerId, workspaceId },
    partnerIds: partnerIds ?? null,
    currencies: currencies ?? null,
    until: until ?? world.now + 1,
    partnerCount: partnerIds?.length ?? own.length,
  };
};

const requestRules = (command: CommandOf<"start_run" | "settle_by_run" | "dry_run">) => ({
  ...baseRules(command),
  valid: isRequest(command.input),
  workspaceIds: [command.input.workspaceId],
});

/** Starts a run; performing it is a command of its own. */
export const startRun = (world: World, command: CommandOf<"start_run" | "settle_by_run">): Prediction =>
  applyRules(world, {
    ...requestRules(command),
    decide: () => {
      const { customerId } = command.principal;
      const criteria = customerId === null ? null : criteriaOf(world, customerId, command.input);
      if (criteria === null) return refuse("Invalid");
      return accept((id) => {
        const run: SettlementRun = {
          ...{ ...criteria, id, period: null, startedByPerson: personOf(command.principal) },
          ...{ createdAt: world.now, done: null, results: [], readings: null },
        };
        return { ...world, settlementRuns: [...world.settlementRuns, run] };
      });
    },
  });

/** What a run would do now, by the amounts that lists show. */
export const dryRun = (world: World, command: CommandOf<"dry_run">): Prediction =>
  applyRules(world, {
    ...requestRules(command),
    decide: () => {
      const { customerId } = command.principal;
      const criteria = customerId === null ? null : criteriaOf(world, customerId, command.input);
      if (criteria === null) return refuse("Invalid");
      const results = (criteria.partnerIds ?? partnersOf(world, criteria)).flatMap((partnerId) => {
        const due = readDue(world, criteria, partnerId);
        if (due.length === 0) return [{ ...nothingDue(partnerId), draftCount: 0, autoApprove: false }];
        return due.map(([currency, dueTotal]) => {
          const finding = findingOf(partnerId, currency, dueTotal);
          const hasDraft = finding.reason === null;
          const autoApprove =
            hasDraft &&
            !world.policy.fourEyes &&
            approvesItself(dueTotal.terms, currency, finding.total ?? 0);
          return { ...finding, draftCount: hasDraft ? 1 : 0, autoApprove };
        });
      });
      const drafts = results.filter(({ draftCount }) => draftCount > 0);
      const { customerId: _, ...shown } = criteria;
      return queryResult({
        ...shown,
        draftCount: drafts.length,
        lineCount: drafts.reduce((sum, { lineCount }) => sum + lineCount, 0),
        totals: totalsOf(drafts.map(({ currency, total }) => ({ currency, total: total ?? 0 }))),
        results,
      });
    },
  });

const isOf = (
  run: Generated["runs"][number],
  { customerId, workspaceId, partnerId }: SettlementPolicy,
): boolean =>
  run.customerId === customerId &&
  run.workspaceId === workspaceId &&
  (partnerId === null ? run.partnerIds === null : run.partnerIds?.[0] === partnerId);

/** The world after the run of a policy's newest period was started; unchanged when none is due. A period has one run. */
const startPeriod = (world: World, policy: SettlementPolicy, generated: Generated): World => {
  const { terms, next, customerId, workspaceId, partnerId } = policy;
  const { cadence } = terms;
  if (next === null || next.at > world.now || cadence === null || cadence === "manual") return world;
  const period = newestPeriod(cadence, world.now);
  if (period === null) return world;
  const moved: SettlementPolicy = {
    ...policy,
    next: nextPeriod(cadence, world.now, period.label),
    lastPeriod: period.label,
    updatedAt: Math.max(world.now, policy.updatedAt),
  };
  const after = logControl(
    {
      ...world,
      settlementPolicies: world.settlementPolicies.map((settlementPolicy) =>
        settlementPolicy === policy ? moved : settlementPolicy,
      ),
    },
    customerId,
    `policy ${workspaceId} ${partnerId}`,
    "begin_settlement_period",
    { actor: { person: policy.scheduledByPerson }, period: period.label },
  );
  const partnerIds = partnerId === null ? null : [partnerId];
  const hasRun = world.settlementRuns.some(
    (settlementRun) => settlementRun.period === period.label && isOf(settlementRun, policy),
  );
  if (hasRun) return after;
  const id =
    generated.runs.find((candidate) => candidate.period === period.label && isOf(candidate, policy))?.id ??
    "";
  const run: SettlementRun = {
    ...{ id, customerId, workspaceId, partnerIds, currencies: null, until: period.at },
    ...{ period: period.label, startedByPerson: policy.scheduledByPerson, createdAt: world.now, done: null },
    ...{ results: [], readings: null },
    partnerCount:
      partnerIds?.length ?? partnersOf(world, { customerId, workspaceId, currencies: null, until: 0 }).length,
  };
  return { ...after, settlementRuns: [...world.settlementRuns, run] };
};

/** Starts the runs of all periods that have started. */
export const startDueRuns = (world: World, generated: Generated): World =>
  world.settlementPolicies
    .toSorted((a, b) => (a.next?.at ?? 0) - (b.next?.at ?? 0))
    .reduce((after, policy) => startPeriod(after, policy, generated), world);
