/** The effect of a booking of a payment, by the settlement's state and by earlier bookings. */
import { BankBooking, type Ids, type PaymentFile, type Settlement } from "quittance";
import { Build } from "quittance/testing";
import { describe, expect, it } from "vitest";
import { payment as paymentOf } from "../payouts/Payers.ts";

const NOTICE = { isFinal: false, entry: "N1", bankReference: "N1", reason: null } as const;
const STATEMENT = { isFinal: true, entry: "S1", bankReference: "S1", reason: "AC04" } as const;

const payment = paymentOf();

type State = Pick<Settlement.Settlement, "status" | "paymentReference" | "reconciliationStatus">;

const OWN: Pick<State, "paymentReference" | "reconciliationStatus"> = {
  paymentReference: payment.id,
  reconciliationStatus: "unreconciled",
};
const STATES = {
  "in flight": { ...OWN, status: { type: "payment_initiated" } },
  "paid by the bank": { ...OWN, status: { type: "paid", method: "webhook" } },
  "paid by the bank, reconciled": {
    ...OWN,
    status: { type: "paid", method: "webhook" },
    reconciliationStatus: "reconciled",
  },
  "marked as paid": { ...OWN, status: { type: "paid", method: "manual" } },
  "failed before": { ...OWN, status: { type: "awaiting_payment" }, paymentReference: null },
  "under a later attempt": {
    ...OWN,
    status: { type: "payment_initiated" },
    paymentReference: Build.fresh.payment(),
  },
  "written off": { ...OWN, status: { type: "written_off" } },
} as const satisfies Record<string, State>;

const decide = (
  kind: PaymentFile.BookingKind,
  state: keyof typeof STATES,
  booking: typeof NOTICE | typeof STATEMENT = STATEMENT,
  bookings: ReadonlyArray<PaymentFile.Booking> = [],
  heldByOthers: ReadonlyArray<Ids.CommissionId> = [],
) => {
  const { commands, isNoted, isUnfinished, outcome } = BankBooking.decide(
    { ...payment, bookings },
    STATES[state] as unknown as Settlement.Settlement,
    { kind, ...booking },
    heldByOthers,
  );
  const { confirmed, returned, reconciled, unmatched } = outcome;
  return {
    commands: commands.map((command) =>
      command.type === "reconcile" ? (command.reconciled ? "reconcile" : "unreconcile") : command.type,
    ),
    counts: [confirmed, returned, reconciled],
    unmatched,
    isNoted,
    isUnfinished,
  };
};

const noted = { isNoted: true, isUnfinished: false, unmatched: null };

describe("a debit", () => {
  it.each([
    ["in flight", STATEMENT, ["confirm_payment", "reconcile"], [1, 0, 1], null],
    ["in flight", NOTICE, ["confirm_payment"], [1, 0, 0], null],
    ["paid by the bank", STATEMENT, ["reconcile"], [0, 0, 1], null],
    ["paid by the bank", NOTICE, [], [0, 0, 0], null],
    ["paid by the bank, reconciled", STATEMENT, [], [0, 0, 0], null],
    ["marked as paid", STATEMENT, ["reconcile"], [0, 0, 1], null],
    ["marked as paid", NOTICE, [], [0, 0, 0], null],
    ["failed before", STATEMENT, ["confirm_payment"], [0, 0, 0], "unexpected"],
    ["under a later attempt", STATEMENT, ["confirm_payment"], [0, 0, 0], "unexpected"],
    ["written off", STATEMENT, ["confirm_payment"], [0, 0, 0], "unexpected"],
  ] as const)("of a payment %s", (state, booking, commands, counts, unmatched) => {
    expect(decide("debit", state, booking)).toEqual({ ...noted, commands, counts, unmatched });
  });
});

describe("a return", () => {
  it.each([
    ["paid by the bank", ["return_payment"], [0, 1, 0], null],
    ["paid by the bank, reconciled", ["unreconcile", "return_payment"], [0, 1, 0], null],
    ["marked as paid", ["return_payment"], [0, 0, 0], "unexpected"],
    ["failed before", ["return_payment"], [0, 0, 0], "unexpected"],
    ["under a later attempt", ["return_payment"], [0, 0, 0], "unexpected"],
    ["written off", ["return_payment"], [0, 0, 0], "unexpected"],
  ] as const)("of a payment %s", (state, commands, counts, unmatched) => {
    expect(decide("return", state)).toEqual({ ...noted, commands, counts, unmatched });
  });

  it("that is read before the debit confirms the payment first", () => {
    expect(decide("return", "in flight")).toEqual({
      commands: ["confirm_payment"],
      counts: [1, 0, 0],
      unmatched: null,
      isNoted: false,
      isUnfinished: true,
    });
  });

  it("of a payment whose commissions another settlement holds is listed for a person, and stays reconciled", () => {
    const held = decide("return", "paid by the bank, reconciled", STATEMENT, [], [Build.fresh.commission()]);
    expect(held).toMatchObject({ commands: ["return_payment"], unmatched: "unexpected" });
  });
});

describe("a booking that was read before", () => {
  const debited = { kind: "debit", entry: "S1", isFinal: true } as const;
  const announced = { kind: "debit", entry: "N1", isFinal: false } as const;
  const returned = { kind: "return", entry: "N9", isFinal: false } as const;

  it("changes nothing", () => {
    const again = decide("debit", "failed before", STATEMENT, [debited]);
    expect(again).toMatchObject({ commands: [], isNoted: false, unmatched: null });
  });

  it("in a notification is reconciled by the statement that repeats it", () => {
    expect(decide("debit", "paid by the bank", STATEMENT, [announced]).commands).toEqual(["reconcile"]);
  });

  it("as a return does not return the payment a second time", () => {
    const again = decide("return", "failed before", STATEMENT, [returned]);
    expect(again).toMatchObject({ commands: [], isNoted: true, unmatched: null });
  });

  it("as a return ends the attempt: its debit, read later, changes nothing", () => {
    const later = decide("debit", "failed before", STATEMENT, [returned]);
    expect(later).toMatchObject({ commands: [], isNoted: true, unmatched: null });
  });

  it("under another reference of the bank is listed for a person: the money may have been paid twice", () => {
    const twice = decide("debit", "paid by the bank", { ...STATEMENT, entry: "S2" } as never, [debited]);
    expect(twice).toMatchObject({ commands: [], isNoted: false, unmatched: "booked_before" });
  });
});
