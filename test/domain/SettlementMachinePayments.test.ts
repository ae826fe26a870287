/** Decisions of the settlement machine on payments. */
import { Currency, type Settlement } from "quittance";
import { describe, expect, it } from "vitest";
import * as Scene from "./SettlementScene.ts";
import {
  anomaly,
  CHOOSE,
  CONFIRM,
  draft,
  FAIL,
  given,
  group,
  HISTORY,
  INITIATE,
  MANUAL,
  PAY,
  POLICY,
  RETURN,
  SELF_BILLED,
  under,
} from "./SettlementScene.ts";

describe("marking as paid", () => {
  it("settles the lines, and stores the bank's date and reference", () => {
    given(...HISTORY.awaiting_payment)
      .when({ ...PAY, now: 10, paidAt: 7, bankReference: "B-1", note: "by hand" })
      .then({
        type: "mark_as_paid",
        paid_at: "1970-01-01T00:00:00.007Z",
        bank_reference: "B-1",
        note: "by hand",
      })
      .thenOutcome({ row: "T13", lines: { type: "settle", as: "paid" }, tasks: [] })
      .thenState({ status: { type: "paid", method: "manual" }, paidAt: 7, bankReference: "B-1" });
  });

  it("is possible while a payment is in flight", () => {
    given(...HISTORY.payment_initiated)
      .when(PAY)
      .then(Scene.PAID)
      .thenOutcome({ row: "T16", lines: { type: "settle", as: "paid" } });
  });

  it("is refused in every other state", () => {
    given(...HISTORY.awaiting_invoice)
      .when(PAY)
      .thenRefused(
        "settlement_state",
        "settlement_state: a settlement in awaiting_invoice cannot be marked as paid",
      );
    given(...HISTORY.disputed)
      .when(PAY)
      .thenRefused("settlement_state");
  });

  const DAY = 24 * 60 * 60 * 1000;
  const late = [
    draft(),
    { at: 10 * DAY, actor: "a", event: Scene.APPROVED },
    { at: 10 * DAY, actor: "a", event: Scene.report() },
    { at: 10 * DAY, actor: "a", event: Scene.invoice() },
  ] as const;

  it("is dated now if the caller states no date", () => {
    given(...late)
      .when({ ...PAY, now: 20 * DAY })
      .then(Scene.PAID)
      .thenOutcome({ row: "T13" });
  });

  it("may be dated back to 24 hours before the approval, and not further, whatever the state", () => {
    given(...late)
      .when({ ...PAY, now: 20 * DAY, paidAt: 9 * DAY })
      .thenOutcome({ row: "T13" });
    given(...late, Scene.WRITTEN_OFF)
      .when({ ...PAY, now: 20 * DAY, paidAt: 9 * DAY - 1 })
      .thenRefused(
        "Invalid",
        "paid_at: must not be before 1970-01-10T00:00:00.000Z, 24 hours before the approval",
      );
  });

  it("may be dated five minutes ahead of the clock, and not further", () => {
    given(...late)
      .when({ ...PAY, now: 20 * DAY, paidAt: 20 * DAY + 300_000 })
      .thenOutcome({ row: "T13" });
    given(...late)
      .when({ ...PAY, now: 20 * DAY, paidAt: 20 * DAY + 300_001 })
      .thenRefused("Invalid", "paid_at: must not be more than 5 minutes in the future");
    given(draft())
      .when({ ...PAY, now: 0, paidAt: -2 * DAY })
      .thenRefused("settlement_state");
  });
});

