/** Attributions: business events of partners, such as sales. */
import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint";
import * as HttpApiGroup from "@effect/platform/HttpApiGroup";
import * as HttpApiSchema from "@effect/platform/HttpApiSchema";
import * as PlatformOpenApi from "@effect/platform/OpenApi";
import { Schema } from "effect";
import { Attribution as Domain, Ids, Receipt, Recredit, Replacement } from "quittance";
import * as Example from "./openapi/examples/Story.ts";
import { ReceiptPreview, RecreditDryRun, Recredited, ReplacementDryRun } from "./SaleChanges.ts";
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

export { ReceiptPreview, RecreditDryRun, Recredited, ReplacementDryRun } from "./SaleChanges.ts";

const Properties = Schema.Record({
  key: Schema.String,
  value: Schema.Union(Schema.String, Schema.Number, Schema.Boolean),
});

/** A partner's part of a sale that several partners earn from. */
const credit = Schema.Struct({
  role: Schema.String.annotations({ description: "seller, or what else the partner did for the sale." }),
  share: Schema.String.annotations({
    description: "The partner's part of the sale, in lowest terms: a decimal, or a fraction such as 1/3.",
  }),
  depth: Count.annotations({
    description: "0 where the credit was given; else how far above a seller the partner stood, 1 directly.",
  }),
}).annotations({ description: "The partner's part of the sale; absent where nobody else earns from it." });

const Origin = Id.annotations({
  description:
    "The attribution that the sale was recorded with, which is changed for all of its credits; absent of that one itself.",
});

/** When what the sale earned at once was settled in another system. */
const Elsewhere = Schema.Struct({ at: DateTime, reference: optional(Schema.String) }).annotations({
  description:
    "When what the sale earned as it was recorded was settled in another system; absent where it was not.",
});

/** The same in events. */
const creditOfEvent = optional(
  Schema.Struct({
    ...credit.fields,
    further: optional(
      Schema.Literal(true).annotations({ description: "The partner has another credit of the sale." }),
    ),
  }),
);

/** The events of an attribution; the first one has `occurred_at` and `occurred_on` as the caller gave them, or none. Where the workspace's `time_zone` decided `occurred_on`, it has both. Where it `replaces` another attribution and has no `occurred_at`, it counts for `recorded_at`. */
export const AttributionEvent = Schema.Union(
  event("create_attribution", {
    properties: Properties,
    occurred_at: optional(DateTime),
    occurred_on: optional(CalendarDate),
    time_zone: optional(Schema.String),
    credit: creditOfEvent,
    origin_id: optional(Origin),
    replaces: optional(Id),
    recorded_at: optional(DateTime),
    settled_elsewhere: optional(Elsewhere),
  }),
  event("cancel_attribution", { reason: Schema.String, replaced_by: optional(Id) }),
  event("recredit_attribution", { reason: Schema.String, credit: creditOfEvent }),
  event("state_received", {
    received: Schema.Number,
    of: Schema.Number,
    received_at: optional(DateTime),
  }),
  ErasureEvent,
).annotations({ identifier: "AttributionEvent" });

/**
 * An attribution as lists show it; only a cancelled one has `cancel_reason`. `occurred_at` is the date it counts for:
 * `created_at` unless an earlier one was given. `occurred_on` is its calendar day. One that was replaced has `replaced_by`,
 * and the one that replaces it has `replaces`; neither is shown to a credential that does not see the other.
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
    origin_id: optional(Origin),
    replaces: optional(Id),
    replaced_by: optional(Id),
  }),
  events: Schema.Array(entryOf(AttributionEvent)),
  view: Schema.Struct({
    status: Schema.Literal("confirmed", "cancelled"),
    cancel_reason: optional(Schema.String),
    properties: Properties,
    created_at: DateTime,
    receipt: optional(
      Schema.Struct({ received: Schema.Number, of: Schema.Number, received_at: DateTime }).annotations({
        description:
          "What the buyer has paid of the sale, as stated last; absent before, and in other credits.",
      }),
    ),
    settled_elsewhere: optional(Elsewhere),
  }),
}).annotations({ identifier: "Attribution" });

const counts = { total: Count, confirmed: Count, cancelled: Count };

/** How many attributions occurred in each bucket, by their present status. */
export const AttributionStatistics = Schema.Struct({
  summary: Schema.Struct(counts),
  buckets: Schema.Array(Schema.Struct({ timestamp: DateTime, ...counts })),
}).annotations({ identifier: "AttributionStatistics" });

