/** The contract of the HTTP interface, for servers, typed clients and browsers: operations, shapes, OpenAPI. */
import * as PlatformOpenApi from "@effect/platform/OpenApi";
import { api } from "./Api.ts";
import { type JsonObject, withoutExtensions } from "./OpenApi.ts";

export { Extension, Operation } from "./Annotation.ts";
export { Authorization, api } from "./Api.ts";
export { ApiKey, CreatedApiKey } from "./ApiKeys.ts";
export { AttributionSchema } from "./AttributionSchemas.ts";
export { Attribution, AttributionEvent, AttributionStatistics } from "./Attributions.ts";
export { BillingProfile } from "./BillingProfiles.ts";
export { CommissionFormula, CommissionFormulaEvent } from "./CommissionFormulas.ts";
export { Commission, CommissionEvent, CommissionStatistics } from "./Commissions.ts";
export { ErrorCode, type Failure } from "./Failure.ts";
export { Partner, SelfBillingData } from "./Partners.ts";
export { Settlement, SettlementEvent, SettlementPreview } from "./Settlement.ts";
export type { UploadedFile } from "./SettlementDocuments.ts";

/**
 * The OpenAPI 3.0.3 document of the contract, version 1.0.0, as plain JSON. Without `extensions` it holds the
 * operations of the published interface alone.
 */
export const openApi = ({ extensions = true }: { readonly extensions?: boolean } = {}): JsonObject => {
  const document = PlatformOpenApi.fromApi(api, {
    additionalPropertiesStrategy: "allow",
  }) as unknown as JsonObject;
  return extensions ? document : withoutExtensions(document);
};
