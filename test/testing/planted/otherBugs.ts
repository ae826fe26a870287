/** Planted bugs of the outbox, the directory and the document store. */
import { Clock, Effect } from "effect";
import { Ids, type Outbox } from "quittance";
import { type Bug, directoryBug, documentBug, outboxBug, storageBug } from "./Bug.ts";

const KEY = "absent, stored and revoked";
const LEASED = "the message is available again when its lease ends";
const CLOCKS = "clocks two days ahead and two days behind";

/** An outbox whose leases end by the clock of the caller. */
const byCallersClock = ({ claim }: Outbox.OutboxService): Partial<Outbox.OutboxService> => {
  const hidden = new Map<string, number>();
  return {
    claim: (query) =>
      Effect.flatMap(Clock.currentTimeMillis, (now) =>
        Effect.map(claim({ ...query, leaseMilliseconds: 1 }), (found) => {
          const free = found.filter(({ id }) => (hidden.get(id) ?? 0) <= now);
          for (const { id } of free) hidden.set(id, now + query.leaseMilliseconds);
          return free;
        }),
      ),
  };
};

/** An outbox that applies a call to the last claim of the message, whichever claim the call names. */
const ignoringClaims =
  (method: "complete" | "release") =>
  (outbox: Outbox.OutboxService): Partial<Outbox.OutboxService> => {
    const last = new Map<string, number>();
    return {
      claim: (query) =>
        Effect.tap(outbox.claim(query), (found) =>
          Effect.sync(() => {
            for (const { id, claim } of found) last.set(id, claim);
          }),
        ),
      [method]: (claimed: Outbox.Claim) => outbox[method]({ ...claimed, claim: last.get(claimed.id) ?? 0 }),
    };
  };

const outbox: ReadonlyArray<Bug> = [
  outboxBug("leases end at once", [LEASED, "eight workers at once", CLOCKS], ({ claim }) => ({
    claim: (query) => claim({ ...query, leaseMilliseconds: 0 }),
  })),
  outboxBug("leases end early", [LEASED], ({ claim }) => ({
    claim: (query) => claim({ ...query, leaseMilliseconds: query.leaseMilliseconds / 2 }),
  })),
  outboxBug(
    "limits are ignored",
    ["the topics and the limit select; every field of a message is returned"],
    ({ claim }) => ({
      claim: (query) => claim({ ...query, limit: 1_000_000 }),
    }),
  ),
  outboxBug(
    "topics are ignored",
    ["the topics and the limit select; every field of a message is returned"],
    ({ claim }) => ({
      claim: (query) =>
        claim({
          ...query,
          topics: ["make_report", "make_invoice", "make_credit_note", "send_payment", "recompute"],
        }),
    }),
  ),
  outboxBug("skipped customers are ignored", ["one of two customers is skipped"], ({ claim }) => ({
    claim: ({ exceptCustomers: _, ...query }) => claim(query),
  })),
  outboxBug(
    "the newest message is claimed first",
    [
      "the topics and the limit select; every field of a message is returned",
      "two messages keep their order",
    ],
    ({ claim }) => ({
      claim: (query) => Effect.map(claim(query), (found) => found.toReversed()),
    }),
  ),
  storageBug(
    "the delay of a message is ignored",
    ["a delay of a day and a short one", CLOCKS],
    ({ commit }) => ({
      commit: (customerId, changeSet) =>
        commit(customerId, {
          ...changeSet,
          outbox: changeSet.outbox.map((message) => ({ ...message, delayMilliseconds: 0 })),
        }),
    }),
  ),
  outboxBug("leases end by the caller's clock", [CLOCKS], byCallersClock),
  outboxBug(
    "lost leases are not counted",
    ["counted by each ended lease, kept by a release, reset by a postponement"],
    ({ claim }) => ({
      claim: (query) =>
        Effect.map(claim(query), (found) => found.map((message) => ({ ...message, lostLeases: 0 }))),
    }),
  ),
  outboxBug("leases are not renewed", ["a shorter renewal leaves a longer lease as it is"], () => ({
    renew: () => Effect.void,
  })),
  outboxBug(
    "an ended claim completes its message",
    ["complete, release, postpone, dead-letter and renew"],
    ignoringClaims("complete"),
  ),
  outboxBug(
    "an ended claim releases its message",
    ["complete, release, postpone, dead-letter and renew"],
    ignoringClaims("release"),
  ),
  outboxBug("a completed message stays", ["completing it again changes nothing"], () => ({
    complete: () => Effect.void,
  })),
  outboxBug("a released message moves to the end", ["two messages keep their order"], ({ postpone }) => ({
    release: (claim) => postpone(claim, { delayMilliseconds: 0, failures: 0, problem: null }),
  })),
  outboxBug("a postponed message is available at once", ["with failures and a problem"], ({ postpone }) => ({
    postpone: (claim, postponement) => postpone(claim, { ...postponement, delayMilliseconds: 0 }),
  })),
  outboxBug("parked messages stay parked", ["by topic, or when their delay ends"], () => ({
    unpark: () => Effect.void,
  })),
  outboxBug(
    "every postponed message is parked",
    ["with failures and a problem", "by id. (dead, parked, failed and with a lost lease)"],
    ({ postpone }) => ({
      postpone: (claim, postponement) => postpone(claim, { ...postponement, parked: true }),
    }),
  ),
  outboxBug(
    "a dead-lettered message is gone",
    ["until it is re-queued", "dead, parked, failed and with a lost lease"],
    ({ complete }) => ({
      deadLetter: (claim) => complete(claim),
    }),
  ),
  outboxBug(
    "only dead letters are listed",
    ["by id. (dead, parked, failed and with a lost lease)"],
    ({ list }) => ({
      list: (after, limit) =>
        Effect.map(list(after, limit), (found) => found.filter(({ state }) => state === "dead")),
    }),
  ),
  outboxBug(
    "requeue counts every id it is given",
    ["how many. (dead, parked, failed and with a lost lease)"],
    ({ requeue }) => ({
      requeue: (ids) => Effect.as(requeue(ids), ids.length),
    }),
  ),
  outboxBug(
    "waiting messages include dead-lettered ones",
    ["before and after completing and dead-lettering"],
    ({ depth }) => ({
      depth: Effect.map(depth, (found) =>
        found.map((of) => ({ ...of, waiting: of.waiting + of.deadLettered })),
      ),
    }),
  ),
  outboxBug(
    "overdue times are always 0",
    ["before and after completing and dead-lettering"],
    ({ depth }) => ({
      depth: Effect.map(depth, (found) => found.map((of) => ({ ...of, overdueMilliseconds: 0 }))),
    }),
  ),
];

