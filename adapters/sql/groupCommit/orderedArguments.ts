/**
 * The arguments that `quittance.create_ordered_attributions` has beside those of `quittance.create_attributions`: what the
 * commands save of orders of arrival and running totals, the histories that they relied on, and the attributions that must be
 * stored before them. Where several commands save one record, each saves it from the version that the last save gave it, and the
 * database stores the last of them.
 */
import { byKey } from "../planning.ts";
import { encode, encodeView, type Row } from "../records/RowMapping.ts";
import { TABLES, tableName } from "../records/Tables.ts";
import type { Parameter } from "../Statement.ts";
import type { Creation, OrderedSave } from "./Creation.ts";

type OrderedKind = OrderedSave["kind"];

/** The kinds in the order in which a commit locks them. */
const ORDERED_KINDS: ReadonlyArray<OrderedKind> = ["arrivalOrder", "runningTotal"];

interface Saved {
  readonly save: OrderedSave;
  /** The version before the first of the saves. */
  readonly expected: number;
}

type Version = { readonly id: string; readonly version: number };

/** What commands that are stored together rely on and save: rows by kind, each list in the order of ids. */
export interface OrderedGroup {
  readonly histories: ReadonlyArray<Version>;
  /** The attributions that the commands build on, without those of the group itself. */
  readonly before: ReadonlyArray<Version>;
  readonly updated: Readonly<Record<OrderedKind, ReadonlyArray<Row>>>;
  readonly inserted: Readonly<Record<OrderedKind, ReadonlyArray<Row>>>;
}

const byId = (a: { readonly id: string }, b: { readonly id: string }): number => (a.id < b.id ? -1 : 1);

/** The last save of each record, by id; null where a save was not made on the one before it. */
const lastSaves = (creations: ReadonlyArray<Creation>): ReadonlyArray<Saved> | null => {
  const saves = new Map<string, Saved>();
  for (const { ordered } of creations) {
    for (const save of ordered) {
      const before = saves.get(save.row.id);
      if (before !== undefined && before.save.row.version !== save.expected) return null;
      saves.set(save.row.id, { save, expected: before?.expected ?? save.expected });
    }
  }
  return [...saves.values()].sort((a, b) => byId(a.save.row, b.save.row));
};

/** The histories of all commands, by id; null where two commands relied on different versions of one. */
const versionsOf = (creations: ReadonlyArray<Creation>): ReadonlyArray<Version> | null => {
  const versions = new Map<string, number>();
  for (const { histories } of creations) {
    for (const { id, version } of histories) {
      if ((versions.get(id) ?? version) !== version) return null;
      versions.set(id, version);
    }
  }
  return [...versions].map(([id, version]) => ({ id, version })).sort(byId);
};

/** The attributions of earlier calls that commands were decided on. */
const storedBefore = (creations: ReadonlyArray<Creation>): ReadonlyArray<Version> => {
  const own = new Set<string>(creations.flatMap(({ attributions }) => attributions.map(({ id }) => id)));
  return creations.flatMap(({ before }) => before.filter(({ id }) => !own.has(id)));
};

/** True if a command saves more than attributions and commissions. */
export const isOrdered = ({ ordered, histories }: Creation): boolean => ordered.length + histories.length > 0;

/** What the commands rely on and save, or null where they cannot be stored together: one of them would be refused. */
export const orderedGroup = (creations: ReadonlyArray<Creation>): OrderedGroup | null => {
  const saves = lastSaves(creations);
  const histories = versionsOf(creations);
  if (saves === null || histories === null) return null;
  const updated = { arrivalOrder: [] as Row[], runningTotal: [] as Row[] };
  const inserted = { arrivalOrder: [] as Row[], runningTotal: [] as Row[] };
  for (const { save, expected } of saves) {
    if (expected === 0) inserted[save.kind].push(encode(save));
    else {
      const { id, version, lastAt: last_at } = save.row;
      updated[save.kind].push({ id, expected, version, last_at, view: encodeView(save) });
    }
  }
  return { histories, before: storedBefore(creations), updated, inserted };
};

interface Argument {
  readonly name: string;
  readonly type: string;
  readonly of: (group: OrderedGroup) => Parameter;
}

/** An array literal of ids or numbers; null where there are none. */
const arrayLiteral = <Item extends object>(items: ReadonlyArray<Item>, field: string): string | null =>
  items.length === 0 ? null : `{${items.map((item) => String(Reflect.get(item, field))).join(",")}}`;

