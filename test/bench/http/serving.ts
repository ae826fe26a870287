/** The bundled server on its memory store; sends its memory use to its parent process on request. */
import { Effect, Either } from "effect";
import { readSettings, serve } from "quittance/server";

/** Bytes after a garbage collection: of the whole process, and of live objects. */
export interface MemoryUse {
  readonly rss: number;
  readonly heapUsed: number;
}

if (global.gc === undefined) throw new Error("start this with --expose-gc");
const collect = global.gc;

process.on("message", () => {
  // Twice: the second collection removes objects that finalisers released in the first.
  collect();
  collect();
  const { rss, heapUsed } = process.memoryUsage();
  process.send?.({ rss, heapUsed } satisfies MemoryUse);
});

const settings = readSettings({ PORT: "0", DATABASE_URL: "memory:", LOG_LEVEL: "off" }, false).pipe(
  Either.getOrThrowWith((line) => new Error(line)),
);
Effect.runFork(serve(settings));
