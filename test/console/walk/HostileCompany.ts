/**
 * A company that is unkind to pages: names of the greatest length, with controls, directions, formulas and markup; currencies
 * without decimals and with three; amounts at the bound; a settlement of 10,000 lines; a partner under two plans of one name;
 * settlements in every state, of both signs, with bank files in every state.
 */
import { type Client, connect, type Expression } from "quittance/client";

const LONG = "W".repeat(255);
const REVERSED = "\u202efdp.eciovni\u0007 \u2066Ångström & Sønner";
const FORMULA = '=HYPERLINK("http://example.com";1+1)';
const MARKUP = "<img src=x onerror=alert(1)> شركة النور";
const WIDE = "漢".repeat(255);
const LINES = 10_000;
/** Milliseconds for a document on a machine that is busy with other tests. */
const PATIENCE = 180_000;
/** The largest property; nine times as much is nearly the largest amount, and three of those are no safe integer. */
const MOST = 999_999_999_999_999;

const address = {
  street: "Am Sandtorkai 1",
  city: "Hamburg",
  region: "",
  postalCode: "20457",
  country: "DE",
};
const bankAccount = { beneficiaryName: "Nordlicht GmbH", iban: "DE02120300000000202051", bic: "BYLADEM1001" };

const selfBilling = {
  billingMode: "self_billing" as const,
  selfBillingData: {
    legalName: "Nordlicht GmbH",
    ...{ address, bankAccount, vatNumber: "DE123456789", paymentTermsDays: 30 },
    taxConfig: { treatment: "standard" as const, label: "VAT", rateBps: 1900 },
  },
};

const property: Expression = { type: "property", name: "amount" };
const TENTH: Expression = {
  type: "multiply",
  operands: [property, { type: "literal", value: { type: "percent", value: 10 } }],
};

/** The company's partners by what is odd about them. */
export interface Hostile {
  readonly workspaceId: string;
  readonly partners: Readonly<
    Record<"long" | "reversed" | "formula" | "markup" | "twice" | "many" | "vast" | "nothing", string>
  >;
}

interface Place {
  readonly client: Client;
  readonly customerId: string;
  readonly workspaceId: string;
  readonly schemaId: string;
}

/** Records sales of a partner. */
const sell = async (
  { client, workspaceId, schemaId }: Place,
  partnerId: string,
  amounts: ReadonlyArray<number>,
  reference?: string,
): Promise<ReadonlyArray<string>> => {
  const ids: Array<string> = [];
  for (const [index, amount] of amounts.entries()) {
    const { id } = await client.attributions.create({
      ...{ partnerId, workspaceId, schemaId, properties: { amount, note: MARKUP } },
      ...(reference === undefined ? {} : { externalReference: `${reference.slice(0, 250)}${index}` }),
    });
    ids.push(id);
  }
  return ids;
};

/** Drafts what is due to a partner. */
const draft = async ({ client, customerId, workspaceId }: Place, partnerId: string): Promise<string> => {
  const due = { partnerIds: [partnerId], settlementStatus: "unsettled", due: "nonzero" } as const;
  const { items } = await client.commissions.list({ ...due, perPage: 100 });
  const commissionIds = items.map(({ id }) => id);
  return (await client.settlements.create({ customerId, workspaceId, partnerId, commissionIds })).id;
};

const approved = async (
  place: Place,
  partnerId: string,
  state: "awaiting_payment" | "awaiting_invoice" | "negative_review",
): Promise<string> => {
  const { settlements } = place.client;
  const id = await draft(place, partnerId);
  await settlements.approve(id);
  await settlements.waitFor(id, [state], { timeout: PATIENCE });
  return id;
};

/** Payments by file: one handed over, one in a file, one that waits for one, and one that was paid and reconciled. */
const payByFiles = async (place: Place, partnerId: string): Promise<void> => {
  const { billingProfile, paymentFiles, settlements } = place.client;
  await billingProfile.write({ legalName: LONG, address, vatNumber: "DE287654321", bankAccount });
  const initiate = async (amount: number): Promise<void> => {
    await sell(place, partnerId, [amount]);
    await settlements.initiatePayment(await approved(place, partnerId, "awaiting_payment"));
  };
  await initiate(123_450);
  await paymentFiles.handOver((await paymentFiles.create()).id);
  await initiate(99);
  await paymentFiles.create();
  await initiate(1_000_000_000);
  await sell(place, partnerId, [7_770]);
  const paid = await approved(place, partnerId, "awaiting_payment");
  await settlements.markAsPaid(paid, { bankReference: REVERSED, note: MARKUP });
  await settlements.reconcile(paid, { reconciled: true });
};

