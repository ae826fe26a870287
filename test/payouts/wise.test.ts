/** Files of Wise batch payments, read as CSV. */
import { type PaymentFile, PaymentProvider } from "quittance";
import { files } from "quittance/payouts";
import { describe, expect, it } from "vitest";
import { file, payment, textOf } from "./Payers.ts";

const provider = files({ formats: ["wise-csv"], wiseCurrency: "EUR" });

const currency = (code: string) => code as PaymentFile.BankPayment["currency"];

const ADDRESS = { street: "1 Main St", city: "Austin", region: "TX", postalCode: "73301", country: "US" };

const account = (type: "us_ach" | "uk", details: Readonly<Record<string, string>>) => ({
  bankAccount: null,
  account: { type, details },
});

const ACH = account("us_ach", {
  ...{ routing_number: "011000015", account_number: "0012345678", account_type: "checking" },
  ...{ holder: 'Nordlys "North" LLC', holder_type: "person" },
});
const UK = account("uk", { sort_code: "200000", account_number: "55779911", holder: "Ærø, Ltd" });

const rows = (text: string): ReadonlyArray<Record<string, string>> => {
  const [header = "", ...lines] = text.split("\r\n");
  expect(lines.pop()).toBe("");
  const names = header.split(",");
  return lines.map((line) => {
    const values = [...line.matchAll(/"((?:[^"]|"")*)"(?:,|$)/g)].map(([, value = ""]) => value);
    expect(values).toHaveLength(names.length);
    return Object.fromEntries(
      names.map((name, index) => [name, (values[index] ?? "").replaceAll('""', '"')]),
    );
  });
};

const write = (
  payments: ReadonlyArray<PaymentFile.FilePayment>,
  parameters: PaymentFile.PaymentFile["parameters"] = { source_currency: "EUR" },
) => {
  const [{ currency: of } = { currency: currency("EUR") }] = payments;
  return textOf(
    provider,
    file(payments, { format: "wise-csv", debtor: null, currency: of, parameters: parameters ?? {} }),
    payments,
  );
};

const SHARED = {
  ...{ recipientEmail: "", receiverType: "INSTITUTION", amountCurrency: "target" },
  ...{ amount: "12.50", sourceCurrency: "EUR" },
};

describe("a file for Wise", () => {
  it("has the columns of an IBAN", () => {
    expect(rows(write([payment(), payment({ amount: 1 })]))).toEqual([
      {
        ...{ name: "Nordlys ApS", paymentReference: "HM-2026-000017", targetCurrency: "EUR" },
        ...{ ...SHARED, IBAN: "DK5000400440116243" },
      },
      expect.objectContaining({ amount: "0.01" }),
    ]);
  });

  it("has the columns of an account in the United Kingdom, beside those of IBANs in the same currency", () => {
    const iban = { beneficiaryName: "Sydlys", iban: "GB29NWBK60161331926819", bic: "" };
    const text = write([
      payment({ ...UK, currency: currency("GBP"), remittance: "A-long-prefix-HM-2026-000017" }),
      payment({ bankAccount: iban, currency: currency("GBP") }),
    ]);
    expect(rows(text)).toEqual([
      {
        ...{ ...SHARED, name: "AEro, Ltd", paymentReference: "fix-HM-2026-000017" },
        ...{ targetCurrency: "GBP", IBAN: "", sortCode: "200000", accountNumber: "55779911" },
      },
      expect.objectContaining({ IBAN: "GB29NWBK60161331926819", sortCode: "", accountNumber: "" }),
    ]);
  });

  it("has no reference that begins with a sign, which a spreadsheet takes for a formula", () => {
    const text = write([payment({ ...UK, currency: currency("GBP"), remittance: "HM-ab25-1150d6d912c1" })]);
    expect(rows(text)).toMatchObject([{ paymentReference: "ab25-1150d6d912c1" }]);
  });

  it("has the columns of an account in the United States, with the address of the payee", () => {
    const [row] = rows(write([{ ...payment({ ...ACH, currency: currency("USD") }), address: ADDRESS }], {}));
    expect(row).toEqual({
      ...{ ...SHARED, name: "Nordlys .North. LLC", paymentReference: "026-000017" },
      ...{ receiverType: "PERSON", sourceCurrency: "USD", targetCurrency: "USD", abartn: "011000015" },
      ...{ accountNumber: "0012345678", accountType: "CHECKING", addressCountryCode: "US" },
      ...{
        addressCity: "Austin",
        addressFirstLine: "1 Main St",
        addressState: "TX",
        addressPostCode: "73301",
      },
    });
  });

  it.each<[string, Partial<PaymentProvider.Payment>, string | null]>([
    ["us_ach", {}, "self_billing_data: Wise needs the address of payees with accounts in the United States"],
    ["us_ach", { address: ADDRESS }, null],
    [
      "us_ach",
      { address: ADDRESS, currency: currency("EUR") },
      "the payout provider files does not pay to accounts in the United States in EUR",
    ],
    ["uk", { currency: currency("GBP") }, null],
  ])("pays to %s with %j: %s", (type, given, problem) => {
    const paid = {
      ...{ amount: 1, currency: currency("USD"), account: type === "uk" ? UK.account : ACH.account },
      ...given,
    };
    expect(PaymentProvider.paymentProblem(provider, paid)).toBe(problem);
  });
});
