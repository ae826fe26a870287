/** The functions that check the requirements of a commit: they lock rows in one global order, then compare. */
import type { Storage } from "quittance";
import { byKey, lookUpByKey } from "../../planning.ts";
import { DATED, UNDATED } from "../../reading/Occurrence.ts";
import { hasChangedLine } from "../../reading/Staleness.ts";
import { TABLES } from "../../records/Tables.ts";

/** The order in which a commit locks and saves the rows of different kinds; every commit uses it, so that none deadlocks. */
export const LOCK_ORDER: ReadonlyArray<Storage.Kind> = [
  "schema",
  "partner",
  "attribution",
  "plan",
  "formula",
  "recomputation",
  "document",
  "apiKey",
  "workspace",
  "linkSet",
  "partnerLink",
  "billingProfile",
  "books",
  "taxOrigin",
  "attributionHistory",
  "arrivalOrder",
  "runningTotal",
  "paymentFile",
  "bankPayment",
  "webhookEndpoint",
  "webhookDelivery",
  "settlementPolicy",
  "planAcceptance",
  "settlementRun",
  "settlementRunResult",
  "planTrial",
  "planTrialResult",
  "recreditRun",
  "recreditRunResult",
  "settlement",
  "commission",
];

/** The row with an id, of the table that `format` names. */
const rowWith = (lock: string, condition?: string): string =>
  lookUpByKey({
    table: "quittance.%I",
    customer: "$1",
    id: "w.id",
    lock,
    ...(condition === undefined ? {} : { condition }),
  });

/** How long a change of the books waits for other commits, in each of its attempts. */
const BOOKS_LOCK_MILLISECONDS = 2_000;

