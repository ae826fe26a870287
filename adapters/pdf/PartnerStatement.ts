/** The text of a partner's statement: the sums by type, then every movement with the balance after it. */
import { type Documents, type Movement, MovementText, type Partner, type Replacement } from "quittance";
import { creditClause } from "quittance/explanation";
import { Rational } from "quittance/formula";
import type { Column, DocumentText, Party, Row, Section } from "./DocumentText.ts";
import { TEXTS } from "./Languages.ts";
import { PARTNER_STATEMENT_TEXTS, type PartnerStatementTexts } from "./PartnerStatementTexts.ts";
import * as SettlementTable from "./SettlementTable.ts";
import { address, customerParty, taxNumber } from "./SettlementText.ts";
import { fill, type Language, type Texts } from "./Texts.ts";
import * as Wording from "./Wording.ts";

type Content = Documents.StatementContent;
type Line = Documents.StatementLine;

/** The texts of a statement in one language, and its amounts. */
interface Words {
  readonly language: Language;
  readonly texts: Texts;
  readonly statementTexts: PartnerStatementTexts;
  readonly amount: (smallestUnits: number | bigint) => string;
  readonly withCurrency: (smallestUnits: number | bigint) => string;
}

const wordsOf = ({ currency }: Content, language: Language): Words => {
  const texts = TEXTS[language];
  const amount = (smallestUnits: number | bigint): string =>
    Wording.amount(smallestUnits, currency, texts.notation);
  return {
    ...{ language, texts, amount, statementTexts: PARTNER_STATEMENT_TEXTS[language] },
    withCurrency: (smallestUnits) => `${amount(smallestUnits)} ${currency}`,
  };
};

const NAME_MAX = 48;
const REASON_MAX = 80;
const REFERENCE_MAX = 60;

const correctionText = (
  sale: string,
  { externalReference, schemaName }: MovementText.EarnedSubject,
  { occurredOn }: Replacement.OtherSale,
  { texts, statementTexts }: Words,
): string =>
  fill(statementTexts.correction, {
    sale,
    other: fill(statementTexts.sale, {
      sold: Wording.cut(externalReference ?? schemaName, NAME_MAX),
      date: Wording.calendarDate(occurredOn, texts.notation),
    }),
  });

const earnedText = (subject: MovementText.EarnedSubject, waiting: bigint, words: Words): string => {
  const { texts, statementTexts } = words;
  const sale = fill(statementTexts.sale, {
    sold: Wording.cut(subject.schemaName, NAME_MAX),
    date: Wording.calendarDate(subject.occurredOn, texts.notation),
  });
  const { part, cause, cancelReason, replaces, replacedBy, receipt, settledElsewhere } = subject;
  if (settledElsewhere !== null) {
    const { at, reference } = settledElsewhere;
    const stated = { sale, date: Wording.date(at, texts.notation) };
    const [without, withReference] = statementTexts.settledElsewhere;
    return reference === null
      ? fill(without, stated)
      : fill(withReference, { ...stated, reference: Wording.cut(reference, REFERENCE_MAX) });
  }
  if (receipt !== null) {
    const [received = "", of = ""] = [receipt.received, receipt.of].map(
      (value) => Wording.quantity(String(value), texts.notation) ?? String(value),
    );
    return fill(statementTexts.received[waiting > 0n ? 1 : 0], { sale, received, of });
  }
  if (cause === null) {
    const asPart = part === null ? sale : `${sale}, ${creditClause(part, words.language)}`;
    return replaces === null ? asPart : correctionText(asPart, subject, replaces, words);
  }
  if (cause !== "attribution_cancelled") return fill(statementTexts.causes[cause], { sale });
  if (replacedBy !== null)
    return fill(statementTexts.replaced, { sale, reason: Wording.cut(cancelReason ?? "", REASON_MAX) });
  return cancelReason === null
    ? fill(statementTexts.cancelled, { sale })
    : fill(statementTexts.cancelledBecause, { sale, reason: Wording.cut(cancelReason, REASON_MAX) });
};

/** What was paid or written off, tax included where it is known. */
const settledAmount = (
  subject: MovementText.SettledSubject,
  { statementTexts, withCurrency }: Words,
): string => {
  if (subject.type === "written_off") return withCurrency(Rational.absolute(BigInt(subject.total)));
  const amount = withCurrency(Rational.absolute(MovementText.grossOf(subject)));
  const tax = BigInt(subject.taxAmount ?? 0);
  if (tax === 0n) return amount;
  return MovementText.includesTax(subject)
    ? fill(statementTexts.withTax, { amount, tax: withCurrency(Rational.absolute(tax)) })
    : fill(statementTexts.netAndTax, { amount, net: withCurrency(subject.total), tax: withCurrency(tax) });
};

const settledText = (subject: MovementText.SettledSubject, words: Words): string => {
  const { statementTexts, texts } = words;
  if (subject.type === "paid" && subject.isNothingDue) return statementTexts.nothingDue;
  const isRefund = subject.type === "paid" && MovementText.grossOf(subject) < 0n;
  const text = fill(isRefund ? statementTexts.refund : statementTexts.settled[subject.type], {
    amount: settledAmount(subject, words),
  });
  const shortText = (value: string): string => Wording.cut(value, REFERENCE_MAX);
  const [selfBilled, other] = statementTexts.document[subject.documentKind];
  const document = subject.isSelfBilled ? selfBilled : other;
  const details = [
    ...(subject.documentNumber === null
      ? []
      : [fill(document, { number: shortText(subject.documentNumber) })]),
    ...(subject.type === "paid" && subject.paidAt !== null
      ? [fill(statementTexts.paidOn, { date: Wording.date(subject.paidAt, texts.notation) })]
      : []),
    ...(subject.type === "paid" && subject.bankReference !== null
      ? [fill(statementTexts.bankReference, { reference: shortText(subject.bankReference) })]
      : []),
    ...(subject.reason === null ? [] : [Wording.cut(subject.reason, REASON_MAX)]),
  ];
  return details.length === 0 ? text : `${text}: ${details.join(", ")}`;
};

