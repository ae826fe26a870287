/** Shared by benches on PostgreSQL: a durable server, recorded times, and a table of medians. */
import { cpus } from "node:os";
import { Effect, type Scope } from "effect";
import pg from "pg";
import { startServer } from "../../support/postgresServer.ts";
import { median } from "../median.ts";

/** A durable server with its default settings, stopped with the scope; returns the URL of an empty database. */
export const server: Effect.Effect<string, never, Scope.Scope> = Effect.map(
  Effect.acquireRelease(
    Effect.promise(() => startServer({ durable: true })),
    (started) => Effect.promise(() => started.stop()),
  ),
  ({ url }) => url,
);

/** One connection, closed with the scope. */
export const connection = (url: string): Effect.Effect<pg.Client, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const client = new pg.Client({ connectionString: url });
      await client.connect();
      return client;
    }),
    (client) => Effect.promise(() => client.end()),
  );

/** The milliseconds of each contender in each round. */
export class Times {
  readonly #times = new Map<string, Array<number>>();

  /** Runs an effect and records its milliseconds under a name. */
  of<A, E, R>(name: string, effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> {
    return Effect.suspend(() => {
      const started = performance.now();
      return Effect.tap(effect, () => {
        const times = this.#times.get(name) ?? [];
        this.#times.set(name, times);
        times.push(performance.now() - started);
      });
    });
  }

  median(name: string): number {
    return median(this.#times.get(name) ?? []);
  }

  /** Prints a line for each question: our median, the baseline's, and their ratio. */
  print(questions: ReadonlyArray<string>): void {
    console.log(`${cpus().length} cores (${cpus()[0]?.model}), Node ${process.version}, medians in ms`);
    for (const question of questions) {
      const [ours, bare] = [this.median(`${question}, ours`), this.median(`${question}, bare`)];
      console.log(
        `${question.padEnd(42)} ours ${ours.toFixed(1).padStart(8)}   bare SQL ${bare.toFixed(1).padStart(8)}   ratio ${(ours / bare).toFixed(2)}`,
      );
    }
  }
}
