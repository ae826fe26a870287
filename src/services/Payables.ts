/** Payables and accruals of a customer at a date, by partner, by workspace or in total. */
import { Array as Arrays, Chunk, Clock, Effect, Option, Stream } from "effect";
import { type CalendarDate, dateOf } from "../domain/CalendarDate.ts";
import type { Currency } from "../domain/Currency.ts";
import type { CustomerId, PartnerId } from "../domain/Ids.ts";
import { PER_PAGE_MAX } from "../domain/Limits.ts";
import type { Partner } from "../domain/Partner.ts";
import { isFinal, momentOf, requireWhole } from "../domain/PartnerStatement.ts";
import * as Domain from "../domain/Payables.ts";
import { type Principal, withinGrants } from "../domain/Principal.ts";
import { invalid } from "../domain/Refusal.ts";
import * as Settlement from "../domain/Settlement.ts";
import type { Timestamp } from "../domain/Timestamp.ts";
import {
  type Filters,
  type Records,
  type Reporting,
  Storage,
  type StorageError,
  type Versioned,
} from "../ports/Storage.ts";
import { authorizeCustomer, type Failure, partnersWithin, validate } from "./commands/Access.ts";
import { every } from "./commands/Listing.ts";

/** What every page of a report says. */
export interface PayablesHead {
  readonly at: Timestamp;
  /** True if nothing can be dated before `at` any more. */
  readonly final: boolean;
}

/** A page of a report: in the order in which partners were created, or by workspace; then by currency. */
export interface PayablesPage extends PayablesHead {
  readonly rows: ReadonlyArray<Domain.Row>;
  /** The `after` of the next page; null on the last page. */
  readonly nextCursor: string | null;
}

/** A report without its rows, which follow as they are read. */
export interface PayablesStream {
  readonly head: PayablesHead;
  readonly rows: Stream.Stream<Domain.Row, StorageError>;
}

/** The name of a report's file, without its extension: the last day. */
export const fileNameOf = ({ at }: PayablesHead): string => `payables-${dateOf(at - 1)}`;

interface Request extends PayablesHead {
  readonly customerId: CustomerId;
  readonly where: Filters["partner"];
  readonly groupBy: Domain.Grouping;
  /** The day of the last moment before `at`, on which documents are aged. */
  readonly day: CalendarDate;
}

/** Rows, and how many partners come before the next ones; null at the end. */
interface Part {
  readonly rows: ReadonlyArray<Domain.Row>;
  readonly next: number | null;
}

/** What a row of several partners leaves out. */
const groupOf = (groupBy: Domain.Grouping, row: Domain.Row): Domain.Row => {
  if (groupBy === "partner") return row;
  const workspaceId = groupBy === "workspace" ? row.workspaceId : null;
  return { ...row, partnerId: null, partnerName: null, workspaceId };
};

const keyOf = ({ workspaceId, currency }: Domain.Row): string => `${workspaceId ?? ""} ${currency}`;

