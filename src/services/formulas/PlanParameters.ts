/** Values of the parameters of a plan, stated for its partners: each formula of a partner states them. */
import { Effect, Either } from "effect";
import * as CommissionPlan from "../../domain/CommissionPlan.ts";
import { checkEffectiveDate } from "../../domain/EffectiveDate.ts";
import { type Entry, nextAt } from "../../domain/Event.ts";
import * as Formula from "../../domain/Formula.ts";
import type { PartnerId } from "../../domain/Ids.ts";
import { needsValues, SetValues } from "../../domain/Parameter.ts";
import { conflict, type Invalid, invalid, missing, type Refusal, within } from "../../domain/Refusal.ts";
import type { Earnings, Records, Requirement, StorageError, Versioned } from "../../ports/Storage.ts";
import { type Failure, validate } from "../commands/Access.ts";
import type { Execution } from "../commands/Pipeline.ts";
import * as Save from "../commands/Save.ts";
import { applyPlan } from "./AppliedPlan.ts";
import { withEffectiveDatetimes } from "./EffectiveDates.ts";
import type { FormulaChange } from "./FormulaChange.ts";

/** Values for one partner, and where they stand in the request; null where the partner is in the path. */
export interface StatedForPartner extends SetValues {
  readonly partnerId: PartnerId;
  readonly path: string | null;
}

/** A statement for one partner, which is in the path of the request. */
export const statedForPartner = (
  partnerId: PartnerId,
  input: SetValues,
): Either.Either<StatedForPartner, Invalid> =>
  Either.gen(function* () {
    const request = yield* validate(SetValues)(input);
    yield* checkEffectiveDate(request);
    return { ...request, partnerId, path: null };
  });

/** Statements for many partners, in their order. */
export const statedForPartners = (
  input: CommissionPlan.SetParameters,
): Either.Either<ReadonlyArray<StatedForPartner>, Invalid> =>
  Either.gen(function* () {
    const { partners } = yield* validate(CommissionPlan.SetParameters)(input);
    const stated = partners.map((partner, index) => ({ ...partner, path: `partners.${index}` }));
    for (const one of stated)
      yield* Either.mapLeft(checkEffectiveDate(one), (refusal) => within(one.path, refusal));
    return stated;
  });

type Stored = Versioned<Formula.Formula>;

/** A formula as it was read, with the events of its plan applied, and then with the values that were stated. */
interface Current {
  readonly before: Stored;
  readonly applied: ReadonlyArray<Entry<Formula.FormulaEvent>>;
  formula: Stored;
  readonly stated: Array<Entry<Formula.FormulaEvent>>;
}

/** States values for all formulas of one partner, with one date. */
const stateFor = (
  execution: Execution,
  own: ReadonlyArray<Current>,
  { path, ...request }: StatedForPartner,
): Either.Either<void, Refusal> =>
  Either.gen(function* () {
    const at = own.reduce((latest, { formula }) => nextAt(latest, formula.lastAt), execution.at);
    for (const current of own) {
      const events = yield* Either.mapLeft(Formula.setValues(current.formula, request, at), (refusal) =>
        path === null || refusal._tag !== "Invalid" ? refusal : within(path, refusal),
      );
      const saved = Save.appendEvents("formula", Save.stampAt(execution, at), current.formula, events);
      current.stated.push(...saved.entries);
      current.formula = saved.row;
    }
  });

/** The changes of the partners' formulas, which apply the plan first, and what they rely on. */
export const valuesChanges = (
  storage: Records & Earnings,
  execution: Execution,
  plan: Versioned<CommissionPlan.CommissionPlan>,
  stated: ReadonlyArray<StatedForPartner>,
): Effect.Effect<
  { readonly changed: ReadonlyArray<FormulaChange>; readonly requires: ReadonlyArray<Requirement> },
  Failure
> =>
  Effect.gen(function* () {
    const { customerId, schemaId, id } = plan;
    if (plan.status === "cancelled")
      return yield* conflict("plan_cancelled", "a cancelled plan cannot be changed");
    const log = yield* storage.log(customerId, "plan", id);
    const partnerIds = [...new Set(stated.map(({ partnerId }) => partnerId))];
    const sets = yield* storage.formulaSets(customerId, schemaId, partnerIds);
    const byPartner = new Map(
      sets.map(({ partnerId, formulas }) => {
        const own = formulas.filter(({ assignment }) => assignment?.planId === id);
        return [
          partnerId,
          own.map((before): Current => ({ before, ...applyPlan(before, log), stated: [] })),
        ] as const;
      }),
    );
    for (const one of yield* withEffectiveDatetimes(storage, plan, stated)) {
      const own = byPartner.get(one.partnerId) ?? [];
      if (own.length === 0)
        return one.path === null
          ? yield* missing("assignment")
          : yield* invalid(`${one.path}.partner_id`, "must be the id of a partner that has the plan");
      yield* stateFor(execution, own, one);
    }
    const changed = [...byPartner.values()]
      .flat()
      .filter((current) => current.stated.length > 0)
      .map(({ before, applied, stated: entries }) => ({
        before,
        save: Save.appendEntries("formula", before, [...applied, ...entries]),
      }));
    const requires: ReadonlyArray<Requirement> = [
      { type: "record", kind: "plan", id, version: log.length },
      ...sets.map(
        ({ partnerId, version }): Requirement => ({ type: "formula_set", partnerId, schemaId, version }),
      ),
    ];
    return { changed, requires };
  });

/** True if a plan has formulas, as far as an update depends on it: a new parameter without a default needs a plan without any. */
export const useOf = (
  storage: Earnings,
  { customerId, id, version, parameters }: Versioned<CommissionPlan.CommissionPlan>,
  request: CommissionPlan.Update,
): Effect.Effect<
  { readonly isUsed: boolean; readonly requires: ReadonlyArray<Requirement> },
  StorageError
> =>
  needsValues(parameters, request.parameters ?? [])
    ? Effect.map(storage.formulasBehindPlan(customerId, id, version + 1, 1), ({ length }) => ({
        isUsed: length > 0,
        requires: length > 0 ? [] : [{ type: "no_formula_of_plan", planId: id }],
      }))
    : Effect.succeed({ isUsed: true, requires: [] });
