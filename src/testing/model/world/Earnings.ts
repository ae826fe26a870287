/** The amounts of commissions: the join of attributions and formulas, and the ledger, computed from scratch each time. */

import {
  accumulates,
  arrivedBefore,
  isInWindow,
  isSameFormulaSet,
  isSameSet,
  joins,
  type SetMember,
  versionAt,
} from "./Joins.ts";
import { appendEntry } from "./Log.ts";
import { sellersCommission } from "./Overrides.ts";
import { amountOf, appliesShare, dayOfSale, reaches, readsOf, readsSellers } from "./Plan.ts";
import { isSameCommission, isTooFar, possiblePaidSums } from "./Range.ts";
import { paidOf, releasedOf, waitingOf } from "./Receipts.ts";
import type { Settlement } from "./Settlements.ts";
import { isOpen } from "./States.ts";
import { movesValues, statementNumberAt, valueAt } from "./Values.ts";
import {
  type Attribution,
  type Commission,
  type Formula,
  mapWhere,
  OneOf,
  type PendingCancellation,
  type World,
} from "./World.ts";

/** The confirmed attributions of the same partner and schema that arrived before an attribution. */
const earlierThan = ({ attributions }: World, attribution: Attribution): ReadonlyArray<Attribution> =>
  attributions.filter(
    (candidate) =>
      candidate.cancelReason === null &&
      isSameSet(candidate, attribution) &&
      arrivedBefore(candidate, attribution),
  );

/** The moment at which an attribution of a formula set is created: not before the last one, where a formula accumulates. */
export const momentOfCreation = ({ now, formulas, attributions }: World, attribution: SetMember): number => {
  if (!formulas.some((formula) => accumulates(formula) && isSameFormulaSet(attribution, formula))) return now;
  const own = attributions.filter(
    (candidate) =>
      candidate.partnerId === attribution.partnerId && candidate.schemaId === attribution.schemaId,
  );
  return own.reduce((latest, { createdAt }) => Math.max(latest, createdAt), now);
};

/** What an amount is computed by: the version of the expression, and the number of the last statement of values that it uses. */
const computedBy = (formula: Formula, moment: number) => {
  const version = versionAt(formula, moment);
  const plan = formula.versions[version - 1]?.plan;
  const reads = plan === undefined ? [] : readsOf(plan);
  return { plan, version, parametersVersion: statementNumberAt(formula, reads, moment) };
};

/** Why there is no amount: it, or its difference to what is paid, is beyond the largest; or a seller below has none. */
type Failing = NonNullable<Commission["failing"]>;

/**
 * A: the amount with what it was computed by (null when a rule forces 0), or why there is none. It is
 * A = round(evaluate(expression at t, values at t)) for the date t that the attribution counts for.
 */
const computeAmount = (
  world: World,
  attribution: Attribution,
  formula: Formula,
):
  | { readonly amount: number; readonly by: Pick<Commission, "version" | "parametersVersion"> | null }
  | Failing => {
  if (!joins(attribution, formula)) return { amount: 0, by: null };
  const { occurredAt } = attribution;
  const { plan, ...by } = computedBy(formula, occurredAt);
  if (plan === undefined) return "amount";
  const ofSellers = readsSellers(plan) ? sellersCommission(world, attribution, formula.currency) : 0n;
  if (ofSellers === null) return "sellers";
  const sale = { ...attribution, sellersCommission: ofSellers };
  const amount = amountOf(plan, sale, earlierThan(world, attribution), (name) =>
    valueAt(formula, name, occurredAt),
  );
  return amount === null ? "amount" : { amount, by };
};

