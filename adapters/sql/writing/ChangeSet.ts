/**
 * A change set as the JSON argument of `quittance.commit_command`, grouped by what one statement can store. JSON that callers wrote
 * travels as text inside the JSON, so that its keys keep their order.
 */
import { Effect } from "effect";
import { Commission, type Event, EventFeed, type Ids, Storage, TimeSlice } from "quittance";
import { encode, type Row } from "../records/RowMapping.ts";

type Save = Extract<Storage.Change, { readonly type: "save" }>;
type Numbered = Extract<Storage.Change, { readonly type: "allocate_number" }>;
type LineChange = Extract<Storage.Change, { readonly type: "reserve" | "settle" | "release" | "reopen" }>;
type Versions = ReadonlyArray<{ readonly id: string; readonly version: number }>;

/** The rows of one kind that are locked before anything is checked. */
interface Locks {
  /** Rows that are going to change, or are locked as if they were. */
  readonly ids: Array<string>;
  /** Settlements whose commissions are locked with the rest. */
  readonly lines_of?: Array<string>;
  /** Rows that the commit relies on, with their required versions. */
  versions?: Versions;
  /** Records that must not exist. */
  absent?: ReadonlyArray<string>;
}

const isSave = (change: Storage.Change): change is Save => change.type === "save";

const isLineChange = (change: Storage.Change): change is LineChange =>
  change.type === "reserve" ||
  change.type === "settle" ||
  change.type === "release" ||
  change.type === "reopen";

const reversals = (changes: ReadonlyArray<Storage.Change>): ReadonlyArray<Row> | undefined => {
  const rows = changes.flatMap((change) =>
    change.type === "reverse"
      ? [
          {
            settlement_id: change.settlementId,
            parts: change.parts.map(({ commissionId, originId, amount }) => ({
              commission_id: commissionId,
              origin_id: originId,
              amount,
            })),
          },
        ]
      : [],
  );
  return rows.length === 0 ? undefined : rows;
};

/** The rows of saves, by kind. */
const group = (saves: ReadonlyArray<Save>): Readonly<Record<string, ReadonlyArray<Row>>> | undefined => {
  if (saves.length === 0) return undefined;
  const groups: Record<string, Array<Row>> = {};
  for (const save of saves) {
    const rows = groups[save.kind] ?? [];
    groups[save.kind] = rows;
    rows.push(save.expected === 0 ? encode(save) : { ...encode(save), expected: save.expected });
  }
  return groups;
};

/**
 * Where rows of a kind change, those that the commit relies on are locked with them, in one order: two commits of which each
 * relies on what the other changes would deadlock.
 */
const lockTogether = ({ ids, lines_of = [], versions = [] }: Locks): void => {
  if (ids.length + lines_of.length > 0) ids.push(...versions.map(({ id }) => id));
};

const locks = ({ requires, changes }: Storage.ChangeSet): Readonly<Record<string, Locks>> | undefined => {
  const locksByKind: Record<string, Locks> = {};
  const of = (kind: Storage.Kind): Locks => {
    const kindLocks = locksByKind[kind] ?? (kind === "commission" ? { ids: [], lines_of: [] } : { ids: [] });
    locksByKind[kind] = kindLocks;
    return kindLocks;
  };
  const linesOf = (settlementId: string): void => {
    of("settlement").ids.push(settlementId);
    of("commission").lines_of?.push(settlementId);
  };
  for (const change of changes) {
    if (isSave(change) && change.expected > 0) of(change.kind).ids.push(Storage.recordIdOf(change.row));
    if (change.type === "revise")
      of("commission").ids.push(...change.revisions.map((revision) => revision.commissionId));
    if (change.type === "reserve")
      of("commission").ids.push(...change.lines.map((line) => line.commissionId));
    else if (isLineChange(change)) linesOf(change.settlementId);
  }
  for (const requirement of requires) {
    if (requirement.type === "freshness") linesOf(requirement.settlementId);
    // Exclusively: two commits that each add a commission, and count those of both attributions, exclude each other.
    if (requirement.type === "commissions") of("attribution").ids.push(requirement.attributionId);
    if (requirement.type !== "record") continue;
    const kindLocks = of(requirement.kind);
    const { id, version } = requirement;
    if (version === 0) kindLocks.absent = [...(kindLocks.absent ?? []), id];
    else kindLocks.versions = [...(kindLocks.versions ?? []), { id, version }];
  }
  Object.values(locksByKind).forEach(lockTogether);
  return Object.keys(locksByKind).length === 0 ? undefined : locksByKind;
};

