/** Turns intents to look something up into queries: nearly always two filters at once. */
import { CommissionId, SchemaId } from "../../domain/Ids.ts";
import type { Principal } from "../../domain/Principal.ts";
import type { Properties } from "../../domain/Properties.ts";
import type { Command, ListKind, Where } from "../model/Command.ts";
import type { World } from "../model/World.ts";
import { asked, at, EUR, home, ORDER_VALUES, of, plan, type Situation, USD, unsound } from "./Choice.ts";
import { PRINCIPALS, principal } from "./Principals.ts";

const KINDS = ["commission", "settlement", "attribution", "formula", "partner", "schema"] as const;

const known = (world: World, kind: ListKind): ReadonlyArray<string> => {
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

const some = <Item>(items: ReadonlyArray<Item>, pick: number, most = 5): ReadonlyArray<Item> =>
  items.filter((_, index) => ((pick >> (index % 10)) & 1) === 1).slice(0, most);

const STATUSES = ["unsettled", "pending_settlement", "settled"] as const;

/** The filter that a kind alone knows. */
const own = (world: World, kind: ListKind, pick: number): Where => {
  switch (kind) {
    case "partner":
      return pick % 3 === 0 ? { billingMode: of(BILLING_MODES, pick >> 2) } : { name: of(NAMES, pick) };
    case "schema":
      return { name: of(NAMES, pick) };
    case "attribution":
      return ownOfAttributions(world, pick);
    case "formula": {
      const moments = world.formulas.flatMap(({ start, end }) => [start, end ?? world.now]);
      return { activeAt: at([...moments, world.now], pick) ?? world.now };
    }
    case "commission":
      return ownOfCommissions(world, pick);
    case "settlement":
      return ownOfSettlements(world, pick);
  }
};

const BILLING_MODES = ["self_billing", "partner_billing", null] as const;
const NAMES = ["", "ord", "100 %", "_", "éclair", "\\", "%"] as const;
const SIGNS = ["nonzero", "positive", "negative", "any"] as const;
const CURRENCIES = [[EUR], [USD], [USD, EUR], []] as const;
type States = NonNullable<Where["statuses"]>;
const STATES: readonly [States, ...States[]] = [
  ["draft"],
  ["paid", "written_off"],
  ["cancelled", "draft"],
  ["awaiting_payment", "disputed"],
];

const VALIDITIES: readonly [States, ...States[]] = [["confirmed"], ["cancelled"], ["cancelled", "confirmed"]];

const ownOfCommissions = (world: World, pick: number): Where => ({
  ...(pick % 5 === 0 ? { settlementStatus: of(STATUSES, pick >> 1) } : {}),
  ...(pick % 5 === 1 ? { attributionIds: some(world.attributions, pick).map(({ id }) => id) } : {}),
  ...(pick % 5 === 2 ? { formulaIds: some(world.formulas, pick >> 1).map(({ id }) => id) } : {}),
  ...(pick % 5 === 3 ? { settlementIds: some(world.settlements, pick >> 1).map(({ id }) => id) } : {}),
  ...(pick % 3 === 0 ? { due: of(SIGNS, pick >> 2) } : {}),
  ...(pick % 4 === 0 ? { currencies: of(CURRENCIES, pick >> 3) } : {}),
});

const ownOfSettlements = (world: World, pick: number): Where => {
  const moments = world.settlements.map(({ createdAt }) => createdAt);
  const held = some(world.commissions, pick).flatMap(({ id }) => (id === null ? [] : [id]));
  return {
    ...(pick % 4 === 0 ? { commissionIds: held } : {}),
    ...(pick % 4 === 1 ? { createdFrom: at(moments, pick >> 2) ?? world.now } : {}),
    ...(pick % 5 === 1 ? { createdTo: at(moments, pick >> 3) ?? world.now } : {}),
    ...(pick % 3 === 0 ? { statuses: of(STATES, pick >> 2) } : {}),
    ...(pick % 3 === 1 ? { stale: pick % 2 === 0 } : {}),
    ...(pick % 7 === 0 ? { currencies: of(CURRENCIES, pick >> 3) } : {}),
  };
};

const ownOfAttributions = (world: World, pick: number): Where => {
  const references = world.attributions.flatMap(({ externalReference }) => externalReference ?? []);
  return {
    ...(pick % 2 === 0 ? { statuses: of(VALIDITIES, pick >> 1) } : {}),
    ...(pick % 3 === 0 ? { schemaIds: some(world.schemas, pick >> 1).map(({ id }) => id) } : {}),
    ...(pick % 3 === 1 ? { externalReferences: some([...references, "unknown"], pick >> 1) } : {}),
  };
};

const where = ({ cast, world, intent }: Situation, kind: ListKind): Where => {
  const [, first, second, third] = intent.picks;
  const partners = some(world.partners, second).map(({ id }) => id);
  const hasCustomers = kind === "partner" || kind === "schema" || kind === "formula";
  const hasPartners = kind !== "partner" && kind !== "schema";
  return {
    ...(first % 3 === 0 ? { ids: some(known(world, kind), third, 40) } : {}),
    ...(first % 2 === 0 ? { workspaceIds: [of(cast.workspaces, second)] } : {}),
    ...(hasPartners && first % 5 < 2 ? { partnerIds: partners } : {}),
    ...(hasCustomers && first % 7 === 0 ? { customerIds: [of(cast.customers, third)] } : {}),
    ...(first % 4 < 3 ? own(world, kind, second) : {}),
  };
};

const asking = ({ cast, world, intent }: Situation) => {
  const partner = at(world.partners, intent.picks[3]);
  const owner = {
    customerId: partner?.customerId ?? cast.customers[0],
    workspaceId: partner?.workspaceId ?? cast.workspaces[0],
    partnerId: partner?.id ?? null,
  };
  return { principal: principal(cast, world, intent.who, owner), idempotency: null };
};

const IDS_MAX = 100;

/** The platform sees other customers of the store too, of which the model knows nothing: it names what it asks for. */
const isPlatform = ({ kind }: Principal): boolean => kind === "platform";

/** A page of a list. */
export const list = (situation: Situation): Command => {
  const { eligible, picks } = situation.intent;
  const kind = of(KINDS, picks[0]);
  const perPage = eligible ? of([3, 10, 100, 1], picks[2]) : of([0, 101, 1.5, 10], picks[2]);
  const page = eligible ? 1 + (picks[3] % 3) : of([1, 0, 2 ** 31, 2], picks[3]);
  const order = picks[3] % 4 === 0 ? "desc" : "asc";
  const by = asking(situation);
  const ours = isPlatform(by.principal) ? { ids: known(situation.world, kind).slice(-IDS_MAX) } : {};
  return { type: "list", ...by, kind, where: { ...where(situation, kind), ...ours }, page, perPage, order };
};

const DAY = 86_400_000;

/** Statistics over a span. */
export const statistics = (situation: Situation): Command => {
  const { world, intent, cast } = situation;
  const [kind, span, filters, back] = intent.picks;
  const from = world.now - of([40, 10, 100, 1], back) * DAY + (back % 5) * 7_777;
  const days = intent.eligible ? of([41, 9, 120, 2], span) : of([0, -3, 2_000, 5], span);
  const by = asking(situation);
  const partners = world.partners.map(({ id }) => id);
  return {
    type: "statistics",
    ...by,
    of: of(["commission", "attribution"], kind),
    from,
    to: from + days * DAY,
    granularity: of(["day", "week", "month"], span >> 2),
    ...(filters % 3 === 0 ? { partnerIds: some(world.partners, filters).map(({ id }) => id) } : {}),
    ...(filters % 4 === 0 ? { workspaceIds: [of(cast.workspaces, back)] } : {}),
    ...(isPlatform(by.principal) ? { partnerIds: partners } : {}),
  };
};

const sample = (pick: number): Properties => ({
  order_value: of(ORDER_VALUES, pick),
  ...(pick % 3 === 0 ? { quantity: pick % 7 } : {}),
});

/** Simulate. */
export const simulate = (situation: Situation): Command | null => {
  const { cast, world, intent } = situation;
  const { eligible, picks } = intent;
  const schema = at(world.schemas, picks[0]);
  const wrong = eligible ? -1 : picks[2] % 6;
  const length = wrong === 0 ? of([0, 101], picks[3]) : 1 + (picks[2] % 4);
  const samples = Array.from({ length }, (_, index) => {
    const properties = wrong === 1 && index === 0 ? unsound(picks[1]) : sample(picks[1] + index);
    return picks[3] % 2 === 0 ? { properties } : { properties, createdAt: world.now };
  });
  return {
    type: "simulate",
    ...asked(situation, { ...(schema ?? home(situation)), partnerId: null }, PRINCIPALS),
    idempotency: null,
    input: {
      schemaId: schema === undefined || wrong === 2 ? SchemaId.make(cast.unknown) : schema.id,
      currency: EUR,
      plan: plan(wrong !== 3, picks[1]),
      samples,
    },
  };
};

/** Explain a commission. */
export const explain = (situation: Situation): Command | null => {
  const { cast, world, intent } = situation;
  const commission = at(world.commissions, intent.picks[0]);
  const attribution = world.attributions.find(({ id }) => id === commission?.attributionId);
  if (commission == null || commission.id === null || attribution === undefined) return null;
  const unknown = !intent.eligible && intent.picks[2] % 3 === 0;
  return {
    type: "explain",
    ...asked(situation, attribution, PRINCIPALS),
    idempotency: null,
    id: unknown ? CommissionId.make(cast.unknown) : commission.id,
  };
};
