/**
 * Creating attributions under formulas that accumulate: each gets its place in the order of arrival, and is decided on the
 * totals that the one before it leaves.
 */

import { Effect, Either } from "effect";
import * as Attribution from "../../domain/Attribution.ts";
import * as Commission from "../../domain/Commission.ts";
import type { AttributionId, PartnerId } from "../../domain/Ids.ts";
import { conflict, type Refusal } from "../../domain/Refusal.ts";
import type { Earnings, RecordRequirement, Records, StorageError } from "../../ports/Storage.ts";
import {
  type AttributionDecision,
  type CheckedNew,
  type Credited,
  check,
  contextOf,
  saleOf,
} from "../attributions/AttributionCreation.ts";
import { type AttributionCreation, foundFor, uplinesAbove } from "../attributions/CreationReads.ts";
import { creditsAt, partsOf } from "../attributions/SaleCredits.ts";
import { type Decision, noEffect } from "../commands/Pipeline.ts";
import * as Save from "../commands/Save.ts";
import * as TimeSlice from "../process/TimeSlice.ts";
import { type ArrivalState, isComplete, type OrderKey, readState } from "./ArrivalState.ts";
import {
  type EndFor,
  earn,
  endOf,
  type Joined,
  joinOrders,
  latestOf,
  type OrderEnd,
  type OrderTools,
  type PlacedAttribution,
  placeSale,
  saveOrder,
  type Timed,
} from "./Placement.ts";

/** The result of one creation. */
export type Created = { readonly id: AttributionId };

/** The decision on one creation, or its refusal. */
export type Outcome = Either.Either<Decision<Created>, Refusal>;

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

/** The attributions of a sale that are placed, or the one that has its external reference already. */
type Placement = { readonly existing: AttributionId } | { readonly sale: ReadonlyArray<PlacedAttribution> };

/**
 * Finds the moment of a sale, which is not before the last of any of its orders. Where the sale counts for that moment, the
 * moment decides who its uplines are, and their orders may move it on.
 */
const timed = (
  tools: OrderTools,
  creation: AttributionCreation,
  checked: CheckedNew,
  endFor: EndFor,
): Either.Either<Timed, Refusal> => {
  const from = (moment: number): Either.Either<Timed, Refusal> =>
    Either.flatMap(creditsAt(creation, checked, moment), (credits) => {
      if (credits === null && creation.uplines.size === 0) return Either.right({ checked, credits, moment });
      const partnerIds = credits?.map(({ credit }) => credit.partnerId) ?? [checked.identity.partnerId];
      const latest = latestOf(tools, partnerIds, moment, endFor);
      return latest === moment ? Either.right({ checked, credits, moment }) : from(latest);
    });
  return from(creation.execution.at);
};

/**
 * True if a sale earns under a formula whose totals are being built: its recomputation creates that commission, and creates those
 * of sales from before the formula as well, which are due.
 */
const earnsLater = ({ checked, credits, moment }: Timed, endFor: EndFor): boolean => {
  const occurredAt = Attribution.occurredAtOf(checked.event, moment);
  return partsOf(checked, credits).some(({ context, credit }) => {
    const order = endFor(credit?.partnerId ?? checked.identity.partnerId)?.state.order;
    return context.accumulating.some(
      ({ formula }) =>
        order !== undefined &&
        !isComplete(order, formula.id) &&
        Commission.pays(formula, { credit, occurredAt }),
    );
  });
};

/** The refusal of a sale that was settled elsewhere while what it earns cannot be computed at once. */
const BUILDING = conflict(
  "busy",
  "the totals of a formula are being built, so what was settled elsewhere is not known yet; try again",
);

