/** The document store over SQL: the bytes are in the database, as durable as the records. */
import { Effect } from "effect";
import type { Documents } from "quittance";
import { type Runner, row, rows } from "./Statement.ts";
import { forCustomer } from "./TenantScope.ts";

const PUT =
  forCustomer(`insert into quittance.document_bytes (customer_id, document_id, bytes) values ($1, $2, $3)
on conflict (customer_id, document_id) do nothing`);

const GET = forCustomer(
  "select t.bytes from quittance.document_bytes t where t.customer_id = $1 and t.document_id = $2",
);

const REMOVE = forCustomer(
  "delete from quittance.document_bytes t where t.customer_id = $1 and t.document_id = $2",
);

/** The document store over a database that has been migrated. */
export const make = (sql: Runner): Documents.DocumentStoreService => ({
  put: (customerId, documentId, bytes) => Effect.asVoid(rows(sql, PUT, [customerId, documentId, bytes])),
  get: (customerId, documentId) =>
    Effect.map(
      row<{ readonly bytes: Uint8Array }>(sql, GET, [customerId, documentId]),
      // A copy, because drivers return views of larger buffers.
      (found) => (found === null ? null : Uint8Array.from(found.bytes)),
    ),
  remove: (customerId, documentId) => Effect.asVoid(rows(sql, REMOVE, [customerId, documentId])),
});
