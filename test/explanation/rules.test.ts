/** The rule of a plan in sentences: what every sale earns, in each language. */
import { Either } from "effect";
import {
  amount,
  type Declared,
  LANGUAGES,
  type Language,
  linesOf,
  paragraphsOf,
  ruleOf,
  wordsIn,
} from "quittance/explanation";
import {
  decode,
  type Expression,
  type ParameterDefinition,
  type ParameterValue,
  type PropertyDefinition,
  parse,
} from "quittance/formula";
import { describe, expect, it } from "vitest";
import { readAccumulating, readAll } from "../../examples/formulas/Plan.ts";
import { expression, parameters, properties, random } from "../formula/RandomFormula.ts";

const PROPERTIES: ReadonlyArray<PropertyDefinition> = [
  { name: "order_value", type: "number", required: true, format: "money_major" },
  { name: "discount", type: "number", required: false, format: "money_major" },
  { name: "rate_given", type: "number", required: true, format: "percent" },
  { name: "units", type: "number", required: true, format: "count" },
  { name: "country", type: "string", required: true },
  { name: "client", type: "string", required: true },
  { name: "is_new", type: "boolean", required: true },
  { name: "amount", type: "number", required: true },
];

const DECIMALS: Readonly<Record<string, number>> = { JPY: 0, BHD: 3, KWD: 3 };

const printed = (
  expression: Expression,
  language: Language = "en",
  declared: Declared = { properties: PROPERTIES },
  currency = "EUR",
): ReadonlyArray<string> => {
  const decimals = DECIMALS[currency] ?? 2;
  const rule = ruleOf(expression, declared, decimals);
  return linesOf(paragraphsOf(rule, wordsIn(language), { currency, decimals }));
};

const sentences = (text: string, language: Language = "en", declared?: Declared): ReadonlyArray<string> => {
  const parsed = parse(text);
  if (Either.isLeft(parsed)) throw new Error(JSON.stringify(parsed.left));
  return printed(parsed.right, language, declared);
};

const MONEY =
  "The result is rounded to 0.01 EUR; exactly half of that is rounded up, or down where the result is negative.";
const UNITS = "The result is in units of 0.01 EUR.";

