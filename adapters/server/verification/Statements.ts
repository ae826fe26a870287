/** Checks that the database computes by itself, each as one statement that returns what is wrong. */
import { Stream } from "effect";
import { type Check, FINDINGS_MAX } from "./Check.ts";
import { movements } from "./Movements.ts";
import { numbers } from "./Numbers.ts";
import { payments } from "./Payments.ts";
import { receipts } from "./Receipts.ts";
import { recreditRuns } from "./RecreditRuns.ts";
import type { Rule } from "./Rule.ts";
import { policies, runs } from "./Runs.ts";
import { settledElsewhere } from "./SettledElsewhere.ts";
import { webhooks } from "./Webhooks.ts";

const ENDED = "('paid', 'written_off', 'cancelled')";

/** The kinds of logs and their tables. */
const LOGGED = {
  attribution: "attributions",
  formula: "formulas",
  plan: "plans",
  commission: "commissions",
  settlement: "settlements",
};

const orphans = Object.entries(LOGGED)
  .map(
    ([kind, table]) => `
  select '${kind} ' || e.record_id as record, 'has a log and no record' as problem
  from quittance.events e
  where e.customer_id = $1::uuid and e.kind = '${kind}' and e.sequence = 1
    and not exists (select from quittance.${table} t where t.customer_id = $1::uuid and t.id = e.record_id)`,
  )
  .join("\n  union all");

const DAY = "quittance.day_of";

/** Rollups and deltas less a recount; a row of the result is a difference. Both sides have rows for all days and all partners. */
const ROLLUPS = `
  select kind || 's of ' || coalesce('partner ' || partner_id, 'all partners') || ' on '
      || coalesce('day ' || to_char(date '0001-01-01' + day, 'YYYY-MM-DD'), 'all days') || ', ' || status
      || coalesce(' in ' || currency, '') as record,
    'statistics are off by ' || sum(count) || ' records, ' || sum(settled) || ' settled, ' || sum(due) || ' due' as problem
  from (
    select r.kind, r.partner_id, r.day, r.workspace_id, r.status, r.currency, r.count, r.settled, r.due
    from quittance.rollups r where r.customer_id = $1::uuid
    union all
    select d.kind, d.partner_id, d.day, d.workspace_id, d.status, d.currency, sum(d.count), sum(d.settled), sum(d.due)
    from quittance.rollup_deltas d where d.customer_id = $1::uuid
    group by d.kind, d.workspace_id, d.status, d.currency,
      grouping sets ((), (d.day), (d.partner_id), (d.partner_id, d.day))
    union all
    select 'commission', c.partner_id, ${DAY}(c.occurred_at), c.workspace_id, c.settlement_status, c.currency,
      -count(*), -sum(c.settled_amount), -sum(coalesce(c.computed_amount, 0) - c.settled_amount)
    from quittance.commissions c where c.customer_id = $1::uuid
    group by c.workspace_id, c.settlement_status, c.currency,
      grouping sets ((), (${DAY}(c.occurred_at)), (c.partner_id), (c.partner_id, ${DAY}(c.occurred_at)))
    union all
    select a.kind, a.partner_id, ${DAY}(a.occurred_at), a.workspace_id, a.status, null, -count(*), 0, 0
    from (
      select a.*, case when a.origin_id is null then 'attribution'
        when a.credit ? 'further' then 'further_credit' else 'credit' end as kind
      from quittance.attributions a where a.customer_id = $1::uuid) a
    group by a.kind, a.workspace_id, a.status,
      grouping sets ((), (${DAY}(a.occurred_at)), (a.partner_id), (a.partner_id, ${DAY}(a.occurred_at)))
  ) t
  group by kind, partner_id, day, workspace_id, status, currency
  having sum(count) <> 0 or sum(settled) <> 0 or sum(due) <> 0`;