/** The functions that lock and compare. */
export const requirements = `
create function quittance.raise_version_conflict(what text, id uuid default null) returns void language plpgsql as $body$
begin
  raise exception 'version conflict: %', what
    using errcode = 'QT001', detail = json_build_object('what', what, 'id', id)::text;
end
$body$;

-- Waits for the commits of a customer that are under way. New ones wait for this one, so it gives up after a moment, and is
-- decided again after they had their turn.
create function quittance.lock_books(customer uuid) returns void language plpgsql
  set lock_timeout = '${BOOKS_LOCK_MILLISECONDS}ms'
as $body$
begin
  perform pg_advisory_xact_lock(hashtextextended('quittance books ' || customer, 0));
exception
  when lock_not_available then perform quittance.raise_version_conflict('books');
end
$body$;

-- Fails when something is dated in a closed month. A commit that changes the books waits for every other one of the customer,
-- and they for it, so that what is checked here holds to the end of the transaction. It is the first lock of each commit.
create function quittance.require_open_period(customer uuid, earliest bigint, is_of_books boolean) returns void language plpgsql
  ${byKey}
as $body$
begin
  if is_of_books then
    perform quittance.lock_books(customer);
  else
    perform pg_advisory_xact_lock_shared(hashtextextended('quittance books ' || customer, 0));
  end if;
  if exists (select from quittance.books b where b.customer_id = customer and b.closed_until > earliest) then
    perform quittance.raise_version_conflict('books');
  end if;
end
$body$;

create function quittance.is_stale(customer uuid, settlement uuid) returns boolean stable language plpgsql
  ${byKey}
as $body$
begin
  return exists (
    select from quittance.settlements s
    where s.customer_id = customer and s.id = settlement and s.status = 'draft'
  ) and ${hasChangedLine("customer", "settlement", true)};
end
$body$;

create function quittance.store_idempotency_record(customer uuid, given jsonb) returns void language plpgsql as $body$
begin
  insert into quittance.idempotency_records (customer_id, principal_id, key, request_sha256, result, at)
  values (customer, given->>'principal_id', given->>'key', given->>'request_sha256',
    (given->>'result')::json, (given->>'at')::bigint)
  on conflict (customer_id, principal_id, key) do nothing;
  if not found then
    raise exception 'idempotency key used' using errcode = 'QT002';
  end if;
end
$body$;

-- A creation locks its formula set in shared mode, a formula command exclusively; both until the end of the transaction.
create function quittance.lock_formula_sets(customer uuid, given jsonb) returns void language plpgsql
  ${byKey}
as $body$
declare
  wanted record;
  present integer;
begin
  for wanted in
    select * from jsonb_to_recordset(given)
      as w(partner_id uuid, schema_id uuid, version integer, bumps integer)
    order by partner_id, schema_id
  loop
    for attempt in 1..2 loop
      if wanted.bumps > 0 then
        select p.version into present from quittance.formula_sets p
        where p.customer_id = customer and p.partner_id = wanted.partner_id and p.schema_id = wanted.schema_id
        for no key update;
      else
        select p.version into present from quittance.formula_sets p
        where p.customer_id = customer and p.partner_id = wanted.partner_id and p.schema_id = wanted.schema_id
        for share;
      end if;
      exit when found;
      insert into quittance.formula_sets (customer_id, partner_id, schema_id, version)
      values (customer, wanted.partner_id, wanted.schema_id, 0) on conflict do nothing;
    end loop;
    if wanted.version <> present then
      perform quittance.raise_version_conflict('formula_set');
    end if;
    if wanted.bumps > 0 then
      update quittance.formula_sets p set version = p.version + wanted.bumps
      where p.customer_id = customer and p.partner_id = wanted.partner_id and p.schema_id = wanted.schema_id;
    end if;
  end loop;
end
$body$;

-- Locks the rows that are going to change, then locks the rows that the commit only relies on in shared mode.
create function quittance.lock_records(customer uuid, held jsonb) returns void language plpgsql
  ${byKey}
as $body$
declare
  kinds constant text[] := array[${LOCK_ORDER.map((kind) => `'${kind}'`).join(", ")}];
  tables constant text[] := array[${LOCK_ORDER.map((kind) => `'${TABLES[kind].name}'`).join(", ")}];
  part jsonb;
  ids uuid[];
  versions integer[];
  matching integer;
begin
  for place in 1..array_length(kinds, 1) loop
    part := held->kinds[place];
    continue when part is null;
    ids := array(
      select w.id::uuid from jsonb_array_elements_text(part->'ids') as w(id)
      union
      select l.commission_id from jsonb_array_elements_text(part->'lines_of') as w(settlement_id)
      cross join lateral (
        select l.commission_id from quittance.settlement_lines l
        where l.customer_id = customer and l.settlement_id = w.settlement_id::uuid order by l.position) l
      order by 1);
    if cardinality(ids) > 0 then
      execute format('select count(*) from unnest($2) as w(id) cross join lateral ${rowWith("for no key update")} t', tables[place])
      into matching using customer, ids;
    end if;
    if part ? 'versions' then
      select array_agg(w.id order by w.id), array_agg(w.version order by w.id) into ids, versions
      from jsonb_to_recordset(part->'versions') as w(id uuid, version integer);
      execute format(
        'select count(*) from unnest($2, $3) as w(id, version) cross join lateral ${rowWith("for share", "t.version = w.version")} t',
        tables[place])
      into matching using customer, ids, versions;
      if matching <> cardinality(ids) then
        perform quittance.raise_version_conflict(kinds[place]);
      end if;
    end if;
    if part ? 'absent' then
      execute format('select count(*) from unnest($2) as w(id) cross join lateral ${rowWith("")} t', tables[place])
      into matching using customer, array(select jsonb_array_elements_text(part->'absent')::uuid);
      if matching > 0 then
        perform quittance.raise_version_conflict(kinds[place]);
      end if;
    end if;
  end loop;
end
$body$;

-- Compares counts, freshness and dates once all rows that they depend on are locked.
create function quittance.check_requirements(customer uuid, given jsonb) returns void language plpgsql
  ${byKey}
as $body$
begin
  if exists (
    select from jsonb_to_recordset(given->'counts') as w(attribution_id uuid, count bigint)
    where w.count <> (
      select count(*) from (
        select from quittance.commissions c
        where c.customer_id = customer
          and c.attribution_id >= w.attribution_id and c.attribution_id <= w.attribution_id
        order by c.attribution_id) c)
  ) then
    perform quittance.raise_version_conflict('commissions');
  end if;
  if exists (
    select from jsonb_to_recordset(given->'freshness') as w(settlement_id uuid, stale boolean)
    where quittance.is_stale(customer, w.settlement_id) <> w.stale
  ) then
    perform quittance.raise_version_conflict('freshness');
  end if;
  if exists (
    select from jsonb_to_recordset(given->'since')
      as w(partner_id uuid, schema_id uuid, workspace_id uuid, moment bigint)
    where ${[`${UNDATED} and t.created_at >= w.moment`, `${DATED} and t.occurred_at >= w.moment`]
      .map(
        (condition) => `exists (
      select from quittance.attributions t
      where t.customer_id = customer and t.partner_id = w.partner_id and t.schema_id = w.schema_id
        and t.workspace_id = w.workspace_id and ${condition})`,
      )
      .join(" or ")}
  ) then
    perform quittance.raise_version_conflict('no_attribution_since');
  end if;
  if exists (
    select from jsonb_array_elements_text(given->'unassigned') as w(plan_id)
    join quittance.formulas f on f.customer_id = customer and f.plan_id = w.plan_id::uuid
  ) then
    perform quittance.raise_version_conflict('no_formula_of_plan');
  end if;
end
$body$;
`;
