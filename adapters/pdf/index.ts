/** Renders reports, invoices, credit notes and statements as PDF files. */
import { Effect, Layer, type Scope } from "effect";
import { Documents } from "quittance";
import * as Fonts from "./Fonts.ts";
import * as Rendering from "./Rendering.ts";
import type * as SuppliedFonts from "./SuppliedFonts.ts";
import * as Threads from "./Threads.ts";

export type { Fonts } from "./SuppliedFonts.ts";

/** Yields to timers, sockets and other fibers; fails when the rendering was interrupted. */
const pause = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    setImmediate(() => (signal.aborted ? reject(signal.reason) : resolve()));
  });

const makeInProcess = (sources: ReadonlyArray<Fonts.Source>): Documents.DocumentRendererService => {
  const families = Fonts.open(sources);
  const render = (content: Rendering.Content) =>
    Effect.tryPromise({
      try: (signal) => Rendering.render(content, families, () => pause(signal)),
      catch: (cause) =>
        cause instanceof Documents.RenderingRefused ? cause : new Documents.RenderingFailed({ cause }),
    }).pipe(Effect.map((bytes) => ({ bytes, extension: "pdf" })));
  return { render, renderStatement: render, renderTerms: render };
};

const makeThreaded = (
  sources: ReadonlyArray<Fonts.Source>,
): Effect.Effect<Documents.DocumentRendererService, never, Scope.Scope> => {
  const file = Threads.entry();
  return file === null
    ? Effect.as(
        Effect.logWarning(
          "the package quittance was not found beside the bundle; documents are rendered between other work",
        ),
        makeInProcess(sources),
      )
    : Threads.make(file, sources);
};

/**
 * A renderer with the host's own fonts; characters that they lack are drawn in the installed packages of Noto Sans.
 */
export const layerWith = (fonts: SuppliedFonts.Fonts): Layer.Layer<Documents.DocumentRenderer> =>
  Layer.scoped(
    Documents.DocumentRenderer,
    Effect.suspend(() => makeThreaded([Fonts.suppliedSource(fonts), ...Fonts.installedSources()])),
  );

/**
 * A renderer with the installed packages of Noto Sans (SIL Open Font License), each read when a document first needs it.
 * The layer looks up once which are installed.
 *
 * Pages are A4, the language is that of the buyer's billing profile, dates are days in UTC. The same content gives the same bytes. Worker threads
 * draw the documents; they start with the first document and end with the layer. Long documents, of more than 200 lines,
 * have a thread of their own, so that they do not block others. A bundled host without the package among its modules
 * uses `layerInProcess` and logs a warning.
 */
export const layer: Layer.Layer<Documents.DocumentRenderer> = Layer.scoped(
  Documents.DocumentRenderer,
  Effect.suspend(() => makeThreaded(Fonts.installedSources())),
);

/** The same renderer without threads; it yields after every page. */
export const layerInProcess: Layer.Layer<Documents.DocumentRenderer> = Layer.sync(
  Documents.DocumentRenderer,
  () => makeInProcess(Fonts.installedSources()),
);
