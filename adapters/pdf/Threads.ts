/** Renders documents in worker threads, so that drawing does not block the process. */
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import { Effect, type Scope } from "effect";
import { Documents } from "quittance";
import type * as Fonts from "./Fonts.ts";
import type * as Rendering from "./Rendering.ts";
import type { Reply, Request, Start } from "./Thread.ts";

type Content = Rendering.Content;
type Failure = Documents.RenderingFailed | Documents.RenderingRefused;

/** Documents with more lines are long and have a queue of their own. */
const SHORT_LINES_MAX = 200;
/** Lines sent at a time; sending them takes about a millisecond. */
const LINES_SENT = 500;
/**
 * The heap limits of a thread. 10,000 lines of any text need less; a larger limit would let the engine keep more garbage.
 * Fonts and the file are outside of the heap.
 */
export const HEAP_LIMITS = { maxOldGenerationSizeMb: 200, maxYoungGenerationSizeMb: 16 };
/** Gives requests precedence over documents when processors are few. */
const NICENESS = 10;
/** How long an idle thread for long documents is kept before it ends and frees its memory. */
const LONG_KEPT_MILLISECONDS = 30_000;

/** The path of the built entry, from the root of the package. */
const BUILT = "dist/adapters/pdf/Thread.js";

/**
 * The entry file of a thread: next to this file, or in the installed package if a bundler has moved this file or it is a
 * source; null if there is neither.
 */
export const entry = (): string | null => {
  try {
    const beside = fileURLToPath(new URL("./Thread.js", import.meta.url));
    if (existsSync(beside)) return beside;
    const built = join(dirname(createRequire(import.meta.url).resolve("quittance/package.json")), BUILT);
    return existsSync(built) ? built : null;
  } catch {
    return null;
  }
};

interface Lane {
  readonly file: string;
  readonly start: Start;
  /** How long an idle thread is kept; null for as long as the lane. */
  readonly idleMillisecondsMax: number | null;
}

/** Sends the content in parts and yields between them; stops when the rendering was interrupted. */
export const send = async (thread: Worker, content: Content, isAwaited: () => boolean): Promise<void> => {
  const post = (request: Request): void => thread.postMessage(request);
  for (let start = 0; start < content.lines.length; start += LINES_SENT) {
    post({ type: "lines", lines: content.lines.slice(start, start + LINES_SENT) });
    await new Promise((resolve) => setImmediate(resolve));
    if (!isAwaited()) return;
  }
  post({ type: "render", content: { ...content, lines: [] } });
};

const toEffect = (reply: Reply): Effect.Effect<Uint8Array, Failure> => {
  switch (reply.type) {
    case "rendered":
      return Effect.succeed(reply.bytes);
    case "refused":
      return Effect.fail(new Documents.RenderingRefused({ code: reply.code, message: reply.message }));
    case "failed":
      return Effect.fail(new Documents.RenderingFailed({ cause: reply.error }));
  }
};

const fail = (cause: unknown): Effect.Effect<never, Documents.RenderingFailed> =>
  Effect.fail(new Documents.RenderingFailed({ cause }));

/** A thread that is started when it is needed, and again after it has ended. */
const makeLane = ({ file, start, idleMillisecondsMax }: Lane) =>
  Effect.gen(function* () {
    const turn = yield* Effect.makeSemaphore(1);
    let current: Worker | null = null;
    let idle: NodeJS.Timeout | undefined;

    const startThread = (): Worker => {
      const thread = new Worker(file, {
        workerData: start,
        // The built file needs neither loaders nor conditions of the process.
        execArgv: [],
        resourceLimits: HEAP_LIMITS,
      });
      thread.once("exit", () => {
        if (current === thread) current = null;
      });
      // Without a listener the error of an idle thread would end the process.
      thread.on("error", () => {});
      current = thread;
      return thread;
    };

    const end = (thread: Worker | null): Effect.Effect<void> => {
      if (current === thread) current = null;
      return Effect.promise(async () => {
        await thread?.terminate();
      });
    };

    const setIdle = (thread: Worker): void => {
      // An idle thread does not keep the process alive.
      thread.unref();
      if (idleMillisecondsMax === null) return;
      idle = setTimeout(() => Effect.runFork(end(thread)), idleMillisecondsMax).unref();
    };

    const run = (content: Content): Effect.Effect<Uint8Array, Failure> =>
      Effect.async((resume) => {
        clearTimeout(idle);
        const thread = current ?? startThread();
        thread.ref();
        let isAwaited = true;
        const settle = (effect: Effect.Effect<Uint8Array, Failure>): void => {
          if (!isAwaited) return;
          isAwaited = false;
          thread.off("message", onMessage).off("error", onError).off("exit", onExit);
          resume(effect);
        };
        const onMessage = (reply: Reply): void => {
          setIdle(thread);
          settle(toEffect(reply));
        };
        const onError = (error: unknown): void => settle(Effect.zipRight(end(thread), fail(error)));
        const onExit = (): void => settle(fail(new Error("the thread that rendered ended")));
        thread.on("message", onMessage).on("error", onError).on("exit", onExit);
        send(thread, content, () => isAwaited).catch(onError);
        return Effect.suspend(() => {
          isAwaited = false;
          return end(thread);
        });
      });

    yield* Effect.addFinalizer(() => end(current));
    return {
      /** Renders a document after those before it; interruption ends the thread. */
      render: (content: Content): Effect.Effect<Uint8Array, Failure> =>
        turn.withPermits(1)(
          Effect.suspend(() => run(content)).pipe(Effect.catchAllDefect((cause) => fail(cause))),
        ),
    };
  });

/**
 * A renderer with two threads that are started when they are first needed, with a lower priority than requests: one for
 * documents of up to 200 lines, which is kept, and one for longer ones, which ends after a time without work. Each thread
 * renders documents in order of arrival. A document whose thread ends or exceeds its heap fails, and the next one starts
 * a new thread. Interrupting a rendering ends its thread. Both threads end with the scope.
 */
export const make = (
  file: string,
  sources: ReadonlyArray<Fonts.Source>,
): Effect.Effect<Documents.DocumentRendererService, never, Scope.Scope> =>
  Effect.gen(function* () {
    const start: Start = { thread: "quittance/pdf", sources, niceness: NICENESS };
    const short = yield* makeLane({ file, start, idleMillisecondsMax: null });
    const long = yield* makeLane({ file, start, idleMillisecondsMax: LONG_KEPT_MILLISECONDS });
    const render = (content: Content) =>
      Effect.map(
        (content.lines.length > SHORT_LINES_MAX ? long : short).render(content),
        (bytes): Documents.Rendered => ({ bytes, extension: "pdf" }),
      );
    return { render, renderStatement: render, renderTerms: render };
  });
