/** The rows of an export: amounts as numbers that a spreadsheet reads, in one unit. */
import { expect, it } from "vitest";
import { TABLES } from "../../../adapters/server/exporting/Table.ts";
import { headLine, rowLine } from "../../../adapters/server/exporting/Writing.ts";

const { lines } = TABLES;
if (lines === undefined) throw new Error("no lines");

const row = (amount: number, currency: string) => ({
  ...{ settlement_id: "s", workspace_id: "w", partner_id: "=p", status: "paid", position: 1 },
  ...{ commission_id: "c", amount, currency },
});

it.each([
  [-10_094, "EUR", "-100.94"],
  [-5, "EUR", "-0.05"],
  [1_500, "JPY", "1500"],
  [-1_234_567, "KWD", "-1234.567"],
])("%d of %s is %s, and the smallest unit beside it", (amount, currency, decimal) => {
  expect(rowLine("csv", lines, row(amount, currency))).toBe(
    `s,w,'=p,paid,1,c,${decimal},${currency},${amount}\r\n`,
  );
  expect(JSON.parse(rowLine("ndjson", lines, row(amount, currency)))).toEqual(row(amount, currency));
});

it("a file for spreadsheets begins with a byte order mark", () => {
  const header = headLine("csv", lines);
  expect(header.endsWith("amount,currency,amount_minor\r\n")).toBe(true);
  expect(headLine("spreadsheet", lines)).toBe(`\ufeff${header}`);
  expect(headLine("ndjson", lines)).toBe("");
});

it("an attribution has its role, share and level: those of a seller of the whole sale where nobody else earns from it", () => {
  const { attributions } = TABLES;
  if (attributions === undefined) throw new Error("no attributions");
  const stored = { id: "a", createdAt: 0, occurredAt: 0, occurredOn: null, properties: {} };
  const credit = { role: "engineer", share: "1/3", depth: 2, further: true };
  const shown = { id: "a", metadata: { occurred_at: "1970-01-01T00:00:00.000Z" }, view: {} };
  for (const [found] of [
    attributions.fromStore({ ...stored, credit: null, originId: null }),
    attributions.fromServer(shown),
  ])
    expect(found).toMatchObject({ id: "a", role: "seller", share: "1", depth: 0 });
  for (const [found] of [
    attributions.fromStore({ ...stored, credit, originId: "o" }),
    attributions.fromServer({ ...shown, metadata: { ...shown.metadata, credit, origin_id: "o" } }),
  ])
    expect(found).toMatchObject({ role: "engineer", share: "1/3", depth: 2, origin_id: "o" });
});
