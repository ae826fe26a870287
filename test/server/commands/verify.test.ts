/** `quittance verify`: silent on a sound store, and each kind of damage is found and named. */
import { randomUUID } from "node:crypto";
import { Effect, Redacted } from "effect";
import pg from "pg";
import type { Ids } from "quittance";
import * as Postgres from "quittance/postgres";
import { open } from "quittance/promise";
import { runModel } from "quittance/testing";
import { afterAll, beforeAll, describe, expect, inject, it, vi } from "vitest";
import { exportFromStore } from "../../../adapters/server/exporting/Exporting.ts";
import { TABLES, type Table } from "../../../adapters/server/exporting/Table.ts";
import type { Finding } from "../../../adapters/server/verification/Check.ts";
import { verify } from "../../../adapters/server/verification/Verification.ts";
import { CREDITOR, DEBTOR } from "../../payouts/Payers.ts";
import { statementProblems } from "../../postgres/distribution/Routability.ts";
import { schemaOf } from "../../postgres/distribution/Schema.ts";
import type {} from "../../support/postgresSetup.ts";
import { callCommand } from "../callCommand.ts";
import { folder, run } from "../running.ts";
import { keysOfCustomers, responses } from "./Responses.ts";
import { prepare } from "./Store.ts";

const COMMANDS = 700;
const SEED = 20_261_122;

const admin = inject("postgres").url;
const SOUND = `quittance_verify_${process.pid}`;

const urlOf = (name: string): string => Object.assign(new URL(admin), { pathname: `/${name}` }).href;

const query = async (url: string, ...texts: ReadonlyArray<string>): Promise<number> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  let changed = 0;
  try {
    for (const text of texts) changed += (await client.query(text)).rowCount ?? 0;
  } finally {
    await client.end();
  }
  return changed;
};

/** The findings in a database, by check. */
const findings = async (name: string): Promise<ReadonlyArray<Finding>> => {
  const found: Array<Finding> = [];
  await Effect.runPromise(
    verify(
      { type: "postgres", url: urlOf(name) },
      null,
      (finding) => Effect.sync(() => found.push(finding)),
      () => {},
    ),
  );
  return found;
};

const customers = async (name: string): Promise<ReadonlyArray<Ids.CustomerId>> => {
  const client = new pg.Client({ connectionString: urlOf(name) });
  await client.connect();
  try {
    const { rows } = await client.query<{ readonly id: Ids.CustomerId }>(
      "select customer_id as id from quittance.settlements order by 1 limit 1",
    );
    return rows.map(({ id }) => id);
  } finally {
    await client.end();
  }
};

/** Every customer who has a partner. */
const customerIds = async (name: string): Promise<ReadonlyArray<string>> => {
  const client = new pg.Client({ connectionString: urlOf(name) });
  await client.connect();
  try {
    const { rows } = await client.query<{ readonly id: string }>(
      "select distinct customer_id as id from quittance.partners order by 1",
    );
    return rows.map(({ id }) => id);
  } finally {
    await client.end();
  }
};

/** Exports the rows of a customer, and forgets them. */
const exported = (customerId: Ids.CustomerId, table: Table) =>
  Effect.runPromise(
    exportFromStore(
      { type: "postgres", url: urlOf(SOUND) },
      customerId,
      { table, filters: { workspace: null, partner: null, from: null, to: null }, format: "csv" },
      { sink: { write: () => Effect.void }, reportCount: () => {} },
    ),
  );

/** Applies damages to a copy of the sound store; returns the record of each, and what is found there. */
const damaged = async (texts: ReadonlyArray<string>) => {
  const name = `${SOUND}_damaged`;
  await query(admin, `create database ${name} template ${SOUND}`);
  const client = new pg.Client({ connectionString: urlOf(name) });
  try {
    await client.connect();
    // As somebody who can run statements of their own would, without triggers and foreign keys.
    await client.query("set session_replication_role = replica; create temporary table damaged (id uuid)");
    const ids: Array<string> = [];
    for (const text of texts) {
      const { rows } = await client.query<{ readonly id: string }>(text);
      expect(rows, text).toHaveLength(1);
      ids.push(rows[0]?.id ?? "");
      await client.query("insert into damaged values ($1)", [rows[0]?.id]);
    }
    return { ids, found: await findings(name) };
  } finally {
    await client.end();
    await query(admin, `drop database ${name} with (force)`);
  }
};

/** The random commands settle everything at their end; this leaves a draft, and commissions that are due. */
const addDraft = async (database: string): Promise<void> => {
  const { customerId, workspaceId, schemaId } = await prepare(database);
  const quittance = await open({ database, worker: false });
  const me = quittance.as({ customerId });
  const [partner] = (await me.partners.list()).items;
  if (partner === undefined) throw new Error("no partner was created");
  const scope = { partnerId: partner.id, schemaId, workspaceId };
  const properties = { line: "1", genre: "Rock", unit_price: 1.99, quantity: 2 };
  for (let count = 0; count < 10; count++) await me.attributions.create({ ...scope, properties });
  const ids = (await me.commissions.list()).items.map(({ id }) => id);
  for (const commissionIds of [ids.slice(0, 2), ids.slice(2, 4)])
    await me.settlements.create({ workspaceId, partnerId: partner.id, commissionIds });
  await me.commissionFormulas.create({
    ...scope,
    name: "ended before the first sale",
    currency: "USD",
    startDatetime: "2000-01-01T00:00:00Z",
    endDatetime: "2000-02-01T00:00:00Z",
    expression: { type: "literal", value: { type: "number", value: 1 } },
  });
  // Reading the feed appends what waits.
  await me.events.list();
  await quittance.close();
};

