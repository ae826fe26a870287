import { describe, it } from "vitest";
import * as Scene from "./SettlementScene.ts";
import {
  approve,
  CONFIRM,
  draft,
  FAIL,
  given,
  group,
  HISTORY,
  INITIATE,
  link,
  PAY,
  POLICY,
  RETURN,
  SELF_BILLED,
  SELF_BILLING,
  under,
  WRITE_OFF,
} from "./SettlementScene.ts";

const LARGEST = BigInt(Number.MAX_SAFE_INTEGER);
const anomaly = (kind: "confirmed" | "failed" | "returned", reference = Scene.REFERENCE) => ({
  type: "payment_anomaly" as const,
  kind,
  payment_reference: reference,
});
const MANUAL = under({ ...POLICY, documents: "manual" });

describe("approving a draft", () => {
  it("stores the partner's present data, and queues the report for the worker", () => {
    given(draft())
      .when(approve())
      .then(Scene.APPROVED)
      .thenOutcome({ row: "T2", lines: { type: "none" }, tasks: ["make_report"] })
      .thenState({ status: { type: "awaiting_report" }, taxAmount: null, payableAmount: null });
  });

  it("stores the self-billing data and the tax of each group, which nothing changes afterwards", () => {
    given(draft())
      .when(
        approve({
          billingMode: "self_billing",
          selfBillingData: SELF_BILLING,
          assessment: Scene.assessed(1000n, 250n),
        }),
      )
      .then(Scene.selfBilled(group(1000, 250)))
      .thenState({ taxAmount: 250, payableAmount: 1250 });
  });

  it("stores no self-billing data for a partner that writes its own invoices", () => {
    given(draft())
      .when(approve({ selfBillingData: SELF_BILLING }))
      .then(Scene.APPROVED);
  });

  it("treats a partner without billing mode as one that writes its own invoices", () => {
    given(draft())
      .when(approve({ billingMode: null }))
      .then(Scene.APPROVED);
  });

  it("is possible in draft only", () => {
    given(...HISTORY.awaiting_report)
      .when(approve())
      .refused("settlement_not_draft", "settlement_not_draft: the settlement is in awaiting_report");
  });

  it("is refused to the creator of the draft if the policy requires four eyes", () => {
    const fourEyes = under({ ...POLICY, fourEyes: true });
    fourEyes(draft())
      .when(approve({ principalId: "somebody" }))
      .refused("four_eyes", "four_eyes: the creator of a draft may not approve it");
    fourEyes(draft()).when(approve()).then(Scene.APPROVED);
    given(draft())
      .when(approve({ principalId: "somebody" }))
      .then(Scene.APPROVED);
  });

  it("is refused for stale lines if the policy refuses stale drafts", () => {
    const fresh = under({ ...POLICY, staleDrafts: "refuse" });
    fresh(draft())
      .when(approve({ stale: true }))
      .refused("settlement_stale", "settlement_stale: a line no longer equals what its commission is due");
    fresh(draft()).when(approve()).then(Scene.APPROVED);
    given(draft())
      .when(approve({ stale: true }))
      .then(Scene.APPROVED);
  });

  it.each([
    ["total and tax", Scene.assessed(LARGEST - 1000n, 1_001n), Number(LARGEST - 1000n)],
    ["the base of a group", Scene.assessed(LARGEST + 1n, 0n), 1000],
    ["the tax", Scene.assessed(1000n, -LARGEST - 1n), 1000],
    [
      "the tax of a share",
      {
        ...Scene.assessed(1n, 0n),
        shares: [{ originId: "o" as never, base: 1n, tax: LARGEST + 1n }],
      },
      1000,
    ],
    [
      "the tax of a group",
      { ...Scene.assessed(1n, 0n), groups: [{ ...Scene.assessed(1n, LARGEST + 1n).groups[0] }] as never },
      1000,
    ],
  ])("is refused when %s exceeds the largest amount", (_name, assessment, total) => {
    given(draft(total))
      .when(approve({ assessment }))
      .refused(
        "amount_too_large",
        "amount_too_large: total and tax exceed the largest amount; settle fewer commissions at once",
      );
  });

  it("accepts total and tax that together are the largest amount", () => {
    given(draft(Number(LARGEST - 1000n)))
      .when(approve({ assessment: Scene.assessed(LARGEST - 1000n, 1000n) }))
      .thenOutcome({ row: "T2" });
  });
});

