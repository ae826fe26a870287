import * as Http from "node:http";
import * as Net from "node:net";
import { Effect, Layer, ManagedRuntime, Schema, Stream } from "effect";
import { Currency, Ids, Partners, Settlement, SettlementDocuments } from "quittance";
import { nodeHandler, nodeServer } from "quittance/http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ADMIN_TOKEN, captured, listening, READY, services, stubbed } from "./Engine.ts";

const MIB = 1024 * 1024;
const AUTHORIZATION = `authorization: Bearer ${ADMIN_TOKEN}`;
const ID = "01a1f8a5-14d8-7359-ae42-e82a18235d33";

const SETTLEMENT = {
  ...Settlement.evolve(null, {
    at: 0,
    actor: "test",
    event: {
      type: "create_settlement",
      total: 0,
      line_count: 0,
      stored: { currency: Schema.decodeSync(Currency.Currency)("EUR"), lines: [] },
    },
  }),
  id: Ids.SettlementId.make(ID),
  customerId: Ids.CustomerId.make(ID),
  workspaceId: Ids.WorkspaceId.make(ID),
  partnerId: Ids.PartnerId.make(ID),
  version: 1,
  lastAt: 0,
};

const runtimeOf = async () => ManagedRuntime.make(Layer.merge(services(), captured([]))).runtime();

