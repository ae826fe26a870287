/** Erasing a partner: what marks its data is in every place that has personal data before, and in no table after. */
import { randomUUID } from "node:crypto";
import { Effect } from "effect";
import pg from "pg";
import { open, type Quittance } from "quittance/promise";
import { afterAll, beforeAll, describe, expect, inject, it, vi } from "vitest";
import type { Finding } from "../../adapters/server/verification/Check.ts";
import { verify } from "../../adapters/server/verification/Verification.ts";
import { DEBTOR } from "../payouts/Payers.ts";
import type {} from "../support/postgresSetup.ts";

const NAME = `quittance_erasure_${process.pid}`;
const URL_OF = Object.assign(new URL(inject("postgres").url), { pathname: `/${NAME}` }).href;
const MARK = "Zwiebelmann";
const IBAN = "DE75512108001245126199";
const VAT = "DE987654321";
const MARKS = [MARK, IBAN, "DE…6199", "SOLADES1", VAT].map((mark) => mark.toLowerCase());

const query = async <Row>(url: string, text: string): Promise<ReadonlyArray<Row>> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(text)).rows as ReadonlyArray<Row>;
  } finally {
    await client.end();
  }
};

/** The rows that contain a mark, as text or in bytes, by table. */
const marked = async (): Promise<Readonly<Record<string, number>>> => {
  const tables = await query<{ readonly name: string }>(
    URL_OF,
    "select table_name as name from information_schema.tables where table_schema = 'quittance' and table_type = 'BASE TABLE' order by 1",
  );
  const found: Record<string, number> = {};
  for (const { name } of tables) {
    const rows = await query<{ readonly row: string }>(
      URL_OF,
      `select to_jsonb(t)::text as row from quittance.${name} t`,
    );
    const count = rows.filter(({ row }) => {
      const bytes = (row.match(/[0-9a-f]{16,}/g) ?? []).map((hex) => Buffer.from(hex, "hex").toString());
      const text = `${row} ${bytes.join(" ")}`.toLowerCase();
      return MARKS.some((mark) => text.includes(mark));
    }).length;
    if (count > 0) found[name] = count;
  }
  return found;
};

const findings = async (): Promise<ReadonlyArray<Finding>> => {
  const found: Array<Finding> = [];
  const note = (finding: Finding) => Effect.sync(() => found.push(finding));
  await Effect.runPromise(verify({ type: "postgres", url: URL_OF }, null, note, () => {}));
  return found;
};

const customerId = randomUUID();
const workspaceId = randomUUID();
const address = { street: `${MARK} 1`, city: MARK, region: MARK, postalCode: MARK, country: "DE" };
const DATA = {
  ...{ legalName: `${MARK} GmbH`, address, vatNumber: VAT, paymentTermsDays: 30 },
  electronicAddress: `9930:${VAT}`,
  bankAccount: { beneficiaryName: MARK, iban: IBAN, bic: "SOLADES1XXX" },
  taxConfig: { treatment: "standard", label: "USt", rateBps: 1_900 },
} as const;
const plain = { street: "Kai 1", city: "Hamburg", region: "", postalCode: "20095", country: "DE" };
const bytes = new TextEncoder().encode(`%PDF-1.7 ${MARK}`);

type Me = ReturnType<Quittance["as"]>;

/** Pays a self-billed settlement at the third attempt, after a dispute: the first fails, the second is returned. */
const payBadly = async ({ drain, recordPaymentEvent }: Quittance, me: Me, id: string) => {
  await me.settlements.approve(id);
  await me.settlements.dispute(id, { reason: MARK });
  await me.settlements.resolveDispute(id, { resolution: "rejected", note: MARK });
  await drain();
  const handOver = async () => {
    await me.settlements.initiatePayment(id);
    await drain();
    await me.paymentFiles.handOver((await me.paymentFiles.create()).id);
  };
  await handOver();
  await me.settlements.failPayment(id, { reason: MARK });
  await handOver();
  const { paymentReference } = await me.settlements.get(id);
  const fact = { type: "confirmed", paymentReference: paymentReference ?? "", bankReference: MARK } as const;
  await recordPaymentEvent({ provider: "bank", eventId: "1", fact });
  await me.settlements.returnPayment(id, { reason: MARK });
  await me.settlements.markAsPaid(id, { bankReference: MARK, note: MARK });
};

