/** The time limit of renderings. */
import { Effect } from "effect";
import { RenderingFailed } from "../../ports/Documents.ts";

/** Renders within a time limit; what cannot be interrupted is left to itself. */
export const withinTime = <A, E>(
  rendering: Effect.Effect<A, E>,
  milliseconds: number,
): Effect.Effect<A, E | RenderingFailed> =>
  rendering.pipe(
    Effect.disconnect,
    Effect.timeoutFail({
      duration: milliseconds,
      onTimeout: () =>
        new RenderingFailed({
          cause: new Error(`not rendered within the time limit of ${milliseconds / 1_000} s`),
        }),
    }),
  );
