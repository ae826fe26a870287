/** Triggers, dropped and created again at each migration with their functions. */

/** The tables that are append-only. */
export const APPEND_ONLY = ["events", "settlement_lines", "reversals", "movements"] as const;

/** Refuses changes of append-only tables, except of the events whose personal data `erase_events` erases. */
export const guards = `
create function quittance.refuse_change() returns trigger language plpgsql as $body$
begin
  if tg_table_name = 'events' and tg_op = 'UPDATE' and current_setting('app.erasing', true) = 'on' then
    return null;
  end if;
  raise exception '% is append-only', tg_table_name using errcode = '55000';
end
$body$;

do $body$
declare
  growing text;
begin
  -- Tests create databases of older versions, which lack the tables of later steps.
  foreach growing in array array[${APPEND_ONLY.map((table) => `'${table}'`).join(", ")}] loop
    continue when to_regclass('quittance.' || growing) is null;
    execute format(
      'create trigger append_only before update or delete or truncate on quittance.%I
        for each statement execute function quittance.refuse_change()', growing);
  end loop;
end
$body$;
`;
