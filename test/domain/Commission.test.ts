import { Either } from "effect";
import * as fc from "fast-check";
import { Commission, Ledger } from "quittance";
import { Build, Decider } from "quittance/testing";
import { describe, expect, it } from "vitest";

type Event = Commission.CommissionEvent;

const SETTLEMENT = Build.fresh.settlement();
const OTHER_SETTLEMENT = Build.fresh.settlement();

const success = (amount: number, formulaVersion: number | null = 1): Commission.Outcome =>
  Either.right({ amount, formulaVersion, parametersVersion: null });
const failure = (code = "DIVISION_BY_ZERO", message = "divided by 0"): Commission.Outcome =>
  Either.left({ code, message });

/** `when` computes the commission again; the cause is that of a changed formula. */
const given = Decider.specify({
  evolve: Commission.evolve,
  decide: (state: Commission.View | null, outcome: Commission.Outcome) =>
    Either.right({ events: Commission.revise(state, outcome, "formula_updated") }),
});

const created = (amount: number): Event => ({ type: "create_commission", amount, formula_version: 1 });
const updated = (amount: number, formula_version: number | null = 1): Event => ({
  type: "update_commission",
  amount,
  formula_version,
  cause: "formula_updated",
});
const failed: Event = {
  type: "fail_commission_computation",
  code: "DIVISION_BY_ZERO",
  message: "divided by 0",
};
const reserved = (amount: number): Event => ({
  type: "reserve_commission",
  settlement_id: SETTLEMENT,
  amount,
});
const released = (amount: number): Event => ({
  type: "release_commission",
  settlement_id: SETTLEMENT,
  amount,
  cause: "draft_cancelled",
});
const settled = (amount: number, kind: "paid" | "written_off" = "paid"): Event => ({
  type: "settle_commission",
  settlement_id: SETTLEMENT,
  amount,
  kind,
});
const reopened = (amount: number): Event => ({
  type: "reopen_commission",
  settlement_id: SETTLEMENT,
  amount,
});

const dueOf = (...history: ReadonlyArray<Event>): number => {
  const { state } = given(...history);
  return state === null ? 0 : Ledger.due(state);
};

describe("which attribution earns under which formula", () => {
  const attribution = {
    customerId: "c",
    workspaceId: "w",
    partnerId: "p",
    schemaId: "s",
    id: "a",
    status: "confirmed",
    createdAt: 1_000,
    occurredAt: 10,
  } as never;
  const formula = {
    customerId: "c",
    workspaceId: "w",
    partnerId: "p",
    schemaId: "s",
    id: "f",
    status: "active",
    currency: "EUR",
    startDatetime: 10,
    endDatetime: 20,
    versions: [{ expression: {}, effectiveDatetime: null }],
    parameters: [],
    roles: null,
    parameterValues: [],
  } as never;
  const isEarned = (change: object, formulaChange: object = {}) =>
    Commission.isEarned(
      { ...(attribution as object), ...change } as never,
      {
        ...(formula as object),
        ...formulaChange,
      } as never,
    );

  it("a confirmed attribution earns under every active formula of its partner, workspace and schema", () => {
    expect(isEarned({})).toBe(true);
    expect(Commission.identity("id" as never, attribution, formula)).toEqual({
      id: "id",
      customerId: "c",
      workspaceId: "w",
      partnerId: "p",
      attributionId: "a",
      formulaId: "f",
      currency: "EUR",
      occurredAt: 10,
    });
  });

  it.each(["customerId", "workspaceId", "partnerId", "schemaId"])("another %s earns nothing", (field) => {
    expect(isEarned({ [field]: "other" })).toBe(false);
  });

  it("a credit of another role than the formula's earns nothing", () => {
    const credit = (role: string) => ({ credit: { role, share: "1", depth: 0 } });
    expect(isEarned(credit("seller"))).toBe(true);
    expect(isEarned(credit("manager"))).toBe(false);
    expect(isEarned(credit("manager"), { roles: ["engineer", "manager"] })).toBe(true);
    expect(isEarned({}, { roles: ["engineer", "manager"] })).toBe(false);
    expect(isEarned({}, { roles: ["seller", "manager"] })).toBe(true);
  });

  it("a cancelled attribution, or a cancelled formula, earns nothing", () => {
    expect(isEarned({ status: "cancelled" })).toBe(false);
    expect(isEarned({}, { status: "cancelled" })).toBe(false);
  });

  it("an attribution that occurred outside the formula's dates earns nothing, whenever it was created", () => {
    expect(isEarned({ occurredAt: 9 })).toBe(false);
    expect(isEarned({ occurredAt: 20 })).toBe(false);
  });

  it("an existing commission becomes 0 when its attribution or formula is cancelled or no longer covers it", () => {
    const basis = (change: object, formulaChange: object = {}) =>
      Commission.basis(
        { ...(attribution as object), ...change } as never,
        {
          ...(formula as object),
          ...formulaChange,
        } as never,
      );
    expect(basis({})).toBe("evaluated");
    expect(basis({ status: "cancelled" }, { status: "cancelled" })).toBe("attribution_cancelled");
    expect(basis({}, { status: "cancelled" })).toBe("formula_cancelled");
    expect(basis({ occurredAt: 20 })).toBe("outside_window");
  });

  it("a forced 0 has no formula version; an evaluated amount has the version of the attribution's date", () => {
    const evaluate: Commission.Evaluate = (_formula, version) => Either.right(100 * version);
    const versions = [
      { expression: null, effectiveDatetime: null },
      { expression: null, effectiveDatetime: 12 },
    ];
    const compute = (change: object) =>
      Commission.compute(
        { ...(attribution as object), ...change } as never,
        { ...(formula as object), versions } as never,
        evaluate,
      );
    expect(compute({})).toEqual(Either.right({ amount: 100, formulaVersion: 1, parametersVersion: null }));
    expect(compute({ occurredAt: 12 })).toEqual(
      Either.right({ amount: 200, formulaVersion: 2, parametersVersion: null }),
    );
    expect(compute({ status: "cancelled" })).toEqual(
      Either.right({ amount: 0, formulaVersion: null, parametersVersion: null }),
    );
  });

  it("a change of amount names the command behind it", () => {
    expect(Commission.causeOf("attribution_cancelled")).toBe("attribution_cancelled");
    expect(Commission.causeOf("formula_cancelled")).toBe("formula_cancelled");
    expect(Commission.causeOf("evaluated")).toBe("formula_updated");
    expect(Commission.causeOf("outside_window")).toBe("formula_updated");
  });
});

