/** Laws of filters: every filter is compared with a naive implementation, alone and together with every other. */
import { Effect } from "effect";
import * as ApiKey from "../../../domain/ApiKey.ts";
import * as Formula from "../../../domain/Formula.ts";
import { AgentId } from "../../../domain/Ids.ts";
import { due, settlementStatus } from "../../../domain/Ledger.ts";
import { searchable } from "../../../domain/Text.ts";
import { type Listed, type ListedKind, type Query, Storage, type Where } from "../../../ports/Storage.ts";
import * as Build from "../../Build.ts";
import { expect, expectSame, type Law, law } from "../../Law.ts";
import { populatedCustomer } from "../../PopulatedCustomer.ts";
import * as Scene from "../../Scene.ts";
import { listAll } from "../../StateDump.ts";

const FILTERS =
  "Filters of a list; they AND together, the values of one OR. Absent filters nothing, an empty list matches nothing.";

const ids = (items: ReadonlyArray<{ readonly id: string }>): ReadonlyArray<string> =>
  items.map(({ id }) => id);

/** The naive implementation of every filter, to which a store's list must be equal. */
const matches =
  (kind: ListedKind, where: Where) =>
  (item: Listed[ListedKind]): boolean => {
    const among = (values: ReadonlyArray<string> | undefined, value: string) =>
      values === undefined || values.includes(value);
    const partnerId = kind === "partner" ? item.id : "partnerId" in item ? item.partnerId : null;
    return (
      among(where.ids, item.id) &&
      among(where.customerIds, item.customerId) &&
      (!("workspaceId" in item) || among(where.workspaceIds, item.workspaceId)) &&
      (partnerId === null || among(where.partnerIds, partnerId)) &&
      (!("attributionId" in item) || among(where.attributionIds, item.attributionId)) &&
      (!("computedAmount" in item) ||
        where.settlementStatus === undefined ||
        settlementStatus(item) === where.settlementStatus) &&
      (!("lines" in item) ||
        where.commissionIds === undefined ||
        item.lines.some(({ commissionId }) => among(where.commissionIds, commissionId))) &&
      (!("assignment" in item) ||
        where.activeAt === undefined ||
        (item.status === "active" && Formula.covers(item, where.activeAt))) &&
      (!("assignment" in item) ||
        where.planIds === undefined ||
        (item.assignment !== null && among(where.planIds, item.assignment.planId))) &&
      (!("keyId" in item) || where.keysWithin === undefined || ApiKey.isWithin(item, where.keysWithin)) &&
      ((kind !== "schema" && kind !== "plan" && kind !== "partner") ||
        where.nameContains === undefined ||
        ("name" in item && searchable(item.name ?? "").includes(where.nameContains))) &&
      matchesOwnFilters(where, item)
    );
  };

/** Whether the payment of a settlement is as overdue as a filter asks, from the events. */
const isOverdueAsAsked = (
  { status, events }: Listed["settlement"],
  asked: Where["paymentOverdue"],
): boolean => {
  if (asked === undefined) return true;
  const last = events
    .map(({ event }) => event)
    .findLast(({ type }) => type === "initiate_payment" || type === "hand_over_payment");
  const isOverdue =
    status.type === "payment_initiated" &&
    last?.type === "hand_over_payment" &&
    last.execution_date < asked.before;
  return isOverdue === asked.matches;
};

const SIGNS = { nonzero: [-1, 1], positive: [1], negative: [-1] };

/** The filters that apply to one or two kinds only. The settlements of a commission are read from its events. */
const matchesOwnFilters = (where: Where, item: Listed[ListedKind]): boolean => {
  const among = (values: ReadonlyArray<string> | undefined, value: string | null) =>
    values === undefined || (value !== null && values.includes(value));
  if (
    "occurredAt" in item &&
    (item.occurredAt < (where.occurredFrom ?? item.occurredAt) ||
      item.occurredAt >= (where.occurredTo ?? item.occurredAt + 1))
  ) {
    return false;
  }
  if ("computedAmount" in item) {
    const holders = item.events.flatMap(({ event }) =>
      event.type === "reserve_commission" ? [event.settlement_id] : [],
    );
    return (
      among(where.formulaIds, item.formulaId) &&
      among(where.currencies, item.currency) &&
      (where.settlementIds === undefined || holders.some((id) => among(where.settlementIds, id))) &&
      (where.due === undefined || SIGNS[where.due].includes(Math.sign(due(item))))
    );
  }
  if ("lines" in item) {
    return (
      among(where.statuses, item.status.type) &&
      among(where.currencies, item.currency) &&
      (where.createdFrom === undefined || item.createdAt >= where.createdFrom) &&
      (where.createdTo === undefined || item.createdAt < where.createdTo) &&
      (where.stale === undefined || item.stale === where.stale) &&
      isOverdueAsAsked(item, where.paymentOverdue)
    );
  }
  if ("externalReference" in item) {
    return (
      among(where.schemaIds, item.schemaId) &&
      among(where.statuses, item.status) &&
      among(where.externalReferences, item.externalReference)
    );
  }
  if ("runId" in item) return among(where.runIds, item.runId);
  return (
    where.billingMode === undefined || !("billingMode" in item) || item.billingMode === where.billingMode
  );
};