describe("cancelling a draft", () => {
  it("releases its lines", () => {
    given(draft())
      .when({ type: "cancel" })
      .then({ type: "cancel_settlement" })
      .thenOutcome({ row: "T3", lines: { type: "release", cause: "draft_cancelled" }, tasks: [] })
      .thenState({ status: { type: "cancelled", cause: "draft_cancelled" } });
  });

  it("is refused after the approval", () => {
    given(...HISTORY.awaiting_payment)
      .when({ type: "cancel" })
      .refused("settlement_not_draft", "settlement_not_draft: the settlement is in awaiting_payment");
  });
});

describe("the report", () => {
  it("is followed by the invoice if the partner is owed money", () => {
    given(...HISTORY.awaiting_report)
      .when(link("report", "worker", { number: "REP-1" }))
      .then({
        type: "link_report",
        report_reference: Scene.DOCUMENT,
        report_number: "REP-1",
        stored: { uploaded: false },
      })
      .thenOutcome({ row: "T4", tasks: [] })
      .thenState({ status: { type: "awaiting_invoice" }, reportNumber: "REP-1" });
  });

  it("queues the invoice of a self-billed settlement for the worker", () => {
    given(...SELF_BILLED.awaiting_report)
      .when(link("report", "worker"))
      .then(Scene.report())
      .thenOutcome({ row: "T4", tasks: ["make_invoice"] });
  });

  it("is followed by a review if the partner owes money", () => {
    given(draft(-1000), Scene.APPROVED)
      .when(link("report", "worker"))
      .thenOutcome({ row: "T5", tasks: [] })
      .thenState({ status: { type: "negative_review" } });
  });

  it("ends a settlement of 0 as paid", () => {
    given(draft(0), Scene.APPROVED)
      .when(link("report", "worker"))
      .thenOutcome({ row: "T6", lines: { type: "settle", as: "paid" }, tasks: [] })
      .thenState({ status: { type: "paid", method: "nothing_due" } });
  });

  it.each([
    ["a payable above 0", "T4", [group(1000, 250)]],
    ["a payable above 0 although the total is negative", "T4", [group(-1000, 0, null), group(900, 225)]],
    ["a payable below 0 although the total is positive", "T5", [group(1000, 0, null), group(-900, -225)]],
    ["groups that balance to a payable of 0", "T4", [group(1000, 0, null), group(-800, -200)]],
    ["a payable of 0 without a base", "T6", [group(0, 0)]],
  ] as const)(
    "of a self-billed settlement is judged by the payable amount: %s takes %s",
    (_name, row, groups) => {
      const total = groups.reduce((sum, { base }) => sum + base, 0);
      given(draft(total), Scene.selfBilled(...groups))
        .when(link("report", "worker"))
        .thenOutcome({ row });
    },
  );

  it("may be uploaded, and uploaded again until the payment begins", () => {
    given(...HISTORY.awaiting_report)
      .when(link("report", "upload"))
      .then(Scene.report(true));
    given(draft(), Scene.APPROVED, Scene.report(true), Scene.invoice())
      .when(link("report", "upload"))
      .then(Scene.report(true))
      .thenOutcome({ row: "T25", tasks: [], lines: { type: "none" } });
  });

  it("that the service created is not replaced", () => {
    given(...HISTORY.awaiting_payment)
      .when(link("report", "upload"))
      .refused("settlement_state", "settlement_state: a settlement in awaiting_payment cannot take a report");
    given(draft(), Scene.APPROVED, Scene.report(true), Scene.invoice())
      .when(link("report", "worker"))
      .refused("settlement_state");
  });
});

