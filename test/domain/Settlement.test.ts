import type { Settlement } from "quittance";
import { Decider } from "quittance/testing";
import { describe, expect, it } from "vitest";
import * as Scene from "./SettlementScene.ts";
import { APPROVED, draft, given, group, HISTORY, SELF_BILLED, SELF_BILLING } from "./SettlementScene.ts";

const linkedInvoice = {
  type: "link_invoice",
  invoice_reference: Scene.DOCUMENT,
  invoice_number: "A-7",
  invoice_date: "2026-01-31",
  due_date: "2026-02-28",
  stored: { tax_amount: 190, uploaded: true },
} as const;

describe("the log of a settlement", () => {
  it("begins with its creation", () => {
    expect(() => given(APPROVED)).toThrow("a settlement's log begins with create_settlement");
  });

  it("creates an unpaid draft without documents", () => {
    given({ at: 3, actor: "maker", event: draft(700) }).thenState({
      status: { type: "draft" },
      currency: "EUR" as never,
      total: 700,
      lineCount: 1,
      createdBy: "maker",
      approval: null,
      approvedAt: null,
      taxAmount: null,
      payableAmount: null,
      paidAfterWriteOff: false,
      disputeReason: null,
      disputedAt: null,
      reconciliationStatus: "unreconciled",
      reportReference: null,
      reportNumber: null,
      invoiceReference: null,
      invoiceNumber: null,
      invoiceDate: null,
      dueDate: null,
      creditNoteReference: null,
      creditNoteNumber: null,
      creditNoteDate: null,
      uploads: [],
      documentProblem: null,
      eInvoiceProblems: [],
      paymentReference: null,
      attempt: 0,
      paidAt: null,
      bankReference: null,
      erasedAt: null,
      createdAt: 3,
    });
  });
});

describe("the approval", () => {
  it("keeps the partner as it was, and when that was", () => {
    given(draft(), { at: 5, actor: "a", event: Scene.selfBilled(group(1000, 250)) }).thenState({
      status: { type: "awaiting_report" },
      approval: {
        billingMode: "self_billing",
        partnerName: "Nordlys",
        selfBillingData: SELF_BILLING,
        taxGroups: [group(1000, 250)],
      },
      approvedAt: 5,
      taxAmount: 250,
      payableAmount: 1250,
    });
  });

  it("sums the tax over the groups", () => {
    given(draft(1500), Scene.selfBilled(group(1000, 250), group(500, 50, 1000))).thenState({
      taxAmount: 300,
      payableAmount: 1800,
    });
  });

  it("fixes no tax if the partner writes the invoice", () => {
    given(draft(), APPROVED).thenState({ taxAmount: null, payableAmount: null });
  });

  it("of an old log without tax groups taxes the whole total under the partner's terms", () => {
    given(draft(1002), {
      type: "approve_settlement",
      billing_mode: "self_billing",
      stored: { partner_name: "Nordlys", self_billing_data: SELF_BILLING },
    }).thenState({ taxAmount: 251, payableAmount: 1253 });
    const old = given(draft(1002), {
      type: "approve_settlement",
      billing_mode: "partner_billing",
      stored: { partner_name: "Nordlys", self_billing_data: null },
    });
    old.thenState({ taxAmount: null });
    expect(old.state?.approval?.taxGroups).toEqual([]);
  });
});

