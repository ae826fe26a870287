/** The operations on commission plans. */
import { Effect } from "effect";
import type { CommissionPlans } from "quittance";
import * as Wire from "../wire/CommissionPlan.ts";
import type { Handlers } from "./Handlers.ts";
import * as Responses from "./Responses.ts";

const page = Responses.page("commission_plans", Wire.commissionPlan);

/** The handlers of the operations of this group; each calls its service. */
export const commissionPlans = (service: CommissionPlans.CommissionPlans): Handlers["commission_plans"] => ({
  list: ({ principal, query }) => Effect.flatMap(service.list(principal, query), page),
  create: ({ principal, payload, options }) =>
    Effect.map(service.create(principal, payload, options), Responses.createdRecord),
  update: ({ principal, path, payload, options }) =>
    Effect.map(service.update(principal, path.id, payload, options), Responses.emptyBody),
  cancel: ({ principal, path, payload, options }) =>
    Effect.map(service.cancel(principal, path.id, payload, options), Responses.emptyBody),
  assign: ({ principal, path, payload, options }) =>
    Effect.map(service.assign(principal, path.id, payload, options), Responses.emptyBody),
  unassign: ({ principal, path, payload, options }) =>
    Effect.map(service.unassign(principal, path.id, path.partnerId, payload, options), Responses.emptyBody),
});
