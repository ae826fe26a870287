/** Laws of the event feed: every event enters it once, in one order, whatever commits and appends at the same time. */
import { Effect } from "effect";
import { GENESIS, type LoggedEvent } from "../../../domain/EventFeed.ts";
import type { CustomerId } from "../../../domain/Ids.ts";
import { Outbox } from "../../../ports/Outbox.ts";
import { type FeedAppend, type FeedBacklog, type Message, Storage } from "../../../ports/Storage.ts";
import * as Build from "../../Build.ts";
import { expect, expectSame, type Law, law } from "../../Law.ts";
import * as Scene from "../../Scene.ts";

const NEXT =
  "The next events that are not in the feed, about `limit` of them, from 1; none only when there are none.";
const BEFORE =
  "Events from before the feed, and of commits that left it out, come first, ordered by (at, kind, record, sequence).";
const CONTIGUOUS =
  "The events of each other commit are contiguous, ordered by kind, and come after those of every commit that it saw.";
const KINDS =
  "The order of kinds is API key, billing profile, partner, settlement policy, plan, formula, attribution, settlement, commission; each record's events keep their order.";
const ONCE =
  "Appends a backlog to the feed, all or nothing, durable when it returns: no event enters a feed twice.";
const MOVED = "Returns false, and stores nothing, when the feed no longer ends where the backlog was read.";
const WOKEN =
  "Messages of the customer with the topic `deliver_webhooks` that wait are available at once when entries were appended.";
const PAGE = "At most `limit` entries after a position, from 0, with their events as they were logged.";
const CUSTOMERS =
  "Customers with events that are not in their feed, after an id (null: from the first), ordered by id, at most `limit`.";

const MANY = 1_000;

const keyOf = ({ recordId, sequence }: Pick<LoggedEvent, "recordId" | "sequence">): string =>
  `${recordId} ${sequence}`;

/** A hash that names its position, so that a law sees which entry it belongs to. */
const hashAt = (position: number): string => position.toString(16).padStart(64, "a");

const appendOf = ({ head, token, events }: FeedBacklog): FeedAppend => ({
  head,
  token,
  entries: events.map(({ recordId, sequence }, index) => ({
    recordId,
    sequence,
    salt: "5a".repeat(16),
    hash: hashAt(head.position + index + 1),
  })),
});

/** Appends everything that waits, in steps of about `limit`. */
export const relayAll = (customerId: CustomerId, limit: number) =>
  Effect.gen(function* () {
    const storage = yield* Storage;
    for (;;) {
      const backlog = yield* storage.feedBacklog(customerId, limit);
      if (backlog.events.length === 0) return;
      yield* storage.appendToFeed(customerId, appendOf(backlog));
    }
  });

export const readAll = (customerId: CustomerId) =>
  Effect.flatMap(Storage, (storage) => storage.feedPage(customerId, 0, 100_000));

/** A partner whose formula, attributions and a settlement have events; returns the records. */
export const createHistory = (feed = true) =>
  Effect.gen(function* () {
    const scene = yield* Scene.create();
    const [one, other] = yield* Scene.earn(scene, [100, 250]);
    const draft = yield* Scene.draft(scene, [one.commission, other.commission]);
    const approved = yield* Scene.advance(draft, Build.approvalEvents(draft));
    if (!feed) return { scene, one, other, draft: approved };
    yield* Scene.revise((yield* Scene.reloadCommissions([one.commission]))[0] ?? one.commission, 120);
    return { scene, one, other, draft: approved };
  });

/** Every event of a customer's records, from their logs. */
const readLogKeys = (
  customerId: CustomerId,
  records: ReadonlyArray<readonly [LoggedEvent["kind"], string]>,
) =>
  Effect.gen(function* () {
    const storage = yield* Storage;
    const keys: Array<string> = [];
    for (const [kind, id] of records) {
      const log = yield* storage.log(customerId, kind, id);
      log.forEach((_, index) => {
        keys.push(keyOf({ recordId: id, sequence: index + 1 }));
      });
    }
    return keys.sort();
  });

const recordsOf = ({ scene, one, other, draft }: Effect.Effect.Success<ReturnType<typeof createHistory>>) =>
  [
    ["partner", scene.partnerId],
    ["formula", scene.formula.id],
    ["attribution", one.attribution.id],
    ["attribution", other.attribution.id],
    ["commission", one.commission.id],
    ["commission", other.commission.id],
    ["settlement", draft.id],
  ] as const;

