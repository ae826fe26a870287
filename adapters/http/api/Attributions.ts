/** Attributions: business events credited to partners. */
import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint";
import * as HttpApiGroup from "@effect/platform/HttpApiGroup";
import * as HttpApiSchema from "@effect/platform/HttpApiSchema";
import * as PlatformOpenApi from "@effect/platform/OpenApi";
import { Schema } from "effect";
import { Attribution as Domain, Ids, Limits, Text } from "quittance";
import { BodyBytesMax, CachedCredential, extension, published } from "./shared/Annotation.ts";
import { BodyFailure, ErrorCode, NotFound, RecordBodyFailure } from "./shared/Failure.ts";
import { Count, Created, DateTime, entryOf, event, Id, pageOf } from "./shared/Field.ts";
import { BATCH_BYTES_MAX } from "./shared/Limit.ts";
import { filter, occurrence, paging, recordPath, statistics, words } from "./shared/Query.ts";

const Properties = Schema.Record({
  key: Schema.String,
  value: Schema.Union(Schema.String, Schema.Number, Schema.Boolean),
});

/** The events of an attribution; the first one has `occurred_at` as the caller gave it, or none. */
export const AttributionEvent = Schema.Union(
  event("create_attribution", {
    properties: Properties,
    occurred_at: Schema.optionalWith(DateTime, { exact: true }),
  }),
  event("cancel_attribution", { reason: Schema.String }),
).annotations({ identifier: "AttributionEvent" });

/**
 * An attribution as lists show it; only a cancelled one has `cancel_reason`. `occurred_at` is the date it counts for:
 * `created_at` unless an earlier one was given.
 */
export const Attribution = Schema.Struct({
  id: Id,
  partner_id: Id,
  customer_id: Id,
  schema_id: Id,
  metadata: Schema.Struct({
    agent_id: Schema.NullOr(Id),
    workspace_id: Id,
    external_reference: Schema.optionalWith(Schema.String, { exact: true }),
    occurred_at: DateTime,
  }),
  events: Schema.Array(entryOf(AttributionEvent)),
  view: Schema.Struct({
    status: Schema.Literal("confirmed", "cancelled"),
    cancel_reason: Schema.optionalWith(Schema.String, { exact: true }),
    properties: Properties,
    created_at: DateTime,
  }),
}).annotations({ identifier: "Attribution" });

const counts = { total: Count, confirmed: Count, cancelled: Count };

/** How many attributions occurred in each bucket, by their present status. */
export const AttributionStatistics = Schema.Struct({
  summary: Schema.Struct(counts),
  buckets: Schema.Array(Schema.Struct({ timestamp: DateTime, ...counts })),
}).annotations({ identifier: "AttributionStatistics" });

/** The result of each attribution of a batch, in order: its id, or why it was refused. */
export const CreatedBatch = Schema.Struct({
  results: Schema.Array(
    Schema.Union(Schema.Struct({ id: Id }), Schema.Struct({ error_code: ErrorCode, message: Schema.String })),
  ),
}).annotations({ identifier: "CreatedBatch" });

const list = HttpApiEndpoint.get("list", "/attributions")
  .setUrlParams(
    Schema.Struct({
      ids: filter(Ids.AttributionId, "ids"),
      partnerIds: filter(Ids.PartnerId, "partner_ids"),
      workspaceIds: filter(Ids.WorkspaceId, "workspace_ids"),
      schemaIds: filter(Ids.SchemaId, "schema_ids"),
      statuses: words("statuses", ["confirmed", "cancelled"]),
      externalReferences: filter(Text.Text(1, Limits.EXTERNAL_REFERENCE_MAX), "external_references", {
        type: "string",
        minLength: 1,
        maxLength: Limits.EXTERNAL_REFERENCE_MAX,
      }),
      ...occurrence,
      ...paging,
    }),
  )
  .addSuccess(pageOf("attributions", Attribution))
  .annotateContext(
    published(
      "list attributions",
      "listAttributions",
      "List attributions",
      "Oldest first by created_at by default. external_references must match exactly. occurred_from is inclusive, occurred_to exclusive.",
    ),
  );

const create = HttpApiEndpoint.post("create", "/attributions")
  .setPayload(Domain.Create)
  .addSuccess(Created, { status: 201 })
  .addError(NotFound)
  .addError(BodyFailure)
  .annotateContext(
    published(
      "create attribution",
      "createAttribution",
      "Credit an event to a partner",
      "Checks the properties against the schema, and creates a commission under every matching formula. occurred_at is the date the event counts for: not before 1970, at most 5 minutes ahead of the clock, and created_at by default.",
    ),
  )
  .annotate(CachedCredential, true);

const createBatch = HttpApiEndpoint.post("create_batch", "/attributions/batch")
  .setPayload(Domain.CreateBatch)
  .addSuccess(CreatedBatch, { status: 201 })
  .addError(BodyFailure)
  .annotateContext(
    extension(
      "create attribution",
      "createAttributions",
      "Credit many events in one request",
      "Stores the batch in one commit and returns results in its order. Mode atomic (the default): if one attribution is invalid, nothing is stored, and the message names its index. Mode independent: the valid ones are stored, and the results show the others' errors.",
    ),
  )
  .annotate(CachedCredential, true)
  .annotate(BodyBytesMax, BATCH_BYTES_MAX);

const stats = HttpApiEndpoint.get("stats", "/attributions/stats")
  .setUrlParams(
    Schema.Struct({
      ...statistics,
      partnerIds: filter(Ids.PartnerId, "partner_ids"),
      workspaceIds: filter(Ids.WorkspaceId, "workspace_ids"),
    }),
  )
  .addSuccess(AttributionStatistics)
  .annotateContext(
    published(
      "attribution statistics",
      "attributionStatistics",
      "Count attributions",
      "By occurred_at, in UTC days, ISO weeks or months. Empty buckets are included.",
    ),
  );

const cancel = HttpApiEndpoint.del("cancel", "/attributions/:id")
  .setPath(recordPath(Ids.AttributionId))
  .setPayload(Domain.Cancel)
  .addSuccess(HttpApiSchema.Empty(200))
  .addError(RecordBodyFailure)
  .annotateContext(
    published(
      "cancel attribution",
      "cancelAttribution",
      "Cancel an attribution",
      "Sets its commissions to 0. A second cancellation changes nothing and keeps the first reason.",
    ),
  );

/** The operations on attributions. */
export const Attributions = HttpApiGroup.make("attributions")
  .add(list)
  .add(create)
  .add(createBatch)
  .add(stats)
  .add(cancel)
  .annotate(PlatformOpenApi.Title, "Attributions")
  .annotate(PlatformOpenApi.Description, "Business events credited to partners.");
