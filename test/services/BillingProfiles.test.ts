/** A customer's own legal data, and the documents that show it. */
import { describe, expect, it } from "@effect/vitest";
import { Effect } from "effect";
import { BillingProfiles, SettlementDocuments } from "quittance";
import * as Given from "./Given.ts";

const { rule } = Given;
const profiles = BillingProfiles.BillingProfiles;

const PROFILE = {
  legalName: "Kontor A/S",
  address: { street: "Torvet 2", city: "Aarhus", region: "", postalCode: "8000", country: "DK" },
  vatNumber: "DK87654321",
  invoicePrefix: "K-",
} as const;

describe("a billing profile", () => {
  it.effect("does not exist before it is written", () =>
    rule(
      Effect.gen(function* () {
        const { owner } = yield* Given.scene();
        expect(yield* Given.refusal((yield* profiles).read(owner))).toBe("billing profile not found");
      }),
    ),
  );

  it.effect("is of the whole customer: a credential for some workspaces or partners is refused", () =>
    rule(
      Effect.gen(function* () {
        const { owner, workspaceId, partnerId } = yield* Given.scene();
        const { write, read } = yield* profiles;
        yield* write(owner, PROFILE);
        for (const limit of [{ workspaceIds: [workspaceId] }, { partnerIds: [partnerId] }]) {
          const refused =
            "The credential is limited to some workspaces or partners; the billing profile needs one for all of them";
          expect(yield* Given.refusal(read({ ...owner, ...limit }))).toBe(refused);
          expect(yield* Given.refusal(write({ ...owner, ...limit }, PROFILE))).toBe(refused);
        }
      }),
    ),
  );

  it.effect("replaces the previous one as a whole", () =>
    rule(
      Effect.gen(function* () {
        const { owner, customerId } = yield* Given.scene();
        const { write, read } = yield* profiles;
        yield* write(owner, PROFILE);
        const { invoicePrefix: _, ...without } = PROFILE;
        yield* write(owner, without);
        const { version, lastAt, ...profile } = yield* Effect.map(read(owner), (found) => ({
          version: 0,
          lastAt: 0,
          ...found,
        }));
        expect(profile).toEqual({ ...without, customerId });
        expect(version).toBe(2);
      }),
    ),
  );

  it.effect("that equals the previous one is not stored again", () =>
    rule(
      Effect.gen(function* () {
        const { owner } = yield* Given.scene();
        const { write, read } = yield* profiles;
        yield* write(owner, PROFILE);
        yield* write(owner, PROFILE);
        expect(yield* read(owner)).toMatchObject({ version: 1 });
      }),
    ),
  );

  it.effect("sets the number prefix of documents that are created afterwards", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.drafted([10_000]);
        yield* (yield* profiles).write(scene.owner, PROFILE);
        yield* Given.approve(scene);
        yield* Given.drain;
        const { download } = yield* SettlementDocuments.SettlementDocuments;
        const { document } = yield* download(scene.owner, scene.settlementId, "report");
        expect(document.number).toBe("K-REP-000001");
      }),
    ),
  );

  it.effect("needs the scope keys:admin to be written, not to be read", () =>
    rule(
      Effect.gen(function* () {
        const { owner } = yield* Given.scene();
        const { write, read } = yield* profiles;
        yield* write(owner, PROFILE);
        const reader = { ...owner, scopes: ["settlements:read"] as const };
        expect((yield* read(reader)).legalName).toBe("Kontor A/S");
        expect(yield* Given.refusal(write(reader, PROFILE))).toBe(
          "The credential lacks the scope keys:admin",
        );
      }),
    ),
  );
});
