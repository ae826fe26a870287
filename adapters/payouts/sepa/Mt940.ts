/**
 * Bank statements of SWIFT: MT940 (end-of-day statements) and MT942 (reports within the day). Banks write the references of the
 * payer into free text, each in its own way; our own are 32 hexadecimal digits, which are found in all of them.
 */
import { Effect, Either } from "effect";
import { Iban, type PaymentFile, Refusal, TimeSlice } from "quittance";
import { inWords } from "./Reason.ts";
import { amountOf, idIn, MOVEMENTS_MAX, REFERENCE, type Sum, truncate } from "./Value.ts";

/** The longest text of a transaction that is read; the standard allows 390 characters. */
const DETAILS_MAX = 2_000;
/** The longest line that is read; the standard allows 65 characters. */
const LINE_MAX = 1_000;
/** Lines that are read between two checks of the clock. */
const LINES_AT_ONCE = 20;

/** The most statements of a file. */
const STATEMENTS_MAX = 10_000;

/** Where the first field is looked for. */
const HEAD_LENGTH = 1_000;

/** True if bytes are a message of SWIFT: its first field is the reference, after the header of the bank or none. */
export const isMt940 = (bytes: Uint8Array): boolean => {
  const head = new TextDecoder("latin1").decode(bytes.subarray(0, HEAD_LENGTH));
  return /(?:^|[\r\n}])\s*:20:/.test(head) && !/^\s*</.test(head);
};

/** UTF-8, or an encoding of one byte for each character: references have only ASCII. */
const decode = (bytes: Uint8Array): string => {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
};

const FIELD = /^:(\d{2}[A-Z]?):(.*)$/;

/** Value date, entry date, direction, letter of the currency, amount, type, references. */
const ENTRY = /^(\d{6})(\d{4})?(R?[CD])([A-Z]?)(\d{1,15},\d{0,4})([A-Z][A-Z0-9]{3})(.*)$/;

/** The letters of `E2E` may also be the last ones of another reference. */
const END_TO_END_ID = new RegExp(`(?:EREF|(?<![0-9a-f])E2E|END-?TO-?END-?(?:ID)?)[+:/=]*${REFERENCE}`, "i");
const BATCH_ID = new RegExp(`(?:KREF|PREF|PMTINFID)[+:/=]*${REFERENCE}`, "i");
const BATCH_COUNT = /\/NRTX\/(\d{1,15})(?:\/|$)/;
/** The amount in the currency that was ordered, where the account has another one. */
const ORDERED = /\/OCMT\/([A-Z]{3})(\d{1,15},\d{0,4})(?:\/|$)/;

/**
 * The free text of a transaction without the codes of its parts, in which German, Austrian and Polish banks divide it, and the
 * name of the booking that comes before it there. Line feeds stay where lines and parts end: inside a word, or between two.
 */
const plainText = (details: string): { readonly name: string; readonly text: string } => {
  const separator = /^\d{3}([^A-Za-z0-9\s])\d\d/.exec(details)?.[1];
  if (separator === undefined) return { name: "", text: details };
  const parts = details.split(separator).slice(1);
  const having = (code: RegExp) =>
    parts.flatMap((part) => {
      const [, ten = "", one = "", words = ""] = /^\s*(\d)\s*(\d)([\s\S]*)$/.exec(part) ?? [];
      return code.test(ten + one) ? [words] : [];
    });
  return { name: having(/^00/).join(" "), text: having(/^(?:2\d|6[0-3])/).join("\n") };
};

/** Words as a person reads them. */
const legible = (text: string): string => text.replaceAll("\n", "").replace(/\s+/g, " ").trim();

/** The code with which Dutch banks return a payment. */
const RETURN_CODE = /\/RTRN\/([A-Z]{2}[A-Z0-9]{2})(?:\/|$)/;
/** The purpose in the text of German and Austrian banks, up to the next label. */
const PURPOSE = /SVWZ\+(.*?)(?=[A-Z]{4}\+|$)/;

/** Why a payment came back. */
const reasonIn = ({ name, text: broken }: ReturnType<typeof plainText>): string | null => {
  const text = legible(broken);
  const code = RETURN_CODE.exec(text.replace(/\s/g, ""))?.[1];
  if (code !== undefined) return inWords(code, null);
  const words = [legible(name), PURPOSE.exec(text)?.[1] ?? text].filter((part) => part !== "").join(" ");
  return words === "" ? null : truncate(words);
};

/** Which payment or file a text names. */
const referencesIn = (text: string): Pick<PaymentFile.Movement, "endToEndId" | "batch"> => {
  const squeezed = text.replace(/\s/g, "");
  const endToEndId = (END_TO_END_ID.exec(text) ?? END_TO_END_ID.exec(squeezed))?.[1] ?? null;
  if (endToEndId !== null) return { endToEndId, batch: null };
  const id = BATCH_ID.exec(squeezed)?.[1];
  if (id === undefined) return { endToEndId: idIn([text]), batch: null };
  const count = BATCH_COUNT.exec(squeezed)?.[1];
  return { endToEndId: null, batch: { id, count: count === undefined ? null : Number(count) } };
};

/** The day of a booking: the month and day of the entry near the value date, or the value date. */
const bookingDate = (value: string, entry: string | undefined): string => {
  const [year, month] = [Number(`20${value.slice(0, 2)}`), value.slice(2, 4)];
  const day = entry ?? value.slice(2);
  const turn = day.startsWith("12") && month === "01" ? -1 : day.startsWith("01") && month === "12" ? 1 : 0;
  return `${year + turn}-${day.slice(0, 2)}-${day.slice(2)}`;
};

/** A line and the text that follows it. */
interface Entry {
  readonly line: string;
  details: string;
}

