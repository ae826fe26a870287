import { expect, it } from "@effect/vitest";
import fc from "fast-check";
import { BillingProfile, Currency } from "quittance";
import { describe } from "vitest";
import { TEXTS } from "../../adapters/pdf/Languages.ts";
import * as Wording from "../../adapters/pdf/Wording.ts";

const { LANGUAGES } = BillingProfile;
const currency = fc.constantFrom("EUR", "JPY", "KWD", "CLF").map((code) => Currency.Currency.make(code));
const EN = TEXTS.en.notation;
const EUR = Currency.Currency.make("EUR");

/** The texts in the language. */
const understood = (text: string, { group, decimal }: typeof EN): string =>
  text.replaceAll(group, "").replace(decimal, ".");

describe("amounts", () => {
  it.each(LANGUAGES)("are exact in the notation of %s", (language) => {
    const { notation } = TEXTS[language];
    fc.assert(
      fc.property(fc.maxSafeInteger(), currency, (smallestUnits, code) => {
        const written = Wording.amount(smallestUnits, code, notation);
        expect(understood(written, notation)).toBe(Currency.formatAmount(smallestUnits, code));
        expect(Wording.exactAmount(String(smallestUnits), code, notation)).toBe(written);
      }),
    );
  });

  it("are grouped by thousands and have the language's own signs", () => {
    expect(LANGUAGES.map((each) => Wording.amount(-123_456_789, EUR, TEXTS[each].notation))).toEqual([
      "-1,234,567.89",
      "-1.234.567,89",
      "-1\u00a0234\u00a0567,89",
      "-1.234.567,89",
    ]);
  });

  it("have no sign at zero", () => {
    expect(Wording.amount(-0, EUR, EN)).toBe("0.00");
  });

  it("of formulas are rounded half away from zero, also beyond the largest amount", () => {
    const exact = (text: string) => Wording.exactAmount(text, EUR, EN);
    expect(["1250.5", "-1250.5", "2500/3", "-5/2", "0.4"].map(exact)).toEqual([
      "12.51",
      "-12.51",
      "8.33",
      "-0.03",
      "0.00",
    ]);
    expect(exact("90071992547409910")).toBe("900,719,925,474,099.10");
    expect(exact("no number")).toBeNull();
  });
});

it("rates have no trailing zeros", () => {
  const rates = [0, 5, 50, 700, 775, 2_500, 10_000].map((each) => Wording.rate(each, EN));
  expect(rates).toEqual(["0%", "0.05%", "0.5%", "7%", "7.75%", "25%", "100%"]);
  expect(Wording.rate(775, TEXTS.de.notation)).toBe("7,75\u00a0%");
  expect(["0.075", "1", "1/3", "0.00001"].map((each) => Wording.share(each, EN))).toEqual([
    "7.5%",
    "100%",
    "33.3333%",
    "0.001%",
  ]);
  expect(["3", "1234.50", "-2/3"].map((each) => Wording.quantity(each, TEXTS.es.notation))).toEqual([
    "3",
    "1.234,5",
    "-0,6667",
  ]);
});

it("dates are in the language's own order", () => {
  const at = Date.parse("2026-03-01T23:59:59.999Z");
  expect(LANGUAGES.map((each) => Wording.date(at, TEXTS[each].notation))).toEqual([
    "01 Mar 2026",
    "01.03.2026",
    "01/03/2026",
    "01/03/2026",
  ]);
});

it("account numbers are grouped, whatever spaces they have", () => {
  expect(Wording.iban("DK50 00400440116243")).toBe("DK50 0040 0440 1162 43");
  expect(Wording.iban("NO9386011117947")).toBe("NO93 8601 1117 947");
});

it("a country has its name in the language; an unknown one is shown as its code", () => {
  expect(LANGUAGES.map((each) => Wording.country("DE", each))).toEqual([
    "Germany",
    "Deutschland",
    "Allemagne",
    "Alemania",
  ]);
  expect(Wording.country("QX", "en")).toBe("QX");
});

it("a long text is cut between characters", () => {
  expect(Wording.cut("🙂".repeat(5), 5)).toBe("🙂".repeat(5));
  expect(Wording.cut("🙂".repeat(6), 5)).toBe(`${"🙂".repeat(4)}…`);
});

describe("external text", () => {
  it("is cut to the same from its beginning alone", () => {
    const texts = fc.oneof(
      fc.string({ unit: "binary", maxLength: 80 }),
      fc.string({ unit: fc.constantFrom("𝒜", "a", " ", "\u05d0", "\u200f"), maxLength: 80 }),
    );
    fc.assert(
      fc.property(texts, fc.integer({ min: 1, max: 20 }), (text, most) => {
        const beginning = Wording.shorten(text, most);
        expect(Wording.cut(beginning, most)).toBe(Wording.cut(text, most));
        expect(beginning.length).toBeLessThanOrEqual(2 * most + 2);
      }),
    );
  });
});
