/** The latest sales of a schema, and what a plan would pay for them after the sales before them. */
import {
  type Compiled,
  type Facts,
  type ParametersInForce,
  type RunningAggregate,
  SELLER,
  Windows,
} from "quittance/formula";
import type { Client, Query } from "../api/Client.ts";
import type { Attribution, Formula, Partner } from "../api/Records.ts";
import { DAY } from "../format/Dates.ts";
import type { Values } from "../plans/Values.ts";
import { inForce } from "./Parameters.ts";

/** The latest sales that are shown. */
const LATEST = 8;

/** The most earlier sales that are read. */
const HISTORY_MAX = 5_000;

/** A sale with the sales of its partner that arrived before it, as a formula sees them. */
export interface RecentSale {
  readonly sale: Attribution;
  readonly facts: Facts;
  readonly history: ReadonlyArray<Facts>;
}

/** The latest sales, and what is needed to evaluate and to name them. */
export interface Recent {
  readonly sales: ReadonlyArray<RecentSale>;
  readonly partners: ReadonlyMap<string, Partner>;
  /** True if all sales that the plan looks at have been read. */
  readonly isComplete: boolean;
  /** What the plan in force pays for them, by sale; empty where no plan is being changed. */
  readonly paidNow: ReadonlyMap<string, number>;
}

const factsOf = (sale: Attribution): Facts => ({
  id: sale.id,
  partnerId: sale.partnerId,
  customerId: "",
  workspaceId: sale.workspaceId,
  schemaId: sale.schemaId,
  agentId: null,
  createdAt: Date.parse(sale.createdAt),
  occurredAt: Date.parse(sale.occurredAt),
  occurredOn: sale.occurredOn,
  properties: sale.properties,
  credit: sale.credit ?? null,
});

/** The sales that the aggregates see from a sale of the period: null where they see all on that side. */
const spanOf = (
  aggregates: ReadonlyArray<RunningAggregate>,
  { from, to }: { readonly from: Date; readonly to: Date },
): Query => {
  // Windows are of the days that sales count for, each at most one day from the UTC day.
  const moments = [from.getTime() - DAY, to.getTime() - 1 + DAY];
  const spans = aggregates.flatMap(({ window }) => moments.map((at) => Windows.coverOf(window, at)));
  const isOpen = spans.some((span) => span.from === null);
  const first = Math.min(from.getTime(), ...spans.map((span) => span.from ?? 0)) - DAY;
  const last = Math.max(to.getTime(), ...spans.map((span) => span.to ?? 0)) + DAY;
  return isOpen ? {} : { occurredFrom: new Date(first), occurredTo: new Date(last) };
};

/** What a formula reads beside a sale, as a key: its windows, and whether what sellers earn. */
export const windowsOf = ({ aggregates, readsSellers }: Compiled): string =>
  JSON.stringify([readsSellers, ...aggregates.map(({ window }) => window)]);

/** The confirmed sales that a plan looks at from these sales, and if they are all. */
export const readHistory = async (
  client: Client,
  {
    sales,
    schemaId,
  }: {
    readonly sales: ReadonlyArray<Pick<Attribution, "partnerId" | "occurredAt">>;
    readonly schemaId: string;
  },
  compiled: Compiled,
  signal: AbortSignal,
): Promise<{ readonly history: ReadonlyArray<Facts>; readonly isComplete: boolean }> => {
  if (compiled.aggregates.length === 0 || sales.length === 0) return { history: [], isComplete: true };
  const moments = sales.map(({ occurredAt }) => Date.parse(occurredAt));
  const period = { from: new Date(Math.min(...moments)), to: new Date(Math.max(...moments) + 1) };
  const query = {
    ...spanOf(compiled.aggregates, period),
    partnerIds: [...new Set(sales.map(({ partnerId }) => partnerId))],
    schemaIds: [schemaId],
    statuses: ["confirmed"],
  };
  const history: Array<Facts> = [];
  let isComplete = true;
  for await (const { items, total } of client.walk("attributions", query, HISTORY_MAX, signal)) {
    history.push(...items.map(factsOf));
    isComplete = total <= HISTORY_MAX;
  }
  return { history, isComplete };
};

