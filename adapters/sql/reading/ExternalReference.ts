/** Finds attributions and partners by their external references. */
import { tableName } from "../records/Tables.ts";

/**
 * A subquery that finds at most one attribution of the customer `$1` by expressions for schema and reference; the row has the
 * alias `t`. In the order of the unique key: no other index has a lower cost for that, whatever the planner estimates. The
 * schema is compared by `=`, because the key has the order of references only within a schema.
 */
export const byExternalReference = (columns: string, schema: string, reference: string): string => `(
  select ${columns} from ${tableName("attribution")} t
  where t.customer_id = $1 and t.schema_id = ${schema}
    and t.external_reference >= ${reference} and t.external_reference <= ${reference}
  order by t.external_reference limit 1)`;

/** A subquery of the partners of the customer `$1` with a reference, of any workspace, in the order of the unique key. */
export const partnersByReference = (reference: string): string => `(
  select t.* from ${tableName("partner")} t
  where t.customer_id = $1 and t.external_reference >= ${reference} and t.external_reference <= ${reference}
  order by t.external_reference)`;
