/** Settlements and their lines: how each step of a settlement changes its commissions. */
import { quantities } from "./Earnings.ts";
import { appendEntry } from "./Log.ts";
import { isSameCommission } from "./Range.ts";
import type { Line, Settlement } from "./Settlements.ts";
import { AFTER, isOpen } from "./States.ts";
import { mapWhere, type World } from "./World.ts";

/** The exact sum of lines. */
export const totalOf = (lines: ReadonlyArray<Line>): bigint =>
  lines.reduce((sum, { amount }) => sum + BigInt(amount), 0n);

/** The sum of a settlement's lines. */
export const total = ({ lines }: Settlement): number => Number(totalOf(lines));

/** Appends one event to the log of every commission that a settlement holds. */
export const appendLineEvents = (
  world: World,
  { id, lines }: Settlement,
  type: string,
  fields: { readonly [name: string]: unknown } = {},
): World => ({
  ...world,
  commissions: world.commissions.map((commission) => {
    const line = lines.find((candidate) => isSameCommission(candidate, commission));
    if (line === undefined) return commission;
    const event = { settlement_id: id, amount: line.amount, ...fields };
    return { ...commission, log: appendEntry(commission.log, world.now, type, event) };
  }),
});

/** Changes a settlement by one event, which may move its state, and appends the events of its commissions. */
export const moveSettlement = (
  world: World,
  settlement: Settlement,
  type: string,
  change: Partial<Settlement>,
  fields: { readonly [name: string]: unknown } = {},
): World => {
  const { [type]: moved = settlement.status } = AFTER;
  const log = appendEntry(settlement.log, world.now, type, fields);
  const next = { ...settlement, status: moved, ...change, log };
  const after = {
    ...world,
    settlements: mapWhere(
      world.settlements,
      (item) => item === settlement,
      () => next,
    ),
  };
  const { status } = next;
  if (status.type === settlement.status.type) return after;
  if (status.type === "paid") return appendLineEvents(after, next, "settle_commission", { kind: "paid" });
  if (status.type === "written_off")
    return appendLineEvents(after, next, "settle_commission", { kind: "written_off" });
  if (status.type === "cancelled")
    return appendLineEvents(after, next, "release_commission", { cause: status.cause });
  return settlement.status.type === "paid" ? appendLineEvents(after, next, "reopen_commission") : after;
};

/** True if a settlement is a draft with a line that differs from what its commission is due now. */
export const isStale = (world: World, { status, lines }: Settlement): boolean =>
  status.type === "draft" &&
  lines.some((line) => {
    const commission = world.commissions.find((candidate) => isSameCommission(candidate, line));
    return commission === undefined || quantities(world, commission).due !== line.amount;
  });

/** True if some commission of a settlement is in another open one. */
export const isHeldByAnother = (world: World, settlement: Settlement): boolean =>
  settlement.lines.some((line) =>
    world.settlements.some(
      (other) =>
        other.id !== settlement.id &&
        isOpen(other) &&
        other.lines.some((candidate) => isSameCommission(candidate, line)),
    ),
  );
