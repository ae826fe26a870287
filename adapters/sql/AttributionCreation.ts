/**
 * The commonest change sets, new attributions with the commissions that arise at once, as arguments of
 * `quittance.credit`: those of several commands together, each of whose rows tells its command by its place, from 1.
 */
import type { Ids, Storage } from "quittance";
import { integers, type Parameter } from "./Statement.ts";

/** Stores what {@link parameters} gives, or refuses it as `quittance.commit` would. */
export const CREDIT = `select quittance.credit($1::uuid, $2::uuid[], $3::json, $4::bigint[], $5::json, $6::json, $7::json,
  $8::uuid[], $9::uuid[], $10::integer[], $11::uuid[], $12::integer[], $13::integer[], $14::uuid[], $15::uuid[],
  $16::uuid[], $17::uuid[], $18::uuid[], $19::json, $20::json, $21::integer[], $22::uuid[], $23::uuid[], $24::uuid[],
  $25::uuid[], $26::uuid[], $27::text[], $28::bigint[], $29::integer[], $30::json, $31::json)`;

type SaveOf<Kind extends keyof Storage.Logged> = Storage.SaveLogged<Kind>;
type Program = Extract<Storage.Requirement, { readonly type: "formula_set" }>;
type Credential = Extract<Storage.Requirement, { readonly type: "record" }>;

/** The rows that a command creates, the formulas and keys they rest on, and what answers a repetition of it. */
export interface Creation {
  readonly command: Storage.ChangeSet["command"];
  readonly remember: Storage.IdempotencyRecord | null;
  readonly programs: ReadonlyArray<Program>;
  readonly apiKeys: ReadonlyArray<Credential>;
  readonly attributions: ReadonlyArray<SaveOf<"attribution">["row"]>;
  readonly commissions: ReadonlyArray<SaveOf<"commission">["row"]>;
  readonly attributionEvents: ReadonlyArray<object>;
  readonly commissionEvents: ReadonlyArray<object>;
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
    row.version === 1 &&
    row.customerId === customerId &&
    row.createdAt === command.at &&
    row.lastAt === command.at &&
    entry.at === command.at &&
    entry.actor === command.actor
  );
};

const isUntouched = (row: SaveOf<"commission">["row"]): boolean =>
  row.paidAmount === 0 &&
  row.writtenOffPositive === 0 &&
  row.writtenOffNegative === 0 &&
  row.pendingAmount === 0 &&
  row.settledLineCount === 0 &&
  row.openSettlementId === null;

/** What the change set creates, or null when it does anything else. */
export const creation = (
  customerId: Ids.CustomerId,
  { command, requires, changes, outbox, idempotencyRecord: remember }: Storage.ChangeSet,
): Creation | null => {
  if (outbox.length > 0) return null;
  if (remember !== null && (remember.principalId !== command.actor || remember.at !== command.at))
    return null;
  const programs: Array<Program> = [];
  const apiKeys: Array<Credential> = [];
  for (const requirement of requires) {
    if (requirement.type === "formula_set") programs.push(requirement);
    else if (requirement.type === "record" && requirement.kind === "apiKey" && requirement.version > 0) {
      apiKeys.push(requirement);
    } else return null;
  }
  const attributions: Array<SaveOf<"attribution">["row"]> = [];
  const commissions: Array<SaveOf<"commission">["row"]> = [];
  const attributionEvents: Array<object> = [];
  const commissionEvents: Array<object> = [];
  for (const change of changes) {
    if (change.type !== "save") return null;
    if (change.kind === "attribution") {
      if (!isFirst(command, customerId, change) || change.row.status !== "confirmed") return null;
      attributions.push(change.row);
      attributionEvents.push(...change.entries.map(({ event }) => event));
    } else if (change.kind === "commission") {
      if (!isFirst(command, customerId, change) || !isUntouched(change.row)) return null;
      commissions.push(change.row);
      commissionEvents.push(...change.entries.map(({ event }) => event));
    } else return null;
  }
  if (attributions.length === 0) return null;
  return {
    command,
    remember,
    programs,
    apiKeys,
    attributions,
    commissions,
    attributionEvents,
    commissionEvents,
  };
};

