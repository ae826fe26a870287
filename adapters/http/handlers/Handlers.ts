/** A handler for each operation of the contract: it calls one service and writes the result. */
import type * as HttpApi from "@effect/platform/HttpApi";
import type * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint";
import type * as HttpApiGroup from "@effect/platform/HttpApiGroup";
import { Context, type Effect } from "effect";
import {
  ApiKeys,
  AttributionSchemas,
  Attributions,
  BankStatements,
  BillingProfiles,
  CommissionFormulas,
  CommissionPlans,
  Commissions,
  Events,
  PartnerStatements,
  Partners,
  PaymentFiles,
  type Pipeline,
  type Principal,
  SettlementDocuments,
  SettlementPolicies,
  SettlementRuns,
  Settlements,
  WebhookEndpoints,
} from "quittance";
import type { api } from "../api/Api.ts";
import type { Failure } from "../transport/Failure.ts";
import type { Response } from "../transport/HttpMessage.ts";
import { apiKeys } from "./ApiKeys.ts";
import { attributionSchemas } from "./AttributionSchemas.ts";
import { attributions } from "./Attributions.ts";
import { billingProfiles } from "./BillingProfiles.ts";
import { commissionFormulas } from "./CommissionFormulas.ts";
import { commissionPlans } from "./CommissionPlans.ts";
import { commissions } from "./Commissions.ts";
import { events } from "./Events.ts";
import { partnerStatements } from "./PartnerStatements.ts";
import { partners } from "./Partners.ts";
import { paymentFiles } from "./PaymentFiles.ts";
import { settlementDocuments } from "./SettlementDocuments.ts";
import { settlementPolicies, settlementRuns } from "./SettlementRuns.ts";
import { settlements } from "./Settlements.ts";
import { webhookEndpoints } from "./WebhookEndpoints.ts";

/** One call of an operation: the principal, and the request as the contract decodes it. */
export interface Call<Path, Query, Payload> {
  readonly principal: Principal.Principal;
  readonly path: Path;
  readonly query: Query;
  readonly payload: Payload;
  readonly options: Pipeline.CommandOptions;
  /** Whether the header `Accept` prefers a media type that the operation has beside that of the interface. */
  readonly prefers: (mediaType: string) => boolean;
}

type Groups = typeof api extends HttpApi.HttpApi<infer _Id, infer Group, infer _E, infer _R> ? Group : never;

type CallOf<Endpoint> =
  Endpoint extends HttpApiEndpoint.HttpApiEndpoint<
    infer _Name,
    infer _Method,
    infer Path,
    infer Query,
    infer Payload,
    infer _Headers,
    infer _Success,
    infer _Error,
    infer _R,
    infer _RE
  >
    ? Call<Path, Query, Payload>
    : never;

/** Inferred rather than read, so that the declarations compile in hosts without the types of the contract. */
type IdentifierOf<Group> = Group extends { readonly identifier: infer Identifier extends string }
  ? Identifier
  : never;
type NameOf<Endpoint> = Endpoint extends { readonly name: infer Name extends string } ? Name : never;

/** The handlers by group and name; each takes the input that the contract defines for its operation. */
export type Handlers = {
  readonly [Group in Groups as IdentifierOf<Group>]: {
    readonly [Endpoint in HttpApiGroup.HttpApiGroup.Endpoints<Group> as NameOf<Endpoint>]: (
      call: CallOf<Endpoint>,
    ) => Effect.Effect<Response, Failure>;
  };
};

/** The services of the engine that the handlers call. */
export type Services =
  | Attributions.Attributions
  | AttributionSchemas.AttributionSchemas
  | Partners.Partners
  | PartnerStatements.PartnerStatements
  | CommissionFormulas.CommissionFormulas
  | CommissionPlans.CommissionPlans
  | Commissions.Commissions
  | Settlements.Settlements
  | SettlementDocuments.SettlementDocuments
  | SettlementPolicies.SettlementPolicies
  | SettlementRuns.SettlementRuns
  | ApiKeys.ApiKeys
  | BillingProfiles.BillingProfiles
  | Events.Events
  | WebhookEndpoints.WebhookEndpoints
  | PaymentFiles.PaymentFiles
  | BankStatements.BankStatements;

/** The handlers over the services of a context; the services are looked up once, not per request. */
export const make = (context: Context.Context<Services>): Handlers => ({
  attributions: attributions(Context.get(context, Attributions.Attributions)),
  attribution_schemas: attributionSchemas(Context.get(context, AttributionSchemas.AttributionSchemas)),
  partners: {
    ...partners(Context.get(context, Partners.Partners)),
    ...partnerStatements(Context.get(context, PartnerStatements.PartnerStatements)),
  },
  commission_formulas: commissionFormulas(Context.get(context, CommissionFormulas.CommissionFormulas)),
  commission_plans: commissionPlans(Context.get(context, CommissionPlans.CommissionPlans)),
  commissions: commissions(Context.get(context, Commissions.Commissions)),
  settlements: {
    ...settlements(Context.get(context, Settlements.Settlements)),
    ...settlementDocuments(Context.get(context, SettlementDocuments.SettlementDocuments)),
  },
  settlement_policies: settlementPolicies(Context.get(context, SettlementPolicies.SettlementPolicies)),
  settlement_runs: settlementRuns(Context.get(context, SettlementRuns.SettlementRuns)),
  api_keys: apiKeys(Context.get(context, ApiKeys.ApiKeys)),
  events: events(Context.get(context, Events.Events)),
  webhook_endpoints: webhookEndpoints(Context.get(context, WebhookEndpoints.WebhookEndpoints)),
  billing_profile: billingProfiles(Context.get(context, BillingProfiles.BillingProfiles)),
  payment_files: paymentFiles(
    Context.get(context, PaymentFiles.PaymentFiles),
    Context.get(context, BankStatements.BankStatements),
  ),
});