const directory: ReadonlyArray<Bug> = [
  directoryBug("revoked keys are not found", [KEY], ({ apiKey }) => ({
    apiKey: (keyId) => Effect.map(apiKey(keyId), (found) => (found?.revokedAt === null ? found : null)),
  })),
  directoryBug(
    "the use of a key is not recorded",
    ["an earlier use recorded late, and a save in between"],
    () => ({
      touch: () => Effect.void,
    }),
  ),
  directoryBug("anyApiKey is always true", ["compared with the list of keys"], () => ({
    anyApiKey: Effect.succeed(true),
  })),
  directoryBug("anyApiKey is always false", ["compared with the list of keys"], () => ({
    anyApiKey: Effect.succeed(false),
  })),
  directoryBug(
    "only the current payment reference is found",
    ["before, during and after its payment attempt"],
    ({ paymentReference }) => {
      const asked = new Set<string>();
      return {
        paymentReference: (reference) =>
          Effect.map(paymentReference(reference), (found) => {
            asked.add(reference);
            return asked.size > 1 ? null : found;
          }),
      };
    },
  ),
  directoryBug("an unknown payment reference is found", ["an unknown payment reference"], () => ({
    paymentReference: () =>
      Effect.succeed({
        customerId: Ids.CustomerId.make(Ids.NIL),
        settlementId: Ids.SettlementId.make(Ids.NIL),
      }),
  })),
];

const documents: ReadonlyArray<Bug> = [
  documentBug(
    "a second put replaces the bytes",
    ["later changes of the caller's arrays change nothing"],
    ({ put, remove }) => ({
      put: (customerId, id, bytes) => Effect.zipRight(remove(customerId, id), put(customerId, id, bytes)),
    }),
  ),
  documentBug("empty documents are not found", ["before and after storing, and empty"], ({ get }) => ({
    get: (customerId, id) => Effect.map(get(customerId, id), (found) => (found?.length === 0 ? null : found)),
  })),
  documentBug("bytes are not removed", ["removed twice"], () => ({
    remove: () => Effect.void,
  })),
  documentBug(
    "customers share documents",
    ["or changed. (documents)", "read or changed. (documents)"],
    ({ put, get }) => {
      const everyone = Ids.CustomerId.make(Ids.NIL);
      return { put: (_, id, bytes) => put(everyone, id, bytes), get: (_, id) => get(everyone, id) };
    },
  ),
];

/** Every planted bug of these ports. */
export const otherBugs: ReadonlyArray<Bug> = [
  ...outbox,
  ...directory,
  ...documents,
  storageBug(
    "the version of another customer's formula set is raised",
    ["every commit by another customer"],
    ({ formulaSet }) => ({
      formulaSet: (...keys) =>
        Effect.map(formulaSet(...keys), ({ version, formulas }) => ({ version: version + 1, formulas })),
    }),
  ),
];
