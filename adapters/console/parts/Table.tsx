/** A table of records: sticky head, rows reachable by keyboard, pages, totals and export. */

import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { type Cell, csv } from "../data/Csv.ts";
import { save } from "../data/Save.ts";
import { count, sumByCurrency, sumsWords } from "../format/Money.ts";
import { t, translated } from "../words/Language.ts";
import { Failure } from "./Basics.tsx";
import { announce } from "./Focus.ts";

export interface Column<Row> {
  readonly name: string;
  readonly show: (row: Row) => ComponentChildren;
  /** True if the column has numbers, which are aligned right. */
  readonly isNumber?: boolean;
  /** Left out on a narrow screen, where a row is a card. */
  readonly isMinor?: boolean;
  /** The cell in an export, where it differs from the shown text. */
  readonly text?: (row: Row) => Cell;
}

/** Rows that are chosen by their checkboxes: one row, a range with Shift, or every row of the page. */
export interface Selection<Row> {
  readonly isChosen: (row: Row) => boolean;
  /** What the checkbox of a row is called; null for a row that cannot be chosen. */
  readonly label: (row: Row) => string | null;
  readonly choose: (rows: ReadonlyArray<Row>, isChosen: boolean) => void;
}

/** The order of the rows. */
export interface Order {
  /** The name of the column that they follow. */
  readonly column: string;
  readonly isAscending: boolean;
  /** The list in the other order. */
  readonly link: string;
}

interface Props<Row> {
  readonly caption: string;
  readonly columns: ReadonlyArray<Column<Row>>;
  readonly rows: ReadonlyArray<Row>;
  readonly rowKey: (row: Row) => string;
  /** The page of a row, opened by a click or Enter. */
  readonly link?: (row: Row) => string;
  /** Opens a row that has no page, by a click or Enter. */
  readonly open?: (row: Row) => void;
  readonly selection?: Selection<Row> | undefined;
  readonly order?: Order;
  readonly isStale?: boolean;
  /** Rows above and below those of the records. */
  readonly head?: ComponentChildren;
  readonly foot?: ComponentChildren;
}

const adjacentRow = (row: HTMLElement, key: string): HTMLElement | null => {
  const rows = [...(row.parentElement?.children ?? [])] as Array<HTMLElement>;
  const at = rows.indexOf(row);
  const to = { ArrowDown: at + 1, j: at + 1, ArrowUp: at - 1, k: at - 1, Home: 0, End: rows.length - 1 }[key];
  return to === undefined ? null : (rows[to] ?? null);
};

/** Chooses the row at an index; as a range, all rows from the one that was chosen before. */
const useRange = <Row,>(
  rows: ReadonlyArray<Row>,
  rowKey: (row: Row) => string,
  selection: Selection<Row> | undefined,
): ((index: number, isRange: boolean, isChosen: boolean) => void) => {
  const before = useRef<string | null>(null);
  return (index, isRange, isChosen) => {
    const row = rows[index];
    if (selection === undefined || row === undefined) return;
    const found = isRange ? rows.findIndex((other) => rowKey(other) === before.current) : -1;
    const from = found < 0 ? index : found;
    const range = rows.slice(Math.min(from, index), Math.max(from, index) + 1);
    selection.choose(
      range.filter((other) => selection.label(other) !== null),
      isChosen,
    );
    before.current = rowKey(row);
  };
};

/** The checkbox of every row of the page that can be chosen. */
const ChooseAll = <Row,>({
  rows,
  selection: { isChosen, label, choose },
}: {
  readonly rows: ReadonlyArray<Row>;
  readonly selection: Selection<Row>;
}) => {
  const choosable = rows.filter((row) => label(row) !== null);
  const chosen = choosable.filter(isChosen).length;
  return (
    <input
      type="checkbox"
      aria-label={t("All of this page")}
      disabled={choosable.length === 0}
      checked={chosen > 0 && chosen === choosable.length}
      indeterminate={chosen > 0 && chosen < choosable.length}
      onChange={(event) => choose(choosable, event.currentTarget.checked)}
    />
  );
};

