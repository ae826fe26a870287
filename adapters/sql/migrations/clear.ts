/** Removes the functions, triggers and policies of any older version; each migration creates its own. */
import { POLICIES } from "./rowLevelSecurity.ts";

/**
 * Drops the triggers, policies and functions of the schema. Tables keep their rows; `force row level security` is off
 * afterwards, so that a step run by the owner of the tables sees the rows of every customer.
 */
export const clear = `
do $body$
declare
  ours record;
begin
  for ours in
    select t.tgname, c.relname from pg_trigger t
    join pg_class c on c.oid = t.tgrelid join pg_proc p on p.oid = t.tgfoid
    where c.relnamespace = 'quittance'::regnamespace and p.pronamespace = c.relnamespace and not t.tgisinternal
  loop
    execute format('drop trigger %I on quittance.%I', ours.tgname, ours.relname);
  end loop;
  for ours in
    select p.polname, c.relname from pg_policy p join pg_class c on c.oid = p.polrelid
    where c.relnamespace = 'quittance'::regnamespace
      and p.polname = any (array[${POLICIES.map((name) => `'${name}'`).join(", ")}])
  loop
    execute format('drop policy %I on quittance.%I', ours.polname, ours.relname);
  end loop;
  for ours in
    select c.relname from pg_class c
    where c.relnamespace = 'quittance'::regnamespace and c.relforcerowsecurity
  loop
    execute format('alter table quittance.%I no force row level security', ours.relname);
  end loop;
  for ours in
    select p.oid::regprocedure::text as signature from pg_proc p
    where p.pronamespace = 'quittance'::regnamespace
      and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')
  loop
    execute 'drop routine ' || ours.signature;
  end loop;
end
$body$;
`;
