/** Commissions: what partners earned, the settled part of it, and the part that is due. */
import { Effect, Either, Option } from "effect";
import * as Attribution from "../domain/Attribution.ts";
import * as Commission from "../domain/Commission.ts";
import * as Formula from "../domain/Formula.ts";
import type { CommissionId } from "../domain/Ids.ts";
import type { Amount, CurrencySum } from "../domain/Money.ts";
import { authorize, canSee, type Principal, withinGrants } from "../domain/Principal.ts";
import * as Receipt from "../domain/Receipt.ts";
import { invalid, missing } from "../domain/Refusal.ts";
import * as SettledElsewhere from "../domain/SettledElsewhere.ts";
import { sentences } from "../domain/sentences/Explanation.ts";
import type { Timestamp } from "../domain/Timestamp.ts";
import { LANGUAGES, type Language as SentenceLanguage } from "../explanation/index.ts";
import * as Language from "../formula/index.ts";
import {
  type CommissionStatistic,
  type Earnings,
  type Listed,
  type Records,
  type Reporting,
  Storage,
  type StorageError,
} from "../ports/Storage.ts";
import { totalsBefore } from "./accumulation/Recount.ts";
import { accumulatingFormula } from "./attributions/AccumulatingFormulas.ts";
import { Evaluator, factsUnder } from "./attributions/Evaluator.ts";
import { partOf } from "./attributions/SaleParts.ts";
import { type Failure, tenantOf } from "./commands/Access.ts";
import { type ListInput, type Listing, listOf } from "./commands/Listing.ts";
import * as Statistics from "./commands/Statistics.ts";
import { readSellers } from "./overrides/SellersAmounts.ts";

/** Commissions of one class, and a sum of money per currency, ascending. */
export interface ClassSums {
  readonly count: number;
  readonly amounts: ReadonlyArray<CurrencySum>;
}

/** Which commissions, and which page of them; `due` of `any` filters nothing. */
export type ListCommissions = ListInput<"commission">;

/**
 * Counts split by settlement status, money split by what it is: `settled` sums what is settled of every commission,
 * `unsettled` what is due or waits of every commission, so that the two add up to what was earned.
 */
export interface CommissionSums {
  readonly count: number;
  readonly settled: ClassSums;
  readonly unsettled: ClassSums;
}

/** Sums over the span and per bucket, ascending, empty buckets included; the buckets add up to the summary. */
export interface CommissionStatistics {
  readonly summary: CommissionSums;
  readonly buckets: ReadonlyArray<CommissionSums & { readonly timestamp: Timestamp }>;
}

const sums = (statistics: ReadonlyArray<CommissionStatistic>): CommissionSums => {
  const currencies = [...new Set(statistics.map(({ currency }) => currency))].sort();
  const money = (of: (statistic: CommissionStatistic) => bigint): ReadonlyArray<CurrencySum> =>
    currencies.map((currency) => ({
      currency,
      amount: statistics.reduce(
        (sum, statistic) => (statistic.currency === currency ? sum + of(statistic) : sum),
        0n,
      ),
    }));
  const count = statistics.reduce((sum, statistic) => sum + statistic.count, 0);
  const settled = statistics.reduce(
    (sum, statistic) => (statistic.settlementStatus === "settled" ? sum + statistic.count : sum),
    0,
  );
  return {
    count,
    settled: { count: settled, amounts: money((statistic) => statistic.settledAmount) },
    unsettled: { count: count - settled, amounts: money((statistic) => statistic.unsettledAmount) },
  };
};

/** How much of an amount is payable, and what waits until the buyer has paid the rest. */
export interface Released extends Receipt.Paid {
  readonly releasedAmount: Amount;
  readonly waitingAmount: Amount;
}

/** What was settled of a commission in another system, and when. */
export interface SettledPart extends SettledElsewhere.SettledElsewhere {
  readonly amount: Amount;
}

