/** Sessions of people: the principal of one, its end, and the keys that are created in it. */
import { describe, expect, it } from "@effect/vitest";
import { Effect } from "effect";
import { ApiKeys, type Ids, Principal, Sessions, TokenVerifier } from "quittance";
import * as Given from "./Given.ts";

const { NOW, DAY } = Given;
const HOUR = DAY / 24;

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

/** Opens a session of Ida for eight hours. */
const open = (customerId: Ids.CustomerId) =>
  Effect.flatMap(Sessions.Sessions, (sessions) =>
    sessions.open({
      customerId,
      person: "jwt:ida",
      name: "Ida Ames",
      scopes: Principal.ALL_SCOPES,
      expiresAt: NOW + 8 * HOUR,
    }),
  );

describe("a session", () => {
  it.effect("is of the person, in every session anew", () =>
    rule(
      Effect.gen(function* () {
        const { customerId } = yield* Given.scene();
        const first = yield* verify((yield* open(customerId)).key);
        const second = yield* verify((yield* open(customerId)).key);
        expect(first).toMatchObject({ customerId, kind: "customer", name: "Ida Ames", person: "jwt:ida" });
        expect(second.principalId).not.toBe(first.principalId);
        expect(Principal.personOf(second)).toBe("jwt:ida");
      }),
    ),
  );

  it.effect("is valid until its end", () =>
    rule(
      Effect.gen(function* () {
        const { customerId } = yield* Given.scene();
        const { key } = yield* open(customerId);
        yield* Given.wait(8 * HOUR - 1);
        expect(yield* isGood(key)).toBe(true);
        yield* Given.wait(1);
        expect(yield* isGood(key)).toBe(false);
      }),
    ),
  );

  it.effect("creates keys of the person that outlast it", () =>
    rule(
      Effect.gen(function* () {
        const { customerId } = yield* Given.scene();
        const principal = yield* verify((yield* open(customerId)).key);
        const { create } = yield* ApiKeys.ApiKeys;
        const { key } = yield* create(principal, {});
        const dated = yield* create(principal, { expiresAt: NOW + 2 * DAY });
        yield* Given.wait(DAY);
        expect(Principal.personOf(yield* verify(key))).toBe("jwt:ida");
        expect((yield* verify(key)).name).toBeUndefined();
        expect(yield* isGood(dated.key)).toBe(true);
      }),
    ),
  );

  it.effect("is listed by its use", () =>
    rule(
      Effect.gen(function* () {
        const { owner, customerId } = yield* Given.scene();
        const { id } = yield* open(customerId);
        const { create, list } = yield* ApiKeys.ApiKeys;
        const made = yield* create(owner, {});
        const idsOf = (uses?: ReadonlyArray<"program" | "session">) =>
          Effect.map(list(owner, { uses }), ({ items }) => items.map((key) => key.id));
        expect(yield* idsOf(["session"])).toEqual([id]);
        expect(yield* idsOf(["program"])).toEqual([made.id]);
        expect(yield* idsOf()).toEqual([id, made.id]);
      }),
    ),
  );
});

describe("closing", () => {
  it.effect("ends the session for good, and no other", () =>
    rule(
      Effect.gen(function* () {
        const { customerId } = yield* Given.scene();
        const [first, second] = [yield* open(customerId), yield* open(customerId)];
        const principal = yield* verify(first.key);
        const { close } = yield* Sessions.Sessions;
        yield* close(principal);
        yield* close(principal);
        expect([yield* isGood(first.key), yield* isGood(second.key)]).toEqual([false, true]);
      }),
    ),
  );

  it.effect("does not end the key of a program", () =>
    rule(
      Effect.gen(function* () {
        const { owner } = yield* Given.scene();
        const { key } = yield* (yield* ApiKeys.ApiKeys).create(owner, {});
        const { close } = yield* Sessions.Sessions;
        yield* close(yield* verify(key));
        yield* close(owner);
        yield* close(Principal.platform("platform:admin"));
        expect(yield* isGood(key)).toBe(true);
      }),
    ),
  );
});
