import { Either, JSONSchema, Schema } from "effect";
import { Partner, Refusal } from "quittance";
import { describe, expect, it } from "vitest";
import { SELF_BILLING } from "./SettlementScene.ts";

const partner = {
  id: "p",
  customerId: "c",
  workspaceId: "w",
  name: "Nordlys",
  billingMode: "partner_billing",
  selfBillingData: null,
  createdAt: 0,
} as unknown as Partner.Partner;
const selfBilled: Partner.Partner = {
  ...partner,
  billingMode: "self_billing",
  selfBillingData: SELF_BILLING,
};
const messageOf = <A>(result: Either.Either<A, { readonly message: string }>): string | null =>
  Either.match(result, { onLeft: ({ message }) => message, onRight: () => null });
const problemOf = <A, I>(schema: Schema.Schema<A, I>, input: unknown) =>
  messageOf(Either.mapLeft(Schema.decodeUnknownEither(schema)(input), Refusal.fromParseError));

const WORKSPACE = "00000000-0000-7000-8000-000000000001";
const wire = {
  legal_name: "Nordlys ApS",
  address: { street: "Havnegade 1", city: "København", region: "", postal_code: "1058", country: "DK" },
  vat_number: "DK12345678",
  payment_terms_days: 30,
  bank_account: { beneficiary_name: "Nordlys ApS", iban: "DK5000400440116243", bic: "NDEADKKK" },
  tax_config: { treatment: "standard", label: "VAT", rate_bps: 2500 },
};

describe("who writes a partner's invoices", () => {
  const identity = { id: partner.id, customerId: partner.customerId, createdAt: 0 };
  const { name, workspaceId } = partner;
  const newPartner = (billing: object) =>
    problemOf(Partner.Create, { name: "n", workspace_id: WORKSPACE, ...billing });
  const change = (billing: object) => problemOf(Partner.Update, billing);

  it("is the partner by default, or the service", () => {
    expect(Partner.create({ name, workspaceId }, identity)).toEqual(partner);
    expect(
      Partner.create(
        { name, workspaceId, billingMode: "self_billing", selfBillingData: SELF_BILLING },
        identity,
      ),
    ).toEqual(selfBilled);
  });

  it("is the service exactly with the partner's legal data", () => {
    expect(newPartner({})).toBe(null);
    expect(newPartner({ billing_mode: "self_billing", self_billing_data: wire })).toBe(null);
    expect(newPartner({ billing_mode: "self_billing" })).toBe(
      "self_billing_data: is required when billing_mode is self_billing",
    );
    expect(newPartner({ self_billing_data: wire })).toBe(
      "self_billing_data: must be absent when billing_mode is partner_billing",
    );
  });

  it("changes by an update whose fields do not contradict each other", () => {
    expect(change({})).toBe(null);
    expect(change({ self_billing_data: wire })).toBe(null);
    expect(change({ billing_mode: null, self_billing_data: wire })).toBe(null);
    expect(change({ billing_mode: "self_billing", self_billing_data: wire })).toBe(null);
    expect(change({ billing_mode: "partner_billing", self_billing_data: null })).toBe(null);
    for (const absent of [{}, { self_billing_data: null }]) {
      expect(change({ billing_mode: "self_billing", ...absent })).toBe(
        "self_billing_data: is required when billing_mode is self_billing",
      );
    }
    expect(change({ billing_mode: "partner_billing", self_billing_data: wire })).toBe(
      "self_billing_data: must be absent when billing_mode is partner_billing",
    );
  });
});

describe("updating a partner", () => {
  it("changes the fields that it names and no others", () => {
    expect(Partner.update(partner, { name: "Sol" })).toEqual(Either.right({ ...partner, name: "Sol" }));
    expect(Partner.update(selfBilled, { name: null })).toEqual(Either.right(selfBilled));
    expect(Partner.update(selfBilled, { billingMode: null })).toEqual(Either.right(selfBilled));
  });

  it("replaces the data of a self-billed partner, and drops it with partner_billing", () => {
    const data = { ...SELF_BILLING, legalName: "Sol ApS" };
    expect(Partner.update(selfBilled, { selfBillingData: data })).toEqual(
      Either.right({ ...selfBilled, selfBillingData: data }),
    );
    expect(Partner.update(selfBilled, { billingMode: "partner_billing" })).toEqual(Either.right(partner));
    expect(Partner.update(partner, { billingMode: "self_billing", selfBillingData: SELF_BILLING })).toEqual(
      Either.right(selfBilled),
    );
  });

  it("refuses self-billing data for a partner that writes its own invoices", () => {
    expect(messageOf(Partner.update(partner, { selfBillingData: SELF_BILLING }))).toBe(
      "self_billing_data: must be absent unless billing_mode is self_billing",
    );
  });
});

describe("the requests", () => {
  const data = (changes: object) => problemOf(Partner.SelfBillingData, { ...wire, ...changes });

  it("name their fields as the interface does", () => {
    expect(Schema.decodeUnknownSync(Partner.SelfBillingData)(wire)).toEqual(SELF_BILLING);
    expect(
      Schema.decodeUnknownSync(Partner.Create)({
        name: "n",
        workspace_id: WORKSPACE,
        billing_mode: "self_billing",
        self_billing_data: wire,
      }),
    ).toEqual({
      name: "n",
      workspaceId: WORKSPACE,
      billingMode: "self_billing",
      selfBillingData: SELF_BILLING,
    });
    expect(
      Schema.decodeUnknownSync(Partner.Update)({ name: null, billing_mode: null, self_billing_data: null }),
    ).toEqual({ name: null, billingMode: null, selfBillingData: null });
    expect(
      problemOf(Partner.Create, { name: "n", workspace_id: WORKSPACE, billing_mode: "partner_billing" }),
    ).toBe(null);
    expect(problemOf(Partner.Create, { name: "", workspace_id: WORKSPACE })).toBe("name: must not be empty");
    expect(problemOf(Partner.Update, { name: "n".repeat(256) })).toBe("name: must have 1 to 255 characters");
  });

  it("refuse a field that is present without a value", () => {
    for (const field of ["billing_mode", "self_billing_data"]) {
      expect(problemOf(Partner.Create, { name: "n", workspace_id: WORKSPACE, [field]: undefined })).toMatch(
        field,
      );
    }
    for (const field of ["name", "billing_mode", "self_billing_data"]) {
      expect(problemOf(Partner.Update, { [field]: undefined })).toMatch(field);
    }
  });

  it("are described for OpenAPI with whole numbers and their limits", () => {
    expect(JSONSchema.make(Partner.SelfBillingData)).toMatchObject({
      properties: {
        payment_terms_days: { type: "integer", minimum: 0, maximum: 3_650 },
      },
    });
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
    for (const treatment of ["reverse_charge", "exempt"]) {
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