describe("the invoice", () => {
  it("of a partner is uploaded with its number, dates and tax", () => {
    given(...HISTORY.awaiting_invoice)
      .when(
        link("invoice", "upload", {
          number: "A-7",
          date: "2026-01-31",
          dueDate: "2026-02-28",
          taxAmount: 190,
        }),
      )
      .then({
        type: "link_invoice",
        invoice_reference: Scene.DOCUMENT,
        invoice_number: "A-7",
        invoice_date: "2026-01-31",
        due_date: "2026-02-28",
        stored: { tax_amount: 190, uploaded: true },
      })
      .thenOutcome({ row: "T8", lines: { type: "none" }, tasks: [] })
      .thenState({ status: { type: "awaiting_payment" }, taxAmount: 190, payableAmount: 1190 });
  });

  it("of a partner may be uploaded without tax", () => {
    given(...HISTORY.awaiting_invoice)
      .when(link("invoice"))
      .then(Scene.invoice(null))
      .thenState({ taxAmount: null, payableAmount: 1000 });
  });

  it("of a partner is never created by the worker", () => {
    given(...HISTORY.awaiting_invoice)
      .when(link("invoice", "worker"))
      .refused("billing_mode", "billing_mode: the service issues this invoice; uploads are not accepted");
  });

  it("of a self-billed settlement is created by the worker, with the tax of the approval", () => {
    given(...SELF_BILLED.awaiting_invoice)
      .when(link("invoice", "worker"))
      .then(Scene.invoice(250, false))
      .thenOutcome({ row: "T7", tasks: [] });
  });

  it("of a self-billed settlement is uploaded only if the policy has documents: manual", () => {
    given(...SELF_BILLED.awaiting_invoice)
      .when(link("invoice"))
      .refused("billing_mode", "billing_mode: the service issues this invoice; uploads are not accepted");
    MANUAL(...SELF_BILLED.awaiting_invoice)
      .when(link("invoice"))
      .then(Scene.invoice(250))
      .thenOutcome({ row: "T8" });
  });

  it("of a self-billed settlement states the tax that the approval fixed", () => {
    MANUAL(...SELF_BILLED.awaiting_invoice)
      .when(link("invoice", "upload", { taxAmount: 249 }))
      .refused("billing_mode", "billing_mode: tax_amount: the tax of this self-billed settlement is 250");
    MANUAL(...SELF_BILLED.awaiting_invoice)
      .when(link("invoice", "upload", { taxAmount: 250 }))
      .then(Scene.invoice(250));
  });

  it("that balances to 0 ends the settlement as paid", () => {
    const groups = [group(1000, 0, null), group(-800, -200)];
    given(draft(200), Scene.selfBilled(...groups), Scene.report())
      .when(link("invoice", "worker"))
      .thenOutcome({ row: "T7a", lines: { type: "settle", as: "paid" }, tasks: [] })
      .thenState({ status: { type: "paid", method: "nothing_due" } });
  });

  it("is refused in a state that does not await it", () => {
    given(...HISTORY.awaiting_report)
      .when(link("invoice"))
      .refused(
        "settlement_state",
        "settlement_state: a settlement in awaiting_report cannot take an invoice",
      );
    given(...HISTORY.written_off)
      .when(link("invoice"))
      .refused("settlement_state");
  });

  it("is invalid in every state if total and tax exceed the largest amount", () => {
    const facts = { taxAmount: Number.MAX_SAFE_INTEGER };
    given(...HISTORY.draft)
      .when(link("invoice", "upload", facts))
      .refused("Invalid", "tax_amount: total and tax exceed the largest amount");
    given(draft(-1), Scene.APPROVED)
      .when(link("credit_note", "upload", facts))
      .refused("Invalid", "tax_amount: total and tax exceed the largest amount");
    given(draft(1), Scene.APPROVED, Scene.report())
      .when(link("invoice", "upload", { taxAmount: Number.MAX_SAFE_INTEGER - 1 }))
      .thenOutcome({ row: "T8" });
  });

  it("that was uploaded is replaced by another upload until the payment begins", () => {
    given(...HISTORY.awaiting_payment)
      .when(link("invoice", "upload", { taxAmount: 5 }))
      .then(Scene.invoice(5))
      .thenOutcome({ row: "T26", tasks: [] })
      .thenState({ status: { type: "awaiting_payment" }, payableAmount: 1005 });
    given(...HISTORY.payment_initiated)
      .when(link("invoice"))
      .refused("settlement_state");
    MANUAL(...SELF_BILLED.awaiting_payment)
      .when(link("invoice"))
      .refused("settlement_state");
  });

  it("is replaced under the rules under which it was uploaded", () => {
    const uploaded = [...SELF_BILLED.awaiting_invoice, Scene.invoice(250, true)];
    given(...uploaded)
      .when(link("invoice"))
      .refused("billing_mode");
    MANUAL(...uploaded)
      .when(link("invoice", "upload", { taxAmount: 1 }))
      .refused("billing_mode");
  });
});

