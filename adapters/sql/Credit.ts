/** The commonest change set, new attributions with the commissions that arise at once, as arguments of `quittance.credit`. */
import type { Ids, Storage } from "quittance";
import { integers, type Parameter } from "./Statement.ts";

/** Stores what {@link parameters} gives, or refuses it as `quittance.commit` would. */
export const CREDIT = `select quittance.credit($1::uuid, $2::uuid, $3, $4::bigint, $5::uuid[], $6::uuid[], $7::integer[],
  $8::uuid[], $9::uuid[], $10::uuid[], $11::uuid[], $12::uuid[], $13::json, $14::json, $15::uuid[], $16::uuid[],
  $17::uuid[], $18::uuid[], $19::uuid[], $20::text[], $21::bigint[], $22::integer[], $23::json, $24::json)`;

type SaveOf<Kind extends keyof Storage.Logged> = Storage.SaveLogged<Kind>;
type Program = Extract<Storage.Requirement, { readonly type: "program" }>;

/** The rows of a creation, and the formulas it rests on. */
interface Creation {
  readonly programs: ReadonlyArray<Program>;
  readonly attributions: ReadonlyArray<SaveOf<"attribution">["row"]>;
  readonly commissions: ReadonlyArray<SaveOf<"commission">["row"]>;
  /** The events, those of attributions first. */
  readonly events: ReadonlyArray<object>;
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
  row.writtenOffAmount === 0 &&
  row.pendingAmount === 0 &&
  row.settledLineCount === 0 &&
  row.openSettlementId === null;

/** What the change set creates, or null when it does anything else. */
const creationOf = (
  customerId: Ids.CustomerId,
  { command, requires, changes, outbox, remember }: Storage.ChangeSet,
): Creation | null => {
  if (outbox.length > 0 || remember !== null) return null;
  const programs: Array<Program> = [];
  for (const requirement of requires) {
    if (requirement.type !== "program") return null;
    programs.push(requirement);
  }
  const attributions: Array<SaveOf<"attribution">["row"]> = [];
  const commissions: Array<SaveOf<"commission">["row"]> = [];
  const events: { readonly [Kind in "attribution" | "commission"]: Array<object> } = {
    attribution: [],
    commission: [],
  };
  for (const change of changes) {
    if (change.type !== "save") return null;
    if (change.kind === "attribution") {
      if (!isFirst(command, customerId, change) || change.row.status !== "confirmed") return null;
      attributions.push(change.row);
    } else if (change.kind === "commission") {
      if (!isFirst(command, customerId, change) || !isUntouched(change.row)) return null;
      commissions.push(change.row);
    } else return null;
    events[change.kind].push(...change.entries.map(({ event }) => event));
  }
  if (attributions.length === 0) return null;
  return { programs, attributions, commissions, events: [...events.attribution, ...events.commission] };
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

const byProgram = (one: Program, other: Program): number =>
  `${one.partnerId}${one.schemaId}` < `${other.partnerId}${other.schemaId}` ? -1 : 1;

/** The arguments, or null when the change set is not of this kind. Programs are locked in the order of their ids. */
export const parameters = (
  customerId: Ids.CustomerId,
  changeSet: Storage.ChangeSet,
): ReadonlyArray<Parameter> | null => {
  const creation = creationOf(customerId, changeSet);
  if (creation === null) return null;
  const { attributions, commissions, events } = creation;
  const { id, actor, at } = changeSet.command;
  const programs = creation.programs.toSorted(byProgram);
  return [
    customerId,
    id,
    actor,
    at,
    array(programs, (one) => one.partnerId),
    array(programs, (one) => one.schemaId),
    integers(programs.map((one) => one.version)),
    array(attributions, (row) => row.id),
    array(attributions, (row) => row.workspaceId),
    array(attributions, (row) => row.partnerId),
    array(attributions, (row) => row.schemaId),
    array(attributions, (row) => row.agentId),
    texts(attributions, (row) => row.externalReference),
    texts(attributions, (row) => JSON.stringify(row.properties)),
    array(commissions, (row) => row.id),
    array(commissions, (row) => row.workspaceId),
    array(commissions, (row) => row.partnerId),
    array(commissions, (row) => row.attributionId),
    array(commissions, (row) => row.formulaId),
    array(commissions, (row) => row.currency),
    array(commissions, (row) => row.computedAmount),
    array(commissions, (row) => row.formulaVersion),
    texts(commissions, (row) =>
      row.computationError === null ? null : JSON.stringify(row.computationError),
    ),
    texts(events, (event) => JSON.stringify(event)),
  ];
};
