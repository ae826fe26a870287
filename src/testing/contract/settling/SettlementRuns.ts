/** Laws of settlement runs: what partners have due, and the policies whose next run is due. */
import { Effect } from "effect";
import { due } from "../../../domain/Ledger.ts";
import type { DueCommission, DuePosition } from "../../../domain/SettlementRun.ts";
import { Storage } from "../../../ports/Storage.ts";
import * as Build from "../../Build.ts";
import { expectSame, type Law, law } from "../../Law.ts";
import * as Scene from "../../Scene.ts";
import { listAll } from "../../StateDump.ts";

const DUE =
  "The commissions of the partners with something due or waiting, and those that cannot be computed, of attributions that occurred before `until` (exclusive), after a position; of each partner the first `limit` in order of (createdAt, id), from 1, of one snapshot. The partners come in any order.";
const POLICIES =
  "Settlement policies of every customer whose next run is due at a moment, after a position, ordered by (nextRunAt, id), at most `limit`.";

const { EPOCH, DAY } = Build;
const NEVER = EPOCH + 1_000 * DAY;

/** The attributions whose commissions have settled, and those that replace them, directly or not. */
const settledSales = (customerId: Build.Owner["customerId"]) =>
  Effect.gen(function* () {
    const commissions = yield* listAll(customerId, "commission");
    const settled = new Set(
      commissions.flatMap((one) => (one.settledLineCount > 0 ? [one.attributionId] : [])),
    );
    // In order of creation: what is replaced comes first.
    for (const { id, replaces } of yield* listAll(customerId, "attribution"))
      if (replaces !== null && settled.has(replaces)) settled.add(id);
    return settled;
  });

/** What the naive implementation finds of a partner: the stored commissions, filtered, sorted and cut. */
const naive = (
  customerId: Build.Owner["customerId"],
  partnerId: Build.FormulaSetKey["partnerId"],
  {
    until = NEVER,
    after = null,
    limit = 100,
  }: { until?: number; after?: DuePosition | null; limit?: number } = {},
) =>
  Effect.map(Effect.all([listAll(customerId, "commission"), settledSales(customerId)]), ([all, settled]) =>
    all
      .filter((candidate) => candidate.partnerId === partnerId && candidate.occurredAt < until)
      .filter(
        (candidate) =>
          due(candidate) !== 0 || (candidate.waitingAmount ?? 0) > 0 || candidate.computationError !== null,
      )
      .filter(
        (candidate) =>
          after === null ||
          candidate.createdAt > after.createdAt ||
          (candidate.createdAt === after.createdAt && candidate.id > after.id),
      )
      .slice(0, limit)
      .map(
        (item): DueCommission => ({
          ...{
            id: item.id,
            createdAt: item.createdAt,
            partnerId,
            formulaId: item.formulaId,
            currency: item.currency,
          },
          ...{ dueAmount: due(item), occurredAt: item.occurredAt },
          isComputable: item.computationError === null,
          isInOpenSettlement: item.openSettlementId !== null,
          isCorrection: item.settledLineCount > 0 || settled.has(item.attributionId),
        }),
      ),
  );

/** A partner with commissions of every kind: due, paid, corrected, open, written off, negative, of 0, waiting and not computable. */
const partnerWithEverything = Effect.gen(function* () {
  const scene = yield* Scene.create();
  const amounts = [700, -300, 0, null, 500, 400, 900, 250, null, 1];
  const earned = yield* Scene.earn(
    scene,
    amounts,
    (index) => EPOCH + Math.floor(index / 2),
    (index) => EPOCH - (index % 3) * DAY,
  );
  const commissions = earned.map(({ commission }) => commission);
  const at = (index: number) => commissions.slice(index, index + 1);
  yield* Scene.pay(yield* Scene.draft(scene, at(4)));
  yield* Scene.pay(yield* Scene.draft(scene, at(5)));
  const [corrected] = yield* Scene.reloadCommissions(at(5));
  if (corrected !== undefined) yield* Scene.revise(corrected, 100);
  yield* Scene.draft(scene, at(6));
  yield* Scene.writeOff(yield* Scene.draft(scene, at(7)));
  // The sale of the paid commission is replaced, and the new one again; and one of which nothing has settled.
  for (const index of [4, 0]) {
    let replaced = earned[index]?.attribution;
    for (const amount of [31, 32]) {
      if (replaced === undefined) continue;
      const newer = Build.attribution(scene, { replaces: replaced.id, createdAt: EPOCH + 50 + amount });
      yield* Scene.commit(scene.customerId, [
        Build.replacedAttribution(replaced, newer.row.id, EPOCH + 50),
        newer,
        Build.commission(newer.row, scene.formula, amount),
      ]);
      replaced = newer.row;
    }
  }
  const waiting = Build.formula(scene, { release: "on_receipt" });
  const unpaid = Build.attribution(scene, { createdAt: EPOCH + 90 });
  yield* Scene.commit(scene.customerId, [waiting, unpaid, Build.commission(unpaid.row, waiting.row, 600)]);
  return scene;
});

