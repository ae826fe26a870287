/** Users that create, settle, pay and cancel over HTTP until the load is stopped, also while servers are down. */
import type { Random } from "../support/Random.ts";
import { type Follower, read } from "./Followers.ts";
import type { Intent } from "./Journal.ts";
import { isRepeatable } from "./Journal.ts";
import { ask, command, dispatch, fresh, type Load, occurrence } from "./Load.ts";
import {
  cancelAttribution,
  changeLinks,
  createAttribution,
  recreditSale,
  replaceSale,
  startRecredits,
  stateReceived,
} from "./Sales.ts";
import { field, idOf, listed, type Request } from "./Wire.ts";
import { type Earner, one, percentOf, percentOfMonth, percentOfSellers } from "./World.ts";

/** Everybody who earns. */
const everybody = ({ world: { earners, uplines } }: Load): ReadonlyArray<Earner> => [...earners, ...uplines];

/** Creates one settlement, or two at the same time whose commissions may overlap: at most one of the two may succeed then. */
const createSettlements = async (load: Load, random: Random, earner: Earner): Promise<void> => {
  const { customerId, workspaceId } = load.world;
  const filters = `partner_ids=${earner.id}&settlement_status=unsettled&per_page=40`;
  const found = listed(await ask(load, random, `commissions?${filters}`), "commissions");
  const ids = found.map((commission) => String(field(commission, "id")));
  if (ids.length === 0) return;
  const create = async (): Promise<void> => {
    const commissionIds = random.some(ids, random.integer(1, 8));
    const json = {
      customer_id: customerId,
      workspace_id: workspaceId,
      partner_id: earner.id,
      commission_ids: commissionIds,
    };
    const intent: Intent = { type: "create_settlement", partnerId: earner.id, commissionIds };
    const id = idOf(await command(load, random, intent, { method: "POST", path: "settlements", json }));
    if (id !== null) load.settlementIds.add(id);
  };
  await Promise.all(random.chance(0.3) ? [create(), create()] : [create()]);
};

interface Action {
  readonly event: string;
  readonly request: (id: string) => Request;
}

const post = (event: string, action: string, json?: object): Action => ({
  event,
  request: (id) => ({
    method: "POST",
    path: `settlements/${id}/${action}`,
    ...(json === undefined ? {} : { json }),
  }),
});

const upload = (event: string, kind: string): Action => ({
  event,
  request: (id) => ({
    method: "POST",
    path: `settlements/${id}/${kind}`,
    file: { name: `${kind}.pdf`, content: `%PDF-1.7 ${kind} of ${id}` },
  }),
});

const review = (decision: string): Action => post("review_settlement", "review", { decision });
const resolve = (resolution: string): Action => post("resolve_dispute", "resolve-dispute", { resolution });

const APPROVE = post("approve_settlement", "approve");
const PAY = post("mark_as_paid", "mark-as-paid");
const WRITE_OFF = post("write_off_settlement", "write-off");
const DISPUTE = post("dispute_settlement", "dispute", { reason: "a line is wrong" });
const CANCEL: Action = {
  event: "cancel_settlement",
  request: (id) => ({ method: "DELETE", path: `settlements/${id}` }),
};

/** The usual commands in each state; a command that stands more than once is more likely. */
const USUAL: Readonly<Record<string, ReadonlyArray<Action>>> = {
  draft: [APPROVE, APPROVE, APPROVE, APPROVE, CANCEL],
  awaiting_report: [DISPUTE, WRITE_OFF],
  awaiting_invoice: [upload("link_invoice", "invoice")],
  negative_review: [review("issue_credit_note"), review("carry_forward"), review("write_off")],
  awaiting_credit_note: [upload("link_credit_note", "credit-note")],
  awaiting_payment: [PAY, PAY, PAY, PAY, PAY, PAY, WRITE_OFF, DISPUTE],
  disputed: [resolve("rejected"), resolve("upheld")],
};

/** States in which users usually wait for the worker. */
const PATIENT = new Set(["awaiting_report"]);
const ENDED = new Set(["paid", "written_off", "cancelled"]);
const ANY = [APPROVE, PAY, WRITE_OFF, DISPUTE, CANCEL, resolve("rejected")];

const isOfWorker = (load: Load, settlement: unknown, status: string): boolean => {
  const partnerId = field(settlement, "partner_id");
  const selfBilling = everybody(load).some((earner) => earner.id === partnerId && earner.selfBilling);
  return selfBilling && (status === "awaiting_invoice" || status === "awaiting_credit_note");
};

/** Sends a command that the state of a settlement allows, and now and then one that it may refuse. */
const advance = async (load: Load, random: Random): Promise<void> => {
  const id = random.pickAny([...load.settlementIds]);
  const [url] = load.urls;
  if (id === null || url === undefined) return;
  const settlement = await one(url, load.world.token, "settlements", id);
  const status = String(field(field(field(settlement, "view"), "status"), "type"));
  if (ENDED.has(status)) load.settlementIds.delete(id);
  const waits = isOfWorker(load, settlement, status) || (PATIENT.has(status) && random.chance(0.9));
  const usual = waits ? [] : (USUAL[status] ?? []);
  const action = random.pickAny(random.chance(0.1) ? ANY : usual);
  if (action === null) return;
  await command(load, random, { type: "settlement_event", id, event: action.event }, action.request(id));
};

