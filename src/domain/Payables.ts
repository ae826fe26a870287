/**
 * Payables and accruals at a date: what partners have earned, how far it is on the way to their bank, and the age of the
 * documents that are not paid. Every figure is the balance of accounts of the journal at that date, or a part of one.
 */
import { Either, Schema } from "effect";
import { type CalendarDate, daysBetween } from "./CalendarDate.ts";
import type { Currency } from "./Currency.ts";
import { PartnerId, WorkspaceId } from "./Ids.ts";
import { type Account, balancesOf, dueOn, isBilled, ofSums } from "./Journal.ts";
import { PER_PAGE_MAX } from "./Limits.ts";
import type { Balance } from "./Movement.ts";
import { BalanceQuery } from "./PartnerStatement.ts";
import { invalid } from "./Refusal.ts";
import { isOpen, type View } from "./SettlementView.ts";

/** The days past due of each age, from the first to the last. */
export const AGES = {
  current: [Number.NEGATIVE_INFINITY, 0],
  overdue1To30: [1, 30],
  overdue31To60: [31, 60],
  overdue61To90: [61, 90],
  overdueOver90: [91, Number.POSITIVE_INFINITY],
} as const;
/** How long a document is past due. */
export type Age = keyof typeof AGES;

const AGE_NAMES = Object.keys(AGES) as ReadonlyArray<Age>;

/** What a row says in addition to the ages, in the smallest unit of the currency. */
interface Sums {
  /** What partners have earned. */
  readonly earned: bigint;
  /** Of it: not payable before the buyer pays. */
  readonly awaitingReceipt: bigint;
  /** Of it: payable, without an invoice or credit note yet. */
  readonly accrued: bigint;
  /** Of what is accrued: in settlements under way. */
  readonly inSettlement: bigint;
  /** The tax of the invoices and credit notes. */
  readonly tax: bigint;
  /** Invoices and credit notes that are not paid, tax included: the sum of the ages. */
  readonly payable: bigint;
  /** What was paid, tax included. */
  readonly paid: bigint;
  /** What was settled in another system. */
  readonly settledElsewhere: bigint;
  /** What was given up. */
  readonly writtenOff: bigint;
}

/** The figures of a row; earned + tax = awaitingReceipt + accrued + payable + paid + settledElsewhere + writtenOff. */
export type Figures = Sums & { readonly [Name in Age]: bigint };

/** The names of the figures, in their order. */
export const FIGURES = [
  ...["earned", "awaitingReceipt", "accrued", "inSettlement", "tax", "payable"],
  ...AGE_NAMES,
  ...["paid", "settledElsewhere", "writtenOff"],
] as ReadonlyArray<keyof Figures>;

/** The account of the journal whose balance a figure is, and whether it is its debit. */
export const ACCOUNT_OF = {
  earned: { account: "commission_expense", debit: true },
  awaitingReceipt: { account: "commissions_awaiting_receipt", debit: false },
  accrued: { account: "accrued_commissions", debit: false },
  tax: { account: "input_tax", debit: true },
  payable: { account: "partner_payables", debit: false },
  paid: { account: "payments", debit: false },
  settledElsewhere: { account: "settled_elsewhere", debit: false },
  writtenOff: { account: "written_off_commissions", debit: false },
} as const satisfies Partial<Record<keyof Figures, { account: Account; debit: boolean }>>;

const NOTHING = Object.fromEntries(FIGURES.map((name) => [name, 0n])) as unknown as Figures;

/** The sum of figures of one currency. */
export const add = (one: Figures, other: Figures): Figures =>
  Object.fromEntries(FIGURES.map((name) => [name, one[name] + other[name]])) as unknown as Figures;

/** The age of a document on a day; it is current on the day on which it is due. */
export const ageOf = (due: CalendarDate, day: CalendarDate): Age => {
  const days = daysBetween(due, day);
  return AGE_NAMES.find((name) => days <= AGES[name][1]) ?? "overdueOver90";
};

/** The figures of a partner in one currency, from its balance and its settlements of one moment, aged on a day. */
export const figuresOf = (
  balance: Balance | null,
  settlements: ReadonlyArray<View>,
  day: CalendarDate,
): Figures => {
  const accounts: { [Name in Account]?: bigint } = {};
  const post = (account: Account, amount: bigint): void => {
    accounts[account] = (accounts[account] ?? 0n) + amount;
  };
  for (const { account, amount } of balance === null ? [] : ofSums(balance)) post(account, amount);
  const aged: { [Name in Age]?: bigint } = {};
  let inSettlement = balance?.pending ?? 0n;
  for (const view of settlements) {
    const balances = balancesOf(view);
    for (const [account, amount] of Object.entries(balances)) post(account as Account, amount);
    const { partner_payables: credit = 0n } = balances;
    if (credit !== 0n) {
      const age = ageOf(dueOn(view), day);
      aged[age] = (aged[age] ?? 0n) - credit;
    }
    if (isOpen(view.status.type) && isBilled(view)) inSettlement -= BigInt(view.total);
  }
  const sums = Object.entries(ACCOUNT_OF).map(([name, { account, debit }]) => {
    const amount = accounts[account] ?? 0n;
    return [name, debit ? amount : -amount];
  });
  return { ...NOTHING, ...Object.fromEntries(sums), ...aged, inSettlement };
};

/** What a row is about: a partner, all partners of a workspace, or all partners. */
export const Grouping = Schema.Literal("partner", "workspace", "currency");
export type Grouping = typeof Grouping.Type;

/** The parameters of the report. */
export const PayablesQuery = Schema.Struct({
  /** Events before this moment count; by default all events until now. */
  ...BalanceQuery.fields,
  /** By default `partner`. */
  groupBy: Schema.optionalWith(Grouping, { exact: true }),
  workspaceIds: Schema.optionalWith(Schema.Array(WorkspaceId), { exact: true }),
  partnerIds: Schema.optionalWith(Schema.Array(PartnerId), { exact: true }),
  /** The cursor of the page before. */
  after: Schema.optionalWith(Schema.String, { exact: true }),
  /** How many partners a page covers at most. */
  limit: Schema.optionalWith(
    Schema.Int.pipe(Schema.between(1, PER_PAGE_MAX, { message: () => `must be 1 to ${PER_PAGE_MAX}` })),
    { exact: true },
  ),
});
export type PayablesQuery = typeof PayablesQuery.Type;

/** Figures of one currency, and whose they are: null where they are those of several. */
export interface Row extends Figures {
  readonly partnerId: PartnerId | null;
  readonly partnerName: string | null;
  readonly workspaceId: WorkspaceId | null;
  readonly currency: Currency;
}

/** How many partners come before the page of a cursor. */
export const partnersBefore = (after: string | undefined) => {
  if (after === undefined) return Either.right(0);
  return /^\d{1,9}$/.test(after)
    ? Either.right(Number(after))
    : Either.left(invalid("after", "must be next_cursor of a page of this report"));
};
