import type { Server } from "node:http";
import {
  ConflictError,
  type ConnectOptions,
  connect,
  type Expression,
  InternalError,
  InvalidError,
  NotFoundError,
  QuittanceError,
  RateLimitError,
  TimeoutError,
  UnauthorizedError,
  UnavailableError,
} from "quittance/client";
import { nodeServer } from "quittance/http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Engine, listening, READY, start } from "../http/Engine.ts";
import { scene } from "../http/Scene.ts";

const workspaceId = crypto.randomUUID();
let engine: Engine;
let server: Server;
let url = "";
beforeAll(async () => {
  engine = await start();
  server = nodeServer(await engine.runtime.runtime(), READY);
  url = `http://127.0.0.1:${await listening(server)}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

type Fetch = NonNullable<ConnectOptions["fetch"]>;

const clientOf = (fetch: Fetch, options: Partial<ConnectOptions> = {}) =>
  connect({ url: "http://engine.test", key: engine.token, fetch, ...options });

const served: Fetch = (input, init) => engine.handler(new Request(input as string, init));

const failure = async (call: Promise<unknown>): Promise<QuittanceError> => {
  const error = await call.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (error instanceof QuittanceError) return error;
  throw new Error(`it rejected with ${error}`);
};

const json = (status: number, body: object, headers: Record<string, string> = {}): Response =>
  new Response(JSON.stringify(body), { status, headers: { "content-type": "application/json", ...headers } });

const BUSY = {
  error_code: "CONFLICT",
  message: "busy: another command changed the same records",
  token: "busy",
};
const LIMITED = { error_code: "BAD_REQUEST", message: "The credential has made too many requests" };
const EMPTY = { partners: [], total: 0, page: 1, per_page: 10 };

/** A `fetch` that returns the given responses in turn, and the requests that it got. */
const scripted = (...steps: ReadonlyArray<Response | Error>) => {
  const requests: Array<Request> = [];
  const fetch: Fetch = async (input, init) => {
    const step = steps[requests.length];
    requests.push(new Request(input as string, init));
    if (step === undefined) throw new Error("one request too many");
    if (step instanceof Error) throw step;
    return step.clone();
  };
  return { fetch, requests };
};

describe("a settlement", () => {
  it("is waited for, and takes and returns files and dates", async () => {
    const me = connect({ url, key: engine.token });
    const { draft, act } = await scene(engine);
    const id = await draft();
    await act(id, "approve");
    const waiting = me.settlements.waitFor(id, ["awaiting_invoice"], { timeout: 300_000 });
    await engine.settle();
    expect((await waiting).status.type).toBe("awaiting_invoice");
    const bytes = new Blob(["%PDF-1.7 Invoice 17"]);
    await me.documents.upload(id, "invoice", { fileName: "invoice.pdf", bytes });
    const invoice = await me.documents.download(id, "invoice");
    expect(new TextDecoder().decode(invoice.bytes)).toBe("%PDF-1.7 Invoice 17");
    const paidAt = new Date();
    await me.settlements.markAsPaid(id, { paidAt, note: "by hand" });
    expect((await me.settlements.get(id)).paidAt).toBe(paidAt.toISOString());
    const { document, bytes: lines } = await me.settlements.export(id);
    expect([document.fileName, document.contentType]).toEqual([
      `settlement-${id}.csv`,
      expect.stringContaining("text/csv"),
    ]);
    expect(new TextDecoder().decode(lines).split("\r\n")).toHaveLength(3);
  });
});

describe("an unknown field", () => {
  const me = () => clientOf(served);
  const id = crypto.randomUUID();

  it.each([
    ["of a command", () => me().settlementRuns.start({ workspaceId, partnerId: id } as never), "partnerId"],
    [
      "of a published command",
      () => me().partners.create({ workspaceId, name: "Sol", nmae: "" } as never),
      "nmae",
    ],
    ["of a filter", () => me().partners.list({ workspaceId: id } as never), "workspaceId"],
    ["in place of an option", () => me().settlements.approve(id, { timeuot: 5 } as never), "timeuot"],
    ["beside an option", () => me().settlements.approve(id, { timeout: 5, retry: 1 } as never), "retry"],
    ["of waiting", () => me().settlements.waitFor(id, ["paid"], { timeuot: 5 } as never), "timeuot"],
  ])("%s is refused with its name", async (_, call, field) => {
    expect(await failure(call())).toMatchObject({ name: "InvalidError", field });
  });

  it("of connect() is refused with its name", () => {
    expect(() => clientOf(served, { timeuot: 5 } as never)).toThrow(/^timeuot: is not a known option/);
  });

  it("is said to be a misspelling of the nearest one", async () => {
    const started = me().settlementRuns.start({ workspaceId, dryrun: true } as never);
    expect((await failure(started)).message).toBe("dryrun: is not a known field; did you mean dry_run?");
  });
});

describe("a lost reply", () => {
  it("does not run a command twice: the retry sends the same key", async () => {
    const keys: Array<string | null> = [];
    const name = `Nordlys ${crypto.randomUUID()}`;
    const me = clientOf(async (input, init) => {
      const request = new Request(input as string, init);
      keys.push(request.headers.get("idempotency-key"));
      const response = await engine.handler(request);
      if (keys.length < 3) throw new TypeError("fetch failed", { cause: new Error("socket hang up") });
      return response;
    });
    const created = await me.partners.create({ name, workspaceId });
    expect(created.replayed).toBe(true);
    expect(keys).toHaveLength(3);
    expect(new Set(keys).size).toBe(1);
    const { total, items } = await connect({ url, key: engine.token }).partners.list({ name });
    expect([total, items[0]?.id]).toEqual([1, created.id]);
  });

  it("of an upload is retried with the same form", async () => {
    let attempts = 0;
    const me = clientOf(async (input, init) => {
      const response = await served(input, init);
      attempts += 1;
      if (attempts === 1) throw new TypeError("fetch failed");
      return response;
    });
    const id = crypto.randomUUID();
    const error = await failure(
      me.documents.upload(id, "invoice", { fileName: "a", bytes: new TextEncoder().encode("%PDF-1.7") }),
    );
    expect([error.name, error.status, attempts]).toEqual(["NotFoundError", 404, 2]);
  });

  it("rejects with the cause after the last retry", async () => {
    const { fetch, requests } = scripted(
      ...[1, 2].map(() => new TypeError("fetch failed", { cause: new Error("ECONNREFUSED") })),
    );
    const error = await failure(clientOf(fetch, { retries: 1 }).partners.list());
    expect(error).toBeInstanceOf(UnavailableError);
    expect([error.status, error.requestId, requests.length]).toEqual([0, null, 2]);
    expect(error.message).toBe(
      "GET http://engine.test/api/v1/partners: the server cannot be reached: ECONNREFUSED",
    );
  });
});

describe("a retry", () => {
  it.each([
    ["502 of a proxy", new Response("<html>", { status: 502 })],
    ["503", json(503, { error_code: "INTERNAL_ERROR", message: "later" })],
    ["429", json(429, LIMITED, { "retry-after": "0" })],
    ["busy", json(409, BUSY)],
  ])("follows %s", async (_, response) => {
    const { fetch, requests } = scripted(response, json(201, { id: "1" }));
    expect(await clientOf(fetch).partners.create({ name: "N", workspaceId })).toEqual({
      id: "1",
      replayed: false,
    });
    expect(new Set(requests.map(({ headers }) => headers.get("idempotency-key"))).size).toBe(1);
  });

  it.each([
    ["500", json(500, { error_code: "INTERNAL_ERROR", message: "An unexpected error occurred." })],
    ["another conflict", json(409, { error_code: "CONFLICT", message: "settlement_state: is draft" })],
    ["400", json(400, { error_code: "BAD_REQUEST", message: "name: is required" })],
    ["a wait of minutes", json(429, LIMITED, { "retry-after": "600" })],
  ])("does not follow %s", async (_, response) => {
    const { fetch, requests } = scripted(response);
    await failure(clientOf(fetch).partners.create({ name: "N", workspaceId }));
    expect(requests).toHaveLength(1);
  });

  it("waits for the time that the response requires", async () => {
    const { fetch } = scripted(json(429, LIMITED, { "retry-after": "1" }), json(200, EMPTY));
    const from = performance.now();
    await clientOf(fetch).partners.list();
    expect(performance.now() - from).toBeGreaterThanOrEqual(990);
  });

  it("reads a date in Retry-After", async () => {
    const { fetch } = scripted(
      json(429, LIMITED, { "retry-after": new Date(Date.now() + 600_000).toUTCString() }),
    );
    const error = await failure(clientOf(fetch).partners.list());
    expect(error).toBeInstanceOf(RateLimitError);
    expect(error.retryAfter).toBeGreaterThan(590);
    expect(error.retryAfter).toBeLessThanOrEqual(600);
  });

  it("can be switched off for the client or for one call", async () => {
    const lost = new TypeError("fetch failed");
    const once = scripted(lost);
    await failure(clientOf(once.fetch, { retries: 0 }).partners.list());
    const never = scripted(lost);
    await failure(clientOf(never.fetch).partners.list({}, { retries: 0 }));
    expect([once.requests.length, never.requests.length]).toEqual([1, 1]);
  });
});

describe("a signal", () => {
  it("aborts a request, a pause and a loop with the signal's reason", async () => {
    const reason = new Error("the page was left");
    const hanging: Fetch = (_, init) =>
      new Promise((_resolve, reject) => {
        init?.signal?.addEventListener("abort", () => reject(new DOMException("aborted", "AbortError")));
      });
    for (const fetch of [
      hanging,
      scripted(...Array.from({ length: 9 }, () => json(503, {}, { "retry-after": "50" }))).fetch,
    ]) {
      const controller = new AbortController();
      setTimeout(() => controller.abort(reason), 20);
      await expect(clientOf(fetch).partners.list({}, { signal: controller.signal })).rejects.toBe(reason);
    }
    await expect(clientOf(hanging).partners.list({}, { signal: AbortSignal.abort(reason) })).rejects.toBe(
      reason,
    );
    const controller = new AbortController();
    const loop = async (): Promise<void> => {
      for await (const partner of clientOf(served).partners.all({}, { signal: controller.signal })) {
        controller.abort(reason);
        expect(partner.id).toHaveLength(36);
      }
      await clientOf(served).partners.list({}, { signal: controller.signal });
    };
    await connect({ url, key: engine.token }).partners.create({ name: "one", workspaceId });
    await expect(loop()).rejects.toBe(reason);
  });
});

describe("a time limit", () => {
  it("ends an attempt, also while the body arrives", async () => {
    const stalled: Fetch = async (_, init) =>
      new Response(
        new ReadableStream({
          start: (controller) => {
            controller.enqueue(new TextEncoder().encode("{"));
            init?.signal?.addEventListener("abort", () => controller.error(new Error("aborted")));
          },
        }),
        { headers: { "content-type": "application/json" } },
      );
    const error = await failure(clientOf(stalled, { timeout: 30, retries: 1 }).partners.list());
    expect(error).toBeInstanceOf(TimeoutError);
    expect(error.message).toBe("GET http://engine.test/api/v1/partners: no response within 30 ms");
  });
});

describe("an error", () => {
  it("has the code, the status and the ids of the response", async () => {
    const me = clientOf(served);
    const refused = await failure(me.partners.create({ name: "", workspaceId }));
    expect(refused).toBeInstanceOf(InvalidError);
    expect([refused.code, refused.status, refused.field, refused.token]).toEqual([
      "BAD_REQUEST",
      400,
      "name",
      null,
    ]);
    expect(refused.requestId).toMatch(/^[\w-]{36}$/);
    const absent = await failure(me.partners.get(crypto.randomUUID()));
    expect([absent.constructor, absent.status, absent.requestId]).toEqual([NotFoundError, 404, null]);
    const unknown = await failure(clientOf(served, { key: "qk_unknown" }).partners.list());
    expect([unknown.constructor, unknown.code, unknown.status]).toEqual([
      UnauthorizedError,
      "UNAUTHORIZED",
      401,
    ]);
  });

  it("of a conflict has the conflict's token", async () => {
    const me = clientOf(served);
    const create = () => me.partners.create({ name: "N", workspaceId }, { idempotencyKey: "the-same" });
    expect([(await create()).replayed, (await create()).replayed]).toEqual([false, true]);
    const error = await failure(
      me.partners.create({ name: "M", workspaceId }, { idempotencyKey: "the-same" }),
    );
    expect([error.constructor, error.token]).toEqual([ConflictError, "idempotency_key_reuse"]);
  });

  it.each([
    ["self_billing_data.bank_account.iban", "selfBillingData.bankAccount.iban"],
    ["attributions.1.properties.order_value", "attributions.1.properties.order_value"],
    ["auto_approve.EUR", "autoApprove.EUR"],
    [undefined, null],
  ])("with the field %s names it as the input does: %s", async (field, shown) => {
    const message = "note: the message is for people, and not read";
    const { fetch } = scripted(json(400, { error_code: "BAD_REQUEST", message, field }));
    const error = await failure(clientOf(fetch).partners.update("1", { name: "N" }));
    expect(error.field).toBe(shown);
  });

  it("states that the response is not one of Quittance", async () => {
    const { fetch } = scripted(
      new Response("<h1>Not Found</h1>", { status: 404 }),
      new Response(null, { status: 301, headers: { location: "https://pay.example/api/v1/partners" } }),
      new Response("{", { headers: { "content-type": "application/json" } }),
    );
    const me = clientOf(fetch);
    const wrong = await failure(me.partners.list());
    expect([wrong.constructor, wrong.status]).toEqual([InternalError, 404]);
    expect(wrong.message).toBe(
      "the server responded with 404, and not with an error of Quittance: <h1>Not Found</h1>",
    );
    const moved = await failure(me.partners.list());
    expect(moved.message).toBe(
      "the server redirects to https://pay.example/api/v1/partners: use that address as url",
    );
    expect((await failure(me.partners.list())).message).toBe("the response is not valid JSON");
  });
});

describe("bad input", () => {
  it.each([
    [{ url: "pay.example" }, "url"],
    [{ url: "ftp://pay.example" }, "url"],
    [{ url: "http://pay.example?key=1" }, "url"],
    [{ key: "" }, "key"],
    [{ key: "two words" }, "key"],
    [{ key: undefined }, "key"],
    [{ timeout: -1 }, "timeout"],
    [{ retries: 1.5 }, "retries"],
  ])("of connect is refused: %j", (options, field) => {
    const wrong = { url: "http://pay.example", key: "qk_1", ...options } as ConnectOptions;
    expect(() => connect(wrong)).toThrow(expect.objectContaining({ name: "InvalidError", field }));
  });

  it("of a call is refused before a request is sent", async () => {
    const { fetch, requests } = scripted();
    const me = clientOf(fetch);
    const wrong = [
      [me.partners.update("", { name: "N" }), "id"],
      [me.settlements.approve(undefined as unknown as string), "id"],
      [me.partners.get(""), "id"],
      [me.partners.list({ ids: null as unknown as [] }), "ids"],
      [me.partners.list({ ids: [] }), "ids"],
      [me.commissions.list({ occurredFrom: new Date(Number.NaN) }), "occurredFrom"],
      [me.documents.download("1", "bill" as "invoice"), "kind"],
      [
        me.documents.upload("1", "invoice", { fileName: "a", bytes: "text" as unknown as Uint8Array }),
        "bytes",
      ],
    ] as const;
    for (const [call, field] of wrong) expect((await failure(call)).field).toBe(field);
    expect(requests).toEqual([]);
  });
});

describe("values", () => {
  it("leave the caller's properties, expressions and events unchanged", async () => {
    const { fetch, requests } = scripted(json(201, { id: "1" }), json(201, { id: "1" }));
    const me = clientOf(fetch);
    const scope = { partnerId: "1", schemaId: "2", workspaceId: "3" };
    await me.attributions.create({ ...scope, properties: { orderValue: 1, order_value: 2 } });
    expect(await requests[0]?.json()).toHaveProperty("properties", { orderValue: 1, order_value: 2 });
    const expression = { type: "aggregate", group_by: ["a_b"], thisIs: 1 } as unknown as Expression;
    await me.commissionFormulas.create({
      ...scope,
      name: "N",
      currency: "EUR",
      startDatetime: 0,
      expression,
    });
    expect(await requests[1]?.json()).toMatchObject({
      expression,
      start_datetime: "1970-01-01T00:00:00.000Z",
    });
  });

  it("are exact beyond the range of a number", async () => {
    const body = `{"summary":{"note":"9007199254740993 \\" 1","amount":9007199254740993,"small":9007199254740991,"negative":-90071992547409931}}`;
    const { fetch } = scripted(new Response(body, { headers: { "content-type": "application/json" } }));
    const span = { from: 0, to: Date.now(), granularity: "day" } as const;
    expect((await clientOf(fetch).commissions.statistics(span)).summary).toEqual({
      note: '9007199254740993 " 1',
      amount: 9_007_199_254_740_993n,
      small: Number.MAX_SAFE_INTEGER,
      negative: -90_071_992_547_409_931n,
    });
  });

  it("of filters are sent under their HTTP names, lists as repeated parameters", async () => {
    const { fetch, requests } = scripted(json(200, { ...EMPTY, settlements: [] }));
    await clientOf(fetch).settlements.list({
      partnerIds: ["1", "2"],
      stale: true,
      createdFrom: 0,
      perPage: 5,
    });
    expect(requests[0]?.url).toBe(
      "http://engine.test/api/v1/settlements?partner_ids=1&partner_ids=2&stale=true&created_from=1970-01-01T00%3A00%3A00.000Z&per_page=5",
    );
  });
});

