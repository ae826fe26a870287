/** What partners have due in the model, by currency: the lines of a draft, or the reason why there is none. */
import type { CommissionId, PartnerId } from "../../../domain/Ids.ts";
import type { Partner } from "../../../domain/Partner.ts";
import type { Terms } from "../../../domain/SettlementPolicy.ts";
import { isAccepted } from "../world/Acceptances.ts";
import { quantities } from "../world/Earnings.ts";
import type { DueTotal, Finding, SettlementRun } from "../world/Settlements.ts";
import { DAY } from "../world/Time.ts";
import type { Commission, Formula, World } from "../world/World.ts";
import { termsOf } from "./Policies.ts";

const LARGEST = 9_007_199_254_740_991n;
const amountOrNull = (sum: bigint): number | null => (sum > LARGEST || sum < -LARGEST ? null : Number(sum));
const magnitude = (amount: number | bigint): bigint => {
  const value = BigInt(amount);
  return value < 0n ? -value : value;
};

/** Of whom a run reads what is due, and until when. */
type Criteria = Pick<SettlementRun, "customerId" | "workspaceId" | "currencies" | "until">;

interface DueCommission {
  readonly commission: Commission & { readonly id: CommissionId };
  readonly currency: string;
  readonly occurredAt: number;
}

const inOrder = (
  a: { readonly createdAt: number; readonly id: string },
  b: { readonly createdAt: number; readonly id: string },
): number => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1);

/** The commissions of a partner that occurred before the end of a run, in the order in which they become lines. */
const commissionsOf = (world: World, partnerId: PartnerId, until: number): ReadonlyArray<DueCommission> => {
  const attributions = new Map(
    world.attributions
      .filter((attribution) => attribution.partnerId === partnerId)
      .map((attribution) => [attribution.id, attribution]),
  );
  const formulas = new Map<string, Formula>(world.formulas.map((formula) => [formula.id, formula]));
  return world.commissions
    .flatMap((commission) => {
      const attribution = attributions.get(commission.attributionId);
      const currency = formulas.get(commission.formulaId)?.currency;
      const { id } = commission;
      if (
        id === null ||
        attribution === undefined ||
        currency === undefined ||
        attribution.occurredAt >= until
      )
        return [];
      return [{ commission: { ...commission, id }, currency, occurredAt: attribution.occurredAt }];
    })
    .toSorted((a, b) => inOrder(a.commission, b.commission));
};

/** True if something was settled of the sales that a sale replaced. */
const replacesSettled = (world: World, attributionId: string): boolean => {
  const earlier = world.attributions.find(({ id }) => id === attributionId)?.replaces ?? null;
  if (earlier === null) return false;
  return (
    world.commissions.some(
      (commission) => commission.attributionId === earlier && quantities(world, commission).settledLines > 0,
    ) || replacesSettled(world, earlier)
  );
};

/** What becomes of a commission that is due. */
type What = "inOpenSettlement" | "notComputable" | "notAccepted" | "onHold" | "waiting" | "lines";

const addDue = (dueTotal: DueTotal, what: What, line: DueTotal["lines"][number]): DueTotal => {
  switch (what) {
    case "lines":
      return { ...dueTotal, lines: [...dueTotal.lines, line] };
    case "notAccepted":
    case "onHold":
      return { ...dueTotal, [what]: [...dueTotal[what], line.amount] };
    default:
      return { ...dueTotal, [what]: dueTotal[what] + 1 };
  }
};

/** The formulas of a partner; they stay the same objects as long as they do not change. */
export const formulasOf = ({ formulas }: World, partnerId: PartnerId): ReadonlyArray<Formula> =>
  formulas.filter((formula) => formula.partnerId === partnerId);

/** A partner; it stays the same object as long as it does not change. */
export const partnerOf = ({ partners }: World, partnerId: PartnerId): Partner | undefined =>
  partners.find(({ id }) => id === partnerId);

