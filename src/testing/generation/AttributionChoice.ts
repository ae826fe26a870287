/** Turns intents about single attributions into commands. */

import { AttributionId, PartnerId, SchemaId } from "../../domain/Ids.ts";
import type { Partner } from "../../domain/Partner.ts";
import type { Properties } from "../../domain/Properties.ts";
import type { Command } from "../model/Command.ts";
import { DAY, dateOf } from "../model/world/Time.ts";
import type { World } from "../model/world/World.ts";
import { CAPABLE_COUNT } from "../session/Principals.ts";
import {
  type ChoiceContext,
  callerFor,
  choose,
  chooseIfAny,
  choosePartnerAndSchema,
} from "./ChoiceContext.ts";
import { chooseCredits, repeatCredits } from "./CreditChoice.ts";
import { chooseElsewhere, repeatElsewhere } from "./ElsewhereChoice.ts";
import { chooseReceipt, paysLater } from "./ReceiptChoice.ts";

/** Values of orders: small and large, with and without fractions. */
export const ORDER_VALUES = [
  5, -5, 15, 100, 1005, 12.35, 999.995, 0.5, -0.05, -0, 9, 10, -250, 120_000, 94_906_267,
] as const;

/** Under a formula with a huge factor, half of the values are at the limit of the largest amount. */
const chooseOrderValue = ({ formulas }: World, { id }: Pick<Partner, "id">, pick: number): number =>
  pick % 2 === 0 &&
  formulas.some(
    (formula) => formula.partnerId === id && formula.versions.some(({ plan }) => plan.type === "huge"),
  )
    ? choose([9, 5, 8, -9], pick >> 1)
    : choose(ORDER_VALUES, pick);

const AHEAD_MAX = 5 * 60_000;

/**
 * The date of an event, or none: late events, moments at which rules and buckets change, the moments of other attributions,
 * and moments ahead of the clock.
 */
const chooseOccurrence = ({ now, formulas, attributions }: World, pick: number): number | undefined => {
  if (pick % 2 === 0) return undefined;
  const kind = pick >> 1;
  const bounds = formulas.flatMap(({ start, end, versions, parameterValues }) => [
    start,
    ...(end === null ? [] : [end]),
    ...versions.flatMap(({ effective }) => (effective === null ? [] : [effective])),
    ...parameterValues.flatMap(({ effectiveDatetime }) => effectiveDatetime ?? []),
  ]);
  const others = attributions.map(({ occurredAt }) => occurredAt);
  const chosen = choose(
    [
      now,
      now - 1,
      now - (now % DAY),
      now - DAY,
      now - 31 * DAY,
      now - 400 * DAY,
      now + 60_000,
      now + AHEAD_MAX,
      chooseIfAny(bounds, pick >> 4) ?? now,
      (chooseIfAny(bounds, pick >> 4) ?? now) - 1,
      chooseIfAny(others, pick >> 4) ?? now,
    ],
    kind,
  );
  return Math.min(chosen, now + AHEAD_MAX);
};

/** A date that is refused. */
const refusedOccurrence = ({ now }: World, pick: number): number =>
  choose([now + AHEAD_MAX + 1, -1, now + DAY], pick);

/** Properties that the schema of every run refuses. */
export const chooseInvalidProperties = (pick: number): Properties =>
  choose<Properties>(
    [
      { order_value: "much" },
      { quantity: 1 },
      { order_value: 1, color: "red" },
      { order_value: 2e15 },
      { order_value: 1, new_customer: 1 },
    ],
    pick,
  );

/** Reuses an external reference with another partner or other properties. */
const reuseReference = (context: ChoiceContext): Command | null => {
  const { world, intent } = context;
  const known = chooseIfAny(
    world.attributions.filter(({ externalReference }) => externalReference !== null),
    intent.picks[1],
  );
  const partner = chooseIfAny(
    world.partners.filter(
      ({ workspaceId, customerId }) => workspaceId === known?.workspaceId && customerId === known.customerId,
    ),
    intent.picks[2],
  );
  if (known?.externalReference == null || partner === undefined) return null;
  const { schemaId, workspaceId, externalReference } = known;
  const properties = intent.picks[2] % 3 === 0 ? { ...known.properties, quantity: 11 } : known.properties;
  const before = known.occurredAtGiven;
  const occurredAt = intent.picks[3] % 3 === 0 ? (before === null ? world.now : before - 1) : before;
  const { occurredOnGiven } = known;
  const input = {
    ...{ partnerId: partner.id, schemaId, workspaceId, properties, externalReference },
    ...(occurredAt === null ? {} : { occurredAt }),
    ...(occurredOnGiven === null || intent.picks[3] % 5 === 0 ? {} : { occurredOn: occurredOnGiven }),
    ...(known.credit === null || intent.picks[3] % 4 === 0
      ? {}
      : { credits: repeatCredits(world, known.id, intent.picks[2]) }),
    ...repeatElsewhere(known, intent.picks[3]),
  };
  return {
    type: "create_attribution",
    ...callerFor(context, { ...partner, partnerId: partner.id }, CAPABLE_COUNT),
    input,
  };
};

