/** The terms of a plan for a partner as text. */

import { Currency, Ids, PlanTermsText } from "quittance";
import { LANGUAGES } from "quittance/explanation";
import { expect, it } from "vitest";

const id = (last: number): string => `00000000-0000-4000-8000-${String(last).padStart(12, "0")}`;

const NAMED: PlanTermsText.Named = {
  span: {
    planId: Ids.PlanId.make(id(1)),
    partnerId: Ids.PartnerId.make(id(2)),
    schemaId: Ids.SchemaId.make(id(3)),
    formulaId: Ids.FormulaId.make(id(4)),
    currency: Currency.Currency.make("EUR"),
    formulaVersion: 2,
    parameters: [],
    inForce: new Map(),
    expression: {
      type: "multiply",
      operands: [
        { type: "property", name: "order_value" },
        { type: "literal", value: { type: "percent", value: 10 } },
      ],
    },
    startDatetime: Date.parse("2026-01-01T00:00:00Z"),
    endDatetime: Date.parse("2027-01-01T00:00:00Z"),
    fromDatetime: Date.parse("2026-03-01T00:00:00Z"),
    untilDatetime: null,
  },
  hash: "0123456789abcdef".repeat(4),
  sales: {
    id: Ids.SchemaId.make(id(3)),
    name: "Order",
    properties: [{ name: "order_value", type: "number", required: true, format: "money_minor" }],
  },
  planName: "Affiliates",
  partnerName: "Nordlys ApS",
  acceptance: null,
};

it("has facts, the rule and the hash", () => {
  expect(PlanTermsText.plainText(PlanTermsText.termsText(NAMED, "en"))).toBe(`Commission terms

Plan: Affiliates
Partner: Nordlys ApS
Sales: Order
Currency: EUR
Version: 2
In force from: 1 March 2026
In force until before: 1 January 2027

For each sale, 10 % of the order value.
The result is rounded to 0.01 EUR; exactly half of that is rounded up, or down where the result is negative.

Fingerprint: ${NAMED.hash}
Not accepted yet.
`);
});

it("says in every language that there is no end", () => {
  const open = { ...NAMED, span: { ...NAMED.span, endDatetime: null } };
  const ends = LANGUAGES.map((language) => PlanTermsText.termsText(open, language).facts.at(-1)?.value);
  expect(ends).toEqual(["without end", "ohne Ende", "sans fin", "sin fin"]);
});

it("says who has accepted, and from where somebody else knows it", () => {
  const acceptance = { name: "Ida Nord", createdAt: Date.parse("2026-03-05T10:00:00Z") };
  const noteOf = (item: PlanTermsText.Named["acceptance"], language: "en" | "de") =>
    PlanTermsText.termsText({ ...NAMED, acceptance: item }, language).notes.at(-1);
  expect(noteOf({ ...acceptance, onBehalf: false, reference: null }, "en")).toBe(
    "Accepted by Ida Nord on 5 March 2026.",
  );
  expect(noteOf({ ...acceptance, onBehalf: true, reference: "contract 17" }, "de")).toBe(
    "Angenommen von Ida Nord am 5. März 2026, festgehalten nach contract 17.",
  );
});
