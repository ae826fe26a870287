/** Counts what commands lead to in the model, so that a run shows what it has reached. */
import type { Command } from "../model/Command.ts";
import { restsOnSellers } from "../model/world/Overrides.ts";
import type { World } from "../model/world/World.ts";
import type { Outcome } from "./Outcome.ts";

type Outcomes = Map<string, number>;

/** Counts what became of each partner and currency of the settlement runs that the command has ended. */
const countRuns = (world: World, before: World, outcomes: Outcomes): void => {
  if (world.settlementRuns === before.settlementRuns) return;
  for (const run of world.settlementRuns) {
    if (run.done === null || before.settlementRuns.some(({ id, done }) => id === run.id && done !== null))
      continue;
    for (const { reason, draft } of run.results) {
      const name = `run ${run.period === null ? "by request" : "by cadence"}: ${reason ?? draft?.approval}`;
      outcomes.set(name, (outcomes.get(name) ?? 0) + 1);
    }
  }
};

/** Counts what became of commissions that rest on what sellers earn, by their events. */
const countOverrides = (world: World, before: World, outcomes: Outcomes): void => {
  for (const commission of world.commissions) {
    if (before.commissions.includes(commission)) continue;
    const attribution = world.attributions.find(({ id }) => id === commission.attributionId);
    const formula = world.formulas.find(({ id }) => id === commission.formulaId);
    if (attribution === undefined || formula === undefined || !restsOnSellers(attribution, formula)) continue;
    const { type, fields } = commission.log.at(-1) ?? { type: "unchanged", fields: {} };
    const more = Object.entries(fields ?? {}).flatMap(([field, value]) =>
      ["cause", "kind", "code"].includes(field) ? [String(value)] : [],
    );
    const name = ["override:", type, ...more].join(" ");
    outcomes.set(name, (outcomes.get(name) ?? 0) + 1);
  }
};

/** Counts the commissions that were settled elsewhere as their sales were recorded. */
const countElsewhere = (world: World, before: World, outcomes: Outcomes): void => {
  const added = world.commissions.slice(before.commissions.length);
  const count = added.filter(({ elsewhere }) => elsewhere !== null).length;
  if (count > 0) outcomes.set("settled elsewhere", (outcomes.get("settled elsewhere") ?? 0) + count);
};

/** Counts what became of the sales of the recredit runs that the command has performed. */
const countRecredits = (world: World, before: World, outcomes: Outcomes): void => {
  for (const { dryRun, results } of world.recreditRuns.slice(before.recreditRuns.length))
    for (const { outcome } of results) {
      const name = `recredit run${dryRun ? ", dry" : ""}: ${outcome}`;
      outcomes.set(name, (outcomes.get(name) ?? 0) + 1);
    }
};

/** What reading a statement returns. */
interface StatementBody {
  readonly unmatched: ReadonlyArray<string>;
  readonly [count: string]: unknown;
}

/** Counts what became of the movements of a statement: settlements by the change, and movements by why they were left over. */
const countStatement = ({ unmatched, ...counts }: StatementBody, outcomes: Outcomes): void => {
  const changed = Object.entries(counts).filter(([, count]) => Number(count) > 0);
  for (const name of [...changed.map(([change]) => change), ...unmatched])
    outcomes.set(`statement: ${name}`, (outcomes.get(`statement: ${name}`) ?? 0) + 1);
};

/** Counts the effects of a command by their names. */
export const countEffects = (
  { type }: Command,
  outcome: Outcome,
  { world, before }: { readonly world: World; readonly before: World },
  outcomes: Outcomes,
): void => {
  if (type === "read_statement" && outcome.type === "succeeded" && !outcome.replayed)
    countStatement(outcome.body as StatementBody, outcomes);
  countRuns(world, before, outcomes);
  countOverrides(world, before, outcomes);
  countElsewhere(world, before, outcomes);
  countRecredits(world, before, outcomes);
};
