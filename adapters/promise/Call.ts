/** Runs the effect of a call and returns its result as a promise. */
import { createHash } from "node:crypto";
import { Effect, Exit, FiberRef, Layer, Runtime } from "effect";
import { Pipeline, type Refusal, type Storage } from "quittance";
import { InvalidError } from "../client/QuittanceError.ts";
import * as Failures from "./Failure.ts";

/** What any call may fail with. */
export type Failure = Refusal.Refusal | Storage.StorageError;

/** How a call is run. */
export interface RunOptions {
  readonly signal?: AbortSignal | undefined;
  readonly idempotencyKey?: string | undefined;
  /** What identifies the request; another request under the same key is refused. */
  readonly request: ReadonlyArray<unknown>;
}

/** What stops a call of the operator. */
export type Signal = Pick<RunOptions, "signal">;

/** How calls of the operator are run, which take no idempotency key. */
export const OPERATOR = { request: [] } as const;

/** Runs an effect of the services as a promise, which rejects with a `QuittanceError` or the signal's reason. */
export type Call = <Result>(options: RunOptions, effect: Effect.Effect<Result, Failure>) => Promise<Result>;

interface Pending {
  idempotency: Pipeline.CommandOptions["idempotency"] | undefined;
}

/** What the next command of a fiber is idempotent by. */
const pending = FiberRef.unsafeMake<Pending | null>(null);

/**
 * The write path, whose first command of a call takes the idempotency key of the call. A method cannot be given it as an
 * argument here: at run time nothing shows which of its arguments is for options.
 */
export const pipeline = Layer.map(Pipeline.layer, (context) => context).pipe(
  Layer.project(Pipeline.Pipeline, Pipeline.Pipeline, (service) => ({
    ...service,
    run: (customerId, principal, options, attempt) =>
      Effect.flatMap(FiberRef.get(pending), (call) => {
        const idempotency = call?.idempotency;
        if (call === null || idempotency === undefined) {
          return service.run(customerId, principal, options, attempt);
        }
        call.idempotency = undefined;
        return service.run(customerId, principal, { ...options, idempotency }, attempt);
      }),
  })),
);

/** Bytes count by their digest, and fields in any order. */
const canonicalize = (value: unknown): unknown => {
  if (value instanceof Uint8Array) return createHash("sha256").update(value).digest("hex");
  if (Array.isArray(value)) return value.map(canonicalize);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([key, item]) => [key, canonicalize(item)]),
  );
};

/** The digest of a request; throws when it is not data as JSON has it, such as a bigint or an object within itself. */
const digestOf = (request: ReadonlyArray<unknown>): string => {
  try {
    return createHash("sha256")
      .update(JSON.stringify(canonicalize(request)))
      .digest("hex");
  } catch (cause) {
    throw new InvalidError("the input must be plain data, as JSON has it", { cause });
  }
};

const VISIBLE_ASCII = /^[\x21-\x7e]{1,255}$/;

const withKey = <Result>(
  { idempotencyKey, request }: RunOptions,
  effect: Effect.Effect<Result, Failure>,
): Effect.Effect<Result, Failure> => {
  if (idempotencyKey === undefined) return effect;
  if (!VISIBLE_ASCII.test(idempotencyKey)) {
    throw new InvalidError("idempotencyKey: must be 1 to 255 visible ASCII characters", {
      field: "idempotencyKey",
    });
  }
  const idempotency = { key: idempotencyKey, requestSha256: digestOf(request) };
  return Effect.locally(effect, pending, { idempotency });
};

/** Runs calls in a runtime. */
export const make = (runtime: Runtime.Runtime<never>): Call => {
  const run = Runtime.runPromiseExit(runtime);
  return async (options, effect) => {
    const { signal } = options;
    signal?.throwIfAborted();
    const exit = await run(withKey(options, effect), signal === undefined ? {} : { signal });
    if (Exit.isSuccess(exit)) return exit.value;
    signal?.throwIfAborted();
    throw Failures.errorFromCause(exit.cause);
  };
};
