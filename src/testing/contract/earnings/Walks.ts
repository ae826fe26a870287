/** Laws of the reads that commands decide on: formula sets, attributions of a formula, commissions by id, and logs. */
import { Effect } from "effect";
import type { Entry } from "../../../domain/Event.ts";
import type { Position } from "../../../domain/Recomputation.ts";
import type { SettlementEvent } from "../../../domain/Settlement.ts";
import { type AttributionForFormula, Storage } from "../../../ports/Storage.ts";
import * as Build from "../../Build.ts";
import { expect, expectSame, expectSameSet, type Law, law } from "../../Law.ts";
import { replayDifference } from "../../ReplayDifference.ts";
import * as Scene from "../../Scene.ts";
import { listAll } from "../../StateDump.ts";

const KEYSET = `Attributions of the formula's customer, partner, workspace and schema that occurred from \`from\` (inclusive) to \`to\` (exclusive, null: no end), after a position, in order of (occurredAt, id), with their commission under the formula.`;

const formulaSet = Effect.gen(function* () {
  const storage = yield* Storage;
  const scene = yield* Scene.create();
  const { customerId, partnerId, schemaId } = scene;
  const formulaOf = (day: number) => Build.formula(scene, { createdAt: Build.EPOCH + day * Build.DAY });
  const [third, first, second] = [formulaOf(3), formulaOf(1), formulaOf(2)];
  yield* Scene.commit(customerId, [third, first, second]);
  const cancelled = Build.next("formula", first.row, [
    { type: "cancel_commission_formula", reason: "never" },
  ]);
  const otherSchema = Build.schema(scene);
  const elsewhere = Build.formula({ ...scene, schemaId: otherSchema.row.id });
  yield* Scene.commit(customerId, [cancelled, otherSchema, elsewhere]);
  const found = yield* storage.formulaSet(customerId, partnerId, schemaId);
  yield* expectSame("the formulas", found.formulas, [scene.formula, cancelled.row, second.row, third.row]);
});

/**
 * Stores attributions of one partner and schema among others, several in one millisecond, some with a commission. Every other
 * one is created late, after all that occurred later.
 */
const createWalk = Effect.gen(function* () {
  const scene = yield* Scene.create();
  const moments = [0, 1, 1, 1, 2, 5, 5, 9, 9, 12];
  const attributions = moments.map((moment, index) =>
    Build.attribution(
      scene,
      index % 2 === 0
        ? { createdAt: Build.EPOCH + moment }
        : { createdAt: Build.EPOCH + Build.DAY - moment, occurredAt: Build.EPOCH + moment },
    ),
  );
  const otherFormula = Build.formula(scene);
  const otherSchema = Build.schema(scene);
  const otherPartner = Build.partner(scene);
  const otherWorkspace = { ...scene, workspaceId: Build.fresh.workspace() };
  yield* Scene.commit(scene.customerId, [...attributions, otherFormula, otherSchema, otherPartner]);
  const commissions = attributions.flatMap(({ row }, index) =>
    index % 3 === 0 ? [Build.commission(row, scene.formula, index)] : [],
  );
  yield* Scene.commit(scene.customerId, [
    ...commissions,
    ...attributions.map(({ row }) => Build.commission(row, otherFormula.row, 77)),
    Build.attribution({ ...scene, schemaId: otherSchema.row.id }),
    Build.attribution({ ...scene, partnerId: otherPartner.row.id }),
    Build.attribution(otherWorkspace),
  ]);
  const due = attributions
    .map(
      ({ row }): AttributionForFormula => ({
        attribution: row,
        commission: commissions.find((commission) => commission.row.attributionId === row.id)?.row ?? null,
      }),
    )
    .toSorted(
      ({ attribution: one }, { attribution: other }) =>
        one.occurredAt - other.occurredAt || (one.id < other.id ? -1 : 1),
    );
  return { scene, due };
});

const keyset = Effect.gen(function* () {
  const storage = yield* Storage;
  const { scene, due } = yield* createWalk;
  const whole = { from: 0, to: null, after: null, limit: 1_000 };
  yield* expectSame(
    "every attribution of the formula",
    yield* storage.attributionsForFormula(scene.formula, whole),
    due,
  );
  for (const limit of [1, 2, 3, 4]) {
    const found: Array<AttributionForFormula> = [];
    for (let after: Position | null = null; ; ) {
      const page: ReadonlyArray<AttributionForFormula> = yield* storage.attributionsForFormula(
        scene.formula,
        {
          ...whole,
          after,
          limit,
        },
      );
      yield* expect(page.length <= limit, `a page of ${page.length}, the limit is ${limit}`);
      found.push(...page);
      const last = page.at(-1)?.attribution;
      if (last === undefined) break;
      after = { occurredAt: last.occurredAt, id: last.id };
    }
    yield* expectSame(`every attribution of the formula, in pages of ${limit}`, found, due);
  }
  for (const [from, to] of [
    [1, 5],
    [2, 9],
    [5, 6],
    [3, 4],
    [9, null],
    [0, 0],
  ] as const) {
    const span = { from: Build.EPOCH + from, to: to === null ? null : Build.EPOCH + to };
    const inside = due.filter(
      ({ attribution: { occurredAt } }) =>
        span.from <= occurredAt && (span.to === null || occurredAt < span.to),
    );
    yield* expectSame(
      `from ${from} to ${to}`,
      yield* storage.attributionsForFormula(scene.formula, { ...whole, ...span }),
      inside,
    );
  }
  const [, , third] = due;
  if (third === undefined) return yield* Effect.die("ten attributions were stored");
  const after = { occurredAt: third.attribution.occurredAt, id: third.attribution.id };
  const later = yield* storage.attributionsForFormula(scene.formula, {
    ...whole,
    from: Build.EPOCH + 5,
    after,
  });
  yield* expectSame("attributions after a position that is before the span", later, due.slice(5));
});

