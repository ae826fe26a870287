import type * as Http from "node:http";
import * as Net from "node:net";
import { Layer, ManagedRuntime } from "effect";
import { nodeServer } from "quittance/http";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { captured, listening, READY, services } from "./Engine.ts";

const CONNECTIONS = 1_000;

/** Much less than the limits of the interface, so that the tests need not wait for those. */
const MILLISECONDS = 500;

let server: Http.Server;
let port: number;
let clients: Array<Net.Socket>;
let accepted: number;
beforeEach(async () => {
  const runtime = await ManagedRuntime.make(Layer.merge(services(), captured([]))).runtime();
  server = nodeServer(runtime, { ...READY, connectionsMax: CONNECTIONS });
  accepted = 0;
  server.on("connection", () => {
    accepted++;
  });
  server.headersTimeout = MILLISECONDS;
  server.requestTimeout = MILLISECONDS;
  port = await listening(server);
  clients = [];
});
afterEach(() => {
  for (const client of clients) client.destroy();
  server.closeAllConnections();
  server.close();
});

/** A client that sends these bytes and never closes, even when the server does. */
const open = (bytes: string): Promise<Net.Socket> =>
  new Promise((resolve, reject) => {
    const socket = Net.connect({ port, host: "127.0.0.1", allowHalfOpen: true });
    clients.push(socket);
    socket.on("error", reject);
    socket.once("connect", () => {
      socket.on("error", () => {});
      if (bytes !== "") socket.write(bytes);
      resolve(socket);
    });
  });

/** What the server sent until it closed the connection. */
const received = (socket: Net.Socket): Promise<string> =>
  new Promise((resolve) => {
    let text = "";
    socket.on("data", (chunk) => {
      text += chunk.toString("latin1");
    });
    socket.on("end", () => resolve(text));
    socket.on("close", () => resolve(text));
  });

const connections = (): Promise<number> =>
  new Promise((resolve, reject) =>
    server.getConnections((error, count) => (error === null ? resolve(count) : reject(error))),
  );

/** Waits until as many connections were accepted and none is left; the test's time limit ends a wait without an end. */
const untilGone = async (count: number): Promise<void> => {
  while (accepted < count || (await connections()) > 0)
    await new Promise((resolve) => setTimeout(resolve, 20));
};

const HEAD = "POST /api/v1/partners HTTP/1.1\r\nhost: engine.test\r\n";

describe("clients that never close their connection", () => {
  it("and send half a head give back every place, and others are served", async () => {
    const sockets = await Promise.all(
      Array.from({ length: CONNECTIONS }, () => open("GET /healthz HTTP/1.1\r\n")),
    );
    const answers = sockets.map(received);
    await untilGone(CONNECTIONS);
    const texts = await Promise.all(answers);
    expect(texts.filter((text) => text.startsWith("HTTP/1.1 408 ") && text.endsWith("}"))).toHaveLength(
      CONNECTIONS,
    );
    expect((await fetch(`http://127.0.0.1:${port}/healthz`)).status).toBe(200);
  });

  it.each([
    ["nothing", "", 408],
    ["half a body", `${HEAD}content-length: 9\r\n\r\n{"na`, 408],
    ["half a chunk", `${HEAD}transfer-encoding: chunked\r\n\r\n9\r\n{"na`, 408],
    ["data that is not HTTP", "NONSENSE\r\n\r\n", 400],
    ["an endless head", `GET /healthz HTTP/1.1\r\nx-long: ${"x".repeat(40 * 1024)}`, 431],
    ["no host", "GET /healthz HTTP/1.1\r\n\r\n", 400],
  ])("and send %s lose it after the response", async (_, bytes, status) => {
    const answer = received(await open(bytes));
    await untilGone(1);
    const text = await answer;
    expect(text).toContain(`HTTP/1.1 ${status} `);
    expect(text.endsWith("}")).toBe(true);
  });

  it("and send more after a refusal lose it too", async () => {
    const socket = await open("NONSENSE\r\n\r\n");
    const answer = received(socket);
    const sending = setInterval(() => socket.write("x".repeat(1_000)), 20);
    await untilGone(1);
    clearInterval(sending);
    expect(await answer).toContain("HTTP/1.1 400 ");
  });

  it("and read no response lose it", async () => {
    expect(server.timeout).toBe(120_000);
    server.timeout = MILLISECONDS;
    const socket = await open("");
    socket.pause();
    for (let count = 0; count < 200; count++) socket.write("GET /docs HTTP/1.1\r\nhost: engine.test\r\n\r\n");
    await untilGone(1);
  });
});
