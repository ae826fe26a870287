/**
 * Reads of the rows of all customers. On a distributed database such a read needs every node. While one cannot be reached,
 * each shard is read by itself, so that customers of the other nodes do not wait for it.
 */
import { Effect, Metric, MetricLabel } from "effect";
import type { Storage } from "quittance";
import { failure, isOfNode } from "../Failure.ts";
import { type Parameter, type Runner, rows, type Statement, texts } from "../Statement.ts";
import { withoutScope } from "../TenantScope.ts";

/**
 * The function that reads shards. In the search `%1$s` stands for the shard, and `%2$L` and further ones for the parameters.
 * Returns what every reached shard has found, without an order, and why others could not be read.
 */
export const searchShards = `
create function quittance.search_shards(searched text, search text, parameters text[])
returns table (found json, unreached integer, problem text) language plpgsql as $body$
declare
  quoted constant text[] := array(
    select replace(p.value, '%', '%%') from unnest(parameters) with ordinality as p(value, place) order by p.place);
begin
  return query
    select
      coalesce(json_agg(d.one) filter (where d.one is not null), '[]'),
      (count(distinct s.shardid) filter (where not s.success))::integer,
      min(s.result) filter (where not s.success)
    from run_command_on_shards(
      ('quittance.' || searched)::regclass,
      format('select coalesce(json_agg(d), ''[]'') from (' || search || ') d', variadic array['%s'] || quoted)) s
    left join lateral json_array_elements(case when s.success then s.result::json end) d(one) on true;
end
$body$;
`;

/** A part of a read over all customers: the rows of one table. */
export interface Part {
  readonly table: string;
  /** Names the table once, with its schema. The parameters are those of the whole statement. */
  readonly text: string;
}

/** A read over all customers: one statement, or its parts where that cannot reach every node. */
export interface AcrossCustomers {
  readonly whole: Statement;
  readonly parts: ReadonlyArray<Part>;
}

/** A read whose whole statement has one part. */
export const onePart = (
  scope: (text: string) => Statement,
  table: string,
  text: string,
): AcrossCustomers => ({ whole: scope(text), parts: [{ table, text }] });

/** The rows of a read. */
interface ReachableRows<Row> {
  /** In the order of the statement when all nodes were read, else without an order, and up to the limit of each shard. */
  readonly found: ReadonlyArray<Row>;
  /** Why the rows of some nodes are missing; null when none is. */
  readonly missing: Storage.StorageError | null;
}

const unreachedShards = Metric.gauge("quittance_unreached_shards", {
  description:
    "Shards of a distributed database that the last search of the table for work could not reach, by table. Work of their customers waits.",
});

/** The shards of each table that the last search could not reach; a table without an entry never had any. */
const unreached = new Map<string, number>();

const setGauge = (table: string, count: number): void =>
  unreachedShards.unsafeUpdate(count, [MetricLabel.make("table", table)]);

/**
 * Shows at once that a node cannot be reached: the search that counts the shards waits for the node as well. It counts one
 * shard until then.
 */
export const noteNodeLost = (parts: ReadonlyArray<Part>): Effect.Effect<void> =>
  Effect.sync(() => {
    for (const { table } of parts) {
      if ((unreached.get(table) ?? 0) > 0) continue;
      unreached.set(table, 0);
      setGauge(table, 1);
    }
  });

/** Sets the gauge of a table to a number of shards, and logs each change. */
export const noteUnreached = (table: string, count: number, problem: string | null): Effect.Effect<void> =>
  Effect.suspend(() => {
    const before = unreached.get(table) ?? 0;
    if (count > 0 || unreached.has(table)) setGauge(table, count);
    if (count === before) return Effect.void;
    unreached.set(table, count);
    return count === 0
      ? Effect.logInfo(`every shard of ${table} is reachable again`)
      : Effect.logWarning(
          `${count} shards of ${table} cannot be reached, work of their customers waits: ${problem}`,
        );
  });

/** Notes that a whole statement has read every shard of its tables. */
export const noteAllReached = (parts: ReadonlyArray<Part>): Effect.Effect<void> =>
  Effect.suspend(() =>
    unreached.size === 0
      ? Effect.void
      : Effect.forEach(parts, ({ table }) => noteUnreached(table, 0, null), { discard: true }),
  );

const SEARCH = withoutScope(
  "select s.found, s.unreached, s.problem from quittance.search_shards($1, $2, $3::text[]) s",
);

/** The text of a part with the placeholders of `search_shards`. */
const searchOf = ({ table, text }: Part): string =>
  text
    .replaceAll("%", "%%")
    .replace(/\$(\d+)/g, (_, number) => `%${Number(number) + 1}$L`)
    .replace(`quittance.${table}`, () => "%1$s");

const parameterArray = (parameters: ReadonlyArray<Parameter>): string =>
  `{${parameters.map((value) => (value === null ? "null" : texts([String(value)]).slice(1, -1))).join(",")}}`;

interface SearchRow<Row> {
  readonly found: ReadonlyArray<Row>;
  readonly unreached: number;
  readonly problem: string | null;
}

/** The rows of a part in the shards that can be reached, without an order, and whether those are all shards. */
export const search = <Row>(
  sql: Runner,
  part: Part,
  parameters: ReadonlyArray<Parameter>,
): Effect.Effect<{ readonly found: ReadonlyArray<Row>; readonly isWhole: boolean }, Storage.StorageError> =>
  Effect.flatMap(
    rows<SearchRow<Row>>(sql, SEARCH, [part.table, searchOf(part), parameterArray(parameters)]),
    ([searched]) => {
      const { found, unreached: count, problem } = searched ?? { found: [], unreached: 0, problem: null };
      return Effect.as(noteUnreached(part.table, count, problem), { found, isWhole: count === 0 });
    },
  );

/** The rows of a read, without those of nodes that cannot be reached. */
export const readReachable = <Row extends object>(
  sql: Runner,
  { whole, parts }: AcrossCustomers,
  parameters: ReadonlyArray<Parameter>,
): Effect.Effect<ReachableRows<Row>, Storage.StorageError> =>
  sql.run<Row>(whole, parameters).pipe(
    Effect.zipLeft(noteAllReached(parts)),
    Effect.map((found): ReachableRows<Row> => ({ found, missing: null })),
    Effect.catchIf(isOfNode, (error) =>
      Effect.map(
        Effect.zipRight(
          noteNodeLost(parts),
          Effect.forEach(parts, (part) => search<Row>(sql, part, parameters)),
        ),
        (searched): ReachableRows<Row> => ({
          found: searched.flatMap(({ found }) => found),
          missing: searched.every(({ isWhole }) => isWhole) ? null : failure(error),
        }),
      ),
    ),
    Effect.catchTag("SqlError", (error) => Effect.fail(failure(error))),
  );
