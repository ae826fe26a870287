/**
 * Tax of self-billed documents: each part of a line is taxed under the terms of the document that first billed it, so
 * that a correction returns exactly the tax that was charged.
 */
import type { CommissionId, CustomerId, PartnerId, SettlementId, WorkspaceId } from "./Ids.ts";
import { type Amount, divideHalfAwayFromZero } from "./Money.ts";
import type { TaxConfig } from "./Partner.ts";
import type { Timestamp } from "./Timestamp.ts";

/** An amount of one commission, under the settlement that billed it first. */
export interface BilledPart {
  /** The settlement in which the amount was new. */
  readonly originId: SettlementId;
  readonly amount: Amount;
}

/** A settlement line, with the parts of its commission that were billed before and not reversed. */
export interface LineWithBilledParts {
  readonly commissionId: CommissionId;
  readonly amount: Amount;
  /** Amounts other than 0, one per origin, the settlement created last first; their sum is P. */
  readonly billed: ReadonlyArray<BilledPart>;
}

/** The part of a settlement's line that reverses an amount of an earlier settlement. */
export interface Reversal extends BilledPart {
  readonly commissionId: CommissionId;
}

/** The change that one self-billed settlement makes to an origin: its own, or an earlier one that it corrects. */
export interface Share {
  readonly originId: SettlementId;
  /** Net of tax. */
  readonly base: Amount;
  readonly tax: Amount;
}

/** What a document states for one treatment, label and rate. */
export interface TaxGroup extends TaxConfig {
  /** Net of tax. */
  readonly base: Amount;
  readonly tax: Amount;
}

/** The tax side of a self-billed settlement, stored by its approval under the settlement's own id. */
export interface TaxOrigin {
  readonly id: SettlementId;
  readonly customerId: CustomerId;
  readonly workspaceId: WorkspaceId;
  readonly partnerId: PartnerId;
  /** Treatment, label and rate of the approval's snapshot; what was new in the settlement is taxed under them. */
  readonly terms: TaxConfig;
  /**
   * The net amount that was new here, less its reversals. A decimal integer as text, because sums over settlements may
   * exceed what one amount can hold.
   */
  readonly base: string;
  /** The tax charged and not returned on {@link base}; a decimal integer as text. */
  readonly tax: string;
  /** The changes by the settlement's own document, one for each origin. */
  readonly shares: ReadonlyArray<Share>;
  readonly createdAt: Timestamp;
}

/** How a settlement is taxed; amounts are exact and may exceed {@link MAX_AMOUNT}, which the approval then refuses. */
export interface Assessment {
  readonly reversals: ReadonlyArray<Reversal>;
  readonly shares: ReadonlyArray<{
    readonly originId: SettlementId;
    readonly base: bigint;
    readonly tax: bigint;
  }>;
  readonly groups: ReadonlyArray<TaxConfig & { readonly base: bigint; readonly tax: bigint }>;
  /** The sum over the shares. */
  readonly tax: bigint;
}

/** Tax on a net amount under terms: rounded once, half away from zero. */
export const taxOn = (base: bigint, { treatment, rateBps }: TaxConfig): bigint =>
  treatment === "standard" ? divideHalfAwayFromZero(base * BigInt(rateBps ?? 0), 10_000n) : 0n;

/**
 * The parts of a line that reverse billed amounts of its commission with the opposite sign, latest first. A line that
 * brings the commission to 0 reverses all of them, whatever their sign.
 */
export const reversalsOf = ({
  commissionId,
  amount,
  billed,
}: LineWithBilledParts): ReadonlyArray<Reversal> => {
  const total = billed.reduce((sum, part) => sum + BigInt(part.amount), 0n);
  if (total + BigInt(amount) === 0n) {
    return billed.map((part) => ({ commissionId, originId: part.originId, amount: -part.amount }));
  }
  const parts: Array<Reversal> = [];
  let open = amount;
  for (const part of billed) {
    if (open === 0 || part.amount > 0 === open > 0) continue;
    const size = Math.min(Math.abs(open), Math.abs(part.amount));
    const taken = open > 0 ? size : -size;
    parts.push({ commissionId, originId: part.originId, amount: taken });
    open -= taken;
  }
  return parts;
};

