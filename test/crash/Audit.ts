/** Compares the records of a store with the responses to its users: no acknowledged command is lost, stored in part or stored twice. */
import { createHash } from "node:crypto";
import { Effect } from "effect";
import { Documents, Outbox, Storage } from "quittance";
import { findRecreditViolations, findRunViolations, findViolations, LedgerSnapshot } from "quittance/testing";
import { compareCounts, countOutcomes, type Entries, of } from "./AuditCounts.ts";
import { auditRecredits, auditSales } from "./AuditSales.ts";
import type { Journal } from "./Journal.ts";
import type { World } from "./World.ts";

const signature = (partnerId: string, commissionIds: ReadonlyArray<string>): string =>
  `${partnerId} ${commissionIds.join(" ")}`;

/** Compares the settlements of users with the journal. `runSettlementIds` are the ids of settlements that runs created; invariant R1 checks those. */
function* creations(
  books: LedgerSnapshot.LedgerSnapshot,
  entries: Entries,
  runSettlementIds: ReadonlySet<string>,
): Generator<string> {
  const userSettlements = books.settlements.filter(({ row }) => !runSettlementIds.has(row.id));
  const unclaimed = new Map(
    userSettlements.map(({ row }) => [
      row.id as string,
      signature(
        row.partnerId,
        row.lines.map(({ commissionId }) => commissionId),
      ),
    ]),
  );
  const sent = of(entries, "create_settlement").map((each) => ({
    ...each,
    requested: signature(each.intent.partnerId, each.intent.commissionIds),
  }));
  for (const { id, requested, outcome } of sent) {
    if (outcome !== "done" || id === null) continue;
    if (unclaimed.get(id) === undefined) yield `lost: settlement ${id}`;
    else if (unclaimed.get(id) !== requested) yield `settlement ${id} has other lines than requested`;
    unclaimed.delete(id);
  }
  const unknown = sent.filter((each) => each.outcome === "unknown").map(({ requested }) => requested);
  for (const [id, lines] of unclaimed) {
    const place = unknown.indexOf(lines);
    if (place < 0) yield `settlement ${id} was not requested, or was created twice`;
    else unknown.splice(place, 1);
  }
}

/** Events that a settlement's log contains at most once. The same holds for documents that a worker links. */
const ONCE = ["approve_settlement", "mark_as_paid", "write_off_settlement", "link_report"];

function* moves(books: LedgerSnapshot.LedgerSnapshot, entries: Entries): Generator<string> {
  const sent = of(entries, "settlement_event");
  const counts = countOutcomes(sent, ({ intent }) => `${intent.id} ${intent.event}`);
  for (const { row, log } of books.settlements) {
    const count = (type: string): number => log.filter(({ event }) => event.type === type).length;
    // A partner may replace an uploaded document until the payment begins; the journal has the number of uploads.
    const byWorker = row.approval?.billingMode === "self_billing" ? ["link_invoice", "link_credit_note"] : [];
    for (const type of [...ONCE, ...byWorker])
      if (count(type) > 1) yield `settlement ${row.id}: ${type} ${count(type)} times`;
    const userEventTypes = new Set(
      sent.filter(({ intent }) => intent.id === row.id).map(({ intent }) => intent.event),
    );
    for (const { event } of log) if (!OF_WORKER.has(event.type)) userEventTypes.add(event.type);
    for (const type of userEventTypes) {
      if (byWorker.includes(type)) continue;
      const { done, unknown } = counts.get(`${row.id} ${type}`) ?? { done: 0, unknown: 0 };
      yield* compareCounts(`${type} of ${row.id}`, count(type), done, unknown);
    }
  }
}

const OF_WORKER = new Set(["create_settlement", "link_report", "link_invoice", "link_credit_note"]);

function* rates(books: LedgerSnapshot.LedgerSnapshot, entries: Entries): Generator<string> {
  const names = books.formulas.flatMap(({ log }) =>
    log.flatMap(({ event }) => (event.type === "update_commission_formula" ? [event.name] : [])),
  );
  for (const { intent, outcome } of of(entries, "update_formula")) {
    const found = names.filter((name) => name === intent.name).length;
    yield* compareCounts(intent.name, found, Number(outcome === "done"), Number(outcome === "unknown"));
  }
}

/** Compares the plans' logs with the journal; the invariants compare each plan's log with the logs of its formulas. */
function* planRates(books: LedgerSnapshot.LedgerSnapshot, entries: Entries): Generator<string> {
  const names = books.plans.flatMap(({ log }) =>
    log.flatMap(({ event }) => (event.type === "update_commission_plan" ? [event.name] : [])),
  );
  for (const { intent, outcome } of of(entries, "update_plan")) {
    const found = names.filter((name) => name === intent.name).length;
    yield* compareCounts(intent.name, found, Number(outcome === "done"), Number(outcome === "unknown"));
  }
}

