/** Payout accounts of a partner: who proposes one, who confirms it and when, and to which one money goes. */
import { Either, Schema } from "effect";
import { Currency } from "./Currency.ts";
import { type Actor, personOf } from "./Event.ts";
import { field, key, means, optional, required } from "./Field.ts";
import { PayoutAccountId } from "./Ids.ts";
import { sameJson } from "./Json.ts";
import { PAYOUT_ACCOUNTS_MAX, PAYOUT_HOURS_MAX } from "./Limits.ts";
import { describe, Fields, type Payee, PayoutType, payeeOf, problemOf } from "./PayoutDetails.ts";
import { type Conflict, conflict } from "./Refusal.ts";
import { DateTime, format, HOUR, type Timestamp } from "./Timestamp.ts";

/** What confirms a proposed account: the proposal itself, another person, or anybody once some hours have passed. */
export const Confirmation = Schema.Union(
  Schema.Literal("at_once", "second_person"),
  Schema.Struct({ afterHours: Schema.Int.pipe(Schema.between(1, PAYOUT_HOURS_MAX)) }),
);
export type Confirmation = typeof Confirmation.Type;

/** What a confirmation takes: another person than the proposer, and hours since the proposal. */
export interface Rule {
  readonly isSecondPerson: boolean;
  readonly hours: number;
}

/** The rule of a setting. */
export const ruleOf = (confirmation: Confirmation): Rule => ({
  isSecondPerson: confirmation === "second_person",
  hours: typeof confirmation === "object" ? confirmation.afterHours : 0,
});

/** What satisfies both of two rules. */
export const stricter = (one: Rule, other: Rule): Rule => ({
  isSecondPerson: one.isSecondPerson || other.isSecondPerson,
  hours: Math.max(one.hours, other.hours),
});

/** What a proposal of the partner itself takes at least: a person of the customer. */
const BY_PARTNER: Rule = { isSecondPerson: true, hours: 0 };

const isAtOnce = ({ isSecondPerson, hours }: Rule): boolean => !isSecondPerson && hours === 0;

/** What an account states: its record and its responses have these fields. Responses leave out a currency of null. */
export const Stated = Schema.Struct({
  id: PayoutAccountId,
  type: PayoutType,
  currency: Schema.NullOr(Currency).pipe(means("Null: every currency that has no account of its own.")),
  ...required({
    details: field(
      Fields,
      "details",
      "The fields of the type. Masked without the scope payouts:read: without names, with the ends of numbers.",
    ),
  }),
  status: Schema.Literal("proposed", "confirmed", "retired"),
  proposedAt: key(DateTime, "proposed_at", "When it was proposed."),
  ...required({
    proposedBy: field(
      Schema.NullOr(Schema.String),
      "proposed_by",
      "The person that proposed it; null for the account of before the partner had payout accounts.",
    ),
  }),
  confirmedAt: key(Schema.NullOr(DateTime), "confirmed_at", "When it was confirmed."),
  ...required({
    confirmedBy: field(
      Schema.NullOr(Schema.String),
      "confirmed_by",
      "The person that confirmed it: the one that proposed it where the proposal did.",
    ),
  }),
  retiredAt: key(Schema.NullOr(DateTime), "retired_at", "When it was retired."),
});
type Stated = typeof Stated.Type;

/** An account of a partner as stored. */
export interface PayoutAccount extends Stated {
  /** The rule at the proposal. */
  readonly rule: Rule;
  /** True if it was stated as the bank account of the billing data. */
  readonly isBankAccount: boolean;
  /** Absent unless the partner itself proposed it. */
  readonly byPartner?: ByPartner;
}

/** Of a proposal that the partner made itself. */
export interface ByPartner {
  /** The person that invited the partner, or that its key belongs to. */
  readonly admittedBy: string;
}

/** Accounts of some types, which random texts never are. */
const SAMPLES: ReadonlyArray<Payee> = [
  { type: "iban", details: { iban: "DK5000400440116243", holder: "Nordlys ApS" } },
  { type: "email", details: { address: "payouts@nordlys.example", service: "paypal" } },
  { type: "custom", details: { wallet: "Nordlys" } },
];

/** What proposing an account takes. */
export const Propose = Schema.Struct({
  type: PayoutType.pipe(
    means(
      "iban (iban, bic where known, holder), us_ach (routing_number, account_number, account_type, holder), uk (sort_code, account_number, holder), email (address, service), or custom, whose fields your own payment service knows.",
      "iban",
    ),
  ),
  currency: optional(
    Schema.NullOr(Currency),
    "The currency whose settlements are paid to it; without one, those of every currency that has no account of its own.",
  ),
  details: Fields.pipe(means("The fields of the type.")),
}).pipe(
  Schema.filter((request) => problemOf(request) ?? true, {
    arbitrary: (from) => (fc) =>
      fc.tuple(from(fc), fc.constantFrom(...SAMPLES)).map(([{ currency }, sample]) => ({
        ...(currency === undefined ? {} : { currency }),
        ...sample,
      })),
  }),
);
export type Propose = typeof Propose.Type;

