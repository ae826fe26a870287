/** Laws of versions: a commit whose requirements or expected versions no longer hold stores nothing. */
import { Effect } from "effect";
import type { Settlement } from "../../../domain/Settlement.ts";
import {
  type Change,
  type Requirement,
  recordIdOf,
  Storage,
  type Versioned,
} from "../../../ports/Storage.ts";
import * as Build from "../../Build.ts";
import { expectOneStored, expectSame, expectVersionConflict, type Law, law } from "../../Law.ts";
import * as Scene from "../../Scene.ts";
import { type OtherKinds, otherKinds } from "../EveryKind.ts";

const VERSION =
  "A record with its version: 0 before it exists, then raised by each save; with events, the number of its events.";
const LAST_AT = "The moment of the last event, or of the last save of a record without events.";
const CONFLICTS =
  "`VersionConflict` when a requirement, an expected version or a unique key no longer holds, `IdempotencyKeyUsed` when the idempotency key is taken.";

type Save = Extract<Change, { readonly type: "save" }>;

/** The moment of the second save of each record. */
const LATER = Build.EPOCH + Build.DAY;

/** The next save of a record of each kind that has a log. */
const nextWithEvents = (
  { formula, partner }: Scene.Scene,
  attribution: Scene.Earned["attribution"],
  draft: Versioned<Settlement>,
  { plan, key, profile, policy, link }: OtherKinds,
): ReadonlyArray<Save> => [
  Build.renamedPartner(partner, "Sydlys", LATER),
  Build.revokedKey(key.row, LATER),
  Build.renamedProfile(profile.row, "Buyer II", LATER),
  Build.endedLink(link.row, LATER),
  Build.begunPeriod(policy.row, LATER, LATER),
  Build.next("attribution", attribution, [{ type: "cancel_attribution", reason: "refunded" }], LATER),
  Build.next("formula", formula, [{ type: "update_commission_formula", name: "Ten" }], LATER),
  Build.next("plan", plan.row, [{ type: "update_commission_plan", name: "Ten" }], LATER),
  Build.next("settlement", draft, Build.approvalEvents(draft).slice(0, 1), LATER),
];

/** The next save of a record of each kind that has no log. */
const nextWithoutEvents = ({ schema }: Scene.Scene, others: OtherKinds): ReadonlyArray<Save> => {
  const { document, recomputation, origin, order, history, total, linkSet } = others;
  const { file, payment, endpoint, delivery, run, result, trial, trialResult } = others;
  const { recreditRun, recreditResult } = others;
  const reached = { occurredAt: LATER, id: recreditResult.row.attributionId };
  const negative = "-9007199254740993";
  const delivered = { status: "delivered", attempts: 1, nextAttemptAt: null, endedAt: LATER } as const;
  return [
    Build.flat("schema", schema, LATER),
    Build.flat("document", document.row, LATER),
    Build.flat("recomputation", { ...recomputation.row, pending: false }, LATER),
    Build.flat("taxOrigin", { ...origin.row, tax: negative }, LATER),
    Build.flat("arrivalOrder", { ...order.row, last: null, formulas: [] }, LATER),
    Build.flat("attributionHistory", history.row, LATER),
    Build.flat("runningTotal", { ...total.row, rows: 2 ** 40, numerator: `-${"9".repeat(400)}` }, LATER),
    Build.flat("linkSet", linkSet.row, LATER),
    Build.flat("paymentFile", { ...file.row, handedOverAt: LATER }, LATER),
    Build.flat("bankPayment", { ...payment.row, isWaiting: false, fileId: file.row.id }, LATER),
    Build.flat("webhookEndpoint", { ...endpoint.row, status: "disabled", position: 2 ** 40 }, LATER),
    Build.flat("webhookDelivery", { ...delivery.row, ...delivered }, LATER),
    Build.flat("settlementRun", { ...run.row, totals: { EUR: negative } }, LATER),
    Build.flat("settlementRunResult", { ...result.row, onHoldAmount: null, step: 1 }, LATER),
    Build.flat("planTrial", { ...trial.row, state: "done", finishedAt: LATER, amountNow: negative }, LATER),
    Build.flat("planTrialResult", { ...trialResult.row, months: [] }, LATER),
    Build.flat("recreditRun", { ...recreditRun.row, after: reached }, LATER),
    Build.flat("recreditRunResult", { ...recreditResult.row, changesLaterSales: true }, LATER),
  ];
};

