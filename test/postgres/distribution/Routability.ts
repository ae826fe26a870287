/**
 * Finds statements and functions that Citus cannot send to the one node of a customer, from their text alone. A statement
 * on one customer compares `customer_id` of every distributed table that it names with the same parameter.
 */
import { loadModule, parsePlPgSQLSync, parseSync } from "libpg-query";

await loadModule();

/** The tables and functions of the schema. */
export interface Catalog {
  /** Tables without their schema, `quittance`. */
  readonly distributed: ReadonlySet<string>;
  readonly reference: ReadonlySet<string>;
  /** Functions that read or write tables, directly or by a function that they call. */
  readonly readers: ReadonlySet<string>;
  /** Volatile functions, including those of PostgreSQL. */
  readonly volatile: ReadonlySet<string>;
}

/** A function of the schema. */
export interface Routine {
  readonly name: string;
  readonly language: string;
  /** The statement that creates it. */
  readonly definition: string;
  /** Its body alone. */
  readonly source: string;
}

type Json = Readonly<Record<string, unknown>>;

const isJson = (value: unknown): value is Json => typeof value === "object" && value !== null;

const member = (value: unknown, ...path: ReadonlyArray<string>): unknown =>
  path.reduce<unknown>((inner, name) => (isJson(inner) ? inner[name] : undefined), value);

const list = (value: unknown): ReadonlyArray<unknown> => (Array.isArray(value) ? value : []);

/** Every value inside a value, in order, itself included. */
const within = (value: unknown, found: Array<Json> = []): ReadonlyArray<Json> => {
  if (!isJson(value)) return found;
  found.push(value);
  for (const inner of Object.values(value)) within(inner, found);
  return found;
};

const every = (tree: unknown, type: string): ReadonlyArray<unknown> =>
  within(tree).flatMap((node) => (type in node ? [node[type]] : []));

interface Relation {
  readonly table: string;
  readonly alias: string;
}

const isOurs = (range: unknown): boolean => member(range, "schemaname") === "quittance";

const relationOf = (range: unknown): Relation => {
  const table = String(member(range, "relname"));
  return { table, alias: String(member(range, "alias", "aliasname") ?? table) };
};

/** The tables of one query level: those of its `from` with joins, without those of subqueries. */
const relations = (item: unknown): ReadonlyArray<Relation> => {
  if (isJson(item) && "RangeVar" in item) return isOurs(item.RangeVar) ? [relationOf(item.RangeVar)] : [];
  const join = member(item, "JoinExpr");
  return join === undefined ? [] : [...relations(member(join, "larg")), ...relations(member(join, "rarg"))];
};

const conjuncts = (condition: unknown): ReadonlyArray<unknown> =>
  member(condition, "BoolExpr", "boolop") === "AND_EXPR"
    ? list(member(condition, "BoolExpr", "args")).flatMap(conjuncts)
    : condition === undefined
      ? []
      : [condition];

const joinConditions = (item: unknown): ReadonlyArray<unknown> => {
  const join = member(item, "JoinExpr");
  return join === undefined
    ? []
    : [
        ...conjuncts(member(join, "quals")),
        ...joinConditions(member(join, "larg")),
        ...joinConditions(member(join, "rarg")),
      ];
};

/** The parts of a column's name: `["t", "customer_id"]`. */
const column = (expression: unknown): ReadonlyArray<string> =>
  list(member(expression, "ColumnRef", "fields")).map((field) => String(member(field, "String", "sval")));

const uncast = (expression: unknown): unknown => {
  const inner = member(expression, "TypeCast", "arg");
  return inner === undefined ? expression : uncast(inner);
};

/** True if an expression is a parameter that names the customer. */
type IsParameter = (expression: unknown) => boolean;

const isPlaceholder =
  (number: number | null): IsParameter =>
  (expression) => {
    const found = member(uncast(expression), "ParamRef", "number");
    return number === null ? found !== undefined : found === number;
  };

interface Level {
  readonly relations: ReadonlyArray<Relation>;
  readonly conditions: ReadonlyArray<unknown>;
}

const levelOf = (query: Json): Level => {
  const from = [...list(query.fromClause), ...list(query.usingClause)];
  const target = isJson(query.relation) && isOurs(query.relation) ? [relationOf(query.relation)] : [];
  return {
    relations: [...target, ...from.flatMap(relations)],
    conditions: [...conjuncts(query.whereClause), ...from.flatMap(joinConditions)],
  };
};

