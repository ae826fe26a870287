/** The posting rules of a customer: which accounts, cost centres and texts the journal has. */
import { Effect } from "effect";
import * as Books from "../domain/Books.ts";
import type { Principal } from "../domain/Principal.ts";
import { type Records, Storage } from "../ports/Storage.ts";
import { authorizeCustomer, type Failure, validate } from "./commands/Access.ts";
import { type CommandOptions, noEffect, Pipeline, type Replayed } from "./commands/Pipeline.ts";
import * as Save from "./commands/Save.ts";

/** The rules as they are read. */
export interface WrittenRules extends Books.Written {
  /** Null where none were ever written. */
  readonly updatedAt: number | null;
}

const validateWrite = validate(Books.Write);

const make = Effect.gen(function* () {
  const storage: Records = yield* Storage;
  const pipeline = yield* Pipeline;

  const read = (principal: Principal): Effect.Effect<WrittenRules, Failure> =>
    Effect.gen(function* () {
      const customerId = yield* authorizeCustomer(principal, "read books");
      const [stored] = yield* storage.find(customerId, "books", [Books.recordIdOf(customerId)]);
      return { ...Books.writtenOf(stored ?? Books.NONE), updatedAt: stored?.lastAt ?? null };
    });

  const write = (
    principal: Principal,
    input: Books.Write,
    options: CommandOptions = {},
  ): Effect.Effect<Replayed, Failure> =>
    Effect.gen(function* () {
      const customerId = yield* authorizeCustomer(principal, "write books");
      const request = yield* validateWrite(input);
      return yield* pipeline.run(customerId, principal, options, (execution) =>
        Effect.gen(function* () {
          const [stored] = yield* storage.find(customerId, "books", [Books.recordIdOf(customerId)]);
          const problem = Books.ratesProblem(stored ?? null, request, execution.at);
          if (problem !== null) return yield* problem;
          const events = Books.write(stored ?? null, request, execution);
          if (events.length === 0) return noEffect({});
          const saved = Save.appendEvents(
            "books",
            execution,
            stored ?? { id: Books.recordIdOf(customerId), customerId },
            events,
          );
          return { result: {}, requires: [], changes: [saved] };
        }),
      );
    });

  return {
    /** The posting rules of the principal's customer; none before they are written. */
    read,
    /** Replaces the posting rules; the journal of every open month follows them at once. Equal ones change nothing. */
    write,
  };
});

/** The service of posting rules. */
export class PostingRules extends Effect.Service<PostingRules>()("quittance/services/PostingRules", {
  effect: make,
}) {}
