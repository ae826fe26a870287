/** The look-ups that know no customer yet, over SQL. */
import { Effect, Exit } from "effect";
import type { ApiKey, Directory, Storage } from "quittance";
import * as Gathering from "./groupCommit/Batcher.ts";
import { record } from "./records/RowMapping.ts";
import { type Runner, records, row, rows, uuids } from "./Statement.ts";
import { withoutScope } from "./TenantScope.ts";

const API_KEYS = withoutScope(`select ${record("apiKey", "t")} as record from quittance.api_keys t
where t.key_id = any ($1::text[])`);

const TOUCH = withoutScope(`update quittance.api_keys t set last_used_at = $2::bigint
where t.key_id = $1 and (t.last_used_at is null or t.last_used_at < $2::bigint)`);

const PAYMENT_REFERENCE =
  withoutScope(`select t.customer_id as "customerId", t.settlement_id as "settlementId"
from quittance.payment_references t where t.reference = any ($1::uuid[])`);

const ANY_API_KEY = withoutScope("select 1 as present from quittance.api_keys limit 1");

/** A key's public part; what has another form names no key. */
const KEY_ID = /^[0-9a-f]{16}$/;

type Key = Storage.Versioned<ApiKey.ApiKey>;

/** Keys looked up by one statement at most. */
const TOGETHER_MAX = 1_000;

/** Finds keys for all who ask while the question before is under way: nobody is told what was true before they asked. */
const gathering = (sql: Runner): ((keyId: string) => Effect.Effect<Key | null, Storage.StorageError>) => {
  const find = Gathering.make<null, string, Key | null, Storage.StorageError>({
    most: TOGETHER_MAX,
    turn: sql.turn,
    serve: (_, keyIds) =>
      Effect.map(records<Key>(sql, API_KEYS, [`{${[...new Set(keyIds)].join(",")}}`]), (found) => {
        const keys = new Map(found.map((key) => [key.keyId, key]));
        return keyIds.map((keyId) => Exit.succeed(keys.get(keyId) ?? null));
      }),
  });
  return (keyId) => find(null, keyId);
};

/** The directory over a database that has been migrated. */
export const make = (sql: Runner): Directory.DirectoryService => {
  const find = gathering(sql);
  return {
    apiKey: (keyId) => (KEY_ID.test(keyId) ? find(keyId) : Effect.succeed(null)),
    touch: (keyId, minute) =>
      KEY_ID.test(keyId) ? Effect.asVoid(rows(sql, TOUCH, [keyId, minute])) : Effect.void,
    anyApiKey: Effect.map(row(sql, ANY_API_KEY, []), (found) => found !== null),
    paymentReference: (reference) => row(sql, PAYMENT_REFERENCE, [uuids([reference])]),
  };
};
