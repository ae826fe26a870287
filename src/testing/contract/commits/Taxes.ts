/** Laws of what stands of a commission, settlement by settlement, and of the parts that take it back. */
import { Effect, Either } from "effect";
import { SETTLEMENT_LINES_MAX } from "../../../domain/Limits.ts";
import type { TakenBack } from "../../../domain/Tax.ts";
import { type Change, Storage } from "../../../ports/Storage.ts";
import * as Build from "../../Build.ts";
import { expect, expectSame, expectSameSet, expectVersionConflict, type Law, law } from "../../Law.ts";
import * as Scene from "../../Scene.ts";

const LINES =
  "The lines of a settlement whose commissions have something standing, in any order, of one snapshot.";
const PARTS =
  "What stands are the parts of the commission's lines in paid settlements: what takes back counts for its origin, the rest of a line for the line's own settlement.";

const takeBack = (settlementId: TakenBack["originId"], parts: ReadonlyArray<TakenBack>): Change => ({
  type: "take_back",
  settlementId,
  parts,
});

const present = (customerId: Build.Owner["customerId"], ids: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const found = yield* (yield* Storage).find(customerId, "commission", ids);
    return ids.flatMap((id) => found.filter((row) => row.id === id));
  });

/**
 * Three commissions of 100, 50 and 30 that were paid; then 60 of the first taken back and 30 added to the second, also
 * paid; then a draft of what is due once the first two are worth nothing.
 */
const corrected = Effect.gen(function* () {
  const scene = yield* Scene.create();
  const earned = yield* Scene.earn(scene, [100, 50, 30]);
  const ids = earned.map(({ commission }) => commission.id);
  const [first, second, third] = ids;
  if (first === undefined || second === undefined || third === undefined)
    return yield* Effect.die("three were earned");
  const amounts = (one: number, other: number) =>
    Effect.gen(function* () {
      const [a, b] = yield* present(scene.customerId, ids);
      if (a !== undefined) yield* Scene.revise(a, one);
      if (b !== undefined) yield* Scene.revise(b, other);
      return yield* present(scene.customerId, ids);
    });
  const sold = yield* Scene.pay(
    yield* Scene.draft(scene, yield* present(scene.customerId, ids), Build.EPOCH),
  );
  const changed = yield* Scene.draft(scene, yield* amounts(40, 80), Build.EPOCH + 2 * Build.DAY);
  const parts = [{ commissionId: first, originId: sold.id, amount: -60 }];
  yield* Scene.commit(scene.customerId, [takeBack(changed.id, parts)]);
  const paid = yield* Scene.pay(changed);
  const refund = yield* Scene.draft(scene, yield* amounts(0, 0), Build.EPOCH + 3 * Build.DAY);
  return { scene, first, second, third, sold, changed: paid, refund, parts };
});

const stands = Effect.gen(function* () {
  const storage = yield* Storage;
  const { scene, first, second, third, sold, changed, refund } = yield* corrected;
  yield* expectSameSet(
    "what stands of the lines of a refund",
    yield* storage.standingLines(scene.customerId, refund.id),
    [
      { commissionId: first, amount: -40, standing: [{ originId: sold.id, amount: 40 }] },
      {
        commissionId: second,
        amount: -80,
        standing: [
          { originId: changed.id, amount: 30 },
          { originId: sold.id, amount: 50 },
        ],
      },
      { commissionId: third, amount: 0, standing: [{ originId: sold.id, amount: 30 }] },
    ],
    ({ commissionId }) => commissionId,
  );
});

const onlyPaid = Effect.gen(function* () {
  const storage = yield* Storage;
  const { scene, first, second, third, sold, changed, refund } = yield* corrected;
  yield* Scene.cancel(refund);
  const returned = {
    type: "return_payment" as const,
    payment_reference: Build.fresh.payment(),
    reason: "closed",
  };
  yield* Scene.advance(sold, [returned], { type: "reopen", settlementId: sold.id });
  yield* expectSameSet(
    "what stands of a returned settlement's lines",
    yield* storage.standingLines(scene.customerId, sold.id),
    [
      { commissionId: first, amount: 100, standing: [{ originId: sold.id, amount: -60 }] },
      { commissionId: second, amount: 50, standing: [{ originId: changed.id, amount: 30 }] },
    ],
    ({ commissionId }) => commissionId,
  );
  yield* Scene.advance(
    (yield* storage.find(scene.customerId, "settlement", [sold.id]))[0] ?? sold,
    [{ type: "write_off_settlement" }],
    { type: "settle", settlementId: sold.id, as: "written_off" },
  );
  const again = yield* Scene.draft(scene, yield* present(scene.customerId, [third, second]));
  yield* expectSame(
    "what stands once it is written off",
    yield* storage.standingLines(scene.customerId, again.id),
    [{ commissionId: second, amount: again.total, standing: [{ originId: changed.id, amount: 30 }] }],
  );
});

