/** Why a document has no e-invoice of a format, in words, and where the data that it lacks is stated. */

/** A rule that is not met. */
export interface EInvoiceReason {
  readonly text: string;
  /** Whose page has the data; null where it is no data of a page. */
  readonly at: "partner" | "company" | null;
}

const OWNERS = [
  ["partner.self_billing_data.", "partner", "The partner's"],
  ["billing_profile.", "company", "Your company's"],
] as const;

const NAMES: Readonly<Record<string, string>> = {
  vat_number: "VAT number",
  vat_number_type: "kind of VAT number",
  electronic_address: "address for e-invoices",
  contact: "contact for questions about invoices",
  "contact.name": "name of the contact",
  "contact.phone": "telephone of the contact",
  "tax_config.rate_bps": "rate of tax",
  "tax_config.label": "name of the tax",
  buyer_reference: "buyer reference",
  "bank_account.beneficiary_name": "holder of the account",
  "bank_account.iban": "IBAN",
  "bank_account.bic": "BIC",
};

const nameOf = (field: string): string =>
  NAMES[field] ?? field.replace("address.", "").replaceAll("_", " ").replaceAll(".", " ");

const capital = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

/** The reason that a rule is. */
export const eInvoiceReason = ({
  rule,
  field,
  message,
}: {
  readonly rule: string;
  readonly field: string;
  readonly message: string;
}): EInvoiceReason => {
  const owner = OWNERS.find(([prefix]) => field.startsWith(prefix));
  const end = `${message} (rule ${rule}).`;
  if (owner !== undefined) {
    const [prefix, at, whose] = owner;
    return { text: `${whose} ${nameOf(field.slice(prefix.length))} ${end}`, at };
  }
  return { text: /^(must|correct) /.test(message) ? `The lines ${end}` : capital(end), at: null };
};

/**
 * The reasons of a refusal, from its message: `BR-DE-2: partner.self_billing_data.contact is required; …`. A message of another
 * form is one reason.
 */
export const eInvoiceReasons = (message: string): ReadonlyArray<EInvoiceReason> =>
  message
    .replace(/^e_invoice_unavailable: */, "")
    .split(/; (?=[A-Z][\w.-]*: )/)
    .map((part) => {
      const [, rule, field, said] = /^([A-Z][\w.-]*): ([\w.]+) ([\s\S]+)$/.exec(part) ?? [];
      return rule === undefined || field === undefined || said === undefined
        ? { text: `${capital(part)}.`, at: null }
        : eInvoiceReason({ rule, field, message: said });
    });
