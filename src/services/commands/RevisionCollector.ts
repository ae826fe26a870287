/** Brings the commissions of one formula to the amounts that they should have. */
import * as Commission from "../../domain/Commission.ts";
import type { Formula } from "../../domain/Formula.ts";
import { CommissionId } from "../../domain/Ids.ts";
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
}

/** The rule of the amounts. */
interface Amounts {
  readonly formula: Formula;
  readonly evaluate: Commission.Evaluate;
  /** The cause of changed amounts; by default the command that the amount's rule follows from. */
  readonly cause?: Commission.Cause;
}

/** Collects the changes of commissions. */
export const collectRevisions = (
  ids: IdSourceService,
  execution: Execution,
  { formula, evaluate, cause }: Amounts,
): RevisionCollector => {
  const revisions: Array<Revision> = [];
  const additions: Array<Change> = [];
  const requires: Array<Requirement> = [];
  const add = ({ attribution, commission }: AttributionForFormula): void => {
    if (commission === null && !Commission.isEarned(attribution, formula)) return;
    const outcome = Commission.compute(attribution, formula, evaluate);
    const events = Commission.revise(
      commission,
      outcome,
      cause ?? Commission.causeOf(Commission.basis(attribution, formula)),
    );
    if (events.length === 0) return;
    requires.push({
      type: "record",
      kind: "attribution",
      id: attribution.id,
      version: attribution.version,
    });
    if (commission !== null) {
      for (const event of events) revisions.push(Save.revision(execution, commission, event));
      return;
    }
    const id = ids.nextAt(CommissionId, execution.at);
    additions.push(
      Save.appendEvents("commission", execution, Commission.identity(id, attribution, formula), events),
    );
  };
  return {
    add,
    requires,
    changes: () => [
      ...(revisions.length === 0 ? [] : [{ type: "revise", revisions } as const]),
      ...additions,
    ],
  };
};
