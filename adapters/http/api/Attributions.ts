/** Attributions: business events of partners, such as sales. */
import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint";
import * as HttpApiGroup from "@effect/platform/HttpApiGroup";
import * as HttpApiSchema from "@effect/platform/HttpApiSchema";
import * as PlatformOpenApi from "@effect/platform/OpenApi";
import { Schema } from "effect";
import { Attribution as Domain, Ids } from "quittance";
import * as Example from "./openapi/examples/Story.ts";
import { BodyBytesMax, CachedCredential, extension, publishedOperation } from "./shared/Annotation.ts";
import { BodyFailure, ErrorCode, FACTS, NotFound, RecordBodyFailure } from "./shared/Failure.ts";
import {
  CalendarDate,
  Count,
  Created,
  DateTime,
  ErasureEvent,
  entryOf,
  event,
  Id,
  optional,
  pageOf,
} from "./shared/Field.ts";
import { filters } from "./shared/Filters.ts";
import { BATCH_BYTES_MAX } from "./shared/Limit.ts";
import { paging, recordPath, statistics } from "./shared/Query.ts";

const Properties = Schema.Record({
  key: Schema.String,
  value: Schema.Union(Schema.String, Schema.Number, Schema.Boolean),
});

/** A partner's part of a sale that several partners earn from. */
const credit = Schema.Struct({ role: Schema.String, share: Schema.String, depth: Count });

/** The events of an attribution; the first one has `occurred_at` and `occurred_on` as the caller gave them, or none. Where the workspace's `time_zone` decided `occurred_on`, it has both. */
export const AttributionEvent = Schema.Union(
  event("create_attribution", {
    properties: Properties,
    occurred_at: optional(DateTime),
    occurred_on: optional(CalendarDate),
    time_zone: optional(Schema.String),
    credit: optional(Schema.Struct({ ...credit.fields, further: optional(Schema.Literal(true)) })),
    origin_id: optional(Id),
  }),
  event("cancel_attribution", { reason: Schema.String }),
  ErasureEvent,
).annotations({ identifier: "AttributionEvent" });

/**
 * An attribution as lists show it; only a cancelled one has `cancel_reason`. `occurred_at` is the date it counts for:
 * `created_at` unless an earlier one was given. `occurred_on` is its calendar day.
 */
export const Attribution = Schema.Struct({
  id: Id,
  partner_id: Id,
  customer_id: Id,
  schema_id: Id,
  metadata: Schema.Struct({
    agent_id: Schema.NullOr(Id),
    workspace_id: Id,
    external_reference: optional(Schema.String),
    occurred_at: DateTime,
    occurred_on: CalendarDate,
    credit: optional(credit),
    origin_id: optional(Id),
  }),
  events: Schema.Array(entryOf(AttributionEvent)),
  view: Schema.Struct({
    status: Schema.Literal("confirmed", "cancelled"),
    cancel_reason: optional(Schema.String),
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

/** The result of each attribution of a batch, in the order of the request: its id, or its error. */
export const CreatedBatch = Schema.Struct({
  results: Schema.Array(
    Schema.Union(
      Schema.Struct({ id: Id }),
      Schema.Struct({ error_code: ErrorCode, message: Schema.String, ...FACTS }),
    ),
  ),
}).annotations({ identifier: "CreatedBatch" });

const list = HttpApiEndpoint.get("list", "/attributions")
  .setUrlParams(
    Schema.Struct({
      ...filters("attribution"),
      ...paging,
    }),
  )
  .addSuccess(pageOf("attributions", Attribution))
  .pipe(
    publishedOperation({
      operation: "list attributions",
      id: "listAttributions",
      summary: "List attributions",
      description:
        "Oldest first by created_at by default. external_references match exactly, with letter case.",
      response: { attributions: [Example.attribution], ...Example.paged },
      refused: Example.PAGE,
    }),
  );

const create = HttpApiEndpoint.post("create", "/attributions")
  .setPayload(Domain.Create)
  .addSuccess(Created, { status: 201 })
  .addError(NotFound)
  .addError(BodyFailure)
  .pipe(
    publishedOperation({
      operation: "create attribution",
      id: "createAttribution",
      summary: "Create an attribution",
      description:
        "Records an event of a partner, checks its properties against the schema, and creates a commission under every matching formula. occurred_at is the date for which the event counts: from 1970 to 5 minutes ahead of the clock, created_at by default. occurred_on is its calendar day, at most one day from the UTC day. The same external_reference with the same content returns the existing id; with other content it is a conflict.",
      request: Example.sale,
      response: Example.created(Example.ATTRIBUTION),
      refused: "properties.order_value: must be a string or a number or true or false",
    }),
  )
  .annotate(CachedCredential, true);

const createBatch = HttpApiEndpoint.post("create_batch", "/attributions/batch")
  .setPayload(Domain.CreateBatch)
  .addSuccess(CreatedBatch, { status: 201 })
  .addError(BodyFailure)
  .pipe(
    extension({
      operation: "create attribution",
      id: "createAttributions",
      summary: "Create many attributions in one request",
      description:
        "At most 1,000, stored in one commit; results are in the order of the request. Mode atomic (the default): when one attribution is invalid, nothing is stored, and the message names its index. Mode independent: the valid ones are stored, and the results have the errors of the others.",
      request: { mode: "independent", attributions: [Example.sale, { ...Example.sale, properties: {} }] },
      response: {
        results: [
          { id: Example.ATTRIBUTION },
          {
            error_code: "BAD_REQUEST",
            message: "properties.order_value: is required",
            field: "properties.order_value",
          },
        ],
      },
      refused: "attributions: must have 1 to 1000 attributions",
    }),
  )
  .annotate(CachedCredential, true)
  .annotate(BodyBytesMax, BATCH_BYTES_MAX);

const stats = HttpApiEndpoint.get("stats", "/attributions/stats")
  .setUrlParams(
    Schema.Struct({
      ...statistics,
      ...filters("attribution", ["partnerIds", "workspaceIds"]),
    }),
  )
  .addSuccess(AttributionStatistics)
  .pipe(
    publishedOperation({
      operation: "attribution statistics",
      id: "attributionStatistics",
      summary: "Count attributions",
      description:
        "Counts attributions per bucket of occurred_at, by their present status. Buckets are UTC days, ISO weeks or months, at most 1,000, including empty ones. The first bucket may begin before from; it counts only attributions from from on.",
      response: { summary: Example.counts, buckets: [{ ...Example.bucket, ...Example.counts }] },
      refused: `to: ${Example.MOMENT}`,
    }),
  );

const cancel = HttpApiEndpoint.del("cancel", "/attributions/:id")
  .setPath(recordPath(Ids.AttributionId))
  .setPayload(Domain.Cancel)
  .addSuccess(HttpApiSchema.Empty(200))
  .addError(RecordBodyFailure)
  .pipe(
    publishedOperation({
      operation: "cancel attribution",
      id: "cancelAttribution",
      summary: "Cancel an attribution",
      description:
        "Sets its commissions to 0. A paid commission is then due with the negative of the paid amount. A second cancellation changes nothing and keeps the first reason.",
      request: { reason: "The order was refunded" },
      refused: Example.REASON,
    }),
  );

/** The operations on attributions. */
export const Attributions = HttpApiGroup.make("attributions")
  .add(list)
  .add(create)
  .add(createBatch)
  .add(stats)
  .add(cancel)
  .annotate(PlatformOpenApi.Title, "Attributions")
  .annotate(PlatformOpenApi.Description, "Business events of partners, such as sales.");
