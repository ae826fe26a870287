/**
 * Replays the sales of one partner in order of arrival, under what is in force and under the draft. Amounts and running totals
 * come from the code that computes commissions; nothing is stored.
 */
import { Effect, Either } from "effect";
import type { Arrival } from "../../domain/Accumulation.ts";
import { type Attribution, dayOf } from "../../domain/Attribution.ts";
import type { AttributionSchema } from "../../domain/AttributionSchema.ts";
import * as Commission from "../../domain/Commission.ts";
import type { Formula } from "../../domain/Formula.ts";
import { AttributionId, FormulaId, NIL, type PartnerId } from "../../domain/Ids.ts";
import * as Parameter from "../../domain/Parameter.ts";
import type { AddedSale, Earned, MonthResult, Part, PlanTrial, SaleChange } from "../../domain/PlanTrial.ts";
import { encodeTotals, largestChanges, monthOf } from "../../domain/PlanTrial.ts";
import { DAY } from "../../domain/Timestamp.ts";
import { declare, replaceValues } from "../../domain/TriedValues.ts";
import type { AttributionForFormula, StorageError } from "../../ports/Storage.ts";
import { Count, type Days, daysBefore, hull, walk } from "../accumulation/Recount.ts";
import { accumulates, accumulatingFormula, windowTotals } from "../attributions/AccumulatingFormulas.ts";
import type { SellersCommission, TotalsBefore } from "../attributions/Evaluator.ts";
import { TriedReceipts } from "./TriedReceipts.ts";
import { type Tools, TriedSellers } from "./TriedSellers.ts";

/** The name of the draft in explanations. */
const DRAFT = "Draft";

/** The draft as a formula of the partner: in place of a formula of the plan, or for the span where there is no plan yet. */
export const draftOf = (trial: PlanTrial, partnerId: PartnerId, formula: Formula | null): Formula => {
  const { expression, applyShare, parameters, from, to } = trial;
  const id = FormulaId.make(trial.id);
  if (expression === null) {
    if (formula === null) throw new Error("a draft without a plan states an expression");
    const isSame = Object.keys(parameters).length === 0;
    return isSame ? formula : { ...replaceValues(formula, parameters), id, name: DRAFT };
  }
  // Compiled versions are cached by the formula's id, or by the plan that assigned it.
  const own = {
    ...{ id, name: DRAFT },
    assignment: null,
    versions: [{ expression, effectiveDatetime: null, ...(applyShare === undefined ? {} : { applyShare }) }],
  } as const;
  if (formula !== null) return { ...replaceValues(formula, parameters), ...own };
  const { customerId, workspaceId, schemaId, currency, createdAt } = trial;
  return {
    ...own,
    ...{ customerId, workspaceId, partnerId, schemaId, currency, createdAt },
    ...{ roles: trial.roles ?? null, release: trial.release ?? null, description: null },
    ...{ status: "active", cancelReason: null },
    parameters: Either.getOrThrow(declare(parameters, "parameters")),
    parameterValues: Parameter.firstStatements(parameters),
    startDatetime: from,
    endDatetime: to,
  };
};

/** An added sale as an attribution: it arrives when it occurs, and has no id. */
export const attributionOf = (
  { customerId, workspaceId, schemaId }: PlanTrial,
  { partnerId, properties, occurredAt, occurredOn, credit }: AddedSale,
): Attribution => ({
  id: AttributionId.make(NIL),
  ...{ customerId, workspaceId, partnerId, schemaId, properties, occurredAt },
  ...{ agentId: null, externalReference: null, status: "confirmed", cancelReason: null },
  createdAt: occurredAt,
  occurredAtGiven: occurredAt,
  ...{
    occurredOn,
    occurredOnGiven: null,
    credit: credit ?? null,
    originId: null,
    replaces: null,
    replacedBy: null,
  },
  ...{ receipt: null, settledElsewhere: null },
});

