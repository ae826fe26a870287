/** API keys: creates, lists, revokes and verifies them. */

import { Clock, Context, Effect, Layer, Redacted, Schema } from "effect";
import * as ApiKey from "../domain/ApiKey.ts";
import { Uuid } from "../domain/Ids.ts";
import { authorize, type Principal, platform } from "../domain/Principal.ts";
import { conflict, forbidden, missing } from "../domain/Refusal.ts";
import { MINUTE } from "../domain/Timestamp.ts";
import { Digest } from "../ports/Digest.ts";
import { Directory } from "../ports/Directory.ts";
import { type Listed, type Records, Storage, type Versioned } from "../ports/Storage.ts";
import {
  type CachedCredential,
  TokenVerifier,
  type TokenVerifierService,
  Unauthorized,
} from "../ports/TokenVerifier.ts";
import { type Failure, tenantOf, validate } from "./commands/Access.ts";
import { type ListInput, type Listing, listOf } from "./commands/Listing.ts";
import { type CommandOptions, noEffect, Pipeline, type Replayed } from "./commands/Pipeline.ts";
import * as Save from "./commands/Save.ts";
import { FORM, findKey, sameDigest } from "./credentials/FindKey.ts";
import { makeInvitationMail } from "./credentials/Invitations.ts";
import { issuer } from "./credentials/Issuer.ts";
import * as BoundedCache from "./process/BoundedCache.ts";

const isUuid = Schema.is(Uuid);

const NO_INVITATION = forbidden("The credential is no invitation, or it was used or withdrawn");

/** A new key. */
interface Created {
  readonly id: string;
  readonly key: string;
  readonly mailedTo?: string;
}

const make = Effect.gen(function* () {
  const storage: Records = yield* Storage;
  const issue = yield* issuer;
  const pipeline = yield* Pipeline;
  const mails = yield* makeInvitationMail;

  const create = (
    principal: Principal,
    input: ApiKey.Create,
    options: CommandOptions = {},
  ): Effect.Effect<Created & Replayed, Failure> =>
    Effect.gen(function* () {
      yield* authorize(principal, "create key");
      const request = yield* validate(ApiKey.Create)(input);
      const grant = yield* ApiKey.grant(principal, request, yield* Clock.currentTimeMillis);
      const addressee = request.mail === true ? yield* mails.addresseeOf(principal, grant) : null;
      const created = yield* pipeline.run(grant.customerId, principal, options, (execution) =>
        Effect.gen(function* () {
          const { saved, ...result } = yield* issue(grant, execution);
          const { id } = result;
          return { result, replayResult: { id }, requires: [], changes: [saved] };
        }),
      );
      // A replay has no secret.
      if (created.replayed)
        return yield* conflict(
          "idempotency_key_reuse",
          "the key exists, and its secret was shown once; revoke it and create another",
        );
      const isMailed = addressee !== null && (yield* mails.send(grant.customerId, addressee, created));
      return isMailed ? { ...created, mailedTo: addressee.email } : created;
    });

  // Without an idempotency key: a response with a secret cannot be repeated, and the invitation is accepted once anyway.
  const accept = (
    principal: Principal,
  ): Effect.Effect<{ readonly id: string; readonly key: string } & Replayed, Failure> =>
    Effect.gen(function* () {
      yield* authorize(principal, "accept invitation");
      const { customerId, principalId } = principal;
      if (customerId === null || !isUuid(principalId)) return yield* NO_INVITATION;
      return yield* pipeline.run(customerId, principal, {}, (execution) =>
        Effect.gen(function* () {
          const [invitation] = yield* storage.find(customerId, "apiKey", [principalId]);
          // Read again after a conflict: of two that accept at once, the second one finds it revoked.
          if (invitation?.use !== "invitation" || !ApiKey.isUsable(invitation, execution.at))
            return yield* NO_INVITATION;
          const { saved, ...result } = yield* issue(ApiKey.portalGrant(invitation, execution.at), execution);
          const used = Save.appendEvents("apiKey", execution, invitation, [
            ApiKey.accept(result.id, execution),
          ]);
          return { result, requires: [], changes: [used, saved] };
        }),
      );
    });

  const revoke = (
    principal: Principal,
    id: string,
    options: CommandOptions = {},
  ): Effect.Effect<Replayed, Failure> =>
    Effect.gen(function* () {
      yield* authorize(principal, "revoke key");
      const find = Effect.flatMap(tenantOf(principal), (tenant) => storage.find(tenant, "apiKey", [id]));
      // The platform belongs to no customer, so the key decides whose command it is.
      const customerId = principal.customerId ?? (yield* find)[0]?.customerId;
      if (customerId === undefined) return yield* missing("apiKey");
      return yield* pipeline.run(customerId, principal, options, (execution) =>
        Effect.gen(function* () {
          const [key] = yield* find;
          if (key === undefined || !ApiKey.isWithin(key, principal)) return yield* missing("apiKey");
          const events = ApiKey.revoke(key, execution);
          if (events.length === 0) return noEffect({});
          const saved = Save.appendEvents("apiKey", execution, key, events);
          return { result: {}, requires: [], changes: [saved] };
        }),
      );
    });

  const list = (
    principal: Principal,
    input: ListInput<"apiKey"> = {},
  ): Effect.Effect<Listing<Listed["apiKey"]>, Failure> => listOf(storage, principal, "apiKey", input);

  return {
    /**
     * Creates a key within the principal's own grant; only this result holds the key itself. `mailedTo` is the address to which the
     * link of an invitation was mailed, absent where no mail was asked for or the mail service has not taken it.
     */
    create,
    /**
     * Accepts the invitation with which the principal was verified: revokes it and opens a session of 30 days for its partner in one
     * commit. Only this result holds the key of the session.
     */
    accept,
    /** Revokes a key that reaches no further than the principal, for good; a second time changes nothing. */
    revoke,
    /** One page of the customer's keys that reach no further than the principal, without secrets. */
    list,
  };
});

