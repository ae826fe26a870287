/**
 * The events of a settlement's log, named as in the interface: what each has, and how it is written from the command that
 * leads to it.
 */
import { Schema } from "effect";
import { CalendarDate } from "./CalendarDate.ts";
import type { Currency } from "./Currency.ts";
import type { EInvoiceProblem } from "./Document.ts";
import { type ErasureEvent, event, KeptText, PersonalText, type WithStored } from "./Event.ts";
import { CommissionId, DocumentId, PaymentFileId, PaymentReference, PayoutAccountId } from "./Ids.ts";
import { Amount, Count } from "./Money.ts";
import { paidAmounts } from "./PaidAmounts.ts";
import { BillingMode, type SelfBillingData } from "./Partner.ts";
import type { ApprovedAccount } from "./PayoutAccount.ts";
import { mask, PayoutType } from "./PayoutDetails.ts";
import type { Attached, LinkCommand, SettlementCommand, SettlementCommandOf } from "./SettlementCommand.ts";
import { Attachment, DocumentProblem, Resolution, ReviewDecision, Side } from "./SettlementFields.ts";
import { hasEnded, isSelfBilled, type View } from "./SettlementView.ts";
import type { TaxGroup } from "./Tax.ts";
import type { Conversion } from "./TaxCurrency.ts";
import { reviewOf } from "./TaxReview.ts";
import { DateTimeText, format } from "./Timestamp.ts";

export * from "./SettlementFields.ts";

/** A commission and the amount settled for it; fixed when the settlement is created. */
export interface Line {
  readonly commissionId: CommissionId;
  readonly amount: Amount;
}

const optional = <A, I>(schema: Schema.Schema<A, I>) => Schema.optionalWith(schema, { exact: true });

const bank = { bank_reference: optional(PersonalText) };
const note = { note: optional(PersonalText) };
const payment = { payment_reference: PaymentReference };

/** A tax that an approver has to accept: what the document states, and what the known rate gives; null without one. */
export const TaxToReview = Schema.Struct({
  tax_amount: Amount,
  expected_tax_amount: Schema.NullOr(Amount),
});
export type TaxToReview = typeof TaxToReview.Type;

const billed = { due_date: optional(CalendarDate), tax_review: optional(TaxToReview) };

/** A message about a payment that does not fit the state of its settlement: it is recorded and moves no state. */
const AnomalyKind = Schema.Literal("confirmed", "failed", "returned");
export type AnomalyKind = typeof AnomalyKind.Type;

const attached = { attachments: optional(Schema.Array(Attachment)) };

/** What responses show of events. `execution_date` is the day of the file, or of the hand-over if it is later. */
export const ShownEvent = Schema.Union(
  event("create_settlement", { total: Amount, line_count: Count }),
  event("approve_settlement", { billing_mode: BillingMode }),
  event("cancel_settlement", {}),
  event("link_report", { report_reference: DocumentId, report_number: optional(Schema.String) }),
  event("link_invoice", {
    invoice_reference: DocumentId,
    invoice_number: optional(Schema.String),
    invoice_date: optional(CalendarDate),
    ...billed,
  }),
  event("link_credit_note", {
    credit_note_reference: DocumentId,
    credit_note_number: optional(Schema.String),
    credit_note_date: optional(CalendarDate),
    ...billed,
  }),
  event("review_settlement", { decision: ReviewDecision, ...note }),
  event("choose_payout_account", {
    account_id: PayoutAccountId,
    account_type: PayoutType,
    details: Schema.Record({ key: Schema.String, value: Schema.String }),
  }),
  event("initiate_payment", { ...payment, attempt: Count }),
  event("hand_over_payment", { ...payment, payment_file_id: PaymentFileId, execution_date: CalendarDate }),
  event("confirm_payment", { ...payment, ...bank, ...paidAmounts }),
  event("fail_payment", { ...payment, reason: PersonalText }),
  event("return_payment", { ...payment, reason: PersonalText }),
  event("mark_as_paid", { paid_at: optional(DateTimeText), ...bank, ...paidAmounts, ...note }),
  event("write_off_settlement", { reason: optional(PersonalText) }),
  event("dispute_settlement", {
    reason: PersonalText,
    commission_ids: optional(Schema.Array(CommissionId)),
    raised_by: optional(Side),
    ...attached,
  }),
  event("withdraw_dispute", {}),
  event("resolve_dispute", { resolution: Resolution, ...note, ...attached }),
  event("comment_settlement", {
    text: PersonalText,
    side: Side,
    person: optional(KeptText),
    ...attached,
  }),
  event("reconcile_settlement", {}),
  event("unreconcile_settlement", {}),
  event("fail_document", DocumentProblem.fields),
  event("payment_anomaly", { kind: AnomalyKind, ...payment, ...bank, ...paidAmounts }),
);

