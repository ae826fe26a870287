/** Closes the books of months, and opens the last closed one again. */
import { Effect, type Either } from "effect";
import * as AccountingPeriod from "../domain/AccountingPeriod.ts";
import * as Books from "../domain/Books.ts";
import type { Principal } from "../domain/Principal.ts";
import type { Conflict } from "../domain/Refusal.ts";
import { type Records, Storage } from "../ports/Storage.ts";
import { authorizeCustomer, type Failure, validate } from "./commands/Access.ts";
import {
  type CommandOptions,
  type Execution,
  noEffect,
  Pipeline,
  type Replayed,
} from "./commands/Pipeline.ts";
import * as Save from "./commands/Save.ts";

/** The months that are or were closed, in their order. */
export interface Periods {
  readonly periods: ReadonlyArray<AccountingPeriod.Period>;
  /** The only month that may be closed next, once it has ended; null where any may be, because none ever was. */
  readonly nextMonth: AccountingPeriod.Month | null;
}

const validateMonth = validate(AccountingPeriod.Month);
const validateReopen = validate(AccountingPeriod.Reopen);

const make = Effect.gen(function* () {
  const storage: Records = yield* Storage;
  const pipeline = yield* Pipeline;

  const read = (principal: Principal): Effect.Effect<Periods, Failure> =>
    Effect.gen(function* () {
      const customerId = yield* authorizeCustomer(principal, "read books");
      const [books = Books.NONE] = yield* storage.find(customerId, "books", [Books.recordIdOf(customerId)]);
      return { periods: books.periods, nextMonth: AccountingPeriod.nextMonth(books) };
    });

  /** Runs a command that decides on the books. */
  const act = (
    { principal, options }: { readonly principal: Principal; readonly options: CommandOptions },
    decide: (
      books: AccountingPeriod.View,
      execution: Execution,
    ) => Either.Either<ReadonlyArray<AccountingPeriod.PeriodEvent>, Conflict>,
  ): Effect.Effect<Replayed, Failure> =>
    Effect.gen(function* () {
      const customerId = yield* authorizeCustomer(principal, "write books");
      const id = Books.recordIdOf(customerId);
      return yield* pipeline.run(customerId, principal, options, (execution) =>
        Effect.gen(function* () {
          const [stored] = yield* storage.find(customerId, "books", [id]);
          const events = yield* decide(stored ?? Books.NONE, execution);
          if (events.length === 0) return noEffect({});
          const saved = Save.appendEvents("books", execution, stored ?? { id, customerId }, events);
          const seals = events.some(({ type }) => type === "close_period");
          return {
            ...{ result: {}, requires: [], changes: [saved] },
            outbox: seals ? [{ topic: "seal_period", recordId: id, reference: null }] : [],
          };
        }),
      );
    });

  const close = (
    principal: Principal,
    month: AccountingPeriod.Month,
    options: CommandOptions = {},
  ): Effect.Effect<Replayed, Failure> =>
    Effect.gen(function* () {
      yield* authorizeCustomer(principal, "write books");
      const closed = yield* validateMonth(month);
      return yield* act({ principal, options }, (books, execution) =>
        AccountingPeriod.close(books, closed, execution.at, execution),
      );
    });

  const reopen = (
    principal: Principal,
    month: AccountingPeriod.Month,
    input: AccountingPeriod.Reopen,
    options: CommandOptions = {},
  ): Effect.Effect<Replayed, Failure> =>
    Effect.gen(function* () {
      yield* authorizeCustomer(principal, "write books");
      const opened = yield* validateMonth(month);
      const request = yield* validateReopen(input);
      return yield* act({ principal, options }, (books, execution) =>
        AccountingPeriod.reopen(books, opened, request, execution),
      );
    });

  return {
    /** The months of the principal's customer that are or were closed, and the one that may be closed next. */
    read,
    /**
     * Closes a month that has ended: nothing is dated in it any more, and its postings keep the present posting rules. The first
     * closed month contains everything before. A worker stores the hash of its journal. Closing it again changes nothing.
     */
    close,
    /** Opens the last closed month again, by another person than the one who closed it. */
    reopen,
  };
});

/** The service of accounting periods. */
export class AccountingPeriods extends Effect.Service<AccountingPeriods>()(
  "quittance/services/AccountingPeriods",
  { effect: make },
) {}
