/** The sentences for cookbook plans, and for commissions that a rule sets to 0. */
import { Either } from "effect";
import { CalendarDate, Explanation, type Formula } from "quittance";
import type { Language } from "quittance/explanation";
import { explain, type Facts } from "quittance/formula";
import { describe, expect, it } from "vitest";
import {
  type AccumulatingPlan,
  arrivals,
  facts,
  type Plan,
  prepare,
  readAccumulating,
  readAll,
} from "../../../examples/formulas/Plan.ts";

const plans = readAll();
const accumulating = readAccumulating();

const formulaOf = ({
  title,
  expression,
}: Pick<Plan, "title" | "expression">): Explanation.Explained["formula"] => ({
  name: title,
  startDatetime: Date.UTC(2020, 0, 1),
  endDatetime: null,
  versions: [
    { expression: expression as Formula.Formula["versions"][0]["expression"], effectiveDatetime: null },
  ],
});

const explained = (
  plan: Plan | AccumulatingPlan,
  sold: Facts,
  history: ReadonlyArray<Facts> = [],
): Explanation.Explained => ({
  currency: plan.currency as Explanation.Explained["currency"],
  occurredOn: CalendarDate.dateOf(sold.occurredAt),
  formula: formulaOf(plan),
  basis: "evaluated",
  formulaVersion: 1,
  explanation: explain(Either.getOrThrow(prepare(plan)), sold, { history }),
});

/** The sentences of a case of a plan, or of an arrival in the first sequence of one that accumulates. */
const textOf = (name: string, place: number, language: Language = "en"): ReadonlyArray<string> => {
  const plan = plans.get(name);
  const other = accumulating.get(name);
  const sale = plan?.cases[place];
  if (plan !== undefined && sale !== undefined)
    return Explanation.sentences(explained(plan, facts(sale)), language).split("\n");
  const arrival = other?.sequences[0] === undefined ? undefined : arrivals(other.sequences[0])[place];
  if (other === undefined || arrival === undefined) throw new Error(`no case ${place} of ${name}`);
  return Explanation.sentences(explained(other, arrival.facts, arrival.history)).split("\n");
};

