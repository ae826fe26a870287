/** What a change of a sale would change of what its partners earn. */
import { Array as Arrays } from "effect";
import type * as Commission from "../../domain/Commission.ts";
import type { EarningChange } from "../../domain/EarningChange.ts";
import * as Ledger from "../../domain/Ledger.ts";
import { canSee, type Principal } from "../../domain/Principal.ts";
import type { Change, Versioned } from "../../ports/Storage.ts";

type Earned = Versioned<Commission.Commission>;

/** The sum of amounts; null of none, and where one cannot be computed. */
const sumOf = (commissions: ReadonlyArray<Commission.Commission>): number | null =>
  commissions.length === 0
    ? null
    : commissions.reduce<number | null>(
        (sum, { computedAmount }) => (sum === null || computedAmount === null ? null : sum + computedAmount),
        0,
      );

const dueOf = (commissions: ReadonlyArray<Commission.Commission>): number =>
  commissions.reduce((sum, commission) => sum + Ledger.due(commission), 0);

/** What the commissions of one partner under one formula change: those that are taken back, and those after the change. */
const changeOf = (
  { partnerId, formulaId, currency }: Commission.Commission,
  before: ReadonlyArray<Earned>,
  after: ReadonlyArray<Commission.Commission>,
): EarningChange => ({
  ...{ partnerId, formulaId, currency },
  amountBefore: sumOf(before),
  amountAfter: sumOf(after),
  dueBefore: dueOf(before),
  // What was settled of those that are taken back comes back.
  dueAfter:
    dueOf(after) +
    (after === before ? 0 : dueOf(before.map((one) => ({ ...one, computedAmount: 0, waitingAmount: null })))),
  computationError: after.find(({ computationError }) => computationError !== null)?.computationError ?? null,
});

/**
 * What the commissions that the principal sees change where some are taken back and a decision creates others; nothing where it
 * is null.
 */
export const earningChanges = (
  principal: Principal,
  taken: ReadonlyArray<Earned>,
  changes: ReadonlyArray<Change> | null,
): ReadonlyArray<EarningChange> => {
  const before = taken.filter((one) => canSee(principal, one));
  const created = changes?.flatMap((change) =>
    change.type === "save" && change.kind === "commission" && canSee(principal, change.row)
      ? [change.row]
      : [],
  );
  const firsts = Arrays.dedupeWith(
    [...before, ...(created ?? [])],
    (one: Commission.Commission, other) => one.formulaId === other.formulaId,
  );
  return firsts.map((first) => {
    const isSame = ({ formulaId }: Commission.Commission) => formulaId === first.formulaId;
    const own = before.filter(isSame);
    return changeOf(first, own, created?.filter(isSame) ?? own);
  });
};
