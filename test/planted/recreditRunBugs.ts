/** Planted bugs of recredit runs; the rules of `test/services` find them. */
import { type Bug, bug } from "./Bug.ts";

const RUN = "src/domain/RecreditRun.ts";
const STEPS = "src/services/recredits/RecreditSteps.ts";

const of = (title: string): string => `RecreditRuns: ${title}`;

/** Every planted bug of this file. */
export const recreditRunBugs: ReadonlyArray<Bug> = [
  bug(
    "a dry run of recredits changes the sales",
    of("that is dry names what the run then changes, and changes no sale"),
    STEPS,
    "if (run.dryRun) return { started: [], decision: { result, requires: decision.requires, changes } };",
    "",
    "rules",
  ),
  bug(
    "a recredit run that goes on leaves out a sale",
    of("counts and changes every sale once: killed before commit 3"),
    STEPS,
    "const sales = yield* storage.salesOf(customerId, { ...read, limit: RECREDIT_BATCH });",
    "const sales = (yield* storage.salesOf(customerId, { ...read, limit: RECREDIT_BATCH })).slice(read.after === null ? 0 : 1);",
    "rules",
  ),
  bug(
    "a recredit run does not count the sales that stay",
    of("counts and changes every sale once: killed before commit 3"),
    STEPS,
    "? unchanged({ run: progressOf(run, sale, null) })",
    "? unchanged({ run })",
    "rules",
  ),
  bug(
    "the progress of a recredit run is not in the commit of its sale",
    of("counts and changes every sale once: killed before commit 3"),
    STEPS,
    "return { result: { run: progress.row }, changes: [result, progress] };",
    'return { result: { run: progress.row }, changes: found.outcome === "changed" ? [result] : [result, progress] };',
    "rules",
  ),
  bug(
    "a recredit run counts credits that a sale loses as those that it gets",
    of("changes each sale as recrediting it alone does"),
    RUN,
    'creditsAdded: counts.creditsAdded + has("shareAfter"),',
    'creditsAdded: counts.creditsAdded + has("shareBefore"),',
    "rules",
  ),
  bug(
    "a recredit run counts a sale that it changes twice",
    "model",
    RUN,
    "const salesDone = counts.salesDone + 1;",
    "const salesDone = counts.salesDone + (found === null ? 1 : 2);",
  ),
  bug(
    "a recredit run recredits the sales of the day after its span",
    "model",
    STEPS,
    "const sales = yield* storage.salesOf(customerId, { ...read, limit: RECREDIT_BATCH });",
    "const sales = yield* storage.salesOf(customerId, { ...read, to: read.to + 86_400_000, limit: RECREDIT_BATCH });",
  ),
  bug(
    "one sale with a problem ends a recredit run",
    of("goes on where one sale has a problem of its own"),
    STEPS,
    "Effect.catchIf(isOfSale, (refusal) => leaveSale(run, sale, refusal)),",
    "",
    "rules",
  ),
  bug(
    "a recredit run names a sale of too many credits as failed",
    of("leaves cancelled sales and those of too many credits as they are, and names them"),
    RUN,
    'refusal._tag === "Invalid" && refusal.field === "credits"',
    'refusal._tag === "Invalid" && refusal.field === "partner_ids"',
    "rules",
  ),
  bug(
    "the sums of a recredit run leave out what was earned before",
    of("changes each sale as recrediting it alone does"),
    RUN,
    "{ before: addAmount(before, amountBefore), after: addAmount(after, amountAfter) }",
    "{ before, after: addAmount(after, amountAfter) }",
    "rules",
  ),
];