/**
 * A random rate on the sale or on the sales before it, effective now, from the beginning, or up to three minutes ahead of the clock,
 * which sales that are dated ahead reach. Versions that are ahead already are kept or withdrawn.
 */
const newTerms = (random: Random, isOverride: boolean) => {
  const rate = random.integer(1, 40) / 2;
  const flat = isOverride ? percentOfSellers(rate) : percentOf(rate);
  const ahead = new Date(Date.now() + random.integer(1, 180) * 1_000).toISOString();
  const date = random.pick([null, null, "2020-01-01T00:00:00Z", "2020-01-01T00:00:00Z", ahead]);
  return {
    expression: random.chance(0.5) ? flat : percentOfMonth(rate / 10),
    ...(date === null ? {} : { effective_datetime: date }),
    versions_ahead: random.chance(0.5) ? "keep" : "withdraw",
  };
};

const updateFormula = async (load: Load, random: Random, earner: Earner): Promise<void> => {
  const id = random.pickAny(earner.formulaIds);
  if (id === null) return;
  const isOverride = load.world.uplines.includes(earner);
  const name = `rate ${fresh()}`;
  const request: Request = {
    method: "PATCH",
    path: `commission-formulas/${id}`,
    json: { name, ...newTerms(random, isOverride) },
  };
  await command(load, random, { type: "update_formula", id, name }, request);
};

const updatePlan = async (load: Load, random: Random): Promise<void> => {
  const { planId: id } = load.world;
  if (id === null) return;
  const name = `plan rate ${fresh()}`;
  const request: Request = {
    method: "PATCH",
    path: `commission-plans/${id}`,
    json: { name, ...newTerms(random, false) },
  };
  await command(load, random, { type: "update_plan", id, name }, request);
};

/** States another rate for one partner, or for several of them, from a date on. */
const setValues = async (load: Load, random: Random, earner: Earner): Promise<void> => {
  const { ratedPlanId: id, earners } = load.world;
  if (id === null) return;
  const rate = fresh() / 1_000;
  const occurred = occurrence(random);
  const statement = {
    values: { rate },
    ...(occurred === null ? {} : { effective_datetime: occurred }),
  };
  const partnerIds = random.chance(0.5) ? [earner.id] : earners.map((item) => item.id);
  const path = `commission-plans/${id}`;
  const request: Request =
    partnerIds.length === 1
      ? { method: "PUT", path: `${path}/partners/${earner.id}/parameters`, json: statement }
      : {
          method: "POST",
          path: `${path}/parameters`,
          json: { partners: partnerIds.map((partner_id) => ({ partner_id, ...statement })) },
        };
  await command(load, random, { type: "set_values", partnerIds, rate }, request);
};

/** Starts a settlement run for every partner, and adds the drafts of earlier runs to the load. */
const startRun = async (load: Load, random: Random): Promise<void> => {
  const { workspaceId } = load.world;
  const json = { workspace_id: workspaceId };
  await command(load, random, { type: "start_run" }, { method: "POST", path: "settlement-runs", json });
  const found = listed(
    await ask(load, random, "settlements?statuses=draft&order=desc&per_page=50"),
    "settlements",
  );
  for (const settlement of found) load.settlementIds.add(String(field(settlement, "id")));
};

/** Repeats a random repeatable command; the journal checks the response. */
const repeat = async (load: Load, random: Random): Promise<void> => {
  const entry = random.pickAny(load.journal.entries.filter(isRepeatable).slice(-200));
  if (entry !== null && entry.results.length > 0) await dispatch(load, random, entry);
};

const step = (load: Load, random: Random): Promise<void> => {
  const earner = random.pickAny(load.world.earners);
  const anybody = random.pickAny(everybody(load));
  if (earner === null || anybody === null) return Promise.resolve();
  const draw = random.integer(1, 100);
  if (draw <= 30) return createAttribution(load, random, earner);
  if (draw <= 34) return stateReceived(load, random);
  if (draw <= 46) return createSettlements(load, random, anybody);
  if (draw <= 78) return advance(load, random);
  if (draw <= 81) return cancelAttribution(load, random);
  if (draw <= 85) return replaceSale(load, random, earner);
  if (draw <= 87) return recreditSale(load, random);
  if (draw <= 88) return startRecredits(load, random);
  if (draw <= 91) return changeLinks(load, random);
  if (draw <= 94) return updateFormula(load, random, anybody);
  if (draw <= 96) return updatePlan(load, random);
  if (draw <= 98) return setValues(load, random, earner);
  if (draw <= 99) return startRun(load, random);
  return repeat(load, random);
};

const pause = (milliseconds: number): Promise<void> =>
  new Promise((resume) => setTimeout(resume, milliseconds));

/** Runs the users and the readers of the feed until the load is stopped; resolves when no request is open. */
export const work = async (load: Load, random: Random, users: number): Promise<void> => {
  load.stopped = false;
  const user = async (own: Random): Promise<void> => {
    while (!load.stopped) {
      const before = load.acknowledged;
      await step(load, own);
      // A request to a stopped server fails at once; without a pause the loop would use a whole core.
      if (load.acknowledged === before) await pause(5);
    }
  };
  const follow = async (follower: Follower): Promise<void> => {
    while (!load.stopped) {
      const url = random.pickAny(load.urls);
      if (url !== null) await read(url, load.world.token, follower);
      await pause(50);
    }
  };
  await Promise.all([
    ...Array.from({ length: users }, () => user(random.fork())),
    ...load.followers.map(follow),
  ]);
};
