/**
 * The model of tax, computed from the settlements alone: billed amounts are summed each time over every settlement that
 * is approved and has not ended without payment.
 */
import type { SettlementId } from "../../../domain/Ids.ts";
import type { TaxConfig } from "../../../domain/Partner.ts";
import { totalOf } from "./Lines.ts";
import { isSameCommission } from "./Range.ts";
import type { Line, Part, Settlement, Share } from "./Settlements.ts";
import { isOpen } from "./States.ts";
import type { World } from "./World.ts";

const LARGEST = 9_007_199_254_740_991n;
const WHOLE = 10_000n;

/** The rate that terms charge, in ten-thousandths. */
const rateOf = ({ treatment, rateBps }: TaxConfig): bigint =>
  treatment === "standard" ? BigInt(rateBps ?? 0) : 0n;

/** Tax on an amount: to the nearest unit, a half away from zero. */
export const chargeTax = (amount: bigint, terms: TaxConfig): bigint => {
  const product = amount * rateOf(terms);
  const rest = ((product % WHOLE) + WHOLE) % WHOLE;
  const floor = (product - rest) / WHOLE;
  if (rest * 2n === WHOLE) return product > 0n ? floor + 1n : floor;
  return rest * 2n > WHOLE ? floor + 1n : floor;
};

/** The terms of an approval; null when the partner bills itself. */
const termsOf = ({ billingMode, selfBillingData }: Settlement): TaxConfig | null =>
  billingMode === "self_billing" ? (selfBillingData?.taxConfig ?? null) : null;

const latestFirst = (a: Settlement, b: Settlement): number =>
  a.createdAt === b.createdAt ? (a.id < b.id ? 1 : -1) : b.createdAt - a.createdAt;

/** The billed amounts of a line's commission in paid settlements, by the settlement that billed them, latest first. */
const openParts = (
  world: World,
  line: Line,
): ReadonlyArray<{ readonly of: Settlement; readonly amount: number }> => {
  const parts = world.settlements
    .filter(({ status }) => status.type === "paid")
    .flatMap((settlement) => settlement.parts.filter((part) => isSameCommission(part, line)));
  return world.settlements
    .toSorted(latestFirst)
    .map((of) => ({
      of,
      amount: parts.reduce((sum, part) => (part.origin === of.id ? sum + part.amount : sum), 0),
    }))
    .filter(({ amount }) => amount !== 0);
};

/** Divides a line into reversals of earlier settlements and what is new. */
const divideLine = (world: World, own: SettlementId, line: Line): ReadonlyArray<Part> => {
  const { attributionId, formulaId, amount } = line;
  const billed = openParts(world, line);
  const everything = billed.reduce((sum, item) => sum + item.amount, 0) + amount === 0;
  const parts: Array<Part> = [];
  let rest = amount;
  for (const one of billed) {
    const opposite = rest !== 0 && Math.sign(one.amount) === -Math.sign(rest);
    const taken = everything
      ? -one.amount
      : opposite
        ? Math.sign(rest) * Math.min(Math.abs(rest), Math.abs(one.amount))
        : 0;
    if (taken === 0) continue;
    parts.push({ attributionId, formulaId, origin: one.of.id, amount: taken });
    rest -= taken;
  }
  return rest === 0 ? parts : [...parts, { attributionId, formulaId, origin: own, amount: rest }];
};

/** The base and tax of a settlement, over every settlement that counts. */
const originTotals = (world: World, origin: SettlementId): { readonly base: bigint; readonly tax: bigint } =>
  world.settlements
    .filter((settlement) => isOpen(settlement) || settlement.status.type === "paid")
    .flatMap(({ shares }) => shares.filter((share) => share.origin === origin))
    .reduce((sum, { base, tax }) => ({ base: sum.base + base, tax: sum.tax + tax }), { base: 0n, tax: 0n });

/** The tax that an approval fixes. */
interface ApprovedTax {
  readonly parts: ReadonlyArray<Part>;
  readonly shares: ReadonlyArray<Share>;
  readonly taxAmount: number | null;
  readonly payableAmount: number | null;
}

/** The tax of a settlement approved with its billing data; null when an amount would exceed the largest. */
export const computeTax = (world: World, settlement: Settlement): ApprovedTax | null => {
  const { id, lines } = settlement;
  const parts = lines.flatMap((line) => divideLine(world, id, line));
  const snapshot = termsOf(settlement);
  if (snapshot === null) return { parts, shares: [], taxAmount: null, payableAmount: null };
  const bases = new Map<SettlementId, { readonly terms: TaxConfig; base: bigint }>();
  for (const { origin, amount } of parts) {
    const billed = world.settlements.find((candidate) => candidate.id === origin);
    const theirs = origin === id || billed === undefined ? null : termsOf(billed);
    const key = theirs === null ? id : origin;
    const sum = bases.get(key) ?? { terms: theirs ?? snapshot, base: 0n };
    sum.base += BigInt(amount);
    bases.set(key, sum);
  }
  const shares = [...bases]
    .filter(([, { base }]) => base !== 0n)
    .map(([origin, { terms, base }]): Share => {
      const before = originTotals(world, origin);
      return { origin, terms, base, tax: chargeTax(before.base + base, terms) - before.tax };
    });
  const tax = shares.reduce((sum, share) => sum + share.tax, 0n);
  const payable = totalOf(lines) + tax;
  const amounts = [tax, payable, ...shares.flatMap((share) => [share.base, share.tax])];
  const groups = groupShares(shares).flatMap((share) => [share.base, share.tax]);
  return [...amounts, ...groups].some((amount) => amount > LARGEST || amount < -LARGEST)
    ? null
    : { parts, shares, taxAmount: Number(tax), payableAmount: Number(payable) };
};

/** Sums the shares by treatment, label and rate. */
export const groupShares = (
  shares: ReadonlyArray<Share>,
): ReadonlyArray<{ readonly terms: string; readonly base: bigint; readonly tax: bigint }> => {
  const named = shares.map((share) => ({
    ...share,
    terms: [share.terms.treatment, share.terms.label, share.terms.rateBps].join(" "),
  }));
  return [...new Set(named.map(({ terms }) => terms))].map((terms) => {
    const own = named.filter((candidate) => candidate.terms === terms);
    return {
      terms,
      base: own.reduce((sum, { base }) => sum + base, 0n),
      tax: own.reduce((sum, { tax }) => sum + tax, 0n),
    };
  });
};

/** The amount whose sign decides the next state of an approved settlement. */
export const decidingAmount = (settlement: Settlement): number =>
  termsOf(settlement) === null ? Number(totalOf(settlement.lines)) : (settlement.payableAmount ?? 0);
