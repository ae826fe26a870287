/** What cancelling an attribution changes: its commissions, and where formulas accumulate their totals and what was earned after it. */
import { Array as Arrays, Effect } from "effect";
import { type Arrival, compareArrivals, type FormulaTotals } from "../../domain/Accumulation.ts";
import type { Attribution } from "../../domain/Attribution.ts";
import * as Commission from "../../domain/Commission.ts";
import { MessageId, type PartnerId, RecomputationId } from "../../domain/Ids.ts";
import { EARLIEST } from "../../domain/Timestamp.ts";
import * as Language from "../../formula/index.ts";
import type { IdSourceService } from "../../ports/IdSource.ts";
import type { Change, Earnings, Records, Requirement, StorageError, Versioned } from "../../ports/Storage.ts";
import { type OrderKey, type OrderRecords, readOrder } from "../accumulation/ArrivalState.ts";
import { arrivalOf, type Days, daysAfter, walk } from "../accumulation/Recount.ts";
import { RunningTotals } from "../accumulation/RunningTotals.ts";
import {
  type AccumulatingFormula,
  type Contribution,
  contributions,
  keyText,
} from "../attributions/AccumulatingFormulas.ts";
import type { Found } from "../attributions/FormulaSetCache.ts";
import type { Execution, Work } from "../commands/Pipeline.ts";
import * as Save from "../commands/Save.ts";
import { HEAD_START_MILLISECONDS, type Started } from "../formulas/FormulaChange.ts";

/** What a cancellation adds to its command. */
export interface Cancelled {
  readonly requires: ReadonlyArray<Requirement>;
  readonly changes: ReadonlyArray<Change>;
  readonly outbox: ReadonlyArray<Work>;
  /** The recomputations of what was earned after the attribution. */
  readonly started: ReadonlyArray<Started>;
}

interface Tools {
  readonly storage: Records & Earnings;
  readonly ids: IdSourceService;
}

/** The part of a formula's history that its totals hold: all of it, or up to a place while they are being built. */
interface TotalsExtent {
  readonly requires: ReadonlyArray<Requirement>;
  /** Null where the totals hold everything. */
  readonly until: Arrival | null;
  /** True if the totals hold the attribution. */
  readonly holdsAttribution: boolean;
}

const readExtent = (
  { storage }: Tools,
  attribution: Attribution,
  { building, recomputationId }: FormulaTotals,
): Effect.Effect<TotalsExtent, StorageError> =>
  Effect.gen(function* () {
    if (!building) return { requires: [], until: null, holdsAttribution: true };
    const [recomputation] = yield* storage.find(attribution.customerId, "recomputation", [recomputationId]);
    if (recomputation === undefined)
      return yield* Effect.dieMessage("the recomputation of totals is missing");
    const until = recomputation.arrivals?.after ?? null;
    const { id, version } = recomputation;
    return {
      requires: [{ type: "record", kind: "recomputation", id, version }],
      until,
      holdsAttribution: until !== null && compareArrivals(attribution, until) <= 0,
    };
  });

/** A cancelled attribution, under one formula. */
interface UnderFormula {
  readonly attribution: Attribution;
  /** The ids of all attributions that the command cancels in the order. */
  readonly cancelled: ReadonlySet<string>;
  readonly accumulating: AccumulatingFormula;
}

/** Attributions of one sale, at least one. */
export type OfOneSale = readonly [Versioned<Attribution>, ...ReadonlyArray<Versioned<Attribution>>];

/** The days of one bucket. */
const daysOf = ({ window }: Language.RunningAggregate, attribution: Attribution): Days =>
  Language.Windows.spanOf(
    window.type === "rolling" || window.type === "anniversary" ? { type: "rolling", days: 1 } : window,
    Language.Windows.calendarDay(attribution),
  );

