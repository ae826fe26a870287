/** Compares the amounts of two formulas on recorded sales. */
import { type Compiled, evaluate, type Facts, totalsBefore } from "quittance/formula";
import type { Client } from "../api/Client.ts";
import type { Attribution } from "../api/Records.ts";

/** What one partner earns under both formulas. */
export interface PartnerComparison {
  readonly partnerId: string;
  readonly sales: number;
  readonly before: number;
  readonly after: number;
}

/** The most sales that are read. */
const SALES_MAX = 20_000;

/** The longest computation without a pause, so that the page stays responsive. */
const SLICE_MILLISECONDS = 30;

const factsOf = (sale: Attribution): Facts => ({
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

/** The confirmed sales of a schema in a span, in the order in which they arrived. */
export const readSales = async (
  client: Client,
  schemaId: string,
  from: Date,
  to: Date,
  progress: (read: number, total: number) => void,
  signal: AbortSignal,
): Promise<{ readonly sales: ReadonlyArray<Facts>; readonly isComplete: boolean }> => {
  const sales: Array<Facts> = [];
  let total = 0;
  const query = {
    schemaIds: [schemaId],
    statuses: ["confirmed"],
    occurredFrom: from.toISOString(),
    occurredTo: to.toISOString(),
  };
  for await (const page of client.walk("attributions", query, SALES_MAX, signal)) {
    for (const sale of page.items) sales.push(factsOf(sale));
    total = page.total;
    progress(sales.length, total);
  }
  return { sales, isComplete: sales.length >= total };
};

/** A formula's amount of a sale after the sales before it; 0 where it has none. */
const amountOf = (compiled: Compiled, facts: Facts, history: ReadonlyArray<Facts>): number => {
  const result = evaluate(compiled, facts, totalsBefore(compiled.aggregates, history, facts));
  return result._tag === "Left" ? 0 : result.right;
};

const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

/**
 * Both formulas on the sales since `from`, summed by partner, the largest change first. Earlier sales count as history only.
 * Works in slices; `progress` gets the number of sales that are done.
 */
export const compare = async (
  before: Compiled,
  after: Compiled,
  sales: ReadonlyArray<Facts>,
  from: Date,
  progress: (done: number) => void,
  signal: AbortSignal,
): Promise<ReadonlyArray<PartnerComparison>> => {
  const accumulates = before.aggregates.length + after.aggregates.length > 0;
  const histories = new Map<string, Array<Facts>>();
  const found = new Map<string, PartnerComparison>();
  let sliceEnd = performance.now() + SLICE_MILLISECONDS;
  for (const [index, facts] of sales.entries()) {
    const history = histories.get(facts.partnerId) ?? [];
    if (facts.occurredAt >= from.getTime()) {
      const known = found.get(facts.partnerId) ?? {
        partnerId: facts.partnerId,
        sales: 0,
        before: 0,
        after: 0,
      };
      found.set(facts.partnerId, {
        ...known,
        sales: known.sales + 1,
        before: known.before + amountOf(before, facts, history),
        after: known.after + amountOf(after, facts, history),
      });
    }
    if (accumulates) {
      history.push(facts);
      histories.set(facts.partnerId, history);
    }
    if (performance.now() > sliceEnd) {
      progress(index + 1);
      await pause();
      if (signal.aborted) throw new DOMException("stopped", "AbortError");
      sliceEnd = performance.now() + SLICE_MILLISECONDS;
    }
  }
  const gain = ({ before: old, after: now }: PartnerComparison): number => now - old;
  return [...found.values()].sort((one, other) => Math.abs(gain(other)) - Math.abs(gain(one)));
};

/** Partners by how much they gain or lose, in at most eleven classes of equal width around zero. */
export const histogramOf = (
  rows: ReadonlyArray<PartnerComparison>,
): ReadonlyArray<{ readonly from: number; readonly to: number; readonly count: number }> => {
  const gains = rows.map(({ before, after }) => after - before);
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
