/** Turns intents into posting rules, and into billing profiles with rates of the national currency; in runs that keep books. */
import type { Rule, Write } from "../../domain/Books.ts";
import { CalendarDate } from "../../domain/CalendarDate.ts";
import { Currency } from "../../domain/Currency.ts";
import type { CustomerId } from "../../domain/Ids.ts";
import { ACCOUNTS, type Account } from "../../domain/Journal.ts";
import type { Command } from "../model/Command.ts";
import { dateOf } from "../model/world/Time.ts";
import type { World } from "../model/world/World.ts";
import { type ChoiceContext, callerFor, choose, chooseIfAny, chooseWorkspace } from "./ChoiceContext.ts";
import type { Intent } from "./Intent.ts";
import { LEGAL_DATA } from "./KeyChoice.ts";

/** The classes in whose place a run that keeps books writes them. */
const CLASSES: ReadonlyArray<Intent["class"]> = ["profile", "simulate", "read_policy", "list_keys"];

/** True if an intent concerns the books: in runs whose customer has written them. */
export const concernsBooks = ({ world, intent }: ChoiceContext): boolean =>
  world.books.length > 0 && CLASSES.includes(intent.class);

const NAMES = Object.keys(ACCOUNTS) as [Account, ...Array<Account>];
const TREATMENTS = ["standard", "reverse_charge", "exempt", "outside_scope"] as const;
const TEXTS = ["{partner}: {text}", "{document} {reference}", "Commission {text}{", "  {reference}"] as const;

/** A number for each account. */
export const EVERY_ACCOUNT: ReadonlyArray<Rule> = NAMES.map((account, index) => ({
  account,
  number: `${1_000 + index}`,
}));

/** Rules with conditions, which come before those without; of any customer, so that some apply to nothing. */
const chooseConditional = ({ partners, plans }: World, pick: number): ReadonlyArray<Rule> => {
  const partner = chooseIfAny(partners, pick);
  const plan = chooseIfAny(plans, pick);
  const taxTreatment = choose(TREATMENTS, pick);
  return [
    { account: "commission_expense", kind: pick % 2 === 0 ? "adjusted" : "earned", number: "6771" },
    ...(partner === undefined
      ? []
      : [
          { account: choose(NAMES, pick), partnerId: partner.id, number: "P-1", costCentre: "North" },
          { account: choose(NAMES, pick >> 2), workspaceId: partner.workspaceId, number: "W-1" },
        ]),
    ...(plan === undefined
      ? []
      : [
          { account: "commission_expense" as const, planId: plan.id, number: "6772" },
          { account: "settled_elsewhere" as const, planId: plan.id, number: "1372" },
        ]),
    {
      account: choose(["input_tax", "partner_payables", "payments"], pick >> 1),
      taxTreatment,
      number: "T-1",
    },
    { account: choose(NAMES, pick >> 3), number: "6773", text: choose(TEXTS, pick >> 1) },
  ];
};

/** Rules that are not valid: what is posted there could be taken back under another number, or the text has no such part. */
const INVALID: readonly [Rule, ...ReadonlyArray<Rule>] = [
  { account: "accrued_commissions", kind: "earned", number: "1" },
  { account: "commission_expense", taxTreatment: "standard", number: "1" },
  { account: "payments", number: " " },
  { account: "payments", number: "1", text: "{amount}" },
  { account: "input_tax", number: "1", costCentre: "" },
];

/** Rates of tax under reverse charge: those of before, and perhaps one that begins in some days. */
const chooseRates = ({ world, intent }: ChoiceContext, customerId: CustomerId): Write["reverseCharge"] => {
  const { eligible, picks } = intent;
  const before = world.books.find((books) => books.customerId === customerId)?.reverseCharge ?? [];
  const from = CalendarDate.make(dateOf(world.now, eligible ? 2 + (picks[2] % 9) : picks[2] % 4));
  const kept = before.filter((rate) => rate.from < (eligible ? from : CalendarDate.make(dateOf(world.now))));
  return [...kept, { from, rateBps: picks[3] % 2 === 0 ? 1_900 : picks[3] % 10_001 }].slice(0, 20);
};

const chooseRules = (context: ChoiceContext, customerId: CustomerId): Write => {
  const { world, intent } = context;
  const { eligible, picks } = intent;
  const before = world.books.find((books) => books.customerId === customerId)?.reverseCharge ?? null;
  const rates = picks[1] % 3 === 0 ? chooseRates(context, customerId) : (before ?? undefined);
  return {
    rules: [
      ...(eligible || picks[1] % 2 === 0 ? [] : [choose(INVALID, picks[3])]),
      ...(picks[3] % 3 === 0 ? [] : chooseConditional(world, picks[3])),
      ...(picks[2] % 4 === 0 ? [] : EVERY_ACCOUNT),
    ],
    ...(rates === undefined ? {} : { reverseCharge: rates }),
  };
};

/** Currencies of documents, and what they are worth; a rate whose form is wrong is the last. */
const RATES = ["7.4604", "0.000123", "12", "999999999.999999999", "0"] as const;

/** Rates of a day for the currencies of documents. */
export const ratesOn = (day: string, rate: string, currencies: ReadonlyArray<string>) =>
  currencies.map((currency) => ({
    ...{ currency: Currency.make(currency), date: CalendarDate.make(day), rate, source: "Central bank" },
  }));

const chooseProfile = ({ world, intent }: ChoiceContext, customerId: CustomerId) => {
  const { eligible, picks } = intent;
  const taxCurrency = Currency.make(
    eligible ? choose(["DKK", "PLN"], picks[1]) : choose(["DKK", "KWD"], picks[1]),
  );
  const before = world.profiles.find((profile) => profile.customerId === customerId)?.exchangeRates ?? [];
  const day = dateOf(world.now, -(picks[2] % 40));
  const rate = choose(RATES, eligible ? picks[3] % 4 : picks[3]);
  const added = ratesOn(day, rate, picks[2] % 3 === 0 ? ["EUR"] : ["EUR", "USD"]);
  const kept = eligible ? before.filter(({ date }) => date !== day) : before;
  return {
    ...LEGAL_DATA,
    ...(picks[3] % 5 === 0 ? {} : { taxCurrency }),
    ...(eligible && picks[3] % 5 === 0 ? {} : { exchangeRates: [...kept.slice(-9), ...added] }),
  };
};

/** Write posting rules, or a profile with the national currency. */
export const chooseBooksCommand = (context: ChoiceContext): Command => {
  const { picks } = context.intent;
  const place = chooseWorkspace(context);
  const by = callerFor(context, { ...place, partnerId: null });
  return picks[0] % 2 === 0
    ? { type: "write_posting_rules", ...by, input: chooseRules(context, place.customerId) }
    : { type: "write_profile", ...by, input: chooseProfile(context, place.customerId) };
};
