/** The model of settlement runs: one draft for each partner and currency of everything due, or the reason why there is none. */
import { type CommissionId, type CustomerId, type PartnerId, SettlementId } from "../../../domain/Ids.ts";
import type { Terms } from "../../../domain/SettlementPolicy.ts";
import type { CommandOf, RunRequest } from "../Command.ts";
import {
  accepted,
  applyRules,
  baseRules,
  type Generated,
  NOTHING_MADE,
  type Prediction,
  queryResult,
  refused,
} from "../prediction/Prediction.ts";
import { bringUp } from "../records/Plans.ts";
import { quantities, refreshCommissions } from "../world/Earnings.ts";
import { newestPeriod, nextPeriod } from "../world/Periods.ts";
import { DAY, MINUTE } from "../world/Time.ts";
import type {
  Commission,
  Finding,
  Formula,
  Line,
  RunResult,
  SettlementPolicy,
  SettlementRun,
  Tally,
  World,
} from "../world/World.ts";
import { approve } from "./Actions.ts";
import { withDraft } from "./Drafts.ts";
import { findPolicy, isSame, termsOf } from "./Policies.ts";

const LARGEST = 9_007_199_254_740_991n;
/** The principal of the approvals that a run decides. */
const WORKER = "system:settlement-run";

const fitting = (sum: bigint): number | null => (sum > LARGEST || sum < -LARGEST ? null : Number(sum));
const magnitude = (amount: number | bigint): bigint => {
  const value = BigInt(amount);
  return value < 0n ? -value : value;
};

type Extent = Pick<SettlementRun, "customerId" | "workspaceId" | "currencies" | "until">;

interface DueCommission {
  readonly commission: Commission & { readonly id: CommissionId };
  readonly currency: string;
  readonly occurredAt: number;
}

const inOrder = (
  one: { readonly createdAt: number; readonly id: string },
  other: { readonly createdAt: number; readonly id: string },
): number => one.createdAt - other.createdAt || (one.id < other.id ? -1 : 1);

/** The commissions of a partner that occurred before the end of a run, in the order in which they become lines. */
const commissionsOf = (world: World, partnerId: PartnerId, until: number): ReadonlyArray<DueCommission> => {
  const attributions = new Map(
    world.attributions.filter((one) => one.partnerId === partnerId).map((one) => [one.id, one]),
  );
  const formulas = new Map<string, Formula>(world.formulas.map((one) => [one.id, one]));
  return world.commissions
    .flatMap((commission) => {
      const attribution = attributions.get(commission.attributionId);
      const currency = formulas.get(commission.formulaId)?.currency;
      const { id } = commission;
      if (
        id === null ||
        attribution === undefined ||
        currency === undefined ||
        attribution.occurredAt >= until
      )
        return [];
      return [{ commission: { ...commission, id }, currency, occurredAt: attribution.occurredAt }];
    })
    .toSorted((one, other) => inOrder(one.commission, other.commission));
};

/** What a partner has due, by currency in alphabetical order; a currency that the run names is among them in any case. */
const readDue = (
  world: World,
  { customerId, workspaceId, currencies, until }: Extent,
  partnerId: PartnerId,
): ReadonlyArray<readonly [string, Tally]> => {
  const terms = termsOf(world, customerId, workspaceId, partnerId);
  const all = commissionsOf(world, partnerId, until);
  const found = new Map<string, Tally>();
  const nothing: Tally = { terms, lines: [], onHold: [], notComputable: 0, inOpenSettlement: 0 };
  for (const currency of currencies ?? []) found.set(currency, nothing);
  for (const { commission, currency, occurredAt } of all) {
    if (currencies !== null && !currencies.includes(currency)) continue;
    const { due, holder, settledLines } = quantities(world, commission);
    const isComputable = commission.failing === null;
    if (due === 0 && isComputable) continue;
    const tally = found.get(currency) ?? nothing;
    const isHeld = settledLines === 0 && occurredAt > until - terms.holdDays * DAY;
    found.set(
      currency,
      holder !== null
        ? { ...tally, inOpenSettlement: tally.inOpenSettlement + 1 }
        : !isComputable
          ? { ...tally, notComputable: tally.notComputable + 1 }
          : isHeld
            ? { ...tally, onHold: [...tally.onHold, due] }
            : { ...tally, lines: [...tally.lines, { commissionId: commission.id, amount: due }] },
    );
  }
  return [...found].toSorted(([one], [other]) => (one < other ? -1 : 1));
};