const names = ({ alias }: Relation, isOnly: boolean, expression: unknown): boolean => {
  const words = column(expression);
  return words.at(-1) === "customer_id" && (words.length === 1 ? isOnly : words[0] === alias);
};

const isCompared = (relation: Relation, { relations, conditions }: Level, isParameter: IsParameter) =>
  conditions.some((condition) => {
    const { kind, lexpr, rexpr, name } = (member(condition, "A_Expr") ?? {}) as Json;
    if (kind !== "AEXPR_OP" || member(list(name)[0], "String", "sval") !== "=") return false;
    const isOnly = relations.length === 1;
    return (
      (names(relation, isOnly, lexpr) && isParameter(rexpr)) ||
      (names(relation, isOnly, rexpr) && isParameter(lexpr))
    );
  });

/** A problem unless every row of an insert has the parameter as its customer; null when there is none. */
const insertProblem = (insert: Json, isParameter: IsParameter): string | null => {
  const place = list(insert.cols).findIndex(
    (target) => member(target, "ResTarget", "name") === "customer_id",
  );
  const sources = (select: Json): ReadonlyArray<unknown> =>
    isJson(select.larg) && isJson(select.rarg)
      ? [...sources(select.larg), ...sources(select.rarg)]
      : "valuesLists" in select
        ? list(select.valuesLists).map((row) => list(member(row, "List", "items"))[place])
        : [member(list(select.targetList)[place], "ResTarget", "val")];
  const select = member(insert.selectStmt, "SelectStmt");
  return isJson(select) && sources(select).every(isParameter)
    ? null
    : `a row of ${relationOf(insert.relation).table} does not have the customer of the statement`;
};

const QUERIES = ["SelectStmt", "UpdateStmt", "DeleteStmt", "InsertStmt"] as const;

/** The queries of a tree, including those of set operations. */
const queriesOf = (tree: unknown): ReadonlyArray<{ readonly type: string; readonly query: Json }> =>
  [...within(tree)].flatMap((node) => [
    ...QUERIES.flatMap((type) => (isJson(node[type]) ? [{ type, query: node[type] }] : [])),
    ...[node.larg, node.rarg].flatMap((query) =>
      isJson(query) && "op" in query ? [{ type: "SelectStmt", query }] : [],
    ),
  ]);

/** The parts of each called function's name: `["quittance", "is_stale"]`. */
const called = (tree: unknown): ReadonlyArray<ReadonlyArray<string>> =>
  every(tree, "FuncCall").map((call) =>
    list(member(call, "funcname")).map((word) => String(member(word, "String", "sval"))),
  );

const calls = (tree: unknown): ReadonlyArray<string> =>
  called(tree).flatMap(([schema, name]) => (schema === "quittance" && name !== undefined ? [name] : []));

const tablesOf = (tree: unknown): ReadonlyArray<string> => [
  ...every(tree, "RangeVar")
    .filter(isOurs)
    .map((range) => relationOf(range).table),
  ...queriesOf(tree).flatMap(({ query }) =>
    isJson(query.relation) && isOurs(query.relation) ? [relationOf(query.relation).table] : [],
  ),
];

/** The assignments of updates, including those of `on conflict do update`. */
const assignments = (tree: unknown): ReadonlyArray<unknown> =>
  [...every(tree, "UpdateStmt"), ...every(tree, "onConflictClause")].flatMap((update) =>
    list(member(update, "targetList")),
  );

/** Citus 13.2 treats such a value as an assignment to an array element and crashes with a segmentation fault. */
const elementProblems = (tree: unknown): ReadonlyArray<string> =>
  assignments(tree)
    .filter((target) => {
      const subscripts = list(
        member(uncast(member(target, "ResTarget", "val")), "A_Indirection", "indirection"),
      );
      return subscripts.some((subscript) => member(subscript, "A_Indices") !== undefined);
    })
    .map((target) => `an array element as the new value of ${String(member(target, "ResTarget", "name"))}`);