const EXPECTED = [
  {
    plan: "percent-of-sale",
    at: 0,
    text: [
      "25.00 USD for the sale of 15 January 2026 under “Percent of the sale”.",
      "10 % of 249.99 (amount) × 100 = 2,499.9, rounded to 2,500, which is 25.00 USD.",
    ],
  },
  {
    plan: "affiliate-first-order",
    at: 1,
    text: [
      "5.99 USD for the sale of 15 January 2026 under “Affiliate: higher rate on the first order”.",
      "10 % of 59.9 (amount) × 100 = 599, which is 5.99 USD.",
      "10 % applies because first order is no.",
    ],
  },
  {
    plan: "affiliate-sku-rules",
    at: 0,
    text: [
      "30.00 EUR for the sale of 15 January 2026 under “Affiliate: rate by article number”.",
      "15 % of 200 (amount) × 100 = 3,000, which is 30.00 EUR.",
      "15 % applies because the sku (“PRO-CAM-7”) starts with “PRO-”.",
    ],
  },
  {
    plan: "amazon-beauty-referral-fee",
    at: 1,
    text: [
      "1.50 USD for the sale of 15 January 2026 under “Marketplace fee: Amazon referral fee for beauty products”.",
      "15 % of 10.01 (total price) × 100 = 150.15, rounded to 150, which is 1.50 USD.",
      "15 % applies because the total price (10.01) is more than 10.",
    ],
  },
  {
    plan: "graduated-sales-tiers",
    at: 2,
    text: [
      "4,300.00 USD for the sale of 15 January 2026 under “Graduated tiers on one deal”.",
      "(10,000 at 5 % + 40,000 at 7 % + 10,000 at 10 %) × 100 = 430,000, which is 4,300.00 USD.",
      "60,000 (amount) falls into the tiers up to 10,000, up to 50,000 and above 50,000.",
    ],
  },
  {
    plan: "creator-views-with-milestones",
    at: 1,
    text: [
      "250.01 USD for the sale of 15 January 2026 under “Creator: pay per thousand views with milestone bonuses”.",
      "(1 at 0.008 + 250) × 100 = 25,000.8, rounded to 25,001, which is 250.01 USD.",
      "1 (views), after 100,000 (views before), falls into the tier up to 1,000,000.",
    ],
  },
  {
    plan: "agency-media-commission",
    at: 1,
    text: [
      "1,470.00 USD for the sale of 15 January 2026 under “Advertising agency: commission on media after cash discount”.",
      "15 % of 9,800 (net spend) × 100 = 147,000, which is 1,470.00 USD.",
      "15 % applies because the channel (“print”) is not one of those listed.",
      "98 % applies because paid quickly is yes.",
      "Net spend: 98 % of 10,000 (spend) = 9,800.",
    ],
  },
  {
    plan: "capped-commission-with-refunds",
    at: 1,
    text: [
      "1,000.00 USD for the sale of 15 January 2026 under “Cap that also holds for refunds”.",
      "100,000, which is 1,000.00 USD.",
      "The most is 100,000; without this limit it would be 10 % of 25,000 (amount) × 100 = 250,000.",
    ],
  },
  {
    plan: "introducer-fee-floor-and-cap",
    at: 0,
    text: [
      "5.00 GBP for the sale of 15 January 2026 under “Introducer fee with a floor and a cap”.",
      "500, which is 5.00 GBP.",
      "The least is 500; without this limit it would be 2 % of 100 (order value) × 100 = 200.",
    ],
  },
  {
    plan: "commission-net-of-vat",
    at: 1,
    text: [
      "10.08 EUR for the sale of 15 January 2026 under “Commission on prices that include tax”.",
      "12 % of about 84.0336 (net price) × 100 = about 1,008.4033, rounded to 1,008, which is 10.08 EUR.",
      "Net price: 100 (price with tax) ÷ 1.19 (divisor) = about 84.0336.",
      "19 applies because no tax percent is given.",
      "Divisor: 1 + 19 ÷ 100 = 1.19.",
    ],
  },
  {
    plan: "flat-per-unit",
    at: 1,
    text: [
      "9.38 GBP for the sale of 15 January 2026 under “Flat amount per unit”.",
      "2.5 (units) × 3.75 × 100 = 937.5, rounded to 938, which is 9.38 GBP.",
    ],
  },
  {
    plan: "prompt-payment-rate",
    at: 1,
    text: [
      "60.00 EUR for the sale of 15 January 2026 under “Rate by how soon the customer pays”.",
      "6 % of 1,000 (paid amount) × 100 = 6,000, which is 60.00 EUR.",
      "This calculation applies because the invoiced is given and the paid is given.",
      "6 % applies because the number of complete days from 20 February 2026 (invoiced) to 3 March 2026 (paid) (11) is more than 10 and at most 30.",
    ],
  },
  {
    plan: "stripe-card-fee",
    at: 1,
    text: [
      "4.70 USD for the sale of 15 January 2026 under “Card processing fee: percentage plus a fixed amount”.",
      "(4.4 % (rate) of 100 (amount) + 0.3) × 100 = 470, which is 4.70 USD.",
      "1.5 % applies because international card is yes.",
      "Rate: 2.9 % + 1.5 % = 4.4 %.",
    ],
  },
  {
    plan: "three-way-split",
    at: 0,
    text: [
      "33.33 EUR for the sale of 15 January 2026 under “Commission split into exact thirds”.",
      "10 % of 1,000 (amount) × 100 ÷ 3 = about 3,333.3333, rounded to 3,333, which is 33.33 EUR.",
    ],
  },
  {
    plan: "hotel-booking-bahrain",
    at: 0,
    text: [
      "15.390 BHD for the sale of 15 January 2026 under “Hotel booking in Bahraini dinar, in steps of 5 fils”.",
      "12 % of 42.75 (room price) × 3 (nights) × 1,000 = 15,390, which is 15.390 BHD.",
    ],
  },
  {
    plan: "real-estate-japan",
    at: 0,
    text: [
      "1,551,000 JPY for the sale of 15 January 2026 under “Real estate in yen, rounded down”.",
      "110 % of (2,000,000 at 5 % + 2,000,000 at 4 % + 41,000,000 at 3 %) = 1,551,000.",
      "45,000,000 (price) falls into the tiers up to 2,000,000, up to 4,000,000 and above 4,000,000.",
    ],
  },
  {
    plan: "promotion-window",
    at: 1,
    text: [
      "17.88 USD for the sale of 27 November 2026 under “Higher rate during a promotion”.",
      "12 % of 149 (amount) × 100 = 1,788, which is 17.88 USD.",
      "12 % applies because the date of recording (27 November 2026) is not before 27 November 2026 and the date of recording (27 November 2026) is before 1 December 2026.",
    ],
  },
  {
    plan: "rate-by-product-and-region",
    at: 1,
    text: [
      "50.00 EUR for the sale of 15 January 2026 under “Rate by product and region”.",
      "5 % of 999.99 (amount) × 100 = 4,999.95, rounded to 5,000, which is 50.00 EUR.",
      "This is the calculation for the product (“hardware”).",
      "5 % applies because the region (“APAC”) is not one of the values that the formula lists.",
    ],
  },
  {
    plan: "freelancer-fee-by-client",
    at: 3,
    text: [
      "50.00 USD for the sale of 5 March 2026 under “Sliding fee by what each client has been billed”.",
      "(200 at 20 % + 100 at 10 %) × 100 = 5,000, which is 50.00 USD.",
      "300 (amount), after 300 (the amount of 1 earlier sale, client “Borage”), falls into the tiers up to 500 and up to 10,000.",
    ],
  },
  {
    plan: "etsy-offsite-ads-by-last-year",
    at: 3,
    text: [
      "36.00 USD for the sale of 10 April 2026 under “Advertising fee by the sales of the last 365 days”.",
      "12 % of 300 (order total) × 100 = 3,600, which is 36.00 USD.",
      "This calculation applies because from advertisement is yes.",
      "12 % applies because 10,300 (the order total of 3 earlier sales from 11 April 2025 to 10 April 2026) is at least 10,000.",
    ],
  },
  {
    plan: "real-estate-yearly-cap",
    at: 3,
    text: [
      "4,800.00 USD for the sale of 1 March 2026 under “Split with the brokerage until a yearly cap”.",
      "(6,000 (commission) − (4,800 (brokerage after) − 3,600 (brokerage before))) × 100 = 480,000, which is 4,800.00 USD.",
      "Brokerage after: 20 % of 24,000 (after) = 4,800.",
      "Brokerage before: 20 % of 18,000 (before) = 3,600.",
      "After: 18,000 (before) + 6,000 (commission) = 24,000.",
      "Before: 18,000 (the commission of 3 earlier sales from 1 January 2026 to 31 December 2026).",
    ],
  },
  {
    plan: "affiliate-order-growth-bonus",
    at: 2,
    text: [
      "0.00 USD for the sale of 10 June 2026 under “Bonus for growth over the month before”.",
      "0 applies because the number of earlier sales from 1 June 2026 to 30 June 2026 (2) is less than 130.",
    ],
  },
];

