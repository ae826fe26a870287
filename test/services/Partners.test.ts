/** Who earns and how they are billed, and when a change of that reaches a settlement. */
import { describe, expect, it } from "@effect/vitest";
import { Effect, Either } from "effect";
import { Partners, type Principal, Settlements } from "quittance";
import { Build } from "quittance/testing";
import * as Given from "./Given.ts";

const { rule, SELF_BILLING } = Given;
const partners = Partners.Partners;

const found = (scene: Given.Scene) =>
  Effect.flatMap(partners, ({ list }) =>
    Effect.map(list(scene.owner, { ids: [scene.partnerId] }), ({ items: [one] }) => one),
  );

describe("creating a partner", () => {
  it.effect("without a billing mode creates one that writes its own invoices", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene();
        expect(yield* found(scene)).toMatchObject({ billingMode: "partner_billing", selfBillingData: null });
      }),
    ),
  );

  it.effect("in self-billing needs legal data, and one that writes its own invoices must have none", () =>
    rule(
      Effect.gen(function* () {
        const { owner, workspaceId } = yield* Given.scene();
        const { create } = yield* partners;
        const named = { name: "Sydlys ApS", workspaceId };
        expect(yield* Given.refusal(create(owner, { ...named, billingMode: "self_billing" }))).toBe(
          "self_billing_data: is required when billing_mode is self_billing",
        );
        expect(yield* Given.refusal(create(owner, { ...named, selfBillingData: SELF_BILLING }))).toBe(
          "self_billing_data: must be absent when billing_mode is partner_billing",
        );
      }),
    ),
  );
});

describe("updating a partner", () => {
  it.effect("keeps the fields that it does not name", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene({ selfBilled: true });
        yield* (yield* partners).update(scene.owner, scene.partnerId, { name: "Nordlys A/S" });
        expect(yield* found(scene)).toMatchObject({
          name: "Nordlys A/S",
          billingMode: "self_billing",
          selfBillingData: SELF_BILLING,
        });
      }),
    ),
  );

  it.effect("with equal values stores nothing", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene();
        yield* (yield* partners).update(scene.owner, scene.partnerId, { name: "Nordlys ApS" });
        expect((yield* found(scene))?.version).toBe(1);
      }),
    ),
  );

  it.effect("to writing its own invoices deletes the legal data", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene({ selfBilled: true });
        yield* (yield* partners).update(scene.owner, scene.partnerId, { billingMode: "partner_billing" });
        expect(yield* found(scene)).toMatchObject({ billingMode: "partner_billing", selfBillingData: null });
      }),
    ),
  );

  it.effect("does not change a settlement that is approved already", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.drafted([10_000]);
        yield* (yield* Settlements.Settlements).approve(scene.owner, scene.settlementId);
        yield* (yield* partners).update(scene.owner, scene.partnerId, {
          name: "Nordlys A/S",
          billingMode: "self_billing",
          selfBillingData: SELF_BILLING,
        });
        yield* Given.drain;
        expect((yield* Given.settlement(scene, scene.settlementId)).approval).toMatchObject({
          partnerName: "Nordlys ApS",
          billingMode: "partner_billing",
        });
      }),
    ),
  );

  it.effect("of another customer is refused as not found", () =>
    rule(
      Effect.gen(function* () {
        const [scene, other] = [yield* Given.scene(), yield* Given.scene()];
        const { update } = yield* partners;
        expect(yield* Given.refusal(update(other.owner, scene.partnerId, { name: "Mine" }))).toBe(
          "partner not found",
        );
      }),
    ),
  );
});

