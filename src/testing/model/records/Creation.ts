/** The model of recording a sale: one attribution for each of its credits, and what these earn at once. */
import type { Create as AttributionRequest } from "../../../domain/Attribution.ts";
import { AttributionId, type CustomerId, type PartnerId } from "../../../domain/Ids.ts";
import type { Principal } from "../../../domain/Principal.ts";
import type { Properties } from "../../../domain/Properties.ts";
import type { State } from "../../../domain/Receipt.ts";
import type { PropertyDefinition } from "../../../formula/index.ts";
import { accept, conflict, type Decision, type Generated, refuse } from "../prediction/Prediction.ts";
import { canSee } from "../prediction/Rights.ts";
import { creditOf, givenParts, type Part, partsOf, textOfParts } from "../world/Credits.ts";
import { addMissingCommissions, isBeingBuilt, momentOfCreation } from "../world/Earnings.ts";
import { appendEntry, type LogEntry, type Owned } from "../world/Log.ts";
import { dateOf } from "../world/Time.ts";
import { uplineParts } from "../world/Uplines.ts";
import { dayOf, workspaceOf } from "../world/Workspaces.ts";
import type { Attribution, World } from "../world/World.ts";
import { receiptFields } from "./Receipts.ts";
import {
  elsewhereProblem,
  isElsewhereRefused,
  settleElsewhere,
  statedElsewhere,
} from "./SettledElsewhere.ts";

/** True if properties conform to a schema. */
export const conforms = (properties: Properties, definitions: ReadonlyArray<PropertyDefinition>): boolean =>
  Object.entries(properties).every(([name, value]) =>
    definitions.some((definition) => definition.name === name && definition.type === typeof value),
  ) && definitions.every(({ name, required }) => !required || Object.hasOwn(properties, name));

/** True if both have the same names with the same values. */
export const sameProperties = (left: Properties, right: Properties): boolean => {
  const sortedText = (properties: Properties) =>
    JSON.stringify(Object.entries(properties).sort(([a], [b]) => (a < b ? -1 : 1)));
  return sortedText(left) === sortedText(right);
};

/** Properties as they are stored: a zero has no sign. */
const withoutNegativeZero = (properties: Properties): Properties =>
  Object.fromEntries(Object.entries(properties).map(([name, value]) => [name, value === 0 ? 0 : value]));

/** Five minutes. */
const AHEAD_MAX = 300_000;

/** The day itself, or the nearest of the UTC day of a moment and the days before and after it. */
const possibleDay = (day: string, moment: number): string => {
  const possible = [-1, 0, 1].map((days) => dateOf(moment, days));
  const [before = day, , after = day] = possible;
  return possible.includes(day) ? day : day < before ? before : after;
};

/** The calendar day of an attribution, null where it is the UTC day, and what its event states of it. */
const decideDay = (
  world: World,
  owner: Parameters<typeof workspaceOf>[1],
  occurredAt: number,
  requested: string | null,
) => {
  const day = requested === null ? dayOf(world, owner, occurredAt) : possibleDay(requested, occurredAt);
  const stored = day === dateOf(occurredAt) ? null : day;
  const { timeZone } = workspaceOf(world, owner);
  const stated =
    requested === null
      ? { occurred_on: stored ?? undefined, time_zone: stored === null ? undefined : timeZone }
      : { occurred_on: requested, time_zone: undefined };
  return { stored, stated };
};

/** The attribution of a replaced sale, its origin first, that a part of the new one replaces; the origin replaces the origin. */
const replacedBy = (
  [origin, ...others]: ReadonlyArray<Attribution>,
  { partnerId, role, depth }: Part,
  isOrigin: boolean,
): AttributionId | null =>
  (isOrigin
    ? origin
    : others.find(
        (one) => one.partnerId === partnerId && one.credit?.role === role && one.credit.depth === depth,
      )
  )?.id ?? null;

/** The id that the engine generated for a part of a sale, by its place among the parts; a placeholder before it did. */
const idOfPart = (
  { credited }: Generated,
  originId: AttributionId,
  { partnerId, role, depth }: Part,
  place: number,
): AttributionId =>
  credited.find(
    (one) =>
      one.originId === originId && one.partnerId === partnerId && one.role === role && one.depth === depth,
  )?.id ?? AttributionId.make(`${String(place).padStart(8, "0")}${originId.slice(8)}`);

