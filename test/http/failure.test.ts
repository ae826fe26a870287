import { type Context, Effect, Layer, ManagedRuntime } from "effect";
import { Attributions, Commissions, Refusal, Storage } from "quittance";
import { webHandler } from "quittance/http";
import { describe, expect, it } from "vitest";
import { ADMIN_TOKEN, type Call, caller, captured, READY, services, start, stubbed } from "./Engine.ts";
import { scene } from "./Scene.ts";

/** Calls an engine in which a part of one service is replaced. */
const calling = async <I, S>(
  tag: Context.Tag<I, S>,
  stub: Partial<S>,
  logs: Array<string> = [],
): Promise<Call> => caller(webHandler(await stubbed(tag, stub, logs), READY), ADMIN_TOKEN);

const list = "/api/v1/attributions";

const failing = (reason: Storage.StorageError["reason"], logs: Array<string> = []) =>
  calling(
    Attributions.Attributions,
    {
      list: () =>
        Effect.fail(
          new Storage.StorageError({
            reason,
            cause: new Error(
              "INSERT … failed for DK50 0040 0440 1162 43, Bearer abc.def, qk_0123456789abcdef_secret",
            ),
          }),
        ),
    },
    logs,
  );

describe("failures", () => {
  it.each(["unavailable", "unknown"] as const)("a store that is %s: 503 with Retry-After", async (reason) => {
    const reply = await (await failing(reason))("GET", list);
    expect([reply.status, reply.body.error_code]).toEqual([503, "INTERNAL_ERROR"]);
    expect(reply.headers.get("retry-after")).toMatch(/^\d+$/);
  });

  const unexpected = { error_code: "INTERNAL_ERROR", message: "An unexpected error occurred." };

  it("a broken store: 500; the log has the details under the request's id, without secrets", async () => {
    const logs: Array<string> = [];
    const reply = await (await failing("broken", logs))("GET", list);
    expect([reply.status, reply.body]).toEqual([500, unexpected]);
    const line = logs.find((entry) => entry.includes("request failed")) ?? "";
    expect(line).toContain(reply.headers.get("x-request-id"));
    expect(line).toContain("StorageError");
    expect(logs.join()).not.toMatch(/DK50 0040|abc\.def|0123456789abcdef_secret/);
  });

  it("an outage that the store has logged: 503, and no further log entry than the request's", async () => {
    const logs: Array<string> = [];
    const outage = new Storage.StorageError({
      reason: "unavailable",
      cause: new Error("connect ECONNREFUSED"),
      isLogged: true,
    });
    const call = await calling(Attributions.Attributions, { list: () => Effect.fail(outage) }, logs);
    expect((await call("GET", list)).status).toBe(503);
    expect(logs).toEqual([expect.stringMatching(/^INFO.*response sent/)]);
  });

  it("a defect: 500 and a log entry", async () => {
    const logs: Array<string> = [];
    const call = await calling(
      Attributions.Attributions,
      { list: () => Effect.die(new TypeError("x is not a function")) },
      logs,
    );
    const reply = await call("GET", list);
    expect([reply.status, reply.body]).toEqual([500, unexpected]);
    expect(logs.some((line) => line.startsWith("ERROR") && line.includes("x is not a function"))).toBe(true);
  });

  it("refusals keep their message and are not logged as failures", async () => {
    const logs: Array<string> = [];
    const call = await calling(
      Attributions.Attributions,
      { list: () => Effect.fail(Refusal.conflict("busy", "try again")) },
      logs,
    );
    const reply = await call("GET", list);
    expect([reply.status, reply.body]).toEqual([
      409,
      { error_code: "CONFLICT", message: "busy: try again", token: "busy" },
    ]);
    expect(logs.every((line) => line.startsWith("INFO"))).toBe(true);
  });
});

describe("sums beyond the range of a number", () => {
  it("are written with all digits", async () => {
    const amounts = [{ currency: "EUR", amount: 90_071_992_547_409_930_001n }];
    const sums = { count: 2, settled: { count: 1, amounts }, unsettled: { count: 1, amounts: [] } };
    const call = await calling(Commissions.Commissions, {
      statistics: () => Effect.succeed({ summary: sums, buckets: [{ timestamp: 0, ...sums }] }),
    });
    const { text } = await call(
      "GET",
      "/api/v1/commissions/stats?from=1970-01-01T00:00:00Z&to=1970-01-02T00:00:00Z&granularity=day",
    );
    const written =
      '"count":2,"settled":{"count":1,"amounts":[{"currency":"EUR","amount":90071992547409930001}]},"unsettled":{"count":1,"amounts":[]}';
    expect(text).toBe(
      `{"summary":{${written}},"buckets":[{"timestamp":"1970-01-01T00:00:00.000Z",${written}}]}`,
    );
  });
});

describe("every response has", () => {
  it("the id of its request, which is the caller's if it is safe to log", async () => {
    const engine = await start();
    const idOf = async (id?: string) =>
      (
        await engine.call("GET", "/api/v1/partners", {
          headers: id === undefined ? {} : { "x-request-id": id },
        })
      ).headers.get("x-request-id");
    expect(await idOf()).toMatch(/^[0-9a-f-]{36}$/);
    expect(await idOf("trace-7.a_B")).toBe("trace-7.a_B");
    expect(await idOf("two words")).toMatch(/^[0-9a-f-]{36}$/);
    expect(await idOf("x".repeat(65))).toMatch(/^[0-9a-f-]{36}$/);
  });

  it("headers against sniffing, caching and framing", async () => {
    const engine = await start();
    for (const path of ["/api/v1/partners", "/nothing", "/healthz"]) {
      expect(Object.fromEntries((await engine.call("GET", path)).headers)).toMatchObject({
        "x-content-type-options": "nosniff",
        "cache-control": "no-store",
        "referrer-policy": "no-referrer",
        "content-security-policy": expect.stringContaining("frame-ancestors 'none'"),
      });
    }
  });
});

