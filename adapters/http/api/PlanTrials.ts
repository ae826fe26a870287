/** Trials of plans: the sales of a span under a draft, compared with what is in force. */
import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint";
import * as HttpApiGroup from "@effect/platform/HttpApiGroup";
import * as HttpApiSchema from "@effect/platform/HttpApiSchema";
import * as PlatformOpenApi from "@effect/platform/OpenApi";
import { Schema } from "effect";
import { PlanTrial as Domain, Ids } from "quittance";
import * as Example from "./openapi/examples/Story.ts";
import { extension, extensionWithOptionalBody } from "./shared/Annotation.ts";
import { BodyFailure, NotFound, RecordBodyFailure } from "./shared/Failure.ts";
import { Count, Created, DateTime, Expression, Id, optional, pageOf } from "./shared/Field.ts";
import { filters } from "./shared/Filters.ts";
import * as Terms from "./shared/FormulaTerms.ts";
import { csvFormat, optionalParameter, paging, recordPath } from "./shared/Query.ts";
import { shownFields } from "./shared/Record.ts";

const sums = shownFields(Domain.ShownSums);

const { parameters, ...terms } = shownFields(Domain.Terms);

/** A trial and its progress. */
export const PlanTrial = Schema.Struct({
  id: Id,
  customer_id: Id,
  ...terms,
  expression: Schema.NullOr(Expression).annotations({
    description: "The expression of the draft; null: the versions that the plan has.",
  }),
  formula_text: Schema.NullOr(Terms.text),
  apply_share: optional(Terms.applyShare),
  ...shownFields(Domain.Span),
  parameters,
  added_count: Count.annotations({ description: "The sales that did not happen." }),
  ...shownFields(Domain.Progress),
  ...sums,
  distribution: Schema.Array(
    Schema.Struct({
      from_percent: Schema.NullOr(Schema.Number),
      to_percent: Schema.NullOr(Schema.Number),
      partner_count: Count,
    }),
  ).annotations({
    description:
      "The partners with sales, by the change of their amount in percent of amount_now. Null has no bound; the range from 0 to 0 has those whose amount does not change. A bound belongs to the range that is closer to 0, and every change from an amount of 0 to an outermost range.",
  }),
  created_at: DateTime,
  finished_at: Schema.NullOr(DateTime),
}).annotations({ identifier: "PlanTrial" });

const explanation = Schema.String.annotations({
  description:
    "For the partner to read, one sentence a line: the amount, its calculation and the reasons. Empty where no formula covers the sale.",
});

/** A sale that earns another amount under the draft. */
export const TrialChange = Schema.Struct({
  ...shownFields(Domain.Sale),
  amount_now: sums.amount_now,
  amount_then: sums.amount_then,
  difference: sums.difference,
  explanation_now: explanation,
  explanation_then: explanation,
}).annotations({ identifier: "TrialChange" });

/** What the sales of a partner earn, by month. */
export const PlanTrialResult = Schema.Struct({
  partner_id: Id,
  ...sums,
  months: Schema.Array(
    Schema.Struct({
      month: Schema.String.annotations({
        jsonSchema: { type: "string", pattern: "^\\d{4}-\\d\\d$" },
        description: "The month of occurred_on, such as 2026-01.",
      }),
      ...sums,
    }),
  ).annotations({ description: "Ascending; months without sales are left out." }),
}).annotations({ identifier: "PlanTrialResult" });

/** A trial with its largest changes and one page of its results. */
export const PlanTrialDetails = Schema.Struct({
  trial: PlanTrial,
  changes: Schema.Array(TrialChange).annotations({
    description: "The ten sales whose amounts change most, the largest difference first.",
  }),
  ...pageOf("results", PlanTrialResult).fields,
}).annotations({ identifier: "PlanTrialDetails" });

const path = recordPath(Ids.PlanTrialId);

const list = HttpApiEndpoint.get("list", "/plan-trials")
  .setUrlParams(Schema.Struct({ ...filters("planTrial"), ...paging }))
  .addSuccess(pageOf("plan_trials", PlanTrial))
  .pipe(
    extension({
      operation: "list plan trials",
      id: "listPlanTrials",
      summary: "List trials of plans",
      description:
        "Oldest first by default. A trial is removed 30 days after its end. Needs a credential for all partners.",
      response: { plan_trials: [Example.planTrial], ...Example.paged },
      refused: Example.PAGE,
    }),
  );