/** The explanation of a commission's amount: the rule that decides it, and the version of the formula. */
export const explainAmount = (
  world: World,
  commission: Commission,
  attribution: Attribution,
  formula: Formula,
) => {
  const forced =
    attribution.cancelReason !== null
      ? "attribution_cancelled"
      : formula.cancelReason !== null
        ? "formula_cancelled"
        : isInWindow(formula, attribution.occurredAt)
          ? null
          : "outside_window";
  if (forced !== null) {
    const { version: formulaVersion, parametersVersion } = commission;
    return {
      ...{ amount: 0, basis: forced, formulaVersion, parametersVersion, derived: false },
      ...releasedPart(world, attribution, formula, 0),
      ...elsewherePart(commission, attribution),
    };
  }
  const { plan, version: formulaVersion, parametersVersion } = computedBy(formula, attribution.occurredAt);
  const computed = computeAmount(world, attribution, formula);
  const amount = typeof computed === "string" ? null : computed.amount;
  return {
    ...{ amount, formulaVersion, parametersVersion, derived: true },
    ...(plan === undefined || attribution.credit === null ? {} : { applyShare: appliesShare(plan) }),
    basis: amount === null ? "failed" : "evaluated",
    ...releasedPart(world, attribution, formula, amount),
    ...elsewherePart(commission, attribution),
  };
};

/** The part of an amount that was settled elsewhere, where there is one. */
const elsewherePart = ({ elsewhere }: Commission, { settledElsewhere }: Attribution) =>
  elsewhere === null ? {} : { settledElsewhere: { amount: elsewhere, ...settledElsewhere } };

/** The payable part of an amount and the part that waits, where it waits for the buyer. */
const releasedPart = (world: World, { id }: Attribution, formula: Formula, amount: number | null) => {
  const paid = paidOf(world, id, formula);
  if (paid === null) return {};
  const releasedAmount = releasedOf(amount ?? 0, paid);
  return { released: { ...paid, releasedAmount, waitingAmount: (amount ?? 0) - releasedAmount } };
};

/** True if the recomputation after a cancellation computes the amount of an attribution under a formula. */
export const isRecomputedAfter = (
  world: World,
  { attributionId, formulas }: PendingCancellation,
  attribution: Attribution,
  formula: Formula,
): boolean => {
  const counted = formulas.find(({ id }) => id === formula.id);
  const cancelled = world.attributions.find(({ id }) => id === attributionId);
  return (
    counted !== undefined &&
    cancelled !== undefined &&
    accumulates(formula) &&
    isSameSet(cancelled, attribution) &&
    arrivedBefore(cancelled, attribution) &&
    counted.versions.some(({ plan }) =>
      reaches(plan, { from: dayOfSale(cancelled), day: dayOfSale(attribution) }, (name) =>
        valueAt(formula, name, attribution.occurredAt),
      ),
    )
  );
};

/**
 * The cause of an amount that a cancelled formula sets to 0. A recomputation of an earlier change that was still pending at
 * the cancellation may have been first, where that change set the amount to 0 as well.
 */
const cancelledCause = ({ pendingFormulas }: World, { id, assignment }: Formula): string | OneOf =>
  pendingFormulas.filter((formula) => formula === id).length > 1 || (assignment?.appliedAtOnce ?? 0) > 1
    ? new OneOf("formula_cancelled", "formula_updated")
    : "formula_cancelled";

/**
 * The cause of a changed amount: the cancellation that makes it 0, else a recomputation that is pending when the amount is
 * stored, be it that of the changed formula or that after a cancelled attribution. While both are pending, either may be first.
 */
const causeOf = (world: World, attribution: Attribution, formula: Formula): string | OneOf => {
  if (attribution.cancelReason !== null) return "attribution_cancelled";
  if (formula.cancelReason !== null) return cancelledCause(world, formula);
  const isAfterCancellation = world.pendingCancellations.some((cancellation) =>
    isRecomputedAfter(world, cancellation, attribution, formula),
  );
  if (!isAfterCancellation) return "formula_updated";
  return world.pendingFormulas.includes(formula.id)
    ? new OneOf("formula_updated", "recomputed")
    : "recomputed";
};

/** What brings commissions up to date: the cause of changed amounts, where it is not that of the formula or attribution. */
interface Refreshing {
  readonly cause?: string;
}