/** Checks the list of each filter alone, and combined with each of `others`, by default the filters after it. */
export const expectFiltered = <Kind extends ListedKind>(
  customerId: Build.Owner["customerId"],
  kind: Kind,
  filters: ReadonlyArray<Where>,
  others?: ReadonlyArray<Where>,
) =>
  Effect.gen(function* () {
    const storage = yield* Storage;
    const everything = yield* listAll(customerId, kind);
    const wheres = filters.flatMap((one, index) => [
      one,
      ...(others ?? filters.slice(index + 1)).map((two) => ({ ...two, ...one })),
    ]);
    let emptyLists = 0;
    for (const where of wheres) {
      const matching = everything.filter(matches(kind, where));
      if (matching.length === 0) emptyLists += 1;
      for (const direction of ["asc", "desc"] as const) {
        const query: Query = { where, page: 1, perPage: 3, order: direction };
        const page = yield* storage.list(customerId, kind, query);
        const wanted = (direction === "asc" ? matching : matching.toReversed()).slice(0, 3);
        const what = `${kind} ${JSON.stringify(where)} ${direction}`;
        yield* expectSame(
          what,
          { ...page, items: ids(page.items) },
          { items: ids(wanted), total: matching.length },
        );
      }
    }
    yield* expect(
      emptyLists < wheres.length,
      `no filter of ${kind} matched a record, so the law checked nothing`,
    );
  });

/** Filters that apply to every kind but API keys, for the records of a populated customer. */
export const sharedFilters = ({
  customerId,
  one,
  three,
}: Effect.Effect.Success<typeof populatedCustomer>): ReadonlyArray<Where> => [
  { workspaceIds: [one.workspaceId] },
  { workspaceIds: [three.workspaceId, Build.fresh.workspace()] },
  { partnerIds: [one.partnerId] },
  { partnerIds: [one.partnerId, three.partnerId, three.partnerId] },
  { customerIds: [customerId, Build.fresh.customer()] },
  { customerIds: [Build.fresh.customer()] },
  { ids: [] },
  { workspaceIds: [] },
  { partnerIds: [] },
  { customerIds: [] },
];

/** Spans of dates around those of a populated customer; the last one is empty. */
const occurrenceFilters: ReadonlyArray<Where> = [
  { occurredFrom: Build.EPOCH + 11 },
  { occurredTo: Build.EPOCH + 11 },
  { occurredTo: Build.EPOCH },
  { occurredFrom: Build.EPOCH - 3 * Build.DAY, occurredTo: Build.EPOCH + 21 },
  { occurredFrom: Build.EPOCH - 2 * Build.DAY, occurredTo: Build.EPOCH - 2 * Build.DAY + 1 },
  { occurredFrom: Build.EPOCH + 200, occurredTo: Build.EPOCH + 300 },
];

/** Filters by some of the records' ids. */
export const idFilters = (items: ReadonlyArray<{ readonly id: string }>): ReadonlyArray<Where> => [
  { ids: ids(items.filter((_, index) => index % 2 === 0)) },
  { ids: [...ids(items.slice(0, 2)), ...ids(items.slice(0, 1)), Build.freshUuid()] },
];

const attributions = Effect.gen(function* () {
  const world = yield* populatedCustomer;
  const items = yield* listAll(world.customerId, "attribution");
  yield* expectFiltered(world.customerId, "attribution", [
    ...sharedFilters(world),
    ...idFilters(items),
    ...occurrenceFilters,
  ]);
});

const commissions = Effect.gen(function* () {
  const world = yield* populatedCustomer;
  const items = yield* listAll(world.customerId, "commission");
  yield* expectFiltered(world.customerId, "commission", [
    ...sharedFilters(world),
    ...idFilters(items),
    { attributionIds: items.slice(2, 9).map(({ attributionId }) => attributionId) },
    { attributionIds: [] },
    { settlementStatus: "unsettled" },
    { settlementStatus: "pending_settlement" },
    { settlementStatus: "settled" },
    ...occurrenceFilters,
  ]);
});

const settlements = Effect.gen(function* () {
  const world = yield* populatedCustomer;
  const commissionIds = (yield* listAll(world.customerId, "commission")).map(({ id }) => id);
  yield* expectFiltered(world.customerId, "settlement", [
    ...sharedFilters(world),
    ...idFilters(yield* listAll(world.customerId, "settlement")),
    { commissionIds: commissionIds.slice(0, 4) },
    { commissionIds: commissionIds },
    { commissionIds: [] },
  ]);
});

