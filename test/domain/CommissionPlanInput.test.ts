import { Either, Schema } from "effect";
import { CommissionPlan, Refusal } from "quittance";
import { expect, it } from "vitest";

const ID = "00000000-0000-7000-8000-000000000001";

const problemOf = <A, I>(schema: Schema.Schema<A, I>, input: unknown): string | null =>
  Either.match(Schema.decodeUnknownEither(schema)(input), {
    onLeft: (error) => Refusal.fromParseError(error).message,
    onRight: () => null,
  });

it("values are stated for 1 to 1,000 partners at a time, each with its date", () => {
  const one = { partner_id: ID, values: { rate: 7, senior: true, since: null }, effective_datetime: null };
  const many = (count: number) => ({ partners: Array.from({ length: count }, () => one) });
  expect(problemOf(CommissionPlan.SetParameters, many(1))).toBe(null);
  expect(problemOf(CommissionPlan.SetParameters, many(1_000))).toBe(null);
  expect(problemOf(CommissionPlan.SetParameters, many(0))).toBe("partners: must have 1 to 1000 items");
  expect(problemOf(CommissionPlan.SetParameters, many(1_001))).toBe("partners: must have 1 to 1000 items");
  expect(problemOf(CommissionPlan.SetParameters, { partners: [{ ...one, partner_id: "x" }] })).toBe(
    "partners.0.partner_id: must be a UUID",
  );
  expect(problemOf(CommissionPlan.SetParameters, { partners: [{ ...one, values: { rate: [] } }] })).toMatch(
    "partners.0.values",
  );
});

it("an assignment takes first values, of which none is null", () => {
  const input = { partner_ids: [ID], parameters: { rate: 7 } };
  expect(problemOf(CommissionPlan.Assign, input)).toBe(null);
  expect(problemOf(CommissionPlan.Assign, { ...input, parameters: { rate: null } })).toMatch(
    "parameters.rate",
  );
});
