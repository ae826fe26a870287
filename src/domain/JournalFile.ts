/**
 * Files of the journal for accounting programs: their formats, what the books have to state for some of them, and why a journal
 * cannot be written in one.
 */
import { Schema } from "effect";
import { absolute } from "../formula/Rational.ts";
import { type CalendarDate, dateOf, daysLater } from "./CalendarDate.ts";
import { type Currency, decimals } from "./Currency.ts";
import { means, optionalKey } from "./Field.ts";
import { ACCOUNTS, type Account, type Line } from "./Journal.ts";
import type { Period } from "./PartnerStatement.ts";
import { type Invalid, invalid } from "./Refusal.ts";
import { Text } from "./Text.ts";

/** What a format asks for. */
interface Demands {
  /** The entries of one file are in one currency. */
  readonly oneCurrency?: true;
  /** Accounts are codes of the program: each posting needs the number of a rule that satisfies the pattern. */
  readonly number?: { readonly pattern: RegExp; readonly words: string };
}

const CODES_OF_XERO = { pattern: /^.{1,10}$/u, words: "codes of at most 10 characters" };

/** Every format of a file, by the name that a request states. Bills have the currency of each in a column. */
export const FORMATS = {
  csv: {},
  spreadsheet: {},
  hledger: {},
  beancount: {},
  datev: { oneCurrency: true, number: { pattern: /^\d*[1-9]\d*$/, words: "digits that are not all 0" } },
  quickbooks: { oneCurrency: true },
  xero: { oneCurrency: true, number: CODES_OF_XERO },
  quickbooks_bills: {},
  xero_bills: { number: CODES_OF_XERO },
} as const satisfies { readonly [name: string]: Demands };
export type Format = keyof typeof FORMATS;

/** The names of the formats. */
export const FORMAT_NAMES = Object.keys(FORMATS) as [Format, ...Array<Format>];

const whole = (minimum: number, maximum: number) =>
  Schema.Int.pipe(
    Schema.between(minimum, maximum, { message: () => `must be ${minimum} to ${maximum}` }),
  ).annotations({ jsonSchema: { type: "integer", minimum, maximum } });

/** A day that every year has, as MM-DD. */
const DayOfYear = Schema.String.pipe(
  Schema.filter(
    (text) =>
      (/^\d\d-\d\d$/.test(text) && dateOf(Date.parse(`2001-${text}T00:00:00Z`) || 0) === `2001-${text}`) ||
      "must be a day of every year as MM-DD",
    {
      jsonSchema: { pattern: "^\\d{2}-\\d{2}$" },
      arbitrary: () => (fc) => fc.constantFrom("01-01", "07-01"),
    },
  ),
);

/** What a file for DATEV states of the client. */
export const Datev = Schema.Struct({
  consultant: whole(1_001, 9_999_999).pipe(means("The number of the tax consultant (Beraternummer).", 29098)),
  client: whole(1, 99_999).pipe(means("The number of the client (Mandantennummer).", 55003)),
  accountLength: whole(4, 8)
    .pipe(means("How many digits the numbers of general accounts have (Sachkontenlänge).", 4))
    .pipe(Schema.propertySignature, Schema.fromKey("account_length")),
  fiscalYearStart: DayOfYear.pipe(means("The first day of the fiscal year, as MM-DD.", "01-01")).pipe(
    Schema.propertySignature,
    Schema.fromKey("fiscal_year_start"),
  ),
});
export type Datev = typeof Datev.Type;

/** What a file for Xero states of every line. */
export const Xero = Schema.Struct({
  taxRate: Text(1, 50)
    .pipe(means("The name of the tax rate of your organisation under which Xero adds no tax.", "No VAT"))
    .pipe(Schema.propertySignature, Schema.fromKey("tax_rate")),
  trackingCategory: optionalKey(
    Text(1, 50),
    "tracking_category",
    "The name of the tracking category whose options the cost centres are; by default files have none.",
  ),
});
export type Xero = typeof Xero.Type;

/** What the books of a customer state for files; null where they state nothing. */
export interface Settings {
  readonly datev: Datev | null;
  readonly xero: Xero | null;
}

/** A posting rule, as far as it concerns files. */
interface Rule {
  readonly account: Account;
  readonly number: string;
  readonly costCentre?: string;
}

/** The books, as far as they concern files; `fallbacks` are the accounts that have a rule without conditions. */
export interface BooksOfFile extends Settings {
  readonly rules: ReadonlyArray<Rule>;
  readonly fallbacks: ReadonlySet<Account>;
}

/** A fiscal year: its first and its last day. */
export interface FiscalYear {
  readonly first: CalendarDate;
  readonly last: CalendarDate;
}