/** What the log stores of a linked document beyond what it shows; older logs store the tax only. */
export interface Linked {
  readonly tax_amount: Amount | null;
  readonly uploaded?: boolean;
  /** Why the document has no e-invoice; absent when it has one, and where none is created. */
  readonly e_invoice_problems?: ReadonlyArray<EInvoiceProblem>;
}

/** What the log stores of events and never shows; `evolve` needs it. */
interface Stored {
  readonly create_settlement: {
    readonly stored: { readonly currency: Currency; readonly lines: ReadonlyArray<Line> };
  };
  readonly approve_settlement: {
    readonly stored: {
      readonly partner_name: string;
      readonly self_billing_data: SelfBillingData | null;
      /** Absent in logs written before the approval fixed the tax; then the whole total is one group. */
      readonly tax_groups?: ReadonlyArray<TaxGroup>;
      /** The rate by which the documents state their VAT in the tax currency; absent where they do not. */
      readonly tax_conversion?: Conversion;
      /** The rate of tax that the partner's own documents state; absent when it is not known. */
      readonly invoice_tax_bps?: number;
      /** Absent where the bank account of the data is the partner's only one; null where none was confirmed. */
      readonly payout_account?: ApprovedAccount | null;
    };
  };
  readonly choose_payout_account: { readonly stored: { readonly payout_account: ApprovedAccount } };
  readonly link_report: { readonly stored?: Pick<Linked, "uploaded"> };
  readonly link_invoice: { readonly stored: Linked };
  readonly link_credit_note: { readonly stored: Linked };
}

/** What can happen to a settlement, named as in the interface. */
export type SettlementEvent = WithStored<typeof ShownEvent.Type, Stored> | ErasureEvent;
export type SettlementEventType = SettlementEvent["type"];

export type SettlementEventOf<Type extends SettlementEventType> = Extract<
  SettlementEvent,
  { readonly type: Type }
>;

/** The fields that have a value. */
export const withoutNulls = <Fields extends object>(
  fields: Fields,
): { readonly [Name in keyof Fields]?: Exclude<Fields[Name], null | undefined> } =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value != null)) as never;

/** The tax of a self-billed document is fixed by the approval; a partner's own document states it without a sign. */
const taxOf = (state: View, { facts: { taxAmount } }: LinkCommand): Amount | null => {
  if (isSelfBilled(state)) return state.taxAmount;
  if (taxAmount === undefined) return null;
  return state.total < 0 ? 0 - taxAmount : taxAmount;
};

const linkedBy = (state: View, command: LinkCommand): Linked => ({
  tax_amount: taxOf(state, command),
  uploaded: command.origin === "upload",
  ...(command.eInvoiceProblems === undefined ? {} : { e_invoice_problems: command.eInvoiceProblems }),
});

/** The tax of a partner's own document, where an approver has to accept it before it is paid. */
const taxToReview = (
  state: View,
  command: LinkCommand,
): Pick<SettlementEventOf<"link_invoice">, "tax_review"> => {
  if (isSelfBilled(state) || hasEnded(state)) return {};
  const review = reviewOf(state.total, taxOf(state, command), state.approval?.invoiceTaxBps ?? "unknown");
  return review === null
    ? {}
    : { tax_review: { tax_amount: review.taxAmount, expected_tax_amount: review.expectedTaxAmount } };
};

/** The files of a message as its event has them. */
const filesOf = ({ files }: Attached): { readonly attachments?: Attached["files"] } =>
  files.length === 0 ? {} : { attachments: files };

type Write<Event> = { write(state: View, command: SettlementCommand): Event }["write"];

/** The events that a transition of an existing settlement writes. */
export type StepEventType = Exclude<
  SettlementEventType,
  "create_settlement" | "fail_document" | "payment_anomaly" | "erase_personal_data"
>;

