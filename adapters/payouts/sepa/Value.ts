/** Values in the messages of banks: texts and amounts. */
import { Currency, type Money } from "quittance";
import { type Element, textAt } from "./Xml.ts";

/** The length at which texts of a message are cut. */
const TEXT_MAX = 255;

/** The most movements of a message; they take more memory than their text, where a transaction is nearly empty. */
export const MOVEMENTS_MAX = 100_000;

export const truncate = (text: string | null): string | null =>
  text === null ? null : text.slice(0, TEXT_MAX);

const UUID = "[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}";

/** The form of our references, as a part of a regular expression that ignores letter case. */
export const REFERENCE = `(${UUID})`;

/** Whole references wherever they start; banks break lines inside references, or write a space there. */
const WHOLE_REFERENCE = new RegExp(
  `(?<![0-9a-z])(?=(${[8, 4, 4, 4, 12]
    .map((length) => Array.from({ length }, () => "[0-9a-f]").join("\\s*"))
    .join("\\s*(?:-\\s*)?")})(?![0-9a-z]))`,
  "gi",
);
/** The most breaks in a reference; more of them divide a number into groups. */
const BREAKS_MAX = 3;

/** The longest text in which a reference is looked for. */
const SEARCHED_MAX = 2_000;

/** The first text in the form of our references in some texts, without its breaks, or null. */
export const idIn = (texts: ReadonlyArray<string | null>): string | null => {
  for (const text of texts)
    for (const [, found = ""] of text?.slice(0, SEARCHED_MAX).matchAll(WHOLE_REFERENCE) ?? []) {
      const parts = found.split(/\s+/);
      if (parts.length <= BREAKS_MAX + 1) return parts.join("");
    }
  return null;
};

/** An amount in the smallest unit of its currency; null when the text is no amount. */
export const amountOf = (text: string | null, currency: string): Money.Amount | null => {
  const parts = /^(\d{1,18})(?:\.(\d{1,5}))?$/.exec(text ?? "");
  if (parts === null) return null;
  const decimals = Currency.decimals(currency as Currency.Currency);
  const fraction = (parts[2] ?? "").replace(/0+$/, "");
  if (fraction.length > decimals) return null;
  const amount = Number(`${parts[1]}${fraction.padEnd(decimals, "0")}`);
  return Number.isSafeInteger(amount) ? amount : null;
};

/** An amount with its currency. */
export interface Sum {
  readonly amount: Money.Amount | null;
  readonly currency: string;
}

/** The sum that an element states. */
export const sumOf = (element: Element | undefined): Sum | null => {
  if (element === undefined) return null;
  const currency = typeof element === "string" ? "" : (textAt(element, "@Ccy") ?? "");
  const text = typeof element === "string" ? element : textAt(element, "#text");
  return { amount: amountOf(text, currency), currency };
};
