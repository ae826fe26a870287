/** The same journeys through each interface, row by row; each step is done twice under one idempotency key. */
import { setTimeout } from "node:timers/promises";
import { expect, it } from "vitest";
import * as Given from "../services/Given.ts";
import { type Api, DRIVERS, type Driver } from "./Drivers.ts";
import { PARTNER_BILLING, SELF_BILLING } from "./Journeys.ts";

type Key = { readonly idempotencyKey: string };

/** What rows may name; it takes the id of the newest settlement. */
type Actions = Readonly<Record<string, (id: string, key: Key) => Promise<unknown>>>;

const file = (number: string) => {
  const bytes = new TextEncoder().encode(`%PDF-1.7 ${number}`);
  return { fileName: `Rechnung Nr. ${number} – März.pdf`, bytes, number };
};

/** The name of a file and its text, or whether the service has issued it: as a PDF, or in words by the engine of the tests. */
const contentOf = async (downloading: ReturnType<Api["documents"]["download"]>): Promise<string> => {
  const { document, bytes } = await downloading;
  const text = new TextDecoder().decode(bytes);
  return `${document.fileName}: ${/^(%PDF-\S+\n|\w+ of )/.test(text) ? "issued" : text}`;
};

/** A partner with a formula of 10 %, before its first sale. */
const setUp = async ({ me, customerId, drain }: Driver, isSelfBilled: boolean) => {
  const workspaceId = crypto.randomUUID();
  const { id: partnerId } = await me.partners.create({
    ...{ name: "Nordlys ApS", workspaceId },
    ...(isSelfBilled ? { billingMode: "self_billing", selfBillingData: Given.SELF_BILLING } : {}),
  });
  const properties = [{ name: "order_value", type: "number", required: true }] as const;
  const { id: schemaId } = await me.attributionSchemas.create({ workspaceId, name: "Sale", properties });
  const scope = { partnerId, schemaId, workspaceId };
  const terms = { name: "10 %", currency: "EUR", startDatetime: 0, expression: Given.percent(10) };
  await me.commissionFormulas.create({ ...scope, ...terms });
  const commissions = async () => (await me.commissions.list({ partnerIds: [partnerId] })).items;
  const draft = async () => {
    const commissionIds = (await commissions()).map(({ id }) => id);
    return { customerId, workspaceId, partnerId, commissionIds };
  };
  const sell = (cents: number) => (_: string, key: Key) => {
    const properties = { order_value: cents };
    return me.attributions.create({ ...scope, properties, externalReference: `order ${cents}` }, key);
  };
  const { settlements, documents } = me;
  const actions: Actions = {
    "the worker": drain,
    "record the first sale": sell(12_345),
    "record the second sale": sell(12_346),
    "cancel the first sale": async (_, key) =>
      me.attributions.cancel((await commissions())[0]?.attributionId ?? "", { reason: "refunded" }, key),
    "start a run": (_, key) => me.settlementRuns.start({ workspaceId }, key),
    "preview a draft": async () => {
      const { currency, total, lines } = await settlements.preview(await draft());
      return `${currency} ${total}: ${lines.map(({ amount }) => amount)}`;
    },
    "create a draft": async (_, key) => settlements.create(await draft(), key),
    "cancel the draft": (id, key) => settlements.cancel(id, key),
    approve: (id, key) => settlements.approve(id, key),
    "write off": (id, key) => settlements.writeOff(id, undefined, key),
    "upload the invoice": (id, key) =>
      documents.upload(id, "invoice", { ...file("2026-17"), dueDate: "2099-01-31" }, key),
    "upload it again": (id, key) =>
      documents.upload(id, "invoice", { ...file("2026-18"), dueDate: "2099-02-28" }, key),
    "upload the credit note": (id, key) => documents.upload(id, "credit_note", file("2026-19"), key),
    "download the report": (id) => contentOf(documents.download(id, "report")),
    "download the invoice": (id) => contentOf(documents.download(id, "invoice")),
    "download the credit note": (id) => contentOf(documents.download(id, "credit_note")),
    "ask for a credit note": (id, key) => settlements.review(id, { decision: "issue_credit_note" }, key),
    "initiate the payment": (id, key) => settlements.initiatePayment(id, key),
    "mark as paid": (id, key) => settlements.markAsPaid(id, undefined, key),
    "return the payment": (id, key) => settlements.returnPayment(id, { reason: "closed" }, key),
    reconcile: (id, key) => settlements.reconcile(id, { reconciled: true }, key),
    "revert the reconciliation": (id, key) => settlements.reconcile(id, { reconciled: false }, key),
  };
  return { partnerIds: [partnerId], actions };
};