/** The customers of {@link addPayments} and {@link addAccounts}: random commands pay by files, too. */
const [PAYER, ACCOUNT_PAYER] = [randomUUID(), randomUUID()];

/** A customer who issues its partner's invoices and pays them by files: two files of three and two payments, and one that waits. */
const addPayments = async (database: string): Promise<void> => {
  const quittance = await open({ database, payouts: "sepa" });
  const me = quittance.as({ customerId: PAYER });
  const workspaceId = randomUUID();
  const address = { street: "Havnegade 1", city: "København", region: "", postalCode: "1058", country: "DK" };
  const { id: partnerId } = await me.partners.create({
    name: "Nordlys ApS",
    workspaceId,
    billingMode: "self_billing",
    selfBillingData: {
      ...{ legalName: "Nordlys ApS", address, vatNumber: "DK12345678", paymentTermsDays: 30 },
      bankAccount: CREDITOR,
      taxConfig: { treatment: "standard", label: "VAT", rateBps: 2_500 },
    },
  });
  await me.billingProfile.write({
    ...{ legalName: "Havn & Mark GmbH", address, vatNumber: "DE123456789", bankAccount: DEBTOR },
  });
  const { id: schemaId } = await me.attributionSchemas.create({
    ...{ workspaceId, name: "Sale", properties: [{ name: "cents", type: "number", required: true }] },
  });
  const scope = { partnerId, schemaId, workspaceId };
  await me.commissionFormulas.create({
    ...scope,
    ...{ name: "all of it", currency: "EUR", startDatetime: "2000-01-01T00:00:00Z" },
    expression: { type: "property", name: "cents" },
  });
  for (let cents = 101; cents <= 106; cents++)
    await me.attributions.create({ ...scope, properties: { cents } });
  const settlementIds: Array<string> = [];
  for (const commission of (await me.commissions.list()).items) {
    // From the third on, an approval states the account, which is one of two.
    if (settlementIds.length === 2)
      await me.payoutAccounts.propose(partnerId, {
        ...{ type: "email", currency: "USD" },
        details: { address: "pay@nordlys.example", service: "Wallet" },
      });
    const { id } = await me.settlements.create({ workspaceId, partnerId, commissionIds: [commission.id] });
    await me.settlements.approve(id);
    settlementIds.push(id);
  }
  for (const [index, id] of settlementIds.entries()) {
    await me.settlements.waitFor(id, ["awaiting_payment"], { timeout: 300_000 });
    await me.settlements.initiatePayment(id);
    if (index === 2 || index === 4) await me.paymentFiles.create();
  }
  // Reading the feed appends what waits.
  await me.events.list();
  await quittance.close();
};

/** An account of each type that files pay to, in the currency in which it is paid. */
const ACCOUNTS = [
  [
    "USD",
    "us_ach",
    {
      ...{ routing_number: "021000021", account_number: "55779911", account_type: "checking" },
      ...{ holder: "Nordlys LLC", holder_type: "company" },
    },
  ],
  ["GBP", "uk", { sort_code: "200000", account_number: "55779911", holder: "Nordlys Ltd" }],
  ["CHF", "iban", { iban: "CH9300762011623852957", bic: "UBSWCHZH80A", holder: "Nordlys AG" }],
  ["EUR", "iban", { iban: CREDITOR.iban, holder: "Nordlys ApS", holder_type: "company" }],
] as const;

/** A customer who pays in several currencies, to an account of each type. */
const addAccounts = async (database: string): Promise<void> => {
  const quittance = await open({ database, payouts: { files: { formats: ["wise-csv"] } } });
  const me = quittance.as({ customerId: ACCOUNT_PAYER });
  const workspaceId = randomUUID();
  const address = { street: "1 Main St", city: "Austin", region: "TX", postalCode: "73301", country: "US" };
  const { id: partnerId } = await me.partners.create({
    name: "Nordlys LLC",
    workspaceId,
    billingMode: "self_billing",
    selfBillingData: {
      ...{
        legalName: "Nordlys LLC",
        address,
        vatNumber: "US123456789",
        paymentTermsDays: 30,
        bankAccount: CREDITOR,
      },
      taxConfig: { treatment: "exempt", label: "VAT", rateBps: null },
    },
  });
  await me.billingProfile.write({ legalName: "Havn & Mark GmbH", address, vatNumber: "DE123456789" });
  const { id: schemaId } = await me.attributionSchemas.create({
    ...{ workspaceId, name: "Sale", properties: [{ name: "cents", type: "number", required: true }] },
  });
  const scope = { partnerId, schemaId, workspaceId };
  for (const [currency, type, details] of ACCOUNTS) {
    await me.payoutAccounts.propose(partnerId, { type, currency, details });
    await me.commissionFormulas.create({
      ...{ ...scope, name: currency, currency, startDatetime: "2000-01-01T00:00:00Z" },
      expression: { type: "property", name: "cents" },
    });
  }
  for (const cents of [1_000, 2_000]) await me.attributions.create({ ...scope, properties: { cents } });
  for (const commission of (await me.commissions.list()).items) {
    const { id } = await me.settlements.create({ workspaceId, partnerId, commissionIds: [commission.id] });
    await me.settlements.approve(id);
    await me.settlements.waitFor(id, ["awaiting_payment"], { timeout: 300_000 });
    await me.settlements.initiatePayment(id);
    await me.paymentFiles.create();
  }
  // Reading the feed appends what waits.
  await me.events.list();
  await quittance.close();
};

