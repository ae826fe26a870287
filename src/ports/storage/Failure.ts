/** How operations of the store fail. */
import { Data } from "effect";
import { DAY, HOUR } from "../../domain/Durations.ts";
import { innermostMessage } from "../InnermostMessage.ts";

/** Something that the change set relies on has changed; nothing was stored. */
export class VersionConflict extends Data.TaggedError("VersionConflict")<{
  /** A kind of record, or the unique key that another record holds. */
  readonly what: string;
}> {}

/** The idempotency key has been used by a command that is stored; nothing was stored. */
export class IdempotencyKeyUsed extends Data.TaggedError("IdempotencyKeyUsed")<Record<never, never>> {}

/** An operation of the store failed. */
export class StorageError extends Data.TaggedError("StorageError")<{
  /**
   * `unavailable`: nothing was stored, another try may succeed. `unknown`: a commit was sent and its reply lost.
   * `broken`: the store failed in a way that the caller cannot correct.
   */
  readonly reason: "unavailable" | "unknown" | "broken";
  readonly cause: unknown;
  /** True if the store has logged the outage that the failure belongs to, so that its callers do not log it once each. */
  readonly isLogged?: boolean;
}> {
  /** The reason, and the message of the innermost cause; what a log shows. */
  override get message(): string {
    return `${this.reason}: ${innermostMessage(this.cause)}`;
  }
}

/** True if a failed command may be stored all the same: a commit was sent and its reply lost. */
export const mayBeStored = (failure: object): boolean =>
  failure instanceof StorageError && failure.reason === "unknown";

/** How long the id of a stored command is kept at least. */
export const COMMAND_RETENTION_MILLISECONDS = DAY;

/** The age up to which the absence of a command's id proves that it is not stored; well below {@link COMMAND_RETENTION_MILLISECONDS}. */
export const ABSENCE_IS_CONCLUSIVE_MILLISECONDS = 12 * HOUR;

/** The failure of {@link Records.isCommitted} for a command whose id may have been removed. */
export const possiblyPrunedError = (): StorageError =>
  new StorageError({
    reason: "unknown",
    cause: new Error("a command this old may have been stored and its id pruned"),
  });
