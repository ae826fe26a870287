/** Compares what is recorded for last month's sales with the amounts of a formula under draft. */
import {
  type Compiled,
  evaluate,
  type Facts,
  type RunningAggregate,
  totalsBefore,
  Windows,
} from "quittance/formula";
import type { Client, Query } from "../api/Client.ts";
import type { Attribution, Formula, Lists } from "../api/Records.ts";
import type { Draft } from "./Sources.ts";

/** The amounts of one partner: recorded, and under the formula. */
export interface PartnerComparison {
  readonly partnerId: string;
  readonly sales: number;
  readonly before: bigint;
  readonly after: bigint;
}

/** From `from` (inclusive) to `to` (exclusive). */
export interface Period {
  readonly from: Date;
  readonly to: Date;
}

/** The sales that the trial is computed on, with what is recorded for them. */
export interface Recorded {
  /** The formulas that pay for these sales now, in the currency of the draft. */
  readonly formulas: ReadonlyArray<Formula>;
  /** What those formulas pay in the period, by partner. */
  readonly amounts: ReadonlyMap<string, bigint>;
  /** The confirmed sales of their partners, in the order of arrival; with earlier ones where the trial looks at them. */
  readonly sales: ReadonlyArray<Facts>;
  readonly isComplete: boolean;
}

/** The most records of one kind that are read. */
const RECORDS_MAX = 20_000;

/** The most ids of one request. */
const IDS_MAX = 100;

/** The longest computation without a pause, so that the page stays responsive. */
const SLICE_MILLISECONDS = 30;

export const factsOf = (sale: Attribution): Facts => ({
  id: sale.id,
  partnerId: sale.partnerId,
  customerId: "",
  workspaceId: sale.workspaceId,
  schemaId: sale.schemaId,
  agentId: null,
  createdAt: Date.parse(sale.createdAt),
  occurredAt: Date.parse(sale.occurredAt),
  properties: sale.properties,
});

/** Whether a formula pays for sales of a moment. */
const covers = ({ status, startDatetime, endDatetime }: Formula, moment: number): boolean =>
  status === "active" &&
  Date.parse(startDatetime) <= moment &&
  (endDatetime === null || moment < Date.parse(endDatetime));

const overlaps = ({ status, startDatetime, endDatetime }: Formula, { from, to }: Period): boolean =>
  status === "active" &&
  Date.parse(startDatetime) < to.getTime() &&
  (endDatetime === null || from.getTime() < Date.parse(endDatetime));

/** The sales that the aggregates see from a sale of the period: null where they see all on that side. */
export const spanOf = (aggregates: ReadonlyArray<RunningAggregate>, { from, to }: Period): Query => {
  const moments = [from.getTime(), to.getTime() - 1];
  const spans = aggregates.flatMap(({ window }) => moments.map((at) => Windows.spanOf(window, at)));
  const isOpen = spans.some((span) => span.from === null);
  const first = Math.min(from.getTime(), ...spans.map((span) => span.from ?? 0));
  const last = Math.max(to.getTime(), ...spans.map((span) => span.to ?? 0));
  return isOpen ? {} : { occurredFrom: new Date(first), occurredTo: new Date(last) };
};

const batches = (ids: ReadonlyArray<string>): ReadonlyArray<ReadonlyArray<string>> =>
  Array.from({ length: Math.ceil(ids.length / IDS_MAX) }, (_, index) =>
    ids.slice(index * IDS_MAX, (index + 1) * IDS_MAX),
  );

/** Reads what a trial is compared with. `progress` gets how many records of a kind have been read. */
export const readRecorded = async (
  client: Client,
  draft: Draft,
  after: Compiled,
  period: Period,
  progress: (read: number, what: string) => void,
  signal: AbortSignal,
): Promise<Recorded> => {
  let isComplete = true;
  const readAll = async <Name extends keyof Lists>(
    name: Name,
    what: string,
    queries: ReadonlyArray<Query>,
  ): Promise<ReadonlyArray<Lists[Name]>> => {
    const found: Array<Lists[Name]> = [];
    for (const query of queries) {
      let seen = 0;
      for await (const { items, total } of client.walk(name, query, RECORDS_MAX - found.length, signal)) {
        found.push(...items);
        seen += items.length;
        if (seen < total && found.length >= RECORDS_MAX) isComplete = false;
        progress(found.length, what);
      }
    }
    return found;
  };
  const workspaceIds = [draft.schema?.workspaceId ?? ""];
  const schemaId = draft.schema?.id ?? "";
  const formulas = (
    await readAll("commissionFormulas", "formulas", [
      draft.planId === null ? { workspaceIds } : { planIds: [draft.planId] },
    ])
  ).filter(
    (formula) =>
      formula.schemaId === schemaId && formula.currency === draft.currency && overlaps(formula, period),
  );
  const commissions = await readAll(
    "commissions",
    "commissions",
    batches(formulas.map(({ id }) => id)).map((formulaIds) => ({
      formulaIds,
      occurredFrom: period.from,
      occurredTo: period.to,
    })),
  );
  const amounts = new Map<string, bigint>();
  for (const { partnerId, computedAmount } of commissions)
    amounts.set(partnerId, (amounts.get(partnerId) ?? 0n) + BigInt(computedAmount ?? 0));
  const sales = await readAll(
    "attributions",
    "sales",
    batches([...new Set(formulas.map(({ partnerId }) => partnerId))]).map((partnerIds) => ({
      ...spanOf(after.aggregates, period),
      partnerIds,
      workspaceIds,
      schemaIds: [schemaId],
      statuses: ["confirmed"],
    })),
  );
  return { formulas, amounts, sales: sales.map(factsOf), isComplete };
};

