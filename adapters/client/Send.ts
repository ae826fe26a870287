/** Sends requests: with a time limit, and again when that is safe. */
import { UNCHANGED } from "./Contract.ts";
import { fieldOf } from "./FieldOf.ts";
import {
  ConflictError,
  type Facts,
  ForbiddenError,
  InternalError,
  InvalidError,
  NotFoundError,
  QuittanceError,
  RateLimitError,
  TimeoutError,
  UnauthorizedError,
  UnavailableError,
} from "./QuittanceError.ts";
import { parse } from "./Values.ts";
import { pause } from "./WaitFor.ts";

/** How requests are sent. */
export interface Transport {
  readonly fetch: typeof fetch;
  /** The headers of every request; called for each attempt. */
  readonly headers: () => Promise<Readonly<Record<string, string>>>;
  /** The longest time of an attempt, in milliseconds. */
  readonly timeout: number;
  /** How often a request is repeated at most. */
  readonly retries: number;
}

/** One request. */
interface Message {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | FormData | null;
  /** True if a repetition has no second effect. */
  readonly isRepeatable: boolean;
  readonly signal: AbortSignal | undefined;
}

/** A response that has arrived as a whole. */
export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Uint8Array;
}

const BACKOFF_MILLISECONDS = 250;
const BACKOFF_MILLISECONDS_MAX = 8_000;

/** A longer wait that the server requires is left to the caller. */
const RETRY_AFTER_SECONDS_MAX = 60;

const isJson = (headers: Headers): boolean => /^application\/json\b/i.test(headers.get("content-type") ?? "");

/** The text of a reply. */
const textOf = ({ bytes }: Reply): string => new TextDecoder().decode(bytes);

/** The JSON value of a reply; undefined when it has none. */
export const jsonOf = (reply: Reply): unknown => {
  if (reply.bytes.length === 0 || !isJson(reply.headers)) return undefined;
  try {
    return parse(textOf(reply));
  } catch (cause) {
    throw new InternalError("the response is not valid JSON", { ...factsOf(reply), cause });
  }
};

/** Retry-After has seconds or a date (RFC 9110, 10.2.3). */
const retryAfterOf = (headers: Headers): number | null => {
  const text = headers.get("retry-after");
  if (text === null) return null;
  const seconds = /^\d+$/.test(text) ? Number(text) : (Date.parse(text) - Date.now()) / 1_000;
  return Number.isNaN(seconds) ? null : Math.max(0, Math.ceil(seconds));
};

const factsOf = ({ status, headers }: Reply): Facts => ({
  status,
  requestId: headers.get("x-request-id"),
  retryAfter: retryAfterOf(headers),
});

/** The error for a response that does not come from a server of Quittance. */
const foreignError = (reply: Reply, facts: Facts): QuittanceError => {
  const { status, headers } = reply;
  const target = headers.get("location");
  const message =
    status < 400
      ? `the server redirects to ${target ?? "another address"}: use that address as url`
      : `the server responded with ${status}, and not with an error of Quittance: ${textOf(reply).slice(0, 200)}`;
  return status > 500 ? new UnavailableError(message, facts) : new InternalError(message, facts);
};

const errorOf = (reply: Reply): QuittanceError => {
  const facts = factsOf(reply);
  const { error_code: code, message, ...more } = (jsonOf(reply) ?? {}) as Readonly<Record<string, unknown>>;
  if (typeof code !== "string" || typeof message !== "string") return foreignError(reply, facts);
  const field = typeof more.field === "string" ? fieldOf(more.field, UNCHANGED) : null;
  const located = { ...facts, field };
  switch (code) {
    case "BAD_REQUEST":
      return reply.status === 429 ? new RateLimitError(message, facts) : new InvalidError(message, located);
    case "UNAUTHORIZED":
      return new UnauthorizedError(message, facts);
    case "FORBIDDEN":
      return new ForbiddenError(message, located);
    case "NOT_FOUND":
      return new NotFoundError(message, facts);
    case "CONFLICT":
      return new ConflictError(typeof more.token === "string" ? more.token : "", message, facts);
    default:
      return reply.status === 503 ? new UnavailableError(message, facts) : new InternalError(message, facts);
  }
};

/** Sends once; rejects with the reason of the signal, or with an error when no response has arrived. */
const attempt = async ({ fetch, headers, timeout }: Transport, message: Message): Promise<Reply> => {
  const { url, method, body, signal } = message;
  const sent = { ...(await headers()), ...message.headers };
  signal?.throwIfAborted();
  const controller = new AbortController();
  const stop = (): void => controller.abort();
  const timer = setTimeout(stop, timeout);
  signal?.addEventListener("abort", stop, { once: true });
  try {
    const response = await fetch(url, {
      method,
      headers: sent,
      body,
      // A redirected POST would become a GET.
      redirect: "manual",
      signal: controller.signal,
    });
    return {
      status: response.status,
      headers: response.headers,
      bytes: new Uint8Array(await response.arrayBuffer()),
    };
  } catch (cause) {
    signal?.throwIfAborted();
    if (controller.signal.aborted) {
      throw new TimeoutError(`${method} ${url}: no response within ${timeout} ms`, { status: 0, cause });
    }
    const reason = cause instanceof Error ? (cause.cause instanceof Error ? cause.cause : cause).message : "";
    throw new UnavailableError(`${method} ${url}: the server cannot be reached: ${reason}`, {
      status: 0,
      cause,
    });
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", stop);
  }
};

const PASSING: ReadonlySet<number> = new Set([0, 408, 429, 502, 503, 504]);

/** True if a repetition may succeed. */
const isPassing = (error: unknown): error is QuittanceError =>
  error instanceof QuittanceError &&
  (error.token === "busy" || PASSING.has(error.status)) &&
  (error.retryAfter ?? 0) <= RETRY_AFTER_SECONDS_MAX;

/** The pause before a repetition: random up to a bound that doubles, and not shorter than the server requires. */
const pauseMilliseconds = (repetition: number, { retryAfter }: QuittanceError): number =>
  Math.max(
    (retryAfter ?? 0) * 1_000,
    Math.random() * Math.min(BACKOFF_MILLISECONDS_MAX, BACKOFF_MILLISECONDS * 2 ** repetition),
  );

/** The response to a request, repeated while that may help and has no second effect. Rejects with a `QuittanceError`. */
export const send = async (transport: Transport, message: Message): Promise<Reply> => {
  const retries = message.isRepeatable ? transport.retries : 0;
  for (let repetition = 0; ; repetition += 1) {
    message.signal?.throwIfAborted();
    try {
      const reply = await attempt(transport, message);
      if (reply.status >= 200 && reply.status < 300) return reply;
      throw errorOf(reply);
    } catch (error) {
      if (repetition >= retries || !isPassing(error)) throw error;
      await pause(pauseMilliseconds(repetition, error), message.signal);
    }
  }
};
