/** What a change of a sale changes of what one partner earns from it. */
import { Schema } from "effect";
import { ComputationError } from "./Commission.ts";
import { Currency } from "./Currency.ts";
import { field, key, required } from "./Field.ts";
import { FormulaId, PartnerId } from "./Ids.ts";
import { Amount, Count } from "./Money.ts";

/** What a partner earns from a sale in one role at one level under a formula, before and after the sale changes. */
export const EarningChange = Schema.Struct({
  partnerId: key(PartnerId, "partner_id", "The partner."),
  role: Schema.String,
  depth: key(Count, "depth", "How far the partner stands above a seller; 0 in a credit that was given."),
  formulaId: key(FormulaId, "commission_formula_id", "The formula."),
  currency: Currency,
  amountBefore: key(
    Schema.NullOr(Amount),
    "amount_before",
    "Null where the partner earns nothing under the formula, or where the amount cannot be computed.",
  ),
  amountAfter: key(Schema.NullOr(Amount), "amount_after", "The same after the change."),
  dueBefore: key(Amount, "due_before", "What is due of it before."),
  dueAfter: key(
    Amount,
    "due_after",
    "What is due of it after: of what is taken back and of what is new together.",
  ),
  computationError: key(
    Schema.NullOr(ComputationError),
    "computation_error",
    "Why the amount cannot be computed; null where it can.",
  ),
});
export type EarningChange = typeof EarningChange.Type;

/** What a change of a sale changes of all that is earned from it. */
export const EarningChanges = Schema.Struct(
  required({
    commissions: field(
      Schema.Array(EarningChange),
      "commissions",
      "By partner, role, depth and formula: the amount, and what is due of what is cancelled and of what is new together. An amount is null where the partner earns nothing in this role at this depth under the formula, or where it cannot be computed.",
    ),
    changesLaterSales: field(
      Schema.Boolean,
      "changes_later_sales",
      "True where formulas accumulate and compute later sales anew as well; their changes are not in commissions.",
    ),
  }),
);
export type EarningChanges = typeof EarningChanges.Type;
