/** Stores the rows of a file by batches. A row that is stored already is not stored again. */
import { Chunk, Effect, Either, Option, Stream } from "effect";
import { type CommandFailed, commandFailure } from "../CommandFailed.ts";
import { type Reply, refusal, type Target } from "../Target.ts";
import type { Body, Prepared } from "./Bodies.ts";
import type { Row } from "./Rows.ts";

/** A row that cannot be imported. */
export interface Problem {
  readonly row: number;
  readonly line: number;
  readonly problem: string;
}

/** How a batch of rows is sent. */
export interface Sending {
  readonly path: string;
  /** The field of the request with the bodies of the rows; null where each row is a request of its own. */
  readonly field: string | null;
  /** The status of a batch that was taken. */
  readonly status: number;
  /** What the bodies of a batch are different in; absent where they need not be. */
  readonly keyOf?: (body: Body) => unknown;
}

const ATTRIBUTIONS: Sending = { path: "attributions/batch", field: "attributions", status: 201 };

/** Rows that the interface takes at once. */
const BATCH_ROWS = 1_000;
/** Requests of single rows that are under way at once. */
const ROWS_AT_ONCE = 8;
/** Below the size of a request's body, so that a batch of long rows is divided. */
const BATCH_CHARACTERS = 1_500_000;

interface Item {
  readonly row: Row;
  readonly body: Body;
}

const problemOf = ({ number, line }: Row, problem: string): Problem => ({ row: number, line, problem });

/** Checks every row; returns the numbers of good ones, of bad ones, and of those that the mapping leaves out. */
export const check = <E>(
  rows: Stream.Stream<Row, CommandFailed>,
  prepare: (row: Row) => Prepared,
  report: (problem: Problem) => Effect.Effect<void, E>,
  show: (count: number) => void,
): Effect.Effect<
  { readonly good: number; readonly bad: number; readonly leftOut: number },
  CommandFailed | E
> =>
  Effect.gen(function* () {
    let [good, bad, leftOut] = [0, 0, 0];
    yield* Stream.runForEachChunk(rows, (chunk) =>
      Effect.gen(function* () {
        for (const row of chunk) {
          const prepared = prepare(row);
          if (Either.isLeft(prepared)) {
            bad += 1;
            yield* report(problemOf(row, prepared.left));
          } else if (prepared.right === null) leftOut += 1;
          else good += 1;
        }
        show(good + bad + leftOut);
      }),
    );
    return { good, bad, leftOut };
  });

/** What became of a row. Where it says `changed`, false is a row that was right and changed nothing. */
type Result =
  | { readonly id: string; readonly changed?: boolean }
  | { readonly error_code: string; readonly message: string };

const resultsOf = ({ body }: Reply): ReadonlyArray<Result> =>
  (body as { readonly results: ReadonlyArray<Result> }).results;

/** True if fewer rows may be stored: the request is too large, or the sales have too many credits with those of uplines. */
const isTooLarge = ({ status, body }: Reply): boolean =>
  status === 413 || (status === 400 && (body as { readonly field?: string }).field === "attributions");

/** Sends a row in a request of its own. */
const sendRow =
  (target: Target, { path, status }: Sending) =>
  ({ row, body }: Item): Effect.Effect<Result, CommandFailed> =>
    Effect.flatMap(target.request("POST", path, body), (reply) =>
      reply.status === status || [400, 409].includes(reply.status)
        ? Effect.succeed(reply.body as Result)
        : refusal(reply, `row ${row.number} was refused`),
    );

/** Sends a batch; one that is too large is divided. */
const send = (
  target: Target,
  sending: Sending,
  items: ReadonlyArray<Item>,
): Effect.Effect<ReadonlyArray<Result>, CommandFailed> =>
  Effect.gen(function* () {
    const { path, field, status } = sending;
    if (field === null)
      return yield* Effect.forEach(items, sendRow(target, sending), { concurrency: ROWS_AT_ONCE });
    const bodies = items.map(({ body }) => body);
    const reply = yield* target.request("POST", path, { mode: "independent", [field]: bodies });
    if (reply.status === status) return resultsOf(reply);
    if (!isTooLarge(reply) || items.length === 1)
      return yield* refusal(reply, `the batch from row ${items[0]?.row.number} was refused`);
    const middle = Math.ceil(items.length / 2);
    const first = yield* send(target, sending, items.slice(0, middle));
    return [...first, ...(yield* send(target, sending, items.slice(middle)))];
  });

