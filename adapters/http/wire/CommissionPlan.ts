/** Commission plans on the wire. */
import { Formula, type Storage, Timestamp } from "quittance";
import * as Contract from "../api/CommissionPlans.ts";
import { recordWriter } from "./Encoding.ts";
import { createdAt, datetime, formatOrNull } from "./Entry.ts";
import { declarations, formulaText } from "./FormulaText.ts";

/** A plan in a list: its present values, the expression stated last, and how far it has reached its formulas. */
export const commissionPlan = recordWriter<Storage.Listed["plan"]>()(Contract.CommissionPlan, {
  start_datetime: (row) => Timestamp.format(row.startDatetime),
  end_datetime: (row) => formatOrNull(row.endDatetime),
  expression: Formula.currentExpression,
  created_at: createdAt,
  events: [{ datetime }],
  view: { formula: Formula.currentExpression, formula_text: formulaText, parameters: declarations },
});