/** A customer with policies, webhook endpoints, and settlement runs: two are done, and one waits. */
const addRuns = async (database: string): Promise<void> => {
  const { customerId, workspaceId } = await prepare(database);
  const quittance = await open({ database, worker: false, webhooks: { allowPrivate: true } });
  const me = quittance.as({ customerId });
  const [partner] = (await me.partners.list()).items;
  const [schema] = (await me.attributionSchemas.list()).items;
  if (partner === undefined || schema === undefined) throw new Error("nothing was prepared");
  const place = { partnerId: partner.id, schemaId: schema.id, workspaceId };
  const properties = { line: "1", genre: "Rock", unit_price: 1.99, quantity: 2 };
  await me.partners.create({ name: "without a sale", workspaceId });
  const { id: second } = (await me.partners.list()).items[1] ?? partner;
  const cadence = { type: "monthly", day: 1, timeZone: "Europe/Copenhagen" } as const;
  const managed = { partnerId: partner.id, uplinePartnerId: second, role: "manager" };
  for (const dates of [
    { startDatetime: "2026-01-01T00:00:00Z", endDatetime: "2026-02-01T00:00:00Z" },
    { startDatetime: "2026-02-01T00:00:00Z" },
  ])
    await me.partnerLinks.create({ ...managed, ...dates });
  for (const name of ["one", "two"]) await me.apiKeys.create({ name });
  await me.settlementPolicies.write(workspaceId, { cadence, autoApprove: { USD: 1_000_000 } });
  for (const partnerId of [partner.id, second])
    await me.settlementPolicies.writeOverride(workspaceId, partnerId, { holdDays: 0 });
  // These addresses have no receiver, so that deliveries stay open.
  for (const path of ["one", "two", "three"])
    await me.webhookEndpoints.create({ url: `http://127.0.0.1:9/${path}` });
  for (let round = 0; round < 2; round++) {
    for (let count = 0; count < 3; count++) await me.attributions.create({ ...place, properties });
    await me.settlementRuns.start({ workspaceId });
    await quittance.drain();
  }
  await me.settlementRuns.start({ workspaceId });
  // Reading the feed appends what waits.
  await me.events.list();
  await quittance.close();
};

/**
 * A customer whose partner is paid as buyers pay: of three sales nothing is stated, a part is paid, and all is. Three other sales were
 * settled elsewhere.
 */
const addReceipts = async (database: string): Promise<void> => {
  const quittance = await open({ database, worker: false });
  const me = quittance.as({ customerId: randomUUID() });
  const workspaceId = randomUUID();
  const { id: partnerId } = await me.partners.create({ name: "Nordlys ApS", workspaceId });
  const { id: schemaId } = await me.attributionSchemas.create({
    ...{ workspaceId, name: "Sale", properties: [{ name: "cents", type: "number", required: true }] },
  });
  const scope = { partnerId, schemaId, workspaceId };
  await me.commissionFormulas.create({
    ...{ ...scope, release: "on_receipt", name: "when paid", currency: "EUR" },
    ...{ startDatetime: "2000-01-01T00:00:00Z", expression: { type: "property", name: "cents" } },
  });
  for (const receipts of [
    [],
    [[1, 4]],
    [
      [1, 4],
      [3, 4],
    ],
    [[4, 4]],
  ] as const) {
    const { id } = await me.attributions.create({ ...scope, properties: { cents: 1_000 } });
    for (const [received, of] of receipts) await me.receipts.stateReceived(id, { received, of });
  }
  const { id: movedIn } = await me.attributionSchemas.create({
    ...{
      workspaceId,
      name: "Sale elsewhere",
      properties: [{ name: "cents", type: "number", required: true }],
    },
  });
  await me.commissionFormulas.create({
    ...{ ...scope, schemaId: movedIn, name: "elsewhere", currency: "EUR" },
    ...{ startDatetime: "2000-01-01T00:00:00Z", expression: { type: "property", name: "cents" } },
  });
  for (const reference of ["PO-1", "PO-2", "PO-3"])
    await me.attributions.create({
      ...{ ...scope, schemaId: movedIn, properties: { cents: 1_000 }, occurredAt: "2025-01-01T00:00:00Z" },
      settledElsewhere: { at: "2025-02-01T00:00:00Z", reference },
    });
  // Reading the feed appends what waits.
  await me.events.list();
  await quittance.close();
};

beforeAll(async () => {
  await query(admin, `create database ${SOUND} template ${inject("postgres").template}`);
  const layer = Postgres.layer({ url: Redacted.make(urlOf(SOUND)) });
  await runModel({ layer, seed: SEED, commands: COMMANDS, shared: true });
  await addDraft(urlOf(SOUND));
  await addPayments(urlOf(SOUND));
  await addAccounts(urlOf(SOUND));
  await addRuns(urlOf(SOUND));
  await addReceipts(urlOf(SOUND));
});

afterAll(() => query(admin, `drop database if exists ${SOUND} with (force)`));

/** The customer and id of a row that a condition selects and that no other damage has touched. */
const one = (table: string, condition: string, key = "id"): string =>
  `(customer_id, ${key}) = (select t.customer_id, t.${key} from quittance.${table} t
    where ${condition} and not exists (select from damaged d where d.id = t.${key}) order by 1, 2 limit 1)`;

const PAYS = `customer_id = '${PAYER}'`;
const IN_FILE = `t.file_id is not null and t.${PAYS}`;
/** The customer of {@link addRuns}. */
const RUNS = "t.customer_id in (select e.customer_id from quittance.webhook_endpoints e)";
/** The customer of {@link addReceipts}. */
const WAITS = `t.formula_id in (select f.id from quittance.formulas f where f.name = 'when paid')`;
/** An event of {@link addReceipts} by which a commission was settled elsewhere, of a payment there. */
const settling = (reference: string) =>
  one(
    "events",
    `t.event->>'type' = 'settle_elsewhere' and t.event->>'reference' = '${reference}'`,
    "record_id",
  );
