/** Attributions on the wire. */
import { type Attributions, type Refusal, type Storage, Timestamp } from "quittance";
import type * as Contract from "../api/Attributions.ts";
import type { ErrorCode } from "../api/Failure.ts";

type Row = Storage.Listed["attribution"];

const orNull = (text: string | null): string => (text === null ? "null" : `"${text}"`);

const ifAny = (name: string, text: string | null): string =>
  text === null ? "" : `,"${name}":${JSON.stringify(text)}`;

/** An entry of the log; nearly every attribution has only the first, whose properties are its own. */
const entry = ({ at, event }: Row["events"][number], own: unknown, properties: string): string => {
  const happened =
    event.type === "create_attribution" && event.properties === own
      ? `{"type":"create_attribution","properties":${properties}}`
      : JSON.stringify(event);
  return `{"datetime":"${Timestamp.format(at)}","event":${happened}}`;
};

/**
 * An attribution as lists show it (`Contract.Attribution`), as JSON text: objects made only to be written would cost a
 * page as much as all the rest. Ids, codes and moments hold nothing that JSON escapes.
 */
export const attribution = (row: Row): string => {
  const properties = JSON.stringify(row.properties);
  const events = row.events.map((one) => entry(one, row.properties, properties)).join(",");
  const metadata = `"agent_id":${orNull(row.agentId)},"workspace_id":"${row.workspaceId}"${ifAny("external_reference", row.externalReference)}`;
  const view = `"status":"${row.status}"${ifAny("cancel_reason", row.cancelReason)},"properties":${properties},"created_at":"${Timestamp.format(row.createdAt)}"`;
  return `{"id":"${row.id}","partner_id":"${row.partnerId}","customer_id":"${row.customerId}","schema_id":"${row.schemaId}","metadata":{${metadata}},"events":[${events}],"view":{${view}}}`;
};

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