/** What happened to one account. */
export interface Step {
  readonly type: "propose" | "confirm" | "retire";
  readonly account: PayoutAccount;
}

/** The accounts after a command, and what has happened to them, in order; nothing where nothing changes. */
export interface Moved {
  readonly accounts: ReadonlyArray<PayoutAccount>;
  readonly steps: ReadonlyArray<Step>;
}

/** Who acts on an account, when, and under which rule. */
export interface Acting extends Actor {
  readonly at: Timestamp;
  readonly rule: Rule;
}

/** The accounts with the last state of each that has changed; new ones come last. */
const putIn = (
  accounts: ReadonlyArray<PayoutAccount>,
  steps: ReadonlyArray<Step>,
): ReadonlyArray<PayoutAccount> => [
  ...new Map([...accounts, ...steps.map(({ account }) => account)].map((one) => [one.id, one])).values(),
];

/** The accounts without the oldest retired ones, as far as there are too many: what the record has not, nothing is paid to. */
const pruned = (accounts: ReadonlyArray<PayoutAccount>): ReadonlyArray<PayoutAccount> => {
  let surplus = accounts.filter(({ status }) => status === "retired").length - PAYOUT_ACCOUNTS_MAX;
  return surplus <= 0 ? accounts : accounts.filter(({ status }) => status !== "retired" || surplus-- <= 0);
};

const moved = (accounts: ReadonlyArray<PayoutAccount>, steps: ReadonlyArray<Step>): Moved => ({
  accounts: pruned(putIn(accounts, steps)),
  steps,
});

const retired = (account: PayoutAccount, at: Timestamp): Step => ({
  type: "retire",
  account: { ...account, status: "retired", retiredAt: at },
});

/** The confirmation of an account, and the retirement of the one that was confirmed for the same currency. */
const confirmed = (
  accounts: ReadonlyArray<PayoutAccount>,
  account: PayoutAccount,
  { at, ...by }: Omit<Acting, "rule">,
): ReadonlyArray<Step> => [
  ...accounts
    .filter(({ status, currency }) => status === "confirmed" && currency === account.currency)
    .map((before) => retired(before, at)),
  {
    type: "confirm",
    account: { ...account, status: "confirmed", confirmedAt: at, confirmedBy: personOf(by) },
  },
];

/** An account to propose. */
export interface Proposal extends Payee {
  readonly id: PayoutAccountId;
  readonly currency: Currency | null;
  readonly isBankAccount: boolean;
  /** True if the partner's log never held an account: then there is none that somebody could replace. */
  readonly isFirst: boolean;
  /** Absent unless the partner itself proposes it: then nothing but a person of the customer confirms it. */
  readonly byPartner?: ByPartner;
}

const propose = (
  accounts: ReadonlyArray<PayoutAccount>,
  { isFirst, ...proposal }: Proposal,
  { at, rule, ...by }: Acting,
): Moved => {
  const account: PayoutAccount = {
    ...proposal,
    status: "proposed",
    proposedAt: at,
    proposedBy: personOf(by),
    rule,
    confirmedAt: null,
    confirmedBy: null,
    retiredAt: null,
  };
  const isConfirmed = proposal.byPartner === undefined && (isFirst || isAtOnce(rule));
  const follow = isConfirmed ? confirmed(accounts, account, { ...by, at }) : [];
  return moved(accounts, [{ type: "propose", account }, ...follow]);
};

/** A proposal that takes the place of those that are replaced, which are retired. */
const proposeInstead = (
  accounts: ReadonlyArray<PayoutAccount>,
  isReplaced: (account: PayoutAccount) => boolean,
  proposal: Proposal,
  by: Acting,
): Moved => {
  const withdrawn = accounts.filter(isReplaced).map((account) => retired(account, by.at));
  const after = propose(putIn(accounts, withdrawn), proposal, by);
  return { accounts: after.accounts, steps: [...withdrawn, ...after.steps] };
};

const waits = ({ status }: PayoutAccount): boolean => status === "proposed";

/**
 * A proposal by a request. It is confirmed at once where the rule says so, and where it is the first; never one of the partner
 * itself, which takes the place of the one that waits from the partner.
 */
export const proposeAccount = (
  accounts: ReadonlyArray<PayoutAccount>,
  proposal: Proposal,
  by: Acting,
): Either.Either<Moved, Conflict> => {
  const isReplaced = (account: PayoutAccount): boolean =>
    proposal.byPartner !== undefined && account.byPartner !== undefined && waits(account);
  const kept = accounts.filter((account) => account.status !== "retired" && !isReplaced(account));
  return kept.length >= PAYOUT_ACCOUNTS_MAX
    ? Either.left(
        conflict(
          "payout_account",
          `a partner has at most ${PAYOUT_ACCOUNTS_MAX} accounts that are not retired`,
        ),
      )
    : Either.right(proposeInstead(accounts, isReplaced, proposal, by));
};

/**
 * What stating a bank account among the billing data does to the accounts: a proposal, unless it is confirmed for every currency
 * already. An earlier bank account that is only proposed is retired, since the data no longer states it.
 */
