/** Bugs of the outbox, the directory and the document store. */
import { Effect } from "effect";
import { Ids } from "quittance";
import { type Bug, ofDirectory, ofDocuments, ofOutbox, ofStorage } from "./Bug.ts";

const AVAILABLE = "by moment and limit";
const TO_THE_MILLISECOND = "before the lease ends. (to the millisecond)";
const KEY = "absent, made, revoked";

const outbox: ReadonlyArray<Bug> = [
  ofOutbox("leases end at once", [TO_THE_MILLISECOND, AVAILABLE, "eight workers at once"], ({ claim }) => ({
    claim: (now, limit) => claim(now, limit, 0),
  })),
  ofOutbox("leases never end", [TO_THE_MILLISECOND, "once, and again after the lease"], ({ claim }) => ({
    claim: (now, limit, lease) => claim(now, limit, lease * 1_000),
  })),
  ofOutbox("limits are ignored", [AVAILABLE], ({ claim }) => ({
    claim: (now, _, lease) => claim(now, 1_000_000, lease),
  })),
  ofOutbox("the newest comes first", [AVAILABLE], ({ claim }) => ({
    claim: (...asked) => Effect.map(claim(...asked), (found) => found.toReversed()),
  })),
  ofOutbox("messages are early", [AVAILABLE, "one millisecond before"], ({ claim }) => ({
    claim: (now, limit, lease) => claim(now + 1, limit, lease),
  })),
  ofOutbox("attempts are not counted", ["once, and again after the lease"], ({ claim }) => ({
    claim: (...asked) =>
      Effect.map(claim(...asked), (found) => found.map((message) => ({ ...message, attempt: 1 }))),
  })),
  ofOutbox("a done message stays", ["removing it again is fine"], () => ({ complete: () => Effect.void })),
  ofOutbox("a postponed message is available at once", ["Gives a message back"], ({ postpone }) => ({
    postpone: (id, _, problem) => postpone(id, 0, problem),
  })),
  ofOutbox("a buried message is gone", ["Sets a message aside"], ({ complete }) => ({
    bury: (id) => complete(id),
  })),
  ofOutbox("waiting messages include buried ones", ["Messages waiting and set aside"], ({ depth }) => ({
    depth: Effect.map(depth, (found) => ({ ...found, waiting: found.waiting + found.buried })),
  })),
  ofOutbox("there is always an oldest message", ["Messages waiting and set aside"], ({ depth }) => ({
    depth: Effect.map(depth, (found) => ({ ...found, oldestAt: found.oldestAt ?? 0 })),
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
  ofStorage("another customer's program is raised", ["every commit by another customer"], ({ program }) => ({
    program: (...keys) =>
      Effect.map(program(...keys), ({ version, formulas }) => ({ version: version + 1, formulas })),
  })),
];
