/** How what is due adds up to what a run drafts, and why a run leaves amounts out. */
import { describe, expect, it } from "vitest";
import type { Finding, Terms } from "../../adapters/console/api/Records.ts";
import { overdueDays } from "../../adapters/console/format/Dates.ts";
import { partsOf, sumParts } from "../../adapters/console/settling/Reconciliation.ts";
import { reasonsOf } from "../../adapters/console/settling/RunReasons.tsx";

const finding = (more: Partial<Finding>): Finding => ({
  ...{ partnerId: "a", currency: "EUR", reason: null, total: 0, lineCount: 0 },
  ...{ onHoldCount: 0, onHoldAmount: 0, notComputableCount: 0, notAcceptedCount: 0, notAcceptedAmount: 0 },
  ...{ inOpenSettlementCount: 0, ...more },
});

const balance = (partnerId: string, due: bigint, pending: bigint, currency = "EUR") => ({
  ...{ partnerId, currency, due, pending },
});

describe("what is due and in no settlement", () => {
  it("is in drafts, left out, or a change to sales in settlements", () => {
    const parts = partsOf(
      [
        finding({
          total: 10_000,
          onHoldCount: 1,
          onHoldAmount: 500,
          notAcceptedCount: 1,
          notAcceptedAmount: 40,
        }),
        finding({ partnerId: "b", reason: "below_minimum", total: 700 }),
        finding({ partnerId: "c", currency: null, reason: "nothing_due" }),
      ],
      // A sale of 2,526 was returned after it was drafted, and one of c that was all that c has in a settlement.
      [
        balance("a", 12_014n, 4_000n),
        balance("b", 700n, 0n),
        balance("c", 0n, 300n),
        balance("c", 5n, 5n, "SEK"),
      ],
    );
    expect(parts).toEqual([
      { partnerId: "a", currency: "EUR", drafted: 10_000n, leftOut: 540n, changed: -2_526n, due: 8_014n },
      { partnerId: "b", currency: "EUR", drafted: 0n, leftOut: 700n, changed: 0n, due: 700n },
      { partnerId: "c", currency: "EUR", drafted: 0n, leftOut: 0n, changed: -300n, due: -300n },
    ]);
    expect(sumParts(parts)).toEqual([
      { currency: "EUR", drafted: 10_000n, leftOut: 1_240n, changed: -2_826n, due: 8_414n },
    ]);
  });

  it("has no known parts where a run states no amount, and still its sum", () => {
    for (const unknown of [{ total: null }, { onHoldAmount: null }, { notComputableCount: 1 }]) {
      const parts = partsOf(
        [
          finding({ reason: "not_computable", lineCount: 3, ...unknown }),
          finding({ partnerId: "b", total: 5 }),
        ],
        [balance("a", 900n, 0n), balance("b", 5n, 0n)],
      );
      expect(sumParts(parts)).toEqual([
        { currency: "EUR", drafted: 5n, leftOut: null, changed: null, due: 905n },
      ]);
    }
  });
});

describe("why runs leave an amount out", () => {
  const terms = { holdDays: 7, minimum: { EUR: 15_000 } } as unknown as Terms;

  it("is said with the minimum, and with the days that a sale waits", () => {
    const found = finding({ reason: "below_minimum", total: 6_826, onHoldCount: 1, onHoldAmount: 1_424 });
    expect(reasonsOf(found, terms)).toEqual([
      "Runs leave out €68.26: it is below the minimum of €150.00.",
      "Runs leave out 1 sale (€14.24): sales may be settled 7 days after their date.",
    ]);
  });

  it("is not said of what a run drafts", () => {
    expect(reasonsOf(finding({ total: 20_000 }), terms)).toEqual([]);
    expect(reasonsOf(finding({ currency: null, reason: "nothing_due" }), terms)).toEqual([]);
  });
});

it("counts the days that a date is past, from the day after it", () => {
  expect(
    ["2026-11-17", "2026-11-29", "2026-11-30", "2026-12-03"].map((date) => overdueDays(date, "2026-11-30")),
  ).toEqual([13, 1, 0, 0]);
});
