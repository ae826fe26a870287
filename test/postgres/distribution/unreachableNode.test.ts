/** A distributed database of which a node cannot be reached, played by a runner: what the other nodes have continues. */
import * as SqlError from "@effect/sql/SqlError";
import { Context, Effect, Exit, Layer, ManagedRuntime, Scope } from "effect";
import { Directory, type Ids, Outbox } from "quittance";
import { Build, Scene } from "quittance/testing";
import { afterAll, beforeAll, expect, it } from "vitest";
import { client } from "../../../adapters/postgres/Connection.ts";
import * as Sql from "../../../adapters/sql/index.ts";
import { connected, database } from "../../support/postgres.ts";

/** What Citus replies when it cannot reach the node that a statement needs. */
const unreachable = new SqlError.SqlError({
  message: "Failed to execute statement",
  cause: Object.assign(new Error("connection to the remote node failed"), {
    code: "08006",
    severity: "ERROR",
  }),
});

/** A substitute for the function of Citus: one shard that has all rows, and one that cannot be reached. */
const RUN_ON_SHARDS = `
create function run_command_on_shards(name regclass, command text, out shardid bigint, out success boolean, out result text)
returns setof record language plpgsql as $$
begin
  shardid := 1;
  success := true;
  execute format(command, name) into result;
  return next;
  shardid := 2;
  success := false;
  result := 'failed to connect';
  return next;
end $$`;

let isDown: (text: string, parameters: ReadonlyArray<Sql.Parameter>) => boolean = () => false;

const withNodes = (runner: Sql.Runner): Sql.Runner => ({
  ...runner,
  run: (statement, parameters) =>
    Effect.suspend(() =>
      isDown(statement.text, parameters) ? Effect.fail(unreachable) : runner.run(statement, parameters),
    ),
});

const scope = Effect.runSync(Scope.make());
const url = await Effect.runPromise(Scope.extend(database(), scope));
const runtime = ManagedRuntime.make(
  Sql.layer({ migrate: false }).pipe(
    Layer.provide(
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

const send = Effect.gen(function* () {
  const message = Build.message(Build.fresh.customer(), Build.fresh.settlement(), {});
  yield* Scene.commit(message.customerId, [], { outbox: [message] });
  yield* Effect.sleep(3);
  return message;
});

it("claims the messages of the other nodes, in their order", () =>
  runtime.runPromise(
    Effect.gen(function* () {
      const outbox = yield* Outbox.Outbox;
      const [first, second, third] = yield* Effect.all([send, send, send]);
      yield* Effect.sleep(3);
      isDown = (text) => text.includes("quittance.claim_messages(");
      const claim = (exceptCustomers: ReadonlyArray<Ids.CustomerId>, limit: number) =>
        Effect.map(
          outbox.claim({ topics: [first.topic], limit, leaseMilliseconds: 60_000, exceptCustomers }),
          (found) => found.map(({ id, claim: number }) => [id, number]),
        );
      expect(yield* claim([first.customerId], 1)).toEqual([[second.id, 1]]);
      expect(yield* claim([], 10)).toEqual([
        [first.id, 1],
        [third.id, 1],
      ]);
      expect(yield* claim([], 10)).toEqual([]);
    }),
  ));

it("finds the API keys of the other nodes, also when one batch asks for all of them", () =>
  runtime.runPromise(
    Effect.gen(function* () {
      const directory = yield* Directory.Directory;
      const keys = [Build.apiKey(Build.fresh.customer()), Build.apiKey(Build.fresh.customer())] as const;
      for (const key of keys) yield* Scene.commit(key.row.customerId, [key]);
      const [lost, found] = keys;
      isDown = (text, [ids]) => text.includes("find_api_keys") && String(ids).includes(lost.row.keyId);
      const outcomes = yield* Effect.all(
        keys.map(({ row }) => Effect.either(directory.apiKey(row.keyId))),
        { concurrency: "unbounded" },
      );
      expect(outcomes).toMatchObject([
        { _tag: "Left", left: { reason: "unavailable" } },
        { _tag: "Right", right: { keyId: found.row.keyId } },
      ]);
    }),
  ));
