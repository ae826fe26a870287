/** Laws of the reads in order of arrival, which plans that accumulate rest on. */
import { Effect } from "effect";
import type { Arrival } from "../../../domain/Accumulation.ts";
import { type AttributionForFormula, Storage } from "../../../ports/Storage.ts";
import * as Build from "../../Build.ts";
import { expect, expectSame, type Law, law } from "../../Law.ts";
import * as Scene from "../../Scene.ts";

const ARRIVALS =
  "Attributions of the formula's customer, partner, workspace and schema in order of arrival (createdAt, id), after a position, that occurred from `from` (inclusive, null: no start) to `to` (exclusive, null: no end), with their commission under the formula.";
const LAST =
  "The attribution of a partner and schema that arrived last (greatest createdAt, then id), or null.";

/** When each attribution arrives and when it occurred, in milliseconds after the epoch; several within one millisecond. */
const DATES = [
  [0, 0],
  [1, 1],
  [1, 0],
  [1, -3],
  [2, 2],
  [5, 1],
  [5, 5],
  [9, -3],
  [9, 9],
  [12, 4],
] as const;

/** Stores attributions of one partner and schema among others, some late, some cancelled, some with a commission. */
const createArrivals = Effect.gen(function* () {
  const scene = yield* Scene.create();
  const attributions = DATES.map(([createdAt, occurredAt]) =>
    Build.attribution(scene, {
      createdAt: Build.EPOCH + createdAt,
      occurredAt: Build.EPOCH + occurredAt,
    }),
  );
  const otherSchema = Build.schema(scene);
  const otherPartner = Build.partner(scene);
  yield* Scene.commit(scene.customerId, [...attributions.toReversed(), otherSchema, otherPartner]);
  const commissions = attributions.flatMap(({ row }, index) =>
    index % 3 === 0 ? [Build.commission(row, scene.formula, index)] : [],
  );
  const later = Build.EPOCH + 100;
  const elsewhere = [
    Build.attribution({ ...scene, schemaId: otherSchema.row.id }, { createdAt: later }),
    Build.attribution({ ...scene, partnerId: otherPartner.row.id }, { createdAt: later }),
  ];
  yield* Scene.commit(scene.customerId, [...commissions, ...elsewhere]);
  const cancelled = attributions.map(({ row }, index) =>
    index % 4 === 1
      ? Build.next("attribution", row, [{ type: "cancel_attribution", reason: "no" }]).row
      : row,
  );
  for (const row of cancelled) {
    if (row.version === 1) continue;
    const before = attributions.find((attribution) => attribution.row.id === row.id)?.row ?? row;
    yield* Scene.commit(scene.customerId, [
      Build.next("attribution", before, [{ type: "cancel_attribution", reason: "no" }]),
    ]);
  }
  const due = cancelled
    .map(
      (attribution): AttributionForFormula => ({
        attribution,
        commission: commissions.find(({ row }) => row.attributionId === attribution.id)?.row ?? null,
      }),
    )
    .toSorted(
      ({ attribution: one }, { attribution: other }) =>
        one.createdAt - other.createdAt || (one.id < other.id ? -1 : 1),
    );
  return { scene, due, elsewhere };
});

const arrivalOf = ({ attribution: { createdAt, id } }: AttributionForFormula): Arrival => ({ createdAt, id });

const inPages = Effect.gen(function* () {
  const storage = yield* Storage;
  const { scene, due } = yield* createArrivals;
  const whole = { from: null, to: null, after: null, limit: 1_000 };
  const all = yield* storage.arrivalsForFormula(scene.formula, whole);
  yield* expectSame("every attribution in order of arrival", all, due);
  for (const limit of [1, 2, 3, 4]) {
    const found: Array<AttributionForFormula> = [];
    for (let after: Arrival | null = null; ; ) {
      const page: ReadonlyArray<AttributionForFormula> = yield* storage.arrivalsForFormula(scene.formula, {
        ...whole,
        after,
        limit,
      });
      yield* expect(page.length <= limit, `a page of ${page.length}, the limit is ${limit}`);
      found.push(...page);
      const last = page.at(-1);
      if (last === undefined) break;
      after = arrivalOf(last);
    }
    yield* expectSame(`every attribution in order of arrival, in pages of ${limit}`, found, due);
  }
});

const inSpans = Effect.gen(function* () {
  const storage = yield* Storage;
  const { scene, due } = yield* createArrivals;
  const [, , third] = due;
  if (third === undefined) return yield* Effect.die("ten attributions were stored");
  for (const [from, to] of [
    [1, 5],
    [-3, 1],
    [0, 2],
    [4, 5],
    [5, null],
    [null, 1],
    [null, null],
    [0, 0],
  ] as const) {
    const span = {
      from: from === null ? null : Build.EPOCH + from,
      to: to === null ? null : Build.EPOCH + to,
    };
    const inside = due.filter(
      ({ attribution: { occurredAt } }) =>
        (span.from === null || span.from <= occurredAt) && (span.to === null || occurredAt < span.to),
    );
    for (const after of [null, arrivalOf(third)]) {
      const expected = after === null ? inside : inside.filter((candidate) => due.indexOf(candidate) > 2);
      const query = { ...span, after, limit: 1_000 };
      const found = yield* storage.arrivalsForFormula(scene.formula, query);
      yield* expectSame(`occurred from ${from} to ${to}, after ${after?.id ?? "the start"}`, found, expected);
      const first = yield* storage.arrivalsForFormula(scene.formula, { ...query, limit: 1 });
      yield* expectSame("the first of them", first, expected.slice(0, 1));
    }
  }
});

const last = Effect.gen(function* () {
  const storage = yield* Storage;
  const { scene, due, elsewhere } = yield* createArrivals;
  const { customerId, partnerId, schemaId } = scene;
  const latest = due.at(-1);
  yield* expectSame(
    "the last attribution of the partner and schema",
    yield* storage.lastArrival(customerId, partnerId, schemaId),
    latest === undefined ? null : arrivalOf(latest),
  );
  for (const { row } of elsewhere) {
    yield* expectSame(
      "the only attribution of another partner or schema",
      yield* storage.lastArrival(customerId, row.partnerId, row.schemaId),
      { createdAt: row.createdAt, id: row.id },
    );
  }
  yield* expectSame(
    "of a partner without attributions",
    yield* storage.lastArrival(customerId, Build.fresh.partner(), schemaId),
    null,
  );
});

/** Every law of arrivals. */
export const arrivals: ReadonlyArray<Law> = [
  law(ARRIVALS, "by pages, among late attributions and some that are cancelled", inPages),
  law(ARRIVALS, "by spans of what occurred, with and without a position", inSpans),
  law(LAST, "among other partners and schemas, and without attributions", last),
];