/** True if two terms are stated in one group of a document. */
export const sameTerms = (a: TaxConfig, b: TaxConfig): boolean =>
  a.treatment === b.treatment && a.label === b.label && a.rateBps === b.rateBps;

const groupByTerms = (
  parts: ReadonlyArray<{ readonly terms: TaxConfig; readonly base: bigint; readonly tax: bigint }>,
): Assessment["groups"] => {
  const groups: Array<{ terms: TaxConfig; base: bigint; tax: bigint }> = [];
  for (const { terms, base, tax } of parts) {
    const group = groups.find((candidate) => sameTerms(candidate.terms, terms));
    if (group === undefined) groups.push({ terms, base, tax });
    else {
      group.base += base;
      group.tax += tax;
    }
  }
  return groups.map(({ terms: { treatment, label, rateBps }, base, tax }) => ({
    ...{ treatment, label, rateBps },
    ...{ base, tax },
  }));
};

/** What the tax of a settlement depends on. */
export interface Assessed {
  readonly settlementId: SettlementId;
  /** The sum of all lines. */
  readonly total: Amount;
  /** The lines whose commissions have billed amounts that are not reversed, in any order. */
  readonly lines: ReadonlyArray<LineWithBilledParts>;
  /** The approval's snapshot; null for a partner that writes its own invoices. */
  readonly terms: TaxConfig | null;
  /** The origins that {@link lines} name; those of partner-billed settlements do not exist. */
  readonly origins: ReadonlyArray<TaxOrigin>;
}

/**
 * The tax of a settlement. For each origin with the base o and the tax V, it is round(rate × (o + parts)) − V. A
 * reversal of a partner-billed line is taxed under the approval's snapshot, as new amounts are. Parts that cancel out
 * within an origin do not change it. A partner-billed settlement has reversals and changes no origin.
 */
export const assess = ({ settlementId, total, lines, terms, origins }: Assessed): Assessment => {
  const reversals = lines.flatMap(reversalsOf);
  if (terms === null) return { reversals, shares: [], groups: [], tax: 0n };
  const byId = new Map<string, TaxOrigin>(origins.map((origin) => [origin.id, origin]));
  const bases = new Map<TaxOrigin, bigint>();
  let own = BigInt(total);
  for (const { originId, amount } of reversals) {
    const origin = byId.get(originId);
    if (origin === undefined) continue;
    bases.set(origin, (bases.get(origin) ?? 0n) + BigInt(amount));
    own -= BigInt(amount);
  }
  const corrected = [...bases].map(([origin, base]) => ({
    originId: origin.id,
    terms: origin.terms,
    base,
    tax: taxOn(BigInt(origin.base) + base, origin.terms) - BigInt(origin.tax),
  }));
  const parts = [{ originId: settlementId, terms, base: own, tax: taxOn(own, terms) }, ...corrected].filter(
    ({ base }) => base !== 0n,
  );
  return {
    reversals,
    shares: parts.map(({ originId, base, tax }) => ({ originId, base, tax })),
    groups: groupByTerms(parts),
    tax: parts.reduce((sum, { tax }) => sum + tax, 0n),
  };
};

/** The effect of a settlement's tax on an origin: its approval applies it, an end without payment reverts it. */
export type Movement = "apply" | "revert";

/** The origins after a settlement's shares; origins that no share names are left out. */
export const moveShares = (
  origins: ReadonlyArray<TaxOrigin>,
  shares: ReadonlyArray<Share>,
  movement: Movement,
): ReadonlyArray<TaxOrigin> => {
  const byId = new Map<string, Share>(shares.map((share) => [share.originId, share]));
  const sign = movement === "apply" ? 1n : -1n;
  return origins.flatMap((origin) => {
    const share = byId.get(origin.id);
    if (share === undefined) return [];
    const base = BigInt(origin.base) + sign * BigInt(share.base);
    const tax = BigInt(origin.tax) + sign * BigInt(share.tax);
    return [{ ...origin, base: String(base), tax: String(tax) }];
  });
};
