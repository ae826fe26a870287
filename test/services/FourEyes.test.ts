/** Four eyes: who may approve what, whatever credentials, policies and runs one person uses. Each rule is an attack. */
import { describe, expect, it } from "@effect/vitest";
import { Effect } from "effect";
import { type ApiKey, ApiKeys, Principal, Settlements, TokenVerifier } from "quittance";
import * as Given from "./Given.ts";

const rule = <A, E>(
  effect: Effect.Effect<
    A,
    E,
    Effect.Effect.Context<Parameters<typeof Given.rule<A, E>>[0]> | TokenVerifier.TokenVerifier
  >,
  host: Given.Host = {},
) => Given.rule(Effect.provide(effect, ApiKeys.layerVerifier), host);

/** The principal of a new key that a credential creates. */
const keyOf = (by: Principal.Principal, request: ApiKey.Create = {}) =>
  Effect.gen(function* () {
    const { key } = yield* (yield* ApiKeys.ApiKeys).create(by, request);
    return yield* (yield* TokenVerifier.TokenVerifier).verify(key);
  });

const ADMIN = Principal.platform("platform:admin");

/** Every scope, so that only persons can be the reason of a refusal. */
const EVERYTHING = { scopes: Principal.ALL_SCOPES } as const;

const REFUSED = "four_eyes: the creator of a draft may not approve it";

const fourEyes = { policy: { fourEyes: true } } as const;

/** A draft that a principal has created. */
const draftBy = (given: Given.Scene, creator: Principal.Principal) =>
  Effect.gen(function* () {
    yield* Given.sell(given, 10_000);
    return yield* Given.draft({ ...given, owner: creator });
  });

const scene = Effect.tap(Given.scene(), (given) => Given.formula(given));

describe("a person", () => {
  it.effect("does not approve with a second key what was drafted with the first", () =>
    rule(
      Effect.gen(function* () {
        const given = yield* scene;
        const first = yield* keyOf(ADMIN, { customerId: given.customerId, ...EVERYTHING });
        const second = yield* keyOf(first, EVERYTHING);
        const third = yield* keyOf(second, EVERYTHING);
        const { approve } = yield* Settlements.Settlements;
        for (const [creator, approver] of [
          [first, second],
          [third, first],
          [second, third],
        ] as const) {
          const id = yield* draftBy(given, creator);
          expect(yield* Given.refusal(approve(approver, id))).toBe(REFUSED);
        }
      }),
      fourEyes,
    ),
  );

  it.effect("stays the creator of a draft whose key has expired", () =>
    rule(
      Effect.gen(function* () {
        const given = yield* scene;
        const lasting = yield* keyOf(ADMIN, { customerId: given.customerId, ...EVERYTHING });
        const expiring = yield* keyOf(lasting, { ...EVERYTHING, expiresAt: Given.NOW + Given.DAY });
        const id = yield* draftBy(given, expiring);
        yield* Given.wait(2 * Given.DAY);
        const { approve } = yield* Settlements.Settlements;
        expect(yield* Given.refusal(approve(lasting, id))).toBe(REFUSED);
      }),
      fourEyes,
    ),
  );

  it.effect("creates no key of another person", () =>
    rule(
      Effect.gen(function* () {
        const given = yield* scene;
        const admin = yield* keyOf(ADMIN, { customerId: given.customerId, person: "ada", ...EVERYTHING });
        expect(yield* Given.refusal(keyOf(admin, { person: "bo" }))).toBe(
          "person: must be that of the credential; only the platform names another",
        );
        expect((yield* keyOf(admin, { person: "ada" })).person).toBe("ada");
      }),
    ),
  );

  it.effect("is the same by key and by token of the identity provider, where the platform says so", () =>
    rule(
      Effect.gen(function* () {
        const given = yield* scene;
        const { customerId } = given;
        const byToken = Principal.customer(customerId, "jwt:ada");
        const byKey = yield* keyOf(ADMIN, { customerId, person: "jwt:ada", ...EVERYTHING });
        const ownKey = yield* keyOf(byToken, EVERYTHING);
        const { approve } = yield* Settlements.Settlements;
        const id = yield* draftBy(given, byToken);
        expect(yield* Given.refusal(approve(byKey, id))).toBe(REFUSED);
        expect(yield* Given.refusal(approve(ownKey, id))).toBe(REFUSED);
        const bo = yield* keyOf(ADMIN, { customerId, person: "bo", ...EVERYTHING });
        yield* approve(bo, id);
      }),
      fourEyes,
    ),
  );

  it.effect("approves the draft of another person, also of a key that nobody is known to hold", () =>
    rule(
      Effect.gen(function* () {
        const given = yield* scene;
        const { customerId } = given;
        const [one, other] = [
          yield* keyOf(ADMIN, { customerId, ...EVERYTHING }),
          yield* keyOf(ADMIN, { customerId, ...EVERYTHING }),
        ];
        const id = yield* draftBy(given, one);
        yield* (yield* Settlements.Settlements).approve(other, id);
      }),
      fourEyes,
    ),
  );
});
