/** What an approver is asked to look at twice. */
import { expect, it } from "vitest";
import type { Partner, Settlement } from "../../adapters/console/api/Records.ts";
import { earlierOf, remarksOn } from "../../adapters/console/settling/Remarks.ts";

const settlement = (total: number, more: Partial<Settlement> = {}): Settlement =>
  ({
    ...{ id: crypto.randomUUID(), partnerId: "p", currency: "EUR", total, stale: false },
    ...{ status: { type: "paid" }, createdAt: "2026-10-01T00:00:00Z" },
    ...more,
  }) as Settlement;

const draft = (total: number, more: Partial<Settlement> = {}): Settlement =>
  settlement(total, { status: { type: "draft" } as Settlement["status"], ...more });

const partner = { payoutProblem: null } as Partner;

it("compares with approved settlements of the same partner and currency alone, the latest first", () => {
  const old = settlement(1, { createdAt: "2026-01-01T00:00:00Z" });
  const late = settlement(2);
  const others = [
    settlement(3, { partnerId: "q" }),
    settlement(4, { currency: "USD" }),
    draft(5),
    settlement(6, { status: { type: "cancelled" } as Settlement["status"] }),
  ];
  expect(earlierOf(draft(9), [...others, old, late])).toEqual([late, old]);
});

it("names the first settlement, more than three times the usual, what blocks a payment, and what is owed", () => {
  const usual = [settlement(10_000), settlement(12_000), settlement(500_000)];
  expect(remarksOn(draft(36_000), partner, usual)).toEqual([]);
  expect(remarksOn(draft(36_001), partner, usual)).toEqual([
    expect.stringMatching(/^3 times the usual €120\.00$/),
  ]);
  expect(remarksOn(draft(500_000), partner, usual)).toEqual(["41.6 times the usual €120.00"]);
  expect(remarksOn(draft(5), partner, [])).toEqual(["First settlement in EUR"]);
  expect(remarksOn(draft(-5, { stale: true }), { payoutProblem: "no IBAN" } as Partner, usual)).toEqual([
    "The partner owes this amount",
    "Cannot be paid yet: no IBAN",
    "An amount has changed since the draft",
  ]);
});

it("names an account that has changed after the latest settlement, with both days", () => {
  const earlier = [settlement(100, { createdAt: "2026-10-01T08:00:00Z" })];
  expect(remarksOn(draft(100), partner, earlier, "2026-09-30T08:00:00Z")).toEqual([]);
  expect(remarksOn(draft(100), partner, [], "2026-09-30T08:00:00Z")).toEqual(["First settlement in EUR"]);
  expect(remarksOn(draft(100), partner, earlier, "2026-11-03T08:00:00Z")).toEqual([
    expect.stringMatching(/^Account changed on .*2026, after the settlement of .*2026$/),
  ]);
});
