/** The work of `quittance import`: checks a whole file, then stores it. */
import { Effect, type Scope, Stream } from "effect";
import { type CommandFailed, FAILURE, usageError } from "../CommandFailed.ts";
import { counted, exitWith, note, print, progress as progressBar } from "../Output.ts";
import type { Target } from "../Target.ts";
import { type Prepared, prepareRows } from "./Bodies.ts";
import * as Importing from "./Importing.ts";
import * as Mapping from "./Mapping.ts";
import { type Format, fieldsOf, headerOf, lacking, type Row, rowsOf } from "./Rows.ts";

/** What to import, and how. */
export interface Request {
  readonly file: string;
  readonly format: Format;
  /** The file of the mapping; null where the columns have the names of the fields. */
  readonly mapping: string | null;
  /** The first row to import, from 1. */
  readonly fromRow: number;
  readonly dryRun: boolean;
  readonly skipBadRows: boolean;
  /** True if rows without an external reference are accepted, which a repetition stores again. */
  readonly withoutReferences: boolean;
  readonly json: boolean;
}

/** Problems that are printed; others are counted. */
const SHOWN_MAX = 1_000;

/** The mapping of a request; fails where it does not fit the file. */
const mappingOf = ({ file, format, mapping: mappingFile, withoutReferences }: Request) =>
  Effect.gen(function* () {
    const columns = format === "csv" ? yield* headerOf(file) : null;
    const mapping =
      mappingFile === null
        ? Mapping.byNames(columns ?? (yield* fieldsOf(file)))
        : yield* Mapping.read(mappingFile);
    const missing = Mapping.columnsOf(mapping).filter((column) => columns?.includes(column) === false);
    if (missing.length > 0) {
      const problem = lacking(file, columns ?? [], missing);
      return yield* usageError(
        mappingFile === null
          ? `${problem}. Assign columns to fields with --mapping`
          : `${mappingFile}: ${problem}`,
      );
    }
    if (mapping.external_reference === undefined && !withoutReferences)
      return yield* usageError(
        "without external_reference a repeated import stores every row again: map a column to it, or pass --without-references",
      );
    return mapping;
  });

/** Prints problems of rows, the first thousand of them. */
export const reporter = (json: boolean) => {
  let shown = 0;
  return ({ row, line, problem }: Importing.Problem): Effect.Effect<void> => {
    shown += 1;
    if (shown > SHOWN_MAX) return Effect.void;
    return json
      ? print(JSON.stringify({ row, line, problem }))
      : note(`row ${row} (line ${line}): ${problem}`);
  };
};

const rate = (count: number, seconds: number): string =>
  `${seconds.toFixed(1)} s, ${counted(Math.round(count / Math.max(seconds, 0.001)), "row")} a second`;

/** Explains how to continue an import that was interrupted. */
const goOn = ({ lastRow }: Importing.Progress): Effect.Effect<void> =>
  note(
    lastRow === 0
      ? "quittance: nothing was stored"
      : `quittance: the rows up to ${lastRow} are stored. Run the same command again: stored rows are not stored twice. With --from-row ${lastRow + 1} it begins there`,
  );

/** A count as a field, or in words after others; nothing where there are none. */
const unlessNone = (name: string, count: number) => (count > 0 ? { [name]: count } : {});
const wordsUnlessNone = (count: number, words: string): string => (count > 0 ? `, ${count} ${words}` : "");

/** The rows of a file, and how each becomes the body of a request. */
interface Stored {
  readonly rows: Stream.Stream<Row, CommandFailed>;
  /** The body of a row, without the checks that the interface makes. */
  readonly read: (row: Row) => Prepared;
  /** The body of a row that the interface takes. */
  readonly check: (row: Row) => Prepared;
  readonly sending?: Importing.Sending;
}

/** Checks every row, then stores the rows, and prints what was done. */
export const storeRows = (
  { fromRow, dryRun, skipBadRows, json }: Pick<Request, "fromRow" | "dryRun" | "skipBadRows" | "json">,
  target: Target,
  { rows: all, read, check, sending }: Stored,
): Effect.Effect<void, CommandFailed> =>
  Effect.gen(function* () {
    const rows = Stream.filter(all, ({ number }) => number >= fromRow);
    const report = reporter(json);
    const checking = progressBar(
      (count, seconds) => `${counted(count, "row")} checked, ${seconds.toFixed(0)} s`,
    );
    const { good, bad, leftOut } = yield* Importing.check(rows, check, report, checking.show);
    checking.end();
    const counts = { rows: good + bad, bad, ...unlessNone("left_out", leftOut) };
    const others = wordsUnlessNone(leftOut, "left out");
    if (bad > 0) yield* exitWith(FAILURE);
    if (bad > 0 && !skipBadRows) {
      const what = `${bad} of ${counted(good + bad, "row")} cannot be imported`;
      if (json) yield* print(JSON.stringify({ ...counts, stored: 0 }));
      return yield* note(`quittance: nothing was stored: ${what}; correct them, or pass --skip-bad-rows`);
    }
    if (dryRun)
      return yield* print(
        json
          ? JSON.stringify({ ...counts, stored: 0 })
          : `${counted(good, "row")} can be imported${others}; nothing was stored`,
      );
    const progress: Importing.Progress = { lastRow: fromRow - 1, stored: 0, unchanged: 0, refused: 0 };
    const storing = progressBar(
      (count, seconds) => `${count} of ${counted(good, "row")} stored, ${rate(count, seconds)}`,
    );
    // Rows that have all been found right are not checked once more.
    yield* Importing.run(target, rows, bad === 0 ? read : check, {
      progress,
      report,
      show: storing.show,
      ...(sending === undefined ? {} : { sending }),
    }).pipe(
      Effect.ensuring(Effect.sync(storing.end)),
      Effect.onError(() => goOn(progress)),
      Effect.onInterrupt(() => exitWith(FAILURE)),
    );
    if (progress.refused > 0) yield* exitWith(FAILURE);
    const { stored, unchanged, refused } = progress;
    if (json)
      return yield* print(
        JSON.stringify({ ...counts, stored, ...unlessNone("unchanged", unchanged), refused }),
      );
    const idle = wordsUnlessNone(unchanged, "without effect");
    yield* print(
      `${counted(stored, "row")} stored, ${bad + refused} not stored${idle}${others} (${rate(stored + unchanged, storing.seconds())})`,
    );
  });

/** Imports the file. The target is opened once mapping and file have proved right. */
export const importFile = (
  request: Request,
  openTarget: Effect.Effect<Target, CommandFailed, Scope.Scope>,
): Effect.Effect<void, CommandFailed, Scope.Scope> =>
  Effect.gen(function* () {
    const mapping = yield* mappingOf(request);
    const target = yield* openTarget;
    const rows = rowsOf(request.file, request.format);
    yield* storeRows(request, target, { rows, ...(yield* prepareRows(target, mapping)) });
  });