/** Stores a record of every kind at version 1, and returns the next save of each. */
const createEveryKind = Effect.gen(function* () {
  const scene = yield* Scene.create();
  const [earned] = yield* Scene.earn(scene, [1200]);
  const draft = yield* Scene.draft(scene, yield* Scene.commissions(scene, [700]));
  const others = otherKinds(scene, draft, earned.attribution.id);
  yield* Scene.commit(scene.customerId, Object.values(others));
  const logged = nextWithEvents(scene, earned.attribution, draft, others);
  return { scene, draft, earned, again: [...logged, ...nextWithoutEvents(scene, others)] };
});

const versionsRise = Effect.gen(function* () {
  const storage = yield* Storage;
  const { scene, again } = yield* createEveryKind;
  for (const change of again) {
    const { kind } = change;
    const id = recordIdOf(change.row);
    const absent: Requirement = { type: "record", kind, id: Build.freshUuid(), version: 0 };
    yield* Scene.commit(scene.customerId, [change], { requires: [absent] });
    const found = yield* storage.find(scene.customerId, kind, [id]);
    yield* expectSame(`${kind} after its second save`, found, [change.row]);
    yield* expectSame(
      `version and moment of ${kind}`,
      found.map(({ version, lastAt }) => [version, lastAt]),
      [[2, LATER]],
    );
  }
});

const expectedVersions = Effect.gen(function* () {
  const { scene, again } = yield* createEveryKind;
  for (const change of again) {
    const { kind } = change;
    for (const expected of [0, 2]) {
      const moved = { ...change, expected, row: { ...change.row, version: expected + 1 } };
      // Kind, row and entries come from one change; only the numbers differ.
      yield* expectVersionConflict(
        `${kind} at version 1, saved as ${expected}`,
        Scene.commit(scene.customerId, [moved as Change]),
      );
    }
    yield* Scene.commit(scene.customerId, [change]);
    yield* expectVersionConflict(
      `${kind} saved twice from version 1`,
      Scene.commit(scene.customerId, [change]),
    );
  }
});

/** New attributions may be stored in another way than other changes, together with what orders their arrival. */
const versionsBesideAttributions = Effect.gen(function* () {
  const { scene, again } = yield* createEveryKind;
  const sell = (changes: ReadonlyArray<Change>, requires: ReadonlyArray<Requirement> = []) =>
    Scene.commit(scene.customerId, [Build.attribution(scene), ...changes], { requires });
  for (const change of again) {
    const { kind } = change;
    const id = recordIdOf(change.row);
    if (kind === "attributionHistory") {
      yield* sell([], [{ type: "record", kind, id, version: 1 }]);
      yield* expectVersionConflict(
        "an attributionHistory at version 1, required at 2 by a new attribution",
        sell([], [{ type: "record", kind, id, version: 2 }]),
      );
    }
    if (kind !== "arrivalOrder" && kind !== "runningTotal") continue;
    const before = Build.attribution(scene);
    const builtOn = (id: string) => [{ type: "record", kind: "attribution", id, version: 1 } as const];
    yield* Scene.commit(scene.customerId, [before]);
    yield* expectVersionConflict(
      `${kind} saved with a new attribution that is built on one that is not stored`,
      sell([change], builtOn(Build.fresh.attribution())),
    );
    yield* sell([change], builtOn(before.row.id));
    yield* expectVersionConflict(`${kind} at version 2, saved from 1 with a new attribution`, sell([change]));
  }
});