describe("the rule of a plan", () => {
  it("is one sentence for a share, in each language", () => {
    const share = "order_value * 100 * 10 %";
    expect(sentences(share)).toEqual(["For each sale, 10 % of the order value.", MONEY]);
    expect(sentences(share, "de")).toEqual([
      "Je Verkauf 10\u00a0% von „order value“.",
      "Das Ergebnis wird auf 0,01 EUR gerundet; genau die Hälfte davon wird aufgerundet, bei einem negativen Ergebnis abgerundet.",
    ]);
    expect(sentences(share, "fr")).toEqual([
      "Pour chaque vente, 10\u00a0% de «\u00a0order value\u00a0».",
      "Le résultat est arrondi à 0,01 EUR près ; exactement la moitié est arrondie vers le haut, ou vers le bas si le résultat est négatif.",
    ]);
    expect(sentences(share, "es")).toEqual([
      "Por cada venta, 10\u00a0% de «order value».",
      "El resultado se redondea a 0,01 EUR; exactamente la mitad se redondea hacia arriba, o hacia abajo si el resultado es negativo.",
    ]);
  });

  it("says what undeclared numbers count", () => {
    expect(sentences("amount * 100 * 10 %")).toEqual([
      "For each sale, 10 % of the amount × 100.",
      UNITS,
      MONEY,
    ]);
  });

  it("writes limits as money where the schema declares it", () => {
    expect(sentences("min(order_value * 100 * 10 %, 50000)")[0]).toBe(
      "For each sale, 10 % of the order value, at most 500.00 EUR.",
    );
    expect(sentences("max(min(order_value * 100 * 2 %, 25000), 500)")[0]).toBe(
      "For each sale, (2 % of the order value, at most 250.00 EUR), at least 5.00 EUR.",
    );
    expect(sentences("max(order_value * 100 * 2 %, units * 100)")[0]).toBe(
      "For each sale, the higher of 2 % of the order value and the units × 1.00 EUR.",
    );
  });

  it("lists the tiers, after what was counted before", () => {
    const text = `before = sum of order_value earlier this month by client where country = "DE"
tiers(order_value, after before) { up to 1000: 5 %; up to 5000: 7 % plus 10; else: 8 % } * 100`;
    expect(sentences(text)).toEqual([
      "For each sale, the sum of these tiers of the order value, counted on top of “before”:",
      "  – 5 % of the part up to 1,000.00 EUR",
      "  – 7 % of the part above 1,000.00 EUR and up to 5,000.00 EUR + 10.00 EUR as soon as it is reached",
      "  – 8 % of the part above 5,000.00 EUR",
      "“before” is the sum of the order value of the earlier sales of the same month with the same client where the country is “DE”.",
      "Earlier sales are those that were recorded before and are not cancelled.",
      MONEY,
    ]);
  });

  it("lists the cases in their order, entries with one value together", () => {
    expect(
      sentences(`order_value * 100 * choose country { "DE": 5 %; "AT": 5 %; "FR": 7 %; else: 3 % }`),
    ).toEqual([
      "For each sale, (1) of the order value.",
      "(1) is the first of these cases that holds:",
      "  – 5 % if the country is “DE” or “AT”",
      "  – 7 % if the country is “FR”",
      "  – 3 % otherwise",
      MONEY,
    ]);
  });

  it("says conditions and their opposites", () => {
    expect(
      sentences(`if not (is_new and country <> "DE") or discount is present then 1 else 0`).slice(0, 3),
    ).toEqual([
      "For each sale, the first of these cases that holds:",
      "  – 0.01 EUR if “is new” is no or the country is “DE” or the discount is given",
      "  – 0.00 EUR otherwise",
    ]);
    expect(sentences(`if sale.occurred_at >= 2026-03-01 and (units > 3 or units = 1) then 1 else 0`)[1]).toBe(
      "  – 0.01 EUR if the date is not before 1 March 2026 and (the units is more than 3 or the units is 1)",
    );
  });

  it("says bands with both limits and what a missing value becomes", () => {
    expect(
      sentences("((order_value - (discount ?? 0)) * 100) * bands(units) { up to 10: 5 %; else: 6 % }"),
    ).toEqual([
      "For each sale, (1) of (the order value − (the discount, or where that is not given 0.00 EUR)).",
      "(1) is the first of these cases that holds:",
      "  – 5 % if the units is at most 10",
      "  – 6 % if the units is more than 10",
      MONEY,
    ]);
  });

  it("says a rounding of its own, and then no other", () => {
    expect(sentences("round(order_value * 100 * 5 %, half even, to 5)")).toEqual([
      "For each sale, 5 % of the order value, rounded, halves to even, to a multiple of 0.05 EUR.",
    ]);
  });

  it("says counts, windows of days and parts of dates", () => {
    expect(sentences("count earlier in the last 30 days")[0]).toBe(
      "For each sale, the number of earlier sales of the 30 days that end with the day of the sale.",
    );
    expect(sentences("count earlier this quarter from April")[0]).toBe(
      "For each sale, the number of earlier sales of the same quarter (beginning in April).",
    );
    const since = "sum of order_value earlier this year since plan.start_date";
    expect([
      sentences(since)[0],
      ...(["de", "fr", "es"] as const).map((item) => sentences(since, item)[0]),
    ]).toEqual([
      "For each sale, the sum of the order value of the earlier sales of the same year counted from your start date.",
      "Je Verkauf die Summe von „order value“ der früheren Verkäufe desselben Jahres (gerechnet ab: Ihr Wert für „start date“).",
      "Pour chaque vente, la somme de «\u00a0order value\u00a0» des ventes antérieures de la même année comptée depuis votre «\u00a0start date\u00a0».",
      "Por cada venta, la suma de «order value» de las ventas anteriores del mismo año contado desde su «start date».",
    ]);
    expect(sentences("if month of sale.occurred_at = 12 then 2 else 1")[1]).toBe(
      "  – 0.02 EUR if the month of the date is 12",
    );
  });
});

