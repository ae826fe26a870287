/** Brings the commissions of one formula to the amounts that they should have. */
import type { Attribution } from "../../domain/Attribution.ts";
import * as Commission from "../../domain/Commission.ts";
import type { Formula } from "../../domain/Formula.ts";
import { CommissionId } from "../../domain/Ids.ts";
import { isBelowOthers, type SellerChange } from "../../domain/Override.ts";
import type { Receipt } from "../../domain/Receipt.ts";
import type { IdSourceService } from "../../ports/IdSource.ts";
import type { AttributionForFormula, Change, Requirement, Revision } from "../../ports/Storage.ts";
import type { Execution } from "./Pipeline.ts";
import * as Save from "./Save.ts";

/** The changes that were collected, and their requirements. */
interface RevisionCollector {
  /** Collects the change that an attribution's commission under the formula needs. */
  readonly add: (found: AttributionForFormula) => void;
  readonly changes: () => ReadonlyArray<Change>;
  readonly requires: ReadonlyArray<Requirement>;
  /** The changed commissions of sellers of sales that others earn from as well. */
  readonly sellers: ReadonlyArray<SellerChange>;
}

/** The last statement of receipts for each attribution, and the requirement that it is the last. */
export interface StatedReceipts {
  readonly of: (attribution: Attribution) => Receipt | null;
  readonly requires: (attribution: Attribution) => ReadonlyArray<Requirement>;
}

/** The rule of the amounts. */
export interface Amounts {
  readonly formula: Formula;
  readonly evaluate: Commission.Evaluate;
  /** The cause of amounts that an evaluation changes; by default the change of the formula. */
  readonly cause?: Commission.Cause;
}

/** The same for commissions that may be new. */
interface CollectedAmounts extends Amounts {
  /** What was stated of the sales of attributions that have no commission under the formula. */
  readonly receipts: StatedReceipts;
}

/**
 * The events that bring the commission of an attribution under a formula up to date; none where it is, or nothing is earned.
 * A new one begins with what was stated of its sale's buyer, and is due also where the sale was settled elsewhere: what was settled
 * then was what the sale had earned.
 */
export const eventsOf = (
  { attribution, commission }: AttributionForFormula,
  { formula, evaluate, cause }: Amounts,
  stated: Receipt | null,
): ReadonlyArray<Commission.CommissionEvent> => {
  if (commission === null && !Commission.isEarned(attribution, formula)) return [];
  const outcome = Commission.compute(attribution, formula, evaluate);
  if (commission === null)
    return Commission.begin(outcome, formula, { receipt: stated, settledElsewhere: null });
  const basis = Commission.basis(attribution, formula);
  return Commission.revise(
    commission,
    outcome,
    (basis === "evaluated" ? cause : undefined) ?? Commission.causeOf(basis),
  );
};

/** Collects the changes of commissions. */
export const collectRevisions = (
  ids: IdSourceService,
  execution: Execution,
  amounts: CollectedAmounts,
): RevisionCollector => {
  const { formula, receipts } = amounts;
  const revisions: Array<Revision> = [];
  const additions: Array<Change> = [];
  const requires: Array<Requirement> = [];
  const sellers: Array<SellerChange> = [];
  const add = ({ attribution, commission }: AttributionForFormula): void => {
    const events = eventsOf({ attribution, commission }, amounts, receipts.of(attribution));
    if (events.length === 0) return;
    requires.push({
      type: "record",
      kind: "attribution",
      id: attribution.id,
      version: attribution.version,
    });
    const note = (changed: SellerChange["commission"]) => {
      if (isBelowOthers(attribution)) sellers.push({ attribution, commission: changed });
    };
    if (commission !== null) {
      const added = events.map((event) => Save.revision(execution, commission, event));
      revisions.push(...added);
      note({ ...commission, ...added.at(-1) });
      return;
    }
    requires.push(...receipts.requires(attribution));
    const id = ids.nextAt(CommissionId, execution.at);
    const identity = Commission.identity(id, attribution, formula);
    const addition = Save.appendEvents("commission", execution, identity, events);
    additions.push(addition);
    note(addition.row);
  };
  return {
    add,
    requires,
    sellers,
    changes: () => [
      ...(revisions.length === 0 ? [] : [{ type: "revise", revisions } as const]),
      ...additions,
    ],
  };
};
