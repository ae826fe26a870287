/** The tax that a partner states on its own document, compared with what the approval expects. */
import { type Currency, formatAmount } from "./Currency.ts";
import type { Amount } from "./Money.ts";
import { taxOn } from "./Tax.ts";

/** The rate of tax that partners' own documents state, in basis points; `unknown` if it is not known. */
export type InvoiceTax = number | "unknown";

/** A tax that an approver has to accept before anything is paid; its amounts have the sign of the total. */
export interface TaxReview {
  /** What the document states. */
  readonly taxAmount: Amount;
  /** The tax at the rate of the approval; null without a known rate. */
  readonly expectedTaxAmount: Amount | null;
  /** The person that uploaded the document. */
  readonly uploadedBy: string;
}

/** The settlement of a tax under review, as far as the reason of the review names it. */
interface Reviewed {
  readonly total: Amount;
  readonly currency: Currency;
  readonly approval: { readonly invoiceTaxBps?: number } | null;
}

type Difference = Omit<TaxReview, "uploadedBy">;

/** The largest difference that needs no approver: the partner may round in another way. */
const ROUNDING = 1;

/**
 * The stated tax of a document, if an approver has to accept it: it differs from the rate by more than one unit, or no rate is
 * known and it is not 0. Null for any other, and for a document that states no tax, because that asks for the approved total.
 */
export const reviewOf = (total: Amount, stated: Amount | null, rate: InvoiceTax): Difference | null => {
  if (stated === null) return null;
  if (rate === "unknown") return stated === 0 ? null : { taxAmount: stated, expectedTaxAmount: null };
  const expected = Number(taxOn(BigInt(total), { treatment: "standard", label: "", rateBps: rate }));
  return Math.abs(stated - expected) <= ROUNDING ? null : { taxAmount: stated, expectedTaxAmount: expected };
};

/** Why an approver is needed, in one sentence without a full stop. */
export const describe = (
  { taxAmount, expectedTaxAmount }: Difference,
  { total, currency, approval }: Reviewed,
): string => {
  const money = (amount: Amount): string => `${formatAmount(amount, currency)} ${currency}`;
  const stated = `the document states ${money(taxAmount)} tax`;
  const rate = approval?.invoiceTaxBps;
  return rate === undefined || expectedTaxAmount === null
    ? `${stated}, and the settlement policy had no rate for it at the approval`
    : `${stated}; ${rate / 100} % of the total of ${money(total)} is ${money(expectedTaxAmount)}`;
};
