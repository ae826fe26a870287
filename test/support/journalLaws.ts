/** The laws of the journal over all histories of a customer: it balances on each day, and is the payables of every date. */
import { Chunk, Effect, Stream } from "effect";
import { type Journal, Journals, Payables, type Principal } from "quittance";
import { ACCOUNT_OF } from "../../src/domain/Payables.ts";

const DAY = 86_400_000;

/** Derives every entry. */
export const deriveJournal = (owner: Principal.Principal) =>
  Effect.gen(function* () {
    const { entries } = yield* (yield* Journals.Journals).journalStream(owner, { from: 0 });
    return Chunk.toReadonlyArray(yield* Stream.runCollect(entries));
  });

export type Entries = Effect.Effect.Success<ReturnType<typeof deriveJournal>>;

const sumsOf = (
  entries: Entries,
  keyOf: (entry: Entries[number], account: Journal.Account) => string,
): ReadonlyMap<string, bigint> => {
  const sums = new Map<string, bigint>();
  for (const entry of entries)
    for (const { account, amount } of entry.lines) {
      const key = keyOf(entry, account);
      sums.set(key, (sums.get(key) ?? 0n) + amount);
    }
  return sums;
};

/** How payables before a moment differ from the entries before it. */
const payablesProblems = (owner: Principal.Principal, entries: Entries, at: number) =>
  Effect.gen(function* () {
    const { rows } = yield* (yield* Payables.Payables).payables(owner, { at, groupBy: "currency" });
    const before = sumsOf(
      entries.filter((entry) => entry.at < at),
      ({ currency }, account) => `${currency} ${account}`,
    );
    return rows.flatMap((row) =>
      Object.entries(ACCOUNT_OF).flatMap(([name, { account, debit }]) => {
        const balance = (before.get(`${row.currency} ${account}`) ?? 0n) * (debit ? 1n : -1n);
        const shown = row[name as keyof typeof ACCOUNT_OF];
        return shown === balance
          ? []
          : [`${name} in ${row.currency} at ${at} is ${shown}, by the journal ${balance}`];
      }),
    );
  });

/** What breaks the laws; payables are compared at the given moments. */
export const journalProblems = (
  owner: Principal.Principal,
  entries: Entries,
  moments: ReadonlyArray<number>,
) =>
  Effect.gen(function* () {
    const days = sumsOf(entries, ({ at, currency }) => `${currency} of day ${Math.floor(at / DAY)}`);
    const unbalanced = [...days].flatMap(([day, sum]) =>
      sum === 0n ? [] : [`${day} has a balance of ${sum}`],
    );
    const payables = yield* Effect.forEach(moments, (at) => payablesProblems(owner, entries, at));
    return [...unbalanced, ...payables.flat()];
  });