const cancelledToo = Effect.gen(function* () {
  const storage = yield* Storage;
  const scene = yield* Scene.create();
  const [earned] = yield* Scene.earn(scene, [5]);
  const cancelled = Build.next("attribution", earned.attribution, [
    { type: "cancel_attribution", reason: "no" },
  ]);
  yield* Scene.commit(scene.customerId, [cancelled]);
  const found = yield* storage.attributionsForFormula(scene.formula, {
    from: 0,
    to: null,
    after: null,
    limit: 10,
  });
  yield* expectSame("a cancelled attribution", found, [
    { attribution: cancelled.row, commission: earned.commission },
  ]);
});

const withAttributions = Effect.gen(function* () {
  const storage = yield* Storage;
  const scene = yield* Scene.create();
  const earned = yield* Scene.earn(scene, [5, 0, null]);
  const ids = earned.map(({ commission }) => commission.id);
  const requested = [...ids, ...ids, Build.fresh.commission()];
  const found = yield* storage.commissionsWithAttributions(scene.customerId, requested);
  yield* expectSameSet(
    "commissions with their attributions",
    found,
    earned,
    ({ commission }) => commission.id,
  );
  yield* expectSame(
    "commissions of no ids",
    yield* storage.commissionsWithAttributions(scene.customerId, []),
    [],
  );
});

const found = Effect.gen(function* () {
  const storage = yield* Storage;
  const scene = yield* Scene.create();
  const earned = yield* Scene.earn(scene, [5, 6, 7]);
  const rows = earned.map(({ commission }) => commission);
  const ids = rows.map(({ id }) => id);
  const requested = [...ids, ...ids, Build.freshUuid()];
  yield* expectSameSet(
    "records by id",
    yield* storage.find(scene.customerId, "commission", requested),
    rows,
    ({ id }) => id,
  );
  yield* expectSame("records by no ids", yield* storage.find(scene.customerId, "commission", []), []);
  yield* expectSame(
    "records of another kind by these ids",
    yield* storage.find(scene.customerId, "settlement", ids),
    [],
  );
});

const commissionsOf = Effect.gen(function* () {
  const storage = yield* Storage;
  const scene = yield* Scene.create();
  const [earned] = yield* Scene.earn(scene, [1]);
  const more = [2, 3, 4].map((amount) => ({ formula: Build.formula(scene), amount }));
  const commissions = more.map(({ formula, amount }) =>
    Build.commission(earned.attribution, formula.row, amount),
  );
  yield* Scene.commit(
    scene.customerId,
    more.map(({ formula }) => formula),
  );
  yield* Scene.commit(scene.customerId, commissions.toReversed());
  const due = [earned.commission, ...commissions.map(({ row }) => row)].toSorted((a, b) =>
    a.id < b.id ? -1 : 1,
  );
  const { attribution } = earned;
  const listed = yield* storage.commissionsOf(scene.customerId, [attribution.id]);
  yield* expectSame("every commission of an attribution", listed, due);
  const [second, , third] = yield* Scene.earn(scene, [5, 6, 7]);
  const several = [third, earned, second].map((one) => one.attribution.id);
  yield* expectSame(
    "the commissions of three attributions of four, one of them named twice",
    yield* storage.commissionsOf(scene.customerId, [...several, attribution.id]),
    [...due, second.commission, third.commission].toSorted((a, b) => (a.id < b.id ? -1 : 1)),
  );
  const none = yield* storage.commissionsOf(scene.customerId, [Build.fresh.attribution()]);
  yield* expectSame("the commissions of an unknown attribution", none, []);
  yield* expectSame("of none", yield* storage.commissionsOf(scene.customerId, []), []);
});