/** Compares the stated rates with the journal: each is in the formula of each of its partners, or in none. */
function* statedRates(books: LedgerSnapshot.LedgerSnapshot, entries: Entries): Generator<string> {
  const stated = books.formulas.flatMap(({ row, log }) =>
    log.flatMap(({ event }) =>
      event.type === "set_parameter_values" ? [`${event.values.rate} of ${row.partnerId}`] : [],
    ),
  );
  for (const { intent, outcome } of of(entries, "set_values")) {
    const counts = intent.partnerIds.map(
      (partnerId) => stated.filter((candidate) => candidate === `${intent.rate} of ${partnerId}`).length,
    );
    if (new Set(counts).size > 1) yield `stored in part: the rate ${intent.rate}: ${counts.join()}`;
    const [found = 0] = counts;
    const what = `the rate ${intent.rate}`;
    yield* compareCounts(what, found, Number(outcome === "done"), Number(outcome === "unknown"));
  }
}

/** Compares what buyers have paid with the journal; invariant S15 compares the logs of sales with those of their commissions. */
function* statedReceipts(books: LedgerSnapshot.LedgerSnapshot, entries: Entries): Generator<string> {
  // A replaced sale carries its statement over, so that several logs may have it.
  const stated = new Set(
    books.attributions.flatMap(({ log }) =>
      log.flatMap(({ event }) => (event.type === "state_received" ? [event.received] : [])),
    ),
  );
  for (const { intent, outcome } of of(entries, "state_received")) {
    const found = Number(stated.has(intent.received));
    const what = `the receipt of ${intent.received}`;
    yield* compareCounts(what, found, Number(outcome === "done"), Number(outcome === "unknown"));
  }
}

const roundHalfAwayFromZero = (numerator: bigint, denominator: bigint): bigint =>
  (numerator * 2n + denominator) / (denominator * 2n);

/** The amount of a partner's part of a sale under the rate of its date, as the logs state it: the latest date, of equal ones the last stated. */
const ratedAmount = (
  { row: { parameterValues } }: LedgerSnapshot.LedgerSnapshot["formulas"][number],
  { row: { properties, occurredAt, status, credit } }: LedgerSnapshot.LedgerSnapshot["attributions"][number],
): number => {
  if (status === "cancelled") return 0;
  const [stated] = parameterValues
    .map(({ values, effectiveDatetime }, place) => ({ rate: values.rate, at: effectiveDatetime ?? 0, place }))
    .filter(({ at }) => at <= occurredAt)
    .sort((a, b) => b.at - a.at || b.place - a.place);
  const perMille = BigInt(Math.round(Number(stated?.rate) * 1_000));
  const [over = "1", under = "1"] = (credit?.share ?? "1").split("/");
  const millionths =
    BigInt(Math.round(Number(over) * 1_000_000)) * BigInt(Number(properties.order_value)) * perMille;
  return Number(roundHalfAwayFromZero(millionths, 1_000_000_000n * BigInt(under)));
};

/** Amounts of formulas with a rate that are not those of the rates and dates; when the outbox is empty. */
function* auditRates({
  formulas,
  attributions,
  commissions,
}: LedgerSnapshot.LedgerSnapshot): Generator<string> {
  const sales = new Map<string, (typeof attributions)[number]>(
    attributions.map((attribution) => [attribution.row.id, attribution]),
  );
  const rated = new Map<string, (typeof formulas)[number]>(
    formulas.filter(({ row }) => row.parameters.length > 0).map((formula) => [formula.row.id, formula]),
  );
  for (const { row } of commissions) {
    const [formula, sale] = [rated.get(row.formulaId), sales.get(row.attributionId)];
    if (formula === undefined || sale === undefined) continue;
    const due = ratedAmount(formula, sale);
    if (row.computedAmount !== due)
      yield `commission ${row.id}: the amount is ${row.computedAmount}, by the partner's rate ${due}`;
  }
}

/** Problems of plans when the outbox is empty: changes not applied to every formula, and amounts not recomputed. */
export const auditPlans = (books: LedgerSnapshot.LedgerSnapshot): ReadonlyArray<string> => [
  ...auditRates(books),
  ...auditPlanProgress(books),
];

const auditPlanProgress = ({ plans, formulas }: LedgerSnapshot.LedgerSnapshot): ReadonlyArray<string> => [
  ...plans.flatMap(({ row }) =>
    row.rollingOut.pending === 0 ? [] : [`plan ${row.id} has not reached ${row.rollingOut.pending} formulas`],
  ),
  ...formulas.flatMap(({ row }) => (row.recomputing ? [`formula ${row.id} is still being recomputed`] : [])),
];

function* startedRuns(found: number, entries: Entries): Generator<string> {
  const { done = 0, unknown = 0 } = countOutcomes(of(entries, "start_run"), () => "").get("") ?? {};
  yield* compareCounts("settlement runs", found, done, unknown);
}

