import { Ids, Movement } from "quittance";
import { describe, expect, it } from "vitest";

const settlement_id = Ids.SettlementId.make("0190a6e2-88f1-7412-9b3d-06a7f1c8e206");
const line = { settlement_id, amount: 70 } as const;

describe("an event on a statement", () => {
  it("is a movement if an amount is computed or changes, or a settlement ends", () => {
    expect(Movement.typeOf({ type: "create_commission", amount: 1, formula_version: 1 })).toBe("earned");
    const cause = "recomputed";
    expect(Movement.typeOf({ type: "update_commission", amount: 1, formula_version: 1, cause })).toBe(
      "adjusted",
    );
    expect(Movement.typeOf({ type: "settle_commission", kind: "paid", ...line })).toBe("paid");
    expect(Movement.typeOf({ type: "settle_commission", kind: "written_off", ...line })).toBe("written_off");
    expect(Movement.typeOf({ type: "reopen_commission", ...line })).toBe("payment_returned");
  });

  it("is no movement if nothing that is due changes", () => {
    expect(Movement.typeOf({ type: "reserve_commission", ...line })).toBeNull();
    expect(Movement.typeOf({ type: "release_commission", cause: "draft_cancelled", ...line })).toBeNull();
    expect(Movement.typeOf({ type: "fail_commission_computation", code: "X", message: "y" })).toBeNull();
  });

  it("makes an amount pending from its reservation, or a returned payment, to the settlement's end", () => {
    expect(Movement.pendingChange({ type: "reserve_commission", ...line })).toBe(70);
    expect(Movement.pendingChange({ type: "reopen_commission", ...line })).toBe(70);
    expect(Movement.pendingChange({ type: "release_commission", cause: "draft_cancelled", ...line })).toBe(
      -70,
    );
    expect(Movement.pendingChange({ type: "settle_commission", kind: "paid", ...line })).toBe(-70);
    expect(Movement.pendingChange({ type: "create_commission", amount: 5, formula_version: 1 })).toBe(0);
  });
});

describe("movements", () => {
  it("have the amount by which they change what is due", () => {
    expect(Movement.amountOf({ earned: 500n, settled: 200n, waiting: 0n })).toBe(300n);
    expect(Movement.amountOf({ earned: -1000n, settled: -1000n, waiting: 0n })).toBe(0n);
    expect(Movement.amountOf({ earned: 0n, settled: 0n, waiting: -500n })).toBe(500n);
  });

  it("are ordered by date, then record, then sequence", () => {
    const places = [
      { at: 2, recordId: "a", sequence: 1 },
      { at: 1, recordId: "b", sequence: 2 },
      { at: 1, recordId: "b", sequence: 1 },
      { at: 1, recordId: "a", sequence: 9 },
    ];
    expect(places.toSorted(Movement.compare)).toEqual([...places].reverse());
    expect(
      Movement.compare({ at: 1, recordId: "a", sequence: 1 }, { at: 1, recordId: "a", sequence: 1 }),
    ).toBe(0);
  });

  it("are about a commission or about a settlement", () => {
    expect(["earned", "adjusted"].every((type) => Movement.isOfCommission(type as "earned"))).toBe(true);
    expect(
      (["paid", "written_off", "payment_returned"] as const).some((type) => Movement.isOfCommission(type)),
    ).toBe(false);
  });
});