describe("the review of a negative settlement", () => {
  it("can require a credit note, which the worker creates for self-billing", () => {
    const command = { type: "review", decision: "issue_credit_note", note: "agreed" } as const;
    given(...HISTORY.negative_review)
      .when(command)
      .then({ type: "review_settlement", decision: "issue_credit_note", note: "agreed" })
      .thenOutcome({ row: "T9", tasks: [], lines: { type: "none" } })
      .thenState({ status: { type: "awaiting_credit_note" } });
    given(...SELF_BILLED.negative_review)
      .when(command)
      .thenOutcome({ row: "T9", tasks: ["make_credit_note"] });
  });

  it("can carry the debt forward, which releases the lines", () => {
    given(...HISTORY.negative_review)
      .when({ type: "review", decision: "carry_forward", note: null })
      .then({ type: "review_settlement", decision: "carry_forward" })
      .thenOutcome({ row: "T10", lines: { type: "release", cause: "carried_forward" }, tasks: [] })
      .thenState({ status: { type: "cancelled", cause: "carried_forward" } });
  });

  it("can write the debt off, so that it is never claimed again", () => {
    given(...HISTORY.negative_review)
      .when({ type: "review", decision: "write_off", note: null })
      .then({ type: "review_settlement", decision: "write_off" })
      .thenOutcome({ row: "T11", lines: { type: "settle", as: "written_off" }, tasks: [] })
      .thenState({ status: { type: "written_off" } });
  });

  it("is refused for a settlement that is not negative", () => {
    given(...HISTORY.awaiting_invoice)
      .when({ type: "review", decision: "write_off", note: null })
      .refused("settlement_state", "settlement_state: a settlement in awaiting_invoice cannot be reviewed");
  });
});

describe("the credit note", () => {
  it("of a partner is uploaded; its tax has the sign of the total", () => {
    given(...HISTORY.awaiting_credit_note)
      .when(
        link("credit_note", "upload", {
          number: "C-1",
          date: "2026-01-31",
          dueDate: "2026-02-28",
          taxAmount: 190,
        }),
      )
      .then({
        type: "link_credit_note",
        credit_note_reference: Scene.DOCUMENT,
        credit_note_number: "C-1",
        credit_note_date: "2026-01-31",
        due_date: "2026-02-28",
        stored: { tax_amount: -190, uploaded: true },
      })
      .thenOutcome({ row: "T12", tasks: [] })
      .thenState({ status: { type: "awaiting_payment" }, payableAmount: -1190 });
  });

  it("of a partner may be uploaded without tax", () => {
    given(...HISTORY.awaiting_credit_note)
      .when(link("credit_note"))
      .then(Scene.creditNote(null))
      .thenState({ taxAmount: null, payableAmount: -1000 });
  });

  it("of a self-billed settlement is created by the worker", () => {
    given(...SELF_BILLED.awaiting_credit_note)
      .when(link("credit_note", "worker"))
      .then(Scene.creditNote(-250, false));
    given(...SELF_BILLED.awaiting_credit_note)
      .when(link("credit_note"))
      .refused("billing_mode", "billing_mode: the service issues this credit note; uploads are not accepted");
    MANUAL(...SELF_BILLED.awaiting_credit_note)
      .when(link("credit_note", "upload", { taxAmount: 1 }))
      .refused("billing_mode", "billing_mode: tax_amount: the tax of this self-billed settlement is 250");
  });

  it("is refused in a state that does not await it", () => {
    given(...HISTORY.awaiting_payment)
      .when(link("credit_note"))
      .refused(
        "settlement_state",
        "settlement_state: a settlement in awaiting_payment cannot take a credit note",
      );
  });

  it("that was uploaded is replaced by another upload", () => {
    given(...HISTORY.awaiting_credit_note, Scene.creditNote(-190))
      .when(link("credit_note", "upload", { taxAmount: 5 }))
      .then(Scene.creditNote(-5))
      .thenOutcome({ row: "T27" });
  });
});

