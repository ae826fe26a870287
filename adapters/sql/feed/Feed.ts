/** The event feed of the storage port over SQL. */
import { Effect } from "effect";
import { EventFeed, type Ids, type Storage } from "quittance";
import * as Shards from "../distribution/Shards.ts";
import { integers, type Runner, row, uuids } from "../Statement.ts";
import { forCustomer, forPlatform, withoutScope } from "../TenantScope.ts";

const BACKLOG = forCustomer("select quittance.feed_backlog($1::uuid, $2::integer)::text as backlog");

const APPEND = withoutScope(
  `select quittance.append_to_feed($1::uuid, $2::bigint, $3::bigint[], $4::uuid[], $5::uuid[], $6::integer[], $7::text[],
    $8::text[]) as appended`,
);

/** Entries after a position: takes the customer, the position and the most entries. */
export const PAGE = forCustomer(`
select
  coalesce((select json_build_object('position', h.position, 'hash', h.hash)
    from quittance.feed_heads h where h.customer_id = $1), 'null')::text as head,
  (select encode(f.hash, 'hex') from quittance.feed f where f.customer_id = $1 and f.position = $2::bigint) as "previousHash",
  (select coalesce(json_agg(json_build_object(
      'position', f.position, 'kind', e.kind, 'recordId', f.record_id, 'sequence', f.sequence, 'at', e.at,
      'event', case when f.salt is not null then e.event end, 'salt', encode(f.salt, 'hex'),
      'digest', encode(f.digest, 'hex'), 'hash', encode(f.hash, 'hex')) order by f.position), '[]')
    from (
      select f.* from quittance.feed f where f.customer_id = $1 and f.position > $2::bigint
      order by f.position limit $3::integer) f
    cross join lateral (
      select e.kind, e.at, e.event from quittance.events e
      where e.customer_id = $1 and e.record_id = f.record_id and e.sequence = f.sequence) e)::text as entries`);

const PENDING =
  "select p.customer_id from quittance.feed_pending p where $1::uuid is null or p.customer_id > $1::uuid";

const HEADS =
  "select h.customer_id from quittance.feed_heads h where h.behind and ($1::uuid is null or h.customer_id > $1::uuid)";

/** Each node of a distributed database groups its own rows. */
const customersOf = (rows: string): string => `
select t.customer_id as "customerId" from (
  ${rows}
) t group by t.customer_id order by t.customer_id limit $2::integer`;

const BEHIND: Shards.AcrossCustomers = {
  whole: forPlatform(customersOf(`${PENDING}\n  union all\n  ${HEADS}`)),
  parts: [
    { table: "feed_pending", text: customersOf(PENDING) },
    { table: "feed_heads", text: customersOf(HEADS) },
  ],
};

const PART = forCustomer(`
select coalesce(max(f.position), $3::bigint)::text as reached,
  coalesce(json_agg(json_build_object(
    'position', f.position, 'recordId', f.record_id, 'sequence', f.sequence, 'salt', encode(f.salt, 'hex')) order by f.position)
    filter (where f.record_id = any ($2::uuid[])), '[]')::text as entries
from (
  select * from quittance.feed f where f.customer_id = $1 and f.position > $3::bigint
  order by f.position limit $4::integer) f`);

interface Backlog extends EventFeed.Head {
  readonly events: ReadonlyArray<EventFeed.LoggedEvent>;
  readonly places: ReadonlyArray<number> | null;
  readonly commands: ReadonlyArray<string> | null;
}

/** Identifies the rows that a backlog was read from; empty if its events are older than the feed. */
interface Token {
  readonly places: ReadonlyArray<number>;
  readonly commands: ReadonlyArray<string>;
}

/** An array of hexadecimal texts, which an array literal need not quote. */
const hexArray = (texts: ReadonlyArray<string>): string => `{${texts.join(",")}}`;

const backlog = (
  sql: Runner,
  customerId: Ids.CustomerId,
  limit: number,
): Effect.Effect<Storage.FeedBacklog, Storage.StorageError> =>
  Effect.map(row<{ readonly backlog: string }>(sql, BACKLOG, [customerId, limit]), (found) => {
    const { position, hash, events, places, commands } = JSON.parse(found?.backlog ?? "{}") as Backlog;
    const token: Token = { places: places ?? [], commands: commands ?? [] };
    return { head: { position, hash: hash ?? EventFeed.GENESIS }, events, token };
  });

const append = (
  sql: Runner,
  customerId: Ids.CustomerId,
  { head, token, entries }: Storage.FeedAppend,
): Effect.Effect<boolean, Storage.StorageError> => {
  if (entries.length === 0) return Effect.succeed(true);
  const { places, commands } = token as Token;
  return Effect.map(
    row<{ readonly appended: boolean }>(sql, APPEND, [
      customerId,
      head.position,
      integers(places),
      uuids(commands),
      uuids(entries.map(({ recordId }) => recordId)),
      integers(entries.map(({ sequence }) => sequence)),
      hexArray(entries.map(({ salt }) => salt)),
      hexArray(entries.map(({ hash }) => hash)),
    ]),
    (found) => found?.appended === true,
  ).pipe(Effect.uninterruptible);
};

/** A row of {@link PAGE}. */
export interface Page {
  readonly head: string;
  readonly previousHash: string | null;
  readonly entries: string;
}

/** Parses a row of {@link PAGE}. */
export const pageOf = (found: Page | null): Storage.FeedPage => ({
  head: (JSON.parse(found?.head ?? "null") as EventFeed.Head | null) ?? EventFeed.EMPTY,
  previousHash: found?.previousHash ?? EventFeed.GENESIS,
  entries: JSON.parse(found?.entries ?? "[]") as ReadonlyArray<EventFeed.Entry>,
});

/** Customers with events that are not in their feed; see `customersWithFeedBacklog` of the port. */
export const customersWithBacklog = (
  sql: Runner,
  ...[after, limit]: Parameters<Storage.Upkeep["customersWithFeedBacklog"]>
) =>
  Effect.map(
    Shards.readReachable<{ readonly customerId: Ids.CustomerId }>(sql, BEHIND, [after, limit]),
    ({ found, missing }) => {
      const customers = found.map(({ customerId }) => customerId);
      return missing === null ? customers : [...new Set(customers)].sort().slice(0, limit);
    },
  );

/** The methods of the port. */
export const make = (sql: Runner): Omit<Storage.Feed, "openDeliveries"> => ({
  feedBacklog: (customerId, limit) => backlog(sql, customerId, limit),
  appendToFeed: (customerId, feedAppend) => append(sql, customerId, feedAppend),
  feedPage: (customerId, after, limit) =>
    Effect.map(row<Page>(sql, PAGE, [customerId, after, limit]), pageOf),
  feedPart: (customerId, recordIds, after, limit) =>
    Effect.map(
      row<{ readonly reached: string; readonly entries: string }>(sql, PART, [
        customerId,
        uuids(recordIds),
        after,
        limit,
      ]),
      (found): Storage.FeedPart => ({
        reached: Number(found?.reached ?? after),
        entries: JSON.parse(found?.entries ?? "[]"),
      }),
    ),
});
