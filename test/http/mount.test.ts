import { webHandler } from "quittance/http";
import { beforeAll, describe, expect, it } from "vitest";
import * as RateLimit from "../../adapters/http/server/checks/RateLimit.ts";
import { caller, type Engine, READY, start } from "./Engine.ts";

let engine: Engine;
beforeAll(async () => {
  engine = await start();
});

describe("a bucket of requests", () => {
  it("holds a burst, fills evenly, and returns the time to wait", () => {
    let at = 0;
    const take = RateLimit.make({ requestsPerSecond: 0.5, burst: 3 }, () => at);
    expect([take("a"), take("a"), take("a"), take("a")]).toEqual([0, 0, 0, 2]);
    expect(take("b")).toBe(0);
    at = 1_000;
    expect(take("a")).toBe(1);
    at = 2_000;
    expect([take("a"), take("a")]).toEqual([0, 2]);
    at = 1_000_000;
    expect([take("a"), take("a"), take("a"), take("a")]).toEqual([0, 0, 0, 2]);
  });

  it("is removed when full, so that former callers use no memory", () => {
    let at = 0;
    const take = RateLimit.make({ requestsPerSecond: 1, burst: 1 }, () => at);
    for (let caller = 0; caller < 10_000; caller++) take(String(caller));
    at = 5_000;
    expect([take("new"), take("0"), take("0")]).toEqual([0, 0, 1]);
  });
});

describe("a mount with a rate limit", () => {
  it("refuses one caller's requests above the limit with a JSON error, and no other caller's", async () => {
    const rateLimit = { requestsPerSecond: 0.01, burst: 2 };
    const handler = webHandler(await engine.runtime.runtime(), { ...READY, rateLimit });
    const mine = caller(handler, engine.token);
    const path = "/api/v1/partners";
    expect([(await mine("GET", path)).status, (await mine("GET", path)).status]).toEqual([200, 200]);
    const refused = await mine("GET", path);
    expect([refused.status, refused.body.error_code]).toEqual([429, "BAD_REQUEST"]);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(90);
    const scopeless = await engine.keyOf({ customer_id: engine.customerId, scopes: [] });
    expect((await caller(handler, scopeless)("GET", path)).status).toBe(403);
    expect((await mine("GET", path, { token: "unknown" })).status).toBe(401);
    expect((await mine("GET", "/healthz")).status).toBe(200);
  });

  it("has no limit by default", async () => {
    const answers = await Promise.all(
      Array.from({ length: 300 }, () => engine.call("GET", "/api/v1/partners?per_page=1")),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  });
});

const ORIGIN = "https://app.example";
const granted = (headers: Headers): ReadonlyArray<string> =>
  [...headers.keys()].filter((name) => name.startsWith("access-control-"));

describe("pages of other origins", () => {
  const preflight = { origin: ORIGIN, "access-control-request-method": "POST" };

  it("get no CORS headers unless they are listed", async () => {
    const { headers } = await engine.call("GET", "/api/v1/partners", { headers: { origin: ORIGIN } });
    expect([granted(headers), headers.has("vary")]).toEqual([[], false]);
    const asked = await engine.call("OPTIONS", "/api/v1/partners", { token: null, headers: preflight });
    expect([asked.status, granted(asked.headers)]).toEqual([204, []]);
  });

  it("are allowed if they are listed, without cookies", async () => {
    const handler = webHandler(await engine.runtime.runtime(), { ...READY, corsOrigins: [ORIGIN] });
    const call = caller(handler, engine.token);
    const listed = await call("GET", "/api/v1/partners", { headers: { origin: ORIGIN } });
    expect(Object.fromEntries(listed.headers)).toMatchObject({
      vary: "origin",
      "access-control-allow-origin": ORIGIN,
      "access-control-expose-headers": expect.stringContaining("x-request-id"),
    });
    expect(listed.headers.has("access-control-allow-credentials")).toBe(false);
    const refused = await call("GET", "/api/v1/partners", { token: "no", headers: { origin: ORIGIN } });
    expect([refused.status, refused.headers.get("access-control-allow-origin")]).toEqual([401, ORIGIN]);
    const asked = await call("OPTIONS", "/api/v1/partners", { token: null, headers: preflight });
    expect(asked.status).toBe(204);
    expect(Object.fromEntries(asked.headers)).toMatchObject({
      "access-control-allow-origin": ORIGIN,
      "access-control-allow-methods": "GET, HEAD, POST, OPTIONS",
      "access-control-allow-headers": expect.stringContaining("authorization"),
    });
    for (const origin of ["https://evil.example", "null", `${ORIGIN}.evil.example`, "http://app.example"]) {
      const { headers } = await call("GET", "/api/v1/partners", { headers: { origin } });
      expect([granted(headers), headers.get("vary")], origin).toEqual([[], "origin"]);
    }
  });
});
