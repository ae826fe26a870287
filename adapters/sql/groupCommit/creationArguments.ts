/** The arguments of `quittance.create_attributions`: their names and types for the function, their values for a call. */
import type { Ids, Storage } from "quittance";
import { columnOf, type Named, TYPES } from "../records/Column.ts";
import { TABLES, tableName } from "../records/Tables.ts";
import { integers, type Parameter } from "../Statement.ts";
import type { Creation, FormulaSet } from "./Creation.ts";

/** The commands of one call. */
interface Group {
  readonly customerId: Ids.CustomerId;
  readonly creations: ReadonlyArray<Creation>;
  readonly formulaSets: ReadonlyArray<FormulaSet>;
  readonly apiKeys: ReadonlyArray<Storage.RecordRequirement>;
  readonly workspaces: ReadonlyArray<Storage.RecordRequirement>;
  readonly linkSets: ReadonlyArray<Storage.RecordRequirement>;
  readonly attributions: Creation["attributions"];
  readonly commissions: Creation["commissions"];
}

interface Argument {
  readonly name: string;
  readonly type: string;
  readonly of: (group: Group) => Parameter;
}

/**
 * An array literal whose elements need no quotes: ids, numbers, currencies. Null, which is read fastest, where each element is; an
 * empty one where there is none, so that its cardinality is 0.
 */
const arrayLiteral = <Item>(
  items: ReadonlyArray<Item>,
  of: (item: Item) => string | number | null,
): string | null => {
  let text = "";
  let isAbsent = items.length > 0;
  for (const item of items) {
    const value = of(item);
    if (value !== null) isAbsent = false;
    text += `${text === "" ? "" : ","}${value ?? "NULL"}`;
  }
  return isAbsent ? null : `{${text}}`;
};

/** Texts in a JSON array, which need no second level of quotes; null where each of them is, or there is none. */
const jsonTexts = <Item>(items: ReadonlyArray<Item>, of: (item: Item) => string | null): string | null => {
  const all = items.map(of);
  return all.every((text) => text === null) ? null : JSON.stringify(all);
};

/** The kinds whose rows the function inserts. */
type Created = "attribution" | "commission";

/** The columns that every row takes from its command, as SQL over the row `r`. */
const FROM_COMMAND: Readonly<Record<string, string>> = {
  customer_id: "customer",
  created_at: "moments[r.command]",
  last_at: "moments[r.command]",
};

interface CallerColumn extends Named {
  readonly field: string;
  /** True if the values travel in a JSON array of texts, and not in an array of their own type. */
  readonly isText: boolean;
}

/** The columns whose values the caller passes; those that are sent as texts are last. */
const callerColumns = (kind: Created): ReadonlyArray<CallerColumn> => {
  const all = Object.entries(TABLES[kind].columns)
    .map(([field, column]) => ({
      ...column,
      field,
      name: columnOf(field),
      isText: column.isWord !== true && ["text", "json", "jsonb"].includes(column.type),
    }))
    .filter(({ name, initial }) => initial === undefined && FROM_COMMAND[name] === undefined);
  return [...all.filter(({ isText }) => !isText), ...all.filter(({ isText }) => isText)];
};

const argumentName = (kind: Created, name: string): string => `${TABLES[kind].name}_${name}`;

const numberOrText = (row: object, field: string): string | number | null => Reflect.get(row, field);

const textOf = (row: object, { field, type }: CallerColumn): string | null => {
  const value: unknown = Reflect.get(row, field);
  return value === null || (typeof value === "string" && type === "text") ? value : JSON.stringify(value);
};

/** The arguments of the rows of a kind: the position of its command for each row, from 1, then a list for each column. */
const rowArguments = (kind: Created): ReadonlyArray<Argument> => {
  const rowsOf = (group: Group | Creation): ReadonlyArray<object> =>
    kind === "attribution" ? group.attributions : group.commissions;
  return [
    {
      name: argumentName(kind, "command"),
      type: "integer[]",
      of: ({ creations }) =>
        integers(creations.flatMap((creation, index) => rowsOf(creation).map(() => index + 1))),
    },
    ...callerColumns(kind).map((column): Argument => {
      const { name, field, type, isText } = column;
      return {
        name: argumentName(kind, name),
        type: isText ? "json" : `${TYPES[type].sent}[]`,
        of: (group) =>
          isText
            ? jsonTexts(rowsOf(group), (row) => textOf(row, column))
            : arrayLiteral(rowsOf(group), (row) => numberOrText(row, field)),
      };
    }),
  ];
};

