/** The outbox port over SQL. Rows are claimed with SKIP LOCKED, so that workers never wait for each other. */
import { Effect, Either } from "effect";
import type { Ids, Outbox, Storage } from "quittance";
import * as Shards from "./distribution/Shards.ts";
import { failure, isOfNode } from "./Failure.ts";
import { integers, type Runner, records, rows, uuids } from "./Statement.ts";
import { forCustomer, forOutbox, withoutScope } from "./TenantScope.ts";

/** The columns of a claimed message as the port names them; the column `attempt` holds the number of the claim. */
const claimedOf = (
  row: string,
): string => `'id', ${row}.id, 'topic', ${row}.topic, 'customerId', ${row}.customer_id,
  'recordId', ${row}.record_id, 'reference', ${row}.reference, 'claim', ${row}.attempt, 'failures', ${row}.failures,
  'lostLeases', ${row}.lost_leases`;

/** The clock of the database at the start of the statement. */
const NOW = "(extract(epoch from statement_timestamp()) * 1000)::bigint";

/** The messages that the list shows and an operator may put back into the queue. */
const TROUBLED = "(t.dead_lettered or t.parked or t.failures > 0 or t.lost_leases > 0)";

const IS_AVAILABLE = "not t.dead_lettered and t.available_at <= moment and t.leased_until <= moment";

const isDue = (topics: string, excepted: string): string =>
  `${IS_AVAILABLE} and t.topic = any (${topics}) and t.customer_id <> all (${excepted})`;

/**
 * The functions that claim messages. They search the messages of all customers in their order, without locks, and then
 * claim each by its key in the scope of its customer, unless another worker has it.
 */
export const claimMessages = `
-- Null when another worker has the message.
create function quittance.claim_message(customer uuid, message uuid, moment bigint, lease bigint) returns json
language plpgsql as $body$
declare
  claimed record;
begin
  perform set_config('app.customer_id', customer::text, true);
  perform from quittance.outbox t
  where t.customer_id = customer and t.id = message and ${IS_AVAILABLE}
  for no key update skip locked;
  if not found then return null; end if;
  update quittance.outbox t set attempt = t.attempt + 1, leased_until = moment + lease, parked = false,
    lost_leases = t.lost_leases + case when t.leased_until > 0 then 1 else 0 end
  where t.customer_id = customer and t.id = message
  returning t.* into claimed;
  return json_build_object(${claimedOf("claimed")});
end
$body$;

create function quittance.claim_messages(topics text[], most bigint, lease bigint, excepted uuid[]) returns json
language plpgsql as $body$
declare
  moment constant bigint := quittance.now_milliseconds();
  due record;
  message json;
  claimed json[] := '{}';
  wanted bigint;
  seen bigint;
  last_at bigint := -1;
  last_id uuid := '00000000-0000-0000-0000-000000000000';
begin
  loop
    wanted := most - cardinality(claimed);
    seen := 0;
    for due in
      select t.customer_id, t.id, t.available_at from quittance.outbox t
      where ${isDue("topics", "excepted")} and (t.available_at, t.id) > (last_at, last_id)
      order by t.available_at, t.id limit wanted
    loop
      seen := seen + 1;
      last_at := due.available_at;
      last_id := due.id;
      message := quittance.claim_message(due.customer_id, due.id, moment, lease);
      if message is not null then claimed := claimed || message; end if;
    end loop;
    exit when seen < wanted or cardinality(claimed) >= most;
  end loop;
  return array_to_json(claimed);
end
$body$;
`;

const CLAIM = forOutbox(
  "select quittance.claim_messages($1::text[], $2::bigint, $3::bigint, $4::uuid[]) as messages",
);

const CLAIM_ONE = withoutScope(
  "select quittance.claim_message($1::uuid, $2::uuid, quittance.now_milliseconds(), $3::bigint) as message",
);

const DUE: Shards.Part = {
  table: "outbox",
  text: `
select t.customer_id as "customerId", t.id, t.available_at as "availableAt"
from quittance.outbox t cross join (values (${NOW})) as clock(moment)
where ${isDue("$1::text[]", "$2::uuid[]")} order by t.available_at, t.id limit $3::bigint`,
};

/** Due messages that are read in addition to those wanted: other workers may claim some of them first. */
const SPARE = 16;

const RENEW = forCustomer(`
update quittance.outbox t set leased_until = greatest(t.leased_until, ${NOW} + $4::bigint)
from unnest($2::uuid[], $3::integer[]) as held(id, claim)
where t.customer_id = $1 and t.id = held.id and t.attempt = held.claim`);