describe("linked documents", () => {
  it("show their number, dates and tax", () => {
    given(...HISTORY.awaiting_invoice, linkedInvoice).thenState({
      invoiceReference: Scene.DOCUMENT,
      invoiceNumber: "A-7",
      invoiceDate: "2026-01-31",
      dueDate: "2026-02-28",
      taxAmount: 190,
      payableAmount: 1190,
      uploads: ["invoice"],
    });
    given(...HISTORY.awaiting_credit_note, {
      type: "link_credit_note",
      credit_note_reference: Scene.DOCUMENT,
      credit_note_number: "C-1",
      credit_note_date: "2026-01-31",
      due_date: "2026-02-28",
      stored: { tax_amount: -190, uploaded: true },
    }).thenState({
      creditNoteReference: Scene.DOCUMENT,
      creditNoteNumber: "C-1",
      creditNoteDate: "2026-01-31",
      dueDate: "2026-02-28",
      taxAmount: -190,
      payableAmount: -1190,
      uploads: ["credit_note"],
    });
    given(...HISTORY.awaiting_report, { ...Scene.report(), report_number: "REP-1" } as never).thenState({
      reportReference: Scene.DOCUMENT,
      reportNumber: "REP-1",
      uploads: [],
      paidAt: null,
    });
  });

  it("without a tax leave the total as the payable amount", () => {
    given(...HISTORY.awaiting_payment).thenState({ taxAmount: null, payableAmount: 1000, paidAt: null });
    given(...HISTORY.awaiting_credit_note, Scene.creditNote()).thenState({ payableAmount: -1000 });
  });

  it("do not change the tax that the approval of a self-billed settlement fixed", () => {
    given(...SELF_BILLED.awaiting_invoice, Scene.invoice(1)).thenState({
      taxAmount: 250,
      payableAmount: 1250,
    });
  });

  it("of a settlement of 0 end it as paid at that time", () => {
    given(draft(0), APPROVED, { at: 9, actor: "a", event: Scene.report() }).thenState({
      status: { type: "paid", method: "nothing_due" },
      paidAt: 9,
    });
    const balanced = [group(1000, 0, null), group(-800, -200)];
    given(draft(200), Scene.selfBilled(...balanced), Scene.report()).thenState({
      status: { type: "awaiting_invoice" },
      paidAt: null,
    });
    given(draft(200), Scene.selfBilled(...balanced), Scene.report(), {
      at: 9,
      actor: "a",
      event: Scene.invoice(0, false),
    }).thenState({ status: { type: "paid", method: "nothing_due" }, paidAt: 9 });
  });

  it("that replace others replace all of their facts", () => {
    given(...HISTORY.awaiting_invoice, linkedInvoice, {
      type: "link_invoice",
      invoice_reference: Scene.OTHER_DOCUMENT,
      stored: { tax_amount: null, uploaded: true },
    }).thenState({
      invoiceReference: Scene.OTHER_DOCUMENT,
      invoiceNumber: null,
      invoiceDate: null,
      dueDate: null,
      taxAmount: null,
      payableAmount: 1000,
      uploads: ["invoice"],
    });
    given(draft(), APPROVED, Scene.report(true), Scene.invoice(), Scene.report(true)).thenState({
      status: { type: "awaiting_payment" },
      uploads: ["invoice", "report"],
    });
  });

  it("count as uploaded only when a caller uploaded them", () => {
    given(draft(), APPROVED, Scene.report(true), Scene.invoice(), Scene.report(false)).thenState({
      uploads: ["invoice"],
    });
    given(draft(), APPROVED, { type: "link_report", report_reference: Scene.DOCUMENT }).thenState({
      uploads: [],
    });
  });

  it("that cancel others after the end leave state, amounts and due date", () => {
    given(...HISTORY.awaiting_invoice, linkedInvoice, Scene.WRITTEN_OFF, {
      type: "link_credit_note",
      credit_note_reference: Scene.OTHER_DOCUMENT,
      due_date: "2027-01-01",
      stored: { tax_amount: -5, uploaded: true },
    }).thenState({
      status: { type: "written_off" },
      creditNoteReference: Scene.OTHER_DOCUMENT,
      taxAmount: 190,
      payableAmount: 1190,
      dueDate: "2026-02-28",
    });
    given(
      ...HISTORY.awaiting_credit_note,
      Scene.creditNote(-190),
      Scene.WRITTEN_OFF,
      linkedInvoice,
    ).thenState({
      status: { type: "written_off" },
      invoiceReference: Scene.DOCUMENT,
      invoiceNumber: "A-7",
      taxAmount: -190,
      payableAmount: -1190,
      dueDate: null,
    });
  });
});

describe("the problems of e-invoices", () => {
  const problem = { rule: "BR-S-05", field: "rate_bps", message: "must be above 0" };
  const withProblems = <Linked extends ReturnType<typeof Scene.invoice>>(linked: Linked) => ({
    ...linked,
    stored: { tax_amount: 250, uploaded: false, e_invoice_problems: [problem] },
  });

  it("are those of the document that was linked last of each kind", () => {
    const history = SELF_BILLED.awaiting_invoice;
    given(...history, Scene.invoice(250, false)).thenState({ eInvoiceProblems: [] });
    const invoiced = [...history, withProblems(Scene.invoice(250, false))] as const;
    const ofInvoice = { kind: "invoice", ...problem } as const;
    given(...invoiced).thenState({ eInvoiceProblems: [ofInvoice] });
    const ended = [...invoiced, Scene.WRITTEN_OFF] as const;
    given(...ended, Scene.creditNote(-250, false)).thenState({ eInvoiceProblems: [ofInvoice] });
    given(...ended, withProblems(Scene.creditNote(-250, false))).thenState({
      eInvoiceProblems: [ofInvoice, { kind: "credit_note", ...problem }],
    });
  });
});