const ACTIVE = `t.formula_id in (select f.id from quittance.formulas f where f.status = 'active')`;
const CONFIRMED = `t.attribution_id in (select a.id from quittance.attributions a where a.status = 'confirmed')`;
// Those that wait for buyers have damages of their own.
const UNTOUCHED = `t.version = 1 and t.computed_amount > 0 and t.receipt is null and ${ACTIVE} and ${CONFIRMED}`;

/** What is damaged, the check that must name it, and the statement, which returns the id of the record. */
type Damage = readonly [what: string, check: string, text: string];

/** Each is a field of where a payment goes, by the currency of {@link ACCOUNTS}, and another value. */
const REDIRECTED = [
  ["USD", "{account,details,routing_number}", "011000015"],
  ["USD", "{account,details,account_number}", "55779912"],
  ["GBP", "{account,details,sort_code}", "200001"],
  ["GBP", "{account,type}", "us_ach"],
  ["CHF", "{bankAccount,bic}", "CRESCHZZ80A"],
  ["CHF", "{bankAccount,beneficiaryName}", "Sydlys AG"],
  ["EUR", "{account,details,iban}", "DE02120300000000202051"],
  ["EUR", "{account,details,holder_type}", "person"],
] as const;

const DAMAGES: ReadonlyArray<Damage> = [
  ...REDIRECTED.map(
    ([currency, field, value]): Damage => [
      `${field} of a payment in ${currency}`,
      "payment files",
      `update quittance.bank_payments set view = jsonb_set(view, '${field}', '"${value}"')
     where ${one("bank_payments", `t.view->>'currency' = '${currency}' and t.customer_id = '${ACCOUNT_PAYER}'`)} returning id`,
    ],
  ),
  [
    "an amount in the row of a commission",
    "L1",
    `update quittance.commissions set computed_amount = computed_amount + 1 where ${one("commissions", "t.computed_amount > 0 and t.receipt is null")} returning id`,
  ],
  [
    "an amount in the log of a commission",
    "L1",
    `update quittance.events set event = (event::jsonb || '{"amount": 77777}')::json
     where ${one("events", "t.kind = 'commission' and t.record_id in (select c.id from quittance.commissions c where c.version = 1 and c.computed_amount > 0 and c.receipt is null)", "record_id")}
     returning record_id as id`,
  ],
  [
    "the statement that a commission knows, for one before the last",
    "S15",
    `update quittance.commissions set receipt = '{"received": 1, "of": 4}', waiting_amount = 750
     where ${one("commissions", `t.receipt->>'received' = '3' and t.waiting_amount = 250 and ${WAITS}`)} returning id`,
  ],
  [
    "a commission that no longer waits",
    "S15",
    `update quittance.commissions set receipt = null, waiting_amount = null
     where ${one("commissions", `t.receipt->>'of' is null and ${WAITS}`)} returning id`,
  ],
  [
    "what waits of a commission",
    "L1",
    `update quittance.commissions set waiting_amount = waiting_amount - 1
     where ${one("commissions", `t.waiting_amount = 750 and t.receipt->>'received' = '1' and ${WAITS}`)} returning id`,
  ],
  [
    "the reference under which a commission was settled elsewhere",
    "S16",
    `update quittance.events set event = (event::jsonb || '{"reference": "PO-9"}')::json
     where ${settling("PO-1")} and sequence = 2 returning record_id as id`,
  ],
  [
    "the amount of which a commission was settled elsewhere",
    "S16",
    `update quittance.events set event = (event::jsonb || '{"amount": 900}')::json
     where ${settling("PO-2")} and sequence = 2 returning record_id as id`,
  ],
  [
    "the moment at which a commission was settled elsewhere, after its creation",
    "S16",
    `update quittance.events set at = at + 1 where ${settling("PO-3")} and sequence = 2 returning record_id as id`,
  ],
  [
    "the bank account of a partner",
    "L1",
    `update quittance.partners set self_billing_data = jsonb_set(self_billing_data, '{bankAccount,iban}', '"DE02120300000000202051"')
     where ${one("partners", "t.billing_mode = 'self_billing' and t.payout_accounts is null")} returning id`,
  ],
  [
    "a payout account of a partner",
    "L1",
    `update quittance.partners set payout_accounts = jsonb_set(payout_accounts, '{0,details,iban}', '"DE02120300000000202051"')
     where ${one("partners", "t.payout_accounts is not null")} returning id`,
  ],
  [
    "the bank account of a customer",
    "L1",
    `update quittance.billing_profiles set view = jsonb_set(view, '{bankAccount}', '{"iban": "DK5000400440116243"}')
     where ${one("billing_profiles", "true")} returning id`,
  ],
  [
    "the secret of a key",
    "L1",
    `update quittance.api_keys set view = jsonb_set(view, '{secretSha256}', '"00"') where ${one("api_keys", "true")} returning id`,
  ],
  [
    "the person of a key",
    "L1",
    `update quittance.api_keys set view = jsonb_set(view, '{person}', '"mallory"') where ${one("api_keys", "true")} returning id`,
  ],
  [
    "the terms of a policy",
    "L1",
    `update quittance.settlement_policies set view = jsonb_set(view, '{terms,fourEyesAbove}', '{"USD": 7}')
     where ${one("settlement_policies", `t.partner_id is not null and ${RUNS}`)} returning id`,
  ],
  [
    "the end of a link of a partner",
    "links of partners",
    `update quittance.partner_links set end_datetime = null
     where ${one("partner_links", `t.end_datetime is not null and ${RUNS}`)} returning id`,
  ],
  [
    "an amount in row and log alike",
    "amounts",
    `with changed as (
       update quittance.commissions set computed_amount = 5 where ${one("commissions", UNTOUCHED)} returning customer_id, id)
     update quittance.events e set event = (e.event::jsonb || '{"amount": 5}')::json from changed c
     where e.customer_id = c.customer_id and e.record_id = c.id returning c.id`,
  ],
  [
    "a deleted event",
    "L2",
    `delete from quittance.events where ${one("events", "t.kind = 'settlement' and t.sequence = 2 and exists (select from quittance.events l where l.record_id = t.record_id and l.sequence = 3)", "record_id")}
     and sequence = 2 returning record_id as id`,
  ],
  [
    "the amount of a settlement line",
    "M5",
    `update quittance.settlement_lines set amount = amount + 5
     where ${one("settlement_lines", "true", "settlement_id")} and position = 0 returning settlement_id as id`,
  ],
  [
    "a deleted settlement line",
    "M5",
    `delete from quittance.settlement_lines
     where ${one("settlement_lines", "true", "settlement_id")} and position = 0 returning settlement_id as id`,
  ],
  [
    "the total of a settlement",
    "M5",
    `update quittance.settlements set total = total + 1 where ${one("settlements", "true")} returning id`,
  ],
  [
    "a lost reservation",
    "reservations",
    `delete from quittance.reservations where ${one("reservations", "true", "commission_id")} returning commission_id as id`,
  ],
  [
    "the state by which a settlement is found",
    "states",
    `update quittance.settlements set status = 'paid' where ${one("settlements", "t.status = 'draft' and not exists (select from quittance.settlement_lines l join damaged d on d.id = l.commission_id where l.settlement_id = t.id)")} returning id`,
  ],
  [
    "a lost commission",
    "amounts",
    `with gone as (delete from quittance.commissions where ${one("commissions", UNTOUCHED)} returning customer_id, id, attribution_id)
     delete from quittance.events e using gone g where e.customer_id = g.customer_id and e.record_id = g.id
     returning g.attribution_id as id`,
  ],
  [
    "a count of statistics",
    "statistics",
    `insert into quittance.rollup_deltas (customer_id, kind, partner_id, day, workspace_id, status, currency, count, settled, due)
     select t.customer_id, 'commission', t.partner_id, quittance.day_of(t.occurred_at), t.workspace_id, 'settled', t.currency, 1, 0, 0
     from quittance.commissions t limit 1 returning partner_id as id`,
  ],
  [
    "a running total",
    "M12",
    `update quittance.running_totals set view = jsonb_set(view, '{rows}', to_jsonb((view->>'rows')::integer + 1))
     where ${one("running_totals", `(t.view->>'rows')::integer > 0 and ${ACTIVE}`)} returning id`,
  ],
  [
    "the bytes of a document",
    "documents",
    `update quittance.document_bytes set bytes = 'other'
     where (customer_id, document_id) = (select t.customer_id, t.id from quittance.documents t order by 1, 2 limit 1)
     returning document_id as id`,
  ],
  [
    "a file that a message names",
    "documents",
    `delete from quittance.documents where id = (
       select (t.view->'attachments'->>0)::uuid from quittance.settlements t
       where t.view ? 'attachments' order by t.id limit 1) returning settlement_id as id`,
  ],
  [
    "the reference of a payment",
    "payment references",
    `delete from quittance.payment_references where reference = (
       select (t.view->>'paymentReference')::uuid from quittance.settlements t
       where t.view->>'paymentReference' is not null order by t.id limit 1) returning settlement_id as id`,
  ],
  [
    "what stands of a taxed document",
    "M11",
    `update quittance.tax_origins set view = jsonb_set(view, '{tax}', '"12345"') where ${one("tax_origins", "true")} returning id`,
  ],
  [
    "a record without its log",
    "L2",
    `delete from quittance.events where ${one("events", "t.kind = 'attribution' and not exists (select from quittance.events o where o.record_id = t.record_id and o.sequence = 2)", "record_id")}
     returning record_id as id`,
  ],
  [
    "a log without its record",
    "orphans",
    `delete from quittance.formulas where ${one("formulas", "not exists (select from quittance.commissions c where c.formula_id = t.id)")}
     returning id`,
  ],
  [
    "the number of a document, which another one has",
    "document numbers",
    `update quittance.documents set view = jsonb_set(view, '{number}', '"REP-000001"')
     where ${one("documents", "t.view->>'number' = 'REP-000002'")} returning id`,
  ],
  [
    "the date of a document, which is before that of the number before",
    "document numbers",
    `update quittance.documents set view = jsonb_set(view, '{issuedOn}', '"1990-01-01"')
     where ${one("documents", "t.view->>'number' = 'REP-000004'")} returning id`,
  ],
  [
    "the last number of a series",
    "document numbers",
    `with changed as (
       update quittance.document_series set last_number = last_number - 1
       where ${PAYS} and series = 'INV-' and last_number = 6 returning customer_id)
     select d.id from quittance.documents d join changed c on c.customer_id = d.customer_id
     where d.view->>'number' = 'INV-000006'`,
  ],
  [
    "the sum of a payment file",
    "payment files",
    `update quittance.payment_files set view = jsonb_set(view, '{sum}', to_jsonb((view->>'sum')::integer + 1000))
     where ${one("payment_files", `(t.view->>'count')::integer = 3 and t.${PAYS}`)} returning id`,
  ],
  [
    "the amount of a payment",
    "payment files",
    `update quittance.bank_payments set view = jsonb_set(view, '{amount}', to_jsonb((view->>'amount')::integer + 1))
     where ${one("bank_payments", IN_FILE)} returning id`,
  ],
  [
    "the account of a payment",
    "payment files",
    `update quittance.bank_payments set view = jsonb_set(view, '{bankAccount,iban}', '"DE02120300000000202051"')
     where ${one("bank_payments", IN_FILE)} returning id`,
  ],
  [
    "a second payment of a settlement",
    "payment files",
    `insert into quittance.bank_payments (customer_id, id, settlement_id, file_id, is_waiting, view, version, last_at)
     select t.customer_id, gen_random_uuid(), t.settlement_id, null, true, t.view, 1, t.last_at
     from quittance.bank_payments t where t.is_waiting limit 1 returning id`,
  ],
  [
    "the settlement of a payment",
    "payment files",
    `update quittance.bank_payments set settlement_id = (
       select o.settlement_id from quittance.bank_payments o where o.is_waiting and exists (
         select from quittance.payment_references r where r.reference = o.id) and o.${PAYS} order by o.id limit 1)
     where ${one("bank_payments", IN_FILE)} returning id`,
  ],
  [
    "the state of a payment file",
    "payment files",
    `update quittance.payment_files set view = jsonb_set(view, '{discardedAt}', '1')
     where ${one("payment_files", `(t.view->>'count')::integer = 2 and t.${PAYS}`)} returning id`,
  ],
  [
    "the moment by which the next run of a policy is found",
    "settlement policies",
    `update quittance.settlement_policies set next_run_at = next_run_at + 1
     where ${one("settlement_policies", "t.next_run_at is not null")} returning id`,
  ],
  [
    "a second policy of a partner",
    "settlement policies",
    `insert into quittance.settlement_policies (customer_id, id, workspace_id, partner_id, next_run_at, view, version, last_at)
     select t.customer_id, 'ffffffff-ffff-4fff-bfff-ffffffffffff', t.workspace_id, t.partner_id, null, t.view, 1, t.last_at
     from quittance.settlement_policies t where t.partner_id is not null and t.view->'next' = 'null' order by t.id limit 1 returning id`,
  ],
  [
    "the workspace of a partner's policy",
    "settlement policies",
    `update quittance.settlement_policies set workspace_id = gen_random_uuid()
     where ${one(
       "settlement_policies",
       `t.partner_id is not null and ${RUNS} and not exists (
       select from quittance.settlement_policies o where o.partner_id = t.partner_id and o.id <> t.id)`,
     )} returning id`,
  ],
  [
    "the count of a settlement run",
    "settlement runs",
    `update quittance.settlement_runs set view = jsonb_set(view, '{draftCount}', to_jsonb((view->>'draftCount')::integer + 1))
     where ${one("settlement_runs", `t.view->>'state' = 'done' and ${RUNS}`)} returning id`,
  ],
  [
    "the sum of a settlement run",
    "settlement runs",
    `update quittance.settlement_runs set view = jsonb_set(view, '{totals}', '{"USD": "1"}')
     where ${one("settlement_runs", `t.view->>'state' = 'done' and ${RUNS}`)} returning id`,
  ],
  [
    "the message of a settlement run",
    "settlement runs",
    `delete from quittance.outbox where topic = 'settlement_run' and record_id = (
       select t.id from quittance.settlement_runs t where t.view->>'state' <> 'done' and ${RUNS}) returning record_id as id`,
  ],
  [
    "the total of a draft of a result",
    "settlement runs",
    `update quittance.settlement_run_results set view = jsonb_set(view, '{drafts,0,total}', '7')
     where ${one("settlement_run_results", `t.view->>'reason' is null and ${RUNS}`)} returning id`,
  ],
  [
    "the drafts of a result",
    "settlement runs",
    `update quittance.settlement_run_results set view = jsonb_set(view, '{drafts}', '[]')
     where ${one("settlement_run_results", `t.view->>'reason' is null and ${RUNS}`)} returning id`,
  ],
  [
    "a second result of a partner",
    "settlement runs",
    `insert into quittance.settlement_run_results (customer_id, id, workspace_id, run_id, partner_id, view, created_at, version, last_at)
     select t.customer_id, 'ffffffff-ffff-4fff-bfff-fffffffffffe', t.workspace_id, t.run_id, t.partner_id, t.view, t.created_at, 1, t.last_at
     from quittance.settlement_run_results t where t.view->>'reason' = 'nothing_due' and ${RUNS} order by t.id limit 1 returning id`,
  ],
  [
    "an amount of a movement",
    "movements",
    `update quittance.movements set earned = earned + 1 where ctid = (
       select t.ctid from quittance.movements t where not exists (select from damaged d where d.id = t.record_id)
       order by t.customer_id, t.at, t.record_id limit 1) returning record_id as id`,
  ],
  [
    "a lost movement",
    "movements",
    `delete from quittance.movements where ctid = (
       select t.ctid from quittance.movements t
       where t.settled <> 0 and not exists (select from damaged d where d.id = t.record_id)
       order by t.customer_id, t.at, t.record_id limit 1) returning record_id as id`,
  ],
  [
    "the balance of a day",
    "movements",
    `insert into quittance.rollup_deltas (customer_id, kind, partner_id, day, workspace_id, status, currency, moved_day, count, settled, due)
     select t.customer_id, 'commission', t.partner_id, quittance.day_of(t.occurred_at), t.workspace_id, 'unsettled', t.currency,
       quittance.day_of(t.created_at), 0, 0, 1
     from quittance.commissions t where ${RUNS} order by t.id limit 1 returning partner_id as id`,
  ],
  [
    "the place in the feed that a webhook endpoint has read up to",
    "webhooks",
    `update quittance.webhook_endpoints set view = jsonb_set(view, '{position}', '100000') where ${one("webhook_endpoints", "true")} returning id`,
  ],
  [
    "the message of a webhook endpoint",
    "webhooks",
    `delete from quittance.outbox where topic = 'deliver_webhooks' and id = (
       select (t.view->>'run')::uuid from quittance.webhook_endpoints t
       where not exists (select from damaged d where d.id = t.id) order by t.id limit 1) returning record_id as id`,
  ],
  [
    "the event of a webhook delivery",
    "webhooks",
    `update quittance.webhook_deliveries set view = jsonb_set(view, '{sequence}', '99') where ${one("webhook_deliveries", "true")} returning id`,
  ],
  [
    "an entry of the feed that a webhook delivery does not have",
    "webhooks",
    `update quittance.webhook_deliveries set position = 100000 where ${one("webhook_deliveries", "true")} returning id`,
  ],
];

