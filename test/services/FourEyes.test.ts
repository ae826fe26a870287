/** Four eyes: who may approve what, whatever credentials, policies and runs one person uses. Each rule is an attack. */
import { describe, expect, it } from "@effect/vitest";
import { Effect } from "effect";
import {
  type ApiKey,
  ApiKeys,
  type Ids,
  Principal,
  SettlementPolicies,
  type SettlementPolicy,
  SettlementRuns,
  Settlements,
  TokenVerifier,
} from "quittance";
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

const CHANGED = "four_eyes: who has changed four_eyes_above since the draft may not approve it";

/** Somebody of the customer who may do everything. */
const someone = ({ customerId }: Given.Scene, name: string) => Principal.customer(customerId, name);

/** A person writes the policy of the workspace, or of the partner, a minute later. */
const write = (
  given: Given.Scene,
  name: string,
  terms: SettlementPolicy.Write,
  place: "workspace" | "partner" = "workspace",
) =>
  Effect.gen(function* () {
    yield* Given.wait(60_000);
    const policies = yield* SettlementPolicies.SettlementPolicies;
    const { workspaceId, partnerId } = given;
    const by = someone(given, name);
    yield* place === "workspace"
      ? policies.write(by, workspaceId, terms)
      : policies.writeOverride(by, workspaceId, partnerId, terms);
    yield* Given.wait(60_000);
  });

/** A draft of an amount, a tenth of a sale, by a person. */
const draftOf = (given: Given.Scene, name: string, amount: number) =>
  Effect.gen(function* () {
    yield* Given.sell(given, amount * 10);
    return yield* Given.draft({ ...given, owner: someone(given, name) });
  });

const approveBy = (given: Given.Scene, name: string, id: Ids.SettlementId) =>
  Effect.flatMap(Settlements.Settlements, ({ approve }) => approve(someone(given, name), id));

/** The state of the drafts of a run that a person starts. */
const runBy = (given: Given.Scene, name: string) =>
  Effect.gen(function* () {
    const runs = yield* SettlementRuns.SettlementRuns;
    const { id } = yield* runs.start(someone(given, name), { workspaceId: given.workspaceId });
    yield* Given.drain;
    const { results } = yield* runs.read(given.owner, id);
    return results.flatMap(({ drafts }) => drafts.map(({ approval }) => approval));
  });

/** A workspace in which the boss has set a limit of 500. */
const limited = Effect.tap(scene, (given) => write(given, "boss", { fourEyesAbove: { EUR: 500 } }));

describe("the limit of four eyes", () => {
  it.effect("is the stricter one of draft and approval", () =>
    rule(
      Effect.gen(function* () {
        const given = yield* limited;
        const id = yield* draftOf(given, "ada", 501);
        yield* write(given, "boss", { fourEyesAbove: { EUR: 900 } });
        expect(yield* Given.refusal(approveBy(given, "ada", id))).toBe(REFUSED);
        const other = yield* draftOf(given, "ada", 300);
        yield* write(given, "boss", { fourEyesAbove: { EUR: 100 } });
        expect(yield* Given.refusal(approveBy(given, "ada", other))).toBe(REFUSED);
        yield* approveBy(given, "bo", id);
      }),
    ),
  );

  it.effect("is not raised by the creator of a draft, before it or after it, nor for the partner alone", () =>
    rule(
      Effect.gen(function* () {
        const given = yield* limited;
        const id = yield* draftOf(given, "ada", 501);
        yield* write(given, "ada", {});
        expect(yield* Given.refusal(approveBy(given, "ada", id))).toBe(REFUSED);
        const second = yield* draftOf(given, "ada", 501);
        expect(yield* Given.refusal(approveBy(given, "ada", second))).toBe(REFUSED);
        yield* write(given, "ada", { fourEyesAbove: { EUR: 500 } });
        yield* write(given, "ada", { fourEyesAbove: {} }, "partner");
        const third = yield* draftOf(given, "ada", 501);
        expect(yield* Given.refusal(approveBy(given, "ada", third))).toBe(REFUSED);
      }),
    ),
  );

  it.effect("lets nobody approve who has changed it since the draft", () =>
    rule(
      Effect.gen(function* () {
        const given = yield* limited;
        const id = yield* draftOf(given, "ada", 501);
        yield* write(given, "bo", {});
        expect(yield* Given.refusal(approveBy(given, "bo", id))).toBe(CHANGED);
        yield* approveBy(given, "cy", id);
        yield* Given.wait(Given.DAY);
        const small = yield* draftOf(given, "ada", 100);
        yield* write(given, "bo", { fourEyesAbove: { EUR: 200 } });
        yield* approveBy(given, "bo", small);
      }),
    ),
  );

  it.effect("is compared with all that was drafted for the partner on one day", () =>
    rule(
      Effect.gen(function* () {
        const given = yield* limited;
        const one = yield* draftOf(given, "ada", 300);
        const two = yield* draftOf(given, "ada", 201);
        expect(yield* Given.refusal(approveBy(given, "ada", one))).toBe(REFUSED);
        yield* approveBy(given, "bo", one);
        expect(yield* Given.refusal(approveBy(given, "ada", two))).toBe(REFUSED);
        yield* Given.wait(Given.DAY);
        const nextDay = yield* draftOf(given, "ada", 300);
        yield* (yield* Settlements.Settlements).cancel(given.owner, nextDay);
        yield* approveBy(given, "ada", yield* draftOf(given, "ada", 1));
      }),
    ),
  );

  it.effect("holds for a run whose starter has raised it", () =>
    rule(
      Effect.gen(function* () {
        const given = yield* limited;
        yield* write(given, "ada", { autoApprove: { EUR: 900 } });
        yield* Given.sell(given, 6_000);
        expect(yield* runBy(given, "ada")).toEqual(["manual"]);
        yield* Given.wait(Given.DAY);
        yield* Given.sell(given, 6_000);
        expect(yield* runBy(given, "bo")).toEqual(["approved"]);
      }),
    ),
  );

  it.effect("is compared with the sum of a day's runs", () =>
    rule(
      Effect.gen(function* () {
        const given = yield* scene;
        yield* write(given, "boss", { fourEyesAbove: { EUR: 500 }, autoApprove: { EUR: 400 } });
        yield* Given.sell(given, 3_000);
        expect(yield* runBy(given, "ada")).toEqual(["approved"]);
        yield* Given.sell(given, 3_000);
        expect(yield* runBy(given, "ada")).toEqual(["manual"]);
      }),
    ),
  );
});
