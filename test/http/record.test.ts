import { JSONSchema, Schema } from "effect";
import { CalendarDate, Currency, Field, Ids, Partner, Text, Timestamp } from "quittance";
import { describe, expect, it } from "vitest";
import { shown, shownFields } from "../../adapters/http/api/shared/Record.ts";
import { writer } from "../../adapters/http/wire/Encoding.ts";

const Line = Schema.Struct({
  partnerId: Field.key(Ids.PartnerId, "partner_id", "The partner."),
  at: Timestamp.DateTime,
  day: CalendarDate.CalendarDate,
  currency: Currency.Currency,
  count: Schema.Int.pipe(Schema.between(0, 9, { jsonSchema: { type: "integer", minimum: 0, maximum: 9 } })),
  label: Text.Text(1, 5),
  note: Field.optional(Schema.NullOr(Text.Text(0, 5)), "A remark."),
  rateBps: Schema.optionalWith(Schema.NullOr(Schema.Number), { default: () => null }).pipe(
    Schema.fromKey("rate_bps"),
  ),
}).pipe(Schema.filter(({ label }) => label !== "x" || "must not be x"));

describe("the form of a record in responses", () => {
  it("has the fields under their wire names, without limits, and requires what a record always has", () => {
    expect(JSONSchema.make(shown(Line))).toMatchObject({
      required: ["partner_id", "at", "day", "currency", "count", "label", "rate_bps"],
      properties: {
        partner_id: { type: "string", format: "uuid" },
        at: { type: "string", format: "date-time" },
        day: { type: "string", format: "date" },
        currency: { type: "string", pattern: "^[A-Z]{3}$" },
        count: { type: "integer" },
        label: { type: "string" },
        note: { anyOf: [{ type: "string" }, { type: "null" }] },
        rate_bps: { anyOf: [{ type: "number" }, { type: "null" }] },
      },
    });
    expect(JSON.stringify(JSONSchema.make(shown(Line)))).not.toMatch(/maxLength|maximum|A remark/);
  });

  it("is written by a compiled writer", () => {
    const line = {
      ...{ partner_id: "0190a6e1-5b1e-7c33-9d0e-2f8a61b7d401", at: "2026-01-31T10:00:00.000Z" },
      ...{ day: "2026-01-31", currency: "EUR", count: 12, label: 'longer "than" five', rate_bps: null },
    };
    expect(writer(shown(Line))(line)).toBe(JSON.stringify(line));
  });

  it("keeps the names of schemas that the domain states", () => {
    const { self_billing_data } = shownFields(Partner.Data);
    expect(Object.keys(JSONSchema.make(self_billing_data).$defs ?? {})).toEqual(
      expect.arrayContaining(["Address", "BankAccount", "SelfBillingData"]),
    );
  });

  it("refuses a schema that has no form in responses", () => {
    expect(() => shown(Schema.Struct({ any: Schema.Unknown }))).toThrow("responses cannot state unknown");
  });
});
