/** A list of records as a page shows it: its table, its pages, and what is said where it has no rows. */
import type { ComponentChildren } from "preact";
import { useSession } from "../api/Session.ts";
import { linkTo } from "../data/Route.ts";
import { t, translated } from "../words/Language.ts";
import { Empty, LoadResult } from "./Basics.tsx";
import { isFiltered, ListPager } from "./Filters.tsx";
import type { List, Rows } from "./List.tsx";
import { Table, type TableProps } from "./Table.tsx";

interface Props<Row> extends Pick<TableProps<Row>, "caption" | "rowKey" | "link" | "selection"> {
  readonly list: List<Row>;
  /** What is being read: "Reading plans". */
  readonly what: string;
  /** How many lines stand for the rows until they are read. */
  readonly lines?: number;
  /** Said where the filters match nothing. */
  readonly noMatch?: string;
  /** Said where there are no records. */
  readonly none: ComponentChildren;
  readonly above?: (page: Rows<Row>) => ComponentChildren;
  readonly foot?: (page: Rows<Row>) => ComponentChildren;
  readonly below?: (page: Rows<Row>) => ComponentChildren;
  /** Sums and exports, after the pages. */
  readonly children?: (page: Rows<Row>) => ComponentChildren;
}

export const Listed = <Row,>({
  list,
  what,
  caption,
  lines = 8,
  noMatch,
  none,
  above,
  foot,
  below,
  children,
  ...table
}: Props<Row>) => {
  const { signOut } = useSession();
  const { loaded, route, perPage, columns, notice, order, words } = list;
  return (
    <LoadResult loaded={loaded} lines={lines} what={what} signOut={signOut}>
      {(page) =>
        page.total > 0 ? (
          <>
            {above?.(page)}
            {notice}
            <Table
              {...table}
              caption={`${translated(caption)}, ${words}`}
              columns={columns}
              rows={page.rows}
              order={order}
              isStale={loaded.isLoading}
              foot={foot?.(page)}
            />
            {below?.(page)}
            <ListPager route={route} perPage={perPage} total={page.total} isLoading={loaded.isLoading} />
            {children !== undefined && <div class="row">{children(page)}</div>}
          </>
        ) : noMatch !== undefined && isFiltered(route) ? (
          <Empty title={noMatch}>
            <a href={linkTo(route.path.join("/"))}>{t("Remove the filters")}</a>
          </Empty>
        ) : (
          none
        )
      }
    </LoadResult>
  );
};