const payUpload = async ({ drain }: Quittance, me: Me, id: string) => {
  await me.settlements.approve(id);
  await drain();
  await me.documents.upload(id, "invoice", { fileName: `${MARK}.pdf`, bytes, number: `${MARK}-0` });
  await me.documents.upload(id, "invoice", { fileName: `${MARK}.pdf`, bytes, number: `${MARK}-1` });
  const attach = () => me.documents.attach(id, { fileName: `${MARK}.pdf`, bytes });
  await me.settlements.comment(id, { text: MARK, attachmentIds: [(await attach()).id] });
  await attach();
  await me.settlements.markAsPaid(id);
};

/** Creates a partner with its mark everywhere; returns its id. */
const create = async (): Promise<string> => {
  const quittance = await open({ database: URL_OF, worker: false, payouts: "sepa" });
  const me = quittance.as({ customerId });
  await me.billingProfile.write({
    ...{ legalName: "Havn GmbH", address: plain, vatNumber: "DE123456789", bankAccount: DEBTOR },
    electronicAddress: "9930:DE123456789",
  });
  const partner = { name: MARK, workspaceId, billingMode: "self_billing", selfBillingData: DATA } as const;
  const { id: partnerId } = await me.partners.create(partner, { idempotencyKey: "partner" });
  await me.partners.update(partnerId, { name: `New ${MARK}` });
  const { id: schemaId } = await me.attributionSchemas.create({
    ...{ workspaceId, name: "Sale", properties: [{ name: "cents", type: "number", required: true }] },
  });
  const scope = { partnerId, schemaId, workspaceId };
  const terms = { currency: "EUR", startDatetime: "2000-01-01T00:00:00Z" } as const;
  const expression = { type: "property", name: "cents" } as const;
  await me.commissionFormulas.create({ ...scope, ...terms, name: MARK, description: MARK, expression });
  const { id: extra } = await me.commissionFormulas.create({ ...scope, ...terms, name: "1", expression });
  await me.commissionFormulas.cancel(extra, { reason: `wrong for ${MARK}` });
  const key = await me.apiKeys.create({ kind: "partner", partnerIds: [partnerId], name: MARK });
  await me.apiKeys.revoke(key.id);
  const settle = async (cents: number) => {
    const { id } = await me.attributions.create({ ...scope, properties: { cents } });
    const { items } = await me.commissions.list({ attributionIds: [id] });
    const commissionIds = items.map((item) => item.id);
    return (await me.settlements.create({ workspaceId, partnerId, commissionIds })).id;
  };
  await payBadly(quittance, me, await settle(1_000));
  await me.partners.update(partnerId, { billingMode: "partner_billing" });
  await payUpload(quittance, me, await settle(500));
  await me.events.list();
  await quittance.close();
  return partnerId;
};

const erase = async (partnerId: string) => {
  const quittance = await open({ database: URL_OF, worker: false, payouts: "sepa" });
  const { records } = await quittance.erasures.partner(partnerId);
  await quittance.as({ customerId }).events.list();
  await quittance.close();
  return records.map(({ recordType, kept }) => [recordType, kept?.reason ?? null]);
};

describe("the data of a partner", () => {
  let partnerId = "";
  beforeAll(async () => {
    await query(inject("postgres").url, `create database ${NAME}`);
    partnerId = await create();
  });
  afterAll(async () => {
    vi.useRealTimers();
    await query(inject("postgres").url, `drop database if exists ${NAME} with (force)`);
  });

  it("is in these tables", async () => {
    expect(Object.keys(await marked())).toEqual([
      "api_keys",
      "bank_payments",
      "document_bytes",
      "documents",
      "events",
      "formulas",
      "partners",
      "settlements",
    ]);
  });

  it("is in those of its paid settlements alone, once the partner is erased", async () => {
    const kept = ["settlement", "retention"];
    expect(await erase(partnerId)).toEqual([
      kept,
      kept,
      ["commission_formula", null],
      ["commission_formula", null],
      ["api_key", null],
      ["partner", null],
    ]);
    expect(Object.keys(await marked())).toEqual([
      ...["bank_payments", "document_bytes", "documents", "events", "settlements"],
    ]);
    expect(await findings()).toEqual([]);
  });

  it("is in no table once its settlements need not be kept, and every check holds", async () => {
    vi.useFakeTimers({ now: Date.now() + 12 * 366 * 24 * 60 * 60 * 1_000, toFake: ["Date"] });
    expect(await erase(partnerId)).toEqual([
      ["settlement", null],
      ["settlement", null],
    ]);
    expect(await marked()).toEqual({});
    expect(await findings()).toEqual([]);
    expect(await erase(partnerId)).toEqual([]);
  });
});