/** What a sale earns on one side; null where an amount cannot be computed. */
type Amounts = {
  readonly amount: bigint;
  /** The part that waits for the buyer. */
  readonly waiting: bigint;
  readonly parts: ReadonlyArray<() => Part>;
} | null;

/** What an amount was computed with, beside the sale itself. */
interface Used {
  totals: ReturnType<TotalsBefore>;
  sellersCommission: bigint | null;
}

/** What both sides of a trial share. */
interface Tried extends Pick<Tools, "evaluator"> {
  readonly schema: AttributionSchema;
  readonly tried: TriedSellers;
  readonly receipts: TriedReceipts;
}

/** The formulas of one side, and the totals that they build on. */
class Side {
  /** The days of the sales that the amounts of the span build on; null where they build on none. */
  readonly days: Days | null;
  readonly #receipts: TriedReceipts;
  readonly #formulas: ReadonlyArray<{
    readonly formula: Formula;
    readonly evaluate: Commission.Evaluate;
    readonly count: Count | null;
    /** What the last amount was computed with. */
    readonly used: Used;
  }>;

  constructor(
    { evaluator, schema, tried, receipts }: Tried,
    formulas: ReadonlyArray<Formula>,
    { from, to }: Pick<PlanTrial, "from" | "to">,
  ) {
    this.#receipts = receipts;
    let days: Days | null = null;
    this.#formulas = formulas.map((formula) => {
      const used: Used = { totals: [], sellersCommission: null };
      const sellers: SellersCommission = (own, attribution) =>
        Either.map(tried.of(own, attribution), (sum) => {
          used.sellersCommission = sum;
          return sum;
        });
      if (!accumulates(formula))
        return { formula, evaluate: evaluator.forSchema(schema, undefined, sellers), count: null, used };
      const accumulating = accumulatingFormula(evaluator, schema, formula);
      // The calendar day of a sale is at most one day from that of UTC.
      const own = daysBefore(accumulating, [from - DAY, to - 1 + DAY]);
      if (own !== null) days = days === null ? own : hull(days, own);
      const count = new Count(accumulating);
      const before: TotalsBefore = (_formula, _version, attribution) => {
        used.totals = count.before(windowTotals(accumulating, attribution));
        return used.totals;
      };
      return { formula, evaluate: evaluator.forSchema(schema, before, sellers), count, used };
    });
    this.days = days;
  }

  earn(attribution: Attribution): Amounts {
    let [amount, waiting] = [0n, 0n];
    const parts: Array<() => Part> = [];
    for (const { formula, evaluate, used } of this.#formulas) {
      if (!Commission.isEarned(attribution, formula)) continue;
      used.sellersCommission = null;
      const outcome = Commission.compute(attribution, formula, evaluate);
      if (Either.isLeft(outcome)) return null;
      amount += BigInt(outcome.right.amount);
      waiting += BigInt(this.#receipts.waitingOf(formula, attribution, outcome.right.amount));
      const { totals, sellersCommission } = used;
      const formulaVersion = outcome.right.formulaVersion ?? 1;
      parts.push(() => ({
        ...{ formulaId: formula.id, formulaVersion, totals: encodeTotals(totals) },
        ...(sellersCommission === null ? {} : { sellersCommission: String(sellersCommission) }),
      }));
    }
    return { amount, waiting, parts };
  }

  /** Counts a sale for those that arrive later. */
  count(attribution: Attribution): void {
    for (const { count } of this.#formulas) count?.add(attribution);
  }
}

const earnedOf = ({ amount, parts }: NonNullable<Amounts>): Earned => ({
  amount: String(amount),
  parts: parts.map((part) => part()),
});

/** What is collected of a month while sales are replayed. */
interface Month {
  salesCount: number;
  notComputableCount: number;
  now: bigint;
  then: bigint;
  waitingNow: bigint;
  waitingThen: bigint;
}

const NO_SALES: Month = {
  ...{ salesCount: 0, notComputableCount: 0 },
  ...{ now: 0n, then: 0n, waitingNow: 0n, waitingThen: 0n },
};

/** What the sales of one partner earn. */
export interface Replayed {
  readonly months: ReadonlyArray<MonthResult>;
  readonly changes: ReadonlyArray<SaleChange>;
}

/** Changes that are collected before the smaller ones are dropped. */
const CHANGES_COLLECTED = 1_000;

/** Compares the two sides sale by sale. */
class Comparison {
  readonly #partnerId: PartnerId;
  readonly #months = new Map<string, Month>();
  #changes: Array<SaleChange> = [];

  constructor(partnerId: PartnerId) {
    this.#partnerId = partnerId;
  }

  add(attribution: Attribution, added: number | null, now: Amounts, then: Amounts): void {
    const occurredOn = dayOf(attribution);
    const name = monthOf(occurredOn);
    const month = this.#months.get(name) ?? { ...NO_SALES };
    this.#months.set(name, month);
    if (now === null || then === null) {
      month.notComputableCount += 1;
      return;
    }
    month.salesCount += 1;
    month.now += now.amount;
    month.then += then.amount;
    month.waitingNow += now.waiting;
    month.waitingThen += then.waiting;
    if (now.amount === then.amount) return;
    this.#changes.push({
      partnerId: this.#partnerId,
      attributionId: added === null ? attribution.id : null,
      added,
      occurredAt: attribution.occurredAt,
      occurredOn,
      now: earnedOf(now),
      then: earnedOf(then),
    });
    if (this.#changes.length === CHANGES_COLLECTED) this.#changes = [...largestChanges(this.#changes)];
  }

  get result(): Replayed {
    return {
      changes: largestChanges(this.#changes),
      months: [...this.#months]
        .sort(([one], [other]) => (one < other ? -1 : 1))
        .map(([month, { salesCount, notComputableCount, now, then, ...waiting }]) => ({
          ...{ month, salesCount, notComputableCount },
          amountNow: String(now),
          amountThen: String(then),
          waitingNow: String(waiting.waitingNow),
          waitingThen: String(waiting.waitingThen),
        })),
    };
  }
}

/** An added sale of the partner, and its place among those of the trial. */
interface Placed {
  readonly attribution: Attribution;
  readonly index: number;
  readonly sale: AddedSale;
}

const addedTo = (trial: PlanTrial, partnerId: PartnerId): Array<Placed> =>
  trial.add
    .map((sale, index) => ({ attribution: attributionOf(trial, sale), index, sale }))
    .filter(({ attribution }) => attribution.partnerId === partnerId)
    .sort((a, b) => a.attribution.createdAt - b.attribution.createdAt);

const LAST_ID = AttributionId.make("ffffffff-ffff-ffff-ffff-ffffffffffff");

/** The formulas of a partner that a trial compares its draft with: those of its plan, or all of its schema and currency. */
export const formulasInForce = <One extends Formula>(
  { planId, workspaceId, currency }: PlanTrial,
  formulas: ReadonlyArray<One>,
): ReadonlyArray<One> =>
  formulas.filter(({ assignment, ...own }) =>
    planId === null
      ? own.currency === currency && own.workspaceId === workspaceId
      : assignment?.planId === planId,
  );

/**
 * Replays the confirmed sales of a partner that arrived before the trial was started, and those that it adds. What arrived
 * before, and occurred outside the span, counts in running totals only. A partner that the plan does not reach has no months.
 */
export const replayPartner = (
  tools: Tools,
  { trial, schema }: { readonly trial: PlanTrial; readonly schema: AttributionSchema },
  partnerId: PartnerId,
  formulas: ReadonlyArray<Formula>,
): Effect.Effect<Replayed & { readonly visited: number }, StorageError> =>
  Effect.gen(function* () {
    const { planId, from, to, createdAt } = trial;
    const inForce = formulasInForce(trial, formulas);
    if (planId !== null && inForce.length === 0) return { months: [], changes: [], visited: 0 };
    const drafts =
      planId === null
        ? [draftOf(trial, partnerId, null)]
        : inForce.map((formula) => draftOf(trial, partnerId, formula));
    const tried = new TriedSellers(tools, schema);
    const receipts = new TriedReceipts([...inForce, ...drafts]);
    const shared = { evaluator: tools.evaluator, schema, tried, receipts };
    const now = new Side(shared, inForce, trial);
    const then = new Side(shared, drafts, trial);
    const comparison = new Comparison(partnerId);
    const isInSpan = ({ occurredAt }: Attribution): boolean => from <= occurredAt && occurredAt < to;
    const replay = (attribution: Attribution, added: number | null): void => {
      if (attribution.status !== "confirmed") return;
      if (isInSpan(attribution))
        comparison.add(attribution, added, now.earn(attribution), then.earn(attribution));
      now.count(attribution);
      then.count(attribution);
    };
    const waiting = addedTo(trial, partnerId);
    for (const { attribution, sale } of waiting) tried.state(attribution, sale.sellersCommission ?? null);
    const replayAdded = (before: number): void => {
      for (
        let next = waiting[0];
        next !== undefined && next.attribution.createdAt < before;
        next = waiting[0]
      ) {
        waiting.shift();
        replay(next.attribution, next.index);
      }
    };
    const days = [now.days, then.days].reduce<Days>((all, own) => (own === null ? all : hull(all, own)), {
      from,
      to,
    });
    const until: Arrival = { createdAt, id: LAST_ID };
    const [formula = draftOf(trial, partnerId, null)] = drafts;
    let visited = 0;
    const visit = ({ attribution }: AttributionForFormula): void => {
      visited += 1;
      replayAdded(attribution.createdAt);
      replay(attribution, null);
    };
    const readPage = (page: ReadonlyArray<AttributionForFormula>) => {
      const inSpan = page.filter(({ attribution }) => isInSpan(attribution));
      return Effect.zipRight(
        receipts.read(tools.storage, schema.customerId, inSpan),
        tried.read([...inForce, ...drafts], inSpan),
      );
    };
    yield* walk(tools.storage, { formula }, { ...days, until }, visit, readPage);
    replayAdded(Number.POSITIVE_INFINITY);
    return { ...comparison.result, visited };
  });

/** What the past sales of a formula's partner earn under the formula, which need not be stored. */
export const earnedBy = (
  tools: Tools,
  schema: AttributionSchema,
  formula: Formula,
  until: number,
): Effect.Effect<
  {
    readonly count: number;
    readonly amount: bigint;
    /** The part of the amount that waits for the buyers. */
    readonly waiting: bigint;
    readonly notComputableCount: number;
  },
  StorageError
> =>
  Effect.gen(function* () {
    const span = { from: formula.startDatetime, to: Math.min(formula.endDatetime ?? until, until) };
    let [count, amount, waiting, notComputableCount] = [0, 0n, 0n, 0];
    if (span.from >= span.to) return { count, amount, waiting, notComputableCount };
    const tried = new TriedSellers(tools, schema);
    const receipts = new TriedReceipts([formula]);
    const side = new Side({ evaluator: tools.evaluator, schema, tried, receipts }, [formula], span);
    const days = side.days === null ? span : hull(span, side.days);
    const visit = ({ attribution }: AttributionForFormula): void => {
      if (Commission.isEarned(attribution, formula)) {
        const earned = side.earn(attribution);
        if (earned === null) notComputableCount += 1;
        else {
          count += 1;
          amount += earned.amount;
          waiting += earned.waiting;
        }
      }
      side.count(attribution);
    };
    yield* walk(tools.storage, { formula }, { ...days, until: null }, visit, (page) =>
      Effect.zipRight(receipts.read(tools.storage, schema.customerId, page), tried.read([formula], page)),
    );
    return { count, amount, waiting, notComputableCount };
  });
