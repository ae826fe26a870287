/** Balances and movements of a partner, computed from the logs of all its commissions. */
import {
  Commission,
  type Ids,
  Ledger,
  Movement,
  SettledElsewhere,
  type Storage,
  type Timestamp,
} from "quittance";
import type { Partition } from "./Store.ts";

/** One event of a commission, and how it changed the sums. */
interface Change extends Movement.Position {
  readonly event: Commission.CommissionEvent;
  readonly currency: string;
  readonly earned: bigint;
  readonly settled: bigint;
  readonly waiting: bigint;
  readonly pending: bigint;
}

/** As big integers: a difference of two amounts may exceed what one amount can hold. */
const earnedOf = (view: Commission.View | null): bigint => BigInt(view?.computedAmount ?? 0);
const waitingOf = (view: Commission.View | null): bigint => BigInt(view?.waitingAmount ?? 0);
const settledOf = (view: Commission.View | null): bigint =>
  view === null ? 0n : BigInt(Ledger.settledAmount(view));

/** Every event of the partner's commissions before a moment. */
function* changesBefore({ rows, logs }: Partition, partnerId: string, to: Timestamp.Timestamp) {
  for (const { id, partnerId: owner, currency } of rows.commission.values()) {
    if (owner !== partnerId) continue;
    let before: Commission.View | null = null;
    for (const [index, entry] of (logs.commission.get(id) ?? []).entries()) {
      if (entry.at >= to) break;
      const after: Commission.View = Commission.evolve(before, entry);
      const { event } = entry;
      const change: Change = {
        ...{ at: entry.at, recordId: id, sequence: index + 1, event, currency },
        earned: earnedOf(after) - earnedOf(before),
        settled: settledOf(after) - settledOf(before),
        waiting: waitingOf(after) - waitingOf(before),
        pending: BigInt(Movement.pendingChange(event)),
      };
      yield change;
      before = after;
    }
  }
}

/** The sums of the events before a moment, by currency. */
export const balances = (
  partition: Partition,
  partnerId: Ids.PartnerId,
  at: Timestamp.Timestamp,
): ReadonlyArray<Storage.PartnerBalance> => {
  const sums = new Map<string, Storage.PartnerBalance>();
  for (const change of changesBefore(partition, partnerId, at)) {
    const { currency, earned, settled, waiting, pending, event } = change;
    const sum = sums.get(currency);
    sums.set(currency, {
      partnerId,
      currency,
      earned: (sum?.earned ?? 0n) + earned,
      settled: (sum?.settled ?? 0n) + settled,
      waiting: (sum?.waiting ?? 0n) + waiting,
      elsewhere: (sum?.elsewhere ?? 0n) + (event.type === "settle_elsewhere" ? settled : 0n),
      pending: (sum?.pending ?? 0n) + pending,
    });
  }
  return [...sums.values()].sort((a, b) => (a.currency < b.currency ? -1 : 1));
};

/** The number of events that a settlement has caused so far, for one commission. */
const counter = () => {
  const counts = new Map<string, number>();
  return (settlementId: string, commissionId: string): number => {
    const key = `${settlementId} ${commissionId}`;
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    return count;
  };
};

/** The movements of one currency: the events of one moment by which the lines of a settlement change are one. */
const movementsOf = (changes: Iterable<Change>, currency: string): ReadonlyArray<Movement.Movement> => {
  const count = counter();
  const movements = new Map<string, Movement.Movement>();
  for (const { event, ...change } of changes) {
    const settlementId = "settlement_id" in event ? event.settlement_id : null;
    const ordinal = settlementId === null ? change.sequence : count(settlementId, change.recordId);
    const type = Movement.typeOf(event);
    if (type === null || change.currency !== currency) continue;
    const recordId = settlementId ?? change.recordId;
    const key = `${change.at} ${recordId} ${ordinal}`;
    const same = movements.get(key);
    movements.set(key, {
      ...{ at: change.at, recordId, type, cause: event.type === "update_commission" ? event.cause : null },
      receipt: event.type === "update_received" ? { received: event.received, of: event.of } : null,
      settledElsewhere: event.type === "settle_elsewhere" ? SettledElsewhere.settledOf(event) : null,
      sequence: Math.max(same?.sequence ?? 0, change.sequence),
      earned: (same?.earned ?? 0n) + change.earned,
      settled: (same?.settled ?? 0n) + change.settled,
      waiting: (same?.waiting ?? 0n) + change.waiting,
    });
  }
  return [...movements.values()].sort(Movement.compare);
};

/** What is due in a currency after the changes before a moment. */
const due = (changes: Iterable<Change>, currency: string, at: Timestamp.Timestamp): bigint => {
  let sum = 0n;
  for (const change of changes)
    if (change.currency === currency && change.at < at) sum += Movement.amountOf(change);
  return sum;
};

/** A page of the movements of a partner. */
export const page = (
  partition: Partition,
  partnerId: string,
  { currency, from, to, after, limit }: Storage.MovementSpan,
): Storage.MovementPage => {
  const changes = [...changesBefore(partition, partnerId, to)];
  return {
    movements: movementsOf(changes, currency)
      .filter((movement) => movement.at >= from && (after === null || Movement.compare(movement, after) > 0))
      .slice(0, limit),
    due:
      after === null ? { opening: due(changes, currency, from), closing: due(changes, currency, to) } : null,
  };
};
