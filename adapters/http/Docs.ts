/** The interactive documentation: one page that holds all it needs, so that it works without a network. */
import { Effect, Layer } from "effect";
import { api } from "./api/Api.ts";
import { openApi } from "./api/index.ts";
import { isList, isObject, type JsonObject, mapValues } from "./api/Json.ts";

/** The page's scripts and styles are part of it; it may talk to its own server and to nobody else. */
export const CONTENT_SECURITY_POLICY =
  "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:; font-src data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** The document with each operation under one heading; the tag `extension` would show those twice. */
const shown = (document: JsonObject): JsonObject => {
  const tags = isList(document.tags) ? document.tags : [];
  return {
    ...document,
    tags: tags.filter((tag) => !isObject(tag) || tag.name !== "extension"),
    paths: mapValues(document.paths, (path) =>
      mapValues(path, (operation) =>
        isObject(operation) && isList(operation.tags) && operation.tags.includes("extension")
          ? {
              ...operation,
              tags: operation.tags.filter((tag) => tag !== "extension"),
              summary: `${operation.summary} (extension)`,
            }
          : operation,
      ),
    ),
  };
};

const SPEC = /(<script id="swagger-spec" type="application\/json">)[^<]*/;

const TARGET = "dom_id: '#swagger-ui',";

/** Each operation has an address of its own, and the list of schemas at the end is folded. */
const CHOICES = "deepLinking: true, displayRequestDuration: true, defaultModelsExpandDepth: 0,";

/** Responses link to nothing here, so the column that says so for each is left out. */
const STYLE =
  "<style>.swagger-ui .response-col_links { display: none } .swagger-ui .responses-inner { padding-bottom: 0 }</style>";

/** The page that the platform renders, showing the document of what is served. */
const render = async (extensions: boolean): Promise<string> => {
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
  const spec = JSON.stringify(shown(openApi({ extensions }))).replaceAll("<", "\\u003c");
  return html
    .replace(SPEC, (_, tag: string) => `${tag}${spec}`)
    .replace(TARGET, `${TARGET} ${CHOICES}`)
    .replace("</head>", `${STYLE}</head>`);
};

/** Makes the page as HTML. It is two megabytes, so it is made when first asked for and then kept. */
export const make = (extensions: boolean): Effect.Effect<Effect.Effect<string>> =>
  Effect.cached(Effect.promise(() => render(extensions)));
