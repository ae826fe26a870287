/** Posting rules on the wire. */
import type { PostingRules } from "quittance";
import * as Contract from "../api/PostingRules.ts";
import { recordWriter } from "./Encoding.ts";
import { formatOrNull } from "./Entry.ts";

/** The rules of a customer. */
export const postingRules = recordWriter<PostingRules.WrittenRules>()(Contract.PostingRulesRecord, {
  rules: [{}],
  reverse_charge: [{}],
  datev: [{}],
  xero: [{}],
  updated_at: ({ updatedAt }) => formatOrNull(updatedAt),
});