/** The event of each type, written from the command that leads to it. */
const WRITE: { readonly [Type in StepEventType]: Write<SettlementEventOf<Type>> } = {
  approve_settlement: (_state, command: SettlementCommandOf<"approve">) => {
    const billingMode = command.billingMode ?? "partner_billing";
    return {
      type: "approve_settlement",
      billing_mode: billingMode,
      stored: {
        partner_name: command.partnerName,
        self_billing_data: billingMode === "self_billing" ? command.selfBillingData : null,
        tax_groups: command.assessment.groups.map((group) => ({
          ...group,
          base: Number(group.base),
          tax: Number(group.tax),
        })),
        ...(command.taxConversion === undefined ? {} : { tax_conversion: command.taxConversion }),
        ...(billingMode === "self_billing" || command.invoiceTax === "unknown"
          ? {}
          : { invoice_tax_bps: command.invoiceTax }),
        ...(command.payoutAccount === undefined ? {} : { payout_account: command.payoutAccount }),
      },
    };
  },
  cancel_settlement: () => ({ type: "cancel_settlement" }),
  link_report: (_state, { documentId, origin, facts }: LinkCommand) => ({
    type: "link_report",
    report_reference: documentId,
    ...withoutNulls({ report_number: facts.number }),
    stored: { uploaded: origin === "upload" },
  }),
  link_invoice: (state, command: LinkCommand) => {
    const { documentId, facts } = command;
    return {
      type: "link_invoice",
      invoice_reference: documentId,
      ...withoutNulls({ invoice_number: facts.number, invoice_date: facts.date, due_date: facts.dueDate }),
      ...taxToReview(state, command),
      stored: linkedBy(state, command),
    };
  },
  link_credit_note: (state, command: LinkCommand) => {
    const { documentId, facts } = command;
    return {
      type: "link_credit_note",
      credit_note_reference: documentId,
      ...withoutNulls({
        credit_note_number: facts.number,
        credit_note_date: facts.date,
        due_date: facts.dueDate,
      }),
      ...taxToReview(state, command),
      stored: linkedBy(state, command),
    };
  },
  review_settlement: (_state, { decision, note }: SettlementCommandOf<"review">) => ({
    type: "review_settlement",
    decision,
    ...withoutNulls({ note }),
  }),
  choose_payout_account: (_state, { account }: SettlementCommandOf<"choose_payout_account">) => ({
    type: "choose_payout_account",
    account_id: account.id,
    account_type: account.type,
    details: mask(account),
    stored: { payout_account: account },
  }),
  initiate_payment: ({ attempt }, { paymentReference }: SettlementCommandOf<"initiate_payment">) => ({
    type: "initiate_payment",
    payment_reference: paymentReference,
    attempt: attempt + 1,
  }),
  hand_over_payment: (_state, command: SettlementCommandOf<"hand_over_payment">) => ({
    type: "hand_over_payment",
    payment_reference: command.paymentReference,
    payment_file_id: command.paymentFileId,
    execution_date: command.executionDate,
  }),
  confirm_payment: (_state, command: SettlementCommandOf<"confirm_payment">) => ({
    type: "confirm_payment",
    payment_reference: command.paymentReference,
    ...withoutNulls({ bank_reference: command.bankReference }),
    ...command.amounts,
  }),
  fail_payment: (state, { paymentReference, reason }: SettlementCommandOf<"fail_payment">) => ({
    type: "fail_payment",
    payment_reference: paymentReference ?? (state.paymentReference as PaymentReference),
    reason,
  }),
  return_payment: (state, { reason }: SettlementCommandOf<"return_payment">) => ({
    type: "return_payment",
    payment_reference: state.paymentReference as PaymentReference,
    reason,
  }),
  mark_as_paid: (_state, { paidAt, bankReference, amounts, note }: SettlementCommandOf<"mark_as_paid">) => ({
    type: "mark_as_paid",
    ...withoutNulls({
      paid_at: paidAt === null ? null : format(paidAt),
      bank_reference: bankReference,
      ...amounts,
      note,
    }),
  }),
  write_off_settlement: (_state, { reason }: SettlementCommandOf<"write_off">) => ({
    type: "write_off_settlement",
    ...withoutNulls({ reason }),
  }),
  dispute_settlement: (
    _state,
    { reason, side, commissionIds, attached }: SettlementCommandOf<"dispute">,
  ) => ({
    type: "dispute_settlement",
    reason,
    ...(commissionIds.length === 0 ? {} : { commission_ids: commissionIds }),
    raised_by: side,
    ...filesOf(attached),
  }),
  withdraw_dispute: () => ({ type: "withdraw_dispute" }),
  comment_settlement: (_state, { text, side, person, attached }: SettlementCommandOf<"comment">) => ({
    ...{ type: "comment_settlement", text, side },
    ...(person === undefined ? {} : { person }),
    ...filesOf(attached),
  }),
  resolve_dispute: (_state, { resolution, note, attached }: SettlementCommandOf<"resolve_dispute">) => ({
    type: "resolve_dispute",
    resolution,
    ...withoutNulls({ note }),
    ...filesOf(attached),
  }),
  reconcile_settlement: () => ({ type: "reconcile_settlement" }),
  unreconcile_settlement: () => ({ type: "unreconcile_settlement" }),
};

/** The event of a type, written from the command that leads to it. */
export const writeEvent = (type: StepEventType, state: View, command: SettlementCommand): SettlementEvent =>
  WRITE[type](state, command);