describe("verify", () => {
  it(`finds nothing in a store after ${COMMANDS} random commands`, async () => {
    expect(await findings(SOUND)).toEqual([]);
  });

  it("sends statements that a cluster routes to the node of one customer; so does an export", async () => {
    const sent = new Set<string>();
    const query = vi.spyOn(pg.Client.prototype, "query");
    try {
      await findings(SOUND);
      for (const customer of await customers(SOUND))
        for (const table of Object.values(TABLES)) await exported(customer, table);
      for (const [given] of query.mock.calls as ReadonlyArray<ReadonlyArray<unknown>>)
        sent.add(typeof given === "string" ? given : String((given as { readonly text?: string }).text));
    } finally {
      query.mockRestore();
    }
    const { catalog } = await Effect.runPromise(schemaOf(Redacted.make(urlOf(SOUND))));
    const ofCustomers = [...sent].filter((text) => /= \$1::uuid/.test(text));
    expect(ofCustomers.length).toBeGreaterThan(20);
    // Sent only where a sale has several credits: for the credits, and for what managers earn of the sellers' commissions.
    expect(ofCustomers.filter((text) => text.includes("t.origin_id = any"))).toHaveLength(2);
    const problems = ofCustomers.flatMap((text) => {
      const found = statementProblems(text, 1, catalog);
      return found.length === 0 ? [] : [{ text, found }];
    });
    expect(problems).toEqual([]);
  });

  it(`names the record of each of ${DAMAGES.length} kinds of damage`, async () => {
    const { ids, found } = await damaged(DAMAGES.map(([, , text]) => text));
    expect(new Set(DAMAGES.map(([, check], index) => `${check} ${ids[index]}`)).size).toBe(DAMAGES.length);
    const missed = DAMAGES.filter(
      ([, check], index) =>
        !found.some((finding) => finding.check === check && finding.problem.includes(ids[index] ?? "")),
    );
    expect(missed.map(([what]) => what)).toEqual([]);
  });

  it("names each missing number of a series", async () => {
    const name = `${SOUND}_series`;
    await query(admin, `create database ${name} template ${SOUND}`);
    try {
      const skipped = `update quittance.document_series set last_number = 8 where ${PAYS} and series = 'INV-'`;
      expect(await query(urlOf(name), skipped)).toBe(1);
      expect((await findings(name)).map(({ check, problem }) => `${check}: ${problem}`)).toEqual([
        "document numbers: series INV-: its last number is 8, and no document has number 7",
        "document numbers: series INV-: its last number is 8, and no document has number 8",
      ]);
    } finally {
      await query(admin, `drop database ${name} with (force)`);
    }
  });

  it("names the first entry of the event feed that does not follow from the one before", async () => {
    const name = `${SOUND}_feed`;
    await query(admin, `create database ${name} template ${SOUND}`);
    try {
      const flipped = `update quittance.feed set salt = set_byte(salt, 0, get_byte(salt, 0) # 1)
        where position = 3 and ${PAYS}`;
      expect(await query(urlOf(name), flipped)).toBe(1);
      expect(await findings(name)).toEqual([
        {
          check: "feed",
          customerId: expect.any(String),
          problem: "entry 3: the hash does not follow from the event and the entry before",
        },
      ]);
    } finally {
      await query(admin, `drop database ${name} with (force)`);
    }
  });

  it("prints the findings, and exits with 1", async () => {
    const here = folder();
    const name = `${SOUND}_printed`;
    await query(admin, `create database ${name} template ${SOUND}`);
    const environment = { DATABASE_URL: urlOf(name) };
    try {
      const sound = run(here.path, ["verify"], environment);
      expect(await sound.ended).toBe(0);
      expect(sound.output()).toMatch(/^no problem found in \d+ customers: \d+ attributions/);
      await query(
        urlOf(name),
        "update quittance.settlements set total = total + 1 where id = (select t.id from quittance.settlements t limit 1)",
      );
      const broken = run(here.path, ["verify", "--json"], environment);
      expect(await broken.ended).toBe(1);
      const lines = broken
        .output()
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line));
      expect(lines.at(-1)).toMatchObject({ problems: lines.length - 1 });
      expect(lines[0]).toEqual({
        check: expect.any(String),
        customer_id: expect.any(String),
        problem: expect.stringMatching(/^settlement [0-9a-f-]{36}: /),
      });
    } finally {
      await query(admin, `drop database ${name} with (force)`);
      here.remove();
    }
  });
});

