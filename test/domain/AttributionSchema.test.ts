import { Either, Schema } from "effect";
import { AttributionSchema, Refusal } from "quittance";
import { describe, expect, it } from "vitest";

const property = (changes: object = {}) => ({ name: "value", type: "number", required: true, ...changes });
const problemOf = (properties: ReadonlyArray<object>, display?: unknown): string | null =>
  Either.match(
    Schema.decodeUnknownEither(AttributionSchema.Create)({
      workspace_id: "00000000-0000-7000-8000-000000000001",
      name: "sale",
      properties,
      ...(display === undefined ? {} : { display_properties: display }),
    }),
    { onLeft: (error) => Refusal.fromParseError(error).message, onRight: () => null },
  );

describe("the properties of a schema", () => {
  it("are strings, numbers and booleans, with a default of their own type", () => {
    expect(problemOf([])).toBe(null);
    expect(
      problemOf([
        property(),
        property({ name: "plan", type: "string", default: "basic" }),
        property({ name: "paid", type: "boolean", required: false, default: false }),
      ]),
    ).toBe(null);
    expect(problemOf([property({ default: "1" })])).not.toBe(null);
    expect(problemOf([property({ default: 1e16 })])).not.toBe(null);
    expect(problemOf([property({ type: "date" })])).not.toBe(null);
    expect(problemOf([property({ required: undefined })])).not.toBe(null);
  });

  it("declare what a number means, and of numbers only", () => {
    for (const format of ["money_minor", "money_major", "count", "percent", "plain"])
      expect(problemOf([property({ format })])).toBe(null);
    expect(problemOf([property({ format: "money" })])).toBe(
      "properties.0.format: must be one of money_minor, money_major, count, percent, plain",
    );
    expect(problemOf([property({ format: null })])).toMatch(/^properties\.0\.format: /);
    for (const type of ["string", "boolean"])
      expect(problemOf([property(), property({ name: "other", type, format: "plain" })])).toBe(
        "properties.1.format: must be absent unless type is number",
      );
  });

  it("have unique names of 1 to 128 characters, none of which is a member of Object.prototype", () => {
    expect(problemOf([property({ name: "n".repeat(128) })])).toBe(null);
    expect(problemOf([property({ name: "n".repeat(129) })])).toBe(
      "properties.0.name: must have 1 to 128 characters",
    );
    expect(problemOf([property({ name: "constructor" })])).toBe("properties.0.name: must not be constructor");
    expect(problemOf([property({ name: "other" }), property(), property()])).toBe(
      "properties.2.name: is used by an earlier property",
    );
  });

  it("are at most a hundred", () => {
    const many = (count: number) =>
      Array.from({ length: count }, (_, index) => property({ name: `p${index}` }));
    expect(problemOf(many(100))).toBe(null);
    expect(problemOf(many(101))).toBe("properties: must have at most 100 properties");
  });
});

describe("the properties that documents show", () => {
  const names = ["a", "b", "c", "d", "e"];
  const properties = names.map((name) => property({ name }));

  it("are up to four properties of the schema, each once", () => {
    for (const shown of [[], ["c"], ["d", "a", "c", "b"]]) expect(problemOf(properties, shown)).toBeNull();
    expect(problemOf(properties, names)).toBe("display_properties: must have at most 4 names");
    expect(problemOf(properties, ["a", "f"])).toBe("display_properties.1: must be the name of a property");
    expect(problemOf(properties, ["a", "b", "a"])).toBe("display_properties.2: is named before");
    expect(problemOf(properties, "a")).toMatch(/^display_properties: /);
    expect(problemOf(properties, [1])).toMatch(/^display_properties\.0: /);
  });
});
