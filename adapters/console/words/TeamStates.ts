/** The states of settlements for the team. */
import type { EventOf, Settlement, SettlementStatus } from "../api/Records.ts";
import { calendarDay, day } from "../format/Dates.ts";
import { money } from "../format/Money.ts";
import { type States, unsigned } from "./States.ts";
import type { State } from "./Words.ts";

/**
 * What the team has to do, for one settlement and for several, with the word of the link, and where: in the list, where many are
 * chosen; on the page of each settlement, of which the oldest one is opened; or on the page of payments. The settlements are those
 * in the state, unless a filter says which.
 */
export type TeamTask = readonly [
  words: readonly [one: string, several: string],
  action: string,
  where: "list" | "each" | "payments",
  filter?: {
    readonly statuses?: ReadonlyArray<SettlementStatus>;
    readonly stale?: true;
    readonly taxReview?: true;
    readonly paymentOverdue?: true;
    readonly paymentFailed?: true;
  },
];

/** Why a cancelled settlement has ended. */
export const RELEASES: Readonly<Record<EventOf<"release_commission">["cause"], string>> = {
  draft_cancelled: "the draft was cancelled",
  carried_forward: "the amount is carried forward",
  dispute_upheld: "the dispute was upheld",
};

/** A settlement whose amount the partner owes. */
export const PAYS_BACK: State = { words: "Partner pays back", family: "waiting" };

const isSelfBilled = ({ billingMode }: Pick<Settlement, "billingMode">): boolean =>
  billingMode === "self_billing";

const underWay = (settlement: Pick<Settlement, "paymentFileStatus">): State | null => {
  switch (settlement.paymentFileStatus) {
    case null:
      return null;
    case "awaited":
      return { words: "Payment initiated, no bank file yet", family: "waiting" };
    case "created":
      return { words: "Payment initiated, bank file to hand over", family: "waiting" };
    case "handed_over":
      return { words: "Payment initiated, on its way", family: "open" };
  }
};

/** What comes next for a payment under way. */
const paymentStep = ({
  paymentFileStatus,
  paymentHandedOverAt,
  paymentOverdue,
}: Pick<Settlement, "paymentFileStatus" | "paymentHandedOverAt" | "paymentOverdue">): string => {
  switch (paymentFileStatus) {
    case null:
      return "The payment is initiated. Its confirmation by the payment provider closes the settlement.";
    case "awaited":
      return "The payment waits for a bank file; nothing has left. Create the file on the page Payments: it takes every payment that waits.";
    case "created":
      return "The payment is in a bank file that was not handed over yet; nothing has left. Hand the file over on the page Payments, then give it to your bank.";
    case "handed_over":
      return `The file of the payment was handed over to the bank${paymentHandedOverAt === null ? "" : ` on ${day(paymentHandedOverAt)}`}; it is not booked yet. ${
        paymentOverdue
          ? "The bank should have booked it by now: read its statements of these days, or ask the bank."
          : "The bank statement confirms it and closes the settlement."
      }`;
  }
};

