/** Dead letters, for operators: lists messages that cannot be performed, and tries them again. */
import { Chunk, Effect, Option, Stream } from "effect";
import type { MessageId } from "../domain/Ids.ts";
import { type Listed, Outbox } from "../ports/Outbox.ts";
import type { StorageError } from "../ports/Storage.ts";

/** Messages read at a time. */
const PAGE = 100;

const make = Effect.gen(function* () {
  const outbox = yield* Outbox;

  const list: Stream.Stream<Listed, StorageError> = Stream.paginateChunkEffect<
    MessageId | null,
    Listed,
    StorageError,
    never
  >(null, (after) =>
    Effect.map(outbox.list(after, PAGE), (found) => [
      Chunk.unsafeFromArray(found),
      found.length < PAGE ? Option.none() : Option.fromNullable(found.at(-1)?.id),
    ]),
  );

  const retry = (ids: ReadonlyArray<MessageId>): Effect.Effect<number, StorageError> => outbox.requeue(ids);

  return {
    /**
     * Every message that is dead, is parked, has failed since its last progress, or was left by a process that ended,
     * with its last problem; ordered by id, oldest first. For the operator: it spans customers.
     */
    list,
    /**
     * Makes the messages of the ids available at once, with their failures counted from 0; returns how many. An
     * id that {@link list} does not show is passed over.
     */
    retry,
    /** The same for every message that {@link list} shows. */
    retryAll: Stream.runFoldEffect(Stream.rechunk(list, PAGE).pipe(Stream.chunks), 0, (count, chunk) =>
      Effect.map(retry(Chunk.toReadonlyArray(chunk).map(({ id }) => id)), (retried) => count + retried),
    ),
  };
});

export class DeadLetters extends Effect.Service<DeadLetters>()("quittance/services/DeadLetters", {
  effect: make,
}) {}
