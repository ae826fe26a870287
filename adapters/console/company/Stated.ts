/** What the form of the company states, and how it differs from what is stored. */
import type { BillingProfile, WriteBillingProfile } from "quittance/client";
import { FormProblem } from "../api/Refusal.ts";
import { countries } from "../format/Countries.ts";
import { addressOf } from "../partners/Stated.ts";
import { optional, text } from "../parts/Forms.tsx";

/** The languages of documents. */
export const LANGUAGES = { en: "English", de: "German", fr: "French", es: "Spanish" } as const;

/** What an approval requires of e-invoices; nothing where that follows from the address for them. */
export const E_INVOICES = {
  "": "Required if the address for e-invoices has a scheme",
  required: "Required: nothing is approved without a valid one",
  optional: "Not required",
} as const;

/** A field as the page of the company shows it. */
export interface CompanyFact {
  readonly name: string;
  /** Empty where nothing is stated. */
  readonly value: string;
  /** What follows where it changes. */
  readonly effect?: string;
}

const NUMBER_EFFECT = "Documents that are created from now on are numbered like this.";
const ACCOUNT_EFFECT =
  "Bank files that are created from now on pay from this account, and credit notes ask for payment to it.";

const CURRENCY_EFFECT =
  "From now on settlements with VAT in another currency are approved only where a rate of their day is stated.";

const numbersWords = ({ invoicePrefix, documentNumbers: numbers }: BillingProfile): string =>
  numbers === undefined
    ? (invoicePrefix ?? "")
    : [
        numbers.prefix,
        ...(numbers.year === true ? ["the year"] : []),
        ...(numbers.series === "partner" ? ["the partner"] : []),
        "the count",
      ].join(`, then `);

type Rate = NonNullable<BillingProfile["exchangeRates"]>[number];

/** A rate as the form shows it, on one line. */
const rateLine = ({ currency, date, rate, source }: Rate): string =>
  `${currency} ${date} ${rate} ${source}`.replaceAll(/\s+/g, " ").trim();

/** The rates of a company as the form shows them. */
export const rateLines = (profile: BillingProfile | null): ReadonlyArray<string> =>
  (profile?.exchangeRates ?? []).map(rateLine);

const RATES = "Rates for VAT";

const ratesWords = (profile: BillingProfile | null): string => {
  const lines = rateLines(profile);
  return lines.length < 2 ? lines.join("") : `${lines.length}, the last one ${lines.at(-1)}`;
};

/** Every field of a company in the order of its form; of none yet all are empty. */
export const companyFacts = (profile: BillingProfile | null): ReadonlyArray<CompanyFact> => {
  const { address, bankAccount, noticeEmail = "" } = profile ?? {};
  const country = address?.country ?? "";
  return [
    { name: "Legal name", value: profile?.legalName ?? "" },
    { name: "Street and number", value: address?.street ?? "" },
    { name: "Postal code", value: address?.postalCode ?? "" },
    { name: "City", value: address?.city ?? "" },
    { name: "Region", value: address?.region ?? "" },
    { name: "Country", value: countries().find(([code]) => code === country)?.[1] ?? country },
    {
      name: "VAT number",
      value: `${profile?.vatNumber ?? ""}${profile?.vatNumberType === "tax" ? ", a tax number" : ""}`,
    },
    { name: "Number in a public register", value: profile?.registrationNumber ?? "" },
    { name: "Legal note on invoices", value: profile?.legalNote ?? "" },
    { name: "IBAN", value: bankAccount?.iban ?? "", effect: ACCOUNT_EFFECT },
    { name: "BIC", value: bankAccount?.bic ?? "" },
    { name: "Holder of the account", value: bankAccount?.beneficiaryName ?? "" },
    { name: "National currency of VAT", value: profile?.taxCurrency ?? "", effect: CURRENCY_EFFECT },
    { name: RATES, value: ratesWords(profile) },
    { name: "Address for e-invoices", value: profile?.electronicAddress ?? "" },
    { name: "Buyer reference on e-invoices", value: profile?.buyerReference ?? "" },
    { name: "E-invoices", value: E_INVOICES[profile?.eInvoice ?? ""] },
    { name: "E-mail for notices", value: noticeEmail },
    { name: "Language of documents", value: LANGUAGES[profile?.language ?? "en"] },
    {
      name: "Prefix of document numbers",
      value: profile === null ? "" : numbersWords(profile),
      effect: NUMBER_EFFECT,
    },
    {
      name: "Prefix of corrections",
      value: profile?.documentNumbers?.correctionPrefix ?? "",
      effect: NUMBER_EFFECT,
    },
    { name: "Colour of titles and lines", value: profile?.accentColor ?? "" },
    { name: "Background of key facts", value: profile?.backgroundColor ?? "" },
    { name: "Logo", value: profile?.logo === undefined ? "" : "A picture" },
  ];
};

