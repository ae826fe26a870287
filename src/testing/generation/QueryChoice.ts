/** Turns intents into queries, most of them with two filters. */

import { CommissionId, SchemaId } from "../../domain/Ids.ts";
import type { Principal } from "../../domain/Principal.ts";
import type { Properties } from "../../domain/Properties.ts";
import type { Command, ListKind, Where } from "../model/Command.ts";
import { DAY } from "../model/world/Time.ts";
import type { World } from "../model/world/World.ts";
import { choosePrincipal, PRINCIPAL_COUNT } from "../session/Principals.ts";
import { chooseInvalidProperties, ORDER_VALUES } from "./AttributionChoice.ts";
import { type ChoiceContext, callerFor, choose, chooseIfAny, chooseWorkspace } from "./ChoiceContext.ts";
import { choosePlanFor, EUR, USD } from "./FormulaChoice.ts";

const KINDS = ["commission", "settlement", "attribution", "formula", "partner", "schema"] as const;

const idsOf = (world: World, kind: ListKind): ReadonlyArray<string> => {
  switch (kind) {
    case "partner":
      return world.partners.map(({ id }) => id);
    case "schema":
      return world.schemas.map(({ id }) => id);
    case "attribution":
      return world.attributions.map(({ id }) => id);
    case "formula":
      return world.formulas.map(({ id }) => id);
    case "commission":
      return world.commissions.flatMap(({ id }) => (id === null ? [] : [id]));
    case "settlement":
      return world.settlements.map(({ id }) => id);
  }
};

const chooseSome = <Item>(items: ReadonlyArray<Item>, pick: number, most = 5): ReadonlyArray<Item> =>
  items.filter((_, index) => ((pick >> (index % 10)) & 1) === 1).slice(0, most);

const STATUSES = ["unsettled", "pending_settlement", "settled"] as const;

/** Chooses a filter that applies to the kind only. */
const chooseKindFilter = (world: World, kind: ListKind, pick: number): Where => {
  switch (kind) {
    case "partner":
      if (pick % 7 === 0) return { statuses: choose(PARTNER_STATUSES, pick >> 2) };
      if (pick % 11 === 0) return { tags: choose([["gold"], ["north", "Gold"], []], pick >> 2) };
      if (pick % 13 === 0) return { externalReferences: choose([["crm-1"], ["crm-2", "crm-3"]], pick >> 2) };
      return pick % 3 === 0
        ? { billingMode: choose(BILLING_MODES, pick >> 2) }
        : { name: choose(NAMES, pick) };
    case "schema":
      return { name: choose(NAMES, pick) };
    case "attribution":
      return chooseAttributionFilter(world, pick);
    case "formula": {
      const moments = world.formulas.flatMap(({ start, end }) => [start, end ?? world.now]);
      return { activeAt: chooseIfAny([...moments, world.now], pick) ?? world.now };
    }
    case "commission":
      return chooseCommissionFilter(world, pick);
    case "settlement":
      return chooseSettlementFilter(world, pick);
  }
};

const BILLING_MODES = ["self_billing", "partner_billing", null] as const;
const NAMES = ["", "ord", "100 %", "_", "éclair", "\\", "%"] as const;
const SIGNS = ["nonzero", "positive", "negative", "any"] as const;
const CURRENCIES = [[EUR], [USD], [USD, EUR], []] as const;
type States = NonNullable<Where["statuses"]>;
const SETTLEMENT_STATUSES: readonly [States, ...States[]] = [
  ["draft"],
  ["paid", "written_off"],
  ["cancelled", "draft"],
  ["awaiting_payment", "disputed"],
];

const PARTNER_STATUSES: readonly [States, ...States[]] = [
  ["suspended"],
  ["active"],
  ["active", "suspended"],
  [],
];
const ATTRIBUTION_STATUSES: readonly [States, ...States[]] = [
  ["confirmed"],
  ["cancelled"],
  ["cancelled", "confirmed"],
];

const chooseCommissionFilter = (world: World, pick: number): Where => ({
  ...(pick % 5 === 0 ? { settlementStatus: choose(STATUSES, pick >> 1) } : {}),
  ...(pick % 5 === 1 ? { attributionIds: chooseSome(world.attributions, pick).map(({ id }) => id) } : {}),
  ...(pick % 5 === 2 ? { formulaIds: chooseSome(world.formulas, pick >> 1).map(({ id }) => id) } : {}),
  ...(pick % 5 === 3 ? { settlementIds: chooseSome(world.settlements, pick >> 1).map(({ id }) => id) } : {}),
  ...(pick % 3 === 0 ? { due: choose(SIGNS, pick >> 2) } : {}),
  ...(pick % 4 === 0 ? { currencies: choose(CURRENCIES, pick >> 3) } : {}),
  ...(pick % 11 === 0 ? { waiting: pick % 2 === 0 } : {}),
  ...(pick % 5 === 4 || pick % 7 === 0 ? chooseOccurrences(world, pick >> 1) : {}),
});

