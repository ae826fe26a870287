/** Laws of statistics: exact counts and sums, by bucket, status and currency. */

import { Effect } from "effect";
import { groupBy } from "effect/Array";
import type { Attribution } from "../../../domain/Attribution.ts";
import type { Commission } from "../../../domain/Commission.ts";
import { Currency } from "../../../domain/Currency.ts";
import { settledAmount, settlementStatus, unsettledAmount } from "../../../domain/Ledger.ts";
import { MAX_AMOUNT } from "../../../domain/Limits.ts";
import { HOUR } from "../../../domain/Timestamp.ts";
import {
  type AttributionStatistic,
  type CommissionStatistic,
  type StatisticsQuery,
  Storage,
} from "../../../ports/Storage.ts";
import * as Build from "../../Build.ts";
import { expectSame, expectSameSet, type Law, law } from "../../Law.ts";
import * as Scene from "../../Scene.ts";
import { listAll } from "../../StateDump.ts";

const COUNTS =
  "What a statistic counts: attributions that occurred from `from` (inclusive) to `to` (exclusive), or their commissions, by the bucket they fall in.";
const LAST_START =
  "Ascending; the first is not after `from`. A record belongs to the last start that is not after its `occurredAt`.";

/**
 * Stores a sale at each edge, with a first credit of the partner, and one that repeats it; every second attribution is cancelled,
 * and the others that repeat become first ones.
 */
const createCredits = (scene: Scene.Scene, edges: ReadonlyArray<number>) =>
  Effect.gen(function* () {
    const origins = edges.map((edge) => Build.attribution(scene, { createdAt: Build.EPOCH + edge }));
    const others = origins.flatMap(({ row: { id: originId, createdAt } }) => {
      const credit = { role: "manager", share: "1", depth: 0 };
      return [
        Build.attribution(scene, { createdAt, credit, originId }),
        Build.attribution(scene, { createdAt, credit: { ...credit, depth: 1, further: true }, originId }),
      ];
    });
    const stored = [...origins, ...others];
    yield* Scene.commit(scene.customerId, stored);
    const cancelled = stored
      .filter((_, index) => index % 2 === 0)
      .map(({ row }) => Build.next("attribution", row, [{ type: "cancel_attribution", reason: "no" }]));
    yield* Scene.commit(scene.customerId, cancelled);
    const promoted = stored.flatMap(({ row }, index) => {
      if (index % 2 === 0 || row.credit?.further !== true) return [];
      const { further: _, ...credit } = row.credit;
      return [Build.next("attribution", row, [{ type: "recredit_attribution", reason: "no", credit }])];
    });
    yield* Scene.commit(scene.customerId, promoted);
  });

/**
 * Stores two partners of one customer with records around the edges of three uneven buckets. Some are created on later days,
 * and some commissions later than their attributions.
 */
const createRecordsAtEdges = Effect.gen(function* () {
  const customerId = Build.fresh.customer();
  const scenes = [yield* Scene.create({ customerId }), yield* Scene.create({ customerId })];
  const edges = [-1, 0, 1, HOUR - 1, HOUR, 5 * HOUR - 1, 5 * HOUR, 6 * HOUR - 1, 6 * HOUR];
  for (const scene of scenes) {
    const earned = yield* Scene.earn(
      scene,
      edges.map((_, index) => index * 100 - 200),
      (index) => Build.EPOCH + (edges[index] ?? 0),
    );
    const later = Build.EPOCH + 40 * Build.DAY;
    const late = edges.map((edge) =>
      Build.attribution(scene, { createdAt: later + edge, occurredAt: Build.EPOCH + edge }),
    );
    const lateCommissions = late.map(({ row }, index) =>
      Build.commission(row, scene.formula, 7 * index, { createdAt: later + index * Build.DAY }),
    );
    yield* Scene.commit(customerId, [...late, ...lateCommissions]);
    yield* createCredits(scene, edges);
    yield* Scene.pay(
      yield* Scene.draft(
        scene,
        lateCommissions.slice(0, 4).map(({ row }) => row),
      ),
    );
    for (const { row } of lateCommissions.slice(5)) yield* Scene.revise(row, 1_000);
    const commissions = earned.map(({ commission }) => commission);
    yield* Scene.pay(yield* Scene.draft(scene, commissions.slice(0, 4)));
    yield* Scene.draft(scene, commissions.slice(4, 6));
    for (const { attribution } of earned.slice(2, 5)) {
      yield* Scene.commit(customerId, [
        Build.next("attribution", attribution, [{ type: "cancel_attribution", reason: "no" }]),
      ]);
    }
  }
  return { customerId, scenes };
});

