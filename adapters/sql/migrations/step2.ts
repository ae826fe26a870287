/**
 * Step 2, not released yet: changes of tables, columns, indexes and constraints since version 1. Until the release every
 * change is appended here; then the text is frozen and step 3 begins. A new column of a record also belongs in
 * `records/Tables.ts`, from which the functions that save records are generated.
 *
 * A step never uses our functions: they are dropped while steps run, and nothing in a step may depend on one (a generated
 * column, a check, an index), or the next migration could not drop it. A step must work on a database with rows and on an
 * empty one, for an owner who is no superuser.
 */
import { EventFeed } from "quittance";
import { kindPlace } from "../feed/feedFunctions.ts";

const LARGEST = "9007199254740991";

/** The part of an amount that may be settled. */
const RELEASED = "coalesce(computed_amount, 0) - coalesce(waiting_amount, 0)";

/** Adds the commissions of a condition to the rollups, or subtracts them with sign -1. */
const addToRollups = (sign: 1 | -1, condition: string): string => `
insert into quittance.rollup_deltas (
  customer_id, kind, partner_id, day, workspace_id, status, currency, count, settled, due)
select c.customer_id, 'commission', c.partner_id, (c.created_at + 62135596800000) / 86400000, c.workspace_id,
  c.settlement_status, c.currency, ${sign} * count(*), ${sign} * sum(c.settled_amount),
  ${sign} * sum(coalesce(c.computed_amount, 0) - c.settled_amount)
from quittance.commissions c where ${condition}
group by 1, 3, 4, 5, 6, 7;
`;

const OF_BOTH_SIGNS = "c.written_off_positive > 0 and c.written_off_negative < 0";

/** Write-offs of opposite sign become two sums that do not cancel each other. The sums are taken from the events. */
const writeOffs = `
alter table quittance.commissions
  -- The part of an amount that waits for the buyer; null where it is released at once.
  add column waiting_amount quittance.amount check (waiting_amount >= 0),
  add column paid_negative quittance.amount not null default 0,
  add column written_off_positive quittance.amount not null default 0,
  add column written_off_negative quittance.amount not null default 0;

update quittance.commissions c
set paid_negative = s.paid_negative, written_off_positive = s.positive, written_off_negative = s.negative
from (
  select e.customer_id, e.record_id,
    coalesce(sum(least(0, e.amount)) filter (where e.kind = 'paid'), 0)
      - coalesce(sum(least(0, e.amount)) filter (where e.type = 'reopen_commission'), 0) as paid_negative,
    coalesce(sum(greatest(0, e.amount)) filter (where e.kind = 'written_off'), 0) as positive,
    coalesce(sum(least(0, e.amount)) filter (where e.kind = 'written_off'), 0) as negative
  from (
    select customer_id, record_id, event->>'type' as type, event->>'kind' as kind, (event->>'amount')::bigint as amount
    from quittance.events
    where (customer_id, record_id) in (
      select l.customer_id, l.commission_id from quittance.settlement_lines l
      join quittance.settlements t on t.customer_id = l.customer_id and t.id = l.settlement_id
      where t.status = 'written_off' or (t.status = 'paid' and l.amount < 0))
  ) e
  where e.type in ('settle_commission', 'reopen_commission')
  group by 1, 2
) s
where s.customer_id = c.customer_id and s.record_id = c.id;
${addToRollups(-1, OF_BOTH_SIGNS)}
alter table quittance.commissions drop column settled_amount, drop column settlement_status;
alter table quittance.commissions
  drop column written_off_amount,
  alter column paid_negative drop default,
  alter column written_off_positive drop default,
  alter column written_off_negative drop default,
  add constraint commissions_sums_by_sign check (
    paid_negative <= 0 and paid_negative <= paid_amount and written_off_negative <= 0 and written_off_positive >= 0),
  add column settled_amount bigint not null generated always as (
    paid_amount + greatest(
      written_off_negative, least(written_off_positive, ${RELEASED} - paid_amount))
  ) stored,
  -- Nothing is due exactly when what is released and not paid is between what was written off of either sign.
  add column settlement_status text not null generated always as (
    case
      when open_settlement_id is not null then 'pending_settlement'
      when settled_line_count > 0
        and computed_amount is not null and coalesce(waiting_amount, 0) = 0
        and computed_amount - paid_amount between written_off_negative and written_off_positive then 'settled'
      else 'unsettled'
    end
  ) stored;
${addToRollups(1, OF_BOTH_SIGNS)}`;

const IN_RANGE = `
  paid_negative + least(0, pending_amount) >= -${LARGEST}
  and paid_amount - paid_negative + greatest(0, pending_amount) <= ${LARGEST}
  and ${RELEASED} - (paid_negative + least(0, pending_amount)) <= ${LARGEST}
  and ${RELEASED} - (paid_amount - paid_negative + greatest(0, pending_amount)) >= -${LARGEST}`;

/**
 * What is due stays within the largest amount, whichever lines are paid, returned or written off next. Version 1 could
 * store an amount for which it does not, and then failed to record a payment. There the latest amount of the log for
 * which it does is restored, and the computation has failed since, as it does now.
 */
const amountsInRange = `
do $body$
declare
  far record;
  good record;
  moment constant bigint := floor(extract(epoch from clock_timestamp()) * 1000);
  problem constant text := 'the difference to what is settled exceeds the largest amount';
begin
  for far in
    select c.customer_id, c.id, c.version, greatest(c.last_at, moment) as at,
      c.paid_negative + least(0, c.pending_amount) as low,
      c.paid_amount - c.paid_negative + greatest(0, c.pending_amount) as high
    from quittance.commissions c where not (${IN_RANGE})
  loop
    select * into good from (
      select (e.event->>'amount')::bigint as amount, (e.event->>'formula_version')::integer as formula_version, e.sequence
      from quittance.events e
      where e.customer_id = far.customer_id and e.record_id = far.id
        and e.event->>'type' in ('create_commission', 'update_commission')
    ) e
    where e.amount - far.low <= ${LARGEST} and e.amount - far.high >= -${LARGEST}
    order by e.sequence desc limit 1;
    ${addToRollups(-1, "c.customer_id = far.customer_id and c.id = far.id")}
    update quittance.commissions c
    set computed_amount = coalesce(good.amount, 0), formula_version = coalesce(good.formula_version, c.formula_version),
      computation_error = jsonb_build_object('code', 'OVERFLOW', 'message', problem),
      version = c.version + 2, last_at = far.at
    where c.customer_id = far.customer_id and c.id = far.id
    returning c.computed_amount, c.formula_version into good;
    insert into quittance.events (customer_id, record_id, sequence, kind, at, actor, event)
    values
      (far.customer_id, far.id, far.version + 1, 'commission', far.at, 'migration', json_build_object(
        'type', 'update_commission', 'amount', good.computed_amount, 'formula_version', good.formula_version,
        'cause', 'formula_updated')),
      (far.customer_id, far.id, far.version + 2, 'commission', far.at, 'migration', json_build_object(
        'type', 'fail_commission_computation', 'code', 'OVERFLOW', 'message', problem));
    ${addToRollups(1, "c.customer_id = far.customer_id and c.id = far.id")}
  end loop;
end
$body$;

alter table quittance.commissions add constraint commissions_in_range check (${IN_RANGE});
`;