/** What formulas pay for sales, by sale. */
const readPaid = async (
  client: Client,
  sales: ReadonlyArray<Attribution>,
  formulas: ReadonlyArray<Formula>,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, number>> => {
  if (formulas.length === 0 || sales.length === 0) return new Map();
  const attributionIds = sales.map(({ id }) => id);
  const { items } = await client.list("commissions", { attributionIds, perPage: 100 }, signal);
  const ids = new Set(formulas.map(({ id }) => id));
  return new Map(
    items
      .filter(({ commissionFormulaId }) => ids.has(commissionFormulaId))
      .map(({ attributionId, computedAmount }) => [attributionId, computedAmount ?? 0]),
  );
};

const arrivedBefore = (a: Facts, b: Facts): boolean =>
  a.createdAt < b.createdAt || (a.createdAt === b.createdAt && a.id < b.id);

/** The values that are stated for a partner at a moment, by the timelines of its formula. */
export const valuesAt = ({ parameters = [] }: Pick<Formula, "parameters">, at: number): Values =>
  Object.fromEntries(
    parameters.flatMap(({ name, values }) => {
      const stated = values.findLast(
        ({ effective_datetime: since }) => since === null || Date.parse(since) <= at,
      );
      return stated === undefined ? [] : [[name, stated.value] as const];
    }),
  );

/** The values that a partner has for a sale; none of a partner without the plan. */
const valuesOf = (
  { partnerId, occurredAt }: Attribution,
  formulas: ReadonlyArray<Formula>,
): ParametersInForce =>
  inForce(
    valuesAt(formulas.find((formula) => formula.partnerId === partnerId) ?? {}, Date.parse(occurredAt)),
  );

const withHistory = (
  sale: Attribution,
  history: ReadonlyArray<Facts>,
  formulas: ReadonlyArray<Formula>,
): RecentSale => {
  const facts = { ...factsOf(sale), parameters: valuesOf(sale, formulas) };
  const isEarlier = (item: Facts): boolean =>
    item.partnerId === facts.partnerId && arrivedBefore(item, facts);
  return { sale, facts, history: history.filter(isEarlier) };
};

/** The schema of a draft, and the plan that it changes. */
interface Origin {
  readonly schema: { readonly id: string } | null;
  readonly planId: string | null;
  readonly currency: string;
  readonly roles?: ReadonlyArray<string>;
}

/**
 * What the sellers below sales earn in a currency, by sale. Of a part of an upline with less than the whole sale it is not known
 * here which sellers stand below; then, and where an amount is not computed, the sale is absent.
 */
const readSellers = async (
  client: Client,
  sales: ReadonlyArray<Attribution>,
  currency: string,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, Pick<Facts, "sellersCommission">>> => {
  const above = sales.filter(
    ({ credit }) => credit !== undefined && (credit.depth === 0 || credit.share === "1"),
  );
  if (above.length === 0) return new Map();
  const originIds = [...new Set(above.map(({ id, originId = id }) => originId))];
  const saleOf = new Map<string, string>();
  const sellers = { originIds, roles: [SELLER], statuses: ["confirmed"] };
  for await (const { items } of client.walk("attributions", sellers, HISTORY_MAX, signal))
    for (const { id, originId = id } of items) saleOf.set(id, originId);
  const sums = new Map<string, bigint | null>(originIds.map((id) => [id, 0n]));
  const ids = [...saleOf.keys()];
  for (let from = 0; from < ids.length; from += 100) {
    const query = { attributionIds: ids.slice(from, from + 100) };
    for await (const { items } of client.walk("commissions", query, HISTORY_MAX, signal))
      for (const { attributionId, currency: paidIn, computedAmount, computationError } of items) {
        const sale = saleOf.get(attributionId) ?? "";
        const sum = sums.get(sale) ?? null;
        const isKnown = sum !== null && computedAmount !== null && computationError === null;
        if (paidIn === currency) sums.set(sale, isKnown ? sum + BigInt(computedAmount) : null);
      }
  }
  return new Map(
    above.flatMap(({ id, originId = id }) => {
      const sum = sums.get(originId) ?? null;
      return sum === null ? [] : [[id, { sellersCommission: sum }] as const];
    }),
  );
};

/** Reads the latest confirmed sales of the draft's schema; of a plan that is being changed, those of its partners. */
export const readRecent = async (
  client: Client,
  { schema, planId, currency, roles = [SELLER] }: Origin,
  compiled: Compiled,
  signal: AbortSignal,
): Promise<Recent> => {
  const schemaId = schema?.id ?? "";
  const formulas =
    planId === null
      ? []
      : (await client.list("commissionFormulas", { planIds: [planId], perPage: 100 }, signal)).items;
  const assigned = [...new Set(formulas.map(({ partnerId }) => partnerId))];
  const latest = {
    ...{ schemaIds: [schemaId], partnerIds: assigned, statuses: ["confirmed"] },
    ...{ roles, order: "desc", perPage: LATEST },
  };
  // A filter without values has no effect: it would find the sales of all partners.
  const isOfNobody = planId !== null && assigned.length === 0;
  const sales = isOfNobody ? [] : (await client.list("attributions", latest, signal)).items;
  const [partners, { history, isComplete }, paidNow, ofSellers] = await Promise.all([
    client.byIds(
      "partners",
      sales.map(({ partnerId }) => partnerId),
      signal,
    ),
    readHistory(client, { sales, schemaId }, compiled, signal),
    readPaid(client, sales, formulas, signal),
    compiled.readsSellers
      ? readSellers(client, sales, currency, signal)
      : new Map<string, Pick<Facts, "sellersCommission">>(),
  ]);
  const recent = sales.map((sale) => {
    const own = withHistory(sale, history, formulas);
    return { ...own, facts: { ...own.facts, ...ofSellers.get(sale.id) } };
  });
  return { sales: recent, partners, paidNow, isComplete };
};