/** What a partner has due, by currency in alphabetical order; a currency that the run names is among them in any case. */
export const readDue = (
  world: World,
  { customerId, workspaceId, currencies, until }: Criteria,
  partnerId: PartnerId,
): ReadonlyArray<readonly [string, DueTotal]> => {
  const terms = termsOf(world, customerId, workspaceId, partnerId);
  const all = commissionsOf(world, partnerId, until);
  const formulas = terms.requireAcceptance ? formulasOf(world, partnerId) : [];
  const found = new Map<string, DueTotal>();
  const nothing: DueTotal = {
    ...{ terms, lines: [], onHold: [], notAccepted: [], notComputable: 0, inOpenSettlement: 0, waiting: 0 },
    ...{ formulas, partner: partnerOf(world, partnerId) },
  };
  const isCovered = (formulaId: string, moment: number): boolean =>
    formulas.every((formula) => formula.id !== formulaId || isAccepted(world, formula, moment));
  for (const currency of currencies ?? []) found.set(currency, nothing);
  for (const { commission, currency, occurredAt } of all) {
    if (currencies !== null && !currencies.includes(currency)) continue;
    const { due, waiting, holder, settledLines } = quantities(world, commission);
    const isComputable = commission.failing === null;
    if (due === 0 && isComputable && (waiting ?? 0) === 0) continue;
    const decide = (): What => {
      if (due === 0 && isComputable) return "waiting";
      if (holder !== null) return "inOpenSettlement";
      if (!isComputable) return "notComputable";
      // A correction of what was settled, of the sale or of one that it replaced, neither waits nor is asked for.
      if (settledLines > 0 || replacesSettled(world, commission.attributionId)) return "lines";
      if (!isCovered(commission.formulaId, occurredAt)) return "notAccepted";
      return occurredAt > until - terms.holdDays * DAY ? "onHold" : "lines";
    };
    found.set(
      currency,
      addDue(found.get(currency) ?? nothing, decide(), { commissionId: commission.id, amount: due }),
    );
  }
  return [...found].toSorted(([one], [other]) => (one < other ? -1 : 1));
};

const sumOf = (amounts: ReadonlyArray<number>): bigint =>
  amounts.reduce((sum, amount) => sum + BigInt(amount), 0n);

const reasonOf = (currency: string, dueTotal: DueTotal): Finding["reason"] => {
  const { partner, terms, lines, onHold, notAccepted, notComputable, inOpenSettlement, waiting } = dueTotal;
  const count = lines.length + onHold.length + notAccepted.length + notComputable + inOpenSettlement;
  if (count > 0 && partner?.status === "suspended") return "partner_suspended";
  if (lines.length === 0) {
    if (notComputable > 0) return "not_computable";
    if (notAccepted.length > 0) return "not_accepted";
    if (onHold.length > 0) return "on_hold";
    if (inOpenSettlement > 0) return "in_open_settlement";
    return waiting > 0 ? "waiting" : "nothing_due";
  }
  const total = sumOf(lines.map(({ amount }) => amount));
  if (amountOrNull(total) === null) return "not_computable";
  if (total < 0n && terms.negative === "carry_forward") return "negative";
  return magnitude(total) < BigInt(terms.minimum[currency] ?? 0) ? "below_minimum" : null;
};

/** What a run finds for a partner and currency. */
export const findingOf = (partnerId: PartnerId, currency: string, dueTotal: DueTotal): Finding => ({
  partnerId,
  currency,
  reason: reasonOf(currency, dueTotal),
  total: amountOrNull(sumOf(dueTotal.lines.map(({ amount }) => amount))),
  lineCount: dueTotal.lines.length,
  onHoldCount: dueTotal.onHold.length,
  onHoldAmount: amountOrNull(sumOf(dueTotal.onHold)),
  notComputableCount: dueTotal.notComputable,
  notAcceptedCount: dueTotal.notAccepted.length,
  notAcceptedAmount: amountOrNull(sumOf(dueTotal.notAccepted)),
  inOpenSettlementCount: dueTotal.inOpenSettlement,
});

/** The result of a partner without anything due. */
export const nothingDue = (partnerId: PartnerId): Finding => ({
  ...{ partnerId, currency: null, reason: "nothing_due", total: 0, lineCount: 0 },
  ...{ onHoldCount: 0, onHoldAmount: 0, notComputableCount: 0, inOpenSettlementCount: 0 },
  ...{ notAcceptedCount: 0, notAcceptedAmount: 0 },
});

/** True if a run approves a draft of this total by itself. */
export const approvesItself = (
  { autoApprove, fourEyesAbove }: Terms,
  currency: string,
  total: number,
): boolean => {
  const limit = autoApprove === "never" ? undefined : autoApprove[currency];
  const above = fourEyesAbove[currency];
  return (
    limit !== undefined &&
    magnitude(total) <= BigInt(limit) &&
    (above === undefined || magnitude(total) <= BigInt(above))
  );
};

/** The partners of a workspace, in order of creation. */
export const partnersOf = (world: World, { customerId, workspaceId }: Criteria): ReadonlyArray<PartnerId> =>
  world.partners
    .filter((partner) => partner.customerId === customerId && partner.workspaceId === workspaceId)
    .toSorted(inOrder)
    .map(({ id }) => id);

/** Sums of drafts by currency. */
export const totalsOf = (
  drafts: ReadonlyArray<{ readonly currency: string | null; readonly total: number }>,
): ReadonlyArray<{ readonly currency: string; readonly amount: bigint }> =>
  [...new Set(drafts.map(({ currency }) => currency ?? ""))].toSorted().map((currency) => ({
    currency,
    amount: sumOf(drafts.filter((draft) => draft.currency === currency).map(({ total }) => total)),
  }));
