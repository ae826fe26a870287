/** Turns a bearer credential into a principal. */
import { Context, Data, type Effect } from "effect";
import type { Principal } from "../domain/Principal.ts";
import type { Requirement, StorageError } from "./Storage.ts";

/** No, malformed, unknown, expired or revoked credential: nothing tells the cases apart. */
export class Unauthorized extends Data.TaggedError("Unauthorized")<Record<never, never>> {}

/** Whom a credential made its bearer when it was last verified, and what of the store shows that it still does. */
export interface CachedCredential {
  readonly principal: Principal;
  readonly requires: Requirement;
}

/** What a host supplies, or the engine's own verifier of API keys. */
export interface TokenVerifierService {
  readonly verify: (token: string) => Effect.Effect<Principal, Unauthorized | StorageError>;
  /**
   * What is known of a credential without asking the store, or null. It is good for a command whose commit has the
   * requirement; whatever else is answered needs `verify`. A verifier that asks no store has no need of it.
   */
  readonly cachedCredential?: (token: string) => Effect.Effect<CachedCredential | null>;
}

/** The verifier in force. */
export class TokenVerifier extends Context.Tag("quittance/ports/TokenVerifier")<
  TokenVerifier,
  TokenVerifierService
>() {}
