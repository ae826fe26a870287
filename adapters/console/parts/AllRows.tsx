/** What is done with all rows that match the filters of a list, not only with those of the page: summing and exporting them. */
import type { ComponentChildren } from "preact";
import { useRef, useState } from "preact/hooks";
import { type Cell, csv } from "../data/Csv.ts";
import { save } from "../data/Save.ts";
import { count, countWords, sumByCurrency, sumsWords } from "../format/Money.ts";
import { Failure } from "./Basics.tsx";
import { announce } from "./Focus.ts";
import type { Column } from "./Table.tsx";

/** The most rows of a list that are read at once. */
export const ROWS_MAX = 20_000;

/** Reads page after page. */
export type Pages<Row> = (signal: AbortSignal, limit: number) => AsyncIterable<ReadonlyArray<Row>>;

/** Reads all rows that match the filters, and says how far it is; a second click stops it. */
const useReading = <Row,>(pages: Pages<Row>, finish: (rows: ReadonlyArray<Row>) => void) => {
  const [done, setDone] = useState<number | null>(null);
  const [failure, setFailure] = useState<unknown>(null);
  const abort = useRef<AbortController | null>(null);
  const run = async (): Promise<void> => {
    abort.current = new AbortController();
    setFailure(null);
    setDone(0);
    const rows: Array<Row> = [];
    try {
      for await (const some of pages(abort.current.signal, ROWS_MAX)) {
        rows.push(...some);
        setDone(rows.length);
      }
      finish(rows);
    } catch (problem) {
      if (!abort.current.signal.aborted) setFailure(problem);
    }
    setDone(null);
  };
  return { done, failure, run, stop: () => abort.current?.abort() };
};

/** The button that reads all rows, with its progress and what went wrong. */
const ReadAll = ({
  reading: { done, failure, run, stop },
  total,
  name,
  children,
}: {
  readonly reading: ReturnType<typeof useReading>;
  /** Null where it is not known. */
  readonly total: number | null;
  /** What the rows are read for. */
  readonly name: string;
  /** The words of the button. */
  readonly children: ComponentChildren;
}) => (
  <>
    {done !== null && (
      <span class="row">
        <progress max={Math.min(total ?? ROWS_MAX, ROWS_MAX)} value={done} aria-label={name} />
        {count(done)} rows
      </span>
    )}
    <button
      type="button"
      onClick={done !== null ? stop : total === 0 ? undefined : run}
      aria-disabled={total === 0}
    >
      {done === null ? children : "Stop"}
    </button>
    {failure !== null && <Failure failure={failure} retry={run} />}
  </>
);

/** The rows that are read, in words. */
const readWords = (total: number): string =>
  total === 1 ? "1 row" : total > ROWS_MAX ? `the first ${count(ROWS_MAX)}` : `all ${count(total)}`;

/** Which rows are exported, where that has to be said. */
const exportedWords = (total: number | null): string =>
  total === null || total <= 1 ? "" : `${readWords(total)} `;

/** Saves all rows that match the filters as CSV, not only those of this page. */
export const Export = <Row,>({
  name,
  columns,
  pages,
  total,
}: {
  readonly name: string;
  readonly columns: ReadonlyArray<Column<Row>>;
  readonly pages: Pages<Row>;
  /** Null where it is not known. */
  readonly total: number | null;
}) => {
  const exported = columns.filter(({ text }) => text !== undefined);
  const reading = useReading(pages, (found) => {
    const rows = found.map((row) => exported.map(({ text }) => text?.(row) ?? ""));
    const content = csv([exported.map((column) => column.name), ...rows]);
    save({ name: `${name}.csv`, blob: new Blob([content], { type: "text/csv;charset=utf-8" }) });
    announce(`${countWords(rows.length, "row")} exported as CSV.`);
  });
  return (
    <>
      <ReadAll reading={reading} total={total} name="Export">
        Export {exportedWords(total)}as CSV
      </ReadAll>
      {total === null && <span class="note">The newest {count(ROWS_MAX)} at most.</span>}
    </>
  );
};

/** A column of an export that is not shown. */
export const exportOnly = <Row,>(name: string, text: (row: Row) => Cell): Column<Row> => ({
  name,
  show: () => null,
  text,
});

/** What is summed, such as "Net", and the amounts of a row. */
export type Total<Row> = readonly [
  name: string,
  amountsOf: (row: Row) => ReadonlyArray<{ readonly currency: string; readonly amount: number | bigint }>,
];

/** The sums by currency of all rows that match the filters, not only of this page; read when they are asked for. */
export const TotalOfAll = <Row,>({
  totals,
  pages,
  total,
  but = "",
}: {
  /** What is left out of the sums, in words that follow theirs. */
  readonly but?: string;
  readonly totals: ReadonlyArray<Total<Row>>;
  readonly pages: Pages<Row>;
  readonly total: number;
}) => {
  const [found, setFound] = useState<ReadonlyArray<string> | null>(null);
  const [first, ...others] = totals.map(([name]) => name);
  const title = `${others.length === 0 ? `${first} total` : "Totals"} of ${readWords(total)}${but}`;
  const reading = useReading(pages, (rows) => {
    const sums = totals.map(([name, amountsOf]) => {
      const words = sumsWords(sumByCurrency(rows.flatMap(amountsOf)));
      return `${others.length === 0 ? title : name}: ${words === "" ? "nothing" : words}`;
    });
    setFound(sums);
    announce(sums.join(". "));
  });
  return found === null ? (
    <ReadAll reading={reading} total={total} name="Total">
      {title}
    </ReadAll>
  ) : (
    <div class="totals">
      {others.length > 0 && <p class="note">{title}</p>}
      {found.map((words) => (
        <div key={words}>
          <strong>{words}</strong>
        </div>
      ))}
    </div>
  );
};
