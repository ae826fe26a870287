import { describe, it } from "@effect/vitest";
import { Effect, Either, Layer } from "effect";
import { createLocalJWKSet, exportJWK, generateKeyPair, type JWTPayload, SignJWT } from "jose";
import { Principal, TokenVerifier } from "quittance";
import * as Jwt from "quittance/jwt";
import { expect } from "vitest";

const CUSTOMER = "6f1c2d4e-0000-4000-8000-000000000001";
const PARTNER = "6f1c2d4e-0000-4000-8000-000000000003";
const ISSUER = "https://identity.example";
const AUDIENCE = "quittance";
const KEY = "qk_a key of the verifier beneath";

const own = await generateKeyPair("EdDSA", { extractable: true });
const foreign = await generateKeyPair("EdDSA", { extractable: true });
const rsa = await generateKeyPair("PS256", { extractable: true });
const keys = createLocalJWKSet({
  keys: [
    { ...(await exportJWK(own.publicKey)), kid: "own", alg: "EdDSA" },
    { ...(await exportJWK(rsa.publicKey)), kid: "rsa", alg: "PS256" },
  ],
});

const beneath = Layer.succeed(TokenVerifier.TokenVerifier, {
  verify: (token) =>
    token === KEY
      ? Effect.succeed(Principal.customer(CUSTOMER as never, "by key"))
      : Effect.fail(new TokenVerifier.Unauthorized()),
});
const verifier = Layer.provide(Jwt.layer({ keys, issuer: ISSUER, audience: AUDIENCE }), beneath);

const verify = (token: string) =>
  Effect.flatMap(TokenVerifier.TokenVerifier, ({ verify: check }) => Effect.either(check(token))).pipe(
    Effect.provide(verifier),
  );

/** The test clock is at the epoch. */
const claims = {
  sub: "somebody",
  iss: ISSUER,
  aud: AUDIENCE,
  nbf: 0,
  exp: 600,
  customer_id: CUSTOMER,
  scopes: ["partners:read"],
};

const signed = (payload: JWTPayload, header = { alg: "EdDSA", kid: "own" }, key = own.privateKey) =>
  Effect.promise(() => new SignJWT(payload).setProtectedHeader(header).sign(key));

const without = (name: keyof typeof claims): JWTPayload => {
  const { [name]: _, ...rest } = claims;
  return rest;
};

describe("a token of the provider", () => {
  it.effect("represents the principal that its claims name", () =>
    Effect.gen(function* () {
      const answer = yield* verify(yield* signed({ ...claims, unknown: "ignored" }));
      expect(answer).toEqual(
        Either.right({
          principalId: "jwt:somebody",
          person: "jwt:somebody",
          kind: "customer",
          customerId: CUSTOMER,
          workspaceIds: "*",
          partnerIds: "*",
          agentId: null,
          scopes: ["partners:read"],
          expiresAt: 600_000,
        }),
      );
    }),
  );

  it.effect("has an id of its own name space, whatever its subject is", () =>
    Effect.gen(function* () {
      for (const sub of ["01976f00-0000-7000-8000-000000000001", "system:settlement-run", "platform:admin"]) {
        const answer = yield* verify(yield* signed({ ...claims, sub }));
        expect(Either.map(answer, ({ principalId, person }) => [principalId, person])).toEqual(
          Either.right([`jwt:${sub}`, `jwt:${sub}`]),
        );
      }
    }),
  );

  it.effect("has one also where the host reads the claims", () =>
    Effect.gen(function* () {
      const layer = Jwt.layer({
        ...{ keys, issuer: ISSUER, audience: AUDIENCE },
        principalOf: ({ email }) => Principal.customer(CUSTOMER as never, String(email)),
      });
      const { verify: check } = yield* Effect.provide(
        TokenVerifier.TokenVerifier,
        Layer.provide(layer, beneath),
      );
      const principal = yield* check(yield* signed({ ...claims, email: "system:documents", exp: 1.5 }));
      expect(principal).toMatchObject({ principalId: "jwt:system:documents", expiresAt: 1_500 });
    }),
  );

  it.effect(
    "has the person of its subject, whichever principal the host reads, unless the host states one",
    () =>
      Effect.gen(function* () {
        const personOf = (principal: Principal.Principal) =>
          Effect.gen(function* () {
            const options = { keys, issuer: ISSUER, audience: AUDIENCE, principalOf: () => principal };
            const { verify: check } = yield* Effect.provide(
              TokenVerifier.TokenVerifier,
              Layer.provide(Jwt.layer(options), beneath),
            );
            return (yield* check(yield* signed(claims))).person;
          });
        const session = Principal.customer(CUSTOMER as never, "session 7");
        expect(yield* personOf(session)).toBe("jwt:somebody");
        expect(yield* personOf({ ...session, person: "ada" })).toBe("jwt:ada");
      }),
  );

  it.effect("may be limited to partners", () =>
    Effect.gen(function* () {
      const answer = yield* verify(yield* signed({ ...claims, kind: "partner", partner_ids: [PARTNER] }));
      expect(Either.map(answer, ({ kind, partnerIds }) => ({ kind, partnerIds }))).toEqual(
        Either.right({ kind: "partner", partnerIds: [PARTNER] }),
      );
    }),
  );

  it.effect("is accepted up to thirty seconds after its expiry, because clocks differ", () =>
    Effect.gen(function* () {
      expect(Either.isRight(yield* verify(yield* signed({ ...claims, nbf: -600, exp: -29 })))).toBe(true);
      expect(Either.isRight(yield* verify(yield* signed({ ...claims, nbf: 29 })))).toBe(true);
    }),
  );
});