/** The commission brought up to date; a new one when there was none. */
const refreshCommission = (
  world: World,
  before: Commission | null,
  attribution: Attribution,
  formula: Formula,
  { cause }: Refreshing,
): Commission => {
  const { now } = world;
  const was: Commission = before ?? {
    attributionId: attribution.id,
    formulaId: formula.id,
    id: null,
    amount: null,
    version: null,
    parametersVersion: null,
    failing: null,
    elsewhere: null,
    createdAt: now,
    log: [],
  };
  const outcome = computeAmount(world, attribution, formula);
  const paidSums = before === null ? [] : possiblePaidSums(world, before);
  const paid = paidOf(world, attribution.id, formula);
  const begun = (log: Commission["log"]): Commission["log"] =>
    before !== null || paid === null || paid.of === null
      ? log
      : appendEntry(log, now, "update_received", paid);
  const release = before === null && formula.release !== null ? { release: formula.release } : {};
  const isFar = (amount: number) => isTooFar(releasedOf(amount, paid), paidSums);
  const tooFar = typeof outcome !== "string" && isFar(outcome.amount) ? "difference" : null;
  const failing = typeof outcome === "string" ? outcome : tooFar;
  if (typeof outcome === "string" || failing !== null) {
    const code = failing === "sellers" ? "SELLER_NOT_COMPUTED" : "OVERFLOW";
    const failed = () => appendEntry(was.log, now, "fail_commission_computation", { code, ...release });
    return was.failing === failing ? was : { ...was, failing, log: begun(failed()) };
  }
  const { amount } = outcome;
  const { version, parametersVersion } = outcome.by ?? was;
  const computed = { ...was, amount, version, parametersVersion, failing: null };
  const fields = {
    ...{ amount, formula_version: version },
    parameters_version: parametersVersion ?? undefined,
  };
  if (was.amount === null)
    return {
      ...computed,
      log: begun(appendEntry(was.log, now, "create_commission", { ...fields, ...release })),
    };
  if (was.amount === amount && was.failing === null) return was;
  const stated = { ...fields, cause: cause ?? causeOf(world, attribution, formula) };
  return { ...computed, log: appendEntry(was.log, now, "update_commission", stated) };
};

/** Brings the existing commissions that a predicate selects up to date. */
export const refreshCommissions = (
  world: World,
  picks: (commission: Commission) => boolean,
  refreshing: Refreshing = {},
): World => ({
  ...world,
  commissions: mapWhere(world.commissions, picks, (commission) => {
    const attribution = world.attributions.find(({ id }) => id === commission.attributionId);
    const formula = world.formulas.find(({ id }) => id === commission.formulaId);
    return attribution === undefined || formula === undefined
      ? commission
      : refreshCommission(world, commission, attribution, formula, refreshing);
  }),
});

/** Adds the commissions that the join requires and that are missing, among the pairs that a predicate selects. */
export const addMissingCommissions = (
  world: World,
  picks: (attribution: Attribution, formula: Formula) => boolean,
): World => {
  const added = world.attributions.flatMap((attribution) =>
    world.formulas
      .filter((formula) => picks(attribution, formula) && joins(attribution, formula))
      .filter(
        (formula) =>
          !world.commissions.some((commission) =>
            isSameCommission(commission, { attributionId: attribution.id, formulaId: formula.id }),
          ),
      )
      .map((formula) => refreshCommission(world, null, attribution, formula, {})),
  );
  return added.length === 0 ? world : { ...world, commissions: [...world.commissions, ...added] };
};

/** The quantities of one commission. */
interface Quantities {
  /** P. */
  readonly paid: number;
  /** The part of P that comes from negative lines. */
  readonly paidNegative: number;
  /** W⁺ and W⁻. */
  readonly writtenOffPositive: number;
  readonly writtenOffNegative: number;
  /** R. */
  readonly pending: number;
  /** S. */
  readonly settled: number;
  /** D. */
  readonly due: number;
  /** A − T; null where the amount does not wait for the buyer. */
  readonly waiting: number | null;
  /** How many of its lines were paid or written off. */
  readonly settledLines: number;
  readonly holder: Settlement | null;
  readonly status: "unsettled" | "pending_settlement" | "settled";
}

