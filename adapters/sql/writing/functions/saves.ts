/** The functions that save records, generated from the tables: one inserts the new rows of a kind, one updates rows. */
import type { Storage } from "quittance";
import { byKey, lookUpByKey } from "../../planning.ts";
import { insertedColumns, type Named, TYPES, updatedColumns } from "../../records/Column.ts";
import { KINDS, TABLES, tableName } from "../../records/Tables.ts";
import { KIND_OF_ROW } from "../../rollups/Rollup.ts";
import { APPEND_DELTAS } from "../../rollups/rollupFunctions.ts";
import { LOCK_ORDER } from "./requirements.ts";

/** The rollup deltas of added rows, for each kind that rollups count. */
const COUNT_ADDED: { readonly [Kind in Storage.Kind]?: string } = {
  attribution: `
    select ${KIND_OF_ROW} as kind, a.partner_id, quittance.day_of(a.occurred_at) as day, a.workspace_id, a.status,
      count(*) as count, 0 as settled, 0 as due
    from added a group by 1, 2, 3, 4, 5`,
  commission: `
    select 'commission' as kind, a.partner_id, quittance.day_of(a.occurred_at) as day, a.workspace_id, a.settlement_status as status, a.currency,
      quittance.day_of(a.created_at) as moved_day, count(*) as count, sum(a.settled_amount) as settled,
      sum(coalesce(a.computed_amount, 0) - a.settled_amount) as due, sum(a.waiting_amount) as waiting,
      nullif(sum(a.paid_amount), 0) as elsewhere
    from added a group by 2, 3, 4, 5, 6, 7`,
};

/** Inserts into other tables that follow from the new rows of a kind. */
const ADDED_BESIDE: Partial<Record<Storage.Kind, string>> = {
  apiKey: `
  insert into quittance.api_key_routes (key_id, customer_id, api_key_id)
  select r.key_id, customer, r.id from jsonb_to_recordset(rows) as r(key_id text, id uuid);`,
  // The second event of a new commission is what was stated of its sale before, where it waits for that, or else that it was
  // settled elsewhere. The sums show whether there is any.
  commission: `
  if exists (select from json_array_elements(deltas) d where d->>'waiting' is not null or d->>'status' = 'settled') then
    insert into quittance.movements (
      customer_id, partner_id, at, record_id, sequence, type, currency, earned, settled, pending, waiting)
    select customer, r.partner_id, r.last_at, r.id, r.version,
      case when r.waiting_amount is null then 'settled_elsewhere' else 'received' end, r.currency, 0, r.paid_amount, 0,
      r.waiting_amount - greatest(0, coalesce(r.computed_amount, 0))
    from jsonb_to_recordset(rows) as r(
      id uuid, partner_id uuid, currency text, computed_amount bigint, waiting_amount bigint, paid_amount bigint,
      version integer, last_at bigint)
    where r.version > 1;
  end if;`,
};

/** Columns as `jsonb_to_recordset` declares them. */
const declareColumns = (columns: ReadonlyArray<Named>): string =>
  columns.map(({ name, type }) => `${name} ${TYPES[type].sent}`).join(", ");

/** The value of a column of the sent row `r`, as the table stores it. The customer is the argument of the function. */
const storedValue = ({ name, type }: Named): string =>
  name === "customer_id"
    ? "customer"
    : TYPES[type].sent === TYPES[type].stored || TYPES[type].sent === "bigint"
      ? `r.${name}`
      : `r.${name}::${TYPES[type].stored}`;

const insertAndCount = (insert: string, count: string): string => `
  with added as (${insert} returning *)
  select json_agg(d) into deltas from (${count}) d;
  ${APPEND_DELTAS}`;

