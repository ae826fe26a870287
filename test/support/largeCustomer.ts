/**
 * Stores customers with any number of commissions within minutes: SQL inserts the rows, events, lines and rollups that
 * commands would have stored. About half of the earlier commissions are settled and paid; the last ones are due.
 */
import { Effect } from "effect";
import type pg from "pg";
import type { Ids } from "quittance";
import { Build, Scene } from "quittance/testing";

/** A partner with many commissions under one formula. */
export interface LargeCustomer extends Scene.Scene {
  readonly size: number;
  /** Commissions that are due and in no settlement, the earliest first. */
  readonly due: ReadonlyArray<{ readonly id: Ids.CommissionId; readonly amount: number }>;
  /** The creation time of the first of `due`; every commission created from then on is due. */
  readonly dueFrom: number;
}

/** One attribution every two seconds, so that a million are within the dates of the formula. */
const PACE_MILLISECONDS = 2_000;
/** Rows per insert statement. */
const CHUNK = 100_000;

/** The id of record `n` of a kind: a UUID of version 7 in the order of creation, like the engine's ids. */
const idOf = (kind: string): string =>
  `(lpad(to_hex(w.moment), 12, '0') || '7' || substr(md5(w.customer_id::text || '${kind}' || w.n), 1, 3)
  || '8' || substr(md5(w.customer_id::text || '${kind}' || w.n), 4, 15))::uuid`;

const NUMBERS = `(
  select n, $1::uuid as customer_id, $2::bigint + n * ${PACE_MILLISECONDS} as moment, 1200 + n % 100 * 10 as amount
  from generate_series($3::integer, $4::integer) n) w`;

const ATTRIBUTIONS = `
insert into quittance.attributions (
  customer_id, id, workspace_id, partner_id, schema_id, status, properties, created_at, occurred_at, version, last_at)
select w.customer_id, ${idOf("attribution")}, $5, $6, $7, 'confirmed',
  json_build_object('order_value', w.amount * 10), w.moment, w.moment, 1, w.moment
from ${NUMBERS}`;

const COMMISSIONS = `
insert into quittance.commissions (
  customer_id, id, workspace_id, partner_id, attribution_id, formula_id, currency, computed_amount, paid_amount,
  paid_negative, written_off_positive, written_off_negative, pending_amount, settled_line_count, formula_version, created_at, occurred_at,
  version, last_at)
select w.customer_id, ${idOf("commission")}, $5, $6, ${idOf("attribution")}, $7, 'EUR', w.amount,
  case when w.n < $8 then w.amount else 0 end, 0, 0, 0, 0, (w.n < $8)::integer, 1, w.moment, w.moment,
  case when w.n < $8 then 3 else 1 end, w.moment
from ${NUMBERS}`;

const EVENTS = `
insert into quittance.events (customer_id, record_id, sequence, kind, at, actor, event)
select w.customer_id, ${idOf("attribution")}, 1, 'attribution', w.moment, '${Build.ACTOR}',
  json_build_object('type', 'create_attribution', 'properties', json_build_object('order_value', w.amount * 10))
from ${NUMBERS}
union all
select w.customer_id, ${idOf("commission")}, 1, 'commission', w.moment, '${Build.ACTOR}',
  json_build_object('type', 'create_commission', 'amount', w.amount, 'formula_version', 1)
from ${NUMBERS}`;

/** Inserts the lines of one paid settlement and their events. */
const PAID = `
with lines as (
  insert into quittance.settlement_lines (customer_id, settlement_id, position, commission_id, amount)
  select w.customer_id, $5, w.n - $3, ${idOf("commission")}, w.amount from ${NUMBERS}
  returning commission_id, amount)
insert into quittance.events (customer_id, record_id, sequence, kind, at, actor, event)
select $1, l.commission_id, e.sequence, 'commission', ${Build.EPOCH}, '${Build.ACTOR}',
  json_build_object('type', e.type, 'settlement_id', $5::uuid, 'amount', l.amount)
from lines l cross join (values (2, 'reserve_commission'), (3, 'settle_commission')) as e(sequence, type)`;

