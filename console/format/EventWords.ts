/** Words for the events of a log. */
import type { EventOf, EventType, LogEvent } from "../api/Records.ts";
import { count, countWords, money } from "./Money.ts";
import { RELEASES } from "./Words.ts";

/** A text after its prefix; nothing without a text. */
const withPrefix = (text: string | undefined, prefix: string): string =>
  text === undefined || text === "" ? "" : `${prefix}${text}`;

const DECISIONS: Readonly<Record<EventOf<"review_settlement">["decision"], string>> = {
  issue_credit_note: "ask the partner for the money",
  carry_forward: "carry the amount forward",
  write_off: "give the amount up",
};

const DOCUMENTS: Readonly<Record<EventOf<"fail_document">["kind"], string>> = {
  report: "report",
  invoice: "invoice",
  credit_note: "credit note",
};

const CAUSES: Readonly<Record<EventOf<"update_commission">["cause"], string>> = {
  formula_updated: "the formula was changed",
  formula_cancelled: "the formula was cancelled",
  attribution_cancelled: "the sale was cancelled",
  recomputed: "an earlier sale of the period was cancelled",
};

/** Writes an amount of the event's currency. */
type AmountWords = (amount: number) => string;

/** The words for each type of event. */
type EventWords = {
  readonly [Type in EventType]: (event: EventOf<Type>, amountWords: AmountWords) => string;
};

type Creation = EventOf<"create_commission_plan" | "create_commission_formula">;
type Change = EventOf<"update_commission_plan" | "update_commission_formula">;
type Cancellation = EventOf<"cancel_commission_plan" | "cancel_commission_formula">;

const creation = ({ name }: Creation): string => `Created: ${name}`;

const change = ({ formula }: Change): string =>
  formula === undefined ? "Name, description or dates changed" : "Amounts are computed again";

const cancellation = ({ reason }: Cancellation): string => `Cancelled: ${reason}`;

const WORDS: EventWords = {
  create_attribution: ({ properties }) =>
    Object.entries(properties)
      .map(([name, value]) => `${name.replaceAll("_", " ")} ${value}`)
      .join(", "),
  cancel_attribution: ({ reason }) => `Sale cancelled: ${reason}`,
  create_commission_plan: creation,
  create_commission_formula: creation,
  update_commission_plan: change,
  update_commission_formula: change,
  cancel_commission_plan: cancellation,
  cancel_commission_formula: cancellation,
  create_settlement: ({ line_count, total }, amountWords) =>
    `Draft created: ${countWords(line_count, "line")}, ${amountWords(total)}`,
  approve_settlement: ({ billing_mode }) =>
    `Approved${billing_mode === "self_billing" ? "; we write the invoice in the partner's name" : "; the partner writes the invoice"}`,
  cancel_settlement: () => "Draft cancelled",
  write_off_settlement: () => "Written off",
  reconcile_settlement: () => "Reconciled with the bank account",
  unreconcile_settlement: () => "No longer reconciled",
  link_report: ({ report_number }) => `Report${withPrefix(report_number, " ")} is linked`,
  link_invoice: ({ invoice_number }) => `Invoice${withPrefix(invoice_number, " ")} is linked`,
  link_credit_note: ({ credit_note_number }) => `Credit note${withPrefix(credit_note_number, " ")} is linked`,
  mark_as_paid: ({ bank_reference, note }) =>
    `Confirmed as paid${withPrefix(bank_reference, ", bank reference ")}${withPrefix(note, ": ")}`,
  review_settlement: ({ decision, note }) => `Decided: ${DECISIONS[decision]}${withPrefix(note, ": ")}`,
  initiate_payment: ({ attempt }) => `Payment ordered${attempt > 1 ? `, attempt ${attempt}` : ""}`,
  confirm_payment: ({ bank_reference }) =>
    `Paid, as the payment provider reports${withPrefix(bank_reference, ", bank reference ")}`,
  fail_payment: ({ reason }) => `Payment failed: ${reason}`,
  return_payment: ({ reason }) => `Payment returned: ${reason}`,
  dispute_settlement: ({ reason }) => `Disputed: ${reason}`,
  resolve_dispute: ({ resolution, note }) => `Dispute ${resolution}${withPrefix(note, ": ")}`,
  fail_document: ({ kind, message }) => `The ${DOCUMENTS[kind]} could not be created: ${message}`,
  payment_anomaly: ({ kind }) =>
    `The payment provider reports "${kind}", which does not match the payment. Check the bank account`,
  create_commission: ({ amount }, amountWords) => `Computed: ${amountWords(amount)}`,
  update_commission: ({ amount, cause }, amountWords) =>
    `Now ${amountWords(amount)}, because ${CAUSES[cause]}`,
  fail_commission_computation: ({ message }) => `No amount: ${message}`,
  reserve_commission: ({ amount }, amountWords) => `${amountWords(amount)} went into a settlement`,
  release_commission: ({ amount, cause }, amountWords) =>
    `${amountWords(amount)} came out of the settlement: ${RELEASES[cause]}`,
  settle_commission: ({ amount, kind }, amountWords) =>
    `${amountWords(amount)} settled, ${kind === "paid" ? "paid" : "written off"}`,
  reopen_commission: ({ amount }, amountWords) =>
    `${amountWords(amount)} open again: the payment was returned`,
};

const wordsOf = <Type extends EventType>(event: EventOf<Type>, amountWords: AmountWords): string => {
  const type = event.type as Type;
  // A server that was upgraded while the page was open may send types that the page does not know.
  const words: EventWords[Type] | undefined = WORDS[type];
  return words?.(event, amountWords) ?? type.replaceAll("_", " ");
};

/** An event in words. Without a currency its amounts are in the smallest unit of one that is not known. */
export const eventWords = (event: LogEvent, currency: string | null): string =>
  wordsOf(event, (amount) =>
    currency === null ? `${count(amount)} of the smallest unit` : money(amount, currency),
  );
