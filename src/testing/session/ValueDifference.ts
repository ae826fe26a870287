/** Compares a value of a store with one that the model predicts. */
import { formatValue } from "../Law.ts";
import { OneOf } from "../model/world/World.ts";

/** Represents a value that the engine generated and the model has not read yet. */
export const ANY_VALUE = Symbol("something");

/** The first difference between a value and an expected one; fields that the expected one leaves out are ignored. */
export const valueDifference = (expected: unknown, found: unknown, path = ""): string | null => {
  const different = firstDifference(expected, found);
  return (
    different &&
    `${[path, ...different.path].join(".")} is ${formatValue(different.found)}, the model says ${formatValue(different.expected)}`
  );
};

interface Difference {
  readonly path: ReadonlyArray<string>;
  readonly expected: unknown;
  readonly found: unknown;
}

/** Builds the path only where there is a difference: nearly every comparison finds none. */
const firstDifference = (expected: unknown, found: unknown): Difference | null => {
  if (Object.is(expected, found) || (expected === ANY_VALUE && found != null)) return null;
  if (expected instanceof OneOf && expected.values.includes(found)) return null;
  const here = { path: [], expected, found };
  if (!isFields(expected) || !isFields(found)) return here;
  if (Array.isArray(expected) !== Array.isArray(found)) return here;
  if (Array.isArray(expected) && expected.length !== found.length) return here;
  for (const name of Object.keys(expected)) {
    const difference = firstDifference(expected[name], found[name]);
    if (difference !== null) return { ...difference, path: [name, ...difference.path] };
  }
  return null;
};

interface Fields {
  readonly [name: string]: unknown;
}

const isFields = (value: unknown): value is Fields => typeof value === "object" && value !== null;
