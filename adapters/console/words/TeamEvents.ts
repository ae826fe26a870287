/** The events for the team, grouped by what they are about: the name of each type in lists, and its sentence in logs. */

import type { EventOf, EventType } from "../api/Records.ts";
import { calendarDay } from "../format/Dates.ts";
import { countWords } from "../format/Money.ts";
import { accountWords } from "./AccountWords.ts";
import type { ControlEvent } from "./ControlWords.ts";
import {
  type AmountWords,
  COMMON_EVENTS,
  documentWords,
  type EventWords,
  linesWords,
  reportedWords,
  withPrefix,
} from "./EventWords.ts";
import { RELEASES } from "./TeamStates.ts";
import type { Words } from "./Words.ts";

type Common = Omit<typeof COMMON_EVENTS, "erase_personal_data">;

/** The name of each type, and its sentence where it is not that of every reader or in no log of a record. */
type Said = {
  readonly [Type in Exclude<EventType, keyof typeof COMMON_EVENTS>]: readonly [
    name: string,
    sentence: EventWords[Type],
  ];
} & {
  readonly [Type in keyof Common]: readonly [name: string, sentence?: EventWords[Type]];
} & {
  readonly [Type in ControlEvent["type"] & "accept_commission_plan"]: readonly [name: string];
};

const DECISIONS: Readonly<Record<EventOf<"review_settlement">["decision"], string>> = {
  issue_credit_note: "ask the partner for the money",
  carry_forward: "carry the amount forward",
  write_off: "give the amount up",
  accept_tax: "accept the tax of the document",
  refuse_tax: "refuse the document because of its tax",
};

const taxToAccept = (
  { tax_review: review }: EventOf<"link_invoice" | "link_credit_note">,
  amountWords: AmountWords,
): string =>
  review === undefined ? "" : `; an approver has to accept its tax of ${amountWords(review.tax_amount)}`;

/** The two sides of a settlement. */
export const SIDES: Words["sides"] = { partner: "the partner", customer: "us" };

const SALES = {
  create_attribution: ["Sale recorded"],
  cancel_attribution: ["Sale cancelled"],
  recredit_attribution: ["Team credits derived again"],
  state_received: ["Buyer's payments stated"],
} as const satisfies Partial<Said>;

const COMMISSIONS = {
  create_commission: ["Commission computed"],
  update_commission: ["Commission changed"],
  fail_commission_computation: ["Commission without an amount"],
  update_received: ["Commission released as the buyer paid"],
  settle_elsewhere: ["Commission settled in another system"],
  reserve_commission: ["Commission put into a settlement"],
  release_commission: [
    "Commission taken out of a settlement",
    ({ amount, cause }, amountWords) =>
      `${amountWords(amount)} came out of the settlement: ${RELEASES[cause]}`,
  ],
  settle_commission: [
    "Commission settled",
    ({ amount, kind }, amountWords) =>
      `${amountWords(amount)} settled, ${kind === "paid" ? "paid" : "written off"}`,
  ],
  reopen_commission: ["Commission open again"],
} as const satisfies Partial<Said>;

const SETTLEMENTS = {
  create_settlement: [
    "Settlement drafted",
    ({ line_count, total }, amountWords) =>
      `Draft created: ${countWords(line_count, "line")}, ${amountWords(total)}`,
  ],
  approve_settlement: [
    "Settlement approved",
    ({ billing_mode }) =>
      `Approved${billing_mode === "self_billing" ? "; we write the invoice in the partner's name" : "; the partner writes the invoice"}`,
  ],
  cancel_settlement: ["Draft cancelled", () => "Draft cancelled"],
  review_settlement: [
    "Negative settlement reviewed",
    ({ decision, note }) => `Decided: ${DECISIONS[decision]}${withPrefix(note, ": ")}`,
  ],
  dispute_settlement: [
    "Settlement disputed",
    ({ reason, commission_ids, raised_by }) =>
      `Disputed${raised_by === "partner" ? " by the partner" : ""}${linesWords(commission_ids)}: ${reason}`,
  ],
  withdraw_dispute: ["Dispute withdrawn", () => "Dispute withdrawn"],
  resolve_dispute: [
    "Dispute resolved",
    ({ resolution, note }) => `Dispute ${resolution}${withPrefix(note, ": ")}`,
  ],
  comment_settlement: ["Comment on a settlement", ({ text, side }) => `Comment by ${SIDES[side]}: ${text}`],
  write_off_settlement: ["Settlement written off", ({ reason }) => `Written off${withPrefix(reason, ": ")}`],
} as const satisfies Partial<Said>;

