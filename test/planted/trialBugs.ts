/** Planted bugs of trials of plans; the rules of `test/services` find them. */
import { type Bug, bug } from "./Bug.ts";

const REPLAY = "src/services/trials/Replay.ts";
const STEPS = "src/services/trials/TrialSteps.ts";

const of = (title: string): string => `PlanTrials: ${title}`;
const TIERS = of(
  "pays what the plan would pay with the draft in force: tiers of a month in place of a percentage",
);

/** Every planted bug of this file. */
export const trialBugs: ReadonlyArray<Bug> = [
  bug(
    "a trial reads the receipts of credits, not of their sales",
    "TriedReceipts: says what waits, and what is payable: as stored before and after it is adopted (1)",
    "src/services/trials/TriedReceipts.ts",
    "paidOf(this.#stated?.of(attribution) ?? attribution.receipt)",
    "paidOf(attribution.receipt)",
    "rules",
  ),
  bug(
    "a draft that is no plan yet releases at once whatever it states",
    "TriedReceipts: says the same of a draft that is no plan yet, and nothing waits where it releases at once",
    REPLAY,
    "release: trial.release ?? null,",
    "release: null,",
    "rules",
  ),
  bug(
    "a trial counts cancelled sales",
    TIERS,
    REPLAY,
    'if (attribution.status !== "confirmed") return;',
    'if (attribution.status === "cancelled" && attribution.cancelReason === null) return;',
    "rules",
  ),
  {
    name: "a trial replays sales in the order of their dates",
    by: "rules",
    caughtBy: TIERS,
    edits: [
      {
        file: REPLAY,
        find: "    let visited = 0;\n",
        replace: "    let visited = 0;\n    const dated: Array<Attribution> = [];\n",
      },
      {
        file: REPLAY,
        find: "      replay(attribution, null);\n",
        replace: "      dated.push(attribution);\n",
      },
      {
        file: REPLAY,
        find: "    replayAdded(Number.POSITIVE_INFINITY);\n",
        replace:
          "    for (const one of dated.sort((first, next) => first.occurredAt - next.occurredAt)) replay(one, null);\n    replayAdded(Number.POSITIVE_INFINITY);\n",
      },
    ],
  },
  bug(
    "running totals of a trial begin with its span",
    of("pays what the plan would pay with the draft in force: a rate by the number of all sales"),
    REPLAY,
    "own === null ? all : hull(all, own)",
    "own === null || own !== null ? all : hull(all, own)",
    "rules",
  ),
  bug(
    "added sales of a trial arrive last",
    of("explains the largest changes on both sides, by the totals of their sales"),
    REPLAY,
    "      replayAdded(attribution.createdAt);\n",
    "",
    "rules",
  ),
  bug(
    "a trial pays overrides as if the sellers earned nothing",
    "TriedOverrides: pays what the engine stores under the adopted draft: a rate of commission",
    "src/services/trials/TriedSellers.ts",
    "return this.#stored(formula, attribution);",
    "return Either.map(this.#stored(formula, attribution), () => 0n);",
    "rules",
  ),
  bug(
    "a draft for managers is tried on what its partners sell",
    "TriedOverrides: is tried in the roles that it states, and explained by what the sellers earned then",
    REPLAY,
    "roles: trial.roles ?? null,",
    "roles: null,",
    "rules",
  ),
  bug(
    "a step of a trial begins with the first partner again",
    of("computes many partners in several steps, and continues after a step that failed"),
    STEPS,
    "Math.floor(partnersDone / batchSize)",
    "Math.floor(partnersDone / batchSize / 2)",
    "rules",
  ),
];