/** Compares all records with the journal while nothing runs; `problems` is empty when they agree. */
export const audit = (world: World, journal: Journal) =>
  Effect.gen(function* () {
    const books = yield* LedgerSnapshot.readSnapshot(world.customerId);
    const { runs, results, violations } = yield* findRunViolations(world.customerId);
    const recredits = yield* findRecreditViolations(world.customerId, books);
    const runSettlementIds = new Set<string>(
      results.flatMap(({ drafts }) => drafts.map(({ settlementId }) => settlementId)),
    );
    return {
      books,
      runs: [...runs, ...recredits.runs],
      problems: [
        ...journal.problems,
        ...findViolations(books).map(({ message }) => message),
        ...violations,
        ...recredits.violations,
        ...auditRecredits(books, recredits, journal.entries),
        ...startedRuns(runs.length, journal.entries),
        ...auditSales(books, journal.entries),
        ...creations(books, journal.entries, runSettlementIds),
        ...moves(books, journal.entries),
        ...rates(books, journal.entries),
        ...planRates(books, journal.entries),
        ...statedRates(books, journal.entries),
        ...statedReceipts(books, journal.entries),
      ],
    };
  });

const KINDS = ["report", "invoice", "credit_note"] as const;
const REFERENCES = {
  report: "reportReference",
  invoice: "invoiceReference",
  credit_note: "creditNoteReference",
} as const;

/** Problems of one settlement's documents: each must be the linked one, with the bytes of its digest. Also returns their numbers. */
const documentsOf = (settlement: Storage.Listed["settlement"]) =>
  Effect.gen(function* () {
    const storage = yield* Storage.Storage;
    const bytesOf = yield* Documents.DocumentStore;
    const problems: Array<string> = [];
    const numbers: Array<string> = [];
    const documents = yield* storage.documentsOf(settlement.customerId, settlement.id);
    for (const kind of KINDS) {
      const label = `${kind} of ${settlement.id}`;
      const document = documents.findLast((candidate) => candidate.kind === kind) ?? null;
      if ((document?.id ?? null) !== settlement[REFERENCES[kind]])
        problems.push(`${label}: not the linked one`);
      if (document === null) continue;
      if (document.number !== null) numbers.push(document.number);
      const bytes = yield* bytesOf.get(settlement.customerId, document.id);
      const digest = createHash("sha256")
        .update(bytes ?? new Uint8Array())
        .digest("hex");
      if (digest !== document.sha256)
        problems.push(`${label}: its bytes are missing or do not have its digest`);
    }
    return { problems, numbers };
  });

const STEM_AND_COUNTER = /^(.*[^0-9])([0-9]+)$/;

/** The counters at the end of document numbers, by the text before them. */
const countersByStem = (numbers: ReadonlyArray<string>): ReadonlyMap<string, ReadonlyArray<number>> => {
  const series = new Map<string, Array<number>>();
  for (const number of numbers) {
    const [, stem = number, counter = ""] = STEM_AND_COUNTER.exec(number) ?? [];
    const counters = series.get(stem);
    if (counters === undefined) series.set(stem, [Number(counter)]);
    else counters.push(Number(counter));
  }
  return series;
};

/** A problem unless the documents of a series have the numbers 1 to `last`, each once. */
const gaps = (stem: string, counters: ReadonlyArray<number>, last: number): ReadonlyArray<string> => {
  const found = counters.toSorted((a, b) => a - b);
  const due = Array.from({ length: last }, (_, index) => index + 1);
  return found.join() === due.join() ? [] : [`${stem}: numbers ${found.join()}, the last is ${last}`];
};

const WAITING = new Set(["awaiting_report", "awaiting_invoice", "awaiting_credit_note"]);

/** Problems of documents, their numbers and the outbox after a worker has handled every message. */
export const auditDocuments = (world: World, { settlements }: LedgerSnapshot.LedgerSnapshot) =>
  Effect.gen(function* () {
    const storage = yield* Storage.Storage;
    const problems: Array<string> = [];
    const numbers: Array<string> = [];
    for (const { row } of settlements) {
      const found = yield* documentsOf(row);
      problems.push(...found.problems);
      numbers.push(...found.numbers);
      const selfBilling = row.approval?.billingMode === "self_billing";
      const status = row.status.type;
      if (WAITING.has(status) && (selfBilling || status === "awaiting_report")) {
        problems.push(`settlement ${row.id} still is in ${status}`);
      }
    }
    for (const [stem, counters] of countersByStem(numbers))
      problems.push(
        ...gaps(stem, counters, (yield* storage.numberSeries(world.customerId, stem))?.lastNumber ?? 0),
      );
    for (const { topic, waiting, deadLettered } of yield* Effect.flatMap(Outbox.Outbox, ({ depth }) => depth))
      problems.push(`the outbox holds ${waiting} messages of ${topic}, and ${deadLettered} dead letters`);
    return problems;
  });
