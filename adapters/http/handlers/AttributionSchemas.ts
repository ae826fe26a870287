/** The operations on attribution schemas. */
import { Effect } from "effect";
import type { AttributionSchemas } from "quittance";
import { attributionSchema } from "../wire/AttributionSchema.ts";
import type { Handlers } from "./Handlers.ts";
import * as Responses from "./Responses.ts";

const page = Responses.page("attribution_schemas", attributionSchema);

/** The handlers of the operations of this group; each calls its service. */
export const attributionSchemas = (
  service: AttributionSchemas.AttributionSchemas,
): Handlers["attribution_schemas"] => ({
  list: ({ principal, query }) => Effect.flatMap(service.list(principal, query), page),
  create: ({ principal, payload, options }) =>
    Effect.map(service.create(principal, payload, options), Responses.createdRecord),
});
