import { Either } from "effect";
import { Currency, RecreditRun, Refusal } from "quittance";
import { Build } from "quittance/testing";
import { describe, expect, it } from "vitest";

const { EPOCH, DAY, fresh } = Build;

const found = (more: Partial<RecreditRun.Found> = {}): RecreditRun.Found => ({
  ...{ outcome: "changed", problem: null, credits: [], commissions: [], changesLaterSales: false },
  ...more,
});

const credit = (shareBefore: string | null, shareAfter: string | null) => ({
  ...{ partnerId: fresh.partner(), role: "manager", depth: 1 },
  ...{ shareBefore, shareAfter },
});

const earning = (currency: string, amountBefore: number | null, amountAfter: number | null) => ({
  ...{
    partnerId: fresh.partner(),
    role: "manager",
    depth: 1,
    formulaId: fresh.formula(),
    currency: Currency.Currency.make(currency),
  },
  ...{ amountBefore, amountAfter, dueBefore: 0, dueAfter: 0, computationError: null },
});

describe("the span of a recredit run", () => {
  it("holds some time", () => {
    expect(Either.isRight(RecreditRun.checkStart({ from: EPOCH, to: EPOCH + 1 }))).toBe(true);
    expect(RecreditRun.checkStart({ from: EPOCH, to: EPOCH })).toEqual(
      Either.left(Refusal.invalid("to", "must be after from")),
    );
  });

  it("is done up to the last sale, and at its end altogether", () => {
    const span = { from: EPOCH, to: EPOCH + DAY, state: "running", after: null } as const;
    expect(RecreditRun.reached(span)).toBe(EPOCH);
    const after = { occurredAt: EPOCH + 5, id: fresh.attribution() };
    expect(RecreditRun.reached({ ...span, after })).toBe(EPOCH + 5);
    expect(RecreditRun.reached({ ...span, after, state: "done" })).toBe(EPOCH + DAY);
  });
});

describe("the counts of a recredit run", () => {
  it("count every sale once, changed credits by what was lost and added, and amounts by currency", () => {
    const sales = [
      null,
      found({
        credits: [credit("1", null), credit(null, "1"), credit("0.5", "1")],
        commissions: [earning("EUR", 100, null), earning("EUR", null, 30), earning("DKK", 5, 7)],
      }),
      found({ commissions: [earning("EUR", 1, 2)] }),
      found({ outcome: "attribution_cancelled" }),
      found({ outcome: "too_many_credits" }),
      found({ outcome: "failed" }),
    ];
    const counts = sales.reduce<RecreditRun.Counts>(RecreditRun.countSale, RecreditRun.NOTHING_DONE);
    expect(counts).toMatchObject({
      ...{ salesDone: 6, changedCount: 2, cancelledCount: 1, tooManyCreditsCount: 1, failedCount: 1 },
      ...{ creditsAdded: 2, creditsCancelled: 2 },
    });
    expect(RecreditRun.totalsOf(counts)).toEqual([
      { currency: "DKK", amountBefore: 5n, amountAfter: 7n },
      { currency: "EUR", amountBefore: 101n, amountAfter: 32n },
    ]);
  });

  it("add amounts exactly beyond the numbers that a double holds", () => {
    const largest = Number.MAX_SAFE_INTEGER;
    const twice = [1, 2].map(() => found({ commissions: [earning("EUR", largest, largest)] }));
    const counts = twice.reduce<RecreditRun.Counts>(RecreditRun.countSale, RecreditRun.NOTHING_DONE);
    expect(RecreditRun.totalsOf(counts)).toEqual([
      { currency: "EUR", amountBefore: 2n * BigInt(largest), amountAfter: 2n * BigInt(largest) },
    ]);
  });
});

describe("a sale that is left as it is", () => {
  it.each([
    [Refusal.conflict("attribution_cancelled", "it is cancelled"), "attribution_cancelled"],
    [Refusal.invalid("credits", "must be at most 100"), "too_many_credits"],
    [Refusal.conflict("formula_busy" as never, "busy"), "failed"],
  ] as const)("has the reason of the refusal", (refusal, outcome) => {
    expect(RecreditRun.leftAsItIs(refusal)).toEqual(found({ outcome, problem: refusal.message }));
  });
});

describe("the result of a sale", () => {
  it("has one id in a run", () => {
    const [run, other, sale] = [fresh.recreditRun(), fresh.recreditRun(), fresh.attribution()];
    expect(RecreditRun.resultId(run, sale)).toBe(RecreditRun.resultId(run, sale));
    expect(RecreditRun.resultId(other, sale)).not.toBe(RecreditRun.resultId(run, sale));
  });
});
