/** The directory port over SQL: look-ups before a customer is known. */
import { Effect, Exit } from "effect";
import type { ApiKey, Directory, Ids, Storage } from "quittance";
import * as Shards from "./distribution/Shards.ts";
import { isOfNode } from "./Failure.ts";
import * as Batcher from "./groupCommit/Batcher.ts";
import { record } from "./records/RowMapping.ts";
import { type Runner, records, row, rows, uuids } from "./Statement.ts";
import { withoutScope } from "./TenantScope.ts";

/**
 * The functions of look-ups by the public part of a key. A table of routes names the customer of each key; the key itself
 * is read in the scope of its customer.
 */
export const directoryFunctions = `
create function quittance.find_api_keys(key_ids text[]) returns setof jsonb language plpgsql as $body$
declare
  route record;
begin
  for route in select r.customer_id, r.api_key_id from quittance.api_key_routes r where r.key_id = any (key_ids) loop
    perform set_config('app.customer_id', route.customer_id::text, true);
    return query select ${record("apiKey", "t")} from quittance.api_keys t
      where t.customer_id = route.customer_id and t.id = route.api_key_id;
  end loop;
end
$body$;

create function quittance.touch_api_key(key text, minute bigint) returns void language plpgsql as $body$
declare
  route record;
begin
  select r.customer_id, r.api_key_id into route from quittance.api_key_routes r where r.key_id = key;
  if route.customer_id is null then return; end if;
  perform set_config('app.customer_id', route.customer_id::text, true);
  update quittance.api_keys t set last_used_at = minute
  where t.customer_id = route.customer_id and t.id = route.api_key_id
    and (t.last_used_at is null or t.last_used_at < minute);
end
$body$;
`;

const API_KEYS = withoutScope("select r.record from quittance.find_api_keys($1::text[]) as r(record)");

const TOUCH = withoutScope("select quittance.touch_api_key($1, $2::bigint)");

const PAYMENT_REFERENCE = Shards.onePart(
  withoutScope,
  "payment_references",
  `select t.customer_id as "customerId", t.settlement_id as "settlementId"
from quittance.payment_references t where t.reference = any ($1::uuid[])`,
);

const ANY_API_KEY = withoutScope("select 1 as present from quittance.api_key_routes limit 1");

/** The form of a key's public part; another text names no key. */
const KEY_ID = /^[0-9a-f]{16}$/;

type Key = Storage.Versioned<ApiKey.ApiKey>;

/** The most keys of one statement. */
const TOGETHER_MAX = 1_000;

const lookUp = (sql: Runner, keyIds: ReadonlyArray<string>) =>
  records<Key>(sql, API_KEYS, [`{${[...new Set(keyIds)].join(",")}}`]);

/**
 * Looks keys up in batches. A statement begins after every request that it serves, so that its result is never older. When
 * a node of a distributed database cannot be reached, each key is looked up alone, so that only those of that node fail.
 */
const makeBatchedFind = (
  sql: Runner,
): ((keyId: string) => Effect.Effect<Key | null, Storage.StorageError>) => {
  const find = Batcher.make<null, string, Key | null, Storage.StorageError>({
    batchSizeMax: TOGETHER_MAX,
    turn: sql.turn,
    serve: (_, keyIds) =>
      lookUp(sql, keyIds).pipe(
        Effect.map((found) => {
          const keys = new Map(found.map((key) => [key.keyId, key]));
          return keyIds.map((keyId) => Exit.succeed(keys.get(keyId) ?? null));
        }),
        Effect.catchIf(
          ({ cause }) => isOfNode(cause) && keyIds.length > 1,
          () =>
            Effect.forEach(
              keyIds,
              (keyId) => Effect.exit(Effect.map(lookUp(sql, [keyId]), ([found]) => found ?? null)),
              { concurrency: "unbounded" },
            ),
        ),
      ),
  });
  return (keyId) => find(null, keyId);
};

interface Route {
  readonly customerId: Ids.CustomerId;
  readonly settlementId: Ids.SettlementId;
}

/**
 * Finds the customer and settlement of a payment reference. Fails when it is not found and some nodes cannot be reached,
 * because it may be in one of those.
 */
const findPaymentRoute = (
  sql: Runner,
  reference: string,
): Effect.Effect<Route | null, Storage.StorageError> =>
  Effect.flatMap(
    Shards.readReachable<Route>(sql, PAYMENT_REFERENCE, [uuids([reference])]),
    ({ found: [route], missing }) =>
      route === undefined && missing !== null ? Effect.fail(missing) : Effect.succeed(route ?? null),
  );

/** The directory over a database that has been migrated. */
export const make = (sql: Runner): Directory.DirectoryService => {
  const find = makeBatchedFind(sql);
  return {
    apiKey: (keyId) => (KEY_ID.test(keyId) ? find(keyId) : Effect.succeed(null)),
    touch: (keyId, minute) =>
      KEY_ID.test(keyId) ? Effect.asVoid(rows(sql, TOUCH, [keyId, minute])) : Effect.void,
    anyApiKey: Effect.map(row(sql, ANY_API_KEY, []), (found) => found !== null),
    paymentReference: (reference) => findPaymentRoute(sql, reference),
  };
};
