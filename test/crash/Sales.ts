/** Users that record, change and cancel sales, and link the partners who earn from them. */
import type { Random } from "../support/Random.ts";
import type { Intent } from "./Journal.ts";
import { command, fresh, type Load, occurrence } from "./Load.ts";
import { idOf, type Request } from "./Wire.ts";
import type { Earner } from "./World.ts";

/** The earner and another one share a sale; at times the earner or an upline has a further credit. */
const sharedBy = (load: Load, random: Random, earner: Earner) => {
  const other = random.pickAny(load.world.earners.filter(({ id }) => id !== earner.id));
  if (other === null) return null;
  const [own, others] = random.pick([
    ["0.6", "0.4"],
    ["1/3", "2/3"],
  ] as const);
  const overlay = random.pick([earner, ...load.world.uplines]);
  return [
    { partner_id: earner.id, share: own },
    { partner_id: other.id, share: others },
    ...(random.chance(0.3) ? [{ partner_id: overlay.id, role: "manager" }] : []),
  ];
};

/** Records a sale; one in six has several credits. */
export const createAttribution = async (load: Load, random: Random, earner: Earner): Promise<void> => {
  const { schemaId, workspaceId } = load.world;
  const reference = `sale-${fresh()}`;
  const occurredAt = occurrence(random);
  const credits = random.chance(1 / 6) ? sharedBy(load, random, earner) : null;
  const json = {
    partner_id: earner.id,
    schema_id: schemaId,
    workspace_id: workspaceId,
    external_reference: reference,
    properties: { order_value: random.integer(1, 1_000_000) },
    ...(occurredAt === null ? {} : { occurred_at: occurredAt }),
    ...(credits === null ? {} : { credits }),
  };
  const intent: Intent = {
    ...{ type: "create_attribution", reference, partnerId: earner.id, occurredAt },
    credits: credits?.length ?? 1,
  };
  const id = idOf(await command(load, random, intent, { method: "POST", path: "attributions", json }));
  if (id !== null) load.attributionIds.push(id);
};

const RECENT = 60;

/** One of the latest sales, so that most are confirmed still. */
const recentSale = (load: Load, random: Random): string | null =>
  random.pickAny(load.attributionIds.slice(-RECENT));

/** Cancels a sale. */
export const cancelAttribution = async (load: Load, random: Random): Promise<void> => {
  const id = recentSale(load, random);
  if (id === null) return;
  const request: Request = { method: "DELETE", path: `attributions/${id}`, json: { reason: "refunded" } };
  await command(load, random, { type: "cancel_attribution", id }, request);
};

/** Replaces a sale with another price, and at times with another date, another partner or other shares. */
export const replaceSale = async (load: Load, random: Random, earner: Earner): Promise<void> => {
  const id = recentSale(load, random);
  if (id === null) return;
  const reason = `replacement ${fresh()}`;
  const occurredAt = random.chance(0.3) ? occurrence(random) : null;
  const alone = [{ partner_id: earner.id }];
  const credits = random.chance(0.5)
    ? null
    : random.chance(0.5)
      ? alone
      : (sharedBy(load, random, earner) ?? alone);
  const json = {
    reason,
    properties: { order_value: random.integer(1, 1_000_000) },
    ...(occurredAt === null ? {} : { occurred_at: occurredAt }),
    ...(credits === null ? {} : { partner_id: earner.id, credits }),
  };
  const intent: Intent = { type: "replace_sale", id, reason, credits: credits?.length ?? null };
  const request: Request = { method: "POST", path: `attributions/${id}/replace`, json };
  const newId = idOf(await command(load, random, intent, request));
  if (newId !== null) load.attributionIds.push(newId);
};

/** Derives the uplines of a sale again. */
export const recreditSale = async (load: Load, random: Random): Promise<void> => {
  const id = recentSale(load, random);
  if (id === null) return;
  const reason = `recrediting ${fresh()}`;
  const request: Request = { method: "POST", path: `attributions/${id}/recredit`, json: { reason } };
  await command(load, random, { type: "recredit_sale", id, reason }, request);
};

const DAY = 86_400_000;

/** Starts a run that derives the uplines of the sales of some months again, or only says what it would change. */
export const startRecredits = async (load: Load, random: Random): Promise<void> => {
  const reason = `recredits ${fresh()}`;
  const from = Date.now() - random.integer(0, 400) * DAY;
  const json = {
    ...{ workspace_id: load.world.workspaceId, reason, dry_run: random.chance(0.2) },
    ...{ from: new Date(from).toISOString(), to: new Date(from + 90 * DAY).toISOString() },
  };
  const intent: Intent = { type: "start_recredits", reason, saleIds: [...load.attributionIds] };
  await command(load, random, intent, { method: "POST", path: "recredits", json });
};

/** A moment of the last 400 days, or of the next 400, which no other call returns. */
const uniqueMoment = (random: Random): string => {
  const day = Math.floor(Date.now() / DAY) + random.integer(-400, random.chance(0.2) ? 400 : 0);
  return new Date(day * DAY + fresh()).toISOString();
};

/** Links a partner to an upline; at times it has one already, or the chain would meet itself. */
const createLink = async (load: Load, random: Random): Promise<void> => {
  const { earners, uplines } = load.world;
  const upline = random.pick(uplines);
  const partner = random.pickAny([...earners, ...uplines].filter(({ id }) => id !== upline.id));
  if (partner === null) return;
  const start = uniqueMoment(random);
  const end = random.chance(0.5) ? new Date(Date.parse(start) + 60 * DAY).toISOString() : null;
  const json = {
    ...{ partner_id: partner.id, upline_partner_id: upline.id },
    role: random.pick(["manager", "manager", "recruiter"]),
    ...{ start_datetime: start, end_datetime: end },
  };
  const intent: Intent = { type: "create_link", start };
  await command(load, random, intent, { method: "POST", path: "partner-links", json });
};

/** Gives one of the first links, which began years ago, another end. */
const endLink = async (load: Load, random: Random): Promise<void> => {
  const id = random.pickAny(load.world.linkIds);
  if (id === null) return;
  const end = uniqueMoment(random);
  const request: Request = { method: "PATCH", path: `partner-links/${id}`, json: { end_datetime: end } };
  await command(load, random, { type: "end_link", id, end }, request);
};

/** Changes who is above whom. */
export const changeLinks = (load: Load, random: Random): Promise<void> =>
  random.chance(0.6) ? createLink(load, random) : endLink(load, random);

/** States that the buyer of a sale has paid so much, of less, as much or more. */
export const stateReceived = async (load: Load, random: Random): Promise<void> => {
  const id = random.pickAny(load.attributionIds);
  if (id === null) return;
  const received = fresh();
  const json = { received, of: random.integer(1, 2 * received) };
  const request: Request = { method: "PUT", path: `attributions/${id}/received`, json };
  await command(load, random, { type: "state_received", received }, request);
};
