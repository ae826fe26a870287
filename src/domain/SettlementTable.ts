/**
 * The settlement machine as one table: from which states each command leads where, under which guard, with what effect
 * on the lines. Whatever the table does not name is refused. Documentation and tests are printed from it.
 */
import type { ReleaseCause } from "./Commission.ts";
import type { Facts } from "./Document.ts";
import type { CommissionId, DocumentId, PaymentReference } from "./Ids.ts";
import type { BillingMode, SelfBillingData } from "./Partner.ts";
import {
  DISPUTABLE,
  type DocumentProblem,
  type Resolution,
  type ReviewDecision,
  type SettlementEventType,
  type StatusType,
} from "./Settlement.ts";
import type { Assessment } from "./Tax.ts";
import type { Timestamp } from "./Timestamp.ts";

/** Who hands over a document. */
export type DocumentOrigin = "worker" | "upload";

/** What is asked of a settlement that exists. */
export type SettlementCommand =
  | {
      readonly type: "approve";
      readonly principalId: string;
      /** Whether a line no longer equals what its commission is due. */
      readonly stale: boolean;
      readonly partnerName: string;
      readonly billingMode: BillingMode | null;
      readonly selfBillingData: SelfBillingData | null;
      /** How the lines are taxed under {@link selfBillingData}. */
      readonly assessment: Assessment;
    }
  | { readonly type: "cancel" }
  | {
      readonly type: "link_report" | "link_invoice" | "link_credit_note";
      readonly documentId: DocumentId;
      readonly origin: DocumentOrigin;
      readonly facts: Facts;
    }
  /** A worker could not make a document, and cannot until something is changed outside. */
  | ({ readonly type: "fail_document" } & DocumentProblem)
  | { readonly type: "review"; readonly decision: ReviewDecision; readonly note: string | null }
  | {
      readonly type: "mark_as_paid";
      /** When it is asked, by the clock. */
      readonly now: Timestamp;
      /** When it was paid; null when that is now. */
      readonly paidAt: Timestamp | null;
      readonly bankReference: string | null;
      readonly note: string | null;
    }
  | {
      readonly type: "initiate_payment";
      readonly paymentReference: PaymentReference;
      readonly ibanValid: boolean;
    }
  | {
      readonly type: "confirm_payment";
      readonly paymentReference: PaymentReference;
      readonly bankReference: string | null;
    }
  | { readonly type: "fail_payment"; readonly paymentReference: PaymentReference; readonly reason: string }
  | {
      readonly type: "return_payment";
      /** Null when a person reports the return; then the settlement's own reference is meant. */
      readonly paymentReference: PaymentReference | null;
      readonly reason: string;
      /** Its commissions that another open settlement holds. */
      readonly elsewhere: ReadonlyArray<CommissionId>;
    }
  | { readonly type: "write_off" }
  | { readonly type: "dispute"; readonly reason: string }
  | { readonly type: "resolve_dispute"; readonly resolution: Resolution; readonly note: string | null }
  | { readonly type: "reconcile"; readonly reconciled: boolean };
export type SettlementCommandType = SettlementCommand["type"];

/** What a transition does to the settlement's lines. */
export type LineEffect =
  | { readonly type: "none" }
  | { readonly type: "reserve" }
  | { readonly type: "release"; readonly cause: ReleaseCause }
  | { readonly type: "settle"; readonly as: "paid" | "written_off" }
  | { readonly type: "reopen" };

/** Work that follows a transition, done by a worker after the commit. */
export type Task = "make_report" | "make_invoice" | "make_credit_note" | "send_payment";

/** One row of the table. */
export interface Transition {
  readonly row: string;
  /** Empty for creation alone. */
  readonly from: ReadonlyArray<StatusType>;
  readonly command: SettlementCommandType | "create";
  /** The condition in words; empty when there is none. */
  readonly guard: string;
  /** `resume` is the state in which the dispute was raised, `same` the one it was in. */
  readonly to: StatusType | "resume" | "same";
  readonly events: ReadonlyArray<SettlementEventType>;
  readonly lines: LineEffect;
}

/** The lines stay as they are. */
export const NONE: LineEffect = { type: "none" };
const PAID: LineEffect = { type: "settle", as: "paid" };
const WRITTEN_OFF: LineEffect = { type: "settle", as: "written_off" };
const release = (cause: ReleaseCause): LineEffect => ({ type: "release", cause });

const row = (
  number: number | string,
  from: ReadonlyArray<StatusType>,
  command: Transition["command"],
  guard: string,
  to: Transition["to"],
  events: ReadonlyArray<SettlementEventType>,
  lines: LineEffect = NONE,
): Transition => ({ row: `T${number}`, from, command, guard, to, events, lines });