describe("an external reference", () => {
  const REUSED =
    "external_reference_reuse: a partner with this reference and other content exists in the workspace; send the same content or another reference";

  it.effect("returns the partner that has it for the same content, and refuses another one", () =>
    rule(
      Effect.gen(function* () {
        const { owner, workspaceId } = yield* Given.scene();
        const { create, update, list } = yield* partners;
        const input = { name: "Sydlys ApS", workspaceId, externalReference: "crm-7", tags: ["gold"] };
        const first = yield* create(owner, input);
        expect((yield* create(owner, input)).id).toBe(first.id);
        expect(yield* Given.refusal(create(owner, { ...input, name: "Sol ApS" }))).toBe(REUSED);
        yield* update(owner, first.id, { name: "Sol ApS" });
        expect((yield* create(owner, { ...input, name: "Sol ApS" })).id).toBe(first.id);
        expect((yield* list(owner)).total).toBe(2);
      }),
    ),
  );

  it.effect("is one partner's in its workspace, and free again when it is taken away", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene();
        const { owner, workspaceId, partnerId } = scene;
        const { create, update } = yield* partners;
        yield* update(owner, partnerId, { externalReference: "crm-7" });
        const other = yield* create(owner, { name: "Sydlys ApS", workspaceId });
        expect(yield* Given.refusal(update(owner, other.id, { externalReference: "crm-7" }))).toBe(
          "external_reference_reuse: another partner of the workspace has this reference",
        );
        const elsewhere = { name: "Sol", workspaceId: Build.fresh.workspace(), externalReference: "crm-7" };
        expect((yield* create(owner, elsewhere)).id).not.toBe(partnerId);
        const stranger = yield* Given.scene({ workspaceId });
        yield* update(stranger.owner, stranger.partnerId, { externalReference: "crm-7" });
        yield* update(owner, partnerId, { externalReference: null });
        yield* update(owner, other.id, { externalReference: "crm-7" });
        yield* update(owner, other.id, { externalReference: "crm-7", name: "Sydlys A/S" });
      }),
    ),
  );

  it.effect("does not tell a credential about a partner that it cannot see", () =>
    rule(
      Effect.gen(function* () {
        const { owner, workspaceId, partnerId } = yield* Given.scene();
        const { create, update } = yield* partners;
        yield* update(owner, partnerId, { externalReference: "crm-7" });
        const bound = { ...owner, partnerIds: [Build.fresh.partner()] };
        const same = { name: "Nordlys ApS", workspaceId, externalReference: "crm-7" };
        expect(yield* Given.refusal(create(bound, same))).toBe(REUSED);
        expect((yield* create(owner, same)).id).toBe(partnerId);
      }),
    ),
  );

  it.effect("is given to one of several partners that are created at once", () =>
    rule(
      Effect.gen(function* () {
        const { owner, workspaceId } = yield* Given.scene();
        const { create, list } = yield* partners;
        const made = yield* Effect.forEach(
          ["a", "a", "b", "b"],
          (name) => Effect.either(create(owner, { name, workspaceId, externalReference: "crm-7" })),
          { concurrency: "unbounded" },
        );
        const found = yield* list(owner, { externalReferences: ["crm-7"] });
        expect(found.total).toBe(1);
        expect(made.filter(Either.isRight).map(({ right }) => right.id)).toEqual([
          found.items[0]?.id,
          found.items[0]?.id,
        ]);
      }),
    ),
  );
});

it.effect("a list of partners finds references, tags and statuses, compared exactly", () =>
  rule(
    Effect.gen(function* () {
      const { owner, partnerId, workspaceId } = yield* Given.scene();
      const { create, update, list } = yield* partners;
      yield* update(owner, partnerId, { externalReference: "crm-7", tags: ["gold", "north"] });
      yield* create(owner, { name: "Sol", workspaceId, tags: ["Gold"], status: "suspended" });
      const count = (input: Parameters<typeof list>[1]) =>
        Effect.map(list(owner, input), ({ total }) => total);
      expect(yield* count({ tags: ["gold"] })).toBe(1);
      expect(yield* count({ tags: ["north", "Gold"] })).toBe(2);
      expect(yield* count({ tags: ["nor"] })).toBe(0);
      expect(yield* count({ tags: ["gold"], statuses: ["suspended"] })).toBe(0);
      expect(yield* count({ statuses: ["suspended"] })).toBe(1);
      expect(yield* count({ externalReferences: ["crm-7", "CRM-7"] })).toBe(1);
      expect(yield* count({ externalReferences: ["CRM-7"] })).toBe(0);
    }),
  ),
);

describe("the log of a partner", () => {
  it.effect("says who has changed what, page by page", () =>
    rule(
      Effect.gen(function* () {
        const { owner, partnerId } = yield* Given.scene();
        const { update, events } = yield* partners;
        const ada = { ...owner, principalId: "ada's key", person: "ada" };
        yield* Given.wait(1_000);
        yield* update(ada, partnerId, { name: "Nordlys A/S" });
        yield* update(ada, partnerId, { status: "suspended" });
        const actor = { principal_id: "ada's key", person: "ada" };
        expect(yield* events(owner, partnerId)).toMatchObject({
          ...{ total: 3, page: 1, perPage: 10 },
          items: [
            { at: Given.NOW, event: { type: "create_partner", actor: { principal_id: "host" } } },
            { at: Given.NOW + 1_000, event: { type: "update_partner", actor, fields: ["name"] } },
            { event: { type: "update_partner", actor, fields: ["status"], status: "suspended" } },
          ],
        });
        const second = yield* events(owner, partnerId, { page: 2, perPage: 2, order: "desc" });
        expect(second).toMatchObject({ total: 3, page: 2, perPage: 2, items: [{ at: Given.NOW }] });
        expect(JSON.stringify(yield* events(owner, partnerId))).not.toMatch(/Nordlys|stored|sha256/);
      }),
    ),
  );

  it.effect("is refused to the partner itself, to strangers, and beyond the bounds of a page", () =>
    rule(
      Effect.gen(function* () {
        const { owner, partnerId } = yield* Given.scene();
        const stranger = yield* Given.scene();
        const { events } = yield* partners;
        const own = { ...owner, kind: "partner" as const, partnerIds: [partnerId] };
        expect(yield* Given.refusal(events(own, partnerId))).toBe(
          "A partner credential may not read partner events",
        );
        expect(yield* Given.refusal(events({ ...owner, scopes: ["partners:write"] }, partnerId))).toBe(
          "The credential lacks the scope partners:read",
        );
        expect(yield* Given.refusal(events(stranger.owner, partnerId))).toBe("partner not found");
        expect(yield* Given.refusal(events(owner, partnerId, { perPage: 101 }))).toBe(
          "per_page: must be an integer from 1 to 100",
        );
      }),
    ),
  );
});

