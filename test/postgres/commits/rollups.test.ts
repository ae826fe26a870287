import { Effect, Either, type Scope } from "effect";
import fc from "fast-check";
import { Ledger, Storage } from "quittance";
import { layer } from "quittance/postgres";
import { Build, listAll, Scene } from "quittance/testing";
import { expect, it } from "vitest";
import { connected, database } from "../../support/postgres.ts";
import { DISCREPANCIES } from "./discrepancies.ts";

const SPAN = 4 * Build.DAY;
/** Not a midnight, so that spans contain parts of days. */
const START = Build.EPOCH - Build.DAY / 3;

const step = fc.record({
  act: fc.constantFrom("earn", "revise", "draft", "pay", "writeOff", "cancel", "reopen", "cancelAttribution"),
  pick: fc.nat(),
  amounts: fc.array(fc.option(fc.integer({ min: -500, max: 500 }), { freq: 6 }), {
    minLength: 1,
    maxLength: 5,
  }),
  offset: fc.integer({ min: 0, max: SPAN }),
});
type Step = typeof step extends fc.Arbitrary<infer Given> ? Given : never;

type Open = Effect.Effect.Success<ReturnType<typeof Scene.draft>>;

/** Returns a function that runs steps on one scene in sequence. It skips a step on a record that another writer has changed. */
const runner = (scene: Scene.Scene) => {
  const drafts: Array<Open> = [];
  const paid: Array<Open> = [];
  const taken = (from: Array<Open>, pick: number): ReadonlyArray<Open> =>
    from.splice(from.length === 0 ? 0 : pick % from.length, 1);
  const commissions = Effect.flatMap(Storage.Storage, (storage) =>
    Effect.map(
      storage.list(scene.customerId, "commission", {
        where: { partnerIds: [scene.partnerId] },
        page: 1,
        perPage: 100,
        order: "desc",
      }),
      ({ items }) => items,
    ),
  );
  return ({ act, pick, amounts, offset }: Step) =>
    Effect.gen(function* () {
      switch (act) {
        case "earn":
          return pick % 2 === 0
            ? yield* Scene.earn(scene, amounts, () => START + offset)
            : yield* Scene.earn(
                scene,
                amounts,
                () => START + SPAN,
                () => START + offset,
              );
        case "revise": {
          const rows = yield* commissions;
          const row = rows[pick % Math.max(rows.length, 1)];
          return row === undefined ? undefined : yield* Scene.revise(row, amounts[0] ?? 0);
        }
        case "draft": {
          const free = (yield* commissions).filter(({ openSettlementId }) => openSettlementId === null);
          const chosen = free.filter((_, index) => (pick >> (index % 30)) % 2 === 0).slice(0, 7);
          if (chosen.length > 0) drafts.push(yield* Scene.draft(scene, chosen, START + SPAN));
          return;
        }
        case "pay":
          for (const draft of taken(drafts, pick)) paid.push(yield* Scene.pay(draft));
          return;
        case "writeOff":
          for (const draft of taken(drafts, pick)) yield* Scene.writeOff(draft);
          return;
        case "cancel":
          for (const draft of taken(drafts, pick)) yield* Scene.cancel(draft);
          return;
        case "reopen":
          for (const settlement of taken(paid, pick)) {
            const returned = {
              type: "return_payment",
              payment_reference: Build.fresh.payment(),
              reason: "closed",
            } as const;
            yield* Scene.advance(settlement, [returned], { type: "reopen", settlementId: settlement.id });
          }
          return;
        case "cancelAttribution": {
          const [row] = yield* commissions;
          const storage = yield* Storage.Storage;
          const found =
            row === undefined
              ? []
              : yield* storage.find(scene.customerId, "attribution", [row.attributionId]);
          const confirmed = found.filter(({ status }) => status === "confirmed");
          yield* Scene.commit(
            scene.customerId,
            confirmed.map((item) =>
              Build.next("attribution", item, [{ type: "cancel_attribution", reason: "returned" }]),
            ),
          );
        }
      }
    });
};

