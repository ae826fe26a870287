/**
 * Balances and movements of a partner. Whole days are read from `daily_balances` and from the deltas that are not compacted
 * yet; a part of a day, and the movements of a statement, are read by index: the first event of each commission with its
 * row, all later events from `movements`.
 */
import { Effect } from "effect";
import { type Ids, type Movement, SettledElsewhere, type Storage } from "quittance";
import { lookUpByKey } from "../planning.ts";
import { LAST_ID, type Runner, row, rows, runnerForRows, uuids } from "../Statement.ts";
import { forCustomer } from "../TenantScope.ts";

/** A column of the first event of the commission `c`, which is its creation. */
const firstEvent = (columns: string): string =>
  lookUpByKey({
    table: "quittance.events",
    columns,
    customer: "$1",
    key: "record_id",
    id: "c.id",
    condition: "t.sequence = 1",
  });

/**
 * Commissions of the partner that were created within a condition, in order of creation. The partner is
 * compared for equality: with bounds, the index would be read from the partner's first commission on.
 */
const createdCommissions = (columns: string, condition: string, rest = "", partner = "$2"): string => `
    select ${columns} from quittance.commissions c
    where c.customer_id = $1 and c.partner_id = ${partner} and ${condition}
    order by c.created_at, c.id${rest}`;

/** The amount of a commission's first event; null when its computation failed. */
const FIRST_AMOUNT = `case when c.version = 1 then c.computed_amount
      else ${firstEvent("(t.event->>'amount')::bigint")} end`;

/** What waits after a commission's first event: all of a positive amount that waits for the buyer, for nothing is stated yet. */
const FIRST_WAITING = `case when c.receipt is null then null when c.version = 1 then c.waiting_amount
      else greatest(0, coalesce(${FIRST_AMOUNT}, 0)) end`;

/**
 * A row `d` with the first day whose sums are not wholly before a moment: the day of the moment, or the next one where
 * nothing follows on that day, as is usual at the present. A whole day is a sum, and a part of one is read row by row.
 * What follows is selected, not tested with `exists`, which drops the order and with it the index; without `offset` it
 * would be looked for once for each row that is compared with the day.
 */
const firstCutDay = (moment: string, partner = "$2"): string => {
  const day = `quittance.day_of(${moment})`;
  const follows = (column: string): string =>
    `${column} >= ${moment} and ${column} < quittance.start_of(${day} + 1)`;
  return `(select ${day} + case when
      (${createdCommissions("true", follows("c.created_at"), " limit 1", partner)}) is null
      and (select true from quittance.movements t
        where t.customer_id = $1 and t.partner_id = ${partner} and ${follows("t.at")}
        order by t.at, t.record_id, t.sequence limit 1) is null
    then 1 else 0 end offset 0) d (day)`;
};

/**
 * Rows of currency, earned, settled, pending, waiting and what was settled elsewhere that sum up to a partner's balance before
 * a moment, for its {@link firstCutDay}.
 */
const sumsBefore = (moment: string, partner = "$2"): string => {
  const onDay = (column: string): string =>
    `${column} >= quittance.start_of(d.day) and ${column} < ${moment}`;
  return `
    select t.currency, t.earned, t.settled, t.pending, t.waiting, t.elsewhere from quittance.daily_balances t
    where t.customer_id = $1 and t.partner_id = ${partner} and t.day < d.day
    union all
    select t.currency, t.settled + t.due, t.settled, coalesce(t.pending, 0), t.waiting, t.elsewhere
    from quittance.rollup_deltas t
    where t.customer_id = $1 and t.kind = 'commission' and t.partner_id = ${partner} and t.moved_day < d.day
    union all
    select t.currency, t.earned, t.settled, t.pending, t.waiting,
      case when t.type = 'settled_elsewhere' then t.settled end
    from quittance.movements t
    where t.customer_id = $1 and t.partner_id = ${partner} and ${onDay("t.at")}
    union all
    (${createdCommissions(`c.currency, coalesce(${FIRST_AMOUNT}, 0), 0, 0, ${FIRST_WAITING}, null::numeric`, onDay("c.created_at"), "", partner)})`;
};

const BALANCES = forCustomer(`
select p.id as "partnerId", b.* from unnest($2::uuid[]) with ordinality p (id, place),
lateral ${firstCutDay("$3::bigint", "p.id")}, lateral (
  select s.currency, sum(s.earned)::text as earned, sum(s.settled)::text as settled, sum(s.pending)::text as pending,
    coalesce(sum(s.waiting), 0)::text as waiting, coalesce(sum(s.elsewhere), 0)::text as elsewhere
  from (${sumsBefore("$3::bigint", "p.id")}) s (currency, earned, settled, pending, waiting, elsewhere)
  group by s.currency) b
order by p.place, b.currency collate "C"`);

const dueBefore = (moment: string): string => `
  (select coalesce(sum(s.earned - s.settled - coalesce(s.waiting, 0)), 0)
    from ${firstCutDay(moment)}, lateral (${sumsBefore(moment)}) s (currency, earned, settled, pending, waiting, elsewhere)
    where s.currency = $3)::text`;

