/** The properties that an attribution has: strings, numbers and booleans by name. */
import { Either, Schema } from "effect";
import {
  isPropertyNumber,
  MAGNITUDE_MAX,
  PROPERTY_DECIMALS_MAX,
  type PropertyDefinition,
} from "../formula/index.ts";
import { means } from "./Field.ts";
import { PROPERTY_STRING_MAX } from "./Limits.ts";
import { type Invalid, invalid } from "./Refusal.ts";
import { codePoints, unstorable } from "./Text.ts";

/** A property's value. */
export type PropertyValue = string | number | boolean;

/** Properties by name, in an object without prototype. */
export type Properties = { readonly [name: string]: PropertyValue };

/** An empty object without prototype. What `Object.create(null)` makes is a hash table, of four times the size. */
const withoutPrototype = (): Record<string, PropertyValue> => Object.setPrototypeOf({}, null);

/** Names that JavaScript objects inherit in a harmful way; no property may have one. */
export const FORBIDDEN_KEYS: ReadonlySet<string> = new Set(["__proto__", "constructor", "prototype"]);

/** Why a number cannot be a property's value, or null. */
export const numberProblem = (value: number): string | null =>
  !Number.isFinite(value) || Math.abs(value) > MAGNITUDE_MAX
    ? "must be a number between -1e15 and 1e15"
    : Number.isInteger(value) || isPropertyNumber(value)
      ? null
      : `must have at most ${PROPERTY_DECIMALS_MAX} decimals`;

/** A finite number within ±10^15 and 20 decimals, read as the decimal that ECMAScript prints for it. */
export const PropertyNumber = Schema.Number.pipe(
  Schema.filter((value) => numberProblem(value) ?? true, {
    jsonSchema: { minimum: -MAGNITUDE_MAX, maximum: MAGNITUDE_MAX },
  }),
);

const valueProblem = (value: PropertyValue): string | null => {
  if (typeof value === "number") return numberProblem(value);
  if (typeof value === "boolean") return null;
  const refused = unstorable(value);
  if (refused !== null) return refused;
  return value.length > PROPERTY_STRING_MAX && codePoints(value) > PROPERTY_STRING_MAX
    ? `must have at most ${PROPERTY_STRING_MAX} characters`
    : null;
};

/** The properties of a request before they are checked against a schema: each is a value that some schema may allow. */
export const PropertyBag = Schema.Record({
  key: Schema.String,
  value: Schema.Union(
    Schema.String.annotations({ jsonSchema: { type: "string", maxLength: PROPERTY_STRING_MAX } }),
    Schema.Number.annotations({
      jsonSchema: { type: "number", minimum: -MAGNITUDE_MAX, maximum: MAGNITUDE_MAX },
    }),
    Schema.Boolean,
  ),
}).pipe(
  Schema.filter((bag) => {
    const problems: Array<Schema.FilterIssue> = [];
    for (const [name, value] of Object.entries(bag)) {
      const message = valueProblem(value);
      if (message !== null) problems.push({ path: [name], message });
    }
    return problems;
  }),
  means(
    "The values of the schema's properties, by name. A required one must be present, and no other may be.",
  ),
);

/**
 * The properties exactly as given (−0 as 0), checked against a schema's definitions.
 * A required one may not be missing, even when it has a default; a name the schema does not define is refused.
 */
export const conform = (
  input: Properties,
  definitions: ReadonlyArray<PropertyDefinition>,
): Either.Either<Properties, Invalid> => {
  const refuse = (name: string, explanation: string) =>
    Either.left(invalid(`properties.${name}`, explanation));
  const properties = withoutPrototype();
  for (const name of Object.keys(input)) {
    const value = input[name];
    const definition = definitions.find((candidate) => candidate.name === name);
    if (definition === undefined || value === undefined) return refuse(name, "is not defined by the schema");
    if (typeof value !== definition.type) return refuse(name, `must be a ${definition.type}`);
    const problem = valueProblem(value);
    if (problem !== null) return refuse(name, problem);
    properties[name] = Object.is(value, -0) ? 0 : value;
  }
  const absent = definitions.find(({ name, required }) => required && !Object.hasOwn(input, name));
  return absent === undefined ? Either.right(properties) : refuse(absent.name, "is required");
};

/** True if both have the same names with the same values. */
export const sameProperties = (a: Properties, b: Properties): boolean => {
  const names = Object.keys(a);
  return (
    names.length === Object.keys(b).length &&
    names.every((name) => Object.hasOwn(b, name) && a[name] === b[name])
  );
};
