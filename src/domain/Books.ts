/**
 * Books: the posting rules of a customer, and which months are closed. Posting rules state which account of the customer's chart of
 * accounts, cost centre and text each posting of the journal has. They name accounts and change no amount, so an entry balances under any rules.
 */
import { Schema } from "effect";
import * as AccountingPeriod from "./AccountingPeriod.ts";
import { CalendarDate, dateOf } from "./CalendarDate.ts";
import { type Actor, type Entry, type ShownActor, shownActor } from "./Event.ts";
import { key, means, optional, optionalKey } from "./Field.ts";
import { BooksId, type CustomerId, PartnerId, PlanId, WorkspaceId } from "./Ids.ts";
import { Account, Kind, type Line, type ReverseChargeRate } from "./Journal.ts";
import { type BooksOfFile, Datev, type Settings, Xero } from "./JournalFile.ts";
import { sameJson } from "./Json.ts";
import { POSTING_RULES_MAX, RATE_BPS_MAX } from "./Limits.ts";
import { namedId } from "./NamedId.ts";
import { type Invalid, invalid } from "./Refusal.ts";
import { TaxTreatment } from "./SelfBilling.ts";
import { Text } from "./Text.ts";
import type { Timestamp } from "./Timestamp.ts";

/** What a rule may depend on in addition to the account of the journal. */
export type Condition = "kind" | "planId" | "partnerId" | "workspaceId" | "taxTreatment";

/** Rates of tax that books state at most. */
const RATES_MAX = 20;

const OF_PARTNER = ["partnerId", "workspaceId"] as const;

/**
 * What rules for an account may depend on. An account whose balance is taken back by a later entry depends only on what both
 * entries share: otherwise an amount would be credited to one number and debited to another.
 */
export const CONDITIONS: { readonly [Name in Account]: ReadonlyArray<Condition> } = {
  commission_expense: ["kind", "planId", ...OF_PARTNER],
  accrued_commissions: OF_PARTNER,
  commissions_awaiting_receipt: ["planId", ...OF_PARTNER],
  input_tax: ["taxTreatment", ...OF_PARTNER],
  partner_payables: ["taxTreatment", ...OF_PARTNER],
  payments: ["taxTreatment", ...OF_PARTNER],
  settled_elsewhere: ["planId", ...OF_PARTNER],
  written_off_commissions: OF_PARTNER,
  reverse_charge_tax_deductible: OF_PARTNER,
  reverse_charge_tax_due: OF_PARTNER,
};

/** What stands for a part of the entry in the text of a rule. */
export const PLACEHOLDERS = ["text", "partner", "document", "reference"] as const;
type Placeholder = (typeof PLACEHOLDERS)[number];

const PLACEHOLDER = /\{([^{}]*)\}/g;

const isPlaceholder = (name: string): name is Placeholder => PLACEHOLDERS.some((known) => known === name);

const PostingText = Text(1, 200).pipe(
  Schema.filter((text) => {
    const unknown = [...text.matchAll(PLACEHOLDER)].find(([, name = ""]) => !isPlaceholder(name));
    return (
      unknown === undefined ||
      `must have no ${unknown[0]}; there are ${PLACEHOLDERS.map((name) => `{${name}}`).join(", ")}`
    );
  }),
);

const WIRE: { readonly [Name in Condition]: string } = {
  kind: "kind",
  planId: "plan_id",
  partnerId: "partner_id",
  workspaceId: "workspace_id",
  taxTreatment: "tax_treatment",
};

const CONDITION_NAMES = Object.keys(WIRE) as ReadonlyArray<Condition>;

/** A rule: postings to an account of the journal that satisfy every stated condition have its number, cost centre and text. */
export const Rule = Schema.Struct({
  account: Account.pipe(means("The account of the journal whose postings the rule names.")),
  kind: optional(Kind, "Only postings of this kind of entry; for commission_expense."),
  planId: optionalKey(
    PlanId,
    "plan_id",
    "Only commissions of this plan; for commission_expense, commissions_awaiting_receipt and settled_elsewhere.",
  ),
  partnerId: optionalKey(PartnerId, "partner_id", "Only this partner."),
  workspaceId: optionalKey(WorkspaceId, "workspace_id", "Only partners of this workspace."),
  taxTreatment: optionalKey(
    TaxTreatment,
    "tax_treatment",
    "Only documents of this treatment alone; for input_tax, partner_payables and payments.",
  ),
  number: Text(1, 50).pipe(means("The number of the account in your chart of accounts.", "6770")),
  costCentre: optionalKey(Text(1, 50), "cost_centre", "The cost centre of the posting."),
  text: optional(
    PostingText,
    "The text of the posting, in which {text}, {partner}, {document} and {reference} stand for those of the entry.",
  ),
}).pipe(
  Schema.filter((rule) => {
    const excess = CONDITION_NAMES.find(
      (name) => rule[name] !== undefined && !CONDITIONS[rule.account].includes(name),
    );
    return (
      excess === undefined || {
        path: [WIRE[excess]],
        message: `must be absent for ${rule.account}, because what is posted there under one number could be taken back under another`,
      }
    );
  }),
);
export type Rule = typeof Rule.Type;