/** Every table, read from the database: its name, its rows, and a hash of them with generated columns. */
const contents = async (name: string): Promise<ReadonlyArray<unknown>> => {
  const client = new pg.Client({ connectionString: urlOf(name) });
  await client.connect();
  try {
    const { rows: tables } = await client.query<{ readonly name: string }>(
      "select relname as name from pg_class where relnamespace = 'quittance'::regnamespace and relkind = 'r' and relname <> 'migrations' order by 1",
    );
    const found: Array<unknown> = [];
    for (const { name: table } of tables) {
      const { rows } = await client.query(
        `select '${table}' as table, count(*) as rows, md5(string_agg(t::text, ' ' order by t::text collate "C")) as hash from quittance.${table} t`,
      );
      found.push(rows[0]);
    }
    const { rows: rules } = await client.query(
      `select k.conrelid::regclass::text || pg_get_constraintdef(k.oid) as rule from pg_constraint k
        where k.connamespace = 'quittance'::regnamespace and k.conrelid <> 0 order by 1`,
    );
    return [...found, ...rules];
  } finally {
    await client.end();
  }
};

const HUNG = `create function public.hang() returns trigger language plpgsql as $body$
begin
  if (select count(*) from quittance.events) > 300 then perform pg_sleep(600); end if;
  return null;
end
$body$;
create trigger hang after insert on quittance.events for each statement execute function public.hang()`;

