/**
 * Return files of the Automated Clearing House: entries that come back (addenda 99), and notifications of change (addenda 98), in
 * records of 94 characters. An entry has the last 15 digits of the payment's reference, as the file to the bank stated them.
 */
import { Effect, Either, Schema } from "effect";
import { CalendarDate, PaymentFile, Refusal, TimeSlice } from "quittance";
import { MOVEMENTS_MAX } from "../sepa/Value.ts";
import { HASH_DIGITS, RECORD } from "./Nacha.ts";
import { codeInWords, isAboutReturn } from "./NachaCodes.ts";

/** A header of the file with priority 01, and the bank or company that it goes to. */
const HEAD = /^101[ 0-9A-Za-z]{10}/;

/** True if bytes begin as a file of the Automated Clearing House. */
export const isNacha = (bytes: Uint8Array): boolean =>
  HEAD.test(new TextDecoder("latin1").decode(bytes.subarray(0, RECORD)));

/** Which types of records may follow one of a type; nothing comes before the first. */
const FOLLOWING: Readonly<Record<string, string>> = {
  "": "1",
  ...{ "1": "59", "5": "6", "6": "7", "7": "678", "8": "59", "9": "9" },
};

/** What control records state. */
interface Totals {
  readonly count: number;
  readonly hash: number;
  readonly debit: number;
  readonly credit: number;
}

const NOTHING: Totals = { count: 0, hash: 0, debit: 0, credit: 0 };

const plus = (a: Totals, b: Totals): Totals => ({
  count: a.count + b.count,
  hash: (a.hash + b.hash) % HASH_DIGITS,
  debit: a.debit + b.debit,
  credit: a.credit + b.credit,
});

/** What the totals of a control record are called. */
const NAMES = {
  count: "records of entries and addenda",
  hash: "as the hash of the routing numbers",
  debit: "cents of debits",
  credit: "cents of credits",
} as const;

/** An entry before its addenda. */
interface Entry {
  readonly line: number;
  readonly isCredit: boolean;
  readonly amount: number;
  /** Empty where the entry has none. */
  readonly identification: string;
  readonly account: string;
  readonly trace: string;
}

/** A record cannot be read. */
class Problem extends Error {}

const isDate = Schema.is(CalendarDate.CalendarDate);

/** Characters of a record by their first and last position, from 1, as the format numbers them. */
const cut = (record: string, first: number, last: number): string => record.slice(first - 1, last);

const digitsAt = (record: string, name: string, first: number, last: number): number => {
  const text = cut(record, first, last);
  if (/^\d+$/.test(text)) return Number(text);
  throw new Problem(`${name} (positions ${first} to ${last}) must have digits alone, and is "${text}"`);
};

const dateAt = (record: string, name: string, first: number): CalendarDate.CalendarDate => {
  const text = cut(record, first, first + 5);
  const date = `20${text.slice(0, 2)}-${text.slice(2, 4)}-${text.slice(4)}`;
  if (isDate(date)) return date;
  throw new Problem(
    `${name} (positions ${first} to ${first + 5}) must be a date as YYMMDD, and is "${text}"`,
  );
};

/** As much of a reference as an entry has. */
const END = new RegExp(`^[0-9a-f]{${PaymentFile.END_LENGTH}}$`);

/** Reads the records of a file, in their order. */
class Reader {
  readonly movements: Array<PaymentFile.Movement> = [];
  #type = "";
  #created: string | null = null;
  /** Null where the bank states none. */
  #executionDate: CalendarDate.CalendarDate | null = null;
  /** International entries have other fields. */
  #isInternational = false;
  #batch = NOTHING;
  #file = NOTHING;
  #batches = 0;
  /** The entry whose addenda are read, and whether one of them says why it is here. */
  #entry: Entry | null = null;
  #isExplained = false;