let server: Http.Server;
let port: number;
beforeAll(async () => {
  server = nodeServer(await runtimeOf(), READY);
  port = await listening(server);
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

/** How long a response may take to begin, on a busy machine too. */
const FIRST_MILLISECONDS = 20_000;

/** Sends bytes on one connection and collects the response until the server closes it, or nothing follows for a while. */
const exchange = (
  parts: ReadonlyArray<string | Uint8Array>,
  { waitMilliseconds = 300, to = port }: { readonly waitMilliseconds?: number; readonly to?: number } = {},
): Promise<{ readonly text: string; readonly closed: boolean }> =>
  new Promise((resolve) => {
    const socket = Net.connect(to, "127.0.0.1");
    let text = "";
    const finish = (closed: boolean) => {
      clearTimeout(timer);
      socket.destroy();
      resolve({ text, closed });
    };
    let timer = setTimeout(finish, FIRST_MILLISECONDS, false);
    socket.on("data", (chunk) => {
      text += chunk.toString("latin1");
      clearTimeout(timer);
      timer = setTimeout(finish, waitMilliseconds, false);
    });
    socket.on("close", () => finish(true));
    socket.on("error", () => {});
    for (const part of parts) socket.write(part);
  });

const head = (method: string, target: string, ...headers: ReadonlyArray<string>): string =>
  `${[`${method} ${target} HTTP/1.1`, "host: engine.test", ...headers].join("\r\n")}\r\n\r\n`;

const statuses = (text: string): ReadonlyArray<number> =>
  [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)]
    .map(([, status]) => Number(status))
    .filter((status) => status !== 100);

const bodyOf = (text: string) => JSON.parse(text.slice(text.lastIndexOf("\r\n\r\n") + 4));

describe("on a connection", () => {
  it("several requests get responses, pipelined ones in order", async () => {
    const { text, closed } = await exchange([
      head("GET", "/healthz"),
      head("GET", "/api/v1/partners", AUTHORIZATION),
      head("GET", "/nothing"),
    ]);
    expect(statuses(text)).toEqual([200, 200, 404]);
    expect(closed).toBe(false);
  });

  it("an early response to a small body keeps it open and skips that body", async () => {
    const body = "x".repeat(1000);
    const { text } = await exchange([
      head("POST", "/api/v1/nothing", `content-length: ${body.length}`),
      body,
      head("POST", `/api/v1/settlements/${ID}/approve`, AUTHORIZATION, "transfer-encoding: chunked"),
      `3e8\r\n${body}\r\n0\r\n\r\n`,
      head("GET", "/healthz"),
    ]);
    expect(statuses(text)).toEqual([404, 403, 200]);
  });

  it("HEAD gets the length of the body and no body", async () => {
    const { text } = await exchange([head("HEAD", "/healthz"), head("GET", "/healthz")]);
    const [first = "", second = ""] = text.split("HTTP/1.1").slice(1);
    const lengthOf = (answer: string) => /content-length: (\d+)/i.exec(answer)?.[1];
    expect(lengthOf(first)).toBe(lengthOf(second));
    expect(first.endsWith("\r\n\r\n")).toBe(true);
  });

  it("a target may have scheme and host", async () => {
    const { text } = await exchange([head("GET", "http://engine.test/healthz?")]);
    expect(statuses(text)).toEqual([200]);
  });
});

describe("limits", () => {
  it("a body whose declared length is too large is refused at once, and the response arrives", async () => {
    const { text, closed } = await exchange(
      [
        head(
          "POST",
          "/api/v1/partners",
          AUTHORIZATION,
          "content-type: application/json",
          `content-length: ${50 * MIB}`,
        ),
        new Uint8Array(5 * MIB),
      ],
      { waitMilliseconds: 2_000 },
    );
    expect(statuses(text)).toEqual([413]);
    expect(bodyOf(text)).toEqual({ error_code: "BAD_REQUEST", message: "The body exceeds 1048576 bytes" });
    expect(closed).toBe(true);
  });

  it("a chunked body is refused when it exceeds the limit, and the response arrives", async () => {
    const chunk = `10000\r\n${"x".repeat(65_536)}\r\n`;
    const { text, closed } = await exchange(
      [
        head(
          "POST",
          "/api/v1/partners",
          AUTHORIZATION,
          "content-type: application/json",
          "transfer-encoding: chunked",
        ),
        ...Array<string>(40).fill(chunk),
      ],
      { waitMilliseconds: 2_000 },
    );
    expect(statuses(text)).toEqual([413]);
    expect(text.toLowerCase()).toContain("connection: close");
    expect(closed).toBe(true);
  });

  it("a form of undeclared length is measured before its credential is refused", async () => {
    const upload = (chunks: number) =>
      exchange(
        [
          head(
            "POST",
            `/api/v1/settlements/${ID}/invoice`,
            "content-type: multipart/form-data; boundary=x",
            "transfer-encoding: chunked",
          ),
          ...Array<string>(chunks).fill(`100000\r\n${"x".repeat(MIB)}\r\n`),
          "0\r\n\r\n",
        ],
        { waitMilliseconds: 2_000 },
      );
    expect(statuses((await upload(10)).text)).toEqual([401]);
    expect(statuses((await upload(11)).text)).toEqual([413]);
  });

  it("a JSON body of exactly the limit is accepted", async () => {
    const start = '{"name":"';
    const body = `${start}${"x".repeat(MIB - start.length - 2)}"}`;
    const { text } = await exchange([
      head(
        "POST",
        "/api/v1/partners",
        AUTHORIZATION,
        "content-type: application/json",
        `content-length: ${MIB}`,
      ),
      body,
    ]);
    expect(statuses(text)).toEqual([403]);
  });

  it("a long target is 414, long headers are 431, both as JSON errors", async () => {
    const long = await exchange([head("GET", `/api/v1/partners?name=${"x".repeat(16 * 1024)}`)]);
    expect([statuses(long.text), bodyOf(long.text).error_code]).toEqual([[414], "BAD_REQUEST"]);
    for (const length of [16 * 1024, 40 * 1024]) {
      const { text } = await exchange([head("GET", "/api/v1/partners", `x-long: ${"x".repeat(length)}`)]);
      expect([statuses(text), bodyOf(text).error_code]).toEqual([[431], "BAD_REQUEST"]);
    }
    const within = await exchange([head("GET", "/healthz", `x-long: ${"x".repeat(15 * 1024)}`)]);
    expect(statuses(within.text)).toEqual([200]);
  });

  it("data that is not HTTP gets a JSON error", async () => {
    const { text, closed } = await exchange(["NONSENSE\r\n\r\n"]);
    expect([statuses(text), bodyOf(text).error_code, closed]).toEqual([[400], "BAD_REQUEST", true]);
  });

  it("a request without a host gets a JSON error, as HTTP/1.1 requires it, but not HTTP/1.0", async () => {
    const { text, closed } = await exchange(["GET /healthz HTTP/1.1\r\n\r\n"]);
    expect([statuses(text), bodyOf(text).error_code, closed]).toEqual([[400], "BAD_REQUEST", true]);
    expect(bodyOf(text).message).toContain("Host");
    expect(text.toLowerCase()).toContain("x-request-id: ");
    const older = await exchange(["GET /healthz HTTP/1.0\r\n\r\n"]);
    expect(statuses(older.text)).toEqual([200]);
  });

  it("a request with an unknown expectation is handled like any other", async () => {
    const { text } = await exchange([head("GET", "/healthz", "expect: something")]);
    expect(statuses(text)).toEqual([200]);
  });

  it("two credentials are rejected like no credential", async () => {
    const { text } = await exchange([head("GET", "/api/v1/partners", AUTHORIZATION, AUTHORIZATION)]);
    expect(statuses(text)).toEqual([401]);
  });
});

describe("a kept connection", () => {
  it("stays open longer than the 60 seconds that a proxy keeps it idle", async () => {
    const { text } = await exchange([head("GET", "/healthz")]);
    expect(text.toLowerCase()).toContain("keep-alive: timeout=65");
  });

  it("is closed by the response to the request that runs when the server stops", async () => {
    const seen = { started: 0 };
    const list = () =>
      Effect.sync(() => {
        seen.started++;
      }).pipe(Effect.zipRight(Effect.sleep("200 millis")), Effect.zipRight(Effect.die("no partners")));
    const stopping = nodeServer(await stubbed(Partners.Partners, { list }, []), READY);
    const to = await listening(stopping);
    const response = exchange([head("GET", "/api/v1/partners", AUTHORIZATION)], {
      to,
      waitMilliseconds: 2_000,
    });
    while (seen.started === 0) await new Promise((resolve) => setTimeout(resolve, 10));
    stopping.close();
    const { text, closed } = await response;
    expect([statuses(text), closed]).toEqual([[500], true]);
    expect(text.toLowerCase()).toContain("connection: close");
  });
});

describe("a request that takes too long", () => {
  it("to arrive gets 408", async () => {
    const slow = nodeServer(await runtimeOf(), READY);
    expect([slow.headersTimeout, slow.requestTimeout]).toEqual([10_000, 60_000]);
    slow.headersTimeout = 200;
    slow.requestTimeout = 300;
    const to = await listening(slow);
    const stalled = [
      "GET /healthz HTTP/1.1\r\n",
      head("POST", "/api/v1/api-keys", "content-type: application/json", "content-length: 9", AUTHORIZATION),
    ];
    for (const start of stalled) {
      const { text, closed } = await exchange([start], { to, waitMilliseconds: 4_000 });
      expect([statuses(text), bodyOf(text).error_code, closed]).toEqual([[408], "BAD_REQUEST", true]);
    }
    slow.close();
  });

  it("to handle gets 503, and is interrupted", async () => {
    const seen = { interrupted: false };
    const logs: Array<string> = [];
    const list = () =>
      Effect.onInterrupt(Effect.never, () =>
        Effect.sync(() => {
          seen.interrupted = true;
        }),
      );
    const runtime = await stubbed(Partners.Partners, { list }, logs);
    const own = Http.createServer(nodeHandler(runtime, { ...READY, responseMillisecondsMax: 100 }));
    const response = await fetch(`http://127.0.0.1:${await listening(own)}/api/v1/partners`, {
      headers: { authorization: `Bearer ${ADMIN_TOKEN}` },
    });
    expect([response.status, response.headers.get("retry-after"), seen.interrupted]).toEqual([
      503,
      "1",
      true,
    ]);
    const id = response.headers.get("x-request-id");
    expect(id).toMatch(/^[0-9a-f-]{36}$/);
    expect(
      logs.some(
        (line) => line.startsWith("WARN") && line.includes("/api/v1/partners") && line.includes(`${id}`),
      ),
    ).toBe(true);
    own.closeAllConnections();
    own.close();
  });
});

describe("when the caller disconnects", () => {
  it("in the middle of a body, nothing is stored and the server continues", async () => {
    const socket = Net.connect(port, "127.0.0.1");
    socket.on("error", () => {});
    socket.write(
      head(
        "POST",
        "/api/v1/partners",
        AUTHORIZATION,
        "content-type: application/json",
        "content-length: 100",
      ),
    );
    socket.write('{"name"');
    await new Promise((resolve) => setTimeout(resolve, 50));
    socket.destroy();
    const { text } = await exchange([head("GET", "/healthz")]);
    expect(statuses(text)).toEqual([200]);
  });

  it("before its request is handled, the request fails like one with an incomplete body", async () => {
    const logs: Array<string> = [];
    const runtime = await ManagedRuntime.make(Layer.merge(services(), captured(logs))).runtime();
    const handle = nodeHandler(runtime, READY);
    const gone = new Promise<void>((resolve) => {
      const own = Http.createServer((incoming, outgoing) => {
        incoming.once("close", () => {
          handle(incoming, outgoing);
          own.close(() => resolve());
        });
      });
      void listening(own).then((to) => {
        const socket = Net.connect(to, "127.0.0.1");
        const type = "content-type: application/json";
        socket.write(
          `${head("POST", "/api/v1/api-keys", AUTHORIZATION, type, "content-length: 100")}{"name"`,
        );
        own.once("request", () => socket.destroy());
      });
    });
    await gone;
    while (logs.length === 0) await new Promise((resolve) => setTimeout(resolve, 10));
    expect(logs.map((line) => [line.includes("/api/v1/api-keys"), line.includes("400")])).toEqual([
      [true, true],
    ]);
  });

  /** A server whose CSV never ends. */
  const endless = async () => {
    const seen = { chunks: 0, released: false };
    const line = {
      commissionId: Ids.CommissionId.make(ID),
      amount: 1,
      formulaId: Ids.FormulaId.make(ID),
      attributionId: Ids.AttributionId.make(ID),
      attributionOccurredAt: 0,
      attributionOccurredOn: null,
    };
    const lines = Stream.repeatEffect(
      Effect.sync(() => {
        seen.chunks++;
        return line;
      }),
    ).pipe(
      Stream.rechunk(1000),
      Stream.ensuring(
        Effect.sync(() => {
          seen.released = true;
        }),
      ),
    );
    const runtime = await stubbed(SettlementDocuments.SettlementDocuments, {
      exportLines: () => Effect.succeed({ settlement: SETTLEMENT, lines }),
    });
    const own = Http.createServer(nodeHandler(runtime, READY));
    return { seen, own, port: await listening(own) };
  };

  it("a stream waits for a slow reader and is released with the connection", async () => {
    const { seen, own, port: to } = await endless();
    const socket = Net.connect(to, "127.0.0.1");
    socket.on("error", () => {});
    socket.write(head("GET", `/api/v1/settlements/${ID}/export`, AUTHORIZATION));
    await new Promise((resolve) => socket.once("data", resolve));
    socket.pause();
    // An endless stream that waits for nobody never has the same number of chunks twice.
    for (let chunks = -1; chunks !== seen.chunks; ) {
      chunks = seen.chunks;
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
    expect(seen.released).toBe(false);
    socket.destroy();
    while (!seen.released) await new Promise((resolve) => setTimeout(resolve, 10));
    own.close();
  });
});
