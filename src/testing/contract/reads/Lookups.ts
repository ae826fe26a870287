/** Laws of the filters that apply to one or two kinds only: each alone, and with every other filter of the kind. */
import { Effect } from "effect";
import { Currency } from "../../../domain/Currency.ts";
import type { SettlementEvent } from "../../../domain/SettlementEvent.ts";
import type { Where } from "../../../ports/Storage.ts";
import * as Build from "../../Build.ts";
import { expectSame, type Law, law } from "../../Law.ts";
import { populatedCustomer } from "../../PopulatedCustomer.ts";
import * as Scene from "../../Scene.ts";
import { listAll } from "../../StateDump.ts";
import { expectFiltered, idFilters, sharedFilters } from "./Filters.ts";

const SEK = Currency.make("SEK");

/** Stores commissions with positive, negative, zero and largest amounts due, settled in every way. */
const settleInEveryWay = (scene: Scene.Scene) =>
  Effect.gen(function* () {
    const [paid, written, returned, owed, forgiven] = yield* Scene.commissions(
      scene,
      [300, 300, 300, -70, -70, 9_007_199_254_740_991, -9_007_199_254_740_991],
      (index) => Build.EPOCH + 1_000 + index,
    );
    yield* Scene.pay(yield* Scene.draft(scene, [paid, owed], Build.EPOCH + 300));
    yield* Scene.writeOff(yield* Scene.draft(scene, [written], Build.EPOCH + 301));
    yield* Scene.writeOff(yield* Scene.draft(scene, [forgiven], Build.EPOCH + 302));
    yield* Scene.cancel(yield* Scene.draft(scene, [returned], Build.EPOCH + 303));
    for (const [commission, amount] of [
      [paid, 200],
      [written, 300],
      [forgiven, -70],
    ] as const)
      yield* Scene.revise(yield* Scene.reload("commission", commission), amount);
  });

/** Stores three drafts: one that is stale, one that was stale and is fresh again, and one that was always fresh. */
const createDrafts = (scene: Scene.Scene) =>
  Effect.gen(function* () {
    const drafted = yield* Scene.commissions(scene, [10, 20, 30], (index) => Build.EPOCH + 2_000 + index);
    for (const commission of drafted) yield* Scene.draft(scene, [commission], Build.EPOCH + 400);
    const [stale, fresh] = drafted;
    yield* Scene.revise(yield* Scene.reload("commission", stale), 11);
    yield* Scene.revise(yield* Scene.reload("commission", fresh), 21);
    yield* Scene.revise(yield* Scene.reload("commission", fresh), 20);
  });

/** Stores payments by file: one that waits, three that were handed over for different days, and one of them that is paid. */
const payByFile = (scene: Scene.Scene) =>
  Effect.gen(function* () {
    const days = [null, "2026-01-05", "2026-01-06", "2026-01-09", "2026-01-05"];
    const due = yield* Scene.commissions(scene, [41, 42, 43, 44, 45], (index) => Build.EPOCH + 3_000 + index);
    for (const [index, commission] of due.entries()) {
      const draft = yield* Scene.draft(scene, [commission], Build.EPOCH + 500 + index);
      const payment_reference = Build.fresh.payment();
      const day = days[index] ?? null;
      const events: ReadonlyArray<SettlementEvent> = [
        ...Build.approvalEvents(draft),
        { type: "initiate_payment", payment_reference, attempt: 1 },
        ...(day === null
          ? []
          : [
              {
                ...{ type: "hand_over_payment" as const, payment_reference },
                ...{ payment_file_id: Build.fresh.paymentFile(), execution_date: day },
              },
            ]),
      ];
      const paid: SettlementEvent = { type: "confirm_payment", payment_reference };
      yield* index === 4
        ? Scene.advance(draft, [...events, paid], { type: "settle", settlementId: draft.id, as: "paid" })
        : Scene.advance(draft, events);
    }
  });

const REFERENCES = ["R-1", "r-1", 'a "b" \\ {c,d}', "NULL", "ærlig", "%"];

const createReferences = (scene: Scene.Scene) =>
  Effect.gen(function* () {
    const second = Build.schema(scene);
    const stored = [scene.schemaId, second.row.id].flatMap((schemaId) =>
      REFERENCES.map((externalReference) => Build.attribution({ ...scene, schemaId }, { externalReference })),
    );
    yield* Scene.commit(scene.customerId, [second, ...stored]);
    const cancelled = stored
      .slice(3, 8)
      .map(({ row }) => Build.next("attribution", row, [{ type: "cancel_attribution", reason: "returned" }]));
    yield* Scene.commit(scene.customerId, cancelled);
  });

