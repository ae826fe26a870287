import { Either } from "effect";
import * as fc from "fast-check";
import { Commission, Ledger } from "quittance";
import { expect, it } from "vitest";

const MAX = Number.MAX_SAFE_INTEGER;

const near = fc.integer({ min: -3, max: 3 });
const amount = fc.oneof(
  near,
  fc.tuple(fc.constantFrom(-1, -0.5, 0.5, 1), near).map(([part, more]) => {
    const value = Math.trunc(part * MAX) + more;
    return Math.max(-MAX, Math.min(MAX, value));
  }),
);
const move = fc.oneof(
  { weight: 3, arbitrary: fc.record({ type: fc.constant("compute" as const), amount }) },
  { weight: 4, arbitrary: fc.record({ type: fc.constantFrom("pay", "write_off", "release", "return") }) },
);

type Event = Parameters<typeof Commission.evolve>[1]["event"];
const settlement = (index: number) =>
  ({ settlement_id: `00000000-0000-7000-8000-${String(index).padStart(12, "0")}` }) as Extract<
    Event,
    { readonly type: "reserve_commission" }
  >;

/** One commission, and every line of it that was paid and not returned. */
class Life {
  view: Commission.View | null = null;
  paid: Array<Extract<Event, { readonly type: "reserve_commission" }>> = [];
  open: Extract<Event, { readonly type: "reserve_commission" }> | null = null;
  lines = 0;
  failures = 0;

  add(event: Event): void {
    this.view = Commission.evolve(this.view, { at: 0 as never, actor: "test", event });
  }

  compute(value: number): void {
    const outcome = Either.right({ amount: value, formulaVersion: 1 });
    for (const event of Commission.revise(this.view, outcome, "formula_updated")) {
      if (event.type === "fail_commission_computation") this.failures += 1;
      this.add(event);
    }
  }

  /** A line of what is due, if the commission may have one. */
  reserve(): void {
    if (this.open !== null || this.view === null || this.view.computationError !== null) return;
    this.open = { ...settlement(++this.lines), type: "reserve_commission", amount: Ledger.due(this.view) };
    this.add(this.open);
  }

  end(type: string): void {
    if (type === "return") {
      const returned = this.open === null ? this.paid.shift() : undefined;
      if (returned === undefined) return;
      this.open = returned;
      this.add({ ...returned, type: "reopen_commission" });
      return;
    }
    this.reserve();
    if (this.open === null) return;
    const line = this.open;
    this.open = null;
    if (type === "pay") this.paid.push(line);
    this.add(
      type === "release"
        ? { ...line, type: "release_commission", cause: "draft_cancelled" }
        : { ...line, type: "settle_commission", kind: type === "pay" ? "paid" : "written_off" },
    );
  }
}

it("keeps every sum of a commission an exact amount, whatever is paid, written off, released or returned", () => {
  let failures = 0;
  fc.assert(
    fc.property(fc.array(move, { minLength: 1, maxLength: 25 }), (moves) => {
      const life = new Life();
      for (const one of moves) {
        if ("amount" in one) life.compute(one.amount);
        else life.end(one.type);
        if (life.view === null) continue;
        const { view } = life;
        const sums = [
          view.paidAmount,
          view.paidNegative,
          view.writtenOffPositive,
          view.writtenOffNegative,
          view.pendingAmount,
          Ledger.settled(view),
          Ledger.due(view),
        ];
        expect(sums.filter((sum) => !Number.isSafeInteger(sum) || Object.is(sum, -0))).toEqual([]);
        expect(BigInt(Ledger.settled(view)) + BigInt(Ledger.due(view))).toBe(
          BigInt(view.computedAmount ?? 0),
        );
        expect(Ledger.staysInRange(0, view)).toBe(true);
      }
      failures += life.failures;
    }),
    { numRuns: 3_000 },
  );
  expect(failures).toBeGreaterThan(100);
});
