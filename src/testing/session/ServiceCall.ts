/** A call of a service of the engine, with what it returns and how it fails. */
import type { Effect } from "effect";
import type { Unauthorized } from "../../ports/TokenVerifier.ts";
import type { BatchResult } from "../../services/Attributions.ts";
import type { Failure as Refusal } from "../../services/commands/Access.ts";

/** What a call of a service returns. */
export interface CallResult {
  readonly id?: string;
  readonly replayed?: boolean;
  readonly body?: unknown;
  readonly results?: ReadonlyArray<BatchResult>;
  /** The text of a new key. */
  readonly key?: string;
}

/** How a call of a service fails. */
export type Failure = Refusal | Unauthorized;

/** A call that has not started. */
export type ServiceCall = Effect.Effect<CallResult, Failure>;

/** The options of a call: its idempotency key, if the command has one. */
export const optionsOf = ({
  idempotency,
}: {
  readonly idempotency: { readonly key: string; readonly requestSha256: string } | null;
}) => (idempotency === null ? {} : { idempotency });
