/** The range of a commission: what its lines may add up to, and how far from that its amount may be. */
import { waitingOf } from "./Receipts.ts";
import type { Commission, World } from "./World.ts";

/** True if two keys name one commission. */
export const isSameCommission = (
  a: Pick<Commission, "attributionId" | "formulaId">,
  b: Pick<Commission, "attributionId" | "formulaId">,
): boolean => a.attributionId === b.attributionId && a.formulaId === b.formulaId;

/** The least and the largest sum of a commission's lines, depending on which are paid. */
export const possiblePaidSums = (world: World, commission: Commission): ReadonlyArray<number> => {
  const { elsewhere } = commission;
  let [least, most] = [Math.min(0, elsewhere ?? 0), Math.max(0, elsewhere ?? 0)];
  for (const { status, lines } of world.settlements) {
    if (status.type === "written_off" || status.type === "cancelled") continue;
    for (const line of lines) {
      if (!isSameCommission(line, commission)) continue;
      if (line.amount < 0) least += line.amount;
      else most += line.amount;
    }
  }
  return [least, most];
};

/** True if the difference to one of the sums is more than the largest amount. */
export const isTooFar = (amount: number, sums: ReadonlyArray<number>): boolean =>
  sums.some((paid) => Math.abs(amount - paid) > Number.MAX_SAFE_INTEGER);

/** True if what is due of a commission would be beyond the largest amount, by what was stated last of its sale. */
export const isReceiptTooFar = (world: World, commission: Commission): boolean =>
  isTooFar(
    (commission.amount ?? 0) - (waitingOf(world, commission) ?? 0),
    possiblePaidSums(world, commission),
  );
