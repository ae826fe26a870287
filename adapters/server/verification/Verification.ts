/** Verifies a live store: logs, books, lines, credits, amounts, totals, statistics, documents, closed months and the event feed, on one snapshot. */
import { Effect, Stream } from "effect";
import type { Ids, Storage } from "quittance";
import { forEachCustomer } from "../Snapshot.ts";
import type { PersistentDatabase } from "../Store.ts";
import { amounts } from "./Amounts.ts";
import type { Check, Counter, Finding } from "./Check.ts";
import { credits } from "./Credits.ts";
import { feed } from "./Feed.ts";
import { links } from "./Links.ts";
import { logs } from "./Logs.ts";
import { periods } from "./Periods.ts";
import { statements } from "./Statements.ts";

/** Every check, in the order in which they run for each customer. */
const CHECKS: ReadonlyArray<Check> = [logs, ...statements, links, credits, amounts, periods, feed];

/** Calls a function with everything that is wrong in a store; returns the number of customers. */
export const verify = <E>(
  database: PersistentDatabase,
  only: Ids.CustomerId | null,
  report: (finding: Finding) => Effect.Effect<void, E>,
  counter: Counter,
): Effect.Effect<number, E | Storage.StorageError> =>
  forEachCustomer<E>(database, only, (reader) =>
    Effect.forEach(CHECKS, ({ find }) => Stream.runForEach(find(reader, counter), report), { discard: true }),
  );
