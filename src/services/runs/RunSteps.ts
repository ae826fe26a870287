/**
 * Performs settlement runs in small steps: each draft is a commit together with its result, and each step of partners is stored in
 * the run. What a crash interrupts is done again from the results that are stored, so that no part of a partner and currency gets
 * two drafts.
 */
import { Effect } from "effect";
import type { Currency } from "../../domain/Currency.ts";
import type { CustomerId, PartnerId, SettlementRunId } from "../../domain/Ids.ts";
import { SETTLEMENT_LINES_MAX } from "../../domain/Limits.ts";
import { Conflict, Invalid } from "../../domain/Refusal.ts";
import type { Policy } from "../../domain/SettlementMachine.ts";
import { approvesItself } from "../../domain/SettlementPolicy.ts";
import * as SettlementRun from "../../domain/SettlementRun.ts";
import { IdSource } from "../../ports/IdSource.ts";
import {
  type Earnings,
  type Records,
  type Requirement,
  type Settling,
  Storage,
  type StorageError,
  type Versioned,
} from "../../ports/Storage.ts";
import { Evaluator } from "../attributions/Evaluator.ts";
import type { Failure } from "../commands/Access.ts";
import { readPartners } from "../commands/ChosenPartners.ts";
import { collect } from "../commands/Listing.ts";
import {
  type Attempt,
  type Caller,
  type Decision,
  type Execution,
  noEffect,
  Pipeline,
} from "../commands/Pipeline.ts";
import { Policies } from "../commands/Policies.ts";
import * as Save from "../commands/Save.ts";
import { RollOuts } from "../formulas/RollOuts.ts";
import { prepareApproval } from "../settlements/Approval.ts";
import { draftAfter } from "../settlements/Beforehand.ts";
import { type Draft, type DueDraft, draftOfDue } from "../settlements/Drafting.ts";
import { createSettlement } from "../settlements/SettlementCreation.ts";
import { transition } from "../settlements/Transition.ts";
import { type Due, isLeftToOwnCadence, readDue, readDueAfter } from "./Findings.ts";

/** The actor of approvals by policy, and of the progress of a run. */
const WORKER = { principalId: "system:settlement-run" };

/** Partners of a step that are settled at the same time. */
const CONCURRENCY = 4;

type Run = Versioned<SettlementRun.SettlementRun>;

/** Who started a run. */
const starterOf = ({ startedBy, startedByPerson }: Run): Caller => ({
  principalId: startedBy,
  person: startedByPerson,
});

type Result = Versioned<SettlementRun.SettlementRunResult>;

/** A result that is stored, or a new one, which has no version yet. */
type Unsaved = SettlementRun.SettlementRunResult & Partial<Versioned<unknown>>;

/** The outcome of one commit: the result as it is stored. */
interface Stored {
  readonly row: Result;
}

/** The decision that stores a result alone. */
const saveResult = (
  execution: Execution,
  result: Unsaved,
  requires: ReadonlyArray<Requirement> = [],
): Decision<Stored> => {
  const save = Save.flat("settlementRunResult", execution, result);
  return { result: { row: save.row }, requires, changes: [save] };
};

/** Where the next part begins; null where the draft of this one is the last. */
const positionAfter = ({ lineCount, last }: SettlementRun.DueTotal) =>
  lineCount <= SETTLEMENT_LINES_MAX ? null : last;

/** The finding after the draft has brought the commissions up to date. Of several parts, it is that of the whole. */
const findingAfterDraft = (
  due: Due,
  currency: Currency,
  dueTotal: SettlementRun.DueTotal,
  { lineCount, total, notComputableCount }: DueDraft,
): SettlementRun.Finding => {
  const isWhole = dueTotal.lineCount <= SETTLEMENT_LINES_MAX;
  const updated =
    isWhole && dueTotal.lineCount > 0
      ? {
          ...dueTotal,
          ...{ lineCount, total },
          notComputableCount: dueTotal.notComputableCount + notComputableCount,
        }
      : dueTotal;
  return SettlementRun.finding(due, currency, updated);
};

