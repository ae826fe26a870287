/** Builds the changes that save records: the state after new events, at the version that follows. */
import * as ApiKey from "../../domain/ApiKey.ts";
import * as Attribution from "../../domain/Attribution.ts";
import * as BillingProfile from "../../domain/BillingProfile.ts";
import * as Books from "../../domain/Books.ts";
import * as Commission from "../../domain/Commission.ts";
import * as CommissionPlan from "../../domain/CommissionPlan.ts";
import { type Actor, type Entry, entryOf, fold, nextAt } from "../../domain/Event.ts";
import * as Formula from "../../domain/Formula.ts";
import * as Partner from "../../domain/Partner.ts";
import * as PartnerLink from "../../domain/PartnerLink.ts";
import * as PlanAcceptance from "../../domain/PlanAcceptance.ts";
import * as Settlement from "../../domain/Settlement.ts";
import * as SettlementPolicy from "../../domain/SettlementPolicy.ts";
import type { Timestamp } from "../../domain/Timestamp.ts";
import * as Workspace from "../../domain/Workspace.ts";
import type { Flat, Logged, Revision, SaveFlat, SaveLogged, Versioned } from "../../ports/Storage.ts";
import type { Execution } from "./Pipeline.ts";

/** The actor of a command, and when. */
export type Stamp = Actor & Pick<Execution, "at">;

/** The same actor at another moment. */
export const stampAt = ({ actor, person }: Actor, at: Timestamp): Stamp =>
  person === undefined ? { actor, at } : { actor, person, at };

interface Views {
  readonly attribution: Attribution.View;
  readonly formula: Formula.View;
  readonly plan: CommissionPlan.View;
  readonly commission: Commission.View;
  readonly settlement: Settlement.View;
  readonly partner: Partner.View;
  readonly apiKey: ApiKey.View;
  readonly billingProfile: BillingProfile.View;
  readonly books: Books.View;
  readonly settlementPolicy: SettlementPolicy.View;
  readonly workspace: Workspace.View;
  readonly planAcceptance: PlanAcceptance.View;
  readonly partnerLink: PartnerLink.View;
}

type Evolve<Name extends keyof Logged> = (
  state: Views[Name] | null,
  entry: Entry<Logged[Name]["event"]>,
) => Views[Name];

const EVOLVE: { readonly [Name in keyof Logged]: Evolve<Name> } = {
  attribution: Attribution.evolve,
  formula: Formula.evolve,
  plan: CommissionPlan.evolve,
  commission: Commission.evolve,
  settlement: Settlement.evolve,
  partner: Partner.evolve,
  apiKey: ApiKey.evolve,
  billingProfile: BillingProfile.evolve,
  books: Books.evolve,
  settlementPolicy: SettlementPolicy.evolve,
  workspace: Workspace.evolve,
  planAcceptance: PlanAcceptance.evolve,
  partnerLink: PartnerLink.evolve,
};

/** The fields of a record that its events do not contain: identity and owner. */
export type Identity<Name extends keyof Logged> = Omit<Logged[Name]["record"], keyof Views[Name]>;

/**
 * Saves a record after one command's events: a new one when `before` is its identity alone, else the record as it was read.
 * All events of a command have one moment, never earlier than the record's last.
 */
export const appendEvents = <Name extends keyof Logged>(
  kind: Name,
  by: Stamp,
  before: Identity<Name> | Versioned<Logged[Name]["record"]>,
  events: ReadonlyArray<Logged[Name]["event"]>,
): SaveLogged<Name> => {
  const existing = "version" in before ? (before as Versioned<Logged[Name]["record"]>) : null;
  const moment = nextAt(by.at, existing?.lastAt ?? null);
  return appendEntries(
    kind,
    before,
    events.map((event) => entryOf(by, moment, event)),
  );
};

/** Saves a record after entries that have their moments, which never decrease. */
export const appendEntries = <Name extends keyof Logged>(
  kind: Name,
  before: Identity<Name> | Versioned<Logged[Name]["record"]>,
  entries: ReadonlyArray<Entry<Logged[Name]["event"]>>,
): SaveLogged<Name> => {
  const existing = "version" in before ? (before as Versioned<Logged[Name]["record"]>) : null;
  const evolve: Evolve<Name> = EVOLVE[kind];
  // A record is its identity and its view, and `before` holds at least the identity.
  let state = existing as unknown as Views[Name] | null;
  for (const entry of entries) state = evolve(state, entry);
  const expected = existing?.version ?? 0;
  const lastAt = entries[entries.length - 1]?.at ?? existing?.lastAt ?? 0;
  const version = { version: expected + entries.length, lastAt };
  // Copied by spreading: V8 makes a slow dictionary of an object that `Object.assign` gives so many keys.
  const row = { ...before, ...state, ...version };
  return { type: "save", kind, row: row as unknown as SaveLogged<Name>["row"], expected, entries };
};

/** Saves a record after one command's events: as what is left of its log gives it, with the fields that are in no event. */
export const appendToErased = <Name extends keyof Logged>(
  kind: Name,
  by: Stamp,
  {
    before,
    left,
  }: {
    readonly before: Versioned<Logged[Name]["record"]>;
    /** What is left of its log. */
    readonly left: ReadonlyArray<Entry<Logged[Name]["event"]>>;
  },
  events: ReadonlyArray<Logged[Name]["event"]>,
): SaveLogged<Name> => {
  const evolve: Evolve<Name> = EVOLVE[kind];
  return appendEvents(kind, by, { ...before, ...fold(evolve, left) }, events);
};

/** The version and the moment of the next save of a record without a log; null before the first one. */
export const next = (
  { at }: Pick<Stamp, "at">,
  before: { readonly version: number; readonly lastAt: number | null } | null,
): { readonly version: number; readonly lastAt: number } => ({
  version: (before?.version ?? 0) + 1,
  lastAt: nextAt(at, before?.lastAt ?? null),
});

/** Saves a record without a log, new when it has no version yet. */
export const flat = <Name extends keyof Flat>(
  kind: Name,
  { at }: Stamp,
  record: Flat[Name] & Partial<Versioned<unknown>>,
): SaveFlat<Name> => {
  const { version = 0, lastAt = null } = record;
  const row = { ...record, ...next({ at }, { version, lastAt }) };
  return { type: "save", kind, row, expected: version };
};

/** The revision of a commission by one event. */
export const revision = (
  by: Stamp,
  before: Versioned<Commission.Commission>,
  event: Commission.CommissionEvent,
): Revision => {
  const entry = entryOf(by, nextAt(by.at, before.lastAt), event);
  const { computedAmount, waitingAmount, receipt, formulaVersion, parametersVersion, computationError } =
    Commission.evolve(before, entry);
  return {
    commissionId: before.id,
    expected: before.version,
    ...{ computedAmount, waitingAmount, receipt },
    formulaVersion,
    parametersVersion,
    computationError,
    entry,
  };
};
