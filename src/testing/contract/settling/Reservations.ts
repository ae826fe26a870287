/** Laws of exclusivity: a commission is in at most one open settlement. */
import { Effect } from "effect";
import { Storage } from "../../../ports/Storage.ts";
import * as Build from "../../Build.ts";
import { expect, expectOneStored, expectSame, expectVersionConflict, type Law, law } from "../../Law.ts";
import * as Scene from "../../Scene.ts";
import { createDraft, readRows } from "../records/Lines.ts";

const RESERVE =
  "Creates the lines of a new settlement; each commission must be at its expected version and in no open settlement.";
const REOPEN =
  "Turns the paid lines of a settlement back into reserved ones; each commission must be in no open settlement.";

const reopenHeld = Effect.gen(function* () {
  const storage = yield* Storage;
  const { scene, draft, ids } = yield* createDraft;
  const paid = yield* Scene.pay(draft);
  const rows = yield* readRows(draft, ids);
  const next = yield* Scene.draft(scene, rows.slice(1, 3));
  const conflicting = yield* storage.heldByOtherSettlements(scene.customerId, draft.id);
  yield* expectSame(
    "commissions held by another open settlement",
    [...conflicting].sort(),
    ids.slice(1, 3).sort(),
  );
  yield* expectSame(
    "commissions of the holder that another settlement holds",
    yield* storage.heldByOtherSettlements(scene.customerId, next.id),
    [],
  );
  const reopen = Scene.advance(
    paid,
    [{ type: "return_payment", payment_reference: Build.fresh.payment(), reason: "closed" }],
    { type: "reopen", settlementId: draft.id },
  );
  yield* expectVersionConflict(
    "reopening lines whose commissions another settlement holds",
    Effect.asVoid(reopen),
  );
  yield* Scene.cancel(next);
  yield* expectSame(
    "commissions held by another settlement after that one was cancelled",
    yield* storage.heldByOtherSettlements(scene.customerId, draft.id),
    [],
  );
  yield* reopen;
});

const exclusive = Effect.gen(function* () {
  const scene = yield* Scene.create();
  const commissions = yield* Scene.commissions(scene, [10, 20, 0]);
  const draft = yield* Scene.draft(scene, commissions);
  for (const row of yield* Scene.reloadCommissions(commissions)) {
    yield* expectVersionConflict(
      `a commission of ${row.computedAmount} in an open settlement`,
      Effect.asVoid(Scene.draft(scene, [row])),
    );
  }
  yield* Scene.pay(draft);
  yield* Scene.draft(scene, yield* Scene.reloadCommissions(commissions));
});

const racing = Effect.gen(function* () {
  const storage = yield* Storage;
  const scene = yield* Scene.create();
  const commissions = yield* Scene.commissions(scene, [1, 2, 3, 4, 5, 6]);
  const orders = [
    commissions,
    commissions.toReversed(),
    commissions.slice(3),
    commissions.slice(0, 4).toReversed(),
  ];
  const racers = [...orders, ...orders].map((order) => Effect.asVoid(Scene.draft(scene, [...order])));
  const exits = yield* Effect.all(racers.map(Effect.either), { concurrency: "unbounded" });
  const failures = exits.flatMap((exit) => (exit._tag === "Left" ? [exit.left._tag] : []));
  yield* expect(failures.length < racers.length, "none of several overlapping reservations was stored");
  yield* expect(
    failures.every((tag) => tag === "VersionConflict"),
    `overlapping reservations are stored or VersionConflict, found ${failures.join(", ")}`,
  );
  const rows = yield* Scene.reloadCommissions(commissions);
  const query = Build.query({ where: { commissionIds: commissions.map(({ id }) => id) } });
  const { items } = yield* storage.list(scene.customerId, "settlement", query);
  for (const row of rows) {
    const holders = items.filter(({ lines }) => lines.some(({ commissionId }) => commissionId === row.id));
    yield* expectSame(
      `the settlements that hold the commission of ${row.computedAmount}`,
      holders.map(({ id }) => id),
      row.openSettlementId === null ? [] : [row.openSettlementId],
    );
  }
});

const racingWhole = Effect.gen(function* () {
  const scene = yield* Scene.create();
  const commissions = yield* Scene.commissions(scene, [1, 2, 3]);
  const racers = Array.from({ length: 8 }, (_, index) =>
    Effect.asVoid(Scene.draft(scene, index % 2 === 0 ? commissions : commissions.toReversed())),
  );
  yield* expectOneStored("eight reservations of the same commissions in opposite orders", racers);
});

/** Every law of exclusivity. */
export const reservations: ReadonlyArray<Law> = [
  law(RESERVE, "amounts of zero included", exclusive),
  law(RESERVE, "concurrent overlapping reservations in opposite orders", racing),
  law(RESERVE, "one of eight concurrent reservations is stored", racingWhole),
  law(REOPEN, "refused while another settlement holds a commission", reopenHeld),
  law(
    "Commissions of the settlement that another open settlement holds.",
    "until that settlement ends",
    reopenHeld,
  ),
];
