/** The parts that reports and invoices share: amounts, periods, and lines with what was sold and how it was earned. */
import { type Currency, type Documents, InvoiceLine } from "quittance";
import type { Terms } from "quittance/explanation";
import type { Column, Row } from "./DocumentText.ts";
import { fill, type Texts } from "./Texts.ts";
import * as Wording from "./Wording.ts";

type Content = Documents.DocumentContent;
type Line = Documents.DetailedLine;

/** The width of tables, in points. */
export const WIDTH = 499;

/** True if the service issues the document in the partner's name. */
export const isSelfBilled = ({ settlement }: Content): boolean =>
  settlement.approval?.billingMode === "self_billing";

/**
 * The sign with which a document states the settlement's amounts. Invoices and credit notes are positive: a credit note
 * states the amounts that it reverses, and a document that cancels another one states the amounts of the other.
 */
const signOf = ({ kind, cancels }: Content): 1 | -1 =>
  kind === "report" || (kind === "credit_note") === (cancels !== null) ? 1 : -1;

/** Writes amounts as a document states them. */
export interface Money {
  readonly amount: (smallestUnits: number) => string;
  /** An amount in another currency. */
  readonly in: (currency: Currency.Currency, smallestUnits: bigint) => string;
  /** With the currency's code. */
  readonly withCurrency: (smallestUnits: number) => string;
  /** An exact amount of a formula. */
  readonly exact: (exact: string) => string;
  /** A bound of a formula, with the sign that it has there. */
  readonly bound: (exact: string) => string;
}

/** An exact number with the opposite sign. */
const negate = (exact: string): string => {
  if (exact.startsWith("-")) return exact.slice(1);
  return exact === "0" ? exact : `-${exact}`;
};

/** The amounts of a document, in its currency and with its sign. */
export const moneyOf = (content: Content, { notation }: Texts): Money => {
  const { currency } = content.settlement;
  const sign = signOf(content);
  const amount = (smallestUnits: number): string =>
    Wording.amount(smallestUnits === 0 ? 0 : sign * smallestUnits, currency, notation);
  const bound = (exact: string): string => Wording.exactAmount(exact, currency, notation) ?? exact;
  return {
    amount,
    in: (other, smallestUnits) => Wording.amount(BigInt(sign) * smallestUnits, other, notation),
    withCurrency: (smallestUnits) => `${amount(smallestUnits)} ${currency}`,
    exact: (exact) => bound(sign === 1 ? exact : negate(exact)),
    bound,
  };
};

/** A reference to another document: its number if there is one, and its date. */
const referenceOf = (
  { kind, isSelfBilled, number, settlementId }: Omit<Documents.CorrectedLine, "amount" | "date">,
  date: string,
  texts: Texts,
): string => {
  const [selfBilled, other] = texts.named[kind];
  const [numbered, unnumbered] = isSelfBilled ? selfBilled : other;
  return number === null
    ? fill(unnumbered, { settlement: settlementId, date })
    : fill(numbered, { number: Wording.plain(number), date });
};

/** A reference to a document that another one corrects or cancels. */
export const documentReference = (correctedDocument: Documents.CorrectedDocument, texts: Texts): string =>
  referenceOf(correctedDocument, Wording.calendarDate(correctedDocument.issuedOn, texts.notation), texts);

/** A period of days; one date when the period is one day. */
export const formatPeriod = (first: string, last: string, texts: Texts): string => {
  const [from, to] = [first, last].map((day) => Wording.calendarDate(day, texts.notation));
  return first === last ? `${from}` : fill(texts.until, { first: from ?? "", last: to ?? "" });
};

/** The period of the lines of a document. */
export const periodOf = ({ lines }: Content, texts: Texts): string => {
  let [first, last] = ["9999-12-31", "0001-01-01"];
  for (const line of lines) {
    const day = InvoiceLine.dayOfPart(line);
    if (day < first) first = day;
    if (day > last) last = day;
  }
  return lines.length === 0 ? texts.none : formatPeriod(first, last, texts);
};

const TIERS_MAX = 4;

