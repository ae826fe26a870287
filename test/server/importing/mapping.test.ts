/** How the texts of a file become the values of properties. */
import { Either } from "effect";
import { expect, it } from "vitest";
import { asType } from "../../../adapters/server/importing/Mapping.ts";

it.each([
  ["1.99", 1.99],
  ["+05.50", 5.5],
  ["-0.10", -0.1],
  ["0.000", 0],
  ["1000000", 1_000_000],
  ["0.00000001", 0.00000001],
  ["33.333333333333336", 33.333333333333336],
  ["0.30000000000000004", 0.30000000000000004],
])("the text %s is the number %d", (text, number) => {
  expect(asType(text, "number")).toEqual(Either.right(number));
});

it.each([
  ["123456789012345.123456", "123456789012345.12"],
  ["0.1000000000000000055", "0.1"],
  ["9999999999999999.9", "10000000000000000"],
])("the text %s is refused, because it would be stored as %s", (text, stored) => {
  expect(asType(text, "number")).toEqual(
    Either.left(`has too many digits to be stored exactly: "${text}" would become ${stored}`),
  );
});
