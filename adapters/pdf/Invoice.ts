/** The text of an invoice or a credit note: a line for each plan and tax, then every settlement line as an annex. */
import {
  type Documents,
  type InvoiceLine,
  type Partner,
  PayoutAccount,
  PayoutDetails,
  TaxCurrency,
  TreatmentWords,
} from "quittance";
import type { Column, DocumentText, Fact, Row, Section } from "./DocumentText.ts";
import * as SettlementTable from "./SettlementTable.ts";
import { fill, type Texts } from "./Texts.ts";
import * as Wording from "./Wording.ts";

type Content = Documents.DocumentContent;

/** What the supplier and the buyer owe each other after the document, with the sign that the document has. */
const payable = ({ settlement, taxAmount }: Content): number => settlement.total + (taxAmount ?? 0);

/** The words for a tax. The treatment and the rate are left out where the partner's own label contains them. */
const taxLabel = ({ treatment, label, rateBps }: Partner.TaxConfig, texts: Texts): string => {
  const plainLabel = Wording.plain(label);
  if (treatment === "standard") {
    const rate = Wording.rate(rateBps ?? 0, texts.notation);
    return plainLabel.replace(/\s/gu, "").includes(rate.replace(/\s/gu, ""))
      ? plainLabel
      : `${plainLabel} ${rate}`;
  }
  return TreatmentWords.namesTreatment(treatment, label)
    ? plainLabel
    : `${plainLabel}, ${texts.treatment[treatment]}`;
};

/** True if the supplier is to be paid: an invoice that cancels nothing, with something to pay. */
const isPaid = (content: Content): boolean =>
  content.kind === "invoice" && content.cancels === null && payable(content) > 0;

/** True if the buyer is to be paid. */
const isClaimed = (content: Content): boolean =>
  content.kind === "credit_note" && content.cancels === null && payable(content) < 0;

const dueDate = (content: Content, texts: Texts): string | null =>
  content.dueDate === null || !isPaid(content) ? null : Wording.calendarDate(content.dueDate, texts.notation);

const sumLabel = ({ kind, cancels }: Content, texts: Texts): string => {
  if (cancels !== null) return texts.totalCancelled;
  return kind === "credit_note" ? texts.totalCredited : texts.totalPayable;
};

const facts = (content: Content, texts: Texts, money: SettlementTable.Money): ReadonlyArray<Fact> => {
  const due = dueDate(content, texts);
  return [
    { label: texts.issueDate, value: Wording.calendarDate(content.issuedOn, texts.notation) },
    due === null
      ? { label: texts.lines, value: Wording.count(content.lines.length, texts.notation) }
      : { label: texts.dueDate, value: due },
    { label: texts.periodOfSupply, value: SettlementTable.periodOf(content, texts) },
    { label: sumLabel(content, texts), value: money.withCurrency(payable(content)) },
  ];
};

const DESCRIPTION_MAX = 160;

const describe = ({ description }: InvoiceLine.InvoiceLine, texts: Texts): string =>
  fill(texts.commission, { plan: Wording.cut(description, DESCRIPTION_MAX) });

interface NumberedLine {
  readonly position: number;
  readonly group: Documents.DocumentGroup;
  readonly line: InvoiceLine.InvoiceLine;
}

const numberedLines = ({ groups }: Content): ReadonlyArray<NumberedLine> =>
  groups
    .flatMap((group) => group.invoiceLines.map((line) => ({ group, line })))
    .map((item, index) => ({ ...item, position: index + 1 }));

const lineColumns = (texts: Texts, currency: string): ReadonlyArray<Column> => {
  const leftColumn = (heading: string, width: number, linesMax: number): Column => ({
    heading,
    width,
    isRight: false,
    linesMax,
  });
  return [
    leftColumn(texts.position, 28, 1),
    leftColumn(texts.description, 164, 3),
    leftColumn(texts.periodOfSupply, 112, 2),
    leftColumn(texts.tax, 110, 3),
    { heading: fill(texts.amount, { currency }), width: 85, isRight: true, linesMax: 0 },
  ];
};

const invoiceLines = (content: Content, texts: Texts, money: SettlementTable.Money): Section => ({
  title: null,
  columns: lineColumns(texts, content.settlement.currency),
  detailColumn: 1,
  rows: numberedLines(content).map(
    ({ position, group, line }): Row => ({
      type: "line",
      cells: [
        Wording.count(position, texts.notation),
        describe(line, texts),
        SettlementTable.formatPeriod(line.periodStart, line.periodEnd, texts),
        taxLabel(group, texts),
        money.amount(line.amount),
      ],
      details: [],
    }),
  ),
});