const RELEASE = forCustomer(`
update quittance.outbox t set available_at = least(t.available_at, ${NOW}), leased_until = 0
where t.customer_id = $1 and t.id = $2 and t.attempt = $3`);

const POSTPONE = forCustomer(`
update quittance.outbox t set available_at = ${NOW} + $4::bigint, leased_until = 0, failures = $5, lost_leases = 0,
  problem = $6, parked = $7
where t.customer_id = $1 and t.id = $2 and t.attempt = $3`);

const DEAD_LETTER = forCustomer(`
update quittance.outbox t set dead_lettered = true, leased_until = 0, problem = $4
where t.customer_id = $1 and t.id = $2 and t.attempt = $3`);

const COMPLETE = forCustomer(
  "delete from quittance.outbox t where t.customer_id = $1 and t.id = $2 and t.attempt = $3",
);

const IS_PARKED = "t.parked and not t.dead_lettered and t.topic = any ($TOPICS::text[])";

const CUSTOMERS_WITH_PARKED = Shards.onePart(
  forOutbox,
  "outbox",
  `select distinct t.customer_id as "customerId" from quittance.outbox t where ${IS_PARKED.replace("$TOPICS", "$1")}`,
);

const UNPARK = forCustomer(`
update quittance.outbox t set available_at = ${NOW}, parked = false
where t.customer_id = $1 and ${IS_PARKED.replace("$TOPICS", "$2")}`);

const LIST = forOutbox(`
select json_build_object(${claimedOf("t")},
  'state', case when t.dead_lettered then 'dead' when t.leased_until > ${NOW} then 'claimed'
    when t.parked then 'parked' else 'waiting' end,
  'availableAt', t.available_at, 'problem', t.problem) as record
from quittance.outbox t
where ${TROUBLED} and ($1::uuid is null or t.id > $1::uuid) order by t.id limit $2::bigint`);

const CUSTOMERS_WITH_TROUBLED = forOutbox(`
select distinct t.customer_id as "customerId" from quittance.outbox t where t.id = any ($1::uuid[]) and ${TROUBLED}`);

const REQUEUE = forCustomer(`
update quittance.outbox t set available_at = least(t.available_at, ${NOW}), failures = 0, lost_leases = 0,
  dead_lettered = false, parked = false
where t.customer_id = $1 and t.id = any ($2::uuid[]) and ${TROUBLED} returning t.id`);

const DEPTH = forOutbox(`
select t.topic, count(*) filter (where not t.dead_lettered) as waiting, count(*) filter (where t.dead_lettered) as dead_lettered,
  greatest(0, ${NOW} - min(t.available_at) filter (where not t.dead_lettered)) as overdue
from quittance.outbox t group by t.topic`);

interface Depth {
  readonly topic: Storage.Topic;
  readonly waiting: number | string;
  readonly dead_lettered: number | string;
  readonly overdue: number | string;
}

const byAvailability = (a: Due, b: Due): number => a.availableAt - b.availableAt || (a.id < b.id ? -1 : 1);

/** A problem without U+0000, which PostgreSQL cannot store. */
const storable = (problem: string | null): string | null => problem?.replaceAll("\u0000", "\uFFFD") ?? null;

/** An array of topics, which are words that an array literal need not quote. */
const topicsOf = (topics: ReadonlyArray<Storage.Topic>): string => `{${topics.join(",")}}`;

interface OfCustomer {
  readonly customerId: Ids.CustomerId;
}

/** Makes parked messages available. Fails after those of the other nodes when a node cannot be reached. */
const unpark = (sql: Runner, topics: string): Effect.Effect<void, Storage.StorageError> =>
  Effect.gen(function* () {
    const { found, missing } = yield* Shards.readReachable<OfCustomer>(sql, CUSTOMERS_WITH_PARKED, [topics]);
    for (const { customerId } of found) yield* rows(sql, UNPARK, [customerId, topics]);
    if (missing !== null) return yield* missing;
  });

