/** What is due to a partner: its balance at a date, and its statement of a period. */
import { Array as Arrays, Chunk, Clock, Effect, Option, Stream } from "effect";
import { dateOf } from "../domain/CalendarDate.ts";
import type { Currency } from "../domain/Currency.ts";
import type { CommissionId, CustomerId, PartnerId, SettlementId } from "../domain/Ids.ts";
import {
  amountOf,
  type Balance,
  isOfCommission,
  type Movement,
  type MovementType,
} from "../domain/Movement.ts";
import type { Partner } from "../domain/Partner.ts";
import * as PartnerStatement from "../domain/PartnerStatement.ts";
import { authorize, canSee, type Principal, withinGrants } from "../domain/Principal.ts";
import { conflict, invalid } from "../domain/Refusal.ts";
import { referenceOf, type Subject, sentence } from "../domain/sentences/MovementText.ts";
import type { Timestamp } from "../domain/Timestamp.ts";
import { Digest } from "../ports/Digest.ts";
import { DocumentRenderer, type StatementContent } from "../ports/Documents.ts";
import { type Earnings, type Records, type Reporting, Storage, type StorageError } from "../ports/Storage.ts";
import { type Failure, requireVisible, tenantOf, validate } from "./commands/Access.ts";
import { withinTime } from "./documents/Rendering.ts";
import { WorkerSettings } from "./process/WorkerSettings.ts";
import { subjectsOf } from "./statements/MovementSubjects.ts";

/** The balance of one currency, in its smallest unit, net of tax; `earned` is `settled` plus `due`. */
export interface CurrencyBalance extends Omit<Balance, "elsewhere"> {
  /** What the partner is owed, pending settlements included; negative when the partner owes. */
  readonly due: bigint;
}

/** The balance of a partner before a moment, by currency, ascending. */
export interface PartnerBalance {
  readonly at: Timestamp;
  /** True if nothing can be dated before `at` any more. */
  readonly final: boolean;
  readonly balances: ReadonlyArray<CurrencyBalance>;
}

/** The balances of several partners before a moment, in the order in which they are named, then by currency. */
export interface PartnerBalances extends Omit<PartnerBalance, "balances"> {
  readonly balances: ReadonlyArray<CurrencyBalance & { readonly partnerId: PartnerId }>;
}

/** One movement of a statement. */
export interface StatementEntry {
  readonly at: Timestamp;
  readonly type: MovementType;
  /** The change of what is due; 0 when a write-off covers it. */
  readonly amount: bigint;
  /** What is due afterwards. */
  readonly balance: bigint;
  /** Null for a movement of a settlement. */
  readonly commissionId: CommissionId | null;
  /** Null for a movement of a commission. */
  readonly settlementId: SettlementId | null;
  /** The caller's reference of the sale, or the number of the document or the reference of the payment. */
  readonly reference: string | null;
  /** A sentence for the partner. */
  readonly text: string;
  /** The parts of the text. */
  readonly subject: Subject;
  /** The change of what is settled. */
  readonly settled: bigint;
  /** The change of what waits for the buyer. */
  readonly waiting: bigint;
}

/** The content of a statement in addition to its movements. */
export interface StatementHead {
  readonly partnerId: PartnerId;
  readonly currency: Currency;
  /** Inclusive. */
  readonly from: Timestamp;
  /** Exclusive. */
  readonly to: Timestamp;
  readonly final: boolean;
  readonly openingBalance: bigint;
  /** The opening balance plus all movements of all pages. */
  readonly closingBalance: bigint;
}

/** A page of a statement. */
export interface StatementPage extends StatementHead {
  readonly movements: ReadonlyArray<StatementEntry>;
  /** The `after` of the next page; null on the last page. */
  readonly nextCursor: string | null;
}

/** A statement without its movements, which follow as they are read. */
export interface StatementStream {
  readonly head: StatementHead;
  readonly entries: Stream.Stream<StatementEntry, StorageError>;
}

/** A statement as a file. */
export interface StatementFile {
  readonly fileName: string;
  readonly bytes: Uint8Array;
}

/** The name of a statement's file, without its extension: the currency, the first and the last day. */
export const fileNameOf = ({ currency, from, to }: Pick<StatementHead, "currency" | "from" | "to">): string =>
  `statement-${currency}-${dateOf(from)}-${dateOf(to - 1)}`;

/** A statement as it is read: whose, and which part of it. */
interface StatementRequest extends PartnerStatement.Subject {
  readonly currency: Currency;
  readonly final: boolean;
  readonly partner: Partner;
}

interface Part {
  readonly opening: bigint;
  readonly closing: bigint;
  readonly entries: ReadonlyArray<StatementEntry>;
  /** Where the next part begins; null at the end. */
  readonly next: PartnerStatement.Bookmark | null;
}

const headOf = (
  { partnerId, currency, from, to, final }: StatementRequest,
  { opening, closing }: Part,
): StatementHead => ({
  ...{ partnerId, currency, from, to, final },
  openingBalance: opening,
  closingBalance: closing,
});

