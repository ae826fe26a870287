/** Decides commands on settlements: which row of the table a command takes, or why none. */
import { Either } from "effect";
import type { DocumentKind } from "./Document.ts";
import type { PaymentReference } from "./Ids.ts";
import { PAID_AHEAD_MAX, PAID_BEFORE_APPROVAL_MAX, UPLOAD_BYTES_MAX } from "./Limits.ts";
import { type Amount, fromBigInt } from "./Money.ts";
import { type Conflict, conflict, type Invalid, invalid } from "./Refusal.ts";
import {
  type AnomalyKind,
  afterInvoice,
  afterReport,
  type Disputable,
  type DocumentProblem,
  evolve,
  isDisputable,
  isSelfBilled,
  missingCounterpart,
  payable,
  type ReviewDecision,
  type SettlementEvent,
  type View,
} from "./Settlement.ts";
import {
  APPROVED_AND_OPEN,
  type LineEffect,
  NONE,
  type SettlementCommand,
  type Task,
  TRANSITIONS,
  type Transition,
} from "./SettlementTable.ts";
import type { Assessment, TaxGroup } from "./Tax.ts";
import { format } from "./Timestamp.ts";

export * from "./SettlementTable.ts";

/** What the operator of the engine has chosen. */
export interface Policy {
  /** Who makes reports, and the invoices and credit notes of self-billing partners: a worker or the caller. */
  readonly documents: "auto" | "manual";
  /** Whether the creator of a draft may not approve it. */
  readonly fourEyes: boolean;
  /** Whether a draft may be approved although a line no longer equals what its commission is due. */
  readonly staleDrafts: "allow" | "refuse";
  /** Whether a payout provider can be asked to pay; without one, settlements are paid outside and marked as paid. */
  readonly payouts: boolean;
  /** Largest uploaded file, in bytes. */
  readonly uploadBytesMax: number;
}

/** Documents made by a worker, no approval rules, payment outside, uploads of the usual size. */
export const DEFAULT_POLICY: Policy = {
  documents: "auto",
  fourEyes: false,
  staleDrafts: "allow",
  payouts: false,
  uploadBytesMax: UPLOAD_BYTES_MAX,
};

const TABLE: ReadonlyMap<string, Transition> = new Map(
  TRANSITIONS.map((transition) => [transition.row, transition]),
);

/** What an accepted command leads to: events, what becomes of the lines, and work for later. */
export interface Decided {
  /** The table's row; null when the command is accepted but changes no state. */
  readonly row: string | null;
  readonly events: ReadonlyArray<SettlementEvent>;
  readonly lines: LineEffect;
  readonly tasks: ReadonlyArray<Task>;
}

type Decision = Either.Either<Decided, Conflict | Invalid>;

const unchanged: Decision = Either.right({ row: null, events: [], lines: NONE, tasks: [] });

const take = (name: string, event: SettlementEvent, tasks: ReadonlyArray<Task> = []): Decision =>
  Either.right({ row: name, events: [event], lines: TABLE.get(name)?.lines ?? NONE, tasks });

const refuse = (state: View, action: string): Decision =>
  Either.left(conflict("settlement_state", `a settlement in ${state.status.type} cannot ${action}`));

const noted = (note: string | null): { readonly note?: string } => (note === null ? {} : { note });

/** The groups as amounts; null when one of them, the tax or the total with it exceeds the largest amount. */
const stated = (total: number, { groups, shares, tax }: Assessment): ReadonlyArray<TaxGroup> | null => {
  const amounts = [tax, BigInt(total) + tax, ...[...groups, ...shares].flatMap((one) => [one.base, one.tax])];
  return amounts.some((amount) => fromBigInt(amount) === null)
    ? null
    : groups.map((group) => ({ ...group, base: Number(group.base), tax: Number(group.tax) }));
};

const approve = (
  state: View,
  command: Extract<SettlementCommand, { type: "approve" }>,
  policy: Policy,
): Decision => {
  if (state.status.type !== "draft") return notDraft(state);
  if (policy.fourEyes && command.principalId === state.createdBy) {
    return Either.left(conflict("four_eyes", "the creator of a draft may not approve it"));
  }
  if (policy.staleDrafts === "refuse" && command.stale) {
    return Either.left(conflict("settlement_stale", "a line no longer equals what its commission is due"));
  }
  const billingMode = command.billingMode ?? "partner_billing";
  const taxGroups = stated(state.total, command.assessment);
  if (taxGroups === null) {
    return Either.left(
      conflict(
        "amount_too_large",
        "total and tax exceed the largest amount; settle fewer commissions at once",
      ),
    );
  }
  return take(
    "T2",
    {
      type: "approve_settlement",
      billing_mode: billingMode,
      stored: {
        partner_name: command.partnerName,
        self_billing_data: billingMode === "self_billing" ? command.selfBillingData : null,
        tax_groups: taxGroups,
      },
    },
    ["make_report"],
  );
};

