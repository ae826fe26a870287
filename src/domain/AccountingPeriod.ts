/**
 * Accounting periods: the months whose books are closed. The journal of a closed month never changes: the store refuses what is
 * dated in it, its postings keep the rules of its closing, and its hash is stored.
 */
import { Either, Schema } from "effect";
import { type Actor, personOf, type ShownActor, shownActor } from "./Event.ts";
import { Reason } from "./Field.ts";
import type { Account, Kind } from "./Journal.ts";
import { canonicalJson, sameJson } from "./Json.ts";
import { isFinal } from "./PartnerStatement.ts";
import { type Conflict, conflict } from "./Refusal.ts";
import { EARLIEST, format, type Timestamp } from "./Timestamp.ts";

const FORM = /^(?!0000)\d{4}-(0[1-9]|1[0-2])$/;

/** A month of UTC, `2026-01`, years 0001 to 9998; months in this form compare as text. */
export const Month = Schema.String.pipe(
  Schema.filter((text) => (FORM.test(text) && !text.startsWith("9999")) || "must be a month as YYYY-MM", {
    arbitrary: () => (fc) => fc.stringMatching(/^20[0-9]{2}-(0[1-9]|1[0-2])$/),
    jsonSchema: { pattern: FORM.source, description: "A month of UTC, YYYY-MM." },
  }),
  Schema.brand("Month"),
);
export type Month = typeof Month.Type;

/** The month of a moment. */
export const monthOf = (at: Timestamp): Month => Month.make(format(at).slice(0, 7));

/** The first moment of a month. */
export const startOf = (month: Month): Timestamp => Date.parse(`${month}-01T00:00:00.000Z`);

/** The first moment after a month. */
export const endOf = (month: Month): Timestamp => {
  const date = new Date(startOf(month));
  return date.setUTCMonth(date.getUTCMonth() + 1);
};

/** Why a closed month is opened again. */
export const Reopen = Schema.Struct({ reason: Reason });
export type Reopen = typeof Reopen.Type;

/** The sum of the debits and of the credits of an account in one currency, in its smallest unit, as decimal digits. */
export interface Total {
  readonly currency: string;
  readonly account: Account;
  readonly debit: string;
  readonly credit: string;
}

/** What is stored of the journal of a closed month. */
export interface Seal {
  /** SHA-256 over all entries, see {@link hashInput}. */
  readonly sha256: string;
  /** How many there are. */
  readonly entries: number;
  /** By currency, then in the order of the accounts. */
  readonly totals: ReadonlyArray<Total>;
}

/** A month that is or was closed. */
export interface Period {
  readonly month: Month;
  /** Inclusive; null for the first one, which contains everything before its end. */
  readonly from: Timestamp | null;
  /** Exclusive: the end of the month. */
  readonly to: Timestamp;
  readonly closedAt: Timestamp;
  /** The person. */
  readonly closedBy: string;
  /** Null until a worker has computed it. */
  readonly journal: Seal | null;
  /** Null while it is closed. */
  readonly reopened: { readonly at: Timestamp; readonly by: string; readonly reason: string } | null;
}

/** Closed; closing, until the hash of its journal is stored; or reopened. */
export type Status = "closing" | "closed" | "reopened";

/** The status of a period. */
export const statusOf = ({ journal, reopened }: Pick<Period, "journal" | "reopened">): Status => {
  if (reopened !== null) return "reopened";
  return journal === null ? "closing" : "closed";
};

/** The books of the months, in order: closed ones, then those that were reopened. */
export interface View {
  readonly periods: ReadonlyArray<Period>;
  /** Nothing dated before it is stored any more: the end of the last closed month; null where none is closed. */
  readonly closedUntil: Timestamp | null;
}

/** Books of which no month was ever closed. */
export const NONE: View = { periods: [], closedUntil: null };

/** What can happen to a period. */
export type PeriodEvent =
  | { readonly type: "close_period"; readonly actor: ShownActor; readonly month: string }
  | {
      readonly type: "seal_period";
      readonly actor: ShownActor;
      readonly month: string;
      readonly journal_sha256: string;
      readonly entries: number;
      readonly sums: ReadonlyArray<Total>;
    }
  | {
      readonly type: "reopen_period";
      readonly actor: ShownActor;
      readonly month: string;
      readonly reason: string;
    };

/** The last closed month, or null. */
export const lastClosed = ({ periods }: Pick<View, "periods">): Period | null =>
  periods.findLast(({ reopened }) => reopened === null) ?? null;

/** The state after one more event. */
export const evolve = ({ periods, closedUntil }: View, at: Timestamp, event: PeriodEvent): View => {
  const month = event.month as Month;
  const changed = (change: (period: Period) => Period) =>
    periods.map((period) => (period.month === month ? change(period) : period));
  switch (event.type) {
    case "close_period": {
      const to = endOf(month);
      const opened = { closedAt: at, closedBy: event.actor.person, journal: null, reopened: null };
      const closed: Period = { month, from: closedUntil, to, ...opened };
      const isKnown = periods.some((period) => period.month === month);
      return { periods: isKnown ? changed(() => closed) : [...periods, closed], closedUntil: to };
    }
    case "seal_period": {
      const { journal_sha256: sha256, entries, sums: totals } = event;
      const journal = { sha256, entries, totals };
      return { periods: changed((period) => ({ ...period, journal })), closedUntil };
    }
    case "reopen_period": {
      const reopened = { at, by: event.actor.person, reason: event.reason };
      const left = changed((period) => ({ ...period, reopened }));
      return { periods: left, closedUntil: lastClosed({ periods: left })?.to ?? null };
    }
  }
};

