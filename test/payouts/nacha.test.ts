/** ACH files of the writer, read by a reader that was written from the layout of the format. */
import { type PaymentFile, PaymentProvider } from "quittance";
import { files } from "quittance/payouts";
import { describe, expect, it } from "vitest";
import { random } from "../support/Random.ts";
import { readAch } from "./AchReader.ts";
import { file, payment, textOf } from "./Payers.ts";

const ORIGINATOR = { companyId: "1234567890", bank: "021000021" };
const provider = files({ formats: ["nacha"], nacha: ORIGINATOR });
const USD = "USD" as PaymentFile.BankPayment["currency"];

const PARAMETERS = { company_name: "Harbour Market, Inc.", company_id: "1234567890", bank: "021000021" };

const ach = (details: object = {}, given: Partial<PaymentFile.BankPayment> = {}) =>
  payment({
    ...{ currency: USD, bankAccount: null, ...given },
    account: {
      type: "us_ach",
      details: {
        ...{ routing_number: "011000015", account_number: "0012345678", account_type: "checking" },
        ...{ holder: "Nordlys LLC", ...details },
      },
    },
  });

const write = (
  payments: ReadonlyArray<PaymentFile.BankPayment>,
  given: Partial<PaymentFile.PaymentFile> = {},
) =>
  textOf(
    provider,
    file(payments, { format: "nacha", debtor: null, currency: USD, parameters: PARAMETERS, ...given }),
    payments,
  );

describe("an ACH file", () => {
  const one = ach({}, { id: "0198b2a4-5c3d-4e1f-8a2b-3c4d5e6f7a8b" as never });
  const saver = ach({ account_type: "savings", holder_type: "person", holder: "Zoë Ångström" });
  const text = write([one, saver, ach()]);

  it("has each payment as a credit of its class, with the number of the invoice", () => {
    const { header, batches, problems } = readAch(text);
    expect(problems).toEqual([]);
    expect(header).toMatchObject({
      ...{ destination: " 021000021", origin: "1234567890", date: "260101", time: "0000" },
      originName: "Harbour Market, Inc.   ",
    });
    expect(
      batches.map(({ header: { entryClass, description, effectiveDate } }) => [
        ...[entryClass, description, effectiveDate],
      ]),
    ).toEqual([
      ["CCD", "COMMISSION", "260105"],
      ["PPD", "PAYROLL   ", "260105"],
    ]);
    const [[first] = [], [second] = []] = batches.map(({ entries }) => entries);
    expect(first).toMatchObject({
      ...{ transactionCode: "22", receivingBank: "01100001", checkDigit: "5", amount: "0000001250" },
      ...{ account: "0012345678       ", id: "a2b3c4d5e6f7a8b", name: "Nordlys LLC           " },
      addenda: ["RMR*IV*HM-2026-000017\\"],
    });
    expect(second).toMatchObject({ transactionCode: "32", name: "Zoe Angstrom          " });
  });

  it("has the same bytes each time", () => {
    const same = file([one], { format: "nacha", debtor: null, currency: USD, parameters: PARAMETERS });
    expect(textOf(provider, same, [one])).toBe(textOf(provider, same, [one]));
    expect(textOf(files({ formats: ["wise-csv"] }), same, [one])).toBe(textOf(provider, same, [one]));
  });

  it("has right counts, hashes, totals and blocks for 1 to 1,000 payments of any amounts", () => {
    const decide = random(34);
    const banks = ["011000015", "021000021", "121000248", "091000019", "322271627"];
    for (const count of [1, 2, 3, 4, 5, 8, 9, 10, 999, 1_000]) {
      const payments = Array.from({ length: count }, () =>
        ach(
          {
            routing_number: banks[decide.integer(0, banks.length - 1)],
            account_type: ["checking", "savings"][decide.integer(0, 1)],
            holder_type: ["company", "person"][decide.integer(0, 1)],
            holder: ["Müller & Söhne", "x".repeat(99), "北京公司 Ltd"][decide.integer(0, 2)],
            account_number: "1".repeat(decide.integer(1, 17)),
          },
          { amount: [1, 999_999_999, decide.integer(1, 1_000_000)][decide.integer(0, 2)] ?? 1 },
        ),
      );
      const { batches, problems } = readAch(write(payments));
      expect(problems).toEqual([]);
      const entries = batches.flatMap((batch) => batch.entries);
      expect(entries.map(({ amount }) => Number(amount)).toSorted()).toEqual(
        payments.map(({ amount }) => amount).toSorted(),
      );
    }
  });

  it.each<[string, RegExp | string, string]>([
    ["another hash of a batch", /^(8220.{6})\d/m, "$19"],
    ["another sum of a batch", /^(8.{31})\d/m, "$19"],
    ["another count of the file", /^(9.{12})\d/m, "$19"],
    ["another hash of the file", /^(9.{20})\d/m, "$19"],
    ["another number of blocks", /^(9.{6})\d/m, "$19"],
    ["another bank", "6220110000", "6220110009"],
    ["another amount", "0000001250", "0000001251"],
    ["a debit", "622", "627"],
    ["a record that is too long", "Nordlys LLC ", "Nordlys LLC  "],
    ["a missing record of addenda", /^705.*\n/m, ""],
    ["a block that is not full", /9{94}\n/, ""],
    ["another filling", /9{94}\n/, `${"8".repeat(94)}\n`],
    ["a trace that does not rise", /^(6.*)0000002$/m, "$10000001"],
    ["another end of a batch", /^(8.*)0000001$/m, "$10000002"],
  ])("with %s would be noticed", (_, found, replacement) => {
    const changed = text.replace(found, replacement);
    expect(changed).not.toBe(text);
    expect(readAch(changed).problems).not.toEqual([]);
  });

  it.each([
    [
      { holder: "北京公司" },
      {},
      "banks exchange names in Latin letters, and holder has none: write it as the bank of the account does, in Latin letters",
    ],
    [{}, { amount: 10_000_000_000 }, "an ACH entry has at most 99,999,999.99 USD"],
    [{}, { amount: 9_999_999_999 }, null],
  ])("of %j and %j: %s", (details, given, problem) => {
    const { account, ...rest } = ach(details, given);
    if (account === undefined) throw new Error("it has an account");
    expect(PaymentProvider.paymentProblem(provider, { ...rest, account })).toBe(problem);
  });
});
