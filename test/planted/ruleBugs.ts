/** Planted bugs that only the rules of `test/services` find: random runs have no clock, no crash and no lost connection. */
import { type Bug, bug } from "./Bug.ts";

const FORMULAS = "src/services/CommissionFormulas.ts";
const RECOMPUTATION = "CommissionFormulas: is finished by a worker";

/** Every planted bug of this file. */
export const ruleBugs: ReadonlyArray<Bug> = [
  bug(
    "a worker takes a recomputation from the command that runs it",
    `${RECOMPUTATION} 20 seconds after its command was interrupted`,
    FORMULAS,
    "const HEAD_START_MILLISECONDS = 20_000;",
    "const HEAD_START_MILLISECONDS = 0;",
    "rules",
  ),
  bug(
    "a recomputation whose batch failed is forgotten",
    `${RECOMPUTATION} at once after one of its batches failed`,
    FORMULAS,
    "Effect.catchAll(() => Effect.succeed(true)),",
    "Effect.catchAll(() => Effect.succeed(false)),",
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
    "failures >= FAILURES_MAX && message.topic",
    "failures > FAILURES_MAX && message.topic",
    "rules",
  ),
];
