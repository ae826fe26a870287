/** A check that the database computes by itself, as one statement. */
export interface Rule {
  readonly name: string;
  /** What must hold, in words. */
  readonly statement: string;
  /** A query with the columns `record` and `problem`; `$1` is the customer. */
  readonly query: string;
}
