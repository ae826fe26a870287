/** The engine on a memory store with its HTTP interface, which the tests of this folder use. */
import type { Server } from "node:http";
import { Context, Effect, Layer, Logger, ManagedRuntime, Redacted, Runtime } from "effect";
import { ApiKeys, Documents, PaymentProvider, Quittance, Storage, Webhooks, Worker } from "quittance";
import { type Options, webHandler } from "quittance/http";
import { layer as memory } from "quittance/memory";
import { webhookSender } from "quittance/webhooks";

export const ADMIN_TOKEN = "admin-token-of-the-tests-0123456789";

/** Documents in words, since these tests look at how bytes travel and not at what they show. */
const words: Documents.DocumentRendererService = {
  render: ({ kind, settlement }) =>
    Effect.succeed({ bytes: new TextEncoder().encode(`${kind} of ${settlement.id}`), extension: "pdf" }),
};

/** Receivers that take every event; no request is sent. */
const receiving: Webhooks.WebhookSenderService = { ...webhookSender(), send: () => Effect.succeed(200) };

/** Every storage port; in memory unless a test supplies another. */
export type Store = Layer.Layer<Layer.Layer.Success<typeof memory>, Storage.StorageError>;

/** Every service over one store, with the store and the verifier of credentials. */
export const services = (
  policy: Quittance.ChosenPolicy = {},
  provider: PaymentProvider.PaymentProviderService | null = null,
  store: Store = memory,
  renderer: Documents.DocumentRendererService = words,
) =>
  Layer.mergeAll(Quittance.layer(policy), ApiKeys.layerVerifier).pipe(
    Layer.provideMerge(Layer.merge(store, Layer.succeed(Documents.DocumentRenderer, renderer))),
    Layer.provide(Layer.succeed(PaymentProvider.PaymentProvider, provider)),
    Layer.provide(Layer.succeed(Webhooks.WebhookSender, receiving)),
    Layer.provide(Layer.succeed(ApiKeys.AdminToken, Redacted.make(ADMIN_TOKEN))),
  );

/** Log lines as the logger got them: message and annotations in one text. */
export const captured = (lines: Array<string>): Layer.Layer<never> =>
  Logger.replace(
    Logger.defaultLogger,
    Logger.make(({ message, annotations, logLevel }) => {
      lines.push(`${logLevel.label} ${JSON.stringify(message)} ${JSON.stringify([...annotations])}`);
    }),
  );

/** A response: the body is parsed when it is JSON, else text. */
export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of many shapes
  readonly body: any;
  readonly text: string;
  readonly bytes: Uint8Array;
}

export interface Asked {
  readonly token?: string | null;
  readonly json?: unknown;
  readonly body?: Exclude<ConstructorParameters<typeof Response>[0], null>;
  readonly headers?: Readonly<Record<string, string>>;
}

export type Call = (method: string, path: string, asked?: Asked) => Promise<Reply>;

const replyOf = async (response: Response): Promise<Reply> => {
  const bytes = new Uint8Array(await response.arrayBuffer());
  // A byte order mark is part of a file; `response.text()` would remove it.
  const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
  const isJson = response.headers.get("content-type")?.startsWith("application/json") ?? false;
  return {
    status: response.status,
    headers: response.headers,
    text,
    bytes,
    body: isJson && text !== "" ? JSON.parse(text) : text,
  };
};

/** Calls a web handler; JSON bodies get their media type. */
export const caller =
  (handler: (request: Request) => Promise<Response>, standardToken: string): Call =>
  async (method, path, asked = {}) => {
    const { token = standardToken, json, body, headers = {} } = asked;
    const request = new Request(`http://engine.test${path}`, {
      method,
      headers: {
        ...(token === null ? {} : { authorization: `Bearer ${token}` }),
        ...(json === undefined ? {} : { "content-type": "application/json" }),
        ...headers,
      },
      ...(json === undefined ? {} : { body: JSON.stringify(json) }),
      ...(body === undefined ? {} : { body, duplex: "half" }),
    } as RequestInit);
    return replyOf(await handler(request));
  };

export const READY: Options = { ready: Effect.void };

/** A runtime of the engine in which a part of one service is replaced. */
export const stubbed = async <I, S>(tag: Context.Tag<I, S>, stub: Partial<S>, logs: Array<string> = []) => {
  const runtime = await ManagedRuntime.make(Layer.merge(services(), captured(logs))).runtime();
  const whole = Context.get(runtime.context as Context.Context<I>, tag);
  const context = Context.add(runtime.context, tag, { ...whole, ...stub });
  return Runtime.make({ ...runtime, context });
};

/** How a test's engine is mounted, who pays, and what keeps its records. */
export interface Mount extends Omit<Options, "ready"> {
  readonly provider?: PaymentProvider.PaymentProviderService | null;
  readonly store?: Store;
  readonly renderer?: Documents.DocumentRendererService;
}

/** A running engine with one customer and a key of every scope. */
export const start = async (
  policy: Quittance.ChosenPolicy = {},
  logs: Array<string> = [],
  { provider = null, store = memory, renderer = words, ...mount }: Mount = {},
) => {
  const runtime = ManagedRuntime.make(
    Layer.merge(services(policy, provider, store, renderer), captured(logs)),
  );
  const handler = webHandler(await runtime.runtime(), {
    ...mount,
    measure: await runtime.runPromise(Effect.map(Worker.Worker, (worker) => worker.measure)),
    ready: Effect.flatMap(Storage.Storage, ({ ready }) => ready).pipe(
      Effect.provide(await runtime.runtime()),
    ),
  });
  const turns = Effect.unsafeMakeSemaphore(1).withPermits(1);
  const admin = caller(handler, ADMIN_TOKEN);
  const keyOf = async (grant: Readonly<Record<string, unknown>>): Promise<string> => {
    const made = await admin("POST", "/api/v1/api-keys", { json: grant });
    if (made.status !== 201) throw new Error(made.text);
    return made.body.key;
  };
  const customerId = crypto.randomUUID();
  const token = await keyOf({ customer_id: customerId, scopes: SCOPES });
  return {
    runtime,
    handler,
    admin,
    customerId,
    workspaceId: crypto.randomUUID(),
    token,
    call: caller(handler, token),
    keyOf,
    /** Lets the worker do all it has to do. Calls take turns: a worker leaves alone what another one is processing. */
    settle: () => runtime.runPromise(turns(Effect.flatMap(Worker.Worker, (worker) => worker.drain))),
    logs,
  };
};

export type Engine = Awaited<ReturnType<typeof start>>;

export const SCOPES = [
  "attributions:read",
  "attributions:write",
  "schemas:read",
  "schemas:write",
  "partners:read",
  "partners:write",
  "formulas:read",
  "formulas:write",
  "commissions:read",
  "settlements:read",
  "settlements:write",
  "settlements:approve",
  "settlements:pay",
  "payouts:read",
  "events:read",
  "events:write",
  "keys:admin",
];

/** Lets a server listen on a free port; returns the port. */
export const listening = (server: Server): Promise<number> =>
  new Promise((resolve) => {
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      resolve(typeof address === "object" && address !== null ? address.port : 0);
    });
  });
