/** The states of settlements for the partner who is paid. "We" is the company. */
import type { EventOf, Settlement } from "../api/Records.ts";
import { calendarDay } from "../format/Dates.ts";
import { type Text, t } from "./Language.ts";
import { isBeforeHandOver, type States, unsigned } from "./States.ts";
import type { State } from "./Words.ts";

/** What the partner has to do while a settlement waits for it, and the word of the link. */
type PayeeTask = readonly [words: Text, action: Text];

/** Why a settlement has ended without payment. */
export const RELEASES: Readonly<Record<EventOf<"release_commission">["cause"], Text>> = {
  draft_cancelled: "its commissions come into another settlement",
  carried_forward: "the amount is set off against your next commissions",
  dispute_upheld: "the objection was right, and a corrected settlement follows",
};

const isOwnBilling = ({ billingMode }: Pick<Settlement, "billingMode">): boolean =>
  billingMode === "partner_billing";

type Amounts = Pick<Settlement, "payableAmount" | "total" | "currency">;

const amountOf = ({ payableAmount, total, currency }: Amounts): string =>
  unsigned(payableAmount ?? total, currency);

const netOf = ({ total, currency }: Amounts): string => unsigned(total, currency);

const underWay = (settlement: Pick<Settlement, "paymentFileStatus">): State | null => {
  if (isBeforeHandOver(settlement)) return { words: t("Payment started, in preparation"), family: "open" };
  return settlement.paymentFileStatus === "handed_over"
    ? { words: t("Payment started, on its way"), family: "open" }
    : null;
};

const paymentStep = (settlement: Amounts & Pick<Settlement, "paymentFileStatus">): string => {
  const amount = amountOf(settlement);
  if (isBeforeHandOver(settlement))
    return t("Your payment of {amount} is in preparation. It has not left yet.", { amount });
  return settlement.paymentFileStatus === "handed_over"
    ? t("Your payment of {amount} is on its way.", { amount })
    : t("Your payment of {amount} has been started. This page shows when it is made.", { amount });
};

const paymentDue = ({ dueDate, ...settlement }: Amounts & Pick<Settlement, "dueDate">): string => {
  const amount = amountOf(settlement);
  const isOwed = settlement.total < 0;
  if (dueDate === null)
    return isOwed
      ? t("You owe {amount} for returned sales. Pay it back to us.", { amount })
      : t("We pay you {amount}. Nothing to do.", { amount });
  const day = calendarDay(dueDate);
  return isOwed
    ? t("You owe {amount} for returned sales. Pay it back to us by {day}.", { amount, day })
    : t("We pay you {amount} by {day}. Nothing to do.", { amount, day });
};

/** The states with their words, and what the partner can do in them. */
export const PAYEE_STATES = {
  draft: {
    words: "In preparation",
    family: "open",
    next: () => t("We are preparing this settlement. Its lines may still change."),
    actions: [],
    tasks: [],
  },
  awaiting_report: {
    words: "Documents in preparation",
    family: "moving",
    next: () => t("We have checked the lines. Your documents follow. Nothing to do."),
    actions: ["object"],
    tasks: [],
  },
  negative_review: {
    words: "More returned than earned",
    family: "open",
    next: (settlement) =>
      t(
        "Returned sales are worth {net} more than new ones. You will see here whether we ask you for the amount or set it off against your next commissions.",
        { net: t("{amount} net", { amount: netOf(settlement) }) },
      ),
    actions: ["object"],
    tasks: [],
  },
  awaiting_invoice: {
    words: "Invoice in preparation",
    family: "moving",
    shown: (settlement) =>
      isOwnBilling(settlement) ? { words: t("Send your invoice"), family: "waiting" } : null,
    next: (settlement) =>
      isOwnBilling(settlement)
        ? t("Send us your invoice for {net} net: upload it here. We pay after that.", {
            net: netOf(settlement),
          })
        : t("We write the invoice in your name next. Nothing to do."),
    actions: ["sendInvoice", "object"],
    tasks: [["Send your invoice for {amount}, settlement of {day}", "Upload"]],
  },
  awaiting_credit_note: {
    words: "Credit note in preparation",
    family: "moving",
    shown: (settlement) =>
      isOwnBilling(settlement) ? { words: t("Send your credit note"), family: "waiting" } : null,
    next: (settlement) =>
      isOwnBilling(settlement)
        ? t("Send us your credit note for {net} net: upload it here.", { net: netOf(settlement) })
        : t("We write the credit note in your name next. Nothing to do."),
    actions: ["sendCreditNote", "object"],
    tasks: [["Send your credit note for {amount}, settlement of {day}", "Upload"]],
  },
  awaiting_payment: {
    words: "To be paid",
    family: "open",
    shown: ({ total }) => (total < 0 ? { words: t("You pay back"), family: "waiting" } : null),
    next: (settlement) =>
      settlement.taxReview === null
        ? paymentDue(settlement)
        : t(
            "We check the tax that your document states. We go on after that, or ask you for another document.",
          ),
    actions: ["replaceInvoice", "object"],
    tasks: [["Pay back {amount}, settlement of {day}", "Show"]],
  },
  payment_initiated: {
    words: "Payment started",
    family: "moving",
    shown: underWay,
    next: paymentStep,
    actions: [],
    tasks: [],
  },
  disputed: {
    words: "Objection open",
    family: "open",
    next: () => t("The objection is open. This settlement stops until we have answered it."),
    actions: ["takeBack"],
    tasks: [],
  },
  paid: {
    words: "Paid",
    family: "done",
    shown: ({ status }) =>
      status.method === "nothing_due" ? { words: t("Closed, nothing due"), family: "done" } : null,
    next: ({ status, ...settlement }) => {
      if (status.method === "nothing_due") return t("Nothing was due. Nothing to do.");
      const amount = amountOf(settlement);
      return settlement.total < 0
        ? t("We have received {amount}. Nothing to do.", { amount })
        : t("We have paid you {amount}. Nothing to do.", { amount });
    },
    actions: [],
    tasks: [],
  },
  written_off: {
    words: "Closed without payment",
    family: "stopped",
    next: ({ total }) =>
      total < 0 ? t("You do not have to pay this back.") : t("This amount is not paid, now or later."),
    actions: ["sendCounterpart"],
    tasks: [],
  },
  cancelled: {
    words: "Moved to a later settlement",
    family: "stopped",
    next: ({ status }) => t("Nothing is paid here: {reason}.", { reason: t(RELEASES[status.cause]) }),
    actions: ["sendCounterpart"],
    tasks: [],
  },
} as const satisfies States<Text, PayeeTask>;

/** An action of the partner on a settlement. */
export type PayeeAction = (typeof PAYEE_STATES)[keyof typeof PAYEE_STATES]["actions"][number];
