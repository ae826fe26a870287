/** Exports rows as a stream, from a store on one snapshot or from a server page by page. */
import { createWriteStream, existsSync, renameSync, rmSync, type WriteStream } from "node:fs";
import { Chunk, Effect, Option, type Scope, Stream } from "effect";
import { type Ids, Timestamp } from "quittance";
import { type CommandFailed, commandFailure, unusableDatabase, usageError } from "../CommandFailed.ts";
import { writeData } from "../Output.ts";
import { forEachCustomer, type Parameter, type Reader } from "../Snapshot.ts";
import type { PersistentDatabase } from "../Store.ts";
import { refusal, type Target } from "../Target.ts";
import type { Filters, Row, Table } from "./Table.ts";
import { type Format, headLine, rowLine } from "./Writing.ts";

/** The destination of an export. */
export interface Sink {
  readonly write: (text: string) => Effect.Effect<void, CommandFailed>;
}

const writeTo = (stream: WriteStream, text: string): Effect.Effect<void, CommandFailed> =>
  Effect.async((resume) => {
    stream.write(text, (error) =>
      resume(error == null ? Effect.void : commandFailure(`the file cannot be written: ${error.message}`)),
    );
  });

const openStream = (file: string): Effect.Effect<WriteStream, CommandFailed> =>
  Effect.async((resume) => {
    const stream = createWriteStream(file, { flags: "w", mode: 0o600 });
    stream.once("open", () => resume(Effect.succeed(stream)));
    stream.once("error", (error) => resume(usageError(`${file} cannot be written: ${error.message}`)));
  });

const endStream = (stream: WriteStream): Effect.Effect<void> =>
  Effect.async((resume) => {
    stream.end(() => resume(Effect.void));
  });

/** A file that appears when it is complete, and not at all when the export fails. */
const fileSink = (
  file: string,
  force: boolean,
): Effect.Effect<{ readonly sink: Sink; readonly finish: Effect.Effect<void> }, CommandFailed, Scope.Scope> =>
  Effect.gen(function* () {
    if (existsSync(file) && !force) return yield* usageError(`${file} exists: pass --force to replace it`);
    const draft = `${file}.partial`;
    const stream = yield* Effect.acquireRelease(openStream(draft), (open) =>
      Effect.zipRight(
        endStream(open),
        Effect.sync(() => rmSync(draft, { force: true })),
      ),
    );
    const finish = Effect.zipRight(
      endStream(stream),
      Effect.sync(() => renameSync(draft, file)),
    );
    return { sink: { write: (text: string) => writeTo(stream, text) }, finish };
  });

/** Standard output, or a file. */
export const openSink = (file: string | null, force: boolean) =>
  file === null
    ? Effect.succeed({ sink: { write: writeData } satisfies Sink, finish: Effect.void })
    : fileSink(file, force);

const pageQuery = ({ from, moment, partner, selected }: Table): string => {
  const column = moment?.column ?? "null";
  return `
select t.id, ${selected} as record from ${from}
where t.customer_id = $1::uuid and t.id > $2::uuid
  and ($4::uuid is null or t.workspace_id = $4::uuid) and ($5::uuid is null or ${partner.column} = $5::uuid)
  and ($6::bigint is null or ${column} >= $6::bigint) and ($7::bigint is null or ${column} < $7::bigint)
order by t.id limit $3::integer`;
};

type Json = Readonly<Record<string, unknown>>;

interface RecordRow {
  readonly id: string;
  readonly record: Json;
}

const storeRows = (reader: Reader, table: Table, { workspace, partner, from, to }: Filters) => {
  const parameters: ReadonlyArray<Parameter> = [workspace, partner, from, to];
  return Stream.mapConcat(
    reader.pages<RecordRow>(pageQuery(table), table.size, ...parameters),
    ({ record }) => table.fromStore(record),
  );
};

const PAGE = 100;