/** The states after approval and before an end. */
export const APPROVED_AND_OPEN: ReadonlyArray<StatusType> = [...DISPUTABLE, "payment_initiated", "disputed"];

const REPLACED = "uploaded again, in place of an upload";

/** Every transition there is. */
export const TRANSITIONS: ReadonlyArray<Transition> = [
  row(
    1,
    [],
    "create",
    "one partner, workspace and currency; no commission in an open settlement",
    "draft",
    ["create_settlement"],
    { type: "reserve" },
  ),
  row(
    2,
    ["draft"],
    "approve",
    "policies four_eyes and stale_drafts; total and tax within the largest amount",
    "awaiting_report",
    ["approve_settlement"],
  ),
  row(3, ["draft"], "cancel", "", "cancelled", ["cancel_settlement"], release("draft_cancelled")),
  row(
    4,
    ["awaiting_report"],
    "link_report",
    "payable > 0, or = 0 with groups that balance",
    "awaiting_invoice",
    ["link_report"],
  ),
  row(5, ["awaiting_report"], "link_report", "payable < 0", "negative_review", ["link_report"]),
  row(
    6,
    ["awaiting_report"],
    "link_report",
    "payable = 0, no group with a base",
    "paid",
    ["link_report"],
    PAID,
  ),
  row(
    7,
    ["awaiting_invoice"],
    "link_invoice",
    "made by the worker, self_billing, payable > 0",
    "awaiting_payment",
    ["link_invoice"],
  ),
  row(
    "7a",
    ["awaiting_invoice"],
    "link_invoice",
    "self_billing, payable = 0",
    "paid",
    ["link_invoice"],
    PAID,
  ),
  row(
    8,
    ["awaiting_invoice"],
    "link_invoice",
    "uploaded, partner_billing or documents manual",
    "awaiting_payment",
    ["link_invoice"],
  ),
  row(9, ["negative_review"], "review", "issue_credit_note", "awaiting_credit_note", ["review_settlement"]),
  row(
    10,
    ["negative_review"],
    "review",
    "carry_forward",
    "cancelled",
    ["review_settlement"],
    release("carried_forward"),
  ),
  row(11, ["negative_review"], "review", "write_off", "written_off", ["review_settlement"], WRITTEN_OFF),
  row(
    12,
    ["awaiting_credit_note"],
    "link_credit_note",
    "made by the worker for self_billing, else uploaded",
    "awaiting_payment",
    ["link_credit_note"],
  ),
  row(13, ["awaiting_payment"], "mark_as_paid", "", "paid", ["mark_as_paid"], PAID),
  row(
    14,
    ["awaiting_payment"],
    "initiate_payment",
    "payout provider, payable > 0, valid IBAN",
    "payment_initiated",
    ["initiate_payment"],
  ),
  row(
    15,
    ["payment_initiated"],
    "confirm_payment",
    "same payment reference",
    "paid",
    ["confirm_payment"],
    PAID,
  ),
  row(16, ["payment_initiated"], "mark_as_paid", "", "paid", ["mark_as_paid"], PAID),
  row(
    17,
    ["payment_initiated"],
    "fail_payment",
    "same payment reference, final failure",
    "awaiting_payment",
    ["fail_payment"],
  ),
  row(
    18,
    ["paid"],
    "return_payment",
    "paid by webhook, unreconciled, no commission in another open settlement",
    "awaiting_payment",
    ["return_payment"],
    { type: "reopen" },
  ),
  row(19, APPROVED_AND_OPEN, "write_off", "", "written_off", ["write_off_settlement"], WRITTEN_OFF),
  row(20, DISPUTABLE, "dispute", "", "disputed", ["dispute_settlement"]),
  row(21, ["disputed"], "resolve_dispute", "rejected", "resume", ["resolve_dispute"]),
  row(
    22,
    ["disputed"],
    "resolve_dispute",
    "upheld",
    "cancelled",
    ["resolve_dispute"],
    release("dispute_upheld"),
  ),
  row(23, ["paid"], "reconcile", "", "paid", ["reconcile_settlement", "unreconcile_settlement"]),
  row(
    24,
    ["cancelled", "written_off"],
    "link_credit_note",
    "with invoice, without credit note, no payment in flight or confirmed late",
    "same",
    ["link_credit_note"],
  ),
  row("24a", ["cancelled", "written_off"], "link_invoice", "with credit note, without invoice", "same", [
    "link_invoice",
  ]),
  row(25, ["awaiting_payment"], "link_report", REPLACED, "awaiting_payment", ["link_report"]),
  row(26, ["awaiting_payment"], "link_invoice", REPLACED, "awaiting_payment", ["link_invoice"]),
  row(27, ["awaiting_payment"], "link_credit_note", REPLACED, "awaiting_payment", ["link_credit_note"]),
];