describe("the values of a partner", () => {
  const MARCH = Date.parse("2026-03-01T00:00:00Z");
  const parameters: ReadonlyArray<ParameterDefinition> = [
    { name: "rate", type: "number", format: "percent" },
    { name: "cap", type: "number", format: "money_minor" },
    { name: "quota", type: "number", format: "money_major" },
    { name: "senior", type: "boolean" },
    { name: "level", type: "string" },
    { name: "started_on", type: "date" },
  ];
  const agreed: Readonly<Record<string, ParameterValue>> = {
    ...{ rate: 7, cap: 50_000, quota: 1_000, senior: true, level: "gold", started_on: "2024-02-01" },
  };
  const inForce = new Map(
    Object.entries(agreed).map(([name, value]) => [name, { value, since: name === "rate" ? MARCH : null }]),
  );
  const first = (text: string, language: Language = "en") =>
    sentences(text, language, { properties: PROPERTIES, parameters, inForce })[0];
  const share = "order_value * plan.rate";

  it("are said with the day from which they hold, in each language", () => {
    expect(LANGUAGES.map((language) => first(share, language))).toEqual([
      "For each sale, 7 % (your rate since 1 March 2026) of the order value.",
      "Je Verkauf 7\u00a0% (Ihr Wert für „rate“ seit 1. März 2026) von „order value“.",
      "Pour chaque vente, 7\u00a0% (votre «\u00a0rate\u00a0» depuis le 1er mars 2026) de «\u00a0order value\u00a0».",
      "Por cada venta, 7\u00a0% (su «rate» desde el 1 de marzo de 2026) de «order value».",
    ]);
  });

  it("are limits, quotas and conditions, each in the unit that is declared", () => {
    expect(first("min(order_value * plan.rate, plan.cap)")).toBe(
      "For each sale, 7 % (your rate since 1 March 2026) of the order value, at most 500.00 EUR (your cap).",
    );
    const lines = (condition: string) =>
      sentences(`if ${condition} then 100 else 0`, "en", { properties: PROPERTIES, parameters, inForce })[1];
    expect(lines("order_value >= plan.quota")).toBe(
      "  – 1.00 EUR if the order value is at least 1,000.00 EUR (your quota)",
    );
    expect(lines("plan.senior")).toBe("  – 1.00 EUR if your senior (yes) is yes");
    expect(lines(`plan.level = "gold"`)).toBe("  – 1.00 EUR if “gold” (your level) is “gold”");
    expect(lines("sale.occurred_at < plan.started_on")).toBe(
      "  – 1.00 EUR if the date is before 1 February 2024 (your started on)",
    );
  });

  it("are the date from which years of earlier sales are counted", () => {
    expect(first("count earlier this year since plan.started_on")).toBe(
      "For each sale, the number of earlier sales of the same year counted from 1 February 2024 (your started on).",
    );
  });

  it("are named where no partner is known", () => {
    const unknown = (text: string) => sentences(text, "en", { properties: PROPERTIES, parameters });
    expect(unknown(share)[0]).toBe("For each sale, your rate of the order value.");
    expect(unknown("if plan.senior then 100 else 0")[1]).toBe("  – 1.00 EUR if your senior is yes");
  });
});

describe("a written number", () => {
  it.each([
    `choose country { "DE": 0; else: order_value * 100 * 5 % }`,
    `if country = "DE" then 0 else order_value * 100 * 5 %`,
    `choose country { "DE": 0; "AT": if is_new then 0 else 0; else: order_value * 100 * 5 % }`,
  ])("of 0 is as much money as what is computed in its place: %s", (text) => {
    expect(sentences(text)).not.toContain(UNITS);
    expect(sentences(text)).toContain("  – 0.00 EUR if the country is “DE”");
  });

  it("of 0 is a rate among rates", () => {
    expect(sentences(`order_value * 100 * choose country { "DE": 0; else: 5 % }`)[0]).toBe(
      "For each sale, (1) of the order value.",
    );
  });

  it("is an amount where it is the result", () => {
    expect(sentences("500")).toEqual(["For each sale, 5.00 EUR.", MONEY]);
    expect(sentences("units * 250")[0]).toBe("For each sale, the units × 2.50 EUR.");
  });
});

/** How a number is written in English. */
const grouped = (value: string): string => {
  const [whole = "", decimals] = value.split(".");
  return [whole.replace(/\B(?=(\d{3})+$)/g, ","), ...(decimals === undefined ? [] : [decimals])].join(".");
};

/** The numbers that an expression states, as decimals; rates in per cent. */
const statedNumbers = (node: unknown): ReadonlyArray<string> => {
  if (typeof node !== "object" || node === null) return [];
  if ("type" in node && "value" in node && typeof node.value === "number")
    return [
      String(Math.abs(Number((node.value * (node.type === "basis_points" ? 0.01 : 1)).toPrecision(15)))),
    ];
  return Object.values(node).flatMap(statedNumbers);
};

it("the rules of random formulas have words for every kind of node", () => {
  for (let seed = 1; seed <= 300; seed++) {
    const drawn = expression(random(seed), "number", 4);
    // German rounds "von null weg".
    for (const language of LANGUAGES)
      expect(
        printed(drawn, language, { properties, parameters }).join("\n").replaceAll("von null weg", ""),
        `seed ${seed}`,
      ).not.toMatch(/undefined|NaN|null/);
  }
});

describe("every plan of the cookbook", () => {
  const plans = [...readAll().values(), ...readAccumulating().values()];
  it.each(plans.map((plan) => [plan.title, plan] as const))("%s", (_, plan) => {
    const expression = Either.getOrThrow(decode(plan.expression));
    for (const language of LANGUAGES) {
      const text = printed(expression, language, plan.schema, plan.currency).join("\n");
      expect(text).not.toMatch(/[{}]|undefined|NaN/);
    }
    const english = printed(expression, "en", plan.schema, plan.currency).join("\n");
    // A sum leaves out 0 and a product 1.
    const money = { currency: plan.currency, decimals: DECIMALS[plan.currency] ?? 2 };
    for (const number of statedNumbers(expression).filter(
      (candidate) => candidate !== "0" && candidate !== "1",
    ))
      expect([grouped(number), amount(number, money, wordsIn("en").notation)]).toSatisfy(
        (forms: ReadonlyArray<string>) => forms.some((form) => english.includes(form)),
      );
  });
});
