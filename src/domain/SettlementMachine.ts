/** Decides commands on settlements by the transition table, and gives the reason of a refusal. */
import { Either } from "effect";
import type { DocumentKind } from "./Document.ts";
import type { PaymentReference } from "./Ids.ts";
import type { Amount } from "./Money.ts";
import type { PaidAmounts } from "./PaidAmounts.ts";
import { mask } from "./PayoutDetails.ts";
import { type Conflict, conflict, type Invalid } from "./Refusal.ts";
import { evolve } from "./Settlement.ts";
import type {
  Attached,
  LinkCommand,
  Policy,
  SettlementCommand,
  SettlementCommandOf,
  SettlementCommandType,
} from "./SettlementCommand.ts";
import type { AnomalyKind, Linked, SettlementEvent, SettlementEventOf } from "./SettlementEvent.ts";
import { problemOf } from "./SettlementProblem.ts";
import { type LineEffect, NONE, STEPS, type Step, type StepEventType } from "./SettlementTable.ts";
import {
  counterpartTasks,
  hasEnded,
  isSelfBilled,
  type StatusType,
  type Task,
  type View,
  workIn,
} from "./SettlementView.ts";
import { reviewOf } from "./TaxReview.ts";
import { format } from "./Timestamp.ts";

export * from "./SettlementCommand.ts";
export * from "./SettlementTable.ts";
export type { Task } from "./SettlementView.ts";

/** What an accepted command leads to: events, the effect on the lines, and work for the worker. */
export interface Decided {
  /** The table's row; null when the command is accepted without a transition. */
  readonly row: string | null;
  readonly events: ReadonlyArray<SettlementEvent>;
  readonly lines: LineEffect;
  readonly tasks: ReadonlyArray<Task>;
}

type Decision = Either.Either<Decided, Conflict | Invalid>;

const UNCHANGED: Decision = Either.right({ row: null, events: [], lines: NONE, tasks: [] });

const refuse = ({ status, erasedAt }: View, action: string): Decision => {
  const state = erasedAt === null ? `in ${status.type}` : "whose personal data was erased";
  return Either.left(conflict("settlement_state", `a settlement ${state} cannot ${action}`));
};

const refuseUnlessDraft = (state: View): Decision =>
  Either.left(conflict("settlement_not_draft", `the settlement is in ${state.status.type}`));

