/**
 * Work that commits have requested, claimed by workers: at least once, one worker at a time.
 *
 * Every moment and every duration is by the store's clock, so that a worker whose own clock is wrong neither takes what
 * another one works on nor leaves anything waiting.
 */
import { Context, type Effect } from "effect";
import type { CustomerId, MessageId } from "../domain/Ids.ts";
import type { Timestamp } from "../domain/Timestamp.ts";
import type { Message, StorageError, Topic } from "./Storage.ts";

/** One claim of a message; once the message has been claimed again, what refers to this claim changes nothing. */
export interface Claim {
  readonly id: MessageId;
  /** The customer of the message: a distributed store finds the row by it. */
  readonly customerId: CustomerId;
  /** Counts the claims of the message; 0 refers to a message that has never been claimed. */
  readonly claim: number;
}

/** A claimed message; no other claim returns it before its lease ends. */
export interface Claimed extends Claim, Omit<Message, "delayMilliseconds"> {
  /** As the last {@link OutboxService.postpone} set it; 0 at first. */
  readonly failures: number;
  /** Leases in a row that ended before their worker released the message: the message may be what ends the process. */
  readonly lostLeases: number;
}

/** Which messages to claim. */
export interface ClaimQuery {
  readonly topics: ReadonlyArray<Topic>;
  readonly limit: number;
  readonly leaseMilliseconds: number;
  /** Customers whose messages are left where they are; none by default. */
  readonly exceptCustomers?: ReadonlyArray<CustomerId>;
}

/** How a message is postponed. */
export interface Postponement {
  readonly delayMilliseconds: number;
  /** The new {@link Claimed.failures}. */
  readonly failures: number;
  /** For operators; null when there is none. */
  readonly problem: string | null;
  /** True if {@link OutboxService.unpark} ends the delay; it does not by default. */
  readonly parked?: boolean;
}

/** What has become of a message; `parked` ones wait for a worker that is configured differently. */
export type MessageState = "waiting" | "claimed" | "parked" | "dead";

/** A message as operators see it. */
export interface Listed extends Claimed {
  readonly state: MessageState;
  /** When it may be claimed. */
  readonly availableAt: Timestamp;
  readonly problem: string | null;
}

/** How much work there is of one topic. */
export interface Depth {
  readonly topic: Topic;
  /** Claimed, postponed and parked messages included. */
  readonly waiting: number;
  readonly deadLettered: number;
  /** How long the waiting message that is due longest has been due; 0 when none is. */
  readonly overdueMilliseconds: number;
}

/** What a host supplies in addition to the store; messages enter through commits alone. */
export interface OutboxService {
  /**
   * Claims up to `limit` available messages of the topics, those first that have been available longest. While a part of a
   * distributed store cannot be reached, those of the rest.
   */
  readonly claim: (query: ClaimQuery) => Effect.Effect<ReadonlyArray<Claimed>, StorageError>;
  /** Renews the leases of claims: they end no earlier than so long from now. */
  readonly renew: (
    claims: ReadonlyArray<Claim>,
    leaseMilliseconds: number,
  ) => Effect.Effect<void, StorageError>;
  /** Removes a message that is done. */
  readonly complete: (claim: Claim) => Effect.Effect<void, StorageError>;
  /** Releases a message as it was, available at once and in its old position. */
  readonly release: (claim: Claim) => Effect.Effect<void, StorageError>;
  /** Releases a message, to be claimed again after a delay; its lost leases are counted from 0 again. */
  readonly postpone: (claim: Claim, postponement: Postponement) => Effect.Effect<void, StorageError>;
  /**
   * Makes the parked messages of the topics available. While a part of a distributed store cannot be reached, those of the
   * rest, and then fails.
   */
  readonly unpark: (topics: ReadonlyArray<Topic>) => Effect.Effect<void, StorageError>;
  /** Dead-letters a message; it stays for operators and is not claimed again unless one requeues it. */
  readonly deadLetter: (claim: Claim, problem: string) => Effect.Effect<void, StorageError>;
  /** Messages that are dead or parked, have failed or lost a lease, after an id (null: from the first), ordered by id. */
  readonly list: (
    after: MessageId | null,
    limit: number,
  ) => Effect.Effect<ReadonlyArray<Listed>, StorageError>;
  /**
   * Makes the messages of the ids available that are dead or parked, have failed or lost a lease, and counts failures and
   * lost leases from 0 again; returns how many. A claimed one becomes available when its lease ends.
   */
  readonly requeue: (ids: ReadonlyArray<MessageId>) => Effect.Effect<number, StorageError>;
  /** For each topic of which there are messages: those waiting, those dead-lettered, and how long the oldest has been due. */
  readonly depth: Effect.Effect<ReadonlyArray<Depth>, StorageError>;
}

/** The outbox that a host supplies. */
export class Outbox extends Context.Tag("quittance/ports/Outbox")<Outbox, OutboxService>() {}