const run = <A, E>(test: Effect.Effect<A, E, Scope.Scope>) => Effect.runPromise(Effect.scoped(test));

it("rollups agree with the records in every snapshot while several processes write and several compact", () =>
  run(
    Effect.gen(function* () {
      const url = yield* database();
      const session = Effect.gen(function* () {
        const first = yield* Scene.create();
        const { customerId } = first;
        const scenes = [
          first,
          first,
          yield* Scene.create({ customerId }),
          yield* Scene.create({ customerId }),
        ];
        const steps = fc.sample(fc.array(step, { minLength: 120, maxLength: 120 }), {
          numRuns: scenes.length,
          seed: 20_261_120,
        });
        let writing = true;
        let compacted = 0;
        let checked = 0;
        let succeeded = 0;
        const write = Effect.forEach(
          scenes,
          (scene, index) => {
            const runStep = runner(scene);
            return Effect.forEach(steps[index] ?? [], (item) =>
              Effect.map(Effect.either(runStep(item)), (outcome) => {
                if (Either.isRight(outcome)) succeeded += 1;
                else expect(outcome.left._tag).toBe("VersionConflict");
              }),
            );
          },
          { concurrency: "unbounded" },
        );
        const compactor = Effect.gen(function* () {
          const client = yield* connected(url);
          while (writing) {
            const { rows } = yield* Effect.promise(() =>
              client.query<{ compact_rollups: string }>("select quittance.compact_rollups($1, 3)", [
                customerId,
              ]),
            );
            compacted += Number(rows[0]?.compact_rollups);
          }
        });
        const checker = Effect.gen(function* () {
          const client = yield* connected(url);
          while (writing) {
            const { rows } = yield* Effect.promise(() => client.query(DISCREPANCIES));
            expect(rows).toEqual([]);
            checked += 1;
          }
        });
        const ended = Effect.sync(() => {
          writing = false;
        });
        yield* Effect.all([Effect.ensuring(write, ended), compactor, compactor, checker], {
          concurrency: "unbounded",
        });
        expect({ succeeded: succeeded > 200, compacted: compacted > 100, checked: checked > 5 }).toEqual({
          succeeded: true,
          compacted: true,
          checked: true,
        });
      });
      yield* Effect.provide(session, layer({ url }));
    }),
  ));

interface Sums {
  readonly count: number;
  readonly settled: bigint;
  readonly due: bigint;
}

/** The statistics computed from the records, by bucket, status and currency. */
const naive = (
  { from, to, bucketStarts }: Storage.StatisticsQuery,
  attributions: ReadonlyArray<Storage.Listed["attribution"]>,
  commissions: ReadonlyArray<Storage.Listed["commission"]>,
): ReadonlyMap<string, Sums> => {
  const tally = new Map<string, Sums>();
  const count = (occurredAt: number, key: string, settled: number, due: number) => {
    if (occurredAt < from || to <= occurredAt) return;
    const bucket = `${bucketStarts.findLastIndex((start) => start <= occurredAt)} ${key}`;
    const sums = tally.get(bucket) ?? { count: 0, settled: 0n, due: 0n };
    tally.set(bucket, {
      count: sums.count + 1,
      settled: sums.settled + BigInt(settled),
      due: sums.due + BigInt(due),
    });
  };
  for (const { occurredAt, status } of attributions) count(occurredAt, status, 0, 0);
  for (const row of commissions) {
    count(
      row.occurredAt,
      `${Ledger.settlementStatus(row)} ${row.currency}`,
      Ledger.settledAmount(row),
      Ledger.due(row),
    );
  }
  return tally;
};

