/** All records of a list, page after page. */

interface Item {
  readonly id: string;
}

/** A list of a service. */
export type List = (
  filters: object,
  options: { readonly signal?: AbortSignal | undefined },
) => Promise<{ readonly items: ReadonlyArray<Item>; readonly total: number }>;

const PER_PAGE = 100;

/**
 * Every match, oldest first, each once. Records that stop matching while the loop runs move later ones forward, so that a
 * page is used only when the record before it is still where it was; otherwise the list is read again from its beginning.
 */
export async function* all(
  list: List,
  filters: object,
  options: { readonly signal?: AbortSignal | undefined },
): AsyncGenerator<Item, void> {
  const shown = new Set<string>();
  let page = 1;
  let last: Item | undefined;
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