/** The fields that have a value. */
const withoutNulls = <Fields extends object>(
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

type Write<Command, Event> = { write(state: View, command: Command): Event }["write"];

/** The event of each type, written from the command that leads to it. */
const WRITE: { readonly [Type in StepEventType]: Write<SettlementCommand, SettlementEventOf<Type>> } = {
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

const stateAfter = (state: View, events: ReadonlyArray<SettlementEvent>): View =>
  events.reduce<View>((before, event) => evolve(before, { at: 0, actor: "", event }), state);

const targetOf = ({ to }: Step, { status }: View): StatusType => {
  if (to === "same") return status.type;
  if (to !== "resume") return to;
  return status.type === "disputed" ? status.resume : status.type;
};

const take = (step: Step, state: View, command: SettlementCommand): Decided => {
  const events = step.events.map((type) => WRITE[type](state, command));
  const tasks = step.to === "same" ? [] : workIn(targetOf(step, state), stateAfter(state, events));
  return { row: step.row, events, lines: step.lines, tasks };
};

/** Records an event that moves no state. */
const record = (event: SettlementEvent, tasks: ReadonlyArray<Task> = []): Decision =>
  Either.right({ row: null, events: [event], lines: NONE, tasks });

/** Records a message about a payment that fits no row; after a write-off it may request the missing document. */
const recordAnomaly = (
  state: View,
  kind: AnomalyKind,
  payment_reference: PaymentReference,
  bankReference: string | null = null,
  amounts: PaidAmounts = {},
): Decision => {
  const event: SettlementEvent = {
    type: "payment_anomaly",
    kind,
    payment_reference,
    ...withoutNulls({ bank_reference: bankReference }),
    ...amounts,
  };
  return record(event, counterpartTasks(stateAfter(state, [event])));
};

const LINKED = {
  report: "reportReference",
  invoice: "invoiceReference",
  credit_note: "creditNoteReference",
} as const satisfies Record<DocumentKind, keyof View>;

/** Records a document problem once, until it changes. A document that exists, or is no longer needed, has none. */
const failDocument = (
  state: View,
  { kind, code, message }: SettlementCommandOf<"fail_document">,
): Decision => {
  const known = state.documentProblem;
  const isWanted = state.approval !== null && state.status.type !== "paid" && state[LINKED[kind]] === null;
  const isKnown = known?.kind === kind && known.code === code && known.message === message;
  return isWanted && !isKnown ? record({ type: "fail_document", kind, code, message }) : UNCHANGED;
};

const isConfirmed = ({ status, paymentReference }: View, reference: PaymentReference): boolean =>
  status.type === "paid" && status.method === "webhook" && paymentReference === reference;

const NOT_HANDED_OVER =
  "the payment was not handed over to a bank in a payment file; discard a file that no bank has, and wait for the report of a provider";

type DefaultDecisions = {
  readonly [Type in SettlementCommandType]: Write<SettlementCommandOf<Type>, Decision>;
};

/** The result of a command for which no row of the table applies. */
const DEFAULT_DECISIONS: DefaultDecisions = {
  approve: refuseUnlessDraft,
  cancel: refuseUnlessDraft,
  link_report: (state) => refuse(state, "take a report"),
  link_invoice: (state) => refuse(state, "take an invoice"),
  link_credit_note: (state) => refuse(state, "take a credit note"),
  fail_document: failDocument,
  review: (state) => refuse(state, "be reviewed"),
  mark_as_paid: (state) => refuse(state, "be marked as paid"),
  choose_payout_account: (state) => refuse(state, "choose a payout account"),
  initiate_payment: (state) => refuse(state, "initiate a payment"),
  confirm_payment: (state, { paymentReference, bankReference, amounts }) =>
    isConfirmed(state, paymentReference)
      ? UNCHANGED
      : recordAnomaly(state, "confirmed", paymentReference, bankReference, amounts),
  hand_over_payment: (state) => refuse(state, "hand its payment over"),
  fail_payment: (state, { paymentReference }) => {
    if (paymentReference !== null) return recordAnomaly(state, "failed", paymentReference);
    return state.status.type === "payment_initiated"
      ? Either.left(conflict("settlement_state", NOT_HANDED_OVER))
      : refuse(state, "fail its payment");
  },
  return_payment: (state, { paymentReference }) =>
    paymentReference === null
      ? refuse(state, "return its payment")
      : recordAnomaly(state, "returned", paymentReference),
  write_off: (state) =>
    state.status.type === "draft"
      ? refuse(state, "be written off")
      : Either.left(conflict("settlement_terminal", `the settlement has ended in ${state.status.type}`)),
  dispute: (state) => refuse(state, "be disputed"),
  withdraw_dispute: (state) => refuse(state, "have a dispute withdrawn"),
  comment: (state) => refuse(state, "take a comment"),
  resolve_dispute: (state) => refuse(state, "have a dispute resolved"),
  reconcile: (state) =>
    state.status.type === "paid" && state.erasedAt === null ? UNCHANGED : refuse(state, "be reconciled"),
};

/** The result of the guards: true, false when one of them does not apply, or the first conflict. */
const check = ({ guards }: Step, state: View, command: SettlementCommand, policy: Policy) => {
  for (const guard of guards) {
    const verdict = guard.check(state, command, policy);
    if (verdict !== true) return verdict;
  }
  return true;
};

const transition = (state: View, command: SettlementCommand, policy: Policy): Decision => {
  const problem = problemOf(state, command);
  if (problem !== null) return Either.left(problem);
  // Without the data of the partner, nobody can be paid and no document drawn.
  const steps = state.erasedAt === null ? STEPS : [];
  for (const step of steps) {
    if (step.command !== command.type || !step.from.includes(state.status.type)) continue;
    const verdict = check(step, state, command, policy);
    if (verdict === true) return Either.right(take(step, state, command));
    if (verdict !== false) return Either.left(verdict);
  }
  const otherwise: Write<SettlementCommand, Decision> = DEFAULT_DECISIONS[command.type];
  return otherwise(state, command);
};

/** True if a task creates a document; with documents `manual` the caller does that. */
const IS_DOCUMENT_TASK: Readonly<Record<Task, boolean>> = {
  make_report: true,
  make_invoice: true,
  make_credit_note: true,
  send_payment: false,
};

/**
 * What a command leads to in a state, or why it is refused. The first row of the state and command whose guards hold
 * gives the event, the effect on the lines and the state whose work follows. With documents `manual`, the tasks that
 * create documents are left out, and no other.
 */
export const decide = (state: View, command: SettlementCommand, policy: Policy): Decision =>
  Either.map(transition(state, command, policy), (decided) =>
    policy.documents === "auto"
      ? decided
      : { ...decided, tasks: decided.tasks.filter((task) => !IS_DOCUMENT_TASK[task]) },
  );
