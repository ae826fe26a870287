import { createHash } from "node:crypto";
import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import { inspect } from "node:util";
import * as SqlClient from "@effect/sql/SqlClient";
import { Effect, Either, Layer, Redacted } from "effect";
import pg from "pg";
import {
  DocumentNumber,
  Documents,
  EventFeed,
  Events,
  Ledger,
  Principal,
  Quittance,
  SettlementDocuments,
  Settlements,
  Storage,
  Text,
  Worker,
} from "quittance";
import * as Pglite from "quittance/pglite";
import { isolationGaps, layer, migrate } from "quittance/postgres";
import { checkInvariants, listAll } from "quittance/testing";
import { describe, expect, it } from "vitest";
import * as PgliteClient from "../../../adapters/pglite/Client.ts";
import { inFolder } from "../../../adapters/pglite/Database.ts";
import { client } from "../../../adapters/postgres/Connection.ts";
import type { Finding } from "../../../adapters/server/verification/Check.ts";
import { verify } from "../../../adapters/server/verification/Verification.ts";
import { replaceCode, STEPS, VERSION } from "../../../adapters/sql/migrations/Migrations.ts";
import { database, guarded } from "../../support/postgres.ts";
import { DISCREPANCIES } from "../commits/discrepancies.ts";
import { CUSTOMER, makeVersion1, WORKSPACE } from "./version1.ts";

const query = (url: Redacted.Redacted, text: string) =>
  Effect.promise(async () => {
    const client = new pg.Client({ connectionString: Redacted.value(url) });
    await client.connect();
    return client.query<Record<string, unknown>>(text).finally(() => client.end());
  });

const run = <A, E>(test: Effect.Effect<A, E, import("effect").Scope.Scope>) =>
  Effect.runPromise(Effect.scoped(test));

it("several processes that start at the same time migrate once", () =>
  run(
    Effect.gen(function* () {
      const url = yield* database({ migrated: false });
      yield* Effect.all(
        Array.from({ length: 8 }, () => migrate({ url, maxConnections: 1 })),
        { concurrency: "unbounded" },
      );
      const { rows } = yield* query(url, "select version from quittance.migrations order by version");
      expect(rows).toEqual(STEPS.map((_, index) => ({ version: index + 1 })));
      const ready = Effect.flatMap(Storage.Storage, (storage) => storage.ready);
      yield* Effect.provide(ready, layer({ url, migrate: false }));
    }),
  ));

it("a migration fails on a database that is newer than the program, and leaves it unchanged", () =>
  run(
    Effect.gen(function* () {
      const url = yield* database();
      yield* query(url, "insert into quittance.migrations (version) values (1000)");
      const refused = yield* Effect.either(migrate({ url }));
      expect(Either.isLeft(refused) && refused.left.reason).toBe("broken");
      expect(Either.isLeft(refused) && String(refused.left.cause)).toContain("version 1000, newer than");
    }),
  ));

it("the store is not ready on a database without the schema or with another version", () =>
  run(
    Effect.gen(function* () {
      const ready = Effect.flatMap(Storage.Storage, (storage) => Effect.either(storage.ready));
      const empty = yield* database({ migrated: false });
      const without = yield* Effect.provide(ready, layer({ url: empty, migrate: false }));
      expect(Either.isLeft(without) && without.left.reason).toBe("broken");
      const older = yield* database();
      yield* query(older, "delete from quittance.migrations");
      const behind = yield* Effect.provide(ready, layer({ url: older, migrate: false }));
      expect(Either.isLeft(behind) && String(behind.left.cause)).toContain("migrate it");
    }),
  ));

it("a migration recomputes searchable names when their algorithm has changed", () =>
  run(
    Effect.gen(function* () {
      const url = yield* database();
      const id = crypto.randomUUID();
      yield* query(
        url,
        `insert into quittance.partners values ('${id}', '${id}', '${id}', 'Οδυσσεύς', 'οδυσσεύς', null, null, 0, 1, 0, 'active', null, null, null, '[]')`,
      );
      const folded = Effect.map(
        query(url, "select name_searchable from quittance.partners"),
        ({ rows }) => rows[0]?.name_searchable,
      );
      yield* migrate({ url });
      expect(yield* folded).toBe("οδυσσεύς");
      yield* query(url, "update quittance.migrations set name_search = '1/0.0'");
      yield* migrate({ url });
      expect(yield* folded).toBe(Text.searchable("ΟΔΥΣΣΕΎΣ"));
    }),
  ));

