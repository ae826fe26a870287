/** Positions in order of a moment: of creation, in which lists are shown, or of the date that an attribution counts for. */

/** The place of a record among others: its moment, then its id. */
export interface Position {
  readonly moment: number;
  readonly id: string;
}

/** Negative when one is before the other, positive when after, 0 when they are the same. */
export const compare = (a: Position, b: Position): number =>
  a.moment - b.moment || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);

/** The index of the first position that is not before the given one; the length when there is none. */
export const indexOf = (order: ReadonlyArray<Position>, position: Position): number => {
  let low = 0;
  let high = order.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const found = order[middle];
    if (found !== undefined && compare(found, position) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
};

/** The index of the first position at the moment or later. */
export const indexAt = (order: ReadonlyArray<Position>, moment: number): number =>
  indexOf(order, { moment, id: "" });

/** The ids of an ordered list, in order. */
export function* idsOf(order: ReadonlyArray<Position> | undefined): Generator<string> {
  for (const { id } of order ?? []) yield id;
}
