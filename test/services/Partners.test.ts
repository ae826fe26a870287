/** Who earns and how they are billed, and when a change of that reaches a settlement. */
import { describe, expect, it } from "@effect/vitest";
import { Effect } from "effect";
import { Partners, Settlements } from "quittance";
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
