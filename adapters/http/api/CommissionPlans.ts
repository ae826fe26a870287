/** Commission plans: one formula definition for many partners. */
import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint";
import * as HttpApiGroup from "@effect/platform/HttpApiGroup";
import * as HttpApiSchema from "@effect/platform/HttpApiSchema";
import * as PlatformOpenApi from "@effect/platform/OpenApi";
import { Schema } from "effect";
import { CommissionPlan as Domain, Field, Ids, Parameter } from "quittance";
import * as Example from "./openapi/examples/Story.ts";
import { planTerms } from "./PlanTerms.ts";
import { extension, extensionWithOptionalBody } from "./shared/Annotation.ts";
import { BodyFailure, RecordBodyFailure, RecordFailure } from "./shared/Failure.ts";
import { Count, Created, Expression, entryOf, event, Id, optional, pageOf } from "./shared/Field.ts";
import { filters } from "./shared/Filters.ts";
import { FormulaDryRun } from "./shared/FormulaDryRun.ts";
import * as Terms from "./shared/FormulaTerms.ts";
import { paging, recordPath, versionPath } from "./shared/Query.ts";

/** The events of a plan; an update has the changed fields only, null where it cleared one. */
export const CommissionPlanEvent = Schema.Union(
  event("create_commission_plan", {
    ...Terms.creation,
  }),
  event("update_commission_plan", {
    ...Terms.changes,
  }),
  event("cancel_commission_plan", { reason: Schema.String }),
).annotations({ identifier: "CommissionPlanEvent" });

/**
 * A commission plan. `view.partner_count` counts partners with an assignment that was not withdrawn; `view.rolling_out`
 * counts its formulas: `pending` ones have not applied the plan's last event or are recomputed, the others are `done`.
 */
export const CommissionPlan = Schema.Struct({
  id: Id,
  customer_id: Id,
  workspace_id: Id,
  schema_id: Id,
  ...Terms.record,
  events: Schema.Array(entryOf(CommissionPlanEvent)),
  view: Schema.Struct({
    status: Schema.Literal("active", "cancelled"),
    cancel_reason: optional(Schema.String),
    formula: Expression,
    formula_text: Terms.text,
    versions: Terms.versions,
    parameters: Terms.parameters,
    partner_count: Count,
    rolling_out: Schema.Struct({ pending: Count, done: Count }),
  }),
}).annotations({ identifier: "CommissionPlan" });

const path = recordPath(Ids.PlanId);

/** The path of one partner of a plan. */
const partnerPath = Schema.Struct({
  id: Ids.PlanId,
  partnerId: Field.key(Ids.PartnerId, "partner_id", "The partner that has the plan."),
});

const list = HttpApiEndpoint.get("list", "/commission-plans")
  .setUrlParams(
    Schema.Struct({
      ...filters("plan"),
      ...paging,
    }),
  )
  .addSuccess(pageOf("commission_plans", CommissionPlan))
  .pipe(
    extension({
      operation: "list plans",
      id: "listCommissionPlans",
      summary: "List commission plans",
      description:
        "Oldest first by default. To list the formulas of a plan, use plan_ids of the list of formulas.",
      response: { commission_plans: [Example.storedPlan], ...Example.paged },
      refused: Example.PAGE,
    }),
  );

const create = HttpApiEndpoint.post("create", "/commission-plans")
  .setPayload(Domain.Create)
  .addSuccess(Created, { status: 201 })
  .addError(BodyFailure)
  .pipe(
    extension({
      operation: "create plan",
      id: "createCommissionPlan",
      summary: "Create a commission plan",
      description:
        "A plan is a formula definition without a partner; assign partners to create their formulas. Needs a credential for all partners, like every change of a plan.",
      request: Example.planTerms,
      response: Example.created(Example.PLAN),
      refused: "end_datetime: must be after start_datetime",
    }),
  );

const update = HttpApiEndpoint.patch("update", "/commission-plans/:id")
  .setPath(path)
  .setPayload(Domain.Update)
  .addSuccess(HttpApiSchema.Empty(200))
  .addError(RecordBodyFailure)
  .pipe(
    extension({
      operation: "update plan",
      id: "updateCommissionPlan",
      summary: "Change a commission plan",
      description:
        "Takes the same fields as a change of a formula, and changes every formula of the plan exactly once: before the response when the plan has at most 100 formulas, otherwise in the background; view.rolling_out shows the progress.",
      request: { name: "10 % for affiliates" },
      refused: "effective_datetime: is allowed only together with an expression",
    }),
  );

const withdrawVersion = HttpApiEndpoint.del("withdraw_version", "/commission-plans/:id/versions/:number")
  .setPath(versionPath(Ids.PlanId))
  .addSuccess(HttpApiSchema.Empty(200))
  .addError(RecordFailure)
  .pipe(
    extension({
      operation: "withdraw plan version",
      id: "withdrawCommissionPlanVersion",
      summary: "Withdraw a version of a plan ahead of its date",
      description:
        "A version whose effective_datetime is in the future never takes effect, in any formula of the plan. Its number stays. Withdrawing it again changes nothing; a version whose date has been reached is a conflict.",
      refused: "number: must be a whole number from 1",
    }),
  );

