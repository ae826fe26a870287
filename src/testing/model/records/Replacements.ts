/** The model of replacing an attribution: the cancellation of the one and the creation of the other, at one moment. */
import type { Create as AttributionRequest } from "../../../domain/Attribution.ts";
import { AttributionId } from "../../../domain/Ids.ts";
import type { CommandOf } from "../Command.ts";
import { arePropertyValues, isReason } from "../prediction/Bounds.ts";
import {
  accept,
  applyRules,
  baseRules,
  conflict,
  type Decision,
  type Prediction,
  refuse,
} from "../prediction/Prediction.ts";
import { canSee } from "../prediction/Rights.ts";
import { dateOf } from "../world/Time.ts";
import type { Attribution, World } from "../world/World.ts";
import { afterCancellation } from "./Attributions.ts";
import { decideCreation, sameProperties } from "./Creation.ts";

type Input = CommandOf<"replace_attribution">["input"];

/** The fields of the request that differ from the attribution. */
const differences = (known: Attribution, { properties, partnerId, occurredAt, occurredOn }: Input) => ({
  partner: partnerId !== undefined && partnerId !== known.partnerId,
  properties: properties !== undefined && !sameProperties(properties, known.properties),
  date: occurredAt !== undefined && ![known.occurredAt, known.occurredAtGiven].includes(occurredAt),
  day: occurredOn !== undefined && occurredOn !== (known.occurredOn ?? dateOf(known.occurredAt)),
});

/** The request that would create the new attribution: each fact as it was given, unless the input states another. */
const requestOf = (known: Attribution, input: Input): AttributionRequest => {
  const { date } = differences(known, input);
  const occurredAt = date ? input.occurredAt : known.occurredAtGiven;
  const occurredOn = input.occurredOn ?? (date ? null : known.occurredOnGiven);
  return {
    partnerId: input.partnerId ?? known.partnerId,
    schemaId: known.schemaId,
    workspaceId: known.workspaceId,
    properties: input.properties ?? known.properties,
    ...(known.externalReference === null ? {} : { externalReference: known.externalReference }),
    ...(occurredAt == null ? {} : { occurredAt }),
    ...(occurredOn === null ? {} : { occurredOn }),
  };
};

/** True if a link upwards holds at a moment for which the new sale may count. */
const mayHaveUplines = (
  { now, links }: World,
  { partnerId, occurredAt }: AttributionRequest,
  replaced: Attribution,
): boolean => {
  const date = occurredAt ?? replaced.occurredAt;
  return links.some(
    (link) =>
      link.customerId === replaced.customerId &&
      link.partnerId === partnerId &&
      link.startDatetime <= date &&
      (link.endDatetime === null || link.endDatetime > Math.min(date, now)),
  );
};

/** The new attribution is created in the world without the old one, so that it builds on none of it. */
const decide = (world: World, { principal, id, input }: CommandOf<"replace_attribution">): Decision => {
  const known = world.attributions.find((candidate) => candidate.id === id && canSee(principal, candidate));
  if (known === undefined) return refuse("Missing");
  if (known.cancelReason !== null) return conflict("attribution_cancelled");
  if (known.credit !== null) return conflict("credit_of_sale");
  if (!Object.values(differences(known, input)).includes(true)) return accept(null, known.id);
  // Both happen at one moment, not before the last change of the old one.
  const then = { ...world, now: Math.max(world.now, known.log.at(-1)?.at ?? 0) };
  const decision = decideCreation(then, principal, requestOf(known, input), known);
  if (decision.type === "refused") return decision;
  if (mayHaveUplines(then, requestOf(known, input), known)) return conflict("credit_of_sale");
  return accept((generatedId, generated) => {
    const newId = AttributionId.make(generatedId);
    const without = afterCancellation(then, known, input.reason, newId);
    const created = decideCreation(without, principal, requestOf(known, input), known);
    if (created.type === "refused" || created.effect === null) return without;
    return { ...created.effect(generatedId, generated), now: world.now };
  });
};

export const replaceAttribution = (world: World, command: CommandOf<"replace_attribution">): Prediction => {
  const { input } = command;
  const { properties = {}, occurredAt = 0, partnerId } = input;
  return applyRules(world, {
    ...baseRules(command),
    valid: isReason(input.reason) && arePropertyValues(properties) && occurredAt >= 0,
    partnerIds: partnerId === undefined ? [] : [partnerId],
    decide: () => decide(world, command),
  });
};
