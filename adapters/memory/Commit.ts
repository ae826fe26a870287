/** Commits: checks and applies a change set in one synchronous step, or undoes all of it. */
import { Commission, Event, type Ids, type Settlement, Storage } from "quittance";
import { type CommitWork, claim, deepFreeze, failUnless, type SaveChange } from "./CommitWork.ts";
import * as Feed from "./Feed.ts";
import { isStale } from "./Freshness.ts";
import {
  addToIndexes,
  moveDelivery,
  movePayment,
  moveReference,
  releaseReference,
  routePayments,
} from "./Indexes.ts";
import { Journal } from "./Journal.ts";
import { join, type Partition, partition, type Store } from "./Store.ts";

type LineChange = Extract<Storage.Change, { readonly type: "reserve" | "settle" | "release" | "reopen" }>;

const saveIdempotencyRecord = (
  { partition, journal }: CommitWork,
  record: Storage.IdempotencyRecord | null,
): void => {
  if (record === null) return;
  const key = join(record.principalId, record.key);
  if (partition.idempotencyRecords.has(key)) throw new Storage.IdempotencyKeyUsed();
  journal.set(partition.idempotencyRecords, key, deepFreeze(record));
};

/** True if what a commit relies on still holds. */
const isMet = ({ partition }: CommitWork, requirement: Storage.Requirement): boolean => {
  switch (requirement.type) {
    case "formula_set": {
      const version = partition.formulaSets.get(join(requirement.partnerId, requirement.schemaId)) ?? 0;
      return version === requirement.version;
    }
    case "record":
      return (partition.rows[requirement.kind].get(requirement.id)?.version ?? 0) === requirement.version;
    case "commissions":
      return (partition.commissions.get(requirement.attributionId)?.length ?? 0) === requirement.count;
    case "freshness":
      return isStale(partition, requirement.settlementId) === requirement.stale;
    case "no_attribution_since": {
      const { partnerId, schemaId, workspaceId, since } = requirement;
      const last = partition.attributions.get(join(partnerId, schemaId, workspaceId))?.at(-1);
      return last === undefined || last.moment < since;
    }
    case "no_formula_of_plan":
      return (partition.planFormulas.get(requirement.planId)?.length ?? 0) === 0;
  }
};

const appendToCommission = (
  { partition, journal }: CommitWork,
  commission: Storage.Versioned<Commission.Commission>,
  entry: Event.Entry<Commission.CommissionEvent>,
): void => {
  const version = { version: commission.version + 1, lastAt: entry.at };
  const row = { ...commission, ...Commission.evolve(commission, entry), ...version };
  journal.set(partition.rows.commission, commission.id, deepFreeze(row));
  journal.append(partition.logs.commission, commission.id, [deepFreeze(entry)]);
};

const revise = (work: CommitWork, { commissionId, expected, entry }: Storage.Revision): void => {
  const commission = work.partition.rows.commission.get(commissionId);
  if (commission === undefined || commission.version !== expected)
    throw new Storage.VersionConflict({ what: "commission" });
  appendToCommission(work, commission, entry);
};

/** The event of one commission when the lines of its settlement change. */
const lineEvent = (change: LineChange, amount: number): Commission.CommissionEvent => {
  const line = { settlement_id: change.settlementId, amount };
  switch (change.type) {
    case "reserve":
      return { type: "reserve_commission", ...line };
    case "settle":
      return { type: "settle_commission", ...line, kind: change.as };
    case "release":
      return { type: "release_commission", ...line, cause: change.cause };
    case "reopen":
      return { type: "reopen_commission", ...line };
  }
};

const createLines = (
  { partition, journal }: CommitWork,
  change: Extract<LineChange, { type: "reserve" }>,
): void => {
  const { settlementId } = change;
  failUnless(!partition.lines.has(settlementId), "settlement");
  const lines = change.lines.map(({ commissionId, amount, expected }): Settlement.Line => {
    failUnless(partition.rows.commission.get(commissionId)?.version === expected, "commission");
    journal.append(partition.settlements, commissionId, [settlementId]);
    return { commissionId, amount };
  });
  journal.set(partition.lines, settlementId, deepFreeze(lines));
};