const notDraft = (state: View): Decision =>
  Either.left(conflict("settlement_not_draft", `the settlement is in ${state.status.type}`));

type Link = Extract<SettlementCommand, { type: "link_report" | "link_invoice" | "link_credit_note" }>;

/** Whether an uploaded document is uploaded again; a payment that has begun, or has ended, keeps its documents. */
const replaces = (state: View, kind: DocumentKind, { origin }: Link): boolean =>
  origin === "upload" && state.status.type === "awaiting_payment" && state.uploads.includes(kind);

/** The fields of an event that have a value. */
const present = <Fields extends object>(
  fields: Fields,
): { readonly [Name in keyof Fields]?: Exclude<Fields[Name], null | undefined> } =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value != null)) as never;

/** Why a document cannot state a tax, whatever the state, or null. */
const taxProblem = ({ total }: View, { facts }: Link): Invalid | null =>
  facts.taxAmount !== undefined && fromBigInt(BigInt(Math.abs(total)) + BigInt(facts.taxAmount)) === null
    ? invalid("tax_amount", "total and tax exceed the largest amount")
    : null;

const linkReport = (state: View, command: Link): Decision => {
  const isReplaced = replaces(state, "report", command);
  if (state.status.type !== "awaiting_report" && !isReplaced) return refuse(state, "take a report");
  const event: SettlementEvent = {
    type: "link_report",
    report_reference: command.documentId,
    ...present({ report_number: command.facts.number }),
    stored: { uploaded: command.origin === "upload" },
  };
  if (isReplaced) return take("T25", event);
  switch (afterReport(state).type) {
    case "awaiting_invoice":
      return take("T4", event, isSelfBilled(state) ? ["make_invoice"] : []);
    case "negative_review":
      return take("T5", event);
    default:
      return take("T6", event);
  }
};

/** The tax of a self-billed document is fixed since the approval; that of a partner's own document is as it says. */
const taxed = (state: View, { facts }: Link, then: (tax: Amount | null) => Decision): Decision => {
  const stated = facts.taxAmount ?? null;
  if (!isSelfBilled(state)) return then(stated === null ? null : state.total < 0 ? 0 - stated : stated);
  const fixed = Math.abs(state.taxAmount ?? 0);
  return stated === null || stated === fixed
    ? then(state.taxAmount)
    : Either.left(conflict("billing_mode", `tax_amount: the tax of this self-billed settlement is ${fixed}`));
};

/** Who writes invoices and credit notes: the service, unless the partner bills or documents are manual. */
const mayLink = (state: View, { origin }: Link, { documents }: Policy, name: string): Decision | null =>
  (origin === "worker" ? !isSelfBilled(state) : isSelfBilled(state) && documents === "auto")
    ? Either.left(conflict("billing_mode", `the service issues this ${name}; uploads are not accepted`))
    : null;

const linkInvoice = (state: View, command: Link, policy: Policy): Decision => {
  const problem = taxProblem(state, command);
  if (problem !== null) return Either.left(problem);
  const isReplaced = replaces(state, "invoice", command);
  const isCounterpart = missingCounterpart(state) === "invoice";
  if (state.status.type !== "awaiting_invoice" && !isReplaced && !isCounterpart)
    return refuse(state, "take an invoice");
  const refused = mayLink(state, command, policy, "invoice");
  if (refused !== null) return refused;
  const { documentId, origin, facts } = command;
  const billed = afterInvoice(state).type === "paid" ? "T7a" : origin === "worker" ? "T7" : "T8";
  return taxed(state, command, (tax_amount) =>
    take(isReplaced ? "T26" : isCounterpart ? "T24a" : billed, {
      type: "link_invoice",
      invoice_reference: documentId,
      ...present({ invoice_number: facts.number, invoice_date: facts.date, due_date: facts.dueDate }),
      stored: { tax_amount, uploaded: origin === "upload" },
    }),
  );
};

const linkCreditNote = (state: View, command: Link, policy: Policy): Decision => {
  const problem = taxProblem(state, command);
  if (problem !== null) return Either.left(problem);
  const cancelling = missingCounterpart(state) === "credit_note";
  const isReplaced = replaces(state, "credit_note", command);
  if (state.status.type !== "awaiting_credit_note" && !cancelling && !isReplaced) {
    return refuse(state, "take a credit note");
  }
  const refused = mayLink(state, command, policy, "credit note");
  if (refused !== null) return refused;
  const { documentId, origin, facts } = command;
  return taxed(state, command, (tax_amount) =>
    take(cancelling ? "T24" : isReplaced ? "T27" : "T12", {
      type: "link_credit_note",
      credit_note_reference: documentId,
      ...present({ credit_note_number: facts.number, credit_note_date: facts.date, due_date: facts.dueDate }),
      stored: { tax_amount, uploaded: origin === "upload" },
    }),
  );
};