/** SHA-256 of each released step. Do not change a released step; add the change to the next one. */
const RELEASED = ["f198b3a5a5ec1ec60cf5303ddb3488f75a628efcd71dbb484f27d00394bd6630"];

it("released steps are unchanged", () => {
  const digests = STEPS.map((step) => createHash("sha256").update(step).digest("hex"));
  expect(digests.slice(0, RELEASED.length)).toEqual(RELEASED);
  expect(STEPS.length - RELEASED.length).toBeLessThanOrEqual(1);
});

/** The commissions and settlements of the customer. */
const records = Effect.gen(function* () {
  const commissions = yield* listAll(CUSTOMER, "commission");
  const settlements = yield* listAll(CUSTOMER, "settlement");
  return { commissions, settlements };
});

/** Through the services: closes open settlements, settles the amounts due, and expects nothing due afterwards. */
const workOn = Effect.gen(function* () {
  const me = Principal.customer(CUSTOMER);
  const settlements = yield* Settlements.Settlements;
  const documents = yield* SettlementDocuments.SettlementDocuments;
  const upload = { fileName: "paper.pdf", bytes: new TextEncoder().encode("%PDF-1.7 paper") };
  const before = yield* records;
  expect(before.commissions).toHaveLength(9);
  // Of one commission 1000 and then -1000 were written off; of the other 300, which leaves -300 due.
  const writtenOff = before.commissions.filter((row) => row.writtenOffPositive > 0);
  expect(
    writtenOff.map((row) => [row.writtenOffPositive, row.writtenOffNegative, Ledger.due(row)]).toSorted(),
  ).toEqual([
    [1000, -1000, 0],
    [300, 0, -300],
  ]);
  yield* checkInvariants(CUSTOMER);
  const [partnerId] = before.settlements.map((settlement) => settlement.partnerId);
  if (partnerId === undefined) throw new Error("no settlement");
  const inState = (state: string) =>
    before.settlements.flatMap(({ id, status }) => (status.type === state ? [id] : []));
  const [waiting, drafted] = [inState("awaiting_payment"), inState("draft")];
  expect([waiting, drafted]).toMatchObject([{ length: 1 }, { length: 1 }]);
  yield* Effect.forEach(waiting, (id) => settlements.markAsPaid(me, id));
  yield* Effect.forEach(drafted, (id) => settlements.cancel(me, id));
  const computable = before.commissions.filter(({ computationError }) => computationError === null);
  const input = {
    customerId: CUSTOMER,
    workspaceId: WORKSPACE,
    partnerId,
    commissionIds: computable.map(({ id }) => id),
  };
  const { id } = yield* settlements.create(me, input);
  yield* settlements.approve(me, id);
  yield* documents.upload(me, id, "report", upload);
  yield* documents.upload(me, id, "invoice", upload);
  yield* settlements.markAsPaid(me, id);
  const again = yield* settlements.preview(me, input);
  expect(again.lines.filter(({ amount }) => amount !== 0)).toEqual([]);
  yield* checkInvariants(CUSTOMER);
});

/** The customer's events, in the order in which events older than the feed enter it. */
const EVENTS = `
select e.record_id as "recordId", e.sequence from quittance.events e
order by e.at, array_position(array['${EventFeed.KIND_ORDER.join("', '")}'], e.kind), e.record_id, e.sequence`;

/** Reads the whole feed; expects that it begins with the older events and that its verification succeeds. */
const followFeed = (before: ReadonlyArray<unknown>) =>
  Effect.gen(function* () {
    const storage = yield* Storage.Storage;
    const { list, verify } = yield* Events.Events;
    expect(yield* storage.customersWithFeedBacklog(null, 10)).toEqual([CUSTOMER]);
    const found: Array<Pick<Events.FeedEntry, "recordId" | "sequence">> = [];
    for (let after: string | undefined; ; ) {
      const page = yield* list(Principal.customer(CUSTOMER), {
        limit: 7,
        ...(after === undefined ? {} : { after }),
      });
      found.push(...page.items.map(({ recordId, sequence }) => ({ recordId, sequence })));
      if (page.nextCursor === after) break;
      after = page.nextCursor;
    }
    expect(found.slice(0, before.length)).toEqual(before);
    expect(found.length).toBeGreaterThan(before.length);
    expect(new Set(found.map(({ recordId, sequence }) => `${recordId} ${sequence}`)).size).toBe(found.length);
    expect(yield* verify(Principal.customer(CUSTOMER))).toMatchObject({
      entries: found.length,
      broken: null,
    });
    expect(yield* storage.customersWithFeedBacklog(null, 10)).toEqual([]);
    return found.length;
  });

