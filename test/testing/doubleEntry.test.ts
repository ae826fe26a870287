/** Two independent computations of the ledger agree: the fold of events into rows, and double entry in big integers. */
import { assert, describe, it } from "@effect/vitest";
import { type Arbitrary, array, constantFrom, assert as hold, integer, property, record } from "fast-check";
import { Commission, type Event, Ledger } from "quittance";
import { Build, DoubleEntry } from "quittance/testing";

type Entries = ReadonlyArray<Event.Entry<Commission.CommissionEvent>>;

interface Move {
  readonly move: "amount" | "reserve" | "release" | "pay" | "write off" | "reopen";
  readonly amount: number;
}

const moves: Arbitrary<ReadonlyArray<Move>> = array(
  record({
    move: constantFrom(
      "amount",
      "amount",
      "reserve",
      "reserve",
      "release",
      "pay",
      "pay",
      "write off",
      "reopen",
    ),
    amount: integer({ min: -5_000, max: 5_000 }),
  }),
  { maxLength: 30 },
);

/** The log of the moves, without those that the state does not allow. */
const logOf = (given: ReadonlyArray<Move>): Entries => {
  const log: Array<Entries[number]> = [];
  let view: Commission.View | null = null;
  let lastPaid: {
    readonly settlement_id: ReturnType<typeof Build.fresh.settlement>;
    readonly amount: number;
  } | null = null;
  const append = (event: Commission.CommissionEvent) => {
    const entry = { at: Build.EPOCH + log.length, actor: Build.ACTOR, event };
    view = Commission.evolve(view, entry);
    log.push(entry);
    return view;
  };
  let state = append({ type: "create_commission", amount: 1_000, formula_version: 1 });
  for (const { move, amount } of given) {
    const line = {
      settlement_id: state.openSettlementId ?? Build.fresh.settlement(),
      amount: state.pendingAmount,
    };
    const open = state.openSettlementId !== null;
    if (move === "amount")
      state = append({ type: "update_commission", amount, formula_version: 1, cause: "formula_updated" });
    else if (move === "reserve" && !open)
      state = append({ type: "reserve_commission", ...line, amount: Ledger.due(state) });
    else if (move === "release" && open)
      state = append({ type: "release_commission", ...line, cause: "draft_cancelled" });
    else if (move === "pay" && open) {
      state = append({ type: "settle_commission", ...line, kind: "paid" });
      lastPaid = line;
    } else if (move === "write off" && open)
      state = append({ type: "settle_commission", ...line, kind: "written_off" });
    else if (move === "reopen" && !open && lastPaid !== null) {
      state = append({ type: "reopen_commission", ...lastPaid });
      lastPaid = null;
    }
  }
  return log;
};

describe("double entry", () => {
  it("has the same quantities as the fold for every log", () => {
    hold(
      property(moves, (given) => {
        let view: Commission.View | null = null;
        const log = logOf(given);
        for (const [index, { now }] of DoubleEntry.steps(log).entries()) {
          const entry = log[index];
          if (entry === undefined) throw new Error("a step for each entry");
          view = Commission.evolve(view, entry);
          assert.deepStrictEqual(
            [
              now.computed,
              now.paid,
              now.paidNegative,
              now.writtenOffPositive,
              now.writtenOffNegative,
              now.pending,
              now.settledLines,
              now.openLines,
            ],
            [
              BigInt(view.computedAmount ?? 0),
              BigInt(view.paidAmount),
              BigInt(view.paidNegative),
              BigInt(view.writtenOffPositive),
              BigInt(view.writtenOffNegative),
              BigInt(view.pendingAmount),
              view.settledLineCount,
              view.openSettlementId === null ? 0 : 1,
            ],
          );
          assert.strictEqual(DoubleEntry.settledAmount(now), BigInt(Ledger.settledAmount(view)));
          assert.strictEqual(DoubleEntry.due(now), BigInt(Ledger.due(view)));
        }
      }),
      { numRuns: 2_000 },
    );
  });

  it("balances after every event; the accrued amount is what is due and not reserved", () => {
    hold(
      property(moves, (given) => {
        for (const { now, balances } of DoubleEntry.steps(logOf(given))) {
          assert.strictEqual(
            Object.values(balances).reduce((total, balance) => total + balance, 0n),
            0n,
          );
          assert.strictEqual(balances.accrued, DoubleEntry.due(now) - now.pending);
          assert.strictEqual(balances.reserved, now.pending);
          assert.strictEqual(balances.cash, now.paid);
        }
      }),
      { numRuns: 2_000 },
    );
  });

  it("has the expected postings of a write-off and of a clawback", () => {
    const told = (computed: bigint, paid: bigint, writtenOffPositive: bigint, writtenOffNegative: bigint) => {
      const lines = { pending: 0n, paidNegative: 0n, openLines: 0, settledLines: 1, receipt: null };
      const quantities = { computed, paid, writtenOffPositive, writtenOffNegative, ...lines };
      return [DoubleEntry.settledAmount(quantities), DoubleEntry.due(quantities)];
    };
    assert.deepStrictEqual(told(0n, 1000n, 0n, 0n), [1000n, -1000n]);
    assert.deepStrictEqual(told(0n, 1000n, 0n, -1000n), [0n, 0n]);
    assert.deepStrictEqual(told(300n, 1000n, 0n, -1000n), [300n, 0n]);
    assert.deepStrictEqual(told(0n, 0n, 1000n, 0n), [0n, 0n]);
    assert.deepStrictEqual(told(1500n, 0n, 1000n, 0n), [1000n, 500n]);
    assert.deepStrictEqual(told(-1000n, 0n, 1000n, -1000n), [-1000n, 0n]);
    assert.deepStrictEqual(told(1200n, 0n, 1000n, -1000n), [1000n, 200n]);
  });
});
