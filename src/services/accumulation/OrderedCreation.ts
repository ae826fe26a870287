/**
 * Creating attributions under formulas that accumulate: each gets its place in the order of arrival, and is decided on the
 * totals that the one before it leaves.
 */

import { Effect, Either } from "effect";
import { type Arrival, type ArrivalOrder, nextArrival } from "../../domain/Accumulation.ts";
import type * as Attribution from "../../domain/Attribution.ts";
import * as Commission from "../../domain/Commission.ts";
import { AttributionId, type PartnerId } from "../../domain/Ids.ts";
import type { Refusal } from "../../domain/Refusal.ts";
import type { Earnings, Records, SaveFlat, StorageError, Versioned } from "../../ports/Storage.ts";
import {
  type AccumulatingFormula,
  contributions,
  windowTotals,
} from "../attributions/AccumulatingFormulas.ts";
import {
  type AttributionDecision,
  type CheckedNew,
  type Credited,
  check,
  contextOf,
  creditsAt,
  effectOf,
  type NewAttribution,
  saleOf,
  saveNew,
} from "../attributions/AttributionCreation.ts";
import {
  type AttributionCreation,
  type DecisionTools,
  foundFor,
  uplinesAbove,
} from "../attributions/CreationReads.ts";
import type { TotalsBefore } from "../attributions/Evaluator.ts";
import type { FormulaContext } from "../attributions/FormulaSetCache.ts";
import { type Decision, noEffect } from "../commands/Pipeline.ts";
import * as Save from "../commands/Save.ts";
import * as TimeSlice from "../process/TimeSlice.ts";
import { type ArrivalState, isComplete, type OrderKey, readState } from "./ArrivalState.ts";
import type { AttributionTotals } from "./RunningTotals.ts";

/** The result of one creation. */
export type Created = { readonly id: AttributionId };

/** The decision on one creation, or its refusal. */
export type Outcome = Either.Either<Decision<Created>, Refusal>;

/** What reads totals and decides. */
export interface OrderTools extends DecisionTools {
  readonly storage: Records & Earnings;
}

/** The order that a creation must join, or null where no formula of its partner and schema accumulates. */
export const orderOf = (creation: AttributionCreation, request: Attribution.Create): OrderKey | null =>
  (contextOf(creation, request)?.accumulating.length ?? 0) === 0
    ? null
    : { customerId: creation.customerId, partnerId: request.partnerId, schemaId: request.schemaId };

/**
 * The orders that creations of one command must join, and those that they may join because of uplines; those of one partner and
 * schema in a row are looked up once.
 */
export const ordersOf = (
  creation: AttributionCreation,
  request: ReadonlyArray<Attribution.Create>,
): ReadonlyArray<OrderKey> => {
  const { customerId } = creation;
  const keys: Array<OrderKey> = [];
  let last: Attribution.Create | undefined;
  for (const one of request) {
    const { schemaId } = one;
    for (const partnerId of uplinesAbove(creation, one))
      if ((foundFor(creation, { partnerId, schemaId }).accumulating ?? []).length > 0)
        keys.push({ customerId, partnerId, schemaId });
    for (const { partnerId } of one.credits ?? []) {
      const key = partnerId === one.partnerId ? null : orderOf(creation, { ...one, partnerId });
      if (key !== null) keys.push(key);
    }
    if (
      last?.partnerId === one.partnerId &&
      last.schemaId === one.schemaId &&
      last.workspaceId === one.workspaceId
    )
      continue;
    last = one;
    const key = orderOf(creation, one);
    if (key !== null) keys.push(key);
  }
  return keys;
};

/** One attribution that a command creates. */
export interface OrderedCreation {
  readonly creation: AttributionCreation;
  readonly request: Attribution.Create;
}

/** The end of an order while creations join it. */
interface OrderEnd {
  readonly state: ArrivalState;
  last: Arrival | null;
  /** What the creations that joined build on or change. */
  readonly totals: Array<AttributionTotals>;
}

const endOf = (state: ArrivalState): OrderEnd => ({ state, last: state.order.last, totals: [] });

/** The totals of one formula that one attribution builds on or changes; no windows where it earns nothing under the formula. */
interface FormulaPart extends AttributionTotals {
  readonly accumulating: AccumulatingFormula;
}

/** A new attribution that has its place, with the totals that it builds on or changes. */
interface PlacedAttribution extends NewAttribution {
  readonly state: ArrivalState | null;
  readonly parts: ReadonlyArray<FormulaPart>;
}

/** The attributions of a sale that are placed, or the one that has its external reference already. */
type Placement = { readonly existing: AttributionId } | { readonly sale: ReadonlyArray<PlacedAttribution> };

/** The totals that an attribution builds on or changes, formula by formula; formulas whose totals are not complete are left out. */
const partsOf = (
  { order, totals }: ArrivalState,
  { accumulating: all }: FormulaContext,
  attribution: Attribution.Attribution,
): ReadonlyArray<FormulaPart> =>
  all
    .filter(({ formula }) => isComplete(order, formula.id))
    .map((accumulating) => ({
      accumulating,
      windows: Commission.isEarned(attribution, accumulating.formula)
        ? windowTotals(accumulating, attribution, totals.bucketsOf)
        : [],
      contributions: contributions(accumulating, attribution),
    }));