const cancel = HttpApiEndpoint.del("cancel", "/commission-plans/:id")
  .setPath(path)
  .setPayload(Domain.Cancel)
  .addSuccess(HttpApiSchema.Empty(200))
  .addError(RecordBodyFailure)
  .pipe(
    extension({
      operation: "cancel plan",
      id: "cancelCommissionPlan",
      summary: "Cancel a commission plan",
      description:
        "For a plan created by mistake: cancels all its formulas, which sets their commissions to 0. To end a plan, set end_datetime.",
      request: { reason: "Agreed for another schema" },
      refused: Example.REASON,
    }),
  );

const assign = HttpApiEndpoint.post("assign", "/commission-plans/:id/partners")
  .setPath(path)
  .setPayload(Domain.Assign)
  .addSuccess(HttpApiSchema.Empty(200))
  .addSuccess(FormulaDryRun)
  .addError(RecordBodyFailure)
  .pipe(
    extension({
      operation: "assign plan",
      id: "assignCommissionPlan",
      summary: "Assign partners to a plan",
      description:
        "Creates a formula with plan_id for each of at most 1,000 partners, all or none. Its window is the intersection of the plan's window and the dates given here. The same assignment again changes nothing; an overlap with another assignment of the partner to the plan is a conflict. With dry_run the response has a body, what this would change: the commissions of past sales, and the formulas under which later sales would pay as well; nothing is stored, and commissions:read is needed too.",
      request: { partner_ids: [Example.PARTNER], start_datetime: "2026-02-01T00:00:00Z" },
      response: Example.formulaDryRun,
      refused: "partner_ids: must have 1 to 1000 partners",
    }),
  );

const unassign = HttpApiEndpoint.del("unassign", "/commission-plans/:id/partners/:partner_id")
  .setPath(partnerPath)
  .setPayload(Domain.Unassign)
  .addSuccess(HttpApiSchema.Empty(200))
  .addError(RecordBodyFailure)
  .pipe(
    extensionWithOptionalBody({
      operation: "unassign plan",
      id: "unassignCommissionPlan",
      summary: "End a partner's assignment to a plan",
      description:
        "The partner earns nothing under the plan for attributions that occurred at end_datetime (default: now) or later. An end_datetime at or before the start withdraws the assignment, and its commissions become 0.",
      request: { end_datetime: "2026-07-01T00:00:00Z" },
      refused: "partner_id: must be a UUID",
    }),
  );

const setPartnerParameters = HttpApiEndpoint.put(
  "set_partner_parameters",
  "/commission-plans/:id/partners/:partner_id/parameters",
)
  .setPath(partnerPath)
  .setPayload(Parameter.SetValues)
  .addSuccess(HttpApiSchema.Empty(200))
  .addError(RecordBodyFailure)
  .pipe(
    extension({
      operation: "set partner parameters",
      id: "setPartnerParameters",
      summary: "State a partner's values of a plan's parameters",
      description:
        "For all assignments of the partner to the plan. Each value holds from effective_datetime (default: now) until the next date stated for its parameter; null withdraws the value of exactly that date. Recomputes the partner's commissions of the dates at which a value changes.",
      request: { values: { rate: 7.5 }, effective_datetime: "2026-03-01T00:00:00Z" },
      refused: "values.rate: must be a string or a number or true or false",
    }),
  );

const setParameters = HttpApiEndpoint.post("set_parameters", "/commission-plans/:id/parameters")
  .setPath(path)
  .setPayload(Domain.SetParameters)
  .addSuccess(HttpApiSchema.Empty(200))
  .addError(RecordBodyFailure)
  .pipe(
    extension({
      operation: "set plan parameters",
      id: "setCommissionPlanParameters",
      summary: "State many partners' values of a plan's parameters",
      description:
        "At most 1,000 statements, all or none, in their order; each is like the statement of one partner's values. With more than 100 partners the commissions are recomputed in the background.",
      request: {
        partners: [
          {
            partner_id: Example.PARTNER,
            values: { quota: 50_000 },
            effective_datetime: "2026-03-01T00:00:00Z",
          },
        ],
      },
      refused: "partners.0.values.quota: must be a string or a number or true or false",
    }),
  );

/** The operations on commission plans. */
export const CommissionPlans = HttpApiGroup.make("commission_plans")
  .add(list)
  .add(create)
  .add(update)
  .add(withdrawVersion)
  .add(cancel)
  .add(assign)
  .add(unassign)
  .add(setPartnerParameters)
  .add(setParameters)
  .add(planTerms.terms)
  .add(planTerms.accept)
  .add(planTerms.acceptances)
  .annotate(PlatformOpenApi.Title, "Commission plans")
  .annotate(PlatformOpenApi.Description, "Formula definitions that many partners share.");
