/** Laws of reading the lines of a settlement, and whether they still are what is due. */
import { Effect, Stream } from "effect";
import { Storage } from "../../../ports/Storage.ts";
import * as Build from "../../Build.ts";
import { expectSame, type Law, law } from "../../Law.ts";
import * as Scene from "../../Scene.ts";
import { createDraft, readRows } from "../records/Lines.ts";

const lineStream = Effect.gen(function* () {
  const storage = yield* Storage;
  const scene = yield* Scene.create();
  const earned = (yield* Scene.earn(scene, [5, -3, 0, 8], (index) => Build.EPOCH + index)).toReversed();
  const draft = yield* Scene.draft(
    scene,
    earned.map(({ commission }) => commission),
  );
  const lines = yield* Stream.runCollect(storage.settlementLines(scene.customerId, draft.id));
  yield* expectSame(
    "the lines",
    [...lines],
    earned.map(({ attribution, commission }) => ({
      commissionId: commission.id,
      amount: commission.computedAmount,
      formulaId: commission.formulaId,
      attributionId: attribution.id,
      attributionOccurredAt: attribution.occurredAt,
      attributionOccurredOn: attribution.occurredOn,
    })),
  );
  const none = yield* Stream.runCollect(storage.settlementLines(scene.customerId, Build.fresh.settlement()));
  yield* expectSame("the lines of an unknown settlement", [...none], []);
});

const staleness = Effect.gen(function* () {
  const storage = yield* Storage;
  const { scene, draft, ids } = yield* createDraft;
  const isStale = storage.isStale(scene.customerId, draft.id);
  const shown = Effect.map(
    storage.list(scene.customerId, "settlement", Build.query({ where: { ids: [draft.id] } })),
    ({ items }) => items.map((item) => item.stale),
  );
  yield* expectSame("a fresh draft", [yield* isStale, ...(yield* shown)], [false, false]);
  const [, zero] = yield* readRows(draft, ids);
  if (zero !== undefined) yield* Scene.revise(zero, 1);
  yield* expectSame("after one line's amount changed", [yield* isStale, ...(yield* shown)], [true, true]);
  const [, moved] = yield* readRows(draft, ids);
  if (moved !== undefined) yield* Scene.revise(moved, 0);
  yield* expectSame("after the amount changed back", yield* isStale, false);
  const [, back] = yield* readRows(draft, ids);
  if (back !== undefined) yield* Scene.revise(back, 2);
  yield* Scene.advance(draft, Build.approvalEvents(draft).slice(0, 1));
  yield* expectSame("after approval", [yield* isStale, ...(yield* shown)], [false, false]);
  yield* expectSame(
    "an unknown settlement",
    yield* storage.isStale(scene.customerId, Build.fresh.settlement()),
    false,
  );
});

/** Every law of reading lines. */
export const settlementLines: ReadonlyArray<Law> = [
  law(
    "The settlement's lines in order, of one snapshot, without holding them all at once.",
    "each with its formula and attribution",
    lineStream,
  ),
  law(
    "True if the settlement is a draft with a line that differs from what its commission is due now.",
    "fresh, after a revision, revised back, and after approval",
    staleness,
  ),
];