const absentRecords = Effect.gen(function* () {
  const scene = yield* Scene.create();
  const absent = Build.partner(scene);
  const attribution = Build.attribution(scene);
  const update = Build.renamedPartner(absent.row, "Sydlys");
  yield* expectVersionConflict(
    "an update of a partner that is not stored",
    Scene.commit(scene.customerId, [update]),
  );
  const cancelled = Build.next("attribution", attribution.row, [
    { type: "cancel_attribution", reason: "entered by mistake" },
  ]);
  yield* expectVersionConflict(
    "an update of an attribution that is not stored",
    Scene.commit(scene.customerId, [cancelled]),
  );
});

const recordRequirements = Effect.gen(function* () {
  const { scene, earned, again } = yield* createEveryKind;
  const commit = (requires: ReadonlyArray<Requirement>) =>
    Scene.commit(scene.customerId, [Build.partner(scene)], { requires });
  const commission = ["commission", earned.commission.id] as const;
  const others = again.map((change) => [change.kind, recordIdOf(change.row)] as const);
  for (const [kind, id] of [...others, commission]) {
    yield* commit([{ type: "record", kind, id, version: 1 }]);
    for (const version of [0, 2]) {
      const requires: ReadonlyArray<Requirement> = [{ type: "record", kind, id, version }];
      yield* expectVersionConflict(`${kind} at version 1, required at ${version}`, commit(requires));
    }
    const absent: Requirement = { type: "record", kind, id: Build.freshUuid(), version: 1 };
    yield* expectVersionConflict(`an absent ${kind}, required at 1`, commit([absent]));
  }
});

const formulaSetVersions = Effect.gen(function* () {
  const storage = yield* Storage;
  const scene = yield* Scene.create();
  const { customerId, partnerId, schemaId } = scene;
  const version = Effect.map(
    storage.formulaSet(customerId, partnerId, schemaId),
    (formulaSet) => formulaSet.version,
  );
  const commitRequiring = (required: number, ...changes: ReadonlyArray<Change>) =>
    Scene.commit(customerId, [...changes, Build.attribution(scene)], {
      requires: [{ type: "formula_set", partnerId, schemaId, version: required }],
    });
  yield* expectSame("the version after one formula command", yield* version, 1);
  yield* Effect.all([commitRequiring(1), commitRequiring(1), commitRequiring(1)], {
    concurrency: "unbounded",
    discard: true,
  });
  yield* expectSame("the version after three commits that require it", yield* version, 1);
  yield* expectVersionConflict("an older version of the formula set", commitRequiring(0));
  yield* expectVersionConflict("a version of the formula set that does not exist yet", commitRequiring(2));
  yield* commitRequiring(1, { type: "bump_formula_set", partnerId, schemaId });
  yield* expectSame("the version after a commit that requires and raises it", yield* version, 2);
  yield* expectVersionConflict("a formula set version that has been raised since", commitRequiring(1));
  const raise = Scene.commit(customerId, [{ type: "bump_formula_set", partnerId, schemaId }]);
  yield* Effect.all([raise, raise, raise, raise], { concurrency: "unbounded", discard: true });
  yield* expectSame("the version after four concurrent commits that raise it", yield* version, 6);
});

const firstFormulaSet = Effect.gen(function* () {
  const storage = yield* Storage;
  const scene = yield* Scene.create();
  const other = Build.partner(scene);
  yield* Scene.commit(scene.customerId, [other]);
  const formulaSet = yield* storage.formulaSet(scene.customerId, other.row.id, scene.schemaId);
  yield* expectSame("a formula set without formulas", formulaSet, { version: 0, formulas: [] });
  const requires: ReadonlyArray<Requirement> = [
    { type: "formula_set", partnerId: other.row.id, schemaId: scene.schemaId, version: 0 },
  ];
  yield* Scene.commit(scene.customerId, [Build.attribution({ ...scene, partnerId: other.row.id })], {
    requires,
  });
});