describe("initiating a payment", () => {
  it("sends it under its own reference, whatever the policy for documents", () => {
    for (const rules of [given, MANUAL]) {
      rules(...HISTORY.awaiting_payment)
        .when(INITIATE)
        .then(Scene.INITIATED)
        .thenOutcome({ row: "T14", tasks: ["send_payment"], lines: { type: "none" } })
        .thenState({ status: { type: "payment_initiated" }, paymentReference: Scene.REFERENCE });
    }
  });

  it("is refused once the account of the approval was retired", () => {
    given(...HISTORY.awaiting_payment)
      .when({ ...INITIATE, isRetired: true })
      .thenRefused("payout_account");
  });

  it("goes to the account that is chosen, not by its proposer, and not while a provider or a bank has it", () => {
    const { account } = CHOOSE;
    given(...HISTORY.awaiting_payment)
      .when(CHOOSE)
      .then({
        type: "choose_payout_account",
        account_id: account.id,
        account_type: "uk",
        details: { sort_code: "200000", account_number: "…11" },
        stored: { payout_account: account },
      })
      .thenOutcome({ row: "T31", tasks: [], lines: { type: "none" } });
    given(...HISTORY.payment_initiated)
      .when(CHOOSE)
      .thenOutcome({ row: "T31a", tasks: [], lines: { type: "none" } });
    given(...HISTORY.payment_initiated)
      .when({ ...CHOOSE, isWaiting: false })
      .thenRefused("settlement_state");
    given(...HISTORY.awaiting_payment)
      .when({ ...CHOOSE, isProposer: true })
      .thenRefused("four_eyes");
    given(...HISTORY.paid)
      .when(CHOOSE)
      .thenRefused("settlement_state");
  });

  it("counts the attempts", () => {
    given(...HISTORY.payment_initiated, {
      type: "fail_payment",
      payment_reference: Scene.REFERENCE,
      reason: "closed",
    })
      .when({ ...INITIATE, paymentReference: Scene.OTHER_REFERENCE })
      .then({ type: "initiate_payment", payment_reference: Scene.OTHER_REFERENCE, attempt: 2 });
  });

  it.each([
    [
      "without a payout provider",
      { ...POLICY, payouts: false },
      1000,
      null,
      "no payout provider is configured; configure one, or mark the settlement as paid",
    ],
    ["when the partner owes", POLICY, -1000, null, "there is no amount to pay to the partner"],
    ["for an account that cannot be paid", POLICY, 1000, "the BIC is wrong", "the BIC is wrong"],
  ] as const)("is refused %s", (_name, policy, total, problem, message) => {
    const documented =
      total > 0 ? [Scene.invoice()] : [Scene.reviewed("issue_credit_note"), Scene.creditNote()];
    under(policy)(draft(total), Scene.APPROVED, Scene.report(), ...documented)
      .when({ ...INITIATE, problem })
      .thenRefused("payout_unavailable", `payout_unavailable: ${message}`);
  });

  it("is refused while the partner is suspended, whatever else may be wrong", () => {
    for (const problem of [null, "the BIC is wrong"])
      given(...HISTORY.awaiting_payment)
        .when({ ...INITIATE, isSuspended: true, problem })
        .thenRefused(
          "partner_suspended",
          "partner_suspended: the partner is suspended; no payment to it is initiated",
        );
  });

  it("depends on the payable amount, not on the total", () => {
    const owed = [group(1000, 0, null), group(-900, -225)];
    given(
      draft(100),
      Scene.selfBilled(...owed),
      Scene.report(),
      Scene.reviewed("issue_credit_note"),
      Scene.creditNote(-225, false),
    )
      .when(INITIATE)
      .thenRefused("payout_unavailable");
    const due = [group(-1000, 0, null), group(900, 225)];
    given(draft(-100), Scene.selfBilled(...due), Scene.report(), Scene.invoice(225, false))
      .when(INITIATE)
      .thenOutcome({ row: "T14" });
  });

  it("is refused in a state without a document", () => {
    given(...HISTORY.awaiting_invoice)
      .when(INITIATE)
      .thenRefused(
        "settlement_state",
        "settlement_state: a settlement in awaiting_invoice cannot initiate a payment",
      );
  });
});

const AMOUNTS = {
  fee: { amount: 150, currency: Currency.Currency.make("EUR") },
  received: { amount: 26_940, currency: Currency.Currency.make("USD") },
} as const;

describe("what a payment reports of its fee and of what arrived", () => {
  it("is stored and shown, and changes nothing else", () => {
    for (const [before, command, event, row] of [
      [HISTORY.payment_initiated, CONFIRM, Scene.CONFIRMED, "T15"],
      [HISTORY.awaiting_payment, PAY, { type: "mark_as_paid" }, "T13"],
    ] as const) {
      given(...before)
        .when({ ...command, amounts: AMOUNTS })
        .then({ ...event, ...AMOUNTS } as never)
        .thenOutcome({ row, lines: { type: "settle", as: "paid" }, tasks: [] })
        .thenState(AMOUNTS);
      const [bare, reported] = [{}, AMOUNTS].map((amounts) => {
        const { fee, received, ...state } = given(...before, { ...event, ...amounts } as never)
          .state as Settlement.View;
        return state;
      });
      expect(reported).toEqual(bare);
    }
  });

  it("is stored with an anomaly, and not shown once the payment has come back", () => {
    given(...HISTORY.paid)
      .when({ ...CONFIRM, paymentReference: Scene.OTHER_REFERENCE, amounts: AMOUNTS })
      .then({ ...anomaly("confirmed", Scene.OTHER_REFERENCE), ...AMOUNTS })
      .thenOutcome({ row: null, lines: { type: "none" }, tasks: [] });
    const { state: returned } = given(
      ...HISTORY.payment_initiated,
      { ...Scene.CONFIRMED, ...AMOUNTS } as never,
      { type: "return_payment", payment_reference: Scene.REFERENCE, reason: "closed" },
    );
    expect(returned).toMatchObject({ fee: null, received: null });
  });
});

