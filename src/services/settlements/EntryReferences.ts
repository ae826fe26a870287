/** Finds the payments that a bank names by the end of their references: formats of short fields have no more of it. */
import { Effect, Schema } from "effect";
import { CalendarDate, daysLater } from "../../domain/CalendarDate.ts";
import type { CustomerId } from "../../domain/Ids.ts";
import { FILE_PAYMENTS_MAX } from "../../domain/Limits.ts";
import * as PaymentFile from "../../domain/PaymentFile.ts";
import type { Records, Settling, StorageError } from "../../ports/Storage.ts";
import { collect } from "../commands/Listing.ts";

/** A bank carries out a file that it gets late so many days after its execution date at most, and states the later day. */
const LATE_DAYS = 10;

/** Where a bank states no day, its file is looked for among those of so many days before what it reports: later nothing comes back. */
const RETURN_DAYS = 70;

type Statement = PaymentFile.BankStatement;

/** Names a payment by the end of its reference, with the days on which its file was to be carried out. */
interface Named {
  readonly end: string;
  readonly currency: string;
  readonly first: CalendarDate;
  readonly last: CalendarDate;
}

const isDate = Schema.is(CalendarDate);

/** What an entry names; null for a movement that states a whole reference, or none. */
const nameOf = ({ entry, currency, bookingDate }: PaymentFile.Movement): Named | null => {
  if (entry === undefined) return null;
  const { end, executionDate } = entry;
  if (executionDate !== null)
    return { end, currency, first: daysLater(executionDate, -LATE_DAYS), last: executionDate };
  if (!isDate(bookingDate)) return null;
  return { end, currency, first: daysLater(bookingDate, -RETURN_DAYS), last: bookingDate };
};

/** True if a file may have a payment that is named. */
const isOf = (file: PaymentFile.PaymentFile, { currency, first, last }: Named): boolean =>
  PaymentFile.currencyOf(file) === currency && first <= file.executionDate && file.executionDate <= last;

/**
 * The statement with the whole references of the payments that it names by their ends, among those of files of its currency that
 * were to be carried out then. An end that none or several payments have stays as the bank states it.
 */
export const withReferences = (
  storage: Records & Settling,
  customerId: CustomerId,
  statement: Statement,
): Effect.Effect<Statement, StorageError> =>
  Effect.gen(function* () {
    const named = statement.accounts.flatMap(({ movements }) =>
      movements.flatMap((one) => nameOf(one) ?? []),
    );
    if (named.length === 0) return statement;
    const ends = new Set(named.map(({ end }) => end));
    // Statements have many entries of few days.
    const spans = new Map(named.map((one) => [`${one.currency} ${one.first} ${one.last}`, one]));
    const files = yield* collect(storage, customerId, "paymentFile", {});
    const found = new Map<string, Array<{ readonly file: PaymentFile.PaymentFile; readonly id: string }>>();
    for (const file of files) {
      if (![...spans.values()].some((one) => isOf(file, one))) continue;
      for (const { id } of yield* storage.bankPayments(customerId, file.id, FILE_PAYMENTS_MAX)) {
        const end = PaymentFile.endOf(id);
        if (ends.has(end)) found.set(end, [...(found.get(end) ?? []), { file, id }]);
      }
    }
    const wholeOf = (movement: PaymentFile.Movement): PaymentFile.Movement => {
      const name = nameOf(movement);
      if (name === null) return movement;
      const [one, ...others] = (found.get(name.end) ?? []).filter(({ file }) => isOf(file, name));
      return one === undefined || others.length > 0
        ? movement
        : { ...movement, endToEndId: PaymentFile.digitsOf(one.id) };
    };
    return {
      accounts: statement.accounts.map((account) => ({
        ...account,
        movements: account.movements.map(wholeOf),
      })),
    };
  });