/** Inserts the movements of that settlement. */
const MOVED = `
insert into quittance.movements (
  customer_id, partner_id, at, record_id, sequence, type, currency, earned, settled, pending)
select $1, $6, ${Build.EPOCH}, $5, m.sequence, m.type, 'EUR', 0, m.settled * sum(w.amount), m.pending * sum(w.amount)
from ${NUMBERS} cross join (values (2, 'reserved', 0, 1), (3, 'paid', 1, -1)) as m(sequence, type, settled, pending)
where $2::bigint is not null group by m.sequence, m.type, m.settled, m.pending`;

const IDS = `select ${idOf("commission")} as id, w.amount::integer as amount from ${NUMBERS} order by w.n`;

const COUNTED = `
insert into quittance.rollup_deltas (
  customer_id, kind, partner_id, day, workspace_id, status, currency, moved_day, count, settled, due)
select customer_id, 'attribution', partner_id, quittance.day_of(occurred_at), workspace_id, status, null, null, count(*), 0, 0
from quittance.attributions where customer_id = $1 group by 1, 3, 4, 5, 6
union all
select customer_id, 'commission', partner_id, quittance.day_of(occurred_at), workspace_id, settlement_status, currency,
  quittance.day_of(created_at), count(*), 0, sum(computed_amount)
from quittance.commissions where customer_id = $1 group by 1, 3, 4, 5, 6, 7, 8
union all
select customer_id, 'commission', partner_id, quittance.day_of(occurred_at), workspace_id, settlement_status, currency,
  quittance.day_of(${Build.EPOCH}), 0, sum(settled_amount), -sum(settled_amount)
from quittance.commissions where customer_id = $1 group by 1, 3, 4, 5, 6, 7`;

const FOLDED = "select quittance.compact_rollups($1, 1000000)";

/** The number of commissions, and how many of them are due; each earlier settlement has as many lines. */
export interface Size {
  readonly size: number;
  readonly due: number;
}

/**
 * Stores a customer through the storage port and a connection to its database, without checks of foreign keys, as a restore
 * does. `progress` is called with the number of commissions.
 */
export const make = (
  client: pg.Client,
  { size, due }: Size,
  progress: (made: number) => void = () => {},
): Effect.Effect<LargeCustomer, unknown, Effect.Effect.Context<ReturnType<typeof Scene.create>>> =>
  Effect.gen(function* () {
    const start = Build.EPOCH - size * PACE_MILLISECONDS;
    const scene = yield* Scene.create({ at: start });
    const { customerId, workspaceId, partnerId, schemaId, formula } = scene;
    const settled = Math.floor((size - due) / 2 / due) * due;
    const query = (text: string, values: ReadonlyArray<unknown>) =>
      Effect.tryPromise(() => client.query(text, [...values]));
    const numbers = (from: number, to: number) => [customerId, start, from, to - 1];
    yield* query("set session_replication_role = replica", []);
    for (let from = 0; from < size; from += CHUNK) {
      const to = Math.min(from + CHUNK, size);
      yield* query(ATTRIBUTIONS, [...numbers(from, to), workspaceId, partnerId, schemaId]);
      yield* query(COMMISSIONS, [...numbers(from, to), workspaceId, partnerId, formula.id, settled]);
      yield* query(EVENTS, numbers(from, to));
      progress(to);
    }
    for (let from = 0; from < settled; from += due) {
      const { rows } = yield* query(IDS, numbers(from, from + due));
      const lines = rows.map(({ id, amount }) => ({ commissionId: id, amount }));
      const saved = Build.settlement(scene, lines);
      yield* Scene.commit(customerId, [saved]);
      yield* Scene.advance(saved.row, [...Build.approvalEvents(saved.row), { type: "mark_as_paid" }]);
      yield* query(PAID, [...numbers(from, from + due), saved.row.id]);
      yield* query(MOVED, [...numbers(from, from + due), saved.row.id, partnerId]);
    }
    yield* query(COUNTED, [customerId]);
    yield* query(FOLDED, [customerId]);
    yield* query("set session_replication_role = origin", []);
    const { rows } = yield* query(IDS, numbers(size - due, size));
    return { ...scene, size, due: rows, dueFrom: start + (size - due) * PACE_MILLISECONDS };
  });
