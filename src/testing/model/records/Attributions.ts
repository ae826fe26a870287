/** The model of commands on attributions: create, create a batch, cancel. */
import type { Create as AttributionRequest } from "../../../domain/Attribution.ts";
import { AttributionId } from "../../../domain/Ids.ts";
import type { Principal } from "../../../domain/Principal.ts";
import type { Properties } from "../../../domain/Properties.ts";
import type { PropertyDefinition } from "../../../formula/index.ts";
import type { CommandOf } from "../Command.ts";
import { arePropertyValues, isReason, isText } from "../prediction/Bounds.ts";
import {
  accept,
  applyRules,
  baseRules,
  conflict,
  type Decision,
  NOTHING_GENERATED,
  type Prediction,
  refuse,
} from "../prediction/Prediction.ts";
import { canSee } from "../prediction/Rights.ts";
import {
  addMissingCommissions,
  isBeingBuilt,
  momentOfCreation,
  pendingCancellation,
  refreshCommissions,
} from "../world/Earnings.ts";
import { appendEntry } from "../world/Log.ts";
import type { Part } from "../world/Result.ts";
import { dateOf } from "../world/Time.ts";
import { dayOf, workspaceOf } from "../world/Workspaces.ts";
import { type Attribution, mapWhere, type World } from "../world/World.ts";

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

/** What the first event says of the attribution that it replaces. */
const replacingFields = (replaced: Attribution | null, requestedAt: number | null) =>
  replaced === null
    ? {}
    : {
        replaces: replaced.id,
        ...(requestedAt === null ? { recorded_at: new Date(replaced.occurredAt).toISOString() } : {}),
      };

/** A confirmed sale that nobody else earns from. */
const CONFIRMED = { cancelReason: null, credit: null, originId: null, replaces: null, replacedBy: null };

/** An attribution, and those that it replaced, the last one first. */
const chainOf = ({ attributions }: World, newest: Attribution): ReadonlyArray<Attribution> => {
  const earlier = attributions.find(({ id }) => id === newest.replaces);
  return earlier === undefined ? [newest] : [newest, ...chainOf({ attributions } as World, earlier)];
};

/** True if an attribution was created by a request like this one. */
const isRepeated = (known: Attribution, input: AttributionRequest, properties: Properties): boolean =>
  known.partnerId === input.partnerId &&
  known.workspaceId === input.workspaceId &&
  known.occurredAtGiven === (input.occurredAt ?? null) &&
  known.occurredOnGiven === (input.occurredOn ?? null) &&
  sameProperties(known.properties, properties);

/** Decides the creation of one attribution, which may replace another. */
export const decideCreation = (
  world: World,
  principal: Principal,
  input: AttributionRequest,
  replaced: Attribution | null = null,
): Decision => {
  const { partnerId, schemaId, workspaceId, externalReference, occurredAt: requestedAt = null } = input;
  const requestedDay = input.occurredOn ?? null;
  if (requestedAt !== null && requestedAt - world.now > AHEAD_MAX) return refuse("Invalid");
  const recordedAt = replaced?.occurredAt ?? world.now;
  const stated = requestedAt === null ? recordedAt : Math.min(requestedAt, world.now);
  if (requestedDay !== null && possibleDay(requestedDay, stated) !== requestedDay) return refuse("Invalid");
  const properties = withoutNegativeZero(input.properties);
  const { customerId } = principal;
  const partner = world.partners.find(({ id }) => id === partnerId);
  const schema = world.schemas.find(({ id }) => id === schemaId);
  if (
    customerId === null ||
    partner === undefined ||
    schema === undefined ||
    !canSee(principal, { ...partner, partnerId }) ||
    !canSee(principal, { ...schema, partnerId: null }) ||
    partner.workspaceId !== workspaceId ||
    schema.workspaceId !== workspaceId
  ) {
    return refuse("Missing");
  }
  if (!conforms(properties, schema.properties)) return refuse("Invalid");
  const known = world.attributions.find(
    (attribution) =>
      replaced === null &&
      externalReference !== undefined &&
      attribution.externalReference === externalReference &&
      attribution.customerId === customerId &&
      attribution.schemaId === schemaId,
  );
  if (known !== undefined) {
    return chainOf(world, known).some((item) => isRepeated(item, input, properties))
      ? accept(null, known.id)
      : conflict("external_reference_reuse");
  }
  return accept((generatedId) => {
    const id = AttributionId.make(generatedId);
    const createdAt = momentOfCreation(world, { customerId, workspaceId, partnerId, schemaId });
    const date = requestedAt ?? replaced?.occurredAt ?? createdAt;
    const occurredAt = date > createdAt ? createdAt : date;
    const day = decideDay(world, { customerId, workspaceId }, occurredAt, requestedDay);
    const attribution = {
      id,
      customerId,
      workspaceId,
      partnerId,
      schemaId,
      agentId: replaced === null ? principal.agentId : replaced.agentId,
      externalReference: externalReference ?? null,
      properties,
      ...{ ...CONFIRMED, replaces: replaced?.id ?? null },
      createdAt,
      occurredAt,
      occurredAtGiven: requestedAt,
      occurredOn: day.stored,
      occurredOnGiven: requestedDay,
      log: appendEntry([], createdAt, "create_attribution", {
        properties,
        ...(requestedAt === null ? {} : { occurred_at: new Date(requestedAt).toISOString() }),
        ...day.stated,
        ...replacingFields(replaced, requestedAt),
      }),
    };
    const after = { ...world, attributions: [...world.attributions, attribution] };
    // What it earns at once is of the same moment.
    const earned = addMissingCommissions(
      { ...after, now: createdAt },
      (item, formula) => item.id === id && !isBeingBuilt(world, formula),
    );
    return { ...earned, now: world.now };
  });
};