export class ApiKeys extends Effect.Service<ApiKeys>()("quittance/services/ApiKeys", { effect: make }) {}

/** The token of the platform, which creates a customer's first key. None by default. */
export class AdminToken extends Context.Reference<AdminToken>()("quittance/services/AdminToken", {
  defaultValue: (): Redacted.Redacted | null => null,
}) {}

const PLATFORM = platform("platform:admin");

/** The start of a moment's minute. */
const minuteOf = (now: number): number => now - (now % MINUTE);

/** Keys in the cache. */
const ENTRIES_MAX = 10_000;

/** A key that was valid at its last read. */
interface Known extends CachedCredential {
  readonly key: ApiKey.ApiKey;
  /** The minute of that read; in the next minute the key's use has to be recorded again. */
  readonly minute: number;
}

const NOT_CACHED = Effect.succeed(null);

const verifier = Effect.gen(function* () {
  const context = yield* Effect.context<Directory>();
  const directory = yield* Directory;
  const digest = yield* Digest;
  const admin = yield* AdminToken;
  const adminSha256 = admin === null ? null : yield* digest.sha256Hex(Redacted.value(admin));
  const cache = BoundedCache.make<Known>(ENTRIES_MAX);

  /** The principal of a key that was found and is valid. */
  const principalOf = (key: Versioned<ApiKey.ApiKey> | null) =>
    Effect.clockWith((clock): Effect.Effect<Principal, Unauthorized> => {
      const now = clock.unsafeCurrentTimeMillis();
      if (key === null || !ApiKey.isUsable(key, now)) return Effect.fail(new Unauthorized());
      const principal = ApiKey.principal(key);
      const minute = minuteOf(now);
      const { id, keyId, version } = key;
      cache.set(keyId, {
        key,
        minute,
        principal,
        record: { type: "record", kind: "apiKey", id, version },
      });
      return key.lastUsedAt === null || key.lastUsedAt < minute
        ? Effect.as(Effect.ignore(directory.touch(keyId, minute)), principal)
        : Effect.succeed(principal);
    });

  const verify: TokenVerifierService["verify"] = (token) => {
    if (FORM.test(token)) return Effect.flatMap(Effect.provide(findKey(token), context), principalOf);
    return adminSha256 === null
      ? Effect.fail(new Unauthorized())
      : Effect.flatMap(digest.sha256Hex(token), (tokenSha256) =>
          sameDigest(tokenSha256, adminSha256) ? Effect.succeed(PLATFORM) : Effect.fail(new Unauthorized()),
        );
  };

  const cachedCredential: NonNullable<TokenVerifierService["cachedCredential"]> = (token) => {
    const [, keyId = "", secret = ""] = FORM.exec(token) ?? [];
    const known = cache.get(keyId);
    if (known === undefined) return NOT_CACHED;
    return Effect.flatMap(digest.sha256Hex(secret), (secretSha256) =>
      Effect.clockWith((clock) => {
        const now = clock.unsafeCurrentTimeMillis();
        const good =
          sameDigest(secretSha256, known.key.secretSha256) &&
          ApiKey.isUsable(known.key, now) &&
          known.minute === minuteOf(now);
        return Effect.succeed(good ? known : null);
      }),
    );
  };
  return { verify, cachedCredential };
});

/** Verifies API keys and, when one is set, the admin token. */
export const layerVerifier: Layer.Layer<TokenVerifier, never, Directory> = Layer.effect(
  TokenVerifier,
  verifier,
);
