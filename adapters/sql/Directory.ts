/** The look-ups that know no customer yet, over SQL. */
import type { SqlClient } from "@effect/sql";
import { Effect } from "effect";
import type { ApiKey, Directory } from "quittance";
import { record } from "./Record.ts";
import { records, row, rows, uuids } from "./Statement.ts";

const API_KEY = `select ${record("apiKey", "t")} as record from quittance.api_keys t where t.key_id = $1`;

const TOUCH = `update quittance.api_keys t set last_used_at = $2::bigint
where t.key_id = $1 and (t.last_used_at is null or t.last_used_at < $2::bigint)`;

const PAYMENT_REFERENCE = `select t.customer_id as "customerId", t.settlement_id as "settlementId"
from quittance.payment_references t where t.reference = any ($1::uuid[])`;

/** No text of the database holds U+0000, so nothing is found by it. */
const searchable = (text: string): boolean => !text.includes("\u0000");

/** The directory over a database that has been migrated. */
export const make = (sql: SqlClient.SqlClient): Directory.DirectoryService => ({
  apiKey: (keyId) =>
    searchable(keyId)
      ? Effect.map(records<ApiKey.ApiKey>(sql, API_KEY, [keyId]), ([key]) => key ?? null)
      : Effect.succeed(null),
  touch: (keyId, minute) =>
    searchable(keyId) ? Effect.asVoid(rows(sql, TOUCH, [keyId, minute])) : Effect.void,
  anyApiKey: Effect.map(
    row(sql, "select 1 as present from quittance.api_keys limit 1", []),
    (found) => found !== null,
  ),
  paymentReference: (reference) => row(sql, PAYMENT_REFERENCE, [uuids([reference])]),
});