describe("the verifier rejects", () => {
  const refused: ReadonlyArray<readonly [string, JWTPayload]> = [
    ["an expired one", { ...claims, nbf: -600, exp: -31 }],
    ["one from the future", { ...claims, nbf: 31 }],
    ["one that lives longer than an hour", { ...claims, exp: 3_601 }],
    ["one of another issuer", { ...claims, iss: "https://elsewhere.example" }],
    ["one for another audience", { ...claims, aud: "another" }],
    ["one without expiry", without("exp")],
    ["one without not-before", without("nbf")],
    ["one without subject", without("sub")],
    ["one with a subject of 252 characters", { ...claims, sub: "s".repeat(252) }],
    ["one without customer", without("customer_id")],
    ["one of a malformed customer", { ...claims, customer_id: "acme" }],
    ["one that claims to be the platform", { ...claims, kind: "platform" }],
    ["one that claims to be the system", { ...claims, kind: "system" }],
    ["a partner's without partners", { ...claims, kind: "partner" }],
    ["an agent's without agent", { ...claims, kind: "agent" }],
    ["one of an unknown scope", { ...claims, scopes: ["everything"] }],
  ];
  it.effect.each(refused)("%s", ([, payload]) =>
    Effect.gen(function* () {
      expect(yield* verify(yield* signed(payload))).toEqual(Either.left(new TokenVerifier.Unauthorized()));
    }),
  );

  it.effect("one that is signed by another key, by an unlisted algorithm, or not at all", () =>
    Effect.gen(function* () {
      const forged = yield* signed(claims, { alg: "EdDSA", kid: "own" }, foreign.privateKey);
      const unlisted = yield* signed(claims, { alg: "PS256", kid: "rsa" }, rsa.privateKey);
      const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");
      const unsigned = `${encode({ alg: "none" })}.${encode(claims)}.${encode({})}`;
      for (const token of [forged, unlisted, unsigned]) {
        expect(Either.isLeft(yield* verify(token))).toBe(true);
      }
    }),
  );
});

describe("another credential", () => {
  it.effect("is passed to the next verifier", () =>
    Effect.gen(function* () {
      expect(Either.map(yield* verify(KEY), ({ principalId }) => principalId)).toEqual(
        Either.right("by key"),
      );
      expect(Either.isLeft(yield* verify("neither"))).toBe(true);
    }),
  );
});