/** The name of a column; of the one that the rows follow, the link that turns their order. */
const Head = <Row,>({
  column: { name, isNumber, isMinor },
  order,
}: {
  readonly column: Column<Row>;
  readonly order: Order | undefined;
}) => {
  const words = translated(name);
  const style = `${isNumber ? "number" : ""}${isMinor ? " minor" : ""}`;
  return order?.column !== name ? (
    <th scope="col" class={style}>
      {words}
    </th>
  ) : (
    <th scope="col" class={style} aria-sort={order.isAscending ? "ascending" : "descending"}>
      <a href={order.link}>
        {words} <span aria-hidden="true">{order.isAscending ? "↑" : "↓"}</span>
      </a>
    </th>
  );
};

/** Marks the frame of a table that is wider: it scrolls sideways then, and the head no longer stays in sight. */
const useWideMark = () => {
  const frame = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const { current } = frame;
    const table = current?.firstElementChild;
    if (!current || !table) return;
    const observer = new ResizeObserver(() =>
      current.toggleAttribute("data-wide", table.clientWidth > current.clientWidth),
    );
    observer.observe(current);
    observer.observe(table);
    return () => observer.disconnect();
  }, []);
  return frame;
};

/**
 * A table. With `link` or `open`, rows are reached with the arrow keys (or j and k) and opened with Enter; with `selection` they are
 * chosen with Space or x.
 */
