/**
 * A storage adapter in one file: all records are in memory, and every change is a line of JSON at the end of a file.
 *
 * The memory store carries out a change set; this adapter makes it durable. It applies a change in memory, then writes its
 * line to the disk, and only then returns. Reads wait meanwhile, so that no reader sees a change that a crash could still
 * undo. At the start it replays the lines in order. If a crash cut the last line off, that change was never acknowledged,
 * and the adapter removes the rest of the line.
 *
 * One process, one writer at a time, the whole store in memory: enough for a small tool, and short enough to read.
 */
import { closeSync, existsSync, fsyncSync, openSync, readFileSync, truncateSync, writeSync } from "node:fs";
import { Clock, Context, Effect, Layer } from "effect";
import { Directory, Documents, Outbox, Storage } from "quittance";
import * as Memory from "quittance/memory";

type Ports = Storage.Storage | Directory.Directory | Outbox.Outbox | Documents.DocumentStore;

/** The methods that change something, by port. All others read. */
const CHANGING = {
  storage: ["commit", "prune", "appendToFeed"],
  directory: ["touch"],
  outbox: ["claim", "renew", "complete", "release", "postpone", "unpark", "deadLetter", "requeue"],
  documents: ["put", "remove"],
} as const;

type PortName = keyof typeof CHANGING;

/** One line of the file: which method was called, when and with what. */
interface Line {
  /** Leases and delays use this time, so that replaying a line has the same result. */
  readonly at: number;
  readonly port: PortName;
  readonly method: string;
  readonly args: ReadonlyArray<unknown>;
}

type Methods = Record<string, unknown>;

const failed = (cause: unknown) => new Storage.StorageError({ reason: "broken", cause });

/** Encodes bytes as base64, because JSON has none. Everything else that the ports take is plain JSON. */
const encode = (line: Line): string =>
  `${JSON.stringify(line, (_key, value) =>
    value instanceof Uint8Array ? { bytes: Buffer.from(value).toString("base64") } : value,
  )}\n`;

const decode = (text: string): Line =>
  JSON.parse(text, (_key, value) =>
    typeof value?.bytes === "string" && Object.keys(value).length === 1
      ? new Uint8Array(Buffer.from(value.bytes, "base64"))
      : value,
  );

/** Returns the complete lines of the file, and truncates what a crash left after the last of them. */
const linesOf = (file: string): ReadonlyArray<Line> => {
  if (!existsSync(file)) return [];
  const bytes = readFileSync(file);
  const end = bytes.lastIndexOf(0x0a) + 1;
  if (end < bytes.length) truncateSync(file, end);
  const text = bytes.subarray(0, end).toString("utf8");
  return text === "" ? [] : text.trimEnd().split("\n").map(decode);
};

const call = (
  methods: Methods,
  method: string,
  args: ReadonlyArray<unknown>,
): Effect.Effect<unknown, unknown> => {
  const found = methods[method];
  if (typeof found !== "function") throw new Error(`the store has no method ${method}`);
  return Reflect.apply(found, methods, args);
};

/** The clock of this process, or the moment of the line that is played again. */
const storeClock = () => {
  const clock = Clock.make();
  let played: number | null = null;
  return {
    clock: { ...clock, unsafeCurrentTimeMillis: () => played ?? clock.unsafeCurrentTimeMillis() },
    set: (at: number | null): void => {
      played = at;
    },
  };
};

/** How many readers may run at once. A writer takes all of their places. */
const PLACES = 1_000;

/** Provides the four storage ports over one file, which is created when it is absent. */
export const layer = (file: string): Layer.Layer<Ports, Storage.StorageError> =>
  Layer.scopedContext(
    Effect.gen(function* () {
      const { clock, set } = storeClock();
      const memory = yield* Effect.withClock(Layer.build(Memory.layer), clock);
      const ports: Record<PortName, Methods> = {
        storage: { ...Context.get(memory, Storage.Storage) },
        directory: { ...Context.get(memory, Directory.Directory) },
        outbox: { ...Context.get(memory, Outbox.Outbox) },
        documents: { ...Context.get(memory, Documents.DocumentStore) },
      };
      const lines = yield* Effect.try({ try: () => linesOf(file), catch: failed });
      for (const { at, port, method, args } of lines) {
        set(at);
        yield* Effect.mapError(call(ports[port], method, args), failed);
      }
      set(null);

      const descriptor = yield* Effect.acquireRelease(
        Effect.try({ try: () => openSync(file, "a", 0o600), catch: failed }),
        (open) => Effect.sync(() => closeSync(open)),
      );
      const places = yield* Effect.makeSemaphore(PLACES);
      const append = (line: Line) =>
        Effect.try({
          try: () => {
            writeSync(descriptor, encode(line));
            fsyncSync(descriptor);
          },
          catch: failed,
        });
      /** Runs a change alone: applies it in memory, writes its line, then returns. */
      const changing =
        (port: PortName, method: string) =>
        (...args: ReadonlyArray<unknown>) =>
          places.withPermits(PLACES)(
            Effect.uninterruptible(
              Effect.suspend(() => {
                const at = clock.unsafeCurrentTimeMillis();
                set(at);
                return Effect.tap(call(ports[port], method, args), () => append({ at, port, method, args }));
              }).pipe(Effect.ensuring(Effect.sync(() => set(null)))),
            ),
          );
      const reading = (methods: Methods, method: string): unknown => {
        const found = methods[method];
        if (Effect.isEffect(found)) return places.withPermits(1)(found);
        return (...args: ReadonlyArray<unknown>) => {
          const answer: unknown = Reflect.apply(found as () => unknown, methods, args);
          return Effect.isEffect(answer) ? places.withPermits(1)(answer) : answer;
        };
      };
      const wrapped = <Service>(port: PortName): Service => {
        const changes: ReadonlyArray<string> = CHANGING[port];
        const entries = Object.keys(ports[port]).map((method) => [
          method,
          changes.includes(method) ? changing(port, method) : reading(ports[port], method),
        ]);
        // The wrapper has the methods that it wraps, with the same arguments and results.
        return Object.fromEntries(entries) as Service;
      };
      return Context.make(Storage.Storage, wrapped<Storage.StorageService>("storage")).pipe(
        Context.add(Directory.Directory, wrapped<Directory.DirectoryService>("directory")),
        Context.add(Outbox.Outbox, wrapped<Outbox.OutboxService>("outbox")),
        Context.add(Documents.DocumentStore, wrapped<Documents.DocumentStoreService>("documents")),
      );
    }),
  );
