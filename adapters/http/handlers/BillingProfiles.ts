/** The operations on the billing profile. */
import { Effect } from "effect";
import type { BillingProfiles } from "quittance";
import { billingProfile } from "../wire/Partner.ts";
import type { Handlers } from "./Handlers.ts";
import * as Responses from "./Responses.ts";

/** The handlers of the operations of this group; each calls its service. */
export const billingProfiles = (service: BillingProfiles.BillingProfiles): Handlers["billing_profile"] => ({
  read: ({ principal }) =>
    Effect.map(service.read(principal), (profile) => Responses.jsonText(billingProfile(profile))),
  write: ({ principal, payload, options }) =>
    Effect.map(service.write(principal, payload, options), Responses.emptyBody),
});
