/** Invariants of logs: a row is the fold of its log, and the moments of a log never decrease. */
import type { Entry } from "../../domain/Event.ts";
import { type Logged, recordIdOf, type Versioned } from "../../ports/Storage.ts";
import type { LedgerSnapshot } from "../LedgerSnapshot.ts";
import { replayDifference } from "../ReplayDifference.ts";
import type { Invariant } from "./Invariant.ts";

/** A record of a kind, with its log. */
interface Record<Kind extends keyof Logged> {
  readonly row: Versioned<Logged[Kind]["record"]>;
  readonly log: ReadonlyArray<Entry<Logged[Kind]["event"]>>;
}

type Check = <Kind extends keyof Logged>(kind: Kind, record: Record<Kind>) => string | null;

function* checkRecords(snapshot: LedgerSnapshot, check: Check): Generator<string> {
  for (const record of snapshot.attributions) yield* checkRecord("attribution", record, check);
  for (const record of snapshot.formulas) yield* checkRecord("formula", record, check);
  for (const record of snapshot.plans) yield* checkRecord("plan", record, check);
  for (const record of snapshot.commissions) yield* checkRecord("commission", record, check);
  for (const record of snapshot.settlements) yield* checkRecord("settlement", record, check);
  for (const record of snapshot.controls) yield* checkRecord(record.kind, record, check);
}

function* checkRecord<Kind extends keyof Logged>(
  kind: Kind,
  record: Record<Kind>,
  check: Check,
): Generator<string> {
  const problem = check(kind, record);
  if (problem !== null) yield `${kind} ${recordIdOf(record.row)}: ${problem}`;
}

const folded: Invariant = {
  name: "L1",
  statement: "Every row is the fold of its log.",
  violations: (snapshot) => checkRecords(snapshot, (kind, { row, log }) => replayDifference(kind, row, log)),
};

const orderProblem = (log: ReadonlyArray<{ readonly at: number }>): string | null => {
  const index = log.findIndex(({ at }, index) => at < (log[index - 1]?.at ?? at));
  return index < 0 ? null : `entry ${index + 1} is earlier than the entry before it`;
};

const forward: Invariant = {
  name: "L2",
  statement: "A log has as many entries as its record's version says, and its moments never decrease.",
  violations: (snapshot) =>
    checkRecords(snapshot, (_, { row, log }) =>
      log.length === row.version ? orderProblem(log) : `version ${row.version}, ${log.length} entries`,
    ),
};

/** Every invariant of logs that a store alone can show. */
export const logs: ReadonlyArray<Invariant> = [folded, forward];
