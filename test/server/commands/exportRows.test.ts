/** The rows of an export: amounts as numbers that a spreadsheet reads, in one unit. */
import { expect, it } from "vitest";
import { type PartnerBody, partnerReader } from "../../../adapters/importing/PartnerRow.ts";
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

/** A part of a sale as the store has it and as the interface shows it; none of a sale without others. */
const PARTS = [
  [null, undefined, { role: "seller", share: "1", depth: 0, origin_id: null }],
  [
    { role: "engineer", share: "1/3", depth: 2, further: true },
    "o",
    { role: "engineer", share: "1/3", depth: 2, origin_id: "o" },
  ],
] as const;

it("a commission has the part of its sale: as a store joins it, and as a server lists its attribution beside it", () => {
  const { commissions } = TABLES;
  if (commissions === undefined) throw new Error("no commissions");
  const stored = { id: "c", formulaId: "f", createdAt: 0, computedAmount: 5, receipt: null, lines: [] };
  const amounts = {
    settledAmount: 0,
    pendingAmount: 0,
    paidAmount: 0,
    writtenOffAmount: 0,
    waitingAmount: null,
  };
  for (const [credit, originId, expected] of PARTS) {
    const [fromStore] = commissions.fromStore({
      ...{ commission: { ...stored, ...amounts }, credit, origin_id: originId ?? null },
    });
    expect(fromStore).toMatchObject({ id: "c", computed_amount: 5, ...expected });
    const metadata = { ...(credit === null ? {} : { credit, origin_id: originId }) };
    const [fromServer] = commissions.fromServer(
      { id: "c", view: { computed_amount: 5 } },
      { id: "a", metadata },
    );
    expect(fromServer).toMatchObject({ id: "c", computed_amount: 5, ...expected });
  }
  const [alone] = commissions.fromServer({ id: "c", view: {} });
  expect(alone).toMatchObject({ role: null, share: null, depth: null, origin_id: null });
  expect(commissions.columns.slice(-4)).toEqual(["role", "share", "origin_id", "depth"]);
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

it("a settlement has the fee of its payment and what arrived, each in its own currency, from a store as from a server", () => {
  const { settlements } = TABLES;
  if (settlements === undefined) throw new Error("no settlements");
  const paid = { fee: { amount: 150, currency: "EUR" }, received: { amount: 40_000, currency: "JPY" } };
  const view = { status: { type: "paid" }, total: 25_000, ...paid };
  const [fromStore] = settlements.fromStore({ id: "s", currency: "EUR", createdAt: 0, ...view });
  const [fromServer] = settlements.fromServer({ id: "s", currency: "EUR", view });
  for (const row of [fromStore, fromServer]) {
    expect(row).toMatchObject({ fee: 150, fee_currency: "EUR", received: 40_000, received_currency: "JPY" });
    if (row === undefined) throw new Error("no row");
    const cells = rowLine("csv", settlements, row).split(",");
    const head = headLine("csv", settlements).trim().split(",");
    const at = (column: string) => cells[head.indexOf(column)]?.trim();
    expect(["total", "fee", "received", "fee_minor", "received_minor"].map(at)).toEqual([
      ...["250.00", "1.50", "40000"],
      ...["150", "40000"],
    ]);
  }
  const [bare] = settlements.fromServer({ id: "s", currency: "EUR", view: { status: { type: "draft" } } });
  expect(bare).toMatchObject({ fee: null, fee_currency: null, received: null, received_currency: null });
});

it("a partner has what is stated of it, its account masked, from a store as from a server, in the columns of an import", () => {
  const { partners } = TABLES;
  if (partners === undefined) throw new Error("no partners");
  const address = { street: "Bulevardi 1", city: "Helsinki", region: "" };
  const facts = { status: "suspended", tags: ["gold", "north"], email: "ada@otso.example" };
  const account = { iban: "FI2112345600000785", bic: "NDEAFIHH" };
  const tax = { treatment: "standard", label: "ALV" };
  const stored = {
    ...{ id: "p", customerId: "c", workspaceId: "w", name: "Otso", externalReference: "crm-8", ...facts },
    ...{ billingMode: "self_billing", createdAt: 0, payoutAccounts: [{ details: account }] },
    selfBillingData: {
      ...{ legalName: "Otso Oy", vatNumber: "FI12345671", paymentTermsDays: 30 },
      ...{ address: { ...address, postalCode: "00100", country: "FI" } },
      ...{ bankAccount: { ...account, beneficiaryName: "=Otso" }, taxConfig: { ...tax, rateBps: 2550 } },
      ...{ contact: { name: "Bookkeeping", phone: "123", email: "books@otso.example" } },
    },
  };
  const shown = {
    ...{ id: "p", customer_id: "c", workspace_id: "w", name: "Otso", external_reference: "crm-8", ...facts },
    billing_mode: "self_billing",
    self_billing_data: {
      ...{ legal_name: "Otso Oy", vat_number: "FI12345671", payment_terms_days: 30 },
      ...{ address: { ...address, postal_code: "00100", country: "FI" } },
      ...{ bank_account: { ...account, beneficiary_name: "=Otso" }, tax_config: { ...tax, rate_bps: 2550 } },
    },
  };
  const [row = {}] = partners.fromStore(stored);
  expect(partners.fromServer(shown)).toEqual([row]);
  expect(row).toMatchObject({ tags: "gold|north", iban: "FI…0785", bic: "NDEAFIHH", tax_rate: 25.5 });
  expect(rowLine("csv", partners, row)).toContain(",'=Otso,");
  const read = partnerReader(
    partners.columns,
    "",
  )({ line: 2, number: 1, problem: null, cell: (name) => row[name] as string });
  expect("body" in read && (read.body as PartnerBody)).toEqual({
    ...{
      name: "Otso",
      external_reference: "crm-8",
      workspace_id: "w",
      billing_mode: "self_billing",
      ...facts,
    },
    self_billing_data: {
      ...shown.self_billing_data,
      bank_account: { ...shown.self_billing_data.bank_account, iban: "FI…0785" },
    },
  });
  const bare = { ...shown, self_billing_data: null, status: undefined, tags: undefined, email: undefined };
  expect(partners.fromServer(bare)).toMatchObject([
    { status: "active", tags: "", email: null, legal_name: null, iban: null, tax_rate: null },
  ]);
});