const entryOf = (
  movement: Movement,
  subject: Subject,
  balance: bigint,
  currency: Currency,
): StatementEntry => {
  const { at, type, recordId, settled, waiting } = movement;
  return {
    ...{ at, type, balance, subject, settled, waiting },
    amount: amountOf(movement),
    commissionId: isOfCommission(type) ? (recordId as CommissionId) : null,
    settlementId: isOfCommission(type) ? null : (recordId as SettlementId),
    reference: referenceOf(subject),
    text: sentence(subject, movement, currency),
  };
};

const make = Effect.gen(function* () {
  const storage: Records & Earnings & Reporting = yield* Storage;
  const digest = yield* Digest;
  const renderer = yield* DocumentRenderer;
  const { renderTimeoutMilliseconds } = yield* WorkerSettings;

  const balancesOf = (customerId: CustomerId, ids: ReadonlyArray<PartnerId>, at: Timestamp) =>
    Effect.map(storage.partnerBalances(customerId, ids, at), (found) =>
      found.map(({ elsewhere: _, ...item }) => ({ ...item, due: amountOf(item) })),
    );

  const balance = (
    principal: Principal,
    id: PartnerId,
    input: PartnerStatement.BalanceQuery = {},
  ): Effect.Effect<PartnerBalance, Failure> =>
    Effect.gen(function* () {
      yield* authorize(principal, "read balance");
      const request = yield* validate(PartnerStatement.BalanceQuery)(input);
      const now = yield* Clock.currentTimeMillis;
      const at = yield* PartnerStatement.momentOf("at", request.at, now);
      const { customerId } = yield* requireVisible(storage, principal, "partner", id);
      const found = yield* balancesOf(customerId, [id], at);
      return {
        at,
        final: PartnerStatement.isFinal(at, now),
        balances: found.map(({ partnerId: _, ...item }) => item),
      };
    });

  const balances = (
    principal: Principal,
    input: PartnerStatement.BalancesQuery,
  ): Effect.Effect<PartnerBalances, Failure> =>
    Effect.gen(function* () {
      yield* authorize(principal, "read balance");
      const request = yield* validate(PartnerStatement.BalancesQuery)(input);
      yield* withinGrants(principal, request, true);
      const now = yield* Clock.currentTimeMillis;
      const at = yield* PartnerStatement.momentOf("at", request.at, now);
      const found = yield* storage.find(yield* tenantOf(principal), "partner", request.partnerIds);
      const byId = new Map(found.map((partner) => [partner.id, partner]));
      const seen = [...new Set(request.partnerIds)].flatMap((id) => {
        const partner = byId.get(id);
        return partner !== undefined && canSee(principal, { ...partner, partnerId: id }) ? [partner] : [];
      });
      const read = yield* Effect.forEach(
        Object.values(Arrays.groupBy(seen, ({ customerId }) => customerId)),
        (own) =>
          balancesOf(
            own[0].customerId,
            own.map(({ id }) => id),
            at,
          ),
      );
      return { at, final: PartnerStatement.isFinal(at, now), balances: read.flat() };
    });

  /** The request for a statement, once everything but its cursor is checked. */
  const requestFor = (
    principal: Principal,
    partnerId: PartnerId,
    query: PartnerStatement.StatementQuery,
  ): Effect.Effect<StatementRequest, Failure> =>
    Effect.gen(function* () {
      yield* authorize(principal, "read statement");
      const request = yield* validate(PartnerStatement.StatementQuery)(query);
      const period = yield* PartnerStatement.periodOf(request, yield* Clock.currentTimeMillis);
      const partner = yield* requireVisible(storage, principal, "partner", partnerId);
      const { customerId } = partner;
      const { currency } = request;
      const known =
        currency === undefined ? yield* storage.partnerBalances(customerId, [partnerId], period.to) : [];
      return {
        ...{ customerId, partnerId, partner, ...period },
        currency: yield* PartnerStatement.currencyOf(
          currency,
          known.map((item) => item.currency),
        ),
      };
    });

  const readPart = (
    { customerId, partnerId, currency, from, to }: StatementRequest,
    after: PartnerStatement.Bookmark | null,
    limit: number,
  ): Effect.Effect<Part, StorageError> =>
    Effect.gen(function* () {
      const position = after?.position ?? null;
      // One more than the page holds shows whether another page follows.
      const span = { currency, from, to, after: position, limit: limit + 1 };
      const { movements, due } = yield* storage.partnerMovements(customerId, partnerId, span);
      const { opening, closing } = after ?? due ?? { opening: 0n, closing: 0n };
      const shown = movements.slice(0, limit);
      const subjects = yield* subjectsOf(storage, customerId, shown);
      let running = after?.balance ?? opening;
      const entries = subjects.map((subject, index) => {
        const movement = shown[index] as Movement;
        running += amountOf(movement);
        return entryOf(movement, subject, running, currency);
      });
      const last = movements.length > limit ? shown.at(-1) : undefined;
      return {
        ...{ opening, closing, entries },
        next:
          last === undefined
            ? null
            : {
                ...{ opening, closing, balance: running },
                position: { at: last.at, recordId: last.recordId, sequence: last.sequence },
              },
      };
    });

  const cursorOf = (request: StatementRequest, bookmark: PartnerStatement.Bookmark): Effect.Effect<string> =>
    Effect.map(digest.sha256Hex(PartnerStatement.cursorInput(request, bookmark)), (sha256) =>
      PartnerStatement.cursorOf(bookmark, sha256),
    );

  const bookmarkOf = (request: StatementRequest, cursor: string) =>
    Effect.gen(function* () {
      const bookmark = yield* PartnerStatement.bookmarkOf(cursor);
      return (yield* cursorOf(request, bookmark)) === cursor ? bookmark : yield* PartnerStatement.NO_CURSOR;
    });

  const statement = (
    principal: Principal,
    id: PartnerId,
    query: PartnerStatement.StatementQuery,
  ): Effect.Effect<StatementPage, Failure> =>
    Effect.gen(function* () {
      const request = yield* requestFor(principal, id, query);
      const after = query.after === undefined ? null : yield* bookmarkOf(request, query.after);
      const found = yield* readPart(request, after, query.limit ?? PartnerStatement.LIMIT_MAX);
      return {
        ...headOf(request, found),
        movements: found.entries,
        nextCursor: found.next === null ? null : yield* cursorOf(request, found.next),
      };
    });

  const readWhole = (
    principal: Principal,
    id: PartnerId,
    query: PartnerStatement.StatementQuery,
  ): Effect.Effect<StatementStream & { readonly request: StatementRequest }, Failure> =>
    Effect.gen(function* () {
      const request = yield* requestFor(principal, id, query);
      yield* PartnerStatement.requireWhole(query, "statement");
      const first = yield* readPart(request, null, PartnerStatement.LIMIT_MAX);
      const rest =
        first.next === null
          ? Stream.empty
          : Stream.paginateChunkEffect(first.next, (after) =>
              Effect.map(
                readPart(request, after, PartnerStatement.LIMIT_MAX),
                ({ entries, next }) => [Chunk.unsafeFromArray(entries), Option.fromNullable(next)] as const,
              ),
            );
      return {
        request,
        head: headOf(request, first),
        entries: Stream.concat(Stream.fromIterable(first.entries), rest),
      };
    });

  const statementStream = (
    principal: Principal,
    id: PartnerId,
    query: PartnerStatement.StatementQuery,
  ): Effect.Effect<StatementStream, Failure> =>
    Effect.map(readWhole(principal, id, query), ({ head, entries }) => ({ head, entries }));

  const renderPdf = (content: StatementContent) =>
    renderer.renderStatement === undefined
      ? Effect.fail(
          conflict("pdf_unavailable", "this server cannot create PDF statements; request JSON or CSV"),
        )
      : withinTime(renderer.renderStatement(content), renderTimeoutMilliseconds).pipe(
          Effect.catchTags({
            RenderingRefused: ({ message }) => Effect.fail(conflict("pdf_unavailable", message)),
            RenderingFailed: ({ cause }) => Effect.die(cause),
          }),
        );

  const statementPdf = (
    principal: Principal,
    id: PartnerId,
    query: PartnerStatement.StatementQuery,
  ): Effect.Effect<StatementFile, Failure> =>
    Effect.gen(function* () {
      const { request, head, entries } = yield* readWhole(principal, id, query);
      const movementsMax = PartnerStatement.PDF_MOVEMENTS_MAX;
      const lines = Chunk.toReadonlyArray(yield* Stream.runCollect(Stream.take(entries, movementsMax + 1)));
      if (lines.length > movementsMax)
        return yield* invalid(
          "to",
          `the period has more than ${movementsMax} movements: choose a shorter one, or CSV`,
        );
      const { customerId, partner } = request;
      const [buyer] = yield* storage.find(customerId, "billingProfile", [customerId]);
      const issuedAt = yield* Clock.currentTimeMillis;
      const content = {
        ...head,
        kind: "statement",
        customerId,
        partner,
        buyer: buyer ?? null,
        issuedAt,
        lines,
      };
      const { bytes, extension } = yield* renderPdf(content as StatementContent);
      return { fileName: `${fileNameOf(head)}.${extension}`, bytes };
    });

  return {
    /** Returns what a partner has earned before a moment, and which parts of it are settled, pending and due, in each currency. */
    balance,
    /** The balances of up to 100 partners before `at`; those that the principal does not see have none. */
    balances,
    /**
     * A page of the movements of one currency, dated from `from` (inclusive) to `to` (exclusive), with the balances before
     * the first and after the last of them. The statement of a final period never changes.
     */
    statement,
    /** The same without pages: the movements as a stream, in constant memory. */
    statementStream,
    /** The whole statement as a PDF file, in the language of the customer's billing profile; at most 10,000 movements. */
    statementPdf,
  };
});

/** The service of balances and statements. */
export class PartnerStatements extends Effect.Service<PartnerStatements>()(
  "quittance/services/PartnerStatements",
  { effect: make },
) {}
