/** Shared by the tests of settlements: named histories, and the commands and events of ordinary cases. */
import { type Ids, Settlement, SettlementMachine, type Tax } from "quittance";
import { Decider } from "quittance/testing";

type Event = Settlement.SettlementEvent;
type Command = SettlementMachine.SettlementCommand;

const id = (number: number): never => `00000000-0000-7000-8000-${String(number).padStart(12, "0")}` as never;

/** The payment reference of every payment that is initiated. */
export const REFERENCE: SettlementMachine.SettlementCommandOf<"confirm_payment">["paymentReference"] = id(9);
/** The reference of an earlier attempt. */
export const OTHER_REFERENCE: typeof REFERENCE = id(10);
/** The document that every link refers to. */
export const DOCUMENT: SettlementMachine.LinkCommand["documentId"] = id(11);
/** A document that replaces it. */
export const OTHER_DOCUMENT: typeof DOCUMENT = id(12);
/** A payment file. */
export const FILE: SettlementMachine.SettlementCommandOf<"hand_over_payment">["paymentFileId"] = id(14);
/** A commission. */
export const COMMISSION: Settlement.Line["commissionId"] = id(13);

/** No approval rules, with a payout provider. */
export const POLICY: SettlementMachine.Policy = { ...SettlementMachine.DEFAULT_POLICY, payouts: true };

/** `given(events).when(command)` under a policy. */
export const under = (policy: SettlementMachine.Policy) =>
  Decider.specify({
    evolve: Settlement.evolve,
    decide: (state: Settlement.View | null, command: Command) => {
      if (state === null) throw new Error("a command needs a settlement");
      return SettlementMachine.decide(state, command, policy);
    },
  });

/** `given(events).when(command)` under {@link POLICY}. */
export const given = under(POLICY);

/** The self-billing data of a Danish partner at 25 %. */
export const SELF_BILLING = {
  legalName: "Nordlys ApS",
  address: { street: "Havnegade 1", city: "København", region: "", postalCode: "1058", country: "DK" },
  vatNumber: "DK12345678",
  paymentTermsDays: 30,
  bankAccount: { beneficiaryName: "Nordlys ApS", iban: "DK5000400440116243", bic: "NDEADKKK" },
  taxConfig: { treatment: "standard", label: "VAT", rateBps: 2500 },
} as const;

/** A group at a rate; exempt without one. */
export const group = (base: number, tax: number, rateBps: number | null = 2500): Tax.TaxGroup => ({
  treatment: rateBps === null ? "exempt" : "standard",
  label: "VAT",
  rateBps,
  base,
  tax,
});

/** A draft of a total. */
export const draft = (total = 1000): Event => ({
  type: "create_settlement",
  total,
  line_count: 1,
  stored: { currency: "EUR" as never, lines: [{ commissionId: COMMISSION, amount: total }] },
});

/** The approval for a partner that writes its own invoices. */
export const APPROVED: Event = {
  type: "approve_settlement",
  billing_mode: "partner_billing",
  stored: { partner_name: "Nordlys", self_billing_data: null, tax_groups: [] },
};

/** The approval of a self-billed settlement with groups. */
export const selfBilled = (...groups: ReadonlyArray<Tax.TaxGroup>): Event => ({
  type: "approve_settlement",
  billing_mode: "self_billing",
  stored: { partner_name: "Nordlys", self_billing_data: SELF_BILLING, tax_groups: groups },
});

/** A linked report. */
export const report = (uploaded = false): Event => ({
  type: "link_report",
  report_reference: DOCUMENT,
  stored: { uploaded },
});

/** A linked invoice. */
export const invoice = (tax_amount: number | null = null, uploaded = true): Event => ({
  type: "link_invoice",
  invoice_reference: DOCUMENT,
  stored: { tax_amount, uploaded },
});

/** A linked credit note. */
export const creditNote = (tax_amount: number | null = null, uploaded = true): Event => ({
  type: "link_credit_note",
  credit_note_reference: DOCUMENT,
  stored: { tax_amount, uploaded },
});

/** A linked document whose tax an approver has to accept, because no rate is known. */
export const toReview = (event: Event): Event =>
  event.type === "link_invoice" || event.type === "link_credit_note"
    ? { ...event, tax_review: { tax_amount: event.stored.tax_amount ?? 0, expected_tax_amount: null } }
    : event;