describe("a document that cannot be created", () => {
  const problem = { kind: "invoice", code: "missing_font", message: "no font has 好" } as const;
  const fail = { type: "fail_document", ...problem } as const;

  it("is recorded, and not queued again", () => {
    given(...SELF_BILLED.awaiting_invoice)
      .when(fail)
      .then(fail)
      .thenOutcome({ row: null, lines: { type: "none" }, tasks: [] })
      .thenState({ status: { type: "awaiting_invoice" }, documentProblem: problem });
    given(...SELF_BILLED.awaiting_payment, Scene.WRITTEN_OFF)
      .when({ ...fail, kind: "credit_note" })
      .thenOutcome({ row: null, tasks: [] });
  });

  it.each([
    ["message", { message: "no font has 你" }],
    ["code", { code: "too_large" as never }],
    ["kind", { kind: "credit_note" }],
  ] as const)("is recorded once, until its %s changes", (_name, change) => {
    given(...SELF_BILLED.awaiting_invoice, fail)
      .when(fail)
      .then();
    given(...SELF_BILLED.awaiting_invoice, fail)
      .when({ ...fail, ...change })
      .then({ ...fail, ...change });
  });

  it("is ignored for a draft, a paid settlement and a document that exists", () => {
    given(draft()).when(fail).then();
    given(draft(0), Scene.APPROVED, Scene.report()).when(fail).then();
    given(...SELF_BILLED.awaiting_payment)
      .when(fail)
      .then();
  });
});

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
      .refused(
        "settlement_state",
        "settlement_state: a settlement in awaiting_invoice cannot be marked as paid",
      );
    given(...HISTORY.disputed)
      .when(PAY)
      .refused("settlement_state");
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
      .refused(
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
      .refused("Invalid", "paid_at: must not be more than 5 minutes in the future");
    given(draft())
      .when({ ...PAY, now: 0, paidAt: -2 * DAY })
      .refused("settlement_state");
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
      "no payout provider is configured",
    ],
    ["when the partner owes", POLICY, -1000, null, "nothing is to be paid to the partner"],
    ["for an account that cannot be paid", POLICY, 1000, "the BIC is wrong", "the BIC is wrong"],
  ] as const)("is refused %s", (_name, policy, total, problem, message) => {
    const documented =
      total > 0 ? [Scene.invoice()] : [Scene.reviewed("issue_credit_note"), Scene.creditNote()];
    under(policy)(draft(total), Scene.APPROVED, Scene.report(), ...documented)
      .when({ ...INITIATE, problem })
      .refused("payout_unavailable", `payout_unavailable: ${message}`);
  });

  it("is judged by the payable amount, not by the total", () => {
    const owed = [group(1000, 0, null), group(-900, -225)];
    given(
      draft(100),
      Scene.selfBilled(...owed),
      Scene.report(),
      Scene.reviewed("issue_credit_note"),
      Scene.creditNote(-225, false),
    )
      .when(INITIATE)
      .refused("payout_unavailable");
    const due = [group(-1000, 0, null), group(900, 225)];
    given(draft(-100), Scene.selfBilled(...due), Scene.report(), Scene.invoice(225, false))
      .when(INITIATE)
      .thenOutcome({ row: "T14" });
  });

  it("is refused in a state without a document", () => {
    given(...HISTORY.awaiting_invoice)
      .when(INITIATE)
      .refused(
        "settlement_state",
        "settlement_state: a settlement in awaiting_invoice cannot initiate a payment",
      );
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
    ["was marked as paid by hand", [...HISTORY.payment_initiated, Scene.PAID], RETURN],
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
      .refused("settlement_state", "settlement_state: a settlement in paid cannot return its payment");
  });

  it("under another reference is recorded and does not change the state", () => {
    given(...HISTORY.paid)
      .when({ ...RETURN, paymentReference: Scene.OTHER_REFERENCE })
      .then(anomaly("returned", Scene.OTHER_REFERENCE));
  });
});