const bucketOf = ({ bucketStarts }: StatisticsQuery, occurredAt: number): number =>
  bucketStarts.findLastIndex((start) => start <= occurredAt);

interface CountedRow {
  readonly occurredAt: number;
  readonly customerId: string;
  readonly partnerId: string;
  readonly workspaceId: string;
}

const countedRows = <Row extends CountedRow>(
  rows: ReadonlyArray<Row>,
  { from, to, where }: StatisticsQuery,
) => {
  const among = (ids: ReadonlyArray<string> | undefined, id: string) => ids === undefined || ids.includes(id);
  return rows.filter(
    (row) =>
      from <= row.occurredAt &&
      row.occurredAt < to &&
      among(where.customerIds, row.customerId) &&
      among(where.partnerIds, row.partnerId) &&
      among(where.workspaceIds, row.workspaceId),
  );
};

/** The naive statistics of attributions. */
const countAttributions = (
  rows: ReadonlyArray<Attribution>,
  query: StatisticsQuery,
): ReadonlyArray<AttributionStatistic> => {
  const isCounted = ({ originId, credit }: Attribution): boolean =>
    query.where.partnerIds === undefined ? originId === null : credit?.further !== true;
  const groups = groupBy(
    countedRows(rows, query).filter(isCounted),
    (row) => `${bucketOf(query, row.occurredAt)} ${row.status}`,
  );
  return Object.values(groups).map((group) => ({
    bucket: bucketOf(query, group[0].occurredAt),
    status: group[0].status,
    count: group.length,
  }));
};

/** The naive statistics of commissions of one currency. */
const sumCommissions = (
  rows: ReadonlyArray<Commission>,
  query: StatisticsQuery,
): ReadonlyArray<CommissionStatistic> => {
  const groups = groupBy(
    countedRows(rows, query),
    (row) => `${bucketOf(query, row.occurredAt)} ${settlementStatus(row)}`,
  );
  return Object.values(groups).map((group) => ({
    bucket: bucketOf(query, group[0].occurredAt),
    settlementStatus: settlementStatus(group[0]),
    currency: group[0].currency,
    count: group.length,
    settledAmount: group.reduce((sum, each) => sum + BigInt(settledAmount(each)), 0n),
    unsettledAmount: group.reduce((sum, each) => sum + BigInt(unsettledAmount(each)), 0n),
  }));
};

const buckets = Effect.gen(function* () {
  const storage = yield* Storage;
  const { customerId, scenes } = yield* createRecordsAtEdges;
  const attributions = yield* listAll(customerId, "attribution");
  const commissions = yield* listAll(customerId, "commission");
  const [one] = scenes;
  if (one === undefined) return yield* Effect.die("two scenes were stored");
  const wheres: ReadonlyArray<StatisticsQuery["where"]> = [
    {},
    { partnerIds: [one.partnerId] },
    { workspaceIds: [one.workspaceId] },
    { workspaceIds: [one.workspaceId], partnerIds: [Build.fresh.partner()] },
    { customerIds: [Build.fresh.customer()] },
    { partnerIds: [] },
  ];
  const uneven = {
    from: Build.EPOCH,
    to: Build.EPOCH + 6 * HOUR,
    bucketStarts: [Build.EPOCH - HOUR / 2, Build.EPOCH + HOUR, Build.EPOCH + 5 * HOUR],
  };
  const days = {
    from: Build.EPOCH - Build.DAY + HOUR,
    to: Build.EPOCH + 2 * Build.DAY + HOUR,
    bucketStarts: [-1, 0, 1, 2].map((day) => Build.EPOCH + day * Build.DAY),
  };
  const queries = wheres.flatMap((where) => [uneven, days].map((span) => ({ ...span, where })));
  for (const query of queries) {
    const { where } = query;
    yield* expectSameSet(
      `attributions ${JSON.stringify(where)}`,
      yield* storage.attributionStatistics(customerId, query),
      countAttributions(attributions, query),
      ({ bucket, status }) => `${bucket} ${status}`,
    );
    yield* expectSameSet(
      `commissions ${JSON.stringify(where)}`,
      yield* storage.commissionStatistics(customerId, query),
      sumCommissions(commissions, query),
      ({ bucket, settlementStatus }) => `${bucket} ${settlementStatus}`,
    );
  }
});

