/** The logs of what decides over money: partners, keys, the billing profile and settlement policies, with who has acted. */
import { describe, expect, it } from "@effect/vitest";
import { Effect } from "effect";
import { ApiKeys, BillingProfiles, Events, Partners, type Principal, SettlementPolicies } from "quittance";
import * as Given from "./Given.ts";

const { rule, SELF_BILLING } = Given;

const PROFILE = {
  legalName: "Shop A/S",
  address: { street: "Gade 1", city: "Aarhus", region: "", postalCode: "8000", country: "DK" },
  vatNumber: "DK87654321",
} as const;

/** The events of the customer's feed that name an actor, as readers see them. */
const controls = (owner: Principal.Principal) =>
  Effect.map(
    Effect.flatMap(Events.Events, ({ list }) => list(owner, { limit: 1_000 })),
    ({ items }) =>
      items.flatMap(({ kind, event }) =>
        event !== null && "actor" in event ? [{ record: kind, ...event }] : [],
      ),
  );

const ADA = { principal_id: "ada's key", person: "ada" };

/** A principal of ada, who has another key than the owner of the scene. */
const ada = ({ owner }: Given.Scene): Principal.Principal => ({
  ...owner,
  principalId: ADA.principal_id,
  person: ADA.person,
});

describe("who has acted", () => {
  it.effect("is in the events of partners, keys, the billing profile and policies", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene();
        const by = ada(scene);
        const { workspaceId, partnerId } = scene;
        yield* (yield* Partners.Partners).update(by, partnerId, {
          billingMode: "self_billing",
          selfBillingData: SELF_BILLING,
        });
        yield* (yield* BillingProfiles.BillingProfiles).write(by, PROFILE as never);
        const keys = yield* ApiKeys.ApiKeys;
        const { id } = yield* keys.create(by, { name: "till" });
        yield* keys.revoke(by, id);
        const policies = yield* SettlementPolicies.SettlementPolicies;
        yield* policies.write(by, workspaceId, { fourEyesAbove: { EUR: 500 } });
        yield* policies.writeOverride(by, workspaceId, partnerId, { holdDays: 3 });
        yield* policies.removeOverride(by, workspaceId, partnerId);
        const [created, ...events] = yield* controls(scene.owner);
        const account = { iban: "DK…6243", bic: "NDEADKKK" };
        expect(created).toMatchObject({
          type: "create_partner",
          actor: { principal_id: "host", person: "host" },
        });
        expect(events).toMatchObject([
          { record: "partner", type: "update_partner", billing_mode: "self_billing", bank_account: account },
          {
            record: "billingProfile",
            type: "write_billing_profile",
            fields: ["address", "legal_name", "vat_number"],
          },
          { record: "apiKey", type: "create_api_key", name: "till", person: "ada" },
          { record: "apiKey", type: "revoke_api_key" },
          { record: "settlementPolicy", type: "write_settlement_policy", partner_id: null },
          {
            record: "settlementPolicy",
            type: "write_settlement_policy",
            partner_id: partnerId,
            hold_days: 3,
          },
          {
            record: "settlementPolicy",
            type: "write_settlement_policy",
            partner_id: partnerId,
            hold_days: null,
          },
        ]);
        expect(events.map(({ actor }) => actor)).toEqual(events.map(() => ADA));
      }),
    ),
  );

  it.effect("is not in an event of a command that changes nothing", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene({ selfBilled: true });
        const { owner, workspaceId, partnerId } = scene;
        const profiles = yield* BillingProfiles.BillingProfiles;
        const policies = yield* SettlementPolicies.SettlementPolicies;
        yield* profiles.write(owner, PROFILE as never);
        yield* policies.write(owner, workspaceId, { holdDays: 3 });
        const before = yield* controls(owner);
        yield* (yield* Partners.Partners).update(owner, partnerId, { selfBillingData: SELF_BILLING });
        yield* profiles.write(owner, PROFILE as never);
        yield* policies.write(owner, workspaceId, { holdDays: 3 });
        yield* policies.removeOverride(owner, workspaceId, partnerId);
        expect(yield* controls(owner)).toEqual(before);
      }),
    ),
  );

  it.effect("comes without names, addresses, numbers and secrets", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene({ selfBilled: true });
        const { owner } = scene;
        yield* (yield* BillingProfiles.BillingProfiles).write(owner, PROFILE as never);
        const { key } = yield* (yield* ApiKeys.ApiKeys).create(owner, {});
        const text = JSON.stringify(yield* controls(owner));
        const { legalName, vatNumber, bankAccount, address } = SELF_BILLING;
        const [keyId, secret] = [key.slice(3, 19), key.slice(20)];
        for (const personal of [
          legalName,
          vatNumber,
          bankAccount.iban,
          address.street,
          "Shop A/S",
          keyId,
          secret,
        ])
          expect(text).not.toContain(personal);
      }),
    ),
  );
});
