/** Compares what another system says that partners earned and were paid with what is stored here. */
import { Currency, type Money } from "quittance";
import type { Sale } from "./Sale.ts";

/** A commission as it is stored here. */
export interface Stored {
  /** The reference of its partner. */
  readonly partner: string;
  readonly currency: Currency.Currency;
  readonly earned: Money.Amount;
  /** What is settled: by the takeover, or here since. */
  readonly settled: Money.Amount;
}

/** What a partner earned and was paid in a currency. */
interface Sums {
  readonly earned: bigint;
  readonly paid: bigint;
}

/** A partner and a currency. */
export interface Line {
  readonly partner: string;
  readonly name: string;
  readonly currency: Currency.Currency;
  readonly theirs: Sums;
  readonly ours: Sums;
  /** Why both differ; empty where they do not. */
  readonly reasons: ReadonlyArray<string>;
}

/** True if both say the same of a partner. */
export const agrees = ({ theirs, ours, reasons }: Line): boolean =>
  theirs.earned === ours.earned && theirs.paid === ours.paid && reasons.length === 0;

/** A total that the other system states, by partner and currency. */
export type Totals = ReadonlyMap<string, bigint>;

export const keyOf = (partner: string, currency: string): string => `${partner} ${currency}`;

interface Draft {
  readonly partner: string;
  readonly name: string;
  readonly currency: Currency.Currency;
  readonly theirs: { earned: bigint; paid: bigint };
  readonly ours: { earned: bigint; paid: bigint };
  readonly reasons: Array<string>;
}

/** Why one commission differs, or null. */
const differenceOf = (sale: Sale, stored: Stored | undefined): string | null => {
  const { reference, partner, currency, earned, state } = sale;
  const money = (amount: number) => Currency.formatAmount(amount, currency);
  if (state === "void")
    return stored === undefined || stored.earned === 0
      ? null
      : `${reference}: void there, ${money(stored.earned)} here`;
  if (stored === undefined) return `${reference}: ${money(earned)} there, not stored here`;
  if (stored.partner !== partner.reference) return `${reference}: stored here for ${stored.partner}`;
  if (stored.earned !== earned) return `${reference}: ${money(earned)} there, ${money(stored.earned)} here`;
  const paid = state === "paid" ? earned : 0;
  return stored.settled === paid
    ? null
    : `${reference}: ${money(paid)} paid there, ${money(stored.settled)} settled here`;
};

/**
 * A line for each partner and currency, in the order of the names. Void commissions count nothing. Where the other system
 * states a total, that is what it says, and rows that the export lacks are a reason.
 */
export const reconcile = (
  sales: ReadonlyMap<string, Sale>,
  stored: ReadonlyMap<string, Stored>,
  totals: Totals = new Map(),
): ReadonlyArray<Line> => {
  const drafts = new Map<string, Draft>();
  const names = new Map([...sales.values()].map(({ partner: { reference, name } }) => [reference, name]));
  const draftOf = (partner: string, currency: Currency.Currency): Draft => {
    const key = keyOf(partner, currency);
    const draft = drafts.get(key) ?? {
      ...{ partner, name: names.get(partner) ?? partner, currency, reasons: [] },
      ...{ theirs: { earned: 0n, paid: 0n }, ours: { earned: 0n, paid: 0n } },
    };
    drafts.set(key, draft);
    return draft;
  };
  for (const sale of sales.values()) {
    const { theirs, reasons } = draftOf(sale.partner.reference, sale.currency);
    if (sale.state !== "void") theirs.earned += BigInt(sale.earned);
    if (sale.state === "paid") theirs.paid += BigInt(sale.earned);
    const difference = differenceOf(sale, stored.get(sale.reference));
    if (difference !== null) reasons.push(difference);
  }
  for (const [reference, { partner, currency, earned, settled }] of stored) {
    const { ours, reasons } = draftOf(partner, currency);
    ours.earned += BigInt(earned);
    ours.paid += BigInt(settled);
    if (!sales.has(reference))
      reasons.push(`${reference}: ${Currency.formatAmount(earned, currency)} here, not in the export`);
  }
  for (const draft of drafts.values()) {
    const { partner, currency, theirs, reasons } = draft;
    const stated = totals.get(keyOf(partner, currency));
    if (stated === undefined || stated === theirs.earned) continue;
    reasons.push(
      `the stated total is ${Currency.formatAmount(stated, currency)}, the rows of the export add up to ${Currency.formatAmount(theirs.earned, currency)}`,
    );
    theirs.earned = stated;
  }
  return [...drafts.values()].sort(
    (a, b) =>
      a.name.localeCompare(b.name, "en") || (a.partner + a.currency < b.partner + b.currency ? -1 : 1),
  );
};