/** An attribution, and those that it replaced, the last one first. */
const chainOf = ({ attributions }: World, newest: Attribution): ReadonlyArray<Attribution> => {
  const earlier = attributions.find(({ id }) => id === newest.replaces);
  return earlier === undefined ? [newest] : [newest, ...chainOf({ attributions } as World, earlier)];
};

/** True if an attribution was created by a request like this one. */
const isRepeated = (
  { attributions }: World,
  known: Attribution,
  input: AttributionRequest,
  properties: Properties,
): boolean =>
  textOfParts(givenParts(attributions, known.id)) === textOfParts(partsOf(input.partnerId, input.credits)) &&
  known.partnerId === input.partnerId &&
  known.workspaceId === input.workspaceId &&
  known.occurredAtGiven === (input.occurredAt ?? null) &&
  known.occurredOnGiven === (input.occurredOn ?? null) &&
  (known.settledElsewhere?.at ?? null) === (input.settledElsewhere?.at ?? null) &&
  (known.settledElsewhere?.reference ?? null) === (input.settledElsewhere?.reference ?? null) &&
  sameProperties(known.properties, properties);

/** The facts that all attributions of a sale have, and what their first events state of them. */
const saleFacts = (
  world: World,
  { createdAt, ...owner }: Owned & { readonly createdAt: number },
  input: AttributionRequest,
  recordedAt: number | null,
) => {
  const { occurredAt: requestedAt = null, occurredOn: requestedDay = null } = input;
  const { settledElsewhere: elsewhere } = input;
  const properties = withoutNegativeZero(input.properties);
  const occurredAt = Math.min(requestedAt ?? recordedAt ?? createdAt, createdAt);
  const day = decideDay(world, owner, occurredAt, requestedDay);
  return {
    facts: {
      ...{ properties, createdAt, occurredAt, occurredAtGiven: requestedAt },
      ...{ occurredOn: day.stored, occurredOnGiven: requestedDay },
      ...{ cancelReason: null, replacedBy: null },
      settledElsewhere:
        elsewhere === undefined ? null : { ...elsewhere, reference: elsewhere.reference ?? null },
    },
    stated: {
      properties,
      ...(requestedAt === null ? {} : { occurred_at: new Date(requestedAt).toISOString() }),
      ...day.stated,
      ...(requestedAt !== null || recordedAt === null
        ? {}
        : { recorded_at: new Date(recordedAt).toISOString() }),
      ...(elsewhere === undefined ? {} : { settled_elsewhere: statedElsewhere(elsewhere) }),
    },
  };
};

/**
 * The first moment that is not before the last one of the orders of the parts which a sale has if it is created then. Without a
 * date, or with a later one, it counts for that moment, and so do the links above its sellers.
 */
const timed = (
  world: World,
  place: Omit<Parameters<typeof momentOfCreation>[1], "partnerId">,
  given: ReadonlyArray<Part>,
  date: number | null,
): { readonly createdAt: number; readonly parts: ReadonlyArray<Part> } => {
  for (let createdAt = world.now; ; ) {
    const parts = [...given, ...uplineParts(world, given, Math.min(date ?? createdAt, createdAt))];
    const moments = parts.map(({ partnerId }) => momentOfCreation(world, { ...place, partnerId }));
    const latest = Math.max(createdAt, ...moments);
    if (latest === createdAt) return { createdAt, parts };
    createdAt = latest;
  }
};

/** True if a principal sees a partner of a workspace. */
const findsPartner = ({ partners }: World, principal: Principal, workspaceId: string, partnerId: PartnerId) =>
  partners.some(
    (partner) =>
      partner.id === partnerId &&
      partner.workspaceId === workspaceId &&
      canSee(principal, { ...partner, partnerId }),
  );

/** What new attributions earn at once: first the sellers, then what rests on their amounts. */
const earnAtOnce = (before: World, world: World, created: ReadonlyArray<Attribution>): World =>
  [true, false].reduce(
    (after, ofSellers) =>
      addMissingCommissions(
        after,
        (item, formula) =>
          created.includes(item) &&
          ((item.credit?.role ?? "seller") === "seller") === ofSellers &&
          !isBeingBuilt(before, formula),
      ),
    world,
  );