const queryOf = (table: Table, { workspace, partner, from, to }: Filters): string => {
  const query = new URLSearchParams();
  const [fromName, toName] = table.moment?.parameters ?? ["", ""];
  if (workspace !== null) query.set("workspace_ids", workspace);
  if (partner !== null) query.set(table.partner.parameter, partner);
  if (from !== null) query.set(fromName, Timestamp.format(from));
  if (to !== null) query.set(toName, Timestamp.format(to));
  return query.toString();
};

const recordsIn = (body: unknown, field: string): ReadonlyArray<Json> =>
  (body as Readonly<Record<string, ReadonlyArray<Json>>>)[field] ?? [];

/** The record that another one names; undefined where it cannot be read. */
type Beside = (record: Json) => Json | undefined;

/** The records that those of a page name; none where the table names none, or the key may not list them. */
const readBeside = (
  target: Target,
  { beside }: Table,
  page: ReadonlyArray<Json>,
): Effect.Effect<Beside, CommandFailed> =>
  Effect.gen(function* (): Effect.fn.Return<Beside, CommandFailed> {
    if (beside === undefined || page.length === 0) return () => undefined;
    const ids = [...new Set(page.map((record) => String(record[beside.named])))];
    const reply = yield* target.request(
      "GET",
      `${beside.path}?${ids.map((id) => `ids=${id}`).join("&")}&per_page=${PAGE}`,
    );
    if (reply.status === 403) return () => undefined;
    if (reply.status !== 200) return yield* refusal(reply, `${beside.path} cannot be read`);
    const byId = new Map(recordsIn(reply.body, beside.path).map((record) => [record.id, record]));
    return (record) => byId.get(record[beside.named]);
  });

const serverRows = (target: Target, table: Table, filters: Filters): Stream.Stream<Row, CommandFailed> =>
  Stream.paginateChunkEffect(1, (page) =>
    Effect.gen(function* () {
      const query = queryOf(table, filters);
      const reply = yield* target.request("GET", `${table.path}?page=${page}&per_page=${PAGE}&${query}`);
      if (reply.status !== 200) return yield* refusal(reply, `${table.path} cannot be exported`);
      const found = recordsIn(reply.body, table.field);
      const besideOf = yield* readBeside(target, table, found);
      return [
        Chunk.unsafeFromArray(found.flatMap((record) => table.fromServer(record, besideOf(record)))),
        found.length < PAGE ? Option.none<number>() : Option.some(page + 1),
      ] as const;
    }),
  );

/** What to export. */
export interface Export {
  readonly table: Table;
  readonly filters: Filters;
  readonly format: Format;
}

/** Where an export writes, and what reports the number of rows so far. */
interface Output {
  readonly sink: Sink;
  readonly reportCount: (count: number) => void;
}

/** Writes rows chunk by chunk; returns their number. */
const drain = <E>(rows: Stream.Stream<Row, E>, { table, format }: Export, { sink, reportCount }: Output) => {
  let count = 0;
  return Stream.runForEachChunk(rows, (chunk) => {
    count += chunk.length;
    reportCount(count);
    return sink.write([...chunk].map((row) => rowLine(format, table, row)).join(""));
  }).pipe(Effect.map(() => count));
};

/** Exports from a server; returns the number of rows. */
export const exportFromServer = (
  target: Target,
  exported: Export,
  output: Output,
): Effect.Effect<number, CommandFailed> =>
  Effect.zipRight(
    output.sink.write(headLine(exported.format, exported.table)),
    drain(serverRows(target, exported.table, exported.filters), exported, output),
  );

/** Exports one customer's rows from one snapshot of a store; returns their number. */
export const exportFromStore = (
  database: PersistentDatabase,
  customerId: Ids.CustomerId,
  exported: Export,
  output: Output,
): Effect.Effect<number, CommandFailed> => {
  let count = 0;
  return forEachCustomer<CommandFailed>(database, customerId, (reader) =>
    Effect.zipRight(
      output.sink.write(headLine(exported.format, exported.table)),
      Effect.map(drain(storeRows(reader, exported.table, exported.filters), exported, output), (rows) => {
        count = rows;
      }),
    ),
  ).pipe(
    Effect.mapError((error) => (error._tag === "StorageError" ? unusableDatabase(error) : error)),
    Effect.map(() => count),
  );
};
