/** What a partner has earned that no settlement has, and which part the next run settles. */
import type { SettlementSchedule } from "quittance/client";
import type { Client, Query } from "../api/Client.ts";
import type { Commission, Partner, PartnerBalance } from "../api/Records.ts";
import { DAY } from "../format/Dates.ts";
import { minus } from "../format/Money.ts";
import { readMyTerms } from "./MyTerms.ts";

/** What a commission that no settlement has is known by here. */
export type DueCommission = Pick<Commission, "id" | "currency" | "dueAmount" | "computationError">;

/** What no settlement has in one currency, by what becomes of it. */
export interface Parts {
  readonly currency: string;
  /** What the next run counts, before it compares it with the minimum. Null where it is not known: the rest is then 0. */
  readonly next: bigint | null;
  /** Of sales that are too recent for the next run. */
  readonly recent: bigint;
  /** Of sales whose amount cannot be computed at present. */
  readonly failed: bigint;
  /** By how much sales have changed since a settlement under way took them. */
  readonly changed: bigint;
  /** All of these together. */
  readonly left: bigint;
  /** What is due once buyers have paid. */
  readonly waiting: bigint;
}

/** What is due in one currency. Without commissions nothing is known of its parts. */
export const partsOf = (
  {
    currency,
    due,
    pending,
    waiting,
  }: Pick<PartnerBalance["balances"][number], "currency" | "due" | "pending" | "waiting">,
  commissions: ReadonlyArray<DueCommission> | null,
  recentIds: ReadonlySet<string>,
): Parts => {
  const left = minus(due, pending);
  const unknown = { currency, left, waiting: BigInt(waiting) };
  if (commissions === null) return { ...unknown, next: null, recent: 0n, failed: 0n, changed: 0n };
  const sums = { next: 0n, recent: 0n, failed: 0n };
  for (const one of commissions) {
    if (one.currency !== currency) continue;
    const part = one.computationError !== null ? "failed" : recentIds.has(one.id) ? "recent" : "next";
    sums[part] += BigInt(one.dueAmount);
  }
  return { ...unknown, ...sums, changed: left - sums.next - sums.recent - sums.failed };
};

/** True if there is something to say about a currency. */
export const isWorthSaying = ({ next, recent, failed, changed, left, waiting }: Parts): boolean =>
  [next ?? 0n, recent, failed, changed, left, waiting].some((amount) => amount !== 0n);

/** True of a partner whom runs leave out. */
export const isSuspended = ({ status }: Pick<Partner, "status">): boolean => status === "suspended";

/** What becomes of a partner on the day of the next run, as things stand. */
export type Outlook = "settled" | "waits" | "nothing" | "not_known" | "suspended" | "by_hand";

export const outlookOf = (
  partner: Pick<Partner, "status">,
  { cadence, nextRun, minimum }: Pick<SettlementSchedule, "cadence" | "nextRun" | "minimum">,
  parts: ReadonlyArray<Parts>,
): Outlook => {
  if (isSuspended(partner)) return "suspended";
  if (cadence === "manual" || nextRun === null) return "by_hand";
  const amounts = parts.flatMap(({ currency, next }) => (next === null ? [] : [{ currency, next }]));
  if (amounts.some(({ currency, next }) => next > 0n && next >= BigInt(minimum[currency] ?? 0)))
    return "settled";
  // What becomes of a negative sum is a term of the company that partners do not read.
  if (amounts.length < parts.length || amounts.some(({ next }) => next < 0n)) return "not_known";
  return parts.some(({ left, recent }) => left !== 0n || recent !== 0n) ? "waits" : "nothing";
};

/** Commissions that are read at most: for more, only their sum is shown. */
const COMMISSIONS_MAX = 500;

/** True if some line of a commission has settled: what is due of it is a correction, which does not wait. */
const isCorrection = ({ events }: Pick<Commission, "events">): boolean => {
  const types = events.map(({ event }) => event.type);
  const count = (type: (typeof types)[number]): number => types.filter((one) => one === type).length;
  return count("settle_commission") + count("settle_elsewhere") > count("reopen_commission");
};

/** The ids of those of the commissions that are too recent for the next run; null where that cannot be told. */
const readRecent = async (
  client: Client,
  query: Query,
  { holdDays, nextRun }: Pick<SettlementSchedule, "holdDays" | "nextRun">,
  signal: AbortSignal,
): Promise<ReadonlySet<string> | null> => {
  if (nextRun === null || holdDays === 0) return new Set();
  const from = new Date(Date.parse(nextRun.at) - holdDays * DAY + 1).toISOString();
  const held = (
    await client.every("commissions", { ...query, occurredFrom: from }, COMMISSIONS_MAX, signal)
  ).filter((commission) => !isCorrection(commission));
  const sales = await client.byIds(
    "attributions",
    held.map(({ attributionId }) => attributionId),
    signal,
  );
  // A sale that replaces one that was settled does not wait either, and whether that was so is not shown to the partner.
  const isKnown = held.every(({ attributionId }) => {
    const sale = sales.get(attributionId);
    return sale !== undefined && sale.replaces === undefined;
  });
  return isKnown ? new Set(held.map(({ id }) => id)) : null;
};

/** The formulas under which nothing waits until the partner accepts terms: all of theirs are accepted. */
const readAccepted = async (
  client: Client,
  partner: Partner,
  signal: AbortSignal,
): Promise<ReadonlySet<string>> => {
  const plans = await readMyTerms(client, [partner], signal);
  return new Set(
    plans.flatMap(({ terms }) =>
      terms.spans.every(({ acceptedAt }) => acceptedAt !== null) ? [terms.formulaId] : [],
    ),
  );
};

/** What no settlement has, in each currency in which there is something. */
export const readParts = async (
  client: Client,
  partner: Partner,
  balances: PartnerBalance["balances"],
  schedule: SettlementSchedule,
  signal: AbortSignal,
): Promise<ReadonlyArray<Parts>> => {
  const query = { partnerIds: [partner.id], settlementStatus: "unsettled", due: "nonzero" };
  const [commissions, recent, accepted] = await Promise.all([
    client.every("commissions", query, COMMISSIONS_MAX, signal),
    isSuspended(partner) ? new Set<string>() : readRecent(client, query, schedule, signal),
    schedule.requireAcceptance ? readAccepted(client, partner, signal) : null,
  ]);
  const isKnown =
    commissions.length < COMMISSIONS_MAX &&
    recent !== null &&
    commissions.every(({ commissionFormulaId }) => accepted?.has(commissionFormulaId) ?? true);
  return balances
    .map((balance) => partsOf(balance, isKnown ? commissions : null, recent ?? new Set()))
    .filter(isWorthSaying);
};
