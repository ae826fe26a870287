/** The terms of commission plans for their partners. */
import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint";
import { Schema } from "effect";
import { PlanAcceptance as Domain, Field, Ids } from "quittance";
import * as Example from "./openapi/examples/Story.ts";
import { extension } from "./shared/Annotation.ts";
import { NotFound, RecordBodyFailure, RecordFailure } from "./shared/Failure.ts";
import {
  Count,
  Created,
  Currency,
  DateTime,
  ErasureEvent,
  EventActor,
  Expression,
  event,
  Id,
  optional,
  pageOf,
} from "./shared/Field.ts";
import { filters } from "./shared/Filters.ts";
import * as Terms from "./shared/FormulaTerms.ts";
import { dateTime, paging, recordPath } from "./shared/Query.ts";
import { shownFields } from "./shared/Record.ts";

const Hash = Schema.String.annotations({
  description: "SHA-256 of the canonical form of what is agreed, in hexadecimal.",
  jsonSchema: { type: "string", pattern: "^[0-9a-f]{64}$" },
});

const Language = Domain.ReadLanguage;

/** The part of the window in which a rule holds; until_datetime is exclusive, null without an end. */
const span = {
  from_datetime: DateTime,
  until_datetime: Schema.NullOr(DateTime),
  formula_version: Count,
  hash: Hash,
};

const stated = { ...shownFields(Domain.Stated), hash: Hash };

/** An acceptance of terms by a partner, or recorded on its behalf from a signature elsewhere. */
export const PlanAcceptance = Schema.Struct({
  id: Id,
  customer_id: Id,
  workspace_id: Id,
  ...stated,
  name: stated.name.annotations({ description: "The person who has accepted." }),
  on_behalf: stated.on_behalf.annotations({
    description: "Whether somebody else than the partner recorded it.",
  }),
  reference: stated.reference.annotations({
    description: "Where the partner's own signature is; null unless it was recorded on behalf.",
  }),
  accepted_by: Schema.String.annotations({ description: "The principal that recorded it." }),
  accepted_by_person: Schema.String.annotations({ description: "The person behind the principal." }),
  created_at: DateTime,
}).annotations({ identifier: "PlanAcceptance" });

/** The events of an acceptance. */
export const PlanAcceptanceEvent = Schema.Union(
  event("accept_commission_plan", { actor: EventActor, ...stated }),
  ErasureEvent,
).annotations({ identifier: "PlanAcceptanceEvent" });

/**
 * The terms of a plan for a partner: the rule of its sales from from_datetime to until_datetime, as sentences and as an
 * expression. start_datetime and end_datetime are those of the partner's assignment. spans are all rules that the partner has
 * under the plan, in order of time.
 */
export const PlanTerms = Schema.Struct({
  plan_id: Id,
  partner_id: Id,
  schema_id: Id,
  formula_id: Id,
  name: Schema.String,
  currency: Currency,
  start_datetime: DateTime,
  end_datetime: Schema.NullOr(DateTime),
  ...span,
  expression: Expression,
  expression_text: Terms.text,
  roles: Schema.Array(Schema.String),
  apply_share: Schema.Boolean.annotations({
    description: "True if the share of a credit multiplies what the expression pays.",
  }),
  language: Language,
  title: Schema.String,
  paragraphs: Schema.Array(Schema.Struct({ text: Schema.String, items: Schema.Array(Schema.String) })),
  acceptance: Schema.NullOr(PlanAcceptance).annotations({
    description: "The acceptance of exactly these terms; null when there is none.",
  }),
  spans: Schema.Array(Schema.Struct({ ...span, accepted_at: Schema.NullOr(DateTime) })),
}).annotations({ identifier: "PlanTerms" });

const terms = HttpApiEndpoint.get("terms", "/commission-plans/:id/terms")
  .setPath(recordPath(Ids.PlanId))
  .setUrlParams(
    Schema.Struct({
      partnerId: Field.key(Ids.PartnerId, "partner_id", "The partner whose terms these are."),
      at: optional(
        dateTime(
          "The terms in force at this moment, now by default; before the assignment begins, its first ones.",
        ),
      ),
    }),
  )
  .addSuccess(PlanTerms)
  .addError(RecordFailure)
  .pipe(
    extension({
      operation: "read plan terms",
      id: "readCommissionPlanTerms",
      summary: "Read a partner's terms of a plan",
      description:
        "Returns what every sale of the partner earns, in sentences, and the hash of what is agreed: currency, schema, expression and dates. Names, language and wording do not change the hash. With the header `Accept: text/plain` or `Accept: application/pdf` returns a text or a file for the partner, in the language of the header `Accept-Language` (English, German, French or Spanish; English by default).",
      response: Example.terms,
      refused: `at: ${Example.MOMENT}`,
    }),
  );

const accept = HttpApiEndpoint.post("accept", "/commission-plans/:id/acceptances")
  .setPath(recordPath(Ids.PlanId))
  .setPayload(Domain.Accept)
  .addSuccess(Created, { status: 201 })
  .addError(RecordBodyFailure)
  .pipe(
    extension({
      operation: "accept plan terms",
      id: "acceptCommissionPlanTerms",
      summary: "Accept the terms of a plan",
      description:
        "Records that a partner accepts the terms with this hash, which have to be those in force (or at the moment at). The partner's own credential accepts with a name. Any other credential acts on behalf of the partner: it states by reference where the partner's own signature is, and the acceptance says on_behalf. Accepting the same terms again returns the first acceptance.",
      request: {
        ...{ partner_id: Example.PARTNER, hash: Example.termsHash, name: "Ida Nord", language: "en" },
        reference: "contract 17",
      },
      response: Example.created(Example.ACCEPTANCE),
      refused: "hash: must be the hash of the terms, 64 hexadecimal digits",
    }),
  );

const acceptances = HttpApiEndpoint.get("acceptances", "/commission-plans/:id/acceptances")
  .setPath(recordPath(Ids.PlanId))
  .setUrlParams(Schema.Struct({ ...filters("planAcceptance"), ...paging }))
  .addSuccess(pageOf("plan_acceptances", PlanAcceptance))
  .addError(NotFound)
  .pipe(
    extension({
      operation: "list plan acceptances",
      id: "listCommissionPlanAcceptances",
      summary: "List the acceptances of a plan",
      description: "Who has accepted which terms of the plan, and when. Oldest first by default.",
      response: { plan_acceptances: [Example.acceptance], ...Example.paged },
      refused: Example.PAGE,
    }),
  );

/** The operations on the terms of a plan. */
export const planTerms = { terms, accept, acceptances };
