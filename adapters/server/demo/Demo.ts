/** Fills an empty store with the history of a believable company: sales, refunds, settlements, and work in progress. */
import { Clock, Effect, Fiber, Schema } from "effect";
import {
  ApiKeys,
  Attribution,
  AttributionSchema,
  AttributionSchemas,
  Attributions,
  BillingProfile,
  BillingProfiles,
  CommissionPlan,
  CommissionPlans,
  Commissions,
  IdSource,
  Ids,
  Partner,
  Partners,
  Principal,
  SettlementDocuments,
  SettlementPolicies,
  SettlementPolicy,
  SettlementRuns,
  Settlements,
  Timestamp,
  WebhookEndpoint,
  WebhookEndpoints,
  Worker,
} from "quittance";
import {
  ENDPOINT,
  FORMER,
  type Group,
  ORDER,
  PARTNERS,
  PLANS,
  type PlanTerms,
  POLICY,
  PROFILE,
  SEED,
} from "./Company.ts";
import * as PastClock from "./PastClock.ts";
import * as Random from "./Random.ts";
import { closePeriod, PAID_AFTER, type Settling } from "./Settling.ts";
import * as Team from "./Team.ts";

/** Months of history. */
const MONTHS = 18;
const { DAY, HOUR } = Timestamp;

/**
 * A month is settled so long after its end, and until then the newest sales are of more than one month: on the first days of a month hardly
 * anything of it would be due.
 */
const SETTLED_AFTER = 12 * DAY;

/** The time after which sales are sent together. */
const BATCH = 15 * DAY;

/** The span of the sales of a month in UTC, counted from the beginning; those of the newest end just before now. */
const spanOf = (now: number, month: number): { readonly from: number; readonly to: number } => {
  const newest = new Date(now - SETTLED_AFTER);
  const startOf = (number: number): number =>
    Date.UTC(newest.getUTCFullYear(), newest.getUTCMonth() - MONTHS + number, 1);
  return { from: startOf(month), to: month === MONTHS ? now - 2 * HOUR : startOf(month + 1) };
};

/**
 * The months after which sales are settled, counted from the beginning: the last quarter, with everything before it, and the
 * newest month. Documents are drawn for each, which takes longer than all the rest.
 */
const closingMonths = (now: number): ReadonlyArray<number> => {
  const quarters = Array.from({ length: MONTHS }, (_, month) => month).filter(
    (month) => month > 0 && new Date(spanOf(now, month).from).getUTCMonth() % 3 === 0,
  );
  return [...quarters.slice(-1), MONTHS];
};

interface Seller extends Omit<(typeof PARTNERS)[number], "name" | "body"> {
  readonly id: Ids.PartnerId;
  /** The month in which it began, from 0, and the first one in which it sold no longer. */
  readonly since: number;
  readonly until: number;
}

const decodePartner = Schema.decodeUnknownSync(Partner.Create);
const decodeSchema = Schema.decodeUnknownSync(AttributionSchema.Create);
const decodePlan = Schema.decodeUnknownSync(CommissionPlan.Create);
const decodeAssignment = Schema.decodeUnknownSync(CommissionPlan.Assign);
const decodeAttribution = Schema.decodeUnknownSync(Attribution.Create);
const decodeEndpoint = Schema.decodeUnknownSync(WebhookEndpoint.Create);
const decodePolicy = Schema.decodeUnknownSync(SettlementPolicy.Write);
const decodeProfile = Schema.decodeUnknownSync(BillingProfile.Write);

/** The season: little in February, much in June and December. */
const SEASON = [0.7, 0.6, 0.8, 1, 1.2, 1.4, 1.3, 1.1, 0.9, 0.8, 1.1, 1.5];

const termsOf = (group: Group): PlanTerms => PLANS.find((plan) => plan.group === group) as PlanTerms;

/** The value of an order around the usual one, with a long tail; two decimals. */
const orderValue = (random: Random.Random, usual: number): number =>
  Math.round(usual * Math.exp((random.next() + random.next() + random.next() - 1.5) * 1.3) * 100) / 100;

/** The sales of one month, in the order in which they happened. */
const salesOf = (
  random: Random.Random,
  sellers: ReadonlyArray<Seller>,
  { month, from, to }: { readonly month: number; readonly from: number; readonly to: number },
) =>
  sellers
    .filter(({ since, until }) => since <= month && month < until)
    .flatMap(({ id, group, size }) => {
      const { order, orders } = termsOf(group);
      const season = SEASON[new Date(from).getUTCMonth()] ?? 1;
      const count = Math.round(orders * size * season * (0.7 + 0.6 * random.next()) * (1 + month / 40));
      return Array.from({ length: count }, () => ({
        partner_id: id,
        occurred_at: from + Math.floor(random.next() * (to - from)),
        properties: {
          order_value: orderValue(random, order),
          ...(random.chance(0.06)
            ? { category: "gift_card" }
            : random.chance(0.5)
              ? { category: random.pick(["clothing", "footwear"]) }
              : {}),
          ...(group === "affiliate" && random.chance(0.35) ? { first_order: true } : {}),
        },
      }));
    })
    .sort((a, b) => a.occurred_at - b.occurred_at);

