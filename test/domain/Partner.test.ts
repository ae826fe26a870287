import { Either, JSONSchema, Schema } from "effect";
import { Event, Partner, Refusal } from "quittance";
import { describe, expect, it } from "vitest";
import { SELF_BILLING } from "./SettlementScene.ts";

const partner = {
  id: "p",
  customerId: "c",
  workspaceId: "w",
  name: "Nordlys",
  billingMode: "partner_billing",
  selfBillingData: null,
  status: "active",
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

const { name } = partner;
const BY = { actor: "key 7", person: "ada" };
const ACTOR = { principal_id: "key 7", person: "ada" };

/** What a command leaves of a partner. */
const dataOf = ({ name, billingMode, selfBillingData, status }: Partner.Partner) => ({
  ...{ name, billingMode, selfBillingData, status },
});

/** The data after an update. */
const updated = (state: Partner.Partner, request: Partner.Update) =>
  Either.map(Partner.update(state, request, BY), ({ data }) => data);

/** The events of an update. */
const eventsOf = (state: Partner.Partner, request: Partner.Update) =>
  Either.getOrThrow(Partner.update(state, request, BY)).events;

describe("who writes a partner's invoices", () => {
  const newPartner = (billing: object) =>
    problemOf(Partner.Create, { name: "n", workspace_id: WORKSPACE, ...billing });
  const change = (billing: object) => problemOf(Partner.Update, billing);

  it("is the partner by default, or the service", () => {
    expect(Partner.create({ name }, BY).data).toEqual(dataOf(partner));
    const request = { name, billingMode: "self_billing", selfBillingData: SELF_BILLING } as const;
    expect(Partner.create(request, BY).data).toEqual(dataOf(selfBilled));
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
    expect(updated(partner, { name: "Sol" })).toEqual(Either.right({ ...dataOf(partner), name: "Sol" }));
    expect(updated(selfBilled, { name: null })).toEqual(Either.right(dataOf(selfBilled)));
    expect(updated(selfBilled, { billingMode: null })).toEqual(Either.right(dataOf(selfBilled)));
  });

  it("replaces the data of a self-billed partner, and drops it with partner_billing", () => {
    const data = { ...SELF_BILLING, legalName: "Sol ApS" };
    expect(updated(selfBilled, { selfBillingData: data })).toEqual(
      Either.right({ ...dataOf(selfBilled), selfBillingData: data }),
    );
    expect(updated(selfBilled, { billingMode: "partner_billing" })).toEqual(Either.right(dataOf(partner)));
    expect(updated(partner, { billingMode: "self_billing", selfBillingData: SELF_BILLING })).toEqual(
      Either.right(dataOf(selfBilled)),
    );
  });

  it("refuses self-billing data for a partner that writes its own invoices", () => {
    expect(messageOf(updated(partner, { selfBillingData: SELF_BILLING }))).toBe(
      "self_billing_data: must be absent unless billing_mode is self_billing",
    );
  });
});

describe("the events of a partner", () => {
  const MASKED = { iban: "DK…6243", bic: "NDEADKKK" };
  const TAX = { treatment: "standard", label: "VAT", rate_bps: 2500 };
  const request = { name, billingMode: "self_billing", selfBillingData: SELF_BILLING } as const;

  it("name who created it, its tax and its masked account, and nothing else of it", () => {
    const { data, events } = Partner.create(request, BY);
    expect(events).toEqual([
      {
        type: "create_partner",
        actor: ACTOR,
        billing_mode: "self_billing",
        bank_account: MASKED,
        tax_config: TAX,
        stored: { sha256: Partner.fingerprintOf(data) },
      },
    ]);
    for (const personal of ["Nordlys", "DK5000400440116243", "Havnegade", "DK12345678"])
      expect(JSON.stringify(events)).not.toContain(personal);
  });

  it("name the fields that an update has changed, with the new account and tax", () => {
    const bankAccount = { ...SELF_BILLING.bankAccount, iban: "DK9520000123456789" };
    const data = { ...SELF_BILLING, legalName: "Sol ApS", bankAccount };
    expect(eventsOf(selfBilled, { selfBillingData: data })).toEqual([
      {
        type: "update_partner",
        actor: ACTOR,
        fields: ["self_billing_data.legal_name", "self_billing_data.bank_account"],
        bank_account: { ...MASKED, iban: "DK…6789" },
        stored: { sha256: Partner.fingerprintOf({ ...selfBilled, selfBillingData: data }) },
      },
    ]);
    expect(eventsOf(selfBilled, { billingMode: "partner_billing" })).toMatchObject([
      { fields: expect.arrayContaining(["billing_mode", "self_billing_data.tax_config"]), tax_config: null },
    ]);
    expect(eventsOf(partner, { name: "Sol" })).toMatchObject([{ fields: ["name"] }]);
  });

  it("are none when nothing changes", () => {
    expect(eventsOf(selfBilled, { name, selfBillingData: { ...SELF_BILLING } })).toEqual([]);
  });

  it("give the billing mode again, and a fingerprint that differs with the account", () => {
    const [created] = Partner.create(request, BY).events;
    const [changed] = eventsOf(selfBilled, { billingMode: "partner_billing" });
    if (created?.type !== "create_partner" || changed?.type !== "update_partner")
      throw new Error("two events");
    const entry = { at: 5, actor: "key 7" };
    const view = Partner.evolve(null, { ...entry, event: created });
    expect(view).toEqual({ billingMode: "self_billing", status: "active", createdAt: 5 });
    expect(Partner.evolve(view, { ...entry, at: 6, event: changed })).toEqual({
      billingMode: "partner_billing",
      status: "active",
      createdAt: 5,
    });
    expect(changed.stored.sha256).not.toBe(created.stored.sha256);
  });
});

describe("the status of a partner", () => {
  const suspended: Partner.Partner = { ...partner, status: "suspended" };

  it("is active unless a request says otherwise, and an update without one keeps it", () => {
    expect(Partner.create({ name }, BY).data.status).toBe("active");
    expect(Partner.create({ name, status: null }, BY).data.status).toBe("active");
    expect(Partner.create({ name, status: "suspended" }, BY).data.status).toBe("suspended");
    for (const request of [{}, { status: null }, { status: "suspended" as const }])
      expect(updated(suspended, request)).toEqual(Either.right(dataOf(suspended)));
    expect(updated(suspended, { status: "active" })).toEqual(Either.right(dataOf(partner)));
  });

  it("is in the events that change it, and not in the first one of an active partner", () => {
    expect(Partner.create({ name, status: "active" }, BY).events[0]).not.toHaveProperty("status");
    expect(Partner.create({ name, status: "suspended" }, BY).events).toMatchObject([{ status: "suspended" }]);
    expect(eventsOf(partner, { status: "suspended", name: "Sol" })).toMatchObject([
      { fields: ["name", "status"], status: "suspended" },
    ]);
    expect(eventsOf(suspended, { status: "active" })).toMatchObject([
      { fields: ["status"], status: "active" },
    ]);
    expect(eventsOf(suspended, { name: "Sol" })[0]).not.toHaveProperty("status");
  });

  it("is given by the events", () => {
    const entries = [
      ...Partner.create({ name, status: "suspended" }, BY).events,
      ...eventsOf(suspended, { name: "Sol" }),
      ...eventsOf(suspended, { status: "active" }),
    ].map((event, at) => ({ at, actor: "key 7", event }));
    const statuses = entries.map(
      (_, index) => Event.fold(Partner.evolve, entries.slice(0, index + 1))?.status,
    );
    expect(statuses).toEqual(["suspended", "suspended", "active"]);
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
