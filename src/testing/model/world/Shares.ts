/** Shares of sales in the model, as exact fractions. */

/** A numerator and its denominator. */
export type Fraction = readonly [bigint, bigint];

const greatestDivisor = (a: bigint, b: bigint): bigint => (b === 0n ? a : greatestDivisor(b, a % b));

/** The fraction of a share, `"n/d"` or a decimal. */
export const fractionOf = (share: string): Fraction => {
  const [over = "", under] = share.split("/");
  if (under !== undefined) return [BigInt(over), BigInt(under)];
  const [whole = "", decimals = ""] = share.split(".");
  return [BigInt(whole + decimals), 10n ** BigInt(decimals.length)];
};

/** A share as it is stored: a decimal without zeros behind it, or a fraction in lowest terms where there is none. */
export const storedShare = (share: string): string => {
  const [over, under] = fractionOf(share);
  const divisor = greatestDivisor(over, under);
  const [numerator, denominator] = [over / divisor, under / divisor];
  for (let digits = 0; digits <= 6; digits++) {
    const scaled = numerator * 10n ** BigInt(digits);
    if (scaled % denominator > 0n) continue;
    const text = String(scaled / denominator).padStart(digits + 1, "0");
    return digits === 0 ? text : `${text.slice(0, -digits)}.${text.slice(-digits)}`;
  }
  return `${numerator}/${denominator}`;
};

/** The sum of shares, as it is stored. */
export const addShares = (shares: ReadonlyArray<string>): string => {
  const [over, under] = shares
    .map(fractionOf)
    .reduce(([a, b], [c, d]): Fraction => [a * d + c * b, b * d], [0n, 1n]);
  return storedShare(`${over}/${under}`);
};