const checkedAtTheEnd = `
-- Commissions change in functions whose planner settings allow one access path (see planning.ts). The check of their
-- settlement must not be planned there, but at the end of the transaction.
alter table quittance.commissions drop constraint commissions_customer_id_open_settlement_id_fkey;
alter table quittance.commissions add constraint commissions_customer_id_open_settlement_id_fkey
  foreign key (customer_id, open_settlement_id) references quittance.settlements (customer_id, id)
  deferrable initially deferred;

-- The outbox counts failures and lost leases beside claims: a message whose leases end one after the other may
-- be what ends the processes. A parked message waits for another configuration. A recomputation is never dead-lettered,
-- so that those that were continue.
alter table quittance.outbox
  add column failures integer not null default 0,
  add column lost_leases integer not null default 0,
  add column parked boolean not null default false;
update quittance.outbox set dead_lettered = false, available_at = 0 where dead_lettered and topic = 'recompute';
`;

/** A line that a foreign key refers to is looked up by commission and settlement. */
const lookUpOfLines = `
-- Without statistics all indexes of a customer's rows cost the same. PostgreSQL takes the one of the fewest levels, and of
-- equal ones the newest. It took the primary key, and read all lines of the settlement for each of them: the draft of
-- 10,000 lines took seconds in a new database. So the index of the look-up is the newest, also in a restored database,
-- where indexes have the order of their names; and the primary key is wider, so that it never has fewer levels.
alter table quittance.reservations drop constraint reservations_customer_id_commission_id_settlement_id_fkey;
alter table quittance.settlement_lines drop constraint settlement_lines_commission, drop constraint settlement_lines_pkey;
alter table quittance.settlement_lines
  add primary key (customer_id, settlement_id, position) include (commission_id, amount);
alter table quittance.settlement_lines
  add constraint settlement_lines_unique_commission unique (customer_id, commission_id, settlement_id);
alter table quittance.reservations add constraint reservations_customer_id_commission_id_settlement_id_fkey
  foreign key (customer_id, commission_id, settlement_id)
  references quittance.settlement_lines (customer_id, commission_id, settlement_id);
`;

/** Tax follows the invoice it corrects. */
const taxes = `
-- A correction has the tax of the invoice that it corrects: base and tax of each self-billed settlement, and reversals.
create table quittance.tax_origins (
  customer_id uuid not null,
  -- The settlement's own id.
  id uuid not null,
  view jsonb not null,
  version integer not null check (version > 0),
  last_at quittance.moment not null,
  primary key (customer_id, id),
  foreign key (customer_id, id) references quittance.settlements (customer_id, id)
);

create table quittance.reversals (
  customer_id uuid not null,
  settlement_id uuid not null,
  commission_id uuid not null,
  origin_id uuid not null,
  amount quittance.amount not null,
  primary key (customer_id, settlement_id, commission_id, origin_id),
  foreign key (customer_id, commission_id, settlement_id)
    references quittance.settlement_lines (customer_id, commission_id, settlement_id),
  foreign key (customer_id, commission_id, origin_id)
    references quittance.settlement_lines (customer_id, commission_id, settlement_id)
);

-- What version 1 approved was taxed as one group, the whole total under the snapshot.
update quittance.settlements t set view = t.view || jsonb_build_object('paidAfterWriteOff', false)
  || case
    when t.view->'approval' = 'null' then jsonb_build_object()
    when g.tax is null then jsonb_build_object('approval', t.view->'approval' || jsonb_build_object('taxGroups', '[]'::jsonb))
    else jsonb_build_object(
      'approval', t.view->'approval' || jsonb_build_object(
        'taxGroups', jsonb_build_array(g.terms || jsonb_build_object('base', t.total, 'tax', g.tax))),
      'taxAmount', g.tax,
      'payableAmount', t.total + g.tax)
  end
from (
  select s.customer_id, s.id, s.view#>'{approval,selfBillingData,taxConfig}' as terms,
    case
      when s.view#>>'{approval,billingMode}' is distinct from 'self_billing' then null
      when s.view#>>'{approval,selfBillingData,taxConfig,treatment}' = 'standard'
        then round(s.total::numeric * (s.view#>>'{approval,selfBillingData,taxConfig,rateBps}')::numeric / 10000)
      else 0
    end as tax
  from quittance.settlements s
) g
where g.customer_id = t.customer_id and g.id = t.id;

insert into quittance.tax_origins (customer_id, id, view, version, last_at)
select s.customer_id, s.id,
  jsonb_build_object(
    'workspaceId', s.workspace_id, 'partnerId', s.partner_id,
    'terms', s.view#>'{approval,selfBillingData,taxConfig}',
    'base', case when s.status in ('cancelled', 'written_off') then '0' else s.total::text end,
    'tax', case when s.status in ('cancelled', 'written_off') then '0' else s.view->>'taxAmount' end,
    'shares', case when s.total = 0 then '[]' else jsonb_build_array(
      jsonb_build_object('originId', s.id, 'base', s.total, 'tax', s.view->'taxAmount')) end,
    'createdAt', s.created_at),
  1, s.last_at
from quittance.settlements s where s.view#>>'{approval,billingMode}' = 'self_billing';

-- A late fact about a payment of what was written off meanwhile decides whether its documents stand.
update quittance.settlements t set view = t.view || case
    when f.first = 'confirmed' and not f.returned then jsonb_build_object('paidAfterWriteOff', true)
    else jsonb_build_object('paymentReference', null)
  end
from (
  select s.customer_id, s.id, (array_agg(e.event->>'kind' order by e.sequence))[1] as first,
    bool_or(e.event->>'kind' = 'returned') as returned
  from quittance.settlements s
  join quittance.events e on e.customer_id = s.customer_id and e.record_id = s.id
  where s.status = 'written_off' and e.event->>'type' = 'payment_anomaly'
    and e.event->>'payment_reference' = s.view->>'paymentReference'
    and e.sequence > (
      select max(w.sequence) from quittance.events w where w.customer_id = s.customer_id and w.record_id = s.id
        and w.event->>'type' = 'write_off_settlement')
  group by s.customer_id, s.id
) f
where f.customer_id = t.customer_id and f.id = t.id;
`;

