/** Distributes the rows of a table over pages. */

/** Measures in points of 1/72 inch. */
export interface Measures {
  readonly rowCount: number;
  readonly rowHeight: number;
  /** Space for rows below the letterhead of the first page; negative when the letterhead is very long. */
  readonly firstHeight: number;
  /** Space for rows on every later page. */
  readonly laterHeight: number;
  /** Space for the totals and everything after them, which stay together. */
  readonly closingHeight: number;
}

/** Rows that move to a new page with the totals, so that no page shows totals without rows. */
const ROWS_KEPT_WITH_CLOSING = 3;

/**
 * The number of rows on each page, in order; the closing is on the last page. The sum is the row count. Only the first
 * page, below a long letterhead, and the last one, with a closing that fills it, can be without rows.
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
