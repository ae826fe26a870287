/** What a change of a sale changes, or would change, of its credits and of what it earns. */
import { Schema } from "effect";
import { Amount, Count, Currency, Id } from "./shared/Field.ts";

/** What a change of a sale would change of what it earns. */
const EARNING_CHANGES = {
  commissions: Schema.Array(
    Schema.Struct({
      partner_id: Id,
      role: Schema.String,
      depth: Count,
      commission_formula_id: Id,
      currency: Currency,
      amount_before: Schema.NullOr(Amount),
      amount_after: Schema.NullOr(Amount),
      due_before: Amount,
      due_after: Amount,
      computation_error: Schema.NullOr(Schema.Struct({ code: Schema.String, message: Schema.String })),
    }),
  ).annotations({
    description:
      "By partner, role, depth and formula: the amount, and what is due of what is cancelled and of what is new together. An amount is null where the partner earns nothing in this role at this depth under the formula, or where it cannot be computed.",
  }),
  changes_later_sales: Schema.Boolean.annotations({
    description:
      "True where formulas accumulate and compute later sales anew as well; their changes are not in commissions.",
  }),
};

/** What replacing an attribution would change of what it earns. */
export const ReplacementDryRun = Schema.Struct(EARNING_CHANGES).annotations({
  identifier: "ReplacementDryRun",
});

/** What stating a receipt would release of the commissions of a sale that wait for its buyer. */
export const ReceiptPreview = Schema.Struct({
  commissions: Schema.Array(
    Schema.Struct({
      commission_id: Id,
      partner_id: Id,
      commission_formula_id: Id,
      currency: Currency,
      computed_amount: Schema.NullOr(Amount),
      released_before: Amount,
      released_after: Amount,
      due_before: Amount,
      due_after: Amount,
    }),
  ),
}).annotations({ identifier: "ReceiptPreview" });

/** How many credits of uplines a sale has got and lost. */
export const Recredited = Schema.Struct({ added: Count, cancelled: Count }).annotations({
  identifier: "Recredited",
});

/** What recrediting a sale would change of its credits and of what these earn. */
export const RecreditDryRun = Schema.Struct({
  credits: Schema.Array(
    Schema.Struct({
      partner_id: Id,
      role: Schema.String,
      depth: Count,
      share_before: Schema.NullOr(Schema.String),
      share_after: Schema.NullOr(Schema.String),
    }),
  ).annotations({
    description: "The credits of uplines that change; a share is null where the sale has no such credit.",
  }),
  ...EARNING_CHANGES,
}).annotations({ identifier: "RecreditDryRun" });
