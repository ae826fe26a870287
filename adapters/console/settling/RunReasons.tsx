/** Why a run would leave out a part of what is due to a partner. */
import { ForbiddenError } from "quittance/client";
import type { Finding, Partner, Terms } from "../api/Records.ts";
import { useMay, useSession } from "../api/Session.ts";
import { useLoad } from "../data/Load.ts";
import { countWords, money } from "../format/Money.ts";
import { LoadResult } from "../parts/Basics.tsx";

const minimumWords = (terms: Terms, currency: string): string => {
  const minimum = terms.minimum[currency];
  return minimum === undefined ? "the minimum" : `the minimum of ${money(minimum, currency)}`;
};

/** What becomes of an amount that a run does not draft; null where the amount is not left out for a reason of its own. */
const reasonWords = ({ reason, total, currency }: Finding, terms: Terms): string | null => {
  if (total === null || total === 0 || currency === null) return null;
  const amount = money(total, currency);
  if (reason === "below_minimum")
    return `Runs leave out ${amount}: it is below ${minimumWords(terms, currency)}.`;
  if (reason === "negative") return `Runs leave out ${amount}: it is netted with later sales.`;
  return reason === "partner_suspended" ? `Runs leave out ${amount}: the partner is suspended.` : null;
};

/** The reasons in sentences; none where a run drafts all that is due. */
export const reasonsOf = (finding: Finding, terms: Terms): ReadonlyArray<string> => {
  const { currency, onHoldCount, onHoldAmount, notAcceptedCount, notAcceptedAmount } = finding;
  const amountOf = (amount: number | null): string =>
    amount === null || currency === null ? "" : ` (${money(amount, currency)})`;
  return [
    reasonWords(finding, terms),
    onHoldCount > 0 &&
      `Runs leave out ${countWords(onHoldCount, "sale")}${amountOf(onHoldAmount)}: sales may be settled ${countWords(terms.holdDays, "day")} after their date.`,
    notAcceptedCount > 0 &&
      `Runs leave out ${countWords(notAcceptedCount, "sale")}${amountOf(notAcceptedAmount)} until the partner has accepted the plan.`,
  ].filter((reason) => typeof reason === "string");
};

/** The most sales of which a run is computed to explain the page of a partner. */
const SALES_MAX = 2_000;

/** Nothing for a key that may start no run, and for partners with very many sales that are due. */
export const RunReasons = ({
  partner,
  dueCount,
}: {
  readonly partner: Partner;
  readonly dueCount: number;
}) => {
  const { client } = useSession();
  const may = useMay();
  const { id, workspaceId } = partner;
  const isRead = may("settlements:read") && may("settlements:write") && dueCount > 0 && dueCount <= SALES_MAX;
  const loaded = useLoad(`run-reasons/${id}/${isRead}`, async (signal) => {
    if (!isRead) return [];
    try {
      const [{ results }, { inForce }] = await Promise.all([
        client.dryRun({ workspaceId, partnerIds: [id] }, signal),
        client.remote.settlementPolicies.readOverride(workspaceId, id, { signal }),
      ]);
      return results.flatMap((finding) => reasonsOf(finding, inForce));
    } catch (problem) {
      // A key for some partners alone may start no run.
      if (problem instanceof ForbiddenError) return [];
      throw problem;
    }
  });
  return (
    <LoadResult loaded={loaded} lines={1} what="Reading why runs leave an amount out">
      {(reasons) =>
        reasons.map((reason) => (
          <p key={reason} class="note">
            {reason}
          </p>
        ))
      }
    </LoadResult>
  );
};
