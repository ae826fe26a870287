/** Turns a bearer credential into a principal. */
import { Context, Data, type Effect } from "effect";
import type { Principal } from "../domain/Principal.ts";
import type { RecordRequirement, StorageError } from "./Storage.ts";

/** No, malformed, unknown, expired or revoked credential: the cases are indistinguishable. */
export class Unauthorized extends Data.TaggedError("Unauthorized")<Record<never, never>> {}

/** The principal of a credential as last verified, and its record in that version: while it is the same, the credential is valid. */
export interface CachedCredential {
  readonly principal: Principal;
  readonly record: RecordRequirement;
}

/** What a host supplies, or the engine's own verifier of API keys. */
export interface TokenVerifierService {
  readonly verify: (token: string) => Effect.Effect<Principal, Unauthorized | StorageError>;
  /**
   * The cached principal of a credential, without a read of the store, or null. It is valid only for a command whose
   * commit requires the record; any other response needs `verify`. A verifier that reads no store does not need it.
   */
  readonly cachedCredential?: (token: string) => Effect.Effect<CachedCredential | null>;
}

/** The verifier. */
export class TokenVerifier extends Context.Tag("quittance/ports/TokenVerifier")<
  TokenVerifier,
  TokenVerifierService
>() {}
