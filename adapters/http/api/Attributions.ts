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
import { filter, paging, recordPath, statistics, words } from "./shared/Query.ts";

const Properties = Schema.Record({
  key: Schema.String,
  value: Schema.Union(Schema.String, Schema.Number, Schema.Boolean),
});

/** What happened to an attribution. */
export const AttributionEvent = Schema.Union(
  event("create_attribution", { properties: Properties }),
  event("cancel_attribution", { reason: Schema.String }),
).annotations({ identifier: "AttributionEvent" });

/** An attribution as lists show it; `cancel_reason` is there when it is cancelled. */
export const Attribution = Schema.Struct({
  id: Id,
  partner_id: Id,
  customer_id: Id,
  schema_id: Id,
  metadata: Schema.Struct({
    agent_id: Schema.NullOr(Id),
    workspace_id: Id,
    external_reference: Schema.optionalWith(Schema.String, { exact: true }),
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

/** How many attributions were made in each bucket, by their present status. */
export const AttributionStatistics = Schema.Struct({
  summary: Schema.Struct(counts),
  buckets: Schema.Array(Schema.Struct({ timestamp: DateTime, ...counts })),
}).annotations({ identifier: "AttributionStatistics" });

/** What became of each attribution of a batch, in order: its id, or why it was refused. */
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
      ...paging,
    }),
  )
  .addSuccess(pageOf("attributions", Attribution))
  .annotateContext(
    published(
      "list attributions",
      "listAttributions",
      "List attributions",
      "Oldest first, unless asked otherwise. external_references are compared exactly.",
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
      "The properties are checked against the schema; the commissions that matching formulas give arise at once.",
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
      "Credit many events at once",
      "In one commit, answered in their order. atomic (the default): one that is refused refuses all, named by its index. independent: a refused one is answered in its place and the others are stored.",
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
      "By creation, in UTC days, ISO weeks or months; every bucket of the span is there.",
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
      "Its commissions become 0. Cancelling again changes nothing and keeps the first reason.",
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