  /** Reads a record; throws when it cannot be read. */
  read(record: string, line: number): void {
    if (record.length !== RECORD)
      throw new Problem(`has ${record.length} characters, and every record has ${RECORD}`);
    const type = record.charAt(0);
    const expected = FOLLOWING[this.#type] ?? "";
    if (!expected.includes(type))
      throw new Problem(
        `is a record of type "${type}", where one of type ${[...expected].join(" or ")} must be`,
      );
    if (type !== "7") this.#endEntry();
    if (type === "1") this.#created = dateAt(record, "the date of the file", 24);
    else if (type === "5") this.#beginBatch(record);
    else if (type === "6") this.#readEntry(record, line);
    else if (type === "7") this.#readAddenda(record);
    else if (type === "8") this.#endBatch(record);
    else this.#endFile(record);
    this.#type = type;
  }

  /** Ends the file; throws when it has no end. */
  end(): void {
    if (this.#type !== "9")
      throw new Problem("is the last one, and the file has no record of type 9, its end");
  }

  #beginBatch(record: string): void {
    const isBlank = cut(record, 70, 75).trim() === "";
    this.#executionDate = isBlank ? null : dateAt(record, "the effective entry date", 70);
    this.#isInternational = cut(record, 51, 53) === "IAT" || cut(record, 5, 10) === "IATCOR";
  }

  #readEntry(record: string, line: number): void {
    const code = cut(record, 2, 3);
    if (!/^[2-5][16]$/.test(code))
      throw new Problem(
        `is no returned entry and no notification of change: its transaction code is ${code}`,
      );
    const isCredit = code.endsWith("1");
    const amount = digitsAt(record, "the amount", 30, 39);
    this.#batch = plus(this.#batch, {
      ...{ count: 1, hash: digitsAt(record, "the receiving bank", 4, 11) },
      ...{ debit: isCredit ? 0 : amount, credit: isCredit ? amount : 0 },
    });
    // Where others have an identification, international entries have an account.
    const [identification, account] = this.#isInternational
      ? ["", cut(record, 40, 74).trim()]
      : [cut(record, 40, 54).trim(), cut(record, 13, 29).trim()];
    this.#entry = { line, isCredit, amount, identification, account, trace: cut(record, 80, 94).trim() };
    this.#isExplained = false;
  }

  #readAddenda(record: string): void {
    this.#batch = plus(this.#batch, { ...NOTHING, count: 1 });
    const type = cut(record, 2, 3);
    // International entries have further addenda.
    if (type !== "98" && type !== "99") return;
    const entry = this.#entry;
    if (entry === null || this.#isExplained) throw new Problem("is a second reason of the same entry");
    const code = cut(record, 4, 6);
    if (!(type === "99" ? /^R\d\d$/ : /^C\d\d$/).test(code))
      throw new Problem(
        `has no ${type === "99" ? "return" : "change"} code in positions 4 to 6, but "${code}"`,
      );
    if (this.movements.length >= MOVEMENTS_MAX)
      throw new Problem(`is one too many: a file must have at most ${MOVEMENTS_MAX} movements`);
    this.#isExplained = true;
    const { isCredit, amount, identification, account, trace } = entry;
    const end = identification.toLowerCase();
    const isOurs = isCredit && END.test(end);
    this.movements.push({
      direction: isCredit ? "credit" : "debit",
      endToEndId: identification === "" ? null : identification,
      batch: null,
      ...{ amount, currency: "USD", bookingDate: this.#created },
      bankReference: trace === "" ? null : trace,
      reason: codeInWords(code, this.#added(record, type), account),
      ...(isOurs ? { entry: { end, executionDate: this.#executionDate } } : {}),
      ...(type === "98" || isAboutReturn(code) ? { isNotice: true } : {}),
    });
  }

  /** What a bank adds to its code; international entries repeat the amount before it. */
  #added(record: string, type: string): string {
    if (type === "99") return cut(record, this.#isInternational ? 46 : 36, 79);
    return cut(record, 36, this.#isInternational ? 70 : 64);
  }

  #endEntry(): void {
    if (this.#entry !== null && !this.#isExplained)
      throw new Problem(`follows an entry in line ${this.#entry.line} that has no addenda of type 98 or 99`);
    this.#entry = null;
  }

  /** Compares what a control record states with what was read before it. */
  #compare(found: Totals, stated: Totals): void {
    for (const name of ["count", "hash", "debit", "credit"] as const)
      if (found[name] !== stated[name])
        throw new Problem(
          `states ${stated[name]} ${NAMES[name]}, and the records before it have ${found[name]}`,
        );
  }

  #endBatch(record: string): void {
    this.#compare(this.#batch, {
      count: digitsAt(record, "the count", 5, 10),
      hash: digitsAt(record, "the hash", 11, 20),
      debit: digitsAt(record, "the debits", 21, 32),
      credit: digitsAt(record, "the credits", 33, 44),
    });
    this.#file = plus(this.#file, this.#batch);
    this.#batch = NOTHING;
    this.#batches++;
  }

  #endFile(record: string): void {
    if (this.#type === "9") {
      if (record !== "9".repeat(RECORD))
        throw new Problem("comes after the end of the file, and is no filling");
      return;
    }
    const batches = digitsAt(record, "the number of batches", 2, 7);
    if (batches !== this.#batches)
      throw new Problem(`states ${batches} batches, and the records before it have ${this.#batches}`);
    this.#compare(this.#file, {
      count: digitsAt(record, "the count", 14, 21),
      hash: digitsAt(record, "the hash", 22, 31),
      debit: digitsAt(record, "the debits", 32, 43),
      credit: digitsAt(record, "the credits", 44, 55),
    });
  }
}

/** Does a step of reading at a line; why it cannot be done, with the line. */
const at = (line: number, step: () => void): Either.Either<null, Refusal.Invalid> => {
  try {
    step();
    return Either.right(null);
  } catch (error) {
    if (error instanceof Problem)
      return Either.left(Refusal.invalid("file", `line ${line} ${error.message}`));
    throw error;
  }
};

/** The text without the line ends after it. Not a pattern: on many line ends inside the text it takes quadratic time. */
const withoutLastLineEnds = (text: string): string => {
  let end = text.length;
  while (text[end - 1] === "\n" || text[end - 1] === "\r") end -= 1;
  return text.slice(0, end);
};

/** The returns and notifications of a file, read in slices of time. */
export const read = (bytes: Uint8Array): Effect.Effect<PaymentFile.BankStatement, Refusal.Invalid> =>
  Effect.gen(function* () {
    // One character for each byte, so that positions are those of the format.
    const text = withoutLastLineEnds(new TextDecoder("latin1").decode(bytes));
    const lines = text.split(/\r?\n/);
    const reader = new Reader();
    yield* TimeSlice.mapEither(lines, (record, index) => at(index + 1, () => reader.read(record, index + 1)));
    yield* at(lines.length, () => reader.end());
    return { accounts: [{ iban: null, isFinal: false, isReturnFile: true, movements: reader.movements }] };
  });
