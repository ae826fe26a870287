/** Creating attributions under formulas that accumulate: in order of arrival, each on the totals before it. */

import { Effect, Either } from "effect";
import type * as Attribution from "../../domain/Attribution.ts";
import * as Commission from "../../domain/Commission.ts";
import { AttributionId } from "../../domain/Ids.ts";
import type { Refusal } from "../../domain/Refusal.ts";
import type { SaveLogged, StorageError } from "../../ports/Storage.ts";
import {
  type AccumulatingFormula,
  contributions,
  windowTotals,
} from "../attributions/AccumulatingFormulas.ts";
import {
  type AttributionCreation,
  type Checked,
  check,
  contextOf,
  effectOf,
  save,
  type Tools,
} from "../attributions/AttributionCreation.ts";
import type { TotalsBefore } from "../attributions/Evaluator.ts";
import type { FormulaContext } from "../attributions/FormulaSetCache.ts";
import { type Decision, noEffect } from "../commands/Pipeline.ts";
import * as Save from "../commands/Save.ts";
import * as TimeSlice from "../process/TimeSlice.ts";
import type { Creation } from "./ArrivalQueue.ts";
import { ArrivalState, type OrderKey } from "./ArrivalState.ts";
import type { Wanted } from "./RunningTotals.ts";

type Result = { readonly id: AttributionId };

/** The order that a creation must join, or null where no formula of its partner and schema accumulates. */
export const orderOf = (creation: AttributionCreation, request: Attribution.Create): OrderKey | null =>
  (contextOf(creation, request)?.accumulating.length ?? 0) === 0
    ? null
    : { customerId: creation.customerId, partnerId: request.partnerId, schemaId: request.schemaId };

