/** The least SQL that stores the rows of creating and of paying a settlement: no checks, counters or idempotency. */
import { randomUUID } from "node:crypto";
import type pg from "pg";
import type { Scene } from "quittance/testing";

const CREATE = [
  `insert into quittance.settlements (
    customer_id, id, workspace_id, partner_id, currency, status, total, view, created_at, version, last_at)
  select $1, $2, $3, $4, 'EUR', 'draft', sum(amount), '{}', $5, 1, $5 from unnest($6::bigint[]) as l(amount)`,
  `insert into quittance.settlement_lines (customer_id, settlement_id, position, commission_id, amount)
  select $1, $2, place - 1, id, amount from unnest($3::uuid[], $4::bigint[]) with ordinality as l(id, amount, place)`,
  `insert into quittance.reservations (customer_id, commission_id, settlement_id)
  select $1, id, $2 from unnest($3::uuid[]) as l(id)`,
  `with changed as (
    update quittance.commissions c set pending_amount = l.amount, open_settlement_id = $2, version = c.version + 1
    from unnest($3::uuid[], $4::bigint[]) as l(id, amount) where c.customer_id = $1 and c.id = l.id
    returning c.id, c.version, l.amount)
  insert into quittance.events (customer_id, record_id, sequence, kind, at, actor, event)
  select $1, id, version, 'commission', $5, 'bare',
    json_build_object('type', 'reserve_commission', 'settlement_id', $2::uuid, 'amount', amount) from changed`,
] as const;

const PAY = [
  "update quittance.settlements set status = 'paid', version = version + 1 where customer_id = $1 and id = $2",
  "delete from quittance.reservations where customer_id = $1 and settlement_id = $2",
  `with changed as (
    update quittance.commissions c set pending_amount = 0, open_settlement_id = null, version = c.version + 1,
      settled_line_count = c.settled_line_count + 1, paid_amount = c.paid_amount + l.amount
    from quittance.settlement_lines l
    where l.customer_id = $1 and l.settlement_id = $2 and c.customer_id = $1 and c.id = l.commission_id
    returning c.id, c.version, l.amount)
  insert into quittance.events (customer_id, record_id, sequence, kind, at, actor, event)
  select $1, id, version, 'commission', $3, 'bare',
    json_build_object('type', 'settle_commission', 'settlement_id', $2::uuid, 'amount', amount) from changed`,
] as const;

const transaction = async (
  client: pg.Client,
  statements: ReadonlyArray<readonly [string, ReadonlyArray<unknown>]>,
) => {
  await client.query("begin");
  for (const [text, values] of statements) await client.query(text, [...values]);
  await client.query("commit");
};

/** Creates a settlement of commissions; returns its id. */
export const create = async (
  client: pg.Client,
  scene: Scene.Scene,
  ids: ReadonlyArray<string>,
  amounts: ReadonlyArray<number>,
): Promise<string> => {
  const { customerId, workspaceId, partnerId } = scene;
  const [id, at] = [randomUUID(), Date.now()];
  await transaction(client, [
    [CREATE[0], [customerId, id, workspaceId, partnerId, at, amounts]],
    [CREATE[1], [customerId, id, ids, amounts]],
    [CREATE[2], [customerId, id, ids]],
    [CREATE[3], [customerId, id, ids, amounts, at]],
  ]);
  return id;
};

/** Pays a settlement. */
export const pay = (client: pg.Client, { customerId }: Scene.Scene, id: string): Promise<void> =>
  transaction(client, [
    [PAY[0], [customerId, id]],
    [PAY[1], [customerId, id]],
    [PAY[2], [customerId, id, Date.now()]],
  ]);
