/** Laws of the set-based changes: reserve, settle, release and reopen, from one line to the largest settlement. */
import { Effect, Stream } from "effect";
import type { Commission, ReleaseCause } from "../../../domain/Commission.ts";
import { SETTLEMENT_LINES_MAX } from "../../../domain/Limits.ts";
import type { Settlement } from "../../../domain/Settlement.ts";
import { type Change, Storage, type Versioned } from "../../../ports/Storage.ts";
import * as Build from "../../Build.ts";
import { expect, expectSame, type Law, law } from "../../Law.ts";
import { replayDifference } from "../../ReplayDifference.ts";
import * as Scene from "../../Scene.ts";

const FOLD =
  "A change of a settlement's lines also appends an event to the log of each commission, and keeps each row equal to the fold of its log.";
const REOPEN =
  "Turns the paid lines of a settlement back into reserved ones; each commission must be in no open settlement.";

const AMOUNTS = [1200, 0, -250, Number.MAX_SAFE_INTEGER - 10_000, 1];

/** Stores a draft over commissions of positive, zero, negative and very large amounts; returns their ids in line order. */
export const createDraft = Effect.gen(function* () {
  const scene = yield* Scene.create();
  const earned = yield* Scene.earn(scene, AMOUNTS);
  const draft = yield* Scene.draft(
    scene,
    earned.map(({ commission }) => commission),
    Build.EPOCH + Build.DAY,
  );
  return { scene, draft, ids: earned.map(({ commission }) => commission.id) };
});

/** Reads the commissions of a draft in the order of the ids; checks that each row equals the fold of its log. */
export const readRows = (draft: Versioned<Settlement>, ids: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const storage = yield* Storage;
    const found = yield* storage.find(draft.customerId, "commission", ids);
    const rows = ids.flatMap((id) => found.filter((row) => row.id === id));
    for (const row of rows) {
      const log = yield* storage.log(draft.customerId, "commission", row.id);
      const differs = replayDifference("commission", row, log);
      yield* expect(differs === null, `commission of ${row.computedAmount}: ${differs}`);
    }
    return rows;
  });

const lastEvents = (draft: Versioned<Settlement>, ids: ReadonlyArray<string>) =>
  Effect.flatMap(Storage, (storage) =>
    Effect.forEach(ids, (id) =>
      Effect.map(storage.log(draft.customerId, "commission", id), (log) => log.at(-1)),
    ),
  );

const reserved = Effect.gen(function* () {
  const { draft, ids } = yield* createDraft;
  const rows = yield* readRows(draft, ids);
  yield* expectSame(
    "pending amounts, holders and versions",
    rows.map((row) => [row.pendingAmount, row.openSettlementId, row.version]),
    AMOUNTS.map((amount) => [amount, draft.id, 2]),
  );
  const at = Build.EPOCH + Build.DAY;
  yield* expectSame(
    "the last events of the commissions",
    yield* lastEvents(draft, ids),
    AMOUNTS.map((amount) => ({
      at,
      actor: Build.ACTOR,
      event: { type: "reserve_commission", settlement_id: draft.id, amount },
    })),
  );
});

const settleAs = (as: "paid" | "written_off") =>
  Effect.gen(function* () {
    const { draft, ids } = yield* createDraft;
    yield* as === "paid" ? Scene.pay(draft) : Scene.writeOff(draft);
    const rows = yield* readRows(draft, ids);
    yield* expectSame(
      "pending, paid, written off by sign, holder, settled lines",
      rows.map((row) => [
        row.pendingAmount,
        row.paidAmount,
        row.paidNegative,
        row.writtenOffPositive,
        row.writtenOffNegative,
        row.openSettlementId,
        row.settledLineCount,
      ]),
      AMOUNTS.map((amount) => {
        const [positive, negative] = [Math.max(0, amount), Math.min(0, amount)];
        return as === "paid" ? [0, amount, negative, 0, 0, null, 1] : [0, 0, 0, positive, negative, null, 1];
      }),
    );
    const events = yield* lastEvents(draft, ids);
    yield* expectSame(
      "the last events of the commissions",
      events.map((entry) => entry?.event),
      AMOUNTS.map((amount) => ({ type: "settle_commission", settlement_id: draft.id, amount, kind: as })),
    );
  });

/** Settles what a commission is due, writes the settlement off, and returns the commission afterwards. */
const writeOffDue = (scene: Scene.Scene, commission: Versioned<Commission>) =>
  Effect.gen(function* () {
    yield* Scene.writeOff(yield* Scene.draft(scene, [commission]));
    return yield* Scene.reload("commission", commission);
  });

