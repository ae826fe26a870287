/** The interactive documentation: one page that holds all it needs, so that it works without a network. */
import { Effect, Layer } from "effect";
import { api } from "./api/Api.ts";

/** The page's scripts and styles are part of it; it may talk to its own server and to nobody else. */
export const CONTENT_SECURITY_POLICY =
  "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:; font-src data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const render = async (): Promise<string> => {
  const [HttpApiSwagger, HttpLayerRouter, HttpServer] = await Promise.all([
    import("@effect/platform/HttpApiSwagger"),
    import("@effect/platform/HttpLayerRouter"),
    import("@effect/platform/HttpServer"),
  ]);
  const page = HttpApiSwagger.layerHttpLayerRouter({ api, path: "/docs" });
  const { handler, dispose } = HttpLayerRouter.toWebHandler(
    page.pipe(Layer.provideMerge(HttpServer.layerContext)),
    {
      disableLogger: true,
    },
  );
  const response = await handler(new Request("http://localhost/docs"));
  const html = await response.text();
  await dispose();
  return html;
};

/** Makes the page as HTML. It is two megabytes, so it is made when first asked for and then kept. */
export const make: Effect.Effect<Effect.Effect<string>> = Effect.cached(Effect.promise(render));
