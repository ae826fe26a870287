/** Decides commands on settlements: which row of the table a command takes, or why none. */
import { Either } from "effect";
import type { DocumentId, PaymentReference } from "./Ids.ts";
import { UPLOAD_BYTES_MAX } from "./Limits.ts";
import { type Amount, basisPoints, fromBigInt } from "./Money.ts";
import type { SelfBillingData } from "./Partner.ts";
import { type Conflict, conflict } from "./Refusal.ts";
import {
  type AnomalyKind,
  type Disputable,
  isDisputable,
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

type Decision = Either.Either<Decided, Conflict>;

const unchanged: Decision = Either.right({ row: null, events: [], lines: NONE, tasks: [] });

const take = (name: string, event: SettlementEvent, tasks: ReadonlyArray<Task> = []): Decision =>
  Either.right({ row: name, events: [event], lines: TABLE.get(name)?.lines ?? NONE, tasks });

const refuse = (state: View, action: string): Decision =>
  Either.left(conflict("settlement_state", `a settlement in ${state.status.type} cannot ${action}`));

const noted = (note: string | null): { readonly note?: string } => (note === null ? {} : { note });

const selfBilled = (state: View): boolean => state.approval?.billingMode === "self_billing";

/** The tax on a self-billed total: one rounding, half away from zero; null for partner billing. */
export const taxOf = (total: Amount, data: SelfBillingData | null): bigint | null =>
  data === null
    ? null
    : data.taxConfig.treatment === "standard"
      ? basisPoints(total, data.taxConfig.rateBps ?? 0)
      : 0n;

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
  return take(
    "T2",
    {
      type: "approve_settlement",
      billing_mode: billingMode,
      stored: {
        partner_name: command.partnerName,
        self_billing_data: billingMode === "self_billing" ? command.selfBillingData : null,
      },
    },
    ["make_report"],
  );
};

const notDraft = (state: View): Decision =>
  Either.left(conflict("settlement_not_draft", `the settlement is in ${state.status.type}`));

const linkReport = (state: View, documentId: DocumentId): Decision => {
  if (state.status.type !== "awaiting_report") return refuse(state, "take a report");
  const event: SettlementEvent = { type: "link_report", report_reference: documentId };
  if (state.total > 0) return take("T4", event, selfBilled(state) ? ["make_invoice"] : []);
  return take(state.total < 0 ? "T5" : "T6", event);
};

type Link = Extract<SettlementCommand, { type: "link_invoice" | "link_credit_note" }>;

const taxed = (state: View, then: (tax: Amount | null) => Decision): Decision => {
  const tax = taxOf(state.total, state.approval?.selfBillingData ?? null);
  if (tax === null) return then(null);
  const amount = fromBigInt(tax);
  return amount === null || fromBigInt(BigInt(state.total) + tax) === null
    ? Either.left(conflict("settlement_state", "total and tax exceed the largest amount"))
    : then(amount);
};

const linkInvoice = (state: View, { documentId, origin }: Link, { documents }: Policy): Decision => {
  if (state.status.type !== "awaiting_invoice") return refuse(state, "take an invoice");
  if (origin === "worker" ? !selfBilled(state) : selfBilled(state) && documents === "auto") {
    return Either.left(conflict("billing_mode", "the invoice is not the caller's to hand in"));
  }
  return taxed(state, (tax_amount) =>
    take(origin === "worker" ? "T7" : "T8", {
      type: "link_invoice",
      invoice_reference: documentId,
      stored: { tax_amount },
    }),
  );
};

const linkCreditNote = (state: View, { documentId, origin }: Link, { documents }: Policy): Decision => {
  const cancelling =
    state.status.type === "cancelled" &&
    state.status.cause === "dispute_upheld" &&
    state.invoiceReference !== null &&
    state.creditNoteReference === null;
  if (state.status.type !== "awaiting_credit_note" && !cancelling) return refuse(state, "take a credit note");
  if (origin === "worker" ? !selfBilled(state) : selfBilled(state) && documents === "auto") {
    return Either.left(conflict("billing_mode", "the credit note is not the caller's to hand in"));
  }
  return taxed(state, (tax_amount) =>
    take(cancelling ? "T24" : "T12", {
      type: "link_credit_note",
      credit_note_reference: documentId,
      stored: { tax_amount },
    }),
  );
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
        decision === "issue_credit_note" && selfBilled(state) ? ["make_credit_note"] : [],
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
    : state.total <= 0
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

const anomaly = (kind: AnomalyKind, payment_reference: PaymentReference): Decision =>
  Either.right({
    row: null,
    events: [{ type: "payment_anomaly", kind, payment_reference }],
    lines: NONE,
    tasks: [],
  });

const inFlight = (state: View, reference: PaymentReference): boolean =>
  state.status.type === "payment_initiated" && state.paymentReference === reference;

const paidByWebhook = (state: View): boolean =>
  state.status.type === "paid" && state.status.method === "webhook";

const confirmPayment = (state: View, payment_reference: PaymentReference): Decision => {
  if (inFlight(state, payment_reference)) return take("T15", { type: "confirm_payment", payment_reference });
  return paidByWebhook(state) && state.paymentReference === payment_reference
    ? unchanged
    : anomaly("confirmed", payment_reference);
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
    : anomaly("returned", paymentReference);
};

const writeOff = (state: View): Decision => {
  if (APPROVED_AND_OPEN.includes(state.status.type)) return take("T19", { type: "write_off_settlement" });
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
      return selfBilled(state) ? ["make_invoice"] : [];
    case "awaiting_credit_note":
      return selfBilled(state) ? ["make_credit_note"] : [];
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
    ? take("T22", event, state.invoiceReference !== null && selfBilled(state) ? ["make_credit_note"] : [])
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
      return linkReport(state, command.documentId);
    case "link_invoice":
      return linkInvoice(state, command, policy);
    case "link_credit_note":
      return linkCreditNote(state, command, policy);
    case "review":
      return review(state, command);
    case "mark_as_paid":
      if (state.status.type === "awaiting_payment") return take("T13", { type: "mark_as_paid" });
      return state.status.type === "payment_initiated"
        ? take("T16", { type: "mark_as_paid" })
        : refuse(state, "be marked as paid");
    case "initiate_payment":
      return initiatePayment(state, command, policy);
    case "confirm_payment":
      return confirmPayment(state, command.paymentReference);
    case "fail_payment":
      return inFlight(state, command.paymentReference)
        ? take("T17", {
            type: "fail_payment",
            payment_reference: command.paymentReference,
            reason: command.reason,
          })
        : anomaly("failed", command.paymentReference);
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

/**
 * What a command leads to in a state, or the conflict that refuses it.
 * With documents `manual` no document task follows; linking is then the caller's.
 */
export const decide = (state: View, command: SettlementCommand, policy: Policy): Decision =>
  Either.map(transition(state, command, policy), (decided) =>
    policy.documents === "auto"
      ? decided
      : { ...decided, tasks: decided.tasks.filter((task) => task === "send_payment") },
  );
