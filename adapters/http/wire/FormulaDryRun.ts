/** Dry runs of assignments and of new formulas on the wire. */
import type { CommissionPlans } from "quittance";
import * as Contract from "../api/shared/FormulaDryRun.ts";
import { recordWriter } from "./Encoding.ts";

/** What an assignment or a new formula would change. */
export const formulaDryRun = recordWriter<CommissionPlans.Prospect>()(Contract.FormulaDryRun, {
  commissions: [{}],
  missing_values: [{}],
  overlaps: [{}],
});
