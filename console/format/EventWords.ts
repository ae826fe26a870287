/** Words for the events of a log. */
import type { LogEntry } from "../api/Records.ts";
import { count, countWords, money } from "./Money.ts";
import { RELEASES } from "./Words.ts";

const text = (value: unknown): string => (value === undefined || value === null ? "" : String(value));

const withPrefix = (value: unknown, before: string): string =>
  text(value) === "" ? "" : `${before}${text(value)}`;

const DECISIONS: Readonly<Record<string, string>> = {
  issue_credit_note: "ask the partner for the money",
  carry_forward: "carry the amount forward",
  write_off: "give the amount up",
};

const DOCUMENTS: Readonly<Record<string, string>> = {
  report: "report",
  invoice: "invoice",
  credit_note: "credit note",
};

const CAUSES: Readonly<Record<string, string>> = {
  formula_updated: "the formula was changed",
  formula_cancelled: "the formula was cancelled",
  attribution_cancelled: "the sale was cancelled",
  recomputed: "an earlier sale of the period was cancelled",
};

type Event = LogEntry["event"];

/** The words for an event; `amountWords` writes an amount, and nothing for what is no number. */
type EventWords = (event: Event, amountWords: (amount: unknown) => string) => string;

const creation: EventWords = (event) => `Created: ${text(event.name)}`;

const change: EventWords = (event) =>
  event.formula === undefined ? "Name, description or dates changed" : "Amounts are computed again";

const cancellation: EventWords = (event) => `Cancelled: ${text(event.reason)}`;

const WORDS: Readonly<Record<string, EventWords>> = {
  create_attribution: (event) =>
    Object.entries(event.properties as Readonly<Record<string, unknown>>)
      .map(([name, value]) => `${name.replaceAll("_", " ")} ${value}`)
      .join(", "),
  cancel_attribution: (event) => `Sale cancelled: ${text(event.reason)}`,
  create_commission_plan: creation,
  create_commission_formula: creation,
  update_commission_plan: change,
  update_commission_formula: change,
  cancel_commission_plan: cancellation,
  cancel_commission_formula: cancellation,
  create_settlement: (event, amountWords) =>
    `Draft created: ${countWords(Number(event.line_count), "line")}, ${amountWords(Number(event.total))}`,
  approve_settlement: (event) =>
    `Approved${event.billing_mode === "self_billing" ? "; we write the invoice in the partner's name" : "; the partner writes the invoice"}`,
  cancel_settlement: () => "Draft cancelled",
  write_off_settlement: () => "Written off",
  reconcile_settlement: () => "Reconciled with the bank account",
  unreconcile_settlement: () => "No longer reconciled",
  link_report: (event) => `Report${withPrefix(event.report_number, " ")} is linked`,
  link_invoice: (event) => `Invoice${withPrefix(event.invoice_number, " ")} is linked`,
  link_credit_note: (event) => `Credit note${withPrefix(event.credit_note_number, " ")} is linked`,
  mark_as_paid: (event) =>
    `Confirmed as paid${withPrefix(event.bank_reference, ", bank reference ")}${withPrefix(event.note, ": ")}`,
  review_settlement: (event) =>
    `Decided: ${DECISIONS[text(event.decision)] ?? text(event.decision)}${withPrefix(event.note, ": ")}`,
  initiate_payment: (event) =>
    `Payment ordered${Number(event.attempt) > 1 ? `, attempt ${text(event.attempt)}` : ""}`,
  confirm_payment: (event) =>
    `Paid, as the payment provider reports${withPrefix(event.bank_reference, ", bank reference ")}`,
  fail_payment: (event) => `Payment failed: ${text(event.reason)}`,
  return_payment: (event) => `Payment returned: ${text(event.reason)}`,
  dispute_settlement: (event) => `Disputed: ${text(event.reason)}`,
  resolve_dispute: (event) =>
    `Dispute ${event.resolution === "upheld" ? "upheld" : "rejected"}${withPrefix(event.note, ": ")}`,
  fail_document: (event) =>
    `The ${DOCUMENTS[text(event.kind)] ?? "document"} could not be created: ${text(event.message)}`,
  payment_anomaly: (event) =>
    `The payment provider reports "${text(event.kind)}", which does not match the payment. Check the bank account`,
  create_commission: (event, amountWords) => `Computed: ${amountWords(event.amount)}`,
  update_commission: (event, amountWords) =>
    `Now ${amountWords(event.amount)}, because ${CAUSES[text(event.cause)] ?? text(event.cause)}`,
  fail_commission_computation: (event) => `No amount: ${text(event.message)}`,
  reserve_commission: (event, amountWords) => `${amountWords(event.amount)} went into a settlement`,
  release_commission: (event, amountWords) =>
    `${amountWords(event.amount)} came out of the settlement: ${RELEASES[text(event.cause)] ?? text(event.cause)}`,
  settle_commission: (event, amountWords) =>
    `${amountWords(event.amount)} settled, ${event.kind === "paid" ? "paid" : "written off"}`,
  reopen_commission: (event, amountWords) =>
    `${amountWords(event.amount)} open again: the payment was returned`,
};

/** One event of a log in words. Without a currency its amounts are in the smallest unit of one that is not known. */
export const eventWords = ({ event }: LogEntry, currency: string | null): string => {
  const amountWords = (amount: unknown): string => {
    if (typeof amount !== "number") return "";
    return currency === null ? `${count(amount)} of the smallest unit` : money(amount, currency);
  };
  return WORDS[event.type]?.(event, amountWords) ?? event.type.replaceAll("_", " ");
};
