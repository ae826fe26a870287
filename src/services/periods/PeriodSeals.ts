/** Computes the hash and the totals of the journal of a month when it has been closed, stores them with it, and compares them later. */
import { Effect, Stream } from "effect";
import * as AccountingPeriod from "../../domain/AccountingPeriod.ts";
import * as Books from "../../domain/Books.ts";
import type { CustomerId } from "../../domain/Ids.ts";
import { ACCOUNTS, type Account } from "../../domain/Journal.ts";
import { customer } from "../../domain/Principal.ts";
import { Digest } from "../../ports/Digest.ts";
import { type Records, Storage } from "../../ports/Storage.ts";
import type { Failure } from "../commands/Access.ts";
import { noEffect, Pipeline } from "../commands/Pipeline.ts";
import * as Save from "../commands/Save.ts";
import { type JournalEntry, Journals } from "../Journals.ts";

const WORKER = { principalId: "system:periods" };

interface Sums {
  debit: bigint;
  credit: bigint;
}

/** The sums of debits and credits by currency and account. */
const addTotals = (
  sums: Map<string, Map<Account, Sums>>,
  { currency, lines }: Pick<JournalEntry, "currency" | "lines">,
): void => {
  const ofCurrency = sums.get(currency) ?? new Map<Account, Sums>();
  sums.set(currency, ofCurrency);
  for (const { account, amount } of lines) {
    const sum = ofCurrency.get(account) ?? { debit: 0n, credit: 0n };
    ofCurrency.set(account, sum);
    if (amount < 0n) sum.credit -= amount;
    else sum.debit += amount;
  }
};

const totalsOf = (
  sums: ReadonlyMap<string, ReadonlyMap<Account, Sums>>,
): ReadonlyArray<AccountingPeriod.Total> =>
  [...sums.keys()].sort().flatMap((currency) =>
    (Object.keys(ACCOUNTS) as ReadonlyArray<Account>).flatMap((account) => {
      const sum = sums.get(currency)?.get(account);
      return sum === undefined ? [] : [{ currency, account, debit: `${sum.debit}`, credit: `${sum.credit}` }];
    }),
  );

/** The hash and the totals of the journal of a period, read anew in constant memory. */
const compute = (
  customerId: CustomerId,
  period: AccountingPeriod.Period,
): Effect.Effect<AccountingPeriod.Seal, Failure, Journals> =>
  Effect.gen(function* () {
    const digest = yield* Digest;
    const { journalStream } = yield* Journals;
    const span = { from: AccountingPeriod.fromOf(period), to: period.to };
    const { entries } = yield* journalStream(customer(customerId, WORKER.principalId), span);
    const sums = new Map<string, Map<Account, Sums>>();
    let count = 0;
    const sha256 = yield* Stream.runFoldEffect(entries, AccountingPeriod.GENESIS, (previous, entry) => {
      addTotals(sums, entry);
      count++;
      return digest.sha256Hex(AccountingPeriod.hashInput(previous, entry));
    });
    return { sha256, entries: count, totals: totalsOf(sums) };
  });

/** A closed month, and how its journal differs from what was stored of it; null where it does not. */
export interface Comparison {
  readonly month: AccountingPeriod.Month;
  readonly problem: string | null;
}

/** Compares the journal of each closed month of a customer with the hash and the totals that were stored of it. */
export const compare = (
  customerId: CustomerId,
): Effect.Effect<ReadonlyArray<Comparison>, Failure, Journals | Storage> =>
  Effect.gen(function* () {
    const storage: Records = yield* Storage;
    const [books = Books.NONE] = yield* storage.find(customerId, "books", [Books.recordIdOf(customerId)]);
    return yield* Effect.forEach(
      books.periods.filter((period) => AccountingPeriod.statusOf(period) === "closed"),
      (period) =>
        Effect.map(compute(customerId, period), (journal) => ({
          month: period.month,
          problem: AccountingPeriod.sealProblem(period, journal),
        })),
    );
  });

const make = Effect.gen(function* () {
  const storage: Records = yield* Storage;
  const journals = yield* Journals;
  const pipeline = yield* Pipeline;

  const booksOf = (customerId: CustomerId) =>
    Effect.map(storage.find(customerId, "books", [Books.recordIdOf(customerId)]), ([found]) => found ?? null);

  const run = (customerId: CustomerId): Effect.Effect<void, Failure> =>
    Effect.gen(function* () {
      const books = yield* booksOf(customerId);
      const period = books?.periods.find((one) => AccountingPeriod.statusOf(one) === "closing");
      if (period === undefined) return;
      const journal = yield* Effect.provideService(compute(customerId, period), Journals, journals);
      yield* pipeline.run(customerId, WORKER, {}, (execution) =>
        Effect.map(booksOf(customerId), (stored) => {
          const events = stored === null ? [] : AccountingPeriod.seal(stored, period, journal, execution);
          if (stored === null || events.length === 0) return noEffect({});
          return {
            result: {},
            requires: [],
            changes: [Save.appendEvents("books", execution, stored, events)],
          };
        }),
      );
    });

  return {
    /** Stores hash and totals of the first month that has none; does nothing when each has. */
    run,
  };
});

/** The service that seals closed months. */
export class PeriodSeals extends Effect.Service<PeriodSeals>()("quittance/services/PeriodSeals", {
  effect: make,
}) {}
