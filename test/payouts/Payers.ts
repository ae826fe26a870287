/** Builders of the payout tests: payment files and payments without an engine, and statements as banks write them. */
import type { PaymentFile, PaymentProvider } from "quittance";
import { Build } from "quittance/testing";

type File = PaymentFile.PaymentFile;
type Payment = PaymentFile.BankPayment;

const CUSTOMER = Build.fresh.customer();

export const DEBTOR = {
  beneficiaryName: "Havn & Mark GmbH",
  iban: "DE02120300000000202051",
  bic: "BYLADEM1001",
};
export const CREDITOR = { beneficiaryName: "Nordlys ApS", iban: "DK5000400440116243", bic: "NDEADKKK" };

/** A payment of a file. */
export const payment = (given: Partial<Payment> = {}): Payment => ({
  id: Build.fresh.payment(),
  customerId: CUSTOMER,
  settlementId: Build.fresh.settlement(),
  amount: 1_250,
  currency: "EUR" as Payment["currency"],
  bankAccount: CREDITOR,
  remittance: "HM-2026-000017",
  fileId: null,
  isWaiting: true,
  bookings: [],
  ...given,
});

/** A file of payments. */
export const file = (payments: ReadonlyArray<Payment>, given: Partial<File> = {}): File => ({
  id: Build.fresh.paymentFile(),
  customerId: CUSTOMER,
  executionDate: "2026-01-05",
  debtor: DEBTOR,
  count: payments.length,
  sum: payments.reduce((sum, { amount }) => sum + amount, 0),
  createdAt: Build.EPOCH,
  handedOverAt: null,
  discardedAt: null,
  ...given,
});

/** The text of a file, as a provider writes it. */
export const textOf = (
  { files }: PaymentProvider.PaymentProviderService,
  file: File,
  payments: ReadonlyArray<PaymentFile.FilePayment>,
): string => {
  const format = files?.formatOf(file.format) ?? null;
  if (format === null) throw new Error(`the provider writes no files in ${file.format}`);
  return new TextDecoder().decode(format.write(file, payments));
};
