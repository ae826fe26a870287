/** Compares sales, their credits and the links between partners with the responses to the users who recorded and changed them. */
import type { Effect } from "effect";
import { changesOf, type findRecreditViolations, type LedgerSnapshot, spanOf } from "quittance/testing";
import { compareCounts, countOutcomes, type Entries, of } from "./AuditCounts.ts";
import { field, idOf } from "./Wire.ts";

type Books = LedgerSnapshot.LedgerSnapshot;
type Sale = Books["attributions"][number];
type Recredits = Effect.Effect.Success<ReturnType<typeof findRecreditViolations>>;

const idsByRow = (books: Books): ReadonlyMap<string, Sale> =>
  new Map(books.attributions.map((sale) => [sale.row.id, sale]));

/** The attributions of a sale, that of its partner first. */
const creditsOf = (books: Books, originId: string): ReadonlyArray<Sale> =>
  books.attributions.filter(({ row }) => (row.originId ?? row.id) === originId);

const givenCount = (books: Books, originId: string): number =>
  creditsOf(books, originId).filter(({ row }) => (row.credit?.depth ?? 0) === 0).length;

/** A sale and those that it replaces, the first one first. */
const chainOf = (byId: ReadonlyMap<string, Sale>, newest: Sale): ReadonlyArray<Sale> => {
  const replaced = newest.row.replaces === null ? undefined : byId.get(newest.row.replaces);
  return replaced === undefined ? [newest] : [...chainOf(byId, replaced), newest];
};

/** Every sale is recorded once, as requested, and every sale was requested. */
function* creations(books: Books, entries: Entries): Generator<string> {
  const byId = idsByRow(books);
  const byReference = new Map(books.attributions.map((sale) => [sale.row.externalReference, sale]));
  const requested = new Set<string>();
  for (const { entry, intent, outcome, id } of of(entries, "create_attribution")) {
    const newest = byReference.get(intent.reference);
    const found = newest === undefined ? 0 : 1;
    const { reference } = intent;
    yield* compareCounts(reference, found, Number(outcome === "done"), Number(outcome === "unknown"));
    if (newest === undefined) continue;
    // The reference moves with each replacement.
    const chain = chainOf(byId, newest);
    const ids = chain.map(({ row }) => row.id as string);
    for (const one of ids) requested.add(one);
    const [first = newest] = chain;
    if (id !== null && ids[0] !== id)
      yield `${reference}: the response has id ${id}, the first of the store is ${ids[0]}`;
    for (const answered of entry.results.map(idOf))
      if (answered !== null && !ids.includes(answered))
        yield `${reference}: a response has id ${answered}, the store ${ids.join(", ")}`;
    if (first.row.partnerId !== intent.partnerId) yield `${reference}: another partner`;
    const given = intent.occurredAt === null ? null : Date.parse(intent.occurredAt);
    if (first.row.occurredAtGiven !== given) yield `${reference}: another date`;
    const credits = givenCount(books, first.row.id);
    if (credits !== (intent.credits ?? 1)) yield `${reference}: ${credits} given credits are stored`;
  }
  for (const { row } of books.attributions)
    if (!requested.has(row.originId ?? row.id)) yield `attribution ${row.id} was not requested`;
}

const cancelsOf = (sale: Sale | undefined) =>
  sale?.log.flatMap(({ event }) => (event.type === "cancel_attribution" ? [event] : [])) ?? [];

function* cancellations(books: Books, entries: Entries): Generator<string> {
  const byId = idsByRow(books);
  const sent = of(entries, "cancel_attribution");
  for (const [id, { done, unknown }] of countOutcomes(sent, ({ intent }) => intent.id)) {
    const cancels = cancelsOf(byId.get(id));
    // The cancellation of a sale that is cancelled or replaced succeeds and appends no event.
    const found = done > 0 ? cancels : cancels.filter((event) => event.replaced_by === undefined);
    yield* compareCounts(`cancel of ${id}`, found.length, Math.min(done, 1), Math.min(unknown, 1));
  }
}

/** A replacement cancels one sale and records one, with the credits that were given. */
function* replacements(books: Books, entries: Entries): Generator<string> {
  const byId = idsByRow(books);
  for (const { intent, outcome, id: newId } of of(entries, "replace_sale")) {
    const what = `the ${intent.reason} of ${intent.id}`;
    const found = cancelsOf(byId.get(intent.id)).filter(({ reason }) => reason === intent.reason);
    const changed = outcome === "done" && newId !== intent.id;
    yield* compareCounts(what, found.length, Number(changed), Number(outcome === "unknown"));
    const [cancelled] = found;
    if (cancelled === undefined) continue;
    const newer = byId.get(cancelled.replaced_by ?? "");
    if (newer === undefined || (newId !== null && newer.row.id !== newId)) {
      yield `${what}: the response has id ${newId}, the store ${newer?.row.id}`;
      continue;
    }
    const credits = givenCount(books, newer.row.id);
    if (credits !== (intent.credits ?? givenCount(books, intent.id)))
      yield `${what}: ${credits} given credits are stored`;
  }
}

