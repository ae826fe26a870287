/** Turns a bearer credential into a principal. */
import { Context, Data, type Effect } from "effect";
import type { Principal } from "../domain/Principal.ts";
import type { StorageFailed } from "./Storage.ts";

/** No, malformed, unknown, expired or revoked credential: nothing tells the cases apart. */
export class Unauthorized extends Data.TaggedError("Unauthorized")<Record<never, never>> {}

/** What a host supplies, or the engine's own verifier of API keys. */
export interface TokenVerifierService {
  readonly verify: (token: string) => Effect.Effect<Principal, Unauthorized | StorageFailed>;
}

/** The verifier in force. */
export class TokenVerifier extends Context.Tag("quittance/ports/TokenVerifier")<
  TokenVerifier,
  TokenVerifierService
>() {}