const RULES: ReadonlyArray<Rule> = [
  {
    name: "M5",
    statement:
      "A settlement's total is the sum of its lines, all of its own workspace, partner and currency.",
    query: `
  select 'settlement ' || s.id as record,
    case
      when s.total <> l.total then 'its total is ' || s.total || ', its lines add up to ' || l.total
      when (s.view->>'lineCount')::bigint <> l.count then 'it says ' || (s.view->>'lineCount') || ' lines and has ' || l.count
      when l.gaps then 'the places of its lines have gaps'
      else 'a line is of another workspace, partner or currency'
    end as problem
  from quittance.settlements s
  cross join lateral (
    select coalesce(sum(l.amount), 0) as total, count(*) as count,
      coalesce(max(l.position) - min(l.position) + 1 <> count(*), false) as gaps,
      coalesce(bool_or((c.workspace_id, c.partner_id, c.currency) is distinct from (s.workspace_id, s.partner_id, s.currency)), false) as foreigners
    from quittance.settlement_lines l
    left join quittance.commissions c on c.customer_id = $1::uuid and c.id = l.commission_id
    where l.customer_id = $1::uuid and l.settlement_id = s.id
  ) l
  where s.customer_id = $1::uuid
    and (s.total <> l.total or (s.view->>'lineCount')::bigint is distinct from l.count or l.gaps or l.foreigners)`,
  },
  {
    name: "states",
    statement: "The indexed state of every settlement is the state in its record.",
    query: `
  select 'settlement ' || s.id as record,
    'its indexed state is ' || s.status || ', and its record has ' || (s.view->'status'->>'type') as problem
  from quittance.settlements s
  where s.customer_id = $1::uuid and s.status is distinct from s.view->'status'->>'type'`,
  },
  {
    name: "reservations",
    statement: "The lines of open settlements, and no others, are reserved.",
    query: `
  select 'commission ' || coalesce(o.commission_id, r.commission_id) as record,
    case when r.settlement_id is null then 'its line in the open settlement ' || o.settlement_id || ' is not reserved'
      else 'it is reserved for ' || r.settlement_id || coalesce(', and held by ' || o.settlement_id, ', which does not hold it') end as problem
  from (
    select l.commission_id, l.settlement_id from quittance.settlement_lines l
    join quittance.settlements s on s.customer_id = $1::uuid and s.id = l.settlement_id
    where l.customer_id = $1::uuid and s.status not in ${ENDED}
  ) o
  full join (
    select t.commission_id, t.settlement_id from quittance.reservations t where t.customer_id = $1::uuid
  ) r on r.commission_id = o.commission_id
  where r.settlement_id is distinct from o.settlement_id`,
  },
  {
    name: "orphans",
    statement: "Every log has its record.",
    query: orphans,
  },
  {
    name: "S5",
    statement: "A commission of a cancelled attribution or formula is 0, unless a recomputation is pending.",
    query: `
  select 'commission ' || c.id as record, 'it is ' || c.computed_amount || ', and its '
    || case when a.status = 'cancelled' then 'attribution' else 'formula' end || ' is cancelled' as problem
  from quittance.commissions c
  join quittance.attributions a on a.customer_id = $1::uuid and a.id = c.attribution_id
  join quittance.formulas f on f.customer_id = $1::uuid and f.id = c.formula_id
  where c.customer_id = $1::uuid and c.computed_amount <> 0 and (
    a.status = 'cancelled' or (f.status = 'cancelled' and not exists (
      select from quittance.recomputations r
      where r.customer_id = $1::uuid and r.formula_id = f.id and r.pending)))`,
  },
  {
    name: "statistics",
    statement: "The counts and sums of statistics are those of the records.",
    query: ROLLUPS,
  },
  {
    name: "documents",
    statement:
      "Every document that a settlement links, and every file that its messages name, is there, with the bytes that were linked; of one that was erased there are none.",
    query: `
  select 'document ' || d.id as record,
    case when d.view ? 'isErased' then 'it was erased, and its bytes are still there'
      when b.document_id is null then 'its bytes are missing'
      else 'its bytes are not those that were issued: their digest differs' end as problem
  from quittance.documents d
  left join quittance.document_bytes b on b.customer_id = $1::uuid and b.document_id = d.id
  where d.customer_id = $1::uuid
    and case when d.view ? 'isErased' then b.document_id is not null
      else b.document_id is null or encode(sha256(b.bytes), 'hex') is distinct from d.view->>'sha256' end
  union all
  select 'settlement ' || s.id, 'it links a ' || k.kind || ' that does not exist'
  from quittance.settlements s
  cross join lateral (values
    ('report', s.view->>'reportReference'), ('invoice', s.view->>'invoiceReference'),
    ('credit note', s.view->>'creditNoteReference')
    union all
    select 'file', jsonb_array_elements_text(coalesce(s.view->'attachments', '[]'))) k(kind, reference)
  where s.customer_id = $1::uuid and k.reference is not null and not exists (
    select from quittance.documents d where d.customer_id = $1::uuid and d.id = k.reference::uuid)`,
  },
  {
    name: "payment references",
    statement: "The reference of every payment refers to its settlement.",
    query: `
  select 'settlement ' || s.id as record,
    'its payment reference ' || (s.view->>'paymentReference') || coalesce(' refers to ' || p.settlement_id, ' is unknown') as problem
  from quittance.settlements s
  left join quittance.payment_references p on p.customer_id = $1::uuid and p.reference = (s.view->>'paymentReference')::uuid
  where s.customer_id = $1::uuid and s.view->>'paymentReference' is not null
    and p.settlement_id is distinct from s.id`,
  },
  {
    name: "M11",
    statement:
      "The amount and tax that remain of every self-billed document are the sum of the changes by all documents.",
    query: `
  select 'tax origin ' || o.id as record,
    'it has ' || (o.view->>'base') || ' with tax ' || (o.view->>'tax') || ', by the documents '
      || coalesce(m.base, 0) || ' with ' || coalesce(m.tax, 0) as problem
  from quittance.tax_origins o
  left join (
    select (h.share->>'originId')::uuid as id, sum((h.share->>'base')::numeric) as base, sum((h.share->>'tax')::numeric) as tax
    from quittance.tax_origins t
    join quittance.settlements s on s.customer_id = $1::uuid and s.id = t.id
    cross join lateral jsonb_array_elements(t.view->'shares') as h(share)
    where t.customer_id = $1::uuid and s.status not in ('written_off', 'cancelled')
    group by 1
  ) m on m.id = o.id
  where o.customer_id = $1::uuid
    and ((o.view->>'base')::numeric <> coalesce(m.base, 0) or (o.view->>'tax')::numeric <> coalesce(m.tax, 0))`,
  },
  numbers,
  payments,
  policies,
  runs,
  recreditRuns,
  movements,
  receipts,
  settledElsewhere,
  webhooks,
];

const limitFindings = (query: string): string =>
  `select f.record, f.problem from (${query}) f limit ${FINDINGS_MAX}`;

/** The checks by statement. */
export const statements: ReadonlyArray<Check> = RULES.map(({ name, statement, query }) => ({
  name,
  statement,
  find: (reader) =>
    Stream.map(
      Stream.fromIterableEffect(
        reader.rows<{ readonly record: string; readonly problem: string }>(limitFindings(query)),
      ),
      ({ record, problem }) => ({
        check: name,
        customerId: reader.customerId,
        problem: `${record}: ${problem}`,
      }),
    ),
}));