describe("writing off", () => {
  it.each([
    "awaiting_report",
    "negative_review",
    "awaiting_invoice",
    "awaiting_credit_note",
    "awaiting_payment",
    "payment_initiated",
    "disputed",
  ] as const)("settles the lines of a settlement in %s as written off", (state) => {
    given(...HISTORY[state])
      .when(WRITE_OFF)
      .then(Scene.WRITTEN_OFF)
      .thenOutcome({ row: "T19", lines: { type: "settle", as: "written_off" }, tasks: [] })
      .thenState({ status: { type: "written_off" } });
  });

  it("is refused for a draft, which is cancelled instead", () => {
    given(draft())
      .when(WRITE_OFF)
      .refused("settlement_state", "settlement_state: a settlement in draft cannot be written off");
  });

  it.each(["paid", "written_off", "cancelled"] as const)("is refused in the state %s", (state) => {
    given(...HISTORY[state])
      .when(WRITE_OFF)
      .refused("settlement_terminal", `settlement_terminal: the settlement has ended in ${state}`);
  });

  it("queues the credit note that cancels an issued invoice, or the invoice that cancels a credit note", () => {
    given(...SELF_BILLED.awaiting_payment)
      .when(WRITE_OFF)
      .thenOutcome({ tasks: ["make_credit_note"] });
    given(...SELF_BILLED.credited)
      .when(WRITE_OFF)
      .thenOutcome({ tasks: ["make_invoice"] });
    given(...SELF_BILLED.awaiting_invoice)
      .when(WRITE_OFF)
      .thenOutcome({ tasks: [] });
  });

  it("queues no document if the policy has documents: manual, or if the partner writes the invoice", () => {
    MANUAL(...SELF_BILLED.awaiting_payment)
      .when(WRITE_OFF)
      .thenOutcome({ tasks: [] });
    given(...HISTORY.awaiting_payment)
      .when(WRITE_OFF)
      .thenOutcome({ tasks: [] });
  });
});

describe("the counterpart after a write-off or an upheld dispute", () => {
  const writtenOff = [...SELF_BILLED.awaiting_payment, Scene.WRITTEN_OFF];
  const inFlight = [...SELF_BILLED.payment_initiated, Scene.WRITTEN_OFF];

  it("is a credit note with the tax of the invoice, and does not change the state", () => {
    given(...writtenOff)
      .when(link("credit_note", "worker"))
      .then(Scene.creditNote(250, false))
      .thenOutcome({ row: "T24", lines: { type: "none" }, tasks: [] })
      .thenState({ status: { type: "written_off" }, payableAmount: 1250 });
  });

  it("is an invoice if a credit note was issued", () => {
    given(...SELF_BILLED.credited, Scene.WRITTEN_OFF)
      .when(link("invoice", "worker"))
      .then(Scene.invoice(-250, false))
      .thenOutcome({ row: "T24a", tasks: [] })
      .thenState({ status: { type: "written_off" } });
  });

  it("is issued once", () => {
    const done = [...writtenOff, Scene.creditNote(250, false)];
    given(...done)
      .when(link("credit_note", "worker"))
      .refused("settlement_state", "settlement_state: a settlement in written_off cannot take a credit note");
    given(...done)
      .when(link("invoice", "worker"))
      .refused("settlement_state");
  });

  it("is uploaded only if the policy has documents: manual", () => {
    given(...writtenOff)
      .when(link("credit_note"))
      .refused("billing_mode");
    MANUAL(...writtenOff)
      .when(link("credit_note", "upload", { taxAmount: 1 }))
      .refused("billing_mode");
    MANUAL(...writtenOff)
      .when(link("credit_note"))
      .thenOutcome({ row: "T24" });
    given(...SELF_BILLED.credited, Scene.WRITTEN_OFF)
      .when(link("invoice"))
      .refused("billing_mode");
    MANUAL(...SELF_BILLED.credited, Scene.WRITTEN_OFF)
      .when(link("invoice", "upload", { taxAmount: 1 }))
      .refused("billing_mode");
  });

  it("waits for the final failure of a payment that was in flight", () => {
    given(...inFlight)
      .when(link("credit_note", "worker"))
      .refused("settlement_state");
    given(...inFlight)
      .when(FAIL)
      .then(anomaly("failed"))
      .thenOutcome({ row: null, tasks: ["make_credit_note"], lines: { type: "none" } });
    given(...inFlight)
      .when({ ...FAIL, paymentReference: Scene.OTHER_REFERENCE })
      .thenOutcome({ tasks: [] });
    MANUAL(...inFlight)
      .when(FAIL)
      .thenOutcome({ tasks: [] });
  });

  it("is not issued once that payment is confirmed, unless the bank returns it", () => {
    given(...inFlight)
      .when(CONFIRM)
      .then(anomaly("confirmed"))
      .thenOutcome({ tasks: [] });
    const confirmed = [...inFlight, anomaly("confirmed")];
    given(...confirmed)
      .when(FAIL)
      .thenOutcome({ tasks: [] });
    given(...confirmed)
      .when(RETURN)
      .thenOutcome({ tasks: ["make_credit_note"] });
  });

  it("follows an upheld dispute as well", () => {
    given(...SELF_BILLED.awaiting_payment, Scene.DISPUTED)
      .when({ type: "resolve_dispute", resolution: "upheld", note: null })
      .thenOutcome({ tasks: ["make_credit_note"] });
    const upheld = [Scene.DISPUTED, { type: "resolve_dispute", resolution: "upheld" }] as const;
    given(...SELF_BILLED.awaiting_payment, ...upheld)
      .when(link("credit_note", "worker"))
      .thenOutcome({ row: "T24", tasks: [] })
      .thenState({ status: { type: "cancelled", cause: "dispute_upheld" } });
    given(...SELF_BILLED.credited, ...upheld)
      .when(link("invoice", "worker"))
      .thenOutcome({ row: "T24a", tasks: [] })
      .thenState({ status: { type: "cancelled", cause: "dispute_upheld" } });
  });
});