/** The total of a key without what is cancelled, counted from the attributions. */
const recountTotal = (
  { storage }: Tools,
  { attribution, cancelled, accumulating }: UnderFormula,
  { key, aggregate }: Contribution,
  until: Arrival | null,
): Effect.Effect<Language.RunningTotal, StorageError> => {
  let total = Language.emptyTotal(aggregate);
  const text = keyText(key);
  const count = (item: Attribution): void => {
    if (item.status !== "confirmed" || cancelled.has(item.id)) return;
    for (const own of contributions(accumulating, item)) {
      if (keyText(own.key) === text) total = Language.addToTotal(aggregate, total, own.added);
    }
  };
  return Effect.map(
    walk(storage, accumulating, { ...daysOf(aggregate, attribution), until }, (found) =>
      count(found.attribution),
    ),
    () => total,
  );
};

/** The recomputation of what was earned after the attribution under one formula, and its message. */
const startRecomputation = (
  { ids }: Tools,
  execution: Execution,
  { attribution, accumulating: { formula } }: UnderFormula,
  { from, to, until }: Days & Pick<TotalsExtent, "until">,
) => {
  const id = ids.nextAt(RecomputationId, execution.at);
  const messageId = ids.nextAt(MessageId, execution.at);
  const change = Save.flat("recomputation", execution, {
    id,
    customerId: attribution.customerId,
    formulaId: formula.id,
    from: from ?? EARLIEST,
    to,
    after: null,
    arrivals: { cancelled: attribution.id, after: arrivalOf(attribution), until },
    pending: true,
  });
  const work: Work = {
    id: messageId,
    topic: "recompute",
    recordId: id,
    reference: null,
    delayMilliseconds: HEAD_START_MILLISECONDS,
  };
  return { change, work, started: { id, messageId } };
};

/** What cancelling no attribution adds. */
export const NOTHING_CANCELLED: Cancelled = { requires: [], changes: [], outbox: [], started: [] };

/** The effect under one formula, without the saves of its totals; nothing where the attribution is in none of them. */
const cancelUnderFormula = (
  tools: Tools,
  execution: Execution,
  cancelled: UnderFormula,
  { order }: OrderRecords,
  totals: RunningTotals,
): Effect.Effect<Cancelled, StorageError> =>
  Effect.gen(function* () {
    const { attribution, accumulating } = cancelled;
    const entry = order.formulas.find(({ formulaId }) => formulaId === accumulating.formula.id);
    // The formula was cancelled since the formula set was read: the commit will not be stored.
    if (entry === undefined) return NOTHING_CANCELLED;
    const { requires, until, holdsAttribution } = yield* readExtent(tools, attribution, entry);
    const own = holdsAttribution ? contributions(accumulating, attribution) : [];
    const days = daysAfter(accumulating, attribution);
    if (own.length === 0 || days === null) return { requires, changes: [], outbox: [], started: [] };
    yield* totals.load(tools.storage, [{ windows: [], contributions: own }]);
    for (const one of own) {
      const rest = Language.subtractFromTotal(one.aggregate, totals.get(one.key), one.added);
      totals.set(one.key, rest ?? (yield* recountTotal(tools, cancelled, one, until)));
    }
    const { change, work, started } = startRecomputation(tools, execution, cancelled, { ...days, until });
    return { requires, changes: [change], outbox: [work], started: [started] };
  });

/** Takes attributions of one order out of the totals, raises the history, and records the recomputations. */
const cancelTotals = (
  tools: Tools,
  execution: Execution,
  attributions: OfOneSale,
  formulas: ReadonlyArray<AccumulatingFormula>,
  shared: RunningTotals | null,
): Effect.Effect<Cancelled, StorageError> =>
  Effect.gen(function* () {
    const [key]: readonly [OrderKey, ...ReadonlyArray<OrderKey>] = attributions;
    const records = yield* readOrder(tools.storage, key);
    if (records === null)
      return yield* Effect.dieMessage("a formula accumulates without an order of arrival");
    const totals = shared ?? new RunningTotals(key.customerId, records.order.formulas);
    const cancelled = new Set(attributions.map(({ id }) => id));
    const parts = yield* Effect.forEach(
      attributions.flatMap((attribution) =>
        formulas.map((accumulating): UnderFormula => ({ attribution, cancelled, accumulating })),
      ),
      (under) => cancelUnderFormula(tools, execution, under, records, totals),
    );
    return {
      requires: parts.flatMap(({ requires }) => requires),
      changes: [
        Save.flat("attributionHistory", execution, records.history),
        ...(shared === null ? totals.flush(execution) : []),
        ...parts.flatMap(({ changes }) => changes),
      ],
      outbox: parts.flatMap(({ outbox }) => outbox),
      started: parts.flatMap(({ started }) => started),
    };
  });