const taxColumns = (texts: Texts): ReadonlyArray<Column> => {
  const rightColumn = (heading: string): Column => ({ heading, width: 90, isRight: true, linesMax: 0 });
  return [
    { heading: texts.tax, width: 229, isRight: false, linesMax: 2 },
    rightColumn(texts.net),
    rightColumn(texts.tax),
    rightColumn(texts.gross),
  ];
};

/** Net, tax and gross for each treatment and rate, where there are several. */
const taxes = (
  { groups }: Content,
  texts: Texts,
  { amount }: SettlementTable.Money,
): ReadonlyArray<Section> =>
  groups.length < 2
    ? []
    : [
        {
          title: texts.taxes,
          columns: taxColumns(texts),
          detailColumn: 0,
          rows: groups.map(
            (group): Row => ({
              type: "line",
              cells: [
                taxLabel(group, texts),
                amount(group.base),
                amount(group.tax),
                amount(group.base + group.tax),
              ],
              details: [],
            }),
          ),
        },
      ];

/** The tax in the national currency, with its words; null where the document states none. */
const nationalTax = ({ settlement, taxAmount }: Content): TaxCurrency.Conversion | null =>
  taxAmount === null || taxAmount === 0 ? null : (settlement.approval?.taxConversion ?? null);

const totals = (content: Content, texts: Texts, money: SettlementTable.Money): ReadonlyArray<Fact> => {
  const { settlement, taxAmount, groups } = content;
  const fact = (label: string, smallestUnits: number): Fact => ({
    label,
    value: money.amount(smallestUnits),
  });
  const sum = fact(`${sumLabel(content, texts)} (${settlement.currency})`, payable(content));
  if (taxAmount === null) return [sum];
  const [only, ...others] = groups;
  const tax = only === undefined || others.length > 0 ? texts.tax : taxLabel(only, texts);
  const conversion = nationalTax(content);
  const converted: ReadonlyArray<Fact> =
    conversion === null
      ? []
      : [
          {
            label: `${tax} (${conversion.currency})`,
            value: money.in(
              conversion.currency,
              TaxCurrency.convert(BigInt(taxAmount), settlement.currency, conversion),
            ),
          },
        ];
  return [fact(texts.subtotal, settlement.total), fact(tax, taxAmount), ...converted, sum];
};

/** The sentence that states who owes what. */
const balanceLines = (content: Content, texts: Texts): ReadonlyArray<string> => {
  const { cancels, taxAmount } = content;
  if (cancels !== null)
    return [
      fill(texts.cancelsInFull, { document: SettlementTable.documentReference(cancels, texts) }),
      texts.nothingToPay,
    ];
  if (isClaimed(content))
    return [content.buyer?.bankAccount === undefined ? texts.claimWithoutAccount : texts.claim];
  return taxAmount !== null && payable(content) === 0 ? [texts.balanced] : [];
};

/** The legal notes of both parties of a document that the service issues, line by line. */
const legalNotes = (content: Content): ReadonlyArray<string> =>
  SettlementTable.isSelfBilled(content)
    ? [content.settlement.approval?.selfBillingData?.legalNote, content.buyer?.legalNote]
        .flatMap((note) => note?.split(/[\n\r]+/) ?? [])
        .map(Wording.plain)
        .filter((line) => line !== "")
    : [];

/** The rate of the tax in the national currency, who published it, and its date. */
const rateNote = (content: Content, texts: Texts): ReadonlyArray<string> => {
  const conversion = nationalTax(content);
  if (conversion === null) return [];
  const { notation } = texts;
  const rate = TaxCurrency.describe(
    content.settlement.currency,
    { ...conversion, source: Wording.plain(conversion.source) },
    {
      rate: (text) => Wording.decimal(text, notation),
      date: (day) => Wording.calendarDate(day, notation),
    },
  );
  return [fill(texts.exchangeRate, { rate })];
};

const notes = (content: Content, texts: Texts): ReadonlyArray<string> => {
  const { kind, groups } = content;
  // The label of a small business is the sentence that its law prescribes: it may charge no tax without being exempt.
  const treatments = groups.flatMap(({ treatment, label }) =>
    treatment === "standard" || TreatmentWords.namesSmallBusiness(label) ? [] : treatment,
  );
  return [
    ...balanceLines(content, texts),
    ...(kind !== "report" && SettlementTable.isSelfBilled(content) ? [texts.selfBilling[kind]] : []),
    ...[...new Set(treatments)].map((treatment) => texts.treatmentNote[treatment]),
    ...rateNote(content, texts),
    ...legalNotes(content),
    texts.utc,
  ];
};

const withCapital = (words: string): string => `${words.charAt(0).toUpperCase()}${words.slice(1)}`;