const Rate = Schema.Struct({
  from: CalendarDate.pipe(means("The first day of documents with this rate.")),
  rateBps: key(
    Schema.Int.pipe(
      Schema.between(0, RATE_BPS_MAX, { message: () => `must be 0 to ${RATE_BPS_MAX}` }),
    ).annotations({ jsonSchema: { type: "integer", minimum: 0, maximum: RATE_BPS_MAX } }),
    "rate_bps",
    "The rate of tax in basis points; 0 from the day on which you post none any more.",
  ),
});

/** Rates of tax under reverse charge. */
const Rates = Schema.Array(Rate).pipe(
  Schema.maxItems(RATES_MAX, { message: () => `must have at most ${RATES_MAX} rates` }),
  Schema.filter(
    (rates) =>
      rates.every(({ from }, index) => from > (rates[index - 1]?.from ?? "")) ||
      "must be in the order of their days, each of another day",
  ),
);

/** What is written of the customer beside rules: for reverse charge, and for files of accounting programs. */
const settings = {
  reverseCharge: optionalKey(
    Rates,
    "reverse_charge",
    "Rates of the tax that you owe and deduct for documents under reverse charge; without them none is posted. A change begins two days ahead, because what is posted stays.",
  ),
  datev: optional(Datev, "What files for DATEV state; without it none can be written."),
  xero: optional(Xero, "What files for Xero state; without it none can be written."),
};

/** What writing the rules takes; it replaces all of them, and the settings of files. */
export const Write = Schema.Struct({
  ...settings,
  rules: Schema.Array(Rule).pipe(
    Schema.maxItems(POSTING_RULES_MAX, { message: () => `must have at most ${POSTING_RULES_MAX} rules` }),
    means("All rules, in place of those before; the first one that applies to a posting counts."),
  ),
});
export type Write = typeof Write.Type;

/** What decides how movements and settlements are posted. */
export interface Rules {
  /** In the order of their days; null: no tax under reverse charge is posted. */
  readonly reverseCharge: ReadonlyArray<ReverseChargeRate> | null;
  /** The first one that applies counts. */
  readonly rules: ReadonlyArray<Rule>;
}

/** What requests write of the books. */
export interface Written extends Settings, Rules {}

/** What is written of the books. */
export interface View extends Written, AccountingPeriod.View {}

/** The books of a customer of which nothing was ever written. */
export const NONE: View = {
  ...{ rules: [], reverseCharge: null, datev: null, xero: null },
  ...AccountingPeriod.NONE,
};

/** The books of a customer; without a record they have no rules, and every month is open. */
export interface Books extends View {
  readonly id: BooksId;
  readonly customerId: CustomerId;
}

/** The id of a customer's books: another one than the customer's, which is that of its billing profile. */
export const recordIdOf = (customerId: CustomerId): BooksId => BooksId.make(namedId("books", customerId));

/** What can happen to the books. */
export type BooksEvent =
  | (Schema.Schema.Encoded<typeof Write> & {
      readonly type: "write_posting_rules";
      readonly actor: ShownActor;
    })
  | AccountingPeriod.PeriodEvent;

const encode = Schema.encodeSync(Write);
const decode = Schema.decodeSync(Write);

/** What a request, an event or a record states of the books. */
export const writtenOf = ({
  rules,
  reverseCharge = null,
  datev = null,
  xero = null,
}: Write | Written): Written => ({ rules, reverseCharge, datev, xero });

/** How many days ahead a rate begins: a document is dated at most one day after what links it. */
const DAYS_AHEAD = 2;