/** The terms of an amount in words. */
const termsIn = (terms: Terms, texts: Texts, money: Money): string => {
  const { notation, of } = texts;
  const share = (fraction: string): string => Wording.share(fraction, notation) ?? fraction;
  switch (terms.type) {
    case "rate":
      return share(terms.rate);
    case "each":
      return fill(of.each, {
        amount: money.exact(terms.amount),
        quantity: Wording.quantity(terms.quantity, notation) ?? terms.quantity,
      });
    case "fixed":
      return of.fixed;
    case "least":
    case "most":
      return fill(of[terms.type], { amount: money.bound(terms.amount) });
    case "tiers": {
      if (terms.tiers.length > TIERS_MAX) return of.other;
      const parts = terms.tiers.flatMap(({ part, rate, flat }) => [
        ...(part === "0" ? [] : [fill(of.tier, { rate: share(rate), part: money.exact(part) })]),
        ...(flat === "0" ? [] : [money.exact(flat)]),
      ]);
      return parts.length === 0 ? of.fixed : parts.join(" + ");
    }
    case "sum": {
      const parts = terms.parts.map((part) =>
        part.type === "fixed" ? money.exact(part.amount) : termsIn(part, texts, money),
      );
      return parts.reduce((first, second) => fill(of.plus, { first, second }));
    }
    case "other":
      return of.other;
  }
};

/** The base of the terms, as an exact amount; null when they have none. */
const baseOf = (terms: Terms): string | null => {
  switch (terms.type) {
    case "rate":
    case "tiers":
      return terms.base;
    case "sum":
      return terms.parts.map(baseOf).find((base) => base !== null) ?? null;
    default:
      return null;
  }
};

/** The reason for a line's amount, where its terms do not explain it. */
const reasonIn = ({ basis, cancelReason, replacedBy, terms }: Line, texts: Texts): string => {
  switch (basis) {
    case "attribution_cancelled":
      return fill(replacedBy === null ? texts.cancelledSale : texts.replacedSale, {
        reason: Wording.cut(cancelReason ?? "", REASON_MAX),
      });
    case "formula_cancelled":
      return texts.endedPlan;
    case "outside_window":
      return texts.outsidePlan;
    case "evaluated":
      return terms === null ? texts.of.other : "";
  }
};

/** The largest number of characters that documents show of each text. */
const REFERENCE_MAX = 60;
const SALE_MAX = 24;
const NAME_MAX = 48;
const VALUE_MAX = 24;
const PROPERTY_MAX = 20;
const PROPERTIES_MAX = 110;
const REASON_MAX = 60;
/** The largest number of corrected lines that are named; only a sale that was corrected several times has more. */
const CORRECTED_MAX = 3;

const valueText = (content: string | number | boolean, texts: Texts): string => {
  if (typeof content === "boolean") return content ? texts.yes : texts.no;
  return typeof content === "number"
    ? (Wording.quantity(String(content), texts.notation) ?? String(content))
    : Wording.cut(content, VALUE_MAX);
};

const propertyLines = ({ properties: pairs }: Line, texts: Texts): ReadonlyArray<string> => {
  const namedValues = pairs.map(
    (pair) => `${Wording.cut(pair.name, PROPERTY_MAX)}: ${valueText(pair.value, texts)}`,
  );
  return namedValues.length === 0 ? [] : [Wording.cut(namedValues.join(" · "), PROPERTIES_MAX)];
};

/** What identifies the sale of a line: the caller's reference, or the end of the attribution's id. */
const saleOf = ({ externalReference, attributionId }: Line, charactersMax: number): string =>
  Wording.cut(externalReference ?? `…${attributionId.slice(-12)}`, charactersMax);

/** A line for each sale that the sale of a line replaces, or that replaces it. */
const pairLines = (line: Line, texts: Texts): ReadonlyArray<string> =>
  (["replaces", "replacedBy"] as const).flatMap((name) => {
    const other = line[name];
    return other === null
      ? []
      : fill(texts[name], {
          sale: saleOf({ ...line, attributionId: other.attributionId }, SALE_MAX),
          date: Wording.calendarDate(other.occurredOn, texts.notation),
        });
  });

/** The terms of a commission with their base, as they apply after a correction; null when they cannot be stated. */
const correctedTerms = ({ terms, basis }: Line, texts: Texts, money: Money): string | null => {
  if (terms === null || basis !== "evaluated" || terms.type === "other") return null;
  const stated = { ...money, exact: money.bound };
  const words = termsIn(terms, texts, stated);
  const base = terms.type === "tiers" ? null : baseOf(terms);
  if (base === null) return words;
  return terms.type === "rate"
    ? fill(texts.of.tier, { rate: words, part: money.bound(base) })
    : `${words} (${texts.base}: ${money.bound(base)})`;
};

/** What the buyer has paid, where a part of the commission is payable by it. */
const partLines = ({ part }: Line, texts: Texts, currency: Currency.Currency): ReadonlyArray<string> => {
  if (part === null) return [];
  const plain = (smallestUnits: number): string => Wording.amount(smallestUnits, currency, texts.notation);
  return [
    fill(texts.payablePart, {
      received: valueText(part.received, texts),
      of: valueText(part.of, texts),
      payable: plain(part.payable),
      earned: plain(part.earned),
    }),
  ];
};

