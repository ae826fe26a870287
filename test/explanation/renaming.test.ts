/** Nothing is inferred from the name of a property: with other names the sentences have the same figures. */
import { Either } from "effect";
import { explanationOf, LANGUAGES, sentencesOf, termsOf, wordsIn } from "quittance/explanation";
import { explain, type Facts, type PropertyDefinition } from "quittance/formula";
import { expect, it } from "vitest";
import { arrivals, facts, prepare, readAccumulating, readAll } from "../../examples/formulas/Plan.ts";
import { wordsOf } from "../../src/explanation/Words.ts";

type Names = ReadonlyMap<string, string>;

interface Sold {
  readonly facts: Facts;
  readonly history: ReadonlyArray<Facts>;
}

interface Plan {
  readonly currency: string;
  readonly expression: unknown;
  readonly schema: { readonly properties: ReadonlyArray<PropertyDefinition> };
}

/** Names that say what a number measures, whatever it is. */
const MISLEADING = ["units", "price in cents", "tickets", "percent", "rate", "days", "is paid", "amount eur"];

const namesFor = ({ schema }: Plan): Names =>
  new Map(
    schema.properties.map(({ name }, index) => [
      name,
      `${MISLEADING[(index + 1) % MISLEADING.length]}${"_x".repeat(Math.floor(index / MISLEADING.length))}`,
    ]),
  );

/** An expression that reads the properties under their other names. */
const renamed = (part: unknown, names: Names): unknown => {
  if (Array.isArray(part)) return part.map((item) => renamed(item, names));
  if (typeof part !== "object" || part === null) return part;
  const fields = Object.entries(part).map(([field, value]) => {
    if (field === "group_by") return [field, (value as ReadonlyArray<string>).map((name) => names.get(name))];
    const isName = field === "name" && "type" in part && part.type === "property";
    return [field, isName ? names.get(String(value)) : renamed(value, names)];
  });
  return Object.fromEntries(fields);
};

const renamedFacts = (sold: Facts, names: Names): Facts => ({
  ...sold,
  properties: Object.fromEntries(
    Object.entries(sold.properties).map(([name, value]) => [names.get(name) ?? name, value]),
  ),
});

const DECIMALS: Readonly<Record<string, number>> = { JPY: 0, BHD: 3, KWD: 3 };

/** The figures of the sentences in every language, and the terms. */
const figuresOf = (plan: Plan, { facts: sold, history }: Sold): unknown => {
  const decimals = DECIMALS[plan.currency] ?? 2;
  const { trace } = explain(Either.getOrThrow(prepare(plan as never)), sold, { history });
  const explanation = explanationOf(trace, decimals);
  if (explanation === null) throw new Error("there is no explanation");
  const names = plan.schema.properties.map(({ name }) => wordsOf(name)).filter((name) => /\d/.test(name));
  const figures = LANGUAGES.map((language) => {
    const { calculation, reasons } = sentencesOf(explanation, wordsIn(language), {
      currency: plan.currency,
      decimals,
    });
    const text = names.reduce(
      (left, name) => left.replaceAll(name, ""),
      [calculation, ...reasons].join("\n"),
    );
    return text.match(/−?\d[\d.,\u00a0]*(\d|\b)(\s?%| [A-Z]{3}\b)?/g);
  });
  return { figures, terms: termsOf(explanation) };
};

const PLANS: ReadonlyArray<readonly [name: string, plan: Plan, sales: ReadonlyArray<Sold>]> = [
  ...[...readAll()].map(
    ([name, plan]) => [name, plan, plan.cases.map((item) => ({ facts: facts(item), history: [] }))] as const,
  ),
  ...[...readAccumulating()].map(
    ([name, plan]) =>
      [name, plan, plan.sequences.flatMap((sequence) => arrivals(sequence).slice(0, 6))] as const,
  ),
];

const renamedSale = ({ facts: sold, history }: Sold, names: Names): Sold => ({
  facts: renamedFacts(sold, names),
  history: history.map((item) => renamedFacts(item, names)),
});

it.each([
  ["undeclared", undefined],
  ["in whole units of money", "money_major"],
  ["in cents", "money_minor"],
] as const)(
  "every plan of the cookbook has the same figures under other names, its numbers %s",
  (_, format) => {
    let compared = 0;
    for (const [name, plan, sales] of PLANS) {
      const names = namesFor(plan);
      const declared = plan.schema.properties.map((property) =>
        property.type === "number" && format !== undefined ? { ...property, format } : property,
      );
      const given: Plan = { ...plan, schema: { properties: declared } };
      const other: Plan = {
        ...plan,
        expression: renamed(plan.expression, names),
        schema: {
          properties: declared.map((propertyDefinition) => ({
            ...propertyDefinition,
            name: names.get(propertyDefinition.name) ?? propertyDefinition.name,
          })),
        },
      };
      for (const sale of sales) {
        expect(figuresOf(other, renamedSale(sale, names)), name).toEqual(figuresOf(given, sale));
        compared += 1;
      }
    }
    expect(compared).toBeGreaterThan(400);
  },
);
