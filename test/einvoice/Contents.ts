/** Random contents of e-invoices, in the terms of the ledger. */
import * as fc from "fast-check";
import {
  BillingProfile,
  Currency,
  type EInvoice,
  Ids,
  InvoiceLine,
  type Partner,
  type TaxCurrency,
} from "quittance";

const id = (kind: string, number: number) => `01900000-${kind}-7000-8000-${String(number).padStart(12, "0")}`;

/** How the buyer names the seller. */
export const PARTNER_ID = id("ffff", 1);

const VAT_NUMBERS = {
  DK: "DK12345674",
  DE: "DE123456789",
  NL: "NL123456789B01",
  IT: "IT00743110157",
  NO: "NO974760673MVA",
  SE: "SE556074756901",
  FI: "FI20774740",
  FR: "FR12345678901",
  GR: "EL123456789",
} as const;
type Country = keyof typeof VAT_NUMBERS;

const address = (country: string, region = ""): Partner.Address => ({
  ...{ street: "Main <1> & 2", city: 'Århus "C"', region, postalCode: "8000", country },
});

const seller = (
  { seller: country = "DK", note, taxNumber, contact, registers }: Shape,
  taxConfig: Partner.TaxConfig,
): Partner.SelfBillingData => ({
  legalName: "Nordlys & Søn <ApS>",
  address: address(country, "Midt"),
  vatNumber: taxNumber ?? VAT_NUMBERS[country],
  ...(taxNumber === undefined ? {} : { vatNumberType: "tax", electronicAddress: "0088:7300010000001" }),
  ...(note === undefined ? {} : { legalNote: note }),
  ...(contact === undefined ? {} : { contact }),
  ...(registers === undefined ? {} : { registrationNumber: registers[0] }),
  paymentTermsDays: 30,
  bankAccount: { beneficiaryName: "Nordlys", iban: "DK50 0040 0440 1162 43", bic: "NDEADKKK" },
  taxConfig,
});

export const standard = (rateBps: number): Partner.TaxConfig => ({
  treatment: "standard",
  label: "VAT",
  rateBps,
});
export const REVERSE: Partner.TaxConfig = { treatment: "reverse_charge", label: "VAT", rateBps: null };
export const EXEMPT: Partner.TaxConfig = { treatment: "exempt", label: "VAT", rateBps: null };
export const SMALL: Partner.TaxConfig = { treatment: "exempt", label: "small business", rateBps: null };
export const OUTSIDE: Partner.TaxConfig = { treatment: "outside_scope", label: "VAT", rateBps: null };
/** The rate of another label. */
const MOMS: Partner.TaxConfig = { treatment: "standard", label: "Moms", rateBps: 2_500 };

const OWN_ACCOUNT = { beneficiaryName: "Harbour Market", iban: "DE02120300000000202051", bic: "BYLADEM1001" };

/** The fields of a content; absent fields have defaults. */
export interface Shape {
  readonly kind?: "invoice" | "credit_note";
  readonly currency?: string;
  readonly seller?: Country;
  readonly buyer?: Country;
  readonly groups?: ReadonlyArray<{
    readonly terms: Partner.TaxConfig;
    readonly amounts: ReadonlyArray<number>;
  }>;
  /** Added to the tax of each group. */
  readonly apart?: number;
  readonly references?: EInvoice.Content["references"];
  readonly cancels?: boolean;
  readonly replacements?: EInvoice.Content["replacements"];
  /** English by default. */
  readonly language?: BillingProfile.Language;
  /** The seller's legal note. */
  readonly note?: string;
  /** The national tax number of a seller without a VAT number. */
  readonly taxNumber?: string;
  /** Where the seller can be asked. */
  readonly contact?: Partner.Contact;
  /** The numbers of the seller and of the buyer in public registers. */
  readonly registers?: readonly [seller: string, buyer: string];
  /** How the buyer wants to be named, such as a Leitweg-ID. */
  readonly buyerReference?: string;
  /** The buyer's legal note. */
  readonly buyerNote?: string;
  /** The rate of the VAT in the national currency. */
  readonly taxConversion?: TaxCurrency.Conversion;
  /** True if the buyer states an account. */
  readonly hasAccount?: boolean;
}

/** The tax on an amount, half away from zero, by floating point: the amounts of the tests are small. */
const taxOf = (base: number, { rateBps }: Partner.TaxConfig): number =>
  Math.sign(base) * Math.floor((Math.abs(base) * (rateBps ?? 0)) / 10_000 + 0.5);

