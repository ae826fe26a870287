/** Reads the rows of a CSV or NDJSON file as a stream: a file of any size takes a few chunks of memory. */
import { createReadStream } from "node:fs";
import { Effect, Stream } from "effect";
import { type CommandFailed, messageOf, usageError } from "../CommandFailed.ts";

/** A row of a file. */
export interface Row {
  /** From 1, without the header. */
  readonly number: number;
  /** The line on which it begins, from 1. */
  readonly line: number;
  /** What is wrong with the row itself; its cells are then not used. Null if nothing is. */
  readonly problem: string | null;
  /** A cell by its column; `undefined` where there is none. */
  readonly cell: (column: string) => unknown;
}

/** The forms of a file. */
export type Format = "csv" | "ndjson";

/** The cells between two ends of lines. */
interface CsvRecord {
  /** The line on which it begins, from 1. */
  readonly line: number;
  readonly cells: ReadonlyArray<string>;
  /**
   * True if a cell has quotes other than around it. Programs disagree about what such a cell means, and a lone quote could
   * make one cell of several lines.
   */
  readonly isMisquoted: boolean;
}

/** Splits text into records of cells (RFC 4180), across chunks; decision 87 says why no library does. */
class CsvSplitter {
  #cell = "";
  #cells: Array<string> = [];
  #isQuoted = false;
  /** True if the last character was a quote inside quotes: the end of the quotes, or the first of two. */
  #isAfterQuote = false;
  /** True if the quotes around the present cell have ended. */
  #wasQuoted = false;
  #isMisquoted = false;
  #line = 1;
  #startsAt = 1;
  readonly #delimiter: string;
  readonly records: Array<CsvRecord> = [];

  constructor(delimiter: string) {
    this.#delimiter = delimiter;
  }

  /** A quote outside quotes begins them, or is the second of two that stand for one. */
  #beginQuotes(): void {
    if (this.#isAfterQuote) this.#cell += '"';
    this.#isQuoted = this.#isAfterQuote || (!this.#wasQuoted && this.#cell.trim() === "");
    this.#isMisquoted ||= !this.#isQuoted;
    this.#isAfterQuote = false;
  }