const identityOf = (
  run: Run,
  step: number,
  { partnerId, currency }: { readonly partnerId: PartnerId; readonly currency: Currency | null },
  { at }: Execution,
) => ({
  id: SettlementRun.resultId(run.id, partnerId, currency),
  customerId: run.customerId,
  workspaceId: run.workspaceId,
  runId: run.id,
  step,
  createdAt: at,
});

/** One part of what a partner has due in a currency: its draft, and the result without it. */
interface Part {
  readonly before: Omit<Unsaved, "after">;
  readonly due: Due;
  readonly currency: Currency;
  readonly draft: Draft;
}

/** The commit of one part: the draft, and the result that has it. */
const savePart = (
  execution: Execution,
  run: Run,
  { before, due: { terms, requires, partnerId, dueTotals }, currency, draft }: Part,
  { fourEyes }: Policy,
): Decision<Stored> => {
  const settlementId = SettlementRun.draftId(run.id, partnerId, currency, before.drafts.length);
  const overall = before.total === null ? null : approvesItself(terms, currency, before.total);
  const isApproved = !fourEyes && overall === true && approvesItself(terms, currency, draft.total);
  const runDraft: SettlementRun.RunDraft = {
    settlementId,
    total: draft.total,
    lineCount: draft.lines.length,
    approval: isApproved ? "pending" : "manual",
    approvalProblem: null,
  };
  const save = Save.flat("settlementRunResult", execution, {
    ...before,
    drafts: [...before.drafts, runDraft],
    after: positionAfter(dueTotals.of(currency)),
  });
  const { changes, onStored } = createSettlement(execution, settlementId, { ...run, partnerId }, draft);
  return {
    result: { row: save.row },
    requires: [...draft.requires, ...requires],
    changes: [...changes, save],
    onStored,
  };
};

/** Stores what was decided about the approval of one draft. */
const saveApproval = (
  execution: Execution,
  result: Result,
  index: number,
  approval: Pick<SettlementRun.RunDraft, "approval" | "approvalProblem">,
): Decision<Stored> =>
  saveResult(execution, {
    ...result,
    drafts: result.drafts.map((draft, at) => (at === index ? { ...draft, ...approval } : draft)),
  });

