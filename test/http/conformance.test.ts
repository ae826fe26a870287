import type { Server } from "node:http";
import * as Net from "node:net";
import { Context, Effect, Layer, ManagedRuntime, Runtime } from "effect";
import { type Documents, Payments, Storage, TokenVerifier } from "quittance";
import { nodeServer, webHandler } from "quittance/http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Answered, fault, type Operation, operations } from "./Document.ts";
import {
  type Asked,
  type Call,
  caller,
  captured,
  type Engine,
  listening,
  READY,
  type Reply,
  services,
  start,
} from "./Engine.ts";
import { type Ask, credentialFor, PAYING, requests, send, signed, startPaying } from "./Requests.ts";
import { maker, SELF_BILLING, scene } from "./Scene.ts";

const MIB = 1024 * 1024;
const WEBHOOK = "reportPayment";

let engine: Engine;
/** An engine whose documents are files of their own kind. */
let drawing: Engine;
let limited: Call;
let broken: Call;
let unavailable: Call;
let server: Server;
let port: number;
/** The responses to requests that do not arrive in time, by operation; they wait for them together. */
let stalled: ReadonlyMap<string, Promise<Answered>>;

const PDF = { bytes: new TextEncoder().encode("%PDF-1.7"), extension: "pdf" };

const drawn: Documents.DocumentRendererService = {
  render: () => Effect.succeed(PDF),
  renderStatement: () => Effect.succeed(PDF),
  renderTerms: () => Effect.succeed(PDF),
};

/** A buyer with everything that an e-invoice states. */
const BUYER = {
  legal_name: "Shop GmbH",
  address: SELF_BILLING.address,
  vat_number: "DK87654321",
  electronic_address: "0088:7300010000001",
};

/** The shell over services that fail before any operation is reached. */
const failing = async (reason: Storage.StorageError["reason"]): Promise<Call> => {
  const runtime = await ManagedRuntime.make(Layer.merge(services(), captured([]))).runtime();
  const failed = Effect.fail(new Storage.StorageError({ reason, cause: new Error("no store") }));
  const payments = Context.get(runtime.context, Payments.Payments);
  const context = runtime.context.pipe(
    Context.add(TokenVerifier.TokenVerifier, { verify: () => failed }),
    Context.add(Payments.Payments, { ...payments, recordPaymentEvent: () => failed }),
  );
  const { provider: _, ...mount } = PAYING;
  return caller(webHandler(Runtime.make({ ...runtime, context }), { ...READY, ...mount }), "x");
};