/**
 * Recrediting a sale has one event where it changes something, cancels as many credits as its response says, and adds no fewer:
 * what it adds may arrive a moment after the event, at the ends of the uplines' orders.
 */
function* recredits(books: Books, entries: Entries): Generator<string> {
  const byId = idsByRow(books);
  for (const { entry, intent, outcome } of of(entries, "recredit_sale")) {
    const what = `the ${intent.reason} of ${intent.id}`;
    const [event, ...more] = (byId.get(intent.id)?.log ?? []).filter(
      (logged) => logged.event.type === "recredit_attribution" && logged.event.reason === intent.reason,
    );
    if (more.length > 0 || (outcome === "refused" && event !== undefined)) yield `stored too often: ${what}`;
    const sale = creditsOf(books, intent.id);
    const since = sale.filter(
      ({ row }) => event !== undefined && row.originId !== null && row.createdAt >= event.at,
    ).length;
    const cancelled = sale.filter((one) =>
      cancelsOf(one).some(({ reason }) => reason === intent.reason),
    ).length;
    if (event === undefined ? cancelled > 0 : since + cancelled === 0) yield `stored in part: ${what}`;
    const body = entry.results.find((result) => result.type === "response" && result.status === 200);
    if (body?.type !== "response") continue;
    const told = {
      added: Number(field(body.body, "added")),
      cancelled: Number(field(body.body, "cancelled")),
    };
    const changed = told.added + told.cancelled > 0;
    if (told.cancelled !== cancelled || told.added > since || changed !== (event !== undefined))
      yield `lost: ${what}: the response says ${told.added} added, ${told.cancelled} cancelled; stored are ${since} since, ${cancelled} cancelled`;
  }
}

/**
 * Every recredit run is stored once. Once it is done it has reached every sale of its span that was recorded before it, and has
 * recredited once what its results name as changed.
 */
export function* auditRecredits(
  books: Books,
  { runs, results }: Recredits,
  entries: Entries,
): Generator<string> {
  for (const { intent, outcome } of of(entries, "start_recredits")) {
    const [run, ...more] = runs.filter(({ reason }) => reason === intent.reason);
    const found = Number(run !== undefined) + more.length;
    yield* compareCounts(intent.reason, found, Number(outcome === "done"), Number(outcome === "unknown"));
    if (run === undefined) continue;
    const span = spanOf(run, books.attributions);
    const before = intent.saleIds.filter((id) => span.has(id)).length;
    if (run.state === "done" && run.salesDone < before)
      yield `lost: the ${intent.reason} have done ${run.salesDone} sales; before them ${before} were recorded`;
    for (const result of results) {
      if (result.runId !== run.id || result.outcome !== "changed" || run.dryRun) continue;
      const { length } = changesOf(run, result, books.attributions);
      if (length !== 1)
        yield `stored too often: the ${intent.reason} of ${result.attributionId}: ${length} times`;
    }
  }
}

/** Links are created and get their ends once. */
function* links(books: Books, entries: Entries): Generator<string> {
  const logs = books.controls.flatMap((control) => (control.kind === "partnerLink" ? [control.log] : []));
  const events = logs.flat().map(({ event }) => event);
  for (const { intent, outcome } of of(entries, "create_link")) {
    const found = events.filter(
      (event) =>
        event.type === "create_partner_link" && Date.parse(event.start_datetime) === Date.parse(intent.start),
    ).length;
    const what = `the link from ${intent.start}`;
    yield* compareCounts(what, found, Number(outcome === "done"), Number(outcome === "unknown"));
  }
  for (const { intent, outcome } of of(entries, "end_link")) {
    const found = events.filter(
      (event) =>
        event.type === "update_partner_link" &&
        event.end_datetime !== null &&
        Date.parse(event.end_datetime) === Date.parse(intent.end),
    ).length;
    const what = `the end ${intent.end} of a link`;
    yield* compareCounts(what, found, Number(outcome === "done"), Number(outcome === "unknown"));
  }
}

/** Problems of sales, credits and links while nothing runs. */
export function* auditSales(books: Books, entries: Entries): Generator<string> {
  yield* creations(books, entries);
  yield* cancellations(books, entries);
  yield* replacements(books, entries);
  yield* recredits(books, entries);
  yield* links(books, entries);
}
