/** The codes and values that every syntax of an e-invoice writes alike. */
import { Either, Encoding } from "effect";
import { type Currency, decimals, formatAmount } from "../domain/Currency.ts";
import type { RegistrationNumber } from "../domain/RegistrationNumber.ts";
import { formatUnits } from "../formula/index.ts";
import type { Attachment, Category, EInvoice, Party } from "./EInvoice.ts";

/** UNTDID 1001: a self-billed invoice, a self-billed credit note. */
export const TYPE_CODES: Readonly<Record<EInvoice["kind"], string>> = { invoice: "389", credit_note: "261" };

/** UNTDID 4461: SEPA credit transfer for EUR, credit transfer otherwise. */
export const paymentMeansCode = (currency: Currency): string => (currency === "EUR" ? "58" : "30");

/** The codes of the list VATEX that a category alone decides. */
export const REASON_CODES: Readonly<Record<Category, string | null>> = {
  S: null,
  AE: "VATEX-EU-AE",
  E: null,
  O: "VATEX-EU-O",
};

/** Decimals that an amount of an e-invoice may have at most. */
const DECIMALS_MAX = 2;

/** An amount with the decimals of its currency; beyond two, zeros at the end are left out. */
export const decimal = (amount: bigint, currency: Currency): string => {
  const full = formatAmount(amount, currency);
  const extra = decimals(currency) - DECIMALS_MAX;
  return extra > 0 && /0+$/.test(full.slice(-extra)) ? full.replace(new RegExp(`0{1,${extra}}$`), "") : full;
};

/** A rate in per cent: `25`, `2.5`. */
export const formatPercent = (rateBps: number): string => formatUnits(rateBps, 2).replace(/\.?0+$/, "");

/** The quantity of a line, one unit at its amount: minus one for a negative amount, since a price is never negative. */
export const quantityOf = (amount: bigint): string => (amount < 0n ? "-1" : "1");

/** The electronic address of a party; null where it has none that is valid. */
export const endpointOf = ({
  endpoint,
}: Party): { readonly scheme: string; readonly identifier: string } | null =>
  endpoint === null ? null : Either.getOrNull(endpoint);

/** The attribute of a number under a scheme; none without one. */
export const schemeAttribute = ({ scheme }: RegistrationNumber): Readonly<Record<string, string>> =>
  scheme === null ? {} : { schemeID: scheme };

/** An IBAN or BIC without spaces. */
export const withoutSpaces = (text: string): string => text.replace(/\s/g, "");

/** A file in base64, and the attributes that both syntaxes state of it. */
export const embedded = ({
  fileName,
  pdf,
}: Attachment): readonly [text: string, attributes: Readonly<Record<string, string>>] => [
  Encoding.encodeBase64(pdf),
  { mimeCode: "application/pdf", filename: fileName },
];
