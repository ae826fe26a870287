/** Laws of atomicity: a commit stores all of its change set or nothing, and conflicting commits are serialised. */
import { Effect } from "effect";
import { Outbox } from "../../../ports/Outbox.ts";
import {
  type Change,
  type ChangeSet,
  type Requirement,
  Storage,
  type StorageError,
  VersionConflict,
} from "../../../ports/Storage.ts";
import * as Build from "../../Build.ts";
import { expect, expectOneStored, expectSame, expectVersionConflict, type Law, law } from "../../Law.ts";
import * as Scene from "../../Scene.ts";
import { stateDump } from "../../StateDump.ts";

const ALL_OR_NOTHING = "Stores a change set, all or nothing, durable when it returns.";
const ONE_SUCCEEDS = "Of two commits that rely on what the other changes, one succeeds.";

/** A change set with every kind of change, and the stored records that it changes. */
const createFullChangeSet = Effect.gen(function* () {
  const scene = yield* Scene.create();
  const [one, two, three, four] = yield* Scene.earn(scene, [100, -30, 0, 55]);
  const draft = yield* Scene.draft(scene, [one.commission]);
  const taken = Build.attribution(scene, { externalReference: "taken" });
  yield* Scene.commit(scene.customerId, [taken]);
  const { customerId, partnerId, schemaId } = scene;
  const lines = Build.linesOf([two.commission, three.commission]);
  const settlement = Build.settlement(scene, lines);
  const paid = Build.next("settlement", draft, [...Build.approvalEvents(draft), { type: "mark_as_paid" }]);
  const attribution = Build.attribution(scene, { externalReference: "free" });
  const changes: ReadonlyArray<Change> = [
    settlement,
    paid,
    Scene.revisionOf(four.commission, 56),
    { type: "reserve", settlementId: settlement.row.id, lines },
    { type: "settle", settlementId: draft.id, as: "paid" },
    attribution,
    Build.commission(attribution.row, scene.formula, 9),
    Build.next("attribution", one.attribution, [{ type: "cancel_attribution", reason: "refunded" }]),
    Build.apiKey(customerId),
    { type: "bump_formula_set", partnerId, schemaId },
    { type: "allocate_number", series: Build.series(customerId, "INV-", 1) },
  ];
  const message = Build.message(customerId, draft.id);
  const changeSet = Build.changeSet({
    command: yield* Scene.createCommand(),
    changes,
    outbox: [message],
    idempotencyRecord: { principalId: "p", key: "k", requestSha256: "0", result: { id: 1 }, at: Build.EPOCH },
  });
  return { scene, changeSet, message, taken, one, four, draft, lines };
});

type Rejection = (
  touched: Effect.Effect.Success<typeof createFullChangeSet>,
) => readonly [string, Partial<ChangeSet>];

/** Every reason to refuse the change set; the refused part comes after all other changes. */
const REJECTIONS: ReadonlyArray<Rejection> = [
  ({ changeSet: { changes }, scene }) => [
    "a taken external reference",
    { changes: [...changes, Build.attribution(scene, { externalReference: "taken" })] },
  ],
  ({ changeSet: { changes }, scene, taken }) => [
    "an attribution that is stored, saved as new",
    { changes: [...changes, Build.attribution(scene, { id: taken.row.id })] },
  ],
  ({ changeSet: { changes }, scene }) => [
    "a partner at another version",
    { changes: [...changes, Build.renamedPartner({ ...scene.partner, version: 2 }, "Sydlys")] },
  ],
  ({ changeSet: { changes }, scene: { customerId } }) => [
    "a number out of turn",
    {
      changes: [...changes, { type: "allocate_number", series: Build.series(customerId, "CN-", 2) }],
    },
  ],
  ({ changeSet: { changes }, scene, one }) => {
    const lines = Build.linesOf([one.commission]).map((line) => ({ ...line, expected: 2 }));
    const settlement = Build.settlement(scene, lines);
    return [
      "a commission held by another open settlement",
      {
        changes: [
          ...changes.filter(({ type }) => type !== "settle"),
          settlement,
          { type: "reserve", settlementId: settlement.row.id, lines },
        ],
      },
    ];
  },
  ({ changeSet: { changes }, one }) => [
    "a commission revised at another version",
    { changes: [...changes, Scene.revisionOf({ ...one.commission, version: 7 }, 8)] },
  ],
  ({ scene: { partnerId, schemaId } }) => [
    "a requirement",
    {
      requires: [
        { type: "formula_set", partnerId, schemaId, version: 9 },
      ] satisfies ReadonlyArray<Requirement>,
    },
  ],
];

const nothingOnRefusal = Effect.forEach(
  REJECTIONS,
  (refused) =>
    Effect.gen(function* () {
      const storage = yield* Storage;
      const outbox = yield* Outbox;
      const touched = yield* createFullChangeSet;
      const { scene, changeSet, message } = touched;
      const { customerId, partnerId, schemaId } = scene;
      const [reason, overrides] = refused(touched);
      const before = yield* stateDump(customerId);
      yield* expectVersionConflict(reason, storage.commit(customerId, { ...changeSet, ...overrides }));
      yield* expectSame(`after ${reason}`, yield* stateDump(customerId), before);
      const rest = {
        isCommitted: yield* storage.isCommitted(customerId, changeSet.command),
        idempotencyRecord: yield* storage.findIdempotencyRecord(customerId, "p", "k"),
        formulaSet: (yield* storage.formulaSet(customerId, partnerId, schemaId)).version,
        number: (yield* storage.numberSeries(customerId, "INV-"))?.lastNumber ?? 0,
        free: yield* storage.findByExternalReferences(customerId, [{ schemaId, externalReference: "free" }]),
        message: (yield* outbox.claim({
          topics: [message.topic],
          limit: 100_000,
          leaseMilliseconds: 1,
        })).some(({ id }) => id === message.id),
      };
      const due = {
        isCommitted: false,
        idempotencyRecord: null,
        formulaSet: 1,
        number: 0,
        free: [],
        message: false,
      };
      yield* expectSame(`what is stored beside the records, after ${reason}`, rest, due);
      yield* storage.commit(customerId, changeSet);
      yield* expect(
        yield* storage.isCommitted(customerId, changeSet.command),
        "the change set without the refused part was not stored",
      );
    }),
  { discard: true },
);

