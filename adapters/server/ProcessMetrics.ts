/** Metrics of the process and of its build, under the names that Prometheus's clients use. */
import { readdirSync } from "node:fs";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { Effect, Metric, MetricLabel } from "effect";
import { version } from "./Version.ts";

const gauge = (name: string, description: string) => Metric.gauge(name, { description });

const build = gauge("quittance_build_info", "1, with the versions of the program and of Node as labels.");
const started = gauge("process_start_time_seconds", "When the process started, in seconds since 1970.");
const resident = gauge("process_resident_memory_bytes", "Memory that the process holds.");
const files = gauge("process_open_fds", "Open file descriptors, where the system shows them.");
const heapUsed = gauge("nodejs_heap_size_used_bytes", "Memory of live and not yet collected objects.");
const heapTotal = gauge("nodejs_heap_size_total_bytes", "Memory that the heap of JavaScript has reserved.");
const delay = gauge(
  "nodejs_eventloop_lag_p99_seconds",
  "Delay of the event loop since the last reading, 99th percentile.",
);
const cpu = Metric.counter("process_cpu_seconds_total", {
  description: "Computing time of the process, user and system.",
  incremental: true,
});

const RESOLUTION_MILLISECONDS = 10;
const MICROSECONDS = 1_000_000;
const NANOSECONDS = 1_000_000_000;

const loop = monitorEventLoopDelay({ resolution: RESOLUTION_MILLISECONDS });
let counted = 0;

const openFiles = (): number => {
  try {
    return readdirSync("/proc/self/fd").length;
  } catch {
    return Number.NaN;
  }
};

/** Sets every metric of the process. The first call starts the measurement of the event loop. */
export const measure: Effect.Effect<void> = Effect.sync(() => {
  const { user, system } = process.cpuUsage();
  const used = (user + system) / MICROSECONDS;
  cpu.unsafeUpdate(used - counted, []);
  counted = used;
  const { rss, heapUsed: live, heapTotal: reserved } = process.memoryUsage();
  build.unsafeUpdate(1, [MetricLabel.make("version", version()), MetricLabel.make("node", process.version)]);
  started.unsafeUpdate(Math.round(performance.timeOrigin) / 1000, []);
  resident.unsafeUpdate(rss, []);
  heapUsed.unsafeUpdate(live, []);
  heapTotal.unsafeUpdate(reserved, []);
  files.unsafeUpdate(openFiles(), []);
  const late = loop.percentile(99) / NANOSECONDS - RESOLUTION_MILLISECONDS / 1000;
  delay.unsafeUpdate(loop.count === 0 ? 0 : Math.max(0, late), []);
  loop.reset();
  loop.enable();
});