/** The rule that decides a commission's amount, and its derivation. */
export interface Explained {
  readonly commissionId: CommissionId;
  /** Null when the evaluation failed. */
  readonly amount: Amount | null;
  readonly basis: Commission.Basis | "failed";
  /** 1-based; the version evaluated, or the last one that gave an amount; null before any did. */
  readonly formulaVersion: number | null;
  /** The last statement of parameter values that was used; null where none was. */
  readonly parametersVersion: number | null;
  /** True if the share of the credit multiplies what the formula pays; absent where the sale has one credit, or nothing was evaluated. */
  readonly applyShare?: boolean;
  /** What the buyer has paid, and how much of the amount is payable therefore; absent where it is released at once. */
  readonly released?: Released;
  /** What was settled of it in another system; absent where nothing was. */
  readonly settledElsewhere?: SettledPart;
  /** The derivation; null when a rule forces the amount to 0. */
  readonly explanation: Language.Explanation | null;
  /** The same for the partner to read: the amount, its calculation and the reasons, one sentence a line. */
  readonly sentences: string;
}

/** How much of an amount is released; nothing to say where the commission does not wait for its buyer. */
const releasedOf = (
  { receipt }: Commission.Commission,
  amount: Amount | null,
): { readonly released?: Released } => {
  if (receipt === null) return {};
  const waitingAmount = Receipt.waitingOf(amount ?? 0, receipt);
  return { released: { ...receipt, releasedAmount: (amount ?? 0) - waitingAmount, waitingAmount } };
};