describe("a message about a payment in flight", () => {
  it("confirms it and settles the lines", () => {
    given(...HISTORY.payment_initiated)
      .when({ ...CONFIRM, bankReference: "B-1" })
      .then({ ...Scene.CONFIRMED, bank_reference: "B-1" } as never)
      .thenOutcome({ row: "T15", lines: { type: "settle", as: "paid" }, tasks: [] })
      .thenState({ status: { type: "paid", method: "webhook" }, bankReference: "B-1" });
    given(...HISTORY.payment_initiated)
      .when(CONFIRM)
      .then(Scene.CONFIRMED);
  });

  it("fails it for good, and another attempt may follow", () => {
    given(...HISTORY.payment_initiated)
      .when(FAIL)
      .then({ type: "fail_payment", payment_reference: Scene.REFERENCE, reason: "closed" })
      .thenOutcome({ row: "T17", lines: { type: "none" }, tasks: [] })
      .thenState({ status: { type: "awaiting_payment" }, paymentReference: null });
  });

  it("under another reference is recorded and does not change the state", () => {
    given(...HISTORY.payment_initiated)
      .when({ ...CONFIRM, paymentReference: Scene.OTHER_REFERENCE, bankReference: "B-2" })
      .then({ ...anomaly("confirmed", Scene.OTHER_REFERENCE), bank_reference: "B-2" })
      .thenOutcome({ row: null, lines: { type: "none" }, tasks: [] })
      .thenState({ status: { type: "payment_initiated" } });
    given(...HISTORY.payment_initiated)
      .when({ ...FAIL, paymentReference: Scene.OTHER_REFERENCE })
      .then(anomaly("failed", Scene.OTHER_REFERENCE));
  });
});

describe("a payment by file", () => {
  const waiting = HISTORY.payment_initiated;
  const handedOver = [...waiting, Scene.HANDED_OVER];

  it("knows when its file was handed over, and causes no work", () => {
    given(...waiting)
      .when(Scene.HAND_OVER)
      .then(Scene.HANDED_OVER)
      .thenOutcome({ row: "T28", lines: { type: "none" }, tasks: [] })
      .thenState({ status: { type: "payment_initiated" } });
    given(...waiting, { at: 7, actor: "a", event: Scene.HANDED_OVER })
      .when(CONFIRM)
      .thenState({ handedOver: { fileId: Scene.FILE, executionDate: "2026-01-05", at: 7 } });
  });

  it("is not handed over under another reference, nor after its end", () => {
    given(...waiting)
      .when({ ...Scene.HAND_OVER, paymentReference: Scene.OTHER_REFERENCE })
      .thenRefused("settlement_state");
    given(...HISTORY.paid)
      .when(Scene.HAND_OVER)
      .thenRefused("settlement_state", "settlement_state: a settlement in paid cannot hand its payment over");
  });

  it("that the bank has is failed by a person, without a reference", () => {
    given(...handedOver)
      .when(Scene.FAIL_BY_HAND)
      .then({ type: "fail_payment", payment_reference: Scene.REFERENCE, reason: "by phone" })
      .thenOutcome({ row: "T17a", lines: { type: "none" }, tasks: [] })
      .thenState({ status: { type: "awaiting_payment" }, paymentReference: null, handedOver: null });
  });

  it.each([
    [
      waiting,
      "the payment was not handed over to a bank in a payment file; discard a file that no bank has, and wait for the report of a provider",
    ],
    [HISTORY.awaiting_payment, "a settlement in awaiting_payment cannot fail its payment"],
    [[...handedOver, Scene.CONFIRMED], "a settlement in paid cannot fail its payment"],
  ])("that no bank has cannot be failed by a person: %#", (history, message) => {
    given(...history)
      .when(Scene.FAIL_BY_HAND)
      .thenRefused("settlement_state", `settlement_state: ${message}`);
  });

  it("that fails after a write-off leaves nothing of it", () => {
    given(...handedOver, Scene.WRITTEN_OFF)
      .when(FAIL)
      .thenState({ paymentReference: null, handedOver: null });
  });
});

