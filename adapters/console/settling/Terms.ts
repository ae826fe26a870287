/** The terms of a settlement policy in words. */
import type { AmountByCurrency, Terms } from "../api/Records.ts";
import { countWords, sumsWords } from "../format/Money.ts";

const WEEKDAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];

const ordinal = (day: number): string => {
  const ends: Readonly<Record<string, string>> = { one: "st", two: "nd", few: "rd" };
  return `${day}${ends[new Intl.PluralRules("en", { type: "ordinal" }).select(day)] ?? "th"}`;
};

const amountsWords = (amounts: AmountByCurrency): string =>
  sumsWords(Object.entries(amounts).map(([currency, amount]) => ({ currency, amount })));

/** When runs start. */
const cadenceWords = (cadence: Terms["cadence"]): string => {
  if (cadence === "manual") return "Runs start by hand.";
  const { type, day, timeZone } = cadence;
  const when =
    type === "weekly"
      ? `every ${WEEKDAYS[day - 1] ?? day}`
      : `on the ${ordinal(day)} of ${type === "monthly" ? "every month" : "the first month of every quarter"}`;
  return `A run starts by itself ${when}, at the beginning of the day in ${timeZone}.`;
};

const holdWords = (days: number): string =>
  days === 0
    ? "A sale may be settled as soon as it is recorded."
    : `A sale may be settled ${countWords(days, "day")} after its date; corrections of settled sales do not wait.`;

const minimumWords = (minimum: AmountByCurrency): string =>
  Object.keys(minimum).length === 0
    ? "There is no minimum."
    : `Amounts below ${amountsWords(minimum)} wait until more is due.`;

const approvalWords = (autoApprove: Terms["autoApprove"]): string =>
  autoApprove === "never" || Object.keys(autoApprove).length === 0
    ? "Drafts are approved by hand."
    : `Drafts up to ${amountsWords(autoApprove)} are approved by the run; larger ones and those in other currencies by hand.`;

const fourEyesWords = (above: AmountByCurrency): string =>
  Object.keys(above).length === 0
    ? "Whoever starts a run may approve its drafts."
    : `Above ${amountsWords(above)} a person other than the one who started the run has to approve.`;

const negativeWords = (negative: Terms["negative"]): string =>
  negative === "review"
    ? "What a partner owes becomes a draft, and a person decides on it."
    : "What a partner owes is netted with later sales, without a draft.";

const invoiceTaxWords = (rate: Terms["invoiceTaxBps"]): string =>
  rate === "unknown"
    ? "A tax on an invoice that a partner writes is paid only after an approver has accepted it."
    : `Invoices that partners write state ${rate / 100} % tax; another tax is paid only after an approver has accepted it.`;

const acceptanceWords = (isRequired: boolean): string =>
  isRequired
    ? "What a partner earned under a plan waits until the partner has accepted its terms."
    : "Plans need no acceptance before runs settle.";

/** Each of the terms, by its name in a form. */
export const TERM_WORDS = {
  cadence: (terms: Terms) => cadenceWords(terms.cadence),
  holdDays: (terms: Terms) => holdWords(terms.holdDays),
  minimum: (terms: Terms) => minimumWords(terms.minimum),
  autoApprove: (terms: Terms) => approvalWords(terms.autoApprove),
  fourEyesAbove: (terms: Terms) => fourEyesWords(terms.fourEyesAbove),
  negative: (terms: Terms) => negativeWords(terms.negative),
  invoiceTaxBps: (terms: Terms) => invoiceTaxWords(terms.invoiceTaxBps),
  requireAcceptance: (terms: Terms) => acceptanceWords(terms.requireAcceptance),
} as const;

export type TermName = keyof typeof TERM_WORDS;

export const TERM_NAMES = Object.keys(TERM_WORDS) as ReadonlyArray<TermName>;
