/**
 * Two servers on one database that get the same idempotency keys at the same time create one attribution per key, and none of the
 * conflicts costs a connection: on Citus an error of a node makes the coordinator close its connection to the node.
 */
import { Effect, Exit, Layer, ManagedRuntime, Redacted, Scope } from "effect";
import pg from "pg";
import { Attributions, Documents, Principal, Quittance } from "quittance";
import * as Postgres from "quittance/postgres";
import { listAll, Scene } from "quittance/testing";
import { afterAll, expect, inject, it } from "vitest";
import { database, PATIENT } from "../../support/postgres.ts";

const KEYS = 60;

/** More than the connections of two pools, and fewer than there are conflicts. */
const CONNECTIONS_MAX = 45;

const renderer = Layer.succeed(Documents.DocumentRenderer, {
  render: () => Effect.dieMessage("no documents"),
});

const scope = Effect.runSync(Scope.make());
const url = await Effect.runPromise(Scope.extend(database(), scope));

/** A server: an engine with connections of its own. */
const server = () =>
  ManagedRuntime.make(
    Quittance.layer({ documents: "manual" }).pipe(
      Layer.provide(renderer),
      Layer.provideMerge(Postgres.layer({ url, migrate: false, ...PATIENT })),
    ),
  );

const servers = [server(), server()] as const;

/** How many connections the nodes have accepted so far, or the single server. */
const connections = async (): Promise<number> => {
  const { pathname } = new URL(Redacted.value(url));
  const nodes = inject("postgres").nodes ?? [Redacted.value(url)];
  const counts = nodes.map(async (node) => {
    const client = new pg.Client({ connectionString: node });
    await client.connect();
    const { rows } = await client.query<{ sessions: string }>(
      "select sessions from pg_stat_database where datname = $1",
      [pathname.slice(1)],
    );
    await client.end();
    return Number(rows[0]?.sessions);
  });
  return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
};

/** Statistics of a backend are visible about a second after its statement. */
const STATISTICS_MILLISECONDS = 1_500;

afterAll(async () => {
  await Promise.all(servers.map((managedRuntime) => managedRuntime.dispose()));
  await Effect.runPromise(Scope.close(scope, Exit.void));
});

it(`creates ${KEYS} attributions for ${KEYS} keys that each server is sent twice`, async () => {
  const [one] = servers;
  const { customerId, workspaceId, partnerId, schema } = await one.runPromise(Scene.create());
  const sale = { workspaceId, partnerId, schemaId: schema.id, properties: { order_value: 1_000 } };
  const send = (key: string) =>
    Effect.flatMap(Attributions.Attributions, (attributions) =>
      attributions.create(Principal.customer(customerId), sale, {
        idempotency: { key, requestSha256: "0".repeat(64) },
      }),
    );
  const keys = Array.from({ length: KEYS }, (_, index) => `key ${index}`);
  const before = await connections();
  const answers = await Promise.all(
    keys.flatMap((key) => [...servers, ...servers].map((each) => each.runPromise(send(key)))),
  );
  expect(new Set(answers.map(({ id }) => id)).size).toBe(KEYS);
  expect(await one.runPromise(listAll(customerId, "attribution"))).toHaveLength(KEYS);
  expect(answers.filter(({ replayed }) => !replayed)).toHaveLength(KEYS);
  await new Promise((resume) => setTimeout(resume, STATISTICS_MILLISECONDS));
  expect((await connections()) - before).toBeLessThan(CONNECTIONS_MAX);
});