const bothSigns = Effect.gen(function* () {
  const storage = yield* Storage;
  const scene = yield* Scene.create();
  const [earned] = yield* Scene.earn(scene, [100]);
  const { id } = earned.commission;
  const reviseTo = (amount: number) =>
    Effect.gen(function* () {
      yield* Scene.revise(yield* Scene.reload("commission", earned.commission), amount);
      return yield* Scene.reload("commission", earned.commission);
    });
  yield* writeOffDue(scene, earned.commission);
  const row = yield* writeOffDue(scene, yield* reviseTo(-50));
  yield* expectSame(
    "paid, written off by sign, settled lines",
    [row.paidAmount, row.writtenOffPositive, row.writtenOffNegative, row.settledLineCount],
    [0, 100, -50, 2],
  );
  const differs = replayDifference("commission", row, yield* storage.log(scene.customerId, "commission", id));
  yield* expect(differs === null, `after two write-offs: ${differs}`);
  const statuses = yield* Effect.forEach([-50, -51, 100, 101, 0], (amount) =>
    Effect.zipRight(
      reviseTo(amount),
      Effect.forEach(["settled", "unsettled"] as const, (status) =>
        storage.list(
          scene.customerId,
          "commission",
          Build.query({ where: { ids: [id], settlementStatus: status } }),
        ),
      ),
    ),
  );
  yield* expectSame(
    "whether each amount counts as settled",
    statuses.map(([settled]) => settled?.total),
    [1, 0, 1, 0, 1],
  );
});

const CAUSES: ReadonlyArray<ReleaseCause> = ["draft_cancelled", "carried_forward", "dispute_upheld"];

const released = Effect.forEach(
  CAUSES,
  (cause) =>
    Effect.gen(function* () {
      const { scene, draft, ids } = yield* createDraft;
      yield* Scene.advance(draft, [{ type: "cancel_settlement" }], {
        type: "release",
        settlementId: draft.id,
        cause,
      });
      const rows = yield* readRows(draft, ids);
      yield* expectSame(
        "pending amounts, holders and settled lines",
        rows.map((row) => [row.pendingAmount, row.openSettlementId, row.settledLineCount]),
        AMOUNTS.map(() => [0, null, 0]),
      );
      const events = yield* lastEvents(draft, ids);
      yield* expectSame(
        "the last events of the commissions",
        events.map((entry) => entry?.event),
        AMOUNTS.map((amount) => ({ type: "release_commission", settlement_id: draft.id, amount, cause })),
      );
      yield* Scene.draft(scene, rows);
    }),
  { discard: true },
);

const reopened = Effect.gen(function* () {
  const { draft, ids } = yield* createDraft;
  const paid = yield* Scene.pay(draft);
  const returned = {
    type: "return_payment" as const,
    payment_reference: Build.fresh.payment(),
    reason: "closed",
  };
  const open = yield* Scene.advance(paid, [returned], { type: "reopen", settlementId: draft.id });
  const rows = yield* readRows(draft, ids);
  yield* expectSame(
    "pending, paid, holder, settled lines",
    rows.map((row) => [
      row.pendingAmount,
      row.paidAmount,
      row.paidNegative,
      row.openSettlementId,
      row.settledLineCount,
    ]),
    AMOUNTS.map((amount) => [amount, 0, 0, draft.id, 0]),
  );
  yield* Scene.advance(open, [{ type: "mark_as_paid" }], {
    type: "settle",
    settlementId: draft.id,
    as: "paid",
  });
  const again = yield* readRows(draft, ids);
  yield* expectSame(
    "paid again",
    again.map(({ paidAmount }) => paidAmount),
    AMOUNTS,
  );
});

const monotonicMoments = Effect.gen(function* () {
  const scene = yield* Scene.create();
  const [earned] = yield* Scene.earn(scene, [10], () => Build.EPOCH + 5 * Build.DAY);
  const draft = yield* Scene.draft(scene, [earned.commission], Build.EPOCH);
  const [entry] = yield* lastEvents(draft, [earned.commission.id]);
  yield* expectSame(
    "the moment of an event whose command has an earlier clock",
    entry?.at,
    Build.EPOCH + 5 * Build.DAY,
  );
  const [row] = yield* readRows(draft, [earned.commission.id]);
  yield* expectSame("the row's last moment", row?.lastAt, Build.EPOCH + 5 * Build.DAY);
});

