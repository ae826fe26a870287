/** What buyers have paid of sales, and what of a commission waits for the rest, computed from the sale each time. */
import { appendEntry } from "./Log.ts";
import { type Attribution, type Commission, type Formula, mapWhere, type World } from "./World.ts";

/** Numbers of receipts as integers of one scale. */
const scaled = (value: number): bigint => {
  const [whole = "0", fraction = ""] = String(value).split(".");
  return BigInt(whole + fraction.padEnd(12, "0"));
};

/** The origin of the sale that a commission is earned from. */
const originOf = ({ attributions }: World, attributionId: string): Attribution | undefined => {
  const attribution = attributions.find(({ id }) => id === attributionId);
  return attribution?.originId == null
    ? attribution
    : attributions.find(({ id }) => id === attribution.originId);
};

/** What the buyer has paid, as a commission of a formula knows it; null where the formula's amounts do not wait. */
export const paidOf = (
  world: World,
  attributionId: string,
  { release }: Pick<Formula, "release">,
): { readonly received: number; readonly of: number | null } | null => {
  if (release === null) return null;
  const receipt = originOf(world, attributionId)?.receipt ?? null;
  return receipt === null ? { received: 0, of: null } : { received: receipt.received, of: receipt.of };
};

/** T of an amount, for what the buyer has paid. */
export const releasedOf = (amount: number, paid: ReturnType<typeof paidOf>): number => {
  if (paid === null || amount <= 0) return amount;
  if (paid.of === null) return 0;
  if (paid.received >= paid.of) return amount;
  return Number((BigInt(amount) * scaled(paid.received)) / scaled(paid.of));
};

/** A − T of a commission; null where its amount does not wait. */
export const waitingOf = (world: World, { attributionId, formulaId, amount }: Commission): number | null => {
  const formula = world.formulas.find(({ id }) => id === formulaId);
  const paid = formula === undefined ? null : paidOf(world, attributionId, formula);
  return paid === null ? null : (amount ?? 0) - releasedOf(amount ?? 0, paid);
};

/** The last entry of the logs of a sale's commissions that wait, once something else was stated of the sale. */
export const withReceipt = (
  world: World,
  picks: (commission: Commission) => boolean,
  { received, of }: { readonly received: number; readonly of: number },
): World => ({
  ...world,
  commissions: mapWhere(
    world.commissions,
    (commission) =>
      picks(commission) &&
      world.formulas.some(({ id, release }) => id === commission.formulaId && release !== null),
    (commission) => ({
      ...commission,
      log: appendEntry(commission.log, world.now, "update_received", { received, of }),
    }),
  ),
});
