/** The journal of a customer: double entries for what its partners earn, are billed and are paid. */
import { Chunk, Clock, Effect, Option, Stream } from "effect";
import * as Books from "../domain/Books.ts";
import { dateOf } from "../domain/CalendarDate.ts";
import type { Currency } from "../domain/Currency.ts";
import type { CommissionId, CustomerId, PlanId, SettlementId } from "../domain/Ids.ts";
import * as Journal from "../domain/Journal.ts";
import * as JournalFile from "../domain/JournalFile.ts";
import { isOfCommission, type Movement } from "../domain/Movement.ts";
import type { Partner } from "../domain/Partner.ts";
import * as PartnerStatement from "../domain/PartnerStatement.ts";
import { type Principal, withinGrants } from "../domain/Principal.ts";
import * as Settlement from "../domain/Settlement.ts";
import { forBooks, isEarned, referenceOf, type Subject, sentence } from "../domain/sentences/MovementText.ts";
import type { Timestamp } from "../domain/Timestamp.ts";
import { Digest } from "../ports/Digest.ts";
import {
  type Earnings,
  type Filters,
  type Records,
  type Reporting,
  Storage,
  type StorageError,
} from "../ports/Storage.ts";
import { authorizeCustomer, type Failure, partnersWithin, validate } from "./commands/Access.ts";
import { collect } from "./commands/Listing.ts";
import { subjectsOf } from "./statements/MovementSubjects.ts";

/** An entry, with the name of its partner and the caller's reference of the sale. */
export interface JournalEntry extends Journal.Entry {
  /** Under the posting rules of the customer. */
  readonly lines: ReadonlyArray<Books.Posting>;
  readonly partnerName: string;
  /** The caller's reference of the sale; null where it has none, and for entries of settlements. */
  readonly reference: string | null;
}

/** A page of a journal: partner by partner in the order of their creation, by currency, then by date. */
export interface JournalPage extends PartnerStatement.Period {
  readonly entries: ReadonlyArray<JournalEntry>;
  /** The `after` of the next page; null on the last page. */
  readonly nextCursor: string | null;
}

/** What a file of a journal states beside its entries. */
export interface JournalHead extends PartnerStatement.Period, JournalFile.Settings {
  readonly createdAt: Timestamp;
  /** The currency of all entries; undefined where they may have several. */
  readonly currency: Currency | undefined;
}

/** A journal without its entries, which follow as they are read. */
export interface JournalStream {
  readonly head: JournalHead;
  readonly entries: Stream.Stream<JournalEntry, StorageError>;
}

/** The name of a journal's file, without its extension: the first and the last day. */
export const fileNameOf = ({ from, to }: Pick<PartnerStatement.Period, "from" | "to">): string =>
  `journal-${dateOf(from)}-${dateOf(to - 1)}`;

/** Partners that are read at once. */
const BLOCK = 100;
/** Blocks of partners without an entry that one page passes. */
const BLOCKS_MAX = 10;

/** An entry before the posting rules are applied, with what they read of it. */
interface Unposted extends Omit<JournalEntry, "lines"> {
  readonly lines: ReadonlyArray<Journal.Line>;
  readonly facts: Omit<Books.Facts, "kind" | "partnerId">;
}

const posted = (rulesOf: Request["rulesOf"], { facts, ...entry }: Unposted): JournalEntry => {
  const { at, text, kind, partnerId, partnerName, document, reference } = entry;
  const texts = { text, partner: partnerName, document: document ?? "", reference: reference ?? "" };
  return { ...entry, lines: Books.post(rulesOf(at), { ...facts, kind, partnerId }, texts, entry.lines) };
};

interface Request extends PartnerStatement.Period {
  readonly customerId: CustomerId;
  readonly books: Books.View;
  /** The posting rules of a date. */
  readonly rulesOf: (at: Timestamp) => Books.Rules;
  readonly where: Filters["partner"];
  readonly currency: Currency | undefined;
  readonly kinds: ReadonlyArray<Journal.Kind> | undefined;
}

/** Entries, and where the next ones begin; null at the end. */
interface Part {
  readonly entries: ReadonlyArray<JournalEntry>;
  readonly next: Journal.Bookmark | null;
}

