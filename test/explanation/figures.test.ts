import { amount, type Figure, LANGUAGES, type Language, withAmounts, wordsIn } from "quittance/explanation";
import { expect, it } from "vitest";
import { date, writer } from "../../src/explanation/Figures.ts";
import { wordsOf } from "../../src/explanation/Words.ts";

const english = wordsIn("en");

it.each([
  ["1234567", "money", 2, "12,345.67 EUR"],
  ["5", "money", 2, "0.05 EUR"],
  ["0", "money", 2, "0.00 EUR"],
  ["-599", "money", 2, "−5.99 EUR"],
  ["598.5", "money", 2, "5.985 EUR"],
  ["1551000", "money", 0, "1,551,000 EUR"],
  ["15390", "money", 3, "15.390 EUR"],
  ["10000/3", "money", 2, "about 33.3333 EUR"],
  ["-1/3", "number", 2, "about −0.3333"],
  ["0.075", "share", 2, "7.5 %"],
  ["0", "share", 2, "0 %"],
  ["1.25", "share", 2, "125 %"],
  ["12.50", "number", 2, "12.5"],
  [null, "text", 2, "nothing"],
  [true, "text", 2, "yes"],
  [false, "text", 2, "no"],
  ["DE", "text", 2, "“DE”"],
  ["2026-03-05", "date", 2, "5 March 2026"],
] as const)("writes %s as %s with %d decimals as %s", (value, unit, decimals, written) => {
  expect(writer(english, { currency: "EUR", decimals })({ value, unit })).toBe(written);
});

it.each([
  ["2026-03-05", "5 March 2026"],
  ["2026-03-05T00:00:00.000Z", "5 March 2026"],
  ["2026-03-05T14:30:00.000Z", "5 March 2026, 14:30 UTC"],
])("writes the date %s as %s", (text, written) => {
  expect(date(text, english.notation)).toBe(written);
});

it.each([
  ["de", "1.234,56 EUR", "7,5\u00a0%", "5. März 2026", "„DE“", "etwa −0,3333"],
  ["fr", "1\u00a0234,56 EUR", "7,5\u00a0%", "5 mars 2026", "«\u00a0DE\u00a0»", "environ −0,3333"],
  ["es", "1.234,56 EUR", "7,5\u00a0%", "5 de marzo de 2026", "«DE»", "aproximadamente −0,3333"],
] as const)("writes figures as %s does", (language, ...written) => {
  const figures: ReadonlyArray<Figure> = [
    { value: "123456", unit: "money" },
    { value: "0.075", unit: "share" },
    { value: "2026-03-05", unit: "date" },
    { value: "DE", unit: "text" },
    { value: "-1/3", unit: "number" },
  ];
  const write = writer(wordsIn(language), { currency: "EUR", decimals: 2 });
  expect(figures.map(write)).toEqual(written);
});

it.each([
  ["order_value", "order value"],
  ["net-price", "net price"],
  ["a.b", "a b"],
  ["_", "_"],
])("writes the name %s as %s", (name, written) => {
  expect(wordsOf(name)).toBe(written);
});

/** Sentences with each amount in brackets, as the exact number. */
const bracketed = (sentences: string, language: Language = "en", currency = "EUR"): string =>
  withAmounts(sentences, currency, wordsIn(language).notation, (exact) => `[${exact}]`);

it.each(LANGUAGES)("finds every amount that is written in %s, exactly", (language) => {
  for (const decimals of [0, 2, 3])
    for (const [exact, units] of [
      ["0", 0],
      ["5", 5],
      ["-599", -599],
      ["123456789", 123_456_789],
      ["598.5", 598.5],
    ] as const) {
      const written = amount(exact, { currency: "EUR", decimals }, wordsIn(language).notation);
      const found = /^\[(-?[\d.]+)\]$/.exec(bracketed(written, language))?.[1];
      expect([written, Number(found) * 10 ** decimals]).toEqual([written, expect.closeTo(units, 6)]);
      const others = `(${written}, ${written}) = ${written}.`;
      expect(bracketed(others, language)).toBe(`([${found}], [${found}]) = [${found}].`);
    }
});

it.each([
  ["10.00 EUR − 4.00 EUR × 2", "[10.00] − [4.00] × 2"],
  ["−10.00 EUR, about 33.3333 EUR", "[-10.00], about [33.3333]"],
  ["1,234,567.00 EUR at 5 %", "[1234567.00] at 5 %"],
  // Numbers of another currency, without one, or in the notation of another language.
  ["10.00 USD, 10.00, 10.00 EUROS", "10.00 USD, 10.00, 10.00 EUROS"],
  ["1.234,56 EUR, 12345.00 EUR", "1.234,56 EUR, 12345.00 EUR"],
  // Names that people gave.
  ["under “Bonus of 5.00 EUR”: 5.00 EUR (“5.00 EUR”)", "under “Bonus of 5.00 EUR”: [5.00] (“5.00 EUR”)"],
  ["“5.00 EUR\n5.00 EUR”", "“[5.00]\n[5.00]”"],
])("restates the amounts of %j alone", (sentences, found) => {
  expect(bracketed(sentences)).toBe(found);
});
