/**
 * The transition table of settlements: from which states each command leads where, under which guards, with which event
 * and effect on the lines. `decide` reads it, and docs/states.md is printed from it.
 */
import type { ReleaseCause } from "./Commission.ts";
import type { SettlementCommandType } from "./SettlementCommand.ts";
import type { SettlementEventType, StepEventType } from "./SettlementEvent.ts";
import * as Guards from "./SettlementGuards.ts";
import { DISPUTABLE, OPEN, STATUS_TYPES, type StatusType } from "./SettlementView.ts";

export type { Guard } from "./SettlementGuards.ts";

/** What a transition does to the settlement's lines. */
export type LineEffect =
  | { readonly type: "none" }
  | { readonly type: "reserve" }
  | { readonly type: "release"; readonly cause: ReleaseCause }
  | { readonly type: "settle"; readonly as: "paid" | "written_off" }
  | { readonly type: "reopen" };

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
  {
    event,
    guards = [],
    lines = NONE,
    ...move
  }: {
    readonly from: ReadonlyArray<StatusType>;
    readonly command: Type;
    /** None by default. */
    readonly guards?: ReadonlyArray<Guards.Guard<NoInfer<Type>>>;
    readonly to: Step["to"];
    readonly event: StepEventType;
    /** By default the lines stay as they are. */
    readonly lines?: LineEffect;
  },
): Step => ({ row: `T${number}`, ...move, guards, events: [event], lines });

