/** Laws of tenant isolation: no read and no commit reaches another customer's records. */
import { Effect, Stream } from "effect";
import type { CustomerId, PartnerId } from "../../../domain/Ids.ts";
import { DocumentStore } from "../../../ports/Documents.ts";
import {
  AllCustomers,
  type Change,
  type Kind,
  type ListedKind,
  recordIdOf,
  type StatisticsQuery,
  Storage,
} from "../../../ports/Storage.ts";
import * as Build from "../../Build.ts";
import { expectSame, expectVersionConflict, type Law, law } from "../../Law.ts";
import * as Scene from "../../Scene.ts";
import { stateDump } from "../../StateDump.ts";
import { otherKinds } from "../EveryKind.ts";

const TENANT =
  "The first argument names the tenant, by its id or by a formula of it; nothing of another tenant is read or changed.";

const LISTED: ReadonlyArray<ListedKind> = [
  "attribution",
  "formula",
  "plan",
  "commission",
  "settlement",
  "schema",
  "partner",
  "partnerLink",
  "apiKey",
  "paymentFile",
  "webhookEndpoint",
  "webhookDelivery",
  "settlementRun",
  "settlementRunResult",
  "planTrial",
  "planTrialResult",
  "recreditRun",
  "recreditRunResult",
];

/** Stores one record of every kind of one customer. */
const createEveryKind = Effect.gen(function* () {
  const scene = yield* Scene.create();
  const { customerId, partnerId, schemaId } = scene;
  const [earned, open] = yield* Scene.earn(scene, [1200, 300]);
  const paid = yield* Scene.pay(yield* Scene.draft(scene, [earned.commission]));
  const draft = yield* Scene.draft(scene, [open.commission]);
  const settled = yield* Scene.reload("commission", earned.commission);
  const again = yield* Scene.draft(scene, [settled]);
  const part = { commissionId: settled.id, originId: paid.id, amount: -1 };
  yield* Scene.commit(customerId, [{ type: "reverse", settlementId: again.id, parts: [part] }]);
  const attribution = Build.attribution(scene, { externalReference: "order 1" });
  const credit = { role: "manager", share: "1", depth: 0, further: true } as const;
  const credited = Build.attribution(scene, { credit, originId: attribution.row.id });
  const command = yield* Scene.createCommand();
  const series = Build.series(customerId, "INV-", 1);
  const others = otherKinds(scene, paid, earned.attribution.id);
  yield* Scene.commit(
    customerId,
    [attribution, credited, ...Object.values(others), { type: "allocate_number", series }],
    {
      command,
      idempotencyRecord: { principalId: "p", key: "k", requestSha256: "0", result: {}, at: Build.EPOCH },
    },
  );
  const records: ReadonlyArray<readonly [Kind, string]> = [
    ["attribution", earned.attribution.id],
    ["formula", scene.formula.id],
    ["commission", earned.commission.id],
    ["settlement", paid.id],
    ["schema", schemaId],
    ["partner", partnerId],
    ...Object.values(others).map((change) => [change.kind, recordIdOf(change.row)] as const),
  ];
  const assigned = Build.formula(scene, Build.assignment(others.plan.row));
  yield* Scene.commit(customerId, [assigned]);
  return {
    scene,
    earned,
    open,
    credited,
    paid,
    draft,
    again,
    document: others.document,
    command,
    records,
    planId: others.plan.row.id,
    endpoint: others.endpoint.row,
  };
});

const STATISTICS: StatisticsQuery = {
  from: 0,
  to: Build.EPOCH + 400 * Build.DAY,
  bucketStarts: [0],
  where: {},
};

const FIRST_PAGE = Build.query();

type EveryKind = Effect.Effect.Success<typeof createEveryKind>;

/** No record of a customer is found or listed for another one. */
const recordsOfAnother = (stranger: CustomerId, { scene, records }: EveryKind) =>
  Effect.gen(function* () {
    const storage = yield* Storage;
    const { customerId } = scene;
    for (const [kind, id] of records) {
      yield* expectSame(`another customer's ${kind} by id`, yield* storage.find(stranger, kind, [id]), []);
    }
    for (const kind of LISTED) {
      yield* expectSame(`list of ${kind}`, yield* storage.list(stranger, kind, FIRST_PAGE), {
        items: [],
        total: 0,
      });
      const where = { ids: records.map(([, id]) => id), customerIds: [customerId] };
      yield* expectSame(
        `list of ${kind} by id and customer`,
        yield* storage.list(stranger, kind, { ...FIRST_PAGE, where }),
        {
          items: [],
          total: 0,
        },
      );
    }
  });

