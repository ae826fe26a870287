/**
 * The balances and statements of partners, compared with a ledger of its own: every log is replayed in double entry, which
 * shares no code with the engine, and what each event changed is summed by its own datetime.
 */
import { amountOf } from "../../domain/Movement.ts";
import * as DoubleEntry from "../DoubleEntry.ts";
import { byPartner, type LoggedCommissions, type Reading } from "../StatementReadings.ts";
import type { Invariant } from "./Invariant.ts";

/** What one event changed of the sums of its commission. */
interface Change {
  readonly at: number;
  readonly currency: string;
  readonly earned: bigint;
  readonly settled: bigint;
  readonly waiting: bigint;
  readonly pending: bigint;
  /** The movement that the event belongs to; null for events that are none. */
  readonly movement: string | null;
}

/** The movement of an event: its `own` for a new amount, one for all lines of a settlement that turn at one moment. */
const movementOf = (
  own: string,
  { at, event }: Pick<LoggedCommissions[number]["log"][number], "at" | "event">,
  turns: Map<string, number>,
): string | null => {
  switch (event.type) {
    case "create_commission":
    case "update_commission":
    case "update_received":
    case "settle_elsewhere":
      return own;
    case "settle_commission":
    case "reopen_commission": {
      const turn = (turns.get(event.settlement_id) ?? 0) + 1;
      turns.set(event.settlement_id, turn);
      return `${event.settlement_id} ${turn} ${at}`;
    }
    default:
      return null;
  }
};

/** What every event of these commissions changed, by a replay in double entry. */
export const changesOf = (commissions: LoggedCommissions): ReadonlyArray<Change> =>
  commissions.flatMap(({ row, log }) => {
    const turns = new Map<string, number>();
    return DoubleEntry.steps(log).map(({ event, before, now }, index): Change => {
      const at = log[index]?.at ?? 0;
      return {
        at,
        currency: row.currency,
        earned: (now.computed ?? 0n) - (before.computed ?? 0n),
        settled: DoubleEntry.settledAmount(now) - DoubleEntry.settledAmount(before),
        waiting: DoubleEntry.waiting(now) - DoubleEntry.waiting(before),
        pending: now.pending - before.pending,
        movement: movementOf(`${row.id} ${index}`, { at, event }, turns),
      };
    });
  });

/** What is due in a currency before a moment. */
export const dueBefore = (changes: ReadonlyArray<Change>, currency: string, at: number): bigint =>
  changes.reduce(
    (sum, change) =>
      change.currency === currency && change.at < at
        ? sum + change.earned - change.settled - change.waiting
        : sum,
    0n,
  );

const balancesOf = (changes: ReadonlyArray<Change>, at: number): string => {
  const sums = new Map<string, [bigint, bigint, bigint, bigint]>();
  for (const change of changes) {
    if (change.at >= at) continue;
    const [earned, settled, waiting, pending] = sums.get(change.currency) ?? [0n, 0n, 0n, 0n];
    sums.set(change.currency, [
      ...([earned + change.earned, settled + change.settled] as const),
      ...([waiting + change.waiting, pending + change.pending] as const),
    ]);
  }
  return [...sums]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(
      ([currency, [earned, settled, waiting, pending]]) =>
        `${currency} ${earned} ${settled} ${waiting} ${pending}`,
    )
    .join(", ");
};

/** The movements of a span, each as its moment and amount, in an order of their own. */
const expectedMovements = (
  changes: ReadonlyArray<Change>,
  { currency, from, to }: Reading,
): ReadonlyArray<string> => {
  const amounts = new Map<string, { readonly at: number; readonly amount: bigint }>();
  for (const { movement, at, earned, settled, waiting, currency: own } of changes) {
    if (movement === null || own !== currency || at < from || at >= to) continue;
    amounts.set(movement, { at, amount: (amounts.get(movement)?.amount ?? 0n) + earned - settled - waiting });
  }
  return [...amounts.values()].map(({ at, amount }) => `${at} ${amount}`).sort();
};

function* compareStatement(changes: ReadonlyArray<Change>, reading: Reading): Generator<string> {
  const { currency, from, to, opening, closing, movements } = reading;
  const what = `the statement in ${currency} from ${from} to ${to}`;
  const sum = movements.reduce((total, movement) => total + amountOf(movement), 0n);
  if (opening + sum !== closing)
    yield `${what}: opening ${opening} and movements ${sum} are not closing ${closing}`;
  for (const [name, found, at] of [
    ["opening", opening, from],
    ["closing", closing, to],
  ] as const) {
    const due = dueBefore(changes, currency, at);
    if (found !== due) yield `${what}: ${name} ${found}, by the ledger ${due}`;
  }
  const shown = movements.map((movement) => `${movement.at} ${amountOf(movement)}`);
  const isOrdered = movements.every(({ at }, index) => index === 0 || (movements[index - 1]?.at ?? 0) <= at);
  if (!isOrdered) yield `${what}: movements are out of order`;
  const expected = expectedMovements(changes, reading);
  const found = shown.toSorted();
  const at = expected.findIndex((candidate, index) => found[index] !== candidate);
  if (at >= 0 || found.length !== expected.length)
    yield `${what}: ${found.length} movements, by the ledger ${expected.length}; first difference: ${found[Math.max(0, at)]}, by the ledger ${expected[Math.max(0, at)]}`;
}

/** Every invariant of balances and statements. */
export const statements: ReadonlyArray<Invariant> = [
  {
    name: "M14",
    statement:
      "The balance of a partner at a date is the sum of what the events dated before it changed; opening balance plus movements is the closing balance, and both are balances.",
    *violations({ statements: found, commissions }) {
      const own = byPartner(commissions);
      for (const { partnerId, balances, statements: shown, problem } of found) {
        if (problem !== undefined) yield `partner ${partnerId}: ${problem}`;
        const changes = changesOf(own[partnerId] ?? []);
        for (const { at, found: balance } of balances) {
          const text = balance
            .map(
              ({ currency, earned, settled, waiting, pending }) =>
                `${currency} ${earned} ${settled} ${waiting} ${pending}`,
            )
            .join(", ");
          const due = balancesOf(changes, at);
          if (text !== due) yield `partner ${partnerId} at ${at}: ${text}; by the ledger ${due}`;
        }
        for (const reading of shown)
          for (const difference of compareStatement(changes, reading))
            yield `partner ${partnerId}: ${difference}`;
      }
    },
  },
];
