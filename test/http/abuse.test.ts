import type { Server } from "node:http";
import * as Net from "node:net";
import { Redacted } from "effect";
import { nodeServer } from "quittance/http";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { type Engine, listening, READY, start } from "./Engine.ts";
import { scene } from "./Scene.ts";

const MIB = 1024 * 1024;
const BOUNDARY = "frontier";

let engine: Engine;
let server: Server;
let port: number;
beforeAll(async () => {
  engine = await start();
  server = nodeServer(await engine.runtime.runtime(), READY);
  port = await listening(server);
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

/**
 * Sends raw bytes; returns the response until the server closes the connection or sends nothing more for a while. The
 * first bytes may take long on a busy machine.
 */
const exchange = (bytes: string | Uint8Array, to = port, firstMilliseconds = 20_000): Promise<string> =>
  new Promise((resolve) => {
    const socket = Net.connect(to, "127.0.0.1");
    let text = "";
    const finish = () => {
      clearTimeout(timer);
      socket.destroy();
      resolve(text);
    };
    let timer = setTimeout(finish, firstMilliseconds);
    socket.on("data", (chunk) => {
      text += chunk.toString("latin1");
      clearTimeout(timer);
      timer = setTimeout(finish, 300);
    });
    socket.on("close", finish);
    socket.on("error", () => {});
    socket.write(typeof bytes === "string" ? Buffer.from(bytes, "latin1") : bytes);
  });

const statuses = (text: string): ReadonlyArray<number> =>
  [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));

const isAlive = async (): Promise<boolean> =>
  statuses(await exchange("GET /healthz HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n"))[0] === 200;

const head = (target: string, ...headers: ReadonlyArray<string>): string =>
  ["POST", target, "HTTP/1.1\r\nhost: x\r\n"].join(" ") +
  headers.map((line) => `${line}\r\n`).join("") +
  "\r\n";

const smuggled = "GET /metrics HTTP/1.1\r\nhost: x\r\n\r\n";
const partners = "/api/v1/partners";

const ABUSES: ReadonlyArray<readonly [name: string, bytes: string]> = [
  ["no HTTP at all", "\u0000\u0001\u0002\u0003\r\n\r\n"],
  ["a TLS greeting", "\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003"],
  ["the preface of HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"],
  ["a version that does not exist", "GET /healthz HTTP/9.9\r\nhost: x\r\n\r\n"],
  ["a method that does not exist", "BREW /healthz HTTP/1.1\r\nhost: x\r\n\r\n"],
  ["two lengths that differ", `${head(partners, "content-length: 2", "content-length: 5")}{}`],
  [
    "a length and chunks",
    `${head(partners, "content-length: 4", "transfer-encoding: chunked")}0\r\n\r\n${smuggled}`,
  ],
  ["a length that is negative", head(partners, "content-length: -1")],
  ["a length that is no number", `${head(partners, "content-length: 2e1")}{}`],
  ["an unknown transfer coding", `${head(partners, "transfer-encoding: gzip, chunked, nonsense")}0\r\n\r\n`],
  ["a chunk without a size", `${head(partners, "transfer-encoding: chunked")}x\r\n{}\r\n0\r\n\r\n`],
  [
    "a chunk of a size beyond numbers",
    `${head(partners, "transfer-encoding: chunked")}ffffffffffffffffff\r\n{}`,
  ],
  ["a header without a name", head(partners, ": x")],
  ["a header with a space in its name", head(partners, "content length: 2")],
  ["a header folded over lines", "GET /healthz HTTP/1.1\r\nhost: x\r\nx-a: b\r\n c\u0000d\r\n\r\n"],
  ["a zero byte in a header", head(partners, "authorization: Bearer \u0000")],
  ["a target with a space", "GET /health z HTTP/1.1\r\nhost: x\r\n\r\n"],
  ["thousands of headers", head(partners, ...Array<string>(5_000).fill("x-a: b"))],
  ["no host", "GET /healthz HTTP/1.1\r\n\r\n"],
];

describe("invalid requests", () => {
  it.each(ABUSES)("%s: gets a JSON error, and the server continues", async (_name, bytes) => {
    const text = await exchange(bytes);
    const found = statuses(text);
    expect(found.length, text).toBeLessThanOrEqual(1);
    if (found[0] !== undefined) {
      expect(found[0]).toBeGreaterThanOrEqual(400);
      expect(found[0]).toBeLessThan(500);
    }
    expect(text).not.toContain("quittance_http_requests_total");
    expect(text).not.toMatch(/\bat .*\.(ts|js):\d/);
    expect(await isAlive()).toBe(true);
  });

  it("paths with .. are not found", async () => {
    for (const target of [
      "/../../etc/passwd",
      "/docs/../../etc/passwd",
      "/%2e%2e/%2e%2e/etc/passwd",
      "//etc/passwd",
    ]) {
      const text = await exchange(`GET ${target} HTTP/1.1\r\nhost: x\r\n\r\n`);
      expect(statuses(text), target).toEqual([404]);
      expect(text).not.toContain("root:");
    }
  });

  it("a request with Upgrade or Expect gets an ordinary response", async () => {
    const upgrade = await exchange(
      "GET /healthz HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n",
    );
    expect(statuses(upgrade)).toEqual([200]);
    const type = "content-type: application/json";
    const expect100 = (...headers: ReadonlyArray<string>) =>
      exchange(head(partners, "expect: 100-continue", type, ...headers));
    const authorization = `authorization: Bearer ${engine.token}`;
    expect(statuses(await expect100("content-length: 2", authorization))).toEqual([100]);
    expect(statuses(await expect100("content-length: 2"))).toEqual([401]);
    expect(statuses(await expect100(`content-length: ${2 * MIB}`, authorization))).toEqual([413]);
  });
});

describe("before a body is read", () => {
  const invalid = "authorization: Bearer qk_0123456789abcdef_nobody";
  const json = "content-type: application/json";
  const path = "/api/v1/attributions/batch";

  it("its declared length and type are checked, then the credential, without waiting for the body", async () => {
    const valid = `authorization: Bearer ${engine.token}`;
    for (const [headers, status] of [
      [["content-length: 4194305", "content-type: text/plain", invalid], 413],
      [["content-length: 4194304", "content-type: text/plain", invalid], 415],
      [["content-length: 4194304", invalid], 415],
      [["content-length: 4194304", json, invalid], 401],
      [["content-length: 9", json, invalid], 401],
      [["content-length: 9", json], 401],
    ] as const) {
      expect(statuses(await exchange(head(path, ...headers))), headers.join()).toEqual([status]);
    }
    const readOnly = await engine.keyOf({ customer_id: engine.customerId, scopes: ["commissions:read"] });
    const forbidden = head(path, "content-length: 4194304", json, `authorization: Bearer ${readOnly}`);
    expect(statuses(await exchange(forbidden))).toEqual([403]);
    expect(statuses(await exchange(head(path, "content-length: 9", json, valid), port, 500))).toEqual([]);
  });

  it("one without a declared length is measured and dropped, so that 413 still precedes 401", async () => {
    const chunked = (...bytes: ReadonlyArray<number>) =>
      bytes.map((length) => `${length.toString(16)}\r\n${"x".repeat(length)}\r\n`).join("");
    const sent = (type: string, ...bytes: ReadonlyArray<number>) =>
      exchange(`${head(path, "transfer-encoding: chunked", type, invalid)}${chunked(...bytes)}0\r\n\r\n`);
    expect(statuses(await sent(json, 9))).toEqual([401]);
    expect(statuses(await sent("x-none: x", 9))).toEqual([415]);
    expect(statuses(await sent(json, ...Array<number>(5).fill(MIB)))).toEqual([413]);
  });

  it("a webhook without a signature is refused, and the connection stays open", async () => {
    const own = nodeServer(await engine.runtime.runtime(), {
      ...READY,
      paymentWebhookSecrets: { bank: Redacted.make("whsec-0123456789abcdef") },
    });
    const to = await listening(own);
    const webhook = "/webhooks/payments/bank";
    expect(statuses(await exchange(head(webhook, "content-length: 9", json), to))).toEqual([401]);
    expect(statuses(await exchange(head(webhook, "content-length: 1048577", json), to))).toEqual([413]);
    own.closeAllConnections();
    own.close();
  });
});

describe("memory for bodies", () => {
  const held = { bodyMemoryBytesMax: 5 * MIB };

  it("is bounded for all requests together, is not needed by small ones, and is released at their end", async () => {
    const own = nodeServer(await engine.runtime.runtime(), { ...READY, ...held });
    const to = await listening(own);
    const valid = [`authorization: Bearer ${engine.token}`, "content-type: application/json"];
    const batch = (length: number) =>
      head("/api/v1/attributions/batch", ...valid, `content-length: ${length}`);
    const first = Net.connect(to, "127.0.0.1");
    first.on("error", () => {});
    first.write(batch(4 * MIB));
    await new Promise<void>((resolve) => first.write(Buffer.alloc(3.9 * MIB, " "), () => resolve()));
    // All of it is there when the server has nothing left to read.
    await exchange("GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n", to);
    const second = await exchange(
      Buffer.concat([Buffer.from(batch(3 * MIB)), Buffer.alloc(2 * MIB, " ")]),
      to,
    );
    expect(statuses(second)).toEqual([503]);
    expect(second).toMatch(/retry-after: \d/i);
    const small = Buffer.concat([Buffer.from(batch(60_000)), Buffer.alloc(60_000, " ")]);
    expect(statuses(await exchange(small, to))).toEqual([400]);
    first.destroy();
    await exchange("GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n", to);
    const third = Buffer.concat([Buffer.from(batch(4 * MIB)), Buffer.alloc(4 * MIB, " ")]);
    for (let round = 0; round < 3; round++) expect(statuses(await exchange(third, to))).toEqual([400]);
    own.closeAllConnections();
    own.close();
  });

  it("connections above the limit are closed at once", async () => {
    const own = nodeServer(await engine.runtime.runtime(), { ...READY, connectionsMax: 2 });
    const to = await listening(own);
    const open = [Net.connect(to, "127.0.0.1"), Net.connect(to, "127.0.0.1")];
    for (const socket of open) socket.on("error", () => {});
    await Promise.all(open.map((socket) => new Promise<void>((resolve) => socket.once("connect", resolve))));
    const health = "GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n";
    expect(statuses(await exchange(health, to))).toEqual([]);
    open[0]?.destroy();
    await vi.waitFor(async () => expect(statuses(await exchange(health, to))).toEqual([200]), 60_000);
    own.closeAllConnections();
    own.close();
  });
});

const awaitingInvoice = async () => {
  const made = await scene(engine);
  const id = await made.draft();
  await made.act(id, "approve");
  await engine.settle();
  return { ...made, id, path: `/api/v1/settlements/${id}/invoice` };
};

const part = (fileName: string): string =>
  `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="${fileName}"\r\n\r\n`;

const uploadHead = (path: string, ...headers: ReadonlyArray<string>): string =>
  head(
    path,
    `authorization: Bearer ${engine.token}`,
    `content-type: multipart/form-data; boundary=${BOUNDARY}`,
    ...headers,
  );

describe("uploads over a socket", () => {
  it("without an end are refused with constant memory", async () => {
    const { path } = await awaitingInvoice();
    const socket = Net.connect(port, "127.0.0.1");
    socket.on("error", () => {});
    let text = "";
    socket.on("data", (chunk) => {
      text += chunk.toString("latin1");
    });
    const closed = new Promise<void>((resolve) => socket.once("close", () => resolve()));
    socket.write(uploadHead(path, "transfer-encoding: chunked"));
    const first = part("a.pdf");
    socket.write(`${first.length.toString(16)}\r\n${first}\r\n`);
    const chunk = Buffer.concat([
      Buffer.from(`${MIB.toString(16)}\r\n`),
      Buffer.alloc(MIB),
      Buffer.from("\r\n"),
    ]);
    const before = process.memoryUsage().rss;
    let most = before;
    let sent = 0;
    while (!socket.destroyed && sent < 400) {
      const goesOn = socket.write(chunk);
      sent++;
      most = Math.max(most, process.memoryUsage().rss);
      if (!goesOn) {
        await Promise.race([new Promise((resolve) => socket.once("drain", resolve)), closed]);
      }
    }
    await closed;
    expect(statuses(text)).toEqual([413]);
    expect(most - before).toBeLessThan(100 * MIB);
    expect((await engine.call("GET", path)).status).toBe(404);
  });

  it("that break off leave nothing behind", async () => {
    const { path, id, statusOf } = await awaitingInvoice();
    const documents = async () => (await engine.call("GET", path)).status;
    for (const sent of [
      part("a.pdf"),
      part("a.pdf") + "x".repeat(100_000),
      `${part("a.pdf")}x\r\n--${BOUNDARY}`,
    ]) {
      await new Promise<void>((resolve) => {
        const socket = Net.connect(port, "127.0.0.1");
        socket.on("error", () => {});
        socket.write(uploadHead(path, "content-length: 500000") + sent, () => {
          setTimeout(() => {
            socket.destroy();
            resolve();
          }, 50);
        });
      });
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect([await statusOf(id), await documents(), await isAlive()]).toEqual(["awaiting_invoice", 404, true]);
  });

  it.each([
    ["a line end, escaped", "a%0d%0aset-cookie: x=1.pdf"],
    ["a line end, as a browser escapes it", "a%0Ab.pdf"],
    ["a reversal of the direction of writing", "a\u202efdp.exe"],
  ])("a file name with %s is returned in a safe form", async (_name, fileName) => {
    const { path } = await awaitingInvoice();
    const body = `${part(fileName)}%PDF-1.7\r\n--${BOUNDARY}--\r\n`;
    const sent = Buffer.concat([
      Buffer.from(uploadHead(path, `content-length: ${Buffer.byteLength(body)}`)),
      Buffer.from(body),
    ]);
    expect(statuses(await exchange(sent))).toEqual([200]);
    const { headers } = await engine.call("GET", path);
    expect(headers.has("set-cookie")).toBe(false);
    const disposition = headers.get("content-disposition") ?? "";
    const named = decodeURIComponent(/filename\*=UTF-8''(\S+)$/.exec(disposition)?.[1] ?? "");
    expect(disposition).toMatch(/^attachment; filename="[\x20-\x7e]*"; filename\*=UTF-8''[\x21-\x7e]+$/);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: what must not be there
    expect(named).not.toMatch(/[\u0000-\u001f\u007f\u202a-\u202e/\\]/);
  });
});

describe("a part with control characters in its headers", () => {
  it("is not a well-formed form", async () => {
    const { path } = await awaitingInvoice();
    const body = `${part("a\u0001\u0007\u001b[31mb.pdf")}x\r\n--${BOUNDARY}--\r\n`;
    const text = await exchange(uploadHead(path, `content-length: ${body.length}`) + body);
    expect(statuses(text)).toEqual([400]);
    expect((await engine.call("GET", path)).status).toBe(404);
  });
});

describe("two credentials", () => {
  const twice = (first: string, second: string): string =>
    `GET ${partners} HTTP/1.1\r\nhost: x\r\nauthorization: ${first}\r\nAuthorization: ${second}\r\nconnection: close\r\n\r\n`;

  it("are rejected like no credential, even if both are valid or the same", async () => {
    const valid = `Bearer ${engine.token}`;
    const once = `GET ${partners} HTTP/1.1\r\nhost: x\r\nauthorization: ${valid}\r\nconnection: close\r\n\r\n`;
    expect(statuses(await exchange(once))).toEqual([200]);
    for (const [first, second] of [
      [valid, valid],
      [valid, "Bearer x"],
      ["Bearer x", valid],
      [valid, ""],
    ] as const) {
      expect(statuses(await exchange(twice(first, second)))).toEqual([401]);
    }
    const joined = `GET ${partners} HTTP/1.1\r\nhost: x\r\nauthorization: ${valid}, ${valid}\r\nconnection: close\r\n\r\n`;
    expect(statuses(await exchange(joined))).toEqual([401]);
  });
});