const credited = Effect.gen(function* () {
  const storage = yield* Storage;
  const scene = yield* Scene.create();
  const [first, second, left] = [
    Build.attribution(scene),
    Build.attribution(scene),
    Build.attribution(scene),
  ];
  const creditsOf = ({ row }: typeof first) =>
    ["manager", "engineer"].map((role) =>
      Build.attribution(scene, { credit: { role, share: "1", depth: 0, further: true }, originId: row.id }),
    );
  const [ofFirst, ofSecond] = [creditsOf(first), creditsOf(second)];
  yield* Scene.commit(scene.customerId, [first, second, left, ...ofFirst, ...ofSecond, ...creditsOf(left)]);
  const requested = [second.row.id, first.row.id, second.row.id, Build.fresh.attribution()];
  yield* expectSameSet(
    "the other credits of two sales of three",
    yield* storage.creditedAttributions(scene.customerId, requested),
    [...ofFirst, ...ofSecond].map(({ row }) => row),
    ({ id }) => id,
  );
  yield* expectSame("of no sale", yield* storage.creditedAttributions(scene.customerId, []), []);
});

/** The entry without the lines that a settlement was created with. */
const withoutLines = (entry: Entry<SettlementEvent>): Entry<SettlementEvent> => {
  const { at, actor, event } = entry;
  return event.type === "create_settlement"
    ? { at, actor, event: { ...event, stored: { ...event.stored, lines: [] } } }
    : entry;
};

const logs = Effect.gen(function* () {
  const storage = yield* Storage;
  const scene = yield* Scene.create();
  const commissions = yield* Scene.commissions(scene, [500, -20]);
  const draft = yield* Scene.draft(scene, commissions);
  const paid = yield* Scene.pay(draft);
  const log = yield* storage.log(scene.customerId, "settlement", paid.id);
  yield* expectSame(
    "the events of a paid settlement",
    log.map(({ event }) => event.type),
    ["create_settlement", "approve_settlement", "link_report", "link_invoice", "mark_as_paid"],
  );
  yield* expectSame("its stored lines", log[0]?.event, Build.createdEvent(Build.linesOf(commissions)));
  for (const kind of ["attribution", "formula", "commission", "settlement"] as const) {
    for (const row of yield* listAll(scene.customerId, kind)) {
      const entries = yield* storage.log(scene.customerId, kind, row.id);
      const differs = replayDifference(kind, row, entries);
      yield* expect(differs === null, `${kind}: ${differs}`);
    }
  }
  yield* expectSame(
    "the log of an unknown record",
    yield* storage.log(scene.customerId, "settlement", Build.freshUuid()),
    [],
  );
});

const settlementLogs = Effect.gen(function* () {
  const storage = yield* Storage;
  const scene = yield* Scene.create();
  const { customerId } = scene;
  const paid = yield* Scene.pay(yield* Scene.draft(scene, yield* Scene.commissions(scene, [500, -20])));
  const draft = yield* Scene.draft(scene, yield* Scene.commissions(scene, [70]));
  const left = yield* Scene.draft(scene, yield* Scene.commissions(scene, [30]));
  const requested = [draft.id, paid.id, Build.fresh.settlement(), draft.id];
  const found = yield* storage.settlementLogs(customerId, requested);
  const due = yield* Effect.forEach([paid, draft], ({ id }) =>
    Effect.map(storage.log(customerId, "settlement", id), (log) => ({ id, log: log.map(withoutLines) })),
  );
  yield* expectSameSet("the logs of two settlements of three", found, due, ({ id }) => id);
  yield* expect(!found.some(({ id }) => id === left.id), "the log of a settlement that was not requested");
  yield* expectSame("the logs of no settlements", yield* storage.settlementLogs(customerId, []), []);
});

const reachable = Effect.flatMap(Storage, ({ ready }) => ready);

/** Every law of these reads. */
export const walks: ReadonlyArray<Law> = [
  law(
    "Every formula of customer, partner and schema, cancelled ones included, in order of creation.",
    "among formulas of other schemas",
    formulaSet,
  ),
  law(KEYSET, "by pages, spans and positions, among other attributions", keyset),
  law(KEYSET, "cancelled attributions included", cancelledToo),
  law(
    "The commissions of the ids that exist with their attributions, of one snapshot, in any order.",
    "repeated and unknown ids",
    withAttributions,
  ),
  law("The records of the ids that exist, in any order.", "repeated ids, unknown ids, and none", found),
  law("The commissions of attributions, each once, ordered by id.", "four commissions", commissionsOf),
  law(
    "The attributions that name one of the attributions as their origin, each once, of one snapshot, in any order.",
    "a repeated and an unknown id, and none",
    credited,
  ),
  law(
    "The whole log of a record, stored parts included, in order: for replay and audit.",
    "every kind with a log",
    logs,
  ),
  law(
    "The logs of the settlements of the ids that exist, each once and in order, of one snapshot, with their stored parts but without the lines of the creation.",
    "a paid one and a draft, a repeated and an unknown id, and none",
    settlementLogs,
  ),
  law(
    "Succeeds when the store can be reached and its schema is the one this code needs.",
    "a store that is ready",
    reachable,
  ),
];