/** The fields of settlements and documents since version 1. */
const documentsAndPayments = `
-- An upload may replace an upload: each replacement is the next revision of the settlement's document of that kind.
alter table quittance.documents
  add column revision integer not null default 1 check (revision > 0),
  drop constraint documents_settlement_kind,
  add constraint documents_settlement_kind unique (customer_id, settlement_id, kind, revision);

-- A log of version 1 has the moment of the approval, and nothing else of documents and payment.
update quittance.settlements s
set view = jsonb_build_object(
  'reportNumber', null, 'invoiceNumber', null, 'invoiceDate', null, 'dueDate', null, 'creditNoteNumber', null,
  'creditNoteDate', null, 'bankReference', null, 'uploads', '[]'::jsonb,
  'approvedAt', (
    select e.at from quittance.events e
    where e.customer_id = s.customer_id and e.record_id = s.id and e.event->>'type' = 'approve_settlement'
  )) || s.view;
`;

const documentProblems = `
-- Version 1 refused no document, and made no e-invoice.
update quittance.settlements
set view = jsonb_build_object('documentProblem', null, 'eInvoiceProblems', '[]'::jsonb, 'handedOver', null,
  'taxReview', null, 'erasedAt', null) || view;
`;

/** The versions with which searchable names were computed; null before version 2. */
const nameSearch = `
alter table quittance.migrations add column name_search text;
`;

const persons = `
-- The person behind the actor of an event, where it is known and is not the actor itself; and the holder of an API key.
alter table quittance.events add column person text;
update quittance.api_keys set view = jsonb_build_object('person', null) || view;
`;

const ages = `
-- Old rows are removed. Ids that were taken so that a command cannot be stored later stay.
create index idempotency_records_by_age on quittance.idempotency_records (at);
create index commands_by_age on quittance.commands (at) where landed;
`;

/** Filters of lists: the sign of what is due, with what is due found by partner; settlements by status; cancelled attributions. */
const filters = `
alter table quittance.commissions
  add column due_sign smallint not null generated always as (
    sign((${RELEASED} - paid_amount - greatest(
      written_off_negative, least(written_off_positive, ${RELEASED} - paid_amount)))::numeric)
  ) stored;
create index commissions_due on quittance.commissions (customer_id, due_sign, partner_id, created_at, id)
  where due_sign <> 0;
create index commissions_waiting on quittance.commissions (customer_id, partner_id, created_at, id)
  where waiting_amount > 0;
create index settlements_by_status on quittance.settlements (customer_id, status, created_at, id);
create index attributions_cancelled on quittance.attributions (customer_id, created_at, id) where status = 'cancelled';
`;

/** The days of a rollup; the function for it does not exist while steps run. */
const dayOf = (moment: string): string => `(${moment} + 62135596800000) / 86400000`;

/** Adds the commissions that were created after their attribution to the rollups, by the day of a date. */
const addToRollupsByDay = (sign: 1 | -1, moment: string): string => `
insert into quittance.rollup_deltas (
  customer_id, kind, partner_id, day, workspace_id, status, currency, count, settled, due)
select c.customer_id, 'commission', c.partner_id, ${dayOf(moment)}, c.workspace_id,
  c.settlement_status, c.currency, ${sign} * count(*), ${sign} * sum(c.settled_amount),
  ${sign} * sum(coalesce(c.computed_amount, 0) - c.settled_amount)
from quittance.commissions c where c.occurred_at <> c.created_at
group by 1, 3, 4, 5, 6, 7;
`;

/**
 * The date that an attribution counts for, and its commissions with it. It is the moment of creation for the attributions of
 * version 1, whose statistics counted a commission on the day of its own creation. The type is changed with the values, which
 * rewrites each table once and leaves no dead rows; a new column of a type with a check would rewrite it as well. Only
 * rows with another date than their creation are in the new indexes.
 */
const occurrences = `
alter table quittance.attributions
  add column occurred_at bigint,
  add column occurred_at_given bigint;
alter table quittance.attributions
  alter column occurred_at type quittance.moment using created_at,
  alter column occurred_at_given type quittance.moment;
alter table quittance.attributions
  alter column occurred_at set not null,
  add constraint attributions_occurred_at check (occurred_at <= created_at);
alter table quittance.commissions add column occurred_at bigint;
alter table quittance.commissions alter column occurred_at type quittance.moment using created_at;
alter table quittance.commissions alter column occurred_at set not null;

update quittance.commissions c set occurred_at = a.created_at
from quittance.attributions a
where a.customer_id = c.customer_id and a.id = c.attribution_id and a.created_at <> c.created_at;
${addToRollupsByDay(-1, "c.created_at")}${addToRollupsByDay(1, "c.occurred_at")}
create index attributions_dated on quittance.attributions (customer_id, occurred_at, id)
  where abs(created_at - occurred_at) between 1 and 9007199254740991;
create index attributions_dated_by_partner on quittance.attributions (customer_id, partner_id, occurred_at, id)
  where abs(created_at - occurred_at) between 1 and 9007199254740991;
create index commissions_dated on quittance.commissions (customer_id, occurred_at, id)
  where abs(created_at - occurred_at) between 1 and 9007199254740991;
create index commissions_dated_by_partner on quittance.commissions (customer_id, partner_id, occurred_at, id)
  where abs(created_at - occurred_at) between 1 and 9007199254740991;

-- A walk over the attributions of a formula remembers the date of the last one.
update quittance.recomputations r
set view = jsonb_set(r.view, '{after}', jsonb_build_object(
  'occurredAt', r.view#>'{after,createdAt}', 'id', r.view#>'{after,id}'))
where jsonb_typeof(r.view->'after') = 'object';
`;

