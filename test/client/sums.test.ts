import { readFileSync } from "node:fs";
import { type Client, connect } from "quittance/client";
import { open, type Quittance, type Services } from "quittance/promise";
import { afterAll, beforeAll, describe, expect, expectTypeOf, it } from "vitest";

type Resolved<Method extends (...taken: never) => unknown> = Awaited<ReturnType<Method>>;

/** The type of a value at a path of names; numbers are items of lists. */
type At<Value, Path extends string> = Path extends `${infer Name}.${infer Rest}`
  ? At<At<Value, Name>, Rest>
  : Path extends "0"
    ? Value extends ReadonlyArray<infer Item>
      ? Item
      : never
    : Value[Path & keyof Value];

describe("the type of amounts", () => {
  it("is number for the amount of one record", () => {
    expectTypeOf<At<Resolved<Services["settlements"]["get"]>, "total">>().toEqualTypeOf<number>();
    expectTypeOf<At<Resolved<Client["settlements"]["get"]>, "total">>().toEqualTypeOf<number>();
    expectTypeOf<At<Resolved<Services["settlements"]["get"]>, "lines.0.amount">>().toEqualTypeOf<number>();
    expectTypeOf<At<Resolved<Client["settlements"]["get"]>, "lines.0.amount">>().toEqualTypeOf<number>();
    type Computed = number | null;
    expectTypeOf<At<Resolved<Services["commissions"]["get"]>, "computedAmount">>().toEqualTypeOf<Computed>();
    expectTypeOf<At<Resolved<Client["commissions"]["get"]>, "computedAmount">>().toEqualTypeOf<Computed>();
    expectTypeOf<
      At<Resolved<Services["settlementRuns"]["read"]>, "results.0.total">
    >().toEqualTypeOf<Computed>();
    expectTypeOf<
      At<Resolved<Client["settlementRuns"]["read"]>, "results.0.total">
    >().toEqualTypeOf<Computed>();
    expectTypeOf<At<Resolved<Services["paymentFiles"]["get"]>, "sum">>().toEqualTypeOf<number>();
    expectTypeOf<At<Resolved<Client["paymentFiles"]["get"]>, "sum">>().toEqualTypeOf<number>();
  });

  it("is bigint for a sum of many records", () => {
    type Settled = "summary.settled.amounts.0.amount";
    expectTypeOf<At<Resolved<Services["commissions"]["statistics"]>, Settled>>().toEqualTypeOf<bigint>();
    expectTypeOf<At<Resolved<Client["commissions"]["statistics"]>, Settled>>().toEqualTypeOf<bigint>();
    type Balance = Resolved<Services["partnerStatements"]["balance"]>;
    expectTypeOf<At<Balance, "balances.0.due">>().toEqualTypeOf<bigint>();
    expectTypeOf<At<Resolved<Client["partners"]["balance"]>, "balances.0.due">>().toEqualTypeOf<bigint>();
    type Statement = Resolved<Services["partnerStatements"]["statement"]>;
    expectTypeOf<At<Statement, "movements.0.amount">>().toEqualTypeOf<bigint>();
    expectTypeOf<At<Statement, "openingBalance">>().toEqualTypeOf<bigint>();
    expectTypeOf<
      At<Resolved<Services["settlementRuns"]["list"]>, "items.0.totals.0.amount">
    >().toEqualTypeOf<bigint>();
    expectTypeOf<
      At<Resolved<Client["settlementRuns"]["list"]>, "items.0.totals.0.amount">
    >().toEqualTypeOf<bigint>();
    expectTypeOf<
      At<Resolved<Services["settlementRuns"]["dryRun"]>, "totals.0.amount">
    >().toEqualTypeOf<bigint>();
    expectTypeOf<
      At<Resolved<Services["settlementRuns"]["get"]>, "totals.0.amount">
    >().toEqualTypeOf<bigint>();
  });

  it("is never both in the client", () => {
    expect(readFileSync("adapters/client/Contract.ts", "utf8")).not.toMatch(
      /number \| bigint|bigint \| number/,
    );
  });
});

describe("small sums", () => {
  let quittance: Quittance;
  let me: Services;
  let client: Client;
  const workspaceId = crypto.randomUUID();
  let partnerId = "";
  const from = "2026-01-01T00:00:00Z";

  beforeAll(async () => {
    quittance = await open({ database: "memory:", worker: false });
    me = quittance.as({ customerId: crypto.randomUUID() });
    const { key } = await me.apiKeys.create({ name: "sums" });
    const handler = await quittance.handler();
    client = connect({
      url: "http://engine.test",
      key,
      fetch: (input, init) => handler(new Request(input as string, init)),
    });
    ({ id: partnerId } = await me.partners.create({ name: "Ada Lind", workspaceId }));
    const { id: schemaId } = await me.attributionSchemas.create({
      workspaceId,
      name: "Sale",
      properties: [{ name: "cents", type: "number", required: true }],
    });
    const scope = { workspaceId, partnerId, schemaId };
    const expression = { type: "property", name: "cents" } as const;
    await me.commissionFormulas.create({
      ...scope,
      name: "All",
      currency: "EUR",
      startDatetime: from,
      expression,
    });
    await me.attributions.create({ ...scope, properties: { cents: 250 } });
    await me.settlementRuns.start({ workspaceId });
    await quittance.drain();
  });
  afterAll(() => quittance.close());

  it("of statistics are bigints in both clients", async () => {
    const span = { from, to: new Date(Date.now() + 60_000), granularity: "month" } as const;
    for (const api of [me, client]) {
      const { summary, buckets } = await api.commissions.statistics(span);
      expect(summary.unsettled.amounts).toEqual([{ currency: "EUR", amount: 250n }]);
      expect(summary.settled.amounts).toEqual([{ currency: "EUR", amount: 0n }]);
      expect(buckets.at(-1)?.unsettled.amounts).toEqual([{ currency: "EUR", amount: 250n }]);
    }
  });

  it("of balances and statements are bigints in both clients", async () => {
    for (const [balance, statement] of [
      [
        await me.partnerStatements.balance(partnerId),
        await me.partnerStatements.statement(partnerId, { from }),
      ],
      [await client.partners.balance(partnerId), await client.partners.statement(partnerId, { from })],
    ] as const) {
      expect(balance.balances).toMatchObject([{ earned: 250n, settled: 0n, pending: 250n, due: 250n }]);
      const several = { partnerIds: [partnerId] };
      for (const found of [
        await me.partnerStatements.balances(several),
        await client.partners.balances(several),
      ])
        expect(found.balances).toEqual(balance.balances.map((item) => ({ partnerId, ...item })));
      expect(statement).toMatchObject({ openingBalance: 0n, closingBalance: 250n });
      expect(statement.movements).toMatchObject([{ amount: 250n, balance: 250n }]);
    }
  });

  it("of settlement runs are bigints in both clients, and the amounts of their results numbers", async () => {
    for (const api of [me, client]) {
      const [run] = (await api.settlementRuns.list()).items;
      expect(run?.totals).toEqual([{ currency: "EUR", amount: 250n }]);
      const { run: same, results } = await api.settlementRuns.read(run?.id ?? "");
      expect(same.totals).toEqual(run?.totals);
      expect(results).toMatchObject([{ total: 250, drafts: [{ total: 250 }] }]);
    }
    expect((await me.settlementRuns.dryRun({ workspaceId })).totals).toEqual([]);
    expect((await client.settlementRuns.start({ workspaceId, dryRun: true })).totals).toEqual([]);
  });
});
