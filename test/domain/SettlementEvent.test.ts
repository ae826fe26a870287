import { Schema } from "effect";
import { Settlement } from "quittance";
import { expect, it } from "vitest";

it("ends the review of a negative settlement in one of three ways, and of a tax in one of two", () => {
  expect(Settlement.ReviewDecision.literals).toEqual([
    "issue_credit_note",
    "carry_forward",
    "write_off",
    "accept_tax",
    "refuse_tax",
  ]);
  expect(Schema.is(Settlement.ReviewDecision)("pay")).toBe(false);
});

it("ends a dispute in one of two ways", () => {
  expect(Settlement.Resolution.literals).toEqual(["upheld", "rejected"]);
});
