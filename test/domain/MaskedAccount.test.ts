import { MaskedAccount } from "quittance";
import { expect, it } from "vitest";

it.each([
  ["DK5000400440116243", "DK…6243"],
  ["DE02 1203 0000 0000 2020 51", "DE…0 51"],
  ["123456789012", "12…012"],
  ["12345678901", "…01"],
  ["1234", "…4"],
  ["123", "…"],
  ["😀12345678901", "😀1…901"],
])("shows of %s the country and a quarter, four letters at most", (iban, shown) => {
  expect(MaskedAccount.maskIban(iban)).toBe(shown);
});

it("shows number and bank without the holder, and nothing of no account", () => {
  const account = { beneficiaryName: "Nordlys ApS", iban: "DK5000400440116243", bic: "NDEADKKK" };
  expect(MaskedAccount.maskAccount(account)).toEqual({
    iban: "DK…6243",
    bic: "NDEADKKK",
  });
  expect(MaskedAccount.maskAccount(null)).toBeNull();
});