/** A field that differs. */
export interface CompanyChange extends CompanyFact {
  readonly before: string;
}

/** The rates that differ; none where all are the same. */
const rateChanges = (before: BillingProfile | null, after: BillingProfile): ReadonlyArray<CompanyChange> => {
  const [old, now] = [rateLines(before), rateLines(after)];
  const gone = old.filter((line) => !now.includes(line)).join("; ");
  const added = now.filter((line) => !old.includes(line)).join("; ");
  return `${gone}${added}` === "" ? [] : [{ name: RATES, before: gone, value: added }];
};

/** What the form changes, in the order of the form. */
export const companyChanges = (
  before: BillingProfile | null,
  after: BillingProfile,
): ReadonlyArray<CompanyChange> => {
  const old = companyFacts(before);
  const changes = companyFacts(after).flatMap((fact, index): ReadonlyArray<CompanyChange> => {
    const was = old[index];
    if (fact.name === RATES) return rateChanges(before, after);
    return was === undefined || was.value === fact.value ? [] : [{ ...fact, before: was.value }];
  });
  const isOtherLogo = before?.logo !== undefined && after.logo !== undefined && before.logo !== after.logo;
  return isOtherLogo
    ? [...changes, { name: "Logo", before: "A picture", value: "Another picture" }]
    : changes;
};

/** A chosen value of a field that has a default; nothing where neither the choice nor the profile states it. */
const chosenOf = <Name extends "language" | "eInvoice" | "vatNumberType">(
  fields: FormData,
  name: Name,
  normal: string,
  profile: BillingProfile | null,
): Pick<BillingProfile, Name> => {
  const chosen = text(fields, name);
  const value = chosen === (profile?.[name] ?? normal) ? profile?.[name] : chosen;
  return (value === undefined || value === "" ? {} : { [name]: value }) as Pick<BillingProfile, Name>;
};

const accountOf = (fields: FormData): Pick<BillingProfile, "bankAccount"> => {
  const [iban, bic, holder] = ["iban", "bic", "beneficiaryName"].map((name) => text(fields, name));
  return `${iban}${bic}${holder}` === ""
    ? {}
    : {
        bankAccount: {
          ...{ beneficiaryName: holder || text(fields, "legalName") },
          // People write both in groups.
          ...{ iban: (iban ?? "").replaceAll(" ", ""), bic: (bic ?? "").replaceAll(" ", "") },
        },
      };
};

const RATE = /^(\S+)\s+(\S+)\s+(\S+)\s+(\S.*)$/;

/** The rates that are typed, one on each line; throws where a line is none. One that is shown as it is stored stays so. */
const ratesOf = (fields: FormData, profile: BillingProfile | null): Pick<BillingProfile, "exchangeRates"> => {
  const stored = new Map((profile?.exchangeRates ?? []).map((rate) => [rateLine(rate), rate]));
  const lines = text(fields, "exchangeRates")
    .split("\n")
    .map((line) => line.trim());
  const rates = lines.flatMap((line, index): ReadonlyArray<Rate> => {
    if (line === "") return [];
    const known = stored.get(line);
    if (known !== undefined) return [known];
    const [, currency, date, rate, source] = RATE.exec(line) ?? [];
    if (currency === undefined || date === undefined || rate === undefined || source === undefined)
      throw new FormProblem(
        `Line ${index + 1} of the rates must be a currency, a date, a rate and its source, such as EUR 2026-02-02 7.4604 Central bank.`,
      );
    return [{ currency: currency.toUpperCase(), date, rate, source }];
  });
  return rates.length === 0 && profile?.exchangeRates === undefined ? {} : { exchangeRates: rates };
};