describe("public without a credential", () => {
  const open = async (path: string) => {
    const runtime = await ManagedRuntime.make(Layer.merge(services(), captured([]))).runtime();
    const call = caller(webHandler(runtime, READY), "");
    return call("GET", path, { token: null });
  };

  it("health, and readiness as the host reports it", async () => {
    expect(await open("/healthz")).toMatchObject({ status: 200, body: { status: "ok" } });
    expect(await open("/readyz")).toMatchObject({ status: 200, body: { status: "ok" } });
    const runtime = await ManagedRuntime.make(services()).runtime();
    const call = caller(webHandler(runtime, { ready: Effect.fail("not migrated") }), "");
    const reply = await call("GET", "/readyz", { token: null });
    expect([reply.status, reply.body.error_code]).toEqual([503, "INTERNAL_ERROR"]);
  });

  it("the OpenAPI document", async () => {
    const all = (await open("/openapi.json")).body;
    expect([all.openapi, all.info.version]).toEqual(["3.0.3", "1.0.0"]);
    expect(Object.keys(all.paths)).toContain("/api/v1/api-keys");
  });

  it("a documentation page that loads nothing from elsewhere", async () => {
    const reply = await open("/docs");
    expect([reply.status, reply.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
    expect(reply.text).toContain('"operationId":"createAttribution"');
    expect(reply.text).toContain('"openapi":"3.0.3"');
    expect(reply.text).toContain("dom_id: '#swagger-ui', deepLinking: true");
    expect(reply.text).toContain(".response-col_links { display: none }");
    // On a phone each tag's description has a row of its own.
    expect(reply.text).toMatch(/@media \(max-width: 640px\) \{[^@]*\.opblock-tag small \{ grid-area: 2 \/ 1/);
    expect(reply.text).not.toContain('"servers":[{"url":"/"');
    expect(reply.text).not.toMatch(/<(?:script|link|img)[^>]+(?:src|href)\s*=\s*["']?(?:https?:)?\/\//);
    expect(reply.headers.get("content-security-policy")).toContain("default-src 'none'");
  });

  it("a redirect from the root to that page", async () => {
    const runtime = await ManagedRuntime.make(Layer.merge(services(), captured([]))).runtime();
    const call = caller(webHandler(runtime, READY), "");
    for (const accept of ["text/html", "application/json", "*/*"]) {
      const reply = await call("GET", "/", { token: null, headers: { accept } });
      expect([reply.status, reply.headers.get("location")]).toEqual([302, "./docs"]);
      expect(reply.text).toContain("./openapi.json");
      expect(reply.headers.get("content-security-policy")).toContain("default-src 'none'");
      expect(reply.headers.get("x-content-type-options")).toBe("nosniff");
    }
    const head = await call("HEAD", "/", { token: null });
    expect([head.status, head.headers.get("location"), head.text]).toEqual([302, "./docs", ""]);
    const post = await call("POST", "/", { token: null });
    expect([post.status, post.headers.get("allow")]).toEqual([405, "GET, HEAD, OPTIONS"]);
    expect((await call("GET", "//", { token: null })).status).toBe(404);
  });

  it("metrics of responses by route and status", async () => {
    const engine = await start();
    const count = async (status: number) => {
      const { text } = await engine.call("GET", "/metrics", { token: null });
      const labels = `method="GET",route="/api/v1/partners",status="${status}"`;
      const line = text
        .split("\n")
        .find((sample) => sample.startsWith(`quittance_http_requests_total{${labels}}`));
      return Number(line?.split(" ")[1] ?? 0);
    };
    const before = [await count(200), await count(401)];
    await engine.call("GET", "/api/v1/partners");
    await engine.call("GET", "/api/v1/partners?page=2");
    await engine.call("GET", "/api/v1/partners", { token: null });
    expect([await count(200), await count(401)]).toEqual([(before[0] ?? 0) + 2, (before[1] ?? 0) + 1]);
    const { text } = await engine.call("GET", "/metrics", { token: null });
    const labels = 'method="GET",route="/api/v1/partners"';
    const value = (name: string, extra = "") =>
      Number(
        new RegExp(`^quittance_http_request_duration_seconds_${name}\\{${labels}${extra}\\} (.*)$`, "m").exec(
          text,
        )?.[1],
      );
    expect(value("count")).toBeGreaterThanOrEqual(3);
    expect(value("bucket", ',le="\\+Inf"')).toBe(value("count"));
    expect(value("sum")).toBeGreaterThan(0);
  });
});

describe("the access log", () => {
  it("has route, status and principal, but never a path, a token or bank data", async () => {
    const engine = await start();
    const { partnerId } = await scene(engine);
    engine.logs.length = 0;
    await engine.call("PATCH", `/api/v1/partners/${partnerId}`, { json: { name: "renamed" } });
    await engine.call("GET", "/api/v1/partners?name=secret", { token: "qk_0123456789abcdef_nope" });
    expect(engine.logs).toHaveLength(2);
    expect(engine.logs[0]).toContain('["route","/api/v1/partners/{id}"]');
    expect(engine.logs[0]).toContain('["status",200]');
    expect(engine.logs[0]).toContain('["principal_id",');
    expect(engine.logs[1]).toContain('["status",401]');
    expect(engine.logs.join()).not.toMatch(new RegExp(`${partnerId}|secret|qk_|renamed`));
  });
});
