/** The outbox port over a state in memory. Its clock is that of the process that made the store. */
import { type Clock, Effect } from "effect";
import type { Ids, Outbox, Storage } from "quittance";
import type { Envelope, Store } from "./Store.ts";

const isClaimable = ({ deadLettered, leasedUntil, availableAt }: Envelope, now: number): boolean =>
  !deadLettered && leasedUntil <= now && availableAt <= now;

/** Of two that are available since the same moment, the one sent first stays first. */
const oldestFirst = (a: Envelope, b: Envelope): number => a.availableAt - b.availableAt;

const claim = (store: Store, now: number, query: Outbox.ClaimQuery): ReadonlyArray<Outbox.Claimed> =>
  [...store.messages.values()]
    .filter(
      (envelope) =>
        isClaimable(envelope, now) &&
        query.topics.includes(envelope.message.topic) &&
        query.exceptCustomers?.includes(envelope.message.customerId) !== true,
    )
    .toSorted(oldestFirst)
    .slice(0, query.limit)
    .map((envelope) => {
      const { message } = envelope;
      const lostLeases = message.lostLeases + (envelope.leasedUntil > 0 ? 1 : 0);
      const claimed = { ...message, claim: message.claim + 1, lostLeases };
      const leasedUntil = now + query.leaseMilliseconds;
      store.messages.set(message.id, { ...envelope, message: claimed, leasedUntil, parked: false });
      return claimed;
    });

const stateOf = ({ deadLettered, parked, leasedUntil }: Envelope, now: number): Outbox.MessageState =>
  deadLettered ? "dead" : leasedUntil > now ? "claimed" : parked ? "parked" : "waiting";

const isTroubled = ({ deadLettered, parked, message }: Envelope): boolean =>
  deadLettered || parked || message.failures > 0 || message.lostLeases > 0;

const requeue = (store: Store, now: number, ids: ReadonlyArray<Ids.MessageId>): number => {
  let count = 0;
  for (const id of new Set(ids)) {
    const envelope = store.messages.get(id);
    if (envelope === undefined || !isTroubled(envelope)) continue;
    const message = { ...envelope.message, failures: 0, lostLeases: 0 };
    const availableAt = Math.min(envelope.availableAt, now);
    store.messages.set(id, { ...envelope, message, availableAt, deadLettered: false, parked: false });
    count++;
  }
  return count;
};

/** Makes the waiting messages of a customer and topic available. */
export const wake = (store: Store, now: number, customerId: Ids.CustomerId, topic: Storage.Topic): void => {
  for (const [id, envelope] of store.messages) {
    const { message, deadLettered, availableAt } = envelope;
    if (message.customerId === customerId && message.topic === topic && !deadLettered && availableAt > now)
      store.messages.set(id, { ...envelope, availableAt: now });
  }
};

const depth = (store: Store, now: number): ReadonlyArray<Outbox.Depth> => {
  const depths = new Map<Storage.Topic, Outbox.Depth>();
  for (const { deadLettered, availableAt, message } of store.messages.values()) {
    const { topic } = message;
    const found = depths.get(topic) ?? { topic, waiting: 0, deadLettered: 0, overdueMilliseconds: 0 };
    depths.set(
      topic,
      deadLettered
        ? { ...found, deadLettered: found.deadLettered + 1 }
        : {
            ...found,
            waiting: found.waiting + 1,
            overdueMilliseconds: Math.max(found.overdueMilliseconds, now - availableAt),
          },
    );
  }
  return [...depths.values()];
};

/** The outbox service over a store; a claim that is no longer the message's last is left alone. */
export const make = (store: Store, clock: Clock.Clock): Outbox.OutboxService => {
  const atNow = <A>(work: (now: number) => A): Effect.Effect<A> =>
    Effect.sync(() => work(clock.unsafeCurrentTimeMillis()));
  const amend = (
    claims: ReadonlyArray<Outbox.Claim>,
    change: (envelope: Envelope, now: number) => Envelope,
  ) =>
    atNow((now) => {
      for (const { id, claim } of claims) {
        const envelope = store.messages.get(id);
        if (envelope?.message.claim === claim) store.messages.set(id, change(envelope, now));
      }
    });
  return {
    claim: (query) => atNow((now) => claim(store, now, query)),
    renew: (claims, lease) =>
      amend(claims, (envelope, now) => ({
        ...envelope,
        leasedUntil: Math.max(envelope.leasedUntil, now + lease),
      })),
    complete: ({ id, claim }) =>
      Effect.sync(() => {
        if (store.messages.get(id)?.message.claim === claim) store.messages.delete(id);
      }),
    release: (claim) =>
      amend([claim], (envelope, now) => ({
        ...envelope,
        availableAt: Math.min(envelope.availableAt, now),
        leasedUntil: 0,
      })),
    postpone: (claim, { delayMilliseconds, failures, problem, parked = false }) =>
      amend([claim], ({ message, ...rest }, now) => ({
        ...rest,
        message: { ...message, failures, lostLeases: 0 },
        availableAt: now + delayMilliseconds,
        leasedUntil: 0,
        problem,
        parked,
      })),
    unpark: (topics) =>
      atNow((now) => {
        for (const [id, envelope] of store.messages)
          if (envelope.parked && topics.includes(envelope.message.topic))
            store.messages.set(id, { ...envelope, availableAt: now, parked: false });
      }),
    deadLetter: (claim, problem) =>
      amend([claim], (envelope) => ({ ...envelope, leasedUntil: 0, deadLettered: true, problem })),
    list: (after, limit) =>
      atNow((now) =>
        [...store.messages.values()]
          .filter((envelope) => isTroubled(envelope) && (after === null || envelope.message.id > after))
          .toSorted(({ message: one }, { message: other }) => (one.id < other.id ? -1 : 1))
          .slice(0, limit)
          .map((envelope) => ({
            ...envelope.message,
            state: stateOf(envelope, now),
            availableAt: envelope.availableAt,
            problem: envelope.problem,
          })),
      ),
    requeue: (ids) => atNow((now) => requeue(store, now, ids)),
    depth: atNow((now) => depth(store, now)),
  };
};
