/** The values of settings, read from text; what is wrong is told in one line that repeats no secret. */
import { readFileSync } from "node:fs";
import { Either, Redacted } from "effect";
import type { PaymentWebhookSecrets, RateLimit } from "quittance/http";

/** A value, or the line that says why there is none. */
export type Value<A> = Either.Either<A, string>;

/** Where records live. */
export type Database =
  | { readonly type: "memory" }
  | { readonly type: "pglite"; readonly folder: string }
  | { readonly type: "postgres"; readonly url: string };

/** The folder of the store that is served when no other is named, relative to the working folder. */
export const DEFAULT_FOLDER = ".quittance/data";

/** Where spans are sent, and under which name. */
export interface Tracing {
  /** The collector's base URL: traces go to `v1/traces` below it. */
  readonly endpoint: string;
  readonly serviceName: string;
}

const ADMIN_TOKEN_MIN = 32;
const PAYMENT_SECRET_MIN = 16;

/** One of a few words. */
export const oneOf = <Choice extends string>(
  name: string,
  text: string,
  choices: ReadonlyArray<Choice>,
): Value<Choice> => {
  const chosen = choices.find((choice) => choice === text);
  return chosen === undefined
    ? Either.left(`${name} must be one of ${choices.join(", ")}, not "${text}"`)
    : Either.right(chosen);
};

/** A whole number within bounds. */
export const whole = (name: string, text: string, low: number, high: number): Value<number> =>
  /^\d{1,15}$/.test(text) && Number(text) >= low && Number(text) <= high
    ? Either.right(Number(text))
    : Either.left(`${name} must be a number from ${low} to ${high}, not "${text}"`);

/** The store that a URL names; the message never repeats the URL, which may hold a password. */
export const databaseOf = (url: string): Value<Database> => {
  if (url === "memory:") return Either.right({ type: "memory" });
  const folder = /^pglite:\/\/(.+)$/.exec(url)?.[1];
  if (folder !== undefined) return Either.right({ type: "pglite", folder });
  return /^postgres(ql)?:\/\//.test(url) && URL.canParse(url)
    ? Either.right({ type: "postgres", url })
    : Either.left("DATABASE_URL must be memory:, pglite://<folder> or postgres://…");
};

/** The platform's token; empty: there is none. */
export const adminTokenOf = (name: string, text: string): Value<string | null> =>
  text === ""
    ? Either.right(null)
    : text.length < ADMIN_TOKEN_MIN
      ? Either.left(`${name} must have at least ${ADMIN_TOKEN_MIN} characters`)
      : Either.right(text);

const RATE = /^(\d{1,6}(?:\.\d{1,3})?)(?::(\d{1,7}))?$/;

/** `<requests per second>`, or with how many may come at once behind a colon; `off`: no limit. */
export const rateLimitOf = (name: string, text: string): Value<RateLimit | null> => {
  if (text === "off") return Either.right(null);
  const [, rate = "0", stated] = RATE.exec(text) ?? [];
  const requestsPerSecond = Number(rate);
  const burst = stated === undefined ? Math.max(1, Math.ceil(requestsPerSecond)) : Number(stated);
  return requestsPerSecond > 0 && burst >= 1
    ? Either.right({ requestsPerSecond, burst })
    : Either.left(`${name} must be off or <requests per second>[:<at once>], as in 20:100, not "${text}"`);
};

/** The texts between separators, without the space around them. */
const parts = (text: string, separator: string): ReadonlyArray<string> =>
  text
    .split(separator)
    .map((part) => part.trim())
    .filter((part) => part !== "");

const isOrigin = (text: string): boolean =>
  /^https?:/.test(text) && URL.canParse(text) && new URL(text).origin === text;

/** Origins as browsers send them, separated by commas. */
export const originsOf = (name: string, text: string): Value<ReadonlyArray<string>> => {
  const origins = parts(text, ",");
  const wrong = origins.find((origin) => !isOrigin(origin));
  return wrong === undefined
    ? Either.right(origins)
    : Either.left(`${name} must be origins like https://app.example, separated by commas, not "${wrong}"`);
};

const PAIR = /^([a-z0-9][a-z0-9._-]{0,63})=([\x21-\x7e]+)$/;

const secretsOf = (name: string, pairs: ReadonlyArray<string>): Value<PaymentWebhookSecrets> => {
  const secrets = new Map<string, Redacted.Redacted<string>>();
  for (const pair of pairs) {
    const [, provider = "", secret = ""] = PAIR.exec(pair) ?? [];
    if (secret.length < PAYMENT_SECRET_MIN) {
      return Either.left(
        `${name} must hold <provider>=<secret>, with a secret of at least ${PAYMENT_SECRET_MIN} visible characters`,
      );
    }
    if (secrets.has(provider))
      return Either.left(`${name} must name a provider once, not "${provider}" again`);
    secrets.set(provider, Redacted.make(secret));
  }
  return Either.right(Object.fromEntries(secrets));
};

const linesOf = (name: string, file: string): Value<ReadonlyArray<string>> =>
  file === ""
    ? Either.right([])
    : Either.mapBoth(
        Either.try(() => readFileSync(file, "utf8")),
        {
          onLeft: () => `${name} must name a file that can be read, not "${file}"`,
          onRight: (text) => parts(text, "\n").filter((line) => !line.startsWith("#")),
        },
      );

/** The secrets of payment providers: pairs separated by commas, and those of a file, one a line. */
export const paymentSecretsOf = (
  names: { readonly text: string; readonly file: string },
  text: string,
  file: string,
): Value<PaymentWebhookSecrets> =>
  Either.gen(function* () {
    const stated = yield* secretsOf(names.text, parts(text, ","));
    const kept = yield* secretsOf(names.file, yield* linesOf(names.file, file));
    const twice = Object.keys(kept).find((provider) => provider in stated);
    return twice === undefined
      ? { ...stated, ...kept }
      : yield* Either.left(`${names.text} and ${names.file} must not both name the provider "${twice}"`);
  });

/** Where spans go; empty: nowhere. */
export const tracingOf = (name: string, endpoint: string, serviceName: string): Value<Tracing | null> => {
  if (endpoint === "") return Either.right(null);
  const url = URL.canParse(endpoint) ? new URL(endpoint) : null;
  return url !== null && /^https?:$/.test(url.protocol) && url.username === "" && url.password === ""
    ? Either.right({ endpoint, serviceName })
    : Either.left(`${name} must be an http or https URL without credentials`);
};