const decimal = (text: string, currency: string) =>
  amountOf(text.replace(/,$/, "").replace(",", "."), currency);

/** The sum in euro that was ordered, where the text states it, else what was booked. */
const sumIn = (text: string, booked: Sum): Sum => {
  const [, currency = "", amount = ""] = ORDERED.exec(text.replace(/\s/g, "")) ?? [];
  return currency === "EUR" ? { amount: decimal(amount, currency), currency } : booked;
};

const movementOf = (currency: string, { line, details }: Entry): PaymentFile.Movement | null => {
  const [, value = "", entry, mark = "", , amount = "", , rest = ""] = ENTRY.exec(line) ?? [];
  if (value === "") return null;
  const isDebit = mark === "D" || mark === "RC";
  const plain = plainText(details);
  const { text } = plain;
  const bankReference = /\/\/(.+)/.exec(rest)?.[1]?.trim() ?? "";
  return {
    direction: isDebit ? "debit" : "credit",
    ...referencesIn(text),
    ...sumIn(text, { amount: decimal(amount, currency), currency }),
    bookingDate: bookingDate(value, entry),
    bankReference: bankReference === "" || bankReference === "NONREF" ? null : truncate(bankReference),
    reason: isDebit ? null : reasonIn(plain),
  };
};

/** The account number of a field, where it is an IBAN; banks write the currency behind it, or a number of their own. */
const ibanOf = (text: string): string | null => {
  const [, iban = ""] =
    /^\/?([A-Z]{2}\d{2}[A-Z0-9]{8,30}?)(?:[A-Z]{3})?$/.exec(text.replaceAll(" ", "")) ?? [];
  const whole = text.replaceAll(/[ /]/g, "");
  return Iban.isIban(whole) ? whole : Iban.isIban(iban) ? iban : null;
};

/** One statement while it is read. */
interface Statement {
  iban: string | null;
  currency: string | null;
  isFinal: boolean;
  readonly entries: Array<Entry>;
}

/** Reads the lines of a file. */
class Reader {
  readonly statements: Array<Statement> = [];
  readonly #text: string;
  #position = 0;
  #lines = 0;
  #entries = 0;
  /** Where lines without a field belong: the last field, if it is an entry or its text. */
  #open: { readonly entry: Entry; isDetails: boolean } | null = null;

  constructor(text: string) {
    this.#text = text;
  }

  /** Reads the next lines: why they cannot be read, true after the last one, else null. */
  advance(): string | true | null {
    for (let count = 0; count < LINES_AT_ONCE; count++) {
      if (this.#position >= this.#text.length) return this.statements.length > 0 ? true : "has no statement";
      const found = this.#text.indexOf("\n", this.#position);
      const end = found < 0 ? this.#text.length : found;
      if (end - this.#position > LINE_MAX) return `must have no line longer than ${LINE_MAX} characters`;
      const line = this.#text.slice(this.#position, end).replace(/\r$/, "");
      this.#position = end + 1;
      this.#lines++;
      const problem = this.#line(line);
      if (problem !== null) return problem;
    }
    return null;
  }

  #line(line: string): string | null {
    const [, tag, value = ""] = FIELD.exec(line) ?? [];
    if (tag !== undefined) return this.#field(tag, value);
    // The end of a message, or the header of the next one.
    if (line.trimEnd() === "-" || line.startsWith("-}") || line.startsWith("{")) this.#open = null;
    else if (this.#open?.isDetails === true && this.#open.entry.details.length < DETAILS_MAX)
      this.#open.entry.details += `\n${line}`;
    return null;
  }

  #field(tag: string, text: string): string | null {
    const value = text.trimEnd();
    const open = this.#open;
    this.#open = null;
    if (tag === "20") {
      if (this.statements.length >= STATEMENTS_MAX) return `must have at most ${STATEMENTS_MAX} statements`;
      this.statements.push({ iban: null, currency: null, isFinal: false, entries: [] });
      return null;
    }
    const statement = this.statements.at(-1);
    if (statement === undefined) return null;
    if (tag === "61") {
      if (!ENTRY.test(value)) return `line ${this.#lines} is no entry of MT940 or MT942`;
      if (++this.#entries > MOVEMENTS_MAX) return `must have at most ${MOVEMENTS_MAX} movements`;
      this.#open = { entry: { line: value, details: "" }, isDetails: false };
      statement.entries.push(this.#open.entry);
    } else if (tag === "86" && open !== null && !open.isDetails) {
      open.entry.details = text;
      this.#open = { entry: open.entry, isDetails: true };
    } else if (tag === "25" || tag === "25P") statement.iban ??= ibanOf(value);
    else if (tag === "60F" || tag === "60M" || tag === "34F") {
      statement.isFinal ||= tag !== "34F";
      statement.currency ??= /^(?:[CD]\d{6})?([A-Z]{3})/.exec(value)?.[1] ?? null;
    }
    return null;
  }
}

/** The statements of a file, read in slices of time. */
export const read = (bytes: Uint8Array): Effect.Effect<PaymentFile.BankStatement, Refusal.Invalid> =>
  Effect.gen(function* () {
    const reader = new Reader(decode(bytes));
    yield* TimeSlice.until((): Either.Either<null, Refusal.Invalid> | null => {
      const outcome = reader.advance();
      if (outcome === null) return null;
      return outcome === true ? Either.right(null) : Either.left(Refusal.invalid("file", outcome));
    });
    const accounts = yield* Effect.forEach(reader.statements, ({ iban, currency, isFinal, entries }) =>
      Effect.map(
        TimeSlice.map(entries, (entry) => movementOf(currency ?? "", entry)),
        (movements) => ({ iban, isFinal, movements: movements.filter((movement) => movement !== null) }),
      ),
    );
    return { accounts };
  });