/** How documents are numbered: a prefix of corrections is stated beside the whole form of numbers, and not beside a prefix alone. */
const numbersOf = (
  fields: FormData,
  profile: BillingProfile | null,
): Pick<BillingProfile, "invoicePrefix" | "documentNumbers"> => {
  const numbers = profile?.documentNumbers;
  const { correctionPrefix: _, ...others } = numbers ?? {};
  const corrections = optional(fields, "correctionPrefix");
  return numbers === undefined && corrections.correctionPrefix === undefined
    ? optional(fields, "invoicePrefix")
    : { documentNumbers: { ...others, prefix: text(fields, "invoicePrefix"), ...corrections } };
};

/** The company that the form states, without its logo. */
export const statedCompany = (fields: FormData, profile: BillingProfile | null): BillingProfile => {
  const { logo } = profile ?? {};
  const taxCurrency = text(fields, "taxCurrency").toUpperCase();
  return {
    ...{ legalName: text(fields, "legalName"), vatNumber: text(fields, "vatNumber") },
    ...chosenOf(fields, "vatNumberType", "vat", profile),
    address: addressOf(fields),
    ...optional(fields, "registrationNumber", "legalNote", "electronicAddress", "buyerReference"),
    ...optional(fields, "noticeEmail"),
    ...optional(fields, "accentColor", "backgroundColor"),
    ...accountOf(fields),
    ...(taxCurrency === "" ? {} : { taxCurrency }),
    ...ratesOf(fields, profile),
    ...chosenOf(fields, "language", "en", profile),
    ...chosenOf(fields, "eInvoice", "", profile),
    ...numbersOf(fields, profile),
    ...(logo === undefined || fields.has("removeLogo") ? {} : { logo }),
  };
};

/** The chosen file of a form; null without one. */
const logoFile = (fields: FormData): File | null => {
  const file = fields.get("logo");
  return file instanceof File && file.size > 0 ? file : null;
};

/** The company as it is typed so far, for what is shown of it: a chosen logo is not read yet. Null while a line is not complete. */
export const typedCompany = (fields: FormData, profile: BillingProfile | null): BillingProfile | null => {
  const file = logoFile(fields);
  try {
    const stated = statedCompany(fields, profile);
    return file === null ? stated : { ...stated, logo: file.name };
  } catch {
    return null;
  }
};

const base64 = (bytes: Uint8Array): string =>
  btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));

/** A JSON text that is the same for equal values, whatever the order of their fields. */
const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === "object" && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );

/**
 * The whole company that is to be written. Throws where the form changes nothing, or would undo what somebody else has stored
 * since the form was opened: writing replaces every field.
 */
export const companyToWrite = async (
  fields: FormData,
  opened: BillingProfile | null,
  readStored: () => Promise<BillingProfile>,
): Promise<WriteBillingProfile> => {
  const file = logoFile(fields);
  const stated = statedCompany(fields, opened);
  const written =
    file === null ? stated : { ...stated, logo: base64(new Uint8Array(await file.arrayBuffer())) };
  if (opened === null) return written;
  if (canonical(written) === canonical(opened)) throw new FormProblem("Nothing is changed.");
  const stored = canonical(await readStored());
  // A request that is sent again may find what it has stored itself.
  if (stored !== canonical(opened) && stored !== canonical(written))
    throw new FormProblem(
      "Somebody else has changed the company since you opened this form. Go back, and look at what is stored now.",
    );
  return written;
};