const make = Effect.gen(function* () {
  const storage: Records & Reporting = yield* Storage;

  const requestFor = (principal: Principal, query: Domain.PayablesQuery): Effect.Effect<Request, Failure> =>
    Effect.gen(function* () {
      const customerId = yield* authorizeCustomer(principal, "read payables");
      const request = yield* validate(Domain.PayablesQuery)(query);
      yield* withinGrants(principal, request, true);
      const now = yield* Clock.currentTimeMillis;
      const at = yield* momentOf("at", request.at, now);
      const where = partnersWithin(principal, request);
      const { groupBy = "partner" } = request;
      return { customerId, where, groupBy, at, day: dateOf(at - 1), final: isFinal(at, now) };
    });

  /** Settlements as they were at a moment: a log is read where something has happened since. */
  const statesAt = (
    customerId: CustomerId,
    at: Timestamp,
    found: ReadonlyArray<Versioned<Settlement.Settlement>>,
  ) =>
    Effect.gen(function* () {
      const changed = found.filter(({ lastAt }) => lastAt >= at).map(({ id }) => id);
      const logs = changed.length === 0 ? [] : yield* storage.settlementLogs(customerId, changed);
      const before = new Map<string, Settlement.View | null>();
      for (const { id, log } of logs) {
        let view: Settlement.View | null = null;
        for (const entry of log) if (entry.at < at) view = Settlement.evolve(view, entry);
        before.set(id, view);
      }
      return found.flatMap((row) => {
        const view = before.has(row.id) ? before.get(row.id) : row;
        return view == null ? [] : [{ partnerId: row.partnerId, view }];
      });
    });

  /** The settlements of partners as they were at the moment of a request. */
  const settlementsOf = ({ customerId, at }: Request, partnerIds: ReadonlyArray<PartnerId>) => {
    const where = { partnerIds, createdTo: at };
    return every(storage, customerId, "settlement", { where, linesMax: 0 }).pipe(
      Stream.mapChunksEffect((chunk) =>
        Effect.map(statesAt(customerId, at, Chunk.toReadonlyArray(chunk)), Chunk.fromIterable),
      ),
      Stream.runCollect,
      Effect.map((states) => Arrays.groupBy(states, ({ partnerId }) => partnerId)),
    );
  };

  const rowsOf = (request: Request, partners: ReadonlyArray<Partner>) =>
    Effect.gen(function* () {
      const { customerId, at, day } = request;
      const ids = partners.map(({ id }) => id);
      const settlements = yield* settlementsOf(request, ids);
      const balances = Arrays.groupBy(
        yield* storage.partnerBalances(customerId, ids, at),
        ({ partnerId }) => partnerId,
      );
      return partners.flatMap(({ id, name, workspaceId }): ReadonlyArray<Domain.Row> => {
        const own = balances[id] ?? [];
        const views = (settlements[id] ?? []).map(({ view }) => view);
        // By a clock that was set back, a settlement may come before what it settles.
        const currencies = new Set([...own, ...views].map(({ currency }) => currency as Currency));
        return [...currencies].sort().map((currency) => ({
          ...{ partnerId: id, partnerName: name, workspaceId, currency },
          ...Domain.figuresOf(
            own.find((balance) => balance.currency === currency) ?? null,
            views.filter((view) => view.currency === currency),
            day,
          ),
        }));
      });
    });

  /** The rows of at most `limit` partners. */
  const readPart = (request: Request, start: number, limit: number): Effect.Effect<Part, StorageError> =>
    Effect.gen(function* () {
      const { customerId, where } = request;
      const page = Math.floor(start / PER_PAGE_MAX) + 1;
      const query = { where, page, perPage: PER_PAGE_MAX, order: "asc" } as const;
      const { items, total } = yield* storage.list(customerId, "partner", query);
      const first = start % PER_PAGE_MAX;
      const partners = items.slice(first, first + limit);
      const next = start + partners.length;
      return {
        rows: yield* rowsOf(request, partners),
        next: partners.length > 0 && next < total ? next : null,
      };
    });

  const eachRow = (request: Request): Stream.Stream<Domain.Row, StorageError> =>
    Stream.paginateChunkEffect(0, (start: number) =>
      Effect.map(readPart(request, start, PER_PAGE_MAX), ({ rows, next }) => [
        Chunk.fromIterable(rows),
        Option.fromNullable(next),
      ]),
    );

  /** The rows of all partners, added up by the group of the request. */
  const groupedRows = (request: Request): Effect.Effect<ReadonlyArray<Domain.Row>, StorageError> =>
    Stream.runFold(eachRow(request), new Map<string, Domain.Row>(), (sums, row) => {
      const own = groupOf(request.groupBy, row);
      const sum = sums.get(keyOf(own));
      return sums.set(keyOf(own), sum === undefined ? own : { ...sum, ...Domain.add(sum, own) });
    }).pipe(Effect.map((sums) => [...sums.values()].sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))));

  const payables = (
    principal: Principal,
    query: Domain.PayablesQuery = {},
  ): Effect.Effect<PayablesPage, Failure> =>
    Effect.gen(function* () {
      const request = yield* requestFor(principal, query);
      const start = yield* Domain.partnersBefore(query.after);
      const { at, final } = request;
      if (request.groupBy === "partner") {
        const { rows, next } = yield* readPart(request, start, query.limit ?? PER_PAGE_MAX);
        return { at, final, rows, nextCursor: next === null ? null : `${next}` };
      }
      if (query.after !== undefined)
        return yield* invalid("after", "must be absent, because these rows are on one page");
      return { at, final, rows: yield* groupedRows(request), nextCursor: null };
    });

  const payablesStream = (
    principal: Principal,
    query: Domain.PayablesQuery,
  ): Effect.Effect<PayablesStream, Failure> =>
    Effect.gen(function* () {
      const request = yield* requestFor(principal, query);
      yield* requireWhole(query, "report");
      const { at, final } = request;
      const rows =
        request.groupBy === "partner" ? eachRow(request) : Stream.fromIterableEffect(groupedRows(request));
      return { head: { at, final }, rows };
    });

  return {
    /**
     * What partners have earned before `at` and where it is on its way to them, in the smallest unit of each currency. Every figure
     * is the balance of its account of the journal. A page has the rows of at most `limit` partners and may be empty; rows of
     * workspaces or currencies are on one page.
     */
    payables,
    /** The same without pages: the rows as a stream. */
    payablesStream,
  };
});

/** The service of payables. */
export class Payables extends Effect.Service<Payables>()("quittance/services/Payables", { effect: make }) {}