/** Places a creation at the ends of its orders: that of each partner, or none where no formula of the partner accumulates. */
const place = (
  tools: OrderTools,
  { creation, request }: OrderedCreation,
  endFor: EndFor,
): Either.Either<Placement, Refusal> =>
  Either.flatMap(check(creation, request), (checked): Either.Either<Placement, Refusal> => {
    if (checked.existing !== null) return Either.right({ existing: checked.existing });
    return Either.flatMap(timed(tools, creation, checked, endFor), (credited) =>
      checked.event.settled_elsewhere !== undefined && earnsLater(credited, endFor)
        ? Either.left(BUILDING)
        : Either.right({ sale: placeSale(tools, creation, credited, endFor) }),
    );
  });

/** What a round of creations leads to. */
export interface Round {
  /** In their order. */
  readonly outcomes: ReadonlyArray<Outcome>;
  /** What the next round builds on. */
  readonly state: ArrivalState;
}

/**
 * What a creation requires that builds on this one, which may not be stored yet. The version of the order does not tell: where
 * another process was first, this one is refused, and the order has the expected version from the other process.
 */
const isStored = ({ saved: { row } }: PlacedAttribution): RecordRequirement => ({
  type: "record",
  kind: "attribution",
  id: row.id,
  version: row.version,
});

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
    let before: ReadonlyArray<RecordRequirement> = [];
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
        const requires = decision.requires.concat(unchangedHistory, before);
        before = [isStored(attribution)];
        // Spread syntax takes longer to join objects and lists of this size.
        return Object.assign({}, decision, {
          at,
          requires,
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

type Ends = ReadonlyMap<string, OrderEnd>;

const endsOf = (states: ArrivalStates): Ends =>
  new Map([...states].map(([text, state]) => [text, endOf(state)]));

/** The end of the order of a schema that a partner's attributions join. */
const endIn =
  (ends: Ends, schemaId: OrderKey["schemaId"]): EndFor =>
  (partnerId: PartnerId) =>
    ends.get(orderText({ partnerId, schemaId })) ?? null;

const loadTotals = ({ storage }: OrderTools, ends: Ends): Effect.Effect<void, StorageError> =>
  Effect.forEach(ends.values(), ({ state, totals }) => state.totals.load(storage, totals), { discard: true });

/** The effect of several creations of one command, in their order, and what they change of the orders that they join. */
interface OrderedBatch extends Joined {
  readonly outcomes: ReadonlyArray<Outcome>;
}

/** Decides the creations of one command while no other command of the orders that they join runs in this process. */
export const decideOrderedBatch = (
  tools: OrderTools,
  creation: AttributionCreation,
  request: ReadonlyArray<Attribution.Create>,
  states: ArrivalStates,
): Effect.Effect<OrderedBatch, StorageError> =>
  Effect.gen(function* () {
    const ends = endsOf(states);
    const placements = yield* TimeSlice.map(request, (item) =>
      place(tools, { creation, request: item }, endIn(ends, item.schemaId)),
    );
    yield* loadTotals(tools, ends);
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
    return { outcomes, ...joinOrders(creation, placed) };
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

/** The attributions that a sale gets later, and what each of them earns. */
interface LaterCredits extends Joined {
  readonly placed: ReadonlyArray<PlacedAttribution>;
  readonly decisions: ReadonlyArray<AttributionDecision>;
}

/** Decides credits that a recorded sale gets later: they arrive now, at the ends of their orders. */
export const decideLater = (
  tools: OrderTools,
  creation: AttributionCreation,
  { checked, credits }: Credited & { readonly credits: NonNullable<Credited["credits"]> },
  states: ArrivalStates,
): Effect.Effect<LaterCredits, StorageError> =>
  Effect.gen(function* () {
    const ends = endsOf(states);
    const endFor = endIn(ends, checked.identity.schemaId);
    const partnerIds = credits.map(({ credit }) => credit.partnerId);
    const moment = latestOf(tools, partnerIds, creation.execution.at, endFor);
    const placed = placeSale(tools, creation, { checked, credits, moment }, endFor);
    yield* loadTotals(tools, ends);
    const decisions = placed.map((attribution) => earn(tools, creation, attribution));
    return { placed, decisions, ...joinOrders(creation, placed) };
  });