/** A field of an account in the language; of a custom account by the partner's own words: `Wallet id`. */
const fieldOf = (
  [field, value]: readonly [string, string],
  type: PayoutDetails.PayoutType | undefined,
  { accountFields, accountTypes }: Texts,
): Fact => {
  const labels: Readonly<Record<string, string>> = type === "custom" ? {} : accountFields;
  const values: Readonly<Record<string, string>> =
    type !== "custom" && field === "account_type" ? accountTypes : {};
  return {
    label: labels[field] ?? withCapital(field.replaceAll("_", " ")),
    value: Wording.plain(values[value] ?? value),
  };
};

const account = (
  { beneficiaryName, iban, bic }: Partner.BankAccount,
  number: string | null,
  texts: Texts,
): ReadonlyArray<Fact> => [
  { label: texts.beneficiary, value: Wording.plain(beneficiaryName) },
  { label: "IBAN", value: Wording.iban(iban) },
  ...(bic === "" ? [] : [{ label: "BIC", value: Wording.plain(bic) }]),
  ...(number === null ? [] : [{ label: texts.paymentReference, value: Wording.plain(number) }]),
];

/** The account of the approval. */
const payee = (content: Content, number: string | null, texts: Texts): ReadonlyArray<Fact> => {
  const approved = PayoutAccount.payeeOfApproval(content.settlement.approval);
  const bank = approved === null ? null : PayoutDetails.bankAccountOf(approved);
  if (bank !== null) return account(bank, number, texts);
  const { holder, ...others } = approved?.details ?? {};
  return [
    ...(holder === undefined ? [] : [{ label: texts.beneficiary, value: Wording.plain(holder) }]),
    ...Object.entries(others).map((field) => fieldOf(field, approved?.type, texts)),
    ...(number === null ? [] : [{ label: texts.paymentReference, value: Wording.plain(number) }]),
  ];
};

/** Payment terms in words. */
const termsText = (
  days: number,
  date: string,
  { onReceipt, afterOneDay, afterDays, notation }: Texts,
): string =>
  days === 0
    ? onReceipt
    : fill(days === 1 ? afterOneDay : afterDays, { days: Wording.count(days, notation), date });

const payment = (content: Content, texts: Texts): DocumentText["payment"] => {
  const { number, settlement, buyer } = content;
  const data = settlement.approval?.selfBillingData ?? null;
  const due = dueDate(content, texts);
  if (data !== null && due !== null) {
    return {
      title: texts.payment,
      facts: [
        ...payee(content, number, texts),
        { label: texts.paymentTerms, value: termsText(data.paymentTermsDays, due, texts) },
      ],
    };
  }
  return isClaimed(content) && buyer?.bankAccount !== undefined
    ? { title: texts.claimPayment, facts: account(buyer.bankAccount, number, texts) }
    : null;
};

/** Every line of the settlement below the line of the invoice that it is part of. */
const annex = (content: Content, texts: Texts, money: SettlementTable.Money): Section => {
  const subjectByFormula = new Map(content.subjects.map(({ formulaId, id }) => [formulaId, id]));
  const parts = new Map<string, Array<Documents.DocumentLine>>();
  const keyOf = (group: number, subject: string) => `${group} ${subject}`;
  content.groups.forEach(({ lines }, index) => {
    for (const line of lines) {
      const key = keyOf(index, subjectByFormula.get(line.formulaId) ?? line.formulaId);
      const others = parts.get(key);
      if (others === undefined) parts.set(key, [line]);
      else others.push(line);
    }
  });
  const takeLines = (key: string): ReadonlyArray<Documents.DocumentLine> => {
    // A subject whose sum is too large for one line of the invoice has several: the first one names them all.
    const lines = parts.get(key) ?? [];
    parts.delete(key);
    return lines;
  };
  return {
    title: texts.annex,
    columns: SettlementTable.lineColumns(texts, content.settlement.currency),
    detailColumn: SettlementTable.SOLD_COLUMN,
    rows: numberedLines(content).flatMap(({ position, group, line }) => [
      SettlementTable.headingRow(
        fill(texts.annexNote, {
          position: Wording.count(position, texts.notation),
          description: describe(line, texts),
        }),
      ),
      ...takeLines(keyOf(content.groups.indexOf(group), line.subjectId)).map((part) =>
        SettlementTable.lineRow(content, texts, money, part),
      ),
      SettlementTable.sumRow(texts.total, money.amount(line.amount)),
    ]),
  };
};

/** The parts of a statement that invoices and credit notes have. */
export const of = (
  content: Content,
  texts: Texts,
): Pick<DocumentText, "facts" | "sections" | "totals" | "payment" | "notes" | "annexes"> => {
  const money = SettlementTable.moneyOf(content, texts);
  return {
    facts: facts(content, texts, money),
    sections: [invoiceLines(content, texts, money), ...taxes(content, texts, money)],
    totals: totals(content, texts, money),
    payment: payment(content, texts),
    notes: notes(content, texts),
    annexes: content.groups.length === 0 ? [] : [annex(content, texts, money)],
  };
};
