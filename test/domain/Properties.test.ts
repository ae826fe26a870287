import { Either, JSONSchema, Schema } from "effect";
import { Properties, Refusal } from "quittance";
import { describe, expect, it } from "vitest";

describe("properties of an attribution", () => {
  const definitions = [
    { name: "value", type: "number", required: true },
    { name: "plan", type: "string", required: false, default: "basic" },
  ] as const;
  const problem = (given: Properties.Properties) =>
    Either.match(Properties.conform(given, definitions), {
      onLeft: ({ message }) => message,
      onRight: () => null,
    });

  it("are stored as given, -0 as 0, without added defaults", () => {
    const kept = Either.getOrThrow(Properties.conform({ value: -0 }, definitions));
    expect(Object.is(kept.value, 0)).toBe(true);
    expect(Object.keys(kept)).toEqual(["value"]);
    expect(Object.getPrototypeOf(kept)).toBe(null);
  });

  it.each([
    [{}, "properties.value: is required"],
    [{ value: "1" }, "properties.value: must be a number"],
    [{ value: 1, other: 2 }, "properties.other: is not defined by the schema"],
    [{ value: Number.POSITIVE_INFINITY }, "properties.value: must be a number between -1e15 and 1e15"],
    [{ value: 1e-21 }, "properties.value: must have at most 20 decimals"],
    [{ value: 1, plan: "\u0000" }, "properties.plan: must not contain U+0000"],
    [{ value: 1, plan: "x".repeat(4_097) }, "properties.plan: must have at most 4096 characters"],
    [{ value: true }, "properties.value: must be a number"],
    [{ value: 1, toString: "x" }, "properties.toString: is not defined by the schema"],
    [{ value: undefined as never }, "properties.value: is not defined by the schema"],
    [{ value: -1e15 - 1 }, "properties.value: must be a number between -1e15 and 1e15"],
  ])("%j is refused", (given, expected) => expect(problem(given)).toBe(expected));
});

describe("a number among the properties", () => {
  it.each([
    [1e15, null],
    [-1e15, null],
    [1e15 + 1, "must be a number between -1e15 and 1e15"],
    [Number.NaN, "must be a number between -1e15 and 1e15"],
    [1e-20, null],
    [1.5e-19, null],
    [1.5e-20, "must have at most 20 decimals"],
    [1.25e-19, "must have at most 20 decimals"],
    [0.1, null],
    [0.1 + 0.2, null],
    [1e-21, "must have at most 20 decimals"],
  ])("%d: %s", (value, problem) => {
    expect(Properties.numberProblem(value)).toBe(problem);
  });
});

describe("the properties of a request", () => {
  const problemOf = (bag: unknown): string | null =>
    Either.match(Schema.decodeUnknownEither(Properties.PropertyBag)(bag), {
      onLeft: (error) => Refusal.fromParseError(error).message,
      onRight: () => null,
    });

  it("are strings, numbers and booleans that some schema may allow", () => {
    expect(problemOf({ a: "x".repeat(4_096), b: 1, c: false })).toBe(null);
    expect(problemOf({ a: "𝄞".repeat(4_096) })).toBe(null);
    expect(problemOf({ a: "x".repeat(4_097) })).toBe("a: must have at most 4096 characters");
    expect(problemOf({ a: 1e16 })).toBe("a: must be a number between -1e15 and 1e15");
    expect(problemOf({ a: "\ud800" })).toBe("a: must not contain an unpaired surrogate");
    expect(problemOf({ a: null })).not.toBe(null);
  });

  it("may have a name that no schema can define", () => {
    expect([...Properties.FORBIDDEN_KEYS]).toEqual(["__proto__", "constructor", "prototype"]);
  });

  it("are described for OpenAPI with their limits", () => {
    const number = { type: "number", minimum: -1e15, maximum: 1e15 };
    expect(JSONSchema.make(Properties.PropertyNumber)).toMatchObject(number);
    expect(JSONSchema.make(Properties.PropertyBag)).toMatchObject({
      additionalProperties: { anyOf: [{ type: "string", maxLength: 4_096 }, number, { type: "boolean" }] },
    });
  });

  it("are checked by the same rule for numbers as a schema's default", () => {
    expect(Schema.is(Properties.PropertyNumber)(1e15)).toBe(true);
    expect(Schema.is(Properties.PropertyNumber)(1e16)).toBe(false);
  });
});

describe("values that conform", () => {
  const definitions = [
    { name: "paid", type: "boolean", required: false },
    { name: "plan", type: "string", required: false },
  ] as const;

  it("may be false, empty text or the longest text", () => {
    const given = { paid: false, plan: "" };
    expect({ ...Either.getOrThrow(Properties.conform(given, definitions)) }).toEqual(given);
    const long = { plan: "𝄞".repeat(4_096) };
    expect({ ...Either.getOrThrow(Properties.conform(long, definitions)) }).toEqual(long);
    expect({ ...Either.getOrThrow(Properties.conform({}, definitions)) }).toEqual({});
  });
});
