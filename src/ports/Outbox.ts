/** Work that commits have asked for, claimed by workers: at least once, one worker at a time. */
import { Context, type Effect } from "effect";
import type { MessageId } from "../domain/Ids.ts";
import type { Timestamp } from "../domain/Timestamp.ts";
import type { Message, StorageFailed } from "./Storage.ts";

/** A claimed message: nobody else gets it before the lease ends. */
export interface Claimed extends Message {
  /** Claims so far, this one included. */
  readonly attempt: number;
}

/** How much work there is. */
export interface Depth {
  readonly waiting: number;
  readonly buried: number;
  readonly oldestAt: Timestamp | null;
}

/** What a host supplies beside the store; messages enter through commits alone. */
export interface OutboxService {
  /** Claims up to `limit` messages that are available at `now`, oldest first, until `now + leaseMilliseconds`. */
  readonly claim: (
    now: Timestamp,
    limit: number,
    leaseMilliseconds: number,
  ) => Effect.Effect<ReadonlyArray<Claimed>, StorageFailed>;
  /** Removes a message that is done. */
  readonly complete: (id: MessageId) => Effect.Effect<void, StorageFailed>;
  /** Gives a message back, to be claimed again at `availableAt`; the problem is kept for operators. */
  readonly postpone: (
    id: MessageId,
    availableAt: Timestamp,
    problem: string,
  ) => Effect.Effect<void, StorageFailed>;
  /** Sets a message aside for good; it is kept for operators and never claimed again. */
  readonly bury: (id: MessageId, problem: string) => Effect.Effect<void, StorageFailed>;
  /** Messages waiting and set aside, and the earliest `availableAt` among those that wait, null when none does. */
  readonly depth: Effect.Effect<Depth, StorageFailed>;
}

/** The outbox that a host supplies. */
export class Outbox extends Context.Tag("quittance/ports/Outbox")<Outbox, OutboxService>() {}
