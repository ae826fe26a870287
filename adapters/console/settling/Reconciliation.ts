/** How what partners have due in no settlement adds up: what a run drafts, what it leaves out, and changes in settlements. */
import type { Client } from "../api/Client.ts";
import type { Finding, PartnerBalance } from "../api/Records.ts";
import { minus } from "../format/Money.ts";

/** What becomes of changes to sales that are in settlements. */
export const CHANGES_WORDS =
  "Sales that have changed since they went into a settlement, such as by a return, count as due with the change. A draft that is out of date takes it in when it is cancelled and drafted again; any other settlement leaves it to the next one.";

/** The balance of a partner in a currency. */
export type Balance = Pick<PartnerBalance["balances"][number], "currency" | "due" | "pending"> & {
  readonly partnerId: string;
};

/** What is due in a currency and in no settlement yet, in parts. */
export interface Parts {
  readonly currency: string;
  /** In the drafts of the run. */
  readonly drafted: bigint;
  /** Null where the run does not state an amount of what it leaves out. */
  readonly leftOut: bigint | null;
  /** By how much sales in settlements have changed since; null where {@link leftOut} is. */
  readonly changed: bigint | null;
  /** Due, in no settlement yet, as the overview and the partners have it. */
  readonly due: bigint;
}

export interface PartsOfPartner extends Parts {
  readonly partnerId: string;
}

/** What a run does not draft; null if it does not state one of the amounts. */
const leftOutOf = (finding: Finding): bigint | null => {
  const { reason, total, onHoldAmount, notAcceptedAmount, notComputableCount } = finding;
  if (total === null || onHoldAmount === null || notAcceptedAmount === null || notComputableCount > 0)
    return null;
  return BigInt(onHoldAmount) + BigInt(notAcceptedAmount) + (reason === null ? 0n : BigInt(total));
};

/** The parts of each partner and currency in which something is due, from what a run until now finds. */
export const partsOf = (
  findings: ReadonlyArray<Finding>,
  balances: ReadonlyArray<Balance>,
): ReadonlyArray<PartsOfPartner> => {
  const keyOf = (partnerId: string, currency: string | null): string => `${partnerId} ${currency}`;
  const found = new Map(findings.map((finding) => [keyOf(finding.partnerId, finding.currency), finding]));
  return balances.flatMap(({ partnerId, currency, ...balance }) => {
    const due = minus(balance.due, balance.pending);
    const finding = found.get(keyOf(partnerId, currency));
    if (due === 0n && finding === undefined) return [];
    const drafted = finding?.reason === null ? BigInt(finding.total ?? 0) : 0n;
    const leftOut = finding === undefined ? 0n : leftOutOf(finding);
    const changed = leftOut === null ? null : due - drafted - leftOut;
    return [{ partnerId, currency, drafted, leftOut, changed, due }];
  });
};

const plus = (a: bigint | null, b: bigint | null): bigint | null => (a === null || b === null ? null : a + b);

/** The sums by currency, in the order of the codes. */
export const sumParts = (parts: ReadonlyArray<Parts>): ReadonlyArray<Parts> => {
  const sums = new Map<string, Parts>();
  for (const { currency, drafted, leftOut, changed, due } of parts) {
    const sum = sums.get(currency) ?? { currency, drafted: 0n, leftOut: 0n, changed: 0n, due: 0n };
    sums.set(currency, {
      currency,
      drafted: sum.drafted + drafted,
      leftOut: plus(sum.leftOut, leftOut),
      changed: plus(sum.changed, changed),
      due: sum.due + due,
    });
  }
  return [...sums.values()].sort((a, b) => a.currency.localeCompare(b.currency));
};

/** The most partners of one request. */
const PARTNERS_MAX = 100;

/** The present balances of partners. */
export const readBalances = async (
  client: Client,
  partnerIds: ReadonlyArray<string>,
  signal: AbortSignal,
): Promise<ReadonlyArray<Balance>> => {
  const found: Array<Balance> = [];
  for (let from = 0; from < partnerIds.length; from += PARTNERS_MAX) {
    const some = partnerIds.slice(from, from + PARTNERS_MAX);
    found.push(...(await client.remote.partners.balances({ partnerIds: some }, { signal })).balances);
  }
  return found;
};