/** The fiscal year that a day is in. */
export const fiscalYearOf = ({ fiscalYearStart: start }: Datev, day: CalendarDate): FiscalYear => {
  const year = Number(day.slice(0, 4)) - (day.slice(5) < start ? 1 : 0);
  const startOf = (of: number): CalendarDate => `${String(of).padStart(4, "0")}-${start}`;
  return { first: startOf(year), last: daysLater(startOf(year + 1), -1) };
};

/** The first and the last day of a period. */
export const daysOf = ({ from, to }: Pick<Period, "from" | "to">): FiscalYear => ({
  first: dateOf(from),
  last: dateOf(to - 1),
});

const refusal = (format: Format, reason: string): Invalid =>
  invalid("format", `${format} needs ${reason}; write them with the posting rules`);

/** Why rules do not name every account as a format asks for, or null. */
const numberProblem = (format: Format, { rules, fallbacks }: BooksOfFile): Invalid | null => {
  const { number }: Demands = FORMATS[format];
  if (number === undefined) return null;
  const missing = (Object.keys(ACCOUNTS) as ReadonlyArray<Account>).find((name) => !fallbacks.has(name));
  if (missing !== undefined)
    return refusal(format, `a rule without conditions for each account, and ${missing} has none`);
  const other = rules.find((rule) => !number.pattern.test(rule.number));
  return other === undefined
    ? null
    : refusal(
        format,
        `numbers that are ${number.words}, and a rule for ${other.account} has ${other.number}`,
      );
};

const datevProblem = (
  datev: Datev,
  { rules }: BooksOfFile,
  period: Pick<Period, "from" | "to">,
  currency: Currency,
): Invalid | null => {
  const digits = datev.accountLength + 1;
  const long = rules.find(({ number }) => number.length > digits);
  if (long !== undefined)
    return refusal(
      "datev",
      `numbers of at most ${digits} digits, and a rule for ${long.account} has ${long.number}`,
    );
  const centre = rules.find(
    ({ costCentre }) => costCentre !== undefined && !/^[\w ]{1,36}$/.test(costCentre),
  );
  if (centre !== undefined)
    return refusal(
      "datev",
      `cost centres of at most 36 letters without accents, digits and spaces, and a rule for ${centre.account} has ${centre.costCentre}`,
    );
  if (decimals(currency) > 2)
    return invalid("currency", `has ${decimals(currency)} decimals, and amounts for datev have two`);
  const { first, last } = daysOf(period);
  const year = fiscalYearOf(datev, first);
  return last <= year.last
    ? null
    : invalid("to", `must be in the fiscal year of from for datev, which ends on ${year.last}`);
};

/** Why a journal cannot be written in a format, or null. */
export const problemOf = (
  format: Format,
  books: BooksOfFile,
  period: Pick<Period, "from" | "to">,
  currency: Currency | undefined,
): Invalid | null => {
  const demands: Demands = FORMATS[format];
  if (demands.oneCurrency === true && currency === undefined)
    return invalid("currency", `is required for ${format}, whose files have one currency`);
  if (format === "datev" && books.datev === null)
    return refusal(format, "the settings datev: consultant, client, account_length and fiscal_year_start");
  if ((format === "xero" || format === "xero_bills") && books.xero === null)
    return refusal(format, "the settings xero: tax_rate");
  const named = numberProblem(format, books);
  if (named !== null || format !== "datev" || books.datev === null || currency === undefined) return named;
  return datevProblem(books.datev, books, period, currency);
};

/** A debit or credit of an account against another one. */
export interface Pair<Posting extends Line> {
  readonly posting: Posting;
  readonly contra: Posting;
  /** As of the posting: a debit is positive. */
  readonly amount: bigint;
}

/**
 * Pairs that together post what the lines of an entry post, for programs whose entries have two accounts: at most one fewer than
 * lines, without an account between them. The posting of a pair is the one that comes first in the entry.
 */
export const pairsOf = <Posting extends Line>(
  lines: ReadonlyArray<Posting>,
): ReadonlyArray<Pair<Posting>> => {
  const open = lines.map((posting) => ({ posting, left: posting.amount }));
  const found: Array<Pair<Posting>> = [];
  for (const [index, one] of open.entries())
    for (const other of open.slice(index + 1)) {
      if (one.left === 0n || other.left === 0n || one.left > 0n === other.left > 0n) continue;
      const amount = absolute(one.left) < absolute(other.left) ? one.left : -other.left;
      found.push({ posting: one.posting, contra: other.posting, amount });
      one.left -= amount;
      other.left += amount;
    }
  return found;
};