const renderer = Layer.succeed(Documents.DocumentRenderer, {
  render: () => Effect.dieMessage("this test uploads its documents"),
});

const engine = Quittance.layer({ documents: "manual" }).pipe(Layer.provide(renderer));

describe("a database of version 1 with records", () => {
  it("is migrated on PostgreSQL by a role without rights of its own, and everything works on it", () =>
    run(
      Effect.gen(function* () {
        const { all, own } = yield* guarded;
        yield* Effect.provide(makeVersion1, client({ url: own }));
        const ready = Effect.flatMap(Storage.Storage, (storage) => Effect.either(storage.ready));
        const behind = yield* Effect.provide(ready, layer({ url: own, migrate: false }));
        expect(Either.isLeft(behind) && String(behind.left.cause)).toContain(
          "has schema version 1, this program needs",
        );
        yield* migrate({ url: own });
        expect(yield* isolationGaps({ url: own })).toEqual([]);
        const { rows: before } = yield* query(all, EVENTS);
        const story = Effect.zipRight(workOn, followFeed(before));
        const count = yield* Effect.provide(story, Layer.provideMerge(engine, layer({ url: own })));
        expect(count).toBe((yield* query(all, EVENTS)).rows.length);
        const { rows: functions } = yield* query(
          all,
          "select from pg_proc where oid = to_regprocedure('quittance.commit(uuid)')",
        );
        expect(functions).toEqual([]);
        const fresh = yield* database();
        expect((yield* query(all, CATALOGUE)).rows).toEqual((yield* query(fresh, CATALOGUE)).rows);
      }),
    ));

  it("is migrated in the embedded store, and everything works on it", () =>
    run(
      Effect.gen(function* () {
        const folder = yield* Effect.acquireRelease(
          Effect.sync(() => fs.mkdtempSync(path.join(os.tmpdir(), "quittance-version1-"))),
          (made) => Effect.sync(() => fs.rmSync(made, { recursive: true, force: true })),
        );
        yield* Effect.provide(makeVersion1, PgliteClient.layer(Effect.orDie(inFolder(folder))));
        yield* Effect.provide(workOn, Layer.provideMerge(engine, Pglite.layer({ folder })));
      }),
    ));

  it("has logs of its partners, keys and profile, which explain their present state", () =>
    run(
      Effect.gen(function* () {
        const { all: superuser, own } = yield* guarded;
        yield* Effect.provide(makeVersion1, client({ url: own }));
        yield* query(superuser, CHANGED);
        yield* migrate({ url: own });
        const story = Effect.gen(function* () {
          yield* checkInvariants(CUSTOMER);
          const { list } = yield* Events.Events;
          const found = yield* list(Principal.customer(CUSTOMER), { limit: 1_000 });
          return found.items.flatMap(({ kind, event }) =>
            ["partner", "apiKey", "billingProfile"].includes(kind) ? [event] : [],
          );
        });
        const events = yield* Effect.provide(story, Layer.provideMerge(engine, layer({ url: own })));
        const by = { actor: { principal_id: "migration", person: "migration" } };
        const account = { iban: "DK…6243", bic: "NDEADKKK" };
        expect(events).toMatchObject([
          { ...by, type: "create_api_key", name: "first", person: null, expires_at: null },
          { ...by, type: "create_partner", billing_mode: "self_billing", bank_account: account },
          { ...by, type: "create_partner", billing_mode: null, bank_account: null },
          { ...by, type: "create_api_key", name: "second", expires_at: "2026-11-30T00:00:00.123Z" },
          {
            ...by,
            type: "write_billing_profile",
            fields: ["address", "invoice_prefix", "legal_name", "vat_number"],
          },
          { ...by, type: "revoke_api_key" },
        ]);
        expect(JSON.stringify(events)).not.toMatch(/DK5000400440116243|Nordlys/);
        expect(yield* findingsOf(superuser)).toEqual([]);
      }),
    ));

  it("restores the last valid amount where a payment in flight could not have been recorded", () =>
    run(
      Effect.gen(function* () {
        const { all: superuser, own } = yield* guarded;
        yield* Effect.provide(makeVersion1, client({ url: own }));
        yield* query(superuser, TOO_FAR);
        yield* migrate({ url: own });
        const story = Effect.gen(function* () {
          yield* checkInvariants(CUSTOMER);
          const settlements = yield* Settlements.Settlements;
          const { commissions, settlements: stored } = yield* records;
          const far = commissions.find(({ pendingAmount }) => pendingAmount === 9e15);
          expect(far).toMatchObject({ computedAmount: 9e15, computationError: { code: "OVERFLOW" } });
          for (const { id, status } of stored)
            if (status.type === "awaiting_payment")
              yield* settlements.markAsPaid(Principal.customer(CUSTOMER), id);
          yield* checkInvariants(CUSTOMER);
          const paid = (yield* records).commissions.find(({ id }) => id === far?.id);
          expect(paid).toMatchObject({ paidAmount: 9e15, pendingAmount: 0 });
        });
        yield* Effect.provide(story, Layer.provideMerge(engine, layer({ url: own })));
      }),
    ));

  it("counts a commission that was created later on the date of its attribution", () =>
    run(
      Effect.gen(function* () {
        const { all: superuser, own } = yield* guarded;
        yield* Effect.provide(makeVersion1, client({ url: own }));
        const { rows: before } = yield* query(superuser, COMPUTED_LATER);
        expect(before).toEqual([{ moved: "1" }]);
        yield* migrate({ url: own });
        const { rows: dates } = yield* query(superuser, DATES);
        expect(dates).toEqual([{ attributions: "0", commissions: "0", later: "1" }]);
        expect((yield* query(superuser, DISCREPANCIES)).rows).toEqual([]);
      }),
    ));

  it("continues its number series, and repeats no number", () =>
    run(
      Effect.gen(function* () {
        const { all: superuser, own } = yield* guarded;
        yield* Effect.provide(makeVersion1, client({ url: own }));
        yield* query(superuser, NUMBERED);
        yield* migrate({ url: own });
        const story = Effect.gen(function* () {
          const storage = yield* Storage.Storage;
          const [partner] = yield* listAll(CUSTOMER, "partner");
          const last = (series: string) =>
            Effect.map(storage.numberSeries(CUSTOMER, series), (found) => found?.lastNumber ?? 0);
          expect(yield* last(DocumentNumber.PER_PARTNER)).toBe(1);
          expect(yield* last(`${partner?.id} report`)).toBe(4);
          expect(yield* last("K-REP-")).toBe(4);
          expect(yield* last("HM-")).toBe(0);
          const me = Principal.customer(CUSTOMER);
          const rows = yield* listAll(CUSTOMER, "settlement");
          for (const { id, status } of rows)
            if (status.type === "draft") yield* (yield* Settlements.Settlements).approve(me, id);
          yield* (yield* Worker.Worker).drain;
          const numbers = (yield* listAll(CUSTOMER, "settlement")).map(({ reportNumber }) => reportNumber);
          expect(numbers).toContain("REP-000005");
          expect(yield* last(`${partner?.id} report`)).toBe(5);
        });
        const printing = Quittance.layer().pipe(Layer.provide(printed));
        yield* Effect.provide(story, Layer.provideMerge(printing, layer({ url: own })));
      }),
    ));

  it("has reports without a number, which `verify` accepts of version 1 only", () =>
    run(
      Effect.gen(function* () {
        const { all: superuser, own } = yield* guarded;
        yield* Effect.provide(makeVersion1, client({ url: own }));
        yield* query(superuser, ISSUED);
        yield* migrate({ url: own });
        const story = Effect.gen(function* () {
          const settlements = yield* Settlements.Settlements;
          for (const { id, status } of yield* listAll(CUSTOMER, "settlement"))
            if (status.type === "draft") yield* settlements.approve(Principal.customer(CUSTOMER), id);
          yield* (yield* Worker.Worker).drain;
        });
        const printing = Quittance.layer().pipe(Layer.provide(printed));
        yield* Effect.provide(story, Layer.provideMerge(printing, layer({ url: own })));
        expect(yield* wrongNumbers(superuser)).toEqual([]);
        const { rows } = yield* query(
          superuser,
          "select id from quittance.documents where view->>'number' like 'REP-%'",
        );
        expect(rows).toHaveLength(1);
        yield* query(superuser, LOST_NUMBERS);
        const problems = (yield* wrongNumbers(superuser)).map(({ problem }) => problem).join("\n");
        expect(problems).toContain(`document ${rows[0]?.id}`);
        expect(problems).toContain("is missing");
      }),
    ));

  it("stays unchanged when a migration fails", () =>
    run(
      Effect.gen(function* () {
        const { all, own } = yield* guarded;
        yield* Effect.provide(makeVersion1, client({ url: own }));
        // A view of the operator uses one of our functions, so that the migration cannot drop it.
        yield* query(all, "create view public.days as select quittance.day_of(0)");
        const before = (yield* query(all, CATALOGUE)).rows;
        const refused = yield* Effect.either(migrate({ url: own }));
        expect(Either.isLeft(refused) && inspect(refused.left)).toContain("quittance.day_of");
        expect((yield* query(all, CATALOGUE)).rows).toEqual(before);
      }),
    ));
});

