/** Spans of commands, commits and jobs of the worker, sent to the runtime's tracer when a host turns them on. */
import { Context, Effect, Layer } from "effect";
import { Storage, type StorageService } from "../../ports/Storage.ts";
import { type Attempt, Pipeline, type PipelineService } from "./Pipeline.ts";

/** True if the engine creates spans; false by default. Read once, when the engine is built. */
export class Tracing extends Context.Reference<Tracing>()("quittance/services/Tracing", {
  defaultValue: () => false,
}) {}

/** Runs an effect as a span, without capturing a stack trace. */
export const withSpan = <A, E, R>(
  effect: Effect.Effect<A, E, R>,
  name: string,
  attributes: Readonly<Record<string, string | number>>,
  root = false,
): Effect.Effect<A, E, R> => Effect.withSpan(effect, name, { attributes, root, captureStackTrace: false });

/** Wraps a service when spans are turned on; otherwise leaves it as it is. */
const wrapService = <I, S>(tag: Context.Tag<I, S>, wrap: (service: S) => S): Layer.Layer<I, never, I> =>
  Layer.effect(
    tag,
    Effect.zipWith(tag, Tracing, (service, isEnabled) => (isEnabled ? wrap(service) : service)),
  );

const storage = wrapService(
  Storage,
  (service): StorageService => ({
    ...service,
    commit: (customerId, changeSet) =>
      withSpan(service.commit(customerId, changeSet), "quittance.commit", {
        "quittance.changes": changeSet.changes.length,
        "quittance.messages": changeSet.outbox.length,
      }),
  }),
);

/** An attempt that annotates the command's span with its number. */
const annotateAttempt =
  <Result, Problem>(attempt: Attempt<Result, Problem>): Attempt<Result, Problem> =>
  (execution) =>
    Effect.zipRight(Effect.annotateCurrentSpan("quittance.attempts", execution.attempt), attempt(execution));

const pipeline = wrapService(
  Pipeline,
  (service): PipelineService => ({
    ...service,
    run: (customerId, principal, options, attempt) =>
      withSpan(
        service.run(customerId, principal, options, annotateAttempt(attempt)),
        "quittance.command",
        {},
      ),
  }),
);

/** The write path, with a span for each command and each of its commits when spans are turned on. */
export const layer = <E, R>(
  writing: Layer.Layer<Pipeline, E, R | Storage>,
): Layer.Layer<Pipeline, E, R | Storage> => pipeline.pipe(Layer.provide(writing), Layer.provide(storage));
