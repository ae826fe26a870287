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
      field: "name",
      message: "name: must not be empty",
    });
    expect(Refusal.forbiddenField("partner_id", "outside the grant")).toMatchObject({
      _tag: "Forbidden",
      field: "partner_id",
      message: "partner_id: outside the grant",
    });
  });

  it("of a part of a request names the field by its place in the request", () => {
    expect(Refusal.within("samples.0", Refusal.invalid("properties.plan", "is required"))).toMatchObject({
      field: "samples.0.properties.plan",
      message: "samples.0.properties.plan: is required",
    });
    const whole = new Refusal.Invalid({ field: null, message: "must be an object" });
    expect(Refusal.within("samples.0", whole)).toMatchObject({
      field: "samples.0",
      message: "samples.0: must be an object",
    });
  });

  it("states its field or its token, and not the other", () => {
    const facts = [
      Refusal.invalid("name", "x"),
      Refusal.conflict("busy", "x"),
      Refusal.missing("partner"),
      Refusal.forbidden("x"),
    ].map(Refusal.facts);
    expect(facts).toEqual([
      { field: "name", token: null },
      { field: null, token: "busy" },
      { field: null, token: null },
      { field: null, token: null },
    ]);
  });

  it("of a record that the principal cannot see does not state whether it exists", () => {
    expect(Refusal.missing("partner")).toMatchObject({ _tag: "Missing", message: "partner not found" });
  });

  it("of an input names the deepest field that is wrong, the first of several", () => {
    const schema = Schema.Struct({ a: Schema.Struct({ b: Schema.Array(Schema.Number) }), c: Schema.Number });
    const refusal = (input: unknown) =>
      Either.match(Schema.decodeUnknownEither(schema, { errors: "all" })(input), {
        onLeft: Refusal.fromParseError,
        onRight: () => null,
      });
    const expected = (field: string | null, message: RegExp) => ({
      field,
      message: expect.stringMatching(message),
    });
    expect(refusal({ a: { b: [1, "x"] }, c: "y" })).toMatchObject(expected("a.b.1", /^a\.b\.1: /));
    expect(refusal({ a: { b: ["x", "y"] }, c: 1 })).toMatchObject(expected("a.b.0", /^a\.b\.0: /));
    expect(refusal(null)).toMatchObject(expected(null, /^Expected /));
  });
});