/** A creation with the one moment of its attributions. */
interface Timed extends Credited {
  readonly moment: number;
}

/**
 * Finds the moment of a sale, which is not before the last of any of its orders. Where the sale counts for that moment, the
 * moment decides who its uplines are, and their orders may move it on.
 */
const timed = (
  { ids }: OrderTools,
  creation: AttributionCreation,
  checked: CheckedNew,
  endFor: (partnerId: PartnerId) => OrderEnd | null,
): Either.Either<Timed, Refusal> => {
  const idAt = (moment: number) => ids.nextAt(AttributionId, moment);
  const from = (moment: number): Either.Either<Timed, Refusal> =>
    Either.flatMap(creditsAt(creation, checked, moment), (credits) => {
      if (credits === null && creation.uplines.size === 0) return Either.right({ checked, credits, moment });
      const partnerIds = credits?.map(({ credit }) => credit.partnerId) ?? [checked.identity.partnerId];
      const latest = partnerIds.reduce((other, partnerId) => {
        const last = endFor(partnerId)?.last ?? null;
        return Math.max(other, nextArrival(last, moment, idAt).createdAt);
      }, moment);
      return latest === moment ? Either.right({ checked, credits, moment }) : from(latest);
    });
  return from(creation.execution.at);
};

/** Places a creation at the ends of its orders: that of each partner, or none where no formula of the partner accumulates. */
const place = (
  tools: OrderTools,
  { creation, request }: OrderedCreation,
  endFor: (partnerId: PartnerId) => OrderEnd | null,
): Either.Either<Placement, Refusal> =>
  Either.flatMap(check(creation, request), (checked): Either.Either<Placement, Refusal> => {
    if (checked.existing !== null) return Either.right({ existing: checked.existing });
    const idAt = (moment: number) => tools.ids.nextAt(AttributionId, moment);
    return Either.map(timed(tools, creation, checked, endFor), ({ moment, ...credited }) => {
      const created = saveNew(creation, credited, (partnerId) => {
        const end = endFor(partnerId);
        if (end === null) return { createdAt: moment, id: idAt(moment) };
        end.last = nextArrival(end.last, moment, idAt);
        return end.last;
      });
      const sale = created.map((attribution): PlacedAttribution => {
        const end = endFor(attribution.saved.row.partnerId);
        if (end === null) return { ...attribution, state: null, parts: [] };
        const parts = partsOf(end.state, attribution.context, attribution.saved.row);
        end.totals.push(...parts);
        return { ...attribution, state: end.state, parts };
      });
      return { sale };
    });
  });

/**
 * The context with the formulas under which the command computes a commission. The recomputation that builds the totals of a
 * formula also computes what is earned under it meanwhile.
 */
const withComputedFormulas = (
  { order }: ArrivalState,
  context: FormulaContext,
  parts: ReadonlyArray<FormulaPart>,
): FormulaContext => {
  const { accumulating, formulaSet } = context;
  if (parts.length === accumulating.length) return context;
  const left = new Set(accumulating.map(({ formula }) => formula.id).filter((id) => !isComplete(order, id)));
  const formulas = formulaSet.formulas.filter(({ id }) => !left.has(id));
  return { ...context, formulaSet: { ...formulaSet, formulas } };
};

/** Decides what a placed attribution earns, and adds it to the totals for those after it. */
const earn = (
  tools: DecisionTools,
  { execution }: AttributionCreation,
  { context, zone, saved, state, parts }: PlacedAttribution,
): AttributionDecision => {
  const stamp = Save.stampAt(execution, saved.row.createdAt);
  if (state === null) return effectOf(tools, stamp, { context, zone, saved });
  const { totals } = state;
  const before: TotalsBefore = ({ id }) =>
    totals.before(parts.find((part) => part.accumulating.formula.id === id)?.windows ?? []);
  const attribution = { context: withComputedFormulas(state, context, parts), zone, saved };
  const decision = effectOf(tools, stamp, attribution, before);
  for (const { contributions: own } of parts) for (const one of own) totals.add(one);
  return decision;
};

/** Saves the order after an attribution. */
const saveOrder = (
  order: Versioned<ArrivalOrder>,
  { saved: { row } }: PlacedAttribution,
  stamp: Save.Stamp,
): SaveFlat<"arrivalOrder"> =>
  Save.flat("arrivalOrder", stamp, { ...order, last: { createdAt: row.createdAt, id: row.id } });

/** What a round of creations leads to. */
export interface Round {
  /** In their order. */
  readonly outcomes: ReadonlyArray<Outcome>;
  /** What the next round builds on. */
  readonly state: ArrivalState;
}

