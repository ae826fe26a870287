/**
 * The transition table of settlements: from which states each command leads where, under which guards, with which event
 * and effect on the lines. `decide` reads it, and docs/states.md is printed from it.
 */
import type { ReleaseCause } from "./Commission.ts";
import type { SettlementCommandType } from "./SettlementCommand.ts";
import type { SettlementEventType } from "./SettlementEvent.ts";
import * as Guards from "./SettlementGuards.ts";
import { DISPUTABLE, STATUS_TYPES, type StatusType } from "./SettlementView.ts";

export type { Guard } from "./SettlementGuards.ts";

/** What a transition does to the settlement's lines. */
export type LineEffect =
  | { readonly type: "none" }
  | { readonly type: "reserve" }
  | { readonly type: "release"; readonly cause: ReleaseCause }
  | { readonly type: "settle"; readonly as: "paid" | "written_off" }
  | { readonly type: "reopen" };

/** The events that a transition of an existing settlement writes. */
export type StepEventType = Exclude<
  SettlementEventType,
  "create_settlement" | "fail_document" | "payment_anomaly" | "erase_personal_data"
>;

/** One row of the table. */
export interface Transition {
  readonly row: string;
  /** Empty for creation alone. */
  readonly from: ReadonlyArray<StatusType>;
  readonly command: SettlementCommandType | "create";
  /** The conditions, in the order in which they are checked; empty when there is none. */
  readonly guards: ReadonlyArray<{ readonly words: string }>;
  /** `resume` is the state in which the dispute was raised, `same` the state before. */
  readonly to: StatusType | "resume" | "same";
  readonly events: ReadonlyArray<SettlementEventType>;
  readonly lines: LineEffect;
}

/** A row for a settlement that exists. */
export interface Step extends Transition {
  readonly command: SettlementCommandType;
  readonly guards: ReadonlyArray<Guards.Guard>;
  readonly events: ReadonlyArray<StepEventType>;
}

/** The lines stay as they are. */
export const NONE: LineEffect = { type: "none" };
const PAID: LineEffect = { type: "settle", as: "paid" };
const WRITTEN_OFF: LineEffect = { type: "settle", as: "written_off" };
const REOPEN: LineEffect = { type: "reopen" };
const release = (cause: ReleaseCause): LineEffect => ({ type: "release", cause });

const step = <Type extends SettlementCommandType>(
  number: number | string,
  from: ReadonlyArray<StatusType>,
  command: Type,
  guards: ReadonlyArray<Guards.Guard<Type>>,
  to: Step["to"],
  event: StepEventType,
  lines: LineEffect = NONE,
): Step => ({ row: `T${number}`, from, command, guards, to, events: [event], lines });

/** The states after approval and before an end. */
const APPROVED_AND_OPEN: ReadonlyArray<StatusType> = [...DISPUTABLE, "payment_initiated", "disputed"];

/** The creation of a settlement. Its service checks the guards, because they are about commissions, not about a state. */
const CREATION: Transition = {
  row: "T1",
  from: [],
  command: "create",
  guards: [
    { words: "one partner, workspace and currency" },
    { words: "no commission in an open settlement" },
  ],
  to: "draft",
  events: ["create_settlement"],
  lines: { type: "reserve" },
};

const {
  BY_WORKER,
  FROM_ISSUER,
  LACKS_CREDIT_NOTE,
  LACKS_INVOICE,
  NOTHING_TO_PAY,
  RECONCILED,
  REPLACES_UPLOAD,
  SAME_REFERENCE,
  TAX_AS_APPROVED,
  TO_PAY,
  UNRECONCILED,
  UPLOADED,
} = Guards;