/** The orders that creations of one command must join; those of one partner and schema in a row are looked up once. */
export const ordersOf = (
  creation: AttributionCreation,
  request: ReadonlyArray<Attribution.Create>,
): ReadonlyArray<OrderKey> => {
  const keys: Array<OrderKey> = [];
  let last: Attribution.Create | undefined;
  for (const one of request) {
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

/** The totals of one formula that one attribution builds on or changes; no windows where it earns nothing under the formula. */
interface Part extends Wanted {
  readonly accumulating: AccumulatingFormula;
}

/** A new attribution that has its position in the order. */
interface Placed {
  readonly context: FormulaContext;
  readonly saved: SaveLogged<"attribution">;
  readonly parts: ReadonlyArray<Part>;
}

/** The totals that an attribution builds on or changes, formula by formula; formulas whose totals are not complete are left out. */
const partsOf = (
  state: ArrivalState,
  { accumulating: all }: FormulaContext,
  attribution: Attribution.Attribution,
): ReadonlyArray<Part> =>
  all
    .filter(({ formula }) => state.isComplete(formula.id))
    .map((accumulating) => ({
      accumulating,
      windows: Commission.isEarned(attribution, accumulating.formula)
        ? windowTotals(accumulating, attribution, state.totals.bucketsOf)
        : [],
      contributions: contributions(accumulating, attribution),
    }));

/** Places an attribution in its order. */
const placeOne = (
  tools: Tools,
  creation: AttributionCreation,
  state: ArrivalState,
  checked: Extract<Checked, { readonly existing: null }>,
): Placed => {
  const arrival = state.place(creation.execution.at, (moment) => tools.ids.nextAt(AttributionId, moment));
  const saved = save(creation, checked, arrival);
  return { context: checked.context, saved, parts: partsOf(state, checked.context, saved.row) };
};

/**
 * The context with the formulas under which the command computes a commission. The recomputation that builds the totals of a
 * formula also computes what is earned under it meanwhile.
 */
const withComputedFormulas = (
  state: ArrivalState,
  context: FormulaContext,
  parts: ReadonlyArray<Part>,
): FormulaContext => {
  const { accumulating, formulaSet } = context;
  if (parts.length === accumulating.length) return context;
  const left = new Set(accumulating.map(({ formula }) => formula.id).filter((id) => !state.isComplete(id)));
  const formulas = formulaSet.formulas.filter(({ id }) => !left.has(id));
  return { ...context, formulaSet: { ...formulaSet, formulas } };
};

/** Decides what a placed attribution earns, and adds it to the totals for those after it. */
const earn = (
  tools: Tools,
  by: AttributionCreation["execution"],
  state: ArrivalState,
  { context, saved, parts }: Placed,
): Decision<Result> => {
  const before: TotalsBefore = ({ id }) =>
    state.totals.before(parts.find((part) => part.accumulating.formula.id === id)?.windows ?? []);
  const execution = Save.stampAt(by, saved.row.createdAt);
  const decision = effectOf(tools, execution, withComputedFormulas(state, context, parts), saved, before);
  for (const { contributions: own } of parts) for (const one of own) state.totals.add(one);
  return decision;
};

/** One creation, to be decided in its turn. */
export const singleCreation = (
  tools: Tools,
  creation: AttributionCreation,
  request: Attribution.Create,
): Creation<Result> => {
  let placed: Placed | null = null;
  let existing: AttributionId | null = null;
  return {
    place: (state) =>
      Either.map(check(creation, request), (checked) => {
        if (checked.existing !== null) {
          existing = checked.existing;
          return [];
        }
        placed = placeOne(tools, creation, state, checked);
        return placed.parts;
      }),
    decide: (state) => {
      if (existing !== null) return noEffect({ id: existing });
      if (placed === null) throw new Error("a creation is decided before it is placed");
      const decision = earn(tools, creation.execution, state, placed);
      const at = placed.saved.row.createdAt;
      const { requires, changes } = state.take(Save.stampAt(creation.execution, at));
      // Spread syntax takes longer to join objects and lists of this size.
      return Object.assign({}, decision, {
        at,
        requires: decision.requires.concat(requires),
        changes: decision.changes.concat(changes),
      });
    },
  };
};

/** A creation of a batch: decided already, or placed. */
type Begun =
  | { readonly type: "decided"; readonly decision: Either.Either<Decision<Result>, Refusal> }
  | { readonly type: "placed"; readonly state: ArrivalState | null; readonly placed: Placed };

const keyText = ({ partnerId, schemaId }: Pick<OrderKey, "partnerId" | "schemaId">): string =>
  `${partnerId} ${schemaId}`;

/** The effect of several creations of one command, in their order, and what they change of the orders that they join. */
interface OrderedBatch {
  readonly decisions: ReadonlyArray<Either.Either<Decision<Result>, Refusal>>;
  readonly requires: Decision<Result>["requires"];
  readonly changes: Decision<Result>["changes"];
  /** The moment of the command: that of its last attribution. */
  readonly at: number;
}

/** Decides on the creations of one command while no other command of these orders runs in this process. */
export const decideOrderedBatch = (
  tools: Tools,
  creation: AttributionCreation,
  request: ReadonlyArray<Attribution.Create>,
  keys: ReadonlyArray<OrderKey>,
): Effect.Effect<OrderedBatch, Refusal | StorageError> =>
  Effect.gen(function* () {
    const states = new Map<string, ArrivalState>();
    for (const key of keys) {
      if (states.has(keyText(key))) continue;
      states.set(keyText(key), yield* ArrivalState.require(tools.storage, key));
    }
    const { execution } = creation;
    const begun = yield* TimeSlice.map(request, (one): Begun => {
      const checked = check(creation, one);
      if (Either.isLeft(checked)) return { type: "decided", decision: Either.left(checked.left) };
      if (checked.right.existing !== null) {
        return { type: "decided", decision: Either.right(noEffect({ id: checked.right.existing })) };
      }
      const state = states.get(keyText(one)) ?? null;
      if (state !== null)
        return { type: "placed", state, placed: placeOne(tools, creation, state, checked.right) };
      const arrival = { createdAt: execution.at, id: tools.ids.nextAt(AttributionId, execution.at) };
      const saved = save(creation, checked.right, arrival);
      return { type: "placed", state, placed: { context: checked.right.context, saved, parts: [] } };
    });
    for (const state of states.values()) {
      const own = begun.flatMap((one) =>
        one.type === "placed" && one.state === state ? one.placed.parts : [],
      );
      yield* state.totals.load(tools.storage, own);
    }
    const decisions = yield* TimeSlice.map(begun, (one) =>
      one.type === "decided"
        ? one.decision
        : Either.right(
            one.state === null
              ? effectOf(tools, execution, one.placed.context, one.placed.saved)
              : earn(tools, execution, one.state, one.placed),
          ),
    );
    const used = new Set(
      begun.flatMap((one) => (one.type === "placed" && one.state !== null ? [one.state] : [])),
    );
    const at = begun.reduce(
      (latest, one) => (one.type === "placed" ? Math.max(latest, one.placed.saved.row.createdAt) : latest),
      execution.at,
    );
    const taken = [...used].map((state) => state.take(Save.stampAt(execution, at)));
    return {
      decisions,
      requires: taken.flatMap(({ requires }) => requires),
      changes: taken.flatMap(({ changes }) => changes),
      at,
    };
  });
