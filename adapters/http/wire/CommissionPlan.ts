/** Commission plans on the wire. */
import { type CommissionPlans, Formula } from "quittance";
import * as Contract from "../api/CommissionPlans.ts";
import { recordWriter } from "./Encoding.ts";
import { datetime } from "./Entry.ts";
import { declarations, formulaText, versions } from "./FormulaText.ts";

/** A plan in a list: its present values, the expression and versions at the moment of the read, and how far it has reached its formulas. */
export const commissionPlan = recordWriter<CommissionPlans.ListedPlan>()(Contract.CommissionPlan, {
  roles: Formula.rolesOf,
  release: (row) => row.release ?? undefined,
  events: [{ datetime }],
  view: {
    formula: ({ expression }) => expression,
    formula_text: formulaText,
    versions,
    parameters: declarations,
  },
});
