/** A service for the examples of generated pages: the whole interface over a memory store, with predictable ids and a settable clock. */
import { Clock, Effect, Layer, Logger, ManagedRuntime, Redacted } from "effect";
import { ApiKeys, IdSource, PaymentProvider, Quittance, Webhooks, Worker } from "quittance";
import { webHandler } from "quittance/http";
import { layer as memory } from "quittance/memory";
import { layer as pdf } from "quittance/pdf";
import { webhookSender } from "quittance/webhooks";

/** The credential that creates the first key. */
export const ADMIN = "admin-token-of-the-documentation";

/** Ids that count upwards, and bytes that are not random; the keys of this service are useless elsewhere. */
const ids = (): IdSource.IdSourceService => {
  let made = 0;
  const nextAt = <Id extends string>(): Id =>
    `019b7000-0000-7000-8000-${(++made).toString(16).padStart(12, "0")}` as Id;
  return {
    next: <Id extends string>() => Effect.sync(() => nextAt<Id>()),
    nextAt: <Id extends string>() => nextAt<Id>(),
    randomBytes: (length) =>
      Effect.sync(() => Uint8Array.from({ length }, (_, index) => 7 * index + 31 * made)),
  };
};

const clockAt = (moment: { now: number }): Clock.Clock => ({
  [Clock.ClockTypeId]: Clock.ClockTypeId,
  unsafeCurrentTimeMillis: () => moment.now,
  unsafeCurrentTimeNanos: () => BigInt(moment.now) * 1_000_000n,
  currentTimeMillis: Effect.sync(() => moment.now),
  currentTimeNanos: Effect.sync(() => BigInt(moment.now) * 1_000_000n),
  // Sleeps are real: with a sleep of no time, the time limit would stop the rendering of a document at once.
  sleep: Clock.make().sleep,
});

/** A provider that accepts every order and never reports. */
const payments = Layer.succeed(
  PaymentProvider.PaymentProvider,
  PaymentProvider.provider({ send: () => Effect.void }),
);

/** Receivers that take every event; no request is sent. */
const webhooks = Layer.succeed(Webhooks.WebhookSender, {
  ...webhookSender(),
  send: () => Effect.succeed(200),
});

const services = () =>
  Layer.mergeAll(
    Quittance.layerWith(Layer.sync(IdSource.IdSource, ids)),
    Layer.provide(ApiKeys.layerVerifier, Layer.succeed(ApiKeys.AdminToken, Redacted.make(ADMIN))),
  ).pipe(Layer.provide([payments, webhooks, pdf]), Layer.provideMerge(memory));

/** A response; `body` is parsed JSON, else text, or null if it is empty. */
export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
}

/** A request: JSON, or a form with the part `file`. */
export interface ServiceRequest {
  readonly method: string;
  /** The path below `/api/v1`. */
  readonly path: string;
  readonly json?: unknown;
  readonly file?: {
    readonly name: string;
    readonly text: string;
    /** Further text parts. */
    readonly parts?: Readonly<Record<string, string>>;
  };
  readonly headers?: Readonly<Record<string, string>>;
}

const bodyOf = ({ json, file }: ServiceRequest): string | FormData | null => {
  if (file === undefined) return json === undefined ? null : JSON.stringify(json);
  const form = new FormData();
  form.set("file", new Blob([file.text]), file.name);
  for (const [name, text] of Object.entries(file.parts ?? {})) form.set(name, text);
  return form;
};

const replyOf = async (response: Response): Promise<Reply> => {
  const text = await response.text();
  const isJson = response.headers.get("content-type")?.startsWith("application/json") ?? false;
  return {
    status: response.status,
    headers: response.headers,
    body: isJson ? JSON.parse(text) : text || null,
  };
};

/** A running service. */
export interface Service {
  /** Sets the clock; it stands still until it is set again. */
  readonly at: (datetime: string) => void;
  readonly call: (credential: string, request: ServiceRequest) => Promise<Reply>;
  /** Runs the worker until it has rendered every document that is due. */
  readonly work: () => Promise<unknown>;
  readonly stop: () => Promise<void>;
}

/** Starts a service without records. */
export const start = async (): Promise<Service> => {
  const moment = { now: 0 };
  const silent = Logger.remove(Logger.defaultLogger);
  const runtime = ManagedRuntime.make(Layer.mergeAll(services(), Layer.setClock(clockAt(moment)), silent));
  const handle = webHandler(await runtime.runtime(), { ready: Effect.void });
  return {
    at: (datetime) => {
      moment.now = Date.parse(datetime);
    },
    call: async (credential, request) => {
      const headers = {
        authorization: `Bearer ${credential}`,
        ...(request.json === undefined ? {} : { "content-type": "application/json" }),
        ...request.headers,
      };
      const { method, path } = request;
      return replyOf(
        await handle(
          new Request(`http://localhost/api/v1${path}`, { method, headers, body: bodyOf(request) }),
        ),
      );
    },
    work: () => runtime.runPromise(Effect.flatMap(Worker.Worker, ({ drain }) => drain)),
    stop: () => runtime.dispose(),
  };
};