describe("a message about a payment that has ended", () => {
  it("that repeats the confirmation changes nothing", () => {
    given(...HISTORY.paid)
      .when(CONFIRM)
      .then()
      .thenOutcome({ row: null, lines: { type: "none" }, tasks: [] });
  });

  it("is recorded when the settlement was marked as paid", () => {
    given(...HISTORY.payment_initiated, Scene.PAID)
      .when(CONFIRM)
      .then(anomaly("confirmed"));
    given(...HISTORY.payment_initiated, Scene.PAID)
      .when(FAIL)
      .then(anomaly("failed"));
  });

  it("under another reference is recorded", () => {
    given(...HISTORY.paid)
      .when({ ...CONFIRM, paymentReference: Scene.OTHER_REFERENCE })
      .then(anomaly("confirmed", Scene.OTHER_REFERENCE));
  });

  it("queues no document, even in a state that awaits one", () => {
    given(...SELF_BILLED.awaiting_invoice)
      .when(FAIL)
      .then(anomaly("failed"))
      .thenOutcome({ tasks: [] });
  });
});

describe("a payment that the bank returns", () => {
  const returned = {
    type: "return_payment",
    payment_reference: Scene.REFERENCE,
    reason: "account closed",
  } as const;

  it("reserves the lines again and waits for another payment", () => {
    given(...HISTORY.paid)
      .when(RETURN)
      .then(returned)
      .thenOutcome({ row: "T18", lines: { type: "reopen" }, tasks: [] })
      .thenState({ status: { type: "awaiting_payment" }, paymentReference: null, paidAt: null });
  });

  it("may be recorded by a person, without a reference", () => {
    given(...HISTORY.paid)
      .when({ ...RETURN, paymentReference: null })
      .then(returned);
  });

  it.each([
    ["is reconciled", [...HISTORY.paid, { type: "reconcile_settlement" }], RETURN],
    [
      "has a commission in another open settlement",
      HISTORY.paid,
      { ...RETURN, heldByOthers: [Scene.COMMISSION] },
    ],
  ] as const)("is recorded and does not change the state if the settlement %s", (_name, history, command) => {
    given(...history)
      .when(command)
      .then(anomaly("returned"))
      .thenOutcome({ row: null });
    given(...history)
      .when({ ...command, paymentReference: null })
      .thenRefused("settlement_state", "settlement_state: a settlement in paid cannot return its payment");
  });

  it("of a settlement that a person marked as paid is recorded, until a person returns it", () => {
    const marked = [...HISTORY.payment_initiated, Scene.PAID];
    given(...marked)
      .when(RETURN)
      .then(anomaly("returned"))
      .thenOutcome({ row: null });
    given(...marked)
      .when({ ...RETURN, paymentReference: null })
      .then(returned)
      .thenOutcome({ row: "T18", lines: { type: "reopen" } })
      .thenState({ status: { type: "awaiting_payment" }, paymentReference: null, paidAt: null });
    given(...HISTORY.awaiting_payment, Scene.PAID)
      .when({ ...RETURN, paymentReference: null })
      .thenRefused("settlement_state", "settlement_state: a settlement in paid cannot return its payment");
  });

  it("under another reference is recorded and does not change the state", () => {
    given(...HISTORY.paid)
      .when({ ...RETURN, paymentReference: Scene.OTHER_REFERENCE })
      .then(anomaly("returned", Scene.OTHER_REFERENCE));
  });
});

describe("reconciling", () => {
  it("marks a paid settlement as found on the bank statement", () => {
    given(...HISTORY.paid)
      .when(Scene.RECONCILE)
      .then({ type: "reconcile_settlement" })
      .thenOutcome({ row: "T23", lines: { type: "none" }, tasks: [] })
      .thenState({ reconciliationStatus: "reconciled" });
  });

  it("can be reverted", () => {
    given(...HISTORY.paid, { type: "reconcile_settlement" })
      .when(Scene.UNRECONCILE)
      .then({ type: "unreconcile_settlement" })
      .thenOutcome({ row: "T23a" })
      .thenState({ reconciliationStatus: "unreconciled" });
  });

  it("a second time changes nothing", () => {
    given(...HISTORY.paid)
      .when(Scene.UNRECONCILE)
      .then();
    given(...HISTORY.paid, { type: "reconcile_settlement" })
      .when(Scene.RECONCILE)
      .then();
  });

  it("is refused before the payment", () => {
    given(...HISTORY.awaiting_payment)
      .when(Scene.RECONCILE)
      .thenRefused(
        "settlement_state",
        "settlement_state: a settlement in awaiting_payment cannot be reconciled",
      );
  });
});
