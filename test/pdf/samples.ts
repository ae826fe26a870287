/**
 * The sample documents in `docs/samples`. `npx tsx --conditions quittance-source test/pdf/samples.ts` writes them.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { Either } from "effect";
import { Currency, type Documents, Ids, PlanTermsText } from "quittance";
import { parse } from "quittance/formula";
import * as Fonts from "../../adapters/pdf/Fonts.ts";
import * as Rendering from "../../adapters/pdf/Rendering.ts";
import { JPEG } from "../support/images.ts";
import { PARTNER, statementOf } from "./account.ts";
import { BUYER, CUSTOMER_ID, contentOf, ISSUED_AT, otherDocument, SUBJECTS, SUPPLIER } from "./content.ts";

const bankAccount = {
  beneficiaryName: "Acme Software GmbH",
  iban: "DE89370400440532013000",
  bic: "COBADEFFXXX",
};

const buyer = (fields: object) => ({ ...BUYER, bankAccount, ...fields }) as typeof BUYER;

const TIERS: Documents.DetailedLine["terms"] = {
  type: "tiers",
  base: "60000",
  tiers: [
    { part: "50000", rate: "0.05", flat: "0" },
    { part: "10000", rate: "0.08", flat: "1250" },
  ],
};

const CORRECTED: Documents.DetailedLine["corrects"] = [
  {
    ...{ settlementId: otherDocument("invoice", null).settlementId, kind: "invoice", isSelfBilled: true },
    ...{ number: "HM-2026-000017", date: "2026-01-31", amount: 1_050 },
  },
];

const detail = (index: number): Partial<Documents.DetailedLine> => {
  if (index === 1) return { terms: TIERS, properties: [{ name: "seats", value: 120 }] };
  return index === 2
    ? {
        ...{ basis: "attribution_cancelled", cancelReason: "refunded", terms: null, corrects: CORRECTED },
        correction: { before: 1_050, after: 0 },
      }
    : {};
};

const TERMS: PlanTermsText.TermsText = PlanTermsText.termsText(
  {
    span: {
      planId: Ids.PlanId.make("0198c1d2-d000-7abc-8def-000000000001"),
      partnerId: Ids.PartnerId.make("0198c1d2-d000-7abc-8def-000000000002"),
      schemaId: Ids.SchemaId.make("0198c1d2-d000-7abc-8def-000000000003"),
      formulaId: Ids.FormulaId.make("0198c1d2-d000-7abc-8def-000000000004"),
      currency: Currency.Currency.make("EUR"),
      formulaVersion: 2,
      expression: Either.getOrThrow(
        parse(`before = sum of order_value earlier this month
scale = tiers(order_value, after before) { up to 1000: 5 %; up to 5000: 7 % plus 10; else: 8 % } * 100
min(choose country { "DE": scale; "AT": scale; else: order_value * plan.rate }, plan.cap) + units * 25`),
      ),
      parameters: [
        { name: "rate", type: "number", format: "percent" },
        { name: "cap", type: "number", format: "money_minor" },
      ],
      inForce: new Map([
        ["rate", { value: 7, since: Date.UTC(2026, 2, 1) }],
        ["cap", { value: 50_000, since: null }],
      ]),
      startDatetime: Date.UTC(2026, 0, 1),
      endDatetime: Date.UTC(2027, 0, 1),
      fromDatetime: Date.UTC(2026, 2, 1),
      untilDatetime: null,
    },
    hash: "0123456789abcdef".repeat(4),
    sales: {
      id: Ids.SchemaId.make("0198c1d2-d000-7abc-8def-000000000003"),
      name: "Order",
      properties: [
        { name: "order_value", type: "number", required: true, format: "money_major" },
        { name: "units", type: "number", required: true, format: "count" },
        { name: "country", type: "string", required: true },
      ],
    },
    planName: "Affiliates, Central Europe",
    partnerName: "Nordlys ApS",
    acceptance: {
      ...{ name: "Ida Nord", createdAt: Date.UTC(2026, 1, 26), onBehalf: false, reference: null },
    },
  },
  "en",
);

/** Content by file name. */
export const SAMPLES: Readonly<Record<string, Rendering.Content>> = {
  "report-en": contentOf({
    ...{ kind: "report", number: "HM-REP-2026-000018", taxAmount: null },
    ...{ amounts: [120_000, 5_050, -1_050, 33_333], detail, buyer: buyer({ logo: JPEG }) },
  }),
  "invoice-de": contentOf({
    ...{ number: "HM-2026-000018", amounts: [120_000, 5_050, 33_333], taxAmount: 39_596 },
    buyer: buyer({ language: "de", accentColor: "#0b5fa5", backgroundColor: "#eaf2fa", logo: JPEG }),
  }),
  "credit-note-fr": contentOf({
    ...{ kind: "credit_note", number: "HM-CN-2026-000003", amounts: [-1_050, -4_000], taxAmount: -1_263 },
    corrects: [otherDocument("invoice", "HM-2026-000016"), otherDocument("invoice", "HM-2026-000017")],
    buyer: buyer({ language: "fr" }),
  }),
  "invoice-es": contentOf({
    ...{ number: "HM-2026-000019", amounts: [120_000, 5_050], taxAmount: 0, currency: "KWD" },
    supplier: {
      ...SUPPLIER,
      ...{ legalName: "شركة النور للتجارة", paymentTermsDays: 0 },
      taxConfig: { treatment: "reverse_charge", label: "IVA", rateBps: null },
    },
    detail: (index) => ({ externalReference: `طلب ${1_024 + index}`, schemaName: "اشتراك" }),
    subjects: SUBJECTS.map((subject) => ({ ...subject, name: "10 %" })),
    buyer: buyer({ language: "es", accentColor: "#7a1f1f", backgroundColor: "#fbefe6" }),
  }),
  "statement-en": statementOf({ opening: 5_000n, buyer: buyer({ logo: JPEG }) }),
  "terms-en": {
    ...{ kind: "terms", customerId: CUSTOMER_ID, partner: PARTNER, buyer: buyer({ logo: JPEG }) },
    ...{ issuedAt: ISSUED_AT, hash: "0123456789abcdef".repeat(4), text: TERMS, lines: TERMS.paragraphs },
  },
};

/** The folder of the samples. */
export const FOLDER = new URL("../../docs/samples/", import.meta.url);

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  mkdirSync(FOLDER, { recursive: true });
  const families = Fonts.open(Fonts.installedSources());
  for (const [name, content] of Object.entries(SAMPLES))
    writeFileSync(new URL(`${name}.pdf`, FOLDER), await Rendering.render(content, families));
}
