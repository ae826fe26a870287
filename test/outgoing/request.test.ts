/** Outgoing requests: to public addresses that are pinned, without redirects, within limits of time and size. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Effect, Exit } from "effect";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as Outgoing from "../../adapters/outgoing/index.ts";

const LIMITS: Outgoing.Limits = { allowPrivate: true, timeoutMilliseconds: 20_000, responseBytesMax: 1_000 };

const isPublic = Outgoing.isPublic;

describe("the addresses of public hosts", () => {
  it.each([
    "0.0.0.0",
    "10.1.2.3",
    "100.64.0.1",
    "127.0.0.1",
    "169.254.169.254",
    "172.16.0.1",
    "172.31.255.255",
    "192.168.1.1",
    "192.0.2.1",
    "198.18.0.1",
    "198.51.100.7",
    "203.0.113.9",
    "224.0.0.1",
    "240.0.0.1",
    "255.255.255.255",
    "::",
    "::1",
    "::ffff:8.8.8.8",
    "::ffff:127.0.0.1",
    "64:ff9b::808:808",
    "fc00::1",
    "fd12::1",
    "fe80::1",
    "ff02::1",
    "2001:db8::1",
    "2001::1",
    "2002:7f00:1::",
    "not an address",
    "",
  ])("do not include %s", (address) => {
    expect(isPublic(address)).toBe(false);
  });

  it.each([
    "1.1.1.1",
    "8.8.8.8",
    "100.128.0.1",
    "172.32.0.1",
    "192.169.0.1",
    "2606:4700::1111",
    "2a00:1450:4001::1",
  ])("include %s", (address) => {
    expect(isPublic(address)).toBe(true);
  });
});

describe("the URL of an outgoing request", () => {
  it.each([
    ["http://example.com/", "must begin with https://"],
    ["ftp://example.com/", "must begin with https://"],
    ["example.com", "must be an absolute URL"],
    ["https://user:secret@example.com/", "must not contain a user name or a password"],
    ["https://example.com/#part", "must not contain a fragment"],
    ["https://127.0.0.1/", "must lead to public addresses only"],
    ["https://2130706433/", "must lead to public addresses only"],
    ["https://0x7f.1/", "must lead to public addresses only"],
    ["https://[::1]/", "must lead to public addresses only"],
    ["https://[::ffff:10.0.0.1]/", "must lead to public addresses only"],
    ["https://localhost:3000/", "must lead to public addresses only"],
    ["https://a.localhost/", "must lead to public addresses only"],
    ["https://intranet/", "must lead to public addresses only"],
  ])("%s is refused", (url, problem) => {
    expect(Outgoing.refusalOf(url, { allowPrivate: false })).toBe(problem);
  });

  it("may be private if the host allows it", () => {
    expect(Outgoing.refusalOf("http://127.0.0.1:8080/hook", { allowPrivate: true })).toBeNull();
    expect(Outgoing.refusalOf("https://example.com/hook", { allowPrivate: false })).toBeNull();
  });
});

describe("an outgoing request", () => {
  const received: Array<{
    readonly path: string;
    readonly headers: IncomingMessage["headers"];
    readonly body: string;
  }> = [];
  const respond: Record<string, (response: ServerResponse) => void> = {
    "/ok": (response) => response.writeHead(200).end("fine"),
    "/redirect": (response) => response.writeHead(302, { location: "/ok" }).end(),
    "/silent": () => undefined,
    "/slow": (response) => {
      response.writeHead(200);
      const timer = setInterval(() => response.write("x"), 50);
      response.on("close", () => clearInterval(timer));
    },
    "/huge": (response) => {
      response.writeHead(200);
      const more = (): void => {
        while (!response.destroyed && response.write("x".repeat(65_536)));
        if (!response.destroyed) response.once("drain", more);
      };
      more();
    },
    "/cut": (response) => response.destroy(),
  };
  let server: Server;
  let base: string;

  beforeAll(async () => {
    server = createServer((request, response) => {
      const chunks: Array<Buffer> = [];
      request.on("data", (chunk: Buffer) => chunks.push(chunk));
      request.on("end", () => {
        const path = request.url ?? "";
        received.push({ path, headers: request.headers, body: Buffer.concat(chunks).toString() });
        respond[path]?.(response);
      });
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  const post = (path: string, limits = LIMITS, resolve?: Outgoing.Resolve) =>
    Effect.runPromise(
      Effect.either(
        Outgoing.sender(limits, resolve)({ url: `${base}${path}`, headers: { "x-test": "1" }, body: "ü" }),
      ),
    );

  it("returns status and body", async () => {
    const outcome = await post("/ok");
    expect(outcome).toMatchObject({
      _tag: "Right",
      right: { status: 200, body: "fine", isTruncated: false },
    });
    expect(received.at(-1)).toMatchObject({ path: "/ok", body: "ü" });
    expect(received.at(-1)?.headers).toMatchObject({ "x-test": "1", "content-length": "2" });
  });

  it("follows no redirect", async () => {
    const before = received.length;
    expect(await post("/redirect")).toMatchObject({ right: { status: 302 } });
    expect(received.slice(before).map(({ path }) => path)).toEqual(["/redirect"]);
  });

  it.each(["/silent", "/slow"])("ends in time: %s", async (path) => {
    const began = Date.now();
    expect(await post(path, { ...LIMITS, timeoutMilliseconds: 400 })).toMatchObject({
      left: { reason: "timeout" },
    });
    expect(Date.now() - began).toBeLessThan(5_000);
  });

  it("reads at most the allowed number of bytes", async () => {
    const outcome = await post("/huge");
    expect(outcome).toMatchObject({ right: { status: 200, isTruncated: true } });
    expect(outcome._tag === "Right" && outcome.right.body.length).toBe(1_000);
  });

  it("reports that the connection was cut", async () => {
    expect(await post("/cut")).toMatchObject({ left: { reason: "unreachable" } });
  });

  it("ends when it is interrupted", async () => {
    const request = Outgoing.sender({ ...LIMITS, timeoutMilliseconds: 60_000 })({
      url: `${base}/silent`,
      headers: {},
      body: "",
    });
    const exit = await Effect.runPromise(Effect.exit(Effect.timeout(request, 100)));
    expect(Exit.isFailure(exit)).toBe(true);
  });

  it("connects to the addresses that were checked, and resolves the name once", async () => {
    const port = new URL(base).port;
    let asked = 0;
    const resolve: Outgoing.Resolve = (_host, done) => {
      asked += 1;
      done(null, [{ address: "127.0.0.1", family: 4 }]);
    };
    const request = Outgoing.sender(
      LIMITS,
      resolve,
    )({ url: `http://example.com:${port}/ok`, headers: {}, body: "" });
    expect(await Effect.runPromise(request)).toMatchObject({ status: 200 });
    expect(asked).toBe(1);
  });

  it("is not sent when one of the addresses is private", async () => {
    const before = received.length;
    const resolve: Outgoing.Resolve = (_host, done) =>
      done(null, [
        { address: "93.184.216.34", family: 4 },
        { address: "127.0.0.1", family: 4 },
      ]);
    const request = Outgoing.sender(
      { ...LIMITS, allowPrivate: false },
      resolve,
    )({
      url: "https://rebinding.example.com/",
      headers: {},
      body: "",
    });
    expect(await Effect.runPromise(Effect.either(request))).toMatchObject({
      left: { reason: "refused", message: "the host must lead to public addresses only" },
    });
    expect(received.length).toBe(before);
  });
});

describe("signatures", () => {
  it("are accepted by an independent verifier of the scheme, for every secret", () => {
    const one = `whsec_${Buffer.from("one secret of twenty-four bytes").toString("base64")}`;
    const other = `whsec_${Buffer.from("another secret, as long as it").toString("base64")}`;
    const body = '{"type":"create_attribution"}';
    const headers = Outgoing.signatureHeaders([one, other], { id: "msg_1", at: Date.now(), body });
    for (const secret of [one, other])
      expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(body));
    expect(() => new Webhook(one).verify(`${body} `, headers)).toThrow();
  });
});
