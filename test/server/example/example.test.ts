/** The thread of the example company, as the server sees it: one at a time, limits, and failures in words. */
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Effect, Either, Exit, Scope } from "effect";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Example, isOffered, make } from "../../../adapters/server/example/Example.ts";
import { readSettings } from "../../../adapters/server/Settings.ts";

const place = mkdtempSync(join(tmpdir(), "quittance-threads-"));
const before = process.env.TMPDIR;
beforeAll(() => {
  process.env.TMPDIR = place;
});
afterAll(() => {
  if (before === undefined) delete process.env.TMPDIR;
  else process.env.TMPDIR = before;
  rmSync(place, { recursive: true, force: true });
});

let files = 0;
const threadOf = (code: string): string => {
  const file = join(place, `thread-${++files}.mjs`);
  writeFileSync(file, `import { parentPort, workerData } from "node:worker_threads";\n${code}`);
  return file;
};

/** An example company of a thread with this code, until the scope is closed. */
const within = async (code: string, use: (example: Example) => Promise<void>): Promise<void> => {
  const scope = Effect.runSync(Scope.make());
  const settings = { logLevel: "off", logFormat: "json" } as const;
  const example = await Effect.runPromise(Scope.extend(make(settings, threadOf(code)), scope));
  await use(example);
  await Effect.runPromise(Scope.close(scope, Exit.void));
  expect(readdirSync(place).filter((name) => name.startsWith("quittance-example-"))).toEqual([]);
};

const at = (url: string) => ({ url }) as IncomingMessage;

const READY = `
import { createServer } from "node:http";
const server = createServer((request, response) => {
  if (request.url.startsWith("/api/v1/hang")) return;
  if (request.url.startsWith("/api/v1/cut")) return response.writeHead(200, { "content-length": "9" }).write("a", () => response.destroy());
  response.setHeader("set-cookie", "a=b").end(JSON.stringify({ url: request.url, names: Object.keys(request.headers) }));
});
server.listen(workerData.socket, () => parentPort.postMessage({ type: "ready", key: "qk_" + Math.random() }));`;

describe("the thread of the example company", () => {
  it("is started once, and its key stays the same", () =>
    within(READY, async (example) => {
      expect(example.state()).toEqual({ type: "absent" });
      example.start();
      expect(example.state()).toEqual({ type: "filling", done: 0, of: 0 });
      example.start();
      await expect.poll(() => example.state().type).toBe("ready");
      const state = example.state();
      example.start();
      await new Promise((resolve) => setTimeout(resolve, 200));
      expect(example.state()).toEqual(state);
    }));

  it("says why it could not be filled, and is filled at the next attempt", () =>
    within(`throw new Error("no room for it");`, async (example) => {
      for (const _ of [1, 2]) {
        example.start();
        expect(example.state().type).toBe("filling");
        await expect.poll(example.state).toEqual({ type: "failed", reason: "no room for it" });
      }
    }));

  it.each([
    [
      "its own words",
      `parentPort.postMessage({ type: "failed", reason: "the store is full" }); setInterval(() => {}, 9);`,
      "the store is full",
    ],
    ["its end", "process.exit(3);", "its thread has ended"],
    [
      "its memory",
      "const all = []; for (;;) all.push(new Array(1_000_000).fill(0.5));",
      "it needs more memory than it may use",
    ],
  ])("fails by %s", (_, code, reason) =>
    within(code, async (example) => {
      example.start();
      await expect.poll(example.state).toEqual({ type: "failed", reason });
    }),
  );

  it("takes what is below its path while it is there, and the server what is not", () =>
    within(READY, async (example) => {
      for (const url of ["/", "/example", "/example/", "/examples/api/v1/a", "/api/v1/example/api/v1"])
        expect([url, example.elsewhere(at(url))]).toEqual([url, null]);
      example.start();
      await expect.poll(() => example.state().type).toBe("ready");
      const server = createServer((incoming, outgoing) => {
        const listener = example.elsewhere(incoming);
        if (listener === null) outgoing.end("own");
        else listener(incoming, outgoing);
      });
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
      const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      const response = await fetch(`${base}/example/api/v1/partners?page=2`, {
        headers: { cookie: "session=1", authorization: "Bearer a" },
      });
      expect(response.headers.get("set-cookie")).toBe(null);
      const { url, names } = (await response.json()) as {
        readonly url: string;
        readonly names: Array<string>;
      };
      expect(url).toBe("/api/v1/partners?page=2");
      expect(names).toContain("authorization");
      expect(names).not.toContain("cookie");
      await expect(fetch(`${base}/example/api/v1/cut`).then((cut) => cut.text())).rejects.toThrow();
      const leaving = new AbortController();
      const hanging = fetch(`${base}/example/api/v1/hang`, { signal: leaving.signal });
      setTimeout(() => leaving.abort(), 100);
      await expect(hanging).rejects.toThrow();
      expect(await (await fetch(`${base}/other`)).text()).toBe("own");
      await new Promise((resolve) => server.close(resolve));
    }));
});

describe("the setting", () => {
  const offered = (environment: Readonly<Record<string, string>>): boolean =>
    Either.getOrThrow(readSettings(environment, false)).example;

  it("is on for embedded stores, off for a database on a server, and what is stated", () => {
    const url = "postgres://localhost/quittance";
    expect(offered({})).toBe(true);
    expect(offered({ DATABASE_URL: "memory:" })).toBe(true);
    expect(offered({ DATABASE_URL: url })).toBe(false);
    expect(offered({ DATABASE_URL: url, QUITTANCE_EXAMPLE: "on" })).toBe(true);
    expect(offered({ QUITTANCE_EXAMPLE: "off" })).toBe(false);
    expect(readSettings({ QUITTANCE_EXAMPLE: "yes" }, false)).toEqual(
      Either.left('QUITTANCE_EXAMPLE must be one of on, off, not "yes"'),
    );
  });

  it("has no effect where there is no console", () => {
    const settings = Either.getOrThrow(readSettings({ QUITTANCE_CONSOLE: "off" }, false));
    expect(isOffered(settings)).toBe(false);
  });
});
