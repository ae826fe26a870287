/**
 * Row-level security, a second line of defence against missing filters, on every table with rows of customers. A statement
 * sees and writes the rows of the customer that `app.customer_id` names in its transaction; without one, none. Policies
 * are dropped and created again at each migration, so that a table that a step adds has the same policies.
 */

/** Tables without policies, because they are read before a customer is known. */
const ROUTING = ["api_key_routes", "payment_references", "provider_events"];

/** The tables that the platform reads across customers; its role sees no other table. */
const READABLE = [
  "api_keys",
  "arrival_orders",
  "attribution_histories",
  "attributions",
  "bank_payments",
  "billing_profiles",
  "books",
  "commissions",
  "documents",
  "events",
  "feed_heads",
  "feed_pending",
  "formulas",
  "link_sets",
  "partner_links",
  "partners",
  "payment_files",
  "plan_acceptances",
  "plan_trial_results",
  "plan_trials",
  "plans",
  "recomputations",
  "recredit_run_results",
  "recredit_runs",
  "rollup_deltas",
  "rollups",
  "running_totals",
  "schemas",
  "settlement_lines",
  "settlement_policies",
  "settlement_run_results",
  "settlement_runs",
  "settlements",
  "tax_origins",
  "webhook_deliveries",
  "webhook_endpoints",
  "workspaces",
];

const arrayLiteral = (names: ReadonlyArray<string>): string =>
  `array[${names.map((name) => `'${name}'`).join(", ")}]`;

/** After a transaction that set it, the setting is empty, not absent. */
const OWN = "customer_id = nullif(current_setting('app.customer_id', true), '')::uuid";

const OUTBOX = "current_setting('app.every_customer', true) = 'outbox'";

const PRUNING = "current_setting('app.every_customer', true) = 'prune'";

/** The tables whose old rows are removed, of every customer. */
const AGEING = [
  "commands",
  "idempotency_records",
  "plan_trial_results",
  "plan_trials",
  "recredit_run_results",
  "recredit_runs",
  "webhook_deliveries",
];

/** Policies also apply to roles that inherit a role, so this one checks that the role has been set. */
const PLATFORM = "(select current_user) = 'quittance_platform'";

/** The names of our policies, those of older versions included. */
export const POLICIES = ["customer", "claim", "change", "complete", "across", "aged", "prune"] as const;

/**
 * The policies. Workers look for messages in the outbox of every customer, and change each in the scope of its own. Pruning
 * may read and delete old rows of every customer, and change nothing.
 */
export const policies = `
do $body$
declare
  guarded text;
begin
  for guarded in
    select c.relname from pg_class c join pg_attribute a on a.attrelid = c.oid
    where c.relnamespace = 'quittance'::regnamespace and c.relkind in ('r', 'p')
      and a.attname = 'customer_id' and c.relname <> all (${arrayLiteral(ROUTING)})
  loop
    execute format('alter table quittance.%I enable row level security, force row level security', guarded);
    if guarded = 'outbox' then
      create policy claim on quittance.outbox for select using (${OUTBOX});
    end if;
    execute format($policy$create policy customer on quittance.%I using (${OWN})$policy$, guarded);
    if guarded = any (${arrayLiteral(AGEING)}) then
      execute format($policy$create policy aged on quittance.%I for select using (${PRUNING})$policy$, guarded);
      execute format($policy$create policy prune on quittance.%I for delete using (${PRUNING})$policy$, guarded);
    end if;
  end loop;
end
$body$;
`;

/**
 * The function that grants the role of the platform its reads; it can be repeated. It creates the role and grants it to the
 * caller, as far as the caller has the rights; an operator does the rest, and the next start completes it.
 */
export const platform = `
create function quittance.grant_platform_reads() returns void language plpgsql as $body$
declare
  knows_set constant boolean := current_setting('server_version_num')::integer >= 160000;
  readable record;
begin
  if to_regrole('quittance_platform') is null then
    begin
      create role quittance_platform nologin;
    exception
      when insufficient_privilege then return;
      -- Another database of the server created it at the same time.
      when duplicate_object or unique_violation then null;
    end;
  end if;
  if not pg_has_role('quittance_platform', case when knows_set then 'set' else 'member' end) then
    begin
      execute 'grant quittance_platform to current_user'
        || case when knows_set then ' with inherit false, set true' else '' end;
    exception
      when insufficient_privilege then null;
    end;
  end if;
  for readable in
    select c.relname, c.relrowsecurity
        and not exists (select from pg_policy p where p.polrelid = c.oid and p.polname = 'across') as lacks_policy,
      not has_table_privilege('quittance_platform', c.oid, 'select') as lacks_right
    from pg_class c
    where c.relnamespace = 'quittance'::regnamespace and c.relname = any (${arrayLiteral(READABLE)})
      and pg_has_role(c.relowner, 'usage')
  loop
    if readable.lacks_right then
      grant usage on schema quittance to quittance_platform;
      execute format('grant select on quittance.%I to quittance_platform', readable.relname);
    end if;
    if readable.lacks_policy then
      execute format(
        $policy$create policy across on quittance.%I for select to quittance_platform using (${PLATFORM})$policy$,
        readable.relname);
    end if;
  end loop;
end
$body$;
`;
