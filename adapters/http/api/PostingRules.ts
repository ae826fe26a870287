/** Posting rules: which accounts, cost centres and texts the journal has. */
import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint";
import * as HttpApiGroup from "@effect/platform/HttpApiGroup";
import * as HttpApiSchema from "@effect/platform/HttpApiSchema";
import * as PlatformOpenApi from "@effect/platform/OpenApi";
import { Schema } from "effect";
import { Books as Domain, Journal, Partner } from "quittance";
import * as Example from "./openapi/examples/Story.ts";
import { extension } from "./shared/Annotation.ts";
import { BodyFailure } from "./shared/Failure.ts";
import { DateTime, EventActor, event, Id, optional } from "./shared/Field.ts";

const rule = {
  account: Journal.Account,
  kind: optional(Journal.Kind),
  plan_id: optional(Id),
  partner_id: optional(Id),
  workspace_id: optional(Id),
  tax_treatment: optional(Partner.TaxTreatment),
  number: Schema.String,
  cost_centre: optional(Schema.String),
  text: optional(Schema.String),
};

/** The settings of files, as records and events have them. */
const settings = {
  reverse_charge: optional(
    Schema.Array(
      Schema.Struct({ from: Schema.String, rate_bps: Schema.Int }).annotations({
        identifier: "ReverseChargeRate",
      }),
    ),
  ),
  datev: optional(
    Schema.Struct({
      consultant: Schema.Int,
      client: Schema.Int,
      account_length: Schema.Int,
      fiscal_year_start: Schema.String,
    }).annotations({ identifier: "DatevSettings" }),
  ),
  xero: optional(
    Schema.Struct({ tax_rate: Schema.String, tracking_category: optional(Schema.String) }).annotations({
      identifier: "XeroSettings",
    }),
  ),
};

const PostingRule = Schema.Struct(rule).annotations({ identifier: "PostingRule" });

/** The rules of a customer. */
export const PostingRulesRecord = Schema.Struct({
  rules: Schema.Array(PostingRule),
  ...settings,
  updated_at: Schema.NullOr(DateTime).annotations({ description: "Null if they were never written." }),
}).annotations({ identifier: "PostingRules" });

/** The event of the rules. */
export const PostingRulesEvent = event("write_posting_rules", {
  actor: EventActor,
  rules: Schema.Array(Schema.Struct(rule)),
  ...settings,
});

const read = HttpApiEndpoint.get("read", "/posting-rules")
  .addSuccess(PostingRulesRecord)
  .pipe(
    extension({
      operation: "read books",
      id: "readPostingRules",
      summary: "Read the posting rules",
      description: "Before they are written there are none. Needs settlements:read.",
      response: { ...Example.postingRules, updated_at: Example.SALE },
      refused: "page: is not a known parameter",
    }),
  );

const write = HttpApiEndpoint.put("write", "/posting-rules")
  .setPayload(Domain.Write)
  .addSuccess(HttpApiSchema.Empty(200))
  .addError(BodyFailure)
  .pipe(
    extension({
      operation: "write books",
      id: "writePostingRules",
      summary: "Write the posting rules",
      description:
        "Replaces all rules, the rates of tax under reverse charge, and the settings of files for DATEV and Xero. A posting of the journal has the number, cost centre and text of the first rule for its account of which every condition applies; the journal of every open month follows the rules at once, and no amount depends on them. Needs settlements:approve.",
      request: Example.postingRules,
      refused:
        "rules.0.kind: must be absent for input_tax, because what is posted there under one number could be taken back under another",
    }),
  );

/** The operations on posting rules. */
export const PostingRules = HttpApiGroup.make("posting_rules")
  .add(read)
  .add(write)
  .annotate(PlatformOpenApi.Title, "Posting rules")
  .annotate(PlatformOpenApi.Description, "The accounts, cost centres and texts of the journal.");