/** Decides creations of one order, each a command of its own: each is based on what the one before it leaves. */
export const decideRound = (
  tools: OrderTools,
  state: ArrivalState,
  creations: ReadonlyArray<OrderedCreation>,
): Effect.Effect<Round, StorageError> => {
  const end = endOf(state);
  const placements = creations.map((creation) => place(tools, creation, () => end));
  return Effect.map(state.totals.load(tools.storage, end.totals), () => {
    const { totals, unchangedHistory } = state;
    let { order } = state;
    const outcomes = placements.map((placement, index) =>
      Either.map(placement, (placed): Decision<Created> => {
        const { creation } = creations[index] as OrderedCreation;
        if ("existing" in placed) return noEffect({ id: placed.existing });
        // A sale with several credits does not join a round.
        const [attribution] = placed.sale as readonly [PlacedAttribution];
        const decision = earn(tools, creation, attribution);
        const at = attribution.saved.row.createdAt;
        const stamp = Save.stampAt(creation.execution, at);
        const ordered = saveOrder(order, attribution, stamp);
        order = ordered.row;
        // Spread syntax takes longer to join objects and lists of this size.
        return Object.assign({}, decision, {
          at,
          requires: decision.requires.concat(unchangedHistory),
          changes: decision.changes.concat(ordered, totals.flush(stamp)),
        });
      }),
    );
    return { outcomes, state: { order, unchangedHistory, totals } };
  });
};

/** One text for each order of a customer. */
export const orderText = ({ partnerId, schemaId }: Pick<OrderKey, "partnerId" | "schemaId">): string =>
  `${partnerId} ${schemaId}`;

/** The states of orders, by {@link orderText}. */
export type ArrivalStates = ReadonlyMap<string, ArrivalState>;

/** Reads the state of each order once. */
export const readStates = (
  storage: Records & Earnings,
  keys: ReadonlyArray<OrderKey>,
): Effect.Effect<ArrivalStates, StorageError> =>
  Effect.map(
    Effect.forEach(new Map(keys.map((key) => [orderText(key), key])), ([text, key]) =>
      Effect.map(readState(storage, key), (state) => [text, state] as const),
    ),
    (states) => new Map(states),
  );

/** The effect of several creations of one command, in their order, and what they change of the orders that they join. */
interface OrderedBatch {
  readonly outcomes: ReadonlyArray<Outcome>;
  readonly requires: Decision<Created>["requires"];
  readonly changes: Decision<Created>["changes"];
  /** The moment of the command: that of its last attribution. */
  readonly at: number;
}

/** Decides the creations of one command while no other command of the orders that they join runs in this process. */
export const decideOrderedBatch = (
  tools: OrderTools,
  creation: AttributionCreation,
  request: ReadonlyArray<Attribution.Create>,
  states: ArrivalStates,
): Effect.Effect<OrderedBatch, StorageError> =>
  Effect.gen(function* () {
    const ends = new Map([...states].map(([text, state]) => [text, endOf(state)]));
    const placements = yield* TimeSlice.map(request, (item) =>
      place(
        tools,
        { creation, request: item },
        (partnerId) => ends.get(orderText({ partnerId, schemaId: item.schemaId })) ?? null,
      ),
    );
    for (const { state, totals } of ends.values()) yield* state.totals.load(tools.storage, totals);
    const outcomes = yield* TimeSlice.map(placements, (placement) =>
      Either.map(placement, (placed) =>
        "existing" in placed
          ? noEffect({ id: placed.existing })
          : saleOf(
              placed.sale,
              placed.sale.map((attribution) => earn(tools, creation, attribution)),
            ),
      ),
    );
    const placed = placements.flatMap((placement) =>
      Either.isRight(placement) && "sale" in placement.right ? placement.right.sale : [],
    );
    const at = placed.reduce(
      (latest, { saved }) => Math.max(latest, saved.row.createdAt),
      creation.execution.at,
    );
    const stamp = Save.stampAt(creation.execution, at);
    /** The last attribution of each order that has a new one. */
    const joined = new Map(
      placed.flatMap((placedAttribution) =>
        placedAttribution.state === null ? [] : [[placedAttribution.state, placedAttribution] as const],
      ),
    );
    return {
      outcomes,
      at,
      requires: [...joined.keys()].map(({ unchangedHistory }) => unchangedHistory),
      changes: [...joined].flatMap(([{ order, totals }, last]) => [
        saveOrder(order, last, stamp),
        ...totals.flush(stamp),
      ]),
    };
  });

/** Decides one creation, of one or several credits, like a batch of it alone. */
export const decideOrdered = (
  tools: OrderTools,
  creation: AttributionCreation,
  request: Attribution.Create,
  states: ArrivalStates,
): Effect.Effect<Decision<Created>, Refusal | StorageError> =>
  Effect.gen(function* () {
    const { outcomes, requires, changes, at } = yield* decideOrderedBatch(tools, creation, [request], states);
    const [decision] = yield* Either.all(outcomes);
    if (decision === undefined) return yield* Effect.dieMessage("a sale without a decision");
    return {
      ...decision,
      at,
      requires: [...decision.requires, ...requires],
      changes: [...decision.changes, ...changes],
    };
  });