const largestSettlement = Effect.gen(function* () {
  const storage = yield* Storage;
  const scene = yield* Scene.create();
  const amounts = Array.from({ length: SETTLEMENT_LINES_MAX }, (_, index) =>
    index % 7 === 0 ? 0 : (index % 5) * 100 - 40,
  );
  const commissions = (yield* Scene.commissions(scene, amounts)).toReversed();
  const ids = commissions.map(({ id }) => id);
  const states = Effect.map(storage.find(scene.customerId, "commission", ids), (rows) =>
    rows.reduce(
      (sum, row) => ({
        versions: sum.versions + row.version,
        held: sum.held + (row.openSettlementId === null ? 0 : 1),
        settled: sum.settled + row.settledLineCount,
        paid: sum.paid + row.paidAmount,
      }),
      { versions: 0, held: 0, settled: 0, paid: 0 },
    ),
  );
  const count = SETTLEMENT_LINES_MAX;
  const cancelled = yield* Scene.draft(scene, commissions);
  yield* expectSame("reserved", yield* states, { versions: 2 * count, held: count, settled: 0, paid: 0 });
  yield* Scene.cancel(cancelled);
  yield* expectSame("released", yield* states, { versions: 3 * count, held: 0, settled: 0, paid: 0 });
  const draft = yield* Scene.draft(
    scene,
    commissions.map((row) => ({ ...row, version: 3 })),
  );
  const lines = yield* Stream.runCollect(storage.settlementLines(scene.customerId, draft.id));
  yield* expectSame(
    "the lines in order",
    [...lines].map(({ commissionId }) => commissionId),
    ids,
  );
  yield* Scene.pay(draft);
  const paid = amounts.reduce((sum, amount) => sum + amount, 0);
  yield* expectSame("settled", yield* states, { versions: 5 * count, held: 0, settled: count, paid });
  yield* readRows(draft, ids.slice(0, 20));
});

const revisions = Effect.gen(function* () {
  const storage = yield* Storage;
  const scene = yield* Scene.create();
  const [earned, failed] = yield* Scene.earn(scene, [10, null]);
  const at = Build.EPOCH + Build.DAY;
  const change: Change = {
    type: "revise",
    revisions: [
      {
        commissionId: earned.commission.id,
        expected: 1,
        ...{ computedAmount: 10, waitingAmount: null, receipt: null },
        formulaVersion: 1,
        parametersVersion: null,
        computationError: { code: "OVERFLOW", message: "too much" },
        entry: {
          at,
          actor: Build.ACTOR,
          event: { type: "fail_commission_computation", code: "OVERFLOW", message: "too much" },
        },
      },
      {
        commissionId: failed.commission.id,
        expected: 1,
        ...{ computedAmount: -7, waitingAmount: null, receipt: null },
        formulaVersion: 2,
        parametersVersion: 3,
        computationError: null,
        entry: {
          at,
          actor: Build.ACTOR,
          event: { type: "create_commission", amount: -7, formula_version: 2, parameters_version: 3 },
        },
      },
    ],
  };
  yield* Scene.commit(scene.customerId, [change]);
  for (const { commission } of [earned, failed]) {
    const row = yield* Scene.reload("commission", commission);
    const differs = replayDifference(
      "commission",
      row,
      yield* storage.log(scene.customerId, "commission", row.id),
    );
    yield* expect(differs === null && row.version === 2, `after its revision: ${differs}`);
  }
});

export const lines: ReadonlyArray<Law> = [
  law(FOLD, "reserved lines", reserved),
  law(FOLD, "an event is never earlier than the event before it", monotonicMoments),
  law(FOLD, "a settlement of the largest size", largestSettlement),
  law("Turns the reserved lines of a settlement into settled ones.", "as paid", settleAs("paid")),
  law(
    "Turns the reserved lines of a settlement into settled ones.",
    "as written off",
    settleAs("written_off"),
  ),
  law(
    "Turns the reserved lines of a settlement into settled ones.",
    "as written off twice, with opposite signs",
    bothSigns,
  ),
  law(
    "Releases the reserved lines of a settlement.",
    "for every cause; the commissions can be reserved again",
    released,
  ),
  law(REOPEN, "and the lines can be settled again", reopened),
  law(
    "Sets amounts of commissions that exist.",
    "a failed computation after an amount, an amount after a failed computation",
    revisions,
  ),
];
