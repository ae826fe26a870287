/** Triggers: they are dropped and created again at each migration, with the functions that they call. */

/** Refuses changes of the tables that only grow. */
export const guards = `
create function quittance.refuse_change() returns trigger language plpgsql as $body$
begin
  raise exception '% is append-only', tg_table_name using errcode = '55000';
end
$body$;

create trigger append_only before update or delete or truncate on quittance.events
  for each statement execute function quittance.refuse_change();
create trigger append_only before update or delete or truncate on quittance.settlement_lines
  for each statement execute function quittance.refuse_change();
`;
