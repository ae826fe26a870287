/** Two servers on one database that get the same idempotency keys at the same time create one attribution per key. */
import { Effect, Exit, Layer, ManagedRuntime, Scope } from "effect";
import { Attributions, Documents, Principal, Quittance } from "quittance";
import * as Postgres from "quittance/postgres";
import { listAll, Scene } from "quittance/testing";
import { afterAll, expect, it } from "vitest";
import { database } from "../../support/postgres.ts";

const KEYS = 60;

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
      Layer.provideMerge(Postgres.layer({ url, migrate: false })),
    ),
  );

const servers = [server(), server()] as const;

afterAll(async () => {
  await Promise.all(servers.map((one) => one.dispose()));
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
  const answers = await Promise.all(
    keys.flatMap((key) => [...servers, ...servers].map((each) => each.runPromise(send(key)))),
  );
  expect(new Set(answers.map(({ id }) => id)).size).toBe(KEYS);
  expect(await one.runPromise(listAll(customerId, "attribution"))).toHaveLength(KEYS);
  expect(answers.filter(({ replayed }) => !replayed)).toHaveLength(KEYS);
});
