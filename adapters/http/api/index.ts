/** The contract of the HTTP interface, for servers, typed clients and browsers: operations, shapes, OpenAPI. */
import * as PlatformOpenApi from "@effect/platform/OpenApi";
import { api } from "./Api.ts";
import type { JsonObject } from "./openapi/Json.ts";
import { mergeDocuments } from "./openapi/OpenApi.ts";
import { paymentWebhooks } from "./PaymentWebhooks.ts";

export { Authorization, api } from "./Api.ts";
export { ApiKey, CreatedApiKey } from "./ApiKeys.ts";
export { AttributionSchema } from "./AttributionSchemas.ts";
export { Attribution, AttributionEvent, AttributionStatistics, CreatedBatch } from "./Attributions.ts";
export { BillingProfile } from "./BillingProfiles.ts";
export { CommissionFormula, CommissionFormulaEvent, Simulation } from "./CommissionFormulas.ts";
export { CommissionPlan, CommissionPlanEvent } from "./CommissionPlans.ts";
export { Commission, CommissionEvent, CommissionStatistics, Explanation } from "./Commissions.ts";
export { PartnerLink, PartnerLinkEvent } from "./PartnerLinks.ts";
export { Partner, SelfBillingData } from "./Partners.ts";
export { BankStatementResult, PaymentFile } from "./PaymentFiles.ts";
export { PaymentReport } from "./PaymentWebhooks.ts";
export { PayoutAccount } from "./PayoutAccounts.ts";
export { PlanTrial, PlanTrialDetails, PlanTrialResult } from "./PlanTrials.ts";
export { RecreditRun, RecreditRunDetails, RecreditRunResult } from "./Recredits.ts";
export { Settlement, SettlementEvent, SettlementPreview } from "./Settlement.ts";
export type { UploadedFile } from "./SettlementDocuments.ts";
export { PartnerSettlementPolicy, SettlementPolicy } from "./SettlementPolicies.ts";
export {
  SettlementDryRun,
  SettlementRun,
  SettlementRunDetails,
  SettlementRunResult,
} from "./SettlementRuns.ts";
export { Extension, Operation } from "./shared/Annotation.ts";
export { ErrorCode, FAILURES, type Failure, type FailureName } from "./shared/Failure.ts";
export { WebhookDelivery, WebhookEndpoint } from "./WebhookEndpoints.ts";
export { Workspace } from "./Workspaces.ts";

const options = { additionalPropertiesStrategy: "allow" } as const;

/**
 * The OpenAPI 3.0.3 document of the contract, version 1.0.0, as plain JSON.
 */
export const openApi = (): JsonObject => {
  const document = PlatformOpenApi.fromApi(api, options) as unknown as JsonObject;
  const webhooks = PlatformOpenApi.fromApi(paymentWebhooks, options) as unknown as JsonObject;
  return mergeDocuments(document, webhooks);
};