const LINKED = {
  report: "reportReference",
  invoice: "invoiceReference",
  credit_note: "creditNoteReference",
} as const satisfies Record<DocumentKind, keyof View>;

/** Recorded once, until it is another problem; a document that is there, or no longer wanted, has none. */
const failDocument = (state: View, { kind, code, message }: DocumentProblem): Decision => {
  const known = state.documentProblem;
  const isWanted = state.approval !== null && state.status.type !== "paid" && state[LINKED[kind]] === null;
  return !isWanted || (known?.kind === kind && known.code === code && known.message === message)
    ? unchanged
    : Either.right({
        row: null,
        events: [{ type: "fail_document", kind, code, message }],
        lines: NONE,
        tasks: [],
      });
};

const REVIEW_ROW: Record<ReviewDecision, string> = {
  issue_credit_note: "T9",
  carry_forward: "T10",
  write_off: "T11",
};

const review = (state: View, { decision, note }: Extract<SettlementCommand, { type: "review" }>): Decision =>
  state.status.type === "negative_review"
    ? take(
        REVIEW_ROW[decision],
        { type: "review_settlement", decision, ...noted(note) },
        decision === "issue_credit_note" && isSelfBilled(state) ? ["make_credit_note"] : [],
      )
    : refuse(state, "be reviewed");

const initiatePayment = (
  state: View,
  command: Extract<SettlementCommand, { type: "initiate_payment" }>,
  policy: Policy,
): Decision => {
  if (state.status.type !== "awaiting_payment") return refuse(state, "initiate a payment");
  const obstacle = !policy.payouts
    ? "no payout provider is configured"
    : payable(state) <= 0
      ? "nothing is to be paid to the partner"
      : command.ibanValid
        ? null
        : "the partner has no valid IBAN";
  return obstacle === null
    ? take(
        "T14",
        { type: "initiate_payment", payment_reference: command.paymentReference, attempt: state.attempt + 1 },
        ["send_payment"],
      )
    : Either.left(conflict("payout_unavailable", obstacle));
};

/** The document that an ended self-billed settlement lacks after an event, for the worker to make. */
const counterpart = (state: View, event: SettlementEvent): ReadonlyArray<Task> => {
  const after = evolve(state, { at: 0, actor: "", event });
  const kind = isSelfBilled(after) ? missingCounterpart(after) : null;
  return kind === null ? [] : [`make_${kind}`];
};

const anomaly = (
  state: View,
  kind: AnomalyKind,
  payment_reference: PaymentReference,
  bank: { readonly bank_reference?: string } = {},
): Decision => {
  const event: SettlementEvent = { type: "payment_anomaly", kind, payment_reference, ...bank };
  return Either.right({ row: null, events: [event], lines: NONE, tasks: counterpart(state, event) });
};

const inFlight = (state: View, reference: PaymentReference): boolean =>
  state.status.type === "payment_initiated" && state.paymentReference === reference;

const paidByWebhook = (state: View): boolean =>
  state.status.type === "paid" && state.status.method === "webhook";

const confirmPayment = (
  state: View,
  command: Extract<SettlementCommand, { type: "confirm_payment" }>,
): Decision => {
  const reference = command.paymentReference;
  const bank = present({ bank_reference: command.bankReference });
  if (inFlight(state, reference)) {
    return take("T15", { type: "confirm_payment", payment_reference: reference, ...bank });
  }
  return paidByWebhook(state) && state.paymentReference === reference
    ? unchanged
    : anomaly(state, "confirmed", reference, bank);
};

/** Why a payment cannot have been made when it is said to have been, or null. */
const paidAtProblem = (
  { approvedAt }: View,
  { now, paidAt }: Extract<SettlementCommand, { type: "mark_as_paid" }>,
): Invalid | null => {
  if (paidAt === null) return null;
  const earliest = approvedAt === null ? null : approvedAt - PAID_BEFORE_APPROVAL_MAX;
  if (earliest !== null && paidAt < earliest) {
    return invalid("paid_at", `must not be before ${format(earliest)}, 24 hours before the approval`);
  }
  return paidAt > now + PAID_AHEAD_MAX
    ? invalid("paid_at", "must not be more than 5 minutes in the future")
    : null;
};