/** A span of dates between attributions, at times an empty one. */
const chooseOccurrences = ({ now, attributions }: World, pick: number): Where => {
  const moments = attributions.map(({ occurredAt }) => occurredAt);
  return {
    ...(pick % 4 < 2 ? { occurredFrom: chooseIfAny(moments, pick >> 2) ?? now } : {}),
    ...(pick % 4 > 0 ? { occurredTo: (chooseIfAny(moments, pick >> 3) ?? now) + (pick % 2) } : {}),
  };
};

const chooseSettlementFilter = (world: World, pick: number): Where => {
  const moments = world.settlements.map(({ createdAt }) => createdAt);
  const commissionIds = chooseSome(world.commissions, pick).flatMap(({ id }) => (id === null ? [] : [id]));
  return {
    ...(pick % 4 === 0 ? { commissionIds: commissionIds } : {}),
    ...(pick % 4 === 1 ? { createdFrom: chooseIfAny(moments, pick >> 2) ?? world.now } : {}),
    ...(pick % 5 === 1 ? { createdTo: chooseIfAny(moments, pick >> 3) ?? world.now } : {}),
    ...(pick % 3 === 0 ? { statuses: choose(SETTLEMENT_STATUSES, pick >> 2) } : {}),
    ...(pick % 3 === 1 ? { stale: pick % 2 === 0 } : {}),
    ...(pick % 5 === 2 ? { taxReview: pick % 2 === 0 } : {}),
    ...(pick % 5 === 3 ? { paymentFailed: pick % 2 === 0 } : {}),
    ...(pick % 7 === 0 ? { currencies: choose(CURRENCIES, pick >> 3) } : {}),
    ...(pick % 11 === 5
      ? { documentNumbers: ["unknown", ...chooseSome(statedNumbers(world), pick >> 2)] }
      : {}),
  };
};

/** The numbers that uploads of documents stated. */
const statedNumbers = ({ settlements }: World): ReadonlyArray<string> =>
  settlements.flatMap(({ linked }) =>
    Object.values(linked).flatMap((document) => (document?.uploaded ? (document.number ?? []) : [])),
  );

const chooseAttributionFilter = (world: World, pick: number): Where => {
  const references = world.attributions.flatMap(({ externalReference }) => externalReference ?? []);
  return {
    ...(pick % 2 === 0 ? { statuses: choose(ATTRIBUTION_STATUSES, pick >> 1) } : {}),
    ...(pick % 3 === 0 ? { schemaIds: chooseSome(world.schemas, pick >> 1).map(({ id }) => id) } : {}),
    ...(pick % 3 === 1 ? { externalReferences: chooseSome([...references, "unknown"], pick >> 1) } : {}),
    ...(pick % 3 === 2 || pick % 7 === 0 ? chooseOccurrences(world, pick >> 1) : {}),
    ...(pick % 5 === 2 ? { originIds: chooseSome(world.attributions, pick >> 2).map(({ id }) => id) } : {}),
    ...(pick % 5 === 4 ? { roles: choose([["seller"], ["manager", "recruiter"]], pick >> 2) } : {}),
  };
};

const chooseFilter = ({ principals, world, intent }: ChoiceContext, kind: ListKind): Where => {
  const [, first, second, third] = intent.picks;
  const partners = chooseSome(world.partners, second).map(({ id }) => id);
  const hasCustomers = kind === "partner" || kind === "schema" || kind === "formula";
  const hasPartners = kind !== "partner" && kind !== "schema";
  return {
    ...(first % 3 === 0 ? { ids: chooseSome(idsOf(world, kind), third, 40) } : {}),
    ...(first % 2 === 0 ? { workspaceIds: [choose(principals.workspaces, second)] } : {}),
    ...(hasPartners && first % 5 < 2 ? { partnerIds: partners } : {}),
    ...(hasCustomers && first % 7 === 0 ? { customerIds: [choose(principals.customers, third)] } : {}),
    ...(first % 4 < 3 ? chooseKindFilter(world, kind, second) : {}),
  };
};

