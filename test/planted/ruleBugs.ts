/** Planted bugs that only the rules of `test/services` find: random runs have no clock, no crash and no lost connection. */
import { type Bug, bug } from "./Bug.ts";

const FORMULAS = "src/services/formulas/FormulaChange.ts";
const PLANS = "src/services/CommissionPlans.ts";
const ARRIVALS = "src/services/accumulation";
const RECOMPUTATION = "CommissionFormulas: is finished by a worker";

/** Every planted bug of this file. */
export const ruleBugs: ReadonlyArray<Bug> = [
  bug(
    "a worker takes a recomputation from the command that runs it",
    `${RECOMPUTATION} 20 seconds after its command was interrupted`,
    FORMULAS,
    "export const HEAD_START_MILLISECONDS = 20_000;",
    "export const HEAD_START_MILLISECONDS = 0;",
    "rules",
  ),
  bug(
    "a recomputation whose batch failed is forgotten",
    `${RECOMPUTATION} at once after one of its batches failed`,
    FORMULAS,
    "Effect.catchAll(() => Effect.succeed({ pending: true, visited: 0 })),",
    "Effect.catchAll(() => Effect.succeed({ pending: false, visited: 0 })),",
    "rules",
  ),
  bug(
    "a running total is not in the commit of the attribution",
    "Accumulation: builds on the confirmed attributions that arrived before it",
    `${ARRIVALS}/ArrivalState.ts`,
    "changes: [save, ...this.totals.take(execution)] };",
    "changes: [save, ...this.totals.take(execution).slice(1)] };",
    "rules",
  ),
  bug(
    "a creation builds on totals that are half built",
    "Accumulation: goes on in the background, and computes what arrives meanwhile",
    `${ARRIVALS}/ArrivalState.ts`,
    "one.formulaId === formulaId && !one.building",
    "one.formulaId === formulaId",
    "rules",
  ),
  bug(
    "the moment of creation runs ahead of the clock",
    "Accumulation: never has a moment that the clock has not shown, however many there are within one",
    "src/domain/Accumulation.ts",
    "const id = idAt(last.createdAt);",
    "if (now >= 0) return { createdAt: last.createdAt + 1, id: idAt(last.createdAt + 1) };\n  const id = idAt(last.createdAt);",
    "rules",
  ),
  bug(
    "the second attempt of a command pauses",
    "Attributions: starts the second attempt at once, and pauses before every further one",
    "src/services/commands/Pipeline.ts",
    "Schedule.recurs(1).pipe(\n  Schedule.andThen(Schedule.jitteredWith(",
    "Schedule.recurs(0).pipe(\n  Schedule.andThen(Schedule.jitteredWith(",
    "rules",
  ),
  bug(
    "a failed message is never dead-lettered",
    "DeadLetters: is set aside after 20 failures in a row",
    "src/services/worker/Jobs.ts",
    "failures >= FAILURES_MAX && !NEVER_SET_ASIDE",
    "failures > FAILURES_MAX && !NEVER_SET_ASIDE",
    "rules",
  ),
  bug(
    "a roll-out skips partners after a crash",
    "CommissionPlans: is finished when the command that changed the plan did not get to it",
    PLANS,
    "outbox: [message],",
    "outbox: [],",
    "rules",
  ),
  bug(
    "a roll-out ends after its first batch",
    "CommissionPlans: reaches more than 100 formulas in the background",
    "src/services/worker/RollOuts.ts",
    "pending: behind.length === ROLL_OUT_BATCH",
    "pending: false",
    "rules",
  ),
  bug(
    "the end of an assignment depends on how far the plan has reached it",
    "CommissionPlans: is decided by the plan's window as it is, whether or not the formula has been reached",
    PLANS,
    "CommissionPlan.unassign(current.formula, end)",
    "CommissionPlan.unassign(formula, end)",
    "rules",
  ),
  bug(
    "a settlement pays by an expression that its plan has replaced",
    "CommissionPlans: first brings its formulas up to the plan; a preview shows the same and stores nothing",
    "src/services/worker/RollOuts.ts",
    "if (behind.length === 0) return { formulas, requires };",
    "if (behind.length >= 0) return { formulas, requires };",
    "rules",
  ),
  bug(
    "an assignment does not require its plan unchanged",
    "CommissionPlans: an assignment that a change of the plan overtakes has the plan's last version",
    PLANS,
    "requires: [unchanged, ...effect.requires]",
    "requires: effect.requires",
    "rules",
  ),
  bug(
    "an assignment does not require the partner's formulas unchanged",
    "CommissionPlans: two assignments of one partner at the same moment give one formula",
    PLANS,
    'requires.push({ type: "formula_set", partnerId, schemaId, version });',
    "",
    "rules",
  ),
  bug(
    "assignments outside the plan's window overlap unnoticed",
    "CommissionPlans: refuses an overlap with an assignment of the same plan, whatever the plan's window is, and stores nothing",
    "src/domain/CommissionPlan.ts",
    "if (overlap(existing, bounds))",
    "if (overlap(formula, bounds))",
    "rules",
  ),
];