/** Paid sales that come back: settlements below zero that are decided in each way, and one that still has to be. */
const giveBack = async (place: Place, partnerId: string): Promise<void> => {
  const { attributions, settlements } = place.client;
  const decisions = ["carry_forward", "issue_credit_note", "write_off", null] as const;
  for (const [index, decision] of decisions.entries()) {
    const [sale = ""] = await sell(place, partnerId, [100_010 + index]);
    const paid = await approved(place, partnerId, "awaiting_payment");
    await settlements.markAsPaid(paid);
    await attributions.cancel(sale, { reason: FORMULA });
    const negative = await approved(place, partnerId, "negative_review");
    if (decision !== null) await settlements.review(negative, { decision, note: REVERSED });
    // What is carried forward is decided once more, so that it is not netted with the next sale.
    if (decision === "carry_forward")
      await settlements.writeOff(await approved(place, partnerId, "negative_review"));
  }
};

/** Settlements that end otherwise, and drafts. */
const others = async (place: Place, { twice, formula, markup, long }: Hostile["partners"]): Promise<void> => {
  const { attributions, settlements } = place.client;
  await sell(place, twice, [55_555]);
  await settlements.dispute(await approved(place, twice, "awaiting_payment"), { reason: LONG });
  await sell(place, twice, [66_666]);
  const upheld = await approved(place, twice, "awaiting_payment");
  await settlements.dispute(upheld, { reason: MARKUP });
  await settlements.resolveDispute(upheld, { resolution: "upheld", note: MARKUP });
  await settlements.cancel(await draft(place, twice));
  await sell(place, formula, [123_456_789, 5], REVERSED);
  const [changed = ""] = await sell(place, formula, [77_777]);
  await draft(place, formula);
  await attributions.cancel(changed, { reason: MARKUP });
  await sell(place, markup, [1_234_567, 1]);
  await approved(place, markup, "awaiting_invoice");
  await sell(place, long, [4_242, 4_243], LONG);
};

/** A settlement of the most lines, drafted by a run. */
const fillMany = async (place: Place, partnerId: string): Promise<void> => {
  const { client, workspaceId, schemaId } = place;
  for (let from = 0; from < LINES; from += 1_000)
    await client.attributions.createBatch({
      attributions: Array.from({ length: 1_000 }, (_, index) => ({
        ...{ partnerId, workspaceId, schemaId, properties: { amount: 1_000 + from + index } },
      })),
    });
  const { id } = await client.settlementRuns.start({ workspaceId, partnerIds: [partnerId] });
  for (;;) {
    const { run } = await client.settlementRuns.read(id);
    if (run.state === "done") return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
};

/** Fills the customer of a key. */
export const createHostile = async (url: string, key: string, customerId: string): Promise<Hostile> => {
  const client = connect({ url, key });
  const workspaceId = crypto.randomUUID();
  const { id: schemaId } = await client.attributionSchemas.create({
    ...{ workspaceId, name: REVERSED },
    properties: [
      { name: "amount", type: "number", required: true },
      { name: "note", type: "string", required: false, default: "" },
    ],
  });
  const place: Place = { client, customerId, workspaceId, schemaId };
  const partner = async (name: string, billing: object = {}): Promise<string> =>
    (await client.partners.create({ name, workspaceId, ...billing })).id;
  const partners: Hostile["partners"] = {
    long: await partner(LONG),
    reversed: await partner(REVERSED, selfBilling),
    formula: await partner(FORMULA),
    markup: await partner(MARKUP, { billingMode: "partner_billing" }),
    twice: await partner("Two plans of one name", selfBilling),
    many: await partner("Ten thousand lines"),
    vast: await partner(WIDE),
    nothing: await partner("Nothing yet"),
  };
  const startDatetime = new Date(Date.now() - 40 * 86_400_000).toISOString();
  const plan = async (
    name: string,
    currency: string,
    expression: Expression,
    ...partnerIds: ReadonlyArray<string>
  ): Promise<void> => {
    const terms = { workspaceId, schemaId, name, currency, startDatetime, expression };
    const { id } = await client.commissionPlans.create({ ...terms, description: MARKUP });
    await client.commissionPlans.assign(id, { partnerIds });
  };
  await plan("Ten percent", "EUR", TENTH, partners.reversed, partners.twice, partners.many);
  await plan("Ten percent", "EUR", TENTH, partners.twice);
  await plan(LONG, "EUR", TENTH, partners.long);
  await plan(FORMULA, "JPY", TENTH, partners.formula);
  await plan(MARKUP, "KWD", TENTH, partners.markup);
  await client.commissionFormulas.create({
    ...{ workspaceId, schemaId, partnerId: partners.vast, name: WIDE, currency: "USD", startDatetime },
    expression: {
      type: "multiply",
      operands: [property, { type: "literal", value: { type: "number", value: 9 } }],
    },
  });
  await sell(place, partners.vast, [MOST, MOST, MOST]);
  await payByFiles(place, partners.reversed);
  await giveBack(place, partners.twice);
  await others(place, partners);
  await fillMany(place, partners.many);
  await client.webhookEndpoints.create({
    url: `https://hooks.example.com/${"path".repeat(60)}`,
    ...{ description: LONG, types: ["mark_as_paid"] },
  });
  return { workspaceId, partners };
};
