/** API keys: the grant of a new key, the keys that a credential manages, and the end of a key's validity. */
import { describe, expect, it } from "@effect/vitest";
import { Effect, Layer, Redacted } from "effect";
import { ApiKeys, Principal, TokenVerifier } from "quittance";
import { Build } from "quittance/testing";
import * as Given from "./Given.ts";

const { NOW, DAY } = Given;
const keys = ApiKeys.ApiKeys;

const ADMIN = "the admin token of this test";

/** Runs a rule with the verifier of keys over the same store, where {@link ADMIN} is the platform's token. */
const rule = <A, E>(
  effect: Effect.Effect<
    A,
    E,
    Effect.Effect.Context<Parameters<typeof Given.rule<A, E>>[0]> | TokenVerifier.TokenVerifier
  >,
) =>
  Given.rule(
    Effect.provide(
      effect,
      ApiKeys.layerVerifier.pipe(Layer.provide(Layer.succeed(ApiKeys.AdminToken, Redacted.make(ADMIN)))),
    ),
  );

const verify = (token: string) =>
  Effect.flatMap(TokenVerifier.TokenVerifier, (verifier) => verifier.verify(token));

const isGood = (token: string) => Effect.map(Effect.either(verify(token)), ({ _tag }) => _tag === "Right");

describe("a new key", () => {
  it.effect("has its creator's customer and every scope except keys:admin", () =>
    rule(
      Effect.gen(function* () {
        const { owner, customerId } = yield* Given.scene();
        const { key } = yield* (yield* keys).create(owner, {});
        expect(yield* verify(key)).toMatchObject({
          kind: "customer",
          customerId,
          workspaceIds: "*",
          scopes: Principal.DEFAULT_SCOPES,
        });
      }),
    ),
  );

  it.effect("cannot grant more than the credential that creates it", () =>
    rule(
      Effect.gen(function* () {
        const { owner, workspaceId } = yield* Given.scene();
        const bound = { ...owner, workspaceIds: [workspaceId] };
        const { create } = yield* keys;
        const refused = "the key would exceed the credential's own grant";
        expect(yield* Given.refusal(create(bound, { workspaceIds: "*" }))).toBe(refused);
        const reader = { ...owner, scopes: ["keys:admin"] as const };
        expect(yield* Given.refusal(create(reader, { scopes: ["partners:read"] }))).toBe(refused);
      }),
    ),
  );

  it.effect("of a partner lists its partners, and one of an agent names the agent", () =>
    rule(
      Effect.gen(function* () {
        const { owner } = yield* Given.scene();
        const { create } = yield* keys;
        expect(yield* Given.refusal(create(owner, { kind: "partner" }))).toBe(
          "partner_ids: must list the partners of a partner key",
        );
        expect(yield* Given.refusal(create(owner, { kind: "agent" }))).toBe(
          "agent_id: is required for, and only for, an agent key",
        );
      }),
    ),
  );

  it.effect("is returned once: a repeated request is refused, and creates no second key", () =>
    rule(
      Effect.gen(function* () {
        const { owner } = yield* Given.scene();
        const { create, list } = yield* keys;
        const options = { idempotency: { key: "k", requestSha256: "aa" } };
        yield* create(owner, {}, options);
        expect(yield* Given.refusal(create(owner, {}, options))).toMatch(/^idempotency_key_reuse: /);
        expect((yield* list(owner)).total).toBe(1);
      }),
    ),
  );

  it.effect("is created by the platform for the customer that it names", () =>
    rule(
      Effect.gen(function* () {
        const platform = yield* verify(ADMIN);
        const { create } = yield* keys;
        expect(yield* Given.refusal(create(platform, {}))).toBe("customer_id: is required");
        const customerId = Build.fresh.customer();
        const { key } = yield* create(platform, { customerId });
        expect((yield* verify(key)).customerId).toBe(customerId);
      }),
    ),
  );
});

describe("a key", () => {
  it.effect("does not outlive the credential of its creator", () =>
    rule(
      Effect.gen(function* () {
        const { owner } = yield* Given.scene();
        const creator = { ...owner, expiresAt: NOW + DAY };
        const later = (yield* keys).create(creator, { expiresAt: NOW + DAY + 1 });
        expect(yield* Given.refusal(later)).toMatch(/expires_at|end/);
        yield* (yield* keys).create(creator, { expiresAt: NOW + DAY });
      }),
    ),
  );

  it.effect("is valid until it expires", () =>
    rule(
      Effect.gen(function* () {
        const { owner } = yield* Given.scene();
        const { key } = yield* (yield* keys).create(owner, { expiresAt: NOW + DAY });
        yield* Given.wait(DAY - 1);
        const before = yield* isGood(key);
        yield* Given.wait(1);
        expect([before, yield* isGood(key)]).toEqual([true, false]);
      }),
    ),
  );

  it.effect("is not valid with another secret, nor is any other text", () =>
    rule(
      Effect.gen(function* () {
        const { owner } = yield* Given.scene();
        const { key } = yield* (yield* keys).create(owner, {});
        const other = `${key.slice(0, -1)}${key.endsWith("A") ? "E" : "A"}`;
        expect([yield* isGood(other), yield* isGood("x"), yield* isGood(`${ADMIN} `)]).toEqual([
          false,
          false,
          false,
        ]);
      }),
    ),
  );

  it.effect("that is revoked is no longer valid", () =>
    rule(
      Effect.gen(function* () {
        const { owner } = yield* Given.scene();
        const { create, revoke } = yield* keys;
        const { id, key } = yield* create(owner, {});
        const before = yield* isGood(key);
        yield* revoke(owner, id);
        expect([before, yield* isGood(key)]).toEqual([true, false]);
      }),
    ),
  );

  it.effect("is shown to and revoked by credentials only whose grant includes its own", () =>
    rule(
      Effect.gen(function* () {
        const { owner, workspaceId } = yield* Given.scene();
        const { create, list, revoke } = yield* keys;
        const { id } = yield* create(owner, {});
        const bound = { ...owner, workspaceIds: [workspaceId] };
        yield* create(bound, { name: "narrow" });
        expect((yield* list(bound)).items.map(({ name }) => name)).toEqual(["narrow"]);
        expect(yield* Given.refusal(revoke(bound, id))).toBe("apiKey not found");
        expect((yield* list(owner)).total).toBe(2);
      }),
    ),
  );

  it.effect("has the minute of its last use", () =>
    rule(
      Effect.gen(function* () {
        const { owner } = yield* Given.scene();
        const { create, list } = yield* keys;
        const { key } = yield* create(owner, {});
        yield* Given.wait(90_000);
        yield* verify(key);
        expect((yield* list(owner)).items[0]?.lastUsedAt).toBe(NOW + 60_000);
      }),
    ),
  );
});
