/** Numbers of files: what is written in a format is read as the same number, exactly, and nothing else is read. */
import { Either, Schema } from "effect";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { asNumberIn, NumberFormat } from "../../../adapters/server/importing/Numbers.ts";

/** A number of up to 15 digits as its whole part and its decimals. */
const NUMBER = fc
  .tuple(fc.nat(9_999_999_999), fc.stringMatching(/^[0-9]{0,5}$/))
  .map(([whole, decimals]) => ({ whole: String(whole), decimals }));

/** The whole part in groups of three. */
const inGroups = (whole: string, separator: string): string => whole.replace(/\B(?=(\d{3})+$)/g, separator);

const SEPARATORS = ["", "'", "’", " ", "\u00A0", "\u202F"];
const CURRENCIES = ["$", "€", "EUR", "kr.", "US$", "R$", "Fr."];

/** The ways to write a sign and a currency around digits. */
const waysOf = (digits: string, isNegative: boolean, currency: string): ReadonlyArray<string> => {
  const money = [
    digits,
    ...["", " "].flatMap((blank) => [`${currency}${blank}${digits}`, `${digits}${blank}${currency}`]),
  ];
  if (!isNegative) return money.flatMap((text) => [text, `+${text}`, ` ${text} `]);
  return [
    ...money.flatMap((text) => [`-${text}`, `−${text}`, `(${text})`, `${text}-`]),
    ...[
      `${currency}-${digits}`,
      `${currency} (${digits})`,
      `-${digits} ${currency}`,
      `${digits}- ${currency}`,
    ],
  ];
};

/** The decimal text of a number, as ECMAScript reads it exactly. */
const plainOf = ({ whole, decimals }: { readonly whole: string; readonly decimals: string }): string =>
  decimals === "" ? whole : `${whole}.${decimals}`;

/** The number with its decimal point moved: an independent product with a power of ten. */
const moved = (
  { whole, decimals }: { readonly whole: string; readonly decimals: string },
  places: number,
): number => {
  const digits = `${whole}${decimals}`.padStart(whole.length + decimals.length + 12, "0").padEnd(60, "0");
  const point = whole.length + 12 + places;
  return Number(`${digits.slice(0, point)}.${digits.slice(point)}`);
};

const problemOf = (text: string | number, format: NumberFormat): string => {
  const found = asNumberIn(format, text);
  return Either.isLeft(found) ? found.left : `read as ${found.right}`;
};

describe("a number of a file", () => {
  it("is the same with any grouping, sign and currency that its format allows", () => {
    fc.assert(
      fc.property(
        NUMBER,
        fc.constantFrom("." as const, "," as const),
        fc.constantFrom(...SEPARATORS, "other"),
        fc.boolean(),
        fc.constantFrom(...CURRENCIES),
        (number, decimal, chosen, isNegative, currency) => {
          const separator = chosen === "other" ? (decimal === "." ? "," : ".") : chosen;
          const digits = `${inGroups(number.whole, separator)}${number.decimals === "" ? "" : `${decimal}${number.decimals}`}`;
          const value = Number(plainOf(number));
          const expected = Either.right(isNegative && value !== 0 ? -value : value);
          for (const text of waysOf(digits, isNegative, currency))
            expect(asNumberIn({ decimal, currency }, text), text).toEqual(expected);
        },
      ),
    );
  });

  it("is multiplied by its factor once, and exactly", () => {
    fc.assert(
      fc.property(NUMBER, fc.integer({ min: -6, max: 4 }), fc.boolean(), (number, places, isText) => {
        const factor = places < 0 ? `0.${"0".repeat(-places - 1)}1` : `1${"0".repeat(places)}`;
        const plain = plainOf(number);
        const cell = isText ? plain : Number(plain);
        if (!isText && String(cell).includes("e")) return;
        expect(asNumberIn({ factor }, cell)).toEqual(Either.right(moved(number, places)));
      }),
    );
    expect(asNumberIn({ factor: "0.01" }, "29")).toEqual(Either.right(0.29));
    expect(asNumberIn({ factor: "100" }, "1.15")).toEqual(Either.right(115));
    expect(asNumberIn({ factor: "1.19" }, "100.10")).toEqual(Either.right(119.119));
    expect(problemOf("1234567890.123456", { factor: "1.01" })).toMatch(
      /^has too many digits to be stored exactly/,
    );
  });
});

it.each<readonly [string, NumberFormat]>([
  ["1,234", {}],
  ["$20.00", {}],
  ["20.00", { decimal: "," }],
  ["1,23", { decimal: "." }],
  ["1.2345,00", { decimal: "," }],
  ["1234.567,00", { decimal: "," }],
  ["1.234 567", { decimal: "," }],
  ["1,234.567.8", { decimal: "." }],
  ["€20.00", { decimal: ".", currency: "$" }],
  ["$20.00$", { decimal: ".", currency: "$" }],
  ["(-20.00)", { decimal: "." }],
  ["-20.00-", { decimal: "." }],
  ["(20.00", { decimal: "." }],
  ["20.00)", { decimal: "." }],
  ["--20", { decimal: "." }],
  ["1e3", { decimal: "." }],
  ["", { decimal: "." }],
  ["$", { currency: "$" }],
  [".", { decimal: "." }],
])("%s is no number in the format %j", (text, format) => {
  expect(problemOf(text, format)).toMatch(/^must be a number.*, not ".*"$/);
});

it("a number of JSON has a decimal point whatever sign the texts of its column have", () => {
  expect(asNumberIn({ decimal: ",", factor: "100" }, 1.234)).toEqual(Either.right(123.4));
  expect(asNumberIn({ decimal: "," }, "1.234")).toEqual(Either.right(1_234));
});

it.each([
  [{ factor: 0.01 }, /factor/],
  [{ factor: "0" }, /positive/],
  [{ factor: "-1" }, /positive/],
  [{ factor: "1e2" }, /positive/],
  [{ currency: "-" }, /sign or code/],
  [{ currency: "5" }, /sign or code/],
  [{ currency: "" }, /sign or code/],
  [{ decimal: ";" }, /decimal/],
])("the format %j is refused", (format, problem) => {
  expect(() => Schema.decodeUnknownSync(NumberFormat)(format)).toThrow(problem);
});
