/** Laws of billed amounts per settlement, and of the reversals in later lines. */
import { Effect, Either } from "effect";
import { SETTLEMENT_LINES_MAX } from "../../../domain/Limits.ts";
import type { Reversal } from "../../../domain/Tax.ts";
import { type Change, Storage } from "../../../ports/Storage.ts";
import * as Build from "../../Build.ts";
import { expect, expectSame, expectSameSet, expectVersionConflict, type Law, law } from "../../Law.ts";
import * as Scene from "../../Scene.ts";

const LINES =
  "The lines of a settlement whose commissions have billed amounts that are not reversed, in any order, of one snapshot.";
const PARTS =
  "These are the amounts of the commission's lines in paid settlements: a reversal counts for its origin, the rest of a line for the line's own settlement.";

const reversalChange = (settlementId: Reversal["originId"], parts: ReadonlyArray<Reversal>): Change => ({
  type: "reverse",
  settlementId,
  parts,
});

/**
 * Stores three paid commissions of 100, 50 and 30; then a paid correction that takes 60 of the first back and adds 30 to
 * the second; then a draft of what is due after the first two were revised to 0.
 */
const createCorrectedSale = Effect.gen(function* () {
  const scene = yield* Scene.create();
  const sold = yield* Scene.commissions(scene, [100, 50, 30]);
  const [one, other, another] = sold;
  const [first, second, third] = [one.id, other.id, another.id];
  const amounts = (firstAmount: number, secondAmount: number) =>
    Effect.gen(function* () {
      yield* Scene.revise(yield* Scene.reload("commission", one), firstAmount);
      yield* Scene.revise(yield* Scene.reload("commission", other), secondAmount);
      return yield* Scene.reloadCommissions(sold);
    });
  const sale = yield* Scene.pay(yield* Scene.draft(scene, sold, Build.EPOCH));
  const correction = yield* Scene.draft(scene, yield* amounts(40, 80), Build.EPOCH + 2 * Build.DAY);
  const parts = [{ commissionId: first, originId: sale.id, amount: -60 }];
  yield* Scene.commit(scene.customerId, [reversalChange(correction.id, parts)]);
  const paid = yield* Scene.pay(correction);
  const refund = yield* Scene.draft(scene, yield* amounts(0, 0), Build.EPOCH + 3 * Build.DAY);
  return { scene, sold, first, second, third, sale, correction: paid, refund, parts };
});

const billedParts = Effect.gen(function* () {
  const storage = yield* Storage;
  const { scene, first, second, third, sale, correction, refund } = yield* createCorrectedSale;
  yield* expectSameSet(
    "the billed amounts of a refund's lines",
    yield* storage.linesWithBilledParts(scene.customerId, refund.id),
    [
      { commissionId: first, amount: -40, billed: [{ originId: sale.id, amount: 40 }] },
      {
        commissionId: second,
        amount: -80,
        billed: [
          { originId: correction.id, amount: 30 },
          { originId: sale.id, amount: 50 },
        ],
      },
      { commissionId: third, amount: 0, billed: [{ originId: sale.id, amount: 30 }] },
    ],
    ({ commissionId }) => commissionId,
  );
});

const onlyPaid = Effect.gen(function* () {
  const storage = yield* Storage;
  const { scene, sold, first, second, sale, correction, refund } = yield* createCorrectedSale;
  yield* Scene.cancel(refund);
  const returned = {
    type: "return_payment" as const,
    payment_reference: Build.fresh.payment(),
    reason: "closed",
  };
  yield* Scene.advance(sale, [returned], { type: "reopen", settlementId: sale.id });
  yield* expectSameSet(
    "the billed amounts of a settlement whose payment was returned",
    yield* storage.linesWithBilledParts(scene.customerId, sale.id),
    [
      { commissionId: first, amount: 100, billed: [{ originId: sale.id, amount: -60 }] },
      { commissionId: second, amount: 50, billed: [{ originId: correction.id, amount: 30 }] },
    ],
    ({ commissionId }) => commissionId,
  );
  yield* Scene.advance(
    (yield* storage.find(scene.customerId, "settlement", [sale.id]))[0] ?? sale,
    [{ type: "write_off_settlement" }],
    { type: "settle", settlementId: sale.id, as: "written_off" },
  );
  const again = yield* Scene.draft(scene, yield* Scene.reloadCommissions([sold[2], sold[1]]));
  yield* expectSame(
    "the billed amounts after the sale was written off",
    yield* storage.linesWithBilledParts(scene.customerId, again.id),
    [{ commissionId: second, amount: again.total, billed: [{ originId: correction.id, amount: 30 }] }],
  );
});