/** The states with their words, and what the team can do in them. */
export const TEAM_STATES = {
  draft: {
    words: "Draft",
    family: "waiting",
    next: ({ stale }) =>
      stale
        ? "An amount has changed since this draft was created. Cancel it and create it again, or approve it as it is: the difference then goes into the next settlement."
        : "Check the lines, then approve the draft or cancel it.",
    actions: ["approve", "cancel"],
    tasks: [
      [["Draft to approve", "Drafts to approve"], "Check and approve", "list"],
      [
        ["Draft out of date among them", "Drafts out of date among them"],
        "Check",
        "list",
        { statuses: ["draft"], stale: true },
      ],
    ],
  },
  awaiting_report: {
    words: "Awaiting report",
    family: "moving",
    next: () => "The report is created next. Nothing to do.",
    actions: ["uploadReport", "chooseAccount", "dispute", "writeOff"],
    tasks: [],
  },
  negative_review: {
    words: "Needs a decision",
    family: "waiting",
    next: () => "The partner owes this amount. Decide: ask for it, carry it forward, or give it up.",
    actions: ["review", "dispute"],
    tasks: [[["Negative settlement to decide on", "Negative settlements to decide on"], "Decide", "each"]],
  },
  awaiting_invoice: {
    words: "Awaiting invoice",
    family: "moving",
    shown: (settlement) => (isSelfBilled(settlement) ? null : { words: "Awaiting invoice", family: "open" }),
    next: (settlement) =>
      isSelfBilled(settlement)
        ? "The invoice is created next, in the partner's name. Nothing to do."
        : "The partner sends its invoice; it can be uploaded here as well.",
    actions: ["uploadInvoice", "chooseAccount", "dispute", "writeOff"],
    tasks: [[["Invoice awaited from a partner", "Invoices awaited from partners"], "See whose", "list"]],
  },
  awaiting_credit_note: {
    words: "Awaiting credit note",
    family: "moving",
    shown: (settlement) =>
      isSelfBilled(settlement) ? null : { words: "Awaiting credit note", family: "open" },
    next: (settlement) =>
      isSelfBilled(settlement)
        ? "The credit note is created next, in the partner's name. Nothing to do."
        : "The partner sends its credit note.",
    actions: ["uploadCreditNote", "dispute", "writeOff"],
    tasks: [
      [["Credit note awaited from a partner", "Credit notes awaited from partners"], "See whose", "list"],
    ],
  },
  awaiting_payment: {
    words: "Ready to pay",
    family: "waiting",
    shown: ({ taxReview, total }) => {
      if (taxReview !== null) return { words: "Tax to accept", family: "waiting" };
      return total < 0 ? PAYS_BACK : null;
    },
    next: ({ currency, total, payableAmount, dueDate, taxReview }) => {
      const amount = payableAmount ?? total;
      if (taxReview !== null)
        return "An approver accepts or refuses the tax that the document states. Nothing is paid before that.";
      return total < 0
        ? `The partner pays back ${unsigned(amount, currency)}. Confirm it when the money has arrived.`
        : `Pay ${money(amount, currency)}${dueDate === null ? "" : ` by ${calendarDay(dueDate)}`}, then confirm the payment.`;
    },
    actions: ["reviewTax", "markPaid", "initiate", "chooseAccount", "replaceInvoice", "dispute", "writeOff"],
    tasks: [
      [
        ["Document whose tax to accept", "Documents whose tax to accept"],
        "Decide",
        "each",
        { statuses: ["awaiting_payment"], taxReview: true },
      ],
      [
        ["Payment that failed or came back", "Payments that failed or came back"],
        "Initiate again",
        "payments",
        { paymentFailed: true },
      ],
    ],
  },
  payment_initiated: {
    words: "Payment initiated",
    family: "moving",
    shown: underWay,
    next: paymentStep,
    actions: ["markPaid", "failed", "chooseAccount", "writeOff"],
    tasks: [
      [
        ["Payment not booked by the bank", "Payments not booked by the bank"],
        "Ask the bank",
        "list",
        { paymentOverdue: true },
      ],
      [["Payment initiated, not confirmed yet", "Payments initiated, not confirmed yet"], "Check", "list"],
    ],
  },
  disputed: {
    words: "Disputed",
    family: "waiting",
    next: () => "There is an objection. Decide whether it is right.",
    actions: ["resolve", "withdraw", "writeOff"],
    tasks: [[["Dispute to resolve", "Disputes to resolve"], "Resolve", "each"]],
  },
  paid: {
    words: "Paid",
    family: "done",
    shown: ({ status }) =>
      status.method === "nothing_due" ? { words: "Closed, nothing due", family: "done" } : null,
    next: ({ status }) => (status.method === "nothing_due" ? "Nothing was due." : "The money has been paid."),
    actions: ["reconcile", "unreconcile", "returned"],
    tasks: [],
  },
  written_off: {
    words: "Written off",
    family: "stopped",
    next: ({ total }) =>
      total < 0
        ? "Given up for good: the partner is not asked for it again."
        : "Given up for good: it is never paid, and these commissions are never due again.",
    actions: ["uploadCounterpart"],
    tasks: [],
  },
  cancelled: {
    words: "Cancelled",
    family: "stopped",
    shown: ({ status }) =>
      status.cause === "carried_forward" ? { words: "Carried forward", family: "stopped" } : null,
    next: ({ status }) =>
      `Ended without payment: ${RELEASES[status.cause]}. Its commissions are free for another settlement.`,
    actions: ["uploadCounterpart"],
    tasks: [],
  },
} as const satisfies States<string, TeamTask>;

/** An action of the team on a settlement. */
export type TeamAction = (typeof TEAM_STATES)[keyof typeof TEAM_STATES]["actions"][number];
