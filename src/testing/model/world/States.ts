/**
 * The states of settlements in the model: what they accept, and where events lead. The names are those of the domain; the rules
 * are stated a second time, independently of it.
 */
import type { Disputable, Status } from "../../../domain/SettlementView.ts";
import type { Action } from "../Command.ts";
import type { Settlement } from "./Settlements.ts";

type ActionType = Action["type"];

/** What a settlement in a state does and accepts. */
interface State {
  /** True if no other settlement can have its commissions. */
  readonly isOpen: boolean;
  /** The actions; an action may have further conditions. Comments are always accepted. */
  readonly accepts: ReadonlyArray<ActionType>;
  /** What brings it towards its end; null at an end that lacks no document. */
  readonly next: "approve" | "review" | "pay" | "report_payment" | "resolve_dispute" | "work" | null;
}

/** What is accepted from the approval on until a payment begins. */
const CHANGES = ["choose_payout_account", "dispute", "write_off"] as const;

const STATES: Readonly<Record<Status["type"], State>> = {
  draft: { isOpen: true, accepts: ["approve", "cancel"], next: "approve" },
  awaiting_report: { isOpen: true, accepts: CHANGES, next: "work" },
  negative_review: { isOpen: true, accepts: ["review", ...CHANGES], next: "review" },
  awaiting_invoice: { isOpen: true, accepts: CHANGES, next: "work" },
  awaiting_credit_note: { isOpen: true, accepts: CHANGES, next: "work" },
  awaiting_payment: {
    isOpen: true,
    accepts: ["review", "mark_as_paid", "initiate_payment", ...CHANGES],
    next: "pay",
  },
  payment_initiated: {
    isOpen: true,
    accepts: ["mark_as_paid", "fail_payment", "write_off"],
    next: "report_payment",
  },
  disputed: {
    isOpen: true,
    accepts: ["withdraw_dispute", "resolve_dispute", "write_off"],
    next: "resolve_dispute",
  },
  paid: { isOpen: false, accepts: ["return_payment", "reconcile"], next: null },
  written_off: { isOpen: false, accepts: [], next: "work" },
  cancelled: { isOpen: false, accepts: [], next: "work" },
};

/** The states to which events lead that always lead to the same. */
export const AFTER: Readonly<Record<string, Status>> = {
  approve_settlement: { type: "awaiting_report" },
  cancel_settlement: { type: "cancelled", cause: "draft_cancelled" },
  write_off_settlement: { type: "written_off" },
  initiate_payment: { type: "payment_initiated" },
  mark_as_paid: { type: "paid", method: "manual" },
  confirm_payment: { type: "paid", method: "webhook" },
  fail_payment: { type: "awaiting_payment" },
  return_payment: { type: "awaiting_payment" },
};

/** True if a settlement is between creation and an end. */
export const isOpen = ({ status }: Settlement): boolean => STATES[status.type].isOpen;

/** True if the state of a settlement accepts an action. */
export const accepts = ({ status }: Settlement, type: ActionType): boolean =>
  type === "comment" || STATES[status.type].accepts.includes(type);

/** What brings a settlement towards its end. */
export const nextFor = ({ status }: Settlement): State["next"] => STATES[status.type].next;

/** The state of a settlement that a dispute stops; null where it cannot be disputed. */
export const disputedIn = (settlement: Settlement): Disputable | null =>
  // The table has disputes in disputable states only.
  accepts(settlement, "dispute") ? (settlement.status.type as Disputable) : null;
