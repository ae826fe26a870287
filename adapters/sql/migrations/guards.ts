/** Triggers: they are dropped and created again at each migration, with the functions that they call. */

/** Refuses changes of the tables that only grow. */
export const guards = `
create function quittance.refuse_change() returns trigger language plpgsql as $body$
begin
  raise exception '% is append-only', tg_table_name using errcode = '55000';
end
$body$;

do $body$
declare
  growing text;
begin
  -- A table that a later step makes is not there yet while an older version is being made.
  foreach growing in array array['events', 'settlement_lines', 'taken_back'] loop
    continue when to_regclass('quittance.' || growing) is null;
    execute format(
      'create trigger append_only before update or delete or truncate on quittance.%I
        for each statement execute function quittance.refuse_change()', growing);
  end loop;
end
$body$;
`;
