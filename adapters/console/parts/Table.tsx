/** A table of records: sticky head, rows reachable by keyboard, and pages. */

import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Cell } from "../data/Csv.ts";
import { go } from "../data/Route.ts";
import type { SortKey } from "../data/Sort.ts";
import { count } from "../format/Money.ts";
import { t, translated } from "../words/Language.ts";

export interface Column<Row> {
  readonly name: string;
  readonly show: (row: Row) => ComponentChildren;
  /** True if the column has numbers, which are aligned right. */
  readonly isNumber?: boolean;
  /** True if the column has dates: where a card has several, each says what it is. */
  readonly isDate?: boolean;
  /** Left out on a narrow screen, where a row is a card. */
  readonly isMinor?: boolean;
  /** True if a card names the amount also where it is the only one: another could be meant. */
  readonly isNamed?: boolean;
  /** The cell in an export, where it differs from the shown text. */
  readonly text?: (row: Row) => Cell;
  /** What a list is sorted by that follows the column. */
  readonly sort?: (row: Row) => SortKey;
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
  /** The name of the column that they follow; null where it is none that is shown. */
  readonly column: string | null;
  readonly isAscending: boolean;
  /** The list in the order of a column, or in its next one; null for a column that it cannot follow. */
  readonly linkOf: (column: string) => string | null;
}

export interface TableProps<Row> {
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
    <label>
      <input
        type="checkbox"
        aria-label={t("All of this page")}
        checked={chosen === choosable.length}
        indeterminate={chosen > 0 && chosen < choosable.length}
        onChange={(event) => choose(choosable, event.currentTarget.checked)}
      />
      <span class="on-cards">{t("All of this page")}</span>
    </label>
  );
};

/** The name of a column, as a button where the rows can follow it. */
const Head = <Row,>({
  column: { name, isNumber, isMinor },
  order,
}: {
  readonly column: Column<Row>;
  readonly order: Order | undefined;
}) => {
  const words = translated(name);
  const link = order?.linkOf(name) ?? null;
  const direction = order?.column !== name ? undefined : order.isAscending ? "ascending" : "descending";
  return (
    <th scope="col" class={`${isNumber ? "number" : ""}${isMinor ? " minor" : ""}`} aria-sort={direction}>
      {link === null ? (
        words
      ) : (
        <>
          <button type="button" class="sort" onClick={() => go(link)}>
            {words}
          </button>
          {/* The name of the column where no button is shown: above cards. */}
          <span>{words}</span>
        </>
      )}
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
  selection: given,
  order,
  isStale = false,
  head,
  foot,
}: TableProps<Row>) => {
  // Where no row can be chosen, a column of checkboxes would be empty.
  const selection = given !== undefined && rows.some((row) => given.label(row) !== null) ? given : undefined;
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
              {columns.map(({ name, show, isNumber, isDate, isMinor, isNamed }) => (
                <td
                  key={name}
                  data-name={translated(name)}
                  class={`${isNumber ? "number" : isDate ? "date" : ""}${isMinor ? " minor" : ""}${isNamed ? " named" : ""}`}
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

/** The numbers of the shown rows, and buttons for the pages before and after where there are any. */
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
      {(last > 1 || page > 1) && (
        <span class="row">
          <button type="button" aria-disabled={page <= 1} onClick={() => page > 1 && go(page - 1)}>
            {t("Previous")}
          </button>
          <button type="button" aria-disabled={page >= last} onClick={() => page < last && go(page + 1)}>
            {t("Next")}
          </button>
        </span>
      )}
    </nav>
  );
};