/** Citus refuses volatile functions, because each shard would compute its own value. */
const volatileProblems = (tree: unknown, catalog: Catalog): ReadonlyArray<string> =>
  queriesOf(tree)
    .filter(({ type }) => type === "UpdateStmt" || type === "DeleteStmt")
    .filter(({ type, query }) => tablesOf({ [type]: query }).some((table) => catalog.distributed.has(table)))
    .flatMap(({ query }) => called(query).map((words) => words.at(-1) ?? ""))
    .filter((name) => catalog.volatile.has(name))
    .map((name) => `a call of ${name}, which is volatile, in an update or delete`);

/**
 * Citus sends the rows of the CTE to every node before it plans the query of such an insert, so that one node that is down
 * stops every customer.
 */
const broadcastProblems = (tree: unknown): ReadonlyArray<string> => {
  const names = new Set(every(tree, "CommonTableExpr").map((cte) => member(cte, "ctename")));
  return every(tree, "InsertStmt").flatMap((insert) =>
    every([member(insert, "selectStmt"), member(insert, "withClause")], "RangeVar")
      .filter((range) => member(range, "schemaname") === undefined && names.has(member(range, "relname")))
      .map(
        (range) =>
          `an insert into ${relationOf(member(insert, "relation")).table} of rows of the CTE ${relationOf(range).table}`,
      ),
  );
};

/** The problems that a statement has on every distributed database, whether it names a customer or not. */
const generalProblems = (tree: unknown, catalog: Catalog): ReadonlyArray<string> => {
  const problems: Array<string> = [
    ...elementProblems(tree),
    ...volatileProblems(tree, catalog),
    ...broadcastProblems(tree),
  ];
  if (every(tree, "withClause").some((clause) => member(clause, "recursive") === true))
    problems.push("a recursive CTE");
  const isDistributed = tablesOf(tree).some((table) => catalog.distributed.has(table));
  for (const name of calls(tree))
    if (isDistributed && catalog.readers.has(name))
      problems.push(`a call of ${name}, which reads tables, inside a statement on tables`);
  for (const { query } of queriesOf(tree)) {
    const locked = list(query.lockingClause).length > 0 ? levelOf(query).relations : [];
    for (const { table } of locked)
      if (catalog.reference.has(table)) problems.push(`a lock on a row of the reference table ${table}`);
  }
  return problems;
};

/** The problems of a statement on one customer. */
const customerProblems = (tree: unknown, catalog: Catalog, isParameter: IsParameter): ReadonlyArray<string> =>
  queriesOf(tree).flatMap(({ type, query }) => {
    const level = levelOf(query);
    if (type === "InsertStmt") {
      const { table } = relationOf(query.relation);
      const problem = catalog.distributed.has(table) ? insertProblem(query, isParameter) : null;
      return problem === null ? [] : [problem];
    }
    return level.relations
      .filter(
        (relation) => catalog.distributed.has(relation.table) && !isCompared(relation, level, isParameter),
      )
      .map(({ table, alias }) => `${table} ${alias} is not compared with the customer of the statement`);
  });

/** A lateral subquery with a limit, which Citus runs on one node only. */
const lateralLimits = (tree: unknown): ReadonlyArray<string> =>
  every(tree, "RangeSubselect")
    .filter((item) => member(item, "lateral") === true)
    .filter((item) => member(item, "subquery", "SelectStmt", "limitCount") !== undefined)
    .map(() => "a lateral subquery with a limit in a read across customers");

/**
 * The problems of one statement. `customer` is the number of the parameter that names the customer, `any` for a call of a
 * function, which has no tables, or null for a statement that is meant for all customers.
 */
export const statementProblems = (
  text: string,
  customer: number | "any" | null,
  catalog: Catalog,
): ReadonlyArray<string> => {
  const tree: unknown = parseSync(text);
  const own =
    customer === null
      ? lateralLimits(tree)
      : customerProblems(tree, catalog, isPlaceholder(customer === "any" ? null : customer));
  return [...generalProblems(tree, catalog), ...own];
};

/** The SQL text of an expression of PL/pgSQL, by the mode in which its parser reads it. */
const textOf = (expression: Json): string => {
  const query = String(expression.query);
  if (expression.parseMode === 2) return `select ${query}`;
  return expression.parseMode === 3 ? `select ${query.slice(query.indexOf(":=") + 2)}` : query;
};