/** What plans that accumulate keep of a partner and schema. */
const accumulation = `
-- The order in which the attributions of a partner and schema arrive: each creation saves it.
create table quittance.arrival_orders (
  customer_id uuid not null,
  id uuid not null,
  partner_id uuid not null,
  schema_id uuid not null,
  view jsonb not null,
  version integer not null check (version > 0),
  last_at quittance.moment not null,
  primary key (customer_id, id),
  foreign key (customer_id, partner_id) references quittance.partners (customer_id, id),
  foreign key (customer_id, schema_id) references quittance.schemas (customer_id, id)
) with (fillfactor = 50);

-- The version of what later attributions build on: raised by cancelled attributions and by formulas, not by creations.
create table quittance.attribution_histories (
  customer_id uuid not null,
  id uuid not null,
  partner_id uuid not null,
  schema_id uuid not null,
  version integer not null check (version > 0),
  last_at quittance.moment not null,
  primary key (customer_id, id),
  foreign key (customer_id, partner_id) references quittance.partners (customer_id, id),
  foreign key (customer_id, schema_id) references quittance.schemas (customer_id, id)
) with (fillfactor = 50);

-- Totals are exact: numerator and denominator as decimal digits. Updates rewrite the row in its page.
create table quittance.running_totals (
  customer_id uuid not null,
  id uuid not null,
  formula_id uuid not null,
  view jsonb not null,
  version integer not null check (version > 0),
  last_at quittance.moment not null,
  primary key (customer_id, id),
  foreign key (customer_id, formula_id) references quittance.formulas (customer_id, id)
) with (fillfactor = 50);
`;

/** The names that the rest of the project uses; keys, checks and indexes follow. */
const names = `
alter table quittance.programs rename to formula_sets;
alter table quittance.remembered rename to idempotency_records;
alter table quittance.idempotency_records rename column answer to result;
alter table quittance.outbox rename column buried to dead_lettered;
alter index quittance.formulas_by_program rename to formulas_by_formula_set;
do $body$
declare
  ours record;
begin
  for ours in
    select c.conname as name, c.conrelid::regclass as holder,
      regexp_replace(regexp_replace(c.conname, '^programs_', 'formula_sets_'), '^remembered_', 'idempotency_records_') as new_name
    from pg_constraint c where c.connamespace = 'quittance'::regnamespace and c.conname ~ '^(programs|remembered)_'
  loop
    execute format('alter table %s rename constraint %I to %I', ours.holder, ours.name, ours.new_name);
  end loop;
end
$body$;
`;

/** Every table but those that are read before a customer is known has the customer in its key, so that it distributes. */
const customerInEveryKey = `
-- The customer of each API key, by the key's public part, which requests name.
create table quittance.api_key_routes (
  key_id text not null,
  customer_id uuid not null,
  api_key_id uuid not null,
  primary key (key_id)
);
insert into quittance.api_key_routes (key_id, customer_id, api_key_id)
select key_id, customer_id, id from quittance.api_keys;
alter table quittance.api_keys drop constraint api_keys_key_id;

alter table quittance.outbox drop constraint outbox_pkey, add primary key (customer_id, id);
`;

/** Commission plans, and the formulas that they assign. */
const plans = `
create table quittance.plans (
  customer_id uuid not null,
  id uuid not null,
  workspace_id uuid not null,
  schema_id uuid not null,
  currency text not null,
  name text not null,
  name_searchable text not null,
  description text,
  start_datetime quittance.moment not null,
  end_datetime quittance.moment,
  versions json not null,
  status text not null check (status in ('active', 'cancelled')),
  cancel_reason text,
  created_at quittance.moment not null,
  version integer not null check (version > 0),
  last_at quittance.moment not null,
  primary key (customer_id, id),
  foreign key (customer_id, schema_id) references quittance.schemas (customer_id, id),
  check (start_datetime < end_datetime),
  check ((status = 'cancelled') = (cancel_reason is not null))
);
create index plans_by_creation on quittance.plans (customer_id, created_at, id);

alter table quittance.formulas
  add column assignment jsonb,
  add column plan_id uuid generated always as ((assignment->>'planId')::uuid) stored,
  add column plan_revision integer generated always as ((assignment->>'planRevision')::integer) stored,
  drop constraint formulas_check,
  -- Only the window of an assignment may be empty: outside the plan's, or withdrawn.
  add constraint formulas_window check (
    start_datetime < end_datetime or (assignment is not null and start_datetime = end_datetime)),
  add foreign key (customer_id, plan_id) references quittance.plans (customer_id, id);
create index formulas_by_plan on quittance.formulas (customer_id, plan_id, plan_revision, id) where plan_id is not null;
`;

/** Parameters of formulas and plans, and the values of partners; none for those of version 1. */
const parameters = `
alter table quittance.formulas add column parameters json not null default '[]', add column parameter_values json not null default '[]';
alter table quittance.formulas alter column parameters drop default, alter column parameter_values drop default;
alter table quittance.plans add column parameters json not null default '[]';
alter table quittance.plans alter column parameters drop default;
alter table quittance.commissions add column parameters_version integer;
`;

/** The properties that documents show; none for the schemas of version 1. */
const displayProperties = `
alter table quittance.schemas add column display_properties json not null default '[]';
alter table quittance.schemas alter column display_properties drop default;
`;

/**
 * Number series are named by what their numbers begin with. The series of version 1, one for each partner and kind, continue
 * under names of their own; `per partner` shows that a customer has some. A new series whose numbers begin like numbers
 * that exist continues after the highest of them.
 */
const numberSeries = `
alter table quittance.document_series drop constraint document_series_pkey, add column series text;
update quittance.document_series set series = partner_id || ' ' || kind;
alter table quittance.document_series drop column partner_id, drop column kind, alter column series set not null,
  add primary key (customer_id, series);
insert into quittance.document_series (customer_id, series, last_number)
select distinct customer_id, 'per partner', 1 from quittance.document_series;
insert into quittance.document_series (customer_id, series, last_number)
select d.customer_id, d.parts[1], max(d.parts[2]::integer)
from (select customer_id, regexp_match(view->>'number', '^(.*[^0-9])([0-9]{1,9})$') as parts from quittance.documents) d
where d.parts is not null and d.parts[2]::integer > 0 group by 1, 2
on conflict do nothing;
`;