/** True if a line pays more of a commission because its buyer has paid more, or because it has grown. */
export const isFurtherPart = ({ part, amount, corrects }: Line): boolean =>
  part !== null && amount > 0 && corrects.length > 0;

/**
 * What a line corrects: the commission before and after it, its terms now, and the lines that stated it before. These are
 * the commission's own amounts, also where the document states amounts with the opposite sign.
 */
const correctionLines = (
  line: Line,
  { amount, currency }: { readonly amount: number; readonly currency: Currency.Currency },
  texts: Texts,
  money: Money,
): ReadonlyArray<string> => {
  const { correction, corrects } = line;
  if (correction === null) return [];
  const plain = (smallestUnits: number): string => Wording.amount(smallestUnits, currency, texts.notation);
  const isPart = isFurtherPart(line);
  const terms = isPart ? null : correctedTerms(line, texts, money);
  const difference = fill(texts.correction, {
    sale: saleOf(line, SALE_MAX),
    before: plain(correction.before),
    after: plain(correction.after),
    difference: plain(line.amount),
  });
  return [
    ...(isPart ? [] : [difference]),
    ...(amount === line.amount ? [] : [fill(texts.correctionPart, { amount: plain(amount) })]),
    ...(terms === null ? [] : [fill(texts.correctedTerms, { terms })]),
    ...corrects.slice(-CORRECTED_MAX).map((corrected) =>
      fill(texts.statedBefore, {
        amount: `${plain(corrected.amount)} ${currency}`,
        document: referenceOf(corrected, Wording.calendarDate(corrected.date, texts.notation), texts),
      }),
    ),
  ];
};

/** A line whose texts are cut to what documents show, so that long texts are not kept in memory. */
export const dropUnusedText = (line: Line): Line => ({
  ...line,
  externalReference:
    line.externalReference === null ? null : Wording.shorten(line.externalReference, REFERENCE_MAX),
  schemaName: Wording.shorten(line.schemaName, NAME_MAX),
  properties: line.properties.map(({ name, value: content }) => ({
    name: Wording.shorten(name, PROPERTY_MAX),
    value: typeof content === "string" ? Wording.shorten(content, VALUE_MAX) : content,
  })),
});

/** The columns of lines. */
export const lineColumns = (texts: Texts, currency: string): ReadonlyArray<Column> => {
  const leftColumn = (heading: string, width: number, linesMax: number): Column => ({
    heading,
    width,
    isRight: false,
    linesMax,
  });
  const rightColumn = (heading: string, width: number): Column => ({
    heading,
    width,
    isRight: true,
    linesMax: 0,
  });
  return [
    leftColumn(texts.position, 28, 1),
    leftColumn(texts.date, 56, 1),
    leftColumn(texts.reference, 90, 3),
    leftColumn(texts.sold, 96, 2),
    rightColumn(texts.base, 66),
    leftColumn(texts.terms, 88, 3),
    rightColumn(fill(texts.amount, { currency }), 75),
  ];
};

/** The column of what was sold; its details are below it. */
export const SOLD_COLUMN = 3;

/** The row of a line, or of a part of it with an amount of its own. */
export const lineRow = (
  content: Content,
  texts: Texts,
  money: Money,
  { position, amount }: { readonly position: number; readonly amount: number },
): Row => {
  const line = content.lines[position - 1];
  if (line === undefined) throw new Error(`the document has no line ${position}`);
  const isCorrection = line.correction !== null && line.basis === "evaluated";
  const hasTerms = line.terms !== null && line.basis === "evaluated" && !isCorrection;
  const base = hasTerms ? baseOf(line.terms) : null;
  return {
    type: "line",
    cells: [
      Wording.count(position, texts.notation),
      Wording.calendarDate(InvoiceLine.dayOfPart(line), texts.notation),
      saleOf(line, REFERENCE_MAX),
      Wording.cut(line.schemaName, NAME_MAX),
      base === null ? "–" : money.exact(base),
      isCorrection
        ? isFurtherPart(line)
          ? texts.furtherPart
          : texts.corrected
        : hasTerms
          ? termsIn(line.terms, texts, money)
          : reasonIn(line, texts),
      money.amount(amount),
    ],
    details: [
      ...propertyLines(line, texts),
      ...pairLines(line, texts),
      ...partLines(line, texts, content.settlement.currency),
      ...correctionLines(line, { amount, currency: content.settlement.currency }, texts, money),
    ],
  };
};

/** The row of a sum, with its label in the column before. */
export const sumRow = (label: string, sum: string): Row => ({
  type: "sum",
  cells: ["", "", "", "", "", label, sum],
  details: [],
});

/** The row that names the lines below it. */
export const headingRow = (text: string): Row => ({ type: "heading", cells: [text], details: [] });