/** A document with a tax of 300 that an approver has to accept. */
export const TAX_TO_REVIEW = { tax_review: { tax_amount: 300, expected_tax_amount: 250 } } as const;

/** The review's decision. */
export const reviewed = (decision: Settlement.ReviewDecision): Event => ({
  type: "review_settlement",
  decision,
});

/** An initiated payment. */
export const INITIATED: Event = { type: "initiate_payment", payment_reference: REFERENCE, attempt: 1 };
/** A payment whose file was handed over. */
export const HANDED_OVER: Event = {
  type: "hand_over_payment",
  payment_reference: REFERENCE,
  payment_file_id: FILE,
  execution_date: "2026-01-05",
};
/** A payment that the bank confirmed. */
export const CONFIRMED: Event = { type: "confirm_payment", payment_reference: REFERENCE };
/** A write-off. */
export const WRITTEN_OFF: Event = { type: "write_off_settlement" };
/** A dispute. */
export const DISPUTED: Event = { type: "dispute_settlement", reason: "wrong", raised_by: "customer" };
/** A settlement marked as paid. */
export const PAID: Event = { type: "mark_as_paid" };

/** Histories of a settlement that the partner invoices, each up to a state. */
export const HISTORY = {
  draft: [draft()],
  awaiting_report: [draft(), APPROVED],
  negative_review: [draft(-1000), APPROVED, report()],
  awaiting_invoice: [draft(), APPROVED, report()],
  awaiting_credit_note: [draft(-1000), APPROVED, report(), reviewed("issue_credit_note")],
  awaiting_payment: [draft(), APPROVED, report(), invoice()],
  payment_initiated: [draft(), APPROVED, report(), invoice(), INITIATED],
  disputed: [draft(), APPROVED, report(), invoice(), DISPUTED],
  paid: [draft(), APPROVED, report(), invoice(), INITIATED, CONFIRMED],
  written_off: [draft(), APPROVED, report(), WRITTEN_OFF],
  cancelled: [draft(), { type: "cancel_settlement" }],
} as const satisfies Record<Settlement.StatusType, ReadonlyArray<Event>>;

/** Histories of a settlement of 1000 and 25 % tax that the service invoices. */
const approved = [draft(), selfBilled(group(1000, 250))] as const;
export const SELF_BILLED = {
  awaiting_report: approved,
  awaiting_invoice: [...approved, report()],
  awaiting_payment: [...approved, report(), invoice(250, false)],
  payment_initiated: [...approved, report(), invoice(250, false), INITIATED],
  negative_review: [draft(-1000), selfBilled(group(-1000, -250)), report()],
  awaiting_credit_note: [
    draft(-1000),
    selfBilled(group(-1000, -250)),
    report(),
    reviewed("issue_credit_note"),
  ],
  /** Awaiting payment of a credit note. */
  credited: [
    draft(-1000),
    selfBilled(group(-1000, -250)),
    report(),
    reviewed("issue_credit_note"),
    creditNote(-250, false),
  ],
} as const satisfies Record<string, ReadonlyArray<Event>>;

/** The approval of a settlement, by somebody who did not create it. */
export const approve = (
  changes: Partial<SettlementMachine.SettlementCommandOf<"approve">> = {},
): SettlementMachine.SettlementCommandOf<"approve"> => ({
  type: "approve",
  person: "approver",
  hasChangedLimit: false,
  stale: false,
  partnerName: "Nordlys",
  billingMode: "partner_billing",
  selfBillingData: null,
  assessment: { reversals: [], shares: [], groups: [], tax: 0n },
  invoiceTax: "unknown",
  ...changes,
});

/** The assessment of one group at 25 %. */
export const assessed = (base: bigint, tax: bigint): Tax.Assessment => ({
  reversals: [],
  shares: [],
  groups: [{ treatment: "standard", label: "VAT", rateBps: 2500, base, tax }],
  tax,
});

/** A command that links a document. */
export const link = (
  kind: "report" | "invoice" | "credit_note",
  origin: SettlementMachine.DocumentOrigin = "upload",
  facts: SettlementMachine.LinkCommand["facts"] = {},
): SettlementMachine.LinkCommand => ({ type: `link_${kind}`, documentId: DOCUMENT, origin, facts });

