/** Why partners earn from a sale of several people, and to whom its sellers are named. */
import { describe, expect, it } from "@effect/vitest";
import { Effect } from "effect";
import { Attributions, Commissions, type Ids, type Principal, type Storage } from "quittance";
import * as Given from "./Given.ts";
import { another } from "./PlanScene.ts";

const { rule } = Given;

/** A scene with two sellers and an engineer of one sale, each of whom earns. */
const deal = Effect.gen(function* () {
  const seller = yield* Given.scene();
  const [second, engineer] = [yield* another(seller), yield* another(seller)];
  for (const [scene, roles] of [
    [seller, ["seller"]],
    [second, ["seller"]],
    [engineer, ["sales_engineer"]],
  ] as const)
    yield* Given.formula(scene, { roles });
  const credits = [
    { partnerId: seller.partnerId, share: "0.6" },
    { partnerId: second.partnerId, share: "0.4" },
    { partnerId: engineer.partnerId, role: "sales_engineer" },
  ];
  const attributions = yield* Attributions.Attributions;
  const { id } = yield* attributions.create(seller.owner, { ...Given.sale(seller, 1_000), credits });
  return { seller, second, engineer, id };
});

/** The explanation of what a partner earns, for a principal. */
const explained = (
  principal: Principal.Principal,
  owner: Principal.Principal,
  partnerId: Ids.PartnerId,
  language: "en" | "de" = "en",
) =>
  Effect.gen(function* () {
    const { list, explain } = yield* Commissions.Commissions;
    const [commission] = (yield* list(owner, { partnerIds: [partnerId] })).items;
    if (commission === undefined) return yield* Effect.die("the partner earns");
    return (yield* explain(principal, commission.id, language)).sentences
      .replaceAll("\u00a0", " ")
      .split("\n");
  });

describe("the explanation of what a partner earns from a sale of several people", () => {
  it.effect("says the role and the share", () =>
    rule(
      Effect.gen(function* () {
        const { seller, second, engineer, id } = yield* deal;
        const said = (partnerId: Ids.PartnerId, language?: "de") =>
          Effect.map(explained(seller.owner, seller.owner, partnerId, language), ([, part]) => part);
        expect(yield* said(seller.partnerId)).toBe("As seller, 60 % of the sale.");
        expect(yield* said(second.partnerId, "de")).toBe("Als Verkäufer, 40 % des Verkaufs.");
        expect(yield* said(engineer.partnerId)).toBe("As sales engineer.");
        const { cancel } = yield* Attributions.Attributions;
        yield* cancel(seller.owner, id, { reason: "returned" });
        expect(yield* explained(seller.owner, seller.owner, seller.partnerId)).toEqual([
          expect.stringContaining("the sale was cancelled"),
          "As seller, 60 % of the sale.",
        ]);
      }),
    ),
  );

  it.effect("says nothing of it where one partner alone earns", () =>
    rule(
      Effect.gen(function* () {
        const seller = yield* Given.scene();
        yield* Given.formula(seller);
        yield* Given.sell(seller, 1_000);
        expect(yield* explained(seller.owner, seller.owner, seller.partnerId)).toEqual([
          expect.stringMatching(/for the sale of/),
          expect.stringMatching(/^10 % of/),
        ]);
      }),
    ),
  );

  it.effect("names the sellers below a partner to principals that see them, and to no other", () => {
    const below: { sellers?: ReadonlyArray<Ids.PartnerId> } = {};
    return rule(
      Effect.gen(function* () {
        const { seller, second, engineer } = yield* deal;
        const owner = seller.owner;
        const said = (principal: Principal.Principal) =>
          Effect.map(explained(principal, owner, engineer.partnerId), ([, part]) => part);
        const both = (one: string, two: string): string =>
          `As sales engineer of ${one} (60 % of the sale) and ${two} (40 % of the sale), level 1.`;
        expect(yield* said(owner)).toBe(both("Nordlys ApS", "Sydlys ApS"));
        const hidden = "a seller below you";
        const partnerKey = { ...owner, kind: "partner" as const, partnerIds: [engineer.partnerId] };
        expect(yield* said(partnerKey)).toBe(both(hidden, hidden));
        expect(yield* said({ ...owner, partnerIds: [engineer.partnerId, second.partnerId] })).toBe(
          both(hidden, "Sydlys ApS"),
        );
        const scopes = owner.scopes.filter((scope) => scope !== "partners:read");
        expect(yield* said({ ...owner, scopes })).toBe(both(hidden, hidden));
        below.sellers = [second.partnerId];
        expect(yield* said(owner)).toBe("As sales engineer of Sydlys ApS (40 % of the sale), level 1.");
      }),
      {
        // The engineer, as the one directly above the sellers.
        storage: ({ commissionsWithAttributions }: Storage.StorageService) => ({
          commissionsWithAttributions: (...given) =>
            Effect.map(commissionsWithAttributions(...given), (found) =>
              found.map((one) => {
                const { credit } = one.attribution;
                return credit?.role !== "sales_engineer"
                  ? one
                  : {
                      ...one,
                      attribution: { ...one.attribution, credit: { ...credit, depth: 1, ...below } },
                    };
              }),
            ),
        }),
      },
    );
  });
});
