/**
 * The relay: appends what commits have logged to the feed of their customer. Any number of relays may work at once, and one
 * that ends at any moment loses nothing and doubles nothing: the store appends a backlog as a whole, where the relay read
 * the end of the feed, or not at all.
 */
import { Cause, Clock, Effect, Exit, LogLevel } from "effect";
import * as EventFeed from "../../domain/EventFeed.ts";
import { type CustomerId, hex } from "../../domain/Ids.ts";
import { Digest } from "../../ports/Digest.ts";
import { IdSource } from "../../ports/IdSource.ts";
import { type Feed, type NewEntry, Storage, type StorageError, type Upkeep } from "../../ports/Storage.ts";
import { logFailure } from "../process/FailureLog.ts";
import * as TimeSlice from "../process/TimeSlice.ts";
import { hashOf } from "./Chain.ts";

/** Events that are appended at once, about. */
const BATCH = 500;
const SALT_BYTES = 16;
/** Events that one advance appends at least, when so many wait. */
const ADVANCED = 2_000;
/** Customers that are looked up at once. */
const CUSTOMERS = 500;
/**
 * How long the relay rests after a batch in the background, as a multiple of the time that the batch took. Reading the feed
 * relays at once, so that work in the background may leave the machine to commits.
 */
const REST = 15;

const make = Effect.gen(function* () {
  const storage: Feed & Upkeep = yield* Storage;
  const ids = yield* IdSource;
  const digest = yield* Digest;

  const chainEntries = (
    customerId: CustomerId,
    head: EventFeed.Head,
    events: ReadonlyArray<EventFeed.LoggedEvent>,
  ) =>
    Effect.gen(function* () {
      const entries: Array<NewEntry> = [];
      let last = head;
      for (const event of events) {
        const salt = hex(yield* ids.randomBytes(SALT_BYTES));
        const eventDigest = yield* digest.sha256Hex(EventFeed.digestInput(salt, event.event));
        const hash = yield* hashOf(digest, customerId, last, { event, eventDigest });
        last = { position: last.position + 1, hash };
        entries.push({ recordId: event.recordId, sequence: event.sequence, salt, hash });
        if (entries.length % 100 === 0) yield* TimeSlice.pause;
      }
      return entries;
    });

  const appendBatch = (customerId: CustomerId): Effect.Effect<number, StorageError> =>
    Effect.gen(function* () {
      const { head, events, token } = yield* storage.feedBacklog(customerId, BATCH);
      if (events.length === 0) return 0;
      const appended = yield* storage.appendToFeed(customerId, {
        head,
        token,
        entries: yield* chainEntries(customerId, head, events),
      });
      // Where another relay was faster, the next step reads what is left.
      return appended ? events.length : 1;
    });

  const advance = (customerId: CustomerId): Effect.Effect<void, StorageError> =>
    Effect.gen(function* () {
      for (let done = 0; done < ADVANCED; ) {
        const count = yield* appendBatch(customerId);
        if (count === 0) return;
        done += count;
      }
    });

  /** Appends all events of a customer, with a rest after each batch. */
  const advanceWithRests = (customerId: CustomerId): Effect.Effect<void, StorageError> =>
    Effect.gen(function* () {
      for (;;) {
        const began = yield* Clock.currentTimeMillis;
        if ((yield* appendBatch(customerId)) === 0) return;
        yield* Effect.sleep(REST * ((yield* Clock.currentTimeMillis) - began));
      }
    });

  /** One that fails does not end the round: its node may be the only one that cannot be reached. */
  const advanceEach = (customers: ReadonlyArray<CustomerId>): Effect.Effect<void> =>
    Effect.gen(function* () {
      let failed = 0;
      let last: Cause.Cause<StorageError> = Cause.empty;
      for (const customerId of customers) {
        const exit = yield* Effect.exit(advanceWithRests(customerId));
        if (Exit.isSuccess(exit)) continue;
        if (Cause.isInterruptedOnly(exit.cause)) return yield* Effect.interrupt;
        failed += 1;
        last = exit.cause;
      }
      if (failed > 0)
        yield* logFailure(
          LogLevel.Warning,
          `events of ${failed} customers could not be appended to the feed`,
          last,
        );
    });

  const round: Effect.Effect<void, StorageError> = Effect.gen(function* () {
    let after: CustomerId | null = null;
    for (;;) {
      const customers: ReadonlyArray<CustomerId> = yield* storage.customersWithFeedBacklog(after, CUSTOMERS);
      yield* advanceEach(customers);
      after = customers.at(-1) ?? null;
      if (customers.length < CUSTOMERS) return;
    }
  });

  return {
    /** Appends the events of a customer, about 2,000 at least, or all that there are. */
    advance,
    /** Appends the events of every customer in the background, with rests. One that fails waits for the next round. */
    round,
  };
});

/** The relay of the event feed. */
export class Relay extends Effect.Service<Relay>()("quittance/services/feed/Relay", { effect: make }) {}