/** The populated customer, with further records that differ in what these filters select. */
const populateVaried = Effect.gen(function* () {
  const world = yield* populatedCustomer;
  const scene = {
    ...(yield* Scene.create({ customerId: world.customerId })),
    workspaceId: world.one.workspaceId,
  };
  const krona = Build.formula(world.one, { currency: SEK });
  const sale = Build.attribution(world.one);
  const inKrona = Build.commission(sale.row, krona.row, 500);
  const owner = { customerId: world.customerId, workspaceId: scene.workspaceId };
  yield* Scene.commit(world.customerId, [krona, sale, inKrona]);
  const lines = Build.linesOf([inKrona.row]);
  const settlement = Build.settlement(world.one, lines, { currency: SEK });
  yield* Scene.commit(world.customerId, [
    settlement,
    { type: "reserve", settlementId: settlement.row.id, lines },
  ]);
  yield* settleInEveryWay(world.one);
  yield* createDrafts(world.three);
  yield* payByFile(world.three);
  yield* createReferences(world.one);
  yield* Scene.commit(world.customerId, [
    Build.partner(owner, { billingMode: null, name: "Nordic" }),
    Build.partner(owner, { billingMode: null, name: "South" }),
  ]);
  return world;
});

const checkCommissions = (own: (world: World) => ReadonlyArray<Where>) =>
  Effect.gen(function* () {
    const world = yield* populateVaried;
    const items = yield* listAll(world.customerId, "commission");
    const settlements = yield* listAll(world.customerId, "settlement");
    yield* expectFiltered(
      world.customerId,
      "commission",
      own({ ...world, ids: settlements.map(({ id }) => id) }),
      [
        ...sharedFilters(world),
        ...idFilters(items),
        { attributionIds: items.slice(1, 12).map(({ attributionId }) => attributionId) },
        { settlementStatus: "unsettled" },
        { settlementStatus: "settled" },
        { due: "nonzero" },
        { formulaIds: [world.one.formula.id] },
        { settlementIds: settlements.map(({ id }) => id) },
        { currencies: [Build.EUR] },
      ],
    );
  });

interface World extends Effect.Effect.Success<typeof populatedCustomer> {
  /** The ids of the customer's settlements. */
  readonly ids: ReadonlyArray<
    Where["settlementIds"] extends ReadonlyArray<infer Id> | undefined ? Id : never
  >;
}

const checkSettlements = (
  own: (world: Effect.Effect.Success<typeof populatedCustomer>) => ReadonlyArray<Where>,
) =>
  Effect.gen(function* () {
    const world = yield* populateVaried;
    const commissionIds = (yield* listAll(world.customerId, "commission")).map(({ id }) => id);
    yield* expectFiltered(world.customerId, "settlement", own(world), [
      ...sharedFilters(world),
      ...idFilters(yield* listAll(world.customerId, "settlement")),
      { commissionIds: commissionIds.slice(0, 9) },
      { statuses: ["draft", "paid"] },
      { currencies: [Build.EUR] },
      { createdFrom: Build.EPOCH + 100, createdTo: Build.EPOCH + 302 },
      { stale: false },
      { paymentOverdue: { before: "2026-01-08", matches: true } },
    ]);
  });

const checkAttributions = (
  own: (world: Effect.Effect.Success<typeof populatedCustomer>) => ReadonlyArray<Where>,
) =>
  Effect.gen(function* () {
    const world = yield* populateVaried;
    yield* expectFiltered(world.customerId, "attribution", own(world), [
      ...sharedFilters(world),
      ...idFilters(yield* listAll(world.customerId, "attribution")),
      { statuses: ["cancelled"] },
      { schemaIds: [world.one.schemaId] },
      { externalReferences: REFERENCES },
    ]);
  });

const billingModes = Effect.gen(function* () {
  const world = yield* populateVaried;
  const own: ReadonlyArray<Where> = [
    { billingMode: null },
    { billingMode: "partner_billing" },
    { billingMode: "self_billing" },
  ];
  yield* expectFiltered(world.customerId, "partner", own, [
    ...sharedFilters(world),
    ...idFilters(yield* listAll(world.customerId, "partner")),
    { nameContains: "nord" },
  ]);
});

/** A filter has no effect on a kind that it does not apply to. */
const noEffectElsewhere = Effect.gen(function* () {
  const world = yield* populateVaried;
  const ids = (rows: ReadonlyArray<{ readonly id: string }>) => rows.map(({ id }) => id);
  const same = (
    kind: "attribution" | "commission" | "settlement" | "partner" | "schema" | "formula",
    where: Where,
  ) =>
    Effect.gen(function* () {
      const [whole, filtered] = [
        yield* listAll(world.customerId, kind),
        yield* listAll(world.customerId, kind, where),
      ];
      yield* expectSame(`${kind} ${JSON.stringify(where)}`, ids(filtered), ids(whole));
    });
  yield* same("commission", { statuses: [], stale: true, createdFrom: Build.EPOCH * 2, schemaIds: [] });
  yield* same("settlement", { due: "nonzero", formulaIds: [], settlementIds: [], externalReferences: [] });
  yield* same("attribution", { due: "nonzero", currencies: [], createdTo: 0, billingMode: null });
  yield* same("partner", { statuses: [], currencies: [], stale: true, schemaIds: [] });
  yield* same("schema", { billingMode: null, schemaIds: [], statuses: [] });
  yield* same("formula", { billingMode: null, schemaIds: [], currencies: [] });
});

