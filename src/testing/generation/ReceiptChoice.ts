/** Turns intents into statements of what buyers have paid; in every fourth run, buyers pay later. */
import { AttributionId } from "../../domain/Ids.ts";
import type { Receipt, State } from "../../domain/Receipt.ts";
import type { Command } from "../model/Command.ts";
import { DAY } from "../model/world/Time.ts";
import type { World } from "../model/world/World.ts";
import { type ChoiceContext, callerFor, choose, chooseIfAny } from "./ChoiceContext.ts";

/** True if formulas of the run may wait for buyers. It follows from the customer, so that the other runs stay as they are. */
export const paysLater = ({ principals }: Pick<ChoiceContext, "principals">): boolean =>
  Number.parseInt(principals.customers[0].slice(-1), 16) % 4 === 0;

/** True if an intent states what a buyer has paid, whatever its class. */
export const isReceiving = (context: Pick<ChoiceContext, "principals" | "intent">): boolean =>
  paysLater(context) && context.intent.picks[0] % 6 === 0;

/** The release of a new formula or plan. */
export const chooseRelease = (
  context: ChoiceContext,
  pick: number,
): { readonly release?: "at_once" | "on_receipt" } =>
  paysLater(context) ? choose([{ release: "on_receipt" }, {}, { release: "on_receipt" }], pick) : {};

type Part = readonly [received: number, of: number];

/** Parts and wholes: nothing, thirds, all, too much, fractions, and a part beyond the integers of a double. */
const PARTS: readonly [Part, ...ReadonlyArray<Part>] = [
  [0, 1000],
  [500, 1000],
  [1, 3],
  [2, 3],
  [1000, 1000],
  [1200, 1000],
  [0.1, 0.3],
  [999.99, 1000],
  [1, 900_719_925_474_099],
];

const REFUSED: readonly [Part, ...ReadonlyArray<Part>] = [
  [-1, 1000],
  [1, 0],
  [1, -3],
  [2e15, 1000],
];

/** When the buyer had paid, for some: earlier and later than the last statement, ahead of the clock, too far ahead. */
const chooseMoment = ({ now }: World, last: Receipt | null, eligible: boolean, pick: number) => {
  if (pick % 3 !== 0) return {};
  const before = last?.receivedAt ?? now;
  const moments = [now, now - DAY, before, before - 1, before + 1, now + 60_000] as const;
  const receivedAt = !eligible && pick % 5 === 0 ? now + DAY : choose(moments, pick >> 2);
  return { receivedAt: Math.min(receivedAt, eligible ? now + 60_000 : now + DAY) };
};

/** A statement after the last one: another, or the same again. */
export const chooseReceipt = (
  world: World,
  last: Receipt | null,
  { eligible, picks }: ChoiceContext["intent"],
): State => {
  const [, value, , moment] = picks;
  if (last !== null && value % 6 === 0)
    return {
      received: last.received,
      of: last.of,
      ...(moment % 2 === 0 ? { receivedAt: last.receivedAt } : {}),
    };
  const [received, of] = !eligible && value % 4 === 0 ? choose(REFUSED, value >> 2) : choose(PARTS, value);
  return { received, of, ...chooseMoment(world, last, eligible, moment) };
};

/** A statement of a sale, most of the time a late one; also of cancelled sales, and of other credits, which is refused. */
export const chooseStateReceived = (context: ChoiceContext): Command | null => {
  const { principals, world, intent } = context;
  const { eligible, picks } = intent;
  const among = world.attributions.filter(({ originId }) => !eligible || originId === null).slice(-8);
  const attribution = chooseIfAny(among, picks[2]);
  if (attribution === undefined) return null;
  const id = !eligible && picks[1] % 5 === 0 ? AttributionId.make(principals.unknown) : attribution.id;
  const input = chooseReceipt(world, attribution.receipt, intent);
  return { type: "state_received", ...callerFor(context, attribution), id, input };
};
