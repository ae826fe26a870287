/** Compares billing profiles. */
import type { BillingProfile } from "../../domain/BillingProfile.ts";

/** A profile as a list, so that an unexpected field is a difference. */
export const toList = ({
  customerId,
  legalName,
  address,
  vatNumber,
  vatNumberType,
  registrationNumber,
  electronicAddress,
  invoicePrefix,
  bankAccount,
  language,
  accentColor,
  backgroundColor,
  logo,
  eInvoice,
  legalNote,
  buyerReference,
  taxCurrency,
  exchangeRates,
  documentNumbers: { prefix, correctionPrefix, separator, year, series } = { prefix: "" },
}: BillingProfile) => [
  ...[customerId, legalName, address, vatNumber],
  ...[electronicAddress ?? null, invoicePrefix ?? null, bankAccount ?? null],
  ...[language ?? null, accentColor ?? null, backgroundColor ?? null, logo ?? null],
  ...[
    vatNumberType ?? null,
    registrationNumber ?? null,
    legalNote ?? null,
    buyerReference ?? null,
    taxCurrency ?? null,
    exchangeRates ?? null,
    eInvoice ?? null,
    prefix,
    correctionPrefix ?? null,
    separator ?? null,
    year ?? null,
    series ?? null,
  ],
];
