/** Running totals and the amounts that build on them, recounted from all attributions. */
import { Either } from "effect";
import {
  type ArrivalOrder,
  compareArrivals,
  type RunningTotal,
  runningTotalId,
  type TotalKey,
} from "../domain/Accumulation.ts";
import type { Attribution } from "../domain/Attribution.ts";
import type { AttributionSchema } from "../domain/AttributionSchema.ts";
import type { Commission } from "../domain/Commission.ts";
import { appliesShare, covers, type Formula, paysRole, versionAt } from "../domain/Formula.ts";
import { withValues } from "../domain/Parameter.ts";
import * as Language from "../formula/index.ts";

/** A formula with the aggregates of its versions, in the order of the versions. */
interface Accumulating {
  readonly formula: Formula;
  readonly versions: ReadonlyArray<Language.Compiled>;
}

/** A total by the recount of all confirmed attributions. */
interface Counted {
  readonly key: TotalKey;
  readonly total: Language.RunningTotal;
}

/** What a recount finds of one formula. */
interface Recount {
  /** By id; also the totals that only cancelled attributions would be part of. */
  readonly totals: ReadonlyMap<string, Counted>;
  /** By attribution: the amount under the formula; null beyond the largest, or where a seller's amount is not computed. */
  readonly amounts: ReadonlyMap<string, number | null>;
  /** True if a version reads what sellers earn. */
  readonly readsSellers: boolean;
}

/** What the sellers below an attribution earn by the stored amounts; null where one of them is not computed. */
type Sellers = (attribution: Attribution, currency: string) => bigint | null;

const sellersOf = (
  attributions: ReadonlyArray<Attribution>,
  commissions: ReadonlyArray<Commission>,
): Sellers => {
  const sellers = attributions.filter(({ credit }) => credit?.role === "seller" && credit.depth === 0);
  return ({ id, originId, credit }, currency) => {
    const below = sellers
      .filter((seller) => (seller.originId ?? seller.id) === (originId ?? id))
      .filter(({ partnerId }) => credit?.sellers === undefined || credit.sellers.includes(partnerId))
      .map((seller) => seller.id);
    const earned = commissions.filter(
      (commission) => below.includes(commission.attributionId) && commission.currency === currency,
    );
    const isKnown = earned.every((one) => one.computationError === null && one.computedAmount !== null);
    return isKnown ? earned.reduce((sum, { computedAmount }) => sum + BigInt(computedAmount ?? 0), 0n) : null;
  };
};

const compile = (formula: Formula, schema: AttributionSchema): Accumulating => ({
  formula,
  versions: formula.versions.map((version) =>
    Language.compile(
      Either.getOrThrow(Language.check(version.expression, schema.properties, formula.parameters)),
      appliesShare(version),
    ),
  ),
});

const keyOf = (
  { formula }: Accumulating,
  index: number,
  aggregate: Language.RunningAggregate,
  facts: Attribution,
  bucket: string,
): TotalKey => ({
  formulaId: formula.id,
  formulaVersion: index + 1,
  aggregate: aggregate.path,
  group: Language.groupKey(aggregate, facts),
  bucket,
});

/** Counts an attribution in every version, and notes the totals that it would be part of when it is cancelled. */
const count = (accumulating: Accumulating, totals: Map<string, Counted>, attribution: Attribution): void => {
  for (const [index, { aggregates }] of accumulating.versions.entries()) {
    for (const aggregate of aggregates) {
      const added = Language.contribution(aggregate, attribution);
      if (added === null) continue;
      const bucket = Language.Windows.bucketOf(aggregate.window, Language.Windows.calendarDay(attribution));
      const key = keyOf(accumulating, index, aggregate, attribution, bucket);
      const id = runningTotalId(key);
      const total = totals.get(id)?.total ?? Language.emptyTotal(aggregate);
      const counts = attribution.status === "confirmed";
      totals.set(id, { key, total: counts ? Language.addToTotal(aggregate, total, added) : total });
    }
  }
};

const amountOf = (
  accumulating: Accumulating,
  totals: ReadonlyMap<string, Counted>,
  sellers: Sellers,
  attribution: Attribution,
): number | null => {
  const version = versionAt(accumulating.formula, attribution.occurredAt);
  const compiled = accumulating.versions[version - 1];
  if (compiled === undefined) throw new Error("a formula without the version that holds");
  const facts = withValues(accumulating.formula, attribution);
  const before = compiled.aggregates.map((aggregate) => {
    const window = Language.Windows.fixedWindow(aggregate.window, facts);
    return Language.combineTotals(
      aggregate,
      Language.Windows.bucketsOf(window, Language.Windows.calendarDay(facts)).flatMap((bucket) => {
        const key = keyOf(accumulating, version - 1, aggregate, attribution, bucket);
        return totals.get(runningTotalId(key))?.total ?? [];
      }),
    );
  });
  const sum = compiled.readsSellers ? sellers(attribution, accumulating.formula.currency) : 0n;
  if (sum === null) return null;
  const known = compiled.readsSellers ? { ...facts, sellersCommission: sum } : facts;
  return Either.getOrElse(Language.evaluate(compiled, known, before), () => null);
};

const recount = (
  accumulating: Accumulating,
  attributions: ReadonlyArray<Attribution>,
  sellers: Sellers,
): Recount => {
  const { formula } = accumulating;
  const totals = new Map<string, Counted>();
  const amounts = new Map<string, number | null>();
  const own = attributions.filter(
    ({ partnerId, schemaId, workspaceId }) =>
      partnerId === formula.partnerId && schemaId === formula.schemaId && workspaceId === formula.workspaceId,
  );
  for (const attribution of own.toSorted(compareArrivals)) {
    if (
      attribution.status === "confirmed" &&
      paysRole(formula, attribution) &&
      covers(formula, attribution.occurredAt)
    )
      amounts.set(attribution.id, amountOf(accumulating, totals, sellers, attribution));
    count(accumulating, totals, attribution);
  }
  return { totals, amounts, readsSellers: accumulating.versions.some(({ readsSellers }) => readsSellers) };
};

/** The recount of every formula that accumulates or reads what sellers earn, and is not cancelled, by the formula's id. */
export const recounts = (
  formulas: ReadonlyArray<Formula>,
  schemas: ReadonlyArray<AttributionSchema>,
  attributions: ReadonlyArray<Attribution>,
  commissions: ReadonlyArray<Commission>,
): ReadonlyMap<string, Recount> => {
  const sellers = sellersOf(attributions, commissions);
  const found = new Map<string, Recount>();
  for (const formula of formulas) {
    const schema = schemas.find(({ id }) => id === formula.schemaId);
    if (schema === undefined || formula.status !== "active") continue;
    const accumulating = compile(formula, schema);
    if (
      accumulating.versions.every(({ aggregates, readsSellers }) => aggregates.length === 0 && !readsSellers)
    )
      continue;
    found.set(formula.id, recount(accumulating, attributions, sellers));
  }
  return found;
};

/** The running totals of a customer, as stored and as recounted. */
export interface Accumulated {
  readonly orders: ReadonlyArray<ArrivalOrder>;
  readonly totals: ReadonlyArray<RunningTotal>;
  readonly recounts: ReadonlyMap<string, Recount>;
}
