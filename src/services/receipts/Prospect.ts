/** What a statement of a receipt would release of what a sale earns. */
import type { CommissionId, FormulaId, PartnerId } from "../../domain/Ids.ts";
import * as Ledger from "../../domain/Ledger.ts";
import type { Amount } from "../../domain/Money.ts";
import { canSee, type Principal } from "../../domain/Principal.ts";
import type { Change } from "../../ports/Storage.ts";
import type { Sale } from "./Receiving.ts";

/** A commission that waits for its buyer, before and after a statement. */
export interface ReleaseChange {
  readonly commissionId: CommissionId;
  readonly partnerId: PartnerId;
  readonly formulaId: FormulaId;
  readonly currency: string;
  /** Null where it cannot be computed. */
  readonly computedAmount: Amount | null;
  readonly releasedBefore: Amount;
  readonly releasedAfter: Amount;
  /** What the next settlement pays, or takes back. */
  readonly dueBefore: Amount;
  readonly dueAfter: Amount;
}

/** What the changes of a statement do to the commissions of the sale that wait for its buyer and that the principal sees. */
export const releaseChanges = (
  principal: Principal,
  { earned }: Sale,
  changes: ReadonlyArray<Change>,
): ReadonlyArray<ReleaseChange> => {
  const revisions = new Map(
    changes.flatMap((change) =>
      change.type === "revise"
        ? change.revisions.map((revision) => [revision.commissionId, revision] as const)
        : [],
    ),
  );
  return earned
    .filter((one) => one.receipt !== null && canSee(principal, one))
    .map((before) => {
      const after = { ...before, ...revisions.get(before.id) };
      return {
        ...{ commissionId: before.id, partnerId: before.partnerId, formulaId: before.formulaId },
        ...{ currency: before.currency, computedAmount: before.computedAmount },
        releasedBefore: Ledger.releasedAmount(before),
        releasedAfter: Ledger.releasedAmount(after),
        dueBefore: Ledger.due(before),
        dueAfter: Ledger.due(after),
      };
    });
};
