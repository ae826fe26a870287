import { expect, it } from "@effect/vitest";
import fc from "fast-check";
import { describe } from "vitest";
import * as Pagination from "../../adapters/pdf/Pagination.ts";

const measures = fc.record({
  rowCount: fc.integer({ min: 0, max: 2_000 }),
  rowHeight: fc.constant(15),
  firstHeight: fc.integer({ min: -200, max: 700 }),
  laterHeight: fc.constant(710),
  closingHeight: fc.integer({ min: 40, max: 600 }),
});

const height = ({ firstHeight, laterHeight }: Pagination.Measures, page: number): number =>
  page === 0 ? firstHeight : laterHeight;

describe("pages", () => {
  it("hold every row, no more than fit, and the closing with the last rows", () => {
    fc.assert(
      fc.property(measures, (given) => {
        const counts = Pagination.pages(given);
        const last = counts.at(-1) ?? 0;
        expect(counts.reduce((sum, count) => sum + count, 0)).toBe(given.rowCount);
        counts.forEach((count, page) => {
          expect(count * given.rowHeight).toBeLessThanOrEqual(Math.max(0, height(given, page)));
          if (page > 0 && page < counts.length - 1) expect(count).toBeGreaterThan(0);
        });
        expect(last * given.rowHeight + given.closingHeight).toBeLessThanOrEqual(
          height(given, counts.length - 1),
        );
        expect(last).toBeGreaterThanOrEqual(Math.min(3, given.rowCount));
      }),
    );
  });

  it("are finite even when the closing is higher than a page", () => {
    const counts = Pagination.pages({
      rowCount: 10,
      rowHeight: 15,
      firstHeight: 400,
      laterHeight: 710,
      closingHeight: 900,
    });
    expect(counts).toEqual([7, 3, 0]);
  });
});
