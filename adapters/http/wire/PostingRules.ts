/** Posting rules on the wire. */
import type { PostingRules } from "quittance";
import * as Contract from "../api/PostingRules.ts";
import { recordWriter } from "./Encoding.ts";

/** The rules of a customer. */
export const postingRules = recordWriter<PostingRules.WrittenRules>()(Contract.PostingRulesRecord, {
  rules: [{}],
  reverse_charge: [{}],
  datev: [{}],
  xero: [{}],
});