const RefusedResult = Schema.Struct({ error_code: ErrorCode, message: Schema.String, ...FACTS });

/** The result of each attribution of a batch, in the order of the request: its id, or its error. */
export const CreatedBatch = Schema.Struct({
  results: Schema.Array(Schema.Union(Schema.Struct({ id: Id }), RefusedResult)),
}).annotations({ identifier: "CreatedBatch" });

/** The result of each statement of a batch, in the order of the request: its sale and whether it changed anything, or its error. */
export const StatedBatch = Schema.Struct({
  results: Schema.Array(Schema.Union(Schema.Struct({ id: Id, changed: Schema.Boolean }), RefusedResult)),
}).annotations({ identifier: "StatedBatch" });

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
      response: { attributions: Example.credited, ...Example.paged, total: 2 },
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
        "Records an event of a partner, checks its properties against the schema, and creates a commission under every matching formula. occurred_at is the date for which the event counts: from 1970 to 5 minutes ahead of the clock, created_at by default. occurred_on is its calendar day, at most one day from the UTC day. The same external_reference with the same content returns the existing id; with other content it is a conflict. Where several partners earn from the event, credits names them with their shares: each gets an attribution of its own, and the response has the id of the origin, that of partner_id. Partners above the sellers get credits by their links. settled_elsewhere states of a sale of the past that what it earns now was settled in another system: it counts for its own date and is never due, and later changes of the sale are due.",
      request: Example.sharedSale,
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
      request: {
        mode: "independent",
        attributions: [Example.sharedSale, { ...Example.sale, properties: {} }],
      },
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

const replace = HttpApiEndpoint.post("replace", "/attributions/:id/replace")
  .setPath(recordPath(Ids.AttributionId))
  .setPayload(Replacement.Replace)
  .addSuccess(Created, { status: 201 })
  .addSuccess(Schema.Union(Created, ReplacementDryRun))
  .addError(RecordBodyFailure)
  .pipe(
    extension({
      operation: "replace attribution",
      id: "replaceAttribution",
      summary: "Replace an attribution",
      description:
        "For a sale that has changed: another price, a part refunded, another date, another partner, other shares. Cancels the attribution and records it anew, in one commit, with what the request states and otherwise with the facts as they were given. A sale with several credits is replaced as a whole, by its origin: given credits are kept, with the new partner in place of the old one, or credits states others. The external reference moves to the new one. The new one counts for its occurred_at, under the formulas that cover that date, and arrives now where formulas accumulate. What was settled is due with the opposite sign, and the new amounts are due, so the next settlement pays the difference. Returns 201 and the id of the new attribution; where the request changes nothing, 200 and the id of the old one. A cancelled attribution is not replaced. With dry_run returns 200 and what this would change of the commissions; stores nothing, and needs commissions:read too.",
      request: Example.replacement,
      response: Example.created(Example.REPLACING),
      dryRun: Example.replacementDryRun,
      refused: Example.REASON,
    }),
  );