/** The part of an account that one read covers: a partner's movements in one currency after a position. */
interface Account {
  readonly partner: Partner;
  readonly currency: Currency;
  readonly after: PartnerStatement.Bookmark["position"] | null;
}

/**
 * Entries by date; a settlement and the movement that it causes are one, in the words of the settlement. A document stays an
 * entry of its own, also where it is paid in the same moment.
 */
const merged = (entries: ReadonlyArray<Unposted>): ReadonlyArray<Unposted> => {
  const byCause = new Map<string, Unposted>();
  for (const [index, entry] of entries.entries()) {
    const { at, settlementId, kind } = entry;
    const key = settlementId === null ? `${index}` : `${at} ${settlementId} ${kind === "billed"}`;
    const same = byCause.get(key);
    byCause.set(
      key,
      same === undefined ? entry : { ...entry, lines: Journal.together(same.lines, entry.lines) },
    );
  }
  return [...byCause.values()].filter(({ lines }) => lines.length > 0).sort((a, b) => a.at - b.at);
};

const make = Effect.gen(function* () {
  const storage: Records & Earnings & Reporting = yield* Storage;
  const digest = yield* Digest;

  /** The posting rules of the dates of a period: those of a closed month are in the log of the books. */
  const readRules = (customerId: CustomerId, { from }: PartnerStatement.Period) =>
    Effect.gen(function* () {
      const id = Books.recordIdOf(customerId);
      const [books = Books.NONE] = yield* storage.find(customerId, "books", [id]);
      const isClosed = from < (books.closedUntil ?? from);
      const rulesOf = isClosed ? Books.rulesByDate(yield* storage.log(customerId, "books", id)) : () => books;
      return { books, rulesOf };
    });

  const requestFor = (principal: Principal, query: Journal.JournalQuery): Effect.Effect<Request, Failure> =>
    Effect.gen(function* () {
      const customerId = yield* authorizeCustomer(principal, "read journal");
      const request = yield* validate(Journal.JournalQuery)(query);
      yield* withinGrants(principal, request, true);
      const period = yield* PartnerStatement.periodOf(request, yield* Clock.currentTimeMillis);
      const where = partnersWithin(principal, request);
      const rules = yield* readRules(customerId, period);
      const { currency, kinds } = request;
      return { customerId, where, ...rules, currency, kinds, ...period };
    });

  /** What the settlements of a partner did to the accounts in the period, by their logs. */
  const settlementEntries = ({ customerId, from, to, rulesOf }: Request, partner: Partner) =>
    Effect.gen(function* () {
      const found = yield* collect(storage, customerId, "settlement", { partnerIds: [partner.id] });
      const logs = yield* storage.settlementLogs(
        customerId,
        found.map(({ id }) => id),
      );
      return logs.flatMap(({ id, log }) => {
        let view: Settlement.View | null = null;
        return log.flatMap((entry): ReadonlyArray<Unposted> => {
          const before = view;
          const after = Settlement.evolve(before, entry);
          view = after;
          const lines = Journal.ofSettlement(before, after, rulesOf(entry.at).reverseCharge ?? []);
          if (lines.length === 0 || entry.at < from || entry.at >= to) return [];
          const document = Journal.documentOf(entry.event, after);
          const { workspaceId } = partner;
          return [
            {
              kind: Journal.kindOf(entry.event),
              facts: { workspaceId, planId: null, taxTreatment: Journal.treatmentOf(after) },
              ...{
                at: entry.at,
                document,
                dueOn: Journal.dueOn(after),
                partnerId: partner.id,
                partnerName: partner.name,
                lines,
              },
              ...{ currency: after.currency, commissionId: null, settlementId: id, reference: null },
              ...{ text: Journal.textOf(entry.event, document), concerns: null },
            },
          ];
        });
      });
    });

  const ofMovement = (
    { partner, currency }: Account,
    movement: Movement,
    { subject, planId }: { readonly subject: Subject; readonly planId: PlanId | null },
  ): ReadonlyArray<Unposted> => {
    const { at, type, recordId } = movement;
    const lines = Journal.ofMovement(movement);
    if (lines.length === 0) return [];
    const isSale = isOfCommission(type);
    return [
      {
        ...{ at, partnerId: partner.id, partnerName: partner.name, currency, lines },
        ...{ kind: type, facts: { workspaceId: partner.workspaceId, planId, taxTreatment: null } },
        commissionId: isSale ? (recordId as CommissionId) : null,
        settlementId: isSale ? null : (recordId as SettlementId),
        reference: isSale ? referenceOf(subject) : null,
        document: isEarned(subject) ? null : subject.documentNumber,
        dueOn: null,
        concerns: isEarned(subject) ? Journal.concernedMonth(at, subject.occurredOn) : null,
        text: sentence(forBooks(subject), movement, currency),
      },
    ];
  };

  /** The plans of the commissions that movements are about; none where no rule depends on one. */
  const plansOf = ({ customerId, rulesOf }: Request, movements: ReadonlyArray<Movement>) =>
    Effect.gen(function* () {
      const ids = movements
        .filter(({ type, at }) => isOfCommission(type) && Books.readPlans(rulesOf(at)))
        .map(({ recordId }) => recordId);
      if (ids.length === 0) return new Map<string, PlanId>();
      const commissions = yield* storage.find(customerId, "commission", [...new Set(ids)]);
      const formulaIds = new Set(commissions.map(({ formulaId }) => formulaId));
      const formulas = yield* storage.find(customerId, "formula", [...formulaIds]);
      const plans = new Map(formulas.map(({ id, assignment }) => [id, assignment?.planId]));
      return new Map(
        commissions.flatMap(({ id, formulaId }): ReadonlyArray<readonly [string, PlanId]> => {
          const planId = plans.get(formulaId);
          return planId === undefined ? [] : [[id, planId]];
        }),
      );
    });

  /** The entries of an account after a position: of at most `limit` movements, and of the settlements until the last of them. */
  const readAccount = (
    request: Request,
    account: Account,
    ofSettlements: ReadonlyArray<Unposted>,
    limit: number,
  ) =>
    Effect.gen(function* () {
      const { customerId, from, to, rulesOf, kinds } = request;
      const { partner, currency, after } = account;
      const span = { currency, from, to, after, limit: limit + 1 };
      const { movements } = yield* storage.partnerMovements(customerId, partner.id, span);
      const following = movements[limit]?.at ?? Number.POSITIVE_INFINITY;
      const before = movements.slice(0, limit).filter(({ at }) => at < following);
      // The movements of one moment stay on one page, unless they are more than it holds.
      const shown = before.length === 0 ? movements.slice(0, limit) : before;
      const last = shown.length < movements.length ? shown.at(-1) : undefined;
      const subjects = yield* subjectsOf(storage, customerId, shown);
      const plans = yield* plansOf(request, shown);
      const moved = shown.flatMap((movement, index) =>
        ofMovement(account, movement, {
          subject: subjects[index] as Subject,
          planId: plans.get(movement.recordId) ?? null,
        }),
      );
      // Those of the page before end where this one begins.
      const start = after === null ? from : (movements[0]?.at ?? from);
      const settled = ofSettlements.filter(
        (entry) => entry.currency === currency && entry.at >= start && entry.at < following,
      );
      const position =
        last === undefined ? null : { at: last.at, recordId: last.recordId, sequence: last.sequence };
      const entries = merged([...moved, ...settled])
        .filter(({ kind }) => kinds === undefined || kinds.includes(kind))
        .map((entry) => posted(rulesOf, entry));
      return { entries, position };
    });

  /** The entries of a partner from a place on, and where they stop when they are too many for a page. */
  const readPartner = (
    request: Request,
    partner: Partner,
    within: Journal.Bookmark["within"],
    limit: number,
  ) =>
    Effect.gen(function* () {
      const balances = yield* storage.partnerBalances(request.customerId, [partner.id], request.to);
      const settled = yield* settlementEntries(request, partner);
      // By a clock that was set back, a settlement may come before what it settles.
      const currencies = new Set([...balances, ...settled].map(({ currency }) => currency as Currency));
      const entries: Array<JournalEntry> = [];
      for (const currency of [...currencies].sort()) {
        if (currency < (within?.currency ?? "") || currency !== (request.currency ?? currency)) continue;
        const after = within?.currency === currency ? within.position : null;
        const found = yield* readAccount(request, { partner, currency, after }, settled, limit);
        entries.push(...found.entries);
        if (found.position !== null) return { entries, within: { currency, position: found.position } };
      }
      return { entries, within: null };
    });

  /** The entries from a place on, of the partners of a block at most; fewer than that after about `limit` entries. */
  const readPart = (
    request: Request,
    { partner, within }: Journal.Bookmark,
    limit: number,
  ): Effect.Effect<Part, StorageError> =>
    Effect.gen(function* () {
      const { customerId, where } = request;
      const block = Math.floor(partner / BLOCK);
      const query = { where, page: block + 1, perPage: BLOCK, order: "asc" } as const;
      const { items, total } = yield* storage.list(customerId, "partner", query);
      const entries: Array<JournalEntry> = [];
      let next: Journal.Bookmark = { partner, within };
      for (const item of items.slice(partner % BLOCK)) {
        const found = yield* readPartner(request, item, next.within, limit);
        entries.push(...found.entries);
        next = { partner: next.partner + (found.within === null ? 1 : 0), within: found.within };
        if (found.within !== null || entries.length >= limit) break;
      }
      return { entries, next: next.partner < total ? next : null };
    });

  const digestOf = (request: Request, place: Journal.Bookmark): Effect.Effect<string> =>
    Effect.map(digest.sha256Hex(Journal.cursorInput(request, place)), (sha256) =>
      Journal.cursorOf(place, sha256),
    );

  const placeOf = (request: Request, cursor: string | undefined) =>
    Effect.gen(function* () {
      if (cursor === undefined) return Journal.START;
      const place = yield* Journal.bookmarkOf(cursor);
      return (yield* digestOf(request, place)) === cursor ? place : yield* Journal.NO_CURSOR;
    });

  const journal = (principal: Principal, query: Journal.JournalQuery): Effect.Effect<JournalPage, Failure> =>
    Effect.gen(function* () {
      const request = yield* requestFor(principal, query);
      const { limit = Journal.LIMIT_MAX } = query;
      let part = yield* readPart(request, yield* placeOf(request, query.after), limit);
      for (let block = 1; block < BLOCKS_MAX && part.entries.length === 0 && part.next !== null; block++)
        part = yield* readPart(request, part.next, limit);
      const { from, to, final } = request;
      const nextCursor = part.next === null ? null : yield* digestOf(request, part.next);
      return { from, to, final, entries: part.entries, nextCursor };
    });

  const journalStream = (
    principal: Principal,
    query: Journal.JournalQuery,
    format: JournalFile.Format = "csv",
  ): Effect.Effect<JournalStream, Failure> =>
    Effect.gen(function* () {
      const request = yield* requestFor(principal, query);
      yield* PartnerStatement.requireWhole(query, "journal");
      const { from, to, final, currency } = request;
      const { datev, xero, periods } = request.books;
      // Each closed month of the period may have rules of its own.
      for (const end of [...periods.map((period) => period.to).filter((at) => from < at && at < to), to]) {
        const books = Books.forFiles({ ...request.books, ...request.rulesOf(end - 1) });
        const problem = JournalFile.problemOf(format, books, request, currency);
        if (problem !== null) return yield* problem;
      }
      const createdAt = yield* Clock.currentTimeMillis;
      const entries = Stream.paginateChunkEffect(Journal.START, (place: Journal.Bookmark) =>
        Effect.map(readPart(request, place, Journal.LIMIT_MAX), (part) => [
          Chunk.fromIterable(part.entries),
          Option.fromNullable(part.next),
        ]),
      );
      return { head: { from, to, final, currency, createdAt, datev, xero }, entries };
    });

  return {
    /**
     * A page of double entries dated from `from` (inclusive) to `to` (exclusive). What was posted in a closed month never changes. In
     * other months amounts of a final period never change unless a clock is in arrears, and numbers follow the present posting rules.
     * The entries of all periods together are the balances of all partners.
     */
    journal,
    /** The same without pages, for a file of a format: the entries as a stream, in constant memory. */
    journalStream,
  };
});

/** The service of the journal. */
export class Journals extends Effect.Service<Journals>()("quittance/services/Journals", { effect: make }) {}
