/** A list of records: its pages, its order by creation or by a column, and all its rows for sums and exports. */
import type { ComponentChildren } from "preact";
import { useMemo, useRef, useState } from "preact/hooks";
import type { Query } from "../api/Client.ts";
import type { Lists } from "../api/Records.ts";
import { useSession } from "../api/Session.ts";
import { type Loaded, useLoad } from "../data/Load.ts";
import { go, type Route, replace } from "../data/Route.ts";
import { sortRows } from "../data/Sort.ts";
import { count } from "../format/Money.ts";
import { t, translated } from "../words/Language.ts";
import { type Pages, ROWS_MAX } from "./AllRows.tsx";
import { linkWithFilters, pageOf } from "./Filters.tsx";
import type { Column, Order } from "./Table.tsx";

type Direction = "asc" | "desc";

const turned = (direction: Direction): Direction => (direction === "asc" ? "desc" : "asc");

interface Source<Name extends keyof Lists, Row> {
  /** The list of the interface. */
  readonly list: Name;
  readonly filters: Query;
  readonly route: Route;
  readonly perPage: number;
  /** Those that are shown: the list is sorted by no other. */
  readonly columns: ReadonlyArray<Column<Row>>;
  /** The order by creation in which the list is shown until another is chosen. */
  readonly order: Direction;
  /** The column of the creation, which turns that order. */
  readonly created?: string;
  readonly rowsOf: (records: ReadonlyArray<Lists[Name]>, signal: AbortSignal) => Promise<ReadonlyArray<Row>>;
  /** The rows of a page, where they are shown before all of them has been read. */
  readonly pageRowsOf?: (records: ReadonlyArray<Lists[Name]>) => ReadonlyArray<Row>;
}

/** The rows of a page, and how many records the list has. */
export interface Rows<Row> {
  readonly rows: ReadonlyArray<Row>;
  readonly total: number;
}

interface ReadRows<Row> extends Rows<Row> {
  /** True if these are all rows that match the filters, and nothing of them is missing. */
  readonly isAll: boolean;
  readonly readAt: number;
}

/** All rows as they were read for one purpose, for the next. */
interface Kept<Row> {
  readonly key: string;
  readonly rows: ReadonlyArray<Row>;
  readonly readAt: number;
}

export interface List<Row> {
  readonly route: Route;
  readonly perPage: number;
  readonly columns: ReadonlyArray<Column<Row>>;
  readonly loaded: Loaded<Rows<Row>>;
  /** The order of the rows in words: newest first. */
  readonly words: string;
  readonly order: Order;
  /** All rows that match the filters, in the order of the list. */
  readonly pages: Pages<Row>;
  /** Changes when the rows may be others. */
  readonly key: string;
  /** Says how far the reading of all rows is, or why they are not sorted; on a narrow screen also the choice of the order. */
  readonly notice: ComponentChildren;
}

/** The direction in which a column is sorted first: amounts begin with the largest. */
const firstOf = ({ isNumber }: Column<never>): Direction => (isNumber === true ? "desc" : "asc");

/** The order that the address states, and the addresses of the others. */
const orderOf = <Row,>({
  route,
  columns,
  created,
  order: given,
}: Pick<Source<keyof Lists, Row>, "route" | "columns" | "created" | "order">) => {
  const stated = route.query.get("order");
  const sorted = columns.find(({ name, sort }) => sort !== undefined && name === route.query.get("sort"));
  const first = sorted === undefined ? given : firstOf(sorted);
  const mayTurn = sorted !== undefined || created !== undefined;
  const direction = mayTurn && (stated === "asc" || stated === "desc") ? stated : first;
  const byCreation = (wanted: Direction): string =>
    linkWithFilters(route, { sort: "", order: wanted === given ? "" : wanted });
  const byColumn = ({ name }: Column<Row>, wanted: Direction): string =>
    linkWithFilters(route, { sort: name, order: wanted });
  const linkOf = (name: string): string | null => {
    if (name === created)
      return byCreation(sorted === undefined && direction === given ? turned(given) : given);
    const column = columns.find((one) => one.name === name);
    if (column?.sort === undefined) return null;
    if (column !== sorted) return byColumn(column, firstOf(column));
    return direction === first ? byColumn(column, turned(first)) : byCreation(given);
  };
  return { given, sorted, direction, byCreation, byColumn, linkOf };
};