/** The columns of the rows that a creation updates; the others keep their values. */
const UPDATED: ReadonlyArray<readonly [name: string, type: string]> = [
  ["id", "uuid"],
  ["expected", "integer"],
  ["version", "integer"],
  ["last_at", "bigint"],
];

const argumentsOf = (kind: OrderedKind): ReadonlyArray<Argument> => [
  ...UPDATED.map(
    ([name, type]): Argument => ({
      name: `${TABLES[kind].name}_${name}`,
      type: `${type}[]`,
      of: ({ updated }) => arrayLiteral(updated[kind], name),
    }),
  ),
  {
    name: `${TABLES[kind].name}_view`,
    type: "json",
    of: ({ updated }) => JSON.stringify(updated[kind].map(({ view }) => view)),
  },
];

const ARGUMENTS: ReadonlyArray<Argument> = [
  { name: "histories_id", type: "uuid[]", of: ({ histories }) => arrayLiteral(histories, "id") },
  { name: "histories_version", type: "integer[]", of: ({ histories }) => arrayLiteral(histories, "version") },
  { name: "before_id", type: "uuid[]", of: ({ before }) => arrayLiteral(before, "id") },
  { name: "before_version", type: "integer[]", of: ({ before }) => arrayLiteral(before, "version") },
  ...ORDERED_KINDS.flatMap(argumentsOf),
  {
    name: "inserted",
    type: "jsonb",
    of: ({ inserted }) => {
      const kinds = ORDERED_KINDS.filter((kind) => inserted[kind].length > 0);
      return kinds.length === 0
        ? null
        : JSON.stringify(Object.fromEntries(kinds.map((kind) => [kind, inserted[kind]])));
    },
  },
];

/** The arguments as a function declares them. */
export const ORDERED_DECLARATIONS = ARGUMENTS.map(({ name, type }) => `${name} ${type}`).join(", ");

/** The names of the arguments. */
export const ORDERED_NAMES = ARGUMENTS.map(({ name }) => name).join(", ");

/** The placeholders of a call, after so many others. */
export const orderedPlaceholders = (count: number): string =>
  ARGUMENTS.map(({ type }, index) => `$${count + index + 1}::${type}`).join(", ");

/** The values of the arguments. */
export const orderedParameters = (group: OrderedGroup): ReadonlyArray<Parameter> =>
  ARGUMENTS.map(({ of }) => of(group));

/** Updates the rows of a kind one by one, by their keys: a join would be planned as a scan once the table is large. */
const updates = (kind: OrderedKind): string => {
  const { name } = TABLES[kind];
  const sent = UPDATED.map(([column]) => column);
  return `
  for r in
    select * from rows from (
      unnest(${sent.map((column) => `${name}_${column}`).join(", ")}), json_array_elements(${name}_view)
    ) as r(${sent.join(", ")}, view)
  loop
    update ${tableName(kind)} t
    set view = r.view::jsonb, version = r.version, last_at = greatest(t.last_at, r.last_at)
    where t.customer_id = customer and t.id = r.id and t.version = r.expected;
    if not found then perform quittance.raise_version_conflict('${kind}', r.id); end if;
  end loop;`;
};

/** The function that locks histories, and saves orders of arrival before the totals, as in commit; each kind by id. */
export const saveArrivals = `
create function quittance.save_arrivals(customer uuid, ${ORDERED_DECLARATIONS}) returns void language plpgsql
  ${byKey}
as $body$
declare
  r record;
begin
  for r in select * from unnest(histories_id, histories_version) as r(id, version) loop
    perform from quittance.attribution_histories t
    where t.customer_id = customer and t.id = r.id and t.version = r.version
    for share;
    if not found then perform quittance.raise_version_conflict('attributionHistory', r.id); end if;
  end loop;${ORDERED_KINDS.map(updates).join("")}
  -- Once the orders are locked, so that a creation that was under way is stored or refused. Attributions are not locked: a
  -- cancellation, which locks them first, raises the history.
  if before_id is not null then
    for r in select * from unnest(before_id, before_version) as b(id, version) loop
      perform from quittance.attributions a where a.customer_id = customer and a.id = r.id and a.version = r.version;
      if not found then perform quittance.raise_version_conflict('attribution', r.id); end if;
    end loop;
  end if;
  if inserted is not null then perform quittance.insert_rows(customer, inserted); end if;
end
$body$;
`;