const start = HttpApiEndpoint.post("start", "/plan-trials")
  .setPayload(Domain.Start)
  .addSuccess(Created, { status: 201 })
  .addError(BodyFailure)
  .pipe(
    extension({
      operation: "start plan trial",
      id: "startPlanTrial",
      summary: "Try a plan on past sales",
      description:
        "Computes, in the background, what the confirmed sales of the span would have earned under a draft, in order of arrival, and compares it with what is in force; nothing in the books changes. With plan_id the draft is the plan with another expression (without one, the plan as it is), compared with the plan's formulas. The draft reads the partners' own values of parameters, or those in parameters instead. Without it the draft has workspace_id, schema_id, currency, an expression and perhaps roles, and is compared with every formula of the schema in that currency. At most 1,000,000 sales. Needs a credential for all partners, and commissions:read too.",
      request: {
        plan_id: Example.PLAN,
        expression_text: "order_value * 12 %",
        from: "2026-01-01T00:00:00Z",
        to: "2026-02-01T00:00:00Z",
      },
      response: Example.created(Example.TRIAL),
      refused: "to: must be after from",
    }),
  );

const read = HttpApiEndpoint.get("read", "/plan-trials/:id")
  .setPath(path)
  .setUrlParams(Schema.Struct({ ...filters("planTrialResult"), ...paging }))
  .addSuccess(PlanTrialDetails)
  .addError(NotFound)
  .pipe(
    extension({
      operation: "list plan trials",
      id: "readPlanTrial",
      summary: "Read a trial of a plan",
      description:
        "Returns the progress, the sums, the ten largest changes with the explanations of both amounts in the language of the header `Accept-Language` (English, German, French or Spanish; English by default), and one page of results by partner. Partners without sales in the span have no result. Needs a credential for all partners.",
      response: {
        trial: Example.planTrial,
        changes: [Example.trialChange],
        results: [Example.trialResult],
        ...Example.paged,
      },
    }),
  );

const exportResults = HttpApiEndpoint.get("export", "/plan-trials/:id/export")
  .setPath(path)
  .setUrlParams(
    Schema.Struct({
      format: optionalParameter(
        csvFormat(
          "csv: amounts in the smallest unit. spreadsheet: with a byte order mark, and amounts with the currency's decimals.",
        ),
        "format",
      ),
    }),
  )
  .addSuccess(HttpApiSchema.Text({ contentType: "text/csv" }))
  .addError(NotFound)
  .pipe(
    extension({
      operation: "list plan trials",
      id: "exportPlanTrial",
      summary: "Download a trial of a plan as CSV",
      description:
        "One row for each partner and month with sales. Columns: partner, month, currency, the two counts, the amounts now and then, and their difference. While the trial runs, the rows of the partners that are done. Needs a credential for all partners.",
      response: `partner_id,month,currency,sales_count,not_computable_count,amount_now,amount_then,difference,waiting_now,waiting_then\r\n${Example.PARTNER},2026-01,EUR,1,0,1200,1440,240\r\n`,
    }),
  );

const adopt = HttpApiEndpoint.post("adopt", "/plan-trials/:id/adopt")
  .setPath(path)
  .setPayload(Domain.Adopt)
  .addSuccess(HttpApiSchema.Empty(200))
  .addError(RecordBodyFailure)
  .pipe(
    extensionWithOptionalBody({
      operation: "update plan",
      id: "adoptPlanTrial",
      summary: "Adopt the draft of a trial",
      description:
        "Makes the expression of the draft the next version of the plan, exactly as a change of the plan with this expression, effective_datetime and parameters does. A draft that is no plan yet, or has no expression of its own, is a conflict.",
      request: { effective_datetime: "2026-01-20T00:00:00Z" },
    }),
  );

/** The operations on trials of plans. */
export const PlanTrials = HttpApiGroup.make("plan_trials")
  .add(list)
  .add(start)
  .add(read)
  .add(exportResults)
  .add(adopt)
  .annotate(PlatformOpenApi.Title, "Plan trials")
  .annotate(PlatformOpenApi.Description, "What past sales would have earned under another plan.");