/** The month that may be closed next; null where any may be, because none ever was. */
export const nextMonth = ({ periods }: View): Month | null => {
  const open = periods.find(({ reopened }) => reopened !== null);
  const last = periods.at(-1);
  return open?.month ?? (last === undefined ? null : monthOf(last.to));
};

type Decision = Either.Either<ReadonlyArray<PeriodEvent>, Conflict>;

const refuse = (explanation: string): Decision => Either.left(conflict("period", explanation));

/** The closing of a month: none if it is closed. Months are closed one after the other, once they have ended. */
export const close = (before: View, month: Month, at: Timestamp, by: Actor): Decision => {
  const known = before.periods.find((period) => period.month === month);
  if (known !== undefined && known.reopened === null) return Either.right([]);
  const next = nextMonth(before);
  if (next !== null && month !== next)
    return refuse(month < next ? `${month} is before the first closed month` : `close ${next} first`);
  return isFinal(endOf(month), at)
    ? Either.right([{ type: "close_period", actor: shownActor(by), month }])
    : refuse(`${month} has not ended; it may be closed from a minute after ${format(endOf(month))} on`);
};

/** The hash of the journal of a closed month; none if it has one, or is not closed any more. */
export const seal = (
  before: View,
  { month, closedAt }: Period,
  journal: Seal,
  by: Actor,
): ReadonlyArray<PeriodEvent> => {
  const known = before.periods.find((period) => period.month === month);
  const { sha256, entries, totals } = journal;
  return known === undefined || known.closedAt !== closedAt || statusOf(known) !== "closing"
    ? []
    : [{ type: "seal_period", actor: shownActor(by), month, journal_sha256: sha256, entries, sums: totals }];
};

/** How the journal of a closed month differs from what was stored of it, or null. */
export const sealProblem = ({ journal: stored }: Pick<Period, "journal">, journal: Seal): string | null => {
  if (stored === null || sameJson(stored, journal)) return null;
  const { entries, sha256, totals } = journal;
  if (stored.entries !== entries) return `it has ${entries} entries, ${stored.entries} when it was closed`;
  return sameJson(stored.totals, totals)
    ? `its hash is ${sha256}, ${stored.sha256} when it was closed`
    : "the totals of its accounts are not those of its closing";
};

/** The reopening of the last closed month, by another person than the one who closed it. */
export const reopen = (before: View, month: Month, { reason }: Reopen, by: Actor): Decision => {
  const last = lastClosed(before);
  if (last === null || last.month < month) return refuse(`${month} is not closed`);
  if (last.month !== month) return refuse(`reopen ${last.month} first`);
  if (last.closedBy === personOf(by))
    return Either.left(conflict("four_eyes", "who closed a month may not reopen it"));
  return Either.right([{ type: "reopen_period", actor: shownActor(by), month, reason }]);
};

/** The first moment of a period's journal. */
export const fromOf = ({ from }: Pick<Period, "from">): Timestamp => from ?? EARLIEST;

/** What the hash covers of an entry: what was posted, and not names, texts and numbers of documents, which may be erased as personal data. */
export interface Hashed {
  readonly at: Timestamp;
  readonly kind: Kind;
  readonly partnerId: string;
  readonly currency: string;
  readonly commissionId: string | null;
  readonly settlementId: string | null;
  readonly concerns: string | null;
  readonly lines: ReadonlyArray<{
    readonly account: Account;
    readonly amount: bigint;
    readonly number?: string;
    readonly costCentre?: string;
  }>;
}

/** The hash before the first entry, and of a journal without entries. */
export const GENESIS = "0".repeat(64);

const orAbsent = (value: string | null): string | undefined => value ?? undefined;

/**
 * The text whose SHA-256 is the hash after an entry: the 64 hexadecimal digits of the hash before it, then the canonical JSON of
 * the entry, with debits and credits as decimal digits.
 */
export const hashInput = (previousHash: string, entry: Hashed): string =>
  `${previousHash}${canonicalJson({
    datetime: format(entry.at),
    kind: entry.kind,
    partner_id: entry.partnerId,
    currency: entry.currency,
    commission_id: orAbsent(entry.commissionId),
    settlement_id: orAbsent(entry.settlementId),
    concerns: orAbsent(entry.concerns),
    lines: entry.lines.map(({ account, amount, number, costCentre }) => ({
      ...{ account, number, cost_centre: costCentre },
      ...(amount < 0n ? { credit: `${-amount}` } : { debit: `${amount}` }),
    })),
  })}`;
