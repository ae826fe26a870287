/** Credits in the model: the parts of a sale as exact fractions, and who has which. */
import type { Given } from "../../../domain/Credit.ts";
import type { AttributionId, PartnerId } from "../../../domain/Ids.ts";
import { fractionOf, storedShare } from "./Shares.ts";
import type { Attribution } from "./World.ts";

/** A partner's part of a sale, as it is stored. */
export interface Part {
  readonly partnerId: PartnerId;
  readonly role: string;
  readonly share: string;
  readonly depth: number;
  /** The sellers below an upline, where these are not all. */
  readonly sellers?: ReadonlyArray<PartnerId>;
}

/** A multiple of the denominator of every share: 10^6, and of every number up to 20. */
const WHOLE = 1_000_000n * 232_792_560n;

const isShare = (share: string): boolean => {
  const [over = "", under] = share.split("/");
  if (under === undefined) return /^[0-9]?([.][0-9]{1,6})?$/.test(share) && share !== "";
  return [over, under].every((number) => /^[1-9][0-9]?$/.test(number) && Number(number) <= 20);
};

const partsOfWhole = (share: string): bigint => {
  const [over, under] = fractionOf(share);
  return (over * WHOLE) / under;
};

const withDefaults = ({ partnerId, role = "seller", share = "1" }: Given) => ({ partnerId, role, share });

/** True if the credits of a request are those of a sale, whoever its partner is. */
export const areSellers = (given: ReadonlyArray<Given>): boolean => {
  const credits = given.map(withDefaults);
  const sellers = credits.filter(({ role }) => role === "seller");
  return (
    credits.length >= 1 &&
    credits.length <= 20 &&
    credits.every(({ role }) => role.trim() !== "" && [...role].length <= 64) &&
    credits.every(
      ({ share }) => isShare(share) && partsOfWhole(share) > 0n && partsOfWhole(share) <= WHOLE,
    ) &&
    new Set(credits.map((credit) => `${credit.partnerId} ${credit.role}`)).size === credits.length &&
    sellers.reduce((sum, { share }) => sum + partsOfWhole(share), 0n) === WHOLE
  );
};

/** True if the credits of a request are those of a sale of its partner. */
export const areCredits = (partnerId: PartnerId, given: ReadonlyArray<Given>): boolean =>
  areSellers(given) &&
  given.some((credit) => credit.partnerId === partnerId && (credit.role ?? "seller") === "seller");

/** The parts of a sale, that of its partner first; one where the partner alone earns from it. */
export const partsOf = (
  partnerId: PartnerId,
  given: ReadonlyArray<Given> | undefined,
): readonly [Part, ...ReadonlyArray<Part>] => {
  const parts = (given ?? []).map((credit): Part => {
    const { share, ...other } = withDefaults(credit);
    return { ...other, share: storedShare(share), depth: 0 };
  });
  const own = parts.find((part) => part.partnerId === partnerId && part.role === "seller");
  return own === undefined
    ? [{ partnerId, role: "seller", share: "1", depth: 0 }]
    : [own, ...parts.filter((part) => part !== own)];
};

/** True if a part arrives before another one of its partner. */
export const isBefore = (a: Part, b: Part): boolean =>
  a.depth < b.depth || (a.depth === b.depth && a.role < b.role);

/** The credit of a part as it is stored: null where there is no other, and marked where the partner has one before it. */
export const creditOf = (parts: ReadonlyArray<Part>, part: Part): Attribution["credit"] => {
  if (parts.length === 1) return null;
  const { partnerId, ...credit } = part;
  const isFurther =
    part !== parts[0] &&
    parts.some((other) => other.partnerId === partnerId && (other === parts[0] || isBefore(other, part)));
  return { ...credit, ...(isFurther ? { further: true } : {}) };
};

/** The attributions of the sale of an origin, itself first. */
export const saleOf = (
  attributions: ReadonlyArray<Attribution>,
  originId: AttributionId,
): ReadonlyArray<Attribution> => [
  ...attributions.filter(({ id }) => id === originId),
  ...attributions.filter((attribution) => attribution.originId === originId),
];

/** One text for each set of parts. */
export const textOfParts = (parts: ReadonlyArray<Part>): string =>
  parts
    .map(({ partnerId, role, share }) => `${partnerId} ${role} ${share}`)
    .sort()
    .join("\n");

/** The parts that were given for the sale of an origin, that of its partner first. */
export const givenParts = (
  attributions: ReadonlyArray<Attribution>,
  originId: AttributionId,
): ReadonlyArray<Part> =>
  saleOf(attributions, originId).flatMap(({ partnerId, credit }) => {
    const { role, share, depth } = credit ?? { role: "seller", share: "1", depth: 0 };
    return depth === 0 ? [{ partnerId, role, share, depth }] : [];
  });
