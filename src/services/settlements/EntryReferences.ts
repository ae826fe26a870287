/** Finds the payments that a bank names by the end of their references: formats of short fields have no more of it. */
import { Effect } from "effect";
import { type CalendarDate, daysLater } from "../../domain/CalendarDate.ts";
import type { CustomerId } from "../../domain/Ids.ts";
import { FILE_PAYMENTS_MAX } from "../../domain/Limits.ts";
import * as PaymentFile from "../../domain/PaymentFile.ts";
import type { Records, Settling, StorageError } from "../../ports/Storage.ts";
import { collect } from "../commands/Listing.ts";

/** A bank carries out a file that it gets late so many days after its execution date at most, and states the later day. */
const LATE_DAYS = 10;

type Statement = PaymentFile.BankStatement;

/** Those of some days on which a bank may have carried out a file. */
const daysOf = (
  { executionDate }: PaymentFile.PaymentFile,
  days: ReadonlySet<CalendarDate>,
): ReadonlyArray<CalendarDate> => {
  const last = daysLater(executionDate, LATE_DAYS);
  return [...days].filter((day) => executionDate <= day && day <= last);
};

/** The entries of a statement that name payments by the end of their references. */
const entriesOf = ({ accounts }: Statement) =>
  accounts.flatMap(({ movements }) =>
    movements.flatMap(({ entry, currency }) => (entry === undefined ? [] : [{ ...entry, currency }])),
  );

const keyOf = ({ end, executionDate }: PaymentFile.EntryName): string => `${end} ${executionDate}`;

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
    const entries = entriesOf(statement);
    if (entries.length === 0) return statement;
    const ends = new Set(entries.map(({ end }) => end));
    const days = new Set(entries.map(({ executionDate }) => executionDate));
    const currencies = new Set(entries.map(({ currency }) => currency));
    const files = yield* collect(storage, customerId, "paymentFile", {});
    const found = new Map<string, Set<string>>();
    for (const file of files) {
      const own = daysOf(file, days);
      if (own.length === 0 || !currencies.has(PaymentFile.currencyOf(file))) continue;
      for (const { id } of yield* storage.bankPayments(customerId, file.id, FILE_PAYMENTS_MAX)) {
        const end = PaymentFile.endOf(id);
        if (!ends.has(end)) continue;
        for (const executionDate of own) {
          const key = keyOf({ end, executionDate });
          found.set(key, (found.get(key) ?? new Set()).add(id));
        }
      }
    }
    const wholeOf = (movement: PaymentFile.Movement): PaymentFile.Movement => {
      const [id, ...others] = movement.entry === undefined ? [] : (found.get(keyOf(movement.entry)) ?? []);
      return id === undefined || others.length > 0
        ? movement
        : { ...movement, endToEndId: PaymentFile.digitsOf(id) };
    };
    return {
      accounts: statement.accounts.map((account) => ({
        ...account,
        movements: account.movements.map(wholeOf),
      })),
    };
  });