/** The log of a new attribution, and what is stated of its buyer at once. */
const statedOf = (
  receipt: State | null,
  at: number,
  fields: LogEntry["fields"],
): Pick<Attribution, "log" | "receipt"> => {
  const log = appendEntry([], at, "create_attribution", fields);
  return receipt === null
    ? { receipt, log }
    : {
        receipt: { received: receipt.received, of: receipt.of, receivedAt: receipt.receivedAt ?? at },
        log: appendEntry(log, at, "state_received", receiptFields(receipt)),
      };
};

/** The attribution that has the external reference of a request. */
const findKnown = (
  { attributions }: World,
  customerId: CustomerId,
  { schemaId, externalReference }: AttributionRequest,
): Attribution | undefined =>
  attributions.find(
    (attribution) =>
      externalReference !== undefined &&
      attribution.externalReference === externalReference &&
      attribution.customerId === customerId &&
      attribution.schemaId === schemaId,
  );

/** Decides the creation of a sale, which may replace the confirmed attributions of another, the origin of these first. */
export const decideCreation = (
  world: World,
  principal: Principal,
  input: AttributionRequest,
  replaced: ReadonlyArray<Attribution> = [],
  receipt: State | null = null,
): Decision => {
  const { partnerId, schemaId, workspaceId, externalReference, occurredAt: requestedAt = null } = input;
  const requestedDay = input.occurredOn ?? null;
  if (requestedAt !== null && requestedAt - world.now > AHEAD_MAX) return refuse("Invalid");
  const [origin = null] = replaced;
  const recordedAt = origin?.occurredAt ?? null;
  const stated = Math.min(requestedAt ?? recordedAt ?? world.now, world.now);
  if (requestedDay !== null && possibleDay(requestedDay, stated) !== requestedDay) return refuse("Invalid");
  if (isElsewhereRefused(world, input)) return refuse("Invalid");
  const properties = withoutNegativeZero(input.properties);
  const { customerId } = principal;
  const schema = world.schemas.find(({ id }) => id === schemaId);
  const given = partsOf(partnerId, input.credits);
  if (
    customerId === null ||
    schema === undefined ||
    !canSee(principal, { ...schema, partnerId: null }) ||
    schema.workspaceId !== workspaceId ||
    !given.every(
      (part) =>
        replaced.some((kept) => kept.partnerId === part.partnerId) ||
        findsPartner(world, principal, workspaceId, part.partnerId),
    )
  )
    return refuse("Missing");
  if (!conforms(properties, schema.properties)) return refuse("Invalid");
  const known = origin === null ? findKnown(world, customerId, input) : undefined;
  if (known !== undefined) {
    return chainOf(world, known).some((item) => isRepeated(world, item, input, properties))
      ? accept(null, known.id)
      : conflict("external_reference_reuse");
  }
  if (input.settledElsewhere !== undefined) {
    const { parts } = timed(world, { customerId, workspaceId, schemaId }, given, requestedAt);
    const problem = elsewhereProblem(world, input, parts, stated);
    if (problem !== null) return problem;
  }
  return accept((generatedId, generated) => {
    const originId = AttributionId.make(generatedId);
    const place = { customerId, workspaceId, schemaId };
    const { createdAt, parts } = timed(world, place, given, requestedAt ?? recordedAt);
    const sale = saleFacts(world, { customerId, workspaceId, createdAt }, input, recordedAt);
    const created = parts.map((part, index): Attribution => {
      const isOrigin = index === 0;
      const credit = creditOf(parts, part);
      const replaces = replacedBy(replaced, part, isOrigin);
      return {
        ...{ ...sale.facts, ...place, partnerId: part.partnerId, credit, replaces },
        id: isOrigin ? originId : idOfPart(generated, originId, part, index),
        agentId: (origin ?? principal).agentId,
        externalReference: isOrigin ? (externalReference ?? null) : null,
        originId: isOrigin ? null : originId,
        ...statedOf(isOrigin ? receipt : null, createdAt, {
          ...sale.stated,
          ...{ credit: credit ?? undefined, origin_id: isOrigin ? undefined : originId },
          replaces: replaces ?? undefined,
        }),
      };
    });
    const after = { ...world, attributions: [...world.attributions, ...created] };
    const earned = earnAtOnce(world, { ...after, now: createdAt }, created);
    return { ...settleElsewhere(earned, created, input.settledElsewhere), now: world.now };
  });
};