const isRequest = ({ properties, externalReference, occurredAt = 0 }: AttributionRequest): boolean =>
  arePropertyValues(properties) &&
  (externalReference === undefined || isText(externalReference, 255)) &&
  occurredAt >= 0;

export const createAttribution = (world: World, command: CommandOf<"create_attribution">): Prediction => {
  const { principal, input } = command;
  return applyRules(world, {
    ...baseRules(command),
    valid: isRequest(input),
    workspaceIds: [input.workspaceId],
    partnerIds: [input.partnerId],
    decide: () => decideCreation(world, principal, input),
  });
};

const PARTS_MAX = 1_000;

/** Stands for the id of a part before the engine generates it. */
const placeholder = (part: number): string => `00000000-0000-4000-8000-${String(part).padStart(12, "0")}`;

/** The world after all parts in their order, and the result of each; `ids` are those that the engine generated. */
const createAll = (
  world: World,
  { principal, input }: CommandOf<"create_batch">,
  ids: ReadonlyArray<string | null>,
): { readonly world: World; readonly parts: ReadonlyArray<Part> } => {
  const names = input.attributions.map((_, index) => ids[index] ?? placeholder(index));
  const parts: Array<Part> = [];
  let after = world;
  for (const [index, request] of input.attributions.entries()) {
    const decision = decideCreation(after, principal, request);
    if (decision.type === "refused") parts.push(decision);
    else if (decision.effect === null) {
      const id = decision.id ?? "";
      const part = names.slice(0, index).indexOf(id);
      parts.push(part === -1 ? { type: "existing", id } : { type: "repeated", part });
    } else {
      const id = names[index] ?? "";
      after = decision.effect(id, { ...NOTHING_GENERATED, id });
      parts.push({ type: "created" });
    }
  }
  return { world: after, parts };
};

/** Create a batch: the parts in sequence; with mode `atomic` all of them or none. */
export const createBatch = (world: World, command: CommandOf<"create_batch">): Prediction => {
  const { mode, attributions } = command.input;
  return applyRules(world, {
    ...baseRules(command),
    valid: attributions.length >= 1 && attributions.length <= PARTS_MAX && attributions.every(isRequest),
    workspaceIds: attributions.map(({ workspaceId }) => workspaceId),
    partnerIds: attributions.map(({ partnerId }) => partnerId),
    decide: () => {
      const { parts } = createAll(world, command, []);
      if (mode === "atomic" && parts.some(({ type }) => type === "refused")) return refuse("Invalid");
      const changes = parts.some(({ type }) => type === "created");
      return {
        ...accept(changes ? (_, { ids }) => createAll(world, command, ids).world : null),
        parts,
      };
    },
  });
};

/** The world after an attribution is cancelled, and replaced by another one if that has an id. */
export const afterCancellation = (
  world: World,
  attribution: Attribution,
  reason: string,
  replacedBy: AttributionId | null = null,
): World => {
  const fields = replacedBy === null ? {} : { replaced_by: replacedBy };
  const log = appendEntry(attribution.log, world.now, "cancel_attribution", { reason, ...fields });
  const externalReference = replacedBy === null ? attribution.externalReference : null;
  const attributions = mapWhere(
    world.attributions,
    (item) => item === attribution,
    (item) => ({ ...item, cancelReason: reason, externalReference, replacedBy, log }),
  );
  const pending = pendingCancellation(world, attribution);
  const pendingCancellations =
    pending.formulas.length === 0 ? world.pendingCancellations : [...world.pendingCancellations, pending];
  return refreshCommissions(
    { ...world, attributions, pendingCancellations },
    ({ attributionId }) => attributionId === attribution.id,
  );
};

export const cancelAttribution = (world: World, command: CommandOf<"cancel_attribution">): Prediction => {
  const { principal, reason } = command;
  const decide = (): Decision => {
    const attribution = world.attributions.find(
      (candidate) => candidate.id === command.id && canSee(principal, candidate),
    );
    if (attribution === undefined) return refuse("Missing");
    return attribution.cancelReason === null
      ? accept(() => afterCancellation(world, attribution, reason))
      : accept(null);
  };
  return applyRules(world, { ...baseRules(command), valid: isReason(reason), decide });
};
