/** A customer's own legal data: the buyer on the invoices that the service issues in the partners' names. */
import { Either, Schema } from "effect";
import { documentNumbers } from "./DocumentNumber.ts";
import { fromVatNumber, parse } from "./ElectronicAddress.ts";
import { key } from "./Field.ts";
import { accountProblem } from "./Iban.ts";
import type { CustomerId } from "./Ids.ts";
import { CONTRAST_MIN, LEGAL_TEXT_MAX, VAT_NUMBER_MAX } from "./Limits.ts";
import { Logo } from "./Logo.ts";
import { Address, BankAccount } from "./Partner.ts";
import { Text } from "./Text.ts";
import { compact, prefixProblem } from "./VatNumber.ts";

/** The languages of documents. */
export const LANGUAGES = ["en", "de", "fr", "es"] as const;
const Language = Schema.Literal(...LANGUAGES);
export type Language = typeof Language.Type;

/** The colour of text in documents. */
export const INK = "#1b2430";

/** How bright a colour appears, from 0 to 1 (relative luminance of WCAG 2.2). */
const luminance = (color: string): number => {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((start) => {
    const part = Number.parseInt(color.slice(start, start + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
};

/** The contrast ratio of two colours, from 1 to 21. */
const contrast = (one: string, other: string): number => {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
};

/** A colour that can be read beside another one, which the message names. */
const Color = (beside: string, name: string, examples: ReadonlyArray<string>) =>
  Schema.String.pipe(
    Schema.filter(
      (text) =>
        !/^#[0-9a-f]{6}$/i.test(text)
          ? "must be a colour such as #1b2430"
          : contrast(text, beside) >= CONTRAST_MIN ||
            `must have a contrast of at least ${CONTRAST_MIN} to ${name}`,
      {
        jsonSchema: { pattern: "^#[0-9a-fA-F]{6}$" },
        arbitrary: () => (fc) => fc.constantFrom(...examples),
      },
    ),
  );

const optional = <A, I>(schema: Schema.Schema<A, I>) => Schema.optionalWith(schema, { exact: true });

/** The account from which the customer pays; unlike a partner's, it is checked when it is written. */
const OwnAccount = BankAccount.pipe(
  Schema.filter((account) => accountProblem(account) ?? true, {
    // Random letters have no check digits.
    arbitrary: () => (fc) =>
      fc.constant({ beneficiaryName: "Shop", iban: "DE02120300000000202051", bic: "BYLADEM1001" }),
  }),
);

/** What of a profile keeps every e-invoice from being valid, or null. */
const eInvoiceProblem = ({
  vatNumber,
  electronicAddress,
}: {
  readonly vatNumber: string;
  readonly electronicAddress?: string;
}): { readonly field: string; readonly rule: string; readonly message: string } | null => {
  const number = prefixProblem(compact(vatNumber));
  if (number !== null) return { field: "vat_number", ...number };
  const address = electronicAddress ?? fromVatNumber(vatNumber);
  if (address === null)
    return {
      field: "electronic_address",
      rule: "PEPPOL-EN16931-R010",
      message: "is required for e-invoices",
    };
  return Either.match(parse(address), {
    onLeft: (problem) => ({ field: "electronic_address", ...problem }),
    onRight: () => null,
  });
};

/** What writing a billing profile takes; it replaces the whole profile. */
export const Write = Schema.Struct({
  legalName: key(Text(1, LEGAL_TEXT_MAX), "legal_name"),
  address: Address,
  vatNumber: key(Text(1, VAT_NUMBER_MAX), "vat_number"),
  electronicAddress: Schema.optionalWith(Text(1, LEGAL_TEXT_MAX), { exact: true }).pipe(
    Schema.fromKey("electronic_address"),
  ),
  invoicePrefix: Schema.optionalWith(Text(1, 32), { exact: true }).pipe(Schema.fromKey("invoice_prefix")),
  bankAccount: Schema.optionalWith(OwnAccount, { exact: true }).pipe(Schema.fromKey("bank_account")),
  language: optional(Language),
  /** Of titles and lines. */
  accentColor: optional(Color("#ffffff", "white", ["#0b5394", "#4A148C"])).pipe(
    Schema.fromKey("accent_color"),
  ),
  /** Behind key facts. */
  backgroundColor: optional(Color(INK, "dark text", ["#f5f5f5", "#FFF8E1"])).pipe(
    Schema.fromKey("background_color"),
  ),
  logo: optional(Logo),
  documentNumbers,
  /** Whether a settlement that cannot have a valid e-invoice may be approved. */
  eInvoice: optional(Schema.Literal("required", "optional")).pipe(Schema.fromKey("e_invoice")),
}).pipe(
  Schema.filter((profile) => {
    const problem = profile.eInvoice === "required" ? eInvoiceProblem(profile) : null;
    return problem === null || { path: [problem.field], message: `${problem.rule}: ${problem.message}` };
  }),
  Schema.filter(
    ({ invoicePrefix, documentNumbers: numbers }) =>
      invoicePrefix === undefined ||
      numbers === undefined || {
        path: ["invoice_prefix"],
        message: "must be absent when document_numbers is present, which has a prefix of its own",
      },
  ),
);
export type Write = typeof Write.Type;

/** The profile as stored. */
export interface BillingProfile extends Write {
  readonly customerId: CustomerId;
}

/**
 * Whether only settlements with a valid e-invoice are approved: as stated, else when the profile has an electronic address,
 * which only e-invoices need.
 */
export const requiresEInvoice = ({ eInvoice, electronicAddress }: Write): boolean =>
  eInvoice === undefined
    ? electronicAddress !== undefined && Either.isRight(parse(electronicAddress))
    : eInvoice === "required";
