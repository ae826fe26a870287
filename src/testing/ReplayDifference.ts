/** Compares a stored row with the replay of its log. */
import * as ApiKey from "../domain/ApiKey.ts";
import * as Attribution from "../domain/Attribution.ts";
import * as BillingProfile from "../domain/BillingProfile.ts";
import * as Books from "../domain/Books.ts";
import * as Commission from "../domain/Commission.ts";
import * as CommissionPlan from "../domain/CommissionPlan.ts";
import { type Entry, fold } from "../domain/Event.ts";
import * as Formula from "../domain/Formula.ts";
import { sameJson } from "../domain/Json.ts";
import * as Partner from "../domain/Partner.ts";
import * as PartnerLink from "../domain/PartnerLink.ts";
import * as PlanAcceptance from "../domain/PlanAcceptance.ts";
import * as Settlement from "../domain/Settlement.ts";
import * as SettlementPolicy from "../domain/SettlementPolicy.ts";
import * as Workspace from "../domain/Workspace.ts";
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
  partner: (log) => fold(Partner.evolve, log),
  apiKey: (log) => fold(ApiKey.evolve, log),
  books: (log) => fold(Books.evolve, log),
  billingProfile: (log) => fold(BillingProfile.evolve, log),
  settlementPolicy: (log) => fold(SettlementPolicy.evolve, log),
  workspace: (log) => fold(Workspace.evolve, log),
  planAcceptance: (log) => fold(PlanAcceptance.evolve, log),
  partnerLink: (log) => fold(PartnerLink.evolve, log),
};

/** What is wrong with data that a log has the fingerprint of alone: they are others than its last change left. Null when nothing is. */
const unexplained = (kind: keyof Logged, row: object, log: ReadonlyArray<Entry<unknown>>): string | null => {
  const fingerprint =
    kind === "partner"
      ? Partner.fingerprintOf(row as Partner.Partner)
      : kind === "billingProfile"
        ? BillingProfile.fingerprintOf(
            BillingProfile.writtenOf(row as Versioned<BillingProfile.BillingProfile>),
          )
        : null;
  const fingerprints = log.flatMap(({ event }) => {
    const { stored } = event as { readonly stored?: { readonly sha256?: string } };
    return stored?.sha256 === undefined ? [] : [stored.sha256];
  });
  return fingerprint === null || fingerprint === fingerprints.at(-1)
    ? null
    : "its data are not those that its log left";
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
  return unexplained(kind, row, log);
};
