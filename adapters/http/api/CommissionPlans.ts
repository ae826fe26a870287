/** Commission plans: one formula definition for many partners. */
import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint";
import * as HttpApiGroup from "@effect/platform/HttpApiGroup";
import * as HttpApiSchema from "@effect/platform/HttpApiSchema";
import * as PlatformOpenApi from "@effect/platform/OpenApi";
import { Schema } from "effect";
import { CommissionPlan as Domain, Ids } from "quittance";
import { extension, extensionWithOptionalBody } from "./shared/Annotation.ts";
import { BodyFailure, RecordBodyFailure } from "./shared/Failure.ts";
import { Count, Created, Expression, entryOf, event, Id, pageOf } from "./shared/Field.ts";
import * as Terms from "./shared/FormulaTerms.ts";
import { filter, name, paging, recordPath } from "./shared/Query.ts";

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
  ...Terms.present,
  events: Schema.Array(entryOf(CommissionPlanEvent)),
  view: Schema.Struct({
    status: Schema.Literal("active", "cancelled"),
    cancel_reason: Schema.optionalWith(Schema.String, { exact: true }),
    formula: Expression,
    partner_count: Count,
    rolling_out: Schema.Struct({ pending: Count, done: Count }),
  }),
}).annotations({ identifier: "CommissionPlan" });

const path = recordPath(Ids.PlanId);

/** The path of one partner of a plan. */
const partnerPath = Schema.Struct({
  id: Ids.PlanId,
  partnerId: Schema.propertySignature(Ids.PartnerId).pipe(Schema.fromKey("partner_id")),
});

const list = HttpApiEndpoint.get("list", "/commission-plans")
  .setUrlParams(
    Schema.Struct({
      ids: filter(Ids.PlanId, "ids"),
      workspaceIds: filter(Ids.WorkspaceId, "workspace_ids"),
      name,
      ...paging,
    }),
  )
  .addSuccess(pageOf("commission_plans", CommissionPlan))
  .annotateContext(
    extension(
      "list plans",
      "listCommissionPlans",
      "List commission plans",
      "Oldest first, unless asked otherwise. The formulas of a plan are listed by plan_ids of the list of formulas.",
    ),
  );

const create = HttpApiEndpoint.post("create", "/commission-plans")
  .setPayload(Domain.Create)
  .addSuccess(Created, { status: 201 })
  .addError(BodyFailure)
  .annotateContext(
    extension(
      "create plan",
      "createCommissionPlan",
      "Create a commission plan",
      "A formula definition without a partner; nobody earns under it until partners are assigned to it. Needs a credential for all partners, as every change of a plan does.",
    ),
  );

const update = HttpApiEndpoint.patch("update", "/commission-plans/:id")
  .setPath(path)
  .setPayload(Domain.Update)
  .addSuccess(HttpApiSchema.Empty(200))
  .addError(RecordBodyFailure)
  .annotateContext(
    extension(
      "update plan",
      "updateCommissionPlan",
      "Change a commission plan",
      "Accepts the fields of a change of a formula, and changes every formula of the plan exactly once: up to 100 formulas before the response, more in the background; view.rolling_out shows the progress.",
    ),
  );

const cancel = HttpApiEndpoint.del("cancel", "/commission-plans/:id")
  .setPath(path)
  .setPayload(Domain.Cancel)
  .addSuccess(HttpApiSchema.Empty(200))
  .addError(RecordBodyFailure)
  .annotateContext(
    extension(
      "cancel plan",
      "cancelCommissionPlan",
      "Cancel a commission plan",
      "For a plan that should never have existed: all its formulas are cancelled and their commissions become 0. To stop a plan, set end_datetime.",
    ),
  );

const assign = HttpApiEndpoint.post("assign", "/commission-plans/:id/partners")
  .setPath(path)
  .setPayload(Domain.Assign)
  .addSuccess(HttpApiSchema.Empty(200))
  .addError(RecordBodyFailure)
  .annotateContext(
    extension(
      "assign plan",
      "assignCommissionPlan",
      "Assign partners to a plan",
      "Creates a formula with plan_id for each partner, all or none. Its window is the intersection of the plan's and the bounds given here. The same bounds again change nothing; an overlap with another assignment of the partner to the plan is a conflict.",
    ),
  );

const unassign = HttpApiEndpoint.del("unassign", "/commission-plans/:id/partners/:partner_id")
  .setPath(partnerPath)
  .setPayload(Domain.Unassign)
  .addSuccess(HttpApiSchema.Empty(200))
  .addError(RecordBodyFailure)
  .annotateContext(
    extensionWithOptionalBody(
      "unassign plan",
      "unassignCommissionPlan",
      "End a partner's assignment to a plan",
      "From end_datetime on (now, unless stated) the partner earns nothing under the plan. At or before the start of the assignment it is withdrawn, and its commissions become 0.",
    ),
  );

/** The operations on commission plans. */
export const CommissionPlans = HttpApiGroup.make("commission_plans")
  .add(list)
  .add(create)
  .add(update)
  .add(cancel)
  .add(assign)
  .add(unassign)
  .annotate(PlatformOpenApi.Title, "Commission plans")
  .annotate(PlatformOpenApi.Description, "One formula definition for many partners, changed in one place.");
