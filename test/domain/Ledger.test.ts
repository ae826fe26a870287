import * as fc from "fast-check";
import { Ledger, Limits } from "quittance";
import { describe, expect, it } from "vitest";

const { due, settledAmount, settlementStatus } = Ledger;

/** story, A, P, W⁺, W⁻, S, D */
const STORIES: ReadonlyArray<readonly [string, number | null, number, number, number, number, number]> = [
  ["not computed", null, 0, 0, 0, 0, 0],
  ["computed", 1000, 0, 0, 0, 0, 1000],
  ["paid", 1000, 1000, 0, 0, 1000, 0],
  ["paid, then the attribution is cancelled: a clawback", 0, 1000, 0, 0, 1000, -1000],
  ["the clawback is settled", 0, 0, 0, 0, 0, 0],
  ["the clawback is written off", 0, 1000, 0, -1000, 0, 0],
  ["written off, then worth 300 again: the partner keeps what it has", 300, 1000, 0, -1000, 300, 0],
  ["unpaid, written off", 1000, 0, 1000, 0, 1000, 0],
  ["written off unpaid, then cancelled: no claim on money never paid", 0, 0, 1000, 0, 0, 0],
  ["written off unpaid, then raised: the rise is due", 1500, 0, 1000, 0, 1000, 500],
  ["written off unpaid, then negative: that is due", -400, 0, 1000, 0, 0, -400],
  ["and that written off too: both stand", -400, 0, 1000, -400, -400, 0],
  ["then worth the first amount again", 1000, 0, 1000, -400, 1000, 0],
  ["then more on either side", -600, 0, 1000, -400, -400, -200],
];

describe("what is settled and what is due", () => {
  it.each(STORIES)(
    "%s",
    (_story, computedAmount, paidAmount, writtenOffPositive, writtenOffNegative, expectedSettled, expectedDue) => {
      const quantities = {
        computedAmount,
        waitingAmount: null,
        paidAmount,
        writtenOffPositive,
        writtenOffNegative,
      };
      expect(settledAmount(quantities)).toBe(expectedSettled);
      expect(due(quantities)).toBe(expectedDue);
    },
  );

  const amount = fc.integer({ min: -1_000_000, max: 1_000_000 });
  const quantities = fc.record({
    computedAmount: amount,
    waitingAmount: fc.constant(null),
    paidAmount: amount,
    writtenOffPositive: amount.map((value) => Math.abs(value)),
    writtenOffNegative: amount.map((value) => -Math.abs(value)),
  });

  it("always adds up to what is earned", () => {
    fc.assert(fc.property(quantities, (q) => settledAmount(q) + due(q) === q.computedAmount));
  });

  it("makes at most the unpaid earnings due, and claims back no more than was paid", () => {
    fc.assert(
      fc.property(quantities, (q) => {
        expect(due(q)).toBeLessThanOrEqual(Math.max(q.computedAmount - q.paidAmount, 0));
        if (q.computedAmount >= 0) expect(due(q)).toBeGreaterThanOrEqual(-Math.max(q.paidAmount, 0));
      }),
    );
  });

  it("leaves nothing due after a line is paid", () => {
    fc.assert(fc.property(quantities, (q) => due({ ...q, paidAmount: q.paidAmount + due(q) }) === 0));
  });

  it("leaves nothing due after a line is written off, whatever was written off before", () => {
    fc.assert(
      fc.property(quantities, (q) => {
        const line = due(q);
        const writtenOffPositive = q.writtenOffPositive + Math.max(0, line);
        const writtenOffNegative = q.writtenOffNegative + Math.min(0, line);
        expect(due({ ...q, writtenOffPositive, writtenOffNegative })).toBe(0);
      }),
    );
  });
});

describe("the settlement status", () => {
  const base = {
    computedAmount: 10,
    waitingAmount: null,
    paidAmount: 0,
    writtenOffPositive: 0,
    writtenOffNegative: 0,
    openSettlementId: null,
    settledLineCount: 0,
  };

  it.each([
    ["a new commission", {}, "unsettled"],
    ["a commission worth nothing", { computedAmount: 0 }, "unsettled"],
    ["one in an open settlement", { openSettlementId: "s" }, "pending_settlement"],
    [
      "one in an open settlement that was paid before",
      { paidAmount: 10, settledLineCount: 1, openSettlementId: "s" },
      "pending_settlement",
    ],
    ["a paid one", { paidAmount: 10, settledLineCount: 1 }, "settled"],
    ["a zero line that was paid", { computedAmount: 0, settledLineCount: 1 }, "settled"],
    [
      "a paid one that is worth more now",
      { computedAmount: 12, paidAmount: 10, settledLineCount: 1 },
      "unsettled",
    ],
    ["a paid one of which more waits", { paidAmount: 5, waitingAmount: 5, settledLineCount: 1 }, "unsettled"],
    ["one whose buyer has paid", { paidAmount: 10, waitingAmount: 0, settledLineCount: 1 }, "settled"],
    [
      "one that owes as much as waits",
      { paidAmount: 10, waitingAmount: 5, settledLineCount: 1 },
      "unsettled",
    ],
    ["one that was never computed", { computedAmount: null, settledLineCount: 1 }, "unsettled"],
  ] as const)("of %s", (_story, changes, expected) => {
    expect(settlementStatus({ ...base, ...changes })).toBe(expected);
  });
});

describe("the range of a commission", () => {
  const MAX = Limits.MAX_AMOUNT;
  const none = { paidAmount: 0, paidNegative: 0, pendingAmount: 0 };

  it("is the largest amount in either direction while nothing is settled", () => {
    expect(Ledger.staysInRange(MAX, none)).toBe(true);
    expect(Ledger.staysInRange(-MAX, none)).toBe(true);
  });

  it.each([
    ["a paid line", { ...none, paidAmount: 1 }, -MAX],
    ["a pending line", { ...none, pendingAmount: 1 }, -MAX],
    ["a paid clawback", { ...none, paidAmount: -1, paidNegative: -1 }, MAX],
    ["a pending clawback", { ...none, pendingAmount: -1 }, MAX],
    ["a paid line and its clawback", { ...none, paidNegative: -1 }, MAX],
    ["a paid line and its clawback, the other way", { ...none, paidNegative: -1 }, -MAX],
  ] as const)("leaves room for the return of %s", (_name, lines, amount) => {
    expect(Ledger.staysInRange(amount, lines)).toBe(false);
    expect(Ledger.staysInRange(amount - Math.sign(amount), lines)).toBe(true);
  });

  it("is not narrowed on the side where a line cannot return", () => {
    expect(Ledger.staysInRange(MAX, { ...none, paidAmount: 1 })).toBe(true);
    expect(Ledger.staysInRange(MAX, { ...none, pendingAmount: 1 })).toBe(true);
    expect(Ledger.staysInRange(-MAX, { ...none, pendingAmount: -1 })).toBe(true);
  });
});