const everythingStored = Effect.gen(function* () {
  const storage = yield* Storage;
  const { scene, changeSet, one, four, draft, lines } = yield* createFullChangeSet;
  const { customerId, partnerId, schemaId } = scene;
  yield* storage.commit(customerId, { ...changeSet, changes: changeSet.changes.toReversed() });
  const versions = (rows: ReadonlyArray<{ readonly version: number }>) => rows.map(({ version }) => version);
  const found = {
    paid: versions(yield* storage.find(customerId, "settlement", [draft.id])),
    settled: versions(yield* storage.find(customerId, "commission", [one.commission.id])),
    revised: (yield* storage.find(customerId, "commission", [four.commission.id])).map(
      (row) => row.computedAmount,
    ),
    reserved: versions(
      yield* storage.find(
        customerId,
        "commission",
        lines.map(({ commissionId }) => commissionId),
      ),
    ),
    formulaSet: (yield* storage.formulaSet(customerId, partnerId, schemaId)).version,
    number: (yield* storage.numberSeries(customerId, "INV-"))?.lastNumber ?? 0,
    isCommitted: yield* storage.isCommitted(customerId, changeSet.command),
    idempotencyRecord: (yield* storage.findIdempotencyRecord(customerId, "p", "k"))?.result,
  };
  yield* expectSame("what the change set stored", found, {
    paid: [5],
    settled: [3],
    revised: [56],
    reserved: [2, 2],
    formulaSet: 2,
    number: 1,
    isCommitted: true,
    idempotencyRecord: { id: 1 },
  });
});

const reviseThenReserve = Effect.gen(function* () {
  const storage = yield* Storage;
  const scene = yield* Scene.create();
  const [earned] = yield* Scene.earn(scene, [100]);
  const { commission } = earned;
  const lines = [{ commissionId: commission.id, amount: 120, expected: commission.version + 1 }];
  const settlement = Build.settlement(scene, lines);
  const reserve: Change = { type: "reserve", settlementId: settlement.row.id, lines };
  yield* Scene.commit(scene.customerId, [reserve, Scene.revisionOf(commission, 120), settlement]);
  const log = yield* storage.log(scene.customerId, "commission", commission.id);
  yield* expectSame(
    "the events of the commission",
    log.map(({ event }) => event.type),
    ["create_commission", "update_commission", "reserve_commission"],
  );
  yield* expectSame(
    "whether the draft is stale",
    yield* storage.isStale(scene.customerId, settlement.row.id),
    false,
  );
});

/** A store may resolve a deadlock by abandoning one commit, as long as it stored nothing of it. */
const abandonedAsConflict = (failure: StorageError): Effect.Effect<never, VersionConflict | StorageError> =>
  Effect.fail(
    failure.reason === "unavailable"
      ? new VersionConflict({ what: "abandoned to resolve a deadlock" })
      : failure,
  );

const writeSkew = Effect.gen(function* () {
  const scene = yield* Scene.create();
  const [one, two] = [Build.partner(scene), Build.partner(scene)];
  yield* Scene.commit(scene.customerId, [one, two]);
  const rely = (on: typeof one, change: typeof one) =>
    Scene.commit(scene.customerId, [Build.renamedPartner(change.row, "Moved")], {
      requires: [{ type: "record", kind: "partner", id: on.row.id, version: 1 }],
    }).pipe(Effect.catchTag("StorageError", abandonedAsConflict));
  yield* expectOneStored("two commits that each require the version of the record the other saves", [
    rely(one, two),
    rely(two, one),
  ]);
});

const lostUpdate = Effect.gen(function* () {
  const scene = yield* Scene.create();
  const renames = Array.from({ length: 8 }, (_, index) =>
    Scene.commit(scene.customerId, [Build.renamedPartner(scene.partner, `Name ${index}`)]),
  );
  const winner = yield* expectOneStored("eight updates of one version", renames);
  const storage = yield* Storage;
  const found = yield* storage.find(scene.customerId, "partner", [scene.partnerId]);
  yield* expectSame(
    "the update that was stored",
    found.map(({ name, version }) => [name, version]),
    [[`Name ${winner}`, 2]],
  );
});

export const atomicity: ReadonlyArray<Law> = [
  law(ALL_OR_NOTHING, "a change set that is refused by its last change stores nothing", nothingOnRefusal),
  law(ALL_OR_NOTHING, "every kind of change in one commit, in any order", everythingStored),
  law(
    "The order inside is fixed: idempotencyRecord, requires, settlements, commissions locked by id, revise, lines, saves, erasures, outbox.",
    "a line may expect the version that a revision of the same commit produces",
    reviseThenReserve,
  ),
  law(ONE_SUCCEEDS, "each requires the version of the record the other saves", writeSkew),
  law(ONE_SUCCEEDS, "eight concurrent saves at one version", lostUpdate),
];
