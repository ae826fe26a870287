/** Planted bugs of settlement policies and runs; the rules of `test/services` find them, and the random runs. */
import { type Bug, bug } from "./Bug.ts";

const RUN = "src/domain/SettlementRun.ts";
const POLICY = "src/domain/SettlementPolicy.ts";
const CADENCE = "src/domain/Cadence.ts";
const STEPS = "src/services/runs/RunSteps.ts";
const LIMITS = "src/domain/FourEyes.ts";
const FINDINGS = "src/services/runs/Findings.ts";

const of = (title: string): string => `SettlementRuns: ${title}`;

/** Every planted bug of this file. */
export const runBugs: ReadonlyArray<Bug> = [
  {
    // Two places ensure one draft for each part: the id of the draft, and the id of the result in the same commit.
    name: "drafts and results of a run do not follow from the run",
    by: "rules",
    caughtBy: of("continues without a second draft: killed after commit 1"),
    edits: [
      {
        file: RUN,
        find: 'SettlementId.make(namedId("settlement run draft", runId, partnerId, currency, part));',
        replace: 'SettlementId.make(namedId("draft", runId, partnerId, currency, part, Math.random()));',
      },
      {
        file: RUN,
        find: 'SettlementRunResultId.make(namedId("settlement run result", runId, partnerId, currency ?? ""));',
        replace: 'SettlementRunResultId.make(namedId("result", runId, partnerId, Math.random()));',
      },
      {
        file: STEPS,
        find: "const known = new Set(stored.map(({ currency }) => currency));",
        replace:
          "const known = new Set<unknown>(stored.slice(stored.length).map(({ currency }) => currency));",
      },
    ],
  },
  bug(
    "an interrupted step counts only what it settles after the interruption",
    of("continues without a second draft: killed after commit 1"),
    STEPS,
    "return [...before, ...more];",
    "return more;",
    "rules",
  ),
  bug(
    "a hold counts from the creation of the commission",
    of("states for each partner why there is no draft"),
    RUN,
    "!isCorrection && occurredAt > until - holdDays * DAY;",
    "!isCorrection && occurredAt > until + holdDays * DAY;",
    "rules",
  ),
  bug(
    "corrections are held",
    of("does not put corrections of settled commissions on hold"),
    RUN,
    "!isCorrection && occurredAt > until - holdDays * DAY;",
    "occurredAt > until - holdDays * DAY;",
    "rules",
  ),
  bug(
    "a negative total is below every minimum",
    of("compares the amount of a negative total with the minimum"),
    POLICY,
    "magnitude(total) < BigInt(limitOf(minimum, currency) ?? 0);",
    "BigInt(total) < BigInt(limitOf(minimum, currency) ?? 0);",
    "rules",
  ),
  {
    // Two places ensure it: the terms in force, and the strictest since the draft.
    name: "a run approves above four eyes",
    by: "rules",
    caughtBy: of("approves drafts within its limit, and none above the limit of four eyes"),
    edits: [
      { file: POLICY, find: " && !needsFourEyes(terms, currency, total)", replace: "" },
      { file: STEPS, find: "approving.policy.fourEyes || ", replace: "" },
    ],
  },
  bug(
    "each part is approved by its own total",
    of("with more than 10,000 commissions creates several drafts, to whose sum the policy applies"),
    STEPS,
    "!fourEyes && overall === true && approvesItself",
    "!fourEyes && approvesItself",
    "rules",
  ),
  {
    // Two places ensure it: the draft, and its approval.
    name: "a run approves although the engine requires four eyes",
    by: "rules",
    caughtBy: of("never happens if the engine requires four eyes"),
    edits: [
      { file: STEPS, find: "!fourEyes && overall === true", replace: "overall === true" },
      { file: STEPS, find: "approving.policy.fourEyes || ", replace: "" },
    ],
  },
  bug(
    "whoever approves a draft of a run is nobody's creator",
    of("the principal that starts a run may not approve its drafts above the limit of four eyes"),
    "src/services/settlements/Approval.ts",
    "fourEyes: policy.fourEyes || second.isNeeded",
    "fourEyes: policy.fourEyes",
    "rules",
  ),
  bug(
    "a run approves what its starter may not",
    "FourEyes: holds for a run whose starter has raised it",
    STEPS,
    "approving.policy.fourEyes || ",
    "",
    "rules",
  ),
  bug(
    "only the terms at the approval count",
    "FourEyes: is the stricter one of draft and approval",
    LIMITS,
    "changes.slice(Math.max(first, 0))",
    "changes.slice(-1)",
    "rules",
  ),
  bug(
    "only the terms at the draft count",
    "FourEyes: is the stricter one of draft and approval",
    LIMITS,
    "changes.slice(Math.max(first, 0))",
    "changes.slice(Math.max(first, 0), Math.max(first, 0) + 1)",
    "rules",
  ),
  bug(
    "a creator raises the limit before the draft",
    "FourEyes: is not raised by the creator of a draft, before it or after it, nor for the partner alone",
    LIMITS,
    "while (changes[first]?.person === createdBy) first -= 1;",
    "",
    "rules",
  ),
  bug(
    "who has changed the limit approves under it",
    "FourEyes: lets nobody approve who has changed it since the draft",
    "src/services/settlements/SecondPerson.ts",
    "isNeeded && hasChangedLimit(changes, settlement, person)",
    "false",
    "rules",
  ),
  bug(
    "small drafts of one day are compared with the limit one by one",
    "FourEyes: is compared with all that was drafted for the partner on one day",
    "src/services/settlements/SecondPerson.ts",
    "      magnitude(amountOf(settlement)) > BigInt(limit) ||\n      (yield* isDayAbove(storage, settlement, limit, amountOf))",
    "magnitude(amountOf(settlement)) > BigInt(limit)",
    "rules",
  ),
  bug(
    "a cancelled draft counts towards the sum of a day",
    "FourEyes: is compared with all that was drafted for the partner on one day",
    "src/services/settlements/SecondPerson.ts",
    '({ status }) => status.type !== "cancelled"',
    "() => true",
    "rules",
  ),
  bug(
    "a period is named by its day in UTC",
    of("starts one run for each period, at the first instant of the local day, up to that instant"),
    CADENCE,
    "dayIn(cadence.timeZone, now)",
    'dayIn("UTC", now)',
    "rules",
  ),
  bug(
    "missed periods are run one by one",
    of("starts only the newest of several missed periods"),
    POLICY,
    "const period = newestPeriod(cadence, now);",
    "const period = policy.next;",
    "rules",
  ),
  bug(
    "a new cadence starts with the period that has begun",
    of("starts one run for each period, at the first instant of the local day, up to that instant"),
    POLICY,
    "nextPeriod(cadence, by.at, before?.lastPeriod ?? null);",
    "nextPeriod(cadence, by.at - 40 * 86_400_000, before?.lastPeriod ?? null);",
    "rules",
  ),
  bug(
    "the runs of a workspace's cadence settle partners with a cadence of their own",
    of("skips partners that have their own cadence"),
    FINDINGS,
    "run.policyId !== null && run.partnerIds === null &&",
    "run.policyId === null && run.partnerIds === null &&",
    "rules",
  ),
  bug(
    "a run settles what occurred at its end",
    of("starts one run for each period, at the first instant of the local day, up to that instant"),
    "src/services/runs/Schedules.ts",
    "until: due.period.at,",
    "until: due.period.at + 1,",
    "rules",
  ),
  bug(
    "a run settles commissions with nothing due",
    "C1",
    "src/services/settlements/Drafting.ts",
    "else if (line.right.amount !== 0) {",
    "else {",
    "concurrent",
  ),
  bug(
    "a changed cadence keeps its next period",
    "state",
    POLICY,
    "const isScheduled = before !== null && sameJson(before.terms.cadence, cadence);",
    "const isScheduled = before !== null;",
  ),
  bug(
    "absent fields of a partner's policy do not have the workspace's values",
    "model",
    POLICY,
    "own[field] ?? general[field] ?? value)",
    'own[field] ?? (partner === null || field !== "holdDays" ? general[field] : null) ?? value)',
  ),
  bug(
    "a dry run settles what is in an open settlement",
    "outcome",
    RUN,
    "if (due.isInOpenSettlement) dueTotal.inOpenSettlementCount += 1;",
    "if (due.isInOpenSettlement && due.isCorrection) dueTotal.inOpenSettlementCount += 1;",
  ),
];