type Chosen<Row> = ReturnType<typeof orderOf<Row>>;

const CREATION = { asc: "Oldest first", desc: "Newest first" } as const;
const OF_COLUMN = { asc: "{column}, ascending", desc: "{column}, descending" } as const;
const BY_COLUMN = { asc: "by {column}, ascending", desc: "by {column}, descending" } as const;

/** The order of the list on a narrow screen, whose cards have no head. */
const ChooseOrder = <Row,>({
  columns,
  created,
  chosen: { given, sorted, direction, byCreation, byColumn },
}: {
  readonly columns: ReadonlyArray<Column<Row>>;
  readonly created: string | undefined;
  readonly chosen: Chosen<Row>;
}) => (
  <label class="search choose-order">
    <span>{t("Sort by")}</span>
    <select
      value={sorted === undefined ? byCreation(direction) : byColumn(sorted, direction)}
      onChange={(event) => go(event.currentTarget.value)}
    >
      {(created === undefined ? [given] : [given, turned(given)]).map((one) => (
        <option key={one} value={byCreation(one)}>
          {t(CREATION[one])}
        </option>
      ))}
      {columns
        .filter((column) => column.sort !== undefined && (!column.isMinor || column === sorted))
        .flatMap((column) => [firstOf(column), turned(firstOf(column))].map((one) => [column, one] as const))
        .map(([column, one]) => (
          <option key={column.name + one} value={byColumn(column, one)}>
            {t(OF_COLUMN[one], { column: translated(column.name) })}
          </option>
        ))}
    </select>
  </label>
);

/** How far the reading of all rows is, which can be stopped, or why they are not sorted. */
const Reading = ({
  name,
  total,
  done,
  isTooLong,
  stop,
}: {
  /** Of the column. */
  readonly name: string | undefined;
  readonly total: number;
  /** The rows that are read; null while nothing is being read. */
  readonly done: number | null;
  readonly isTooLong: boolean;
  readonly stop: () => void;
}) => {
  const column = translated(name ?? "");
  if (isTooLong)
    return (
      <p class="note" role="status">
        {t(
          "Not sorted by {column}: {total} rows match the filters, and at most {most} can be sorted. Choose narrower filters.",
          { column, total: count(total), most: count(ROWS_MAX) },
        )}
      </p>
    );
  // One request is not worth words that move the table.
  if (done === null || done === 0) return null;
  return (
    <p class="row">
      <span role="status">{t("Reading all rows, to sort them by {column}.", { column })}</span>
      <progress max={total} value={done} aria-label={t("Rows read")} />
      {t("{done} of {total}", { done: count(done), total: count(total) })}
      <button type="button" class="link" onClick={stop}>
        {t("Stop")}
      </button>
    </p>
  );
};

