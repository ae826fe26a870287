import { PayoutDetails } from "quittance";
import { describe, expect, it } from "vitest";

const { problemOf, mask, describe: words, bankAccountOf, payeeOf } = PayoutDetails;

const IBAN = { iban: "DK50 0040 0440 1162 43", bic: "NDEADKKK", holder: "Nordlys ApS" };
const ACH = {
  routing_number: "021000021",
  account_number: "000123456789",
  account_type: "checking",
  holder: "Nordlys Inc",
};
const UK = { sort_code: "200000", account_number: "55779911", holder: "Nordlys Ltd" };
const EMAIL = { address: "pay@nordlys.example", service: "paypal" };

const CHECK_DIGITS = "is not valid: its form or its check digits are wrong";

describe("an account", () => {
  it.each([
    ["iban", IBAN],
    ["iban", { iban: IBAN.iban, holder: "N" }],
    ["us_ach", ACH],
    ["us_ach", { ...ACH, routing_number: "011401533", account_type: "savings" }],
    ["uk", UK],
    ["email", EMAIL],
    ["custom", { wallet: "w-1", network: "home" }],
  ] as const)("of type %s is accepted: %j", (type, details) => {
    expect(problemOf({ type, details })).toBeNull();
  });

  it.each([
    ["iban", { ...IBAN, iban: "DK5100400440116243" }, "details.iban", CHECK_DIGITS],
    ["iban", { ...IBAN, bic: "DEUTDEFF" }, "details.bic", "the BIC belongs to DE, the IBAN to DK"],
    ["iban", { iban: IBAN.iban }, "details.holder", "is missing"],
    [
      "iban",
      { ...IBAN, sort_code: "1" },
      "details.sort_code",
      "not a known field; known are iban, bic, holder",
    ],
    ["us_ach", { ...ACH, routing_number: "021000022" }, "details.routing_number", "check digit"],
    ["us_ach", { ...ACH, routing_number: "000000000" }, "details.routing_number", "check digit"],
    ["us_ach", { ...ACH, routing_number: "21000021" }, "details.routing_number", "nine digits"],
    ["us_ach", { ...ACH, account_number: "1".repeat(18) }, "details.account_number", "1 to 17"],
    ["us_ach", { ...ACH, account_type: "current" }, "details.account_type", "one of checking, savings"],
    ["uk", { ...UK, sort_code: "20-00-00" }, "details.sort_code", "six digits"],
    ["uk", { ...UK, account_number: "5577991" }, "details.account_number", "eight digits"],
    ["email", { ...EMAIL, address: "nordlys.example" }, "details.address", "an e-mail address"],
    ["email", { address: EMAIL.address }, "details.service", "is missing"],
    ["custom", {}, "details", "must have 1 to 20 fields"],
    ["custom", { Wallet: "w" }, "details.Wallet", "lower-case letters"],
  ] as const)("of type %s is refused: %j", (type, details, field, message) => {
    const problem = problemOf({ type, details });
    expect(problem?.path.join(".")).toBe(field);
    expect(problem?.message).toContain(message);
  });

  it("refuses every routing number in which one digit was changed", () => {
    for (let place = 0; place < 9; place++)
      for (let step = 1; step < 10; step++) {
        const digits = [..."021000021"];
        digits[place] = String((Number(digits[place]) + step) % 10);
        expect(
          problemOf({ type: "us_ach", details: { ...ACH, routing_number: digits.join("") } }),
        ).not.toBeNull();
      }
  });
});

describe("what is shown of an account", () => {
  it.each([
    ["iban", IBAN, { iban: "DK…6243", bic: "NDEADKKK" }, "the IBAN DK…6243"],
    [
      "us_ach",
      ACH,
      { routing_number: "021000021", account_number: "…789", account_type: "checking" },
      "the account …789",
    ],
    ["uk", UK, { sort_code: "200000", account_number: "…11" }, "the account …11"],
    ["email", EMAIL, { address: "p…@nordlys.example", service: "paypal" }, "p…@nordlys.example of paypal"],
    ["custom", { wallet: "wallet-123456" }, { wallet: "…456" }, "the account of wallet …456"],
  ] as const)("of type %s neither names the holder nor lets anybody use it", (type, details, shown, text) => {
    expect(mask({ type, details })).toEqual(shown);
    expect(words({ type, details })).toBe(text);
  });
});

it("is the same account as records of billing state it", () => {
  const bank = { beneficiaryName: "Nordlys ApS", iban: IBAN.iban, bic: "NDEADKKK" };
  expect(payeeOf(bank)).toEqual({ type: "iban", details: IBAN });
  expect(bankAccountOf(payeeOf(bank))).toEqual(bank);
  expect(bankAccountOf({ type: "iban", details: { iban: IBAN.iban, holder: "N" } })?.bic).toBe("");
  expect(bankAccountOf({ type: "uk", details: UK })).toBeNull();
});
