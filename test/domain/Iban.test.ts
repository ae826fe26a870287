import { countrySpecs, isValidBIC, isValidIBAN } from "ibantools";
import { Iban, Ids } from "quittance";
import { describe, expect, it } from "vitest";
import { random } from "../support/Random.ts";

describe("account numbers", () => {
  it.each([
    ["DK5000400440116243", true],
    ["GB82 WEST 1234 5698 7654 32", true],
    ["DK5000400440116244", false],
    ["nonsense", false],
    ["dk5000400440116243", true],
    ["DK500040044011624", false],
    ["xDK5000400440116243", false],
    ["DK5000400440116243-", false],
    [`DK${"0".repeat(40)}`, false],
    ["MT84MALT011000012345MTLCAST001S", true],
    // The check digits of the following are right; only the form can refuse them.
    ["DK1800000000000", false],
    ["DK18000000000000000000000000000000", false],
    // A country outside the registry has the general form: 11 to 30 letters and digits.
    ["ZZ6600000000000", true],
    ["ZZ660000000000", false],
    ["ZZ66000000000000000000000000000000", true],
    ["ZZ660000000000000000000000000000000", false],
    ["1DK6700400440116243", false],
    ["D0B000400440116243", false],
    ["", false],
  ])("%s is an IBAN: %s", (text, expected) => expect(Iban.isIban(text)).toBe(expected));
});

describe("a bank account's payout problem", () => {
  const IBAN = "DK5000400440116243";
  it.each([
    [IBAN, "NDEADKKK", null],
    ["dk50 0040 0440 1162 43", "ndeadkkkxxx", null],
    [" D K5000400440116243", "NDEADKKK", null],
    ["DK5000400440116244", "NDEADKKK", "the IBAN is not valid: its form or its check digits are wrong"],
    [IBAN, "NDEADK", "the BIC does not have the form of a BIC"],
    [IBAN, "NDEADKK?", "the BIC does not have the form of a BIC"],
    [IBAN, "NDEASESS", "the BIC belongs to SE, the IBAN to DK"],
    ["GB29NWBK60161331926819", "NWBKJESH", null],
    ["FR1420041010050500013M02606", "AGRIRERX", null],
    ["FR1420041010050500013M02606", "AGRIJESH", "the BIC belongs to JE, the IBAN to FR"],
    ["FI2112345600000785", "NDEAAXHH", null],
    [IBAN, "NDEADKKKX", "the BIC does not have the form of a BIC"],
    [IBAN, "XNDEADKKK", "the BIC does not have the form of a BIC"],
    [IBAN, "NDEA DK KK", null],
    [IBAN, "", "the BIC does not have the form of a BIC"],
  ])("%s with %s is %j", (iban, bic, problem) => expect(Iban.accountProblem({ iban, bic })).toBe(problem));
});

describe("a territory with its own BICs", () => {
  it.each([
    ["FR1420041010050500013M02606", "GF GP MQ RE PF TF YT NC BL MF PM WF"],
    ["GB29NWBK60161331926819", "IM JE GG"],
    ["FI2112345600000785", "AX"],
  ])("has accounts %s: %s", (iban, territories) => {
    for (const territory of territories.split(" "))
      expect(Iban.accountProblem({ iban, bic: `BANK${territory}PP` })).toBe(null);
  });
});

describe("the form of each country", () => {
  /** Territories whose accounts begin with the letters of another country. */
  const GENERAL = new Set(["AX", "GF", "GP", "MF", "MQ", "NC", "PF", "PM", "RE", "TF", "WF", "YT", "YE"]);

  /** The classes of the registry. */
  const characters = { digits: "0123456789", letters: "ABCDEFGHIJKLMNOPQRSTUVWXYZ" };
  const REGISTERED = Object.entries(countrySpecs).flatMap(([country, { IBANRegistry, chars }]) =>
    IBANRegistry === true && chars != null ? [{ country, chars }] : [],
  );

  /** The check digits of the IBAN of an account number and a country. */
  const completed = (country: string, bban: string): string => {
    const digits = [...`${bban}${country}00`].map((item) => Number.parseInt(item, 36)).join("");
    return `${country}${String(98n - (BigInt(digits) % 97n)).padStart(2, "0")}${bban}`;
  };

  it("accepts what an independent library accepts, and no other length", () => {
    const decide = random(58);
    let accepted = 0;
    for (const { country, chars } of REGISTERED) {
      for (let sample = 0; sample < 200; sample++) {
        const length = chars - 4 + (sample % 10 === 0 ? decide.integer(-1, 1) : 0);
        const first = decide.integer(0, 6);
        const bban = Array.from({ length }, (_, index) => {
          const set = index < first && sample % 2 === 0 ? characters.letters : characters.digits;
          return set[decide.integer(0, set.length - 1)];
        }).join("");
        const iban = completed(country, bban);
        if (isValidIBAN(iban)) {
          accepted++;
          expect([iban, Iban.isIban(iban)]).toEqual([iban, true]);
        }
        if (iban.length !== chars && Iban.isIban(iban) && !GENERAL.has(country)) expect(iban).toBe("refused");
      }
    }
    expect(accepted).toBeGreaterThan(1_000);
  });

  it("accepts the BICs that an independent library accepts", () => {
    for (const bic of ["NDEADKKK", "NDEADKKKXXX", "DEUTDEFF500", "NDEADK", "NDEA1KKK", "NDEADKKKX", ""])
      expect([bic, Iban.isBic(bic)]).toEqual([bic, isValidBIC(bic)]);
  });
});

describe("a UUID for bank formats", () => {
  it("is of version 4 and keeps every other digit", () =>
    expect(Ids.asVersion4("0198b2a4-5c3d-7e1f-8a2b-3c4d5e6f7a8b")).toBe(
      "0198b2a4-5c3d-4e1f-8a2b-3c4d5e6f7a8b",
    ));
});
