/** The model of stating what the buyer of a sale has paid. */
import type { State } from "../../../domain/Receipt.ts";
import type { CommandOf } from "../Command.ts";
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
import { saleOf } from "../world/Credits.ts";
import { appendEntry, nextMoment } from "../world/Log.ts";
import { isReceiptTooFar } from "../world/Range.ts";
import { withReceipt } from "../world/Receipts.ts";
import { type Attribution, mapWhere, type World } from "../world/World.ts";

const AHEAD_MAX = 300_000;

/** True if a statement is valid by itself. */
export const isReceipt = ({ received, of, receivedAt = 0 }: State): boolean =>
  received >= 0 && of > 0 && received <= 1e15 && of <= 1e15 && receivedAt >= 0;

/** True if a statement is of a moment that is too far ahead. */
export const isReceiptAhead = ({ now }: World, { receivedAt = now }: State): boolean =>
  receivedAt > now + AHEAD_MAX;

/** The fields of the event of a statement. */
export const receiptFields = ({ received, of, receivedAt }: State) => ({
  ...{ received, of },
  ...(receivedAt === undefined ? {} : { received_at: new Date(receivedAt).toISOString() }),
});

/** The origin of a sale after a statement. */
const stated = (origin: Attribution, input: State, now: number): Attribution => ({
  ...origin,
  receipt: {
    received: input.received,
    of: input.of,
    receivedAt: input.receivedAt ?? nextMoment(origin.log, now),
  },
  log: appendEntry(origin.log, now, "state_received", receiptFields(input)),
});

const decide = (world: World, { principal, id, input }: CommandOf<"state_received">): Decision => {
  const origin = world.attributions.find((candidate) => candidate.id === id && canSee(principal, candidate));
  if (origin === undefined) return refuse("Missing");
  if (origin.originId !== null) return conflict("credit_of_sale");
  if (isReceiptAhead(world, input)) return refuse("Invalid");
  const { receipt: last } = origin;
  const { receivedAt = last?.receivedAt } = input;
  const isSame = last !== null && last.received === input.received && last.of === input.of;
  if (last !== null && (receivedAt ?? 0) < last.receivedAt) return accept(null);
  if (isSame && receivedAt === last.receivedAt) return accept(null);
  const attributions = mapWhere(
    world.attributions,
    (item) => item === origin,
    () => stated(origin, input, world.now),
  );
  const after = { ...world, attributions };
  if (isSame) return accept(() => after);
  const sale = new Set<string>(saleOf(world.attributions, origin.id).map((one) => one.id));
  const own = world.commissions.filter(({ attributionId }) => sale.has(attributionId));
  if (own.some((commission) => isReceiptTooFar(after, commission))) return refuse("Invalid");
  return accept(() => withReceipt(after, (commission) => own.includes(commission), input));
};

export const stateReceived = (world: World, command: CommandOf<"state_received">): Prediction =>
  applyRules(world, {
    ...baseRules(command),
    valid: isReceipt(command.input),
    decide: () => decide(world, command),
  });
