/** Links of partners on the wire. */
import { type PartnerLink, Timestamp } from "quittance";
import * as Contract from "../api/PartnerLinks.ts";
import { recordWriter } from "./Encoding.ts";
import { createdAt, formatOrNull } from "./Entry.ts";

/** A link in a list. */
export const partnerLink = recordWriter<PartnerLink.PartnerLink>()(Contract.PartnerLink, {
  start_datetime: ({ startDatetime }) => Timestamp.format(startDatetime),
  end_datetime: ({ endDatetime }) => formatOrNull(endDatetime),
  created_at: createdAt,
});