/** Marks as paid at the time of the request. */
export const PAY = {
  type: "mark_as_paid",
  now: 0,
  paidAt: null,
  bankReference: null,
  amounts: {},
  note: null,
} as const;
/** Initiates a payment to a valid account. */
export const INITIATE = {
  type: "initiate_payment",
  paymentReference: REFERENCE,
  isSuspended: false,
  problem: null,
} as const;
/** A person hands the file of the payment over. */
export const HAND_OVER = {
  type: "hand_over_payment",
  paymentReference: REFERENCE,
  paymentFileId: FILE,
  executionDate: "2026-01-05",
} as const;
/** The provider confirms. */
export const CONFIRM = {
  type: "confirm_payment",
  paymentReference: REFERENCE,
  bankReference: null,
  amounts: {},
} as const;
/** The provider reports a final failure. */
export const FAIL = { type: "fail_payment", paymentReference: REFERENCE, reason: "closed" } as const;
/** A person reports that the bank rejected the payment. */
export const FAIL_BY_HAND = { type: "fail_payment", paymentReference: null, reason: "by phone" } as const;
/** The bank returns the money. */
export const RETURN = {
  type: "return_payment",
  paymentReference: REFERENCE,
  reason: "account closed",
  heldByOthers: [],
} as const;
/** Writes off. */
export const WRITE_OFF = { type: "write_off", reason: null } as const;
/** The customer disputes the whole settlement. */
export const DISPUTE: SettlementMachine.SettlementCommandOf<"dispute"> = {
  type: "dispute",
  reason: "wrong",
  side: "customer",
  commissionIds: [],
  foreign: [],
  attached: SettlementMachine.NOTHING_ATTACHED,
};
/** The partner comments. */
export const COMMENT = {
  type: "comment",
  text: "one order is missing",
  side: "partner",
  attached: SettlementMachine.NOTHING_ATTACHED,
} as const;
/** Reconciles. */
export const RECONCILE = { type: "reconcile", reconciled: true } as const;
/** Takes a reconciliation back. */
export const UNRECONCILE = { type: "reconcile", reconciled: false } as const;

/** The decision of a review. */
export const review = (
  decision: Settlement.ReviewDecision,
  { person = "approver", note = null }: { readonly person?: string; readonly note?: string | null } = {},
): Command => ({ type: "review", person, hasChangedLimit: false, decision, note });

/** The resolution of a dispute. */
export const resolve = (resolution: Settlement.Resolution, note: string | null = null): Command => ({
  ...{ type: "resolve_dispute", resolution, note },
  attached: SettlementMachine.NOTHING_ATTACHED,
});

/** The choice of an account, while a payment under way is in no file. */
export const CHOOSE = {
  type: "choose_payout_account",
  account: {
    id: "00000000-0000-4000-8000-00000000000a" as Ids.PayoutAccountId,
    type: "uk",
    details: { sort_code: "200000", account_number: "55779911", holder: "Nordlys" },
  },
  isProposer: false,
  isWaiting: true,
} as const;

/** One command of each kind that has its own case. */
export const COMMANDS: ReadonlyArray<Command> = [
  approve(),
  { type: "cancel" },
  ...(["report", "invoice", "credit_note"] as const).flatMap((kind) => [
    link(kind, "upload"),
    link(kind, "worker"),
  ]),
  ...(["issue_credit_note", "carry_forward", "write_off", "accept_tax", "refuse_tax"] as const).map(
    (decision) => review(decision),
  ),
  PAY,
  INITIATE,
  CHOOSE,
  CONFIRM,
  FAIL,
  FAIL_BY_HAND,
  HAND_OVER,
  RETURN,
  WRITE_OFF,
  DISPUTE,
  ...(["partner", "customer"] as const).map((side) => ({ type: "withdraw_dispute" as const, side })),
  COMMENT,
  resolve("upheld"),
  resolve("rejected"),
  RECONCILE,
  UNRECONCILE,
  { type: "fail_document", kind: "report", code: "missing_font", message: "no font" },
];

/** A policy under which documents are uploaded. */
export const MANUAL = under({ ...POLICY, documents: "manual" });

/** The record of a message that does not match the state of the payment. */
export const anomaly = (kind: "confirmed" | "failed" | "returned", reference = REFERENCE) => ({
  type: "payment_anomaly" as const,
  kind,
  payment_reference: reference,
});
