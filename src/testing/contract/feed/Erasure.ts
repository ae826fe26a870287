/** Laws of erasing: what is erased is nowhere, and what is left is stored with it or not at all. */
import { Effect, Exit } from "effect";
import { type Change, Storage } from "../../../ports/Storage.ts";
import * as Build from "../../Build.ts";
import { expect, expectSame, expectVersionConflict, type Law, law } from "../../Law.ts";
import * as Scene from "../../Scene.ts";
import { createHistory, readAll, relayAll } from "./Feed.ts";

const PART =
  "The entries of these records among the `limit` entries after a position, from 0, and where those end.";
const LEFT = "Replaces events of a log by what is left of them.";
const GONE = "Takes their entries out of the feed: the salt is removed and the digest stored.";
const ALL_OR_NOTHING = "Stores a change set, all or nothing, durable when it returns.";

const MANY = 1_000;

const parts = Effect.gen(function* () {
  const storage = yield* Storage;
  const records = yield* createHistory();
  const { customerId } = records.scene;
  yield* relayAll(customerId, MANY);
  const { entries } = yield* readAll(customerId);
  const wanted = [records.draft.id, records.one.commission.id] as const;
  const own = entries
    .filter(({ recordId }) => wanted.some((id) => id === recordId))
    .map(({ position, recordId, sequence, salt }) => ({ position, recordId, sequence, salt }));
  const all = yield* storage.feedPart(customerId, wanted, 0, MANY);
  yield* expectSame("in the whole feed", all, { entries: own, reached: entries.length });
  const [, second] = own;
  const after = (second?.position ?? 0) - 1;
  const some = yield* storage.feedPart(customerId, wanted, after, 1);
  yield* expectSame("in one entry", some, { entries: [second], reached: after + 1 });
  const none = yield* storage.feedPart(customerId, [Build.fresh.settlement()], 0, 3);
  yield* expectSame("of another record", none, { entries: [], reached: 3 });
  const end = yield* storage.feedPart(customerId, wanted, entries.length, 3);
  yield* expectSame("at the end", end, { entries: [], reached: entries.length });
});

const ERASURE = { type: "erase_personal_data", erased_from: "record", sequences: [1] } as const;

/** A formula whose name is erased from its first event, and the change set that does so. */
const createErasure = Effect.gen(function* () {
  const storage = yield* Storage;
  const { customerId, formula } = yield* Scene.create();
  yield* relayAll(customerId, MANY);
  const before = yield* readAll(customerId);
  const log = yield* storage.log(customerId, "formula", formula.id);
  const [first] = log;
  if (first?.event.type !== "create_commission_formula") return yield* Effect.die("a formula without log");
  const left = { ...first, person: "nobody", event: { ...first.event, name: "[erased]" } };
  const { position = 0 } = before.entries.find(({ recordId }) => recordId === formula.id) ?? {};
  const feed = { position, digest: "0d".repeat(32) };
  const erasure: Change = {
    type: "erase_events",
    kind: "formula",
    id: formula.id,
    events: [{ sequence: 1, left, feed }],
  };
  const saved = Build.next("formula", { ...formula, name: "[erased]" }, [ERASURE]);
  return { customerId, formula, before, log, left, feed, erasure, saved };
});

const replaced = Effect.gen(function* () {
  const storage = yield* Storage;
  const { customerId, formula, left, erasure, saved } = yield* createErasure;
  yield* Scene.commit(customerId, [erasure, saved]);
  const log = yield* storage.log(customerId, "formula", formula.id);
  yield* expectSame("the log", log, [left, ...saved.entries]);
  const { items } = yield* storage.list(customerId, "formula", Build.query());
  yield* expectSame("the events in a list", items[0]?.events, [left, ...saved.entries]);
});

const gone = Effect.gen(function* () {
  const storage = yield* Storage;
  const { customerId, formula, before, log, feed, erasure, saved } = yield* createErasure;
  const feedOnly: Change = {
    ...{ type: "erase_events", kind: "formula", id: formula.id },
    events: [{ sequence: 1, left: null, feed }],
  };
  yield* Scene.commit(customerId, [feedOnly, Build.next("formula", formula, [ERASURE])]);
  const index = feed.position - 1;
  const expected = { ...before.entries[index], event: null, salt: null, digest: feed.digest };
  const { entries } = yield* readAll(customerId);
  yield* expectSame("the erased entry", entries[index], expected);
  yield* expectSame("the others", entries.toSpliced(index, 1), before.entries.toSpliced(index, 1));
  const kept = (yield* storage.log(customerId, "formula", formula.id))[0];
  yield* expectSame("the event in its log", kept, log[0]);
  const other = { ...feed, digest: "0e".repeat(32) };
  const again = { ...erasure, events: [{ sequence: 1, left: null, feed: other }] } as Change;
  const row = { ...saved.row, name: formula.name };
  yield* Scene.commit(customerId, [again, Build.next("formula", row, [ERASURE])]);
  yield* expectSame("the entry after a second time", (yield* readAll(customerId)).entries[index], expected);
});

const allOrNothing = Effect.gen(function* () {
  const storage = yield* Storage;
  const { customerId, formula, before, log, erasure, saved } = yield* createErasure;
  const unchanged = (what: string) =>
    Effect.gen(function* () {
      yield* expectSame(what, (yield* readAll(customerId)).entries, before.entries);
      yield* expectSame(what, yield* storage.log(customerId, "formula", formula.id), log);
    });
  const stale = Build.next("formula", { ...formula, version: 5 }, [ERASURE]);
  yield* expectVersionConflict("a stale erasure", Scene.commit(customerId, [erasure, stale]));
  yield* unchanged("after a conflict");
  if (erasure.type !== "erase_events" || erasure.kind !== "formula") return;
  const [event] = erasure.events;
  if (event === undefined) return;
  const wrong: ReadonlyArray<Change> = [
    { ...erasure, events: [{ ...event, left: { ...event.left, event: ERASURE } }] } as Change,
    { ...erasure, events: [{ ...event, sequence: 9 }] } as Change,
    { ...erasure, id: Build.fresh.formula() },
  ];
  for (const one of wrong) {
    const exit = yield* Effect.exit(Scene.commit(customerId, [one, saved]));
    yield* expect(Exit.isFailure(exit), "an erasure of another event was stored");
    yield* unchanged("after an erasure of another event");
  }
  const stranger = Build.fresh.customer();
  yield* Effect.exit(Scene.commit(stranger, [erasure]));
  yield* unchanged("after an erasure by another customer");
});

/** Every law of erasing. */
export const erasures: ReadonlyArray<Law> = [
  law(PART, "whole, in part, of another record, and at the end", parts),
  law(LEFT, "one event, in the log and in a list", replaced),
  law(GONE, "one entry, twice", gone),
  law(ALL_OR_NOTHING, "erasures that conflict, of other events, and by another customer", allOrNothing),
];
