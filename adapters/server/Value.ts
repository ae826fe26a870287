/** The kinds of settings. An error is one line and repeats no secret. */
import { readFileSync } from "node:fs";
import { Either, Redacted } from "effect";
import { Limits, type PayoutAccount, WorkerSettings } from "quittance";
import type { PaymentWebhookSecrets, RateLimit } from "quittance/http";
import { BEARER_TOKEN } from "../http/server/checks/BearerToken.ts";
import { addressProblem } from "../postgres/AddressProblem.ts";

/** A value, or the line with the reason why there is none. */
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

/** An identity provider whose tokens are accepted in addition to API keys. */
export interface IdentityProvider {
  readonly issuer: string;
  readonly audience: string;
  /** Where it publishes its keys. */
  readonly keys: URL;
}

const BEARER = new RegExp(`^${BEARER_TOKEN}$`);
const PAYMENT_SECRET_MIN = 16;

/** How the text of a setting is read. */
export interface Kind<A> {
  /** Which values are accepted, as Markdown; empty where the meaning of the setting lists them. */
  readonly values: string;
  /** The value, or the line that names the setting and what it must be. */
  readonly parse: (name: string, text: string) => Value<A>;
}

const code = (text: string): string => `\`${text}\``;

/** One of a few words. */
export const oneOf = <const Choice extends string>(choices: ReadonlyArray<Choice>): Kind<Choice> => ({
  values: choices.map(code).join(", "),
  parse: (name, text) => {
    const chosen = choices.find((choice) => choice === text);
    return chosen === undefined
      ? Either.left(`${name} must be one of ${choices.join(", ")}, not "${text}"`)
      : Either.right(chosen);
  },
});

/** A text of a form; null where it is empty. */
export const formed = (isFormed: (text: string) => boolean, form: string): Kind<string | null> => ({
  values: form,
  parse: (name, text) => {
    const stated = text.trim();
    if (stated === "") return Either.right(null);
    return isFormed(stated) ? Either.right(stated) : Either.left(`${name} must be ${form}, not "${stated}"`);
  },
});

/** What confirms payout accounts: a word, or hours as in `48h`. */
export const payoutConfirmation: Kind<PayoutAccount.Confirmation> = {
  values: "`at_once`, `second_person`, or hours such as `48h`",
  parse: (name, text) => {
    if (text === "at_once" || text === "second_person") return Either.right(text);
    const afterHours = /^[0-9]{1,4}h$/.test(text) ? Number(text.slice(0, -1)) : 0;
    return afterHours >= 1 && afterHours <= Limits.PAYOUT_HOURS_MAX
      ? Either.right({ afterHours })
      : Either.left(
          `${name} must be at_once, second_person, or 1h to ${Limits.PAYOUT_HOURS_MAX}h, not "${text}"`,
        );
  },
};

/** Some of a few words, separated by commas, in the order stated. */
export const someOf = <const Choice extends string>(
  choices: ReadonlyArray<Choice>,
): Kind<ReadonlyArray<Choice>> => ({
  values: choices.map(code).join(", "),
  parse: (name, list) => {
    const stated = parts(list, ",");
    const wrong = stated.find((part) => !choices.some((choice) => choice === part));
    return stated.length > 0 && wrong === undefined
      ? Either.right([...new Set(stated)].flatMap((part) => choices.filter((choice) => choice === part)))
      : Either.left(
          `${name} must be some of ${choices.join(", ")}, separated by commas, not "${wrong ?? list}"`,
        );
  },
});

/** `on` or `off`. */
export const onOff: Kind<boolean> = (() => {
  const word = oneOf(["on", "off"]);
  return {
    values: word.values,
    parse: (name, text) => Either.map(word.parse(name, text), (chosen) => chosen === "on"),
  };
})();

/** A whole number within bounds, multiplied by `unit`. */
export const wholeNumber = (low: number, high: number, unit = 1): Kind<number> => ({
  values: `${low} to ${high}`,
  parse: (name, text) =>
    /^\d{1,15}$/.test(text) && Number(text) >= low && Number(text) <= high
      ? Either.right(unit * Number(text))
      : Either.left(`${name} must be a number from ${low} to ${high}, not "${text}"`),
});

/** A time limit in seconds, as milliseconds. */
export const timeout: Kind<number> = wholeNumber(1, 3_600, 1_000);

/** Any text. */
export const text: Kind<string> = { values: "", parse: (_, input) => Either.right(input) };

/** Any text without the space around it, but not the empty one. */
export const nonEmpty: Kind<string> = {
  values: "",
  parse: (name, input) =>
    input.trim() === "" ? Either.left(`${name} must not be empty`) : Either.right(input.trim()),
};

