/** Movements and daily balances: what statements and balances are read from, compared with the logs of the commissions. */
import type { Rule } from "./Rule.ts";

/** The quantities of each commission that has more than one event, after each of its events. */
const QUANTITIES = `
  select m.partner_id, m.currency, m.record_id, m.sequence, m.at, m.settlement_id, m.pending,
    coalesce(max(m.computed) over (partition by m.record_id, m.computation), 0) as earned, m.paid, m.positive, m.negative,
    m.elsewhere, m.waits, max(m.received) over (partition by m.record_id, m.statement) as received,
    max(m.whole) over (partition by m.record_id, m.statement) as whole
  from (
    select e.*, sum(case e.type when 'reserve_commission' then e.amount when 'reopen_commission' then e.amount
        when 'release_commission' then -e.amount when 'settle_commission' then -e.amount else 0 end) over log as pending,
      sum(case when e.type = 'reopen_commission' then -e.amount when e.kind = 'paid' or e.type = 'settle_elsewhere' then e.amount
        else 0 end) over log as paid,
      case when e.type = 'settle_elsewhere' then e.amount else 0 end as elsewhere,
      sum(case when e.kind = 'written_off' then greatest(0, e.amount) else 0 end) over log as positive,
      sum(case when e.kind = 'written_off' then least(0, e.amount) else 0 end) over log as negative,
      count(e.computed) over log as computation, count(e.whole) over log as statement
    from (
      select c.partner_id, c.currency, e.record_id, e.sequence, e.at, e.event->>'type' as type, e.event->>'kind' as kind,
        (e.event->>'amount')::numeric as amount, (e.event->>'settlement_id')::uuid as settlement_id,
        case when e.event->>'type' in ('create_commission', 'update_commission') then (e.event->>'amount')::numeric end as computed,
        c.receipt is not null as waits, (e.event->>'received')::numeric as received, (e.event->>'of')::numeric as whole
      from quittance.commissions c
      join quittance.events e on e.customer_id = $1::uuid and e.kind = 'commission' and e.record_id = c.id
      where c.customer_id = $1::uuid and c.version > 1
    ) e
    window log as (partition by e.record_id order by e.sequence)
  ) m`;

/** What waits for the buyer: of a positive amount the part that is not paid, rounded up. */
const WAITING = `case when not q.waits or q.earned <= 0 or q.received >= q.whole then 0
      when q.whole is null then q.earned else q.earned - div(q.earned * q.received, q.whole) end`;

/** What each event changes; of a commission with one event, by its row. */
const CHANGES = `
  select q.partner_id, q.currency, q.record_id, q.sequence, q.at, q.settlement_id,
    q.earned - lag(q.earned, 1, 0) over log as earned, q.settled - lag(q.settled, 1, 0) over log as settled,
    q.pending - lag(q.pending, 1, 0) over log as pending, q.waiting - lag(q.waiting, 1, 0) over log as waiting, q.elsewhere
  from (
    select q.*, q.paid + greatest(q.negative, least(q.positive, q.earned - q.waiting - q.paid)) as settled
    from (select q.*, ${WAITING} as waiting from (${QUANTITIES}) q) q) q
  window log as (partition by q.record_id order by q.sequence)
  union all
  select c.partner_id, c.currency, c.id, 1, c.created_at, null, coalesce(c.computed_amount, 0), 0, 0,
    case when c.receipt is null then 0 else greatest(0, coalesce(c.computed_amount, 0)) end, 0
  from quittance.commissions c where c.customer_id = $1::uuid and c.version = 1`;

/** Movements and daily balances. */
export const movements: Rule = {
  name: "movements",
  statement:
    "The movements of statements, and the balances of each day, are those of the logs of the commissions.",
  query: `
  with changes as materialized (${CHANGES})
  select 'the movement of partner ' || t.partner_id || ' by ' || t.record_id || ' at ' || t.at as record,
    'it is off by ' || sum(t.earned) || ' earned, ' || sum(t.settled) || ' settled, ' || sum(t.pending) || ' pending, '
      || coalesce(sum(t.waiting), 0) || ' waiting ' || t.currency
      as problem
  from (
    select m.partner_id, m.record_id, m.at, m.currency, m.earned, m.settled, m.pending, m.waiting
    from quittance.movements m where m.customer_id = $1::uuid
    union all
    select c.partner_id, coalesce(c.settlement_id, c.record_id), c.at, c.currency, -c.earned, -c.settled, -c.pending, -c.waiting
    from changes c where c.sequence > 1
  ) t
  group by t.partner_id, t.record_id, t.at, t.currency
  having sum(t.earned) <> 0 or sum(t.settled) <> 0 or sum(t.pending) <> 0 or sum(t.waiting) <> 0
  union all
  select 'the balance of partner ' || t.partner_id || ' on ' || to_char(date '0001-01-01' + t.day, 'YYYY-MM-DD'),
    'it is off by ' || sum(t.earned) || ' earned, ' || sum(t.settled) || ' settled, ' || sum(t.pending) || ' pending, '
      || coalesce(sum(t.waiting), 0) || ' waiting, ' || coalesce(sum(t.elsewhere), 0) || ' settled elsewhere ' || t.currency
  from (
    select b.partner_id, b.day, b.currency, b.earned, b.settled, b.pending, b.waiting, b.elsewhere
    from quittance.daily_balances b where b.customer_id = $1::uuid
    union all
    select d.partner_id, d.moved_day, d.currency, d.settled + d.due, d.settled, coalesce(d.pending, 0), d.waiting, d.elsewhere
    from quittance.rollup_deltas d
    where d.customer_id = $1::uuid and d.kind = 'commission' and d.moved_day is not null
    union all
    select c.partner_id, quittance.day_of(c.at), c.currency, -c.earned, -c.settled, -c.pending, -c.waiting, -c.elsewhere
    from changes c
  ) t
  group by t.partner_id, t.day, t.currency
  having sum(t.earned) <> 0 or sum(t.settled) <> 0 or sum(t.pending) <> 0 or sum(t.waiting) <> 0 or sum(t.elsewhere) <> 0`,
};
