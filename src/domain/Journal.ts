/**
 * The journal: what partners earn, are billed and are paid, as double entries. Each entry is the difference that one event makes
 * to the accounts, so that all entries together always equal the state that the events led to.
 */
import { Either, Schema } from "effect";
import { type CalendarDate, dateOf } from "./CalendarDate.ts";
import { Currency } from "./Currency.ts";
import { type CommissionId, type CustomerId, PartnerId, type SettlementId, WorkspaceId } from "./Ids.ts";
import { basisPoints } from "./Money.ts";
import type { Balance, Movement, Position } from "./Movement.ts";
import { LIMIT_MAX, StatementQuery } from "./PartnerStatement.ts";
import { type Invalid, invalid } from "./Refusal.ts";
import type { TaxTreatment } from "./SelfBilling.ts";
import type { SettlementEvent } from "./SettlementEvent.ts";
import type { View } from "./SettlementView.ts";
import type { Timestamp } from "./Timestamp.ts";

/** An account of the journal, and what its balance means. */
export const ACCOUNTS = {
  commission_expense: "what partners have earned",
  accrued_commissions: "earned and payable, without a document yet",
  commissions_awaiting_receipt: "earned, not payable before the buyer pays",
  input_tax: "the tax of the documents of partners",
  partner_payables: "documents that are not paid",
  payments: "what was paid to partners and received from them",
  settled_elsewhere: "settled in another system before the sale was recorded",
  written_off_commissions: "amounts that were written off",
  reverse_charge_tax_deductible: "tax of documents under reverse charge that the customer deducts",
  reverse_charge_tax_due: "tax of documents under reverse charge that the customer owes",
} as const;

/** The name of an account. */
export const Account = Schema.Literal(...(Object.keys(ACCOUNTS) as [Account, ...Array<Account>]));
export type Account = keyof typeof ACCOUNTS;

/** What happened: an amount was computed, changed, released or settled elsewhere; a document was linked; a settlement ended, or its payment came back. */
export const Kind = Schema.Literal(
  ...([
    "earned",
    "adjusted",
    "received",
    "settled_elsewhere",
    "billed",
    "paid",
    "written_off",
    "payment_returned",
  ] as const),
);
export type Kind = typeof Kind.Type;

/** A posting: a debit where the amount is positive, a credit where it is negative. In the smallest unit. */
export interface Line {
  readonly account: Account;
  readonly amount: bigint;
}

/** One entry: its lines add up to 0 and are in one currency. */
export interface Entry {
  readonly at: Timestamp;
  readonly kind: Kind;
  readonly partnerId: PartnerId;
  readonly currency: Currency;
  /** Null for an entry of a settlement. */
  readonly commissionId: CommissionId | null;
  /** Null for an entry of a commission. */
  readonly settlementId: SettlementId | null;
  /** The number of the invoice or credit note; null where there is none. */
  readonly document: string | null;
  /** The day on which that document is to be paid; null for an entry of a commission. */
  readonly dueOn: CalendarDate | null;
  /** The month of the sale, `2026-01`, where it is before that of the entry; null otherwise, and for an entry of a settlement. */
  readonly concerns: string | null;
  /** What happened, in a sentence. */
  readonly text: string;
  readonly lines: ReadonlyArray<Line>;
}

/** Balances of accounts; one that is absent is 0. */
type Balances = { readonly [Name in Account]?: bigint };

const linesOf = (balances: Balances): ReadonlyArray<Line> =>
  Object.entries(balances).map(([account, amount]) => ({ account: account as Account, amount }));

/** Postings as those of one entry: the sum of each account, in the order of the accounts, without those of 0. */
export const together = (...all: ReadonlyArray<ReadonlyArray<Line>>): ReadonlyArray<Line> => {
  const sums = new Map<Account, bigint>();
  for (const { account, amount } of all.flat()) sums.set(account, (sums.get(account) ?? 0n) + amount);
  return (Object.keys(ACCOUNTS) as ReadonlyArray<Account>)
    .map((account) => ({ account, amount: sums.get(account) ?? 0n }))
    .filter(({ amount }) => amount !== 0n);
};

/**
 * The postings of what was earned and settled. What was settled elsewhere was paid from other books. What a settlement pays looks written off until its payment is posted, in the same entry unless
 * the clock was set back between the two.
 */
