/** A statement runner that simulates an unreachable node: work for customers on the other nodes continues. */
import * as SqlError from "@effect/sql/SqlError";
import { Context, Effect, Exit, Layer, ManagedRuntime, Metric, Scope } from "effect";
import { Directory, type Ids, Outbox, Storage } from "quittance";
import { Build, Scene } from "quittance/testing";
import { afterAll, beforeAll, expect, it } from "vitest";
import { client } from "../../../adapters/postgres/Connection.ts";
import * as Sql from "../../../adapters/sql/index.ts";
import { customersWithDeltas } from "../../../adapters/sql/rollups/RollupCompaction.ts";
import { connected, database } from "../../support/postgres.ts";

/** The error of Citus when it cannot reach a statement's node. */
const unreachable = new SqlError.SqlError({
  message: "Failed to execute statement",
  cause: Object.assign(new Error("connection to the remote node failed"), {
    code: "08006",
    severity: "ERROR",
  }),
});

/** The number of a customer's shard among three; the last shard is on the unreachable node. */
const SHARD = "get_byte(uuid_send(customer_id), 15) % 3";
const LOST = 2;

/** A substitute for the function of Citus, with three shards of which one is unreachable. */
const RUN_ON_SHARDS = `
create function run_command_on_shards(name regclass, command text, out shardid bigint, out success boolean, out result text)
returns setof record language plpgsql as $$
begin
  for shard in 0..2 loop
    shardid := shard;
    success := shard <> ${LOST};
    result := 'failed to connect';
    if success then
      execute format(command, format('(select * from %s where ${SHARD.replace("%", "%%")} = %s)', name, shard)) into result;
    end if;
    return next;
  end loop;
end $$`;

const shardOf = (customerId: string): number => Number.parseInt(customerId.slice(-2), 16) % 3;

/** A new customer whose rows are in this shard. */
const customerOf = (shard: number): Ids.CustomerId => {
  const customerId = Build.fresh.customer();
  return shardOf(customerId) === shard ? customerId : customerOf(shard);
};

type IsDown = (statement: Sql.Statement, parameters: ReadonlyArray<Sql.Parameter>) => boolean;

const IDS = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

/** The customers of the unreachable node. Their statements fail, as do statements on all customers. */
const lost = new Set<string>();

/** True if a statement fails: it names a customer of the unreachable node, or needs every node. */
const nodeIsDown: IsDown = ({ scope, text }, parameters) =>
  scope.type === "platform" ||
  scope.type === "outbox" ||
  text.includes("quittance.payment_references") ||
  (!text.includes("search_shards") &&
    (String(parameters[0]).match(IDS) ?? []).some((customerId) => lost.has(customerId)));

let isDown: IsDown = () => false;

/** How often the outcome of a commit was asked for. */
let resolved = 0;

/** What happens before the shards are searched one by one, for which the coordinator waits for the node again. */
let beforeSearch = (): void => {};

const withNodes = (runner: Sql.Runner): Sql.Runner => ({
  ...runner,
  run: <Row extends object>(statement: Sql.Statement, parameters: ReadonlyArray<Sql.Parameter>) =>
    Effect.suspend(() => {
      if (statement.text.includes("resolve_command")) resolved += 1;
      if (isDown(statement, parameters)) return Effect.fail(unreachable);
      if (statement.text.includes("search_shards")) beforeSearch();
      return runner.run<Row>(statement, parameters);
    }),
});

const scope = Effect.runSync(Scope.make());
const url = await Effect.runPromise(Scope.extend(database(), scope));
const runtime = ManagedRuntime.make(
  Sql.layer({ migrate: false }).pipe(
    Layer.provideMerge(
      Layer.map(client({ url }), (context) =>
        Context.add(context, Sql.Statements, withNodes(Context.get(context, Sql.Statements))),
      ),
    ),
  ),
);

beforeAll(() =>
  Effect.runPromise(
    Effect.scoped(
      Effect.flatMap(connected(url), (admin) => Effect.promise(() => admin.query(RUN_ON_SHARDS))),
    ),
  ),
);

afterAll(async () => {
  await runtime.dispose();
  await Effect.runPromise(Scope.close(scope, Exit.void));
});

const DELTA = `insert into quittance.rollup_deltas (customer_id, kind, partner_id, day, workspace_id, status, currency, count, settled, due)
values ($1::uuid, 'attribution', $1::uuid, 1, $1::uuid, 'active', null, 1, 0, 0)`;

const PENDING = `insert into quittance.feed_pending (customer_id, place, command_id, records)
values ($1::uuid, 1, gen_random_uuid(), '{}')`;