/** Turns triggers off, as somebody who can run statements of their own would. */
const FREE = "set session_replication_role = replica;";

/** Lets the service have issued the reports, as those of version 1, which have no number. */
const ISSUED = `${FREE}
update quittance.events set actor = 'system:documents' where event->>'type' = 'link_report'`;

const LOST_NUMBERS = `${FREE} update quittance.documents set view = view || '{"number": null}'`;

/** What `quittance verify` finds wrong. */
const findingsOf = (url: Redacted.Redacted) =>
  Effect.gen(function* () {
    const found: Array<Finding> = [];
    yield* verify(
      { type: "postgres", url: Redacted.value(url) },
      null,
      (finding) => Effect.sync(() => found.push(finding)),
      () => {},
    );
    return found;
  });

/** What it finds wrong in the numbers of documents. */
const wrongNumbers = (url: Redacted.Redacted) =>
  Effect.map(findingsOf(url), (found) => found.filter(({ check }) => check === "document numbers"));

const printed = Layer.succeed(Documents.DocumentRenderer, {
  render: () => Effect.succeed({ bytes: new Uint8Array([1]), extension: "bin" }),
});

/** Numbers the four reports from 1 with a prefix, as version 1 did. */
const NUMBERED = `
update quittance.documents d set view = jsonb_set(d.view, '{number}', to_jsonb('K-REP-' || lpad(n.number::text, 6, '0')))
from (select id, row_number() over (order by id) as number from quittance.documents where kind = 'report') n
where n.id = d.id;
insert into quittance.document_series (customer_id, partner_id, kind, last_number)
select customer_id, (view->>'partnerId')::uuid, 'report', count(*) from quittance.documents
where kind = 'report' group by 1, 2`;

