/** Replay: the state that a log tells, beside the state that a row holds. */
import * as Attribution from "../domain/Attribution.ts";
import * as Commission from "../domain/Commission.ts";
import { type Entry, fold } from "../domain/Event.ts";
import * as Formula from "../domain/Formula.ts";
import { sameJson } from "../domain/Json.ts";
import * as Settlement from "../domain/Settlement.ts";
import type { Logged, Versioned } from "../ports/Storage.ts";
import { shown } from "./Law.ts";

type Fold = {
  readonly [Kind in keyof Logged]: (log: ReadonlyArray<Entry<Logged[Kind]["event"]>>) => object | null;
};

const FOLD: Fold = {
  attribution: (log) => fold(Attribution.evolve, log),
  formula: (log) => fold(Formula.evolve, log),
  commission: (log) => fold(Commission.evolve, log),
  settlement: (log) => fold(Settlement.evolve, log),
};

/** What a row says differently from its log, version and last moment included; null when they agree. */
export const difference = <Kind extends keyof Logged>(
  kind: Kind,
  row: Versioned<Logged[Kind]["record"]>,
  log: ReadonlyArray<Entry<Logged[Kind]["event"]>>,
): string | null => {
  const told: ReadonlyMap<string, unknown> = new Map(
    Object.entries({ ...FOLD[kind](log), version: log.length, lastAt: log.at(-1)?.at }),
  );
  const held: ReadonlyMap<string, unknown> = new Map(Object.entries(row));
  for (const [name, value] of told) {
    if (!sameJson(held.get(name), value)) {
      return `${name} is ${shown(held.get(name))}, its log says ${shown(value)}`;
    }
  }
  return null;
};
