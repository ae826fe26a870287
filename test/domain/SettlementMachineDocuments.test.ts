/** Decisions of the settlement machine on reports, invoices and credit notes. */
import { describe, it } from "vitest";
import * as Scene from "./SettlementScene.ts";
import {
  anomaly,
  approve,
  CONFIRM,
  draft,
  FAIL,
  given,
  group,
  HISTORY,
  link,
  MANUAL,
  RETURN,
  SELF_BILLED,
} from "./SettlementScene.ts";

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
    "of a self-billed settlement leads to the step that the payable amount requires: %s takes %s",
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
      .thenRefused(
        "settlement_state",
        "settlement_state: a settlement in awaiting_payment cannot take a report",
      );
    given(draft(), Scene.APPROVED, Scene.report(true), Scene.invoice())
      .when(link("report", "worker"))
      .thenRefused("settlement_state");
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
        tax_review: { tax_amount: 190, expected_tax_amount: null },
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
      .thenRefused("billing_mode", "billing_mode: the service issues this invoice; uploads are not accepted");
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
      .thenRefused("billing_mode", "billing_mode: the service issues this invoice; uploads are not accepted");
    MANUAL(...SELF_BILLED.awaiting_invoice)
      .when(link("invoice"))
      .then(Scene.invoice(250))
      .thenOutcome({ row: "T8" });
  });

  it("of a self-billed settlement states the tax that the approval fixed", () => {
    MANUAL(...SELF_BILLED.awaiting_invoice)
      .when(link("invoice", "upload", { taxAmount: 249 }))
      .thenRefused("billing_mode", "billing_mode: tax_amount: the tax of this self-billed settlement is 250");
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
      .thenRefused(
        "settlement_state",
        "settlement_state: a settlement in awaiting_report cannot take an invoice",
      );
    given(...HISTORY.written_off)
      .when(link("invoice"))
      .thenRefused("settlement_state");
  });

  it("is invalid in every state if total and tax exceed the largest amount", () => {
    const facts = { taxAmount: Number.MAX_SAFE_INTEGER };
    given(...HISTORY.draft)
      .when(link("invoice", "upload", facts))
      .thenRefused("Invalid", "tax_amount: total and tax exceed the largest amount");
    given(draft(-1), Scene.APPROVED)
      .when(link("credit_note", "upload", facts))
      .thenRefused("Invalid", "tax_amount: total and tax exceed the largest amount");
    given(draft(1), Scene.APPROVED, Scene.report())
      .when(link("invoice", "upload", { taxAmount: Number.MAX_SAFE_INTEGER - 1 }))
      .thenOutcome({ row: "T8" });
  });

  it("that was uploaded is replaced by another upload until the payment begins", () => {
    given(...HISTORY.awaiting_payment)
      .when(link("invoice", "upload", { taxAmount: 5 }))
      .then(Scene.toReview(Scene.invoice(5)))
      .thenOutcome({ row: "T26", tasks: [] })
      .thenState({ status: { type: "awaiting_payment" }, payableAmount: 1005 });
    given(...HISTORY.payment_initiated)
      .when(link("invoice"))
      .thenRefused("settlement_state");
    MANUAL(...SELF_BILLED.awaiting_payment)
      .when(link("invoice"))
      .thenRefused("settlement_state");
  });

  it("is replaced under the rules under which it was uploaded", () => {
    const uploaded = [...SELF_BILLED.awaiting_invoice, Scene.invoice(250, true)];
    given(...uploaded)
      .when(link("invoice"))
      .thenRefused("billing_mode");
    MANUAL(...uploaded)
      .when(link("invoice", "upload", { taxAmount: 1 }))
      .thenRefused("billing_mode");
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
        tax_review: { tax_amount: -190, expected_tax_amount: null },
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
      .thenRefused(
        "billing_mode",
        "billing_mode: the service issues this credit note; uploads are not accepted",
      );
    MANUAL(...SELF_BILLED.awaiting_credit_note)
      .when(link("credit_note", "upload", { taxAmount: 1 }))
      .thenRefused("billing_mode", "billing_mode: tax_amount: the tax of this self-billed settlement is 250");
  });

  it("is refused in a state that does not await it", () => {
    given(...HISTORY.awaiting_payment)
      .when(link("credit_note"))
      .thenRefused(
        "settlement_state",
        "settlement_state: a settlement in awaiting_payment cannot take a credit note",
      );
  });

  it("that was uploaded is replaced by another upload", () => {
    given(...HISTORY.awaiting_credit_note, Scene.creditNote(-190))
      .when(link("credit_note", "upload", { taxAmount: 5 }))
      .then(Scene.toReview(Scene.creditNote(-5)))
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
      .thenRefused(
        "settlement_state",
        "settlement_state: a settlement in written_off cannot take a credit note",
      );
    given(...done)
      .when(link("invoice", "worker"))
      .thenRefused("settlement_state");
  });

  it("is uploaded only if the policy has documents: manual", () => {
    given(...writtenOff)
      .when(link("credit_note"))
      .thenRefused("billing_mode");
    MANUAL(...writtenOff)
      .when(link("credit_note", "upload", { taxAmount: 1 }))
      .thenRefused("billing_mode");
    MANUAL(...writtenOff)
      .when(link("credit_note"))
      .thenOutcome({ row: "T24" });
    given(...SELF_BILLED.credited, Scene.WRITTEN_OFF)
      .when(link("invoice"))
      .thenRefused("billing_mode");
    MANUAL(...SELF_BILLED.credited, Scene.WRITTEN_OFF)
      .when(link("invoice", "upload", { taxAmount: 1 }))
      .thenRefused("billing_mode");
  });

  it("waits for the final failure of a payment that was in flight", () => {
    given(...inFlight)
      .when(link("credit_note", "worker"))
      .thenRefused("settlement_state");
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
      .when(Scene.resolve("upheld"))
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

describe("the policy documents: manual", () => {
  it("leaves the report to the caller", () => {
    MANUAL(draft()).when(approve()).thenOutcome({ row: "T2", tasks: [] });
  });
});