const inLimits = Effect.gen(function* () {
  const storage = yield* Storage;
  const records = yield* createHistory();
  const { customerId } = records.scene;
  const first = yield* storage.feedBacklog(customerId, 1);
  yield* expectSame(
    "the first step",
    first.events.map(({ kind }) => kind),
    ["partner", "formula"],
  );
  yield* expectSame("the head of an empty feed", first.head, { position: 0, hash: GENESIS });
  yield* relayAll(customerId, 3);
  const { entries } = yield* readAll(customerId);
  yield* expectSame(
    "the entries",
    entries.map(keyOf).sort(),
    yield* readLogKeys(customerId, recordsOf(records)),
  );
  const last = yield* storage.feedBacklog(customerId, 1);
  yield* expectSame("what is left", last.events, []);
});

const contiguous = Effect.gen(function* () {
  const storage = yield* Storage;
  const records = yield* createHistory();
  const { customerId } = records.scene;
  const { events } = yield* storage.feedBacklog(customerId, MANY);
  yield* expectSame(
    "the kinds",
    events.map(({ kind }) => kind),
    [
      "partner",
      "formula",
      "attribution",
      "attribution",
      "commission",
      "commission",
      "settlement",
      "commission",
      "commission",
      ...events.slice(9, -1).map(() => "settlement"),
      "commission",
    ],
  );
});

/** Ten commits, each after the one before; then ten at the same time. */
const inOrderOfCommits = Effect.gen(function* () {
  const scene = yield* Scene.create();
  const { customerId } = scene;
  const order: Array<string> = [];
  // Neither the moments nor the ids of the commands are in the order of the commits.
  const ids = Array.from({ length: 10 }, () => Build.fresh.command()).reverse();
  for (const [index, id] of ids.entries()) {
    const at = Build.EPOCH - index * Build.DAY;
    const attribution = Build.attribution(scene, { createdAt: at });
    const commission = Build.commission(attribution.row, scene.formula, index);
    yield* Scene.commit(customerId, [attribution, commission], { command: { id, actor: Build.ACTOR, at } });
    order.push(attribution.row.id);
  }
  const pairs = yield* Effect.forEach(
    Array.from({ length: 10 }, (_, index) => index),
    (index) => Scene.earn(scene, [index, index]),
    { concurrency: "unbounded" },
  );
  yield* relayAll(customerId, 7);
  const { entries } = yield* readAll(customerId);
  const created = entries.filter(({ kind }) => kind === "attribution").map(({ recordId }) => recordId);
  yield* expectSame("commits one after the other", created.slice(0, 10), order);
  for (const pair of pairs) {
    const own = new Set(
      pair.flatMap(({ attribution, commission }) => [attribution.id, commission.id] as string[]),
    );
    const indexes = entries.flatMap(({ recordId }, index) => (own.has(recordId) ? [index] : []));
    const [first = 0] = indexes;
    yield* expectSame("the indexes of one commit", indexes, [first, first + 1, first + 2, first + 3]);
    yield* expectSame(
      "the kinds of one commit",
      indexes.map((index) => entries[index]?.kind),
      ["attribution", "attribution", "commission", "commission"],
    );
  }
});

const recordOrder = Effect.gen(function* () {
  const scene = yield* Scene.create();
  const { customerId } = scene;
  const plan = Build.plan(scene);
  const [{ commission }] = yield* Scene.earn(scene, [10]);
  let row = commission;
  for (let amount = 20; amount < 60; amount += 10) {
    yield* Scene.revise(row, amount);
    row = yield* Scene.reload("commission", row);
  }
  const formula = Build.next("formula", scene.formula, [
    { type: "cancel_commission_formula", reason: "over" },
  ]);
  const lines = Build.linesOf([row]);
  const draft = Build.settlement(scene, lines);
  const upline = Build.partner(scene);
  const controls = [
    Build.settlementPolicy(scene),
    Build.workspace(scene),
    upline,
    Build.partnerLink(scene.partner, upline.row.id),
    Build.renamedPartner(scene.partner, "Sydlys"),
    ...[Build.books(customerId), Build.billingProfile(customerId), Build.apiKey(customerId)],
  ];
  const reserve = { type: "reserve", settlementId: draft.row.id, lines } as const;
  yield* Scene.commit(customerId, [draft, formula, plan, ...controls, reserve]);
  yield* relayAll(customerId, 2);
  const { entries } = yield* readAll(customerId);
  const sequences = entries.filter(({ recordId }) => recordId === row.id).map(({ sequence }) => sequence);
  yield* expectSame("the sequences of a record", sequences, [1, 2, 3, 4, 5, 6]);
  const kinds = entries.slice(-12).map(({ kind }) => kind);
  yield* expectSame("the kinds of the last commit", kinds, [
    ...[
      "apiKey",
      "billingProfile",
      "books",
      "partner",
      "partner",
      "partnerLink",
      "workspace",
      "settlementPolicy",
    ],
    ...["plan", "formula", "settlement", "commission"],
  ]);
});

