/**
 * The longest block of a server's event loop while it writes a settlement of 10,000 lines as CSV and in a list. Measured in
 * CPU time of the thread, so that other processes do not count.
 */
import { createServer, request } from "node:http";
import { Effect, Layer } from "effect";
import type { Ids } from "quittance";
import { nodeHandler } from "quittance/http";
import * as Postgres from "quittance/postgres";
import { Scene } from "quittance/testing";
import { expect, it } from "vitest";
import { listening, READY, start } from "../../http/Engine.ts";
import { computed } from "../../support/computed.ts";
import { database, PATIENT } from "../../support/postgres.ts";

const LINES = 10_000;
const STALL_MILLISECONDS_MAX = 50;

/** The greatest CPU time between two iterations of the event loop during a run, in milliseconds. */
const longestStall = async (run: () => Promise<unknown>): Promise<number> => {
  let longest = 0;
  let before = computed();
  const turn = (): void => {
    const now = computed();
    longest = Math.max(longest, now - before);
    before = now;
    next = setImmediate(turn);
  };
  let next = setImmediate(turn);
  await run();
  clearImmediate(next);
  return longest;
};

const store = Layer.unwrapScoped(
  Effect.map(
    Effect.suspend(() => database()),
    (url) => Postgres.layer({ url, ...PATIENT }),
  ),
).pipe(Layer.orDie);

it(`a change set of ${LINES} lines is written in slices of at most ${STALL_MILLISECONDS_MAX} ms`, async () => {
  const engine = await start({}, [], { store });
  const settlement = await engine.runtime.runPromise(
    Effect.gen(function* () {
      const scene = yield* Scene.create({ customerId: engine.customerId as Ids.CustomerId });
      const earned = yield* Scene.earn(scene, new Array<number>(LINES).fill(1_200));
      return yield* Scene.draft(
        scene,
        earned.map(({ commission }) => commission),
      );
    }),
  );
  const server = createServer(nodeHandler(await engine.runtime.runtime(), READY));
  const port = await listening(server);
  const lengthOf = (path: string) =>
    new Promise<number>((resolve, reject) => {
      const headers = { authorization: `Bearer ${engine.token}` };
      request({ port, path, headers }, (response) => {
        let length = 0;
        response.on("data", (chunk: Uint8Array) => {
          length += chunk.length;
        });
        response.on("end", () =>
          response.statusCode === 200 ? resolve(length) : reject(response.statusCode),
        );
        response.on("error", reject);
      })
        .on("error", reject)
        .end();
    });
  for (const path of [
    `/api/v1/settlements/${settlement.id}/export`,
    `/api/v1/settlements?ids=${settlement.id}`,
  ]) {
    // A warm-up: the first run includes compilation.
    const length = await lengthOf(path);
    expect(length).toBeGreaterThan(LINES * 50);
    const longest = await longestStall(async () => {
      for (let time = 0; time < 3; time++) expect(await lengthOf(path)).toBe(length);
    });
    expect(longest, path).toBeLessThan(STALL_MILLISECONDS_MAX);
  }
  server.close();
  await engine.runtime.dispose();
});
