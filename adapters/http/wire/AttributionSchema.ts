/** Attribution schemas on the wire. */
import type { AttributionSchema } from "quittance";
import type * as Contract from "../api/AttributionSchemas.ts";

/** A schema as lists show it. */
export const attributionSchema = (
  row: AttributionSchema.AttributionSchema,
): typeof Contract.AttributionSchema.Type => ({
  id: row.id,
  name: row.name,
  customer_id: row.customerId,
  workspace_id: row.workspaceId,
  properties: row.properties,
});