const insertFunction = (kind: Storage.Kind): string => {
  const columns = insertedColumns(TABLES[kind]);
  const insert = `insert into ${tableName(kind)} (${columns.map(({ name }) => name).join(", ")})
    select ${columns.map(storedValue).join(", ")}
    from jsonb_to_recordset(rows) as r(${declareColumns(columns)})`;
  const count = COUNT_ADDED[kind];
  return `
create function quittance.insert_${TABLES[kind].name}(customer uuid, rows jsonb) returns void language plpgsql as $body$
declare
  deltas json;
begin
  ${count === undefined ? insert : insertAndCount(insert, count)};${ADDED_BESIDE[kind] ?? ""}
end
$body$;
`;
};

const assignment = (column: Named): string => {
  const { name } = column;
  return `${name} = ${column.updated === "latest" ? `greatest(t.${name}, r.${name})` : storedValue(column)}`;
};

const updateFunction = (kind: Storage.Kind): string => {
  const { name } = TABLES[kind];
  const columns = updatedColumns(TABLES[kind]);
  const isCounted = COUNT_ADDED[kind] !== undefined;
  const count = (sign: 1 | -1): string =>
    isCounted ? `perform quittance.count_${name}(customer, ids, ${sign});` : "";
  const rowLocation = lookUpByKey({
    table: tableName(kind),
    columns: "t.ctid",
    customer: "customer",
    id: "r.id",
  });
  return `
create function quittance.update_${name}(customer uuid, rows jsonb) returns void language plpgsql
  ${byKey}
as $body$
declare
  r record;
  ids uuid[] := ${isCounted ? "array(select (e->>'id')::uuid from jsonb_array_elements(rows) e)" : "null"};
begin
  ${count(-1)}
  for r in
    select * from jsonb_to_recordset(rows) as r(id uuid, expected integer, ${declareColumns(columns)})
  loop
    update ${tableName(kind)} t
    set ${columns.map(assignment).join(", ")}
    where t.customer_id = customer and t.ctid = ${rowLocation} and t.version = r.expected;
    if not found then perform quittance.raise_version_conflict('${kind}'); end if;
  end loop;
  ${count(1)}
end
$body$;
`;
};

/** Commissions that exist change by revisions and with the lines of settlements, never by a save. */
const UPDATED = KINDS.filter((kind) => kind !== "commission");

/** Attributions are updated before rows are inserted. */
const UPDATED_LAST = UPDATED.filter((kind) => kind !== "attribution");

/** Settlements are saved first, since the changes of their lines refer to them. */
const ORDER = LOCK_ORDER.filter((kind) => kind !== "settlement");

const callForEach = (
  kinds: ReadonlyArray<Storage.Kind>,
  call: (table: string, rows: string) => string,
): string =>
  ORDER.filter((kind) => kinds.includes(kind))
    .map(
      (kind) =>
        `if given ? '${kind}' then perform quittance.${call(TABLES[kind].name, `given->'${kind}'`)}; end if;`,
    )
    .join("\n  ");

const dispatchers = `
create function quittance.insert_rows(customer uuid, given jsonb) returns void language plpgsql as $body$
begin
  ${callForEach(KINDS, (table, rows) => `insert_${table}(customer, ${rows})`)}
end
$body$;

create function quittance.update_rows(customer uuid, given jsonb) returns void language plpgsql as $body$
begin
  ${callForEach(UPDATED_LAST, (table, rows) => `update_${table}(customer, ${rows})`)}
end
$body$;

create function quittance.save_settlements(customer uuid, given jsonb) returns void language plpgsql as $body$
begin
  if given ? 'insert' then perform quittance.insert_settlements(customer, given->'insert'); end if;
  if given ? 'update' then perform quittance.update_settlements(customer, given->'update'); end if;
  if given ? 'payment_references' then
    insert into quittance.payment_references (reference, customer_id, settlement_id)
    select p.reference, customer, p.settlement_id
    from jsonb_to_recordset(given->'payment_references') as p(reference uuid, settlement_id uuid);
  end if;
end
$body$;
`;

/** The functions that insert rows, and those that update them and raise a version conflict with the kind's name. */
export const saves = [...KINDS.map(insertFunction), ...UPDATED.map(updateFunction), dispatchers].join("");
