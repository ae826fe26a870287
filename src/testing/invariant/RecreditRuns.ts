/** R3 and R4: a recredit run has one result at most for each sale, counts what its results have, and has changed what they say. */
import { Effect } from "effect";
import { saleIdOf } from "../../domain/Attribution.ts";
import type { CustomerId } from "../../domain/Ids.ts";
import { resultId, totalsOf } from "../../domain/RecreditRun.ts";
import type { Listed } from "../../ports/Storage.ts";
import type { LedgerSnapshot } from "../LedgerSnapshot.ts";
import { listAll } from "../StateDump.ts";

type Run = Listed["recreditRun"];
type Result = Listed["recreditRunResult"];
type Sales = LedgerSnapshot["attributions"];

/** The origins of the sales of the span of a run. */
export const spanOf = (
  { workspaceId, partnerIds, from, to }: Run,
  attributions: Sales,
): ReadonlySet<string> =>
  new Set(
    attributions.flatMap(({ row }) =>
      row.workspaceId === workspaceId &&
      row.occurredAt >= from &&
      row.occurredAt < to &&
      (partnerIds?.includes(row.partnerId) ?? true)
        ? [saleIdOf(row)]
        : [],
    ),
  );

/** The events by which a run changed a sale. */
export const changesOf = (
  { reason }: Run,
  { attributionId, createdAt }: Result,
  attributions: Sales,
): ReadonlyArray<Sales[number]["log"][number]> =>
  attributions
    .filter(({ row }) => row.id === attributionId)
    .flatMap(({ log }) => log)
    .filter(
      ({ at, event }) => event.type === "recredit_attribution" && event.reason === reason && at >= createdAt,
    );

/** What is wrong with the result of a sale. */
function* resultViolations(run: Run, result: Result, attributions: Sales): Generator<string> {
  const subject = `R3: recredit run ${run.id}, sale ${result.attributionId}`;
  const sale = attributions.find(({ row }) => row.id === result.attributionId)?.row;
  if (sale === undefined || sale.originId !== null) yield `${subject}: is no origin`;
  else if (sale.workspaceId !== run.workspaceId || sale.occurredAt < run.from || sale.occurredAt >= run.to)
    yield `${subject}: is not of the span`;
  else if (
    run.after === null ||
    sale.occurredAt > run.after.occurredAt ||
    (sale.occurredAt === run.after.occurredAt && sale.id > run.after.id)
  )
    yield `${subject}: the run has not reached it`;
  if (result.id !== resultId(run.id, result.attributionId)) yield `${subject}: has another result`;
  if (result.outcome === "changed" && !run.dryRun && changesOf(run, result, attributions).length === 0)
    yield `${subject}: was not recredited`;
}

const sum = (amounts: ReadonlyArray<number | null>): bigint =>
  amounts.reduce((total, amount) => total + BigInt(amount ?? 0), 0n);

/** What results have together, in the fields of a run. */
const countOf = (results: ReadonlyArray<Result>) => {
  const have = (outcome: Result["outcome"]) => results.filter((one) => one.outcome === outcome).length;
  const credits = results.flatMap((one) => one.credits);
  const commissions = results.flatMap((one) => one.commissions);
  return {
    changedCount: have("changed"),
    cancelledCount: have("attribution_cancelled"),
    tooManyCreditsCount: have("too_many_credits"),
    failedCount: have("failed"),
    creditsAdded: credits.filter(({ shareAfter }) => shareAfter !== null).length,
    creditsCancelled: credits.filter(({ shareBefore }) => shareBefore !== null).length,
    totals: [...new Set(commissions.map(({ currency }) => currency))].sort().map((currency) => {
      const own = commissions.filter((one) => one.currency === currency);
      return {
        currency,
        amountBefore: sum(own.map(({ amountBefore }) => amountBefore)),
        amountAfter: sum(own.map(({ amountAfter }) => amountAfter)),
      };
    }),
  };
};

const text = (value: unknown): string =>
  JSON.stringify(value, (_, part) => (typeof part === "bigint" ? `${part}` : part));

/** Yields each violation of R3 or R4 by recredit runs. */
export function* recreditViolations(
  runs: ReadonlyArray<Run>,
  results: ReadonlyArray<Result>,
  attributions: Sales,
): Generator<string> {
  for (const run of runs) {
    const own = results.filter(({ runId }) => runId === run.id);
    for (const result of own) yield* resultViolations(run, result, attributions);
    if (new Set(own.map(({ attributionId }) => attributionId)).size !== own.length)
      yield `R3: recredit run ${run.id}: two results of one sale`;
    const counted = countOf(own);
    const stated = { ...run, totals: totalsOf(run) };
    for (const field of Object.keys(counted) as ReadonlyArray<keyof typeof counted>)
      if (text(stated[field]) !== text(counted[field]))
        yield `R4: recredit run ${run.id}: ${field} ${text(stated[field])}, found ${text(counted[field])}`;
    const { size } = spanOf(run, attributions);
    if (run.salesDone < own.length || run.salesDone > size)
      yield `R4: recredit run ${run.id}: ${run.salesDone} sales done, ${own.length} are named, the span has ${size}`;
    if ((run.state === "done") !== (run.finishedAt !== null))
      yield `R4: recredit run ${run.id}: is ${run.state}, and ended at ${run.finishedAt}`;
  }
}

/** Yields each violation of an invariant by the recredit runs of a customer; reads every run and result. */
export const findRecreditViolations = (
  customerId: CustomerId,
  { attributions }: Pick<LedgerSnapshot, "attributions">,
) =>
  Effect.gen(function* () {
    const runs = yield* listAll(customerId, "recreditRun");
    const results = yield* listAll(customerId, "recreditRunResult");
    return { runs, results, violations: [...recreditViolations(runs, results, attributions)] };
  });
