/** The terms of plans on the wire. */
import { Formula, type PlanAcceptance, type PlanTerms, type Storage, Timestamp } from "quittance";
import { print } from "quittance/formula";
import * as Contract from "../api/PlanTerms.ts";
import { recordWriter } from "./Encoding.ts";
import { createdAt, formatOrNull } from "./Entry.ts";

type Window = Pick<PlanTerms.TermsSpan, "fromDatetime" | "untilDatetime">;

const from = (row: Window): string => Timestamp.format(row.fromDatetime);
const until = (row: Window): string | null => formatOrNull(row.untilDatetime);

const acceptance = {
  from_datetime: (row: PlanAcceptance.PlanAcceptance) => Timestamp.format(row.fromDatetime),
  end_datetime: (row: PlanAcceptance.PlanAcceptance) => formatOrNull(row.endDatetime),
  created_at: createdAt,
};

/** An acceptance in a list. */
export const planAcceptance = recordWriter<Storage.Listed["planAcceptance"]>()(
  Contract.PlanAcceptance,
  acceptance,
);

/** The terms of a plan for a partner. */
export const planTerms = recordWriter<PlanTerms.Terms>()(Contract.PlanTerms, {
  start_datetime: (row) => Timestamp.format(row.startDatetime),
  end_datetime: (row) => formatOrNull(row.endDatetime),
  from_datetime: from,
  until_datetime: until,
  expression_text: (row) => print(row.expression),
  roles: ({ roles = null }) => Formula.rolesOf({ roles }),
  apply_share: Formula.appliesShare,
  paragraphs: [{}],
  acceptance: [acceptance],
  spans: [
    {
      from_datetime: from,
      until_datetime: until,
      accepted_at: ({ acceptedAt }) => formatOrNull(acceptedAt),
    },
  ],
});
