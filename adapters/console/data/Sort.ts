/** Sorts the rows of a list by what one of its columns states. */
import type { Sum } from "../api/Records.ts";
import { lazily, locale } from "../words/Language.ts";

/** What a row is sorted by: text, a number, or amounts in the order of their currencies; null and empty ones have none. */
export type SortKey = string | number | null | ReadonlyArray<Sum>;

const collator = lazily(() => new Intl.Collator(locale(), { numeric: true }));

/** An amount as what a row is sorted by. */
export const amountKey = (amount: number | bigint | null, currency: string): SortKey =>
  amount === null ? null : [{ currency, amount: BigInt(amount) }];

/** A moment or a day as what a row is sorted by. */
export const timeKey = (at: string | null): SortKey => (at === null ? null : Date.parse(at));

const isAbsent = (key: SortKey): boolean => key === null || (typeof key !== "number" && key.length === 0);

/** Amounts are grouped by currency in both directions: those of different currencies have no order. */
const compareAmounts = ([a]: ReadonlyArray<Sum>, [b]: ReadonlyArray<Sum>, sign: number): number => {
  if (a === undefined || b === undefined) return 0;
  if (a.currency !== b.currency) return a.currency < b.currency ? -1 : 1;
  return a.amount === b.amount ? 0 : a.amount < b.amount ? -sign : sign;
};

/** Compares what two rows have; both are of one column, so of one type. */
const compare = (a: SortKey, b: SortKey, sign: number): number => {
  if (typeof a === "number" && typeof b === "number") return sign * (a - b);
  if (typeof a === "string" && typeof b === "string") return sign * collator().compare(a, b);
  return Array.isArray(a) && Array.isArray(b) ? compareAmounts(a, b, sign) : 0;
};

/** The rows in the order of their keys, those without one last; rows with the same key stay in the order that they have. */
export const sortRows = <Row>(
  rows: ReadonlyArray<Row>,
  keyOf: (row: Row) => SortKey,
  isAscending: boolean,
): ReadonlyArray<Row> => {
  const sign = isAscending ? 1 : -1;
  const keyed = rows.map((row) => ({ row, key: keyOf(row) }));
  return [
    ...keyed.filter(({ key }) => !isAbsent(key)).toSorted((a, b) => compare(a.key, b.key, sign)),
    ...keyed.filter(({ key }) => isAbsent(key)),
  ].map(({ row }) => row);
};
