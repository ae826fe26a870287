/** Compares recredit runs of a store, and their results, with those of the model. */
import * as RecreditRun from "../../domain/RecreditRun.ts";
import type { RecreditResult, RecreditRun as Run } from "../model/world/RecreditRun.ts";
import type { StoreView } from "./StoreView.ts";

type Rows = ReadonlyMap<string, unknown>;

/** In one order: the engine has its own. */
const sorted = <Item extends { readonly partnerId: string; readonly role: string; readonly depth: number }>(
  items: ReadonlyArray<Item & { readonly formulaId?: string }>,
): ReadonlyArray<Item> => {
  const textOf = ({ partnerId, role, depth, formulaId = "" }: (typeof items)[number]): string =>
    `${partnerId} ${depth} ${role} ${formulaId}`;
  return items.toSorted((a, b) => (textOf(a) < textOf(b) ? -1 : 1));
};

const inOrder = ({ credits, commissions, ...result }: Pick<RecreditResult, "credits" | "commissions">) => ({
  ...result,
  credits: sorted(credits),
  commissions: sorted(commissions),
});

const sum = (amounts: ReadonlyArray<number | null>): bigint =>
  amounts.reduce((total, amount) => total + BigInt(amount ?? 0), 0n);

/** A run with what its results have together. */
const runOf = ({ results, ...run }: Run) => {
  const have = (outcome: RecreditResult["outcome"]) =>
    results.filter((one) => one.outcome === outcome).length;
  const credits = results.flatMap((one) => one.credits);
  const commissions = results.flatMap((one) => one.commissions);
  return {
    ...{ ...run, state: "done", changedCount: have("changed"), failedCount: 0 },
    ...{ cancelledCount: have("attribution_cancelled"), tooManyCreditsCount: have("too_many_credits") },
    creditsAdded: credits.filter(({ shareAfter }) => shareAfter !== null).length,
    creditsCancelled: credits.filter(({ shareBefore }) => shareBefore !== null).length,
    totals: [...new Set(commissions.map(({ currency }) => currency))].sort().map((currency) => {
      const own = commissions.filter((one) => one.currency === currency);
      const [before, after] = [own.map((one) => one.amountBefore), own.map((one) => one.amountAfter)];
      return { currency, amountBefore: sum(before), amountAfter: sum(after) };
    }),
  };
};

/** What the model expects of runs and of their results. */
export const expectedRecredits = (
  runs: ReadonlyArray<Run>,
): { readonly [Kind in "recreditRun" | "recreditResult"]: () => Rows } => ({
  recreditRun: () => new Map(runs.map((run) => [run.id, runOf(run)])),
  recreditResult: () =>
    new Map(
      runs.flatMap(({ id, results }) =>
        results.map((result) => [`${id} ${result.attributionId}`, inOrder(result)] as const),
      ),
    ),
});

/** What a store shows of them. */
export const storedRecredits = ({ recreditRuns, recreditResults }: StoreView) => ({
  recreditRun: new Map(recreditRuns.map((run) => [run.id, { ...run, totals: RecreditRun.totalsOf(run) }])),
  recreditResult: new Map(
    recreditResults.map((result) => [`${result.runId} ${result.attributionId}`, inOrder(result)]),
  ),
});
