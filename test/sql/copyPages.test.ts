/** The pages of a copy: many small rows at once, and few large ones. */
import { expect, it } from "vitest";
import { Rows } from "../../adapters/sql/index.ts";

it("a page grows fourfold at most, up to 2,000 rows, and to about two million characters", () => {
  expect(Rows.nextPageRows(4, 4 * 300)).toBe(16);
  expect(Rows.nextPageRows(1_024, 1_024 * 300)).toBe(2_000);
  expect(Rows.nextPageRows(2_000, 2_000 * 4_000)).toBe(500);
  expect(Rows.nextPageRows(4, 4 * 3_000_000)).toBe(1);
});
