/** The documents that describe the interface are computed while the server serves. */
import { Effect } from "effect";
import { openApi } from "quittance/http/api";
import { describe, expect, it } from "vitest";
import { openApiInSteps } from "../../adapters/http/server/public/OpenApiInSteps.ts";
import { routes } from "../../adapters/http/server/public/PublicRoutes.ts";

describe("the document that is computed step by step", () => {
  it("is that of the whole contract", async () => {
    expect(JSON.parse(JSON.stringify(await Effect.runPromise(openApiInSteps)))).toEqual(
      JSON.parse(JSON.stringify(openApi())),
    );
  });

  it("lets other work run between the groups", async () => {
    let turns = 0;
    const counting = setInterval(() => turns++, 0);
    await Effect.runPromise(openApiInSteps);
    clearInterval(counting);
    expect(turns).toBeGreaterThan(8);
  });

  it.each(["/docs", "/openapi.json"])(
    "%s answers later requests although the first client left",
    async (path) => {
      const route = routes(Effect.void, Effect.void, Effect.succeed).find(
        ({ template }) => template === path,
      );
      if (route === undefined) throw new Error(`no route ${path}`);
      const respond = route.respond(undefined as never, "", undefined as never);
      await Effect.runPromise(Effect.timeoutOption(respond, 1));
      expect((await Effect.runPromise(respond)).status).toBe(200);
    },
  );
});