const markAsPaid = (state: View, command: Extract<SettlementCommand, { type: "mark_as_paid" }>): Decision => {
  const problem = paidAtProblem(state, command);
  if (problem !== null) return Either.left(problem);
  const { paidAt, bankReference, note } = command;
  const row = { awaiting_payment: "T13", payment_initiated: "T16" }[state.status.type as string];
  return row === undefined
    ? refuse(state, "be marked as paid")
    : take(row, {
        type: "mark_as_paid",
        ...present({ paid_at: paidAt === null ? null : format(paidAt), bank_reference: bankReference, note }),
      });
};

const returnPayment = (
  state: View,
  command: Extract<SettlementCommand, { type: "return_payment" }>,
): Decision => {
  const { paymentReference, reason, elsewhere } = command;
  const reference = paymentReference ?? state.paymentReference;
  const fits =
    paidByWebhook(state) &&
    state.reconciliationStatus === "unreconciled" &&
    reference !== null &&
    reference === state.paymentReference &&
    elsewhere.length === 0;
  if (fits) return take("T18", { type: "return_payment", payment_reference: reference, reason });
  return paymentReference === null
    ? refuse(state, "return its payment")
    : anomaly(state, "returned", paymentReference);
};

const writeOff = (state: View): Decision => {
  const event: SettlementEvent = { type: "write_off_settlement" };
  if (APPROVED_AND_OPEN.includes(state.status.type)) return take("T19", event, counterpart(state, event));
  return state.status.type === "draft"
    ? refuse(state, "be written off")
    : Either.left(conflict("settlement_terminal", `the settlement has ended in ${state.status.type}`));
};

/** What the resumed state waits for: a document made while the settlement was disputed was not linked. */
const awaited = (type: Disputable, state: View): ReadonlyArray<Task> => {
  switch (type) {
    case "awaiting_report":
      return ["make_report"];
    case "awaiting_invoice":
      return isSelfBilled(state) ? ["make_invoice"] : [];
    case "awaiting_credit_note":
      return isSelfBilled(state) ? ["make_credit_note"] : [];
    case "negative_review":
    case "awaiting_payment":
      return [];
  }
};

const resolveDispute = (
  state: View,
  { resolution, note }: Extract<SettlementCommand, { type: "resolve_dispute" }>,
): Decision => {
  if (state.status.type !== "disputed") return refuse(state, "have a dispute resolved");
  const event: SettlementEvent = { type: "resolve_dispute", resolution, ...noted(note) };
  return resolution === "upheld"
    ? take("T22", event, counterpart(state, event))
    : take("T21", event, awaited(state.status.resume, state));
};

const reconcile = (state: View, reconciled: boolean): Decision => {
  if (state.status.type !== "paid") return refuse(state, "be reconciled");
  return (state.reconciliationStatus === "reconciled") === reconciled
    ? unchanged
    : take("T23", { type: reconciled ? "reconcile_settlement" : "unreconcile_settlement" });
};

const transition = (state: View, command: SettlementCommand, policy: Policy): Decision => {
  switch (command.type) {
    case "approve":
      return approve(state, command, policy);
    case "cancel":
      return state.status.type === "draft" ? take("T3", { type: "cancel_settlement" }) : notDraft(state);
    case "link_report":
      return linkReport(state, command);
    case "link_invoice":
      return linkInvoice(state, command, policy);
    case "link_credit_note":
      return linkCreditNote(state, command, policy);
    case "fail_document":
      return failDocument(state, command);
    case "review":
      return review(state, command);
    case "mark_as_paid":
      return markAsPaid(state, command);
    case "initiate_payment":
      return initiatePayment(state, command, policy);
    case "confirm_payment":
      return confirmPayment(state, command);
    case "fail_payment":
      return inFlight(state, command.paymentReference)
        ? take("T17", {
            type: "fail_payment",
            payment_reference: command.paymentReference,
            reason: command.reason,
          })
        : anomaly(state, "failed", command.paymentReference);
    case "return_payment":
      return returnPayment(state, command);
    case "write_off":
      return writeOff(state);
    case "dispute":
      return isDisputable(state.status.type)
        ? take("T20", { type: "dispute_settlement", reason: command.reason })
        : refuse(state, "be disputed");
    case "resolve_dispute":
      return resolveDispute(state, command);
    case "reconcile":
      return reconcile(state, command.reconciled);
  }
};

const DOCUMENT_TASKS: ReadonlyArray<Task> = ["make_report", "make_invoice", "make_credit_note"];

/**
 * What a command leads to in a state, or the conflict that refuses it.
 * With documents `manual` no document task follows; linking is then the caller's.
 */
export const decide = (state: View, command: SettlementCommand, policy: Policy): Decision =>
  Either.map(transition(state, command, policy), (decided) =>
    policy.documents === "auto"
      ? decided
      : { ...decided, tasks: decided.tasks.filter((task) => !DOCUMENT_TASKS.includes(task)) },
  );
