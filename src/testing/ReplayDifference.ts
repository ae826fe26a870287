/** Compares a stored row with the replay of its log. */
import * as Attribution from "../domain/Attribution.ts";
import * as Commission from "../domain/Commission.ts";
import * as CommissionPlan from "../domain/CommissionPlan.ts";
import { type Entry, fold } from "../domain/Event.ts";
import * as Formula from "../domain/Formula.ts";
import { sameJson } from "../domain/Json.ts";
import * as Settlement from "../domain/Settlement.ts";
import type { Logged, Versioned } from "../ports/Storage.ts";
import { formatValue } from "./Law.ts";

type Folds = {
  readonly [Kind in keyof Logged]: (log: ReadonlyArray<Entry<Logged[Kind]["event"]>>) => object | null;
};

const FOLDS: Folds = {
  attribution: (log) => fold(Attribution.evolve, log),
  formula: (log) => fold(Formula.evolve, log),
  plan: (log) => fold(CommissionPlan.evolve, log),
  commission: (log) => fold(Commission.evolve, log),
  settlement: (log) => fold(Settlement.evolve, log),
};

/** The first field in which a row differs from the replay of its log, version and last moment included; null when none does. */
export const replayDifference = <Kind extends keyof Logged>(
  kind: Kind,
  row: Versioned<Logged[Kind]["record"]>,
  log: ReadonlyArray<Entry<Logged[Kind]["event"]>>,
): string | null => {
  const replayed: ReadonlyMap<string, unknown> = new Map(
    Object.entries({ ...FOLDS[kind](log), version: log.length, lastAt: log.at(-1)?.at }),
  );
  const stored: ReadonlyMap<string, unknown> = new Map(Object.entries(row));
  for (const [name, value] of replayed) {
    if (!sameJson(stored.get(name), value)) {
      return `${name} is ${formatValue(stored.get(name))}, its log gives ${formatValue(value)}`;
    }
  }
  return null;
};