export const Table = <Row,>({
  caption,
  columns,
  rows,
  rowKey,
  link,
  open,
  selection,
  order,
  isStale = false,
  head,
  foot,
}: Props<Row>) => {
  const frame = useWideMark();
  const [active, setActive] = useState(0);
  const chooseTo = useRange(rows, rowKey, selection);
  const isActive = link !== undefined || open !== undefined;
  const choose = (row: Row): void => {
    if (open !== undefined) open(row);
    else if (link !== undefined) location.hash = link(row);
  };
  const onKeyDown = (event: KeyboardEvent, row: Row, index: number): void => {
    const element = event.currentTarget as HTMLElement;
    if (event.target !== element) return;
    if (selection !== undefined && (event.key === " " || event.key === "x")) {
      event.preventDefault();
      chooseTo(index, event.shiftKey, !selection.isChosen(row));
      return;
    }
    if (event.key === "Enter") {
      event.preventDefault();
      choose(row);
      return;
    }
    const next = adjacentRow(element, event.key);
    if (next === null) return;
    event.preventDefault();
    next.focus();
  };
  return (
    <div ref={frame} class={`table-frame${isStale ? " stale" : ""}`}>
      <table>
        <caption class="visually-hidden">{translated(caption)}</caption>
        <thead>
          <tr>
            {selection !== undefined && (
              <th scope="col" class="choice">
                <span class="visually-hidden">{t("Chosen")}</span>
                <ChooseAll rows={rows} selection={selection} />
              </th>
            )}
            {columns.map((column) => (
              <Head key={column.name} column={column} order={order} />
            ))}
          </tr>
        </thead>
        <tbody>
          {head}
          {rows.map((row, index) => (
            <tr
              key={rowKey(row)}
              class={isActive ? "choosable" : ""}
              {...(isActive
                ? {
                    tabIndex: index === Math.min(active, rows.length - 1) ? 0 : -1,
                    onKeyDown: (event: KeyboardEvent) => onKeyDown(event, row, index),
                    onFocus: () => setActive(index),
                    onClick: (event: MouseEvent) => {
                      if (!(event.target as HTMLElement).closest("a, button, input, select")) choose(row);
                    },
                  }
                : {})}
            >
              {selection !== undefined && (
                <td class="choice">
                  {selection.label(row) !== null && (
                    <input
                      type="checkbox"
                      aria-label={selection.label(row) ?? ""}
                      checked={selection.isChosen(row)}
                      onClick={(event) => chooseTo(index, event.shiftKey, event.currentTarget.checked)}
                    />
                  )}
                </td>
              )}
              {columns.map(({ name, show, isNumber, isMinor }) => (
                <td
                  key={name}
                  data-name={translated(name)}
                  class={`${isNumber ? "number" : ""}${isMinor ? " minor" : ""}`}
                >
                  {show(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
        {foot !== undefined && <tfoot>{foot}</tfoot>}
      </table>
    </div>
  );
};

/** The numbers of the shown rows, and buttons for the pages before and after. */
export const Pager = ({
  page,
  perPage,
  total,
  go,
  isLoading,
}: {
  readonly page: number;
  readonly perPage: number;
  readonly total: number;
  readonly go: (page: number) => void;
  readonly isLoading: boolean;
}) => {
  const last = Math.max(1, Math.ceil(total / perPage));
  const from = Math.min((page - 1) * perPage + 1, total);
  return (
    <nav class="pager" aria-label={t("Pages")}>
      <span aria-live="polite">
        {isLoading
          ? t("Reading…")
          : total === 0
            ? t("No rows")
            : t("{from}–{to} of {total}", {
                ...{ from: count(from), to: count(Math.min(page * perPage, total)), total: count(total) },
              })}
      </span>
      <span class="row">
        <button type="button" aria-disabled={page <= 1} onClick={() => page > 1 && go(page - 1)}>
          {t("Previous")}
        </button>
        <button type="button" aria-disabled={page >= last} onClick={() => page < last && go(page + 1)}>
          {t("Next")}
        </button>
      </span>
    </nav>
  );
};

/** The most rows of a list that are read at once. */
const ROWS_MAX = 20_000;

/** Reads page after page. */
type Pages<Row> = (signal: AbortSignal, limit: number) => AsyncIterable<ReadonlyArray<Row>>;

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
  readonly total: number;
  /** What the rows are read for. */
  readonly name: string;
  /** The words of the button. */
  readonly children: ComponentChildren;
}) => (
  <>
    {done !== null && (
      <span class="row">
        <progress max={Math.min(total, ROWS_MAX)} value={done} aria-label={name} />
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
  total > ROWS_MAX ? `the first ${count(ROWS_MAX)}` : `all ${count(total)}`;

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
  readonly total: number;
}) => {
  const exported = columns.filter(({ text }) => text !== undefined);
  const reading = useReading(pages, (found) => {
    const rows = found.map((row) => exported.map(({ text }) => text?.(row) ?? ""));
    const content = csv([exported.map((column) => column.name), ...rows]);
    save({ name: `${name}.csv`, blob: new Blob([content], { type: "text/csv;charset=utf-8" }) });
    announce(`${count(rows.length)} rows exported as CSV.`);
  });
  return (
    <ReadAll reading={reading} total={total} name="Export">
      Export {readWords(total)} as CSV
    </ReadAll>
  );
};

/** The sums by currency of all rows that match the filters, not only of this page; read when they are asked for. */
export const TotalOfAll = <Row,>({
  name,
  amountsOf,
  pages,
  total,
}: {
  /** What is summed: "Net". */
  readonly name: string;
  readonly amountsOf: (
    row: Row,
  ) => ReadonlyArray<{ readonly currency: string; readonly amount: number | bigint }>;
  readonly pages: Pages<Row>;
  readonly total: number;
}) => {
  const [words, setWords] = useState<string | null>(null);
  const reading = useReading(pages, (rows) => {
    const sums = sumsWords(sumByCurrency(rows.flatMap(amountsOf)));
    const found = `${name} total of ${readWords(total)}: ${sums}`;
    setWords(found);
    announce(found);
  });
  return words === null ? (
    <ReadAll reading={reading} total={total} name="Total">
      {name} total of {readWords(total)}
    </ReadAll>
  ) : (
    <strong>{words}</strong>
  );
};
