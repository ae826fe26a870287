/** One renderer for all tests, so that the fonts are read once. */
import { Effect, Layer } from "effect";
import { Documents } from "quittance";
import { layerInProcess } from "quittance/pdf";

/**
 * The renderer in this process. Tests do not use `it.layer`, which replaces `it.effect` of every later test in the process:
 * those share one test clock.
 */
export const inProcess = Layer.succeed(
  Documents.DocumentRenderer,
  Effect.runSync(Effect.provide(Documents.DocumentRenderer, layerInProcess)),
);
