/** What a change of a sale changes, or would change, of its credits and of what it earns. */
import { Schema } from "effect";
import { EarningChange, Recredit } from "quittance";
import { Amount, Count, Currency, Id } from "./shared/Field.ts";
import { shown, shownFields } from "./shared/Record.ts";

/** What replacing an attribution would change of what it earns. */
export const ReplacementDryRun = shown(EarningChange.EarningChanges).annotations({
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
  ...shownFields(Recredit.CreditChanges),
  ...shownFields(EarningChange.EarningChanges),
}).annotations({ identifier: "RecreditDryRun" });
