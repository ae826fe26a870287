/**
 * A client of the HTTP interface, for browsers, Node and edge runtimes. Its methods are those of `quittance/promise`, made
 * from the contract of the interface.
 */
import { make } from "./Client.ts";
import type { Services as Derived, Settlement } from "./Contract.ts";
import { refuse } from "./Refuse.ts";
import { type WaitOptions, waitFor } from "./WaitFor.ts";

export type { Expression } from "quittance/formula";
export type { CallOptions, Download, Moment, Upload } from "./Call.ts";
export type * from "./Contract.ts";
export * from "./QuittanceError.ts";

export type { WaitOptions } from "./WaitFor.ts";
export * from "./WebhookVerifier.ts";

/** Where the server is, and how it is called. */
export interface ConnectOptions {
  /** The address of the server, such as `https://pay.example` or `https://shop.example/billing`; on its own pages also `""`. */
  readonly url: string;
  /** The bearer credential: an API key or a token, or a function that returns a valid one for each attempt. */
  readonly key: string | (() => string | Promise<string>);
  /** The longest time of an attempt, in milliseconds; 30,000 by default. */
  readonly timeout?: number;
  /** How often a call is repeated at most when that is safe; 3 by default. */
  readonly retries?: number;
  /** Further headers of every request. */
  readonly headers?: Readonly<Record<string, string>>;
  /** In place of the global `fetch`. */
  readonly fetch?: typeof fetch;
}

/** The services of a server for the holder of a key. */
export interface Client extends Omit<Derived, "settlements"> {
  readonly settlements: Derived["settlements"] & {
    /** The settlement once it is in one of the states; rejects with `TimeoutError` after the time limit. */
    readonly waitFor: (
      id: string,
      states: ReadonlyArray<Settlement["status"]["type"]>,
      options?: WaitOptions,
    ) => Promise<Settlement>;
  };
}

const TIMEOUT_MILLISECONDS = 30_000;
const RETRIES = 3;

const baseOf = (url: unknown): string => {
  if (typeof url !== "string" || !/^(https?:\/\/[^/?#]+)?(\/[^?#]*)?$/.test(url)) {
    throw refuse("url", "must begin with http:// or https://, or be a path of this page's server");
  }
  return url.replace(/\/+$/, "").replace(/\/api\/v1$/, "");
};

const authorization = (key: unknown): string => {
  if (typeof key === "string" && /^[!-~]+$/.test(key)) return `Bearer ${key}`;
  throw refuse("key", "must be an API key or a token: visible ASCII characters");
};

const wholeNumber = (value: number, field: string): number => {
  if (Number.isSafeInteger(value) && value >= 0) return value;
  throw refuse(field, "must be a whole number that is not negative");
};

const OPTIONS: ReadonlySet<string> = new Set([
  "url",
  "key",
  "timeout",
  "retries",
  "headers",
  "fetch",
] satisfies ReadonlyArray<keyof ConnectOptions>);

/** The client of a server. Sends nothing yet; throws an `InvalidError` when an option is wrong. */
export const connect = (options: ConnectOptions): Client => {
  const unknown = Object.keys(options).find((name) => !OPTIONS.has(name));
  if (unknown !== undefined)
    throw refuse(unknown, `is not a known option; known are ${[...OPTIONS].join(", ")}`);
  const { key, headers = {} } = options;
  if (typeof key !== "function") authorization(key);
  const services = make(
    {
      fetch: options.fetch ?? ((...request) => fetch(...request)),
      headers: async () => ({
        ...headers,
        authorization: authorization(typeof key === "function" ? await key() : key),
      }),
      timeout: wholeNumber(options.timeout ?? TIMEOUT_MILLISECONDS, "timeout"),
      retries: wholeNumber(options.retries ?? RETRIES, "retries"),
    },
    baseOf(options.url),
  );
  return {
    ...services,
    settlements: {
      ...services.settlements,
      waitFor: async (id, states, chosen) =>
        await waitFor((signal) => services.settlements.get(id, signal), states, chosen),
    },
  };
};
