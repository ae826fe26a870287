/** Work that failed, for operators. */
import { Cause, Context, Effect, type Runtime, Stream } from "effect";
import { DeadLetters, type Ids, type Storage } from "quittance";
import * as Call from "./Call.ts";
import { errorFromCause } from "./Failure.ts";

/** A message that the worker could not process. */
export interface DeadLetter {
  readonly id: string;
  readonly topic: string;
  readonly customerId: string;
  readonly problem: string | null;
}

/** Lists the messages and tries them again. */
export const make = (runtime: Runtime.Runtime<DeadLetters.DeadLetters>, call: Call.Call) => {
  const deadLetters = Context.get(runtime.context, DeadLetters.DeadLetters);
  return {
    /** Every message that failed or waits without a worker, with its last problem, oldest first. */
    list: async function* (): AsyncGenerator<DeadLetter, void> {
      await call(Call.OPERATOR, Effect.void);
      const messages = Stream.mapErrorCause(deadLetters.list, Cause.fail);
      try {
        yield* Stream.toAsyncIterableRuntime(messages, runtime);
      } catch (cause) {
        throw errorFromCause(cause as Cause.Cause<Storage.StorageError>);
      }
    },
    /** Tries the messages of some ids again at once; resolves to their number. */
    retry: async (ids: ReadonlyArray<string>, signal: Call.Signal = {}): Promise<number> =>
      await call({ ...Call.OPERATOR, ...signal }, deadLetters.retry(ids as ReadonlyArray<Ids.MessageId>)),
    /** Tries every message of the list again at once; resolves to their number. */
    retryAll: async (signal: Call.Signal = {}): Promise<number> =>
      await call({ ...Call.OPERATOR, ...signal }, deadLetters.retryAll),
  };
};
