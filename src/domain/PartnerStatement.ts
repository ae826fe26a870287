/** Statements of a partner: their parameters, when one is final, and the cursor between its pages. */
import { Either, Schema } from "effect";
import { Currency } from "./Currency.ts";
import { type CustomerId, PartnerId } from "./Ids.ts";
import { FILTER_VALUES_MAX } from "./Limits.ts";
import type { Position } from "./Movement.ts";
import { type Invalid, invalid } from "./Refusal.ts";
import { EARLIEST, MINUTE, type Timestamp } from "./Timestamp.ts";

/** Movements of one page at most, and by default. */
export const LIMIT_MAX = 1_000;
/** Movements of one PDF file at most. */
export const PDF_MOVEMENTS_MAX = 10_000;
/** A date younger than this is not final: events that are being stored may still be dated before it. */
export const FINAL_MILLISECONDS = MINUTE;

const Moment = Schema.Int.pipe(Schema.greaterThanOrEqualTo(EARLIEST));

/** The parameters of a balance. */
export const BalanceQuery = Schema.Struct({
  /** Events before this moment count; by default all events until now. */
  at: Schema.optionalWith(Moment, { exact: true }),
});
export type BalanceQuery = typeof BalanceQuery.Type;

/** The parameters of the balances of several partners. */
export const BalancesQuery = Schema.Struct({
  ...BalanceQuery.fields,
  partnerIds: Schema.Array(PartnerId).pipe(
    Schema.minItems(1, { message: () => "must name at least one partner" }),
    Schema.maxItems(FILTER_VALUES_MAX, { message: () => `must have at most ${FILTER_VALUES_MAX} values` }),
  ),
});
export type BalancesQuery = typeof BalancesQuery.Type;

/** The parameters of a statement. */
export const StatementQuery = Schema.Struct({
  /** Inclusive. */
  from: Moment,
  /** Exclusive; by default all events until now. */
  to: Schema.optionalWith(Moment, { exact: true }),
  /** May be absent when the partner has amounts in one currency only. */
  currency: Schema.optionalWith(Currency, { exact: true }),
  /** The cursor of the page before. */
  after: Schema.optionalWith(Schema.String, { exact: true }),
  limit: Schema.optionalWith(
    Schema.Int.pipe(Schema.between(1, LIMIT_MAX, { message: () => `must be 1 to ${LIMIT_MAX}` })),
    { exact: true },
  ),
});
export type StatementQuery = typeof StatementQuery.Type;

/** The first moment that nothing dated until now has reached: the end of the present millisecond. */
export const endOfNow = (now: Timestamp): Timestamp => now + 1;

/** True if nothing can be dated before a moment any more. */
export const isFinal = (at: Timestamp, now: Timestamp): boolean => at <= now - FINAL_MILLISECONDS;

/** The requested moment, or the end of the present millisecond; refuses a moment in the future. */
export const momentOf = (
  field: "at" | "to",
  requested: Timestamp | undefined,
  now: Timestamp,
): Either.Either<Timestamp, Invalid> => {
  const end = endOfNow(now);
  if (requested === undefined) return Either.right(end);
  return requested <= end
    ? Either.right(requested)
    : Either.left(invalid(field, "must not be in the future"));
};

/** Accepts the parameters of a file, which has no pages; `whole` is what it contains. */
export const requireWhole = (
  query: { readonly after?: string; readonly limit?: number },
  whole: "statement" | "journal" | "report",
): Either.Either<void, Invalid> => {
  const name = (["after", "limit"] as const).find((one) => query[one] !== undefined);
  return name === undefined
    ? Either.void
    : Either.left(invalid(name, `must be absent, because a file contains the whole ${whole}`));
};

/** A period, and whether nothing can be dated in it any more. */
export interface Period {
  /** Inclusive. */
  readonly from: Timestamp;
  /** Exclusive. */
  readonly to: Timestamp;
  readonly final: boolean;
}

/** The requested period, which lasts until now unless it states its end; refuses one that is empty or ends in the future. */
export const periodOf = (
  { from, to: requested }: { readonly from: Timestamp; readonly to?: Timestamp | undefined },
  now: Timestamp,
): Either.Either<Period, Invalid> =>
  Either.flatMap(momentOf("to", requested, now), (to) =>
    from < to
      ? Either.right({ from, to, final: isFinal(to, now) })
      : Either.left(
          requested === undefined
            ? invalid("from", "must not be in the future")
            : invalid("to", "must be after from"),
        ),
  );

/** The currency of a statement: the requested one, or the only one in which the partner has amounts. */
export const currencyOf = (
  requested: Currency | undefined,
  known: ReadonlyArray<string>,
): Either.Either<Currency, Invalid> => {
  if (requested !== undefined) return Either.right(requested);
  const [only] = known;
  if (only !== undefined && known.length === 1) return Either.right(Currency.make(only));
  const reason = known.length === 0 ? "has no amounts before to" : `has amounts in ${known.join(", ")}`;
  return Either.left(invalid("currency", `is required, because the partner ${reason}`));
};

/** A place between two pages of a statement, with the sums that the later pages repeat. */
export interface Bookmark {
  readonly position: Position;
  /** What is due after the movement at the position. */
  readonly balance: bigint;
  readonly opening: bigint;
  readonly closing: bigint;
}

/** The statement that a cursor belongs to. */
export interface Subject {
  readonly customerId: CustomerId;
  readonly partnerId: PartnerId;
  readonly currency: string;
  readonly from: Timestamp;
  readonly to: Timestamp;
}

const textOf = ({ position: { at, recordId, sequence }, balance, opening, closing }: Bookmark): string =>
  [at, recordId, sequence, balance, opening, closing].join("_");

/** The text whose SHA-256 binds a cursor to its statement. */
export const cursorInput = (
  { customerId, partnerId, currency, from, to }: Subject,
  bookmark: Bookmark,
): string =>
  ["quittance statement", ...[customerId, partnerId, currency, from, to], textOf(bookmark)].join(" ");

/** The cursor of a place. */
export const cursorOf = (bookmark: Bookmark, sha256: string): string =>
  `${textOf(bookmark)}_${sha256.slice(0, 16)}`;

const CURSOR =
  /^(-?\d{1,15})_([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})_(\d{1,9})_(-?\d{1,40})_(-?\d{1,40})_(-?\d{1,40})_[0-9a-f]{16}$/;

/** The refusal of a text that is no cursor of the statement. */
export const NO_CURSOR = invalid(
  "after",
  "must be next_cursor of a page of this statement, with the same partner, from, to and currency",
);

/** The place that a cursor states; whether the cursor belongs to the statement has to be checked by its digest. */
export const bookmarkOf = (cursor: string): Either.Either<Bookmark, Invalid> => {
  const [, at, recordId = "", sequence, balance = "0", opening = "0", closing = "0"] =
    CURSOR.exec(cursor) ?? [];
  return at === undefined
    ? Either.left(NO_CURSOR)
    : Either.right({
        position: { at: Number(at), recordId, sequence: Number(sequence) },
        balance: BigInt(balance),
        opening: BigInt(opening),
        closing: BigInt(closing),
      });
};
