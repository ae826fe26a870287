/** The statements that commands send: how many, and the customer that row-level security is set to for each. */
import * as SqlClient from "@effect/sql/SqlClient";
import { Context, Effect, Layer, ManagedRuntime } from "effect";
import {
  AttributionSchemas,
  Attributions,
  CommissionFormulas,
  Directory,
  Documents,
  Formula,
  Outbox,
  Partners,
  Principal,
  Quittance,
  Settlements,
  Storage,
} from "quittance";
import { Build, Scene } from "quittance/testing";
import { afterAll, expect, it } from "vitest";
import * as Client from "../../adapters/pglite/Client.ts";
import { inMemory } from "../../adapters/pglite/Database.ts";
import * as DirectoryOverSql from "../../adapters/sql/Directory.ts";
import * as DocumentStore from "../../adapters/sql/DocumentStore.ts";
import { migrate } from "../../adapters/sql/migrations/Migrations.ts";
import * as OutboxOverSql from "../../adapters/sql/Outbox.ts";
import {
  type Parameter,
  type Runner,
  runnerOverClient,
  type Statement,
} from "../../adapters/sql/Statement.ts";
import * as StorageOverSql from "../../adapters/sql/Storage.ts";
import * as Commit from "../../adapters/sql/writing/Commit.ts";

interface Sent extends Statement {
  readonly parameters: ReadonlyArray<Parameter>;
}

let sent: Array<Sent> = [];

/** The store without the compaction of rollups in the background, with a record of every statement. */
const store = Layer.effectContext(
  Effect.gen(function* () {
    const client = yield* SqlClient.SqlClient;
    yield* migrate(client);
    const runner = runnerOverClient(client);
    const recording: Runner = {
      turn: runner.turn,
      run: (statement, parameters) =>
        Effect.suspend(() => {
          sent.push({ ...statement, parameters });
          return runner.run(statement, parameters);
        }),
    };
    const commit = Commit.make(recording, () => {});
    return Context.make(Storage.Storage, StorageOverSql.make(recording, commit)).pipe(
      Context.add(Directory.Directory, DirectoryOverSql.make(recording)),
      Context.add(Outbox.Outbox, OutboxOverSql.make(recording)),
      Context.add(Documents.DocumentStore, DocumentStore.make(recording)),
    );
  }),
).pipe(Layer.provide(Client.layer(Effect.orDie(inMemory))));

const renderer = Layer.succeed(Documents.DocumentRenderer, {
  render: () => Effect.dieMessage("documents are uploaded"),
});

const runtime = ManagedRuntime.make(
  Quittance.layer({ documents: "manual" }).pipe(Layer.provide(renderer), Layer.provideMerge(store)),
);
afterAll(() => runtime.dispose());

/** What has its scope: a statement on the customer's rows, or a call of a function that sets the customer itself. */
const CALLS = /^select quittance\.(?:commit_command|create_attributions|create_ordered_attributions)\(/;

const customerOf = ({ text, scope, parameters }: Sent): Parameter | undefined =>
  scope.type === "customer"
    ? parameters[scope.position]
    : scope.type === "none" && CALLS.test(text)
      ? parameters[0]
      : undefined;

const journey = Effect.gen(function* () {
  const counts: Record<string, number> = {};
  const { customerId, workspaceId, partnerId, schema, formula } = yield* Scene.create();
  const me = Principal.customer(customerId);
  const count = <A, E, R>(name: string, command: Effect.Effect<A, E, R>) =>
    Effect.gen(function* () {
      sent = [];
      const result = yield* command;
      counts[name] = sent.length;
      // The command's own process handles its outbox messages at once, with statements in the scope of the outbox.
      const own = sent.filter(({ scope }) => scope.type !== "outbox");
      expect(new Set(own.map(customerOf)), name).toEqual(new Set([customerId]));
      return result;
    });
  const partners = yield* Partners.Partners;
  const schemas = yield* AttributionSchemas.AttributionSchemas;
  const formulas = yield* CommissionFormulas.CommissionFormulas;
  const attributions = yield* Attributions.Attributions;
  const settlements = yield* Settlements.Settlements;
  yield* count("create a partner", partners.create(me, { workspaceId, name: "Ada" }));
  yield* count(
    "create a schema",
    schemas.create(me, {
      workspaceId,
      name: "Sales",
      properties: [{ name: "order_value", type: "number", required: true }],
    }),
  );
  const one = { workspaceId, partnerId, schemaId: schema.id, properties: { order_value: 1_000 } };
  const first = yield* count("create an attribution", attributions.create(me, one));
  yield* count(
    "create an attribution with an idempotency key",
    attributions.create(me, one, { idempotency: { key: "once", requestSha256: "digest" } }),
  );
  yield* count(
    "create 100 attributions",
    attributions.createBatch(me, { mode: "atomic", attributions: Array<typeof one>(100).fill(one) }),
  );
  yield* count("cancel an attribution", attributions.cancel(me, first.id, { reason: "returned" }));
  yield* count(
    "create a formula",
    formulas.create(me, {
      workspaceId,
      partnerId,
      schemaId: schema.id,
      currency: Build.EUR,
      name: "again",
      startDatetime: formula.startDatetime,
      expression: Formula.currentExpression(formula, 0),
    }),
  );
  const storage = yield* Storage.Storage;
  const { items } = yield* count(
    "list commissions",
    storage.list(customerId, "commission", { where: { due: "nonzero" }, page: 1, perPage: 50, order: "asc" }),
  );
  const commissionIds = items.map(({ id }) => id);
  const asked = { customerId, workspaceId, partnerId, commissionIds };
  yield* count("preview a settlement", settlements.preview(me, asked));
  const { id } = yield* count("create a settlement", settlements.create(me, asked));
  yield* count("approve a settlement", settlements.approve(me, id));
  yield* count("write a settlement off", settlements.writeOff(me, id));
  return counts;
});

it("each command sends this number of statements, all for the customer of the command", async () => {
  expect(await runtime.runPromise(journey)).toEqual({
    "create a partner": 1,
    "create a schema": 1,
    // The first in a workspace reads its time zone and the version of its links, which the process keeps.
    "create an attribution": 6,
    "create an attribution with an idempotency key": 2,
    "create 100 attributions": 1,
    "cancel an attribution": 3,
    "create a formula": 9,
    "list commissions": 1,
    "preview a settlement": 4,
    "create a settlement": 5,
    "approve a settlement": 5,
    "write a settlement off": 2,
  });
});