const LARGER = String.raw`'("(amount|total)"\s*:\s*)60\M', '\19000000000000000', 'g'`;

/** A partner that was changed twice, a key that was revoked, and a profile that was written twice. */
const CHANGED = `
insert into quittance.partners values ('${CUSTOMER}', '01a200d4-0000-7000-8000-000000000001', '${WORKSPACE}', E'Often "changed" \\\\ \\t é\\x07',
  'often changed', null, null, 1795310237700, 3, 1795310238000);
insert into quittance.api_keys values ('${CUSTOMER}', '01a200d4-0000-7000-8000-000000000002', '0123456789abcdef', '{
  "name": "second", "kind": "customer", "scopes": ["partners:read"], "agentId": null, "partnerIds": "*", "workspaceIds": "*",
  "secretSha256": "00", "expiresAt": 1795996800123, "revokedAt": 1795310239000}', null, 1795310237800, 2, 1795310239000);
insert into quittance.billing_profiles values ('${CUSTOMER}', '${CUSTOMER}', '{
  "legalName": "Harbour", "vatNumber": "DK1", "invoicePrefix": "H-",
  "address": {"street": "a", "city": "b", "region": "", "postalCode": "c", "country": "DK"}}', 2, 1795310238500)`;

/** Changes the settlement of 60 that awaits payment to 9e15, then its commission to -9e15. */
const TOO_FAR = `
alter table quittance.events disable trigger append_only;
alter table quittance.settlement_lines disable trigger append_only;
update quittance.events set event = regexp_replace(event::text, ${LARGER})::json,
  stored = regexp_replace(stored::text, ${LARGER})::json;
update quittance.settlement_lines set amount = 9000000000000000 where amount = 60;
update quittance.settlements set total = 9000000000000000, view = view || '{"payableAmount": 9000000000000015}'
where total = 60;
insert into quittance.events (customer_id, record_id, sequence, kind, at, actor, event)
select customer_id, id, version + 1, 'commission', last_at, 'host',
  '{"type":"update_commission","amount":-9000000000000000,"formula_version":2,"cause":"formula_updated"}'
from quittance.commissions where pending_amount = 60;
insert into quittance.rollup_deltas (
  customer_id, kind, partner_id, day, workspace_id, status, currency, count, settled, due)
select customer_id, 'commission', partner_id, quittance.day_of(created_at), workspace_id, settlement_status, currency,
  0, 0, -9000000000000060 from quittance.commissions where pending_amount = 60;
update quittance.commissions set computed_amount = -9000000000000000, pending_amount = 9000000000000000,
  formula_version = 2, version = version + 1 where pending_amount = 60;
alter table quittance.events enable trigger append_only;
alter table quittance.settlement_lines enable trigger append_only;`;

