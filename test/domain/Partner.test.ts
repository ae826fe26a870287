import { Either, Schema } from "effect";
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
  ...{ externalReference: null, email: null, notes: null, status: "active", tags: [] },
  payoutAccounts: null,
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
const dataOf = ({ id: _, customerId: _c, workspaceId: _w, createdAt: _at, ...data }: Partner.Partner) => data;

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
    const unstated = { externalReference: null, status: "active", tags: [], createdAt: 5 };
    expect(view).toEqual({ billingMode: "self_billing", ...unstated });
    expect(Partner.evolve(view, { ...entry, at: 6, event: changed })).toEqual({
      billingMode: "partner_billing",
      ...unstated,
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

describe("reference, tags and e-mail address", () => {
  const given = { externalReference: "crm-7", tags: ["gold", "north"], email: "ada@example.com" };
  const known: Partner.Partner = { ...partner, ...given };

  it("are none unless stated, and stay where an update does not name them", () => {
    expect(Partner.create({ name }, BY).data).toMatchObject({
      externalReference: null,
      tags: [],
      email: null,
      notes: null,
    });
    expect(Partner.create({ name, ...given }, BY).data).toEqual(dataOf(known));
    expect(updated(known, { name: "Sol", tags: null })).toEqual(
      Either.right({ ...dataOf(known), name: "Sol" }),
    );
    expect(updated(known, { externalReference: null, tags: [], email: null })).toEqual(
      Either.right(dataOf(partner)),
    );
  });

  it("are in the events, except the address, of which they have a fingerprint", () => {
    const [created] = Partner.create({ name, ...given }, BY).events;
    expect(created).toMatchObject({ external_reference: "crm-7", tags: ["gold", "north"] });
    expect(Partner.create({ name, tags: [], externalReference: null }, BY)).toEqual(
      Partner.create({ name }, BY),
    );
    expect(
      eventsOf(known, { externalReference: null, tags: ["gold"], email: "bo@example.com" }),
    ).toMatchObject([
      { fields: ["external_reference", "email", "tags"], external_reference: null, tags: ["gold"] },
    ]);
    expect(eventsOf(known, { tags: ["gold", "north"], email: given.email })).toEqual([]);
    expect(eventsOf(known, { tags: ["north", "gold"] })).toMatchObject([{ fields: ["tags"] }]);
    expect(JSON.stringify([created, ...eventsOf(known, { email: null })])).not.toContain("example.com");
    expect(Partner.fingerprintOf(known)).not.toBe(Partner.fingerprintOf(partner));
    expect(Partner.fingerprintOf({ ...known, email: null })).toBe(Partner.fingerprintOf(partner));
  });

  it("are given by the events", () => {
    const log = [
      ...Partner.create({ name, ...given }, BY).events,
      ...eventsOf(known, { name: "Sol" }),
      ...eventsOf(known, { externalReference: "crm-8", tags: [] }),
    ].map((event, at) => ({ at, actor: "key 7", event }));
    const states = log.map((_, index) => Event.fold(Partner.evolve, log.slice(0, index + 1)));
    expect(states).toMatchObject([
      { externalReference: "crm-7", tags: ["gold", "north"] },
      { externalReference: "crm-7", tags: ["gold", "north"] },
      { externalReference: "crm-8", tags: [] },
    ]);
  });

  it("have bounds, and no tag twice", () => {
    const change = (facts: object) => problemOf(Partner.Update, facts);
    const tags = Array.from({ length: 51 }, (_, index) => `tag ${index}`);
    expect(change({ tags: tags.slice(1), external_reference: "r".repeat(255), email: "a@b.co" })).toBe(null);
    expect(change({ tags: ["t".repeat(64)] })).toBe(null);
    expect(change({ tags })).toBe("tags: must have at most 50 tags");
    expect(change({ tags: ["gold", "gold"] })).toBe("tags: must not name a tag twice");
    expect(change({ tags: ["gold", ""] })).toBe("tags.1: must not be empty");
    expect(change({ tags: ["t".repeat(65)] })).toBe("tags.0: must have 1 to 64 characters");
    expect(change({ external_reference: "" })).toBe("external_reference: must not be empty");
    expect(change({ external_reference: "r".repeat(256) })).toBe(
      "external_reference: must have 1 to 255 characters",
    );
    expect(change({ email: "ada" })).toBe("email: must be an e-mail address, such as ada@example.com");
  });

  it("make a creation a repetition only with the same content, of a partner that is seen", () => {
    const { data } = Partner.create({ name, ...given }, BY);
    expect(Either.isRight(Partner.checkRepetition(known, data))).toBe(true);
    for (const [existing, other] of [
      [null, data],
      [known, { ...data, name: "Sol" }],
      [known, { ...data, tags: ["north", "gold"] }],
      [{ ...known, status: "suspended" as const }, data],
    ] as const)
      expect(messageOf(Partner.checkRepetition(existing, other))).toMatch(/^external_reference_reuse: /);
  });
});

describe("the requests", () => {
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
});
