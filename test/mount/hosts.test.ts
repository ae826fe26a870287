import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import Fastify from "fastify";
import { Hono } from "hono";
import { connect } from "quittance/client";
import { open, type Quittance } from "quittance/promise";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const run = promisify(execFile);
const root = new URL("../..", import.meta.url).pathname;
const hosts = join(root, "examples/hosts");

const linesOf = (file: string): number =>
  readFileSync(join(hosts, file), "utf8").trimEnd().split("\n").length;

describe("an example of a host", () => {
  it.each(["node.mjs", "express.mjs", "fastify.mjs", "hono.mjs"])("%s pays a settlement", async (file) => {
    expect((await run(process.execPath, [join(hosts, file)])).stdout).toBe("paid: 1235 cents\n");
  });

  it.each(["express.mjs", "fastify.mjs"])(
    "%s has at most 40 lines with the settlement that it pays",
    (file) => {
      expect(linesOf(file) + linesOf("pay.mjs")).toBeLessThanOrEqual(40);
    },
  );
});

let quittance: Quittance;
let key = "";
beforeAll(async () => {
  quittance = await open({ database: "memory:", worker: false });
  key = (await quittance.as({ customerId: crypto.randomUUID() }).apiKeys.create({ name: "shop" })).key;
});
afterAll(() => quittance.close());

type Fetch = (request: Request) => Response | Promise<Response>;

/** Calls commands, reads and an upload through a host. */
const use = async (fetch: Fetch, url: string): Promise<void> => {
  const me = connect({
    url,
    key,
    retries: 0,
    fetch: async (input, init) => fetch(new Request(input as string, init)),
  });
  const { id } = await me.partners.create({ name: "Nordlys ApS", workspaceId: crypto.randomUUID() });
  expect((await me.partners.get(id)).name).toBe("Nordlys ApS");
  await me.partners.update(id, { name: "Nordlys A/S" });
  const file = { fileName: "a.pdf", bytes: new TextEncoder().encode("%PDF-1.7") };
  const upload = me.documents.upload(crypto.randomUUID(), "invoice", file);
  await expect(upload).rejects.toMatchObject({ name: "NotFoundError", message: "settlement not found" });
  await expect(me.partners.create({ name: "", workspaceId: "" })).rejects.toMatchObject({ field: "name" });
};

describe("Fastify", () => {
  it("passes on bodies that its own parsers have read", async () => {
    const listener = await quittance.nodeHandler();
    const app = Fastify();
    app.addContentTypeParser("multipart/form-data", (_request, _payload, done) => done(null));
    app.all("/api/v1/*", (request, reply) => {
      reply.hijack();
      listener(Object.assign(request.raw, { body: request.body }), reply.raw);
    });
    const url = await app.listen({ host: "127.0.0.1", port: 0 });
    await use(fetch, url);
    await app.close();
  });

  it("leaves bodies unread in a scope without parsers, below its prefix", async () => {
    const listener = await quittance.nodeHandler({ prefix: "/billing" });
    const app = Fastify();
    await app.register(
      async (scope) => {
        scope.removeAllContentTypeParsers();
        scope.addContentTypeParser("*", (_request, _payload, done) => done(null));
        scope.all("/api/v1/*", (request, reply) => {
          reply.hijack();
          listener(request.raw, reply.raw);
        });
      },
      { prefix: "/billing" },
    );
    const url = await app.listen({ host: "127.0.0.1", port: 0 });
    await use(fetch, `${url}/billing`);
    await app.close();
  });

  it("gets an error at once for a body that it has read and discarded", async () => {
    const listener = await quittance.nodeHandler();
    const app = Fastify();
    app.all("/api/v1/*", (request, reply) => {
      reply.hijack();
      listener(request.raw, reply.raw);
    });
    const url = await app.listen({ host: "127.0.0.1", port: 0 });
    const me = connect({ url, key, retries: 0, timeout: 60_000 });
    const created = me.partners.create({ name: "N", workspaceId: crypto.randomUUID() });
    await expect(created).rejects.toMatchObject({ status: 400, message: "The body ended early" });
    await app.close();
  });
});

describe("Hono", () => {
  it("serves it below a prefix", async () => {
    const handler = await quittance.handler({ prefix: "/billing" });
    const app = new Hono();
    app.all("/billing/api/v1/*", (context) => handler(context.req.raw));
    await use((request) => app.fetch(request), "http://hono.test/billing");
  });

  it("passes on a body that a middleware has read", async () => {
    const handler = await quittance.handler();
    const app = new Hono();
    app.use(async (context, next) => {
      if (context.req.method !== "GET") await context.req.arrayBuffer();
      await next();
    });
    app.all("/api/v1/*", async (context) => {
      const { method, raw } = context.req;
      return handler(
        method === "GET"
          ? raw
          : new Request(raw.url, {
              ...raw,
              method,
              headers: raw.headers,
              body: await context.req.arrayBuffer(),
            }),
      );
    });
    await use((request) => app.fetch(request), "http://hono.test");
  });

  it("gets an error with the reason, for a request whose body was read", async () => {
    const handler = await quittance.handler();
    const request = new Request("http://hono.test/api/v1/partners", { method: "POST", body: "{}" });
    await request.text();
    await expect(handler(request)).rejects.toThrow(
      "the body of the request has been read before: pass a request that still has it",
    );
  });
});

describe("a Next.js route handler", () => {
  it("serves every method", async () => {
    const route: Readonly<Record<string, unknown>> = await import(
      "../../examples/hosts/next/app/api/v1/[...path]/route.mjs"
    );
    const { quittance: engine } = await import("../../examples/hosts/next/lib/quittance.mjs");
    const { pay } = await import("../../examples/hosts/pay.mjs");
    const created = await engine.as({ customerId: crypto.randomUUID() }).apiKeys.create({ name: "shop" });
    const lines: Array<string> = [];
    const { log } = console;
    console.log = (line: string) => lines.push(line);
    try {
      await pay({
        url: "http://next.test",
        key: created.key,
        fetch: async (input: string, init: RequestInit) => {
          const request = new Request(input, init);
          const path = new URL(input).pathname.split("/").slice(3);
          const handle = route[request.method] as (request: Request, context: object) => Promise<Response>;
          return handle(request, { params: Promise.resolve({ path }) });
        },
      });
    } finally {
      console.log = log;
      await engine.close();
    }
    expect(lines).toEqual(["paid: 1235 cents"]);
    expect(
      Object.keys(route)
        .filter((name) => name === name.toUpperCase())
        .sort(),
    ).toEqual(["DELETE", "GET", "PATCH", "POST", "PUT"]);
  });
});

describe("a prefix", () => {
  it.each(["billing", "/billing/", "/", "/a?b"])("that is not a path is refused: %s", async (prefix) => {
    await expect(quittance.handler({ prefix })).rejects.toThrow("prefix: must be a path such as /billing");
  });

  it("is removed only at the beginning of a path", async () => {
    const handler = await quittance.handler({ prefix: "/billing" });
    const statusOf = async (path: string): Promise<number> =>
      (await handler(new Request(`http://host.test${path}`, { headers: { authorization: `Bearer ${key}` } })))
        .status;
    expect(await statusOf("/billing/api/v1/partners")).toBe(200);
    expect(await statusOf("/api/v1/partners")).toBe(200);
    expect(await statusOf("/billings/api/v1/partners")).toBe(404);
    expect(await statusOf("/x/billing/api/v1/partners")).toBe(404);
    expect(await statusOf("/x?y=/billing/api/v1/partners")).toBe(404);
  });
});
