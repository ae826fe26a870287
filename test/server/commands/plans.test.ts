/** `quittance plans` on a server, as an operator calls it. */
import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { open } from "quittance/promise";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Served, serve } from "./served.ts";

const workspaceId = randomUUID();
const folder = mkdtempSync(join(tmpdir(), "quittance-plans-"));
const draft = join(folder, "draft.txt");
let served: Served;
let schemaId: string;
let planId: string;
let partnerId: string;

beforeAll(async () => {
  const quittance = await open({ database: "memory:" });
  const me = quittance.as({ customerId: randomUUID() });
  const { key } = await me.apiKeys.create({ name: "operator" });
  ({ id: partnerId } = await me.partners.create({ name: "Ada Lind", workspaceId }));
  const properties = [{ name: "cents", type: "number", required: true }] as const;
  ({ id: schemaId } = await me.attributionSchemas.create({ workspaceId, name: "Sale", properties }));
  ({ id: planId } = await me.commissionPlans.create({
    ...{ workspaceId, schemaId, name: "Affiliates", currency: "USD", startDatetime: "2020-01-01T00:00:00Z" },
    ...{
      expressionText: "cents * plan.rate / 100",
      parameters: [{ name: "rate", type: "number", default: 10 }],
    },
  }));
  await me.commissionPlans.assign(planId, { partnerIds: [partnerId] });
  for (const occurredAt of ["2026-01-10T09:00:00Z", "2026-02-10T09:00:00Z"])
    await me.attributions.create({
      ...{ partnerId, workspaceId, schemaId, occurredAt, properties: { cents: 12_000 } },
    });
  writeFileSync(draft, "cents * 12.5 %\n");
  served = await serve(quittance, key);
});
afterAll(async () => {
  await served.close();
  rmSync(folder, { recursive: true, force: true });
});

const SPAN = ["--from", "2026-01-01", "--to", "2026-03-01"];

describe("quittance plans", () => {
  it("tries a formula of a file on past sales, and prints the result as a table, CSV or JSON", async () => {
    const words = ["plans", "try", "--plan", planId, "--formula", draft, ...SPAN];
    const table = await served.call(...words);
    expect(table.text).toMatch(new RegExp(`${partnerId} +2 +24\\.00 +30\\.00 +6\\.00\n`));
    expect(table.text).toContain(
      "done: 1 of 1 partners, 2 sales: 24.00 USD now, 30.00 USD then, difference 6.00 USD",
    );
    expect((await served.call(...words, "--csv")).text.split("\n").slice(1)).toEqual([
      `${partnerId},2026-01,USD,1,0,1200,1500,300,0,0`,
      `${partnerId},2026-02,USD,1,0,1200,1500,300,0,0`,
      "",
    ]);
    const [trial, result] = (await served.call(...words, "--json")).text
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(trial).toMatchObject({ plan_id: planId, state: "done", difference: 600 });
    expect(result).toMatchObject({ partner_id: partnerId, amount_then: 3_000 });
  });

  it("tries a draft for other roles", async () => {
    writeFileSync(join(folder, "override.txt"), "20 % of sale.sellers_commission\n");
    const terms = ["--workspace", workspaceId, "--schema", schemaId, "--currency", "USD"];
    const words = ["plans", "try", ...terms, "--formula", join(folder, "override.txt"), ...SPAN];
    expect((await served.call(...words)).text).toContain("must not read sellers_commission where the roles");
    // What is in force pays the seller alone, and the draft managers alone: of none there is a sale.
    expect((await served.call(...words, "--roles", "manager")).text).toContain(
      "2 sales: 24.00 USD now, 0.00 USD then, difference -24.00 USD",
    );
  });

  it("tries other values, without waiting for the result", async () => {
    const words = ["plans", "try", "--plan", planId, ...SPAN, "--parameters", '{"rate": 20}', "--no-wait"];
    const id = /^started (\S+)\n$/.exec((await served.call(...words)).text)?.[1] ?? "";
    const text = async () => (await served.call("plans", "trial", id)).text;
    await expect.poll(text).toContain("done: 1 of 1 partners, 2 sales");
    expect((await served.call("plans", "trial", id)).text).toContain("difference 24.00 USD");
  });

  it("reports invalid input in one line, with its exit code", async () => {
    const wrong = async (...words: ReadonlyArray<string>) => {
      const { code, text } = await served.call(...words);
      return `${code} ${text}`;
    };
    const words = ["plans", "try", "--plan", planId];
    expect(await wrong(...words, ...SPAN, "--parameters", "rate=9")).toBe(
      '2 --parameters must be JSON such as {"rate": 9}',
    );
    expect(await wrong(...words, ...SPAN, "--parameters", '{"tare": 9}')).toMatch(
      /^2 .*parameters\.tare: is no declared parameter/,
    );
    expect(await wrong(...words, "--from", "2026-03-01", "--to", "2026-01-01")).toMatch(
      /^2 .*to: must be after from/,
    );
    expect(await wrong(...words, ...SPAN, "--formula", join(folder, "none.txt"))).toMatch(
      /^2 .*none\.txt cannot be read/,
    );
    expect(await wrong("plans", "trial", randomUUID())).toMatch(/^1 .*trial not found/);
  });
});
