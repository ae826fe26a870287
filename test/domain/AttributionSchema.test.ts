import { Either, Schema } from "effect";
import { AttributionSchema, Refusal } from "quittance";
import { describe, expect, it } from "vitest";

const property = (changes: object = {}) => ({ name: "value", type: "number", required: true, ...changes });
const problemOf = (properties: ReadonlyArray<object>): string | null =>
  Either.match(
    Schema.decodeUnknownEither(AttributionSchema.Create)({
      workspace_id: "00000000-0000-7000-8000-000000000001",
      name: "sale",
      properties,
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

  it("have names of 1 to 128 characters that reach no prototype, each used once", () => {
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