const sumOf = (amounts: ReadonlyArray<number>): bigint => amounts.reduce((sum, one) => sum + BigInt(one), 0n);

const reasonOf = (currency: string, tally: Tally): Finding["reason"] => {
  const { terms, lines, onHold, notComputable, inOpenSettlement } = tally;
  if (lines.length === 0) {
    if (notComputable > 0) return "not_computable";
    if (onHold.length > 0) return "on_hold";
    return inOpenSettlement > 0 ? "in_open_settlement" : "nothing_due";
  }
  const total = sumOf(lines.map(({ amount }) => amount));
  if (fitting(total) === null) return "not_computable";
  if (total < 0n && terms.negative === "carry_forward") return "negative";
  return magnitude(total) < BigInt(terms.minimum[currency] ?? 0) ? "below_minimum" : null;
};

const findingOf = (partnerId: PartnerId, currency: string, tally: Tally): Finding => ({
  partnerId,
  currency,
  reason: reasonOf(currency, tally),
  total: fitting(sumOf(tally.lines.map(({ amount }) => amount))),
  lineCount: tally.lines.length,
  onHoldCount: tally.onHold.length,
  onHoldAmount: fitting(sumOf(tally.onHold)),
  notComputableCount: tally.notComputable,
  inOpenSettlementCount: tally.inOpenSettlement,
});

const nothingDue = (partnerId: PartnerId): Finding => ({
  ...{ partnerId, currency: null, reason: "nothing_due", total: 0, lineCount: 0 },
  ...{ onHoldCount: 0, onHoldAmount: 0, notComputableCount: 0, inOpenSettlementCount: 0 },
});

/** Whether a run approves a draft of this total by itself. */
const approvesItself = ({ autoApprove, fourEyesAbove }: Terms, currency: string, total: number): boolean => {
  const limit = autoApprove === "never" ? undefined : autoApprove[currency];
  const above = fourEyesAbove[currency];
  return (
    limit !== undefined &&
    magnitude(total) <= BigInt(limit) &&
    (above === undefined || magnitude(total) <= BigInt(above))
  );
};

const withResult = (world: World, runId: string, customerId: CustomerId, result: RunResult): World => ({
  ...world,
  settlementRuns: world.settlementRuns.map((run) =>
    run.id === runId && run.customerId === customerId
      ? {
          ...run,
          results: [
            ...run.results.filter(
              (one) => one.partnerId !== result.partnerId || one.currency !== result.currency,
            ),
            result,
          ],
        }
      : run,
  ),
});

/** The lines of what is due among commissions, brought up to date; what has nothing due any more is left out. */
const drawLines = (
  world: World,
  tally: Tally,
): { readonly world: World; readonly lines: ReadonlyArray<Line>; readonly leftOut: number } => {
  const ids = new Set<string>(tally.lines.map(({ commissionId }) => commissionId));
  const isNamed = ({ id }: Commission) => id !== null && ids.has(id);
  const formulaIds = new Set(world.commissions.filter(isNamed).map(({ formulaId }) => formulaId));
  const current = refreshCommissions(
    bringUp(world, ({ id }) => formulaIds.has(id)),
    isNamed,
  );
  let leftOut = 0;
  const lines = tally.lines.flatMap(({ commissionId }): ReadonlyArray<Line> => {
    const commission = current.commissions.find(({ id }) => id === commissionId);
    if (commission === undefined || commission.amount === null || commission.failing !== null) {
      leftOut += 1;
      return [];
    }
    const { due, holder } = quantities(current, commission);
    if (holder !== null || due === 0) return [];
    const { attributionId, formulaId } = commission;
    return [{ attributionId, formulaId, commissionId, amount: due }];
  });
  return { world: current, lines, leftOut };
};