const freshness = Effect.gen(function* () {
  const scene = yield* Scene.create();
  const commissions = yield* Scene.commissions(scene, [300, 0, -20]);
  const draft = yield* Scene.draft(scene, commissions);
  const commitRequiring = (stale: boolean) =>
    Scene.commit(scene.customerId, [Build.partner(scene)], {
      requires: [{ type: "freshness", settlementId: draft.id, stale }],
    });
  yield* commitRequiring(false);
  yield* expectVersionConflict("a fresh draft required to be stale", commitRequiring(true));
  yield* Scene.revise(yield* Scene.reload("commission", commissions[1]), 5);
  yield* commitRequiring(true);
  yield* expectVersionConflict("a stale draft required to be fresh", commitRequiring(false));
});

const noAttributionSince = Effect.gen(function* () {
  const scene = yield* Scene.create();
  const { customerId, partnerId, schemaId, workspaceId } = scene;
  const [otherSchema, otherPartner] = [Build.schema(scene), Build.partner(scene)];
  const other = { ...scene, schemaId: otherSchema.row.id };
  yield* Scene.commit(customerId, [
    otherSchema,
    otherPartner,
    Build.attribution(other, { createdAt: Build.EPOCH + 90 }),
    Build.attribution({ ...scene, partnerId: otherPartner.row.id }, { createdAt: Build.EPOCH + 90 }),
    Build.attribution({ ...scene, workspaceId: Build.fresh.workspace() }, { createdAt: Build.EPOCH + 90 }),
    Build.attribution(scene, { createdAt: Build.EPOCH + 90, occurredAt: Build.EPOCH + 4 }),
    Build.attribution(scene, { createdAt: Build.EPOCH + 3 }),
  ]);
  const commitRequiring = (since: number) =>
    Scene.commit(customerId, [{ type: "bump_formula_set", partnerId, schemaId }], {
      requires: [{ type: "no_attribution_since", partnerId, schemaId, workspaceId, since }],
    });
  yield* commitRequiring(Build.EPOCH + 5);
  yield* expectVersionConflict("one that occurred at the moment", commitRequiring(Build.EPOCH + 4));
  yield* expectVersionConflict("one that occurred later", commitRequiring(Build.EPOCH + 3));
  yield* Scene.commit(customerId, [Build.attribution(scene, { createdAt: Build.EPOCH + 5 })]);
  yield* expectVersionConflict("one that was created at the moment", commitRequiring(Build.EPOCH + 5));
  yield* commitRequiring(Build.EPOCH + 6);
});

const commissionCounts = Effect.gen(function* () {
  const scene = yield* Scene.create();
  const [earned] = yield* Scene.earn(scene, [40]);
  const commitRequiring = (count: number, attributionId = earned.attribution.id) =>
    Scene.commit(scene.customerId, [Build.partner(scene)], {
      requires: [{ type: "commissions", attributionId, count }],
    });
  yield* commitRequiring(1);
  yield* expectVersionConflict("one commission, none required", commitRequiring(0));
  yield* expectVersionConflict("one commission, two required", commitRequiring(2));
  const bare = Build.attribution(scene);
  yield* Scene.commit(scene.customerId, [bare]);
  yield* commitRequiring(0, bare.row.id);
  const second = Build.formula(scene);
  const commission = Build.commission(earned.attribution, second.row, 7);
  yield* Scene.commit(scene.customerId, [second, commission], {
    requires: [{ type: "commissions", attributionId: earned.attribution.id, count: 1 }],
  });
  yield* expectVersionConflict(
    "a count that holds no longer after a commission was added",
    commitRequiring(1),
  );
  yield* commitRequiring(2);
});

const countedTogether = Effect.gen(function* () {
  const scene = yield* Scene.create();
  const sides = [Build.attribution(scene), Build.attribution(scene)];
  yield* Scene.commit(scene.customerId, sides);
  const requires = sides.map(
    ({ row: { id } }) => ({ type: "commissions", attributionId: id, count: 0 }) as const,
  );
  yield* expectOneStored(
    "commissions of two attributions, each added while both had none",
    sides.map(({ row }) =>
      Scene.commit(scene.customerId, [Build.commission(row, scene.formula, 5)], { requires }),
    ),
  );
});