/** A change of lines finds each commission free (to reserve or reopen) or held by the settlement (to settle or release). */
const changeLines = (work: CommitWork, change: LineChange): void => {
  if (change.type === "reserve") createLines(work, change);
  const holder = change.type === "settle" || change.type === "release" ? change.settlementId : null;
  for (const { commissionId, amount } of work.partition.lines.get(change.settlementId) ?? []) {
    const commission = work.partition.rows.commission.get(commissionId);
    if (commission === undefined || commission.openSettlementId !== holder) {
      throw new Storage.VersionConflict({ what: "reservation" });
    }
    const at = Event.nextAt(work.command.at, commission.lastAt);
    appendToCommission(work, commission, Event.entryOf(work.command, at, lineEvent(change, amount)));
    work.lineEvents.push({
      kind: "commission",
      recordId: commission.id,
      sequence: commission.version + 1,
      at,
    });
  }
};

const putRow = <Kind extends Storage.Kind>(
  { partition, journal, customerId }: CommitWork,
  kind: Kind,
  row: Storage.Versioned<Storage.Rows[Kind]>,
  expected: number,
  versionsAdded: number,
): void => {
  const rows: Map<string, Storage.Versioned<Storage.Rows[Kind]>> = partition.rows[kind];
  const id = Storage.recordIdOf(row);
  failUnless((rows.get(id)?.version ?? 0) === expected, kind);
  if (row.customerId !== customerId) throw new Error(`a ${kind} of another customer`);
  if (row.version !== expected + versionsAdded) throw new Error(`a ${kind} whose version does not follow`);
  journal.set(rows, id, deepFreeze(row));
};

const appendToLog = <Kind extends keyof Storage.Logged>(
  { partition, journal }: CommitWork,
  change: Storage.SaveLogged<Kind>,
): void => {
  const log: Map<string, ReadonlyArray<Event.Entry<Storage.Logged[Kind]["event"]>>> = partition.logs[
    change.kind
  ];
  journal.append(log, Storage.recordIdOf(change.row), deepFreeze(change.entries));
};

const saveRow = (work: CommitWork, change: SaveChange): void => {
  const logged = "entries" in change;
  if (change.kind === "commission" && (change.expected > 0 || !Commission.areFirst(change.entries)))
    throw new Error("a save of a commission that is not new with its first events");
  putRow(work, change.kind, change.row, change.expected, logged ? change.entries.length : 1);
  if (logged) appendToLog(work, change);
};

/** A key's last use is stored outside commits, so a save keeps the later of the two. */
const withLastUse = (partition: Partition, change: SaveChange): SaveChange => {
  if (change.kind !== "apiKey") return change;
  const used = partition.rows.apiKey.get(change.row.id)?.lastUsedAt ?? null;
  if (used === null || (change.row.lastUsedAt !== null && change.row.lastUsedAt >= used)) return change;
  return { ...change, row: { ...change.row, lastUsedAt: used } };
};

const save = (work: CommitWork, change: SaveChange): void => {
  if (change.kind === "bankPayment")
    movePayment(work, work.partition.rows.bankPayment.get(change.row.id), change.row);
  if (change.kind === "attribution")
    releaseReference(work, work.partition.rows.attribution.get(change.row.id), change.row);
  if (change.kind === "partner")
    moveReference(work, work.partition.rows.partner.get(change.row.id), change.row);
  if (change.kind === "webhookDelivery")
    moveDelivery(work, work.partition.rows.webhookDelivery.get(change.row.id), change.row);
  saveRow(work, withLastUse(work.partition, change));
  if (change.expected === 0) addToIndexes(work, change);
  if (change.kind === "settlement") routePayments(work, change);
};

const allocateNumber = (
  { partition, journal }: CommitWork,
  { series }: Extract<Storage.Change, { type: "allocate_number" }>,
): void => {
  failUnless(
    (partition.series.get(series.name)?.lastNumber ?? 0) === series.lastNumber - 1,
    "allocate_number",
  );
  journal.set(partition.series, series.name, series);
};

const bumpFormulaSet = (
  { partition, journal }: CommitWork,
  change: Extract<Storage.Change, { type: "bump_formula_set" }>,
): void => {
  const key = join(change.partnerId, change.schemaId);
  journal.set(partition.formulaSets, key, (partition.formulaSets.get(key) ?? 0) + 1);
};

/** Stores the reversals of a settlement: of commissions that it holds, and of settlements that have held them. */
const storeReversals = (
  { partition, journal }: CommitWork,
  { settlementId, parts }: Extract<Storage.Change, { type: "reverse" }>,
): void => {
  failUnless(!partition.reversals.has(settlementId), "reversal");
  for (const { commissionId, originId } of parts) {
    const holders = partition.settlements.get(commissionId) ?? [];
    if (!holders.includes(settlementId) || !holders.includes(originId))
      throw new Error(`a part of commission ${commissionId}, which its settlement has never held`);
  }
  journal.set(partition.reversals, settlementId, deepFreeze(parts));
};