/** The draft of one partner and currency with its result, or the result that says why there is none. */
const storeDraft = (
  world: World,
  run: SettlementRun,
  partnerId: PartnerId,
  currency: string,
  tally: Tally,
  made: Generated,
): World => {
  const { id: runId, customerId, workspaceId, startedBy } = run;
  const first = findingOf(partnerId, currency, tally);
  if (first.reason !== null) return withResult(world, runId, customerId, { ...first, draft: null });
  const { world: current, lines, leftOut } = drawLines(world, tally);
  const brought = { ...tally, lines, notComputable: tally.notComputable + leftOut };
  const finding = findingOf(partnerId, currency, brought);
  if (finding.reason !== null) return withResult(world, runId, customerId, { ...finding, draft: null });
  const id = made.drafts.find(
    (one) => one.runId === runId && one.partnerId === partnerId && one.currency === currency,
  )?.settlementId;
  const total = finding.total ?? 0;
  const settlementId = SettlementId.make(id ?? runId);
  const isApproved = !world.policy.fourEyes && approvesItself(tally.terms, currency, total);
  const owner = { customerId, workspaceId, partnerId, createdBy: startedBy };
  return withResult(withDraft(current, settlementId, owner, lines), runId, customerId, {
    ...finding,
    draft: { settlementId, total, lineCount: lines.length, approval: isApproved ? "pending" : "manual" },
  });
};

/** The approval of a draft by policy; where it is refused, the draft is left to a person. */
const approveDraft = (world: World, { id, customerId }: SettlementRun, result: RunResult): World => {
  const { draft } = result;
  const settlement = world.settlements.find((one) => one.id === draft?.settlementId);
  if (draft === null || draft.approval !== "pending" || settlement === undefined) return world;
  const left = (approval: "manual" | "refused" | "approved", after = world): World =>
    withResult(after, id, customerId, { ...result, draft: { ...draft, approval } });
  if (settlement.status.type !== "draft") return left("manual");
  const verdict = approve(world, settlement, WORKER);
  const { workspaceId, partnerId, currency } = settlement;
  // What cannot be taxed is refused before the policy is looked at again; the model knows both rules as one.
  if (verdict.type === "refused") return left("refused");
  if (!approvesItself(termsOf(world, customerId, workspaceId, partnerId), currency, draft.total))
    return left("manual");
  return left("approved", verdict.effect?.("", NOTHING_MADE) ?? world);
};

const partnersOf = (world: World, { customerId, workspaceId }: Extent): ReadonlyArray<PartnerId> =>
  world.partners
    .filter((one) => one.customerId === customerId && one.workspaceId === workspaceId)
    .toSorted(inOrder)
    .map(({ id }) => id);

/** Whether a run of the workspace's cadence leaves a partner to the partner's own. */
const isLeftOut = (world: World, run: SettlementRun, partnerId: PartnerId): boolean =>
  run.period !== null &&
  run.partnerIds === null &&
  (findPolicy(world, run.customerId, run.workspaceId, partnerId)?.terms.cadence ?? null) !== null;

/** The world with a run that has ended. */
const endRun = (world: World, { id, customerId }: SettlementRun, partners: number): World => ({
  ...world,
  settlementRuns: world.settlementRuns.map((run) =>
    run.id === id && run.customerId === customerId
      ? { ...run, done: { at: Math.max(world.now, run.createdAt), partners } }
      : run,
  ),
});

/** Performs a run: partner by partner, currency by currency. */
const performRun = (before: World, run: SettlementRun, made: Generated): World => {
  const partners = run.partnerIds ?? partnersOf(before, run);
  let world = before;
  for (const partnerId of partners) {
    if (isLeftOut(world, run, partnerId)) continue;
    const due = readDue(world, run, partnerId);
    if (due.length === 0)
      world = withResult(world, run.id, run.customerId, { ...nothingDue(partnerId), draft: null });
    for (const [currency, tally] of due) {
      world = storeDraft(world, run, partnerId, currency, tally, made);
      const result = world.settlementRuns
        .find((one) => one.id === run.id && one.customerId === run.customerId)
        ?.results.find((one) => one.partnerId === partnerId && one.currency === currency);
      if (result !== undefined) world = approveDraft(world, run, result);
    }
  }
  return endRun(world, run, partners.length);
};