/** The reasons of refunds. */
const REFUNDS = ["order returned", "payment failed", "the buyer changed their mind", "delivered damaged"];

/** Creates schema, plans and partners; returns the schema's id and the sellers. */
const createCompany = (
  principal: Principal.Principal,
  workspaceId: Ids.WorkspaceId,
  { start, end }: { readonly start: number; readonly end: number },
  random: Random.Random,
) =>
  Effect.gen(function* () {
    yield* (yield* BillingProfiles.BillingProfiles).write(principal, decodeProfile(PROFILE));
    const endpoints = yield* WebhookEndpoints.WebhookEndpoints;
    const endpoint = yield* endpoints.create(principal, decodeEndpoint(ENDPOINT));
    yield* endpoints.update(principal, endpoint.id, { enabled: false });
    yield* (yield* SettlementPolicies.SettlementPolicies).write(principal, workspaceId, decodePolicy(POLICY));
    const schemas = yield* AttributionSchemas.AttributionSchemas;
    const { id: schemaId } = yield* schemas.create(
      principal,
      decodeSchema({ ...ORDER, workspace_id: workspaceId }),
    );
    const partners = yield* Partners.Partners;
    const sellers: Array<Seller> = [];
    for (const { name, body, ...seller } of PARTNERS) {
      const { id } = yield* partners.create(principal, decodePartner({ ...body, workspace_id: workspaceId }));
      const since = random.chance(0.6) ? 0 : random.whole(1, 12);
      sellers.push({ ...seller, id, since, until: name === FORMER ? end : MONTHS + 1 });
    }
    const plans = yield* CommissionPlans.CommissionPlans;
    for (const { group, name, description, currency, expression } of PLANS) {
      const terms = {
        workspace_id: workspaceId,
        schema_id: schemaId,
        name,
        description,
        currency,
        expression,
      };
      const plan = yield* plans.create(
        principal,
        decodePlan({ ...terms, start_datetime: new Date(start).toISOString() }),
      );
      const ids = sellers.filter((seller) => seller.group === group).map(({ id }) => id);
      yield* plans.assign(principal, plan.id, decodeAssignment({ partner_ids: ids }));
    }
    return { schemaId, sellers };
  });

/**
 * Records the sales of a month, a half of it at a time, and cancels a few of those of the weeks before: once the settlements of the
 * month before are paid, so that nothing is dated before what it follows.
 */
const sell = (
  tools: {
    readonly principal: Principal.Principal;
    readonly clock: PastClock.PastClock;
    readonly random: Random.Random;
  },
  parent: { readonly workspaceId: Ids.WorkspaceId; readonly schemaId: Ids.SchemaId },
  sales: ReturnType<typeof salesOf>,
  {
    recent,
    number,
    until,
    paid,
  }: {
    /** The latest attributions. */
    readonly recent: Array<Ids.AttributionId>;
    /** The number of the last reference. */
    readonly number: number;
    readonly until: number;
    readonly paid: { readonly at: number; readonly wait: Effect.Effect<void, unknown> };
  },
) =>
  Effect.gen(function* () {
    const { principal, clock, random } = tools;
    const attributions = yield* Attributions.Attributions;
    let reference = number;
    const batches = new Map<number, Array<(typeof sales)[number]>>();
    for (const sale of sales) {
      const end = Math.ceil(sale.occurred_at / BATCH) * BATCH;
      batches.set(end, [...(batches.get(end) ?? []), sale]);
    }
    for (const [end, some] of batches) {
      clock.set(Math.min(end, until) + HOUR);
      const { results } = yield* attributions.createBatch(principal, {
        mode: "atomic",
        attributions: some.map((sale) =>
          decodeAttribution({
            ...sale,
            workspace_id: parent.workspaceId,
            schema_id: parent.schemaId,
            occurred_at: new Date(sale.occurred_at).toISOString(),
            external_reference: `NH-${++reference}`,
          }),
        ),
      });
      for (const result of results) if ("id" in result) recent.push(result.id);
      if (Math.min(end, until) < paid.at) continue;
      yield* paid.wait;
      for (const id of recent.splice(0, Math.max(0, recent.length - 200))) {
        if (random.chance(0.035)) yield* attributions.cancel(principal, id, { reason: random.pick(REFUNDS) });
      }
    }
    return reference;
  });

