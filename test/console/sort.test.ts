/** The order of rows by a column. */
import { describe, expect, it } from "vitest";
import { amountKey, type SortKey, sortRows, timeKey } from "../../adapters/console/data/Sort.ts";

const sorted = <Key extends SortKey>(keys: ReadonlyArray<Key>, isAscending = true): ReadonlyArray<Key> =>
  sortRows(keys, (key) => key, isAscending);

describe("rows", () => {
  it("follow text as the reader's language orders it, and numbers in it by their value", () => {
    expect(sorted(["zebra", "Ärger", "apfel", "Order 10", "Order 9"])).toEqual([
      "apfel",
      "Ärger",
      "Order 9",
      "Order 10",
      "zebra",
    ]);
  });

  it("follow times as moments, however they are written", () => {
    const [utc, noon, day] = ["2026-03-01T10:00:00Z", "2026-03-01T12:30:00+02:00", "2026-02-28"];
    expect(sortRows([noon, utc, day], timeKey, true)).toEqual([day, utc, noon]);
  });

  it("follow amounts within their currency, exactly", () => {
    const keys = [
      amountKey(9_007_199_254_740_992n, "EUR"),
      amountKey(5, "SEK"),
      amountKey(9_007_199_254_740_993n, "EUR"),
      amountKey(-7, "EUR"),
      amountKey(900, "CHF"),
    ];
    const order = (isAscending: boolean) =>
      sorted(keys, isAscending).map((key) =>
        Array.isArray(key) ? `${key[0].amount} ${key[0].currency}` : key,
      );
    expect(order(true)).toEqual([
      "900 CHF",
      "-7 EUR",
      "9007199254740992 EUR",
      "9007199254740993 EUR",
      "5 SEK",
    ]);
    expect(order(false)).toEqual([
      "900 CHF",
      "9007199254740993 EUR",
      "9007199254740992 EUR",
      "-7 EUR",
      "5 SEK",
    ]);
  });

  it("without a value come last in both directions, and 0 is a value", () => {
    expect(sorted([null, 3, 0, null, 7])).toEqual([0, 3, 7, null, null]);
    expect(sorted([null, 3, 0, null, 7], false)).toEqual([7, 3, 0, null, null]);
    expect(sorted<SortKey>([[], amountKey(0, "EUR"), ""], false)).toEqual([amountKey(0, "EUR"), [], ""]);
  });

  it("of the same value stay in the order that they have", () => {
    const rows = ["a1", "b2", "c1", "d2"];
    const byNumber = (row: string): number => Number(row.slice(1));
    expect(sortRows(rows, byNumber, true)).toEqual(["a1", "c1", "b2", "d2"]);
    expect(sortRows(rows, byNumber, false)).toEqual(["b2", "d2", "a1", "c1"]);
  });
});