describe("a dry run of a creation", () => {
  const IBAN = "FI2112345600000785";
  const LEGAL = {
    legalName: "Otso Oy",
    address: { street: "Bulevardi 1", city: "Helsinki", region: "", postalCode: "00100", country: "FI" },
    paymentTermsDays: 30,
    taxConfig: { treatment: "standard" as const, label: "VAT", rateBps: 2_550 },
  };

  it.effect("returns what is doubtful by its field, refuses what is refused, and stores nothing", () =>
    rule(
      Effect.gen(function* () {
        const { owner, workspaceId } = yield* Given.scene();
        const { create, dryRun, list } = yield* partners;
        const of = (vatNumber: string, iban: string, bic: string) => ({
          ...{ name: "Otso", workspaceId, externalReference: "crm-8", billingMode: "self_billing" as const },
          selfBillingData: { ...LEGAL, vatNumber, bankAccount: { beneficiaryName: "Otso Oy", iban, bic } },
        });
        const at = "self_billing_data.";
        const before = (yield* list(owner)).total;
        expect(yield* dryRun(owner, of("12345678", "FI2112345600000786", "NDEAFIHH"))).toEqual({
          existingId: null,
          doubts: [
            {
              field: `${at}vat_number`,
              message: expect.stringMatching(/^must begin with a country code, such as DK12345678, unless /),
            },
            {
              field: `${at}bank_account.iban`,
              message: "the IBAN is not valid: its form or its check digits are wrong",
            },
          ],
        });
        expect((yield* dryRun(owner, of("FI12345678", IBAN, "NDEADKKK"))).doubts).toEqual([
          { field: `${at}bank_account.bic`, message: "the BIC belongs to DK, the IBAN to FI" },
        ]);
        const right = of("FI12345678", IBAN, "NDEAFIHH");
        expect(yield* dryRun(owner, right)).toEqual({ existingId: null, doubts: [] });
        expect((yield* list(owner)).total).toBe(before);
        expect(yield* Given.refusal(create(owner, { ...right, dryRun: true }))).toBe(
          "dry_run: a dry run has no id; ask for its result",
        );
        const { id } = yield* create(owner, right);
        expect(yield* dryRun(owner, right)).toEqual({ existingId: id, doubts: [] });
        expect(yield* Given.refusal(dryRun(owner, { ...right, name: "Other" }))).toMatch(
          /^external_reference_reuse:/,
        );
        expect(yield* Given.refusal(dryRun({ ...owner, scopes: ["partners:read"] }, right))).toBe(
          "The credential lacks the scope partners:write",
        );
      }),
    ),
  );
});

describe("a list of partners", () => {
  it.effect("finds a part of a name in any letter case, and no character is a wildcard", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene();
        const { list } = yield* partners;
        const count = (name: string) => Effect.map(list(scene.owner, { name }), ({ total }) => total);
        expect([yield* count("NORDLYS"), yield* count("lys a"), yield* count("%"), yield* count("")]).toEqual(
          [1, 1, 0, 1],
        );
      }),
    ),
  );

  it.effect("shows the notes of the team to the team, and not to the partner", () =>
    rule(
      Effect.gen(function* () {
        const { owner, partnerId } = yield* Given.scene();
        const { update, list } = yield* Partners.Partners;
        yield* update(owner, partnerId, { notes: "calls on Mondays\nasks for Ida" });
        const notesFor = (principal: Principal.Principal) =>
          Effect.map(list(principal, { ids: [partnerId] }), ({ items }) => items.map(({ notes }) => notes));
        expect(yield* notesFor(owner)).toEqual(["calls on Mondays\nasks for Ida"]);
        expect(yield* notesFor({ ...owner, kind: "partner", partnerIds: [partnerId] })).toEqual([null]);
        expect(yield* Given.refusal(update(owner, partnerId, { notes: "a".repeat(2_001) }))).toMatch(
          /^notes: /,
        );
      }),
    ),
  );

  it.effect("contains nothing of a workspace outside the credential's grant", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene();
        const bound = { ...scene.owner, workspaceIds: [Build.fresh.workspace()] };
        expect((yield* (yield* partners).list(bound)).total).toBe(0);
      }),
    ),
  );
});
