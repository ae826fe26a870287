/** A partner's statement does not read the lines that are stored in the event of a settlement's creation. */
import { Effect, Layer } from "effect";
import type pg from "pg";
import { Currency, PartnerStatements, Principal, Quittance } from "quittance";
import * as Pdf from "quittance/pdf";
import * as Postgres from "quittance/postgres";
import { Build, Scene } from "quittance/testing";
import { expect, it } from "vitest";
import { connected, database } from "../../support/postgres.ts";

const SETTLEMENTS = 3;
const LINES = 10_000;

const MOVED = `
insert into quittance.movements (customer_id, partner_id, at, record_id, sequence, type, currency, earned, settled, pending)
values ($1, $2, $3, $4, 3, 'paid', 'EUR', 0, $5::bigint, -$5::bigint)`;

const TOASTED = `
select (coalesce(toast_blks_hit, 0) + coalesce(toast_blks_read, 0))::integer as blocks
from pg_statio_user_tables where schemaname = 'quittance' and relname = 'events'`;

const OTHER_SESSIONS = `select count(*)::integer as sessions from pg_stat_activity t
where t.datname = current_database() and t.pid <> pg_backend_pid() and t.backend_type = 'client backend'`;

/** The TOAST blocks read so far. A session reports its reads when it ends. */
const toasted = async (client: pg.Client): Promise<number> => {
  for (;;) {
    const { rows } = await client.query<{ readonly sessions: number }>(OTHER_SESSIONS);
    if (rows[0]?.sessions === 0) break;
    await new Promise((resume) => setTimeout(resume, 20));
  }
  return (await client.query<{ readonly blocks: number }>(TOASTED)).rows[0]?.blocks ?? 0;
};

/** Inserts a paid settlement with its events and its movement, without commissions, which statements do not read. */
const paid = (client: pg.Client, scene: Scene.Scene, index: number) =>
  Effect.gen(function* () {
    const lines = Array.from({ length: LINES }, () => ({
      commissionId: Build.fresh.commission(),
      amount: 10,
    }));
    const at = Build.EPOCH + index * Build.DAY;
    const saved = Build.settlement(scene, lines, { createdAt: at });
    yield* Scene.commit(scene.customerId, [saved]);
    yield* Scene.advance(saved.row, [...Build.approvalEvents(saved.row), { type: "mark_as_paid" }]);
    const values = [scene.customerId, scene.partnerId, at + Build.DAY, saved.row.id, LINES * 10];
    yield* Effect.promise(() => client.query(MOVED, values));
  });

it(`a statement reads no lines of the ${SETTLEMENTS} settlements of ${LINES} lines that it names`, () =>
  Effect.gen(function* () {
    const url = yield* database();
    const client = yield* connected(url);
    const store = Postgres.layer({ url, maxConnections: 1 });
    const scene = yield* Effect.provide(
      Effect.tap(Scene.create(), (made) =>
        Effect.forEach(Array.from({ length: SETTLEMENTS }).keys(), (index) => paid(client, made, index)),
      ),
      store,
    );
    const before = yield* Effect.promise(() => toasted(client));
    const { movements } = yield* Effect.provide(
      Effect.flatMap(PartnerStatements.PartnerStatements, (statements) =>
        statements.statement(Principal.customer(scene.customerId), scene.partnerId, {
          from: Build.EPOCH,
          currency: Currency.Currency.make("EUR"),
        }),
      ),
      Quittance.layer().pipe(Layer.provide(Pdf.layer), Layer.provide(store)),
    );
    expect(movements.map(({ type }) => type)).toEqual(Array.from({ length: SETTLEMENTS }, () => "paid"));
    expect((yield* Effect.promise(() => toasted(client))) - before).toBeLessThan(20);
  }).pipe(Effect.scoped, Effect.runPromise));
