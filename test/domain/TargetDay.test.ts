import { Currency, TargetDay } from "quittance";
import { describe, expect, it } from "vitest";

describe("a business day of euro payments", () => {
  it.each([
    ["2026-11-20", true],
    ["2026-11-21", false],
    ["2026-11-22", false],
    ["2026-01-01", false],
    ["2026-05-01", false],
    ["2026-12-24", true],
    ["2026-12-25", false],
    ["2027-12-26", false],
    ["2028-12-26", false],
    // Good Friday and Easter Monday, as the European Central Bank publishes them.
    ["2024-03-29", false],
    ["2024-04-01", false],
    ["2025-04-18", false],
    ["2025-04-21", false],
    ["2026-04-03", false],
    ["2026-04-06", false],
    ["2027-03-26", false],
    ["2027-03-29", false],
    ["2038-04-23", false],
    ["2038-04-26", false],
    ["2026-04-02", true],
    ["2026-04-07", true],
  ])("%s: %s", (date, expected) => expect(TargetDay.isTargetDay(date)).toBe(expected));

  it.each([
    ["2026-11-20", "2026-11-23"],
    ["2026-11-22", "2026-11-23"],
    ["2026-11-23", "2026-11-24"],
    ["2026-04-02", "2026-04-07"],
    ["2026-12-24", "2026-12-28"],
    ["2026-12-31", "2027-01-04"],
  ])("the next after %s is %s", (date, next) =>
    expect(TargetDay.nextBusinessDay(Currency.Currency.make("EUR"), date)).toBe(next),
  );

  it.each([
    ["2026-11-23", 1, "2026-11-20"],
    ["2026-11-22", 1, "2026-11-20"],
    ["2026-04-07", 1, "2026-04-02"],
    ["2026-04-08", 2, "2026-04-02"],
    ["2027-01-04", 5, "2026-12-24"],
  ])("%s has, %i before it, %s", (date, count, day) =>
    expect(TargetDay.targetDayBefore(date, count)).toBe(day),
  );
});