/** What a movement is about, and the part of it that changes nothing. */
const description = ({ subject, amount, settled, waiting }: Line, words: Words): string => {
  const { statementTexts, withCurrency } = words;
  const told = MovementText.isEarned(subject)
    ? earnedText(subject, waiting, words)
    : settledText(subject, words);
  const text =
    waiting > 0n && subject.type !== "received"
      ? fill(statementTexts.waits, { text: told, amount: withCurrency(waiting) })
      : told;
  const absorbed = MovementText.absorbedOf(subject, { settled });
  if (absorbed === 0n) return text;
  const [unchanged, partly] =
    subject.type === "written_off" ? statementTexts.notDue : statementTexts.writtenOffBefore;
  return fill(amount === 0n ? unchanged : partly, {
    text,
    amount: withCurrency(Rational.absolute(absorbed)),
  });
};

const column = (heading: string, width: number, linesMax: number, isRight = false): Column => ({
  ...{ heading, width, linesMax, isRight },
});

const TYPES = Object.keys({
  earned: true,
  adjusted: true,
  received: true,
  settled_elsewhere: true,
  paid: true,
  payment_returned: true,
  written_off: true,
} satisfies Record<Movement.MovementType, true>) as ReadonlyArray<Movement.MovementType>;

const row = (type: Row["type"], ...cells: ReadonlyArray<string>): Row => ({ type, cells, details: [] });

/** The sums by type, between the opening and the closing balance. */
const summary = (content: Content, { texts, statementTexts, amount }: Words): Section => {
  const { lines, openingBalance, closingBalance, currency } = content;
  const rows = TYPES.flatMap((type) => {
    const of = lines.filter(({ subject }) => subject.type === type);
    const sum = of.reduce((total, line) => total + line.amount, 0n);
    return of.length === 0
      ? []
      : [row("line", statementTexts.types[type], Wording.count(of.length, texts.notation), amount(sum))];
  });
  return {
    title: statementTexts.summary,
    columns: [
      column(statementTexts.description, 325, 2),
      column(statementTexts.count, 74, 0, true),
      column(fill(texts.amount, { currency }), 100, 0, true),
    ],
    detailColumn: 0,
    rows: [
      row("line", statementTexts.opening, "", amount(openingBalance)),
      ...rows,
      row("sum", statementTexts.closing, "", amount(closingBalance)),
    ],
  };
};

const movements = (content: Content, words: Words): Section => {
  const { texts, statementTexts, amount } = words;
  const { lines, from, to, openingBalance, closingBalance, currency } = content;
  const date = (at: number): string => Wording.date(at, texts.notation);
  return {
    title: statementTexts.movements,
    columns: [
      column(texts.date, 58, 1),
      column(statementTexts.description, 191, 4),
      column(statementTexts.reference, 102, 3),
      column(fill(texts.amount, { currency }), 74, 0, true),
      column(fill(statementTexts.balance, { currency }), 74, 0, true),
    ],
    detailColumn: 1,
    rows: [
      row("line", date(from), statementTexts.opening, "", "", amount(openingBalance)),
      ...lines.map((line) =>
        row(
          "line",
          date(line.at),
          description(line, words),
          Wording.cut(line.reference ?? "", REFERENCE_MAX),
          amount(line.amount),
          amount(line.balance),
        ),
      ),
      row("sum", date(to - 1), statementTexts.closing, "", "", amount(closingBalance)),
    ],
  };
};

/** The partner by its legal name and address, or by its name and id. */
export const partnerParty = (
  { partner }: Pick<Content, "partner">,
  texts: Texts,
  language: Language,
): Party => {
  const data: Partner.SelfBillingData | null = partner.selfBillingData;
  return {
    role: texts.partner,
    name: Wording.plain(data === null ? partner.name : data.legalName),
    details:
      data === null
        ? [fill(texts.partnerId, { value: partner.id })]
        : [...address(data.address, language), taxNumber(data, texts)],
  };
};

/** The text of a statement, in the language of the customer's billing profile. */
export const of = (content: Content): DocumentText => {
  const { buyer, customerId, lines, from, to, closingBalance } = content;
  const language = buyer?.language ?? "en";
  const words = wordsOf(content, language);
  const { texts, statementTexts, withCurrency } = words;
  const period = SettlementTable.formatPeriod(Wording.isoDate(from), Wording.isoDate(to - 1), texts);
  return {
    language,
    name: `${statementTexts.title} ${period}`,
    title: statementTexts.title,
    number: null,
    references: [],
    supplier: partnerParty(content, texts, language),
    buyer: customerParty(texts.customer, customerId, buyer, texts, language),
    notice: buyer === null ? statementTexts.noProfile : null,
    facts: [
      { label: texts.issueDate, value: Wording.date(content.issuedAt, texts.notation) },
      { label: statementTexts.movements, value: Wording.count(lines.length, texts.notation) },
      { label: texts.period, value: period },
      { label: statementTexts.closing, value: withCurrency(closingBalance) },
    ],
    sections: [summary(content, words), movements(content, words)],
    totals: [],
    payment: null,
    notes: [
      ...(content.final ? [] : [statementTexts.notFinal]),
      closingBalance < 0n ? statementTexts.owedByPartner : statementTexts.owedToPartner,
      statementTexts.net,
      statementTexts.notAnInvoice,
      texts.utc,
    ],
    annexes: [],
  };
};
