/** Words for the events of logs: what the words of every reader are made of. */
import type { EventOf, EventType, LogEvent } from "../api/Records.ts";
import { day } from "../format/Dates.ts";
import { count, countWords, money } from "../format/Money.ts";
import { type Text, t } from "./Language.ts";

/** Writes an amount of the event's currency. */
export type AmountWords = (amount: number) => string;

/** The words for each type of event. */
export type EventWords = {
  readonly [Type in EventType]: (event: EventOf<Type>, amountWords: AmountWords) => string;
};

/** A text after its prefix; nothing without a text. */
export const withPrefix = (text: string | undefined, prefix: string): string =>
  text === undefined || text === "" ? "" : `${prefix}${text}`;

/** How many lines a dispute names; nothing for one about the whole settlement. */
export const linesWords = (ids: ReadonlyArray<string> | undefined): string =>
  ids === undefined ? "" : ` for ${countWords(ids.length, "line")}`;

/** The bank's reference of a payment, after what has been done; nothing where there is none. */
export const referenceWords = (reference: string | undefined): string =>
  reference === undefined || reference === "" ? "" : t(", bank reference {reference}", { reference });

/** What a payment reports of its fee and of what arrived. */
export const reportedWords = ({
  fee,
  received,
}: Pick<EventOf<"confirm_payment">, "fee" | "received">): string =>
  [
    ...(received === undefined
      ? []
      : [t(", {amount} received", { amount: money(received.amount, received.currency) })]),
    ...(fee === undefined ? [] : [t(", fee {amount}", { amount: money(fee.amount, fee.currency) })]),
  ].join("");

const DOCUMENTS: Readonly<Record<EventOf<"fail_document">["kind"], string>> = {
  report: "report",
  invoice: "invoice",
  credit_note: "credit note",
};

/** The name of a kind of document in a sentence. */
export const documentWords = (kind: EventOf<"fail_document">["kind"]): string => DOCUMENTS[kind];

const CAUSES: Readonly<Record<EventOf<"update_commission">["cause"], Text>> = {
  formula_updated: "the formula was changed",
  formula_cancelled: "the formula was cancelled",
  attribution_cancelled: "the sale was cancelled",
  recomputed: "an earlier sale of the period was cancelled",
};

type Creation = EventOf<"create_commission_plan" | "create_commission_formula">;
type Change = EventOf<"update_commission_plan" | "update_commission_formula">;
type Cancellation = EventOf<"cancel_commission_plan" | "cancel_commission_formula">;

const creation = ({ name }: Creation): string => `Created: ${name}`;

const change = ({ formula }: Change): string =>
  formula === undefined ? "Name, description or dates changed" : "Amounts are computed again";

const values = ({ values: stated, effective_datetime: from }: EventOf<"set_parameter_values">): string => {
  const words = Object.entries(stated).map(([name, value]) =>
    value === null
      ? `${name.replaceAll("_", " ")} withdrawn`
      : `${name.replaceAll("_", " ")} ${typeof value === "boolean" ? (value ? "yes" : "no") : value}`,
  );
  return `${words.join(", ")}${from === null ? "" : ` from ${from.slice(0, 10)} on`}`;
};

const cancellation = ({ reason }: Cancellation): string => `Cancelled: ${reason}`;

const paidByBuyer = ({ received, of }: { readonly received: number; readonly of: number }): string =>
  t("The buyer has paid {received} of {of}", { received: count(received), of: count(of) });

const LINKED = {
  report: ["Report is available", "Report {number} is available"],
  invoice: ["Invoice is available", "Invoice {number} is available"],
  credit_note: ["Credit note is available", "Credit note {number} is available"],
} as const;

const linked = (kind: keyof typeof LINKED, number: string | undefined): string =>
  number === undefined || number === "" ? t(LINKED[kind][0]) : t(LINKED[kind][1], { number });

/** The words that are the same for every reader. */
export const COMMON_EVENTS = {
  create_attribution: ({ properties }) =>
    Object.entries(properties)
      .map(([name, value]) => `${name.replaceAll("_", " ")} ${value}`)
      .join(", "),
  cancel_attribution: ({ reason, replaced_by }) =>
    replaced_by === undefined
      ? t("Sale cancelled: {reason}", { reason })
      : t("Sale replaced by another one: {reason}", { reason }),
  recredit_attribution: ({ reason }) => `Credits of the team derived again: ${reason}`,
  state_received: paidByBuyer,
  create_commission_plan: creation,
  create_commission_formula: creation,
  update_commission_plan: change,
  update_commission_formula: change,
  set_parameter_values: values,
  cancel_commission_plan: cancellation,
  cancel_commission_formula: cancellation,
  erase_personal_data: ({ erased_from }) =>
    erased_from === "record" ? t("Personal data was erased") : "Erased from the event feed",
  link_report: ({ report_number }) => linked("report", report_number),
  link_invoice: ({ invoice_number }) => linked("invoice", invoice_number),
  link_credit_note: ({ credit_note_number }) => linked("credit_note", credit_note_number),
  fail_payment: ({ reason }) => t("Payment failed: {reason}", { reason }),
  return_payment: ({ reason }) => t("Payment returned: {reason}", { reason }),
  create_commission: ({ amount }, amountWords) => t("Computed: {amount}", { amount: amountWords(amount) }),
  update_commission: ({ amount, cause }, amountWords) =>
    t("Now {amount}, because {cause}", { amount: amountWords(amount), cause: t(CAUSES[cause]) }),
  fail_commission_computation: ({ message }) => t("No amount: {message}", { message }),
  update_received: paidByBuyer,
  settle_elsewhere: ({ amount, at, reference }, amountWords) => {
    const stated = { amount: amountWords(amount), day: day(at) };
    return reference === undefined
      ? t("{amount} was settled in another system on {day}", stated)
      : t("{amount} was settled in another system on {day}, reference {reference}", { ...stated, reference });
  },
  reserve_commission: ({ amount }, amountWords) =>
    t("{amount} went into a settlement", { amount: amountWords(amount) }),
  reopen_commission: ({ amount }, amountWords) =>
    t("{amount} open again: the payment was returned", { amount: amountWords(amount) }),
} as const satisfies Partial<EventWords>;

const wordsOf = <Type extends EventType>(
  events: EventWords,
  event: EventOf<Type>,
  amountWords: AmountWords,
): string => {
  const type = event.type as Type;
  // A server that was upgraded while the page was open may send types that the page does not know.
  const words: EventWords[Type] | undefined = events[type];
  return words?.(event, amountWords) ?? type.replaceAll("_", " ");
};

/** An event in words. Without a currency its amounts are in the smallest unit of one that is not known. */
export const eventWords = (events: EventWords, event: LogEvent, currency: string | null): string =>
  wordsOf(events, event, (amount) =>
    currency === null ? `${count(amount)} of the smallest unit` : money(amount, currency),
  );
