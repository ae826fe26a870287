/** Attribution schemas on the wire. */
import type { AttributionSchema } from "quittance";
import type * as AttributionSchemas from "../api/AttributionSchemas.ts";

type Shown = typeof AttributionSchemas.AttributionSchema.Type;

/** A schema as lists show it. */
export const attributionSchema = (row: AttributionSchema.AttributionSchema): Shown => ({
  id: row.id,
  name: row.name,
  customer_id: row.customerId,
  workspace_id: row.workspaceId,
  // That a default is of its property's type was checked when the schema was created; the stored type does not say it.
  properties: row.properties as Shown["properties"],
});