const findRun = (world: World, runId: string): SettlementRun | undefined =>
  world.settlementRuns.find(({ id }) => id === runId);

/** The world with a run of one partner that has ended, once every currency has a result and none waits for approval. */
const endIfDone = (world: World, runId: string): World => {
  const run = findRun(world, runId);
  const isDone =
    run?.readings?.every(([currency]) => run.results.some((one) => one.currency === currency)) === true &&
    run.results.every(({ draft }) => draft?.approval !== "pending");
  return isDone ? endRun(world, run, 1) : world;
};

/** What a run of one partner does step by step, each of them one commit, so that other commands may come in between. */
export const performStep = (
  world: World,
  command: CommandOf<"read_due" | "store_draft" | "approve_draft">,
  made: Generated,
): World => {
  const run = findRun(world, command.runId);
  const [partnerId] = run?.partnerIds ?? [];
  if (run === undefined || partnerId === undefined) return world;
  switch (command.type) {
    case "read_due": {
      const readings = readDue(world, run, partnerId);
      const after = {
        ...world,
        settlementRuns: world.settlementRuns.map((one) => (one === run ? { ...run, readings } : one)),
      };
      const nothing = { ...nothingDue(partnerId), draft: null };
      return endIfDone(
        readings.length > 0 ? after : withResult(after, run.id, run.customerId, nothing),
        run.id,
      );
    }
    case "store_draft": {
      const { currency, readsAgain } = command;
      const readings = readsAgain
        ? readDue(world, { ...run, currencies: [currency] }, partnerId)
        : run.readings;
      const tally = readings?.find(([one]) => one === currency)?.[1];
      if (tally === undefined) return world;
      return endIfDone(storeDraft(world, run, partnerId, currency, tally, made), run.id);
    }
    case "approve_draft": {
      const result = run.results.find(({ currency }) => currency === command.currency);
      return result === undefined ? world : endIfDone(approveDraft(world, run, result), run.id);
    }
  }
};

/** What a run still has to do after a step, given the worlds before and after it. */
export const stepsAfter = (
  before: World,
  after: World,
): ReadonlyArray<CommandOf<"read_due" | "store_draft" | "approve_draft">> => {
  if (after.settlementRuns === before.settlementRuns) return [];
  return after.settlementRuns.flatMap((run) => {
    const { id: runId, readings, results } = run;
    const was = findRun(before, runId);
    if (was === run || readings === null) return [];
    const drafts = was?.readings == null ? readings : [];
    const pending = results.filter(
      (one) => one.draft?.approval === "pending" && was?.results.includes(one) !== true,
    );
    return [
      ...drafts.map(([currency]) => ({ type: "store_draft", runId, currency, readsAgain: false }) as const),
      ...pending.map(({ currency }) => ({ type: "approve_draft", runId, currency: currency ?? "" }) as const),
    ];
  });
};

/** Whether a result may be stored by what was read before: the policies must still be the same. */
export const isCurrent = (world: World, { runId, currency }: CommandOf<"store_draft">): boolean => {
  const run = findRun(world, runId);
  const [partnerId] = run?.partnerIds ?? [];
  const terms = run?.readings?.find(([one]) => one === currency)?.[1].terms;
  return (
    run !== undefined &&
    partnerId !== undefined &&
    isSame(terms, termsOf(world, run.customerId, run.workspaceId, partnerId))
  );
};

/** Performs every run that is pending, in the order in which they were started. */
export const performRuns = (world: World, made: Generated): World =>
  world.settlementRuns
    .filter(({ done, readings }) => done === null && readings === null)
    .reduce((after, run) => performRun(after, run, made), world);