/** Why rates cannot be written, or null: they would change what is posted. */
export const ratesProblem = (before: Written | null, request: Write, now: Timestamp): Invalid | null => {
  const [old, next] = [writtenOf(before ?? NONE), writtenOf(request)].map(
    ({ reverseCharge }) => reverseCharge ?? [],
  );
  const first = dateOf(now, DAYS_AHEAD);
  const isOf = (rates: typeof next, rate: ReverseChargeRate): boolean =>
    (rates ?? []).some(({ from, rateBps }) => from === rate.from && rateBps === rate.rateBps);
  const changed = [
    ...(old ?? []).filter((rate) => !isOf(next, rate)),
    ...(next ?? []).filter((rate) => !isOf(old, rate)),
  ].find(({ from }) => from < first);
  return changed === undefined
    ? null
    : invalid(
        "reverse_charge",
        `must leave the rate from ${changed.from} as it is, because a change begins on ${first} at the earliest`,
      );
};

/** The state after one more entry. */
export const evolve = (state: View | null, { at, event }: Entry<BooksEvent>): View => {
  const before = state ?? NONE;
  return event.type === "write_posting_rules"
    ? { ...before, ...writtenOf(decode(event)) }
    : { ...before, ...AccountingPeriod.evolve(before, at, event) };
};

/**
 * The rules of a date: those of the closing for a closed period, else the present ones. `log` is that of the books.
 */
export const rulesByDate = (log: ReadonlyArray<Entry<BooksEvent>>): ((at: Timestamp) => Rules) => {
  const closings = new Map<Timestamp, Rules>();
  let state: View = NONE;
  for (const entry of log) {
    state = evolve(state, entry);
    const { rules, reverseCharge, closedUntil } = state;
    if (entry.event.type === "close_period" && closedUntil !== null)
      closings.set(closedUntil, { rules, reverseCharge });
  }
  const { periods, closedUntil } = state;
  return (at) => {
    const closed = at < (closedUntil ?? at) ? periods.find(({ to }) => at < to) : undefined;
    return (closed === undefined ? undefined : closings.get(closed.to)) ?? state;
  };
};

/** The events of written rules; none when they are as they were. */
export const write = (before: Written | null, request: Write, by: Actor): ReadonlyArray<BooksEvent> =>
  sameJson(writtenOf(before ?? NONE), writtenOf(request))
    ? []
    : [{ type: "write_posting_rules", actor: shownActor(by), ...encode(request) }];

/** What rules read of an entry. */
export interface Facts {
  readonly kind: Kind;
  readonly planId: PlanId | null;
  readonly partnerId: PartnerId;
  readonly workspaceId: WorkspaceId;
  /** Null where there is no document, or one of several treatments. */
  readonly taxTreatment: TaxTreatment | null;
}

/** What stands for the placeholders of texts. */
export type Texts = { readonly [Name in Placeholder]: string };

/** A posting, with what the rules state of it. */
export interface Posting extends Line {
  readonly number?: string;
  readonly costCentre?: string;
  readonly text?: string;
}

const applies = (rule: Rule, facts: Facts): boolean =>
  CONDITION_NAMES.every((name) => rule[name] === undefined || rule[name] === facts[name]);

/** The postings of an entry under rules: the first rule for the account that applies counts. */
export const post = (
  { rules }: Rules,
  facts: Facts,
  texts: Texts,
  lines: ReadonlyArray<Line>,
): ReadonlyArray<Posting> =>
  lines.map((line) => {
    const rule = rules.find((one) => one.account === line.account && applies(one, facts));
    if (rule === undefined) return line;
    const { number, costCentre, text } = rule;
    return {
      ...line,
      number,
      ...(costCentre === undefined ? {} : { costCentre }),
      ...(text === undefined
        ? {}
        : { text: text.replace(PLACEHOLDER, (_, name: Placeholder) => texts[name]).trim() }),
    };
  });

/** True if rules depend on the plans of commissions. */
export const readPlans = ({ rules }: Rules): boolean => rules.some(({ planId }) => planId !== undefined);

const REVERSE_CHARGE = ["reverse_charge_tax_deductible", "reverse_charge_tax_due"] as const;

/** The books as files read them. */
export const forFiles = (books: View): BooksOfFile => ({
  ...writtenOf(books),
  fallbacks: new Set([
    ...books.rules
      .filter((rule) => CONDITION_NAMES.every((name) => rule[name] === undefined))
      .map(({ account }) => account),
    // Without rates nothing is posted there.
    ...(books.reverseCharge === null ? REVERSE_CHARGE : []),
  ]),
});