const told = (customerId: Scene.Scene["customerId"], query: Storage.StatisticsQuery) =>
  Effect.gen(function* () {
    const storage = yield* Storage.Storage;
    const tally = new Map<string, Sums>();
    for (const { bucket, status, count } of yield* storage.attributionStatistics(customerId, query)) {
      tally.set(`${bucket} ${status}`, { count, settled: 0n, due: 0n });
    }
    for (const each of yield* storage.commissionStatistics(customerId, query)) {
      const { bucket, settlementStatus, currency, count, settledAmount, unsettledAmount } = each;
      tally.set(`${bucket} ${settlementStatus} ${currency}`, {
        count,
        settled: settledAmount,
        due: unsettledAmount,
      });
    }
    return tally;
  });

const startsOf = (from: number, to: number, bucket: number): ReadonlyArray<number> => {
  const first = Math.floor(from / bucket) * bucket;
  return Array.from({ length: Math.ceil((to - first) / bucket) }, (_, index) => first + index * bucket);
};

const questions = (scenes: ReadonlyArray<Scene.Scene>) =>
  fc.record({
    steps: fc.array(step, { minLength: 4, maxLength: 4 }),
    compacted: fc.constantFrom(0, 1, 1_000),
    from: fc.integer({ min: START - Build.DAY, max: START + SPAN + Build.DAY }),
    length: fc.integer({ min: 1, max: SPAN }),
    days: fc.integer({ min: 1, max: 3 }),
    workspaces: fc.option(fc.subarray(scenes.map(({ workspaceId }) => workspaceId))),
    partners: fc.option(fc.subarray(scenes.map(({ partnerId }) => partnerId))),
    status: fc.option(fc.constantFrom(...(["settled", "unsettled", "pending_settlement"] as const))),
  });

const PAGE = { page: 1, perPage: 1, order: "asc" } as const;

it("rollups return the counted totals and statistics, whatever is compacted and wherever a span begins and ends", () =>
  run(
    Effect.gen(function* () {
      const url = yield* database();
      const client = yield* connected(url);
      const session = Effect.gen(function* () {
        const storage = yield* Storage.Storage;
        const first = yield* Scene.create();
        const { customerId } = first;
        const scenes = [first, yield* Scene.create({ customerId }), yield* Scene.create()];
        const runners = scenes.map(runner);
        for (const asked of fc.sample(questions(scenes), { numRuns: 80, seed: 11 })) {
          for (const [index, each] of asked.steps.entries()) {
            const step = runners[index % runners.length]?.(each) ?? Effect.void;
            // A payment is a conflict when another settlement contains its commissions.
            yield* Effect.catchTag(step, "VersionConflict", () => Effect.void);
          }
          yield* Effect.promise(() =>
            client.query("select quittance.compact_rollups($1, $2)", [customerId, asked.compacted]),
          );
          const where = {
            ...(asked.workspaces === null ? {} : { workspaceIds: asked.workspaces }),
            ...(asked.partners === null ? {} : { partnerIds: asked.partners }),
          };
          const ofStatus = asked.status === null ? where : { ...where, settlementStatus: asked.status };
          const matches = ({
            workspaceId,
            partnerId,
          }: Scene.Earned["commission"] | Scene.Earned["attribution"]) =>
            (asked.workspaces?.includes(workspaceId) ?? true) &&
            (asked.partners?.includes(partnerId) ?? true);
          const attributions = (yield* listAll(customerId, "attribution")).filter(matches);
          const commissions = (yield* listAll(customerId, "commission")).filter(matches);
          const withStatus = commissions.filter(
            (row) => asked.status === null || Ledger.settlementStatus(row) === asked.status,
          );
          const listed = yield* storage.list(customerId, "attribution", { where, ...PAGE });
          expect(listed.total).toBe(attributions.length);
          const listedOfStatus = yield* storage.list(customerId, "commission", { where: ofStatus, ...PAGE });
          expect(listedOfStatus.total).toBe(withStatus.length);
          const to = asked.from + asked.length;
          const bucketStarts = startsOf(asked.from, to, asked.days * Build.DAY);
          const query = { from: asked.from, to, bucketStarts, where };
          expect(yield* told(customerId, query)).toEqual(naive(query, attributions, commissions));
        }
      });
      yield* Effect.provide(session, layer({ url }));
    }),
  ));