  #endCell(): void {
    this.#cells.push(this.#cell);
    this.#cell = "";
    this.#isAfterQuote = false;
    this.#wasQuoted = false;
  }

  #endRecord(): void {
    this.#endCell();
    const isEmpty = this.#cells.length === 1 && this.#cells[0] === "";
    if (!isEmpty)
      this.records.push({ line: this.#startsAt, cells: this.#cells, isMisquoted: this.#isMisquoted });
    this.#cells = [];
    this.#isMisquoted = false;
    this.#startsAt = this.#line;
  }

  add(text: string): void {
    let from = 0;
    for (let index = 0; index < text.length; index++) {
      const character = text[index];
      if (character === "\n") this.#line += 1;
      if (this.#isQuoted) {
        if (character !== '"') continue;
        this.#cell += text.slice(from, index);
        from = index + 1;
        this.#isQuoted = false;
        this.#isAfterQuote = true;
        this.#wasQuoted = true;
      } else if (character === '"') {
        this.#cell += text.slice(from, index);
        from = index + 1;
        this.#beginQuotes();
      } else if (character === this.#delimiter) {
        this.#cell += text.slice(from, index);
        from = index + 1;
        this.#endCell();
      } else if (character === "\n") {
        this.#cell += text.slice(from, index);
        if (this.#cell.endsWith("\r")) this.#cell = this.#cell.slice(0, -1);
        from = index + 1;
        this.#endRecord();
      } else {
        this.#isAfterQuote = false;
        if (this.#wasQuoted && character?.trim() !== "") this.#isMisquoted = true;
      }
    }
    this.#cell += text.slice(from);
  }

  /** Adds the last record, whose line may have no end. Returns the problem with the end of the file, or null. */
  end(): string | null {
    if (this.#isQuoted) return `the quotes that begin in line ${this.#startsAt} never end`;
    if (this.#cell.endsWith("\r")) this.#cell = this.#cell.slice(0, -1);
    if (this.#cell !== "" || this.#cells.length > 0) this.#endRecord();
    return null;
  }
}

const DELIMITERS = [",", ";", "\t"];

/** The delimiter that the first line has most of. */
const delimiterOf = (text: string): string => {
  const [head = ""] = text.split("\n", 1);
  const counts = DELIMITERS.map((delimiter) => head.split(delimiter).length);
  return DELIMITERS[counts.indexOf(Math.max(...counts))] ?? ",";
};

const MISQUOTED = "it has quotes inside a cell: put the cell in quotes, and write each quote in it twice";

const problemOf = ({ cells, isMisquoted }: CsvRecord, columnCount: number): string | null => {
  if (isMisquoted) return MISQUOTED;
  return cells.length === columnCount ? null : `it has ${cells.length} cells, the header has ${columnCount}`;
};

const csvRow =
  (columns: ReadonlyMap<string, number>) =>
  (record: CsvRecord, number: number): Row => ({
    number,
    line: record.line,
    problem: problemOf(record, columns.size),
    cell: (column) => record.cells[columns.get(column) ?? -1],
  });

const columnsOf = (file: string, { cells, isMisquoted }: CsvRecord): ReadonlyMap<string, number> => {
  if (isMisquoted) throw usageError(`${file}: the header: ${MISQUOTED}`);
  const names = cells.map((name) => name.trim());
  const duplicate = names.find((name, index) => names.indexOf(name) < index);
  if (duplicate !== undefined) throw usageError(`${file} has two columns "${duplicate}"`);
  return new Map(names.map((name, index) => [name, index]));
};

const decodeChunks = async function* (file: string): AsyncGenerator<string> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  for await (const chunk of createReadStream(file, { highWaterMark: 1 << 18 })) {
    yield decoder.decode(chunk as Uint8Array, { stream: true });
  }
  yield decoder.decode();
};

const csvRows = async function* (file: string): AsyncGenerator<ReadonlyArray<Row>> {
  let splitter: CsvSplitter | null = null;
  let rowOf: ReturnType<typeof csvRow> | null = null;
  let number = 0;
  const take = (current: CsvSplitter): ReadonlyArray<Row> => {
    const records = current.records.splice(0);
    const header = rowOf === null ? records.shift() : undefined;
    if (header !== undefined) rowOf = csvRow(columnsOf(file, header));
    const toRow = rowOf;
    return toRow === null ? [] : records.map((record) => toRow(record, ++number));
  };
  for await (const text of decodeChunks(file)) {
    splitter ??= new CsvSplitter(delimiterOf(text));
    splitter.add(text);
    yield take(splitter);
  }
  const problem = splitter?.end() ?? null;
  if (problem !== null) throw usageError(`${file}: ${problem}`);
  if (splitter !== null) yield take(splitter);
  if (rowOf === null) throw usageError(`${file} is empty: a CSV file begins with a line of column names`);
};

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** A value by its name, or by a path of names with dots between. */
const valueAt = (value: unknown, path: string): unknown => {
  if (!isRecord(value)) return undefined;
  if (Object.hasOwn(value, path)) return value[path];
  const dot = path.indexOf(".");
  return dot < 0 ? undefined : valueAt(value[path.slice(0, dot)], path.slice(dot + 1));
};

const jsonRow = (text: string, line: number, number: number): Row => {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value)
      ? { number, line, problem: null, cell: (column) => valueAt(value, column) }
      : { number, line, problem: "it is not a JSON object", cell: () => undefined };
  } catch {
    return { number, line, problem: "it is not JSON", cell: () => undefined };
  }
};

const jsonRows = async function* (file: string): AsyncGenerator<ReadonlyArray<Row>> {
  let rest = "";
  let line = 0;
  let number = 0;
  const take = (lines: ReadonlyArray<string>): ReadonlyArray<Row> =>
    lines.flatMap((text) => {
      line += 1;
      return text.trim() === "" ? [] : [jsonRow(text, line, ++number)];
    });
  for await (const text of decodeChunks(file)) {
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    yield take(lines);
  }
  yield take([rest]);
};

const failure =
  (file: string) =>
  (error: unknown): CommandFailed =>
    typeof error === "object" && error !== null && "_tag" in error
      ? (error as CommandFailed)
      : error instanceof TypeError && "code" in error && error.code === "ERR_ENCODING_INVALID_ENCODED_DATA"
        ? usageError(`${file} is not UTF-8 text: save it as UTF-8`)
        : usageError(`${file} cannot be read: ${messageOf(error)}`);

/** The rows of a file in order, in chunks as they are read. */
export const rowsOf = (file: string, format: Format): Stream.Stream<Row, CommandFailed> =>
  Stream.suspend(() =>
    Stream.fromAsyncIterable(format === "csv" ? csvRows(file) : jsonRows(file), failure(file)),
  ).pipe(Stream.mapConcat((rows) => rows));

/** The columns of the header of a CSV file. */
export const headerOf = (file: string): Effect.Effect<ReadonlyArray<string>, CommandFailed> =>
  Effect.tryPromise({
    try: async () => {
      let splitter: CsvSplitter | null = null;
      for await (const text of decodeChunks(file)) {
        splitter ??= new CsvSplitter(delimiterOf(text));
        splitter.add(text);
        const [first] = splitter.records;
        if (first !== undefined) return [...columnsOf(file, first).keys()];
      }
      const problem = splitter?.end() ?? null;
      if (problem !== null) throw usageError(`${file}: ${problem}`);
      const [only] = splitter?.records ?? [];
      if (only === undefined)
        throw usageError(`${file} is empty: a CSV file begins with a line of column names`);
      return [...columnsOf(file, only).keys()];
    },
    catch: failure(file),
  });

/** The names of the fields of the first row of an NDJSON file, with the properties as `properties.<name>`. */
export const fieldsOf = (file: string): Effect.Effect<ReadonlyArray<string>, CommandFailed> =>
  Effect.tryPromise({
    try: async () => {
      let text = "";
      for await (const chunk of decodeChunks(file)) {
        text += chunk;
        if (text.trimStart().includes("\n")) break;
      }
      const [first = ""] = text.trimStart().split("\n", 1);
      if (first === "") throw usageError(`${file} is empty`);
      const value: unknown = JSON.parse(first);
      if (!isRecord(value)) throw usageError(`${file}: line 1 is not a JSON object`);
      return Object.entries(value).flatMap(([name, field]) =>
        name === "properties" && isRecord(field)
          ? Object.keys(field).map((property) => `properties.${property}`)
          : [name],
      );
    },
    catch: (error) =>
      error instanceof SyntaxError ? usageError(`${file}: line 1 is not JSON`) : failure(file)(error),
  });
