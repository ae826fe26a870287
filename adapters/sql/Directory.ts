/** The look-ups that know no customer yet, over SQL. */
import { Deferred, Effect, FiberId } from "effect";
import type { ApiKey, Directory, Storage } from "quittance";
import { record } from "./Record.ts";
import { type Runner, records, row, rows, uuids } from "./Statement.ts";

const API_KEYS = `select ${record("apiKey", "t")} as record from quittance.api_keys t
where t.key_id = any ($1::text[])`;

const TOUCH = `update quittance.api_keys t set last_used_at = $2::bigint
where t.key_id = $1 and (t.last_used_at is null or t.last_used_at < $2::bigint)`;

const PAYMENT_REFERENCE = `select t.customer_id as "customerId", t.settlement_id as "settlementId"
from quittance.payment_references t where t.reference = any ($1::uuid[])`;

/** A key's public part; what has another form names no key. */
const KEY_ID = /^[0-9a-f]{16}$/;

/** Finds keys for all who ask while the question before is under way, with one statement begun after they asked. */
const gathering = (
  sql: Runner,
): ((keyId: string) => Effect.Effect<ApiKey.ApiKey | null, Storage.StorageFailed>) => {
  interface Round {
    readonly asked: Set<string>;
    readonly found: Deferred.Deferred<ReadonlyMap<string, ApiKey.ApiKey>, Storage.StorageFailed>;
  }
  const turn = Effect.unsafeMakeSemaphore(1);
  let open: Round | null = null;
  const ask = Effect.suspend(() => {
    // Who comes from here on must not be told what was true before.
    const asked = [...(open?.asked ?? [])];
    open = null;
    return Effect.map(
      records<ApiKey.ApiKey>(sql, API_KEYS, [`{${asked.join(",")}}`]),
      (keys) => new Map(keys.map((key) => [key.keyId, key])),
    );
  });
  return (keyId) =>
    Effect.suspend(() => {
      let round = open;
      let begun: Effect.Effect<unknown> = Effect.void;
      if (round === null) {
        round = { asked: new Set(), found: Deferred.unsafeMake(FiberId.none) };
        open = round;
        // On its own, so that nobody's interruption leaves the others without an answer.
        begun = Effect.forkDaemon(Effect.intoDeferred(turn.withPermits(1)(ask), round.found));
      }
      round.asked.add(keyId);
      return Effect.zipRight(
        begun,
        Effect.map(Deferred.await(round.found), (keys) => keys.get(keyId) ?? null),
      );
    });
};

/** The directory over a database that has been migrated. */
export const make = (sql: Runner): Directory.DirectoryService => {
  const find = gathering(sql);
  return {
    apiKey: (keyId) => (KEY_ID.test(keyId) ? find(keyId) : Effect.succeed(null)),
    touch: (keyId, minute) =>
      KEY_ID.test(keyId) ? Effect.asVoid(rows(sql, TOUCH, [keyId, minute])) : Effect.void,
    anyApiKey: Effect.map(
      row(sql, "select 1 as present from quittance.api_keys limit 1", []),
      (found) => found !== null,
    ),
    paymentReference: (reference) => row(sql, PAYMENT_REFERENCE, [uuids([reference])]),
  };
};
