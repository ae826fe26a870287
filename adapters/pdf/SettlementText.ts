/** The text of a report, invoice or credit note, from the settlement that it is about. */
import { type BillingProfile, type Documents, type Partner, RegistrationNumber } from "quittance";
import type { DocumentText, Party, Section } from "./DocumentText.ts";
import * as Invoice from "./Invoice.ts";
import { TEXTS } from "./Languages.ts";
import * as Report from "./Report.ts";
import * as SettlementTable from "./SettlementTable.ts";
import { fill, type Language, type Texts } from "./Texts.ts";
import * as Wording from "./Wording.ts";

type Content = Documents.DocumentContent;

/** The number of a party with what it is. */
export const taxNumber = (
  { vatNumber, vatNumberType = "vat" }: Pick<Partner.SelfBillingData, "vatNumber" | "vatNumberType">,
  texts: Texts,
): string => fill(texts.number[vatNumberType], { value: Wording.plain(vatNumber) });

/** The number of a party in a public register, without the code of its scheme. */
const registration = (
  party: Pick<Partner.SelfBillingData, "registrationNumber">,
  texts: Texts,
): ReadonlyArray<string> => {
  const registered = RegistrationNumber.registrationOf(party);
  return registered === null
    ? []
    : [fill(texts.registration, { value: Wording.plain(registered.identifier) })];
};

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
          taxNumber(data, texts),
          ...registration(data, texts),
          ...(data.contact === undefined
            ? []
            : [[data.contact.name, data.contact.phone, data.contact.email].map(Wording.plain).join(", ")]),
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
          taxNumber(profile, texts),
          ...registration(profile, texts),
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
  const referenceTo = (correctedDocument: Documents.CorrectedDocument) =>
    SettlementTable.documentReference(correctedDocument, texts);
  return [
    ...(cancels === null ? [] : [fill(texts.cancels, { document: referenceTo(cancels) })]),
    ...(corrects.length > REFERENCES_MAX
      ? [fill(texts.correctsMany, { count: Wording.count(corrects.length, texts.notation) })]
      : corrects.map((corrected) => fill(texts.corrects, { document: referenceTo(corrected) }))),
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
          rows: corrects.map((corrected) => ({
            type: "line",
            cells: [SettlementTable.documentReference(corrected, texts)],
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