/** The results of every other read, by another customer. */
const otherReadsOf = (stranger: CustomerId, everyKind: EveryKind) =>
  Effect.gen(function* () {
    const storage = yield* Storage;
    const { scene, earned, open, credited, paid, draft, again, command, planId, endpoint } = everyKind;
    const { partnerId, schemaId } = scene;
    const span = { from: 0, to: null, after: null, limit: 10 };
    return {
      formulaSet: yield* storage.formulaSet(stranger, partnerId, schemaId),
      formulaSets: yield* storage.formulaSets(stranger, schemaId, [partnerId]),
      linksOf: yield* storage.linksOf(stranger, { end: "partnerId", partnerIds: [partnerId], role: null }),
      formulasBehindPlan: yield* storage.formulasBehindPlan(stranger, planId, 9, 9),
      byExternalReference: yield* storage.findByExternalReferences(stranger, [
        { schemaId, externalReference: "order 1" },
      ]),
      attributionsForFormula: yield* storage.attributionsForFormula(
        { ...scene.formula, customerId: stranger },
        span,
      ),
      arrivalsForFormula: yield* storage.arrivalsForFormula(
        { ...scene.formula, customerId: stranger },
        { ...span, from: null },
      ),
      sales: yield* storage.salesOf(stranger, {
        ...{
          workspaceId: scene.workspaceId,
          partnerIds: null,
          from: 0,
          to: Build.EPOCH + Build.DAY,
          after: null,
          limit: 10,
        },
      }),
      lastArrival: yield* storage.lastArrival(stranger, partnerId, schemaId),
      commissionsWithAttributions: yield* storage.commissionsWithAttributions(stranger, [
        earned.commission.id,
        open.commission.id,
      ]),
      commissionsOf: yield* storage.commissionsOf(stranger, [earned.attribution.id]),
      credited: yield* storage.creditedAttributions(stranger, [credited.row.originId ?? credited.row.id]),
      lines: [...(yield* Stream.runCollect(storage.settlementLines(stranger, paid.id)))],
      heldByOtherSettlements: yield* storage.heldByOtherSettlements(stranger, paid.id),
      stale: yield* storage.isStale(stranger, draft.id),
      billed: yield* storage.linesWithBilledParts(stranger, again.id),
      reversals: yield* storage.reversals(stranger, again.id),
      documents: yield* storage.documentsOf(stranger, paid.id),
      openDeliveries: yield* storage.openDeliveries(stranger, endpoint.id, 9),
      due: yield* storage.dueCommissions(stranger, {
        ...{ partnerIds: [partnerId], until: Build.EPOCH + Build.DAY, after: null, limit: 9 },
      }),
      series: yield* storage.numberSeries(stranger, "INV-"),
      attributions: yield* storage.attributionStatistics(stranger, STATISTICS),
      commissions: yield* storage.commissionStatistics(stranger, STATISTICS),
      idempotencyRecord: yield* storage.findIdempotencyRecord(stranger, "p", "k"),
      isCommitted: yield* storage.isCommitted(stranger, command),
      log: yield* storage.log(stranger, "settlement", paid.id),
      settlementLogs: yield* storage.settlementLogs(stranger, [paid.id]),
      feedPart: yield* storage.feedPart(stranger, [paid.id], 0, 9),
    };
  });

/** What these reads return when they find nothing. */
const nothingFound = (partnerId: PartnerId) => ({
  formulaSet: { version: 0, formulas: [] },
  formulaSets: [{ partnerId, version: 0, formulas: [] }],
  linksOf: [],
  formulasBehindPlan: [],
  byExternalReference: [],
  attributionsForFormula: [],
  arrivalsForFormula: [],
  sales: [],
  lastArrival: null,
  commissionsWithAttributions: [],
  commissionsOf: [],
  credited: [],
  lines: [],
  heldByOtherSettlements: [],
  stale: false,
  billed: [],
  reversals: [],
  documents: [],
  openDeliveries: [],
  due: [],
  series: null,
  attributions: [],
  commissions: [],
  idempotencyRecord: null,
  isCommitted: false,
  log: [],
  settlementLogs: [],
  feedPart: { entries: [], reached: 0 },
});

const readsOfAnother = Effect.gen(function* () {
  const everyKind = yield* createEveryKind;
  const stranger = Build.fresh.customer();
  yield* recordsOfAnother(stranger, everyKind);
  const found = yield* otherReadsOf(stranger, everyKind);
  yield* expectSame("every other read of another customer", found, nothingFound(everyKind.scene.partnerId));
});

