/** The billing profile: the buyer on self-billed documents. */
import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint";
import * as HttpApiGroup from "@effect/platform/HttpApiGroup";
import * as HttpApiSchema from "@effect/platform/HttpApiSchema";
import * as PlatformOpenApi from "@effect/platform/OpenApi";
import { Schema } from "effect";
import { BillingProfile as Domain } from "quittance";
import * as Example from "./openapi/examples/Story.ts";
import { MaskedAccount } from "./Partners.ts";
import { extension } from "./shared/Annotation.ts";
import { BodyFailure, NotFound } from "./shared/Failure.ts";
import { EventActor, event, optional } from "./shared/Field.ts";
import { shownFields } from "./shared/Record.ts";

const { document_numbers, ...fields } = shownFields(Domain.Write);

/** The caller's own legal data. */
export const BillingProfile = Schema.Struct({ ...fields, document_numbers }).annotations({
  identifier: "BillingProfile",
});

/** The event of a profile; it has `bank_account` if that has changed. */
export const BillingProfileEvent = event("write_billing_profile", {
  actor: EventActor,
  fields: Schema.Array(Schema.String).annotations({ description: "The fields that have changed." }),
  bank_account: optional(Schema.NullOr(MaskedAccount)),
});

const read = HttpApiEndpoint.get("read", "/billing-profile")
  .addSuccess(BillingProfile)
  .addError(NotFound)
  .pipe(
    extension({
      operation: "read billing profile",
      id: "readBillingProfile",
      summary: "Read the billing profile",
      description: "404 before it is written for the first time.",
      response: Example.profile,
      refused: "page: is not a known parameter",
    }),
  );

const write = HttpApiEndpoint.put("write", "/billing-profile")
  .setPayload(Domain.Write)
  .addSuccess(HttpApiSchema.Empty(200))
  .addError(BodyFailure)
  .pipe(
    extension({
      operation: "write billing profile",
      id: "writeBillingProfile",
      summary: "Write the billing profile",
      description:
        "Replaces the whole profile; an absent field is cleared. Existing documents do not change. Later documents have its language, colours and logo. Credit notes ask for payment to bank_account, and payment files pay from it.",
      request: Example.profile,
      refused: "address: is required",
    }),
  );

/** The operations on the billing profile. */
export const BillingProfiles = HttpApiGroup.make("billing_profile")
  .add(read)
  .add(write)
  .annotate(PlatformOpenApi.Title, "Billing profile")
  .annotate(
    PlatformOpenApi.Description,
    "The customer's own legal data: the buyer on self-billed documents.",
  );
