/** Bugs of the outbox, the directory and the document store. */
import { Clock, Effect } from "effect";
import { Ids, type Outbox } from "quittance";
import { type Bug, ofDirectory, ofDocuments, ofOutbox, ofStorage } from "./Bug.ts";

const KEY = "absent, made, revoked";
const LEASED = "until its end";
const CLOCKS = "two days ahead and behind";

/** A store that takes the caller's clock for its own: what it hands out for so long ends by whatever clock asks. */
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

/** Does to whatever claim is the last what was asked of another one. */
const unfenced =
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
      [method]: ({ id }: Outbox.Claim) => outbox[method]({ id, claim: last.get(id) ?? 0 }),
    };
  };

const outbox: ReadonlyArray<Bug> = [
  ofOutbox("leases end at once", [LEASED, "eight workers at once", CLOCKS], ({ claim }) => ({
    claim: (query) => claim({ ...query, leaseMilliseconds: 0 }),
  })),
  ofOutbox("leases end early", [LEASED], ({ claim }) => ({
    claim: (query) => claim({ ...query, leaseMilliseconds: query.leaseMilliseconds / 2 }),
  })),
  ofOutbox("limits are ignored", ["by topic and limit"], ({ claim }) => ({
    claim: (query) => claim({ ...query, limit: 1_000_000 }),
  })),
  ofOutbox("topics are ignored", ["by topic and limit"], ({ claim }) => ({
    claim: (query) =>
      claim({
        ...query,
        topics: ["make_report", "make_invoice", "make_credit_note", "send_payment", "recompute"],
      }),
  })),
  ofOutbox("no customer is passed over", ["(one of two)"], ({ claim }) => ({
    claim: ({ exceptCustomers: _, ...query }) => claim(query),
  })),
  ofOutbox("the newest comes first", ["by topic and limit", "its old place. (two)"], ({ claim }) => ({
    claim: (query) => Effect.map(claim(query), (found) => found.toReversed()),
  })),
  ofStorage("messages are early", ["by the store's clock. (a moment)", CLOCKS], ({ commit }) => ({
    commit: (customerId, changeSet) =>
      commit(customerId, {
        ...changeSet,
        outbox: changeSet.outbox.map((message) => ({ ...message, delayMilliseconds: 0 })),
      }),
  })),
  ofOutbox("the caller's clock counts", [CLOCKS], byCallersClock),
  ofOutbox("lost leases are not counted", ["one, two, given back"], ({ claim }) => ({
    claim: (query) =>
      Effect.map(claim(query), (found) => found.map((message) => ({ ...message, lostLeases: 0 }))),
  })),
  ofOutbox("leases are not renewed", ["(longer)"], () => ({ renew: () => Effect.void })),
  ofOutbox("who comes too late completes", ["each way to end it"], unfenced("complete")),
  ofOutbox("who comes too late gives back", ["each way to end it"], unfenced("release")),
  ofOutbox("a done message stays", ["removing it again is fine"], () => ({ complete: () => Effect.void })),
  ofOutbox("what is given back goes to the end", ["its old place. (two)"], ({ postpone }) => ({
    release: (claim) => postpone(claim, { delayMilliseconds: 0, failures: 0, problem: null }),
  })),
  ofOutbox(
    "a postponed message is available at once",
    ["from 0 again. (after a failure)"],
    ({ postpone }) => ({
      postpone: (claim, postponement) => postpone(claim, { ...postponement, delayMilliseconds: 0 }),
    }),
  ),
  ofOutbox("parked messages stay parked", ["or their delay ends"], () => ({ unpark: () => Effect.void })),
  ofOutbox(
    "every postponed message is parked",
    ["from 0 again. (after a failure)", "ordered by id. (one of each)"],
    ({ postpone }) => ({
      postpone: (claim, postponement) => postpone(claim, { ...postponement, parked: true }),
    }),
  ),
  ofOutbox("a dead-lettered message is gone", ["(and re-queued)", "(one of each)"], ({ complete }) => ({
    deadLetter: (claim) => complete(claim),
  })),
  ofOutbox("only the dead are listed", ["ordered by id. (one of each)"], ({ list }) => ({
    list: (after, limit) =>
      Effect.map(list(after, limit), (found) => found.filter(({ state }) => state === "dead")),
  })),
  ofOutbox("whatever is re-queued counts", ["tells how many. (one of each)"], ({ requeue }) => ({
    requeue: (ids) => Effect.as(requeue(ids), ids.length),
  })),
  ofOutbox("waiting messages include dead-lettered ones", ["(before and after)"], ({ depth }) => ({
    depth: Effect.map(depth, (found) =>
      found.map((of) => ({ ...of, waiting: of.waiting + of.deadLettered })),
    ),
  })),
  ofOutbox("nothing is ever overdue", ["(before and after)"], ({ depth }) => ({
    depth: Effect.map(depth, (found) => found.map((of) => ({ ...of, overdueMilliseconds: 0 }))),
  })),
];

const directory: ReadonlyArray<Bug> = [
  ofDirectory("revoked keys are not found", [KEY], ({ apiKey }) => ({
    apiKey: (keyId) => Effect.map(apiKey(keyId), (found) => (found?.revokedAt === null ? found : null)),
  })),
  ofDirectory("a key's use is not noted", ["told late, and across a save"], () => ({
    touch: () => Effect.void,
  })),
  ofDirectory("there is always a key", ["as the list of keys says"], () => ({
    anyApiKey: Effect.succeed(true),
  })),
  ofDirectory("there is never a key", ["as the list of keys says"], () => ({
    anyApiKey: Effect.succeed(false),
  })),
  ofDirectory(
    "only the present reference is known",
    ["before, during and after its attempt"],
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
  ofDirectory("an unknown reference leads somewhere", ["null. (never given)"], () => ({
    paymentReference: () =>
      Effect.succeed({
        customerId: Ids.CustomerId.make(Ids.NIL),
        settlementId: Ids.SettlementId.make(Ids.NIL),
      }),
  })),
];

const documents: ReadonlyArray<Bug> = [
  ofDocuments("bytes are replaced", ["copies on both sides"], ({ put, remove }) => ({
    put: (customerId, id, bytes) => Effect.zipRight(remove(customerId, id), put(customerId, id, bytes)),
  })),
  ofDocuments("empty documents are absent", ["before, after, empty"], ({ get }) => ({
    get: (customerId, id) => Effect.map(get(customerId, id), (found) => (found?.length === 0 ? null : found)),
  })),
  ofDocuments("bytes are not forgotten", ["absent ids are fine. (twice)"], () => ({
    remove: () => Effect.void,
  })),
  ofDocuments(
    "customers share documents",
    ["or changed. (documents)", "read or changed. (documents)"],
    ({ put, get }) => {
      const everyone = Ids.CustomerId.make(Ids.NIL);
      return { put: (_, id, bytes) => put(everyone, id, bytes), get: (_, id) => get(everyone, id) };
    },
  ),
];

/** Bugs beside the records. */
export const otherBugs: ReadonlyArray<Bug> = [
  ...outbox,
  ...directory,
  ...documents,
  ofStorage(
    "another customer's program is raised",
    ["every commit by another customer"],
    ({ formulaSet: program }) => ({
      formulaSet: (...keys) =>
        Effect.map(program(...keys), ({ version, formulas }) => ({ version: version + 1, formulas })),
    }),
  ),
];