/** The states after approval and before an end. */
const APPROVED_AND_OPEN = OPEN.filter((type) => type !== "draft");

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
  ATTACHED_ONCE,
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
  step(2, {
    from: ["draft"],
    command: "approve",
    guards: [Guards.FOUR_EYES, Guards.FRESH_LINES, Guards.TAX_IN_RANGE],
    to: "awaiting_report",
    event: "approve_settlement",
  }),
  step(3, {
    from: ["draft"],
    command: "cancel",
    to: "cancelled",
    event: "cancel_settlement",
    lines: release("draft_cancelled"),
  }),
  step(4, {
    from: ["awaiting_report"],
    command: "link_report",
    guards: [Guards.TO_INVOICE],
    to: "awaiting_invoice",
    event: "link_report",
  }),
  step(5, {
    from: ["awaiting_report"],
    command: "link_report",
    guards: [Guards.OWED_BY_PARTNER],
    to: "negative_review",
    event: "link_report",
  }),
  step(6, {
    from: ["awaiting_report"],
    command: "link_report",
    guards: [Guards.NOTHING_TO_INVOICE],
    to: "paid",
    event: "link_report",
    lines: PAID,
  }),
  step(7, {
    from: ["awaiting_invoice"],
    command: "link_invoice",
    guards: [BY_WORKER, TO_PAY, FROM_ISSUER, TAX_AS_APPROVED],
    to: "awaiting_payment",
    event: "link_invoice",
  }),
  step("7a", {
    from: ["awaiting_invoice"],
    command: "link_invoice",
    guards: [NOTHING_TO_PAY, FROM_ISSUER, TAX_AS_APPROVED],
    to: "paid",
    event: "link_invoice",
    lines: PAID,
  }),
  step(8, {
    from: ["awaiting_invoice"],
    command: "link_invoice",
    guards: [UPLOADED, TO_PAY, FROM_ISSUER, TAX_AS_APPROVED],
    to: "awaiting_payment",
    event: "link_invoice",
  }),
  step(9, {
    from: ["negative_review"],
    command: "review",
    guards: [Guards.reviewDecides("issue_credit_note")],
    to: "awaiting_credit_note",
    event: "review_settlement",
  }),
  step(10, {
    from: ["negative_review"],
    command: "review",
    guards: [Guards.reviewDecides("carry_forward")],
    to: "cancelled",
    event: "review_settlement",
    lines: release("carried_forward"),
  }),
  step(11, {
    from: ["negative_review"],
    command: "review",
    guards: [Guards.reviewDecides("write_off")],
    to: "written_off",
    event: "review_settlement",
    lines: WRITTEN_OFF,
  }),
  step(12, {
    from: ["awaiting_credit_note"],
    command: "link_credit_note",
    guards: [FROM_ISSUER, TAX_AS_APPROVED],
    to: "awaiting_payment",
    event: "link_credit_note",
  }),
  step(13, {
    from: ["awaiting_payment"],
    command: "mark_as_paid",
    guards: [Guards.TAX_ACCEPTED],
    to: "paid",
    event: "mark_as_paid",
    lines: PAID,
  }),
  step(14, {
    from: ["awaiting_payment"],
    command: "initiate_payment",
    guards: [
      Guards.PARTNER_ACTIVE,
      Guards.TAX_ACCEPTED,
      Guards.PAYOUTS,
      Guards.OWED_TO_PARTNER,
      Guards.CONFIRMED_ACCOUNT,
      Guards.PAYABLE_ACCOUNT,
    ],
    to: "payment_initiated",
    event: "initiate_payment",
  }),
  step(15, {
    from: ["payment_initiated"],
    command: "confirm_payment",
    guards: [SAME_REFERENCE],
    to: "paid",
    event: "confirm_payment",
    lines: PAID,
  }),
  step(16, {
    from: ["payment_initiated"],
    command: "mark_as_paid",
    to: "paid",
    event: "mark_as_paid",
    lines: PAID,
  }),
  step(17, {
    from: ["payment_initiated"],
    command: "fail_payment",
    guards: [SAME_REFERENCE],
    to: "awaiting_payment",
    event: "fail_payment",
  }),
  step("17a", {
    from: ["payment_initiated"],
    command: "fail_payment",
    guards: [Guards.HANDED_OVER],
    to: "awaiting_payment",
    event: "fail_payment",
  }),
  step(18, {
    from: ["paid"],
    command: "return_payment",
    guards: [Guards.CONFIRMED_BEFORE, UNRECONCILED, Guards.OWN_REFERENCE, Guards.HELD_BY_NO_OTHER],
    to: "awaiting_payment",
    event: "return_payment",
    lines: REOPEN,
  }),
  step(19, {
    from: APPROVED_AND_OPEN,
    command: "write_off",
    to: "written_off",
    event: "write_off_settlement",
    lines: WRITTEN_OFF,
  }),
  step(20, {
    from: DISPUTABLE,
    command: "dispute",
    guards: [ATTACHED_ONCE],
    to: "disputed",
    event: "dispute_settlement",
  }),
  step(21, {
    from: ["disputed"],
    command: "resolve_dispute",
    guards: [Guards.REJECTED, ATTACHED_ONCE],
    to: "resume",
    event: "resolve_dispute",
  }),
  step(22, {
    from: ["disputed"],
    command: "resolve_dispute",
    guards: [Guards.UPHELD, ATTACHED_ONCE],
    to: "cancelled",
    event: "resolve_dispute",
    lines: release("dispute_upheld"),
  }),
  step(23, {
    from: ["paid"],
    command: "reconcile",
    guards: [Guards.TO_RECONCILED, UNRECONCILED],
    to: "paid",
    event: "reconcile_settlement",
  }),
  step("23a", {
    from: ["paid"],
    command: "reconcile",
    guards: [Guards.TO_UNRECONCILED, RECONCILED],
    to: "paid",
    event: "unreconcile_settlement",
  }),
  step(24, {
    from: ["cancelled", "written_off"],
    command: "link_credit_note",
    guards: [LACKS_CREDIT_NOTE, FROM_ISSUER, TAX_AS_APPROVED],
    to: "same",
    event: "link_credit_note",
  }),
  step("24a", {
    from: ["cancelled", "written_off"],
    command: "link_invoice",
    guards: [LACKS_INVOICE, FROM_ISSUER, TAX_AS_APPROVED],
    to: "same",
    event: "link_invoice",
  }),
  step(25, {
    from: ["awaiting_payment"],
    command: "link_report",
    guards: [REPLACES_UPLOAD],
    to: "awaiting_payment",
    event: "link_report",
  }),
  step(26, {
    from: ["awaiting_payment"],
    command: "link_invoice",
    guards: [REPLACES_UPLOAD, FROM_ISSUER, TAX_AS_APPROVED],
    to: "awaiting_payment",
    event: "link_invoice",
  }),
  step(27, {
    from: ["awaiting_payment"],
    command: "link_credit_note",
    guards: [REPLACES_UPLOAD, FROM_ISSUER, TAX_AS_APPROVED],
    to: "awaiting_payment",
    event: "link_credit_note",
  }),
  step(28, {
    from: ["payment_initiated"],
    command: "hand_over_payment",
    guards: [SAME_REFERENCE],
    to: "same",
    event: "hand_over_payment",
  }),
  step(29, {
    from: ["awaiting_payment"],
    command: "review",
    guards: [Guards.reviewsTax("accept_tax"), Guards.ACCEPTED_BY_ANOTHER],
    to: "awaiting_payment",
    event: "review_settlement",
  }),
  step(30, {
    from: ["awaiting_payment"],
    command: "review",
    guards: [Guards.reviewsTax("refuse_tax"), Guards.OF_INVOICE],
    to: "awaiting_invoice",
    event: "review_settlement",
  }),
  step("30a", {
    from: ["awaiting_payment"],
    command: "review",
    guards: [Guards.reviewsTax("refuse_tax"), Guards.OF_CREDIT_NOTE],
    to: "awaiting_credit_note",
    event: "review_settlement",
  }),
  step(31, {
    from: DISPUTABLE,
    command: "choose_payout_account",
    guards: [Guards.NOT_PROPOSER],
    to: "same",
    event: "choose_payout_account",
  }),
  step("31a", {
    from: ["payment_initiated"],
    command: "choose_payout_account",
    guards: [Guards.IN_NO_FILE, Guards.NOT_PROPOSER],
    to: "same",
    event: "choose_payout_account",
  }),
  step(32, {
    from: ["disputed"],
    command: "withdraw_dispute",
    guards: [Guards.RAISED_BY_SIDE, Guards.ROOM_FOR_COMMENT],
    to: "resume",
    event: "withdraw_dispute",
  }),
  step(33, {
    from: STATUS_TYPES,
    command: "comment",
    guards: [Guards.ROOM_FOR_COMMENT, ATTACHED_ONCE],
    to: "same",
    event: "comment_settlement",
  }),
];

export const TRANSITIONS: ReadonlyArray<Transition> = [CREATION, ...STEPS];