const formulas = Effect.gen(function* () {
  const world = yield* populatedCustomer;
  yield* expectFiltered(world.customerId, "formula", [
    ...sharedFilters(world),
    ...idFilters(yield* listAll(world.customerId, "formula")),
    ...[-31 * Build.DAY, 0, Build.DAY - 1, Build.DAY].map(
      (offset): Where => ({ activeAt: Build.EPOCH + offset }),
    ),
  ]);
});

const plans = Effect.gen(function* () {
  const world = yield* populatedCustomer;
  const items = yield* listAll(world.customerId, "plan");
  yield* expectFiltered(world.customerId, "plan", [
    ...sharedFilters(world),
    ...idFilters(items),
    { nameContains: "nord" },
    { nameContains: "syd" },
  ]);
  yield* expectFiltered(
    world.customerId,
    "formula",
    [{ planIds: items.slice(0, 2).map(({ id }) => id) }, { planIds: [Build.fresh.plan()] }, { planIds: [] }],
    [
      ...sharedFilters(world),
      ...idFilters(yield* listAll(world.customerId, "formula")),
      { activeAt: Build.EPOCH },
    ],
  );
});

const schemasAndPartners = Effect.gen(function* () {
  const world = yield* populatedCustomer;
  const schemas = yield* listAll(world.customerId, "schema");
  yield* expectFiltered(world.customerId, "schema", [
    ...sharedFilters(world),
    ...idFilters(schemas),
    { nameContains: "al" },
    { nameContains: "sales" },
  ]);
  const partners = yield* listAll(world.customerId, "partner");
  yield* expectFiltered(world.customerId, "partner", [
    ...sharedFilters(world),
    ...idFilters(partners),
    { nameContains: "nord" },
    { nameContains: "syd" },
  ]);
});

const keys = Effect.gen(function* () {
  const customerId = Build.fresh.customer();
  const workspaces = [Build.fresh.workspace(), Build.fresh.workspace()] as const;
  const partners = [Build.fresh.partner(), Build.fresh.partner()] as const;
  const agentId = AgentId.make(Build.freshUuid());
  const stored = [
    {},
    { workspaceIds: [workspaces[0]] },
    { workspaceIds: [workspaces[1], workspaces[0]] },
    { workspaceIds: [] },
    { partnerIds: [partners[0]], kind: "partner" as const },
    { workspaceIds: [workspaces[1]], partnerIds: [...partners], kind: "partner" as const },
    { workspaceIds: [workspaces[0]], agentId, kind: "agent" as const },
    { agentId: AgentId.make(Build.freshUuid()), kind: "agent" as const },
  ].map((overrides) => Build.apiKey(customerId, overrides));
  yield* Scene.commit(customerId, stored);
  yield* expectFiltered(customerId, "apiKey", [
    ...idFilters(stored.map(({ row }) => row)),
    { ids: [] },
    { customerIds: [customerId] },
    { customerIds: [Build.fresh.customer()] },
    { partnerIds: [Build.fresh.partner()] },
    ...[
      { workspaceIds: [workspaces[0]] },
      { workspaceIds: [...workspaces] },
      { workspaceIds: [] },
      { partnerIds: [partners[0]] },
      { partnerIds: [...partners] },
      { agentId },
      { workspaceIds: [workspaces[0]], agentId },
    ].map(
      (reach): Where => ({ keysWithin: { workspaceIds: "*", partnerIds: "*", agentId: null, ...reach } }),
    ),
  ]);
});

/** Every law of the filters that many kinds share. */
export const filters: ReadonlyArray<Law> = [
  law(FILTERS, "attributions: each filter alone and every two together", attributions),
  law(FILTERS, "commissions: each filter alone and every two together", commissions),
  law(
    "On attributions and commissions: of attributions that occurred at this moment or later.",
    "attributions that were created late",
    attributions,
  ),
  law(
    "On attributions and commissions: of attributions that occurred before this moment.",
    "commissions of attributions that were created late",
    commissions,
  ),
  law("On settlements: holds any of them.", "alone and with every other filter", settlements),
  law(
    "On formulas: active, with a window that covers the moment.",
    "at the edges of windows, alone and with every other filter",
    formulas,
  ),
  law(
    "On partners it matches their own id. No effect on schemas, plans and keys.",
    "schemas and partners, alone and with every other filter",
    schemasAndPartners,
  ),
  law("On partners it matches their own id. No effect on schemas, plans and keys.", "API keys", keys),
  law(
    "On partners it matches their own id. No effect on schemas, plans and keys.",
    "plans, alone and with every other filter",
    plans,
  ),
  law("On formulas: assigned by any of these plans.", "alone and with every other filter", plans),
  law(
    "On keys: reaches no workspace, partner or agent beyond this.",
    "alone and with every other filter",
    keys,
  ),
];
