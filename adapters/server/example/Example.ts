/**
 * The example company beside the real records: an engine in a thread of its own, which begins when somebody asks for it, keeps
 * everything in memory, and ends with the server. Requests below its path are passed on to it.
 */
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import type { IncomingMessage } from "node:http";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { Worker } from "node:worker_threads";
import { Effect, Runtime, type Scope } from "effect";
import type { Listener } from "quittance/http";
import type { Settings } from "../Settings.ts";
import type { Message, Start } from "./Message.ts";
import { passOn } from "./PassOn.ts";

/** Where its console, its portal and its interface are. */
const PREFIX = "/example";

/** Its pages and its interface; health, metrics and documentation are those of the server. */
const BELOW = /^\/example\/(?:console|portal|api\/v1)(?:[/?]|$)/;

/** The heap of the thread. The company needs a quarter of it; what visitors add is lost before the server is short of memory. */
const HEAP_LIMITS = { maxOldGenerationSizeMb: 512, maxYoungGenerationSizeMb: 32 };

/** How long filling may take. */
const FILLING_MILLISECONDS_MAX = 15 * 60_000;

/** What there is of it. */
export type State =
  | { readonly type: "absent" }
  /** `done` of `of` months are written; `of` is 0 before the first. */
  | { readonly type: "filling"; readonly done: number; readonly of: number }
  | { readonly type: "ready"; readonly key: string }
  /** It could not be filled; the reason is for people. */
  | { readonly type: "failed"; readonly reason: string };

export interface Example {
  readonly state: () => State;
  /** Begins to fill it where there is none; returns at once. */
  readonly start: () => void;
  /** Who handles a request below its path; null for any other request. */
  readonly elsewhere: (incoming: IncomingMessage) => Listener | null;
}

/** The built entry of the thread; null where the package was not built. */
const entry = (): string | null => {
  const root = dirname(createRequire(import.meta.url).resolve("quittance/package.json"));
  const file = join(root, "dist/adapters/server/example/Thread.js");
  return existsSync(file) ? file : null;
};

/** True if the console offers it. */
export const isOffered = ({ example, console: hasPages }: Settings): boolean =>
  example && hasPages && entry() !== null;

/** A new socket: in a folder that other users of the machine cannot open. */
const makeSocket = (): { readonly path: string; readonly remove: () => void } => {
  if (process.platform === "win32")
    return { path: `\\\\.\\pipe\\quittance-example-${crypto.randomUUID()}`, remove: () => {} };
  const folder = mkdtempSync(join(tmpdir(), "quittance-example-"));
  return {
    path: join(folder, "socket"),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
};

const GONE = JSON.stringify({
  error_code: "NOT_FOUND",
  message:
    "There is no example company: it ends with the server, and is opened on the first page of the console",
});

/** Leads from a page of an example that is gone to the real one, and refuses anything else. */
const gone: Listener = (incoming, outgoing) => {
  const [, page] = /^\/example\/(console|portal)\/?(?:\?|$)/.exec(incoming.url ?? "") ?? [];
  const isPage = page !== undefined && incoming.method === "GET";
  const location = `${incoming.url?.startsWith(`${PREFIX}/${page}/`) === true ? "../../" : "../"}${page}/`;
  outgoing.writeHead(isPage ? 302 : 404, {
    "cache-control": "no-store",
    "content-type": "application/json; charset=utf-8",
    ...(isPage ? { location } : {}),
  });
  outgoing.end(isPage ? "" : GONE);
};

interface Running {
  readonly thread: Worker;
  readonly listener: Listener;
  readonly end: () => Promise<void>;
}

const reasonOf = (error: unknown): string =>
  error instanceof Error
    ? "code" in error && error.code === "ERR_WORKER_OUT_OF_MEMORY"
      ? "it needs more memory than it may use"
      : error.message
    : String(error);

/** The example company of a server; what there is of it ends with the scope. */
export const make = (
  { logLevel, logFormat }: Pick<Settings, "logLevel" | "logFormat">,
  file: string | null = entry(),
): Effect.Effect<Example, never, Scope.Scope> =>
  Effect.gen(function* () {
    const log = Runtime.runFork(yield* Effect.runtime());
    let state: State = { type: "absent" };
    let running: Running | null = null;
    let ended: Promise<void> = Promise.resolve();

    const stop = (): void => {
      if (running !== null) ended = running.end();
      running = null;
    };

    const begin = (file: string): Running => {
      const socket = makeSocket();
      const start: Start = { thread: "quittance/example", socket: socket.path, logLevel, logFormat };
      // The built file needs neither loaders nor conditions of the process, and none of its secrets.
      const thread = new Worker(file, {
        workerData: start,
        execArgv: [],
        env: {},
        resourceLimits: HEAP_LIMITS,
      });
      thread.unref();
      const { listener, close } = passOn(socket.path, (target) => target.slice(PREFIX.length), gone);
      const limit = setTimeout(() => fail("it took longer than fifteen minutes"), FILLING_MILLISECONDS_MAX);
      limit.unref();
      const fail = (reason: string): void => {
        if (running?.thread !== thread) return;
        log(Effect.annotateLogs(Effect.logWarning("the example company has ended"), { reason }));
        state = state.type === "filling" ? { type: "failed", reason } : { type: "absent" };
        stop();
      };
      thread.on("message", (message: Message) => {
        if (running?.thread !== thread) return;
        if (message.type === "failed") return fail(message.reason);
        if (message.type === "ready") {
          clearTimeout(limit);
          log(Effect.logInfo("the example company is open below /example/console"));
        }
        state = message;
      });
      thread.on("error", (error) => fail(reasonOf(error)));
      thread.on("exit", () => fail("its thread has ended"));
      const end = async (): Promise<void> => {
        clearTimeout(limit);
        close();
        await thread.terminate();
        socket.remove();
      };
      return { thread, listener, end };
    };

    const start = (): void => {
      if (running !== null || file === null) return;
      try {
        running = begin(file);
        state = { type: "filling", done: 0, of: 0 };
      } catch (error) {
        state = { type: "failed", reason: reasonOf(error) };
      }
    };

    yield* Effect.addFinalizer(() =>
      Effect.promise(() => {
        stop();
        return ended;
      }),
    );
    return {
      state: () => state,
      start,
      elsewhere: ({ url = "" }) =>
        BELOW.test(url) ? (state.type === "ready" ? (running?.listener ?? gone) : gone) : null,
    };
  });