/** The rows of a settlement that exists. Of the rows of one state and command, the first whose guards hold applies. */
export const STEPS: ReadonlyArray<Step> = [
  step(
    2,
    ["draft"],
    "approve",
    [Guards.FOUR_EYES, Guards.FRESH_LINES, Guards.TAX_IN_RANGE],
    "awaiting_report",
    "approve_settlement",
  ),
  step(3, ["draft"], "cancel", [], "cancelled", "cancel_settlement", release("draft_cancelled")),
  step(4, ["awaiting_report"], "link_report", [Guards.TO_INVOICE], "awaiting_invoice", "link_report"),
  step(5, ["awaiting_report"], "link_report", [Guards.OWED_BY_PARTNER], "negative_review", "link_report"),
  step(6, ["awaiting_report"], "link_report", [Guards.NOTHING_TO_INVOICE], "paid", "link_report", PAID),
  step(
    7,
    ["awaiting_invoice"],
    "link_invoice",
    [BY_WORKER, TO_PAY, FROM_ISSUER, TAX_AS_APPROVED],
    "awaiting_payment",
    "link_invoice",
  ),
  step(
    "7a",
    ["awaiting_invoice"],
    "link_invoice",
    [NOTHING_TO_PAY, FROM_ISSUER, TAX_AS_APPROVED],
    "paid",
    "link_invoice",
    PAID,
  ),
  step(
    8,
    ["awaiting_invoice"],
    "link_invoice",
    [UPLOADED, TO_PAY, FROM_ISSUER, TAX_AS_APPROVED],
    "awaiting_payment",
    "link_invoice",
  ),
  step(
    9,
    ["negative_review"],
    "review",
    [Guards.reviewDecides("issue_credit_note")],
    "awaiting_credit_note",
    "review_settlement",
  ),
  step(
    10,
    ["negative_review"],
    "review",
    [Guards.reviewDecides("carry_forward")],
    "cancelled",
    "review_settlement",
    release("carried_forward"),
  ),
  step(
    11,
    ["negative_review"],
    "review",
    [Guards.reviewDecides("write_off")],
    "written_off",
    "review_settlement",
    WRITTEN_OFF,
  ),
  step(
    12,
    ["awaiting_credit_note"],
    "link_credit_note",
    [FROM_ISSUER, TAX_AS_APPROVED],
    "awaiting_payment",
    "link_credit_note",
  ),
  step(13, ["awaiting_payment"], "mark_as_paid", [Guards.TAX_ACCEPTED], "paid", "mark_as_paid", PAID),
  step(
    14,
    ["awaiting_payment"],
    "initiate_payment",
    [
      Guards.PARTNER_ACTIVE,
      Guards.TAX_ACCEPTED,
      Guards.PAYOUTS,
      Guards.OWED_TO_PARTNER,
      Guards.CONFIRMED_ACCOUNT,
      Guards.PAYABLE_ACCOUNT,
    ],
    "payment_initiated",
    "initiate_payment",
  ),
  step(15, ["payment_initiated"], "confirm_payment", [SAME_REFERENCE], "paid", "confirm_payment", PAID),
  step(16, ["payment_initiated"], "mark_as_paid", [], "paid", "mark_as_paid", PAID),
  step(17, ["payment_initiated"], "fail_payment", [SAME_REFERENCE], "awaiting_payment", "fail_payment"),
  step(
    "17a",
    ["payment_initiated"],
    "fail_payment",
    [Guards.HANDED_OVER],
    "awaiting_payment",
    "fail_payment",
  ),
  step(
    18,
    ["paid"],
    "return_payment",
    [Guards.CONFIRMED_BEFORE, UNRECONCILED, Guards.OWN_REFERENCE, Guards.HELD_BY_NO_OTHER],
    "awaiting_payment",
    "return_payment",
    REOPEN,
  ),
  step(19, APPROVED_AND_OPEN, "write_off", [], "written_off", "write_off_settlement", WRITTEN_OFF),
  step(20, DISPUTABLE, "dispute", [], "disputed", "dispute_settlement"),
  step(21, ["disputed"], "resolve_dispute", [Guards.REJECTED], "resume", "resolve_dispute"),
  step(
    22,
    ["disputed"],
    "resolve_dispute",
    [Guards.UPHELD],
    "cancelled",
    "resolve_dispute",
    release("dispute_upheld"),
  ),
  step(23, ["paid"], "reconcile", [Guards.TO_RECONCILED, UNRECONCILED], "paid", "reconcile_settlement"),
  step("23a", ["paid"], "reconcile", [Guards.TO_UNRECONCILED, RECONCILED], "paid", "unreconcile_settlement"),
  step(
    24,
    ["cancelled", "written_off"],
    "link_credit_note",
    [LACKS_CREDIT_NOTE, FROM_ISSUER, TAX_AS_APPROVED],
    "same",
    "link_credit_note",
  ),
  step(
    "24a",
    ["cancelled", "written_off"],
    "link_invoice",
    [LACKS_INVOICE, FROM_ISSUER, TAX_AS_APPROVED],
    "same",
    "link_invoice",
  ),
  step(25, ["awaiting_payment"], "link_report", [REPLACES_UPLOAD], "awaiting_payment", "link_report"),
  step(
    26,
    ["awaiting_payment"],
    "link_invoice",
    [REPLACES_UPLOAD, FROM_ISSUER, TAX_AS_APPROVED],
    "awaiting_payment",
    "link_invoice",
  ),
  step(
    27,
    ["awaiting_payment"],
    "link_credit_note",
    [REPLACES_UPLOAD, FROM_ISSUER, TAX_AS_APPROVED],
    "awaiting_payment",
    "link_credit_note",
  ),
  step(28, ["payment_initiated"], "hand_over_payment", [SAME_REFERENCE], "same", "hand_over_payment"),
  step(
    29,
    ["awaiting_payment"],
    "review",
    [Guards.reviewsTax("accept_tax"), Guards.ACCEPTED_BY_ANOTHER],
    "awaiting_payment",
    "review_settlement",
  ),
  step(
    30,
    ["awaiting_payment"],
    "review",
    [Guards.reviewsTax("refuse_tax"), Guards.OF_INVOICE],
    "awaiting_invoice",
    "review_settlement",
  ),
  step(
    "30a",
    ["awaiting_payment"],
    "review",
    [Guards.reviewsTax("refuse_tax"), Guards.OF_CREDIT_NOTE],
    "awaiting_credit_note",
    "review_settlement",
  ),
  step(31, DISPUTABLE, "choose_payout_account", [Guards.NOT_PROPOSER], "same", "choose_payout_account"),
  step(
    "31a",
    ["payment_initiated"],
    "choose_payout_account",
    [Guards.IN_NO_FILE, Guards.NOT_PROPOSER],
    "same",
    "choose_payout_account",
  ),
  step(
    32,
    ["disputed"],
    "withdraw_dispute",
    [Guards.RAISED_BY_SIDE, Guards.ROOM_FOR_COMMENT],
    "resume",
    "withdraw_dispute",
  ),
  step(33, STATUS_TYPES, "comment", [Guards.ROOM_FOR_COMMENT], "same", "comment_settlement"),
];

export const TRANSITIONS: ReadonlyArray<Transition> = [CREATION, ...STEPS];
