/** Reads the rows of a CSV or NDJSON file as a stream: a file of any size takes a few chunks of memory. */
import { createReadStream } from "node:fs";
import { Effect, Stream } from "effect";
import { CsvProblem, csvRows, type Row } from "../../importing/Csv.ts";
import { type CommandFailed, messageOf, usageError } from "../CommandFailed.ts";

export type { Row };

/** The forms of a file. */
export type Format = "csv" | "ndjson";

const decodeChunks = async function* (file: string): AsyncGenerator<string> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  for await (const chunk of createReadStream(file, { highWaterMark: 1 << 18 })) {
    yield decoder.decode(chunk as Uint8Array, { stream: true });
  }
  yield decoder.decode();
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
      : error instanceof CsvProblem
        ? usageError(`${file}${error.message}`)
        : error instanceof TypeError && "code" in error && error.code === "ERR_ENCODING_INVALID_ENCODED_DATA"
          ? usageError(`${file} is not UTF-8 text: save it as UTF-8`)
          : usageError(`${file} cannot be read: ${messageOf(error)}`);

/** The rows of a file in order, in chunks as they are read. */
export const rowsOf = (file: string, format: Format): Stream.Stream<Row, CommandFailed> =>
  Stream.suspend(() =>
    Stream.fromAsyncIterable(format === "csv" ? csvRows(decodeChunks(file)) : jsonRows(file), failure(file)),
  ).pipe(Stream.mapConcat((rows) => rows));

/** The columns of the header of a CSV file. */
export const headerOf = (file: string): Effect.Effect<ReadonlyArray<string>, CommandFailed> =>
  Effect.tryPromise({
    try: async () => {
      let columns: ReadonlyArray<string> = [];
      const rows = csvRows(decodeChunks(file), (found) => {
        columns = found;
      });
      for await (const _ of rows) if (columns.length > 0) break;
      return columns;
    },
    catch: failure(file),
  });

/** Says which columns a file lacks, and which it has. */
export const lacking = (
  file: string,
  columns: ReadonlyArray<string>,
  missing: ReadonlyArray<string>,
): string =>
  `${file} has no column ${missing.map((name) => `"${name}"`).join(", ")}; it has ${columns.join(", ")}`;

/** Fails for a file that lacks some of the columns that are needed. */
export const requireColumns = (
  file: string,
  columns: ReadonlyArray<string>,
  needed: ReadonlyArray<string>,
): Effect.Effect<void, CommandFailed> => {
  const missing = needed.filter((name) => !columns.includes(name));
  return missing.length === 0 ? Effect.void : usageError(lacking(file, columns, missing));
};

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
