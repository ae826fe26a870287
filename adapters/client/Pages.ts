/** All records of a list, page after page. */
import { refuse } from "./Refuse.ts";

interface Item {
  readonly id: string;
}

interface Signal {
  readonly signal?: AbortSignal | undefined;
}

/** A list of a service. */
export type List<Row extends Item = Item> = (
  filters: object,
  options: Signal,
) => Promise<{ readonly items: ReadonlyArray<Row> }>;

const PER_PAGE = 100;

/**
 * Every match, oldest first, each once. Records that stop matching while the loop runs move later ones forward. So a
 * page is used only if the record before it has not moved; otherwise the list is read again from its beginning.
 */
export async function* all<Row extends Item>(
  list: List<Row>,
  filters: object,
  options: Signal,
): AsyncGenerator<Row, void> {
  const field = ["page", "perPage", "order"].find((name) => name in filters);
  if (field !== undefined) throw refuse(field, "is no filter of a loop over all records, oldest first");
  const yieldedIds = new Set<string>();
  let page = 1;
  let last: Row | undefined;
  for (;;) {
    const { items } = await list({ ...filters, page, perPage: PER_PAGE, order: "asc" }, options);
    if (last !== undefined && page > 1) {
      const previous = { ...filters, page: (page - 1) * PER_PAGE, perPage: 1, order: "asc" };
      const { items: found } = await list(previous, options);
      if (found[0]?.id !== last.id) {
        page = 1;
        continue;
      }
    }
    last = items.at(-1);
    for (const item of items) {
      if (yieldedIds.has(item.id)) continue;
      yieldedIds.add(item.id);
      yield item;
    }
    if (items.length < PER_PAGE) return;
    page += 1;
  }
}

/** A list that is read by a cursor: each page contains the cursor of the next one. */
export type CursorList<Row> = (
  filters: object,
  options: Signal,
) => Promise<{ readonly items: ReadonlyArray<Row>; readonly nextCursor: string | null }>;

/** Every match after the cursor of the filters, in the list's order, until the cursor no longer moves; a page may be empty. */
export async function* allAfter<Row>(
  list: CursorList<Row>,
  filters: object,
  options: Signal,
): AsyncGenerator<Row, void> {
  let { after } = filters as { readonly after?: string };
  for (;;) {
    const { items, nextCursor } = await list(after === undefined ? filters : { ...filters, after }, options);
    yield* items;
    if (nextCursor === null || nextCursor === after) return;
    after = nextCursor;
  }
}