const BEHIND = `insert into quittance.feed_heads (customer_id, position, hash, place, behind)
values ($1::uuid, 0, '', 0, true)`;

/** Inserts a payment reference without its settlement. */
const PAYMENT = `with unchecked as (select set_config('session_replication_role', 'replica', true))
insert into quittance.payment_references (reference, customer_id, settlement_id)
select $1::uuid, $2::uuid, $1::uuid from unchecked`;

const unreached = (): unknown => {
  const found = Metric.unsafeSnapshot().find(
    ({ metricKey: { name, tags } }) =>
      name === "quittance_unreached_shards" && tags.some(({ value }) => value === "settlement_policies"),
  );
  return found === undefined ? null : Reflect.get(found.metricState, "value");
};

/** Creates three customers, one per shard, the last on the unreachable node, which becomes unreachable afterwards. */
const customers = Effect.sync(() => {
  isDown = () => false;
  const [first, second, third] = [customerOf(0), customerOf(1), customerOf(LOST)];
  lost.add(third);
  return [first, second, third] as const;
});

const goDown = Effect.sync(() => {
  isDown = nodeIsDown;
});

const send = (customerId: Ids.CustomerId) =>
  Effect.gen(function* () {
    const message = Build.message(customerId, Build.fresh.settlement(), {});
    yield* Scene.commit(customerId, [], { outbox: [message] });
    yield* Effect.sleep(3);
    return message;
  });

const unavailable = { _tag: "Left", left: { reason: "unavailable" } };

it("claims the messages of the other nodes, in their order", () =>
  runtime.runPromise(
    Effect.gen(function* () {
      const outbox = yield* Outbox.Outbox;
      const [one, other, third] = yield* customers;
      const second = yield* send(other);
      yield* send(third);
      const first = yield* send(one);
      const last = yield* send(other);
      const after = yield* send(one);
      yield* goDown;
      const claim = (exceptCustomers: ReadonlyArray<Ids.CustomerId>, limit: number) =>
        Effect.map(
          outbox.claim({ topics: [first.topic], limit, leaseMilliseconds: 60_000, exceptCustomers }),
          (found) => found.map(({ id, claim: number }) => [id, number]),
        );
      expect(yield* claim([other], 1)).toEqual([[first.id, 1]]);
      expect(yield* claim([], 2)).toEqual([
        [second.id, 1],
        [last.id, 1],
      ]);
      expect(yield* claim([], 10)).toEqual([[after.id, 1]]);
      expect(yield* claim([], 10)).toEqual([]);
    }),
  ));

it("makes the parked messages of the other nodes available, and fails, so that it is tried again", () =>
  runtime.runPromise(
    Effect.gen(function* () {
      const outbox = yield* Outbox.Outbox;
      const [one, , third] = yield* customers;
      const sent = [yield* send(third), yield* send(one)];
      const { topic } = sent[0] ?? (yield* Effect.dieMessage("nothing was sent"));
      for (const { id, customerId } of sent)
        yield* outbox.postpone(
          { id, customerId, claim: 0 },
          { delayMilliseconds: 3_600_000, failures: 0, problem: null, parked: true },
        );
      yield* goDown;
      expect(yield* Effect.either(outbox.unpark([topic]))).toMatchObject(unavailable);
      isDown = () => false;
      const listed = yield* outbox.list(null, 100);
      expect(listed.filter(({ state }) => state === "parked").map(({ id }) => id)).toEqual([sent[0]?.id]);
    }),
  ));

it("finds the customers of the other nodes whose events are not in the feed, page by page", () =>
  runtime.runPromise(
    Effect.gen(function* () {
      const storage = yield* Storage.Storage;
      const sql = yield* Sql.Statements;
      const made = yield* customers;
      yield* Effect.forEach([...made, made[0]], (customerId, index) =>
        Effect.mapError(
          sql.run({ text: index === 1 ? BEHIND : PENDING, scope: { type: "none" } }, [customerId]),
          Sql.failure,
        ),
      );
      const before = yield* storage.customersWithFeedBacklog(null, 100);
      expect(before).toEqual(expect.arrayContaining([...made]));
      yield* goDown;
      const expected = before.filter((customerId) => shardOf(customerId) !== LOST);
      expect(expected.length).toBeLessThan(before.length);
      expect(yield* storage.customersWithFeedBacklog(null, 100)).toEqual(expected);
      expect(yield* storage.customersWithFeedBacklog(null, 1)).toEqual(expected.slice(0, 1));
      expect(yield* storage.customersWithFeedBacklog(expected[0] ?? null, 1)).toEqual(expected.slice(1, 2));
    }),
  ));