const leftOut = Effect.gen(function* () {
  const storage = yield* Storage;
  const scene = yield* Scene.create();
  const { customerId } = scene;
  const late = Build.attribution(scene, { createdAt: Build.EPOCH + 2 * Build.DAY });
  const early = Build.attribution(scene, { createdAt: Build.EPOCH + Build.DAY });
  const earned = Build.commission(early.row, scene.formula, 5);
  yield* Scene.commit(customerId, [late], { feed: false });
  yield* Scene.commit(customerId, [earned, early], { feed: false });
  const customers = yield* storage.customersWithFeedBacklog(null, MANY);
  yield* expect(customers.includes(customerId), "the customer has events that are not in the feed");
  yield* relayAll(customerId, 2);
  const { entries } = yield* readAll(customerId);
  yield* expectSame(
    "the entries",
    entries.map(({ recordId }) => recordId),
    [early.row.id, earned.row.id, late.row.id, scene.partnerId, scene.formula.id],
  );
});

const byTwoRelays = Effect.gen(function* () {
  const storage = yield* Storage;
  const records = yield* createHistory();
  const { customerId } = records.scene;
  const read = yield* storage.feedBacklog(customerId, 3);
  yield* expectSame("the first append", yield* storage.appendToFeed(customerId, appendOf(read)), true);
  const { entries } = yield* readAll(customerId);
  yield* expectSame(
    "an append of the same backlog",
    yield* storage.appendToFeed(customerId, appendOf(read)),
    false,
  );
  yield* expectSame("the entries afterwards", (yield* readAll(customerId)).entries, entries);
  const again = yield* storage.feedBacklog(customerId, MANY);
  yield* expectSame("the head", again.head, { position: entries.length, hash: hashAt(entries.length) });
  yield* expect(
    again.events.every((event) => !entries.some((entry) => keyOf(entry) === keyOf(event))),
    "an event of the feed is in the backlog",
  );
});

/** Relays and commits run at once: each event is in the feed once, at its own position. */
const atOnce = Effect.gen(function* () {
  const scene = yield* Scene.create();
  const { customerId } = scene;
  const keys: Array<string> = [];
  const create = Effect.forEach(
    Array.from({ length: 24 }, (_, index) => index),
    (index) =>
      Effect.map(Scene.earn(scene, [index]), ([{ attribution, commission }]) => {
        keys.push(
          keyOf({ recordId: attribution.id, sequence: 1 }),
          keyOf({ recordId: commission.id, sequence: 1 }),
        );
      }),
    { concurrency: 6 },
  );
  yield* Effect.all([create, ...[1, 2, 3, 5].map((limit) => relayAll(customerId, limit))], {
    concurrency: "unbounded",
  });
  yield* relayAll(customerId, 4);
  const { entries, head } = yield* readAll(customerId);
  for (const recordId of [scene.partnerId, scene.formula.id]) keys.push(keyOf({ recordId, sequence: 1 }));
  yield* expectSame("the entries", entries.map(keyOf).sort(), keys.sort());
  yield* expectSame(
    "the positions",
    entries.map(({ position }) => position),
    keys.map((_, index) => index + 1),
  );
  yield* expectSame("the end", head.position, keys.length);
});