/** The date of the last document of each series. Series of version 1 get the UTC day of the customer's last document. */
const seriesDates = `
alter table quittance.document_series add column last_date date;
update quittance.document_series s set last_date = d.last_date
from (select customer_id, date '1970-01-01' + (max(created_at) / 86400000)::integer as last_date
  from quittance.documents group by customer_id) d
where d.customer_id = s.customer_id;
update quittance.document_series set last_date = date '1970-01-01' where last_date is null;
alter table quittance.document_series alter column last_date set not null;
`;

/** Payment files, and the payments that they hold or that wait for one. */
const paymentFiles = `
create table quittance.payment_files (
  customer_id uuid not null,
  id uuid not null,
  view jsonb not null,
  created_at quittance.moment not null,
  version integer not null check (version > 0),
  last_at quittance.moment not null,
  primary key (customer_id, id)
);
create index payment_files_by_creation on quittance.payment_files (customer_id, created_at, id);

create table quittance.bank_payments (
  customer_id uuid not null,
  id uuid not null,
  settlement_id uuid not null,
  file_id uuid,
  is_waiting boolean not null,
  view jsonb not null,
  version integer not null check (version > 0),
  last_at quittance.moment not null,
  primary key (customer_id, id),
  foreign key (customer_id, settlement_id) references quittance.settlements (customer_id, id),
  foreign key (customer_id, file_id) references quittance.payment_files (customer_id, id),
  check (not (is_waiting and file_id is not null))
);
create index bank_payments_by_file on quittance.bank_payments (customer_id, file_id, id) where file_id is not null;
create index bank_payments_waiting on quittance.bank_payments (customer_id, id) where is_waiting;
`;

const MIGRATION = "json_build_object('principal_id', 'migration', 'person', 'migration')";

/** An IBAN as events show it; see `MaskedAccount`. */
const masked = (iban: string): string =>
  `case when length(${iban}) >= 12 then left(${iban}, 2) else '' end || '…' || right(${iban}, least(4, length(${iban}) / 4))`;

/** A bank account as events show it; null where there is none. */
const shownAccount = (
  account: string,
): string => `case when ${account}->>'iban' is not null then json_build_object(
    'iban', ${masked(`(${account}->>'iban')`)}, 'bic', ${account}->>'bic') end`;

/** The fingerprint of a JSON value, by the temporary function of {@link controlLogs}. */
const fingerprint = (value: string): string =>
  `json_build_object('sha256', encode(sha256(convert_to(pg_temp.canonical(${value}), 'UTF8')), 'hex'))`;

const EVENT =
  "insert into quittance.events (customer_id, record_id, sequence, kind, at, actor, event, stored)";

/**
 * The logs of partners, API keys and billing profiles, which version 1 replaced as a whole. What is known of one that exists is
 * its present state: it becomes the first event, at the moment of the creation, and the revocation of a key the second one. Of
 * personal data a log has the fingerprint. Version numbers count the events from then on.
 */
const controlLogs = `
-- RFC 8785 for the values of these records, whose names are ASCII and whose numbers are integers.
create function pg_temp.canonical(value jsonb) returns text language plpgsql as $body$
begin
  return case jsonb_typeof(value)
    when 'object' then '{' || coalesce((select string_agg(to_json(e.key)::text || ':' || pg_temp.canonical(e.value), ','
      order by e.key collate "C") from jsonb_each(value) e), '') || '}'
    when 'array' then '[' || coalesce((select string_agg(pg_temp.canonical(a.value), ',' order by a.place)
      from jsonb_array_elements(value) with ordinality a(value, place)), '') || ']'
    else value::text end;
end
$body$;

${EVENT}
select p.customer_id, p.id, 1, 'partner', p.created_at, 'migration', json_build_object(
    'type', 'create_partner', 'actor', ${MIGRATION}, 'billing_mode', p.billing_mode,
    'bank_account', ${shownAccount("(p.self_billing_data->'bankAccount')")},
    'tax_config', case when p.self_billing_data is not null then json_build_object(
      'treatment', p.self_billing_data#>'{taxConfig,treatment}', 'label', p.self_billing_data#>'{taxConfig,label}',
      'rate_bps', p.self_billing_data#>'{taxConfig,rateBps}') end),
  ${fingerprint("jsonb_build_object('name', p.name, 'selfBillingData', p.self_billing_data)")}
from quittance.partners p;
update quittance.partners set version = 1, last_at = created_at where version > 1;

${EVENT}
select k.customer_id, k.id, 1, 'apiKey', k.created_at, 'migration', json_build_object(
    'type', 'create_api_key', 'actor', ${MIGRATION}, 'name', k.view->'name', 'person', k.view->'person',
    'kind', k.view->'kind', 'workspace_ids', k.view->'workspaceIds', 'partner_ids', k.view->'partnerIds',
    'agent_id', k.view->'agentId', 'scopes', k.view->'scopes',
    'expires_at', to_char(to_timestamp((k.view->>'expiresAt')::bigint / 1000.0) at time zone 'UTC',
      'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')),
  json_build_object('key_id', k.key_id, 'secret_sha256', k.view->'secretSha256')
from quittance.api_keys k;
${EVENT}
select k.customer_id, k.id, 2, 'apiKey', greatest(k.created_at, (k.view->>'revokedAt')::bigint), 'migration',
  json_build_object('type', 'revoke_api_key', 'actor', ${MIGRATION}), null
from quittance.api_keys k where k.view->>'revokedAt' is not null;
update quittance.api_keys k
set version = case when k.view->>'revokedAt' is null then 1 else 2 end,
  last_at = greatest(k.created_at, (k.view->>'revokedAt')::bigint);

${EVENT}
select b.customer_id, b.id, 1, 'billingProfile', b.last_at, 'migration', json_build_object(
    'type', 'write_billing_profile', 'actor', ${MIGRATION},
    'fields', (select json_agg(lower(regexp_replace(f.name, '([A-Z])', '_\\1', 'g')) order by f.name)
      from jsonb_object_keys(b.view) f(name))),
  ${fingerprint("b.view")}
from quittance.billing_profiles b;
update quittance.billing_profiles set version = 1 where version > 1;
drop function pg_temp.canonical(jsonb);
`;

