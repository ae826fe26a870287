/** How the rows of a table fall on pages. */

/** Measures in points of 1/72 inch. */
export interface Measures {
  readonly rowCount: number;
  readonly rowHeight: number;
  /** Room for rows below the letterhead of the first page; may be negative when the letterhead is very long. */
  readonly firstHeight: number;
  /** Room for rows on every later page. */
  readonly laterHeight: number;
  /** Room the totals and everything after them need; they stay together. */
  readonly closingHeight: number;
}

/** Rows that accompany the totals to a new page, so that no page shows totals of nothing. */
const ROWS_KEPT_WITH_CLOSING = 3;

/**
 * The number of rows on each page, in order; the closing stands on the last. The sum is the row count. A page without
 * rows occurs only as the first, below a long letterhead, or as the last, under a closing that fills a page.
 */
export const pages = (measures: Measures): ReadonlyArray<number> => {
  const { rowCount, rowHeight, firstHeight, laterHeight, closingHeight } = measures;
  const counts: Array<number> = [];
  let rest = rowCount;
  for (;;) {
    const isFirst = counts.length === 0;
    const height = isFirst ? firstHeight : laterHeight;
    if (rest * rowHeight + closingHeight <= height || (rest === 0 && !isFirst)) return [...counts, rest];
    const fitting = Math.max(Math.floor(height / rowHeight), isFirst ? 0 : 1);
    const kept = Math.min(fitting, Math.max(0, rest - ROWS_KEPT_WITH_CLOSING));
    const taken = kept === 0 && !isFirst ? Math.min(fitting, rest) : kept;
    counts.push(taken);
    rest -= taken;
  }
};
