/** The text of a document, without its layout. */
import type { BillingProfile, Documents, Partner } from "quittance";
import * as Invoice from "./Invoice.ts";
import * as Report from "./Report.ts";
import * as SettlementTable from "./SettlementTable.ts";
import { fill, type Language, TEXTS, type Texts } from "./Texts.ts";
import * as Wording from "./Wording.ts";

/** A value with its label. */
export interface Fact {
  readonly label: string;
  readonly value: string;
}

/** A party: the supplier or the customer. */
export interface Party {
  readonly role: string;
  readonly name: string;
  /** One line each: address, VAT number, electronic address. */
  readonly details: ReadonlyArray<string>;
}

/** A column of a table: its heading, its width in points, and the edge that its text is aligned to. */
export interface Column {
  readonly heading: string;
  readonly width: number;
  readonly isRight: boolean;
  /** Lines that a cell may have; what is longer ends with an ellipsis. 0: the text is made smaller to fit one line. */
  readonly linesMax: number;
}

/** A row: a line, the heading of the lines that follow, or their sum. */
export interface Row {
  readonly type: "line" | "heading" | "sum";
  /** One for each column; empty ones are left out of a heading. */
  readonly cells: ReadonlyArray<string>;
  /** Smaller lines below the cell of a column. */
  readonly details: ReadonlyArray<string>;
}

/** A table with its title. */
export interface Section {
  /** Null when the table follows the key facts directly. */
  readonly title: string | null;
  readonly columns: ReadonlyArray<Column>;
  /** The index of the column below which the details of a row are. */
  readonly detailColumn: number;
  readonly rows: ReadonlyArray<Row>;
}

/** The whole text of a document. */
export interface DocumentText {
  readonly language: Language;
  /** The title with the number, or with the settlement's id if there is no number; also the name of the file and in the footer. */
  readonly name: string;
  readonly title: string;
  /** Null on a report. */
  readonly number: string | null;
  /** Lines under the title with references to other documents. */
  readonly references: ReadonlyArray<string>;
  readonly supplier: Party;
  readonly buyer: Party;
  /** A warning to the reader; null if there is none. */
  readonly notice: string | null;
  /** Key facts: dates and the amount. */
  readonly facts: ReadonlyArray<Fact>;
  /** The tables before the totals. */
  readonly sections: ReadonlyArray<Section>;
  /** The summands, then their sum; empty if a table contains them. */
  readonly totals: ReadonlyArray<Fact>;
  /** Bank account and due date, with their title; null unless something is paid. */
  readonly payment: { readonly title: string; readonly facts: ReadonlyArray<Fact> } | null;
  /** Sentences on self-billing, tax, cancelled documents and debts. */
  readonly notes: ReadonlyArray<string>;
  /** The tables after the notes; the first one begins a page. */
  readonly annexes: ReadonlyArray<Section>;
}

type Content = Documents.DocumentContent;

/** The lines of an address. */
export const address = (
  { street, postalCode, city, region, country }: Partner.Address,
  language: Language,
): ReadonlyArray<string> =>
  [street, `${postalCode} ${city}`, region, Wording.country(country, language)]
    .map(Wording.plain)
    .filter((line) => line !== "");

const supplier = ({ kind, settlement }: Content, texts: Texts, language: Language): Party => {
  const role = kind === "report" ? texts.partner : texts.supplier;
  const data = settlement.approval?.selfBillingData ?? null;
  return data === null
    ? {
        role,
        name: Wording.plain(settlement.approval?.partnerName ?? settlement.partnerId),
        details: [fill(texts.partnerId, { value: settlement.partnerId })],
      }
    : {
        role,
        name: Wording.plain(data.legalName),
        details: [
          ...address(data.address, language),
          fill(texts.vatNumber, { value: Wording.plain(data.vatNumber) }),
        ],
      };
};

const electronicAddressLines = (
  { electronicAddress }: BillingProfile.BillingProfile,
  texts: Texts,
): ReadonlyArray<string> =>
  electronicAddress === undefined
    ? []
    : [fill(texts.electronicAddress, { value: Wording.plain(electronicAddress) })];

/** The customer by its billing profile, or by its id without one. */
export const customerParty = (
  role: string,
  customerId: string,
  profile: BillingProfile.BillingProfile | null,
  texts: Texts,
  language: Language,
): Party =>
  profile === null
    ? { role, name: customerId, details: [texts.noProfile] }
    : {
        role,
        name: Wording.plain(profile.legalName),
        details: [
          ...address(profile.address, language),
          fill(texts.vatNumber, { value: Wording.plain(profile.vatNumber) }),
          ...electronicAddressLines(profile, texts),
        ],
      };

const buyer = ({ kind, settlement, buyer: profile }: Content, texts: Texts, language: Language): Party =>
  customerParty(
    kind === "report" ? texts.customer : texts.buyer,
    settlement.customerId,
    profile,
    texts,
    language,
  );

/** The largest number of corrected documents under the title; more are listed in a table at the end. */
const REFERENCES_MAX = 5;

const references = (content: Content, texts: Texts): ReadonlyArray<string> => {
  const { cancels, corrects, settlement } = content;
  const referenceTo = (one: Documents.CorrectedDocument) => SettlementTable.documentReference(one, texts);
  return [
    ...(cancels === null ? [] : [fill(texts.cancels, { document: referenceTo(cancels) })]),
    ...(corrects.length > REFERENCES_MAX
      ? [fill(texts.correctsMany, { count: Wording.count(corrects.length, texts.notation) })]
      : corrects.map((one) => fill(texts.corrects, { document: referenceTo(one) }))),
    fill(texts.settlement, { id: settlement.id }),
  ];
};

/** The table of corrected documents, if they are too many to be listed under the title. */
const correctedSections = ({ corrects }: Content, texts: Texts): ReadonlyArray<Section> =>
  corrects.length <= REFERENCES_MAX
    ? []
    : [
        {
          title: texts.correctedDocuments,
          columns: [
            { heading: texts.correctedDocuments, width: SettlementTable.WIDTH, isRight: false, linesMax: 3 },
          ],
          detailColumn: 0,
          rows: corrects.map((one) => ({
            type: "line",
            cells: [SettlementTable.documentReference(one, texts)],
            details: [],
          })),
        },
      ];

/** The text of a document, in the language of the buyer's billing profile. */
export const of = (content: Content): DocumentText => {
  const { settlement, kind } = content;
  const language = content.buyer?.language ?? "en";
  const texts = TEXTS[language];
  const number = content.number === null ? null : Wording.plain(content.number);
  const [selfBilled, other] = texts.title[kind];
  const title = SettlementTable.isSelfBilled(content) ? selfBilled : other;
  const kindText = kind === "report" ? Report.of(content, texts) : Invoice.of(content, texts);
  return {
    language,
    name: `${title} ${number ?? settlement.id}`,
    title,
    number,
    references: references(content, texts),
    supplier: supplier(content, texts, language),
    buyer: buyer(content, texts, language),
    notice: content.buyer === null ? texts.missingProfile : null,
    ...kindText,
    annexes: [...kindText.annexes, ...correctedSections(content, texts)],
  };
};