/** An array whose elements need no quotes: ids, numbers, currencies. */
const array = <Item>(items: ReadonlyArray<Item>, of: (item: Item) => string | number | null): string => {
  let text = "";
  for (const item of items) text += `${text === "" ? "" : ","}${of(item) ?? "NULL"}`;
  return `{${text}}`;
};

/** JSON texts, each of which stays as it is written; where all are null, none is sent. */
const texts = <Item>(items: ReadonlyArray<Item>, of: (item: Item) => string | null): string => {
  const all = items.map(of);
  return all.every((text) => text === null) ? "[]" : JSON.stringify(all);
};

const programKey = ({ partnerId, schemaId, version }: Program): string => `${partnerId}${schemaId}${version}`;
const apiKeyKey = ({ id, version }: Credential): string => `${id}${version}`;

/**
 * What commands rest on, in the order of ids, in which it is locked; each once, unless two commands rest on different
 * versions of it, of which one is stale.
 */
const once = <Item>(
  creations: ReadonlyArray<Creation>,
  of: (creation: Creation) => ReadonlyArray<Item>,
  keyOf: (item: Item) => string,
): ReadonlyArray<Item> => {
  const items = new Map<string, Item>();
  for (const creation of creations) for (const item of of(creation)) items.set(keyOf(item), item);
  return [...items].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, item]) => item);
};

/** The place of its command, for each row of all commands. */
const makers = (
  creations: ReadonlyArray<Creation>,
  rows: (creation: Creation) => ReadonlyArray<unknown>,
): string => integers(creations.flatMap((creation, index) => rows(creation).map(() => index + 1)));

/** The arguments that store what commands of one customer create, each made when it is asked for. */
export const parameters = (
  customerId: Ids.CustomerId,
  creations: ReadonlyArray<Creation>,
): ReadonlyArray<() => Parameter> => {
  const programs = once(creations, (one) => one.programs, programKey);
  const apiKeys = once(creations, (one) => one.apiKeys, apiKeyKey);
  const attributions = creations.flatMap((one) => one.attributions);
  const commissions = creations.flatMap((one) => one.commissions);
  const events = [
    ...creations.flatMap((one) => one.attributionEvents),
    ...creations.flatMap((one) => one.commissionEvents),
  ];
  return [
    () => customerId,
    () => array(creations, ({ command }) => command.id),
    () => texts(creations, ({ command }) => command.actor),
    () => array(creations, ({ command }) => command.at),
    () => texts(creations, ({ remember }) => remember?.key ?? null),
    () => texts(creations, ({ remember }) => remember?.requestSha256 ?? null),
    () => texts(creations, ({ remember }) => (remember === null ? null : JSON.stringify(remember.result))),
    () => array(programs, (one) => one.partnerId),
    () => array(programs, (one) => one.schemaId),
    () => integers(programs.map((one) => one.version)),
    () => array(apiKeys, (one) => one.id),
    () => integers(apiKeys.map((one) => one.version)),
    () => makers(creations, (one) => one.attributions),
    () => array(attributions, (row) => row.id),
    () => array(attributions, (row) => row.workspaceId),
    () => array(attributions, (row) => row.partnerId),
    () => array(attributions, (row) => row.schemaId),
    () => array(attributions, (row) => row.agentId),
    () => texts(attributions, (row) => row.externalReference),
    () => texts(attributions, (row) => JSON.stringify(row.properties)),
    () => makers(creations, (one) => one.commissions),
    () => array(commissions, (row) => row.id),
    () => array(commissions, (row) => row.workspaceId),
    () => array(commissions, (row) => row.partnerId),
    () => array(commissions, (row) => row.attributionId),
    () => array(commissions, (row) => row.formulaId),
    () => array(commissions, (row) => row.currency),
    () => array(commissions, (row) => row.computedAmount),
    () => array(commissions, (row) => row.formulaVersion),
    () =>
      texts(commissions, (row) =>
        row.computationError === null ? null : JSON.stringify(row.computationError),
      ),
    () => texts(events, (event) => JSON.stringify(event)),
  ];
};