export const stateBankAccount = (
  accounts: ReadonlyArray<PayoutAccount>,
  proposal: Proposal,
  by: Acting,
): Moved => {
  const isReplaced = (account: PayoutAccount): boolean => account.isBankAccount && waits(account);
  const isConfirmed = accounts.some(
    ({ status, currency, type, details }) =>
      status === "confirmed" && currency === null && type === "iban" && sameJson(details, proposal.details),
  );
  return isConfirmed
    ? moved(
        accounts,
        accounts.filter(isReplaced).map((account) => retired(account, by.at)),
      )
    : proposeInstead(accounts, isReplaced, proposal, by);
};

/** What the confirmation of an account that is proposed takes. */
export interface Confirmable {
  /** The moment from which it is possible. */
  readonly from: Timestamp;
  /** True if the proposer may not. */
  readonly isSecondPerson: boolean;
}

/**
 * What the confirmation of an account takes, null unless it is proposed. The stricter of the rules of then and of now holds, and
 * of what a proposal of the partner takes.
 */
export const confirmable = (
  {
    status,
    proposedAt,
    rule: then,
    byPartner,
  }: Pick<PayoutAccount, "status" | "proposedAt" | "rule" | "byPartner">,
  now: Rule,
): Confirmable | null => {
  const ruled = stricter(then, now);
  const { isSecondPerson, hours } = byPartner === undefined ? ruled : stricter(ruled, BY_PARTNER);
  return status === "proposed" ? { isSecondPerson, from: proposedAt + hours * HOUR } : null;
};

/** Why an account may not be confirmed by a person at a moment, or null. */
const confirmationProblem = (account: PayoutAccount, { at, rule: now, ...by }: Acting): Conflict | null => {
  const found = confirmable(account, now);
  if (found === null) return conflict("payout_account", `the account is ${account.status}`);
  const { from, isSecondPerson } = found;
  if (isSecondPerson && personOf(by) === account.proposedBy)
    return conflict("four_eyes", "who proposed a payout account may not confirm it");
  // Otherwise one person could open the partner's session or create a key for it, propose with it, and confirm.
  if (stricter(account.rule, now).isSecondPerson && personOf(by) === account.byPartner?.admittedBy)
    return conflict("four_eyes", "who let the partner in may not confirm what it has proposed");
  return at < from
    ? conflict("payout_account", `the account may be confirmed from ${format(from)} on`)
    : null;
};

/** The confirmation of a proposed account, which retires its predecessor. */
export const confirmAccount = (
  accounts: ReadonlyArray<PayoutAccount>,
  account: PayoutAccount,
  by: Acting,
): Either.Either<Moved, Conflict> => {
  const problem = confirmationProblem(account, by);
  return problem === null
    ? Either.right(moved(accounts, confirmed(accounts, account, by)))
    : Either.left(problem);
};

/** The retirement of an account: nothing more is paid to it. One that is retired stays as it is. */
export const retireAccount = (
  accounts: ReadonlyArray<PayoutAccount>,
  account: PayoutAccount,
  { at }: Pick<Acting, "at">,
): Moved => moved(accounts, account.status === "retired" ? [] : [retired(account, at)]);

/** The account to which a settlement in a currency goes: its currency's, else the one for every currency; null without one. */
export const accountFor = (
  accounts: ReadonlyArray<PayoutAccount>,
  currency: Currency,
): PayoutAccount | null => {
  const live = accounts.filter(({ status }) => status === "confirmed");
  return (
    live.find((account) => account.currency === currency) ??
    live.find((account) => account.currency === null) ??
    null
  );
};

/** That a bank account, or one that the partner proposed, waits for its confirmation, and where money goes until then; null when none does. */
export const waitingProblem = (accounts: ReadonlyArray<PayoutAccount>): string | null => {
  const waiting = accounts.find(
    (account) => (account.isBankAccount || account.byPartner !== undefined) && waits(account),
  );
  const present = accounts.find(({ status, currency }) => status === "confirmed" && currency === null);
  if (waiting !== undefined)
    return `${describe(waiting)} waits for its confirmation; ${present === undefined ? "nothing is paid" : `payments go to ${describe(present)}`} until then`;
  return accounts.some(({ status }) => status === "confirmed") ? null : "no payout account is confirmed";
};

/** The account of an approval: to it money goes, whatever the partner has later. */
export interface ApprovedAccount extends Payee {
  readonly id: PayoutAccountId;
}

/** What an approval states of the account; absent where the bank account of the billing data is it, null where none was confirmed. */
export interface Approval {
  readonly payoutAccount?: ApprovedAccount | null;
  readonly selfBillingData: { readonly bankAccount: Parameters<typeof payeeOf>[0] } | null;
}

/** Where the money of an approved settlement goes; null where no account was confirmed. */
export const payeeOfApproval = (approval: Approval | null): Payee | null => {
  if (approval === null) return null;
  const { payoutAccount: account } = approval;
  if (account !== undefined) return account && { type: account.type, details: account.details };
  return approval.selfBillingData === null ? null : payeeOf(approval.selfBillingData.bankAccount);
};