describe("the explanation of an amount", () => {
  it.each(EXPECTED)("of $plan states the calculation and its reasons", ({ plan, at, text }) => {
    expect(textOf(plan, at)).toEqual(text);
  });

  it.each(["de", "fr", "es"] as const)("is complete in %s for every sale of the cookbook", (language) => {
    const texts = [...plans].flatMap(([name, { cases }]) =>
      cases.flatMap((_, place) => textOf(name, place, language)),
    );
    const odd = texts.filter(
      (line) => !/^[^ ].*[^ .]\.$/.test(line) || /undefined|NaN|null|[{}]| {2}/.test(line),
    );
    expect(odd).toEqual([]);
  });

  it("is complete for every sale of the cookbook", () => {
    const texts = [...plans].flatMap(([name, { cases }]) => cases.flatMap((_, place) => textOf(name, place)));
    const later = [...accumulating].flatMap(([name, { sequences }]) =>
      sequences[0] === undefined
        ? []
        : arrivals(sequences[0])
            .slice(0, 12)
            .flatMap((_, place) => textOf(name, place)),
    );
    const odd = [...texts, ...later].filter(
      (line) =>
        !/^[^ ].*[^ .]\.$/.test(line) ||
        /undefined|NaN|null|\[object|\(\)| {2}|\/\d{3}|\bthe an? /.test(line),
    );
    expect(odd).toEqual([]);
  });
});

describe("the value of an aggregate is named", () => {
  const amount = { type: "property", name: "amount" };
  const two = { type: "literal", value: { type: "number", value: 2 } };

  it.each([
    ["sum", amount, "the amount of 1 earlier sale"],
    ["sum", { type: "multiply", operands: [amount, two] }, "the value by amount of 1 earlier sale"],
    ["max", { type: "multiply", operands: [amount, two] }, "the greatest value by amount of 1 earlier sale"],
    ["min", two, "the least value of 1 earlier sale"],
  ])("%s of %j", (name, value, text) => {
    const plan = accumulating.get("freelancer-fee-by-client");
    const arrival = plan?.sequences[0] && arrivals(plan.sequences[0])[3];
    if (plan === undefined || arrival === undefined) throw new Error("the plan is missing");
    const aggregate = {
      type: "aggregate",
      function: name,
      value,
      window: { type: "lifetime" },
      group_by: ["client"],
    };
    const expression = { type: "coalesce", operands: [aggregate, two] };
    const sentences = Explanation.sentences(
      explained({ ...plan, expression }, arrival.facts, arrival.history),
    );
    expect(sentences).toContain(`(${text}, client`);
  });
});

describe("the explanation of a commission of 0", () => {
  const formula = {
    name: "Tiers",
    startDatetime: Date.UTC(2026, 0, 1),
    endDatetime: Date.UTC(2026, 6, 1),
    versions: formulaOf({ title: "", expression: { type: "literal", value: { type: "number", value: 1 } } })
      .versions,
  };
  const none = {
    currency: "JPY" as Explanation.Explained["currency"],
    occurredOn: "2026-08-03",
    formula,
    formulaVersion: null,
    explanation: null,
  };

  it("names the cancelled sale", () => {
    expect(Explanation.sentences({ ...none, basis: "attribution_cancelled" })).toBe(
      "Nothing is earned for the sale of 3 August 2026 under “Tiers”: the sale was cancelled.",
    );
  });

  it("names the cancelled formula", () => {
    expect(Explanation.sentences({ ...none, basis: "formula_cancelled" })).toBe(
      "Nothing is earned for the sale of 3 August 2026 under “Tiers”: the commission formula was cancelled.",
    );
  });

  it("names the dates that the sale is outside of", () => {
    expect(Explanation.sentences({ ...none, basis: "outside_window" })).toBe(
      "Nothing is earned for the sale of 3 August 2026 under “Tiers”: the commission formula starts on 1 January 2026 and ends before 1 July 2026.",
    );
  });
});

it("the explanation names the version and its date if there are several", () => {
  const plan = plans.get("percent-of-sale");
  const sale = plan?.cases[0];
  if (plan === undefined || sale === undefined) throw new Error("the plan is missing");
  const own = explained(plan, facts(sale));
  const [first] = own.formula.versions;
  const later = { ...first, effectiveDatetime: Date.UTC(2026, 0, 10) };
  const text = Explanation.sentences({
    ...own,
    formula: { ...own.formula, versions: [first, later] },
    formulaVersion: 2,
  });
  expect(text.split("\n")[0]).toBe(
    "25.00 USD for the sale of 15 January 2026 under “Percent of the sale”, version 2 in effect since 10 January 2026.",
  );
});

it("the explanation is in the language of the reader, also of a commission of 0", () => {
  const plan = plans.get("percent-of-sale");
  const sale = plan?.cases[0];
  if (plan === undefined || sale === undefined) throw new Error("the plan is missing");
  const own = explained(plan, facts(sale));
  expect(Explanation.sentences(own, "de").split("\n")).toEqual([
    "25,00 USD für den Verkauf vom 15. Januar 2026 nach „Percent of the sale“.",
    "10\u00a0% von 249,99 (amount) × 100 = 2.499,9, gerundet auf 2.500, das sind 25,00 USD.",
  ]);
  const none = { ...own, basis: "attribution_cancelled", explanation: null } as const;
  expect(Explanation.sentences(none, "fr")).toBe(
    "Aucune commission pour la vente du 15 janvier 2026 selon «\u00a0Percent of the sale\u00a0»\u00a0: la vente a été annulée.",
  );
});
