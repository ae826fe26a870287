/** Replay: the state that a log tells, beside the state that a row holds. */
import * as Attribution from "../domain/Attribution.ts";
import * as Commission from "../domain/Commission.ts";
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
  commission: (log) => fold(Commission.evolve, log),
  settlement: (log) => fold(Settlement.evolve, log),
};

/** What a row says differently from its log, version and last moment included; null when they agree. */
export const replayDifference = <Kind extends keyof Logged>(
  kind: Kind,
  row: Versioned<Logged[Kind]["record"]>,
  log: ReadonlyArray<Entry<Logged[Kind]["event"]>>,
): string | null => {
  const told: ReadonlyMap<string, unknown> = new Map(
    Object.entries({ ...FOLDS[kind](log), version: log.length, lastAt: log.at(-1)?.at }),
  );
  const held: ReadonlyMap<string, unknown> = new Map(Object.entries(row));
  for (const [name, value] of told) {
    if (!sameJson(held.get(name), value)) {
      return `${name} is ${formatValue(held.get(name))}, its log says ${formatValue(value)}`;
    }
  }
  return null;
};