const make = Effect.gen(function* () {
  const storage: Records & Earnings & Settling = yield* Storage;
  const pipeline = yield* Pipeline;
  const policy = yield* Policies;
  const idSource = yield* IdSource;
  const tools = { storage, ids: idSource, pipeline, evaluator: yield* Evaluator, rollOuts: yield* RollOuts };

  const find = (customerId: CustomerId, id: Result["id"]): Effect.Effect<Result | null, StorageError> =>
    Effect.map(storage.find(customerId, "settlementRunResult", [id]), ([found]) => found ?? null);

  /** One commit of a result, by an actor. */
  const commit = (
    { customerId }: Run,
    caller: Caller,
    attempt: Attempt<Stored, Failure>,
  ): Effect.Effect<Result, Failure> =>
    Effect.map(pipeline.run<Stored, Failure>(customerId, caller, {}, attempt), ({ row }) => row);

  /** The draft of commissions whose formulas have applied the events of their plans, and whose overrides rest on new amounts. */
  const draftUpToDate = (execution: Execution, run: Run, ids: SettlementRun.DueTotal["commissionIds"]) =>
    draftAfter(tools, run.customerId, draftOfDue(tools, execution, run.customerId, ids));

  /** The first part of a partner and currency, or the result with the reason why there is none. */
  const beginResult = (
    run: Run,
    step: number,
    read: Due,
    currency: Currency,
  ): Effect.Effect<Result, Failure> =>
    commit(run, starterOf(run), (execution) =>
      Effect.gen(function* () {
        const own = identityOf(run, step, { partnerId: read.partnerId, currency }, execution);
        const found = yield* find(run.customerId, own.id);
        if (found !== null) return noEffect({ row: found });
        const [due = read] =
          execution.attempt === 1 ? [read] : yield* readDue(storage, run, [read.partnerId]);
        const dueTotal = due.dueTotals.of(currency);
        const first = SettlementRun.finding(due, currency, dueTotal);
        const brought =
          first.reason === null ? yield* draftUpToDate(execution, run, dueTotal.commissionIds) : null;
        const finding = brought === null ? first : findingAfterDraft(due, currency, dueTotal, brought);
        const draft = brought?.draft ?? null;
        const before = { ...own, ...finding, drafts: [] };
        if (finding.reason !== null || draft === null) {
          const result = { ...before, reason: finding.reason ?? "nothing_due", after: null };
          return saveResult(execution, result, due.requires);
        }
        return savePart(execution, run, { before, due, currency, draft }, policy);
      }),
    );

  /** The next part of a result that has more, or its end. */
  const continueResult = (run: Run, read: Result, currency: Currency): Effect.Effect<Result, Failure> =>
    commit(run, starterOf(run), (execution) =>
      Effect.gen(function* () {
        const before = (yield* find(run.customerId, read.id)) ?? read;
        const { after, partnerId } = before;
        if (after === null) return noEffect({ row: before });
        const scope = { ...run, currencies: [currency] };
        const due = yield* readDueAfter(storage, scope, partnerId, after);
        // Suspended since the first part: what is drafted stays.
        if (due.isSuspended) return saveResult(execution, { ...before, after: null }, due.requires);
        const dueTotal = due.dueTotals.of(currency);
        const { draft } = yield* draftUpToDate(execution, run, dueTotal.commissionIds);
        if (draft !== null) return savePart(execution, run, { before, due, currency, draft }, policy);
        return saveResult(execution, { ...before, after: positionAfter(dueTotal) });
      }),
    );

  /** Approves one draft by policy. Where that is refused, the draft is left to a person. */
  const approve = (run: Run, read: Result, index: number): Effect.Effect<Result, Failure> =>
    commit(run, WORKER, (execution) =>
      Effect.gen(function* () {
        const { customerId } = run;
        const result = (yield* find(customerId, read.id)) ?? read;
        const draft = result.drafts[index];
        if (draft === undefined || draft.approval !== "pending") return noEffect({ row: result });
        const [settlement] = yield* storage.find(customerId, "settlement", [draft.settlementId]);
        const leaveDraft = (approval: "manual" | "refused", approvalProblem: string | null) =>
          saveApproval(execution, result, index, { approval, approvalProblem });
        if (settlement === undefined || settlement.status.type !== "draft") return leaveDraft("manual", null);
        return yield* Effect.gen(function* () {
          const approving = yield* prepareApproval(storage, policy, execution, settlement);
          const { currency, total } = settlement;
          if (approving.policy.fourEyes || !approvesItself(approving.inForce.terms, currency, total))
            return leaveDraft("manual", null);
          const approved = saveApproval(execution, result, index, {
            approval: "approved",
            approvalProblem: null,
          });
          const decided = yield* transition(execution, settlement, {
            ...approving,
            changes: [...approving.changes, ...approved.changes],
          });
          return { ...decided, result: approved.result };
        }).pipe(
          Effect.catchIf(
            (problem) => problem instanceof Conflict || problem instanceof Invalid,
            ({ message }) => Effect.succeed(leaveDraft("refused", message)),
          ),
        );
      }),
    );

  /** Completes a result: its further parts, then the approvals. */
  const finish = (run: Run, first: Result): Effect.Effect<Result, Failure> =>
    Effect.gen(function* () {
      let result = first;
      while (result.after !== null && result.currency !== null)
        result = yield* continueResult(run, result, result.currency);
      for (let index = 0; index < result.drafts.length; index++) {
        if (result.drafts[index]?.approval === "pending") result = yield* approve(run, result, index);
      }
      return result;
    });

  /** Stores that a partner has nothing due. */
  const storeNothingDue = (run: Run, step: number, { partnerId }: Due): Effect.Effect<Result, Failure> =>
    commit(run, starterOf(run), (execution) =>
      Effect.gen(function* () {
        const own = identityOf(run, step, { partnerId, currency: null }, execution);
        const found = yield* find(run.customerId, own.id);
        if (found !== null) return noEffect({ row: found });
        const result = { ...own, ...SettlementRun.nothingDue(partnerId), drafts: [], after: null };
        return saveResult(execution, result);
      }),
    );

  const settlePartner = (
    run: Run,
    step: number,
    due: Due,
    stored: ReadonlyArray<Result>,
  ): Effect.Effect<ReadonlyArray<Result>, Failure> =>
    Effect.gen(function* () {
      if (isLeftToOwnCadence(run, due)) return [];
      const known = new Set(stored.map(({ currency }) => currency));
      const open = known.has(null)
        ? []
        : due.dueTotals.entries().filter(([currency]) => !known.has(currency));
      if (stored.length + open.length === 0) return [yield* storeNothingDue(run, step, due)];
      const before = yield* Effect.forEach(stored, (result) => finish(run, result));
      const more = yield* Effect.forEach(open, ([currency]) =>
        Effect.flatMap(beginResult(run, step, due, currency), (first) => finish(run, first)),
      );
      return [...before, ...more];
    });

  /** The results that an interrupted step has stored. */
  const storedResults = (run: Run, partnerIds: ReadonlyArray<PartnerId>) =>
    collect(storage, run.customerId, "settlementRunResult", { runIds: [run.id], partnerIds });

  /** Stores the progress of a step, unless another worker has. */
  const advance = (read: Run, partners: number, results: ReadonlyArray<Result>, isLast: boolean) =>
    pipeline.run(read.customerId, WORKER, {}, (execution) =>
      Effect.gen(function* () {
        const [run] = yield* storage.find(read.customerId, "settlementRun", [read.id]);
        if (run === undefined || run.version !== read.version) return noEffect({ pending: true });
        const save = Save.flat("settlementRun", execution, {
          ...run,
          ...SettlementRun.countResults(run, results),
          partnersDone: run.partnersDone + partners,
          state: isLast ? "done" : "running",
          // The clock may have been set back since the start.
          finishedAt: isLast ? Math.max(execution.at, run.createdAt) : null,
        });
        return { result: { pending: !isLast }, requires: [], changes: [save] };
      }),
    );

  const run = (
    customerId: CustomerId,
    id: SettlementRunId,
  ): Effect.Effect<{ readonly pending: boolean }, Failure> =>
    Effect.gen(function* () {
      const [run] = yield* storage.find(customerId, "settlementRun", [id]);
      if (run === undefined) return yield* Effect.dieMessage("the settlement run of a message is missing");
      if (run.state === "done") return { pending: false };
      const step = Math.floor(run.partnersDone / run.batchSize);
      const { ids, isLast } = yield* readPartners(storage, run, step, run.batchSize);
      const stored = ids.length === 0 ? [] : yield* storedResults(run, ids);
      const due = ids.length === 0 ? [] : yield* readDue(storage, run, ids);
      const results = yield* Effect.forEach(
        due,
        (item) =>
          settlePartner(
            run,
            step,
            item,
            stored.filter(({ partnerId }) => partnerId === item.partnerId),
          ),
        { concurrency: CONCURRENCY },
      );
      // A partner that the list repeats on a later page was counted with its first step.
      const own = results.flat().filter((result) => result.step === step);
      return yield* advance(run, ids.length, own, isLast);
    });

  return {
    /** Performs one step of a run: settles its next partners; returns whether some are left. */
    run,
  };
});

/** The steps of settlement runs, which the worker performs. */
export class RunSteps extends Effect.Service<RunSteps>()("quittance/services/RunSteps", { effect: make }) {}