describe("a document problem", () => {
  const problem = { kind: "invoice", code: "missing_font", message: "no font" } as const;
  const failed = { type: "fail_document", ...problem } as const;
  const history = [...SELF_BILLED.awaiting_invoice, failed];

  it("is shown until the document is linked", () => {
    given(...history).thenState({ documentProblem: problem });
    given(...history, Scene.invoice(250, false)).thenState({ documentProblem: null });
    given(...SELF_BILLED.awaiting_report, { ...failed, kind: "report" }, Scene.report()).thenState({
      documentProblem: null,
    });
    given(
      ...SELF_BILLED.awaiting_credit_note,
      { ...failed, kind: "credit_note" },
      Scene.creditNote(-250, false),
    ).thenState({ documentProblem: null });
  });

  it("ends with a write-off or an upheld dispute, and survives a rejected one", () => {
    given(...history, Scene.WRITTEN_OFF).thenState({ documentProblem: null });
    given(...history, Scene.DISPUTED).thenState({ documentProblem: problem });
    given(...history, Scene.DISPUTED, { type: "resolve_dispute", resolution: "upheld" }).thenState({
      documentProblem: null,
    });
    given(...history, Scene.DISPUTED, { type: "resolve_dispute", resolution: "rejected" }).thenState({
      documentProblem: problem,
    });
  });
});

describe("a payment", () => {
  it("that is initiated has a reference and an attempt", () => {
    given(...HISTORY.payment_initiated).thenState({
      status: { type: "payment_initiated" },
      paymentReference: Scene.REFERENCE,
      attempt: 1,
      paidAt: null,
    });
  });

  it("that the bank confirms is paid when the confirmation is recorded", () => {
    given(...HISTORY.payment_initiated, {
      at: 8,
      actor: "bank",
      event: { type: "confirm_payment", payment_reference: Scene.REFERENCE, bank_reference: "B-1" },
    }).thenState({ status: { type: "paid", method: "webhook" }, paidAt: 8, bankReference: "B-1" });
    given(...HISTORY.paid).thenState({ bankReference: null });
  });

  it("that is marked by hand is paid at the stated time, else when it is recorded", () => {
    given(...HISTORY.awaiting_payment, {
      type: "mark_as_paid",
      paid_at: "1970-01-01T00:00:00.002Z",
      bank_reference: "B-1",
    }).thenState({ status: { type: "paid", method: "manual" }, paidAt: 2, bankReference: "B-1" });
    given(...HISTORY.awaiting_payment, { at: 8, actor: "a", event: Scene.PAID }).thenState({
      paidAt: 8,
      bankReference: null,
    });
  });

  it.each([
    ["fails", { type: "fail_payment", payment_reference: Scene.REFERENCE, reason: "r" }],
    ["is returned", { type: "return_payment", payment_reference: Scene.REFERENCE, reason: "r" }],
  ] as const)("that %s leaves no reference and no date, but counts as an attempt", (_name, event) => {
    given(
      ...HISTORY.payment_initiated,
      { ...Scene.CONFIRMED, bank_reference: "B" } as never,
      event,
    ).thenState({
      status: { type: "awaiting_payment" },
      paymentReference: null,
      paidAt: null,
      bankReference: null,
      attempt: 1,
    });
  });

  it("is reconciled and unreconciled without leaving its state", () => {
    given(...HISTORY.paid, { type: "reconcile_settlement" }).thenState({
      status: { type: "paid", method: "webhook" },
      reconciliationStatus: "reconciled",
    });
    given(...HISTORY.paid, { type: "reconcile_settlement" }, { type: "unreconcile_settlement" }).thenState({
      reconciliationStatus: "unreconciled",
    });
  });
});