/** Renews the leases of each customer by a statement of its own: one that fails does not end the leases of the others. */
const renew = (
  sql: Runner,
  claims: ReadonlyArray<Outbox.Claim>,
  leaseMilliseconds: number,
): Effect.Effect<void, Storage.StorageError> => {
  const byCustomer = new Map<Ids.CustomerId, Array<Outbox.Claim>>();
  for (const claim of claims)
    byCustomer.set(claim.customerId, [...(byCustomer.get(claim.customerId) ?? []), claim]);
  return Effect.forEach(
    byCustomer,
    ([customerId, messages]) =>
      Effect.either(
        rows(sql, RENEW, [
          customerId,
          uuids(messages.map(({ id }) => id)),
          integers(messages.map(({ claim }) => claim)),
          leaseMilliseconds,
        ]),
      ),
    { concurrency: "unbounded" },
  ).pipe(Effect.flatMap((outcomes) => Effect.all(outcomes, { discard: true })));
};

interface Messages {
  readonly messages: ReadonlyArray<Outbox.Claimed>;
}

interface Due extends OfCustomer {
  readonly id: Ids.MessageId;
  readonly availableAt: number;
}

/** Which messages to claim, as parameters of the statements. */
interface Claims {
  readonly topics: string;
  readonly limit: number;
  readonly lease: number;
  readonly except: string;
}

/** Claims messages of the nodes that can be reached, each by a statement of its own. Fails when none can be claimed. */
const claimReachable = (sql: Runner, { topics, limit, lease, except }: Claims) =>
  Effect.gen(function* () {
    const due = yield* Shards.search<Due>(sql, DUE, [topics, except, limit + SPARE]);
    const claimed: Array<Outbox.Claimed> = [];
    let problem: Storage.StorageError | null = null;
    for (const { customerId, id } of due.found.toSorted(byAvailability)) {
      if (claimed.length === limit) break;
      const outcome = yield* Effect.either(
        rows<{ readonly message: Outbox.Claimed | null }>(sql, CLAIM_ONE, [customerId, id, lease]),
      );
      if (Either.isLeft(outcome)) problem = outcome.left;
      else if (outcome.right[0]?.message != null) claimed.push(outcome.right[0].message);
    }
    return claimed.length === 0 && problem !== null ? yield* problem : claimed;
  });

/** Claims messages. While a node of a distributed database cannot be reached, those of the other nodes are claimed. */
const claim = (sql: Runner, claims: Claims) =>
  sql.run<Messages>(CLAIM, [claims.topics, claims.limit, claims.lease, claims.except]).pipe(
    Effect.zipLeft(Shards.noteAllReached([DUE])),
    Effect.map(([found]) => found?.messages ?? []),
    Effect.catchIf(isOfNode, () => Effect.zipRight(Shards.noteNodeLost([DUE]), claimReachable(sql, claims))),
    Effect.catchTag("SqlError", (error) => Effect.fail(failure(error))),
  );

/** The outbox over a database that has been migrated. */
export const make = (sql: Runner): Outbox.OutboxService => ({
  claim: ({ topics, limit, leaseMilliseconds, exceptCustomers = [] }) =>
    claim(sql, {
      topics: topicsOf(topics),
      limit,
      lease: leaseMilliseconds,
      except: uuids(exceptCustomers),
    }),
  renew: (claims, leaseMilliseconds) => renew(sql, claims, leaseMilliseconds),
  complete: ({ customerId, id, claim }) => Effect.asVoid(rows(sql, COMPLETE, [customerId, id, claim])),
  release: ({ customerId, id, claim }) => Effect.asVoid(rows(sql, RELEASE, [customerId, id, claim])),
  postpone: ({ customerId, id, claim }, { delayMilliseconds, failures, problem, parked = false }) =>
    Effect.asVoid(
      rows(sql, POSTPONE, [customerId, id, claim, delayMilliseconds, failures, storable(problem), parked]),
    ),
  unpark: (topics) => unpark(sql, topicsOf(topics)),
  deadLetter: ({ customerId, id, claim }, problem) =>
    Effect.asVoid(rows(sql, DEAD_LETTER, [customerId, id, claim, storable(problem)])),
  list: (after, limit) => records<Outbox.Listed>(sql, LIST, [after, limit]),
  requeue: (ids) =>
    Effect.flatMap(rows<OfCustomer>(sql, CUSTOMERS_WITH_TROUBLED, [uuids(ids)]), (found) =>
      Effect.map(
        Effect.forEach(found, ({ customerId }) => rows(sql, REQUEUE, [customerId, uuids(ids)])),
        (requeued) => requeued.flat().length,
      ),
    ),
  depth: Effect.map(rows<Depth>(sql, DEPTH, []), (found) =>
    found.map(({ topic, waiting, dead_lettered, overdue }) => ({
      topic,
      waiting: Number(waiting),
      deadLettered: Number(dead_lettered),
      overdueMilliseconds: Number(overdue),
    })),
  ),
});