/** Reads the page of the list, or all rows where the page is not enough to sort them. */
const useRows = <Name extends keyof Lists, Row>(
  { list, filters, route, perPage, rowsOf, pageRowsOf }: Source<Name, Row>,
  chosen: Chosen<Row>,
) => {
  const { client } = useSession();
  const known = useRef({ name: "", total: 0 });
  const kept = useRef<Kept<Row> | null>(null);
  const [done, setDone] = useState(0);
  const name = `${list}/${JSON.stringify(filters)}`;
  const total = known.current.name === name ? known.current.total : 0;
  const isTooLong = chosen.sorted !== undefined && total > ROWS_MAX;
  const sorted = isTooLong ? undefined : chosen.sorted;
  // Only after a page was read is it known if it has all rows.
  const readsAll = sorted !== undefined && (pageRowsOf === undefined ? total > perPage : total > 0);
  const order = chosen.sorted === undefined ? chosen.direction : chosen.given;
  const page = sorted === undefined ? pageOf(route) : 1;

  const readPage = async (signal: AbortSignal): Promise<ReadRows<Row>> => {
    const readAt = Date.now();
    const found = await client.list(list, { ...filters, order, page, perPage }, signal);
    const rows = pageRowsOf?.(found.items) ?? (await rowsOf(found.items, signal));
    known.current = { name, total: found.total };
    const isAll = pageRowsOf === undefined && rows.length === found.total;
    return { rows, total: found.total, isAll, readAt };
  };
  /** Those that were read since the page was need not be read again. */
  async function* readAll(signal: AbortSignal, limit: number): AsyncGenerator<ReadonlyArray<Row>> {
    const key = `${name}/${order}/${loaded.readAt}`;
    const readAt = Date.now();
    const rows: Array<Row> = [];
    if (kept.current?.key === key) return yield kept.current.rows;
    for await (const { items } of client.walk(list, { ...filters, order }, limit, signal)) {
      const some = await rowsOf(items, signal);
      rows.push(...some);
      yield some;
    }
    kept.current = { key, rows, readAt };
  }
  const readSorted = async (signal: AbortSignal): Promise<ReadRows<Row>> => {
    const rows: Array<Row> = [];
    setDone(0);
    for await (const some of readAll(signal, ROWS_MAX)) {
      rows.push(...some);
      if (!signal.aborted) setDone(rows.length);
    }
    known.current = { name, total: rows.length };
    return { rows, total: rows.length, isAll: true, readAt: kept.current?.readAt ?? Date.now() };
  };
  const key = `${name}/${readsAll ? "all" : `${order}/${page}`}`;
  const loaded: Loaded<ReadRows<Row>> = useLoad(key, readsAll ? readSorted : readPage, true);
  return {
    ...{ loaded, name, sorted, order, total, isTooLong, readAll },
    done: readsAll && loaded.isLoading ? done : null,
  };
};

/**
 * A list in the order of the address. The interface orders by creation alone; for the order of a column the rows are sorted
 * here: those of the page when these are all, otherwise all that match the filters, which are read first, up to a limit.
 */
export const useList = <Name extends keyof Lists, Row>(source: Source<Name, Row>): List<Row> => {
  const { route, perPage, columns, created } = source;
  const chosen = orderOf(source);
  const { loaded, name, sorted, order, total, isTooLong, done, readAll } = useRows(source, chosen);
  const { value } = loaded;
  const isAscending = chosen.direction === "asc";
  const all = useMemo(() => {
    if (value?.isAll !== true) return null;
    return sorted?.sort === undefined ? value.rows : sortRows(value.rows, sorted.sort, isAscending);
  }, [value, sorted?.name, isAscending]);
  const rows = all ?? value?.rows ?? [];
  const last = Math.max(1, Math.ceil(rows.length / perPage));
  const from = rows.length > perPage ? (Math.min(pageOf(route), last) - 1) * perPage : 0;
  return {
    ...{ route, perPage, columns },
    loaded: {
      ...loaded,
      value: value && { rows: rows.slice(from, from + perPage), total: value.total },
      readAt: value?.readAt ?? null,
    },
    words:
      sorted === undefined
        ? t(CREATION[order]).toLowerCase()
        : t(BY_COLUMN[chosen.direction], { column: translated(sorted.name) }),
    order: {
      column: sorted?.name ?? created ?? null,
      isAscending: sorted === undefined ? order === "asc" : isAscending,
      linkOf: chosen.linkOf,
    },
    pages: async function* (signal, limit) {
      if (all !== null && !loaded.isLoading) yield all;
      else yield* readAll(signal, limit);
    },
    key: `${name}/${value?.readAt}`,
    notice: (
      <>
        <ChooseOrder columns={columns} created={created} chosen={chosen} />
        <Reading
          name={chosen.sorted?.name}
          stop={() => replace(chosen.byCreation(chosen.given))}
          {...{ total, done, isTooLong }}
        />
      </>
    ),
  };
};

/** A list whose rows are the records themselves, newest first. */
export const useRecords = <Name extends keyof Lists>(
  source: Omit<Source<Name, Lists[Name]>, "order" | "rowsOf" | "pageRowsOf">,
): List<Lists[Name]> => useList({ ...source, order: "desc", rowsOf: async (records) => records });
