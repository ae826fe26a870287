/** Commission formulas: the rule for a partner's commissions on attributions of one schema. */
import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint";
import * as HttpApiGroup from "@effect/platform/HttpApiGroup";
import * as HttpApiSchema from "@effect/platform/HttpApiSchema";
import * as PlatformOpenApi from "@effect/platform/OpenApi";
import { Schema } from "effect";
import { CommissionFormulas as Commands, Formula as Domain, Ids, Parameter } from "quittance";
import * as Example from "./openapi/examples/Story.ts";
import { extension, publishedOperation } from "./shared/Annotation.ts";
import { BodyFailure, ContentFailure, RecordBodyFailure, RecordFailure } from "./shared/Failure.ts";
import {
  Amount,
  Created,
  ErasureEvent,
  Expression,
  entryOf,
  event,
  Id,
  optional,
  pageOf,
  Trace,
} from "./shared/Field.ts";
import { filters } from "./shared/Filters.ts";
import { FormulaDryRun } from "./shared/FormulaDryRun.ts";
import * as Terms from "./shared/FormulaTerms.ts";
import { paging, recordPath, versionPath } from "./shared/Query.ts";
import { shown } from "./shared/Record.ts";

const assignment = optional(shown(Domain.Assignment));

/** The events of a formula; an update has the changed fields only, null where it cleared one. */
export const CommissionFormulaEvent = Schema.Union(
  event("create_commission_formula", {
    ...Terms.creation,
    parameter_values: optional(Schema.Array(Schema.Struct(Terms.statement))),
    ...Terms.laterVersions,
    assignment,
  }),
  event("update_commission_formula", {
    ...Terms.changes,
    assignment,
  }),
  event("set_parameter_values", Terms.statement),
  event("cancel_commission_formula", { reason: Schema.String, assignment }),
  ErasureEvent,
).annotations({ identifier: "CommissionFormulaEvent" });

/**
 * A commission formula; `expression` and `view.formula` are the last expression stated that is not ahead. `view.recomputing` is
 * present, and true, while some of its commissions are not recomputed yet. `plan_id` is present where a plan assigned it.
 */
export const CommissionFormula = Schema.Struct({
  id: Id,
  partner_id: Id,
  customer_id: Id,
  workspace_id: Id,
  schema_id: Id,
  plan_id: optional(Id),
  ...Terms.record,
  events: Schema.Array(entryOf(CommissionFormulaEvent)),
  view: Schema.Struct({
    status: Schema.Literal("active", "cancelled"),
    cancel_reason: optional(Schema.String),
    formula: Expression,
    formula_text: Terms.text,
    versions: Terms.versions,
    parameters: Terms.timelines,
    recomputing: optional(Schema.Literal(true)),
  }),
}).annotations({ identifier: "CommissionFormula" });

/** The result of an expression for one sample: an amount with its derivation, or why there is none. */
export const SimulationResult = Schema.Union(
  Schema.Struct({ amount: Amount, trace: Trace }),
  Schema.Struct({ error: Schema.Struct({ code: Schema.String, message: Schema.String }) }),
);

/** The result for each sample, in order. */
export const Simulation = Schema.Struct({ results: Schema.Array(SimulationResult) }).annotations({
  identifier: "Simulation",
});

const list = HttpApiEndpoint.get("list", "/commission-formulas")
  .setUrlParams(
    Schema.Struct({
      ...filters("formula"),
      ...paging,
    }),
  )
  .addSuccess(pageOf("commission_formulas", CommissionFormula))
  .pipe(
    publishedOperation({
      operation: "list formulas",
      id: "listCommissionFormulas",
      summary: "List commission formulas",
      description:
        "Oldest first by default. active_at matches formulas that are not cancelled and whose window includes the moment.",
      response: { commission_formulas: [Example.storedFormula], ...Example.paged },
      refused: `active_at: ${Example.MOMENT}`,
    }),
  );

const create = HttpApiEndpoint.post("create", "/commission-formulas")
  .setPayload(Domain.Create)
  .addSuccess(Created, { status: 201 })
  .addSuccess(FormulaDryRun)
  .addError(BodyFailure)
  .pipe(
    publishedOperation({
      operation: "create formula",
      id: "createCommissionFormula",
      summary: "Create a commission formula",
      description:
        "Applies to every attribution of the partner and schema with occurred_at in its window (start inclusive, end exclusive), including existing ones. Up to 10,000 attributions are evaluated before the response, the others in the background, while view.recomputing is true. With dry_run returns 200 and what this would change: the commissions of past sales, and the formulas under which later sales would pay as well; stores nothing, and needs commissions:read too.",
      request: Example.formula,
      response: Example.created(Example.FORMULA),
      dryRun: Example.formulaDryRun,
      refused: "currency: must be an ISO 4217 currency code, such as EUR",
    }),
  );

