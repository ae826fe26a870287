/** Attribution schemas on the wire. */
import type { AttributionSchema } from "quittance";
import * as Contract from "../api/AttributionSchemas.ts";
import { recordWriter } from "./Encoding.ts";

/** An attribution schema in a list. */
export const attributionSchema = recordWriter<AttributionSchema.AttributionSchema>()(
  Contract.AttributionSchema,
  {
    // A default is of its property's type, which was checked when the schema was created; the stored type does not show it.
    properties: (row) => row.properties as (typeof Contract.AttributionSchema.Type)["properties"],
  },
);