describe("computing a commission", () => {
  it("for the first time creates it, unsettled and due in full", () => {
    given().when(success(1000)).then(created(1000)).thenState({
      computedAmount: 1000,
      paidAmount: 0,
      paidNegative: 0,
      writtenOffPositive: 0,
      writtenOffNegative: 0,
      pendingAmount: 0,
      openSettlementId: null,
      settledLineCount: 0,
      formulaVersion: 1,
      computationError: null,
      createdAt: 0,
    });
    expect(dueOf(created(1000))).toBe(1000);
  });

  it("again to the same amount changes nothing, whatever the version", () => {
    given(created(1000)).when(success(1000)).then();
    given(created(1000)).when(success(1000, 2)).then();
  });

  it("to another amount updates it, with its version and cause", () => {
    given(created(1000))
      .when(success(1200, 2))
      .then(updated(1200, 2))
      .thenState({ computedAmount: 1200, formulaVersion: 2 });
  });

  it("to a forced 0 keeps the version that gave the last amount", () => {
    given(created(1000)).when(success(0, null)).then(updated(0, 1));
    given().when(success(0, null)).then({ type: "create_commission", amount: 0, formula_version: null });
  });

  it("that fails keeps the last good amount and shows the error", () => {
    given(created(1000))
      .when(failure())
      .then(failed)
      .thenState({
        computedAmount: 1000,
        computationError: { code: "DIVISION_BY_ZERO", message: "divided by 0" },
      });
  });

  it("that fails the first time has no amount", () => {
    given()
      .when(failure())
      .then(failed)
      .thenState({ computedAmount: null, formulaVersion: null, parametersVersion: null });
  });

  it("that fails again in the same way is recorded once", () => {
    given(failed).when(failure()).then();
    given(failed)
      .when(failure("OVERFLOW", "divided by 0"))
      .then({ ...failed, code: "OVERFLOW" });
    given(failed)
      .when(failure("DIVISION_BY_ZERO", "other"))
      .then({ ...failed, message: "other" });
  });

  it("that succeeds after a failure clears the error, also at the same amount", () => {
    given(created(1000), failed)
      .when(success(1000))
      .then(updated(1000))
      .thenState({ computationError: null });
    given(failed).when(success(1000)).then(created(1000)).thenState({ computationError: null });
  });

  it("beyond the largest amount of a settlement is recorded as an overflow", () => {
    const largest = Number.MAX_SAFE_INTEGER;
    given(created(1), reserved(1), settled(1)).when(success(-largest)).then({
      type: "fail_commission_computation",
      code: "OVERFLOW",
      message: "the difference to what is settled exceeds the largest amount",
    });
    given(created(1), reserved(1), settled(1)).when(success(largest)).then(updated(largest));
    given()
      .when(success(-largest))
      .then({ ...created(-largest) });
  });
});

