/**
 * What a command works on: a server by its address and a key, or a store directly. Both are reached by the requests of the
 * HTTP interface; those to a store are handled in this process.
 */
import type { Command } from "commander";
import { Effect, Layer, Logger, LogLevel, Predicate, Schema, type Scope } from "effect";
import { Documents, IdSource, Ids, Principal, Quittance, TokenVerifier } from "quittance";
import {
  type CommandFailed,
  commandFailure,
  messageOf,
  unusableDatabase,
  usageError,
} from "./CommandFailed.ts";
import { logBy } from "./Log.ts";
import * as NodeDigest from "./NodeDigest.ts";
import { type Environment, SETTINGS } from "./Settings.ts";
import { databaseOf, orUsage, type Shell, settingOf, type Task } from "./Shell.ts";
import type { OpenStore } from "./Store.ts";

/** A response: the status, and the body as JSON. */
export interface Reply {
  readonly status: number;
  readonly body: unknown;
}

/** Sends a request below `/api/v1/` and returns the response, whatever its status. */
export interface Target {
  readonly request: (
    method: "GET" | "POST" | "PUT" | "DELETE",
    path: string,
    body?: object,
  ) => Effect.Effect<Reply, CommandFailed>;
}

/** Options of a command that works on a server or on a store. */
interface TargetOptions {
  readonly url?: string;
  readonly key?: string;
  readonly customer?: string;
}

/** The scopes of a key whose creator names none. */
export const { DEFAULT_SCOPES } = Principal;

const isCustomerId = Schema.is(Ids.CustomerId);

const FAILED = Schema.Struct({ message: Schema.String });
const isFailure = Schema.is(FAILED);

/** The failure of a request, as the server states it. */
export const refusal = ({ status, body }: Reply, what: string): CommandFailed =>
  commandFailure(`${what}: ${isFailure(body) ? body.message : "no reason given"} (${status})`);

/** The body of a response of this status, or the failure that it states; status 400 means that the command line is wrong. */
export const expectStatus = <Body>(
  reply: Reply,
  status: number,
  what: string,
): Effect.Effect<Body, CommandFailed> => {
  if (reply.status === 400) return usageError(refusal(reply, what).message);
  // The contract of the server states the types of its bodies.
  return reply.status === status ? Effect.succeed(reply.body as Body) : Effect.fail(refusal(reply, what));
};

/** The address of a server, and the key of its caller. */
interface Server {
  readonly url: string;
  readonly key: string;
}

const bodyOf = async (response: Response): Promise<unknown> => {
  const text = await response.text();
  try {
    return text === "" ? null : (JSON.parse(text) as unknown);
  } catch {
    return { message: "the response is not JSON: is this the address of a Quittance server?" };
  }
};