const DOCUMENTS = {
  link_report: ["Report created"],
  link_invoice: [
    "Invoice created",
    (event, amountWords) => `${COMMON_EVENTS.link_invoice(event)}${taxToAccept(event, amountWords)}`,
  ],
  link_credit_note: [
    "Credit note created",
    (event, amountWords) => `${COMMON_EVENTS.link_credit_note(event)}${taxToAccept(event, amountWords)}`,
  ],
  fail_document: [
    "Document not created",
    ({ kind, message }) => `The ${documentWords(kind)} could not be created: ${message}`,
  ],
} as const satisfies Partial<Said>;

const PAYMENTS = {
  choose_payout_account: [
    "Another account chosen",
    ({ details }) => `Another account was chosen: ${accountWords(details)}`,
  ],
  initiate_payment: [
    "Payment initiated",
    ({ attempt }) => `Payment initiated${attempt > 1 ? `, attempt ${attempt}` : ""}`,
  ],
  hand_over_payment: [
    "Payment handed over to the bank",
    ({ execution_date }) =>
      `Payment file handed over to the bank, to be carried out on ${calendarDay(execution_date)}`,
  ],
  confirm_payment: [
    "Payment confirmed by the provider",
    ({ bank_reference, ...reported }) =>
      `Paid, as the bank or the payment provider reports${withPrefix(bank_reference, ", bank reference ")}${reportedWords(reported)}`,
  ],
  fail_payment: ["Payment failed"],
  return_payment: ["Payment returned"],
  mark_as_paid: [
    "Payment confirmed by hand",
    ({ bank_reference, note, ...reported }) =>
      `Confirmed as paid${withPrefix(bank_reference, ", bank reference ")}${reportedWords(reported)}${withPrefix(note, ": ")}`,
  ],
  reconcile_settlement: ["Payment reconciled", () => "Reconciled with the bank account"],
  unreconcile_settlement: ["Payment no longer reconciled", () => "No longer reconciled"],
  payment_anomaly: [
    "Payment report that does not match",
    ({ kind }) =>
      `The bank or the payment provider reports "${kind}", which does not match the payment. Check the bank account`,
  ],
} as const satisfies Partial<Said>;

const PLANS = {
  create_commission_plan: ["Plan created"],
  update_commission_plan: ["Plan changed"],
  cancel_commission_plan: ["Plan cancelled"],
  accept_commission_plan: ["Plan accepted"],
  create_commission_formula: ["Formula created"],
  update_commission_formula: ["Formula changed"],
  set_parameter_values: ["Values of parameters stated"],
  cancel_commission_formula: ["Formula cancelled"],
} as const satisfies Partial<Said>;

/** The types of events in logs, in groups; one that is in none of them does not compile below. */
export const GROUPS = {
  sales: SALES,
  commissions: COMMISSIONS,
  settlements: SETTLEMENTS,
  documents: DOCUMENTS,
  payments: PAYMENTS,
  plans: PLANS,
} as const;

const ALL: Said = {
  ...{ ...SALES, ...COMMISSIONS, ...SETTLEMENTS, ...DOCUMENTS },
  ...{ ...PAYMENTS, ...PLANS },
};

const sentences = Object.entries(ALL).filter(([, [, sentence]]) => sentence !== undefined);

/** The sentences of events in logs. */
export const TEAM_EVENTS: EventWords = {
  ...COMMON_EVENTS,
  ...(Object.fromEntries(sentences.map(([type, [, sentence]]) => [type, sentence])) as Omit<
    EventWords,
    keyof typeof COMMON_EVENTS
  >),
};
