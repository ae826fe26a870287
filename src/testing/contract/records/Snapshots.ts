/** Laws of snapshots: one read returns the state of one moment, even under concurrent writes. */
import { Effect, Ref } from "effect";
import { Storage } from "../../../ports/Storage.ts";
import * as Build from "../../Build.ts";
import { expect, expectSame, type Failure, type Law, law } from "../../Law.ts";
import * as Scene from "../../Scene.ts";

/** Repeats a read until the concurrent writes have ended. */
const readWhile = <R, S>(
  writing: Effect.Effect<void, Failure, R>,
  reading: Effect.Effect<void, Failure, S>,
): Effect.Effect<void, Failure, R | S> =>
  Effect.gen(function* () {
    const ended = yield* Ref.make(false);
    const reads = Effect.repeat(Effect.zipRight(reading, Effect.yieldNow()), { until: () => Ref.get(ended) });
    yield* Effect.all([Effect.ensuring(writing, Ref.set(ended, true)), reads], {
      concurrency: 2,
      discard: true,
    });
  });

const WRITES = 40;

const writeRepeatedly = <E, R>(write: Effect.Effect<unknown, E, R>): Effect.Effect<void, E, R> =>
  Effect.asVoid(Effect.repeatN(write, WRITES));

const totals = Effect.gen(function* () {
  const storage = yield* Storage;
  const scene = yield* Scene.create();
  const create = Effect.suspend(() =>
    Scene.commit(scene.customerId, [Build.attribution(scene), Build.attribution(scene)]),
  );
  const read = Effect.gen(function* () {
    const query = Build.query();
    const { items, total } = yield* storage.list(scene.customerId, "attribution", query);
    yield* expect(
      items.length === total && total % 2 === 0,
      `${items.length} items, total ${total}; attributions are created in pairs`,
    );
  });
  yield* readWhile(writeRepeatedly(create), read);
});

const formulaSet = Effect.gen(function* () {
  const storage = yield* Storage;
  const scene = yield* Scene.create();
  const { customerId, partnerId, schemaId } = scene;
  const raise = { type: "bump_formula_set", partnerId, schemaId } as const;
  const create = Effect.suspend(() => Scene.commit(customerId, [Build.formula(scene), raise]));
  const read = Effect.gen(function* () {
    const { version, formulas } = yield* storage.formulaSet(customerId, partnerId, schemaId);
    const [set] = yield* storage.formulaSets(customerId, schemaId, [partnerId]);
    yield* expectSame("the same among the sets of several partners", set?.formulas.length, set?.version);
    yield* expectSame(
      "the number of formulas, compared with the version of the formula set",
      formulas.length,
      version,
    );
  });
  yield* readWhile(writeRepeatedly(create), read);
});

const beside = Effect.gen(function* () {
  const storage = yield* Storage;
  const scene = yield* Scene.create();
  const commissions = yield* Scene.commissions(scene, [100, 200]);
  const ids = commissions.map(({ id }) => id);
  const turn = Effect.gen(function* () {
    const rows = yield* storage.find(scene.customerId, "commission", ids);
    const draft = yield* Scene.draft(scene, rows);
    yield* Effect.yieldNow();
    yield* Scene.cancel(draft);
  });
  const read = Effect.gen(function* () {
    const query = Build.query({ where: { ids }, perPage: 2 });
    const { items } = yield* storage.list(scene.customerId, "commission", query);
    for (const { version, events, openSettlementId } of items) {
      yield* expectSame("the number of events, compared with the version", events.length, version);
      const held = events.at(-1)?.event.type === "reserve_commission";
      yield* expectSame(
        "whether the commission names a settlement, compared with its last event",
        openSettlementId !== null,
        held,
      );
    }
    const found = yield* storage.commissionsWithAttributions(scene.customerId, ids);
    const holders = new Set(found.map(({ commission }) => commission.openSettlementId));
    yield* expectSame(
      "the number of settlements that hold two commissions reserved together",
      holders.size,
      1,
    );
  });
  yield* readWhile(writeRepeatedly(turn), read);
});

export const snapshots: ReadonlyArray<Law> = [
  law("A page and the exact number of matches, of one snapshot.", "during creations", totals),
  law("Version and formulas, of one snapshot.", "during formula commands", formulaSet),
  law(
    "Version and formulas of each of the partners for one schema, of one snapshot, in any order.",
    "during formula commands",
    formulaSet,
  ),
  law(
    "One page with events and the exact total, of one snapshot.",
    "during reservations and releases",
    beside,
  ),
];
