/** Reads of settlement runs: what partners have due, and the policies whose next run is due. */
import { Effect } from "effect";
import type { Ids, SettlementPolicy, SettlementRun, Storage } from "quittance";
import * as Shards from "../distribution/Shards.ts";
import { record } from "../records/RowMapping.ts";
import { type Runner, rowsFromJson, runnerForRows, uuids } from "../Statement.ts";
import { forCustomer, forPlatform } from "../TenantScope.ts";

/** Before every commission. */
const BEGINNING = { createdAt: Number.MIN_SAFE_INTEGER, id: "00000000-0000-0000-0000-000000000000" };

/**
 * The commissions of the partner `w.id` with nothing due that a condition with an index of its own finds. Sorted by an
 * expression: for the order of creation the planner would scan an index of all commissions of the partner.
 */
const undueWhere = (condition: string): string => `
    (select t.* from quittance.commissions t
    where t.customer_id = $1 and t.partner_id = w.id and t.due_sign = 0 and ${condition}
      and (t.created_at, t.id) > ($4::bigint, $5::uuid) and t.occurred_at < $3::bigint
    order by t.created_at + 0, t.id limit $6::bigint)`;

/**
 * The commissions of the partner `w.id` whose due amount has a sign. Two bounds and the order of `commissions_due`, instead of
 * equalities: PostgreSQL may hold an equality for true of every row of the customer, because its statistics are from when there was
 * one partner. Then it scans the whole table for each partner.
 */
const dueWithSign = (sign: 1 | -1): string => `
    (select t.* from quittance.commissions t
    where t.customer_id = $1 and t.due_sign <> 0
      and (t.due_sign, t.partner_id, t.created_at, t.id) > (${sign}, w.id, $4::bigint, $5::uuid)
      and (t.due_sign, t.partner_id) <= (${sign}, w.id) and t.occurred_at < $3::bigint
    order by t.due_sign, t.partner_id, t.created_at, t.id limit $6::bigint)`;

/** Attributions that replace others: which one, and whether something of that has settled. */
const replacingWhere = (condition: string) =>
  forCustomer(`
select json_build_object('id', a.id, 'earlierId', a.replaces, 'isSettled', exists (
  select from quittance.commissions c
  where c.customer_id = $1 and c.attribution_id = a.replaces and c.settled_line_count > 0))::text as replacing
from quittance.attributions a
where a.customer_id = $1 and ${condition} and a.replaces is not null`);

const REPLACING_OF_PARTNERS = replacingWhere("a.partner_id = any ($2::uuid[])");
const REPLACING_BY_ID = replacingWhere("a.id = any ($2::uuid[])");

interface ReplacingRow {
  readonly id: string;
  readonly earlierId: string;
  readonly isSettled: boolean;
}

/**
 * The attributions of the partners that replaced, directly or not, one of which something has settled. Level by level: a node
 * of a distributed database executes no recursive query. Partners without replaced sales cost one look-up in a partial index.
 */
const corrections = (
  sql: Runner,
  customerId: Ids.CustomerId,
  partnerIds: ReadonlyArray<string>,
): Effect.Effect<ReadonlySet<string>, Storage.StorageError> =>
  Effect.gen(function* () {
    const read = (statement: typeof REPLACING_BY_ID, ids: Iterable<string>) =>
      Effect.map(
        rowsFromJson<{ readonly replacing: ReplacingRow }>(sql, statement, [customerId, uuids(new Set(ids))]),
        (rows) => rows.map(({ replacing }) => replacing),
      );
    const own = yield* read(REPLACING_OF_PARTNERS, partnerIds);
    const rows = new Map(own.map((row) => [row.id, row]));
    let open = own;
    while (open.length > 0) {
      const unread = open.flatMap(({ isSettled, earlierId }) =>
        isSettled || rows.has(earlierId) ? [] : earlierId,
      );
      open = unread.length === 0 ? [] : [...(yield* read(REPLACING_BY_ID, unread))];
      for (const row of open) rows.set(row.id, row);
    }
    const isCorrection = (row: ReplacingRow | undefined): boolean =>
      row !== undefined && (row.isSettled || isCorrection(rows.get(row.earlierId)));
    return new Set(own.filter(isCorrection).map(({ id }) => id));
  });

const DUE = forCustomer(`
select json_build_object(
  'id', d.id, 'createdAt', d.created_at, 'partnerId', d.partner_id, 'formulaId', d.formula_id, 'currency', d.currency,
  'dueAmount', coalesce(d.computed_amount, 0) - coalesce(d.waiting_amount, 0) - d.settled_amount, 'occurredAt', d.occurred_at,
  'isComputable', d.computation_error is null, 'isInOpenSettlement', d.open_settlement_id is not null,
  'isCorrection', d.settled_line_count > 0)::text as due, to_json(d.attribution_id)::text as attribution_id
from unnest($2::uuid[]) as w(id) cross join lateral (
  select t.* from (${[
    dueWithSign(1),
    dueWithSign(-1),
    undueWhere("t.computation_error is not null"),
    undueWhere("t.waiting_amount > 0 and t.computation_error is null"),
  ].join(" union all")}) t
  order by t.created_at, t.id limit $6::bigint) d
order by w.id, d.created_at, d.id`);

/** The commissions that are due to partners: for each partner the first `limit` after a position. */
export const dueCommissions = (
  sql: Runner,
  customerId: Ids.CustomerId,
  { partnerIds, until, after, limit }: Parameters<Storage.StorageService["dueCommissions"]>[1],
): Effect.Effect<ReadonlyArray<SettlementRun.DueCommission>, Storage.StorageError> => {
  const { createdAt, id } = after ?? BEGINNING;
  return Effect.flatMap(corrections(sql, customerId, partnerIds), (replaced) =>
    Effect.map(
      rowsFromJson<{ readonly due: SettlementRun.DueCommission; readonly attribution_id: string }>(
        runnerForRows(sql, partnerIds.length * limit),
        DUE,
        [customerId, uuids(new Set(partnerIds)), until, createdAt, id, limit],
      ),
      (rows) =>
        rows.map(({ due, attribution_id }) =>
          replaced.has(attribution_id) ? { ...due, isCorrection: true } : due,
        ),
    ),
  );
};

/** Before every policy. */
const FIRST = { nextRunAt: BEGINNING.createdAt, id: BEGINNING.id };

const DUE_POLICIES = Shards.onePart(
  forPlatform,
  "settlement_policies",
  `select ${record("settlementPolicy", "t")} as record
from quittance.settlement_policies t where t.next_run_at <= $1::bigint
  and (t.next_run_at, t.id) > ($2::bigint, $3::uuid)
order by t.next_run_at, t.id limit $4::bigint`,
);

type Policy = Storage.Versioned<SettlementPolicy.SettlementPolicy>;

const byNextRun = (a: Policy, b: Policy): number =>
  (a.nextRunAt ?? 0) - (b.nextRunAt ?? 0) || (a.id < b.id ? -1 : 1);

/** Policies whose next run is due, of every customer. */
export const dueSettlementPolicies = (
  sql: Runner,
  ...[at, after, limit]: Parameters<Storage.StorageService["dueSettlementPolicies"]>
): Effect.Effect<ReadonlyArray<Policy>, Storage.StorageError> => {
  const { nextRunAt, id } = after ?? FIRST;
  return Effect.map(
    Shards.readReachable<{ readonly record: Policy }>(sql, DUE_POLICIES, [at, nextRunAt, id, limit]),
    ({ found, missing }) => {
      const policies = found.map(({ record }) => record);
      return missing === null ? policies : policies.sort(byNextRun).slice(0, limit);
    },
  );
};
