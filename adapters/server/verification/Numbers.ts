/** The numbers of documents that the service issued: each series has every number from 1 to its last one, once, with dates in order. */
import type { Rule } from "./Rule.ts";

/** Who issues documents; every other document was uploaded and has the number that its caller stated. */
const ISSUER = "system:documents";

/** A row where the database was created by version 1. */
const UPGRADED = `
  select from quittance.migrations o join quittance.migrations n on n.version = 2 and n.applied_at > o.applied_at
  where o.version = 1`;

/**
 * Documents that the service issued, each with its series, which is what its number begins with. Reports of version 1 may
 * have none, neither in their record nor in the event.
 */
const ISSUED = `
  select d.id, d.kind, s.partner_id, d.view->>'number' as number, p.parts[1] as stem, p.parts[2]::numeric as counter,
    d.view->>'issuedOn' as issued_on
  from quittance.documents d
  join quittance.settlements s on s.customer_id = $1::uuid and s.id = d.settlement_id
  left join lateral (select regexp_match(d.view->>'number', '^(.*[^0-9])([0-9]+)$') as parts) p on true
  where d.customer_id = $1::uuid and exists (
    select from quittance.events e
    where e.customer_id = $1::uuid and e.record_id = d.settlement_id and e.kind = 'settlement' and e.actor = '${ISSUER}'
      and e.event->>'type' in ('link_report', 'link_invoice', 'link_credit_note')
      and d.id::text in (e.event->>'report_reference', e.event->>'invoice_reference', e.event->>'credit_note_reference')
      and (d.kind <> 'report' or coalesce(d.view->>'number', e.event->>'report_number') is not null or not exists (${UPGRADED})))`;

/**
 * Customers of version 1 have series for each partner and kind, whose numbers repeat among partners. A later series of the
 * same beginning continues after the highest of them, so that it has no first number.
 */
const SERIES = `
  select t.series, t.last_number, t.series !~ '^[0-9a-f-]{36} (report|invoice|credit_note)$' and exists (
    select from quittance.document_series l where l.customer_id = $1::uuid and l.series = 'per partner') as goes_on
  from quittance.document_series t
  where t.customer_id = $1::uuid and t.series <> 'per partner'`;

/** The numbers of documents. */
export const numbers: Rule = {
  name: "document numbers",
  statement:
    "The documents that the service issued have every number of their series from 1 to the last one, each once, and their dates never go back.",
  query: `
  with issued as materialized (${ISSUED}), series as materialized (${SERIES}),
  places as materialized (
    select i.stem as series, i.counter from issued i union select i.partner_id || ' ' || i.kind, i.counter from issued i)
  select 'document ' || i.id as record, 'its number ' || i.number || ' is that of document ' || o.id || ' as well' as problem
  from issued i join issued o on o.number = i.number and o.id < i.id
  where not exists (select from series s where s.goes_on) or (o.partner_id = i.partner_id and o.kind = i.kind)
  union all
  select 'document ' || i.id, 'its number ' || coalesce(i.number, 'is missing and') || ' is not one of its series'
    || coalesce(', whose last number is ' || s.last_number, '')
  from issued i
  left join series s on s.series = i.stem
  left join series p on p.series = i.partner_id || ' ' || i.kind
  where (i.counter between 1 and s.last_number or i.counter between 1 and p.last_number) is not true
  union all
  select 'series ' || s.series, 'its last number is ' || s.last_number || ', and no document has number ' || n
  from series s
  cross join lateral generate_series(1, s.last_number) n
  left join places p on p.series = s.series and p.counter = n::numeric
  where p.series is null and not s.goes_on
  union all
  select 'document ' || d.id, 'its date ' || d.issued_on || ' is before ' || d.date_before || ', that of number ' || d.number_before
  from (
    select i.id, i.issued_on, lag(i.issued_on) over w as date_before, lag(i.number) over w as number_before
    from issued i where i.issued_on is not null window w as (partition by i.stem order by i.counter)) d
  where d.issued_on < d.date_before and not exists (select from series s where s.goes_on)`,
};