describe("quittance copy", () => {
  const [from, back, other] = ["from", "back", "other"].map((suffix) => `${SOUND}_${suffix}`) as [
    ...[string, string, string],
  ];
  const here = folder();
  const embedded = `pglite://${here.path}/store`;

  /** What `quittance copy` prints, or its failure. */
  const copied = (source: string, target: string) => callCommand(["copy", target], { DATABASE_URL: source });

  beforeAll(() => query(admin, `create database ${from} template ${SOUND}`));

  afterAll(async () => {
    for (const name of [from, back, other])
      await query(admin, `drop database if exists ${name} with (force)`);
    here.remove();
  });

  it("fills an embedded store and a database again, continues after a kill, and leaves nothing out", async () => {
    const keys = await keysOfCustomers(urlOf(from), await customerIds(from));
    const moment = new Date().toISOString();
    const recorded = await responses(urlOf(from), keys, moment);
    const first = await copied(urlOf(from), embedded);
    expect(first.text).toMatch(/^copied \d+ rows of \d+ tables .*, and each table is the same \(.* s\)$/m);
    expect(first.text).toMatch(/^no problem found in \d+ customers: /m);
    expect(first.code).toBe(0);
    await query(admin, `create database ${back} template ${inject("postgres").template}`);
    await query(urlOf(back), HUNG);
    const killed = run(here.path, ["copy", urlOf(back)], { DATABASE_URL: embedded });
    await vi.waitUntil(
      () => query(admin, `select from pg_stat_activity where datname = '${back}' and wait_event = 'PgSleep'`),
      {
        timeout: 120_000,
      },
    );
    killed.process.kill("SIGKILL");
    expect(await killed.ended).toBe("SIGKILL");
    await query(admin, `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${back}'`);
    await query(urlOf(back), "drop trigger hang on quittance.events; drop function public.hang()");
    const incomplete = "the database is the target of a copy that is not complete: run quittance copy again";
    for (const words of [["migrate", "status"], ["verify"], ["serve", "--port", "0"]])
      expect(await callCommand(words, { DATABASE_URL: urlOf(back) })).toMatchObject({
        code: 1,
        text: expect.stringContaining(incomplete),
      });
    expect(await copied(urlOf(SOUND), urlOf(back))).toEqual({
      code: 1,
      text: expect.stringMatching(
        /^continuing .*\nthe copy cannot continue: \w+ of the source has changed since, or /,
      ),
    });

    const second = await copied(embedded, urlOf(back));
    expect(second.text).toMatch(/^continuing a copy that has [1-9]\d* rows\n/);
    expect(second.text).toMatch(/^no problem found in \d+ customers: /m);
    expect(second.code).toBe(0);
    expect(await contents(back)).toEqual(await contents(from));
    const replayed = await responses(urlOf(back), keys, moment);
    expect([...recorded].filter(([request, text]) => replayed.get(request) !== text)).toEqual([]);
    expect(replayed.size).toBe(recorded.size);
    const successes = [...recorded.values()].filter((text) => text.startsWith("200 "));
    expect(successes.length).toBeGreaterThan(100);
  });

  it("refuses a target that has rows, that is the source, or that ends with the command", async () => {
    for (const [target, problem] of [
      [
        urlOf(SOUND),
        `${new URL(urlOf(SOUND)).host}/${SOUND} is not empty: the table api_key_routes has rows`,
      ],
      [urlOf(from), "the target is the source: name another store"],
      ["memory:", "a store in memory ends with this command: name a target that stays"],
      ["mysql://db.example", "the target must be memory:, pglite://<folder> or postgres://…"],
    ] as const)
      expect(await copied(urlOf(from), target)).toEqual({ code: 2, text: expect.stringContaining(problem) });
  });

  it("names a table that differs in the end", async () => {
    await query(admin, `create database ${other} template ${inject("postgres").template}`);
    const LOSES = `create function public.lose() returns trigger language plpgsql as 'begin return null; end';
      create trigger lose before insert on quittance.movements for each row when (new.sequence = 2) execute function public.lose()`;
    await query(urlOf(other), LOSES);
    expect(await copied(urlOf(from), urlOf(other))).toEqual({
      code: 1,
      text: expect.stringMatching(
        /^movements differs: \d+ rows in the source, \d+ in the copy; the copy is not complete, name an empty target$/,
      ),
    });
  });
});
