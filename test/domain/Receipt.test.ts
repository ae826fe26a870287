import { describe, expect, it } from "@effect/vitest";
import { Either, Schema } from "effect";
import fc from "fast-check";
import { Commission, Ledger, Receipt } from "quittance";

const LARGEST = Number.MAX_SAFE_INTEGER;
const amount = fc.oneof(fc.integer({ min: -1_000, max: 1_000 }), fc.integer({ min: -LARGEST, max: LARGEST }));
/** Whole numbers, cents, and numbers of every size that a statement may have. */
const number = fc.oneof(
  fc.integer({ min: 0, max: 1_200 }),
  fc.integer({ min: 0, max: 100_000 }).map((cents) => cents / 100),
  fc.double({ min: 1e-9, max: 1e15, noNaN: true }),
);
const whole = number.filter((value) => value > 0);
const paid = fc.record({ received: number, of: whole });

const released = (computedAmount: number, receipt: Receipt.Paid): number =>
  computedAmount - Receipt.waitingOf(computedAmount, receipt);

describe("what is released of an amount", () => {
  it.each([
    [1_000, 500, 1_000, 500],
    [1_000, 1, 3, 333],
    [1_000, 2, 3, 666],
    [1, 999, 1_000, 0],
    [3, 0.1, 0.3, 1],
    [1_000, 1_200, 1_000, 1_000],
    [1_000, 0, 1_000, 0],
    [-1_000, 0, 1_000, -1_000],
    [0, 0, 1, 0],
    [LARGEST, 1, 2, (LARGEST - 1) / 2],
  ])("%i with %f of %f is %i", (of, received, all, expected) => {
    expect(released(of, { received, of: all })).toBe(expected);
  });

  it("is nothing before anything was stated, except of corrections", () => {
    fc.assert(fc.property(amount, (of) => released(of, Receipt.NOTHING_STATED) === Math.min(0, of)));
  });

  it("never exceeds a positive amount, and is never negative then", () => {
    fc.assert(
      fc.property(amount.map(Math.abs), paid, (of, receipt) => {
        expect(released(of, receipt)).toBeLessThanOrEqual(of);
        expect(released(of, receipt)).toBeGreaterThanOrEqual(0);
      }),
    );
  });

  it("grows with what the buyer has paid", () => {
    fc.assert(
      fc.property(amount, number, number, whole, (of, one, other, all) => {
        const [less, more] = [Math.min(one, other), Math.max(one, other)];
        expect(released(of, { received: less, of: all })).toBeLessThanOrEqual(
          released(of, { received: more, of: all }),
        );
      }),
    );
  });

  it("is the exact part rounded down", () => {
    const unit = fc.integer({ min: 0, max: 10_000 });
    fc.assert(
      fc.property(amount.map(Math.abs), unit, unit, (of, received, more) => {
        const all = received + more + 1;
        const exact = (BigInt(of) * BigInt(received)) / BigInt(all);
        // Scaled by the same decimals, the part is the same.
        expect(released(of, { received: received / 100, of: all / 100 })).toBe(Number(exact));
        expect(released(of, { received, of: all })).toBe(Number(exact));
      }),
    );
  });
});

const at = 1_000;
const entry = (event: Commission.CommissionEvent) => ({ at, actor: "a", event });

/** A random history of one commission: amounts, receipts, and lines that are paid, returned or written off. */
const step = fc.oneof(
  fc.record({ type: fc.constant("amount" as const), amount: fc.integer({ min: -500, max: 500 }) }),
  fc.record({ type: fc.constant("receipt" as const), paid }),
  fc.record({
    type: fc.constant("settle" as const),
    kind: fc.constantFrom("paid" as const, "written_off" as const),
  }),
);

/** The state after a history under a release; `full` replaces every receipt by one of all. */
const play = (
  history: ReadonlyArray<typeof step extends fc.Arbitrary<infer Step> ? Step : never>,
  release: "on_receipt" | null,
  full = false,
): Commission.View => {
  const computed = (value: number): Commission.Outcome =>
    Either.right({ amount: value, formulaVersion: 1, parametersVersion: null });
  const stated = full ? { received: 1, of: 1, receivedAt: at } : null;
  const fold = (events: ReadonlyArray<Commission.CommissionEvent>, from: Commission.View | null) =>
    events.reduce<Commission.View | null>((state, event) => Commission.evolve(state, entry(event)), from);
  const begun = { receipt: stated, settledElsewhere: null };
  let state = fold(Commission.begin(computed(100), { release }, begun), null) as Commission.View;
  for (const one of history) {
    if (one.type === "amount")
      state = fold(
        Commission.revise(state, computed(one.amount), "formula_updated"),
        state,
      ) as Commission.View;
    else if (one.type === "receipt" && !full)
      state = fold(
        Either.getOrThrow(Commission.updateReceived(state, { received: one.paid.received, of: one.paid.of })),
        state,
      ) as Commission.View;
    else if (one.type === "settle") {
      const line = { settlement_id: "s" as never, amount: Ledger.due(state) };
      state = fold(
        [
          { type: "reserve_commission", ...line },
          { type: "settle_commission", ...line, kind: one.kind },
        ],
        state,
      ) as Commission.View;
    }
  }
  return state;
};