const sums = Effect.gen(function* () {
  const storage = yield* Storage;
  const scene = yield* Scene.create();
  const yen = Build.formula(scene, { currency: Currency.make("JPY") });
  yield* Scene.commit(scene.customerId, [yen]);
  const earned = yield* Scene.earn(scene, [MAX_AMOUNT, MAX_AMOUNT, MAX_AMOUNT, null]);
  yield* Scene.earn({ ...scene, formula: yen.row }, [-MAX_AMOUNT, -MAX_AMOUNT, 1]);
  for (const { commission } of earned.slice(0, 2)) yield* Scene.pay(yield* Scene.draft(scene, [commission]));
  const query: StatisticsQuery = {
    from: Build.EPOCH,
    to: Build.EPOCH + 1,
    bucketStarts: [Build.EPOCH],
    where: {},
  };
  const largest = BigInt(MAX_AMOUNT);
  const due: ReadonlyArray<CommissionStatistic> = [
    {
      bucket: 0,
      settlementStatus: "settled",
      currency: "EUR",
      count: 2,
      settledAmount: 2n * largest,
      unsettledAmount: 0n,
    },
    {
      bucket: 0,
      settlementStatus: "unsettled",
      currency: "EUR",
      count: 2,
      settledAmount: 0n,
      unsettledAmount: largest,
    },
    {
      bucket: 0,
      settlementStatus: "unsettled",
      currency: "JPY",
      count: 3,
      settledAmount: 0n,
      unsettledAmount: 1n - 2n * largest,
    },
  ];
  yield* expectSameSet(
    "sums beyond the largest amount",
    yield* storage.commissionStatistics(scene.customerId, query),
    due,
    ({ settlementStatus, currency }) => `${settlementStatus} ${currency}`,
  );
});

const clampedSums = Effect.gen(function* () {
  const storage = yield* Storage;
  const scene = yield* Scene.create();
  const [writtenOff, raised, paid, twice] = yield* Scene.commissions(scene, [1000, 1000, 1000, 1000]);
  yield* Scene.writeOff(yield* Scene.draft(scene, [writtenOff, raised, twice]));
  yield* Scene.pay(yield* Scene.draft(scene, [paid]));
  for (const [commission, amount] of [
    [writtenOff, 0],
    [raised, 1500],
    [paid, 0],
    [twice, -300],
  ] as const)
    yield* Scene.revise(yield* Scene.reload("commission", commission), amount);
  yield* Scene.writeOff(yield* Scene.draft(scene, [yield* Scene.reload("commission", twice)]));
  const query: StatisticsQuery = {
    from: Build.EPOCH,
    to: Build.EPOCH + 1,
    bucketStarts: [Build.EPOCH],
    where: {},
  };
  const due: ReadonlyArray<CommissionStatistic> = [
    {
      bucket: 0,
      settlementStatus: "settled",
      currency: "EUR",
      count: 2,
      settledAmount: -300n,
      unsettledAmount: 0n,
    },
    {
      bucket: 0,
      settlementStatus: "unsettled",
      currency: "EUR",
      count: 2,
      settledAmount: 2000n,
      unsettledAmount: -500n,
    },
  ];
  yield* expectSameSet(
    "settled and due sums after revisions of written-off and paid commissions",
    yield* storage.commissionStatistics(scene.customerId, query),
    due,
    ({ settlementStatus }) => settlementStatus,
  );
});

const nothing = Effect.gen(function* () {
  const storage = yield* Storage;
  const { customerId } = yield* createRecordsAtEdges;
  const query: StatisticsQuery = { from: 0, to: Build.DAY, bucketStarts: [0], where: {} };
  yield* expectSame(
    "attributions of an empty span",
    yield* storage.attributionStatistics(customerId, query),
    [],
  );
  yield* expectSame(
    "commissions of an empty span",
    yield* storage.commissionStatistics(customerId, query),
    [],
  );
});

export const statistics: ReadonlyArray<Law> = [
  law(COUNTS, "records at and beside every edge", buckets),
  law(LAST_START, "buckets of uneven length", buckets),
  law(
    "Sums of one bucket, status and currency; exact, and beyond the range of an amount.",
    "two currencies",
    sums,
  ),
  law(
    "Counts and sums of commissions; entries of count 0 are left out.",
    "write-offs count as settled no further than the amount",
    clampedSums,
  ),
  law("Counts and sums of commissions; entries of count 0 are left out.", "no record in the span", nothing),
  law("Counts of attributions; entries of count 0 are left out.", "no record in the span", nothing),
];
