import { Either } from "effect";
import { explainText } from "quittance/explanation";
import { check, compile, decode, explain, formatProblem } from "quittance/formula";

const properties = [
  { name: "price", type: "number", required: true, format: "money_major" },
  { name: "discount", type: "number", required: false, format: "money_major" },
] as const;

const tenPercentOfNet = {
  type: "multiply",
  operands: [
    {
      type: "subtract",
      left: { type: "property", name: "price" },
      right: {
        type: "coalesce",
        operands: [
          { type: "property", name: "discount" },
          { type: "literal", value: { type: "number", value: 0 } },
        ],
      },
    },
    { type: "literal", value: { type: "percent", value: 10 } },
    { type: "literal", value: { type: "number", value: 100 } },
  ],
};

const sale = {
  id: "5f0c6f2e-6f5b-4c6e-9d6f-0d9a3a0c1b11",
  partnerId: "0d9a3a0c-4c6e-4f5b-8d6f-5f0c6f2e1b12",
  customerId: "1b13c6f2-4c6e-4f5b-8d6f-5f0c6f2e1b13",
  workspaceId: "2b14c6f2-4c6e-4f5b-8d6f-5f0c6f2e1b14",
  schemaId: "3b15c6f2-4c6e-4f5b-8d6f-5f0c6f2e1b15",
  agentId: null,
  createdAt: Date.parse("2026-01-15T12:00:00Z"),
  occurredAt: Date.parse("2026-01-15T12:00:00Z"),
  properties: { price: 89.9, discount: 8.99 },
};

const euros = { currency: "EUR", decimals: 2 };

/** Explains the commission of one sale, or prints the problem of the formula. */
export const main = (): string =>
  decode(tenPercentOfNet).pipe(
    Either.flatMap((expression) => check(expression, properties)),
    Either.map((checked) => explainText(explain(compile(checked), sale), euros)),
    Either.getOrElse(formatProblem),
  );