beforeAll(async () => {
  engine = await startPaying();
  drawing = await start({}, [], { ...PAYING, renderer: drawn });
  await drawing.call("PUT", "/api/v1/billing-profile", { json: BUYER });
  const rateLimit = { requestsPerSecond: 0.001, burst: 1 };
  limited = caller(webHandler(await engine.runtime.runtime(), { ...READY, rateLimit }), engine.token);
  await limited("GET", "/api/v1/partners");
  await limited("POST", "/api/v1/events/erase");
  [broken, unavailable] = [await failing("broken"), await failing("unavailable")];
  const { provider: _, ...mount } = PAYING;
  server = nodeServer(await ManagedRuntime.make(Layer.merge(services(), captured([]))).runtime(), {
    ...READY,
    ...mount,
  });
  server.headersTimeout = 150;
  server.requestTimeout = 200;
  port = await listening(server);
  stalled = new Map(operations.map((operation) => [operation.id, stall(operation)]));
  await Promise.allSettled(stalled.values());
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

/** A request that is well formed and names nothing that is there. */
const nowhere = (operation: Operation): Ask => ({
  id: operation.id === WEBHOOK ? "bank" : crypto.randomUUID(),
  ...(operation.id === "readPartnerStatement" ? { query: "from=2020-01-01T00:00:00Z" } : {}),
  ...(operation.id === "readCommissionPlanTerms" ? { query: `partner_id=${crypto.randomUUID()}` } : {}),
  ...(operation.body === "multipart" ? { upload: true } : {}),
  ...(operation.body === "json" ? { json: operation.request?.example } : {}),
});

const signedNowhere = (operation: Operation): Ask => ({
  ...nowhere(operation),
  headers: operation.id === WEBHOOK ? signed(JSON.stringify(operation.request?.example)) : {},
});

const requestOf = async (target: Engine, { id }: Operation): Promise<Ask> => {
  const request = requests[id];
  if (request === undefined) throw new Error(`no request of ${id} is known`);
  return request(target);
};

const succeeding = (operation: Operation): Promise<Ask> => requestOf(engine, operation);

const succeed = async (operation: Operation): Promise<Reply> => {
  // Others of the same customer would close and reopen its months meanwhile.
  const own = operation.id === "reopenPeriod" ? await startPaying() : engine;
  return send(own.call, operation, await requestOf(own, operation));
};

const oversized = (operation: Operation): Asked =>
  operation.body === "multipart"
    ? {
        body: new Uint8Array(11 * MIB),
        headers: { "content-type": "multipart/form-data; boundary=x" },
      }
    : { body: new Uint8Array(4 * MIB + 1), headers: { "content-type": "application/json" } };

/** Sends the head of a request and never its body. */
const stall = ({ method, path }: Operation): Promise<Answered> =>
  new Promise((resolve, reject) => {
    const socket = Net.connect(port, "127.0.0.1");
    let text = "";
    socket.on("data", (chunk) => {
      text += chunk.toString("latin1");
    });
    socket.on("error", reject);
    socket.on("close", () => {
      const [head = "", body = ""] = text.split("\r\n\r\n");
      const [line = "", ...fields] = head.split("\r\n");
      const headers = new Headers(
        fields.map((field): [string, string] => {
          const colon = field.indexOf(":");
          return [field.slice(0, colon), field.slice(colon + 1).trim()];
        }),
      );
      resolve({ status: Number(line.split(" ")[1]), headers, text: body });
    });
    const target = path.replace(/\{\w+\}/, crypto.randomUUID());
    socket.write(`${method} ${target} HTTP/1.1\r\nhost: engine.test\r\ncontent-length: 5\r\n`);
  });

/** The e-invoice of a document that was uploaded. */
const eInvoice = async (operation: Operation): Promise<Reply> =>
  send(engine.call, operation, { ...(await succeeding(operation)), query: "format=ubl" });

/** A request for a discarded payment file. */
const discarded = async (operation: Operation): Promise<Reply> => {
  const ask = await succeeding(operation);
  await engine.call("DELETE", `/api/v1/payment-files/${ask.id}`, {
    json: { reason: "refused" },
    headers: ask.headers ?? {},
  });
  return send(engine.call, operation, ask);
};

/** A request whose effect is there already. */
const twice = async (operation: Operation): Promise<Reply> => {
  const ask = await succeeding(operation);
  await send(engine.call, operation, ask);
  return send(engine.call, operation, ask);
};

/** The key of the platform's request with another body. */
const changed = async (operation: Operation, change: (json: never) => object): Promise<Reply> => {
  const ask = await succeeding(operation);
  const headers = { "idempotency-key": crypto.randomUUID() };
  await send(engine.call, operation, ask, { headers });
  return send(engine.call, operation, { ...ask, json: change(ask.json as never) }, { headers });
};

/** A request for a PDF file, which the renderer of this engine does not draw. */
const undrawn = async (operation: Operation): Promise<Reply> =>
  send(engine.call, operation, { ...(await succeeding(operation)), headers: { accept: "application/pdf" } });

const CONFLICTS: Readonly<Record<string, (operation: Operation) => Promise<Reply>>> = {
  downloadSettlementInvoice: (operation) => eInvoice(operation),
  downloadSettlementCreditNote: (operation) => eInvoice(operation),
  listEvents: async (operation) => {
    const withoutFeed = await start({ feed: false });
    return send(withoutFeed.call, operation, {}).finally(() => withoutFeed.runtime.dispose());
  },
  previewSettlement: async (operation) => {
    const ask = await succeeding(operation);
    await engine.call("POST", "/api/v1/settlements", { json: ask.json });
    return send(engine.call, operation, ask);
  },
  previewReceived: async (operation) => {
    const make = maker(engine.call, engine.workspaceId);
    const [seller, finder, schemaId] = [await make.partner(), await make.partner(), await make.schema()];
    await make.attribution(seller, schemaId, 100, {
      credits: [{ partner_id: seller }, { partner_id: finder, role: "finder" }],
    });
    const { body } = await engine.call("GET", `/api/v1/attributions?partner_ids=${finder}`);
    return send(engine.call, operation, { ...(await succeeding(operation)), id: body.attributions[0].id });
  },
  erasePartner: (operation) => changed(operation, () => ({ dry_run: true })),
  eraseEvents: (operation) =>
    changed(operation, (json: { readonly cursors: ReadonlyArray<string> }) => ({
      ...json,
      cursors: [...json.cursors, ...json.cursors],
    })),
  createPaymentFile: twice,
  failSettlementPayment: twice,
  downloadPaymentFile: discarded,
  handOverPaymentFile: discarded,
  // The renderer of this engine draws neither statements nor terms.
  readPartnerStatement: undrawn,
  readCommissionPlanTerms: undrawn,
  discardPaymentFile: async (operation) => {
    const ask = await succeeding(operation);
    const headers = { ...ask.headers, "idempotency-key": crypto.randomUUID() };
    await send(engine.call, operation, { ...ask, headers });
    return send(engine.call, operation, { ...ask, headers, json: { reason: "another reason" } });
  },
  [WEBHOOK]: async (operation) => {
    const ask = await succeeding(operation);
    await send(engine.call, operation, ask);
    const other = { ...(ask.json as object), type: "failed", reason: "no such account" };
    return send(engine.call, operation, { ...ask, json: other, headers: signed(JSON.stringify(other)) });
  },
};

/** The key of a request that another operation has used. */
const reuse = async (operation: Operation): Promise<Reply> => {
  const ask = await succeeding(operation);
  const headers = { "idempotency-key": crypto.randomUUID() };
  const first = operation.id === "createPartner" ? "createAttributionSchema" : "createPartner";
  const other = operations.find(({ id }) => id === first);
  if (other === undefined) throw new Error(`there is no ${first}`);
  expect((await send(engine.call, other, { ...(await succeeding(other)), headers })).status).toBe(201);
  return send(engine.call, operation, ask, { headers });
};

/** A credential of another workspace: a workspace is absent only where it is outside the grant. */
const elsewhere = async (operation: Operation): Promise<Reply> => {
  const workspaceIds = [crypto.randomUUID()];
  const token = await engine.keyOf({ customer_id: engine.customerId, workspace_ids: workspaceIds });
  return send(engine.call, operation, nowhere(operation), { token });
};

const ABSENT: Readonly<Record<string, (operation: Operation) => Promise<Reply>>> = {
  readBillingProfile: async (operation) => {
    const token = await engine.keyOf({ customer_id: crypto.randomUUID() });
    return send(engine.call, operation, {}, { token });
  },
  readSettlementPolicy: elsewhere,
  readWorkspace: elsewhere,
  writeWorkspace: elsewhere,
  writeSettlementPolicy: elsewhere,
};

/** A request that is tried, and stores nothing. */
const tried = async (operation: Operation): Promise<Reply> => {
  const ask = await succeeding(operation);
  return send(engine.call, operation, { ...ask, json: { ...(ask.json as object), dry_run: true } });
};

/** Operations whose responses of 200 have a body only where the request is tried. */
const TRIED: ReadonlySet<string> = new Set([
  "createPartner",
  "startSettlementRun",
  "createCommissionFormula",
  "assignCommissionPlan",
  "replaceAttribution",
  "recreditAttribution",
]);

/** The request for which an operation returns a status. */
const PROVOKED: Readonly<Record<string, (operation: Operation) => Promise<Answered>>> = {
  200: (operation) => (TRIED.has(operation.id) ? tried : succeed)(operation),
  201: succeed,
  400: async (operation) => {
    const ask = await succeeding(operation);
    return operation.id === WEBHOOK
      ? send(engine.call, operation, { ...ask, json: {}, headers: signed("{}") })
      : send(engine.call, operation, { ...ask, query: "unknown=1" });
  },
  401: (operation) => send(engine.call, operation, nowhere(operation), { token: null }),
  403: async (operation) => {
    const token = await engine.keyOf({ customer_id: engine.customerId, scopes: [] });
    return send(engine.call, operation, nowhere(operation), { token });
  },
  404: (operation) =>
    ABSENT[operation.id]?.(operation) ??
    send(engine.call, operation, signedNowhere(operation), credentialFor(operation)),
  408: async ({ id }) => stalled.get(id) ?? Promise.reject(new Error(`${id} was not sent`)),
  409: (operation) => (CONFLICTS[operation.id] ?? reuse)(operation),
  413: (operation) =>
    send(engine.call, operation, { id: signedNowhere(operation).id ?? "" }, oversized(operation)),
  414: (operation) => send(engine.call, operation, { ...nowhere(operation), query: "x".repeat(17_000) }),
  415: (operation) =>
    send(
      engine.call,
      operation,
      { id: nowhere(operation).id ?? "" },
      {
        body: "x",
        headers: { "content-type": "text/plain" },
      },
    ),
  429: (operation) => send(limited, operation, nowhere(operation)),
  431: (operation) =>
    send(engine.call, operation, nowhere(operation), { headers: { "x-long": "x".repeat(17_000) } }),
  500: (operation) => send(broken, operation, signedNowhere(operation)),
  503: (operation) => send(unavailable, operation, signedNowhere(operation)),
};

const cells = operations.flatMap((operation) =>
  Object.keys(operation.responses).map((status) => ({ operation, name: operation.name, status })),
);

describe("every operation returns every status that it documents", () => {
  it("and each of them is tested", () => {
    expect(cells.length).toBeGreaterThan(500);
    expect(cells.filter(({ status }) => PROVOKED[status] === undefined)).toEqual([]);
    expect(operations.filter(({ id }) => requests[id] === undefined)).toEqual([]);
    expect(Object.keys(requests).filter((id) => !operations.some((known) => known.id === id))).toEqual([]);
  });

  it.concurrent.each(cells)("$name $status", async ({ operation, status }) => {
    const answered = await PROVOKED[status]?.(operation);
    if (answered === undefined) throw new Error(`nothing provokes ${status}`);
    expect(`${answered.status} ${answered.status < 300 ? "" : answered.text}`).toMatch(`${status} `);
    expect(fault(operation, answered)).toBeNull();
  });
});

/** Media types that a client may ask for: those of files that some operation returns, and those that none does. */
const ASKED_TYPES = [
  "application/json",
  "application/octet-stream",
  "application/pdf",
  "application/xml",
  "image/png",
  "text/csv",
  "text/plain",
];

/** The order values of settlements whose documents the service issues, by operation. */
const ISSUED: Readonly<Record<string, number>> = {
  downloadSettlementReport: 12_000,
  downloadSettlementInvoice: 12_000,
  downloadSettlementCreditNote: -12_000,
};

/** XRechnung asks for it. */
const CONTACT = { name: "Ida Nord", phone: "+45 33 12 34 56", email: "ida@nordlys.example" };

/** A settlement with every document that the service issues for it. */
const issued = async (orderValue: number): Promise<string> => {
  const { draft, act } = await scene(
    drawing,
    { billing_mode: "self_billing", self_billing_data: { ...SELF_BILLING, contact: CONTACT } },
    orderValue,
  );
  const id = await draft();
  await act(id, "approve");
  await drawing.settle();
  if (orderValue < 0) await act(id, "review", { decision: "issue_credit_note" });
  await drawing.settle();
  return id;
};

/** The requests of an operation whose responses together have each of its media types, and the engine that draws them. */
const varied = async (operation: Operation): Promise<readonly [Engine, ReadonlyArray<Ask>]> => {
  const orderValue = ISSUED[operation.id];
  if (orderValue === undefined) {
    const isDrawn = operation.id === "readPartnerStatement" || operation.id === "readCommissionPlanTerms";
    const target = isDrawn ? drawing : engine;
    return [target, [await requestOf(target, operation)]];
  }
  const id = await issued(orderValue);
  const hasEInvoice = operation.parameters.some(({ name }) => name === "format");
  return [
    drawing,
    hasEInvoice
      ? [
          { id },
          ...["ubl", "cii", "xrechnung", "xrechnung-cii"].map((name) => ({ id, query: `format=${name}` })),
          { id, query: "format=ubl&attachment=pdf" },
        ]
      : [{ id }],
  ];
};

const reads = operations.filter(({ method }) => method === "GET");

describe("every operation returns every media type that it documents, and no other", () => {
  it.concurrent.each(reads)("$name", async (operation) => {
    const [target, asks] = await varied(operation);
    const returned = new Set<string>();
    for (const ask of asks) {
      for (const accept of ASKED_TYPES) {
        const headers = { ...ask.headers, accept };
        const answered = await send(target.call, operation, { ...ask, headers });
        expect(`${answered.status} ${answered.text.slice(0, 200)}`).toMatch("200 ");
        expect(fault(operation, answered)).toBeNull();
        returned.add(answered.headers.get("content-type")?.split(";")[0] ?? "");
      }
    }
    expect([...returned].sort()).toEqual(Object.keys(operation.responses[200]?.content ?? {}).sort());
  });
});
