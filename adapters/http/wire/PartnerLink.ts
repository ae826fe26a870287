/** Links of partners on the wire. */
import type { PartnerLink } from "quittance";
import * as Contract from "../api/PartnerLinks.ts";
import { recordWriter } from "./Encoding.ts";

/** A link in a list. */
export const partnerLink = recordWriter<PartnerLink.PartnerLink>()(Contract.PartnerLink, {});
