/** Attributions on the wire. */
import { type Attributions, type Refusal, type Storage, Timestamp } from "quittance";
import type * as Contract from "../api/Attributions.ts";
import type { ErrorCode } from "../api/Failure.ts";
import { entries, same } from "./Entry.ts";

/** An attribution as lists show it. */
export const attribution = (row: Storage.Listed["attribution"]): typeof Contract.Attribution.Type => ({
  id: row.id,
  partner_id: row.partnerId,
  customer_id: row.customerId,
  schema_id: row.schemaId,
  metadata:
    row.externalReference === null
      ? { agent_id: row.agentId, workspace_id: row.workspaceId }
      : {
          agent_id: row.agentId,
          workspace_id: row.workspaceId,
          external_reference: row.externalReference,
        },
  events: entries(row.events, same),
  view:
    row.cancelReason === null
      ? { status: row.status, properties: row.properties, created_at: Timestamp.format(row.createdAt) }
      : {
          status: row.status,
          cancel_reason: row.cancelReason,
          properties: row.properties,
          created_at: Timestamp.format(row.createdAt),
        },
});

const CODE_OF = {
  Invalid: "BAD_REQUEST",
  Forbidden: "FORBIDDEN",
  Missing: "NOT_FOUND",
  Conflict: "CONFLICT",
} as const satisfies { readonly [Tag in Refusal.Refusal["_tag"]]: ErrorCode };

/** What became of each attribution of a batch. */
export const batch = (
  results: ReadonlyArray<Attributions.BatchResult>,
): typeof Contract.CreatedBatch.Type => ({
  results: results.map((result) =>
    "id" in result ? { id: result.id } : { error_code: CODE_OF[result.refusal], message: result.message },
  ),
});

/** Counts of attributions as the wire shows them. */
export const statistics = ({
  summary,
  buckets,
}: {
  readonly summary: Counts;
  readonly buckets: ReadonlyArray<Counts & { readonly timestamp: Timestamp.Timestamp }>;
}): typeof Contract.AttributionStatistics.Type => ({
  summary: counts(summary),
  buckets: buckets.map((bucket) => ({ timestamp: Timestamp.format(bucket.timestamp), ...counts(bucket) })),
});

interface Counts {
  readonly total: number;
  readonly confirmed: number;
  readonly cancelled: number;
}

const counts = ({ total, confirmed, cancelled }: Counts): Counts => ({ total, confirmed, cancelled });