const EVERY = "alone and with every other filter";

/** Every law of the filters that apply to one or two kinds only. */
export const lookups: ReadonlyArray<Law> = [
  law(
    "On commissions: earned under any of these formulas.",
    EVERY,
    checkCommissions(({ one, three }) => [
      { formulaIds: [one.formula.id] },
      { formulaIds: [one.formula.id, three.formula.id, one.formula.id, Build.fresh.formula()] },
      { formulaIds: [] },
    ]),
  ),
  law(
    "On commissions: any of these settlements has a line of it, whatever happened to the settlement.",
    EVERY,
    checkCommissions(({ ids }) => [
      { settlementIds: ids },
      { settlementIds: [...ids.slice(-2), ...ids.slice(-1), Build.fresh.settlement()] },
      { settlementIds: [] },
    ]),
  ),
  law(
    "On commissions: the sign of what is due; an amount that was never computed counts as 0.",
    EVERY,
    checkCommissions(() => [{ due: "nonzero" }, { due: "positive" }, { due: "negative" }]),
  ),
  law(
    "On commissions and settlements: in any of these currencies.",
    "commissions, alone and with every other filter",
    checkCommissions(() => [{ currencies: [SEK] }, { currencies: [SEK, Build.EUR] }, { currencies: [] }]),
  ),
  law(
    "On commissions and settlements: in any of these currencies.",
    "settlements, alone and with every other filter",
    checkSettlements(() => [{ currencies: [SEK] }, { currencies: [SEK, Build.EUR] }, { currencies: [] }]),
  ),
  law(
    "On attributions, settlements, webhook endpoints and webhook deliveries: in any of these states, by their type.",
    "attributions, alone and with every other filter",
    checkAttributions(() => [
      { statuses: ["confirmed"] },
      { statuses: ["cancelled", "cancelled"] },
      { statuses: ["cancelled", "confirmed"] },
      { statuses: [] },
    ]),
  ),
  law(
    "On attributions, settlements, webhook endpoints and webhook deliveries: in any of these states, by their type.",
    "settlements, alone and with every other filter",
    checkSettlements(() => [
      { statuses: ["draft"] },
      { statuses: ["paid", "cancelled", "disputed"] },
      { statuses: ["written_off"] },
      { statuses: [] },
    ]),
  ),
  law(
    "On settlements: created at this moment or later.",
    "at the moment itself and beside it",
    checkSettlements(() => [98, 99, 200, 201, 1_000].map((after) => ({ createdFrom: Build.EPOCH + after }))),
  ),
  law(
    "On settlements: created before this moment.",
    "at the moment itself and beside it",
    checkSettlements(() => [98, 99, 200, 201, 1_000].map((after) => ({ createdTo: Build.EPOCH + after }))),
  ),
  law(
    "On settlements: whether it is shown as stale; only drafts are.",
    EVERY,
    checkSettlements(() => [{ stale: true }, { stale: false }]),
  ),
  law(
    "On settlements: whether its payment is overdue: under way, in a file that was handed over, to be carried out before this day.",
    EVERY,
    checkSettlements(() =>
      ["2026-01-05", "2026-01-06", "2026-01-07", "2026-02-01"].flatMap((before) =>
        [true, false].map((matches) => ({ paymentOverdue: { before, matches } })),
      ),
    ),
  ),
  law(
    "On attributions: of any of these schemas.",
    EVERY,
    checkAttributions(({ one, three }) => [
      { schemaIds: [one.schemaId] },
      { schemaIds: [three.schemaId, one.schemaId, Build.fresh.schema()] },
      { schemaIds: [] },
    ]),
  ),
  law(
    "On attributions: with exactly one of these external references.",
    EVERY,
    checkAttributions(() => [
      ...REFERENCES.map((reference) => ({ externalReferences: [reference] })),
      { externalReferences: [...REFERENCES.slice(1, 4), "R-1 ", "unknown", "\u0000", "\ud800"] },
      { externalReferences: [] },
    ]),
  ),
  law("On partners: in this billing mode; null finds those without one.", EVERY, billingModes),
  law(
    "Filters of a list; they AND together, the values of one OR. Absent filters nothing, an empty list matches nothing.",
    "no effect on kinds that a filter does not apply to",
    noEffectElsewhere,
  ),
];