describe("a dispute", () => {
  const resolve = (resolution: "upheld" | "rejected") =>
    ({ type: "resolve_dispute", resolution, note: "checked" }) as const;

  it("interrupts a settlement between approval and payment", () => {
    given(...HISTORY.awaiting_invoice)
      .when({ type: "dispute", reason: "wrong" })
      .then(Scene.DISPUTED)
      .thenOutcome({ row: "T20", lines: { type: "none" }, tasks: [] })
      .thenState({ status: { type: "disputed", resume: "awaiting_invoice" }, disputeReason: "wrong" });
  });

  it.each(["draft", "payment_initiated", "paid", "written_off", "disputed"] as const)(
    "is refused in %s",
    (state) => {
      given(...HISTORY[state])
        .when({ type: "dispute", reason: "wrong" })
        .refused("settlement_state", `settlement_state: a settlement in ${state} cannot be disputed`);
    },
  );

  it("that is upheld cancels the settlement and releases its lines", () => {
    given(...HISTORY.disputed)
      .when(resolve("upheld"))
      .then({ type: "resolve_dispute", resolution: "upheld", note: "checked" })
      .thenOutcome({ row: "T22", lines: { type: "release", cause: "dispute_upheld" }, tasks: [] })
      .thenState({ status: { type: "cancelled", cause: "dispute_upheld" } });
  });

  it("that is rejected restores the state that it interrupted", () => {
    given(...HISTORY.negative_review, Scene.DISPUTED)
      .when({ ...resolve("rejected"), note: null })
      .then({ type: "resolve_dispute", resolution: "rejected" })
      .thenOutcome({ row: "T21", lines: { type: "none" }, tasks: [] })
      .thenState({ status: { type: "negative_review" } });
  });

  it.each([
    ["awaiting_report", ["make_report"]],
    ["awaiting_invoice", ["make_invoice"]],
    ["awaiting_credit_note", ["make_credit_note"]],
    ["negative_review", []],
    ["awaiting_payment", []],
  ] as const)("that is rejected queues the work of %s again", (state, tasks) => {
    given(...SELF_BILLED[state], Scene.DISPUTED)
      .when(resolve("rejected"))
      .thenOutcome({ tasks });
    MANUAL(...SELF_BILLED[state], Scene.DISPUTED)
      .when(resolve("rejected"))
      .thenOutcome({ tasks: [] });
  });

  it("queues no document that the partner writes", () => {
    for (const state of ["awaiting_invoice", "awaiting_credit_note"] as const) {
      given(...HISTORY[state], Scene.DISPUTED)
        .when(resolve("rejected"))
        .thenOutcome({ tasks: [] });
    }
  });

  it("can be resolved once", () => {
    given(...HISTORY.awaiting_payment)
      .when(resolve("upheld"))
      .refused(
        "settlement_state",
        "settlement_state: a settlement in awaiting_payment cannot have a dispute resolved",
      );
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
      .refused("settlement_state", "settlement_state: a settlement in awaiting_payment cannot be reconciled");
  });
});

describe("the policy documents: manual", () => {
  it("leaves the report to the caller", () => {
    MANUAL(draft()).when(approve()).thenOutcome({ row: "T2", tasks: [] });
  });
});