/** What is known of the partners of the attributions that a command cancels. */
export interface PartnersOfSale {
  readonly found: (partnerId: PartnerId) => Found;
  /** The totals that a creation of the same command builds on, and saves; null where it joins no order of the partner. */
  readonly shared: (partnerId: PartnerId) => RunningTotals | null;
}

type Earned = ReadonlyArray<Versioned<Commission.Commission>>;

/** What every cancellation requires of one partner: its formulas, its attributions, and what they have earned. */
const requirementsOf = (
  attributions: OfOneSale,
  earned: Earned,
  version: number,
): ReadonlyArray<Requirement> => {
  const [{ partnerId, schemaId }] = attributions;
  return [
    { type: "formula_set", partnerId, schemaId, version },
    ...attributions.flatMap((attribution): ReadonlyArray<Requirement> => {
      const { id } = attribution;
      const { length: count } = earned.filter(({ attributionId }) => attributionId === id);
      return [
        { type: "record", kind: "attribution", id, version: attribution.version },
        { type: "commissions", attributionId: id, count },
      ];
    }),
    // One that is 0 already is not revised, and must not be given an amount meanwhile.
    ...earned.map(
      (commission): Requirement => ({
        type: "record",
        kind: "commission",
        id: commission.id,
        version: commission.version,
      }),
    ),
  ];
};

const cancelOfPartner = (
  tools: Tools,
  execution: Execution,
  attributions: OfOneSale,
  earned: Earned,
  partners: PartnersOfSale,
): Effect.Effect<Cancelled, StorageError> =>
  Effect.gen(function* () {
    const [{ partnerId }] = attributions;
    const { formulaSet, accumulating } = partners.found(partnerId);
    if (formulaSet === null || accumulating === null)
      return yield* Effect.dieMessage("an attribution's partner or schema is missing");
    const { requires, changes, ...rest } =
      accumulating.length === 0
        ? NOTHING_CANCELLED
        : yield* cancelTotals(tools, execution, attributions, accumulating, partners.shared(partnerId));
    return {
      ...rest,
      requires: [...requirementsOf(attributions, earned, formulaSet.version), ...requires],
      changes,
    };
  });

/**
 * The effect of cancelling attributions of one sale on everything but the attributions themselves. To be decided while no
 * other command of their orders runs in this process.
 */
export const cancelEarnings = (
  tools: Tools,
  execution: Execution,
  attributions: OfOneSale,
  partners: PartnersOfSale,
): Effect.Effect<Cancelled, StorageError> =>
  Effect.gen(function* () {
    const [{ customerId }] = attributions;
    const ids = attributions.map(({ id }) => id);
    const commissions = yield* tools.storage.commissionsOf(customerId, ids);
    const revisions = commissions.flatMap((commission) =>
      Commission.revise(commission, Commission.FORCED, "attribution_cancelled").map((event) =>
        Save.revision(execution, commission, event),
      ),
    );
    // A sale has one schema, so that a partner's attributions of it are in one order.
    const parts = yield* Effect.forEach(
      Object.values(Arrays.groupBy(attributions, ({ partnerId }) => partnerId)),
      (own) => {
        const earned = commissions.filter(({ attributionId }) => own.some(({ id }) => id === attributionId));
        return cancelOfPartner(tools, execution, own, earned, partners);
      },
    );
    return {
      requires: parts.flatMap(({ requires }) => requires),
      changes: [{ type: "revise", revisions }, ...parts.flatMap(({ changes }) => changes)],
      outbox: parts.flatMap(({ outbox }) => outbox),
      started: parts.flatMap(({ started }) => started),
    };
  });
