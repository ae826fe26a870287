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

const NUMBER_EFFECT = "Documents that are created from now on are numbered with this prefix.";
const ACCOUNT_EFFECT =
  "Bank files that are created from now on pay from this account, and credit notes ask for payment to it.";

const numbersWords = ({ invoicePrefix, documentNumbers: numbers }: BillingProfile): string =>
  numbers === undefined
    ? (invoicePrefix ?? "")
    : [
        numbers.prefix,
        ...(numbers.year === true ? ["the year"] : []),
        ...(numbers.series === "partner" ? ["the partner"] : []),
        "the count",
      ].join(`, then `);

/** Every field of a company in the order of its form; of none yet all are empty. */
export const companyFacts = (profile: BillingProfile | null): ReadonlyArray<CompanyFact> => {
  const { address, bankAccount } = profile ?? {};
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
    { name: "Legal note on invoices", value: profile?.legalNote ?? "" },
    { name: "IBAN", value: bankAccount?.iban ?? "", effect: ACCOUNT_EFFECT },
    { name: "BIC", value: bankAccount?.bic ?? "" },
    { name: "Holder of the account", value: bankAccount?.beneficiaryName ?? "" },
    { name: "Address for e-invoices", value: profile?.electronicAddress ?? "" },
    { name: "Buyer reference on e-invoices", value: profile?.buyerReference ?? "" },
    { name: "E-invoices", value: E_INVOICES[profile?.eInvoice ?? ""] },
    { name: "Language of documents", value: LANGUAGES[profile?.language ?? "en"] },
    {
      name: "Prefix of document numbers",
      value: profile === null ? "" : numbersWords(profile),
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

/** What the form changes, in the order of the form. */
export const companyChanges = (
  before: BillingProfile | null,
  after: BillingProfile,
): ReadonlyArray<CompanyChange> => {
  const old = companyFacts(before);
  const changes = companyFacts(after).flatMap((fact, index): ReadonlyArray<CompanyChange> => {
    const was = old[index];
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

/** The company that the form states, without its logo; what the form does not have stays as it is stored. */
export const statedCompany = (fields: FormData, profile: BillingProfile | null): BillingProfile => {
  const { documentNumbers, logo } = profile ?? {};
  return {
    ...{ legalName: text(fields, "legalName"), vatNumber: text(fields, "vatNumber") },
    ...chosenOf(fields, "vatNumberType", "vat", profile),
    address: addressOf(fields),
    ...optional(fields, "legalNote", "electronicAddress", "buyerReference", "invoicePrefix"),
    ...optional(fields, "accentColor", "backgroundColor"),
    ...accountOf(fields),
    ...chosenOf(fields, "language", "en", profile),
    ...chosenOf(fields, "eInvoice", "", profile),
    ...(documentNumbers === undefined ? {} : { documentNumbers }),
    ...(logo === undefined || fields.has("removeLogo") ? {} : { logo }),
  };
};

/** The chosen file of a form; null without one. */
const logoFile = (fields: FormData): File | null => {
  const file = fields.get("logo");
  return file instanceof File && file.size > 0 ? file : null;
};

/** The company as it is typed so far, for what is shown of it: a chosen logo is not read yet. */
export const typedCompany = (fields: FormData, profile: BillingProfile | null): BillingProfile => {
  const stated = statedCompany(fields, profile);
  const file = logoFile(fields);
  return file === null ? stated : { ...stated, logo: file.name };
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
