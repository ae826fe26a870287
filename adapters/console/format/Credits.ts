/** The words for a partner's part of a sale. */

import type { Attribution } from "../api/Records.ts";
import { t } from "../words/Language.ts";

export type Credit = NonNullable<Attribution["credit"]>;

/** The part of a partner who alone earns from a sale. */
export const ALONE: Credit = { role: "seller", share: "1", depth: 0 };

/** A share: `60 %`, or a fraction such as `1/3` where no finite decimal exists. */
export const shareWords = (share: string): string =>
  share.includes("/") ? share : `${Number((Number(share) * 100).toFixed(4))} %`;

/** A role with its level, where it has one: `manager, level 1`. */
export const roleWords = ({ role, depth }: Pick<Credit, "role" | "depth">): string =>
  [role.replaceAll("_", " "), ...(depth === 0 ? [] : [t("level {depth}", { depth })])].join(", ");

/** True for the ordinary part of a sale, of which nothing need be said: that of whoever sold it alone. */
export const isOrdinary = ({ role, share, depth }: Credit): boolean =>
  role === ALONE.role && share === ALONE.share && depth === 0;

/** A part in a sentence: `seller, 60 % of the sale`, `manager, level 1, the whole sale`. */
export const creditWords = (credit: Credit): string =>
  credit.share === "1"
    ? t("{role}, the whole sale", { role: roleWords(credit) })
    : t("{role}, {share} of the sale", { role: roleWords(credit), share: shareWords(credit.share) });

/** Orders credits of a sale: its origin first, then by level, with sellers before other roles. */
export const compareCredits = (a: Attribution, b: Attribution): number => {
  const rank = ({ originId, credit = ALONE }: Attribution): number =>
    originId === undefined ? 0 : 1 + 2 * Number(credit.depth) + (credit.role === ALONE.role ? 0 : 1);
  const roleOf = ({ credit = ALONE }: Attribution): string => credit.role;
  return rank(a) - rank(b) || roleOf(a).localeCompare(roleOf(b)) || a.id.localeCompare(b.id);
};
