import { describe, expect, it } from "vitest";
import { MOMENTS } from "../../adapters/client/Contract.ts";
import { write } from "../../adapters/client/Values.ts";
import { momentFields } from "../../docs/generate/ClientTypes.ts";

describe("a number in a request", () => {
  it("is a moment in the fields for which the contract says so, in no other", () => {
    expect([...MOMENTS]).toEqual(expect.arrayContaining(["occurred_at", "start_datetime", "until"]));
    expect(write({ occurredAt: 0, nested: [{ until: 1_000 }] })).toEqual({
      occurred_at: "1970-01-01T00:00:00.000Z",
      nested: [{ until: "1970-01-01T00:00:01.000Z" }],
    });
    // The names end like those of moments.
    expect(write({ roundedTo: 2, replyAt: 3, discountFrom: 4 })).toEqual({
      rounded_to: 2,
      reply_at: 3,
      discount_from: 4,
    });
  });

  it("cannot be a moment in one request and a number in another", () => {
    const moment = { properties: { due: { type: "string", format: "date-time" } } };
    const amount = { properties: { due: { type: "integer" } } };
    expect(momentFields({}, [moment, { items: moment }])).toEqual(new Set(["due"]));
    expect(() => momentFields({}, [moment, amount])).toThrow(
      "a moment in one request and a number in another: due",
    );
  });
});