const figures = (state: Commission.View) => ({
  settled: Ledger.settledAmount(state),
  due: Ledger.due(state),
  waiting: state.waitingAmount ?? 0,
  status: Ledger.settlementStatus(state),
  computed: state.computedAmount,
});

describe("a commission that waits for its buyer", () => {
  const histories = fc.array(step, { maxLength: 20 });

  it("is settled, due or waits, always", () => {
    fc.assert(
      fc.property(histories, (history) => {
        const { settled, due, waiting, computed } = figures(play(history, "on_receipt"));
        expect(settled + due + waiting).toBe(computed);
      }),
      { numRuns: 2_000 },
    );
  });

  it("has the figures of one that is released at once, where every buyer has paid", () => {
    fc.assert(
      fc.property(histories, (history) => {
        expect(figures(play(history, "on_receipt", true))).toEqual(figures(play(history, null)));
      }),
      { numRuns: 2_000 },
    );
  });

  it("waits for nothing once its sale is cancelled, whatever was received", () => {
    fc.assert(
      fc.property(histories, (history) => {
        const state = play([...history, { type: "amount", amount: 0 }], "on_receipt");
        expect([Ledger.releasedAmount(state), state.waitingAmount]).toEqual([0, 0]);
      }),
    );
  });

  it("has no event of a receipt that states the same again, and none where it does not wait", () => {
    const same = { received: 1, of: 2 };
    const waiting = play([{ type: "receipt", paid: same }], "on_receipt");
    expect(Commission.updateReceived(waiting, same)).toEqual(Either.right([]));
    expect(Commission.updateReceived(play([], null), same)).toEqual(Either.right([]));
  });

  it("refuses a receipt by which more than the largest amount would be due", () => {
    const state: Commission.View = {
      ...play([], "on_receipt"),
      computedAmount: LARGEST,
      waitingAmount: LARGEST,
      paidAmount: -LARGEST,
      paidNegative: -LARGEST,
    };
    expect(Either.isLeft(Commission.updateReceived(state, { received: 1, of: 1 }))).toBe(true);
    expect(
      Either.isRight(
        Commission.updateReceived({ ...state, paidNegative: 0, paidAmount: 0 }, { received: 1, of: 1 }),
      ),
    ).toBe(true);
  });
});

describe("a statement", () => {
  const last: Receipt.Receipt = { received: 5, of: 10, receivedAt: 100 };

  it("replaces the one before, unless it is the same or of an earlier moment", () => {
    expect(Receipt.state(null, { received: 0, of: 1 })).toHaveLength(1);
    expect(Receipt.state(last, { received: 5, of: 10 })).toEqual([]);
    expect(Receipt.state(last, { received: 5, of: 10, receivedAt: 100 })).toEqual([]);
    expect(Receipt.state(last, { received: 5, of: 10, receivedAt: 101 })).toHaveLength(1);
    expect(Receipt.state(last, { received: 6, of: 10, receivedAt: 99 })).toEqual([]);
    expect(Receipt.state(last, { received: 4, of: 10 })).toHaveLength(1);
  });

  it("names the field that is wrong", () => {
    const problem = (value: object): string =>
      Either.match(Schema.decodeUnknownEither(Receipt.State, { onExcessProperty: "error" })(value), {
        onLeft: String,
        onRight: () => "none",
      });
    expect(problem({ received: 0, of: 0.5 })).toBe("none");
    for (const [value, field] of [
      [{ received: -1, of: 1 }, "received"],
      [{ received: 1, of: 0 }, "of"],
      [{ received: "1", of: 1 }, "received"],
      [{ received: 1, of: Number.NaN }, "of"],
      [{ received: 2e15, of: 1 }, "received"],
      [{ received: 1, of: 1, received_at: "soon" }, "received_at"],
      [{ received: 1, of: 1, unit: "EUR" }, "unit"],
    ] as const)
      expect(problem(value)).toContain(`"${field}"`);
  });

  it("is of a moment at most 5 minutes ahead of the clock", () => {
    expect(Either.isRight(Receipt.checkDate({ receivedAt: 300_000 }, 0))).toBe(true);
    expect(Either.isLeft(Receipt.checkDate({ receivedAt: 300_001 }, 0))).toBe(true);
  });
});