const make = Effect.gen(function* () {
  const storage: Records & Earnings & Reporting = yield* Storage;
  const evaluator = yield* Evaluator;

  const list = (
    principal: Principal,
    input: ListCommissions = {},
  ): Effect.Effect<Listing<Listed["commission"]>, Failure> => listOf(storage, principal, "commission", input);

  const statistics = (
    principal: Principal,
    input: Statistics.Input,
  ): Effect.Effect<CommissionStatistics, Failure> =>
    Effect.gen(function* () {
      yield* authorize(principal, "commission statistics");
      const query = yield* Statistics.queryOf(principal, input);
      yield* withinGrants(principal, input, true);
      const found = yield* storage.commissionStatistics(yield* tenantOf(principal), query);
      return {
        summary: sums(found),
        buckets: Statistics.buckets(query, found, sums),
      };
    });

  /** How a version of a formula computes the amount of an attribution, whose aggregates have the totals `before`. */
  const explanationOf = (
    compiled: Language.Compiled,
    formula: Formula.Formula,
    attribution: Attribution.Attribution,
    before: ReadonlyArray<Language.RunningTotal> | undefined,
  ): Effect.Effect<Language.Explanation, StorageError> => {
    const facts = factsUnder(formula, attribution);
    if (!compiled.readsSellers) return Effect.succeed(Language.explain(compiled, facts, before));
    return Effect.map(readSellers(storage, attribution.customerId, [attribution]), ({ sellersAfter }) =>
      Either.match(sellersAfter([])(formula, attribution), {
        onLeft: (error): Language.Explanation => ({ result: Either.left(error), trace: [] }),
        onRight: (sellersCommission) => Language.explain(compiled, { ...facts, sellersCommission }, before),
      }),
    );
  };

  /** By which version the amount of an attribution is evaluated, and how. */
  const evaluation = (
    formula: Formula.Formula,
    attribution: Attribution.Attribution,
  ): Effect.Effect<
    {
      readonly formulaVersion: number;
      readonly isShared: boolean;
      readonly explanation: Language.Explanation;
    },
    StorageError
  > =>
    Effect.gen(function* () {
      const [schema] = yield* storage.find(formula.customerId, "schema", [formula.schemaId]);
      if (schema === undefined) return yield* Effect.dieMessage("a formula's schema is missing");
      const formulaVersion = Formula.versionAt(formula, attribution.occurredAt);
      const compiled = evaluator.compile(formula, formulaVersion, schema);
      const accumulating = accumulatingFormula(evaluator, schema, formula);
      const before = accumulating.versions.has(formulaVersion)
        ? yield* totalsBefore(storage, accumulating, [attribution])
        : null;
      const totals = before?.get(attribution.id);
      const explanation = yield* explanationOf(compiled, formula, attribution, totals);
      return { formulaVersion, isShared: compiled.appliesShare, explanation };
    });

  /** What was settled elsewhere of a commission, by its log. */
  const settledElsewhereOf = (
    { id, customerId }: Commission.Commission,
    { settledElsewhere }: Attribution.Attribution,
  ): Effect.Effect<Pick<Explained, "settledElsewhere">, StorageError> => {
    if (settledElsewhere === null) return Effect.succeed({});
    const query = { where: { ids: [id] }, page: 1, perPage: 1, order: "asc" } as const;
    return Effect.map(storage.list(customerId, "commission", query), ({ items }) => {
      const [event] = (items[0]?.events ?? []).flatMap((entry) =>
        entry.event.type === "settle_elsewhere" ? [entry.event] : [],
      );
      return event === undefined
        ? {}
        : { settledElsewhere: { amount: event.amount, ...SettledElsewhere.settledOf(event) } };
    });
  };

  const explain = (
    principal: Principal,
    id: CommissionId,
    language: SentenceLanguage = "en",
  ): Effect.Effect<Explained, Failure> =>
    Effect.gen(function* () {
      yield* authorize(principal, "explain commission");
      if (!LANGUAGES.includes(language))
        return yield* Effect.fail(invalid("language", `must be one of ${LANGUAGES.join(", ")}`));
      const [found] = yield* storage.commissionsWithAttributions(yield* tenantOf(principal), [id]);
      if (found === undefined || !canSee(principal, found.commission)) return yield* missing("commission");
      const { commission, attribution } = found;
      const [formula] = yield* storage.find(commission.customerId, "formula", [commission.formulaId]);
      if (formula === undefined) return yield* Effect.dieMessage("a commission's formula is missing");
      const basis = Commission.basis(attribution, formula);
      const part = yield* partOf(storage, principal, attribution);
      const elsewhere = yield* settledElsewhereOf(commission, attribution);
      const subject = {
        ...{ currency: commission.currency, occurredOn: Attribution.dayOf(attribution), formula },
        ...(part === null ? {} : { part }),
        receipt: commission.receipt,
        ...elsewhere,
      };
      if (basis !== "evaluated") {
        const { formulaVersion, parametersVersion } = commission;
        const known = { basis, formulaVersion, parametersVersion, explanation: null };
        return {
          commissionId: id,
          amount: 0,
          ...known,
          ...releasedOf(commission, 0),
          ...elsewhere,
          sentences: sentences({ ...subject, ...known }, language),
        };
      }
      const { formulaVersion, isShared, explanation } = yield* evaluation(formula, attribution);
      const amount = Option.getOrNull(Either.getRight(explanation.result));
      return {
        commissionId: id,
        amount,
        basis: amount === null ? ("failed" as const) : basis,
        formulaVersion,
        parametersVersion: Formula.parametersVersionAt(formula, formulaVersion, attribution.occurredAt),
        ...(part === null ? {} : { applyShare: isShared }),
        ...releasedOf(commission, amount),
        ...elsewhere,
        explanation,
        sentences: sentences({ ...subject, basis, formulaVersion, explanation }, language),
      };
    });

  return {
    /** Returns the rule that decides the amount, and the derivation when that rule is an evaluation. */
    explain,
    /** One page of the commissions the principal sees; naming an id outside an explicit grant is forbidden. */
    list,
    /** Counts and sums by the date that attributions count for (`occurredAt`); naming an id outside an explicit grant is forbidden. */
    statistics,
  };
});

export class Commissions extends Effect.Service<Commissions>()("quittance/services/Commissions", {
  effect: make,
}) {}
