import { Either, Schema } from "effect";
import { BillingProfile, Refusal } from "quittance";
import { expect, it } from "vitest";
import { JPEG, png } from "../support/images.ts";

const wire = {
  legal_name: "Acme A/S",
  address: { street: "Gade 1", city: "Aarhus", region: "", postal_code: "8000", country: "DK" },
  vat_number: "DK1",
};

it("has name, address and VAT number, and optionally an electronic address and a prefix of at most 32 characters", () => {
  const decode = Schema.decodeUnknownSync(BillingProfile.Write);
  expect(decode(wire)).toEqual({
    legalName: "Acme A/S",
    address: { street: "Gade 1", city: "Aarhus", region: "", postalCode: "8000", country: "DK" },
    vatNumber: "DK1",
  });
  expect(decode({ ...wire, electronic_address: "e", invoice_prefix: "p".repeat(32) })).toMatchObject({
    electronicAddress: "e",
    invoicePrefix: "p".repeat(32),
  });
  for (const wrong of [
    { legal_name: "" },
    { vat_number: "" },
    { electronic_address: "" },
    { bank_account: { beneficiary_name: "Havn", iban: "DE02120300000000202052", bic: "BYLADEM1001" } },
    { bank_account: { beneficiary_name: "Havn", iban: "DE02120300000000202051", bic: "NDEADKKK" } },
    { bank_account: { beneficiary_name: "", iban: "DE02120300000000202051", bic: "BYLADEM1001" } },
    { invoice_prefix: "" },
    { invoice_prefix: "p".repeat(33) },
  ]) {
    expect(Schema.is(BillingProfile.Write)({ ...wire, ...wrong })).toBe(false);
    expect(() => decode({ ...wire, ...wrong })).toThrow();
  }
});

const problemOf = (fields: object): string | null =>
  Either.match(Schema.decodeUnknownEither(BillingProfile.Write)({ ...wire, ...fields }), {
    onLeft: (error) => Refusal.fromParseError(error).message,
    onRight: () => null,
  });

it("states the language, the colours and the logo of documents, and where claims are paid", () => {
  const bank_account = { beneficiary_name: "Acme A/S", iban: "DK5000400440116243", bic: "NDEADKKK" };
  for (const language of BillingProfile.LANGUAGES) expect(problemOf({ language })).toBeNull();
  for (const logo of [png(), JPEG])
    expect(problemOf({ logo, bank_account, accent_color: "#0b5fa5" })).toBeNull();
  expect(problemOf({ language: "pt" })).toMatch(/^language: /);
  expect(problemOf({ logo: "PHN2Zz4=" })).toBe("logo: must be a PNG or JPEG image in base64");
  expect(problemOf({ bank_account: { ...bank_account, iban: "" } })).toMatch(/^bank_account\.iban: /);
});

it("has a legal note of lines, without other control characters", () => {
  expect(problemOf({ legal_note: "HRB 12345, Amtsgericht Hamburg\nGeschäftsführer: A. Berg" })).toBeNull();
  expect(problemOf({ legal_note: " " })).toBe("legal_note: must not be empty");
  expect(problemOf({ legal_note: "x".repeat(1_001) })).toBe("legal_note: must have 1 to 1000 characters");
  for (const sign of ["\t", "\u0001", "\u0085", "\uFFFE"])
    expect(problemOf({ legal_note: `HRB${sign}1` })).toBe(
      "legal_note: must not contain control characters other than line breaks",
    );
});

it("has a national currency, and the rates of others in it", () => {
  const rate = { currency: "EUR", date: "2026-02-02", rate: "7.4604", source: "Danmarks Nationalbank" };
  expect(problemOf({ tax_currency: "DKK" })).toBeNull();
  expect(problemOf({ tax_currency: "DKK", exchange_rates: [rate] })).toBeNull();
  expect(problemOf({ exchange_rates: [rate] })).toBe("tax_currency: is required with exchange_rates");
  expect(problemOf({ tax_currency: "DKK", exchange_rates: [rate, rate] })).toBe(
    "exchange_rates.1.currency: must not have two rates for 2026-02-02",
  );
  expect(problemOf({ tax_currency: "DKK", exchange_rates: [{ ...rate, rate: "0" }] })).toMatch(
    /^exchange_rates\.0\.rate: must be a number above 0 as text/,
  );
  expect(problemOf({ tax_currency: "KWD" })).toMatch(/^tax_currency: must be a currency with at most two/);
  const many = Array.from({ length: 501 }, () => rate);
  expect(problemOf({ tax_currency: "DKK", exchange_rates: many })).toMatch(/^exchange_rates: /);
});

it("has a tax number where there is no VAT number, which needs an electronic address for e-invoices", () => {
  const number = { vat_number: "12/345/67890", vat_number_type: "tax" };
  expect(problemOf(number)).toBeNull();
  expect(problemOf({ ...number, e_invoice: "required" })).toBe(
    "electronic_address: PEPPOL-EN16931-R010: is required for e-invoices",
  );
  const electronic_address = "0088:7300010000001";
  expect(problemOf({ ...number, electronic_address, e_invoice: "required" })).toBeNull();
  expect(problemOf({ ...number, vat_number_type: "vat", electronic_address, e_invoice: "required" })).toMatch(
    /^vat_number: BR-CO-09: must begin with a country code, such as DK12345678, unless it is a national tax number/,
  );
  expect(problemOf({ ...number, vat_number_type: "local" })).toMatch(/^vat_number_type: /);
});

it("has colours that can be read: dark on white, and light behind dark text", () => {
  expect(problemOf({ accent_color: "#0B5FA5", background_color: "#eef3f9" })).toBeNull();
  for (const wrong of ["red", "#fff", "#12345g", "#0b5fa5ff", "0b5fa5"])
    expect(problemOf({ accent_color: wrong })).toBe("accent_color: must be a colour such as #1b2430");
  // 4.54 to 1, and 4.48 to 1.
  expect(problemOf({ accent_color: "#767676" })).toBeNull();
  expect(problemOf({ accent_color: "#777777" })).toBe(
    "accent_color: must have a contrast of at least 4.5 to white",
  );
  expect(problemOf({ background_color: "#333333" })).toBe(
    "background_color: must have a contrast of at least 4.5 to dark text",
  );
});

it("has an event that names who wrote it and what has changed, and its account without the number", () => {
  const decode = Schema.decodeUnknownSync(BillingProfile.Write);
  const account = { beneficiary_name: "Havn", iban: "DE02120300000000202051", bic: "BYLADEM1001" };
  const by = { actor: "key 1", person: "ada" };
  const first = decode({ ...wire, bank_account: account });
  const stored = { sha256: BillingProfile.fingerprintOf(first) };
  expect(BillingProfile.write(null, first, by)).toEqual([
    {
      type: "write_billing_profile",
      actor: { principal_id: "key 1", person: "ada" },
      fields: ["address", "bank_account", "legal_name", "vat_number"],
      bank_account: { iban: "DE…2051", bic: "BYLADEM1001" },
      stored,
    },
  ]);
  const second = decode({ ...wire, legal_name: "Acme II", language: "de" });
  expect(BillingProfile.write(first, second, by)).toMatchObject([
    { fields: ["bank_account", "language", "legal_name"], bank_account: null },
  ]);
  expect(BillingProfile.write(first, { ...first }, by)).toEqual([]);
  expect(BillingProfile.fingerprintOf(second)).not.toBe(stored.sha256);
});
