/** What new formulas would change, in responses to dry runs. */
import { Schema } from "effect";
import { Count, Currency, DateTime, Id, Sum } from "./Field.ts";

/** What an assignment or a new formula would change; nothing is stored. */
export const FormulaDryRun = Schema.Struct({
  formula_count: Count.annotations({
    description: "The formulas that would be created; a partner with the same assignment already gets none.",
  }),
  commissions: Schema.Array(
    Schema.Struct({ currency: Currency, count: Count, amount: Sum, waiting: Sum }),
  ).annotations({
    description:
      "The commissions that would be created for past sales, their sum, and the part of it that would wait until buyers have paid.",
  }),
  not_computable_count: Count.annotations({
    description: "Past sales whose amount would exceed the largest amount; they are not in commissions.",
  }),
  overlap_count: Count,
  overlaps: Schema.Array(
    Schema.Struct({
      partner_id: Id,
      formula_id: Id,
      plan_id: Schema.NullOr(Id),
      name: Schema.String,
      currency: Currency,
      start_datetime: DateTime,
      end_datetime: Schema.NullOr(DateTime),
    }),
  ).annotations({
    description:
      "The formulas of the same partner and schema under which sales from now on would pay as well, and when; the first 100.",
  }),
  missing_values: Schema.Array(
    Schema.Struct({ partner_id: Id, parameters: Schema.Array(Schema.String) }),
  ).annotations({
    description:
      "Partners for which an assignment would be refused: they have no value for these parameters, which have no default. They are in nothing above.",
  }),
}).annotations({ identifier: "FormulaDryRun" });
