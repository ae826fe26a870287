/** A database that stops responding without closing the connection: the store looks up the commit on another connection. */
import { Effect, Redacted } from "effect";
import { Storage } from "quittance";
import { layer } from "quittance/postgres";
import { Build, Scene } from "quittance/testing";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Cluster, postgres } from "./Database.ts";
import { type Proxy as Cutting, open } from "./Proxy.ts";

let cluster: Cluster;
let proxy: Cutting;

beforeAll(async () => {
  cluster = await postgres();
  proxy = await open(cluster.url);
});

afterAll(async () => {
  await proxy?.close();
  await cluster?.remove();
});

it("a commit whose reply never arrives succeeds after a look-up, and later commits get connections", () =>
  Effect.gen(function* () {
    const storage = yield* Storage.Storage;
    const scene = yield* Scene.create();
    const silent = Build.attribution(scene);
    void proxy.cut("by silence", 0);
    yield* Scene.commit(scene.customerId, [silent]);
    yield* Scene.commit(scene.customerId, [Build.attribution(scene)]);
    const found = yield* storage.find(scene.customerId, "attribution", [silent.row.id]);
    expect(found.length).toBe(1);
  }).pipe(
    Effect.provide(
      layer({ url: Redacted.make(proxy.url), maxConnections: 1, statementTimeoutMilliseconds: 300 }),
    ),
    Effect.runPromise,
  ));
