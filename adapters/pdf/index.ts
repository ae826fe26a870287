/** Renders reports, invoices and credit notes as PDF files. */
import { Effect, Layer, type Scope } from "effect";
import { Documents } from "quittance";
import * as Fonts from "./Fonts.ts";
import * as Rendering from "./Rendering.ts";
import * as Threads from "./Threads.ts";

export type { Fonts } from "./Fonts.ts";

/** Lets timers, sockets and other fibers have their turn, and stops when it is asked to. */
const pause = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    setImmediate(() => (signal.aborted ? reject(signal.reason) : resolve()));
  });

const inProcess = (sources: ReadonlyArray<Fonts.Source>): Documents.DocumentRendererService => {
  const families = Fonts.open(sources);
  return {
    render: (content) =>
      Effect.tryPromise({
        try: (signal) => Rendering.render(content, families, () => pause(signal)),
        catch: (cause) =>
          cause instanceof Documents.RenderingRefused ? cause : new Documents.RenderingFailed({ cause }),
      }).pipe(Effect.map((bytes) => ({ bytes, extension: "pdf" }))),
  };
};

const threaded = (
  sources: ReadonlyArray<Fonts.Source>,
): Effect.Effect<Documents.DocumentRendererService, never, Scope.Scope> => {
  const file = Threads.entry();
  return file === null
    ? Effect.as(
        Effect.logWarning(
          "the package quittance was not found beside the bundle; documents are rendered between other work",
        ),
        inProcess(sources),
      )
    : Threads.make(file, sources);
};

/**
 * A renderer that sets documents in fonts of the host's choice; characters that they lack are set in the installed
 * packages of Noto Sans that have them.
 */
export const layerWith = (fonts: Fonts.Fonts): Layer.Layer<Documents.DocumentRenderer> =>
  Layer.scoped(
    Documents.DocumentRenderer,
    Effect.suspend(() => threaded([Fonts.supplied(fonts), ...Fonts.installed()])),
  );

/**
 * A renderer that sets documents in the installed packages of Noto Sans (SIL Open Font License), each read when a
 * document first needs it. Which are installed is looked up once, when the layer is built.
 *
 * Pages are A4, words are English, dates are days in UTC. The same content gives the same bytes. Documents are drawn in
 * worker threads that are started with the first document and end with the layer: long ones, of more than 200 lines, in
 * one of their own, so that they do not hold up others. A bundled host without the package among its modules gets
 * `layerInProcess` and a warning.
 */
export const layer: Layer.Layer<Documents.DocumentRenderer> = Layer.scoped(
  Documents.DocumentRenderer,
  Effect.suspend(() => threaded(Fonts.installed())),
);

/** The same renderer without threads: other work has its turn after every page. */
export const layerInProcess: Layer.Layer<Documents.DocumentRenderer> = Layer.sync(
  Documents.DocumentRenderer,
  () => inProcess(Fonts.installed()),
);