/** The event feed; see `feed/feedFunctions.ts`. */
const feed = `
-- Whether the commit that logged the event has recorded it for the feed. Those before the feed have not.
alter table quittance.events add column in_feed boolean not null default false;
create index events_before_feed on quittance.events (customer_id, at, (${kindPlace("kind")}), record_id, sequence)
  where not in_feed;

-- Commits whose events are not in the feed yet. Emptied as fast as it is filled, so that what is dead has to go soon.
create table quittance.feed_pending (
  customer_id uuid not null,
  place bigint not null,
  command_id uuid not null,
  records uuid[] not null,
  -- Null when each event is the first of its record.
  sequences integer[],
  primary key (customer_id, place, command_id)
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000, autovacuum_vacuum_cost_delay = 0);

create table quittance.feed (
  customer_id uuid not null,
  position bigint not null check (position > 0),
  record_id uuid not null,
  sequence integer not null,
  -- An erased entry has the digest of its event in place of the salt.
  salt bytea,
  digest bytea,
  hash bytea not null,
  primary key (customer_id, position),
  check ((salt is null) = (digest is not null))
);

create table quittance.feed_heads (
  customer_id uuid not null,
  position bigint not null,
  hash text not null,
  -- The largest place that has left feed_pending.
  place bigint not null,
  -- Whether events from before the feed may be left, and the last of them that is in the feed.
  behind boolean not null,
  before_at quittance.moment,
  before_kind integer,
  before_record uuid,
  before_sequence integer,
  primary key (customer_id)
);
create index feed_heads_behind on quittance.feed_heads (customer_id) where behind;

insert into quittance.feed_heads (customer_id, position, hash, place, behind)
select e.customer_id, 0, '${EventFeed.GENESIS}', 0, true from quittance.events e group by e.customer_id;
`;

/** The quantities of a commission after each event of its log; the row of a commission with one event has the same. */
const folded = `
  select m.*, m.paid + greatest(m.negative, least(m.positive, m.earned - m.paid)) as settled
  from (
    select l.*, coalesce(max(l.computed) over (partition by l.customer_id, l.record_id, l.computation), 0) as earned
    from logged l
  ) m`;

/**
 * Balances of partners at any date. The first event of a commission is found with its row, by the index on partner and
 * creation; \`movements\` has its later events: one row for each new amount, one for all lines of a settlement that change at
 * one moment. \`daily_balances\` sums both by the day of the event. Its rows are compacted from \`rollup_deltas\`, which
 * commits write anyway, so that a creation writes no further row.
 */
const movements = `
create table quittance.movements (
  customer_id uuid not null,
  partner_id uuid not null,
  at quittance.moment not null,
  -- The commission of an amount, the settlement of lines.
  record_id uuid not null,
  -- The highest sequence of the events.
  sequence integer not null,
  type text not null check (
    type in ('earned', 'adjusted', 'received', 'settled_elsewhere', 'reserved', 'released', 'paid', 'written_off',
      'payment_returned')),
  currency text not null,
  earned numeric not null,
  settled numeric not null,
  pending numeric not null,
  -- Null where nothing waits for buyers.
  waiting numeric,
  primary key (customer_id, partner_id, at, record_id, sequence)
);

create table quittance.daily_balances (
  customer_id uuid not null,
  partner_id uuid not null,
  day integer not null,
  currency text not null,
  earned numeric not null,
  settled numeric not null,
  pending numeric not null,
  waiting numeric,
  -- Null where nothing was settled elsewhere.
  elsewhere numeric,
  primary key (customer_id, partner_id, day, currency)
);

-- Null in the deltas of older versions, whose days are summed here.
alter table quittance.rollup_deltas add column moved_day integer, add column pending numeric,
  add column waiting numeric, add column elsewhere numeric;

create temporary table quittance_folded on commit drop as
with events as (
  select e.customer_id, e.record_id, c.partner_id, c.currency, e.sequence, e.at, e.event->>'type' as type,
    e.event->>'kind' as kind, (e.event->>'amount')::numeric as amount, (e.event->>'settlement_id')::uuid as settlement_id
  from quittance.commissions c
  join quittance.events e on e.customer_id = c.customer_id and e.record_id = c.id
  where c.version > 1
), logged as (
  select e.*,
    case when e.type in ('create_commission', 'update_commission') then e.amount end as computed,
    count(*) filter (where e.type in ('create_commission', 'update_commission')) over log as computation,
    sum(case e.type when 'reserve_commission' then e.amount when 'reopen_commission' then e.amount
      when 'release_commission' then -e.amount when 'settle_commission' then -e.amount else 0 end) over log as pending,
    sum(case when e.type = 'reopen_commission' then -e.amount when e.kind = 'paid' then e.amount else 0 end) over log as paid,
    sum(case when e.kind = 'written_off' then greatest(0, e.amount) else 0 end) over log as positive,
    sum(case when e.kind = 'written_off' then least(0, e.amount) else 0 end) over log as negative
  from events e
  window log as (partition by e.customer_id, e.record_id order by e.sequence)
), folded as (${folded}
)
select f.customer_id, f.partner_id, f.currency, f.record_id, f.sequence, f.at, f.type, f.kind, f.settlement_id, f.computation,
  f.earned - lag(f.earned, 1, 0) over log as earned,
  f.settled - lag(f.settled, 1, 0) over log as settled,
  f.pending - lag(f.pending, 1, 0) over log as pending
from folded f
window log as (partition by f.customer_id, f.record_id order by f.sequence);

insert into quittance.movements (
  customer_id, partner_id, at, record_id, sequence, type, currency, earned, settled, pending)
select f.customer_id, f.partner_id, f.at, coalesce(f.settlement_id, f.record_id), max(f.sequence),
  case f.type when 'create_commission' then 'earned' when 'update_commission' then 'adjusted'
    when 'reserve_commission' then 'reserved' when 'release_commission' then 'released'
    when 'reopen_commission' then 'payment_returned' else f.kind end,
  f.currency, sum(f.earned), sum(f.settled), sum(f.pending)
from quittance_folded f
where f.sequence > 1 and f.type <> 'fail_commission_computation'
-- The lines of a settlement change together: the same number of their events name it.
group by f.customer_id, f.partner_id, f.at, coalesce(f.settlement_id, f.record_id), f.type, f.kind, f.currency,
  case when f.settlement_id is null then f.sequence end;

insert into quittance.daily_balances (customer_id, partner_id, day, currency, earned, settled, pending)
select m.customer_id, m.partner_id, ${dayOf("m.at")}, m.currency, sum(m.earned), sum(m.settled), sum(m.pending)
from (
  select c.customer_id, c.partner_id, c.created_at as at, c.currency, coalesce(c.computed_amount, 0)::numeric as earned,
    0::numeric as settled, 0::numeric as pending
  from quittance.commissions c where c.version = 1
  union all
  select f.customer_id, f.partner_id, f.at, f.currency, f.earned, f.settled, f.pending from quittance_folded f
) m
group by 1, 2, 3, 4;
drop table quittance_folded;
`;