export const ofSums = ({
  earned,
  settled,
  elsewhere,
  waiting,
}: Pick<Balance, "earned" | "settled" | "elsewhere" | "waiting">): ReadonlyArray<Line> =>
  together(
    linesOf({
      commission_expense: earned,
      commissions_awaiting_receipt: -waiting,
      accrued_commissions: settled + waiting - earned,
      settled_elsewhere: -elsewhere,
      written_off_commissions: elsewhere - settled,
    }),
  );

/** The postings of a movement. */
export const ofMovement = (
  movement: Pick<Movement, "type" | "earned" | "settled" | "waiting">,
): ReadonlyArray<Line> =>
  ofSums({ ...movement, elsewhere: movement.type === "settled_elsewhere" ? movement.settled : 0n });

/**
 * True if a settlement has an invoice or credit note that stands. One that ends without payment gets a second document, which
 * takes the first one back.
 */
export const isBilled = ({
  invoiceReference,
  creditNoteReference,
}: Pick<View, "invoiceReference" | "creditNoteReference">): boolean =>
  (invoiceReference === null) !== (creditNoteReference === null);

const hasPaid = ({ status, paidAfterWriteOff }: View): boolean => status.type === "paid" || paidAfterWriteOff;

/** A rate of the tax that the customer owes for documents under reverse charge, from a day on. */
export interface ReverseChargeRate {
  readonly from: CalendarDate;
  readonly rateBps: number;
}

/**
 * The tax that the customer owes and deducts for the document of a settlement, at the rate of the document's day; nothing where
 * there is no rate. Rates are in the order of their days.
 */
const reverseChargeOf = (view: View | null, rates: ReadonlyArray<ReverseChargeRate>): Balances => {
  if (view === null || !(isBilled(view) || hasPaid(view))) return {};
  const day = view.invoiceDate ?? view.creditNoteDate ?? dateOf(view.approvedAt ?? 0);
  const rateBps = rates.findLast(({ from }) => from <= day)?.rateBps ?? 0;
  const tax = (view.approval?.taxGroups ?? [])
    .filter(({ treatment }) => treatment === "reverse_charge")
    .reduce((sum, { base }) => sum + basisPoints(base, rateBps), 0n);
  return { reverse_charge_tax_deductible: tax, reverse_charge_tax_due: -tax };
};

/** The balances that a settlement gives rise to: by its document, and its payment. */
export const balancesOf = (view: View | null): Balances => {
  if (view === null) return {};
  const isPaid = hasPaid(view);
  const net = BigInt(view.total);
  const tax = isBilled(view) || isPaid ? BigInt(view.taxAmount ?? 0) : 0n;
  if (isPaid) return { input_tax: tax, payments: -(net + tax), written_off_commissions: net };
  return isBilled(view) ? { accrued_commissions: net, input_tax: tax, partner_payables: -(net + tax) } : {};
};

/** The postings of an event of a settlement, from its states around it. */
export const ofSettlement = (
  before: View | null,
  after: View,
  rates: ReadonlyArray<ReverseChargeRate> = [],
): ReadonlyArray<Line> =>
  together(
    [...linesOf(balancesOf(before)), ...linesOf(reverseChargeOf(before, rates))].map(
      ({ account, amount }) => ({ account, amount: -amount }),
    ),
    linesOf(balancesOf(after)),
    linesOf(reverseChargeOf(after, rates)),
  );

/** The number of the document that an event of a settlement links, or else of the one that it settles. */
export const documentOf = (
  { type }: SettlementEvent,
  { invoiceNumber, creditNoteNumber, total }: View,
): string | null => {
  if (type === "link_invoice") return invoiceNumber;
  if (type === "link_credit_note") return creditNoteNumber;
  return total < 0 ? (creditNoteNumber ?? invoiceNumber) : (invoiceNumber ?? creditNoteNumber);
};

/** The day on which the document of a settlement is to be paid: its own date where none is stated. */
export const dueOn = ({ dueDate, invoiceDate, creditNoteDate, approvedAt, createdAt }: View): CalendarDate =>
  dueDate ?? invoiceDate ?? creditNoteDate ?? dateOf(approvedAt ?? createdAt);

/** The kind of the entry of a settlement's event. */
export const kindOf = ({ type }: SettlementEvent): Kind => {
  switch (type) {
    case "link_invoice":
    case "link_credit_note":
    case "review_settlement":
      return "billed";
    case "return_payment":
      return "payment_returned";
    case "write_off_settlement":
      return "written_off";
    default:
      return "paid";
  }
};

/** The treatment of a settlement's document; null where it has several, or none is known. */
export const treatmentOf = ({ approval }: View): TaxTreatment | null => {
  const [treatment, ...others] = new Set((approval?.taxGroups ?? []).map((group) => group.treatment));
  return treatment === undefined || others.length > 0 ? null : treatment;
};