/** The content of a shape. */
export const contentOf = (shape: Shape = {}): EInvoice.Content => {
  const groups = shape.groups ?? [{ terms: standard(2_500), amounts: [12_000, -50] }];
  return {
    kind: shape.kind ?? "invoice",
    number: "HM-2026-000017",
    issuedOn: "2026-02-01",
    dueDate: "2026-03-03",
    settlementId: Ids.SettlementId.make(id("5555", 1)),
    partnerId: Ids.PartnerId.make(PARTNER_ID),
    currency: Currency.Currency.make(shape.currency ?? "EUR"),
    seller: seller(shape, groups[0]?.terms ?? REVERSE),
    buyer: {
      customerId: Ids.CustomerId.make(id("c000", 1)),
      legalName: "Harbour Market GmbH",
      address: address(shape.buyer ?? "DE"),
      vatNumber: VAT_NUMBERS[shape.buyer ?? "DE"],
      ...(shape.language === undefined ? {} : { language: shape.language }),
      ...(shape.buyerNote === undefined ? {} : { legalNote: shape.buyerNote }),
      ...(shape.registers === undefined ? {} : { registrationNumber: shape.registers[1] }),
      ...(shape.buyerReference === undefined ? {} : { buyerReference: shape.buyerReference }),
      ...(shape.hasAccount === true ? { bankAccount: OWN_ACCOUNT } : {}),
    },
    groups: groups.map(({ terms, amounts }) => {
      const parts = amounts.map((amount, index) => ({
        formulaId: Ids.FormulaId.make(id("f000", index + 1)),
        attributionOccurredAt: Date.UTC(2026, 0, 1 + index),
        attributionOccurredOn: null,
        amount,
      }));
      const base = amounts.reduce((sum, amount) => sum + amount, 0);
      const tax = taxOf(base, terms) + (terms.treatment === "standard" ? (shape.apart ?? 0) : 0);
      return { ...terms, tax, invoiceLines: InvoiceLine.invoiceLines(parts, [], terms, tax) };
    }),
    references: shape.references ?? [],
    cancels: shape.cancels ?? false,
    ...(shape.taxConversion === undefined ? {} : { taxConversion: shape.taxConversion }),
    ...(shape.replacements === undefined ? {} : { replacements: shape.replacements }),
  };
};

/** A contact as XRechnung requires one. */
export const CONTACT: Partner.Contact = {
  ...{ name: "Søren & Co", phone: "+45 33 12 34 56", email: "billing@nordlys.example" },
};

const country = fc.constantFrom(...(Object.keys(VAT_NUMBERS) as ReadonlyArray<Country>));
const terms = fc.oneof(
  fc.integer({ min: 50, max: 10_000 }).map(standard),
  fc.constantFrom(standard(2_500), MOMS, REVERSE, EXEMPT, SMALL),
);
const groups = fc.uniqueArray(
  fc.record({
    terms,
    amounts: fc.array(fc.integer({ min: -1e7, max: 1e7 }), { minLength: 1, maxLength: 4 }),
  }),
  {
    minLength: 1,
    maxLength: 4,
    selector: ({ terms: { treatment, label, rateBps } }) => `${treatment} ${label} ${rateBps}`,
  },
);
/** Nothing stands beside what is not subject to VAT (BR-O-11). */
const outside = fc
  .array(fc.integer({ min: -1e7, max: 1e7 }), { minLength: 1, maxLength: 4 })
  .map((amounts) => [{ terms: OUTSIDE, amounts }]);

const references = fc.array(
  fc.record({
    number: fc.constantFrom("HM-2025-000003", "HM-2026-000001"),
    issuedOn: fc.constantFrom("1970-01-01", "2024-02-29", "2025-12-31", "2026-01-01"),
  }),
  { maxLength: 2 },
);

const converted = (code: string, rate: string): TaxCurrency.Conversion => ({
  currency: Currency.Currency.make(code),
  ...{ rate, date: "2026-01-30", source: "Central <bank>" },
});

/** Rates above and below 1, of more and of fewer decimals, one into a currency without decimals. */
export const CONVERSIONS = [
  converted("PLN", "4.2563"),
  converted("SEK", "11.0245"),
  converted("GBP", "0.00525"),
  converted("HUF", "389.1"),
  converted("CLP", "1012"),
];

/** Contents of any treatment, rate, sign, currency and country; those of currencies with three decimals state two. */
export const contents: fc.Arbitrary<EInvoice.Content> = fc
  .record({
    kind: fc.constantFrom("invoice" as const, "credit_note" as const),
    currency: fc.constantFrom("EUR", "DKK", "JPY", "ISK", "KWD", "TND"),
    seller: country,
    buyer: country,
    groups: fc.oneof({ weight: 5, arbitrary: groups }, { weight: 1, arbitrary: outside }),
    references,
    taxNumber: fc.option(fc.constantFrom("151/815/08156", "FN 12 34"), { nil: undefined, freq: 3 }),
    note: fc.option(fc.constantFrom("SIREN 732 829 320", "HRB 1\nBerlin & <Co>"), { nil: undefined }),
    contact: fc.option(fc.constant(CONTACT), { nil: undefined }),
    buyerReference: fc.option(fc.constant("04011000-1234512345-06"), { nil: undefined }),
    buyerNote: fc.option(fc.constantFrom("Registered in England No. 1."), { nil: undefined }),
    taxConversion: fc.option(fc.constantFrom(...CONVERSIONS), { nil: undefined, freq: 2 }),
    cancels: fc.boolean(),
    language: fc.constantFrom(...BillingProfile.LANGUAGES),
    hasAccount: fc.boolean(),
    registers: fc.option(
      fc.constantFrom(["0184:DK12345674", "HRB 1 & <2>"] as const, ["12:34", "0002:732829320"] as const),
      { nil: undefined, freq: 2 },
    ),
  })
  .map((item) => {
    const unit = item.currency === "KWD" || item.currency === "TND" ? 10 : 1;
    const scaled = item.groups.map(({ terms, amounts }) => ({
      terms,
      amounts: amounts.map((amount) => amount * unit),
    }));
    const stated = Object.entries({ ...item, groups: scaled }).filter(([, value]) => value !== undefined);
    return contentOf(Object.fromEntries(stated) as Shape);
  });
