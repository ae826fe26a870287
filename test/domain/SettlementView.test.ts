import { Settlement } from "quittance";
import { describe, expect, it } from "vitest";
import * as Scene from "./SettlementScene.ts";

const STATES = Object.keys(Scene.HISTORY) as ReadonlyArray<Settlement.StatusType>;

const stateOf = (...history: ReadonlyArray<Settlement.SettlementEvent>): Settlement.View => {
  const { state } = Scene.given(...history);
  if (state === null) throw new Error("no history");
  return state;
};

describe("the states of a settlement", () => {
  it("are open, with reserved lines, until an end", () => {
    expect(STATES.filter((state) => !Settlement.isOpen(state))).toEqual(["paid", "written_off", "cancelled"]);
  });

  it("can be disputed between approval and payment", () => {
    expect(STATES.filter(Settlement.isDisputable)).toEqual([
      "awaiting_report",
      "negative_review",
      "awaiting_invoice",
      "awaiting_credit_note",
      "awaiting_payment",
    ]);
  });

  it("end without payment as written off or cancelled", () => {
    const ended = STATES.filter((state) => Settlement.hasEnded(stateOf(...Scene.HISTORY[state])));
    expect(ended).toEqual(["written_off", "cancelled"]);
  });
});

describe("the payable amount", () => {
  it("is total and tax if the service writes the invoice, the total if the partner does", () => {
    expect(Settlement.payable(stateOf(...Scene.SELF_BILLED.awaiting_report))).toBe(1250);
    expect(Settlement.payable(stateOf(...Scene.HISTORY.awaiting_invoice, Scene.invoice(190)))).toBe(1000);
    expect(Settlement.isSelfBilled(stateOf(...Scene.SELF_BILLED.awaiting_report))).toBe(true);
    expect(Settlement.isSelfBilled(stateOf(...Scene.HISTORY.awaiting_report))).toBe(false);
    expect(Settlement.isSelfBilled(stateOf(Scene.draft()))).toBe(false);
  });

  it("of a self-billed settlement whose log has none is the total", () => {
    const state = { ...stateOf(...Scene.SELF_BILLED.awaiting_report), payableAmount: null };
    expect(Settlement.payable(state)).toBe(1000);
  });
});

describe("the missing counterpart", () => {
  const { awaiting_payment, credited, payment_initiated } = Scene.SELF_BILLED;

  it.each([
    ["an open settlement", awaiting_payment, null],
    ["one that ended without documents", Scene.HISTORY.written_off, null],
    ["one that ended with an invoice", [...awaiting_payment, Scene.WRITTEN_OFF], "credit_note"],
    ["one that ended with a credit note", [...credited, Scene.WRITTEN_OFF], "invoice"],
    [
      "one that ended with both",
      [...awaiting_payment, Scene.WRITTEN_OFF, Scene.creditNote(250, false)],
      null,
    ],
    ["one whose payment may still arrive", [...payment_initiated, Scene.WRITTEN_OFF], null],
    ["a paid one", [...payment_initiated, Scene.CONFIRMED], null],
  ] as const)("of %s: %#", (_name, history, expected) => {
    expect(Settlement.missingCounterpart(stateOf(...history))).toBe(expected);
  });
});