/** Moves the first commission 40 days after its attribution, as a formula created later does, and its rollups to that day. */
const COMPUTED_LATER = `
with first as (select id from quittance.commissions order by id limit 1),
counted as (
  insert into quittance.rollup_deltas (
    customer_id, kind, partner_id, day, workspace_id, status, currency, count, settled, due)
  select c.customer_id, 'commission', c.partner_id, quittance.day_of(c.created_at + moved.by), c.workspace_id,
    c.settlement_status, c.currency, moved.sign, moved.sign * c.settled_amount,
    moved.sign * (coalesce(c.computed_amount, 0) - c.settled_amount)
  from quittance.commissions c join first on first.id = c.id
  cross join (values (0, -1), (40 * 86400000::bigint, 1)) as moved (by, sign)),
moved as (
  update quittance.commissions c set created_at = c.created_at + 40 * 86400000::bigint
  from first where first.id = c.id returning c.id)
select count(*) as moved from moved`;

const DATES = `
select count(*) filter (where a.occurred_at <> a.created_at) as attributions,
  count(*) filter (where c.occurred_at <> a.occurred_at) as commissions,
  count(*) filter (where c.occurred_at <> c.created_at) as later
from quittance.commissions c
join quittance.attributions a on a.customer_id = c.customer_id and a.id = c.attribution_id`;

/** Everything that a migration creates, from the system catalogue. */
const CATALOGUE = `
select 'column' as kind, c.relname || '.' || a.attname as name,
  format_type(a.atttypid, a.atttypmod) || a.attnotnull || coalesce(pg_get_expr(d.adbin, d.adrelid), '') as text
from pg_attribute a join pg_class c on c.oid = a.attrelid
left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
where c.relnamespace = 'quittance'::regnamespace and a.attnum > 0 and not a.attisdropped
union all
select 'constraint', conrelid::regclass || '.' || conname, pg_get_constraintdef(oid) from pg_constraint
where connamespace = 'quittance'::regnamespace
union all
select 'function', oid::regprocedure::text, pg_get_functiondef(oid) from pg_proc
where pronamespace = 'quittance'::regnamespace
union all
select 'trigger', tgrelid::regclass || '.' || tgname, pg_get_triggerdef(oid) from pg_trigger
where not tgisinternal and tgrelid::regclass::text like 'quittance.%'
union all
select 'policy', tablename || '.' || policyname, concat(cmd, roles, qual, with_check) from pg_policies
where schemaname = 'quittance'
union all
select 'table', relname, concat(relrowsecurity, relforcerowsecurity, reloptions) from pg_class
where relnamespace = 'quittance'::regnamespace and relkind in ('r', 'i')
union all
select 'version', version::text, '' from quittance.migrations
order by 1, 2`;

it("functions, triggers and policies can be replaced repeatedly, because no step depends on them", () =>
  run(
    Effect.gen(function* () {
      const url = yield* database();
      const before = (yield* query(url, CATALOGUE)).rows;
      const again = Effect.flatMap(SqlClient.SqlClient, (sql) =>
        sql.withTransaction(
          Effect.zipRight(replaceCode(sql), sql.unsafe("select quittance.grant_platform_reads()")),
        ),
      );
      yield* Effect.provide(again, client({ url }));
      expect((yield* query(url, CATALOGUE)).rows).toEqual(before);
      expect(before).toContainEqual({ kind: "version", name: String(VERSION), text: "" });
    }),
  ));
