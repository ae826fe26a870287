/** Laws of snapshots: what one read tells was true at one moment, however much is written meanwhile. */
import { Effect, Ref } from "effect";
import { Storage } from "../../../ports/Storage.ts";
import * as Build from "../../Build.ts";
import { expect, expectSame, type Failure, type Law, law } from "../../Law.ts";
import * as Scene from "../../Scene.ts";

/** Reads again and again until the writing has ended. */
const during = <R, S>(
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

const repeatedly = <E, R>(write: Effect.Effect<unknown, E, R>): Effect.Effect<void, E, R> =>
  Effect.asVoid(Effect.repeatN(write, WRITES));

const totals = Effect.gen(function* () {
  const storage = yield* Storage;
  const scene = yield* Scene.create();
  const create = Effect.suspend(() =>
    Scene.commit(scene.customerId, [Build.attribution(scene), Build.attribution(scene)]),
  );
  const read = Effect.gen(function* () {
    const query = { where: {}, page: 1, perPage: 100, order: "asc" } as const;
    const { items, total } = yield* storage.list(scene.customerId, "attribution", query);
    yield* expect(
      items.length === total && total % 2 === 0,
      `${items.length} items, total ${total}, made in pairs`,
    );
  });
  yield* during(repeatedly(create), read);
});

const formulaSet = Effect.gen(function* () {
  const storage = yield* Storage;
  const scene = yield* Scene.create();
  const { customerId, partnerId, schemaId } = scene;
  const raise = { type: "bump_formula_set", partnerId, schemaId } as const;
  const create = Effect.suspend(() => Scene.commit(customerId, [Build.formula(scene), raise]));
  const read = Effect.gen(function* () {
    const { version, formulas } = yield* storage.formulaSet(customerId, partnerId, schemaId);
    yield* expectSame("formulas, each made by a command that raises the version", formulas.length, version);
  });
  yield* during(repeatedly(create), read);
});

const beside = Effect.gen(function* () {
  const storage = yield* Storage;
  const scene = yield* Scene.create();
  const commissions = (yield* Scene.earn(scene, [100, 200])).map(({ commission }) => commission);
  const ids = commissions.map(({ id }) => id);
  const turn = Effect.gen(function* () {
    const rows = yield* storage.find(scene.customerId, "commission", ids);
    const draft = yield* Scene.draft(scene, rows);
    yield* Effect.yieldNow();
    yield* Scene.cancel(draft);
  });
  const read = Effect.gen(function* () {
    const query = { where: { ids }, page: 1, perPage: 2, order: "asc" } as const;
    const { items } = yield* storage.list(scene.customerId, "commission", query);
    for (const { version, events, openSettlementId } of items) {
      yield* expectSame("events of a version", events.length, version);
      const held = events.at(-1)?.event.type === "reserve_commission";
      yield* expectSame("whether its last event holds it", openSettlementId !== null, held);
    }
    const outstanding = yield* storage.commissionsWithAttributions(scene.customerId, ids);
    const holders = new Set(outstanding.map(({ commission }) => commission.openSettlementId));
    yield* expectSame("settlements that hold what is always held together", holders.size, 1);
  });
  yield* during(repeatedly(turn), read);
});

/** Laws of snapshots. */
export const snapshots: ReadonlyArray<Law> = [
  law("A page and the exact number of matches, of one snapshot.", "while records are made", totals),
  law("Version and formulas, of one snapshot.", "while formulas are made", formulaSet),
  law(
    "One page with events and the exact total, of one snapshot.",
    "while commissions are reserved and released",
    beside,
  ),
];