const eraseEvents = <Kind extends keyof Storage.Logged>(
  { partition, journal }: CommitWork,
  { kind, id, events }: Storage.EraseEvents<Kind>,
): void => {
  const log: Map<string, ReadonlyArray<Event.Entry<Storage.Logged[Kind]["event"]>>> = partition.logs[kind];
  const entries = [...(log.get(id) ?? [])];
  for (const { sequence, left } of events) {
    if (left === null) continue;
    if (entries[sequence - 1]?.event.type !== left.event.type)
      throw new Error(`event ${sequence} of ${kind} ${id} is another one`);
    entries[sequence - 1] = deepFreeze(left);
  }
  journal.set(log, id, Object.freeze(entries));
};

const applyChange = (work: CommitWork, change: Storage.Change): void => {
  switch (change.type) {
    case "save":
      save(work, change);
      break;
    case "bump_formula_set":
      bumpFormulaSet(work, change);
      break;
    case "allocate_number":
      allocateNumber(work, change);
      break;
    case "revise":
      for (const revision of change.revisions) revise(work, revision);
      break;
    case "reserve":
    case "settle":
    case "release":
    case "reopen":
      changeLines(work, change);
      break;
    case "reverse":
      storeReversals(work, change);
      break;
    case "erase_events":
      eraseEvents(work, change);
      break;
  }
};

/** The position of a change in the order that the port fixes: settlements, revise, lines, other saves. */
const phase = (change: Storage.Change): number => {
  switch (change.type) {
    case "save":
      return change.kind === "settlement" ? 0 : 3;
    case "revise":
      return 1;
    case "reserve":
    case "settle":
    case "release":
    case "reopen":
      return 2;
    case "bump_formula_set":
    case "allocate_number":
    case "reverse":
    case "erase_events":
      return 3;
  }
};

/** The changes in the order of their phases; most change sets are in it already. */
const sortedByPhase = (changes: ReadonlyArray<Storage.Change>): ReadonlyArray<Storage.Change> =>
  changes.every((change, index) => {
    const before = changes[index - 1];
    return before === undefined || phase(before) <= phase(change);
  })
    ? changes
    : changes.toSorted((a, b) => phase(a) - phase(b));

/** Fails a commit with a command or an event that is dated in a closed month. */
const requireOpenPeriod = ({ partition }: CommitWork, changeSet: Storage.ChangeSet): void => {
  const [books] = partition.rows.books.values();
  const closedUntil = books?.closedUntil ?? null;
  failUnless(closedUntil === null || Storage.earliestOf(changeSet) >= closedUntil, "books");
};

const apply = (work: CommitWork, changeSet: Storage.ChangeSet): void => {
  const { partition, journal } = work;
  requireOpenPeriod(work, changeSet);
  saveIdempotencyRecord(work, changeSet.idempotencyRecord);
  claim(work, partition.commands, changeSet.command.id, changeSet.command.at, "command");
  for (const requirement of changeSet.requires) {
    failUnless(isMet(work, requirement), requirement.type === "record" ? requirement.kind : requirement.type);
  }
  for (const next of sortedByPhase(changeSet.changes)) applyChange(work, next);
  for (const { delayMilliseconds, ...sent } of changeSet.outbox) {
    failUnless(!work.store.messages.has(sent.id), "message");
    const message = { ...sent, claim: 0, failures: 0, lostLeases: 0 };
    const availableAt = work.now + delayMilliseconds;
    const fresh = { leasedUntil: 0, problem: null, deadLettered: false, parked: false };
    journal.set(work.store.messages, message.id, { message, availableAt, ...fresh });
  }
};

/** Stores a change set and returns null, or changes nothing and returns the failure. */
export const commit = (
  store: Store,
  customerId: Ids.CustomerId,
  changeSet: Storage.ChangeSet,
  now: number,
): Storage.VersionConflict | Storage.IdempotencyKeyUsed | Storage.StorageError | null => {
  const journal = new Journal();
  const work = {
    store,
    customerId,
    partition: partition(store, customerId),
    journal,
    command: changeSet.command,
    now,
    lineEvents: [],
  };
  try {
    apply(work, changeSet);
    Feed.note(work.partition.feed, changeSet, work.lineEvents);
    return null;
  } catch (cause) {
    journal.rollback();
    return cause instanceof Storage.VersionConflict || cause instanceof Storage.IdempotencyKeyUsed
      ? cause
      : new Storage.StorageError({ reason: "broken", cause });
  }
};
