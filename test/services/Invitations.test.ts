/** Invitations to the portal: accepted once, for a session of the partner, and good for nothing else. */
import { describe, expect, it } from "@effect/vitest";
import { Effect } from "effect";
import { ApiKeys, Partners, Principal, TokenVerifier } from "quittance";
import { Build } from "quittance/testing";
import * as Given from "./Given.ts";

const { NOW, DAY } = Given;

const rule = <A, E>(
  effect: Effect.Effect<
    A,
    E,
    Effect.Effect.Context<Parameters<typeof Given.rule<A, E>>[0]> | TokenVerifier.TokenVerifier
  >,
) => Given.rule(Effect.provide(effect, ApiKeys.layerVerifier));

const verify = (token: string) =>
  Effect.flatMap(TokenVerifier.TokenVerifier, (verifier) => verifier.verify(token));

const isGood = (token: string) => Effect.map(Effect.either(verify(token)), ({ _tag }) => _tag === "Right");

const SCOPES = ["partners:read", "settlements:read"] as const;
const NONE = "The credential is no invitation, or it was used or withdrawn";

/** A scene, the request of an invitation for its partner, and an invitation. */
const invited = Effect.gen(function* () {
  const given = yield* Given.scene();
  const { create, accept, revoke, list } = yield* ApiKeys.ApiKeys;
  const request = {
    kind: "partner",
    use: "invitation",
    partnerIds: [given.partnerId],
    scopes: SCOPES,
    name: "Portal",
  } as const;
  const { id, key } = yield* create(given.owner, request);
  return { ...given, create, accept, revoke, list, request, id, key };
});

describe("an invitation", () => {
  it.effect("opens one session, also of two that accept at once", () =>
    rule(
      Effect.gen(function* () {
        const { owner, accept, list, key } = yield* invited;
        const guest = yield* verify(key);
        const clicks = yield* Effect.all(
          [1, 2, 3].map(() => Effect.either(accept(guest))),
          {
            concurrency: "unbounded",
          },
        );
        expect(clicks.filter(({ _tag }) => _tag === "Right")).toHaveLength(1);
        for (const click of clicks) if (click._tag === "Left") expect(click.left.message).toBe(NONE);
        expect((yield* list(owner, { uses: ["session"] })).total).toBe(1);
        expect(yield* Given.refusal(accept(guest))).toBe(NONE);
        expect(yield* isGood(key)).toBe(false);
      }),
    ),
  );

  it.effect("opens a session of its partner, person and scopes for 30 days", () =>
    rule(
      Effect.gen(function* () {
        const { owner, customerId, partnerId, accept, key } = yield* invited;
        yield* Given.wait(2 * DAY);
        const session = yield* accept(yield* verify(key));
        const partner = yield* verify(session.key);
        expect(partner).toMatchObject({
          kind: "partner",
          customerId,
          partnerIds: [partnerId],
          scopes: SCOPES,
          principalId: session.id,
          person: Principal.personOf(owner),
        });
        const { list } = yield* Partners.Partners;
        expect((yield* list(partner)).items.map(({ id }) => id)).toEqual([partnerId]);
        yield* Given.wait(30 * DAY - 1);
        expect(yield* isGood(session.key)).toBe(true);
        yield* Given.wait(1);
        expect(yield* isGood(session.key)).toBe(false);
      }),
    ),
  );

  it.effect("does nothing else before it is accepted", () =>
    rule(
      Effect.gen(function* () {
        const { key } = yield* invited;
        const guest = yield* verify(key);
        expect(guest.scopes).toEqual([]);
        const { list } = yield* Partners.Partners;
        expect(yield* Given.refusal(list(guest))).toBe("The credential lacks the scope partners:read");
      }),
    ),
  );

  it.effect("is the only credential that opens a session", () =>
    rule(
      Effect.gen(function* () {
        const { owner, partnerId, create, accept, key } = yield* invited;
        const program = yield* create(owner, { kind: "partner", partnerIds: [partnerId], scopes: SCOPES });
        expect(yield* Given.refusal(accept(yield* verify(program.key)))).toBe(NONE);
        const session = yield* accept(yield* verify(key));
        expect(yield* Given.refusal(accept(yield* verify(session.key)))).toBe(NONE);
        expect(yield* Given.refusal(accept(owner))).toBe(NONE);
      }),
    ),
  );

  it.effect("ends after 7 days by default and 30 at most", () =>
    rule(
      Effect.gen(function* () {
        const { owner, create, accept, request, key } = yield* invited;
        const guest = yield* verify(key);
        expect(yield* Given.refusal(create(owner, { ...request, expiresAt: NOW + 30 * DAY + 1 }))).toBe(
          "expires_at: must be at most 30 days ahead for an invitation",
        );
        const longest = yield* create(owner, { ...request, expiresAt: NOW + 30 * DAY });
        yield* Given.wait(7 * DAY - 1);
        expect(yield* isGood(key)).toBe(true);
        yield* Given.wait(1);
        expect(yield* isGood(key)).toBe(false);
        // Verified a moment before its end.
        expect(yield* Given.refusal(accept(guest))).toBe(NONE);
        yield* Given.wait(23 * DAY - 1);
        expect(yield* isGood(longest.key)).toBe(true);
      }),
    ),
  );

  it.effect("is withdrawn like any key", () =>
    rule(
      Effect.gen(function* () {
        const { owner, accept, revoke, list, id, key } = yield* invited;
        const guest = yield* verify(key);
        expect((yield* list(owner, { uses: ["invitation"] })).items.map((row) => row.id)).toEqual([id]);
        yield* revoke(owner, id);
        expect(yield* isGood(key)).toBe(false);
        expect(yield* Given.refusal(accept(guest))).toBe(NONE);
      }),
    ),
  );

  it.effect("is for partners, within the grant of whoever invites, who has no end", () =>
    rule(
      Effect.gen(function* () {
        const { owner, create, request } = yield* invited;
        expect(yield* Given.refusal(create(owner, { use: "invitation" }))).toBe(
          "kind: must be partner for an invitation",
        );
        const { partnerIds: _, ...nobody } = request;
        expect(yield* Given.refusal(create(owner, nobody))).toBe(
          "partner_ids: must list the partners of a partner key",
        );
        const bound = { ...owner, partnerIds: [Build.fresh.partner()] };
        expect(yield* Given.refusal(create(bound, request))).toBe(
          "the key would exceed the credential's own grant",
        );
        expect(yield* Given.refusal(create({ ...owner, expiresAt: NOW + DAY }, request))).toMatch(/^use: /);
      }),
    ),
  );

  it.effect("of another customer sees nothing of the partner", () =>
    rule(
      Effect.gen(function* () {
        const { partnerId, create, accept, request } = yield* invited;
        const foreign = Principal.customer(Build.fresh.customer());
        const { key } = yield* create(foreign, { ...request, partnerIds: [partnerId] });
        const session = yield* accept(yield* verify(key));
        const { list } = yield* Partners.Partners;
        expect((yield* list(yield* verify(session.key))).total).toBe(0);
      }),
    ),
  );
});