/** Cancels the sale by which a partner has earned most; it was paid long ago. */
const takeBack = (principal: Principal.Principal, partnerId: Ids.PartnerId) =>
  Effect.gen(function* () {
    const { items } = yield* (yield* Commissions.Commissions).list(principal, {
      ...{ partnerIds: [partnerId], perPage: 100, order: "desc" },
    });
    const [most] = items.toSorted((a, b) => (b.computedAmount ?? 0) - (a.computedAmount ?? 0));
    if (most === undefined) return;
    const { cancel } = yield* Attributions.Attributions;
    yield* cancel(principal, most.attributionId, { reason: "order returned" });
  });

/** A key for the portal of one partner. */
const portalKey = (principal: Principal.Principal, partnerId: Ids.PartnerId, name: string) =>
  Effect.gen(function* () {
    const keys = yield* ApiKeys.ApiKeys;
    const scopes = Principal.DEFAULT_SCOPES.filter(
      (scope) => scope.endsWith(":read") || scope === "settlements:write" || scope === "partners:write",
    );
    const { key } = yield* keys.create(principal, {
      name: `portal of ${name}`,
      kind: "partner",
      partnerIds: [partnerId],
      scopes,
    });
    return `partner key of ${name}, for /portal: ${key}`;
  });

/** Receives how many of the months are written. */
export type Report = (done: number, of: number) => Effect.Effect<void>;

/** Writes the history of the company for a customer whose store is empty; returns the lines to print. */
export const fill = (customerId: Ids.CustomerId, report: Report = () => Effect.void) =>
  Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis;
    const start = spanOf(now, 0).from;
    const random = Random.make(SEED);
    const clock = PastClock.make(start);
    const principal = Principal.customer(customerId, "demo");
    const workspaceId = yield* (yield* IdSource.IdSource).next(Ids.WorkspaceId);
    const tools = { principal, clock, random };
    const history = Effect.gen(function* () {
      const closings = closingMonths(now);
      // What it sold is settled as a whole before it owes something.
      const span = { start, end: (closings[0] ?? MONTHS) - 1 };
      const { schemaId, sellers } = yield* createCompany(principal, workspaceId, span, random);
      const settling: Settling = {
        ...{ principal, clock },
        approver: Principal.customer(customerId, "demo approver"),
        settlements: yield* Settlements.Settlements,
        documents: yield* SettlementDocuments.SettlementDocuments,
        worker: yield* Worker.Worker,
      };
      const company = {
        ...{ principal, workspaceId, schemaId },
        partnerOf: (name: string) =>
          sellers[PARTNERS.findIndex((partner) => partner.name === name)]?.id as Ids.PartnerId,
      };
      const recent: Array<Ids.AttributionId> = [];
      let number = 4_000;
      let awaitClosing: Effect.Effect<void, unknown> = Effect.void;
      for (let month = 0; month <= MONTHS; month++) {
        yield* report(month, MONTHS + 1);
        const { from, to } = spanOf(now, month);
        if (month === MONTHS - 1) yield* Team.build(company, from);
        if (month === MONTHS) yield* Team.sell(company, from - HOUR);
        const sales = salesOf(random, sellers, { month, from, to });
        number = yield* sell(tools, { workspaceId, schemaId }, sales, {
          ...{ recent, number, until: to },
          paid: { at: from + PAID_AFTER + HOUR, wait: awaitClosing },
        });
        if (month === MONTHS) break;
        const closing = closings.indexOf(month + 1);
        if (closing < 0) continue;
        yield* awaitClosing;
        if (month === MONTHS - 1) yield* takeBack(principal, company.partnerOf(FORMER));
        const period = {
          partners: new Map(sellers.map((seller) => [seller.id, seller])),
          end: to,
          isEarlier: month < MONTHS - 1,
          isNewest: month === MONTHS - 1,
          seed: SEED + month,
        };
        awaitClosing = Fiber.join(yield* Effect.fork(yield* closePeriod(settling, period, now)));
      }
      yield* awaitClosing;
      return sellers;
    });
    const sellers = yield* clock.run(history);
    // The worker processes this run after the server has started.
    yield* (yield* SettlementRuns.SettlementRuns).start(principal, { workspaceId });
    const names = PARTNERS.map(({ name }) => name);
    const sellerIndex = sellers.findIndex(
      ({ group }, index) => group === "reseller" && PARTNERS[index]?.billingMode === "partner_billing",
    );
    const seller = sellers[sellerIndex];
    return seller === undefined ? [] : [yield* portalKey(principal, seller.id, names[sellerIndex] ?? "")];
  });