const everyCustomer = Effect.gen(function* () {
  const storage = yield* Storage;
  const worlds = [yield* createEveryKind, yield* createEveryKind];
  const customerIds = worlds.map(({ scene }) => scene.customerId);
  for (const kind of LISTED) {
    const apart = yield* Effect.forEach(customerIds, (id) => storage.list(id, kind, FIRST_PAGE));
    const both = yield* storage.list(AllCustomers, kind, { ...FIRST_PAGE, where: { customerIds } });
    const items = apart.flatMap((page) => page.items);
    const due = items.toSorted((a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1));
    yield* expectSame(`${kind} of both customers`, both, { items: due, total: due.length });
  }
  for (const index of worlds[0]?.records.keys() ?? []) {
    const named = worlds.flatMap(({ records }) => records.slice(index, index + 1));
    const [kind] = named[0] ?? [];
    if (kind === undefined) continue;
    const found = yield* storage.find(
      AllCustomers,
      kind,
      named.map(([, id]) => id),
    );
    yield* expectSame(
      `the ${kind} of each`,
      [...found.map((row) => row.customerId)].sort(),
      [...customerIds].sort(),
    );
  }
  const earned = worlds.flatMap(({ earned, open }) => [earned.commission.id, open.commission.id]);
  const found = yield* storage.commissionsWithAttributions(AllCustomers, earned);
  yield* expectSame(
    "commissions with attributions of both customers",
    found.map(({ commission }) => commission.id).sort(),
    earned.sort(),
  );
  const where = { customerIds };
  const attributions = yield* storage.attributionStatistics(AllCustomers, { ...STATISTICS, where });
  yield* expectSame("attributions of both", attributions, [{ bucket: 0, status: "confirmed", count: 6 }]);
  const commissions = yield* storage.commissionStatistics(AllCustomers, { ...STATISTICS, where });
  yield* expectSame(
    "commissions of both",
    commissions.reduce((sum, { count }) => sum + count, 0),
    4,
  );
});

const writesOfAnother = Effect.gen(function* () {
  const storage = yield* Storage;
  const { scene, earned, open, draft } = yield* createEveryKind;
  const other = yield* Scene.create();
  const before = yield* stateDump(scene.customerId);
  const foreign = Build.renamedPartner({ ...scene.partner, customerId: other.customerId }, "Overwritten");
  const changes: ReadonlyArray<readonly [string, Change]> = [
    ["saved", foreign],
    ["revised", Scene.revisionOf({ ...open.commission, version: 2 }, 1)],
  ];
  for (const [what, change] of changes) {
    yield* expectVersionConflict(
      `another customer's record ${what}`,
      Scene.commit(other.customerId, [change]),
    );
  }
  const requires = [{ type: "record", kind: "partner", id: scene.partnerId, version: 1 }] as const;
  yield* expectVersionConflict(
    "another customer's record required",
    Scene.commit(other.customerId, [Build.partner(other)], { requires }),
  );
  const lines = [{ commissionId: earned.commission.id, amount: 0, expected: 3 }];
  const settlement = Build.settlement(other, lines);
  const reserve: Change = { type: "reserve", settlementId: settlement.row.id, lines };
  yield* expectVersionConflict(
    "another customer's commission reserved",
    Scene.commit(other.customerId, [settlement, reserve]),
  );
  yield* Effect.either(
    Scene.commit(other.customerId, [{ type: "release", settlementId: draft.id, cause: "draft_cancelled" }]),
  );
  const { customerId, partnerId, schemaId } = scene;
  yield* Effect.either(Scene.commit(other.customerId, [{ type: "bump_formula_set", partnerId, schemaId }]));
  yield* expectSame("the other customer's records", yield* stateDump(customerId), before);
  yield* expectSame(
    "its formula set",
    (yield* storage.formulaSet(customerId, partnerId, schemaId)).version,
    1,
  );
});

const sharedKeys = Effect.gen(function* () {
  const storage = yield* Storage;
  const [one, two] = [yield* Scene.create(), yield* Scene.create()];
  const idempotencyRecord = {
    principalId: "p",
    key: "same",
    requestSha256: "0",
    result: { id: 1 },
    at: Build.EPOCH,
  };
  yield* Scene.commit(one.customerId, [Build.partner(one)], { idempotencyRecord });
  yield* Scene.commit(two.customerId, [Build.partner(two)], {
    idempotencyRecord: { ...idempotencyRecord, result: { id: 2 } },
  });
  const records = yield* Effect.forEach([one, two], (scene) =>
    storage.findIdempotencyRecord(scene.customerId, "p", "same"),
  );
  yield* expectSame(
    "each customer's own idempotency record",
    records.map((stored) => stored?.result),
    [{ id: 1 }, { id: 2 }],
  );
});

const documents = Effect.gen(function* () {
  const store = yield* DocumentStore;
  const [one, two] = [Build.fresh.customer(), Build.fresh.customer()];
  const id = Build.fresh.document();
  yield* store.put(one, id, new Uint8Array([1, 2, 3]));
  yield* expectSame("another customer's bytes", yield* store.get(two, id), null);
  yield* store.remove(two, id);
  yield* expectSame(
    "the bytes after another customer removed them",
    [...((yield* store.get(one, id)) ?? [])],
    [1, 2, 3],
  );
});

/** Every law of tenant isolation. */
export const isolation: ReadonlyArray<Law> = [
  law(TENANT, "every read by another customer", readsOfAnother),
  law(TENANT, "every commit by another customer", writesOfAnother),
  law(TENANT, "the same idempotency key of two customers", sharedKeys),
  law(TENANT, "documents", documents),
  law("Reads across every customer: the platform's alone.", "every read that takes a tenant", everyCustomer),
];
