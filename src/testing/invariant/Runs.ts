/** R1 and R2: a settlement run has one draft for each partner, currency and part, and counts what it has settled. */
import { Effect } from "effect";
import type { CustomerId } from "../../domain/Ids.ts";
import { countResults, draftId, NO_COUNTS } from "../../domain/SettlementRun.ts";
import type { Listed } from "../../ports/Storage.ts";
import { listAll } from "../StateDump.ts";

type Run = Listed["settlementRun"];
type Result = Listed["settlementRunResult"];
type Settlements = ReadonlyMap<string, Listed["settlement"]>;

/** What is wrong with the drafts of one result. */
function* drafts(
  { runId, partnerId, currency, drafts }: Result,
  settlements: Settlements,
): Generator<string> {
  for (const [part, { settlementId, total, lineCount }] of drafts.entries()) {
    const subject = `run ${runId}, partner ${partnerId}, ${currency}, part ${part}`;
    if (currency === null || settlementId !== draftId(runId, partnerId, currency, part))
      yield `R1: ${subject}: the draft is not the one that follows from the run`;
    const settlement = settlements.get(settlementId);
    if (settlement === undefined) {
      yield `R1: ${subject}: the draft does not exist`;
      continue;
    }
    if (settlement.partnerId !== partnerId || settlement.currency !== currency)
      yield `R1: ${subject}: the draft is of another partner or currency`;
    if (settlement.total !== total || settlement.lines.length !== lineCount)
      yield `R1: ${subject}: the draft has another total or other lines`;
  }
}

/** Yields each violation of R1 or R2 by settlement runs. */
export function* runViolations(
  runs: ReadonlyArray<Run>,
  results: ReadonlyArray<Result>,
  all: ReadonlyArray<Listed["settlement"]>,
): Generator<string> {
  const settlements: Settlements = new Map(all.map((settlement) => [settlement.id, settlement]));
  const seen = new Set<string>();
  for (const result of results) {
    const key = `${result.runId} ${result.partnerId} ${result.currency}`;
    if (seen.has(key)) yield `R1: two results of run, partner and currency ${key}`;
    seen.add(key);
    if ((result.reason === null) !== result.drafts.length > 0)
      yield `R1: ${key}: ${result.drafts.length} drafts, and the reason ${result.reason}`;
    yield* drafts(result, settlements);
  }
  const settlementIds = results.flatMap((result) => result.drafts.map(({ settlementId }) => settlementId));
  if (new Set(settlementIds).size !== settlementIds.length)
    yield "R1: a settlement is the draft of two results";
  for (const run of runs) {
    if (run.state !== "done") continue;
    const counted = countResults(
      NO_COUNTS,
      results.filter(({ runId }) => runId === run.id),
    );
    for (const field of ["draftCount", "lineCount", "approvedCount"] as const)
      if (run[field] !== counted[field])
        yield `R2: run ${run.id}: ${field} ${run[field]}, found ${counted[field]}`;
    if (JSON.stringify(run.totals) !== JSON.stringify(counted.totals))
      yield `R2: run ${run.id}: totals ${JSON.stringify(run.totals)}, found ${JSON.stringify(counted.totals)}`;
  }
}

/** Yields each violation of an invariant by the settlement runs of a customer; reads every run, result and settlement. */
export const findRunViolations = (customerId: CustomerId) =>
  Effect.gen(function* () {
    const runs = yield* listAll(customerId, "settlementRun");
    const results = yield* listAll(customerId, "settlementRunResult");
    const settlements = yield* listAll(customerId, "settlement");
    return { runs, results, violations: [...runViolations(runs, results, settlements)] };
  });