/** The arguments in the order of the function. */
const ARGUMENTS: ReadonlyArray<Argument> = [
  { name: "customer", type: "uuid", of: ({ customerId }) => customerId },
  {
    name: "commands",
    type: "uuid[]",
    of: (group) => arrayLiteral(group.creations, ({ command }) => command.id),
  },
  { name: "actors", type: "json", of: (group) => jsonTexts(group.creations, ({ command }) => command.actor) },
  {
    name: "people",
    type: "json",
    of: (group) => jsonTexts(group.creations, ({ command }) => command.person ?? null),
  },
  {
    name: "moments",
    type: "bigint[]",
    of: (group) => arrayLiteral(group.creations, ({ command }) => command.at),
  },
  {
    name: "keys",
    type: "json",
    of: (group) => jsonTexts(group.creations, ({ idempotencyRecord }) => idempotencyRecord?.key ?? null),
  },
  {
    name: "requests",
    type: "json",
    of: (group) =>
      jsonTexts(group.creations, ({ idempotencyRecord }) => idempotencyRecord?.requestSha256 ?? null),
  },
  {
    name: "results",
    type: "json",
    of: (group) =>
      jsonTexts(group.creations, ({ idempotencyRecord }) =>
        idempotencyRecord === null ? null : JSON.stringify(idempotencyRecord.result),
      ),
  },
  {
    name: "formula_set_partners",
    type: "uuid[]",
    of: ({ formulaSets }) => arrayLiteral(formulaSets, (set) => set.partnerId),
  },
  {
    name: "formula_set_schemas",
    type: "uuid[]",
    of: ({ formulaSets }) => arrayLiteral(formulaSets, (set) => set.schemaId),
  },
  {
    name: "formula_set_versions",
    type: "integer[]",
    of: ({ formulaSets }) => integers(formulaSets.map((set) => set.version)),
  },
  { name: "api_keys", type: "uuid[]", of: ({ apiKeys }) => arrayLiteral(apiKeys, (key) => key.id) },
  {
    name: "api_key_versions",
    type: "integer[]",
    of: ({ apiKeys }) => integers(apiKeys.map((key) => key.version)),
  },
  {
    name: "workspaces",
    type: "uuid[]",
    of: ({ workspaces }) => arrayLiteral(workspaces, (workspace) => workspace.id),
  },
  {
    name: "workspace_versions",
    type: "integer[]",
    of: ({ workspaces }) => integers(workspaces.map((workspace) => workspace.version)),
  },
  { name: "link_sets", type: "uuid[]", of: ({ linkSets }) => arrayLiteral(linkSets, (set) => set.id) },
  {
    name: "link_set_versions",
    type: "integer[]",
    of: ({ linkSets }) => integers(linkSets.map((set) => set.version)),
  },
  ...rowArguments("attribution"),
  ...rowArguments("commission"),
  // One engine has one setting, so that the commands of a group agree.
  { name: "feeds", type: "boolean", of: ({ creations }) => creations.every(({ feed }) => feed) },
  {
    name: "events",
    type: "json",
    of: ({ creations }) =>
      jsonTexts(
        [
          ...creations.flatMap((creation) => creation.attributionEvents),
          ...creations.flatMap((creation) => creation.commissionEvents),
        ],
        (event) => JSON.stringify(event),
      ),
  },
];

/** The arguments as the function declares them. */
export const DECLARATIONS = ARGUMENTS.map(({ name, type }) => `${name} ${type}`).join(", ");

/** How many arguments there are. */
export const COUNT = ARGUMENTS.length;

/** The placeholders of a call. */
export const PLACEHOLDERS = ARGUMENTS.map(({ type }, index) => `$${index + 1}::${type}`).join(", ");