const recredit = HttpApiEndpoint.post("recredit", "/attributions/:id/recredit")
  .setPath(recordPath(Ids.AttributionId))
  .setPayload(Recredit.Recredit)
  .addSuccess(Schema.Union(Recredited, RecreditDryRun))
  .addError(RecordBodyFailure)
  .pipe(
    extension({
      operation: "recredit attribution",
      id: "recreditAttribution",
      summary: "Derive the uplines of a sale again",
      description:
        "For a sale that was recorded before its team was entered, or under a link that was wrong. Follows the links of now above the sellers at the occurred_at of the sale. Credits that are the same stay, others are cancelled with this reason, and missing ones are created; one whose share changes is both. Given credits never change, and a role that was given is not derived. New credits count for the date and the day of the sale, and arrive now where formulas accumulate. Returns how many credits were added and cancelled; where nothing changes, none, and nothing is stored. A cancelled sale is a conflict, and so is any attribution of the sale but its origin. With dry_run returns what this would change of the credits and commissions of partners that the credential sees; stores nothing, and needs commissions:read too.",
      request: Example.recredit,
      response: { added: 2, cancelled: 1 },
      dryRun: Example.recreditDryRun,
      refused: Example.REASON,
    }),
  );

const stateReceived = HttpApiEndpoint.put("state_received", "/attributions/:id/received")
  .setPath(recordPath(Ids.AttributionId))
  .setPayload(Receipt.State)
  .addSuccess(HttpApiSchema.Empty(200))
  .addError(RecordBodyFailure)
  .pipe(
    extension({
      operation: "state received",
      id: "stateReceived",
      summary: "State what the buyer has paid",
      description:
        "States what the buyer of a sale has paid so far, of how much. Under formulas and plans whose release is on_receipt, the same part of every positive commission of the sale may be settled, rounded down; negative amounts never wait. It replaces the statement before: less takes back. The same statement again changes nothing, and neither does one whose received_at is earlier than that of the last one. It counts for every attribution of the sale, and is recorded for a cancelled sale too. Record refunds by replacing the sale.",
      request: Example.receipt,
      refused: "of: must be greater than 0",
    }),
  );

const previewReceived = HttpApiEndpoint.post("preview_received", "/attributions/:id/received/preview")
  .setPath(recordPath(Ids.AttributionId))
  .setPayload(Receipt.State)
  .addSuccess(ReceiptPreview)
  .addError(RecordBodyFailure)
  .pipe(
    extension({
      operation: "preview received",
      id: "previewReceived",
      summary: "Preview what a receipt would release",
      description:
        "Returns what stating this would release of every commission of the sale that waits for its buyer, and what would then be due of it; only of partners that the credential sees. Stores nothing, and refuses what stating it would refuse.",
      request: Example.receipt,
      response: Example.receiptPreview,
      refused: "of: must be greater than 0",
    }),
  );

const stateReceivedBatch = HttpApiEndpoint.post("state_received_batch", "/attributions/received")
  .setPayload(Receipt.StateBatch)
  .addSuccess(StatedBatch)
  .addError(BodyFailure)
  .pipe(
    extension({
      operation: "state received",
      id: "stateReceivedBatch",
      summary: "State what many buyers have paid",
      description:
        "At most 1,000 statements, each of another sale, stored in one commit; results are in the order of the request. Mode atomic (the default): when one is refused, nothing is stored, and the message names its index. Mode independent: the others are stored, and the results have the errors. changed is false where a statement is known already, or older than the last one.",
      request: { receipts: [{ attribution_id: Example.ATTRIBUTION, ...Example.receipt }] },
      response: { results: [{ id: Example.ATTRIBUTION, changed: true }] },
      refused: "receipts: must have 1 to 1000 receipts",
    }),
  )
  .annotate(BodyBytesMax, BATCH_BYTES_MAX);

/** The operations on attributions. */
export const Attributions = HttpApiGroup.make("attributions")
  .add(list)
  .add(create)
  .add(createBatch)
  .add(stats)
  .add(cancel)
  .add(replace)
  .add(recredit)
  .add(stateReceived)
  .add(previewReceived)
  .add(stateReceivedBatch)
  .annotate(PlatformOpenApi.Title, "Attributions")
  .annotate(PlatformOpenApi.Description, "Business events of partners, such as sales.");