/** Items in parts, each without two of the same key. */
const partsOf = (items: ReadonlyArray<Item>, { keyOf }: Sending): ReadonlyArray<ReadonlyArray<Item>> => {
  if (keyOf === undefined) return [items];
  const parts: Array<Array<Item>> = [];
  let seen = new Set<unknown>();
  for (const item of items) {
    const key = keyOf(item.body);
    if (seen.size === 0 || seen.has(key)) {
      parts.push([]);
      seen = new Set();
    }
    seen.add(key);
    parts.at(-1)?.push(item);
  }
  return parts;
};

/** Batches of rows with a limit of rows and of characters. */
const batches = <E>(items: Stream.Stream<Item, E>, sending: Sending): Stream.Stream<ReadonlyArray<Item>, E> =>
  Stream.flatMap(Stream.grouped(items, BATCH_ROWS), (chunk) => {
    const all = Chunk.toReadonlyArray(chunk);
    const [first] = all;
    const size = first === undefined ? 1 : JSON.stringify(first.body).length;
    const rows = Math.max(1, Math.min(BATCH_ROWS, Math.floor(BATCH_CHARACTERS / size)));
    return Stream.fromIterable(
      Array.from({ length: Math.ceil(all.length / rows) }, (_, index) =>
        all.slice(index * rows, (index + 1) * rows),
      ).flatMap((batch) => partsOf(batch, sending)),
    );
  });

/** What an import has done so far. */
export interface Progress {
  /** The last row up to which every good row is stored. */
  lastRow: number;
  /** Rows that are stored, by this import or an earlier one. */
  stored: number;
  /** Rows that were right, and changed nothing of what is known. */
  unchanged: number;
  refused: number;
}

/** What an import reports while it runs. */
interface Reports<E> {
  /** Current after each batch, also when the import fails or is interrupted. */
  readonly progress: Progress;
  readonly report: (problem: Problem) => Effect.Effect<void, E>;
  readonly show: (count: number) => void;
  /** As attributions, by default. */
  readonly sending?: Sending;
}

/** Stores the good rows in their order, batch after batch, so that what arrives first is computed first. */
export const run = <E>(
  target: Target,
  rows: Stream.Stream<Row, CommandFailed>,
  prepare: (row: Row) => Prepared,
  { progress, report, show, sending = ATTRIBUTIONS }: Reports<E>,
): Effect.Effect<void, CommandFailed | E> =>
  rows.pipe(
    // Bad rows have been reported before, and rows that are left out have been counted.
    Stream.filterMap((row) => {
      const prepared = prepare(row);
      const body = Either.isRight(prepared) ? prepared.right : null;
      return body === null ? Option.none() : Option.some<Item>({ row, body });
    }),
    (items) => batches(items, sending),
    Stream.buffer({ capacity: 2 }),
    Stream.runForEach((batch) =>
      Effect.gen(function* () {
        const results = yield* send(target, sending, batch);
        if (results.length !== batch.length)
          return yield* commandFailure(
            "the server returned a number of results that differs from the number of rows",
          );
        for (const [index, result] of results.entries()) {
          const row = batch[index]?.row;
          if ("id" in result && result.changed === false) progress.unchanged += 1;
          else if ("id" in result || row === undefined) progress.stored += 1;
          else {
            progress.refused += 1;
            yield* report(problemOf(row, result.message));
          }
        }
        progress.lastRow = batch.at(-1)?.row.number ?? progress.lastRow;
        show(progress.stored + progress.unchanged + progress.refused);
      }),
    ),
  );
