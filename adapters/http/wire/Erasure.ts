/** Erasures on the wire. */
import type { Erasures } from "quittance";
import * as Contract from "../api/Erasures.ts";
import { recordWriter, writer } from "./Encoding.ts";

/** What was erased of a partner. */
export const partnerErasure = recordWriter<Erasures.PartnerErasure>()(Contract.PartnerErasure, {
  records: [{}],
});

/** How many entries of the feed were erased. */
export const eventErasure = writer(Contract.EventErasure);
