/** Predicts the replacement of a sale: the old sale is cancelled and the new one created, with the same timestamp. */
import type { Create as AttributionRequest } from "../../../domain/Attribution.ts";
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
import { areCredits, areSellers, givenParts, partsOf, saleOf, textOfParts } from "../world/Credits.ts";
import { dateOf } from "../world/Time.ts";
import { type Attribution, mapWhere, type World } from "../world/World.ts";
import { afterCancellation } from "./Attributions.ts";
import { decideCreation, sameProperties } from "./Creation.ts";
import { isReceipt, isReceiptAhead } from "./Receipts.ts";

type Input = CommandOf<"replace_attribution">["input"];

/** Returns the partner and the credits of the new sale. Credits that the input does not state are those of the old sale, in which the
 * new partner takes the place of the old one. */
const creditsOf = (
  { attributions }: World,
  known: Attribution,
  { partnerId = known.partnerId, credits }: Input,
): Pick<AttributionRequest, "partnerId" | "credits"> | null => {
  const given = givenParts(attributions, known.id).map(({ depth: _, ...part }) => part);
  const moved = given.map((part, index) => (index === 0 ? { ...part, partnerId } : part));
  const stated = credits ?? moved;
  return areCredits(partnerId, stated) ? { partnerId, credits: stated } : null;
};

/** States for each field of the request whether it differs from the attribution. */
const differences = (known: Attribution, { properties, occurredAt, occurredOn, received }: Input) => ({
  receipt:
    received !== undefined &&
    (received.received !== known.receipt?.received || received.of !== known.receipt.of),
  properties: properties !== undefined && !sameProperties(properties, known.properties),
  date: occurredAt !== undefined && ![known.occurredAt, known.occurredAtGiven].includes(occurredAt),
  day: occurredOn !== undefined && occurredOn !== (known.occurredOn ?? dateOf(known.occurredAt)),
});

/** Returns the request that would create the new sale: the values of the old request, except those that the input states. */
const requestOf = (
  known: Attribution,
  input: Input,
  credits: Pick<AttributionRequest, "partnerId" | "credits">,
): AttributionRequest => {
  const { date } = differences(known, input);
  const occurredAt = date ? input.occurredAt : known.occurredAtGiven;
  const occurredOn = input.occurredOn ?? (date ? null : known.occurredOnGiven);
  return {
    ...credits,
    schemaId: known.schemaId,
    workspaceId: known.workspaceId,
    properties: input.properties ?? known.properties,
    ...(known.externalReference === null ? {} : { externalReference: known.externalReference }),
    ...(occurredAt == null ? {} : { occurredAt }),
    ...(occurredOn === null ? {} : { occurredOn }),
  };
};

/** Predicts the new attribution in a world without the old one, so that no total counts the old sale. */
const decide = (world: World, { principal, id, input }: CommandOf<"replace_attribution">): Decision => {
  const known = world.attributions.find((candidate) => candidate.id === id && canSee(principal, candidate));
  if (known === undefined) return refuse("Missing");
  if (known.cancelReason !== null) return conflict("attribution_cancelled");
  if (known.originId !== null) return conflict("credit_of_sale");
  const credits = creditsOf(world, known, input);
  if (credits === null) return refuse("Invalid");
  const given = givenParts(world.attributions, known.id);
  const isSameSale =
    credits.partnerId === known.partnerId &&
    textOfParts(partsOf(credits.partnerId, credits.credits)) === textOfParts(given);
  if (isSameSale && !Object.values(differences(known, input)).includes(true)) return accept(null, known.id);
  // The cancellation and the creation have one timestamp, which is not before the last change of the old sale.
  const sale = saleOf(world.attributions, known.id).filter(({ cancelReason }) => cancelReason === null);
  const at = sale.reduce((latest, { log }) => Math.max(latest, log.at(-1)?.at ?? 0), world.now);
  const then = { ...world, now: at };
  const request = requestOf(known, input, credits);
  const receipt = input.received ?? known.receipt;
  if (receipt !== null && isReceiptAhead(world, receipt)) return refuse("Invalid");
  const decision = decideCreation(then, principal, request, sale, receipt);
  if (decision.type === "refused") return decision;
  return accept((generatedId, generated) => {
    const without = afterCancellation(then, known, input.reason);
    const created = decideCreation(without, principal, request, sale, receipt);
    if (created.type === "refused" || created.effect === null) return without;
    return { ...withReplaced(created.effect(generatedId, generated), sale), now: world.now };
  });
};

/** Returns the world in which each attribution of the cancelled sale names its replacement and no longer has an external reference. */
const withReplaced = (world: World, sale: ReadonlyArray<Attribution>): World => ({
  ...world,
  attributions: mapWhere(
    world.attributions,
    ({ id }) => sale.some((one) => one.id === id),
    (item) => {
      const newer = world.attributions.find(({ replaces }) => replaces === item.id);
      if (newer === undefined) return item;
      const last = item.log.at(-1);
      const log =
        last === undefined
          ? item.log
          : [...item.log.slice(0, -1), { ...last, fields: { ...last.fields, replaced_by: newer.id } }];
      return { ...item, externalReference: null, replacedBy: newer.id, log };
    },
  ),
});

export const replaceAttribution = (world: World, command: CommandOf<"replace_attribution">): Prediction => {
  const { input } = command;
  const { properties = {}, occurredAt = 0, partnerId, credits } = input;
  return applyRules(world, {
    ...baseRules(command),
    valid:
      isReason(input.reason) &&
      arePropertyValues(properties) &&
      occurredAt >= 0 &&
      (credits === undefined || areSellers(credits)) &&
      (input.received === undefined || isReceipt(input.received)),
    partnerIds: [
      ...(partnerId === undefined ? [] : [partnerId]),
      ...(credits ?? []).map((credit) => credit.partnerId),
    ],
    decide: () => decide(world, command),
  });
};
