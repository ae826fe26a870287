import { Either, JSONSchema, Schema } from "effect";
import { Refusal, Settlement } from "quittance";
import { describe, expect, it } from "vitest";

const ID = "00000000-0000-7000-8000-000000000001";
const idOf = (index: number) => `00000000-0000-7000-8000-${String(index).padStart(12, "0")}`;

const problemOf = <A, I>(schema: Schema.Schema<A, I>, input: unknown): string | null =>
  Either.match(Schema.decodeUnknownEither(schema)(input), {
    onLeft: (error) => Refusal.fromParseError(error).message,
    onRight: () => null,
  });

describe("creating a settlement", () => {
  const create = (commission_ids: ReadonlyArray<string>) => ({
    customer_id: ID,
    workspace_id: ID,
    partner_id: ID,
    commission_ids,
  });

  it("accepts 1 to 10,000 distinct commissions", () => {
    const most = Array.from({ length: 10_000 }, (_, index) => idOf(index));
    expect(problemOf(Settlement.Create, create([ID]))).toBe(null);
    expect(problemOf(Settlement.Create, create(most))).toBe(null);
    expect(problemOf(Settlement.Create, create([]))).toBe("commission_ids: must have 1 to 10000 ids");
    expect(problemOf(Settlement.Create, create([...most, idOf(10_000)]))).toBe(
      "commission_ids: must have 1 to 10000 ids",
    );
    expect(problemOf(Settlement.Create, create([ID, ID]))).toBe(
      "commission_ids: must not name a commission twice",
    );
  });

  it("is described for OpenAPI with the number of commissions, each once", () => {
    expect(JSONSchema.make(Settlement.Create)).toMatchObject({
      properties: { commission_ids: { type: "array", minItems: 1, maxItems: 10_000, uniqueItems: true } },
    });
  });

  it.each(["customer_id", "workspace_id", "partner_id", "commission_ids"])("needs %s", (field) => {
    expect(problemOf(Settlement.Create, { ...create([ID]), [field]: undefined })).toMatch(
      new RegExp(`^${field}: `),
    );
  });
});

describe("marking as paid", () => {
  it("accepts a date, the bank's reference and a note, each optional and nullable", () => {
    const decode = Schema.decodeUnknownSync(Settlement.MarkAsPaid);
    expect(decode({})).toEqual({});
    expect(
      decode({ paid_at: "1970-01-01T00:00:01Z", bank_reference: "B".repeat(255), note: "n".repeat(1_000) }),
    ).toEqual({ paidAt: 1000, bankReference: "B".repeat(255), note: "n".repeat(1_000) });
    expect(decode({ paid_at: null, bank_reference: null, note: null })).toEqual({
      paidAt: null,
      bankReference: null,
      note: null,
    });
    expect(problemOf(Settlement.MarkAsPaid, { bank_reference: "" })).toBe(
      "bank_reference: must not be empty",
    );
    expect(problemOf(Settlement.MarkAsPaid, { bank_reference: "B".repeat(256) })).toBe(
      "bank_reference: must have 1 to 255 characters",
    );
    expect(problemOf(Settlement.MarkAsPaid, { note: "n".repeat(1_001) })).toBe(
      "note: must have 0 to 1000 characters",
    );
  });
});

describe("a field that is optional", () => {
  it.each([
    ["paid_at", Settlement.MarkAsPaid, {}],
    ["bank_reference", Settlement.MarkAsPaid, {}],
    ["note", Settlement.MarkAsPaid, {}],
    ["note", Settlement.Review, { decision: "write_off" }],
    ["note", Settlement.ResolveDispute, { resolution: "upheld" }],
  ])("is absent or has a value: %s", (field, schema: Schema.Schema.AnyNoContext, request) => {
    expect(problemOf(schema, request)).toBe(null);
    expect(problemOf(schema, { ...request, [field]: null })).toBe(null);
    expect(problemOf(schema, { ...request, [field]: undefined })).toMatch(new RegExp(`^${field}: `));
  });
});

describe("reviews and disputes", () => {
  it.each(["issue_credit_note", "carry_forward", "write_off", "accept_tax", "refuse_tax"])(
    "a review decides %s",
    (decision) => {
      expect(problemOf(Settlement.Review, { decision })).toBe(null);
    },
  );

  it.each(["upheld", "rejected"])("a dispute is %s", (resolution) => {
    expect(problemOf(Settlement.ResolveDispute, { resolution, note: "" })).toBe(null);
  });

  it("accept no other decision, and a dispute needs a reason", () => {
    expect(problemOf(Settlement.Review, { decision: "pay" })).not.toBe(null);
    expect(problemOf(Settlement.ResolveDispute, { resolution: "maybe" })).not.toBe(null);
    expect(problemOf(Settlement.Dispute, { reason: "wrong" })).toBe(null);
    expect(problemOf(Settlement.Dispute, { reason: " " })).toBe("reason: must not be empty");
    expect(problemOf(Settlement.Dispute, { reason: "r".repeat(1_001) })).toBe(
      "reason: must have 1 to 1000 characters",
    );
  });
});
