/** Laws of the outbox: at least once, one worker at a time, oldest first. */
import { Effect } from "effect";
import { Outbox } from "../../ports/Outbox.ts";
import type { Message } from "../../ports/Storage.ts";
import * as Build from "../Build.ts";
import { expect, expectSame, type Law, law } from "../Law.ts";
import * as Scene from "../Scene.ts";

const CLAIM =
  "Claims up to `limit` messages that are available at `now`, oldest first, until `now + leaseMilliseconds`.";
const PLENTY = 100_000;
const LEASE = 1_000;

/** Far beyond the moments of other laws, so that whatever they left can be put away first. */
const NOW = Build.EPOCH + 10_000 * Build.DAY;

const drain = Effect.gen(function* () {
  const outbox = yield* Outbox;
  for (const { id } of yield* outbox.claim(NOW, PLENTY, 1)) yield* outbox.complete(id);
});

/** Stores messages that become available at the given offsets from {@link NOW}, oldest id first. */
const send = (...offsets: ReadonlyArray<number>) =>
  Effect.gen(function* () {
    const customerId = Build.fresh.customer();
    const messages = offsets.map((offset, index) =>
      Build.message(customerId, Build.fresh.settlement(), {
        availableAt: NOW + offset,
        topic: index % 2 === 0 ? "send_payment" : "recompute",
        reference: index % 2 === 0 ? Build.freshUuid() : null,
      }),
    );
    yield* Scene.commit(customerId, [], { outbox: messages });
    return messages;
  });

const idsOf = (messages: ReadonlyArray<Message>): ReadonlyArray<string> => messages.map(({ id }) => id);

/** Runs a law on an outbox without waiting messages, and leaves none of its own. */
const emptied = <A, E, R>(check: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const outbox = yield* Outbox;
    yield* drain;
    yield* check;
    for (const { id } of yield* outbox.claim(NOW + 100 * Build.DAY, PLENTY, 1)) yield* outbox.complete(id);
  });

const available = Effect.gen(function* () {
  const outbox = yield* Outbox;
  const sent = yield* send(5, 0, 10, 3);
  const [five, zero, ten, three] = sent;
  if (five === undefined || zero === undefined || ten === undefined || three === undefined) {
    return yield* Effect.die("four were sent");
  }
  yield* expectSame("before any is available", yield* outbox.claim(NOW - 1, PLENTY, LEASE), []);
  const first = yield* outbox.claim(NOW + 5, 2, LEASE);
  yield* expectSame("the two oldest", first, [
    { ...zero, attempt: 1 },
    { ...three, attempt: 1 },
  ]);
  yield* expectSame("the rest that is available", idsOf(yield* outbox.claim(NOW + 5, PLENTY, LEASE)), [
    five.id,
  ]);
  yield* expectSame("nothing twice", yield* outbox.claim(NOW + 6, PLENTY, LEASE), []);
  yield* expectSame("a later one, in time", idsOf(yield* outbox.claim(NOW + 10, PLENTY, LEASE)), [ten.id]);
});

const leases = Effect.gen(function* () {
  const outbox = yield* Outbox;
  const [message] = yield* send(0);
  if (message === undefined) return yield* Effect.die("one was sent");
  yield* outbox.claim(NOW, PLENTY, LEASE);
  yield* expectSame("inside the lease", yield* outbox.claim(NOW + LEASE - 1, PLENTY, LEASE), []);
  const again = yield* outbox.claim(NOW + LEASE, PLENTY, LEASE);
  yield* expectSame(
    "after the lease",
    again.map(({ id, attempt }) => [id, attempt]),
    [[message.id, 2]],
  );
  yield* expectSame("inside the second lease", yield* outbox.claim(NOW + 2 * LEASE - 1, PLENTY, LEASE), []);
});

const racing = Effect.gen(function* () {
  const outbox = yield* Outbox;
  const sent = yield* send(...Array.from({ length: 40 }, (_, index) => index));
  const claims = Array.from({ length: 8 }, () => outbox.claim(NOW + 100, 7, LEASE));
  const claimed = (yield* Effect.all(claims, { concurrency: "unbounded" })).flat();
  yield* expect(new Set(idsOf(claimed)).size === claimed.length, "two workers hold one message");
  const rest = yield* outbox.claim(NOW + 100, PLENTY, LEASE);
  yield* expectSame(
    "every message, once",
    [...idsOf(claimed), ...idsOf(rest)].sort(),
    [...idsOf(sent)].sort(),
  );
});

const endings = Effect.gen(function* () {
  const outbox = yield* Outbox;
  const before = yield* outbox.depth;
  yield* expectSame("nothing waits", before.waiting, 0);
  const [done, later, buried] = yield* send(0, 1, 2);
  if (done === undefined || later === undefined || buried === undefined)
    return yield* Effect.die("three were sent");
  yield* expectSame("no moment", before.oldestAt, null);
  yield* expectSame("three wait", yield* outbox.depth, { ...before, waiting: 3, oldestAt: NOW });
  yield* outbox.claim(NOW + 2, PLENTY, LEASE);
  yield* outbox.complete(done.id);
  yield* outbox.postpone(later.id, NOW + 50, "timeout: 'provider' \\ % said “no”");
  yield* outbox.bury(buried.id, "refused for good");
  yield* expectSame("one waits, one is set aside", yield* outbox.depth, {
    waiting: 1,
    buried: before.buried + 1,
    oldestAt: NOW + 50,
  });
  yield* expectSame("before the moment it was put off to", yield* outbox.claim(NOW + 49, PLENTY, LEASE), []);
  const again = yield* outbox.claim(NOW + 50, PLENTY, LEASE);
  yield* expectSame("from that moment", again, [{ ...later, availableAt: NOW + 50, attempt: 2 }]);
  yield* outbox.complete(later.id);
  yield* expectSame("never again", yield* outbox.claim(NOW + 99 * Build.DAY, PLENTY, LEASE), []);
  yield* outbox.complete(later.id);
  yield* expectSame("the set-aside one is kept", yield* outbox.depth, {
    waiting: 0,
    buried: before.buried + 1,
    oldestAt: null,
  });
});

/** Laws of the outbox. */
export const queue: ReadonlyArray<Law> = [
  law(CLAIM, "by moment and limit, with everything that was sent", emptied(available)),
  law("Not to be claimed before.", "one millisecond before", emptied(available)),
  law("A claimed message: nobody else gets it before the lease ends.", "to the millisecond", emptied(leases)),
  law("Claims so far, this one included.", "once, and again after the lease", emptied(leases)),
  law(
    "A claimed message: nobody else gets it before the lease ends.",
    "eight workers at once",
    emptied(racing),
  ),
  law("Removes a message that is done.", "and removing it again is fine", emptied(endings)),
  law(
    "Gives a message back, to be claimed again at `availableAt`; the problem is kept for operators.",
    "to the millisecond",
    emptied(endings),
  ),
  law(
    "Sets a message aside for good; it is kept for operators and never claimed again.",
    "to the end",
    emptied(endings),
  ),
  law(
    "Messages waiting and set aside, and the earliest `availableAt` among those that wait, null when none does.",
    "before and after each ending",
    emptied(endings),
  ),
];
