/** The outbox port over a state in memory. */
import { Effect } from "effect";
import type { Ids, Outbox } from "quittance";
import type { Envelope, Store } from "./Store.ts";

const claimable = ({ buried, leasedUntil, message }: Envelope, now: number): boolean =>
  !buried && leasedUntil <= now && message.availableAt <= now;

const oldestFirst = ({ message: one }: Envelope, { message: other }: Envelope): number =>
  one.availableAt - other.availableAt || (one.id < other.id ? -1 : 1);

const claim = (store: Store, now: number, limit: number, lease: number): ReadonlyArray<Outbox.Claimed> =>
  [...store.messages.values()]
    .filter((envelope) => claimable(envelope, now))
    .toSorted(oldestFirst)
    .slice(0, limit)
    .map((envelope) => {
      const message = { ...envelope.message, attempt: envelope.message.attempt + 1 };
      store.messages.set(message.id, { ...envelope, message, leasedUntil: now + lease });
      return message;
    });

const amend = (store: Store, id: Ids.MessageId, change: (envelope: Envelope) => Envelope): void => {
  const envelope = store.messages.get(id);
  if (envelope !== undefined) store.messages.set(id, change(envelope));
};

/** The outbox service over a store; a message that is gone is left alone. */
export const make = (store: Store): Outbox.OutboxService => ({
  claim: (now, limit, lease) => Effect.sync(() => claim(store, now, limit, lease)),
  complete: (id) => Effect.sync(() => void store.messages.delete(id)),
  postpone: (id, availableAt, problem) =>
    Effect.sync(() =>
      amend(store, id, ({ message, ...envelope }) => ({
        ...envelope,
        message: { ...message, availableAt },
        leasedUntil: 0,
        problem,
      })),
    ),
  bury: (id, problem) =>
    Effect.sync(() => amend(store, id, (envelope) => ({ ...envelope, buried: true, problem }))),
  depth: Effect.sync(() => {
    let waiting = 0;
    let oldestAt: number | null = null;
    for (const { buried, message } of store.messages.values()) {
      if (buried) continue;
      waiting++;
      oldestAt = Math.min(oldestAt ?? message.availableAt, message.availableAt);
    }
    return { waiting, buried: store.messages.size - waiting, oldestAt };
  }),
});