const FIELDS = [
  ...["total", "lines", "taxAmount", "payableAmount", "reportNumber", "invoiceNumber", "creditNoteNumber"],
  ...["dueDate", "reconciliationStatus"],
];
const TOLD = ["line_count", "billing_mode", "decision"];

/** Without what differs from run to run: ids, and when documents of the service are due. */
const steady = (text: string) =>
  text.replace(/[\da-f]{8}-[\da-f-]{27}/g, "ID").replace(/dueDate=20[2-8]\S+/, "dueDate=DATE");

/** A settlement before it is created. */
const NONE = { id: "", status: "", log: [], fields: ["reconciliationStatus=unreconciled"] };

/** What the interface shows: the state of the newest settlement, the ledger, and how many commissions are in which state. */
const read = async (me: Api, partnerIds: ReadonlyArray<string>, caller: string) => {
  // The ledger is that before the present millisecond.
  await setTimeout(5);
  const { rows } = await me.journal.payables({ groupBy: "currency" });
  const ledger = rows.flatMap((row) =>
    [row.earned, row.accrued, row.inSettlement, row.tax, row.payable, row.paid].join(" "),
  );
  const counts: Array<number> = [];
  for (const settlementStatus of ["unsettled", "pending_settlement", "settled"] as const)
    counts.push((await me.commissions.list({ partnerIds, settlementStatus })).total);
  const cells = [...ledger, counts.join(" ")];
  const [newest] = (await me.settlements.list({ partnerIds, order: "desc" })).items;
  if (newest === undefined) return { ...NONE, cells };
  const { id, status, lines, events } = newest;
  const shown = new Map<string, unknown>(
    Object.entries({ ...newest, lines: lines.map(({ amount }) => amount) }),
  );
  const log = events.map(({ event, ...entry }) => {
    const { actor, person = actor } = entry as { readonly actor?: string; readonly person?: string };
    const told = Object.entries(event).filter(([name]) => TOLD.includes(name));
    const words = [event.type, ...told.map(([name, value]) => `${name}=${value}`)];
    return [...words, ...(person === caller ? [] : [`by ${person}`])].join(" ");
  });
  const fields = FIELDS.filter((name) => shown.get(name) != null).map((name) => `${name}=${shown.get(name)}`);
  return { id, cells, log, fields, status: Object.values(status).join(" ") };
};

type Seen = Awaited<ReturnType<typeof read>>;

/** The row of a step, with the entries and fields that are new. */
const rowOf = (
  does: string,
  before: Seen,
  { id, status, cells, log, fields }: Seen,
): ReadonlyArray<string> => {
  const known: Omit<Seen, "cells"> = id === before.id ? before : NONE;
  expect(log.slice(0, known.log.length), `the log before ${does}`).toEqual(known.log);
  const changed = fields.filter((field) => !known.fields.includes(field)).join(" ");
  const added = [...log.slice(known.log.length), steady(changed)].filter((part) => part !== "");
  return [does, status, ...cells, added.join(", ")];
};

const CASES = Object.entries(DRIVERS).flatMap(([name, open]) => [
  { name, open, billing: "partner billing", journey: PARTNER_BILLING },
  { name, open, billing: "self-billing", journey: SELF_BILLING },
]);

it.each(CASES)("two sales are paid and one is credited through $name with $billing", async (given) => {
  const driver = await given.open();
  const { partnerIds, actions } = await setUp(driver, given.journey === SELF_BILLING);
  const now = () => read(driver.me, partnerIds, driver.person);
  let seen = await now();
  for (const line of given.journey.trim().split("\n")) {
    const row = line.split("|").map((cell) => cell.trim().replace(/ +/g, " "));
    const [does = ""] = row;
    const action = actions[does];
    if (action === undefined) throw new Error(`nothing is known of ${does}`);
    const key = { idempotencyKey: crypto.randomUUID() };
    const act = () => action(seen.id, key);
    if (line.startsWith(" ")) {
      const result = await act().catch(({ status, message }) => `${status} ${message}`);
      expect([does, typeof result === "string" ? steady(result) : "accepted"]).toEqual(row);
      expect(await now(), `after another ${does}`).toEqual(seen);
      continue;
    }
    const first = await act();
    const then = await now();
    expect(rowOf(does, seen, then)).toEqual(row);
    const again = does === "the worker" ? 0 : { ...Object(first), replayed: true };
    expect(await act(), `${does}, again`).toEqual(again);
    expect(await now(), `after ${does}, again`).toEqual(then);
    expect(await driver.problems(), `after ${does}`).toEqual([]);
    seen = then;
  }
  await driver.close();
});