interface HeldLine {
  readonly settlement: Settlement;
  readonly amount: number;
}

/** The lines of a commission in settlements that are not cancelled. */
const linesOf = (world: World, commission: Commission): ReadonlyArray<HeldLine> => {
  const found: Array<HeldLine> = [];
  for (const settlement of world.settlements) {
    if (settlement.status.type === "cancelled") continue;
    for (const line of settlement.lines)
      if (isSameCommission(line, commission)) found.push({ settlement, amount: line.amount });
  }
  return found;
};

const total = (amounts: ReadonlyArray<number>): number => amounts.reduce((sum, amount) => sum + amount, 0);

/** P, W⁺, W⁻, R, S, D and the settlement status, from the lines of every settlement. */
export const quantities = (world: World, commission: Commission): Quantities => {
  const lines = linesOf(world, commission);
  const amountsIn = (status: Settlement["status"]["type"]) =>
    lines.filter(({ settlement }) => settlement.status.type === status).map(({ amount }) => amount);
  const payments = [...amountsIn("paid"), ...(commission.elsewhere === null ? [] : [commission.elsewhere])];
  const writeOffs = amountsIn("written_off");
  const paid = total(payments);
  const paidNegative = total(payments.filter((payment) => payment < 0));
  const writtenOffPositive = total(writeOffs.filter((candidate) => candidate > 0));
  const writtenOffNegative = total(writeOffs.filter((candidate) => candidate < 0));
  const held = lines.findLast(({ settlement }) => isOpen(settlement));
  const holder = held?.settlement ?? null;
  const pending = held?.amount ?? 0;
  const settledLines = payments.length + writeOffs.length;
  const amount = commission.amount ?? 0;
  const waiting = waitingOf(world, commission);
  const released = amount - (waiting ?? 0);
  const open = released - paid;
  const absorbed = open > 0 ? Math.min(open, writtenOffPositive) : Math.max(open, writtenOffNegative);
  const settled = paid + absorbed;
  const due = released - settled;
  const done = settledLines > 0 && commission.amount !== null && due === 0 && (waiting ?? 0) === 0;
  const status = holder !== null ? "pending_settlement" : done ? "settled" : "unsettled";
  const sums = { paid, paidNegative, writtenOffPositive, writtenOffNegative, pending };
  return { ...sums, settled, due, waiting, settledLines, holder, status };
};

/** The cancellation of an attribution, with the formulas whose totals count it. */
export const pendingCancellation = (world: World, attribution: Attribution): PendingCancellation => ({
  attributionId: attribution.id,
  formulas: world.formulas.filter(
    (formula) =>
      accumulates(formula) && isSameFormulaSet(attribution, formula) && !isBeingBuilt(world, formula),
  ),
});

/** True if the totals of a formula are being built: its recomputation computes what new attributions earn. */
export const isBeingBuilt = ({ pendingFormulas }: World, formula: Formula): boolean =>
  accumulates(formula) && pendingFormulas.includes(formula.id);

const movesAmounts = (a: Formula, b: Formula): boolean =>
  a.start !== b.start ||
  a.end !== b.end ||
  a.versions !== b.versions ||
  a.cancelReason !== b.cancelReason ||
  movesValues(a, b, b);

/** The world with these formulas; those that are new or whose amounts may have changed are to be recomputed. */
export const withFormulas = (world: World, formulas: ReadonlyArray<Formula>): World => {
  const changed = formulas.filter((formula) => {
    const before = world.formulas.find(({ id }) => id === formula.id);
    return before === undefined || movesAmounts(before, formula);
  });
  return {
    ...world,
    formulas,
    pendingFormulas: [...world.pendingFormulas, ...changed.map(({ id }) => id)],
  };
};
