/**
 * `npm run bench:feed`: the time that the event feed adds to a commit on PostgreSQL. Commits the same creations with and
 * without the feed in alternating rounds: one at a time, and sixteen at a time as group commits.
 */
import { Effect, Redacted } from "effect";
import { Storage } from "quittance";
import * as Postgres from "quittance/postgres";
import { Build, Scene } from "quittance/testing";
import { startServer } from "../../support/postgresServer.ts";
import { median } from "../median.ts";

const COMMITS = Number(process.env.BENCH_COMMITS ?? 1_500);
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 8);

const measure = (concurrency: number) =>
  Effect.gen(function* () {
    const scene = yield* Scene.create();
    const storage = yield* Storage.Storage;
    const commit = (feed: boolean) =>
      Effect.suspend(() => {
        const attribution = Build.attribution(scene);
        const commission = Build.commission(attribution.row, scene.formula, 100);
        return storage.commit(
          scene.customerId,
          Build.changeSet({ changes: [attribution, commission], feed }),
        );
      });
    /** Microseconds per commit. */
    const round = (feed: boolean) =>
      Effect.gen(function* () {
        const began = performance.now();
        yield* Effect.forEach(Array.from({ length: COMMITS }), () => commit(feed), {
          concurrency,
          discard: true,
        });
        return ((performance.now() - began) * 1_000) / COMMITS;
      });
    const times = { with: [] as number[], without: [] as number[] };
    for (const feed of [true, false]) yield* round(feed);
    for (let number = 0; number < ROUNDS; number++) {
      for (const feed of number % 2 === 0 ? [true, false] : [false, true])
        times[feed ? "with" : "without"].push(yield* round(feed));
    }
    const [withFeed, without] = [median(times.with), median(times.without)];
    const ratio = (withFeed / without).toFixed(3);
    console.log(
      `${String(concurrency).padStart(3)} at a time: ${withFeed.toFixed(0)} µs with the feed, ${without.toFixed(0)} µs without, ratio ${ratio}`,
    );
  });

const server = await startServer({ durable: true });
try {
  const store = Postgres.layer({ url: Redacted.make(server.url) });
  const all = Effect.forEach([1, 16], measure, { discard: true });
  await Effect.runPromise(Effect.scoped(Effect.provide(all, store)));
} finally {
  await server.stop();
}