const formulaSets = ({ requires, changes }: Storage.ChangeSet): ReadonlyArray<Row> | undefined => {
  const byKey = new Map<
    string,
    { partner_id: string; schema_id: string; version: number | null; bumps: number }
  >();
  const of = (partnerId: Ids.PartnerId, schemaId: Ids.SchemaId) => {
    const key = `${partnerId} ${schemaId}`;
    const formulaSet = byKey.get(key) ?? {
      partner_id: partnerId,
      schema_id: schemaId,
      version: null,
      bumps: 0,
    };
    byKey.set(key, formulaSet);
    return formulaSet;
  };
  for (const requirement of requires) {
    if (requirement.type === "formula_set") {
      of(requirement.partnerId, requirement.schemaId).version = requirement.version;
    }
  }
  for (const change of changes) {
    if (change.type === "bump_formula_set") of(change.partnerId, change.schemaId).bumps += 1;
  }
  return byKey.size === 0 ? undefined : [...byKey.values()];
};

const requirements = (requires: ReadonlyArray<Storage.Requirement>): object | undefined => {
  const counts = requires.flatMap((requirement) =>
    requirement.type === "commissions"
      ? [{ attribution_id: requirement.attributionId, count: requirement.count }]
      : [],
  );
  const freshness = requires.flatMap((requirement) =>
    requirement.type === "freshness"
      ? [{ settlement_id: requirement.settlementId, stale: requirement.stale }]
      : [],
  );
  const since = requires.flatMap((requirement) =>
    requirement.type === "no_attribution_since"
      ? [
          {
            partner_id: requirement.partnerId,
            schema_id: requirement.schemaId,
            workspace_id: requirement.workspaceId,
            moment: requirement.since,
          },
        ]
      : [],
  );
  const unassigned = requires.flatMap((requirement) =>
    requirement.type === "no_formula_of_plan" ? [requirement.planId] : [],
  );
  return counts.length + freshness.length + since.length + unassigned.length === 0
    ? undefined
    : { counts, freshness, since, unassigned };
};

interface Logged extends Event.Actor {
  readonly at: number;
  readonly event: { readonly type: string; readonly stored?: unknown };
}

const eventRow = (
  kind: EventFeed.Kind,
  id: string,
  sequence: number,
  { at, actor, person, event }: Logged,
): Row & { readonly kind: EventFeed.Kind } => {
  const { stored, ...shown } = event;
  const row = { record_id: id, sequence, kind, at, actor, person, event: JSON.stringify(shown) };
  return stored === undefined ? row : { ...row, stored: JSON.stringify(stored) };
};

const events = (changes: ReadonlyArray<Storage.Change>): ReadonlyArray<Row> | undefined => {
  const rows: Array<ReturnType<typeof eventRow>> = [];
  for (const change of changes) {
    if (isSave(change) && "entries" in change) {
      const { kind, row, expected, entries } = change;
      entries.forEach((entry, index) => {
        rows.push(eventRow(kind, Storage.recordIdOf(row), expected + index + 1, entry));
      });
    }
    if (change.type === "revise") {
      for (const { commissionId, expected, entry } of change.revisions) {
        rows.push(eventRow("commission", commissionId, expected + 1, entry));
      }
    }
  }
  return rows.length === 0 ? undefined : EventFeed.inKindOrder(rows);
};

const erasures = (changes: ReadonlyArray<Storage.Change>): ReadonlyArray<Row> | undefined => {
  const rows = changes.flatMap((change) => {
    if (change.type !== "erase_events") return [];
    const { kind, id, events } = change;
    return events.map(({ sequence, left, feed }) => ({
      ...(left === null ? { record_id: id, sequence } : eventRow(kind, id, sequence, left)),
      ...feed,
    }));
  });
  return rows.length === 0 ? undefined : rows;
};

const settlements = (saves: ReadonlyArray<Save>): object | undefined => {
  const settlementSaves = saves.flatMap((save) => (save.kind === "settlement" ? [save] : []));
  if (settlementSaves.length === 0) return undefined;
  const references = settlementSaves.flatMap(({ row, entries }) =>
    entries.flatMap(({ event }) =>
      event.type === "initiate_payment"
        ? [{ reference: event.payment_reference, settlement_id: row.id }]
        : [],
    ),
  );
  return {
    insert: group(settlementSaves.filter(({ expected }) => expected === 0))?.settlement,
    update: group(settlementSaves.filter(({ expected }) => expected > 0))?.settlement,
    payment_references: references.length === 0 ? undefined : references,
  };
};

const revisions = (changes: ReadonlyArray<Storage.Change>): ReadonlyArray<Row> | undefined => {
  const rows = changes.flatMap((change) =>
    change.type === "revise"
      ? change.revisions.map((revision) => ({
          id: revision.commissionId,
          expected: revision.expected,
          computed_amount: revision.computedAmount,
          ...(revision.receipt === null
            ? {}
            : {
                waiting_amount: revision.waitingAmount,
                receipt: revision.receipt,
                is_receipt: revision.entry.event.type === "update_received",
              }),
          formula_version: revision.formulaVersion,
          parameters_version: revision.parametersVersion,
          computation_error: revision.computationError,
          last_at: revision.entry.at,
        }))
      : [],
  );
  return rows.length === 0 ? undefined : rows;
};

