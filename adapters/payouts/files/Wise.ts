/** Payment files for batch payments of Wise: CSV in the columns of its template for bank accounts. */
import { Currency, Iban, PaymentFile, type PaymentProvider, type PayoutDetails } from "quittance";
import { nameProblem, sepaText } from "../sepa/Characters.ts";

type FilePayment = PaymentFile.FilePayment;

/** A column after those of every payment, and its value. */
type Columns = Readonly<Record<string, (details: PayoutDetails.Fields, payment: FilePayment) => string>>;

/** The columns of each type of accounts, and the longest reference that its payees read. */
const TYPES: Partial<
  Readonly<Record<PayoutDetails.PayoutType, { readonly columns: Columns; readonly referenceMax: number }>>
> = {
  iban: { columns: { IBAN: ({ iban = "" }) => Iban.compact(iban) }, referenceMax: 35 },
  uk: {
    columns: {
      sortCode: ({ sort_code: sortCode = "" }) => sortCode,
      accountNumber: ({ account_number: number = "" }) => number,
    },
    referenceMax: 18,
  },
  us_ach: {
    columns: {
      abartn: ({ routing_number: number = "" }) => number,
      accountNumber: ({ account_number: number = "" }) => number,
      accountType: ({ account_type: type = "" }) => type.toUpperCase(),
      addressCountryCode: (_, { address }) => address?.country ?? "",
      addressCity: (_, { address }) => sepaText(address?.city ?? "", 35),
      addressFirstLine: (_, { address }) => sepaText(address?.street ?? "", 70),
      addressState: (_, { address }) => (address?.region ? sepaText(address.region, 35) : ""),
      addressPostCode: (_, { address }) => sepaText(address?.postalCode ?? "", 16),
    },
    referenceMax: 10,
  },
};

/** The currencies whose accounts Wise knows by their IBANs. */
const IBAN_CURRENCIES = "EUR CHF CZK DKK GBP HUF NOK PLN RON SEK".split(" ");

const NAME_MAX = 70;

/** The end of a reference tells it from others. A spreadsheet would take one that begins with a sign for a formula. */
const referenceOf = (remittance: string, maximum: number): string =>
  sepaText(
    sepaText(remittance, remittance.length)
      .slice(-maximum)
      .replace(/^[^0-9A-Za-z]+/, ""),
    maximum,
  );

const quote = (text: string): string => `"${text.replaceAll('"', '""')}"`;

const rowOf = (payment: FilePayment, sourceCurrency: string, columns: ReadonlyArray<string>) => {
  const { amount, currency, remittance } = payment;
  const { type, details } = PaymentFile.payeeOfPayment(payment);
  const known = TYPES[type];
  if (known === undefined) throw new Error(`Wise files have no columns for ${type}`);
  return [
    sepaText(details.holder ?? "", NAME_MAX),
    "",
    referenceOf(remittance, known.referenceMax),
    details.holder_type === "person" ? "PERSON" : "INSTITUTION",
    "target",
    Currency.formatAmount(amount, currency),
    sourceCurrency,
    currency,
    ...columns.map((name) => known.columns[name]?.(details, payment) ?? ""),
  ];
};

const SHARED = [
  ...["name", "recipientEmail", "paymentReference", "receiverType"],
  ...["amountCurrency", "amount", "sourceCurrency", "targetCurrency"],
];

const write = (file: PaymentFile.PaymentFile, payments: ReadonlyArray<FilePayment>): Uint8Array => {
  const types = new Set(payments.map((payment) => PaymentFile.payeeOfPayment(payment).type));
  const columns = [
    ...new Set([...types].toSorted().flatMap((type) => Object.keys(TYPES[type]?.columns ?? {}))),
  ];
  const source = file.parameters?.source_currency ?? PaymentFile.currencyOf(file);
  const rows = [
    [...SHARED, ...columns].join(","),
    ...payments.map((payment) => rowOf(payment, source, columns).map(quote).join(",")),
  ];
  return new TextEncoder().encode(`${rows.join("\r\n")}\r\n`);
};

/** Batch payments of Wise from a balance; the payees receive exactly the amounts. */
export const wiseFormat = (sourceCurrency: string | null): PaymentProvider.FileFormat => ({
  ...{ name: "wise-csv", mediaType: "text/csv", extension: "csv" },
  takes: [
    { type: "iban", currencies: IBAN_CURRENCIES },
    { type: "uk", currencies: ["GBP"] },
    { type: "us_ach", currencies: ["USD"] },
  ],
  accountProblem: ({ details }) => nameProblem(details.holder ?? "", "holder"),
  problem: ({ account, address }) =>
    account.type === "us_ach" && address === undefined
      ? "self_billing_data: Wise needs the address of payees with accounts in the United States"
      : null,
  payerProblem: null,
  parameters: () => (sourceCurrency === null ? {} : { source_currency: sourceCurrency }),
  write,
});