/** A formula's amount of a sale after the sales before it; 0 where it has none. */
const amountOf = (compiled: Compiled, facts: Facts, history: ReadonlyArray<Facts>): number => {
  const result = evaluate(compiled, facts, totalsBefore(compiled.aggregates, history, facts));
  return result._tag === "Left" ? 0 : result.right;
};

const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

/**
 * What is recorded and what the formula pays for the sales of the period, by partner, the largest change first. Works in
 * slices; `progress` gets the number of sales that are done.
 */
export const compare = async (
  { formulas, amounts, sales }: Recorded,
  after: Compiled,
  { from, to }: Period,
  progress: (done: number) => void,
  signal: AbortSignal,
): Promise<ReadonlyArray<PartnerComparison>> => {
  const formulasOf = new Map<string, ReadonlyArray<Formula>>();
  for (const formula of formulas)
    formulasOf.set(formula.partnerId, [...(formulasOf.get(formula.partnerId) ?? []), formula]);
  const histories = new Map<string, Array<Facts>>();
  const found = new Map<string, PartnerComparison>(
    [...formulasOf.keys()].map((partnerId) => [
      partnerId,
      { partnerId, sales: 0, before: amounts.get(partnerId) ?? 0n, after: 0n },
    ]),
  );
  let sliceEnd = performance.now() + SLICE_MILLISECONDS;
  for (const [index, facts] of sales.entries()) {
    const { partnerId, occurredAt } = facts;
    const history = histories.get(partnerId) ?? [];
    const isCounted =
      occurredAt >= from.getTime() &&
      occurredAt < to.getTime() &&
      formulasOf.get(partnerId)?.some((formula) => covers(formula, occurredAt));
    const known = found.get(partnerId);
    if (isCounted && known !== undefined)
      found.set(partnerId, {
        ...known,
        sales: known.sales + 1,
        after: known.after + BigInt(amountOf(after, facts, history)),
      });
    if (after.aggregates.length > 0) {
      history.push(facts);
      histories.set(partnerId, history);
    }
    if (performance.now() > sliceEnd) {
      progress(index + 1);
      await pause();
      if (signal.aborted) throw new DOMException("stopped", "AbortError");
      sliceEnd = performance.now() + SLICE_MILLISECONDS;
    }
  }
  const change = ({ before: old, after: now }: PartnerComparison): number => Math.abs(Number(now - old));
  return [...found.values()]
    .filter(({ sales: number, before: old }) => number > 0 || old !== 0n)
    .sort((one, other) => change(other) - change(one));
};

/** Partners by how much they gain or lose, in at most eleven classes of equal width around zero. */
export const histogramOf = (
  rows: ReadonlyArray<PartnerComparison>,
): ReadonlyArray<{ readonly from: number; readonly to: number; readonly count: number }> => {
  const gains = rows.map(({ before, after }) => Number(after - before));
  const largest = Math.max(1, ...gains.map(Math.abs));
  const width = 10 ** Math.ceil(Math.log10(largest / 5));
  const step = largest / 5 <= width / 5 ? width / 5 : largest / 5 <= width / 2 ? width / 2 : width;
  const classOf = (gain: number): number => Math.round(gain / step);
  const low = Math.min(0, ...gains.map(classOf));
  const high = Math.max(0, ...gains.map(classOf));
  return Array.from({ length: high - low + 1 }, (_, index) => {
    const middle = (low + index) * step;
    return {
      from: middle - step / 2,
      to: middle + step / 2,
      count: gains.filter((gain) => classOf(gain) === low + index).length,
    };
  });
};