const LINE_ORDER: ReadonlyArray<LineChange["type"]> = ["reserve", "settle", "release", "reopen"];

const lineChange = (change: LineChange): Row => {
  const row = { type: change.type, settlement_id: change.settlementId };
  switch (change.type) {
    case "reserve":
      return {
        ...row,
        lines: change.lines.map(({ commissionId, amount, expected }) => ({
          commission_id: commissionId,
          amount,
          expected,
        })),
      };
    case "settle":
      return { ...row, as: change.as };
    case "release":
      return { ...row, cause: change.cause };
    case "reopen":
      return row;
  }
};

const lines = (changes: ReadonlyArray<Storage.Change>): ReadonlyArray<Row> | undefined => {
  const lineChanges = changes.filter(isLineChange);
  if (lineChanges.length === 0) return undefined;
  return lineChanges
    .toSorted((a, b) => LINE_ORDER.indexOf(a.type) - LINE_ORDER.indexOf(b.type))
    .map(lineChange);
};

const numbers = (changes: ReadonlyArray<Storage.Change>): ReadonlyArray<Row> | undefined => {
  const allocations = changes.filter((change): change is Numbered => change.type === "allocate_number");
  if (allocations.length === 0) return undefined;
  return allocations.map(({ series: { name, lastNumber, lastDate } }) => ({
    series: name,
    last_number: lastNumber,
    last_date: lastDate,
  }));
};

const outbox = (messages: ReadonlyArray<Storage.Message>): ReadonlyArray<Row> | undefined =>
  messages.length === 0
    ? undefined
    : messages.map(({ id, topic, recordId, reference, delayMilliseconds }) => ({
        id,
        topic,
        record_id: recordId,
        reference,
        delay: delayMilliseconds,
      }));

const idempotencyRecord = (record: Storage.IdempotencyRecord | null): Row | undefined =>
  record === null
    ? undefined
    : {
        principal_id: record.principalId,
        key: record.key,
        request_sha256: record.requestSha256,
        result: JSON.stringify(record.result),
        at: record.at,
      };

/** The mistake of a caller in a save, or null. */
const findMistake = (customerId: Ids.CustomerId, save: Save): string | null => {
  const raised = "entries" in save ? save.entries.length : 1;
  if (save.row.customerId !== customerId) return `a ${save.kind} of another customer`;
  if (save.kind === "commission" && (save.expected > 0 || !Commission.areFirst(save.entries)))
    return "a save of a commission that is not new with its first events";
  return save.row.version === save.expected + raised ? null : `a ${save.kind} whose version does not follow`;
};

/** The members of the argument, each as a function that computes it: a member of thousands of rows takes milliseconds. */
const members = (customerId: Ids.CustomerId, changeSet: Storage.ChangeSet) => {
  const { command, requires, changes } = changeSet;
  const saves = changes.filter(isSave);
  for (const save of saves) {
    const problem = findMistake(customerId, save);
    if (problem !== null) throw new Error(problem);
  }
  const others = saves.filter(({ kind }) => kind !== "settlement");
  return {
    command: () => ({
      ...command,
      feed: changeSet.feed !== false,
      earliest: Storage.earliestOf(changeSet),
      is_of_books: saves.some(({ kind }) => kind === "books"),
    }),
    idempotency_record: () => idempotencyRecord(changeSet.idempotencyRecord),
    formula_sets: () => formulaSets(changeSet),
    locks: () => locks(changeSet),
    requirements: () => requirements(requires),
    settlements: () => settlements(saves),
    revisions: () => revisions(changes),
    lines: () => lines(changes),
    reversals: () => reversals(changes),
    insert: () => group(others.filter(({ expected }) => expected === 0)),
    update: () => group(others.filter(({ expected }) => expected > 0)),
    erasures: () => erasures(changes),
    events: () => events(changes),
    numbers: () => numbers(changes),
    outbox: () => outbox(changeSet.outbox),
  };
};

/**
 * The JSON text of a change set, written in time slices. Fails on a record of another customer, on a version that skips,
 * and on a value that is not JSON.
 */
export const body = (
  customerId: Ids.CustomerId,
  changeSet: Storage.ChangeSet,
): Effect.Effect<string, Storage.StorageError> =>
  Effect.flatMap(
    Effect.suspend(() =>
      TimeSlice.map(Object.entries(members(customerId, changeSet)), ([name, make]) => [name, make()]),
    ),
    // A member that is undefined is left out, and the function skips absent members.
    (values) => TimeSlice.json(Object.fromEntries(values)),
  ).pipe(
    Effect.catchAllDefect((cause) => Effect.fail(new Storage.StorageError({ reason: "broken", cause }))),
  );