/** The calendar day of a sale, for some: its UTC day, the one before or after, or one that is refused. */
const chooseDay = (moment: number, mayBeRefused: boolean, pick: number): { readonly occurredOn?: string } => {
  if (pick % 3 !== 0) return {};
  const refused = mayBeRefused && pick % 7 === 0;
  return { occurredOn: dateOf(moment, refused ? 2 : ((pick >> 2) % 3) - 1) };
};

export const chooseCreateAttribution = (context: ChoiceContext): Command | null => {
  const { principals, intent } = context;
  const { eligible, picks } = intent;
  const reused = !eligible && picks[0] % 3 === 0 ? reuseReference(context) : null;
  if (reused !== null) return reused;
  const found = choosePartnerAndSchema(context, picks[0]);
  if (found === null) return null;
  const { partner, schema } = found;
  const properties: Properties =
    eligible || picks[3] % 2 === 0
      ? {
          order_value: chooseOrderValue(context.world, partner, picks[1]),
          ...(picks[1] % 3 === 0 ? { quantity: picks[1] % 7 } : {}),
          ...(picks[1] % 5 === 0 ? { plan: "pro" } : {}),
        }
      : chooseInvalidProperties(picks[1]);
  const occurredAt =
    !eligible && picks[3] % 11 === 0
      ? refusedOccurrence(context.world, picks[1])
      : chooseOccurrence(context.world, picks[1] + picks[2]);
  const credits = chooseCredits(context, partner, picks);
  const input = {
    partnerId: !eligible && picks[3] % 5 === 0 ? PartnerId.make(principals.unknown) : partner.id,
    schemaId: !eligible && picks[3] % 7 === 0 ? SchemaId.make(principals.unknown) : schema.id,
    workspaceId: picks[3] % 3 === 0 ? schema.workspaceId : partner.workspaceId,
    properties,
    ...(picks[2] % 4 === 0 ? { externalReference: `order-${picks[2] % 12}` } : {}),
    ...(occurredAt === undefined ? {} : { occurredAt }),
    ...(credits === null ? {} : { credits }),
    ...chooseElsewhere(context, occurredAt),
    ...chooseDay(
      Math.min(occurredAt ?? context.world.now, context.world.now),
      !eligible,
      picks[1] + picks[3],
    ),
  };
  return { type: "create_attribution", ...callerFor(context, { ...partner, partnerId: partner.id }), input };
};

export const chooseCancelAttribution = (context: ChoiceContext): Command | null => {
  const { principals, world, intent } = context;
  const { eligible, picks } = intent;
  const among = world.attributions.filter(({ cancelReason }) => !eligible || cancelReason === null);
  const attribution = chooseIfAny(among, picks[0]);
  if (attribution === undefined) return null;
  const id = !eligible && picks[1] % 4 === 0 ? AttributionId.make(principals.unknown) : attribution.id;
  const reason = !eligible && picks[2] % 4 === 0 ? "" : `refunded ${picks[1] % 5}`;
  return { type: "cancel_attribution", ...callerFor(context, attribution), id, reason };
};

/** Replaces an attribution: another value, partner, date or day, several of them, or nothing. */
export const chooseReplaceAttribution = (context: ChoiceContext): Command | null => {
  const { principals, world, intent } = context;
  const { eligible, picks } = intent;
  const among = world.attributions.filter(({ cancelReason }) => !eligible || cancelReason === null);
  const attribution = chooseIfAny(among, picks[0]);
  if (attribution === undefined) return null;
  const { workspaceId, properties } = attribution;
  const partner = chooseIfAny(
    world.partners.filter((candidate) => !eligible || candidate.workspaceId === workspaceId),
    picks[1],
  );
  const id = !eligible && picks[1] % 4 === 0 ? AttributionId.make(principals.unknown) : attribution.id;
  const value = chooseOrderValue(world, { id: attribution.partnerId }, picks[2]);
  const changed =
    !eligible && picks[2] % 5 === 0
      ? chooseInvalidProperties(picks[1])
      : { ...properties, order_value: value };
  const occurredAt = chooseOccurrence(world, picks[1] + picks[3]);
  const credits =
    partner !== undefined && picks[3] % 5 === 0
      ? chooseCredits(context, partner, [picks[0], 0, picks[1] - (picks[1] % 4), picks[3]])
      : null;
  const input = {
    ...(credits === null ? {} : { credits }),
    ...(picks[3] % 3 === 0 ? {} : { properties: changed }),
    ...(partner === undefined || (picks[3] % 4 !== 0 && credits === null) ? {} : { partnerId: partner.id }),
    ...(occurredAt === undefined || picks[2] % 3 !== 0 ? {} : { occurredAt }),
    ...(picks[2] % 4 === 0 ? chooseDay(occurredAt ?? attribution.occurredAt, !eligible, picks[1]) : {}),
    ...(paysLater(context) && picks[1] % 3 === 0
      ? { received: chooseReceipt(world, attribution.receipt, intent) }
      : {}),
    reason: !eligible && picks[2] % 4 === 0 ? "" : `corrected ${picks[1] % 5}`,
  };
  return { type: "replace_attribution", ...callerFor(context, attribution), id, input };
};
