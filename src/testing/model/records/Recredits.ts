/** The model of recrediting a sale: the uplines that its links give now, beside what was given. */
import { AttributionId } from "../../../domain/Ids.ts";
import type { CommandOf } from "../Command.ts";
import { isReason } from "../prediction/Bounds.ts";
import {
  accept,
  applyRules,
  baseRules,
  conflict,
  type Decision,
  type Generated,
  type Prediction,
  refuse,
} from "../prediction/Prediction.ts";
import { canSee } from "../prediction/Rights.ts";
import { isBefore, type Part, saleOf } from "../world/Credits.ts";
import { addMissingCommissions, isBeingBuilt, momentOfCreation } from "../world/Earnings.ts";
import { appendEntry } from "../world/Log.ts";
import { uplineParts } from "../world/Uplines.ts";
import { type Attribution, mapWhere, type World } from "../world/World.ts";
import { afterCancelling } from "./Attributions.ts";

const WHOLE = { role: "seller", share: "1", depth: 0 } as const;

/** A credit of a sale, which is all of it where none is stored. */
export const partOf = ({ partnerId, credit }: Attribution): Part => ({ ...(credit ?? WHOLE), partnerId });

const isSame = (a: Part, b: Part): boolean =>
  a.partnerId === b.partnerId &&
  a.role === b.role &&
  a.depth === b.depth &&
  a.share === b.share &&
  [...(a.sellers ?? [])].sort().join() === [...(b.sellers ?? [])].sort().join();

const CREDITS_MAX = 100;

/** What a recrediting takes and adds. */
export interface Difference {
  /** The confirmed attributions of the sale, its origin first. */
  readonly sale: ReadonlyArray<Attribution>;
  readonly taken: ReadonlyArray<Attribution>;
  readonly missing: ReadonlyArray<Part>;
}

/** The difference between the uplines of a sale and what its links give; null with too many credits. */
export const differenceOf = (world: World, known: Attribution): Difference | null => {
  const [origin = known, ...others] = saleOf(world.attributions, known.id).filter(
    ({ cancelReason }) => cancelReason === null,
  );
  const sale = [origin, ...others.toSorted((a, b) => (a.id < b.id ? -1 : 1))];
  const given = sale.map(partOf).filter(({ depth }) => depth === 0);
  const above = uplineParts(world, given, known.occurredAt);
  if (given.length + above.length > CREDITS_MAX) return null;
  const derived = sale.filter((one) => partOf(one).depth > 0);
  return {
    sale,
    taken: derived.filter((one) => !above.some((part) => isSame(part, partOf(one)))),
    missing: above.filter((part) => !derived.some((one) => isSame(part, partOf(one)))),
  };
};

/** The credits after a recrediting: of each partner one is the first, which stays the first if it stays. */
const withFirsts = ({ sale, taken, missing }: Difference) => {
  const stay = sale.filter((one) => !taken.includes(one));
  const hasFirst = new Set(
    stay.filter(({ credit }) => credit?.further === undefined).map(({ partnerId }) => partnerId),
  );
  const promoted = new Set<Attribution>();
  for (const one of stay.toSorted((a, b) => (isBefore(partOf(a), partOf(b)) ? -1 : 1))) {
    if (hasFirst.has(one.partnerId)) continue;
    promoted.add(one);
    hasFirst.add(one.partnerId);
  }
  const added = missing
    .toSorted((a, b) => (isBefore(a, b) ? -1 : 1))
    .map(({ partnerId, ...credit }) => {
      const isFurther = hasFirst.has(partnerId);
      hasFirst.add(partnerId);
      return { partnerId, credit: { ...credit, ...(isFurther ? { further: true as const } : {}) } };
    });
  return { promoted, added };
};

/** The attribution of a credit that is new: it counts for the date of the sale, and arrives now. */
const attributionOf = (
  known: Attribution,
  { partnerId, credit }: ReturnType<typeof withFirsts>["added"][number],
  createdAt: number,
  id: AttributionId,
): Attribution => {
  const date = new Date(known.occurredAt).toISOString();
  return {
    ...known,
    ...{ id, partnerId, credit, createdAt },
    ...{ originId: known.id, externalReference: null, replaces: null, receipt: null, settledElsewhere: null },
    occurredAtGiven: known.occurredAtGiven === null ? null : known.occurredAt,
    occurredOnGiven: known.occurredOn,
    log: appendEntry([], createdAt, "create_attribution", {
      properties: known.properties,
      ...(known.occurredAtGiven === null ? { recorded_at: date } : { occurred_at: date }),
      ...(known.occurredOn === null ? {} : { occurred_on: known.occurredOn }),
      ...{ credit, origin_id: known.id },
    }),
  };
};

/** The world after a recrediting that changes something. */
export const afterRecrediting = (
  before: World,
  known: Attribution,
  reason: string,
  difference: Difference,
  { credited }: Generated,
): World => {
  const { sale, taken } = difference;
  const at = sale.reduce((latest, { log }) => Math.max(latest, log.at(-1)?.at ?? 0), before.now);
  const world = { ...before, now: at };
  const { promoted, added } = withFirsts(difference);
  const createdAt = added.reduce(
    (latest, { partnerId }) => Math.max(latest, momentOfCreation(world, { ...known, partnerId })),
    at,
  );
  const without = taken.length === 0 ? world : afterCancelling(world, taken, reason);
  const attributions = mapWhere(
    without.attributions,
    (item) => item.id === known.id || [...promoted].some(({ id }) => id === item.id),
    (item) => {
      const { further: _, ...first }: NonNullable<Attribution["credit"]> = item.credit ?? WHOLE;
      const credit = item.id === known.id && item.credit !== null ? undefined : first;
      const log = appendEntry(item.log, at, "recredit_attribution", { reason, credit });
      return { ...item, credit: credit ?? item.credit, log };
    },
  );
  const created = added.map((one, index) => {
    // A commit also saves the attribution with the other share that it takes.
    const generated = credited.find(
      ({ id, originId, partnerId, role, depth }) =>
        originId === known.id &&
        partnerId === one.partnerId &&
        role === one.credit.role &&
        depth === one.credit.depth &&
        !before.attributions.some((stored) => stored.id === id),
    );
    const id =
      generated?.id ?? AttributionId.make(`${String(index + 1).padStart(8, "0")}${known.id.slice(8)}`);
    return attributionOf(known, one, createdAt, id);
  });
  const earned = addMissingCommissions(
    { ...without, now: createdAt, attributions: [...attributions, ...created] },
    (item, formula) => created.includes(item) && !isBeingBuilt(before, formula),
  );
  return { ...earned, now: before.now };
};

const decide = (world: World, { principal, id, reason }: CommandOf<"recredit_attribution">): Decision => {
  const known = world.attributions.find((candidate) => candidate.id === id && canSee(principal, candidate));
  if (known === undefined) return refuse("Missing");
  if (known.cancelReason !== null) return conflict("attribution_cancelled");
  if (known.originId !== null) return conflict("credit_of_sale");
  const difference = differenceOf(world, known);
  if (difference === null) return refuse("Invalid");
  if (difference.taken.length === 0 && difference.missing.length === 0) return accept(null);
  return accept((_, generated) => afterRecrediting(world, known, reason, difference, generated));
};

export const recreditAttribution = (world: World, command: CommandOf<"recredit_attribution">): Prediction =>
  applyRules(world, {
    ...baseRules(command),
    valid: isReason(command.reason),
    decide: () => decide(world, command),
  });