const setBasedVersions = Effect.gen(function* () {
  const scene = yield* Scene.create();
  const [earned] = yield* Scene.earn(scene, [90]);
  const { commission } = earned;
  for (const expected of [0, 2]) {
    const change = Scene.revisionOf({ ...commission, version: expected }, 91);
    yield* expectVersionConflict(
      `a commission at version 1, revised at ${expected}`,
      Scene.commit(scene.customerId, [change]),
    );
    const lines = [{ commissionId: commission.id, amount: 90, expected }];
    const settlement = Build.settlement(scene, lines);
    const reserve: Change = { type: "reserve", settlementId: settlement.row.id, lines };
    yield* expectVersionConflict(
      `reserved at ${expected}`,
      Scene.commit(scene.customerId, [settlement, reserve]),
    );
  }
  const absent = { ...commission, id: Build.fresh.commission() };
  yield* expectVersionConflict("a revision of a commission that is not stored", Scene.revise(absent, 1));
});

const numbers = Effect.gen(function* () {
  const storage = yield* Storage;
  const { customerId } = yield* Scene.create();
  const take = (lastNumber: number, lastDate = "2026-01-01") =>
    Scene.commit(customerId, [
      { type: "allocate_number", series: { ...Build.series(customerId, "INV-", lastNumber), lastDate } },
    ]);
  yield* expectSame("a series without a number", yield* storage.numberSeries(customerId, "INV-"), null);
  yield* expectVersionConflict("a series that begins at 2", take(2));
  yield* take(1);
  yield* expectVersionConflict("a number that was allocated before", take(1));
  yield* expectVersionConflict("a number that leaves a gap", take(3));
  yield* take(2, "2026-12-31");
  yield* expectSame("the series after two allocations", yield* storage.numberSeries(customerId, "INV-"), {
    ...Build.series(customerId, "INV-", 2),
    lastDate: "2026-12-31",
  });
  yield* expectSame("another series", yield* storage.numberSeries(customerId, "CN-"), null);
});

/** Every law of versions and requirements. */
export const versions: ReadonlyArray<Law> = [
  law(VERSION, "every kind of record", versionsRise),
  law(LAST_AT, "every kind of record", versionsRise),
  law(CONFLICTS, "expected versions of every kind", expectedVersions),
  law(CONFLICTS, "what orders the arrival of new attributions", versionsBesideAttributions),
  law(CONFLICTS, "updates of records that are not stored", absentRecords),
  law(CONFLICTS, "a required record of every kind", recordRequirements),
  law(CONFLICTS, "commissions revised and reserved", setBasedVersions),
  law(
    "The formula set still has this version: no formula command has changed it.",
    "shared by concurrent commits, refused at another version",
    formulaSetVersions,
  ),
  law(
    "Raises the version of a formula set by one; every formula command on the set contains this change.",
    "four concurrent commits",
    formulaSetVersions,
  ),
  law("0 before the first formula.", "a partner without formulas", firstFormulaSet),
  law(
    "With `stale` false, every line of the draft equals what its commission is due; with `stale` true, at least one does not.",
    "required fresh and stale, before and after a revision",
    freshness,
  ),
  law(
    "No attribution of the partner, schema and workspace occurred at `since` or later.",
    "created then, dated then, and of others",
    noAttributionSince,
  ),
  law(
    "The attribution still has exactly this many commissions; none is ever deleted.",
    "none, one and two commissions",
    commissionCounts,
  ),
  law(
    "They are counted once the attribution is locked, so that a commission of an earlier commit is counted; of commits that count those of the same attribution, one waits for the other.",
    "two that add to one each and count both",
    countedTogether,
  ),
  law(
    "Raises the last number of a gapless series from `lastNumber - 1` to `lastNumber`, and replaces its last date; creates the series for number 1.",
    "gaps and repetitions are refused",
    numbers,
  ),
  law("A series of the customer by its name; null before its first number.", "by its name", numbers),
  law("Identified by its customer.", "the billing profile", versionsRise),
];
