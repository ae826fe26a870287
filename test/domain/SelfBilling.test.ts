import { Either, JSONSchema, Schema } from "effect";
import { Partner, Refusal } from "quittance";
import { describe, expect, it } from "vitest";

const wire = {
  legal_name: "Nordlys ApS",
  address: { street: "Havnegade 1", city: "København", region: "", postal_code: "1058", country: "DK" },
  vat_number: "DK12345678",
  payment_terms_days: 30,
  bank_account: { beneficiary_name: "Nordlys ApS", iban: "DK5000400440116243", bic: "NDEADKKK" },
  tax_config: { treatment: "standard", label: "VAT", rate_bps: 2500 },
};

/** Why the legal data with these changes is refused; null when it is not. */
const data = (changes: object): string | null =>
  Either.match(Schema.decodeUnknownEither(Partner.SelfBillingData)({ ...wire, ...changes }), {
    onLeft: (error) => Refusal.fromParseError(error).message,
    onRight: () => null,
  });

describe("legal data for self-billing", () => {
  it("are described for OpenAPI with whole numbers and their limits", () => {
    expect(JSONSchema.make(Partner.SelfBillingData)).toMatchObject({
      properties: {
        payment_terms_days: { type: "integer", minimum: 0, maximum: 3_650 },
      },
    });
  });

  it("state a contact with name, telephone and e-mail address", () => {
    const contact = { name: "Bookkeeping", phone: "030 123", email: "billing@nordlys.example" };
    expect(data({ contact })).toBe(null);
    expect(data({ contact: { ...contact, name: " " } })).toBe("contact.name: must not be empty");
    expect(data({ contact: { ...contact, phone: "12" } })).toBe(
      "contact.phone: must have at least three digits",
    );
    expect(data({ contact: { ...contact, email: "billing" } })).toMatch(/^contact\.email: must be an e-mail/);
    const { email: _, ...incomplete } = contact;
    expect(data({ contact: incomplete })).toBe("contact.email: is missing");
  });

  it("state a rate for the standard treatment, and for no other", () => {
    const tax = (treatment: string, rate_bps?: number | null) =>
      data({ tax_config: { treatment, label: "VAT", ...(rate_bps === undefined ? {} : { rate_bps }) } });
    expect(tax("standard")).toBe("tax_config.rate_bps: is required when treatment is standard");
    expect(tax("standard", 0)).toBe(null);
    expect(tax("standard", 10_000)).toBe(null);
    expect(tax("standard", 10_001)).not.toBe(null);
    expect(tax("standard", -1)).not.toBe(null);
    expect(tax("standard", 0.5)).not.toBe(null);
    for (const treatment of ["reverse_charge", "exempt", "outside_scope"]) {
      expect(tax(treatment)).toBe(null);
      expect(tax(treatment, null)).toBe(null);
      expect(tax(treatment, 0)).toBe(`tax_config.rate_bps: must be absent when treatment is ${treatment}`);
    }
    expect(tax("zero")).not.toBe(null);
  });

  it("limit terms, names and numbers", () => {
    expect(data({ payment_terms_days: 3_650 })).toBe(null);
    expect(data({ payment_terms_days: 3_651 })).not.toBe(null);
    expect(data({ payment_terms_days: -1 })).not.toBe(null);
    expect(data({ payment_terms_days: 1.5 })).not.toBe(null);
    expect(data({ legal_name: "" })).toBe("legal_name: must not be empty");
    expect(data({ vat_number: "1".repeat(65) })).toBe("vat_number: must have 1 to 64 characters");
    expect(data({ vat_number: "" })).toBe("vat_number: must not be empty");
    expect(data({ tax_config: { treatment: "exempt", label: "" } })).toBe(
      "tax_config.label: must not be empty",
    );
    for (const field of ["street", "city", "postal_code"]) {
      expect(data({ address: { ...wire.address, [field]: "" } })).toBe(`address.${field}: must not be empty`);
    }
    expect(data({ address: { ...wire.address, country: "XX" } })).toBe(
      "address.country: must be an ISO 3166-1 alpha-2 country code, such as DK",
    );
    for (const field of ["beneficiary_name", "iban", "bic"]) {
      expect(data({ bank_account: { ...wire.bank_account, [field]: "" } })).toBe(
        `bank_account.${field}: must not be empty`,
      );
    }
  });
});
