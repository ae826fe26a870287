/** The interactive documentation: one page with its scripts and styles, which works without a network. */
import { Effect, Layer } from "effect";
import { isList, isObject, type JsonObject, mapValues } from "../../api/openapi/Json.ts";

/** The page contains its scripts and styles; it may connect to its own server only. */
export const CONTENT_SECURITY_POLICY =
  "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:; font-src data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/**
 * The document with each operation under one heading, since the tag `extension` would list extensions twice, and without a
 * choice of servers: the page calls its own server.
 */
const adaptForDisplay = (document: JsonObject): JsonObject => {
  const { servers: _, ...rest } = document;
  const tags = isList(document.tags) ? document.tags : [];
  return {
    ...rest,
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

/** Each operation has a link, and the list of schemas at the end is folded. */
const CHOICES = "deepLinking: true, displayRequestDuration: true, defaultModelsExpandDepth: 0,";

/**
 * Hides the column of links, because no response has links. On a narrow screen a tag's description is below its name,
 * because there is no space beside it.
 */
const STYLE = `<style>
.swagger-ui .response-col_links { display: none }
.swagger-ui .responses-inner { padding-bottom: 0 }
@media (max-width: 640px) {
  .swagger-ui .wrapper { padding: 0 10px }
  .swagger-ui .info { margin: 20px 0 }
  .swagger-ui .info ul { padding-left: 20px }
  .swagger-ui .opblock-tag { display: grid; grid-template-columns: minmax(0, 1fr) auto; padding: 10px 0 }
  .swagger-ui .opblock-tag a { grid-area: 1 / 1 }
  .swagger-ui .opblock-tag .expand-operation { grid-area: 1 / 2 }
  .swagger-ui .opblock-tag small { grid-area: 2 / 1 / auto / span 2; padding: 4px 0 0 }
  .swagger-ui .opblock-body { overflow-x: auto }
}
</style>`;

/** The page that the platform renders for a contract without operations, with the document in its place. */
const render = async (document: JsonObject): Promise<string> => {
  const [HttpApi, HttpApiSwagger, HttpLayerRouter, HttpServer, OpenApi] = await Promise.all([
    import("@effect/platform/HttpApi"),
    import("@effect/platform/HttpApiSwagger"),
    import("@effect/platform/HttpLayerRouter"),
    import("@effect/platform/HttpServer"),
    import("@effect/platform/OpenApi"),
  ]);
  const title = isObject(document.info) ? String(document.info.title) : "";
  const api = HttpApi.make("documentation").annotate(OpenApi.Title, title);
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
  const spec = JSON.stringify(adaptForDisplay(document)).replaceAll("<", "\\u003c");
  return html
    .replace(SPEC, (_, tag: string) => `${tag}${spec}`)
    .replace(TARGET, `${TARGET} ${CHOICES}`)
    .replace("</head>", `${STYLE}</head>`);
};

/** The page as HTML, two megabytes. */
export const page = (document: JsonObject): Effect.Effect<string> => Effect.promise(() => render(document));
