/** The parent process: starts the processes that serve, replaces one that ends, and joins their metrics. */
import cluster, { type Worker } from "node:cluster";
import { Effect, Runtime } from "effect";
import { type CommandFailed, commandFailure, USAGE, usageError } from "../CommandFailed.ts";
import { print } from "../Output.ts";
import { join, type Metrics } from "./JoinedMetrics.ts";
import { type FromParent, type FromServer, METRICS_MILLISECONDS, PORT_OF_PARENT } from "./Message.ts";

/** How long processes may take to stop; a server gives running requests 10 s. */
const STOP_MILLISECONDS = 12_000;

/** A process that ends sooner than this after its start is replaced later each time. */
const STABLE_MILLISECONDS = 10_000;
const PAUSE_MILLISECONDS_MAX = 30_000;

/** A serving process. The process that replaces it gets the same number. */
interface ServingProcess {
  readonly number: number;
  readonly startedAt: number;
  /** Processes in a row that ended soon after their start. */
  readonly failures: number;
}

/** A request for the joined metrics, and the processes whose metrics are missing. */
interface Joining {
  readonly worker: Worker;
  readonly texts: Array<Metrics>;
  readonly missing: Set<number>;
  readonly timer: NodeJS.Timeout;
}

const send = (worker: Worker, message: FromParent): void => {
  if (worker.isConnected()) worker.send(message);
};

/** Passes metrics between processes. */
const metricsOf = (processes: ReadonlyMap<Worker, ServingProcess>) => {
  const joinings = new Map<number, Joining>();
  let last = 0;
  const finish = (id: number, requestId: number): void => {
    const joining = joinings.get(id);
    if (joining === undefined) return;
    joinings.delete(id);
    clearTimeout(joining.timer);
    send(joining.worker, { type: "joined_metrics", id: requestId, text: join(joining.texts) });
  };
  const requestIds = new Map<number, number>();
  return {
    begin: (worker: Worker, number: number, requestId: number, text: string): void => {
      const id = ++last;
      requestIds.set(id, requestId);
      const others = [...processes].filter(([other]) => other !== worker);
      const timer = setTimeout(() => finish(id, requestId), METRICS_MILLISECONDS);
      const missing = new Set(others.map(([, serving]) => serving.number));
      joinings.set(id, { worker, texts: [{ process: number, text }], missing, timer });
      for (const [other] of others) send(other, { type: "send_metrics", id });
      if (missing.size === 0) finish(id, requestId);
    },
    add: (number: number, id: number, text: string): void => {
      const joining = joinings.get(id);
      if (joining === undefined) return;
      joining.texts.push({ process: number, text });
      joining.missing.delete(number);
      if (joining.missing.size === 0) finish(id, requestIds.get(id) ?? 0);
    },
  };
};

/** Serves until interrupted. Fails when a process cannot start; it has printed the reason. */
export const supervise = (count: number): Effect.Effect<never, CommandFailed> =>
  Effect.flatMap(Effect.runtime(), (runtime) =>
    Effect.async<never, CommandFailed>((resume) => {
      const run = Runtime.runFork(runtime);
      const processes = new Map<Worker, ServingProcess>();
      const metrics = metricsOf(processes);
      const ready = new Set<number>();
      // A free port that was chosen once stays the port, also after all processes have ended.
      let port = "";
      let isAnnounced = false;
      let isStopping = false;
      const start = (number: number, failures: number): void => {
        if (isStopping) return;
        const worker = cluster.fork(port === "" ? {} : { [PORT_OF_PARENT]: port });
        processes.set(worker, { number, startedAt: Date.now(), failures });
        worker.on("message", (message: FromServer) => {
          if (message.type === "join_metrics") metrics.begin(worker, number, message.id, message.text);
          if (message.type === "metrics") metrics.add(number, message.id, message.text);
          if (message.type !== "listening") return;
          ready.add(number);
          ({ port } = new URL(message.url));
          if (ready.size < count || isAnnounced) return;
          isAnnounced = true;
          run(print(`listening on ${message.url}`));
        });
      };
      const replace = ({ number, startedAt, failures }: ServingProcess, end: string): void => {
        const isEarly = Date.now() - startedAt < STABLE_MILLISECONDS;
        const pause = isEarly && failures > 0 ? Math.min(PAUSE_MILLISECONDS_MAX, 1_000 * 2 ** failures) : 0;
        run(
          Effect.annotateLogs(Effect.logWarning("a process ended, a new one is started"), {
            process: number,
            end,
            pause_ms: pause,
          }),
        );
        setTimeout(() => start(number, isEarly ? failures + 1 : 0), pause).unref();
      };
      cluster.on("exit", (worker, code, signal) => {
        const endedProcess = processes.get(worker);
        processes.delete(worker);
        if (isStopping || endedProcess === undefined) return;
        if (ready.has(endedProcess.number) || signal !== null) {
          replace(endedProcess, signal ?? `exit code ${code}`);
          return;
        }
        // Before all processes listen, one that ends shows that the settings or the database are wrong.
        isStopping = true;
        const fail = code === USAGE ? usageError : commandFailure;
        const line = `process ${endedProcess.number} could not start; see its own line for the reason`;
        resume(Effect.zipRight(stopAll(processes), fail(line)));
      });
      for (let number = 1; number <= count; number++) start(number, 0);
      return Effect.suspend(() => {
        isStopping = true;
        return stopAll(processes);
      });
    }),
  );

/** Stops every process, and ends those that have not stopped in time. */
const stopAll = (processes: ReadonlyMap<Worker, ServingProcess>): Effect.Effect<void> =>
  Effect.async((resume) => {
    const timer = setTimeout(() => {
      for (const worker of processes.keys()) worker.process.kill("SIGKILL");
    }, STOP_MILLISECONDS);
    const settle = (): void => {
      if (processes.size > 0) return;
      clearTimeout(timer);
      cluster.off("exit", settle);
      resume(Effect.void);
    };
    cluster.on("exit", settle);
    for (const worker of processes.keys()) worker.process.kill("SIGTERM");
    settle();
  });
