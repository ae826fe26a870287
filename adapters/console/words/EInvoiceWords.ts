/** Why a document has no e-invoice of a format, in words for the team or the partner, and where the data that it lacks is stated. */
import { type Text, t } from "./Language.ts";

/** A rule that is not met. */
export interface EInvoiceReason {
  readonly text: string;
  /** Whose page has the data; null where it is no data of a page, or its reader has no such page. */
  readonly at: "partner" | "company" | null;
}

/** A rule with the field that breaks it, as the server states it. */
interface Problem {
  readonly rule: string;
  readonly field: string;
  readonly message: string;
}

/** What the reasons are for one kind of reader. */
export interface EInvoiceReader {
  readonly ofRule: (problem: Problem) => EInvoiceReason;
  /** Of a document that has no e-invoice for another reason than a rule. */
  readonly ofDocument: (message: string) => EInvoiceReason;
}

const PARTNER = "partner.self_billing_data.";
const COMPANY = "billing_profile.";

const NAMES: Readonly<Record<string, Text>> = {
  vat_number: "VAT number",
  vat_number_type: "Kind of VAT number",
  electronic_address: "Address for e-invoices",
  contact: "Contact for questions about invoices",
  "contact.name": "Name of the contact",
  "contact.phone": "Telephone of the contact",
  legal_name: "Legal name",
  "address.street": "Street",
  "address.city": "City",
  "address.region": "Region",
  "address.postal_code": "Postal code",
  "tax_config.rate_bps": "Rate of tax",
  "tax_config.label": "Name of the tax",
  buyer_reference: "Buyer reference",
  "bank_account.beneficiary_name": "Holder of the account",
  "bank_account.iban": "IBAN",
  "bank_account.bic": "BIC",
};

/** The name of a field behind its owner, and whose it is; null for a field of neither. */
const ownedField = (field: string): { readonly name: string; readonly at: "partner" | "company" } | null => {
  const at = field.startsWith(PARTNER) ? "partner" : field.startsWith(COMPANY) ? "company" : null;
  if (at === null) return null;
  const path = field.slice((at === "partner" ? PARTNER : COMPANY).length);
  const name = NAMES[path];
  return { name: name === undefined ? path.replace(/[_.]/g, " ") : t(name), at };
};

const capital = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

/** In the middle of an English sentence; abbreviations stay as they are. */
const inSentence = (name: string): string =>
  /^[A-Z]{2}/.test(name) ? name : `${name.charAt(0).toLowerCase()}${name.slice(1)}`;

export const TEAM_E_INVOICES: EInvoiceReader = {
  ofRule: ({ rule, field, message }) => {
    const owned = ownedField(field);
    const end = `${message} (rule ${rule}).`;
    if (owned === null)
      return { text: /^(must|correct) /.test(message) ? `The lines ${end}` : capital(end), at: null };
    const whose = owned.at === "partner" ? "The partner's" : "Your company's";
    return { text: `${whose} ${inSentence(owned.name)} ${end}`, at: owned.at };
  },
  ofDocument: (message) => ({ text: `${capital(message)}.`, at: null }),
};

/** What is wrong with data of the partner or of the company; the server's own sentences are English, and for the team. */
const WRONG: Readonly<Record<"partner" | "company", Readonly<Record<"missing" | "wrong", Text>>>> = {
  partner: {
    missing:
      "{name}: we do not have yours, which rule {rule} requires. Tell us, and your next documents state it.",
    wrong:
      "{name}: what we have of yours is not as rule {rule} requires. Tell us what is right, and your next documents state it.",
  },
  company: {
    missing:
      "{name}: we have not stated ours, which rule {rule} requires. Ask us for it, and your next documents state it.",
    wrong:
      "{name}: what we have stated of ours is not as rule {rule} requires. Ask us to change it, and your next documents state it.",
  },
};

export const PAYEE_E_INVOICES: EInvoiceReader = {
  ofRule: ({ rule, field, message }) => {
    const owned = ownedField(field);
    if (owned === null)
      return {
        text: t("The amounts of this document do not fit into an e-invoice (rule {rule}).", { rule }),
        at: null,
      };
    const kind = message.startsWith("is required") ? "missing" : "wrong";
    return { text: t(WRONG[owned.at][kind], { name: owned.name, rule }), at: null };
  },
  ofDocument: () => ({ text: t("It was issued before we made e-invoices, or elsewhere."), at: null }),
};

/**
 * The reasons of a refusal, from its message: `BR-DE-2: partner.self_billing_data.contact is required; …`. A message of another
 * form is one reason.
 */
export const eInvoiceReasons = (reader: EInvoiceReader, message: string): ReadonlyArray<EInvoiceReason> =>
  message
    .replace(/^e_invoice_unavailable: */, "")
    .split(/; (?=[A-Z][\w.-]*: )/)
    .map((part) => {
      const [, rule, field, said] = /^([A-Z][\w.-]*): ([\w.]+) ([\s\S]+)$/.exec(part) ?? [];
      return rule === undefined || field === undefined || said === undefined
        ? reader.ofDocument(part)
        : reader.ofRule({ rule, field, message: said });
    });
