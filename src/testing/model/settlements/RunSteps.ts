/** Performs settlement runs in the model: one draft for each partner and currency of everything due, then its approval. */
import { type CustomerId, type PartnerId, SettlementId } from "../../../domain/Ids.ts";
import type { CommandOf } from "../Command.ts";
import { type Generated, NOTHING_GENERATED } from "../prediction/Prediction.ts";
import { quantities } from "../world/Earnings.ts";
import type { DueTotal, Line, RunResult, SettlementRun } from "../world/Settlements.ts";
import type { World } from "../world/World.ts";
import { approve } from "./Actions.ts";
import { upToDate, withDraft } from "./Drafts.ts";
import { findPolicy, isSame, needsFourEyes, termsOf } from "./Policies.ts";
import { approvesItself, findingOf, nothingDue, partnerOf, partnersOf, readDue } from "./RunFindings.ts";

/** The principal of the approvals that a run decides. */
const WORKER = "system:settlement-run";

const withResult = (world: World, runId: string, customerId: CustomerId, result: RunResult): World => ({
  ...world,
  settlementRuns: world.settlementRuns.map((run) =>
    run.id === runId && run.customerId === customerId
      ? {
          ...run,
          results: [
            ...run.results.filter(
              (runResult) =>
                runResult.partnerId !== result.partnerId || runResult.currency !== result.currency,
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
  dueTotal: DueTotal,
): { readonly world: World; readonly lines: ReadonlyArray<Line>; readonly leftOut: number } => {
  const current = upToDate(
    world,
    dueTotal.lines.map(({ commissionId }) => commissionId),
  );
  let leftOut = 0;
  const lines = dueTotal.lines.flatMap(({ commissionId }): ReadonlyArray<Line> => {
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

/** The draft of one partner and currency with its result, or the result with the reason why there is none. */
const storeDraft = (
  world: World,
  run: SettlementRun,
  {
    partnerId,
    currency,
    dueTotal,
  }: { readonly partnerId: PartnerId; readonly currency: string; readonly dueTotal: DueTotal },
  made: Generated,
): World => {
  const { id: runId, customerId, workspaceId, startedByPerson } = run;
  const first = findingOf(partnerId, currency, dueTotal);
  if (first.reason !== null) return withResult(world, runId, customerId, { ...first, draft: null });
  const { world: current, lines, leftOut } = drawLines(world, dueTotal);
  const brought = { ...dueTotal, lines, notComputable: dueTotal.notComputable + leftOut };
  const finding = findingOf(partnerId, currency, brought);
  if (finding.reason !== null) return withResult(world, runId, customerId, { ...finding, draft: null });
  const id = made.drafts.find(
    (draft) => draft.runId === runId && draft.partnerId === partnerId && draft.currency === currency,
  )?.settlementId;
  const total = finding.total ?? 0;
  const settlementId = SettlementId.make(id ?? runId);
  const isApproved = !world.policy.fourEyes && approvesItself(dueTotal.terms, currency, total);
  const owner = { customerId, workspaceId, partnerId, createdBy: startedByPerson };
  return withResult(withDraft(current, settlementId, owner, lines), runId, customerId, {
    ...finding,
    draft: { settlementId, total, lineCount: lines.length, approval: isApproved ? "pending" : "manual" },
  });
};

/** The approval of a draft by policy; where it is refused, the draft is left to a person. */
const approveDraft = (world: World, { id, customerId }: SettlementRun, result: RunResult): World => {
  const { draft } = result;
  const settlement = world.settlements.find((candidate) => candidate.id === draft?.settlementId);
  if (draft === null || draft.approval !== "pending" || settlement === undefined) return world;
  const withDraftApproval = (approval: "manual" | "refused" | "approved", after = world): World =>
    withResult(after, id, customerId, { ...result, draft: { ...draft, approval } });
  if (settlement.status.type !== "draft") return withDraftApproval("manual");
  const decision = approve(world, settlement, WORKER);
  const { workspaceId, partnerId, currency } = settlement;
  // What cannot be taxed is refused before the policy is looked at again; the model knows both rules as one.
  if (decision.type === "refused") return withDraftApproval("refused");
  const terms = termsOf(world, customerId, workspaceId, partnerId);
  if (needsFourEyes(world, settlement) || !approvesItself(terms, currency, draft.total))
    return withDraftApproval("manual");
  return withDraftApproval("approved", decision.effect?.("", NOTHING_GENERATED) ?? world);
};

/** True if a run of the workspace's cadence leaves a partner to the partner's own. */
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
const performRun = (before: World, run: SettlementRun, generated: Generated): World => {
  const partners = run.partnerIds ?? partnersOf(before, run);
  let world = before;
  for (const partnerId of partners) {
    if (isLeftOut(world, run, partnerId)) continue;
    const due = readDue(world, run, partnerId);
    if (due.length === 0)
      world = withResult(world, run.id, run.customerId, { ...nothingDue(partnerId), draft: null });
    for (const [currency, dueTotal] of due) {
      world = storeDraft(world, run, { partnerId, currency, dueTotal }, generated);
      const result = world.settlementRuns
        .find((settlementRun) => settlementRun.id === run.id && settlementRun.customerId === run.customerId)
        ?.results.find((runResult) => runResult.partnerId === partnerId && runResult.currency === currency);
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
    run?.readings?.every(([currency]) => run.results.some((result) => result.currency === currency)) ===
      true && run.results.every(({ draft }) => draft?.approval !== "pending");
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
        settlementRuns: world.settlementRuns.map((settlementRun) =>
          settlementRun === run ? { ...run, readings } : settlementRun,
        ),
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
      const dueTotal = readings?.find(([one]) => one === currency)?.[1];
      if (dueTotal === undefined) return world;
      return endIfDone(storeDraft(world, run, { partnerId, currency, dueTotal }, made), run.id);
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
      (result) => result.draft?.approval === "pending" && was?.results.includes(result) !== true,
    );
    return [
      ...drafts.map(([currency]) => ({ type: "store_draft", runId, currency, readsAgain: false }) as const),
      ...pending.map(({ currency }) => ({ type: "approve_draft", runId, currency: currency ?? "" }) as const),
    ];
  });
};

/** True if a result may be stored by what was read before: the policies, the partner, and what acceptances are about, must still be the same. */
export const isCurrent = (world: World, { runId, currency }: CommandOf<"store_draft">): boolean => {
  const run = findRun(world, runId);
  const [partnerId] = run?.partnerIds ?? [];
  const { terms, partner, formulas = [] } = run?.readings?.find(([one]) => one === currency)?.[1] ?? {};
  return (
    run !== undefined &&
    partnerId !== undefined &&
    partner === partnerOf(world, partnerId) &&
    formulas.every((formula) => world.formulas.some((candidate) => candidate === formula)) &&
    isSame(terms, termsOf(world, run.customerId, run.workspaceId, partnerId))
  );
};

/** Performs every run that is pending, in the order in which they were started. */
export const performRuns = (world: World, generated: Generated): World =>
  world.settlementRuns
    .filter(({ done, readings }) => done === null && readings === null)
    .reduce((after, run) => performRun(after, run, generated), world);
