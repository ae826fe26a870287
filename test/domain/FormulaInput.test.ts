import { Either, JSONSchema, Schema } from "effect";
import { Formula, Refusal } from "quittance";
import { describe, expect, it } from "vitest";

describe("the requests", () => {
  const ID = "00000000-0000-7000-8000-000000000001";
  const body = {
    partner_id: ID,
    workspace_id: ID,
    schema_id: ID,
    name: "n".repeat(255),
    description: "d".repeat(2_000),
    start_datetime: "2026-01-01T00:00:00Z",
    end_datetime: null,
    currency: "EUR",
    expression: {},
  };
  const problemOf = <A, I>(schema: Schema.Schema<A, I>, input: unknown): string | null =>
    Either.match(Schema.decodeUnknownEither(schema)(input), {
      onLeft: (error) => Refusal.fromParseError(error).message,
      onRight: () => null,
    });

  it("limit name, description and reason", () => {
    expect(problemOf(Formula.Create, body)).toBe(null);
    expect(problemOf(Formula.Create, { ...body, name: "" })).toBe("name: must not be empty");
    expect(problemOf(Formula.Create, { ...body, description: "d".repeat(2_001) })).toBe(
      "description: must have 0 to 2000 characters",
    );
    expect(problemOf(Formula.Update, { name: "n".repeat(256) })).toBe("name: must have 1 to 255 characters");
    expect(problemOf(Formula.Update, { name: "", description: "" })).toBe("name: must not be empty");
    expect(problemOf(Formula.Update, { description: "" })).toBe(null);
    expect(problemOf(Formula.Cancel, { reason: "" })).toBe("reason: must not be empty");
    expect(problemOf(Formula.Cancel, { reason: "r".repeat(1_000) })).toBe(null);
  });

  it("refuse a field that is present without a value", () => {
    for (const field of ["description", "end_datetime"]) {
      expect(problemOf(Formula.Create, { ...body, [field]: undefined })).toMatch(field);
    }
    const fields = ["name", "description", "start_datetime", "end_datetime", "effective_datetime"];
    for (const field of fields) expect(problemOf(Formula.Update, { [field]: undefined })).toMatch(field);
  });

  it("refer to the formula language for the expression", () => {
    expect(JSONSchema.make(Formula.ExpressionInput)).toMatchObject({
      $ref: "#/components/schemas/Expression",
    });
  });

  it("state an expression in one form, or none", () => {
    expect(Formula.statesExpression({})).toBe(false);
    expect(Formula.statesExpression({ expressionText: "1" })).toBe(true);
    expect(Formula.statesExpression({ expression: { type: "property", name: "x" } })).toBe(true);
  });

  it("declare up to 50 different parameters with names, types and defaults that fit", () => {
    const problem = (...parameters: ReadonlyArray<unknown>) =>
      problemOf(Formula.Create, { ...body, parameters });
    const rate = { name: "rate", type: "number" };
    const many = Array.from({ length: 51 }, (_, index) => ({ ...rate, name: `p${index}` }));
    expect(problem(...many.slice(1))).toBe(null);
    expect(problem(...many)).toBe("parameters: must have at most 50 parameters");
    expect(problem(rate, rate)).toBe("parameters.1.name: is used by an earlier parameter");
    expect(problem({ ...rate, name: "1st" })).toMatch("parameters.0.name: must be at most 64 letters");
    expect(problem({ ...rate, name: "constructor" })).toBe("parameters.0.name: must not be constructor");
    expect(problem({ ...rate, type: "money" })).toBe(
      "parameters.0.type: must be one of number, string, boolean, date",
    );
    expect(problem({ ...rate, default: "7" })).toBe("parameters.0.default: must be a number");
    expect(problem({ name: "since", type: "date", default: "2026-02-30" })).toMatch(
      "parameters.0.default: must be a date",
    );
    expect(problem({ name: "since", type: "date", format: "count" })).toMatch(
      "parameters.0.format: must be absent",
    );
    expect(problem({ ...rate, default: 7.5, format: "percent" })).toBe(null);
  });

  it("name dates as the interface does", () => {
    expect(
      Schema.decodeUnknownSync(Formula.Create)({ ...body, end_datetime: "2026-02-01T00:00:00Z" }),
    ).toMatchObject({
      startDatetime: Date.parse("2026-01-01T00:00:00Z"),
      endDatetime: Date.parse("2026-02-01T00:00:00Z"),
    });
    expect(
      Schema.decodeUnknownSync(Formula.Update)({
        start_datetime: "1970-01-01T00:00:00.001Z",
        end_datetime: "1970-01-01T00:00:00.002Z",
        effective_datetime: "1970-01-01T00:00:00.003Z",
      }),
    ).toEqual({ startDatetime: 1, endDatetime: 2, effectiveDatetime: 3 });
    expect(problemOf(Formula.Create, { ...body, start_datetime: undefined })).toMatch(/^start_datetime: /);
    for (const name of ["partner_id", "workspace_id", "schema_id"]) {
      expect(problemOf(Formula.Create, { ...body, [name]: "x" })).toBe(`${name}: must be a UUID`);
    }
  });
});