const nothingStands = Effect.gen(function* () {
  const storage = yield* Storage;
  const scene = yield* Scene.create();
  const commissions = yield* Scene.commissions(scene, [100, 0]);
  const draft = yield* Scene.draft(scene, commissions);
  yield* expectSame(
    "the billed amounts of new commissions",
    yield* storage.linesWithBilledParts(scene.customerId, draft.id),
    [],
  );
  yield* Scene.writeOff(draft);
  const rows = yield* Scene.reloadCommissions(commissions);
  const again = yield* Scene.draft(scene, rows);
  yield* expectSame(
    "the billed amounts of written-off commissions",
    yield* storage.linesWithBilledParts(scene.customerId, again.id),
    [],
  );
  const unknown = yield* storage.linesWithBilledParts(scene.customerId, Build.fresh.settlement());
  yield* expectSame("the billed amounts of an unknown settlement", unknown, []);
});

const reversals = Effect.gen(function* () {
  const storage = yield* Storage;
  const { scene, sale, correction, parts } = yield* createCorrectedSale;
  yield* expectSame("the reversals", yield* storage.reversals(scene.customerId, correction.id), parts);
  yield* expectSame(
    "the parts of a settlement that takes nothing back",
    yield* storage.reversals(scene.customerId, sale.id),
    [],
  );
});

const oncePerSettlement = Effect.gen(function* () {
  const storage = yield* Storage;
  const { scene, second, sale, correction, refund, parts } = yield* createCorrectedSale;
  const other = [{ commissionId: second, originId: sale.id, amount: -1 }];
  yield* expectVersionConflict(
    "parts stored for the same settlement again",
    Scene.commit(scene.customerId, [reversalChange(correction.id, other)]),
  );
  yield* expectSame(
    "the parts after the second attempt",
    yield* storage.reversals(scene.customerId, correction.id),
    parts,
  );
  yield* Scene.commit(scene.customerId, [reversalChange(refund.id, other)]);
});

const foreignParts = Effect.gen(function* () {
  const storage = yield* Storage;
  const { scene, first, sale, refund } = yield* createCorrectedSale;
  const [earned] = yield* Scene.earn(scene, [7]);
  const unrelated = yield* Scene.draft(scene, [earned.commission]);
  const wrong: ReadonlyArray<readonly [string, Reversal]> = [
    [
      "of a commission that the settlement does not hold",
      { commissionId: earned.commission.id, originId: sale.id, amount: -1 },
    ],
    [
      "of a settlement that never held the commission",
      { commissionId: first, originId: unrelated.id, amount: -1 },
    ],
  ];
  for (const [what, part] of wrong) {
    const stored = yield* Effect.either(Scene.commit(scene.customerId, [reversalChange(refund.id, [part])]));
    yield* expect(Either.isLeft(stored), `a part ${what} was stored`);
    yield* expectSame(`after a part ${what}`, yield* storage.reversals(scene.customerId, refund.id), []);
  }
});

const largest = Effect.gen(function* () {
  const storage = yield* Storage;
  const scene = yield* Scene.create();
  const amounts = Array.from({ length: SETTLEMENT_LINES_MAX }, () => 10);
  const commissions = yield* Scene.commissions(scene, amounts);
  const sale = yield* Scene.pay(yield* Scene.draft(scene, commissions));
  const rows = yield* Scene.reloadCommissions(commissions);
  const refund = yield* Scene.draft(scene, rows);
  const before = yield* storage.linesWithBilledParts(scene.customerId, refund.id);
  yield* expectSame("the number of lines with billed amounts", before.length, amounts.length);
  const parts = commissions.map(({ id }) => ({ commissionId: id, originId: sale.id, amount: -10 }));
  yield* Scene.commit(scene.customerId, [reversalChange(refund.id, parts)]);
  const key = ({ commissionId }: Reversal) => commissionId;
  yield* expectSameSet("the parts", yield* storage.reversals(scene.customerId, refund.id), parts, key);
});

/** Every law of billed amounts and reversals. */
export const taxes: ReadonlyArray<Law> = [
  law(PARTS, "a sale, a correction and a refund", billedParts),
  law(PARTS, "a returned payment, then a write-off", onlyPaid),
  law(LINES, "none for new, written-off and unknown settlements", nothingStands),
  law(
    "The reversals in a settlement's lines, in any order; none when it has none.",
    "with and without parts",
    reversals,
  ),
  law(
    "Stores the parts of a settlement's lines that reverse amounts of earlier settlements; once per settlement.",
    "a second time is refused",
    oncePerSettlement,
  ),
  law(
    "Stores the parts of a settlement's lines that reverse amounts of earlier settlements; once per settlement.",
    "ten thousand parts",
    largest,
  ),
  law(
    "Each part names a commission with a line in this settlement, and an origin that has had a line of it.",
    "a part of another commission or settlement is refused",
    foreignParts,
  ),
];
