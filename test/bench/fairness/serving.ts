/** The bundled server; records stalls of its event loop and sends them to its parent process on request. */
import { readFileSync } from "node:fs";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { Effect, Either } from "effect";
import { readSettings, serve } from "quittance/server";

/** A period in which the event loop was blocked, in microseconds of the clock of CPU profiles. */
export interface Stall {
  readonly from: number;
  readonly to: number;
  /** CPU microseconds of the event loop's thread; in the rest it waited, mostly for a core. */
  readonly computed: number;
}

/** The measurements since the last request for them. */
export interface Measurements {
  /** Milliseconds by which iterations of the event loop were late. */
  readonly delay: { readonly p50: number; readonly p99: number; readonly max: number };
  readonly stalls: ReadonlyArray<Stall>;
}

const STALL_MICROSECONDS = 20_000;
const EVERY_MILLISECONDS = 2;

const delay = monitorEventLoopDelay({ resolution: EVERY_MILLISECONDS });
delay.enable();

const microseconds = (): number => Number(process.hrtime.bigint() / 1_000n);

/** CPU microseconds of the main thread; wall-clock microseconds where the system has no `/proc`. */
const computing = (): number => {
  try {
    const [nanoseconds] = readFileSync(`/proc/self/task/${process.pid}/schedstat`, "latin1").split(" ");
    return Number(nanoseconds) / 1_000;
  } catch {
    return microseconds();
  }
};

let stalls: Array<Stall> = [];
let last = { at: microseconds(), computed: computing() };
setInterval(() => {
  const now = { at: microseconds(), computed: computing() };
  if (now.at - last.at > STALL_MICROSECONDS)
    stalls.push({ from: last.at, to: now.at, computed: now.computed - last.computed });
  last = now;
}, EVERY_MILLISECONDS).unref();

process.on("message", () => {
  const milliseconds = (nanoseconds: number) => nanoseconds / 1e6 - EVERY_MILLISECONDS;
  process.send?.({
    delay: {
      p50: milliseconds(delay.percentile(50)),
      p99: milliseconds(delay.percentile(99)),
      max: milliseconds(delay.max),
    },
    stalls,
  } satisfies Measurements);
  stalls = [];
  delay.reset();
});

const settings = readSettings({ ...process.env, LOG_LEVEL: "off" }, false).pipe(
  Either.getOrThrowWith((line) => new Error(line)),
);
const fiber = Effect.runFork(serve(settings));
process.on("SIGTERM", () => {
  fiber.unsafeInterruptAsFork(fiber.id());
  fiber.addObserver(() => process.exit(0));
});
