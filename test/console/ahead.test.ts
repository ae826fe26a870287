/** What the portal says of the next settlement: what comes in it, what waits, and what changed in settlements under way. */
import { describe, expect, it } from "vitest";
import { type DueCommission, outlookOf, partsOf } from "../../adapters/console/portal/Ahead.ts";

const commission = (id: string, dueAmount: number, failed = false, currency = "EUR"): DueCommission => ({
  ...{ id, dueAmount, currency },
  computationError: failed ? { code: "amount_out_of_range", message: "too large" } : null,
});

const balance = (due: number, pending: number, waiting = 0, currency = "EUR") => ({
  ...{ currency, due: BigInt(due), pending: BigInt(pending), waiting: BigInt(waiting) },
});

const SCHEDULE = {
  cadence: { type: "monthly", day: 1, timeZone: "Europe/Berlin" },
  nextRun: { label: "2026-12", at: "2026-11-30T23:00:00.000Z" },
  minimum: { EUR: 15_000 },
} as const;

describe("what no settlement has", () => {
  it("is what the next one takes, what is too recent, what cannot be computed, and what changed in others", () => {
    const commissions = [
      commission("old", 19_812),
      commission("recent", 35_823),
      commission("failed", 500, true),
      commission("other", 99, false, "SEK"),
    ];
    // A sale of 100.46 in a draft was cancelled: the draft still has its line.
    const parts = partsOf(balance(173_300, 127_211, 700), commissions, new Set(["recent"]));
    expect(parts).toEqual({
      ...{ currency: "EUR", next: 19_812n, recent: 35_823n, failed: 500n },
      ...{ changed: -10_046n, left: 46_089n, waiting: 700n },
    });
  });

  it("is one sum where its commissions are not known", () => {
    expect(partsOf(balance(900, 300), null, new Set())).toEqual({
      ...{ currency: "EUR", next: null, recent: 0n, failed: 0n, changed: 0n, left: 600n, waiting: 0n },
    });
  });
});

describe("the day of the next run", () => {
  const outlook = (
    amounts: ReadonlyArray<DueCommission> | null,
    due: number,
    schedule: Parameters<typeof outlookOf>[1] = SCHEDULE,
    partner: Parameters<typeof outlookOf>[0] = {},
  ) => outlookOf(partner, schedule, [partsOf(balance(due, 0), amounts, new Set(["recent"]))]);

  it("is promised only for what reaches the minimum by then", () => {
    expect(outlook([commission("old", 15_000)], 15_000)).toBe("settled");
    expect(outlook([commission("old", 14_999)], 14_999)).toBe("waits");
    expect(outlook([commission("old", 14_999), commission("recent", 500)], 15_499)).toBe("waits");
    expect(outlook([commission("recent", 90_000)], 90_000)).toBe("waits");
    expect(outlook([commission("failed", 90_000, true)], 90_000)).toBe("waits");
    expect(outlookOf({}, SCHEDULE, [])).toBe("nothing");
  });

  it("is not promised where what becomes of an amount is not known, and named neither by hand nor for a suspended partner", () => {
    expect(outlook(null, 90_000)).toBe("not_known");
    expect(outlook([commission("old", -500)], -500)).toBe("not_known");
    expect(outlook([commission("old", 90_000)], 90_000, { ...SCHEDULE, nextRun: null })).toBe("by_hand");
    expect(outlook([commission("old", 90_000)], 90_000, { ...SCHEDULE, cadence: "manual" })).toBe("by_hand");
    expect(outlook([commission("old", 90_000)], 90_000, SCHEDULE, { status: "suspended" })).toBe("suspended");
  });
});