const chooseCaller = ({ principals, world, intent }: ChoiceContext) => {
  const partner = chooseIfAny(world.partners, intent.picks[3]);
  const owner = {
    customerId: partner?.customerId ?? principals.customers[0],
    workspaceId: partner?.workspaceId ?? principals.workspaces[0],
    partnerId: partner?.id ?? null,
  };
  return { principal: choosePrincipal(principals, world, intent.who, owner), idempotency: null };
};

const IDS_MAX = 100;

/** The platform sees customers that the model does not know, so its queries name the ids. */
const isPlatform = ({ kind }: Principal): boolean => kind === "platform";

/** A page of a list. */
export const chooseList = (context: ChoiceContext): Command => {
  const { eligible, picks } = context.intent;
  const kind = choose(KINDS, picks[0]);
  const perPage = eligible ? choose([3, 10, 100, 1], picks[2]) : choose([0, 101, 1.5, 10], picks[2]);
  const page = eligible ? 1 + (picks[3] % 3) : choose([1, 0, 2 ** 31, 2], picks[3]);
  const order = picks[3] % 4 === 0 ? "desc" : "asc";
  const by = chooseCaller(context);
  const ours = isPlatform(by.principal) ? { ids: idsOf(context.world, kind).slice(-IDS_MAX) } : {};
  return {
    type: "list",
    ...by,
    kind,
    where: { ...chooseFilter(context, kind), ...ours },
    page,
    perPage,
    order,
  };
};

/** Statistics over a span. */
export const chooseStatistics = (context: ChoiceContext): Command => {
  const { world, intent, principals } = context;
  const [kind, span, filters, back] = intent.picks;
  const from = world.now - choose([40, 10, 100, 1, 402], back) * DAY + (back % 5) * 7_777;
  const days = intent.eligible ? choose([41, 9, 120, 2], span) : choose([0, -3, 2_000, 5], span);
  const by = chooseCaller(context);
  const partners = world.partners.map(({ id }) => id);
  return {
    type: "statistics",
    ...by,
    of: choose(["commission", "attribution"], kind),
    from,
    to: from + days * DAY,
    granularity: choose(["day", "week", "month"], span >> 2),
    ...(filters % 3 === 0 ? { partnerIds: chooseSome(world.partners, filters).map(({ id }) => id) } : {}),
    ...(filters % 4 === 0 ? { workspaceIds: [choose(principals.workspaces, back)] } : {}),
    ...(isPlatform(by.principal) ? { partnerIds: partners } : {}),
  };
};

const createSample = (pick: number): Properties => ({
  order_value: choose(ORDER_VALUES, pick),
  ...(pick % 3 === 0 ? { quantity: pick % 7 } : {}),
});

export const chooseSimulate = (context: ChoiceContext): Command | null => {
  const { principals, world, intent } = context;
  const { eligible, picks } = intent;
  const schema = chooseIfAny(world.schemas, picks[0]);
  const wrong = eligible ? -1 : picks[2] % 6;
  const length = wrong === 0 ? choose([0, 101], picks[3]) : 1 + (picks[2] % 4);
  const samples = Array.from({ length }, (_, index) => {
    const properties =
      wrong === 1 && index === 0 ? chooseInvalidProperties(picks[1]) : createSample(picks[1] + index);
    return {
      properties,
      ...(picks[3] % 2 === 0 ? {} : { createdAt: world.now }),
      ...(picks[3] % 3 === 0 ? { occurredAt: world.now - DAY } : {}),
      ...(picks[3] % 5 < 4 ? { sellersCommission: choose([805, 0, -1_001], picks[3] + index) } : {}),
    };
  });
  return {
    type: "simulate",
    ...callerFor(context, { ...(schema ?? chooseWorkspace(context)), partnerId: null }, PRINCIPAL_COUNT),
    idempotency: null,
    input: {
      schemaId: schema === undefined || wrong === 2 ? SchemaId.make(principals.unknown) : schema.id,
      currency: EUR,
      plan: choosePlanFor(picks[3] % 4 === 0 ? [] : null, wrong !== 3, picks[1]),
      samples,
    },
  };
};

export const chooseExplain = (context: ChoiceContext): Command | null => {
  const { principals, world, intent } = context;
  const commission = chooseIfAny(world.commissions, intent.picks[0]);
  const attribution = world.attributions.find(({ id }) => id === commission?.attributionId);
  if (commission == null || commission.id === null || attribution === undefined) return null;
  const unknown = !intent.eligible && intent.picks[2] % 3 === 0;
  return {
    type: "explain",
    ...callerFor(context, attribution, PRINCIPAL_COUNT),
    idempotency: null,
    id: unknown ? CommissionId.make(principals.unknown) : commission.id,
  };
};
