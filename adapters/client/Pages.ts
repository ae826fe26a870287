/** All records of a list, page after page. */

interface Item {
  readonly id: string;
}

interface Signal {
  readonly signal?: AbortSignal | undefined;
}

/** A list of a service. */
export type List<Found extends Item = Item> = (
  filters: object,
  options: Signal,
) => Promise<{ readonly items: ReadonlyArray<Found> }>;

const PER_PAGE = 100;

/**
 * Every match, oldest first, each once. Records that stop matching while the loop runs move later ones forward, so that a
 * page is used only when the record before it is still where it was; otherwise the list is read again from its beginning.
 */
export async function* all<Found extends Item>(
  list: List<Found>,
  filters: object,
  options: Signal,
): AsyncGenerator<Found, void> {
  const shown = new Set<string>();
  let page = 1;
  let last: Found | undefined;
  for (;;) {
    const { items } = await list({ ...filters, page, perPage: PER_PAGE, order: "asc" }, options);
    if (last !== undefined && page > 1) {
      const place = { ...filters, page: (page - 1) * PER_PAGE, perPage: 1, order: "asc" };
      const { items: found } = await list(place, options);
      if (found[0]?.id !== last.id) {
        page = 1;
        continue;
      }
    }
    last = items.at(-1);
    for (const item of items) {
      if (shown.has(item.id)) continue;
      shown.add(item.id);
      yield item;
    }
    if (items.length < PER_PAGE) return;
    page += 1;
  }
}

/** A list that is read by a cursor: each page names where the next one begins. */
export type CursorList<Found> = (
  filters: object,
  options: Signal,
) => Promise<{ readonly items: ReadonlyArray<Found>; readonly nextCursor: string | null }>;

/** Every match after the cursor of the filters, in the list's order, until the cursor no longer moves; a page may be empty. */
export async function* allAfter<Found>(
  list: CursorList<Found>,
  filters: object,
  options: Signal,
): AsyncGenerator<Found, void> {
  let { after } = filters as { readonly after?: string };
  for (;;) {
    const { items, nextCursor } = await list(after === undefined ? filters : { ...filters, after }, options);
    yield* items;
    if (nextCursor === null || nextCursor === after) return;
    after = nextCursor;
  }
}
