import { Either, Schema } from "effect";
import { Calendar, Timestamp } from "quittance";
import { describe, expect, it } from "vitest";

describe("the buckets of a statistic", () => {
  it("are days, weeks or months", () => {
    const words = ["day", "week", "month", "year", ""];
    expect(words.map(Schema.is(Calendar.Granularity))).toEqual([true, true, true, false, false]);
  });

  const at = (text: string): number => Date.parse(text);
  const starts = (granularity: Calendar.Granularity, from: string, to: string) =>
    Either.map(Calendar.bucketStarts(granularity, at(from), at(to)), (list) => list.map(Timestamp.format));

  it("begin on Monday, whatever day the range begins on", () => {
    expect(starts("week", "2026-01-01T12:00:00Z", "2026-01-12T00:00:00Z")).toEqual(
      Either.right(["2025-12-29T00:00:00.000Z", "2026-01-05T00:00:00.000Z"]),
    );
    expect(starts("week", "2026-01-04T23:59:59.999Z", "2026-01-05T00:00:00Z")).toEqual(
      Either.right(["2025-12-29T00:00:00.000Z"]),
    );
  });

  it("follow months of every length and leap days", () => {
    expect(starts("month", "2024-01-31T00:00:00Z", "2024-03-01T00:00:00.001Z")).toEqual(
      Either.right(["2024-01-01T00:00:00.000Z", "2024-02-01T00:00:00.000Z", "2024-03-01T00:00:00.000Z"]),
    );
  });

  it("are at most a thousand, of a range that is not empty", () => {
    const thousand = Calendar.bucketStarts("day", 0, 1000 * 86_400_000);
    expect(Either.map(thousand, ({ length }) => length)).toEqual(Either.right(1000));
    const message = (granularity: Calendar.Granularity, from: number, to: number) =>
      Either.mapLeft(Calendar.bucketStarts(granularity, from, to), (refused) => refused.message);
    expect(message("day", 0, 1000 * 86_400_000 + 1)).toEqual(
      Either.left("granularity: from and to span more than 1000 buckets"),
    );
    expect(message("day", 5, 5)).toEqual(Either.left("to: must be after from"));
    expect(message("day", 6, 5)).toEqual(Either.left("to: must be after from"));
    expect(message("day", 5, 6)).toEqual(Either.right([0]));
  });

  it("begin at midnight UTC, for days before 1970 as well", () => {
    expect(starts("day", "1969-12-31T23:59:59.999Z", "1970-01-02T00:00:00Z")).toEqual(
      Either.right(["1969-12-31T00:00:00.000Z", "1970-01-01T00:00:00.000Z"]),
    );
    expect(Calendar.startOf("day", at("2026-01-31T23:59:59.999Z"))).toBe(at("2026-01-31T00:00:00Z"));
    expect(Calendar.startOf("month", at("2026-01-31T23:59:59.999Z"))).toBe(at("2026-01-01T00:00:00Z"));
    for (let day = 5; day <= 11; day++) {
      const moment = at(`2026-01-${String(day).padStart(2, "0")}T12:00:00Z`);
      expect(Calendar.startOf("week", moment)).toBe(at("2026-01-05T00:00:00Z"));
    }
  });
});