/** The columns of a new row, each with its value: a constant, or a value of the caller or the command. */
const valuesOf = (
  kind: Created,
  argumentOf: (column: string) => string,
  fromCommand: Readonly<Record<string, string>>,
): ReadonlyMap<string, string> => {
  const values = new Map<string, string>();
  for (const [field, { initial, type }] of Object.entries(TABLES[kind].columns)) {
    const name = columnOf(field);
    if (initial === null) continue;
    const cast = TYPES[type].stored === "json" || TYPES[type].stored === "jsonb" ? `::${type}` : "";
    const literal = typeof initial === "number" ? String(initial) : `'${initial}'`;
    values.set(name, initial === undefined ? (fromCommand[name] ?? `${argumentOf(name)}${cast}`) : literal);
  }
  return values;
};

/** The statement part that inserts the rows of a kind from their arguments. */
export const insertion = (kind: Created): string => {
  const columns = callerColumns(kind);
  const plain = columns.filter(({ isText }) => !isText);
  const textColumns = columns.filter(({ isText }) => isText);
  const values = valuesOf(kind, (name) => `r.${name}`, FROM_COMMAND);
  return `insert into ${tableName(kind)} (${[...values.keys()].join(", ")})
    select ${[...values.values()].join(", ")}
    from rows from (
      unnest(${[{ name: "command" }, ...plain].map(({ name }) => argumentName(kind, name)).join(", ")})${textColumns
        .map(({ name }) => `,\n      json_array_elements_text(${argumentName(kind, name)})`)
        .join("")}
    ) as r(command, ${columns.map(({ name }) => name).join(", ")})`;
};

/** The statement that inserts the only row of a kind, of the only command. */
export const rowInsertion = (kind: Created): string => {
  const textColumns = new Set(callerColumns(kind).flatMap(({ name, isText }) => (isText ? [name] : [])));
  const argumentOf = (name: string): string =>
    textColumns.has(name) ? `(${argumentName(kind, name)}->>0)` : `${argumentName(kind, name)}[1]`;
  const values = valuesOf(kind, argumentOf, {
    customer_id: "customer",
    created_at: "moments[1]",
    last_at: "moments[1]",
  });
  return `insert into ${tableName(kind)} (${[...values.keys()].join(", ")})
    values (${[...values.values()].join(", ")})`;
};

const formulaSetKey = ({ partnerId, schemaId, version }: FormulaSet): string =>
  `${partnerId}${schemaId}${version}`;
const recordKey = ({ id, version }: Storage.RecordRequirement): string => `${id}${version}`;

/**
 * The requirements of all commands in the order of ids, in which the function locks their rows. Each occurs once, unless
 * two commands require different versions of it; one of those then raises a version conflict.
 */
const distinctRequirements = <Item>(
  creations: ReadonlyArray<Creation>,
  of: (creation: Creation) => ReadonlyArray<Item>,
  keyOf: (item: Item) => string,
): ReadonlyArray<Item> => {
  const items = new Map<string, Item>();
  for (const creation of creations) for (const item of of(creation)) items.set(keyOf(item), item);
  return [...items].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, item]) => item);
};

/** The arguments that store the creations of one customer, each as a function that computes it. */
export const parameters = (
  customerId: Ids.CustomerId,
  creations: ReadonlyArray<Creation>,
): ReadonlyArray<() => Parameter> => {
  const group: Group = {
    customerId,
    creations,
    formulaSets: distinctRequirements(creations, (creation) => creation.formulaSets, formulaSetKey),
    apiKeys: distinctRequirements(creations, (creation) => creation.apiKeys, recordKey),
    workspaces: distinctRequirements(creations, (creation) => creation.workspaces, recordKey),
    linkSets: distinctRequirements(creations, (creation) => creation.linkSets, recordKey),
    attributions: creations.flatMap((creation) => creation.attributions),
    commissions: creations.flatMap((creation) => creation.commissions),
  };
  return ARGUMENTS.map(
    ({ of }) =>
      () =>
        of(group),
  );
};
