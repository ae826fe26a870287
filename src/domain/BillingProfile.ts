/** A customer's own legal data: the buyer on the invoices that the service issues in the partners' names. */
import { Either, Schema } from "effect";
import { DocumentNumbers } from "./DocumentNumber.ts";
import { addressOf, parse } from "./ElectronicAddress.ts";
import { Email } from "./Email.ts";
import { type Actor, type Entry, type ShownActor, shownActor } from "./Event.ts";
import { optional, optionalKey, wireName } from "./Field.ts";
import { fingerprint } from "./Fingerprint.ts";
import { accountProblem } from "./Iban.ts";
import type { CustomerId } from "./Ids.ts";
import { sameJson } from "./Json.ts";
import { CONTRAST_MIN, EXCHANGE_RATES_MAX, LEGAL_TEXT_MAX } from "./Limits.ts";
import { Logo } from "./Logo.ts";
import { type MaskedAccount, maskAccount } from "./MaskedAccount.ts";
import { BankAccount, ELECTRONIC_ADDRESS, LEGAL_NOTE, LegalNote, PARTY_FIELDS } from "./Partner.ts";
import { ExchangeRate, ratesProblem, TaxCurrency } from "./TaxCurrency.ts";
import { Text } from "./Text.ts";
import { prefixProblem, type Registration, vatNumberOf } from "./VatNumber.ts";

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
const contrast = (left: string, right: string): number => {
  const [dark = 0, light = 0] = [luminance(left), luminance(right)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
};

/** A colour that can be read next to another one, which the message names. */
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

/** The account from which the customer pays; unlike a partner's, it is checked when it is written. */
const OwnAccount = BankAccount.pipe(
  Schema.filter((account) => accountProblem(account) ?? true, {
    // Random letters have no check digits.
    arbitrary: () => (fc) =>
      fc.constant({ beneficiaryName: "Shop", iban: "DE02120300000000202051", bic: "BYLADEM1001" }),
  }),
);

/** The problem of a profile that keeps every e-invoice from being valid, or null. */
const eInvoiceProblem = (
  party: Registration & { readonly electronicAddress?: string },
): { readonly field: string; readonly rule: string; readonly message: string } | null => {
  const number = prefixProblem(vatNumberOf(party));
  if (number !== null) return { field: "vat_number", ...number };
  const address = addressOf(party);
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
  ...PARTY_FIELDS,
  electronicAddress: optionalKey(Text(1, LEGAL_TEXT_MAX), "electronic_address", ELECTRONIC_ADDRESS),
  legalNote: optionalKey(LegalNote, "legal_note", LEGAL_NOTE),
  buyerReference: optionalKey(
    Text(1, LEGAL_TEXT_MAX),
    "buyer_reference",
    "The reference that e-invoices state of the buyer (BT-10), such as a Leitweg-ID; by default the id of the settlement.",
  ),
  noticeEmail: optionalKey(
    Email,
    "notice_email",
    "Where mail to the customer goes: that a partner has proposed a payout account. None is sent without it.",
  ),
  invoicePrefix: optionalKey(
    Text(1, 32),
    "invoice_prefix",
    "The beginning of document numbers, before the kind and the count. Excludes document_numbers.",
  ),
  bankAccount: optionalKey(
    OwnAccount,
    "bank_account",
    "The customer's account: payment files pay from it, and credit notes ask for payment to it.",
  ),
  taxCurrency: optionalKey(
    TaxCurrency,
    "tax_currency",
    "The national currency: self-billed documents with VAT in another currency also state their VAT in it (BT-6, BT-111).",
  ),
  exchangeRates: optionalKey(
    Schema.Array(ExchangeRate).pipe(Schema.maxItems(EXCHANGE_RATES_MAX)),
    "exchange_rates",
    "The rates for VAT in tax_currency. A document takes the latest of its currency that is dated at most 31 days before its approval; without one the approval is refused.",
  ),
  language: optional(Language, "The language of documents; en by default."),
  accentColor: optionalKey(
    Color("#ffffff", "white", ["#0b5394", "#4A148C"]),
    "accent_color",
    "The colour of titles and lines on documents, #rrggbb; its contrast on white is at least 4.5.",
  ),
  backgroundColor: optionalKey(
    Color(INK, "dark text", ["#f5f5f5", "#FFF8E1"]),
    "background_color",
    "The background of key facts on documents, #rrggbb; its contrast to dark text is at least 4.5.",
  ),
  logo: optional(Logo, "The logo of documents, in base64."),
  documentNumbers: optionalKey(
    DocumentNumbers,
    "document_numbers",
    "How the numbers of reports, invoices and credit notes are formed. Excludes invoice_prefix.",
  ),
  eInvoice: optionalKey(
    Schema.Literal("required", "optional"),
    "e_invoice",
    "required: a settlement is approved only if its e-invoice is valid. optional: it is approved anyway. By default required when electronic_address has a scheme.",
  ),
}).pipe(
  Schema.filter((profile) => {
    const problem = profile.eInvoice === "required" ? eInvoiceProblem(profile) : null;
    return problem === null || { path: [problem.field], message: `${problem.rule}: ${problem.message}` };
  }),
  Schema.filter((profile) => ratesProblem(profile) ?? true),
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

/** What the events contain of a profile: its data are overwritten in place, and the log has their fingerprint. */
export type View = Readonly<Record<never, never>>;

/** What can happen to a profile. */
export interface ProfileEvent {
  readonly type: "write_billing_profile";
  readonly actor: ShownActor;
  /** The fields that have changed, by their wire names. */
  readonly fields: ReadonlyArray<string>;
  /** The account of the profile where it has changed; null when it has none any more. */
  readonly bank_account?: MaskedAccount | null;
  readonly stored: { readonly sha256: string };
}

/** The state after one more entry. */
export const evolve = (_state: View | null, _entry: Entry<ProfileEvent>): View => ({});

/** What the last event of a profile's log says of it. */
export const fingerprintOf = (profile: Write): string => fingerprint(profile);

/** The fields in which two profiles differ, in alphabetical order. */
const changedFields = (before: Write | null, after: Write): ReadonlyArray<string> => {
  const [old, present]: ReadonlyArray<Readonly<Record<string, unknown>>> = [{ ...before }, { ...after }];
  return [...new Set([...Object.keys(old ?? {}), ...Object.keys(present ?? {})])]
    .filter((field) => !sameJson(old?.[field], present?.[field]))
    .sort();
};

/** The events of a written profile; none when it is as it was. */
export const write = (before: Write | null, profile: Write, by: Actor): ReadonlyArray<ProfileEvent> => {
  const fields = changedFields(before, profile);
  if (fields.length === 0) return [];
  return [
    {
      type: "write_billing_profile",
      actor: shownActor(by),
      fields: fields.map(wireName),
      ...(fields.includes("bankAccount") ? { bank_account: maskAccount(profile.bankAccount ?? null) } : {}),
      stored: { sha256: fingerprintOf(profile) },
    },
  ];
};

/** What was written of a stored profile. */
export const writtenOf = <Version>({
  customerId: _,
  version: __,
  lastAt: ___,
  ...written
}: BillingProfile & { readonly version: Version; readonly lastAt: Version }): Write => written;

/**
 * True if only settlements with a valid e-invoice are approved: as stated, else when the profile has an electronic address,
 * which only e-invoices need.
 */
export const requiresEInvoice = ({ eInvoice, electronicAddress }: Write): boolean =>
  eInvoice === undefined
    ? electronicAddress !== undefined && Either.isRight(parse(electronicAddress))
    : eInvoice === "required";
