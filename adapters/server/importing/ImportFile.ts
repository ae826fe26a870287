/** The work of `quittance import`: checks a whole file, then stores it. */
import { Effect, type Scope, Stream } from "effect";
import { type CommandFailed, FAILURE, usageError } from "../CommandFailed.ts";
import { exitWith, note, print, progress as progressBar } from "../Output.ts";
import type { Target } from "../Target.ts";
import { type Prepared, prepareRows } from "./Bodies.ts";
import * as Importing from "./Importing.ts";
import * as Mapping from "./Mapping.ts";
import { type Format, fieldsOf, headerOf, type Row, rowsOf } from "./Rows.ts";

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
    const missing = Mapping.columnsOf(mapping).find((column) => columns?.includes(column) === false);
    if (missing !== undefined)
      return yield* usageError(
        mappingFile === null
          ? `${file} has no column "${missing}": assign the columns to fields with --mapping`
          : `${mappingFile}: ${file} has no column "${missing}"; it has ${columns?.join(", ")}`,
      );
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
  `${seconds.toFixed(1)} s, ${Math.round(count / Math.max(seconds, 0.001))} rows a second`;

/** Explains how to continue an import that was interrupted. */
const goOn = ({ lastRow }: Importing.Progress): Effect.Effect<void> =>
  note(
    lastRow === 0
      ? "quittance: nothing was stored"
      : `quittance: the rows up to ${lastRow} are stored. Run the same command again: stored rows are not stored twice. With --from-row ${lastRow + 1} it begins there`,
  );

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
    const checking = progressBar((count, seconds) => `${count} rows checked, ${seconds.toFixed(0)} s`);
    const { good, bad, leftOut } = yield* Importing.check(rows, check, report, checking.show);
    checking.end();
    const counts = { rows: good + bad, bad, ...(leftOut > 0 ? { left_out: leftOut } : {}) };
    const others = leftOut > 0 ? `, ${leftOut} are left out` : "";
    if (bad > 0) yield* exitWith(FAILURE);
    if (bad > 0 && !skipBadRows) {
      const what = `${bad} of ${good + bad} rows cannot be imported`;
      if (json) yield* print(JSON.stringify({ ...counts, stored: 0 }));
      return yield* note(`quittance: nothing was stored: ${what}; correct them, or pass --skip-bad-rows`);
    }
    if (dryRun)
      return yield* print(
        json
          ? JSON.stringify({ ...counts, stored: 0 })
          : `${good} rows can be imported${others}; nothing was stored`,
      );
    const progress: Importing.Progress = { lastRow: fromRow - 1, stored: 0, refused: 0 };
    const storing = progressBar(
      (count, seconds) => `${count} of ${good} rows stored, ${rate(count, seconds)}`,
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
    const { stored, refused } = progress;
    yield* print(
      json
        ? JSON.stringify({ ...counts, stored, refused })
        : `${stored} rows are stored, ${bad + refused} are not${others} (${rate(stored, storing.seconds())})`,
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
