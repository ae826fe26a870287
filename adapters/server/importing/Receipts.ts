/** The work of `quittance receipts`: checks a whole file of what buyers have paid, then states it. */
import { Effect, Either, Schema, type Scope, Stream } from "effect";
import { Ids, Receipt, Refusal, type Timestamp } from "quittance";
import { type CommandFailed, usageError } from "../CommandFailed.ts";
import type { Target } from "../Target.ts";
import type { Body, Prepared } from "./Bodies.ts";
import { asDateTime } from "./Dates.ts";
import { type Request as ImportRequest, storeRows } from "./ImportFile.ts";
import type { Sending } from "./Importing.ts";
import { listAll } from "./KnownPartners.ts";
import { asType } from "./Mapping.ts";
import { fieldsOf, headerOf, type Row, requireColumns, rowsOf } from "./Rows.ts";

/** What to state, and how. */
export type Request = Omit<ImportRequest, "mapping" | "withoutReferences">;

const ID = "attribution_id";
const REFERENCE = "external_reference";
const SCHEMA = "schema_id";
const DATE = "received_at";
const NUMBERS = ["received", "of"] as const;
const COLUMNS: ReadonlyArray<string> = [ID, REFERENCE, SCHEMA, ...NUMBERS, DATE];

/** Sales that are looked up at a time. */
const LOOKED_UP = 100;

/** Statements of one request are of different sales; those of one sale are sent in their order. */
const STATEMENTS: Sending = {
  ...{ path: "attributions/received", field: "receipts", status: 200 },
  keyOf: (body) => body[ID],
};

const checkColumns = (file: string, columns: ReadonlyArray<string>): Effect.Effect<void, CommandFailed> => {
  const other = columns.find((column) => !COLUMNS.includes(column));
  if (other !== undefined)
    return usageError(`${file} has a column "${other}"; it may have ${COLUMNS.join(", ")}`);
  if (columns.includes(ID) === columns.includes(REFERENCE))
    return usageError(`${file} needs one column "${ID}", or "${REFERENCE}" with your references of sales`);
  return requireColumns(file, columns, NUMBERS);
};

/** An attribution as the interface shows it, as far as its statement depends on it. */
interface Sale {
  readonly id: string;
  readonly schema_id: string;
  readonly metadata: { readonly external_reference?: string; readonly origin_id?: string };
}

type Column = typeof ID | typeof REFERENCE;

const isId = Schema.is(Ids.AttributionId);

/** The text of a cell; empty where there is none. */
const textOf = (row: Row, column: string): string => String(row.cell(column) ?? "").trim();

/** What a row calls its sale. */
const nameOf = (row: Row, column: Column): string => {
  const text = textOf(row, column);
  return column === ID ? text.toLowerCase() : text;
};

/** The sales that rows name, looked up before the rows are read. */
class Sales {
  readonly #found = new Map<string, ReadonlyArray<Sale>>();
  readonly #target: Target;
  readonly #column: Column;

  constructor(target: Target, column: Column) {
    this.#target = target;
    this.#column = column;
  }

  /** Looks up the sales of rows that are not known yet. */
  lookUp(rows: Iterable<Row>): Effect.Effect<void, CommandFailed> {
    const [column, found] = [this.#column, this.#found];
    const names = new Set<string>();
    for (const row of rows) {
      const name = row.problem === null ? nameOf(row, column) : "";
      if (name !== "" && !found.has(name) && (column === REFERENCE || isId(name))) names.add(name);
    }
    const all = [...names];
    const parts = Array.from({ length: Math.ceil(all.length / LOOKED_UP) }, (_, index) =>
      all.slice(index * LOOKED_UP, (index + 1) * LOOKED_UP),
    );
    return Effect.forEach(parts, (part) => this.#read(part), { discard: true });
  }

  #read(names: ReadonlyArray<string>): Effect.Effect<void, CommandFailed> {
    const [column, found, target] = [this.#column, this.#found, this.#target];
    const parameter = column === ID ? "ids" : "external_references";
    const filters = names.map((name) => `&${parameter}=${encodeURIComponent(name)}`).join("");
    return Effect.map(listAll<Sale>(target, "attributions", "attributions", filters), (sales) => {
      for (const name of names) found.set(name, []);
      for (const sale of sales) {
        const name = column === ID ? sale.id : (sale.metadata.external_reference ?? "");
        found.set(name, [...(found.get(name) ?? []), sale]);
      }
    });
  }

  /** The origin of the sale that a row names. */
  idOf(row: Row): Either.Either<string, string> {
    const [column, found] = [this.#column, this.#found];
    const name = nameOf(row, column);
    if (name === "") return Either.left(`${column} is empty`);
    if (column === ID && !isId(name)) return Either.left(`${ID} must be a UUID, not "${name}"`);
    const schemaId = textOf(row, SCHEMA).toLowerCase();
    const sales = (found.get(name) ?? []).filter((sale) => schemaId === "" || sale.schema_id === schemaId);
    const [sale] = sales;
    if (sale === undefined) return Either.left(`there is no sale "${name}"`);
    if (sales.length > 1)
      return Either.left(`"${name}" is the reference of ${sales.length} sales: state ${SCHEMA} as well`);
    const { origin_id: origin } = sale.metadata;
    return origin === undefined
      ? Either.right(sale.id)
      : Either.left(`"${name}" is a credit of the sale ${origin}: state the receipt of the sale`);
  }
}

const decode = Schema.decodeUnknownEither(Receipt.StateOne);

/** Why the interface would refuse a statement, or null. */
const problemOf = (body: Body): string | null => {
  const decoded = decode(body);
  if (Either.isLeft(decoded)) return Refusal.fromParseError(decoded.left).message;
  const dated = Receipt.checkDate(decoded.right, Date.now() as Timestamp.Timestamp);
  return Either.isLeft(dated) ? dated.left.message : null;
};

/** The statement of a row, or what is wrong with the row. */
const statementOf =
  (sales: Sales) =>
  (row: Row): Prepared =>
    Either.gen(function* () {
      if (row.problem !== null) return yield* Either.left(row.problem);
      const body: Record<string, unknown> = { [ID]: yield* sales.idOf(row) };
      for (const name of NUMBERS) {
        const text = textOf(row, name);
        if (text === "") return yield* Either.left(`${name} is empty`);
        body[name] = yield* Either.mapLeft(asType(text, "number"), (problem) => `${name}: ${problem}`);
      }
      const date = textOf(row, DATE);
      if (date !== "")
        body[DATE] = yield* Either.mapLeft(asDateTime(date), (problem) => `${DATE}: ${problem}`);
      const problem = problemOf(body);
      return problem === null ? body : yield* Either.left(problem);
    });

/** States the receipts of the file. The target is opened once the file has proved to be readable. */
export const stateReceipts = (
  request: Request,
  openTarget: Effect.Effect<Target, CommandFailed, Scope.Scope>,
): Effect.Effect<void, CommandFailed, Scope.Scope> =>
  Effect.gen(function* () {
    const { file, format } = request;
    const columns = yield* format === "csv" ? headerOf(file) : fieldsOf(file);
    yield* checkColumns(file, columns);
    const target = yield* openTarget;
    const sales = new Sales(target, columns.includes(ID) ? ID : REFERENCE);
    const prepare = statementOf(sales);
    const rows = rowsOf(file, format).pipe(
      Stream.filter(({ number }) => number >= request.fromRow),
      Stream.chunks,
      Stream.tap((chunk) => sales.lookUp(chunk)),
      Stream.flattenChunks,
    );
    yield* storeRows(request, target, { rows, read: prepare, check: prepare, sending: STATEMENTS });
  });
