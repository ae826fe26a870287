/** Decides changes of one formula: of its own, or together with the plan that assigned it. */
import { Effect } from "effect";
import * as CommissionPlan from "../../domain/CommissionPlan.ts";
import { nextAt } from "../../domain/Event.ts";
import * as Formula from "../../domain/Formula.ts";
import { RECOMPUTATION_BATCH } from "../../domain/Limits.ts";
import type { Position } from "../../domain/Recomputation.ts";
import type { Timestamp } from "../../domain/Timestamp.ts";
import type { Expression } from "../../formula/index.ts";
import type { IdSourceService } from "../../ports/IdSource.ts";
import type {
  AttributionForFormula,
  Earnings,
  Records,
  Requirement,
  StorageError,
  Versioned,
} from "../../ports/Storage.ts";
import { type Execution, noEffect } from "../commands/Pipeline.ts";
import * as Save from "../commands/Save.ts";
import { applyPlan } from "./AppliedPlan.ts";
import { withEffectiveDatetime } from "./EffectiveDates.ts";
import { effectOf } from "./FormulaChange.ts";

interface Tools {
  readonly storage: Records & Earnings;
  readonly ids: IdSourceService;
}

type Stored = Versioned<Formula.Formula>;

/** An update of a formula; the expression is checked, and null where it stays. */
interface FormulaUpdate {
  readonly execution: Execution;
  readonly formula: Stored;
  readonly request: Formula.Update;
  readonly expression: Expression | null;
}

/** Stores events of a formula; changes nothing where there are none. */
export const changeFormula = (
  { storage, ids }: Tools,
  execution: Execution,
  formula: Stored,
  events: ReadonlyArray<Formula.FormulaEvent>,
) =>
  Effect.gen(function* () {
    if (events.length === 0) return noEffect({});
    const save = Save.appendEvents("formula", execution, formula, events);
    const effect = yield* effectOf({ storage, ids }, execution, [{ before: formula, save }]);
    return { result: {}, requires: [], ...effect };
  });

/** Updates a formula that belongs to a plan: first it passes the plan's events, then the end of its assignment is set. */
const updateAssigned = (
  { storage, ids }: Tools,
  { execution, formula, request }: FormulaUpdate,
  { planId }: Formula.Assignment,
) =>
  Effect.gen(function* () {
    const { customerId, partnerId, schemaId } = formula;
    const log = yield* storage.log(customerId, "plan", planId);
    const { version, formulas } = yield* storage.formulaSet(customerId, partnerId, schemaId);
    const current = applyPlan(formula, log);
    const events = yield* CommissionPlan.updateAssigned(current.formula, request, formulas);
    if (events.length === 0) return noEffect({});
    const save = current.save(execution, events);
    const requires: ReadonlyArray<Requirement> = [
      { type: "record", kind: "plan", id: planId, version: log.length },
      { type: "formula_set", partnerId, schemaId, version },
    ];
    const effect = yield* effectOf({ storage, ids }, execution, [{ before: formula, save }]);
    return { result: {}, requires, ...effect };
  });

/**
 * The newest date of the attributions that occurred at a moment or later; null when there is none. There are few: their
 * dates are not after the clock of the process that created them.
 */
const newestSince = (
  storage: Earnings,
  formula: Formula.Formula,
  moment: Timestamp,
): Effect.Effect<Timestamp | null, StorageError> =>
  Effect.gen(function* () {
    let after: Position | null = null;
    for (;;) {
      const span = { from: moment, to: null, after, limit: RECOMPUTATION_BATCH };
      const found: ReadonlyArray<AttributionForFormula> = yield* storage.attributionsForFormula(
        formula,
        span,
      );
      const last = found[found.length - 1]?.attribution;
      if (last !== undefined) after = { occurredAt: last.occurredAt, id: last.id };
      if (found.length < RECOMPUTATION_BATCH) return after?.occurredAt ?? null;
    }
  });

/** Updates a formula that no plan assigned. A new expression without a date changes the amount of no existing attribution. */
const updateOwn = (tools: Tools, { execution, formula, request, expression }: FormulaUpdate) =>
  Effect.gen(function* () {
    const dated = yield* withEffectiveDatetime(tools.storage, formula, request);
    const moment = nextAt(execution.at, formula.lastAt);
    const holdsFromNow = expression !== null && dated.effectiveDatetime == null;
    const newest = holdsFromNow ? yield* newestSince(tools.storage, formula, moment) : null;
    const events = yield* Formula.update(formula, dated, expression, { now: moment, newest });
    const decision = yield* changeFormula(tools, execution, formula, events);
    const since = holdsFromNow ? Formula.effectiveDatetimeOf(events) : null;
    if (since === null) return decision;
    const { partnerId, schemaId, workspaceId } = formula;
    const rewritesNothing: Requirement = {
      ...{ type: "no_attribution_since", partnerId, schemaId, workspaceId, since },
    };
    return { ...decision, requires: [...decision.requires, rewritesNothing] };
  });

/** Updates a formula. */
export const updateFormula = (tools: Tools, update: FormulaUpdate) => {
  const { assignment } = update.formula;
  return assignment === null ? updateOwn(tools, update) : updateAssigned(tools, update, assignment);
};