/** Webhook endpoints and what they are sent; each enabled endpoint has one message in the outbox. */
const webhooks = `
create table quittance.webhook_endpoints (
  customer_id uuid not null,
  id uuid not null,
  status text not null check (status in ('enabled', 'disabled', 'deleted')),
  view jsonb not null,
  created_at quittance.moment not null,
  version integer not null check (version > 0),
  last_at quittance.moment not null,
  primary key (customer_id, id)
);
create index webhook_endpoints_by_creation on quittance.webhook_endpoints (customer_id, created_at, id);

create table quittance.webhook_deliveries (
  customer_id uuid not null,
  id uuid not null,
  endpoint_id uuid not null,
  position bigint not null,
  status text not null check (status in ('pending', 'held', 'delivered', 'failed')),
  ended_at quittance.moment,
  view jsonb not null,
  created_at quittance.moment not null,
  version integer not null check (version > 0),
  last_at quittance.moment not null,
  primary key (customer_id, id),
  foreign key (customer_id, endpoint_id) references quittance.webhook_endpoints (customer_id, id),
  check ((ended_at is null) = (status in ('pending', 'held')))
);
create index webhook_deliveries_by_creation on quittance.webhook_deliveries (customer_id, endpoint_id, created_at, id);
create index webhook_deliveries_open on quittance.webhook_deliveries (customer_id, endpoint_id, position)
  where ended_at is null;
create index webhook_deliveries_ended on quittance.webhook_deliveries (ended_at) where ended_at is not null;

create index outbox_of_webhooks on quittance.outbox (customer_id) where topic = 'deliver_webhooks';
`;

/** Settlement policies, runs and their results. */
const settlementRuns = `
create table quittance.settlement_policies (
  customer_id uuid not null,
  id uuid not null,
  workspace_id uuid not null,
  partner_id uuid,
  next_run_at quittance.moment,
  view jsonb not null,
  version integer not null check (version > 0),
  last_at quittance.moment not null,
  primary key (customer_id, id),
  foreign key (customer_id, partner_id) references quittance.partners (customer_id, id)
);
create index settlement_policies_due on quittance.settlement_policies (next_run_at, id) where next_run_at is not null;

create table quittance.settlement_runs (
  customer_id uuid not null,
  id uuid not null,
  workspace_id uuid not null,
  view jsonb not null,
  created_at quittance.moment not null,
  version integer not null check (version > 0),
  last_at quittance.moment not null,
  primary key (customer_id, id)
);
create index settlement_runs_by_creation on quittance.settlement_runs (customer_id, created_at, id);

create table quittance.settlement_run_results (
  customer_id uuid not null,
  id uuid not null,
  workspace_id uuid not null,
  run_id uuid not null,
  partner_id uuid not null,
  view jsonb not null,
  created_at quittance.moment not null,
  version integer not null check (version > 0),
  last_at quittance.moment not null,
  primary key (customer_id, id),
  foreign key (customer_id, run_id) references quittance.settlement_runs (customer_id, id),
  foreign key (customer_id, partner_id) references quittance.partners (customer_id, id)
);
create index settlement_run_results_by_run on quittance.settlement_run_results (customer_id, run_id, created_at, id);

-- Few commissions cannot be computed; a run counts those of each partner.
create index commissions_failed on quittance.commissions (customer_id, partner_id, created_at, id)
  where computation_error is not null;
`;

/** Trials of plans and their results. */
const planTrials = `
create table quittance.plan_trials (
  customer_id uuid not null,
  id uuid not null,
  workspace_id uuid not null,
  plan_id uuid,
  finished_at quittance.moment,
  view jsonb not null,
  created_at quittance.moment not null,
  version integer not null check (version > 0),
  last_at quittance.moment not null,
  primary key (customer_id, id),
  foreign key (customer_id, plan_id) references quittance.plans (customer_id, id)
);
create index plan_trials_by_creation on quittance.plan_trials (customer_id, created_at, id);
create index plan_trials_ended on quittance.plan_trials (finished_at) where finished_at is not null;

create table quittance.plan_trial_results (
  customer_id uuid not null,
  id uuid not null,
  workspace_id uuid not null,
  trial_id uuid not null,
  partner_id uuid not null,
  view jsonb not null,
  created_at quittance.moment not null,
  version integer not null check (version > 0),
  last_at quittance.moment not null,
  primary key (customer_id, id),
  foreign key (customer_id, trial_id) references quittance.plan_trials (customer_id, id),
  foreign key (customer_id, partner_id) references quittance.partners (customer_id, id)
);
create index plan_trial_results_by_trial on quittance.plan_trial_results (customer_id, trial_id, created_at, id);
`;

const calendars = `
alter table quittance.attributions add column occurred_on text, add column occurred_on_given text;

create table quittance.workspaces (
  customer_id uuid not null,
  id uuid not null,
  workspace_id uuid not null,
  name text,
  time_zone text not null,
  version integer not null check (version > 0),
  last_at quittance.moment not null,
  primary key (customer_id, id)
);
`;

/** Several credits of one sale. Rollups count the other attributions of such a sale apart. */
const credits = `
alter table quittance.attributions add column credit jsonb, add column origin_id uuid;
alter table quittance.attributions add constraint attributions_origin
  foreign key (customer_id, origin_id) references quittance.attributions (customer_id, id);
create index attributions_by_origin on quittance.attributions (customer_id, origin_id, id) where origin_id is not null;
create unique index attributions_credit on quittance.attributions
  (customer_id, origin_id, partner_id, (credit->>'role'), (credit->>'depth'))
  where origin_id is not null and status = 'confirmed';
alter table quittance.formulas add column roles json;
alter table quittance.plans add column roles json;
alter table quittance.rollups drop constraint rollups_kind_check;
alter table quittance.rollups add constraint rollups_kind_check
  check (kind in ('attribution', 'credit', 'further_credit', 'commission'));
`;