const nothing = Effect.gen(function* () {
  const storage = yield* Storage;
  const scene = yield* Scene.create();
  const commissions = (yield* Scene.earn(scene, [100, 0])).map(({ commission }) => commission);
  const draft = yield* Scene.draft(scene, commissions);
  yield* expectSame("of new commissions", yield* storage.standingLines(scene.customerId, draft.id), []);
  yield* Scene.writeOff(draft);
  const rows = yield* present(
    scene.customerId,
    commissions.map(({ id }) => id),
  );
  const again = yield* Scene.draft(scene, rows);
  yield* expectSame("of written-off ones", yield* storage.standingLines(scene.customerId, again.id), []);
  const unknown = yield* storage.standingLines(scene.customerId, Build.fresh.settlement());
  yield* expectSame("of no settlement", unknown, []);
});

const told = Effect.gen(function* () {
  const storage = yield* Storage;
  const { scene, sold, changed, parts } = yield* corrected;
  yield* expectSame(
    "what was taken back",
    yield* storage.takenBackParts(scene.customerId, changed.id),
    parts,
  );
  yield* expectSame("without any", yield* storage.takenBackParts(scene.customerId, sold.id), []);
});

const once = Effect.gen(function* () {
  const storage = yield* Storage;
  const { scene, second, sold, changed, refund, parts } = yield* corrected;
  const other = [{ commissionId: second, originId: sold.id, amount: -1 }];
  yield* expectVersionConflict(
    "parts noted again",
    Scene.commit(scene.customerId, [takeBack(changed.id, other)]),
  );
  yield* expectSame(
    "what was noted first",
    yield* storage.takenBackParts(scene.customerId, changed.id),
    parts,
  );
  yield* Scene.commit(scene.customerId, [takeBack(refund.id, other)]);
});

const strangers = Effect.gen(function* () {
  const storage = yield* Storage;
  const { scene, first, sold, refund } = yield* corrected;
  const [earned] = yield* Scene.earn(scene, [7]);
  if (earned === undefined) return yield* Effect.die("an amount earns a commission");
  const elsewhere = yield* Scene.draft(scene, [earned.commission]);
  const wrong: ReadonlyArray<readonly [string, TakenBack]> = [
    [
      "of a commission it does not hold",
      { commissionId: earned.commission.id, originId: sold.id, amount: -1 },
    ],
    ["of a settlement that never held it", { commissionId: first, originId: elsewhere.id, amount: -1 }],
  ];
  for (const [what, part] of wrong) {
    const stored = yield* Effect.either(Scene.commit(scene.customerId, [takeBack(refund.id, [part])]));
    yield* expect(Either.isLeft(stored), `a part ${what} was stored`);
    yield* expectSame(`after a part ${what}`, yield* storage.takenBackParts(scene.customerId, refund.id), []);
  }
});

const largest = Effect.gen(function* () {
  const storage = yield* Storage;
  const scene = yield* Scene.create();
  const amounts = Array.from({ length: SETTLEMENT_LINES_MAX }, () => 10);
  const commissions = (yield* Scene.earn(scene, amounts)).map(({ commission }) => commission);
  const sold = yield* Scene.pay(yield* Scene.draft(scene, commissions));
  const rows = yield* present(
    scene.customerId,
    commissions.map(({ id }) => id),
  );
  const refund = yield* Scene.draft(scene, rows);
  const before = yield* storage.standingLines(scene.customerId, refund.id);
  yield* expectSame("lines with something standing", before.length, amounts.length);
  const parts = commissions.map(({ id }) => ({ commissionId: id, originId: sold.id, amount: -10 }));
  yield* Scene.commit(scene.customerId, [takeBack(refund.id, parts)]);
  const key = ({ commissionId }: TakenBack) => commissionId;
  yield* expectSameSet("the parts", yield* storage.takenBackParts(scene.customerId, refund.id), parts, key);
});

/** Laws of taxes. */
export const taxes: ReadonlyArray<Law> = [
  law(PARTS, "sold, corrected, refunded", stands),
  law(PARTS, "a payment sent back, and written off", onlyPaid),
  law(LINES, "none of new, written-off and unknown ones", nothing),
  law(
    "The parts of a settlement's lines that take back, in any order; none when it has none.",
    "some and none",
    told,
  ),
  law(
    "Notes the parts of a settlement's lines that take back what earlier settlements billed; once per settlement.",
    "a second time",
    once,
  ),
  law(
    "Notes the parts of a settlement's lines that take back what earlier settlements billed; once per settlement.",
    "ten thousand of them",
    largest,
  ),
  law(
    "Each of a commission that the settlement holds, and of a settlement that has held it.",
    "others are refused",
    strangers,
  ),
];
