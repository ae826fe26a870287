/** The bundled server on its memory store, which tells its parent process what memory it holds whenever that asks. */
import { Effect, Either } from "effect";
import { readSettings, serve } from "quittance/server";

/** Bytes after a collection: all that the process holds, and what of it are live objects. */
export interface Held {
  readonly rss: number;
  readonly heapUsed: number;
}

if (global.gc === undefined) throw new Error("start this with --expose-gc");
const collect = global.gc;

process.on("message", () => {
  // Twice: what a finaliser frees in the first collection is collected in the second.
  collect();
  collect();
  const { rss, heapUsed } = process.memoryUsage();
  process.send?.({ rss, heapUsed } satisfies Held);
});

const settings = readSettings({ PORT: "0", DATABASE_URL: "memory:", LOG_LEVEL: "off" }, false).pipe(
  Either.getOrThrowWith((line) => new Error(line)),
);
Effect.runFork(serve(settings));