/**
 * Replaced attributions. Each is replaced once, and the external reference belongs to the newest one. An attribution refers to
 * the one that it replaces, which is updated before.
 */
const replacements = `
alter table quittance.attributions add column replaces uuid, add column replaced_by uuid;
alter table quittance.attributions add constraint attributions_replaced check (
  replaced_by is null or (status = 'cancelled' and external_reference is null));
create unique index attributions_replacing on quittance.attributions (customer_id, replaces) where replaces is not null;
create index attributions_replacing_by_partner on quittance.attributions (customer_id, partner_id) where replaces is not null;
`;

/** Acceptances of the terms of plans. */
const planAcceptances = `
create table quittance.plan_acceptances (
  customer_id uuid not null,
  id uuid not null,
  workspace_id uuid not null,
  plan_id uuid not null,
  partner_id uuid not null,
  view jsonb not null,
  created_at quittance.moment not null,
  version integer not null check (version > 0),
  last_at quittance.moment not null,
  primary key (customer_id, id),
  foreign key (customer_id, plan_id) references quittance.plans (customer_id, id),
  foreign key (customer_id, partner_id) references quittance.partners (customer_id, id)
);
create index plan_acceptances_by_plan on quittance.plan_acceptances (customer_id, plan_id, created_at, id);
create index plan_acceptances_by_partner on quittance.plan_acceptances (customer_id, partner_id, created_at, id);
`;

/** Links of partners to their uplines, and the version of the links of each workspace. */
const partnerLinks = `
create table quittance.partner_links (
  customer_id uuid not null,
  id uuid not null,
  workspace_id uuid not null,
  partner_id uuid not null,
  upline_partner_id uuid not null,
  role text not null,
  start_datetime quittance.moment not null,
  end_datetime quittance.moment,
  created_at quittance.moment not null,
  version integer not null check (version > 0),
  last_at quittance.moment not null,
  primary key (customer_id, id),
  foreign key (customer_id, partner_id) references quittance.partners (customer_id, id),
  foreign key (customer_id, upline_partner_id) references quittance.partners (customer_id, id),
  constraint partner_links_two_partners check (partner_id <> upline_partner_id),
  constraint partner_links_dates check (end_datetime is null or start_datetime <= end_datetime)
);
create index partner_links_by_creation on quittance.partner_links (customer_id, created_at, id);
create index partner_links_by_partner on quittance.partner_links (customer_id, partner_id);
create index partner_links_by_upline on quittance.partner_links (customer_id, upline_partner_id);

create table quittance.link_sets (
  customer_id uuid not null,
  id uuid not null,
  workspace_id uuid not null,
  version integer not null check (version > 0),
  last_at quittance.moment not null,
  primary key (customer_id, id)
);
`;

/** What is stated of partners in addition to their names and billing. */
const partnerFacts = `
alter table quittance.partners add column status text not null default 'active' check (status in ('active', 'suspended'));
alter table quittance.partners add column external_reference text, add column email text, add column notes text,
  add column tags jsonb not null default '[]';
alter table quittance.partners alter column status drop default, alter column tags drop default;
create unique index partners_external_reference on quittance.partners (customer_id, external_reference, workspace_id);
`;

/** The payout accounts of a partner; null where the bank account of its billing data has always been the only one. */
const payoutAccounts = `
alter table quittance.partners add column payout_accounts jsonb;
`;

/** What buyers have paid: stated of sales, and known to the commissions that wait for it. */
const receipts = `
alter table quittance.attributions add column receipt jsonb;
alter table quittance.formulas add column release text check (release = 'on_receipt');
alter table quittance.plans add column release text check (release = 'on_receipt');
alter table quittance.commissions add column receipt jsonb;
`;

/** When what sales earned at once was settled elsewhere. */
const settledElsewhere = `
alter table quittance.attributions add column settled_elsewhere jsonb;
`;

/** Recredit runs and their results. */
const recreditRuns = `
create table quittance.recredit_runs (
  customer_id uuid not null,
  id uuid not null,
  workspace_id uuid not null,
  view jsonb not null,
  created_at quittance.moment not null,
  version integer not null check (version > 0),
  last_at quittance.moment not null,
  primary key (customer_id, id)
);
create index recredit_runs_by_creation on quittance.recredit_runs (customer_id, created_at, id);
create index recredit_runs_tried on quittance.recredit_runs (((view->>'finishedAt')::bigint)) where view->>'dryRun' = 'true';

create table quittance.recredit_run_results (
  customer_id uuid not null,
  id uuid not null,
  workspace_id uuid not null,
  run_id uuid not null,
  attribution_id uuid not null,
  outcome text not null,
  view jsonb not null,
  created_at quittance.moment not null,
  version integer not null check (version > 0),
  last_at quittance.moment not null,
  primary key (customer_id, id),
  foreign key (customer_id, run_id) references quittance.recredit_runs (customer_id, id),
  foreign key (customer_id, attribution_id) references quittance.attributions (customer_id, id)
);
create index recredit_run_results_by_run on quittance.recredit_run_results (customer_id, run_id, created_at, id);
`;

/** The books of a customer: its posting rules and closed months. */
const books = `
create table quittance.books (
  customer_id uuid not null,
  id uuid not null,
  closed_until quittance.moment,
  view jsonb not null,
  version integer not null check (version > 0),
  last_at quittance.moment not null,
  primary key (customer_id, id)
);
`;

/** The changes of version 2. */
export const step2 = [
  names,
  writeOffs,
  amountsInRange,
  documentProblems,
  checkedAtTheEnd,
  lookUpOfLines,
  taxes,
  documentsAndPayments,
  nameSearch,
  persons,
  ages,
  filters,
  occurrences,
  customerInEveryKey,
  plans,
  accumulation,
  parameters,
  displayProperties,
  numberSeries,
  seriesDates,
  controlLogs,
  feed,
  paymentFiles,
  movements,
  webhooks,
  settlementRuns,
  planTrials,
  calendars,
  planAcceptances,
  credits,
  partnerLinks,
  replacements,
  partnerFacts,
  payoutAccounts,
  receipts,
  settledElsewhere,
  recreditRuns,
  books,
].join("\n");