const areDistinct = (values: ReadonlyArray<string> | undefined): boolean =>
  values === undefined || (values.length > 0 && new Set(values).size === values.length);

const isRequest = ({ partnerIds, currencies }: RunRequest): boolean =>
  areDistinct(partnerIds) && areDistinct(currencies);

/** What a request asks for; null when it names a partner that the workspace does not have, or a moment to come. */
const extentOf = (
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
  if (until !== undefined && until > world.now + 5 * MINUTE) return null;
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
    verdict: () => {
      const { customerId, principalId } = command.principal;
      const extent = customerId === null ? null : extentOf(world, customerId, command.input);
      if (extent === null) return refused("Invalid");
      return accepted((id) => {
        const run: SettlementRun = {
          ...{ ...extent, id, period: null, startedBy: principalId },
          ...{ createdAt: world.now, done: null, results: [], readings: null },
        };
        return { ...world, settlementRuns: [...world.settlementRuns, run] };
      });
    },
  });

/** Sums of drafts by currency. */
export const totalsOf = (
  drafts: ReadonlyArray<{ readonly currency: string | null; readonly total: number }>,
): Readonly<Record<string, string>> => {
  const currencies = [...new Set(drafts.map(({ currency }) => currency ?? ""))].toSorted();
  return Object.fromEntries(
    currencies.map((currency) => [
      currency,
      `${sumOf(drafts.filter((one) => one.currency === currency).map(({ total }) => total))}`,
    ]),
  );
};

/** What a run would do now, by the amounts that lists show. */
export const dryRun = (world: World, command: CommandOf<"dry_run">): Prediction =>
  applyRules(world, {
    ...requestRules(command),
    verdict: () => {
      const { customerId } = command.principal;
      const extent = customerId === null ? null : extentOf(world, customerId, command.input);
      if (extent === null) return refused("Invalid");
      const results = (extent.partnerIds ?? partnersOf(world, extent)).flatMap((partnerId) => {
        const due = readDue(world, extent, partnerId);
        if (due.length === 0) return [{ ...nothingDue(partnerId), draftCount: 0, autoApprove: false }];
        return due.map(([currency, tally]) => {
          const finding = findingOf(partnerId, currency, tally);
          const hasDraft = finding.reason === null;
          const autoApprove =
            hasDraft && !world.policy.fourEyes && approvesItself(tally.terms, currency, finding.total ?? 0);
          return { ...finding, draftCount: hasDraft ? 1 : 0, autoApprove };
        });
      });
      const drafts = results.filter(({ draftCount }) => draftCount > 0);
      const { customerId: _, ...shown } = extent;
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

/** The policy after its newest period was run, with the run; null when none is due. A period has one run. */
const startPeriod = (world: World, policy: SettlementPolicy, made: Generated): World => {
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
  const after = {
    ...world,
    settlementPolicies: world.settlementPolicies.map((one) => (one === policy ? moved : one)),
  };
  const partnerIds = partnerId === null ? null : [partnerId];
  const hasRun = world.settlementRuns.some((one) => one.period === period.label && isOf(one, policy));
  if (hasRun) return after;
  const id = made.runs.find((one) => one.period === period.label && isOf(one, policy))?.id ?? "";
  const run: SettlementRun = {
    ...{ id, customerId, workspaceId, partnerIds, currencies: null, until: period.at },
    ...{ period: period.label, startedBy: policy.scheduledBy, createdAt: world.now, done: null },
    ...{ results: [], readings: null },
    partnerCount:
      partnerIds?.length ?? partnersOf(world, { customerId, workspaceId, currencies: null, until: 0 }).length,
  };
  return { ...after, settlementRuns: [...world.settlementRuns, run] };
};

/** Starts the runs of all periods that have begun. */
export const startDueRuns = (world: World, made: Generated): World =>
  world.settlementPolicies
    .toSorted((one, other) => (one.next?.at ?? 0) - (other.next?.at ?? 0))
    .reduce((after, policy) => startPeriod(after, policy, made), world);