/** The store that a URL names; the message never repeats the URL, which may hold a password. */
export const databaseOf = (url: string): Value<Database> => {
  if (url === "memory:") return Either.right({ type: "memory" });
  const folder = /^pglite:\/\/(.+)$/.exec(url)?.[1];
  if (folder !== undefined) return Either.right({ type: "pglite", folder });
  if (!/^postgres(ql)?:\/\//.test(url) || !URL.canParse(url))
    return Either.left("DATABASE_URL must be memory:, pglite://<folder> or postgres://…");
  const problem = addressProblem(url);
  return problem === null ? Either.right({ type: "postgres", url }) : Either.left(`DATABASE_URL: ${problem}`);
};

/** The URL of a database. */
export const database: Kind<Database> = {
  values: "`memory:`, `pglite://<folder>`, `postgres://…`",
  parse: (_, url) => databaseOf(url),
};

/** The token of the platform; null where the text is empty. */
export const adminToken: Kind<string | null> = {
  values: `${Limits.ADMIN_TOKEN_MIN} or more letters, digits and \`-._~+/\``,
  parse: (name, text) => {
    const token = text.trim();
    if (text === "") return Either.right(null);
    if (token.length < Limits.ADMIN_TOKEN_MIN)
      return Either.left(`${name} must have at least ${Limits.ADMIN_TOKEN_MIN} characters`);
    return BEARER.test(token)
      ? Either.right(token)
      : Either.left(`${name} must have letters, digits and -._~+/ only, with = at its end at most`);
  },
};

const RATE = /^(\d{1,6}(?:\.\d{1,3})?)(?::(\d{1,7}))?$/;

/** `<requests per second>`, and after a colon how many may arrive at once; null where there is no limit. */
export const rateLimit: Kind<RateLimit | null> = {
  values: "`off`, `<requests per second>[:<at once>]`",
  parse: (name, limit) => {
    if (limit === "off") return Either.right(null);
    const [, rate = "0", stated] = RATE.exec(limit) ?? [];
    const requestsPerSecond = Number(rate);
    const burst = stated === undefined ? Math.max(1, Math.ceil(requestsPerSecond)) : Number(stated);
    return requestsPerSecond > 0 && burst >= 1
      ? Either.right({ requestsPerSecond, burst })
      : Either.left(`${name} must be off or <requests per second>[:<at once>], as in 20:100, not "${limit}"`);
  },
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
export const origins: Kind<ReadonlyArray<string>> = {
  values: "`https://app.example`, …",
  parse: (name, list) => {
    const stated = parts(list, ",");
    const wrong = stated.find((origin) => !isOrigin(origin));
    return wrong === undefined
      ? Either.right(stated)
      : Either.left(`${name} must be origins like https://app.example, separated by commas, not "${wrong}"`);
  },
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

const PAIR_VALUES = "`<provider>=<secret>`, …";

/** The secrets of payment providers: pairs separated by commas. */
export const paymentSecrets: Kind<PaymentWebhookSecrets> = {
  values: PAIR_VALUES,
  parse: (name, pairs) => secretsOf(name, parts(pairs, ",")),
};

/** A file that holds secrets of payment providers, one pair a line. */
export const paymentSecretsFile: Kind<PaymentWebhookSecrets> = {
  values: "a path",
  parse: (name, file) => Either.flatMap(linesOf(name, file), (lines) => secretsOf(name, lines)),
};

/** Who pays: a word, or the URL of the operator's own payment service. */
export const payouts: Kind<string> = {
  values: "`manual`, `files`, `sepa`, `simulated`, an `https` URL",
  parse: (name, stated) =>
    ["manual", "files", "sepa", "simulated"].includes(stated) ||
    (/^https?:\/\//.test(stated) && URL.canParse(stated))
      ? Either.right(stated)
      : Either.left(
          `${name} must be manual, files, sepa, simulated or the https:// URL of your payment service`,
        ),
};

const secretOf = (text: string): Redacted.Redacted<string> | null =>
  text === "" ? null : Redacted.make(text);

/** A secret; null where the text is empty. */
export const secret: Kind<Redacted.Redacted<string> | null> = {
  values: "",
  parse: (_, text) => Either.right(secretOf(text.trim())),
};

/** A file whose only line is a secret; null where the text is empty. */
export const secretFile: Kind<Redacted.Redacted<string> | null> = {
  values: "a path",
  parse: (name, file) => Either.map(linesOf(name, file), (lines) => secretOf(lines[0] ?? "")),
};

/** The URL of a collector of spans; null where the text is empty. */
export const endpoint: Kind<string | null> = {
  values: "an `http` or `https` URL",
  parse: (name, stated) => {
    if (stated === "") return Either.right(null);
    const url = URL.canParse(stated) ? new URL(stated) : null;
    return url !== null && /^https?:$/.test(url.protocol) && url.username === "" && url.password === ""
      ? Either.right(stated)
      : Either.left(`${name} must be an http or https URL without credentials`);
  },
};

const FONT_FORMS = ["\u0000\u0001\u0000\u0000", "OTTO", "true"];

/** The bytes of a font in a file; null where the text is empty. */
export const font: Kind<Uint8Array | null> = {
  values: "a path",
  parse: (name, file) => {
    if (file === "") return Either.right(null);
    const must = `${name} must name a TrueType or OpenType font that can be read, not "${file}"`;
    return Either.try({ try: () => readFileSync(file), catch: () => must }).pipe(
      Either.filterOrLeft(
        (bytes) => FONT_FORMS.includes(bytes.toString("latin1", 0, 4)),
        () => must,
      ),
    );
  },
};

const { concurrency: CONCURRENCY } = WorkerSettings.DEFAULT;
const LANE = /^([a-z]+)=(\d{1,2})$/;
const LANE_MIN = 2;
const LANE_MAX = 64;

/** How many messages of each kind a worker performs at once. */
export const concurrency: Kind<WorkerSettings.Settings["concurrency"]> = {
  values: "`<kind>=<number>`, …",
  parse: (name, list) => {
    const chosen = new Map<string, number>();
    for (const part of parts(list, ",")) {
      const [, lane = "", count = ""] = LANE.exec(part) ?? [];
      if (!Object.hasOwn(CONCURRENCY, lane) || Number(count) < LANE_MIN || Number(count) > LANE_MAX) {
        return Either.left(
          `${name} must be like ${Object.keys(CONCURRENCY).join("=4,")}=4, each from ${LANE_MIN} to ${LANE_MAX}, not "${part}"`,
        );
      }
      if (chosen.has(lane)) return Either.left(`${name} must name a kind once, not "${lane}" again`);
      chosen.set(lane, Number(count));
    }
    return Either.right({ ...CONCURRENCY, ...Object.fromEntries(chosen) });
  },
};