/** Movements after a position, before a moment. */
const PAGE = `
  select p.at, p.record_id, p.sequence, p.type, p.earned, p.settled, p.waiting from (
    (select t.at, t.record_id, t.sequence, t.type, t.earned, t.settled, t.waiting from quittance.movements t
      where t.customer_id = $1 and t.partner_id = $2 and (t.at, t.record_id, t.sequence) > ($6::bigint, $7::uuid, $8::integer)
        and t.at < $5::bigint and t.currency = $3 and t.type not in ('reserved', 'released')
      order by t.at, t.record_id, t.sequence limit $9::bigint)
    union all
    (${createdCommissions(
      `c.created_at, c.id, 1, 'earned', ${FIRST_AMOUNT}, 0, ${FIRST_WAITING}`,
      `(c.created_at, c.id) > ($6::bigint, $7::uuid) and c.created_at < $5::bigint and c.currency = $3
        and ${FIRST_AMOUNT} is not null`,
      " limit $9::bigint",
    )})
  ) p (at, record_id, sequence, type, earned, settled, waiting)
  order by p.at, p.record_id, p.sequence limit $9::bigint`;

/** What the event of a movement of a type states in addition. */
const eventOf = (
  type: Movement.MovementType,
  columns: string,
): string => `(select ${columns} from quittance.events e
      where e.customer_id = $1 and e.record_id = p.record_id and e.sequence = p.sequence and p.type = '${type}')`;

const CAUSE = eventOf("adjusted", "e.event->>'cause'");
const RECEIPT = eventOf(
  "received",
  "json_build_object('received', e.event->'received', 'of', e.event->'of')",
);

const ELSEWHERE = eventOf(
  "settled_elsewhere",
  "json_build_object('at', e.event->'at', 'reference', e.event->'reference')",
);

const MOVEMENTS = forCustomer(`
select
  case when $10::boolean then ${dueBefore("$4::bigint")} end as opening,
  case when $10::boolean then ${dueBefore("$5::bigint")} end as closing,
  (select coalesce(json_agg(json_build_object(
      'at', p.at, 'recordId', p.record_id, 'sequence', p.sequence, 'type', p.type, 'earned', p.earned::text,
      'settled', p.settled::text, 'waiting', coalesce(p.waiting, 0)::text, 'cause', ${CAUSE}, 'receipt', ${RECEIPT},
      'settledElsewhere', ${ELSEWHERE}) order by p.at, p.record_id, p.sequence), '[]')
    from (${PAGE}) p)::text as movements`);

interface BalanceRow {
  readonly partnerId: Ids.PartnerId;
  readonly currency: string;
  readonly earned: string;
  readonly settled: string;
  readonly waiting: string;
  readonly elsewhere: string;
  readonly pending: string;
}

/** The balances of partners and their parts, before a moment. */
export const partnerBalances = (
  sql: Runner,
  ...[customerId, partnerIds, at]: Parameters<Storage.StorageService["partnerBalances"]>
): Effect.Effect<ReadonlyArray<Storage.PartnerBalance>, Storage.StorageError> =>
  Effect.map(rows<BalanceRow>(sql, BALANCES, [customerId, uuids(partnerIds), at]), (found) =>
    found.map(({ partnerId, currency, earned, settled, waiting, elsewhere, pending }) => ({
      partnerId,
      currency,
      earned: BigInt(earned),
      settled: BigInt(settled),
      waiting: BigInt(waiting),
      elsewhere: BigInt(elsewhere),
      pending: BigInt(pending),
    })),
  );

interface PageRow {
  readonly opening: string | null;
  readonly closing: string | null;
  readonly movements: string;
}

type MovementRow = Omit<Movement.Movement, "earned" | "settled" | "waiting" | "settledElsewhere"> & {
  readonly earned: string;
  readonly settled: string;
  readonly waiting: string;
  readonly settledElsewhere: SettledElsewhere.Stated | null;
};

const LAST_SEQUENCE = 2_147_483_647;

/** A page of the movements of a partner. */
export const partnerMovements = (
  sql: Runner,
  customerId: Ids.CustomerId,
  partnerId: Ids.PartnerId,
  { currency, from, to, after, limit }: Storage.MovementSpan,
): Effect.Effect<Storage.MovementPage, Storage.StorageError> => {
  // Without a position in the span, the page begins with the first movement of the span.
  const start =
    after !== null && after.at >= from ? after : { at: from - 1, recordId: LAST_ID, sequence: LAST_SEQUENCE };
  const parameters = [
    customerId,
    partnerId,
    currency,
    from,
    to,
    start.at,
    start.recordId,
    start.sequence,
    limit,
  ];
  return Effect.map(
    row<PageRow>(runnerForRows(sql, limit), MOVEMENTS, [...parameters, after === null]),
    (found) => {
      const { opening = null, closing = null, movements = "[]" } = found ?? {};
      return {
        movements: (JSON.parse(movements) as ReadonlyArray<MovementRow>).map(
          ({ earned, settled, waiting, settledElsewhere, ...movement }) => ({
            ...movement,
            settledElsewhere: settledElsewhere && SettledElsewhere.settledOf(settledElsewhere),
            earned: BigInt(earned),
            settled: BigInt(settled),
            waiting: BigInt(waiting),
          }),
        ),
        due:
          opening === null || closing === null
            ? null
            : { opening: BigInt(opening), closing: BigInt(closing) },
      };
    },
  );
};
