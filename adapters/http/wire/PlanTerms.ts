/** The terms of plans on the wire. */
import { Formula, type PlanTerms, type Storage } from "quittance";
import { print } from "quittance/formula";
import * as Contract from "../api/PlanTerms.ts";
import { recordWriter } from "./Encoding.ts";

/** An acceptance in a list. */
export const planAcceptance = recordWriter<Storage.Listed["planAcceptance"]>()(Contract.PlanAcceptance, {});

/** The terms of a plan for a partner. */
export const planTerms = recordWriter<PlanTerms.Terms>()(Contract.PlanTerms, {
  expression_text: (row) => print(row.expression),
  roles: ({ roles = null }) => Formula.rolesOf({ roles }),
  apply_share: Formula.appliesShare,
  paragraphs: [{}],
  acceptance: [{}],
  spans: [{}],
});