describe("settling a commission", () => {
  it("reserves the whole amount due for one settlement", () => {
    given(created(1000), reserved(1000)).thenState({
      pendingAmount: 1000,
      openSettlementId: SETTLEMENT,
      settledLineCount: 0,
    });
  });

  it("that a settlement releases is due again", () => {
    given(created(1000), reserved(1000), released(1000)).thenState({
      pendingAmount: 0,
      openSettlementId: null,
      settledLineCount: 0,
      paidAmount: 0,
    });
    expect(dueOf(created(1000), reserved(1000), released(1000))).toBe(1000);
  });

  it("that is paid is no longer due", () => {
    given(created(1000), reserved(1000), settled(1000)).thenState({
      pendingAmount: 0,
      openSettlementId: null,
      settledLineCount: 1,
      paidAmount: 1000,
      paidNegative: 0,
    });
    expect(dueOf(created(1000), reserved(1000), settled(1000))).toBe(0);
  });

  it("whose amount rises after the payment makes the difference due", () => {
    expect(dueOf(created(1000), reserved(1000), settled(1000), updated(1200))).toBe(200);
  });

  it("whose amount becomes 0 after the payment is clawed back by a negative line", () => {
    const clawedBack = [created(1000), reserved(1000), settled(1000), updated(0)] as const;
    expect(dueOf(...clawedBack)).toBe(-1000);
    given(...clawedBack, reserved(-1000), settled(-1000)).thenState({
      paidAmount: 0,
      paidNegative: -1000,
      settledLineCount: 2,
    });
    expect(dueOf(...clawedBack, reserved(-1000), settled(-1000))).toBe(0);
  });

  it("that is written off unpaid is not due again, and nothing is clawed back when the sale is refunded", () => {
    const writtenOff = [created(1000), reserved(1000), settled(1000, "written_off")] as const;
    given(...writtenOff).thenState({
      writtenOffPositive: 1000,
      writtenOffNegative: 0,
      paidAmount: 0,
      settledLineCount: 1,
    });
    expect(dueOf(...writtenOff)).toBe(0);
    expect(dueOf(...writtenOff, updated(0))).toBe(0);
    expect(dueOf(...writtenOff, updated(1500))).toBe(500);
  });

  it("whose clawback is written off leaves the partner the money", () => {
    const forgiven = [
      created(1000),
      reserved(1000),
      settled(1000),
      updated(0),
      reserved(-1000),
      settled(-1000, "written_off"),
    ] as const;
    given(...forgiven).thenState({ writtenOffNegative: -1000, writtenOffPositive: 0, paidAmount: 1000 });
    expect(dueOf(...forgiven)).toBe(0);
  });

  it("whose payment the bank returns is pending again", () => {
    given(created(1000), reserved(1000), settled(1000), reopened(1000)).thenState({
      paidAmount: 0,
      pendingAmount: 1000,
      openSettlementId: SETTLEMENT,
      settledLineCount: 0,
    });
    given(
      created(1000),
      reserved(1000),
      settled(1000),
      updated(0),
      reserved(-1000),
      settled(-1000),
      reopened(-1000),
    ).thenState({ paidAmount: 1000, paidNegative: 0, pendingAmount: -1000, settledLineCount: 1 });
  });

  it("in several settlements adds up all of its lines", () => {
    const next = { type: "reserve_commission", settlement_id: OTHER_SETTLEMENT, amount: 200 } as const;
    given(created(1000), reserved(1000), settled(1000), updated(1200), next).thenState({
      openSettlementId: OTHER_SETTLEMENT,
      pendingAmount: 200,
      settledLineCount: 1,
    });
  });
});

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

const lineOf = (index: number) =>
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
    const outcome = Either.right({ amount: value, formulaVersion: 1, parametersVersion: null });
    for (const event of Commission.revise(this.view, outcome, "formula_updated")) {
      if (event.type === "fail_commission_computation") this.failures += 1;
      this.add(event);
    }
  }

  /** A line of the amount due, if the commission may have a line. */
  reserve(): void {
    if (this.open !== null || this.view === null || this.view.computationError !== null) return;
    this.open = { ...lineOf(++this.lines), type: "reserve_commission", amount: Ledger.due(this.view) };
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
          Ledger.settledAmount(view),
          Ledger.due(view),
        ];
        expect(sums.filter((sum) => !Number.isSafeInteger(sum) || Object.is(sum, -0))).toEqual([]);
        expect(BigInt(Ledger.settledAmount(view)) + BigInt(Ledger.due(view))).toBe(
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
