/** The latest sales that the plan builder shows, and what a formula pays for them. */
import { check, compile, type Expression, explain, type PropertyDefinition } from "quittance/formula";
import { describe, expect, it } from "vitest";
import type { Client, Query } from "../../adapters/console/api/Client.ts";
import type { Attribution } from "../../adapters/console/api/Records.ts";
import { amountAfter } from "../../adapters/console/builder/Evaluation.ts";
import { readRecent } from "../../adapters/console/builder/Recent.ts";

const SCHEMA = { id: "schema" };
const PROPERTIES: ReadonlyArray<PropertyDefinition> = [{ name: "cents", type: "number", required: true }];

const compiled = (expression: Expression) => {
  const checked = check(expression, PROPERTIES);
  if (checked._tag === "Left") throw new Error(checked.left.message);
  return compile(checked.right);
};

const CENTS: Expression = { type: "property", name: "cents" };

const saleOf = (id: string, partnerId: string, minute: number): Attribution => {
  const at = new Date(Date.UTC(2026, 0, 15, 12, minute)).toISOString();
  return {
    ...{ id, partnerId, schemaId: SCHEMA.id, status: "confirmed" },
    ...{ occurredAt: at, createdAt: at, properties: { cents: 100 * minute } },
  } as unknown as Attribution;
};

/** A server with sales and with the partners of one plan. Like the client, it ignores filters that are empty. */
const serverOf = (sales: ReadonlyArray<Attribution>, planPartners: ReadonlyArray<string>): Client => {
  const list = (name: string, query: Query) => {
    const partnerIds = (query.partnerIds ?? []) as ReadonlyArray<string>;
    const items =
      name === "commissionFormulas"
        ? planPartners.map((partnerId) => ({ id: `formula of ${partnerId}`, partnerId }))
        : name === "attributions"
          ? sales.filter((sale) => partnerIds.length === 0 || partnerIds.includes(sale.partnerId))
          : [];
    return { items, total: items.length };
  };
  return {
    list: async (name: string, query: Query) => list(name, query),
    walk: async function* (name: string, query: Query) {
      yield list(name, query);
    },
    byIds: async () => new Map(),
  } as unknown as Client;
};

const SALES = [saleOf("b2", "ida", 3), saleOf("a1", "per", 2), saleOf("b1", "ida", 1)];

const read = (client: Client, planId: string | null, expression: Expression = CENTS) =>
  readRecent(
    client,
    { schema: SCHEMA, planId, currency: "EUR" },
    compiled(expression),
    new AbortController().signal,
  );

describe("the latest sales", () => {
  const idsOf = async (planPartners: ReadonlyArray<string>, planId: string | null) =>
    (await read(serverOf(SALES, planPartners), planId)).sales.map(({ sale }) => sale.id);

  it("are those of the partners of a plan that is changed", async () => {
    expect(await idsOf(["ida"], "plan")).toEqual(["b2", "b1"]);
  });

  it("are none for a plan without partners", async () => {
    expect(await idsOf([], "plan")).toEqual([]);
  });

  it("are those of all partners for a new plan", async () => {
    expect(await idsOf([], null)).toEqual(["b2", "a1", "b1"]);
  });
});

describe("what a formula pays for a recent sale", () => {
  it("counts the sales of its partner that arrived before it, and no others", async () => {
    const before: Expression = {
      ...{ type: "aggregate", function: "sum", value: CENTS },
      window: { type: "lifetime" },
    };
    const { sales } = await read(serverOf(SALES, []), null, before);
    const amounts = sales.map(({ facts, history }) => amountAfter(compiled(before), history, facts));
    expect(amounts).toEqual([100, 0, 0]);
    for (const [index, { facts, history }] of sales.entries())
      expect(explain(compiled(before), facts, { history }).result).toMatchObject({ right: amounts[index] });
  });
});