const woken = Effect.gen(function* () {
  const outbox = yield* Outbox;
  const scene = yield* Scene.create();
  const stranger = Build.fresh.customer();
  const buildDelayed = (customerId: CustomerId, overrides: Partial<Message>) =>
    Build.message(customerId, Build.fresh.webhookEndpoint(), { delayMilliseconds: Build.DAY, ...overrides });
  const mine = buildDelayed(scene.customerId, { topic: "deliver_webhooks" });
  const other = buildDelayed(scene.customerId, { topic: "roll_out" });
  const foreign = buildDelayed(stranger, { topic: "deliver_webhooks" });
  yield* Scene.commit(scene.customerId, [], { outbox: [mine, other] });
  yield* Scene.commit(stranger, [], { outbox: [foreign] });
  const claimed = Effect.map(
    outbox.claim({ topics: ["deliver_webhooks", "roll_out"], limit: MANY, leaseMilliseconds: Build.DAY }),
    (found) => {
      const own: ReadonlyArray<string> = [mine.id, other.id, foreign.id];
      return found.filter(({ id }) => own.includes(id));
    },
  );
  yield* expectSame("before anything is appended", yield* claimed, []);
  yield* relayAll(scene.customerId, MANY);
  const found = yield* claimed;
  yield* expectSame(
    "afterwards",
    found.map(({ id }) => id),
    [mine.id],
  );
  yield* Effect.forEach(found, outbox.complete);
});

const pages = Effect.gen(function* () {
  const storage = yield* Storage;
  const records = yield* createHistory();
  const { customerId } = records.scene;
  const { events } = yield* storage.feedBacklog(customerId, MANY);
  yield* relayAll(customerId, MANY);
  const whole = yield* readAll(customerId);
  yield* expectSame(
    "the events",
    whole.entries.map(({ kind, recordId, sequence, at, event }) => ({ kind, recordId, sequence, at, event })),
    events,
  );
  const approval = whole.entries.find(({ event }) => event?.type === "approve_settlement");
  yield* expect(
    approval !== undefined && !("stored" in (approval.event ?? {})),
    "an event has its stored part",
  );
  yield* expectSame("the hash before the first entry", whole.previousHash, GENESIS);
  const part = yield* storage.feedPage(customerId, 2, 3);
  yield* expectSame("a page", part.entries, whole.entries.slice(2, 5));
  yield* expectSame("the hash before a page", part.previousHash, hashAt(2));
  yield* expectSame("the head", part.head, { position: events.length, hash: hashAt(events.length) });
  const beyond = yield* storage.feedPage(customerId, MANY, 3);
  yield* expectSame("beyond the end", beyond.entries, []);
  const other = yield* storage.feedPage(Build.fresh.customer(), 0, 3);
  yield* expectSame("the feed of another customer", other, {
    head: { position: 0, hash: GENESIS },
    previousHash: GENESIS,
    entries: [],
  });
});

const customersBehind = Effect.gen(function* () {
  const storage = yield* Storage;
  const customers = [Build.fresh.customer(), Build.fresh.customer(), Build.fresh.customer()];
  for (const customerId of customers) yield* Scene.create({ customerId });
  const [one, two, three] = customers as [CustomerId, CustomerId, CustomerId];
  const findCustomers = (after: CustomerId | null, limit = MANY) =>
    storage.customersWithFeedBacklog(after, limit);
  yield* expectSame("all after the first", yield* findCustomers(one), [two, three]);
  yield* expectSame("one of them", yield* findCustomers(one, 1), [two]);
  yield* relayAll(two, MANY);
  yield* expectSame("without the one in its feed", yield* findCustomers(one), [three]);
  yield* expect(
    (yield* findCustomers(null, 100_000)).includes(one),
    "the first customer is found from the start",
  );
  for (const customerId of [one, three]) yield* relayAll(customerId, MANY);
});

/** Every law of the event feed. */
export const feed: ReadonlyArray<Law> = [
  law(NEXT, "in steps of one and of three, down to none", inLimits),
  law(BEFORE, "two commits without the feed, the later one of an earlier moment", leftOut),
  law(CONTIGUOUS, "a formula, attributions, a draft and its approval", contiguous),
  law(CONTIGUOUS, "ten commits one after the other, and ten at once", inOrderOfCommits),
  law(KINDS, "five events of one commission, and a commit of eight kinds", recordOrder),
  law(ONCE, "four relays beside commits", atOnce),
  law(MOVED, "the same backlog twice", byTwoRelays),
  law(WOKEN, "a delayed message, beside one of another topic and one of another customer", woken),
  law(PAGE, "whole, in part, beyond the end, and of another customer", pages),
  law(CUSTOMERS, "three customers, one of which is up to date", customersBehind),
];