/** The month that an entry about a sale concerns, where it is before the one in which the entry is dated. */
export const concernedMonth = (at: Timestamp, soldOn: CalendarDate): string | null =>
  soldOn.slice(0, 7) < dateOf(at).slice(0, 7) ? soldOn.slice(0, 7) : null;

/** What an event of a settlement is, in words, with the number of its document. */
export const textOf = (event: SettlementEvent, number: string | null): string => {
  const named = (words: string, joint = " "): string =>
    number === null ? words : `${words}${joint}${number}`;
  const payment = named("Payment", " of ");
  switch (event.type) {
    case "link_invoice":
      return named("Invoice");
    case "link_credit_note":
      return named("Credit note");
    case "link_report":
      return "Settled without a payment";
    case "review_settlement":
      return "Document refused because of its tax";
    case "return_payment":
      return `${payment} returned: ${event.reason}`;
    case "payment_anomaly":
      return `${payment} after the write-off`;
    default:
      return payment;
  }
};

const KINDS_MAX = Kind.literals.length;

/** The kinds of the entries that are asked for. */
export const KindFilter = Schema.Array(Kind).pipe(
  Schema.maxItems(KINDS_MAX, { message: () => `must have at most ${KINDS_MAX} values` }),
  Schema.annotations({
    jsonSchema: {
      type: "array",
      maxItems: KINDS_MAX,
      items: { type: "string", enum: [...Kind.literals] },
      description: "Only entries of any of these kinds; repeat the parameter for several values.",
    },
  }),
);

/** The parameters of a journal: a period, in which currency, whose entries, and of which kinds. */
export const JournalQuery = Schema.Struct({
  ...StatementQuery.pick("from", "to", "currency", "after", "limit").fields,
  workspaceIds: Schema.optionalWith(Schema.Array(WorkspaceId), { exact: true }),
  partnerIds: Schema.optionalWith(Schema.Array(PartnerId), { exact: true }),
  kinds: Schema.optionalWith(KindFilter, { exact: true }),
});
export type JournalQuery = typeof JournalQuery.Type;

export { LIMIT_MAX };

/** A place in a journal: the entries of a partner in one currency after a position; those of the whole partner without one. */
export interface Bookmark {
  /** How many partners come before. */
  readonly partner: number;
  readonly within: { readonly currency: Currency; readonly position: Position } | null;
}

/** The first place. */
export const START: Bookmark = { partner: 0, within: null };

const textOfPlace = ({ partner, within }: Bookmark): string =>
  within === null
    ? `${partner}`
    : [partner, within.currency, within.position.at, within.position.recordId, within.position.sequence].join(
        "_",
      );

/** The journal that a cursor belongs to. */
export interface Subject {
  readonly customerId: CustomerId;
  readonly from: Timestamp;
  readonly to: Timestamp;
  readonly where: unknown;
  readonly currency: Currency | undefined;
  readonly kinds: ReadonlyArray<Kind> | undefined;
}

/** The text whose SHA-256 binds a cursor to its journal. */
export const cursorInput = (
  { customerId, from, to, where, currency = "" as Currency, kinds = [] }: Subject,
  place: Bookmark,
): string =>
  [
    ...["quittance journal", customerId, from, to, JSON.stringify(where), currency],
    ...[...kinds, textOfPlace(place)],
  ].join(" ");

/** The cursor of a place. */
export const cursorOf = (place: Bookmark, sha256: string): string =>
  `${textOfPlace(place)}_${sha256.slice(0, 16)}`;

const CURSOR =
  /^(\d{1,9})(?:_([A-Z]{3})_(-?\d{1,15})_([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})_(\d{1,9}))?_[0-9a-f]{16}$/;

/** The refusal of a text that is no cursor of the journal. */
export const NO_CURSOR = invalid(
  "after",
  "must be next_cursor of a page of this journal, with the same parameters",
);

/** The place that a cursor states; whether the cursor belongs to the journal has to be checked by its digest. */
export const bookmarkOf = (cursor: string): Either.Either<Bookmark, Invalid> => {
  const [, partner, currency, at, recordId = "", sequence] = CURSOR.exec(cursor) ?? [];
  if (partner === undefined) return Either.left(NO_CURSOR);
  const position = { at: Number(at), recordId, sequence: Number(sequence) };
  return Either.right({
    partner: Number(partner),
    within: currency === undefined ? null : { currency: Currency.make(currency), position },
  });
};