const dueOfPartners = Effect.gen(function* () {
  const storage = yield* Storage;
  const scene = yield* partnerWithEverything;
  const { customerId, partnerId } = scene;
  const idle = Build.partner(scene);
  const other = yield* Scene.create(scene);
  yield* Scene.commissions(other, [11, 12, 13]);
  yield* Scene.commit(customerId, [idle]);
  const readDue = (query: { until?: number; after?: DuePosition | null; limit?: number } = {}) =>
    storage.dueCommissions(customerId, {
      ...{ partnerIds: [partnerId], until: NEVER, after: null, limit: 100 },
      ...query,
    });
  const all = yield* readDue();
  yield* expectSame("everything due of the partner", all, yield* naive(customerId, partnerId));
  yield* expectSame(
    "its amounts",
    all.map(({ dueAmount }) => dueAmount).sort((a, b) => a - b),
    [-300, -300, 0, 0, 0, 1, 31, 31, 32, 32, 700, 900],
  );
  for (const query of [
    { until: EPOCH },
    { until: EPOCH + 1 },
    { until: EPOCH - DAY },
    { limit: 1 },
    { limit: 3 },
    ...all.flatMap((dueCommission) => [
      { after: dueCommission },
      { after: dueCommission, limit: 2, until: EPOCH },
    ]),
  ]) {
    yield* expectSame(
      JSON.stringify(query),
      yield* readDue(query),
      yield* naive(customerId, partnerId, query),
    );
  }
  const both = [other.partnerId, partnerId, idle.row.id, Build.fresh.partner(), partnerId];
  const found = yield* storage.dueCommissions(customerId, {
    ...{ partnerIds: both, until: NEVER, after: null, limit: 2 },
  });
  for (const id of [partnerId, other.partnerId]) {
    yield* expectSame(
      "the first two of each of several partners",
      found.filter((dueCommission) => dueCommission.partnerId === id),
      yield* naive(customerId, id, { limit: 2 }),
    );
  }
  yield* expectSame("and nothing else", found.length, 4);
  const stranger = Build.fresh.customer();
  const query = { partnerIds: [partnerId], until: NEVER, after: null, limit: 9 };
  yield* expectSame("another customer", yield* storage.dueCommissions(stranger, query), []);
});

const duePolicies = Effect.gen(function* () {
  const storage = yield* Storage;
  // Long before every other policy of the store, which may be shared.
  const early = -EPOCH;
  const scenes = [yield* Scene.create(), yield* Scene.create(), yield* Scene.create()];
  const moments = [early + 2, early, early + 2];
  const policies = scenes.map((scene, index) =>
    Build.settlementPolicy({ ...scene, partnerId: null }, { nextRunAt: moments[index] ?? null }),
  );
  for (const [index, scene] of scenes.entries())
    yield* Scene.commit(scene.customerId, policies.slice(index, index + 1));
  const [first] = scenes;
  if (first === undefined) return;
  yield* Scene.commit(first.customerId, [Build.settlementPolicy(first)]);
  const rows = policies
    .map(({ row }) => row)
    .toSorted((a, b) => (a.nextRunAt ?? 0) - (b.nextRunAt ?? 0) || (a.id < b.id ? -1 : 1));
  yield* expectSame("before the first", yield* storage.dueSettlementPolicies(early - 1, null, 9), []);
  yield* expectSame("at its moment", yield* storage.dueSettlementPolicies(early, null, 9), rows.slice(0, 1));
  yield* expectSame("all that are due", yield* storage.dueSettlementPolicies(early + 3, null, 9), rows);
  yield* expectSame(
    "the first two",
    yield* storage.dueSettlementPolicies(early + 3, null, 2),
    rows.slice(0, 2),
  );
  for (const [index, { nextRunAt, id }] of rows.entries()) {
    const after = { nextRunAt: nextRunAt ?? early, id };
    const found = yield* storage.dueSettlementPolicies(early + 3, after, 9);
    yield* expectSame(`after the one at place ${index}`, found, rows.slice(index + 1));
    const one = yield* storage.dueSettlementPolicies(early + 3, after, 1);
    yield* expectSame(`the next after place ${index}`, one, rows.slice(index + 1, index + 2));
  }
  for (const { row } of policies) yield* Scene.commit(row.customerId, [Build.begunPeriod(row, NEVER)]);
  yield* expectSame("once none is due", yield* storage.dueSettlementPolicies(early + 3, null, 9), []);
});

export const settlementRuns: ReadonlyArray<Law> = [
  law(DUE, "a partner with commissions of every kind, and several partners", dueOfPartners),
  law(POLICIES, "of three customers, two at one moment", duePolicies),
];
