/**
 * The change sets that `quittance.create_attributions` stores: new attributions with the commissions that each earns at
 * once. Every other change set is stored by `quittance.commit_command`.
 */
import type { Ids, Storage } from "quittance";
import { TABLES } from "../records/Tables.ts";

type SaveOf<Kind extends keyof Storage.Logged> = Storage.SaveLogged<Kind>;
/** The formulas that a command relied on. */
export type FormulaSet = Extract<Storage.Requirement, { readonly type: "formula_set" }>;

/** The record of an order of arrival, or of a running total, that a command saves. */
export type OrderedSave = Extract<
  Storage.Change,
  { readonly type: "save"; readonly kind: "arrivalOrder" | "runningTotal" }
>;

/** The rows and events that a command creates, what it relied on, and the result for a repetition of it. */
export interface Creation {
  readonly command: Storage.ChangeSet["command"];
  readonly idempotencyRecord: Storage.IdempotencyRecord | null;
  readonly formulaSets: ReadonlyArray<FormulaSet>;
  /** The API key, the workspaces, their links of partners, and the histories that a command relied on. */
  readonly apiKeys: ReadonlyArray<Storage.RecordRequirement>;
  readonly workspaces: ReadonlyArray<Storage.RecordRequirement>;
  readonly linkSets: ReadonlyArray<Storage.RecordRequirement>;
  readonly histories: ReadonlyArray<Storage.RecordRequirement>;
  /** The attributions of creations on which the command was decided, and which may not be stored yet. */
  readonly before: ReadonlyArray<Storage.RecordRequirement>;
  readonly ordered: ReadonlyArray<OrderedSave>;
  readonly attributions: ReadonlyArray<SaveOf<"attribution">["row"]>;
  readonly commissions: ReadonlyArray<SaveOf<"commission">["row"]>;
  readonly attributionEvents: ReadonlyArray<object>;
  readonly commissionEvents: ReadonlyArray<object>;
  /** True if the events are recorded for the feed. */
  readonly feed: boolean;
}

const isFirst = (
  command: Storage.ChangeSet["command"],
  customerId: Ids.CustomerId,
  { row, expected, entries }: SaveOf<"attribution"> | SaveOf<"commission">,
): boolean => {
  const [entry] = entries;
  return (
    entry !== undefined &&
    entries.length === 1 &&
    expected === 0 &&
    row.customerId === customerId &&
    row.createdAt === command.at &&
    row.lastAt === command.at &&
    entry.at === command.at &&
    entry.actor === command.actor &&
    entry.person === command.person
  );
};

/** The fields of a kind that have the same value in every new record. */
const initialValues = (kind: "attribution" | "commission") =>
  Object.entries(TABLES[kind].columns).filter(([, { initial }]) => initial !== undefined);

const INITIAL = { attribution: initialValues("attribution"), commission: initialValues("commission") };

/** True if a record has those values: the function stores them without being given them. */
const isInitial = (kind: keyof typeof INITIAL, row: object): boolean =>
  INITIAL[kind].every(([field, { initial }]) => Reflect.get(row, field) === initial);

/** A creation whose lists are being filled. One object for all: creating attributions runs this for every change set. */
type OpenCreation = {
  readonly [Field in keyof Creation]: Creation[Field] extends ReadonlyArray<infer Item>
    ? Array<Item>
    : Creation[Field];
};

/** Adds a requirement; false when the function cannot check it. */
const addRequirement = (
  { formulaSets, apiKeys, workspaces, linkSets, histories, before }: OpenCreation,
  requirement: Storage.Requirement,
): boolean => {
  if (requirement.type === "formula_set") formulaSets.push(requirement);
  else if (requirement.type !== "record") return false;
  else if (requirement.kind === "workspace") workspaces.push(requirement);
  else if (requirement.kind === "linkSet") linkSets.push(requirement);
  else if (requirement.version === 0) return false;
  else if (requirement.kind === "apiKey") apiKeys.push(requirement);
  else if (requirement.kind === "attributionHistory") histories.push(requirement);
  else if (requirement.kind === "attribution") before.push(requirement);
  else return false;
  return true;
};

/** Adds a change; false when the function cannot store it. */
const addChange = (open: OpenCreation, customerId: Ids.CustomerId, change: Storage.Change): boolean => {
  if (change.type !== "save") return false;
  switch (change.kind) {
    case "attribution":
      if (!isFirst(open.command, customerId, change) || !isInitial("attribution", change.row)) return false;
      open.attributions.push(change.row);
      for (const { event } of change.entries) open.attributionEvents.push(event);
      return true;
    case "commission":
      if (!isFirst(open.command, customerId, change) || !isInitial("commission", change.row)) return false;
      open.commissions.push(change.row);
      for (const { event } of change.entries) open.commissionEvents.push(event);
      return true;
    case "arrivalOrder":
    case "runningTotal":
      open.ordered.push(change);
      return true;
    default:
      return false;
  }
};

/** False for a sale that gets credits later: it must stay locked, and the function does not lock what is stored before. */
const areBuiltOnArrivals = ({ before, ordered, attributions }: OpenCreation): boolean =>
  before.length === 0 || (ordered.length > 0 && attributions.every(({ originId }) => originId === null));

/** What the change set creates, or null when it does anything else. */
export const creation = (
  customerId: Ids.CustomerId,
  { command, requires, changes, outbox, idempotencyRecord, feed = true }: Storage.ChangeSet,
): Creation | null => {
  if (outbox.length > 0) return null;
  if (
    idempotencyRecord !== null &&
    (idempotencyRecord.principalId !== command.actor || idempotencyRecord.at !== command.at)
  )
    return null;
  const open: OpenCreation = {
    command,
    idempotencyRecord,
    formulaSets: [],
    apiKeys: [],
    workspaces: [],
    linkSets: [],
    histories: [],
    before: [],
    ordered: [],
    attributions: [],
    commissions: [],
    attributionEvents: [],
    commissionEvents: [],
    feed,
  };
  for (const requirement of requires) if (!addRequirement(open, requirement)) return null;
  for (const change of changes) if (!addChange(open, customerId, change)) return null;
  return open.attributions.length === 0 || !areBuiltOnArrivals(open) ? null : open;
};
