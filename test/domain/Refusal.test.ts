import { Either, Schema } from "effect";
import { Refusal } from "quittance";
import { describe, expect, it } from "vitest";

describe("a refusal", () => {
  it("that is a conflict begins with its token", () => {
    expect(Refusal.conflict("busy", "try again")).toMatchObject({
      _tag: "Conflict",
      token: "busy",
      message: "busy: try again",
    });
  });

  it("of a field names the field", () => {
    expect(Refusal.invalid("name", "must not be empty")).toMatchObject({
      _tag: "Invalid",
      message: "name: must not be empty",
    });
  });

  it("of a record that the principal cannot see does not state whether it exists", () => {
    expect(Refusal.missing("partner")).toMatchObject({ _tag: "Missing", message: "partner not found" });
  });

  it("of an input names the deepest field that is wrong, the first of several", () => {
    const schema = Schema.Struct({ a: Schema.Struct({ b: Schema.Array(Schema.Number) }), c: Schema.Number });
    const message = (input: unknown) =>
      Either.match(Schema.decodeUnknownEither(schema, { errors: "all" })(input), {
        onLeft: (error) => Refusal.fromParseError(error).message,
        onRight: () => null,
      });
    expect(message({ a: { b: [1, "x"] }, c: "y" })).toMatch(/^a\.b\.1: /);
    expect(message({ a: { b: ["x", "y"] }, c: 1 })).toMatch(/^a\.b\.0: /);
    expect(message(null)).toMatch(/^Expected /);
  });
});
