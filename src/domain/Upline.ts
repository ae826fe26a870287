/** Credits of uplines: what the partners above the sellers of a sale get, by the links at the moment for which it counts. */
import { Either } from "effect";
import { Rational } from "../formula/index.ts";
import { compareArrival, numberOf, type OfPartner, SELLER } from "./Credit.ts";
import type { PartnerId } from "./Ids.ts";
import { SALE_CREDITS_MAX, UPLINE_DEPTH_MAX } from "./Limits.ts";
import { covers, groupBy, type Link } from "./PartnerLink.ts";
import { type Invalid, invalid } from "./Refusal.ts";
import type { Timestamp } from "./Timestamp.ts";

/** The links upwards of each partner. */
export type Uplines = ReadonlyMap<PartnerId, ReadonlyArray<Link>>;

/** The links upwards of each partner, from links in any order. */
export const uplinesOf = (links: ReadonlyArray<Link>): Uplines =>
  groupBy(links, ({ partnerId }) => partnerId);

/** The partners that stand above others in any role and at any time. */
export const partnersAbove = (
  uplines: Uplines,
  partnerIds: ReadonlyArray<PartnerId>,
): ReadonlySet<PartnerId> => {
  const above = new Set<PartnerId>();
  const visit = (partnerId: PartnerId): void => {
    for (const { uplinePartnerId } of uplines.get(partnerId) ?? []) {
      if (above.has(uplinePartnerId)) continue;
      above.add(uplinePartnerId);
      visit(uplinePartnerId);
    }
  };
  for (const partnerId of partnerIds) visit(partnerId);
  return above;
};

/** The partners above a link, the one that it names first. Ends also in a store that is damaged, where a chain meets itself. */
const chainFrom = (uplines: Uplines, first: Link, moment: Timestamp): ReadonlyArray<PartnerId> => {
  const chain: Array<PartnerId> = [];
  let link: Link | undefined = first;
  while (link !== undefined && chain.length < UPLINE_DEPTH_MAX) {
    const { uplinePartnerId }: Link = link;
    chain.push(uplinePartnerId);
    link = uplines.get(uplinePartnerId)?.find((next) => next.role === first.role && covers(next, moment));
  }
  return chain;
};

/** A credit that an upline gets, and the sellers whose chain of the role has it at the depth. */
type UplineCredit = OfPartner & Required<Pick<OfPartner, "sellers">>;

/**
 * The credits of the uplines of a sale, as they arrive. In each role that no given credit has, every partner of a seller's chain
 * gets one for its depth, whose share is the sum of the shares of the sellers below it at that depth.
 */
export const creditsAbove = (
  uplines: Uplines,
  given: ReadonlyArray<OfPartner>,
  moment: Timestamp,
): ReadonlyArray<OfPartner> => {
  const rolesGiven = new Set(given.map(({ role }) => role));
  const sellersGiven = given.filter(({ role }) => role === SELLER);
  const found = new Map<string, UplineCredit>();
  for (const seller of sellersGiven) {
    for (const link of uplines.get(seller.partnerId) ?? []) {
      const { role } = link;
      if (rolesGiven.has(role) || !covers(link, moment)) continue;
      for (const [index, partnerId] of chainFrom(uplines, link, moment).entries()) {
        const depth = index + 1;
        const key = JSON.stringify([partnerId, role, depth]);
        const { share, sellers } = found.get(key) ?? { share: "0", sellers: [] };
        found.set(key, {
          ...{ partnerId, role },
          share: Rational.format(Rational.add(numberOf(share), numberOf(seller.share))),
          depth,
          sellers: [...sellers, seller.partnerId],
        });
      }
    }
  }
  return [...found.values()]
    .map(({ sellers, ...credit }) =>
      sellers.length === sellersGiven.length ? credit : { ...credit, sellers },
    )
    .sort(compareArrival);
};

/** Refuses a sale that would have so many credits, with those of uplines. */
export const checkCount = (count: number): Either.Either<void, Invalid> =>
  count <= SALE_CREDITS_MAX
    ? Either.void
    : Either.left(
        invalid(
          "credits",
          `must not be more than ${SALE_CREDITS_MAX} with those of uplines; the sale would have ${count}`,
        ),
      );