it("finds the due policies of the other nodes, in their order", () =>
  runtime.runPromise(
    Effect.gen(function* () {
      const storage = yield* Storage.Storage;
      const [one, other, third] = yield* customers;
      const policies = [one, third, other, one].map((customerId, index) =>
        Build.settlementPolicy(
          { customerId, workspaceId: Build.fresh.workspace(), partnerId: null },
          { nextRunAt: 40 - index },
        ),
      );
      for (const policy of policies) yield* Scene.commit(policy.row.customerId, [policy]);
      yield* goDown;
      const due = (at: number, limit: number) =>
        Effect.map(storage.dueSettlementPolicies(at, null, limit), (found) => found.map(({ id }) => id));
      const [fourth, , second, first] = policies.map(({ row }) => row.id);
      expect(yield* due(40, 10)).toEqual([first, second, fourth]);
      expect(yield* due(40, 2)).toEqual([first, second]);
      expect(yield* due(39, 10)).toEqual([first, second]);
    }),
  ));

it("finds the customers of the other nodes whose rollup deltas an ended process has left", () =>
  runtime.runPromise(
    Effect.gen(function* () {
      const sql = yield* Sql.Statements;
      const made = yield* customers;
      yield* Effect.forEach(made, (customerId) =>
        Effect.mapError(sql.run({ text: DELTA, scope: { type: "none" } }, [customerId]), Sql.failure),
      );
      const found = Effect.map(customersWithDeltas(sql), (all) => made.map((item) => all.includes(item)));
      expect(yield* found).toEqual([true, true, true]);
      yield* goDown;
      expect(yield* found).toEqual([true, true, false]);
    }),
  ));

it("finds a payment reference on the other nodes, and fails when it may be on the lost one", () =>
  runtime.runPromise(
    Effect.gen(function* () {
      const { paymentReference } = yield* Directory.Directory;
      const sql = yield* Sql.Statements;
      const made = yield* customers;
      const references = yield* Effect.forEach(made, (customerId) =>
        Effect.gen(function* () {
          const reference = Build.freshUuid();
          yield* Effect.mapError(
            sql.run({ text: PAYMENT, scope: { type: "none" } }, [reference, customerId]),
            Sql.failure,
          );
          return reference;
        }),
      );
      const unknown = Build.freshUuid();
      const find = (reference: string) => Effect.either(paymentReference(reference));
      expect(yield* find(unknown)).toMatchObject({ right: null });
      yield* goDown;
      expect(yield* Effect.forEach([...references, unknown], find)).toMatchObject([
        { right: { customerId: made[0] } },
        { right: { customerId: made[1] } },
        unavailable,
        unavailable,
      ]);
    }),
  ));

it("counts the shards that a search could not reach, until they are reached again; at once, not after the search", () =>
  runtime.runPromise(
    Effect.gen(function* () {
      const storage = yield* Storage.Storage;
      const seen = Effect.zipRight(storage.dueSettlementPolicies(0, null, 1), Effect.sync(unreached));
      const early: Array<unknown> = [];
      beforeSearch = () => early.push(unreached());
      yield* goDown;
      expect(yield* seen).toBe(1);
      isDown = () => false;
      expect(yield* seen).toBe(0);
      yield* goDown;
      yield* seen;
      expect(early).toEqual([1, 1]);
    }),
  ));

it("refuses a commit of the lost node after one question for its outcome, since each waits for the node", () =>
  runtime.runPromise(
    Effect.gen(function* () {
      const [one, , third] = yield* customers;
      yield* goDown;
      resolved = 0;
      const commit = (customerId: Ids.CustomerId) =>
        Effect.either(Scene.commit(customerId, [Build.apiKey(customerId)]));
      expect(yield* commit(third)).toMatchObject({ _tag: "Left", left: { reason: "unknown" } });
      expect(resolved).toBe(1);
      expect(yield* commit(one)).toMatchObject({ _tag: "Right" });
    }),
  ));

it("finds the API keys of the other nodes, also when one batch contains all of them", () =>
  runtime.runPromise(
    Effect.gen(function* () {
      const directory = yield* Directory.Directory;
      const [one, , third] = yield* customers;
      const keys = [Build.apiKey(third), Build.apiKey(one)] as const;
      for (const key of keys) yield* Scene.commit(key.row.customerId, [key]);
      const [gone, found] = keys;
      isDown = ({ text }, [ids]) => text.includes("find_api_keys") && String(ids).includes(gone.row.keyId);
      const outcomes = yield* Effect.all(
        keys.map(({ row }) => Effect.either(directory.apiKey(row.keyId))),
        { concurrency: "unbounded" },
      );
      expect(outcomes).toMatchObject([unavailable, { right: { keyId: found.row.keyId } }]);
    }),
  ));