const simulate = HttpApiEndpoint.post("simulate", "/commission-formulas/simulate")
  .setPayload(Commands.Simulation)
  .addSuccess(Simulation)
  .addError(ContentFailure)
  .pipe(
    extension({
      operation: "simulate formula",
      id: "simulateCommissionFormula",
      summary: "Try an expression",
      description:
        "Evaluates the expression for at most 100 samples of a schema and stores nothing. Returns an amount with its derivation, or an error, for each sample, in order. The history of a sample is a list of attributions that arrived before it, in order of arrival; aggregates use the confirmed ones. The attributes id, partner_id and workspace_id are the nil UUID; agent_id is absent; created_at is now by default, and occurred_at is created_at.",
      request: {
        schema_id: Example.SCHEMA,
        currency: "EUR",
        expression: Example.expression,
        samples: [{ properties: { order_value: 12000 } }],
      },
      response: { results: [{ amount: 1200, trace: Example.trace }] },
      refused: "samples: must have 1 to 100 samples",
    }),
  );

const update = HttpApiEndpoint.patch("update", "/commission-formulas/:id")
  .setPath(recordPath(Ids.FormulaId))
  .setPayload(Domain.Update)
  .addSuccess(HttpApiSchema.Empty(200))
  .addError(RecordBodyFailure)
  .pipe(
    publishedOperation({
      operation: "update formula",
      id: "updateCommissionFormula",
      summary: "Change a formula",
      description:
        "A new expression applies to attributions that occurred at effective_datetime or later. The default is now, or 1 ms after the newest attribution when that is later, so that no existing amount changes. A null end_datetime or description clears the field; absent fields do not change. The formula of a plan changes only with its plan.",
      request: { end_datetime: "2027-01-01T00:00:00Z" },
      refused: "effective_datetime: is allowed only together with an expression",
    }),
  );

const withdrawVersion = HttpApiEndpoint.del("withdraw_version", "/commission-formulas/:id/versions/:number")
  .setPath(versionPath(Ids.FormulaId))
  .addSuccess(HttpApiSchema.Empty(200))
  .addError(RecordFailure)
  .pipe(
    extension({
      operation: "withdraw formula version",
      id: "withdrawCommissionFormulaVersion",
      summary: "Withdraw a version ahead of its date",
      description:
        "A version whose effective_datetime is in the future never takes effect. Its number stays. Withdrawing it again changes nothing; a version whose date has been reached is a conflict. Versions of the formula of a plan are withdrawn with the plan.",
      refused: "number: must be a whole number from 1",
    }),
  );

const setParameters = HttpApiEndpoint.put("set_parameters", "/commission-formulas/:id/parameters")
  .setPath(recordPath(Ids.FormulaId))
  .setPayload(Parameter.SetValues)
  .addSuccess(HttpApiSchema.Empty(200))
  .addError(RecordBodyFailure)
  .pipe(
    extension({
      operation: "set formula parameters",
      id: "setCommissionFormulaParameters",
      summary: "State values of a formula's parameters",
      description:
        "Each value holds from effective_datetime (default: now) until the next date stated for its parameter; null withdraws the value of exactly that date. Recomputes the commissions of the dates at which a value changes. The values of a formula of a plan are stated for the partner of the plan.",
      request: { values: { rate: 7.5 }, effective_datetime: "2026-03-01T00:00:00Z" },
      refused: "values.rate: must be a string or a number or true or false",
    }),
  );

const cancel = HttpApiEndpoint.del("cancel", "/commission-formulas/:id")
  .setPath(recordPath(Ids.FormulaId))
  .setPayload(Domain.Cancel)
  .addSuccess(HttpApiSchema.Empty(200))
  .addError(RecordBodyFailure)
  .pipe(
    extension({
      operation: "cancel formula",
      id: "cancelCommissionFormula",
      summary: "Cancel a formula",
      description:
        "For a formula created by mistake: sets all its commissions to 0. To end a formula, set end_datetime. The formula of a plan is cancelled only with its plan.",
      request: { reason: "Agreed for another partner" },
      refused: Example.REASON,
    }),
  );

/** The operations on commission formulas. */
export const CommissionFormulas = HttpApiGroup.make("commission_formulas")
  .add(list)
  .add(create)
  .add(simulate)
  .add(update)
  .add(withdrawVersion)
  .add(setParameters)
  .add(cancel)
  .annotate(PlatformOpenApi.Title, "Commission formulas")
  .annotate(
    PlatformOpenApi.Description,
    "The rules that compute partners' commissions on attributions of a schema, within a window of time.",
  );
