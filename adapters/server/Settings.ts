/** The settings of the server. */
import { Either } from "effect";
import { PORT_OF_PARENT } from "./processes/Message.ts";
import { ACCESS, joinJwt } from "./settings/Access.ts";
import { DOCUMENTS, type Fonts, joinFonts } from "./settings/Documents.ts";
import { checkBodyMemory, HTTP, joinExample } from "./settings/Http.ts";
import { joinMail, MAIL, type Mail } from "./settings/Mail.ts";
import { OBSERVATION } from "./settings/Observation.ts";
import { joinPayouts, joinSecrets, PAYOUTS, type Payouts } from "./settings/Payouts.ts";
import { type Parsed, parse, type Setting } from "./settings/Setting.ts";
import { joinSignIn, publicUrlOf, SIGN_IN, type SignIn } from "./settings/SignIn.ts";
import { STORE } from "./settings/Store.ts";
import { WEBHOOKS } from "./settings/Webhooks.ts";
import { WORKER } from "./settings/Worker.ts";
import type * as Value from "./Value.ts";

export type { LogLevel } from "./settings/Observation.ts";
export type { Setting } from "./settings/Setting.ts";

/** The settings by topic, as `--help` and the reference page show them. */
export const TOPICS = {
  "HTTP:": HTTP,
  "Store:": STORE,
  "Access:": ACCESS,
  "Sign-in:": SIGN_IN,
  "Drafts and documents:": DOCUMENTS,
  "Worker:": WORKER,
  "Payouts:": PAYOUTS,
  "Webhooks:": WEBHOOKS,
  "Mail:": MAIL,
  "Log and traces:": OBSERVATION,
};

/** Every setting. An option outranks the environment. */
export const SETTINGS = {
  ...HTTP,
  ...STORE,
  ...ACCESS,
  ...SIGN_IN,
  ...DOCUMENTS,
  ...WORKER,
  ...PAYOUTS,
  ...WEBHOOKS,
  ...MAIL,
  ...OBSERVATION,
};

/** Every setting, checked; a time is in milliseconds, a size in bytes, and null stands for none. */
export interface Settings
  extends Omit<
    Parsed<typeof SETTINGS>,
    | "example"
    | "paymentSecretsFile"
    | "payouts"
    | "payoutsFormat"
    | "payoutsSecret"
    | "payoutsSecretFile"
    | "payoutsPrivate"
    | "mailRoute"
    | "mailFrom"
    | "otlpEndpoint"
    | "serviceName"
    | "logFormat"
    | "fontRegular"
    | "fontBold"
    | "jwtIssuer"
    | "jwtAudience"
    | "jwtKeysUrl"
    | keyof typeof SIGN_IN
  > {
  readonly tracing: Value.Tracing | null;
  /** True if the console may offer the example company. */
  readonly example: boolean;
  /** Who pays. */
  readonly payouts: Payouts;
  /** How mail to partners is sent. */
  readonly mail: Mail | null;
  /** The operator's own fonts for documents. */
  readonly fonts: Fonts | null;
  /** The identity provider whose tokens are accepted. */
  readonly jwt: Value.IdentityProvider | null;
  /** Where browsers reach this server. */
  readonly publicUrl: string | null;
  /** How people sign in to the console. */
  readonly signIn: SignIn | null;
  readonly logFormat: "pretty" | "json";
  /** Variables with the prefix of settings that no setting has: misspelt, or of another version. */
  readonly unknownVariables: ReadonlyArray<string>;
}

const PREFIX = "QUITTANCE_";

/** Variables of the command line and of a server's own processes, and one of earlier versions. */
const OTHER_VARIABLES: ReadonlySet<string> = new Set([
  `${PREFIX}URL`,
  `${PREFIX}KEY`,
  `${PREFIX}EXTENSIONS`,
  PORT_OF_PARENT,
]);

const unknownIn = (environment: Environment): ReadonlyArray<string> => {
  const known = new Set(Object.values(SETTINGS).map(({ name }) => name));
  return Object.keys(environment)
    .filter((name) => name.startsWith(PREFIX) && !known.has(name) && !OTHER_VARIABLES.has(name))
    .sort();
};

const parseSettings = (
  textOf: (setting: Setting<unknown>) => string,
  environment: Environment,
  isTerminal: boolean,
): Value.Value<Settings> =>
  Either.gen(function* () {
    const parsed = yield* parse(SETTINGS, textOf);
    const { otlpEndpoint, serviceName, logFormat } = parsed;
    return {
      ...parsed,
      example: joinExample(parsed, parsed.database),
      fonts: yield* joinFonts(parsed),
      payouts: yield* joinPayouts(parsed),
      mail: yield* joinMail(parsed),
      jwt: yield* joinJwt(parsed),
      publicUrl: publicUrlOf(parsed),
      signIn: yield* joinSignIn(parsed),
      paymentSecrets: yield* joinSecrets(parsed),
      bodyMemoryBytesMax: yield* checkBodyMemory(parsed),
      tracing: otlpEndpoint === null ? null : { endpoint: otlpEndpoint, serviceName },
      logFormat: logFormat ?? (isTerminal ? "pretty" : "json"),
      unknownVariables: unknownIn(environment),
    };
  });

const NO_EXTENSIONS =
  "QUITTANCE_EXTENSIONS=off no longer exists: the published operations alone have dead ends (no credit note can be uploaded, no first key made); remove it, and keep callers from operations by the scopes of their keys";

/** The environment variables of a process. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The text of a setting in an environment, or its default. */
export const settingText =
  (environment: Environment) =>
  ({ name, fallback }: Setting<unknown>): string =>
    (environment[name] ?? "") || fallback;

/**
 * Every setting of an environment; `textOf` overrules it. Returns the line that describes the problem with the first wrong
 * setting. `isTerminal` is whether a person reads the log.
 */
export const readSettings = (
  environment: Environment,
  isTerminal: boolean,
  textOf = settingText(environment),
): Value.Value<Settings> =>
  // A setting of earlier versions; `on` was the default, and is now the only behaviour.
  environment.QUITTANCE_EXTENSIONS === "off"
    ? Either.left(NO_EXTENSIONS)
    : parseSettings(textOf, environment, isTerminal);
