/** What an approver should look at twice in a draft, beside the earlier settlements of its partner. */
import type { Partner, Settlement } from "../api/Records.ts";
import { day } from "../format/Dates.ts";
import { money, plain } from "../format/Money.ts";

/** A draft of more than so many times the usual amount is unusual. */
const UNUSUAL_TIMES = 3;

/** The usual amount is the median of so many of the latest settlements. */
const LATEST = 6;

/** True if the settlement was approved and not given back since. */
export const counts = ({ status }: Settlement): boolean =>
  status.type !== "draft" && status.type !== "cancelled";

const median = (amounts: ReadonlyArray<number>): number => {
  const sorted = amounts.toSorted((a, b) => a - b);
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? 0;
};

/** The approved settlements of the draft's partner in its currency, the latest first. */
export const earlierOf = (
  { id, partnerId, currency }: Settlement,
  settlements: ReadonlyArray<Settlement>,
): ReadonlyArray<Settlement> =>
  settlements
    .filter(
      (other) =>
        other.id !== id && other.partnerId === partnerId && other.currency === currency && counts(other),
    )
    .toSorted((a, b) => b.createdAt.localeCompare(a.createdAt));

/** The remarks on a draft, the most important first; none where it is like those before. */
export const remarksOn = (
  draft: Settlement,
  partner: Partner | undefined,
  earlier: ReadonlyArray<Settlement>,
  /** When the account of the partner has changed for the last time. */
  changedAt: string | null = null,
): ReadonlyArray<string> => {
  const [last] = earlier;
  const { total, currency, stale } = draft;
  const usual = median(earlier.slice(0, LATEST).map((settlement) => settlement.total));
  const times = usual > 0 ? total / usual : 0;
  const remarks = [
    total < 0 && "The partner owes this amount",
    partner?.payoutProblem && `Cannot be paid yet: ${partner.payoutProblem}`,
    stale && "An amount has changed since the draft",
    earlier.length === 0 && `First settlement in ${currency}`,
    changedAt !== null &&
      last !== undefined &&
      changedAt > last.createdAt &&
      `Account changed on ${day(changedAt)}, after the settlement of ${day(last.createdAt)}`,
    times > UNUSUAL_TIMES &&
      `${plain(Math.floor(times * 10) / 10)} times the usual ${money(usual, currency)}`,
  ];
  return remarks.filter((remark) => typeof remark === "string");
};
