/** What commands print: results on standard output, progress and problems on standard error. */
import { Effect } from "effect";
import { printableLine, printableText } from "./Printable.ts";

/** Writes to a stream, and waits while its reader is slower than the command. */
const writeTo = (stream: NodeJS.WriteStream, text: string): Effect.Effect<void> =>
  Effect.async((resume) => {
    if (stream.write(text)) resume(Effect.void);
    else stream.once("drain", () => resume(Effect.void));
  });

/** Writes text to standard output as it is, for texts of our own. */
export const write = (text: string): Effect.Effect<void> => writeTo(process.stdout, text);

/** Writes data to standard output: as they are, or printable where a person reads them. */
export const writeData = (text: string): Effect.Effect<void> =>
  write(process.stdout.isTTY === true ? printableText(text.replaceAll("\r\n", "\n")) : text);

/** Writes one line to standard output, whatever the text contains. */
export const print = (line: string): Effect.Effect<void> => write(`${printableLine(line)}\n`);

/** Writes a text of several lines to standard output. */
export const printText = (text: string): Effect.Effect<void> => write(`${printableText(text)}\n`);

/** Writes one line to standard error. */
export const note = (line: string): Effect.Effect<void> =>
  writeTo(process.stderr, `${printableLine(line)}\n`);

/** The command ends with this code although it did not fail: what it printed is its result. */
export const exitWith = (code: number): Effect.Effect<void> =>
  Effect.sync(() => {
    process.exitCode = code;
  });

/** Prints rows as columns of text: numbers to the right, everything else to the left. */
export const printTable = (
  header: ReadonlyArray<string>,
  rows: ReadonlyArray<ReadonlyArray<string | number>>,
): Effect.Effect<void> => {
  const all = [header, ...rows].map((row) =>
    row.map((cell) => (typeof cell === "number" ? cell : printableLine(cell))),
  );
  const widths = header.map((_, column) => Math.max(...all.map((row) => String(row[column] ?? "").length)));
  const lines = all.map((row) =>
    row
      .map((cell, column) =>
        typeof cell === "number"
          ? String(cell).padStart(widths[column] ?? 0)
          : cell.padEnd(widths[column] ?? 0),
      )
      .join("  ")
      .trimEnd(),
  );
  return printText(lines.join("\n"));
};

/** The name of several of a kind. */
const plural = (kind: string): string =>
  kind.endsWith("s") ? kind : `${kind.replace(/([^aeiou])y$/, "$1ie")}s`;

/** A number of a kind: `1 row`, `2 rows`. */
export const counted = (count: number, kind: string): string =>
  `${count} ${count === 1 ? kind : plural(kind)}`;

const PROGRESS_MILLISECONDS = 200;

/** Shows how far a command is, on one line of the terminal; writes nothing where no person reads standard error. */
export const progress = (textOf: (count: number, seconds: number) => string) => {
  const started = performance.now();
  let shown = 0;
  return {
    show: (count: number): void => {
      const now = performance.now();
      if (process.stderr.isTTY !== true || now - shown < PROGRESS_MILLISECONDS) return;
      shown = now;
      process.stderr.write(`\r\u001b[K${textOf(count, (now - started) / 1000)}`);
    },
    /** Removes the line. */
    end: (): void => {
      if (shown > 0) process.stderr.write("\r\u001b[K");
    },
    seconds: (): number => (performance.now() - started) / 1000,
  };
};