const requestOf = (
  { url, key }: Server,
  {
    method,
    path,
    body,
  }: { readonly method: string; readonly path: string; readonly body: object | undefined },
): Request =>
  new Request(`${url}/api/v1/${path}`, {
    method,
    headers: {
      authorization: `Bearer ${key}`,
      ...(body === undefined ? {} : { "content-type": "application/json" }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });

const TRIES = 5;
const PAUSE_MILLISECONDS = 250;

/** True if the same request may be sent again: creations of attributions, values and receipts are idempotent, others are sent once. */
const isRepeatable = (method: string, path: string): boolean =>
  method === "GET" ||
  path.startsWith("attributions/batch") ||
  path.startsWith("attributions/received") ||
  (path.startsWith("commission-plans/") && path.endsWith("/parameters"));

/** A server. Repeatable requests are retried while the server is busy or cannot be reached. */
const remoteTarget = (url: string, key: string): Target => ({
  request: (method, path, body) => {
    const sendOnce = Effect.tryPromise({
      try: async (signal) => {
        const response = await fetch(requestOf({ url, key }, { method, path, body }), { signal });
        return { status: response.status, body: await bodyOf(response) };
      },
      catch: (cause) => commandFailure(`${url} cannot be reached: ${messageOf(cause)}`),
    });
    const attempt = (tries: number): Effect.Effect<Reply, CommandFailed> =>
      Effect.matchEffect(sendOnce, {
        onFailure: (failure) =>
          tries > 1 && isRepeatable(method, path) ? pause(tries) : Effect.fail(failure),
        onSuccess: (reply) =>
          tries > 1 && [429, 503].includes(reply.status) && isRepeatable(method, path)
            ? pause(tries)
            : Effect.succeed(reply),
      });
    const pause = (tries: number): Effect.Effect<Reply, CommandFailed> =>
      Effect.zipRight(
        Effect.sleep(PAUSE_MILLISECONDS * 2 ** (TRIES - tries)),
        Effect.suspend(() => attempt(tries - 1)),
      );
    return attempt(TRIES);
  },
});

const SERVER_ERROR = 500;
const TOKEN = "command-line";

/** These commands create no documents. */
const renderer = Layer.succeed(Documents.DocumentRenderer, {
  render: () => Effect.dieMessage("the command line creates no documents"),
});

/** A store; all requests are made as one principal, under these settings, which must be those of the store's servers. */
const localTarget = (
  { ports }: OpenStore,
  principal: Principal.Principal,
  policy: Quittance.ChosenPolicy,
): Effect.Effect<Target, CommandFailed, Scope.Scope> =>
  Effect.gen(function* () {
    const Http = yield* Effect.promise(() => import("quittance/http"));
    const verifier = Layer.succeed(TokenVerifier.TokenVerifier, {
      verify: (token) =>
        token === TOKEN ? Effect.succeed(principal) : Effect.fail(new TokenVerifier.Unauthorized()),
    });
    let problem = "";
    const log = Logger.make(({ message }) => {
      problem = messageOf(new Error([message].flat().map(String).at(-1)));
    });
    const engine = Layer.mergeAll(Quittance.layer(policy), IdSource.layer, verifier, NodeDigest.layer).pipe(
      Layer.provide([renderer, NodeDigest.layer]),
      Layer.provide(ports),
      Layer.provideMerge(Layer.merge(logBy(log), Logger.minimumLogLevel(LogLevel.Warning))),
    );
    const runtime = yield* Effect.mapError(Layer.toRuntime(engine), unusableDatabase);
    const handle = Http.webHandler(runtime, { ready: Effect.void });
    return {
      request: (method, path, body) =>
        Effect.tryPromise({
          try: async () => {
            const response = await handle(
              requestOf({ url: "http://store", key: TOKEN }, { method, path, body }),
            );
            return { status: response.status, body: await bodyOf(response) };
          },
          catch: (cause) => commandFailure(`the database cannot be used: ${messageOf(cause)}`),
        }).pipe(
          // The response does not contain the cause; the log does.
          Effect.filterOrFail(
            ({ status }) => status < SERVER_ERROR,
            ({ status }) => commandFailure(`the store refused the request (${status}): ${problem}`),
          ),
        ),
    };
  });

/** The customers of a store, at most two: enough to decide whether there is only one. */
const customersOf = (sql: OpenStore["sql"]) =>
  Effect.gen(function* () {
    const { customers } = yield* Effect.promise(() => import("./Snapshot.ts"));
    return yield* Effect.mapError(customers(sql, 2), unusableDatabase);
  });

/** The customer that the command line names, or the only one of the store. */
export const customerOf = (
  sql: OpenStore["sql"],
  customerOption: string | undefined,
): Effect.Effect<Ids.CustomerId, CommandFailed> =>
  Effect.gen(function* () {
    if (customerOption !== undefined) {
      const id = customerOption.toLowerCase();
      return isCustomerId(id) ? id : yield* usageError(`--customer must be a UUID, not "${customerOption}"`);
    }
    const [only, other] = yield* customersOf(sql);
    if (only === undefined)
      return yield* usageError("the store has no customer yet: name one with --customer");
    return other === undefined
      ? only
      : yield* usageError("the store has several customers: name one with --customer");
  });

/** The address of a server, without a slash at its end. */
const addressOf = (url: string): Effect.Effect<string, CommandFailed> =>
  /^https?:/.test(url) && URL.canParse(url)
    ? Effect.succeed(url.replace(/\/+$/, "").replace(/\/api\/v1$/, ""))
    : usageError("--url must be an http or https URL");

const environmentText = (environment: Environment, name: string): string | undefined =>
  (environment[name] ?? "") === "" ? undefined : environment[name];

/**
 * The server or store that a command names. On a store the command acts as its customer, with every right; `asPlatform` as
 * the operator of every customer.
 */
export const targetOf = (
  command: Command,
  shell: Shell,
  asPlatform = false,
): Effect.Effect<Target, CommandFailed, Scope.Scope> =>
  Effect.gen(function* () {
    const { environment } = shell;
    const options = command.opts<TargetOptions>();
    const url = options.url ?? environmentText(environment, "QUITTANCE_URL");
    if (url !== undefined) {
      const key = options.key ?? environmentText(environment, "QUITTANCE_KEY");
      if (key === undefined || /[^\x21-\x7e]/.test(key))
        return yield* usageError("a server needs an API key: set QUITTANCE_KEY, or pass --key");
      if (options.customer !== undefined && !asPlatform)
        return yield* usageError("--customer is for a store; on a server the key determines the customer");
      return remoteTarget(yield* addressOf(url), key);
    }
    const feed = yield* orUsage(settingOf(command, shell, SETTINGS.feed));
    const retentionYears = yield* orUsage(settingOf(command, shell, SETTINGS.retentionYears));
    const policy = { feed, retentionYears };
    const { requireExisting, open } = yield* Effect.promise(() => import("./Store.ts"));
    const store = yield* Effect.mapError(
      open(yield* requireExisting(yield* databaseOf(command, shell))),
      (error) => {
        const failure = unusableDatabase(error);
        return Predicate.isTagged(error.cause, "FolderInUse")
          ? commandFailure(`${failure.message}. To use its server, pass --url and set QUITTANCE_KEY`)
          : failure;
      },
    );
    if (asPlatform) return yield* localTarget(store, Principal.platform("platform:command-line"), policy);
    const customerId = yield* customerOf(store.sql, options.customer);
    return yield* localTarget(store, Principal.customer(customerId, "command-line"), policy);
  });

/** Runs on the server or store that a command names; see {@link targetOf}. */
export const onTarget = (
  command: Command,
  shell: Shell,
  work: (target: Target) => Task,
  asPlatform = false,
): Task => Effect.scoped(Effect.flatMap(targetOf(command, shell, asPlatform), work));