/** The SQL text of `execute format('…')`, with a distributed table in place of each name. */
const dynamicText = (statement: unknown, catalog: Catalog): string => {
  const tree: unknown = parseSync(`select ${String(member(statement, "query", "PLpgSQL_expr", "query"))}`);
  const [text] = every(tree, "A_Const").map((constant) => member(constant, "sval", "sval"));
  const [table = ""] = catalog.distributed;
  return String(text).replaceAll("%I", table);
};

interface Parsed {
  readonly body: Json;
  /** Names of parameters and variables. */
  readonly variables: ReadonlySet<string>;
}

const parsed = ({ definition }: Routine): Parsed => {
  const body = member(list(member(parsePlPgSQLSync(definition), "plpgsql_funcs"))[0], "PLpgSQL_function");
  if (!isJson(body)) throw new Error(`no function: ${definition}`);
  const variables = ["PLpgSQL_var", "PLpgSQL_rec"].flatMap((type) =>
    every(body.datums, type).map((datum) => String(member(datum, "refname"))),
  );
  return { body, variables: new Set(variables) };
};

const texts = (routine: Routine, catalog: Catalog): ReadonlyArray<string> => {
  if (routine.language !== "plpgsql") return [routine.source];
  const { body } = parsed(routine);
  const dynamic = every(body.action, "PLpgSQL_stmt_dynexecute").map((item) => dynamicText(item, catalog));
  return [...every(body.action, "PLpgSQL_expr").filter(isJson).map(textOf), ...dynamic];
};

/** True if a statement inserts the rows of a query with `on conflict do nothing`. */
const skipsRows = (statement: unknown): boolean => {
  const query = member(statement, "PLpgSQL_stmt_execsql", "sqlstmt", "PLpgSQL_expr");
  if (!isJson(query)) return false;
  return every(parseSync(textOf(query)), "InsertStmt").some(
    (insert) =>
      member(insert, "onConflictClause") !== undefined &&
      member(insert, "selectStmt", "SelectStmt", "valuesLists") === undefined,
  );
};

const readsCount = (statement: unknown): boolean =>
  member(statement, "PLpgSQL_stmt_getdiag") !== undefined ||
  /\bfound\b/.test(String(member(statement, "PLpgSQL_stmt_if", "cond", "PLpgSQL_expr", "query")));

/** Citus includes skipped rows in the row count of such an insert. */
const countProblems = (body: Json): ReadonlyArray<string> =>
  [...within(body.action)]
    .filter((node): node is Json & ReadonlyArray<unknown> => Array.isArray(node))
    .flatMap((statements) =>
      statements.filter((_, place) => readsCount(statements[place]) && skipsRows(statements[place - 1])),
    )
    .map(() => "row_count or found after an insert of a query that skips rows");

/** The functions that read or write tables, directly or by a function that they call. */
export const readersOf = (
  routines: ReadonlyArray<Routine>,
  tables: ReadonlySet<string>,
): ReadonlySet<string> => {
  const catalog: Catalog = {
    distributed: tables,
    reference: new Set(),
    readers: new Set(),
    volatile: new Set(),
  };
  const trees = new Map(
    routines.map((routine) => [
      routine.name,
      texts(routine, catalog).map((text): unknown => parseSync(text)),
    ]),
  );
  const readers = new Set<string>();
  for (let before = -1; before < readers.size; ) {
    before = readers.size;
    for (const [name, own] of trees)
      if (tablesOf(own).length > 0 || calls(own).some((called) => called !== name && readers.has(called)))
        readers.add(name);
  }
  return readers;
};

/**
 * The problems of a function. Parameters, variables and fields of record variables may name the customer. `searches` is
 * true for a function that also reads rows of all customers.
 */
export const routineProblems = (
  routine: Routine,
  catalog: Catalog,
  searches: boolean,
): ReadonlyArray<string> => {
  if (routine.language === "sql")
    return catalog.readers.has(routine.name) ? ["a function in the language SQL that reads tables"] : [];
  const { body, variables } = parsed(routine);
  const isParameter: IsParameter = (expression) =>
    isPlaceholder(null)(expression) || variables.has(column(uncast(expression))[0] ?? "");
  const found = texts(routine, catalog).flatMap((text) => {
    const tree: unknown = parseSync(text);
    return [...generalProblems(tree, catalog), ...customerProblems(tree, catalog, isParameter)];
  });
  const own = [...found, ...countProblems(body)];
  return searches ? own.filter((problem) => !problem.includes("is not compared")) : own;
};
