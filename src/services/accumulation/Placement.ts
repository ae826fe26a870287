/** The ends of orders of arrival while attributions join them, and what each attribution earns in its place. */
import { type Arrival, type ArrivalOrder, nextArrival } from "../../domain/Accumulation.ts";
import type * as Attribution from "../../domain/Attribution.ts";
import * as Commission from "../../domain/Commission.ts";
import { AttributionId, type PartnerId } from "../../domain/Ids.ts";
import type { Earnings, Records, SaveFlat, Versioned } from "../../ports/Storage.ts";
import {
  type AccumulatingFormula,
  contributions,
  windowTotals,
} from "../attributions/AccumulatingFormulas.ts";
import {
  type AttributionDecision,
  type Credited,
  effectOf,
  type NewAttribution,
  saveNew,
} from "../attributions/AttributionCreation.ts";
import type { AttributionCreation, DecisionTools } from "../attributions/CreationReads.ts";
import type { TotalsBefore } from "../attributions/Evaluator.ts";
import type { FormulaContext } from "../attributions/FormulaSetCache.ts";
import type { Decision } from "../commands/Pipeline.ts";
import * as Save from "../commands/Save.ts";
import { type ArrivalState, isComplete } from "./ArrivalState.ts";
import type { AttributionTotals } from "./RunningTotals.ts";

/** What reads totals and decides. */
export interface OrderTools extends DecisionTools {
  readonly storage: Records & Earnings;
}

/** The end of an order while creations join it. */
export interface OrderEnd {
  readonly state: ArrivalState;
  last: Arrival | null;
  /** What the creations that joined build on or change. */
  readonly totals: Array<AttributionTotals>;
}

export const endOf = (state: ArrivalState): OrderEnd => ({ state, last: state.order.last, totals: [] });

/** The totals of one formula that one attribution builds on or changes; no windows where it earns nothing under the formula. */
interface FormulaPart extends AttributionTotals {
  readonly accumulating: AccumulatingFormula;
}

/** A new attribution that has its place, with the totals that it builds on or changes. */
export interface PlacedAttribution extends NewAttribution {
  readonly state: ArrivalState | null;
  readonly parts: ReadonlyArray<FormulaPart>;
}

/** The end of the order that a partner's attributions join; null where no formula of the partner accumulates. */
export type EndFor = (partnerId: PartnerId) => OrderEnd | null;

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
export interface Timed extends Credited {
  readonly moment: number;
}

/** The first moment from one on that is not before the last one of any of the partners' orders. */
export const latestOf = (
  { ids }: DecisionTools,
  partnerIds: ReadonlyArray<PartnerId>,
  moment: number,
  endFor: EndFor,
): number => {
  const idAt = (at: number) => ids.nextAt(AttributionId, at);
  return partnerIds.reduce((other, partnerId) => {
    const last = endFor(partnerId)?.last ?? null;
    return Math.max(other, nextArrival(last, moment, idAt).createdAt);
  }, moment);
};

/** Places the attributions of a sale at the ends of their orders. */
export const placeSale = (
  { ids }: DecisionTools,
  creation: AttributionCreation,
  { moment, ...credited }: Timed,
  endFor: EndFor,
): ReadonlyArray<PlacedAttribution> => {
  const idAt = (at: number) => ids.nextAt(AttributionId, at);
  const created = saveNew(creation, credited, (partnerId) => {
    const end = endFor(partnerId);
    if (end === null) return { createdAt: moment, id: idAt(moment) };
    end.last = nextArrival(end.last, moment, idAt);
    return end.last;
  });
  return created.map((attribution): PlacedAttribution => {
    const end = endFor(attribution.saved.row.partnerId);
    if (end === null) return { ...attribution, state: null, parts: [] };
    const parts = partsOf(end.state, attribution.context, attribution.saved.row);
    end.totals.push(...parts);
    return { ...attribution, state: end.state, parts };
  });
};

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
export const earn = (
  tools: DecisionTools,
  { execution }: AttributionCreation,
  { context, zone, receipt, saved, state, parts }: PlacedAttribution,
): AttributionDecision => {
  const stamp = Save.stampAt(execution, saved.row.createdAt);
  if (state === null) return effectOf(tools, stamp, { context, zone, receipt, saved });
  const { totals } = state;
  const before: TotalsBefore = ({ id }) =>
    totals.before(parts.find((part) => part.accumulating.formula.id === id)?.windows ?? []);
  const attribution = { context: withComputedFormulas(state, context, parts), zone, receipt, saved };
  const decision = effectOf(tools, stamp, attribution, before);
  for (const { contributions: own } of parts) for (const one of own) totals.add(one);
  return decision;
};

/** Saves the order after an attribution. */
export const saveOrder = (
  order: Versioned<ArrivalOrder>,
  { saved: { row } }: PlacedAttribution,
  stamp: Save.Stamp,
): SaveFlat<"arrivalOrder"> =>
  Save.flat("arrivalOrder", stamp, { ...order, last: { createdAt: row.createdAt, id: row.id } });

/** What a command changes of the orders that its attributions join. */
export interface Joined {
  readonly requires: Decision<object>["requires"];
  readonly changes: Decision<object>["changes"];
  /** The moment of the command: that of its last attribution. */
  readonly at: number;
}

/** The orders after the attributions of a command, which have been decided in their order. */
export const joinOrders = (
  { execution }: AttributionCreation,
  placed: ReadonlyArray<PlacedAttribution>,
): Joined => {
  const at = placed.reduce((latest, { saved }) => Math.max(latest, saved.row.createdAt), execution.at);
  const stamp = Save.stampAt(execution, at);
  /** The last attribution of each order that has a new one. */
  const joined = new Map(
    placed.flatMap((attribution) =>
      attribution.state === null ? [] : [[attribution.state, attribution] as const],
    ),
  );
  return {
    at,
    requires: [...joined.keys()].map(({ unchangedHistory }) => unchangedHistory),
    changes: [...joined].flatMap(([{ order, totals }, last]) => [
      saveOrder(order, last, stamp),
      ...totals.flush(stamp),
    ]),
  };
};
