/**
 * The rules of EN 16931 and Peppol BIS Self-Billing 3.0 that the data of a partner, a customer or a settlement can break.
 * The writer keeps the others by its construction.
 */
import { Either } from "effect";
import { decimals, UNLISTED_CURRENCIES } from "../domain/Currency.ts";
import type { EInvoiceProblem } from "../domain/Document.ts";
import { divideHalfAwayFromZero } from "../domain/Money.ts";
import { prefixProblem } from "../domain/VatNumber.ts";
import { absolute } from "../formula/Rational.ts";
import type { Category, EInvoice, Party } from "./EInvoice.ts";
import { isWritable } from "./Xml.ts";

const problem = (rule: string, field: string, message: string): EInvoiceProblem => ({ rule, field, message });

type Problems = ReadonlyArray<EInvoiceProblem>;

/** Where the data of each party is written, and which rule requires its electronic address. */
const ROLES = {
  seller: { field: "partner.self_billing_data", addressRule: "PEPPOL-EN16931-R020" },
  buyer: { field: "billing_profile", addressRule: "PEPPOL-EN16931-R010" },
} as const;

const texts = ({
  legalName,
  address,
  contact,
}: Party): ReadonlyArray<readonly [field: string, text: string]> => [
  ["legal_name", legalName],
  ["address.street", address.street],
  ["address.city", address.city],
  ["address.region", address.region],
  ["address.postal_code", address.postalCode],
  ["contact.name", contact?.name ?? ""],
  ["contact.phone", contact?.phone ?? ""],
];

/** What keeps a text from being written; the rule is the section of XML 1.0. */
const textProblems = (fields: ReadonlyArray<readonly [field: string, text: string]>): Problems =>
  fields.flatMap(([field, text]) =>
    isWritable(text) ? [] : [problem("XML-2.2", field, "must not contain control characters")],
  );

const partyProblems = (role: keyof typeof ROLES, party: Party): Problems => {
  const { field, addressRule } = ROLES[role];
  const { endpoint, vatNumber } = party;
  const number = prefixProblem(vatNumber);
  const address = `${field}.electronic_address`;
  const unknown = "is required, because no electronic address follows from the vat_number";
  const stated =
    endpoint === null
      ? [problem(addressRule, address, unknown)]
      : Either.match(endpoint, {
          onLeft: ({ rule, message }) => [problem(rule, address, message)],
          onRight: () => [],
        });
  return [
    ...textProblems(texts(party).map(([name, text]) => [`${field}.${name}`, text])),
    ...(number === null ? [] : [problem(number.rule, `${field}.vat_number`, number.message)]),
    ...stated,
  ];
};

const HUNDREDTHS = 2;

const currencyProblems = ({ currency, lines, subtotals }: EInvoice): Problems => {
  if (UNLISTED_CURRENCIES.has(currency))
    return [problem("BR-CL-04", "settlement.currency", `${currency} is not in the code list of the rules`)];
  const extra = decimals(currency) - HUNDREDTHS;
  if (extra <= 0) return [];
  const unit = 10n ** BigInt(extra);
  const message = `an e-invoice states amounts with two decimals, and this one has more in ${currency}`;
  const check = (rule: string, amounts: ReadonlyArray<bigint>): Problems =>
    amounts.some((amount) => amount % unit !== 0n) ? [problem(rule, "settlement.currency", message)] : [];
  return [
    ...check(
      "BR-DEC-23",
      lines.map(({ amount }) => amount),
    ),
    ...check(
      "BR-DEC-20",
      subtotals.map(({ tax }) => tax),
    ),
  ];
};

/** Rates below this, in basis points, are rounded to 0 % by BR-CO-17, which then requires less than half a unit of tax. */
const SMALLEST_RATE_BPS = 50;

/** Rules on what a document states together with a category. */
const categoryProblems = ({ subtotals, buyer }: EInvoice): Problems => {
  const has = (category: Category): boolean => subtotals.some((subtotal) => subtotal.category === category);
  return [
    ...(has("O") && subtotals.length > 1
      ? [
          problem(
            "BR-O-11",
            "settlement.lines",
            "must not have lines under outside_scope beside lines under another treatment; settle them apart",
          ),
        ]
      : []),
    ...(has("AE") && buyer.vatNumber === null && !has("O")
      ? [
          problem(
            "BR-AE-02",
            "billing_profile.vat_number_type",
            "must be vat, because reverse_charge needs the VAT number of the buyer",
          ),
        ]
      : []),
  ];
};

const taxProblems = ({ currency, subtotals }: EInvoice): Problems => {
  const rate = "partner.self_billing_data.tax_config.rate_bps";
  const unit = 10n ** BigInt(decimals(currency));
  return subtotals.flatMap(({ category, rateBps, taxable, tax }) => {
    if (category !== "S") return [];
    if (rateBps === 0) {
      const message =
        "must be above 0 for standard; use exempt, reverse_charge or outside_scope where no tax is charged";
      return [problem("BR-S-05", rate, message)];
    }
    if (rateBps < SMALLEST_RATE_BPS && 2n * absolute(tax) >= unit)
      return [
        problem("BR-CO-17", rate, "must be at least 50 basis points, because the rule rounds it to 0 %"),
      ];
    // In hundredths of a unit, as the rule compares them.
    const exact = divideHalfAwayFromZero(absolute(taxable) * BigInt(rateBps) * 100n, 10_000n * unit);
    const stated = (absolute(tax) * 100n) / unit;
    if (absolute(stated - exact) < 100n) return [];
    const message = `the tax at ${rateBps} basis points differs by 1 ${currency} or more from the rate, because the settlement corrects several invoices`;
    return [problem("BR-CO-17", "settlement.lines", message)];
  });
};

/** Everything that keeps the document from being a valid e-invoice; none for a valid one. */
export const problemsOf = (invoice: EInvoice): Problems => {
  const { references, subtotals, account } = invoice;
  const owner = invoice.kind === "invoice" ? ROLES.seller.field : ROLES.buyer.field;
  const unnumbered = references.some(({ number }) => number === null);
  return [
    ...partyProblems("seller", invoice.seller),
    ...partyProblems("buyer", invoice.buyer),
    ...textProblems([
      ...subtotals.map(({ reason }) => ["partner.self_billing_data.tax_config.label", reason ?? ""] as const),
      ["billing_profile.buyer_reference", invoice.buyerReference],
      [`${owner}.bank_account.beneficiary_name`, account?.beneficiaryName ?? ""],
      [`${owner}.bank_account.iban`, account?.iban ?? ""],
      [`${owner}.bank_account.bic`, account?.bic ?? ""],
    ]),
    ...currencyProblems(invoice),
    ...categoryProblems(invoice),
    ...taxProblems(invoice),
    ...(unnumbered
      ? [problem("BR-55", "settlement.lines", "correct a document that was uploaded without a number")]
      : []),
  ];
};