describe("a list with a cursor", () => {
  it("is read past empty pages until the cursor stays the same", async () => {
    const page = (ids: ReadonlyArray<string>, next_cursor: string) =>
      json(200, { events: ids.map((id) => ({ id })), next_cursor });
    const { fetch, requests } = scripted(
      page(["1", "2"], "b"),
      page([], "c"),
      page(["3"], "d"),
      page([], "d"),
    );
    const ids: Array<string> = [];
    for await (const event of clientOf(fetch).events.all({ after: "a", limit: 2 })) ids.push(event.id);
    expect(ids).toEqual(["1", "2", "3"]);
    expect(requests.map(({ url }) => new URL(url).searchParams.get("after"))).toEqual(["a", "b", "c", "d"]);
  });
});

describe("the address of a server", () => {
  it.each([
    ["https://pay.example", "https://pay.example/api/v1/partners"],
    ["https://pay.example/", "https://pay.example/api/v1/partners"],
    ["https://shop.example/billing/api/v1/", "https://shop.example/billing/api/v1/partners"],
    ["", "/api/v1/partners"],
    ["/billing", "/billing/api/v1/partners"],
  ])("%s leads to %s", async (address, expected) => {
    const urls: Array<string> = [];
    const me = clientOf(
      async (input) => {
        urls.push(String(input));
        return json(200, EMPTY);
      },
      { url: address },
    );
    await me.partners.list();
    expect(urls).toEqual([expected]);
  });
});