describe("the end of a settlement", () => {
  it.each([
    ["cancel_settlement", [draft(), { type: "cancel_settlement" }], "draft_cancelled"],
    [
      "a review that carries forward",
      [...HISTORY.negative_review, Scene.reviewed("carry_forward")],
      "carried_forward",
    ],
    [
      "an upheld dispute",
      [...HISTORY.disputed, { type: "resolve_dispute", resolution: "upheld" }],
      "dispute_upheld",
    ],
  ] as const)("by %s cancels it with its cause", (_name, history, cause) => {
    given(...history).thenState({ status: { type: "cancelled", cause } });
  });

  it("by a write-off, or a review that writes off, is written_off", () => {
    given(...HISTORY.written_off).thenState({ status: { type: "written_off" } });
    given(...HISTORY.negative_review, Scene.reviewed("write_off")).thenState({
      status: { type: "written_off" },
    });
    given(...HISTORY.awaiting_credit_note).thenState({ status: { type: "awaiting_credit_note" } });
  });
});

describe("a dispute", () => {
  it("stores the state that it interrupted, its reason and its time", () => {
    given(...HISTORY.awaiting_payment, { at: 8, actor: "a", event: Scene.DISPUTED }).thenState({
      status: { type: "disputed", resume: "awaiting_payment" },
      disputeReason: "wrong",
      disputedAt: 8,
    });
  });

  it("that is rejected restores that state and keeps the reason", () => {
    given(...HISTORY.disputed, { type: "resolve_dispute", resolution: "rejected" }).thenState({
      status: { type: "awaiting_payment" },
      disputeReason: "wrong",
    });
  });

  it("does not interrupt a draft, and a rejection without a dispute changes nothing", () => {
    given(draft(), Scene.DISPUTED).thenState({ status: { type: "draft" }, disputeReason: null });
    given(draft(), { type: "resolve_dispute", resolution: "rejected" }).thenState({
      status: { type: "draft" },
    });
  });
});

describe("a message about a payment after the write-off", () => {
  const anomaly = (kind: Settlement.AnomalyKind, payment_reference = Scene.REFERENCE) =>
    ({ type: "payment_anomaly", kind, payment_reference }) as const;
  const inFlight = [...SELF_BILLED.payment_initiated, Scene.WRITTEN_OFF];

  it("that confirms it makes the settlement paid", () => {
    given(...inFlight, anomaly("confirmed")).thenState({
      paidAfterWriteOff: true,
      paymentReference: Scene.REFERENCE,
      status: { type: "written_off" },
    });
  });

  it("that it failed frees the documents, unless it was confirmed before", () => {
    given(...inFlight, anomaly("failed")).thenState({ paymentReference: null, paidAfterWriteOff: false });
    given(...inFlight, anomaly("confirmed"), anomaly("failed")).thenState({
      paymentReference: Scene.REFERENCE,
      paidAfterWriteOff: true,
    });
  });

  it("that the bank returned it frees the documents, also after a confirmation", () => {
    given(...inFlight, anomaly("confirmed"), anomaly("returned")).thenState({
      paymentReference: null,
      paidAfterWriteOff: false,
    });
    given(...inFlight, anomaly("returned")).thenState({ paymentReference: null });
  });

  it("under another reference, or in another state, changes nothing", () => {
    given(...inFlight, anomaly("failed", Scene.OTHER_REFERENCE)).thenState({
      paymentReference: Scene.REFERENCE,
    });
    given(...HISTORY.paid, anomaly("confirmed")).thenState({ paidAfterWriteOff: false });
    given(...HISTORY.payment_initiated, anomaly("failed")).thenState({
      paymentReference: Scene.REFERENCE,
      status: { type: "payment_initiated" },
    });
  });
});

describe("the kit itself", () => {
  it("fails a rule that does not hold", () => {
    const { RuleBroken } = Decider;
    expect(() => given(draft()).thenState({ total: 1 })).toThrow("state.total: expected 1, found 1000");
    expect(() => given(draft()).when({ type: "cancel" }).then()).toThrow(RuleBroken);
    expect(() => given(draft()).when({ type: "cancel" }).thenRefused("settlement_state")).toThrow(RuleBroken);
    expect(() => given(draft()).when({ type: "write_off", reason: null }).then()).toThrow(
      "refused: settlement_state:",
    );
    expect(() => given(draft()).when({ type: "write_off", reason: null }).thenRefused("busy")).toThrow(
      RuleBroken,
    );
    expect(() =>
      given(draft()).when({ type: "write_off", reason: null }).thenRefused("settlement_state", "x"),
    ).toThrow(RuleBroken);
    expect(() => given(draft()).when({ type: "cancel" }).thenOutcome({ row: "T4" })).toThrow(RuleBroken);
    expect(() => given(draft()).when({ type: "cancel" }).thenState({ total: 1 })).toThrow(RuleBroken);
  });
});
