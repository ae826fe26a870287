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

/** A comparison of both systems, commission by commission: it holds sums and differences, and no commission that is the same. */
export class Reconciliation {
  readonly #drafts = new Map<string, Draft>();
  readonly #names = new Map<string, string>();

  #draftOf(partner: string, currency: Currency.Currency): Draft {
    const key = keyOf(partner, currency);
    const draft = this.#drafts.get(key) ?? {
      ...{ partner, currency, reasons: [] },
      ...{ theirs: { earned: 0n, paid: 0n }, ours: { earned: 0n, paid: 0n } },
    };
    this.#drafts.set(key, draft);
    return draft;
  }

  #addStored({ partner, currency, earned, settled }: Stored): Draft {
    const draft = this.#draftOf(partner, currency);
    draft.ours.earned += BigInt(earned);
    draft.ours.paid += BigInt(settled);
    return draft;
  }

  /** Adds a commission of the other system, and what is stored of it here. Void ones count nothing. */
  add(sale: Sale, stored: Stored | undefined): void {
    const { partner, currency, state, earned } = sale;
    this.#names.set(partner.reference, partner.name);
    const { theirs, reasons } = this.#draftOf(partner.reference, currency);
    if (state !== "void") theirs.earned += BigInt(earned);
    if (state === "paid") theirs.paid += BigInt(earned);
    const difference = differenceOf(sale, stored);
    if (difference !== null) reasons.push(difference);
    if (stored !== undefined) this.#addStored(stored);
  }

  /** Adds a commission that is stored here and that the export lacks. */
  addUnknown(reference: string, stored: Stored): void {
    const { earned, currency } = stored;
    this.#addStored(stored).reasons.push(
      `${reference}: ${Currency.formatAmount(earned, currency)} here, not in the export`,
    );
  }

  /**
   * A line for each partner and currency, in the order of the names. Where the other system states a total, that is what it
   * says, and rows that the export lacks are a reason.
   */
  lines(totals: Totals): ReadonlyArray<Line> {
    return [...this.#drafts.values()]
      .map((draft): Line => {
        const { partner, currency, theirs, reasons } = draft;
        const name = this.#names.get(partner) ?? partner;
        const stated = totals.get(keyOf(partner, currency));
        if (stated === undefined || stated === theirs.earned) return { ...draft, name };
        const reason = `the stated total is ${Currency.formatAmount(stated, currency)}, the rows of the export add up to ${Currency.formatAmount(theirs.earned, currency)}`;
        return { ...draft, name, theirs: { ...theirs, earned: stated }, reasons: [...reasons, reason] };
      })
      .sort(
        (a, b) =>
          a.name.localeCompare(b.name, "en") || (a.partner + a.currency < b.partner + b.currency ? -1 : 1),
      );
  }
}
