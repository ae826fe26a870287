import { Schema } from "effect";
import { BillingProfile } from "quittance";
import { expect, it } from "vitest";

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
