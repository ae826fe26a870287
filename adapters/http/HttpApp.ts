/**
 * The shell around the operations: routing, limits, credentials, decoding, and one shape for every failure.
 *
 * What is wrong is told in a fixed order: path and method, size and media type of the body (400-level transport), the
 * credential (401), its scope (403), the request's form (400); then the service judges what the request means.
 */
import { Cause, Context, Effect, Either, Exit, FiberRef, FiberRefs, LogLevel, Option, Runtime } from "effect";
import { Payments, type Pipeline, Principal, TokenVerifier } from "quittance";
import * as Body from "./Body.ts";
import * as BodyMemory from "./BodyMemory.ts";
import * as Cors from "./Cors.ts";
import * as Failure from "./Failure.ts";
import type { Request, Response } from "./HttpMessage.ts";
import * as Handlers from "./handlers/Handlers.ts";
import * as Idempotency from "./Idempotency.ts";
import * as Json from "./Json.ts";
import * as Limit from "./Limit.ts";
import { type Meter, meter } from "./Metrics.ts";
import * as Multipart from "./Multipart.ts";
import * as PaymentWebhook from "./PaymentWebhook.ts";
import { type OpenRoute, routes as openRoutes } from "./PublicRoutes.ts";
import * as RateLimit from "./RateLimit.ts";
import * as AccessLog from "./RequestLog.ts";
import { compile, type Route } from "./Route.ts";
import * as Router from "./Router.ts";
import * as Trace from "./Trace.ts";

/** The services that a host's runtime must hold. */
export type Services = Handlers.Services | Payments.Payments | TokenVerifier.TokenVerifier;

/** What a host decides. */
export interface Options {
  /** Succeeds when the service can do its work: the store is reachable and migrated. Told under `/readyz`. */
  readonly ready: Effect.Effect<void, unknown>;
  /** Brings figures up to date that are not counted as things happen; runs before `/metrics` answers. */
  readonly measure?: Effect.Effect<void>;
  /** Longest time an answer may take to begin once the request has arrived; 30 seconds by default. */
  readonly answerMillisecondsMax?: number;
  /** The secrets that payment providers sign their reports with, by the provider's name in the path; none by default. */
  readonly paymentWebhookSecrets?: PaymentWebhook.Secrets;
  /** How often one principal may ask; without it as often as it likes. Buckets live in this process alone. */
  readonly rateLimit?: RateLimit.RateLimit;
  /** Origins whose pages may call from a browser, each as in `https://app.example`; none by default. */
  readonly corsOrigins?: ReadonlyArray<string>;
  /** How large bodies may be; {@link Limit.SIZES} by default. */
  readonly sizes?: Limit.Sizes;
  /** How many bytes of request bodies may be held at once; {@link Limit.BODY_MEMORY_BYTES_MAX} by default. */
  readonly bodyMemoryBytesMax?: number;
  /** Whether each request is a span of the runtime's tracer; it is not by default. */
  readonly tracing?: boolean;
}

/** Answers a request by one call of `respond`; the function it returns gives the request up, which is answered too. */
export type Handle = (request: Request, respond: (response: Response) => void) => () => void;

/** What every response carries unless it says otherwise. */
const COMMON_HEADERS = {
  "cache-control": "no-store",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
};

const CREDENTIAL = /^bearer +([A-Za-z0-9\-._~+/]+=*)$/i;
const JSON_TYPE = /^application\/json\s*(?:;\s*charset\s*=\s*"?utf-8"?\s*)?$/i;
const FORM_TYPE = /^multipart\/form-data\s*;/i;
const REQUEST_ID = /^[A-Za-z0-9._-]{1,64}$/;

const requestIdOf = (request: Request): string => {
  const given = request.header("x-request-id");
  return given !== undefined && REQUEST_ID.test(given) ? given : crypto.randomUUID();
};

const rejected = (response: Response): Effect.Effect<never, Failure.Rejected> =>
  Effect.fail(new Failure.Rejected({ response }));

const tokenOf = (request: Request): string | undefined =>
  CREDENTIAL.exec(request.header("authorization") ?? "")?.[1];

/** What is wrong with how a body is sent, or null. */
const typeProblem = (body: Route["body"], request: Request): Response | null => {
  const encoding = request.header("content-encoding");
  if (encoding !== undefined && encoding !== "identity") {
    return Failure.unsupportedMediaType("sent without Content-Encoding");
  }
  const type = request.header("content-type");
  if (body === "multipart") {
    return type !== undefined && FORM_TYPE.test(type)
      ? null
      : Failure.unsupportedMediaType("multipart/form-data");
  }
  const isTyped =
    type === undefined
      ? !(Number(request.header("content-length")) > 0)
      : type === "application/json" || JSON_TYPE.test(type);
  return isTyped ? null : Failure.unsupportedMediaType("application/json");
};

/** What is wrong with a body before it is read, or null; how an empty one is sent does not matter where it may be empty. */
const bodyProblem = (route: Pick<Route, "body" | "bodyBytesMax">, request: Request): Response | null => {
  if (route.body === "none") return null;
  if (Body.declaredTooLarge(request, route.bodyBytesMax)) return Failure.contentTooLarge(route.bodyBytesMax);
  const declared = Number(request.header("content-length") ?? 0);
  return route.body === "optional"
    ? optionalProblem(route, request, declared)
    : typeProblem(route.body, request);
};

/** What is wrong with the type of a body that may be empty, once its length is known, or null. */
const optionalProblem = ({ body }: Pick<Route, "body">, request: Request, length: number): Response | null =>
  body === "optional" && length > 0 ? typeProblem(body, request) : null;

type Bytes = Either.Either<Uint8Array, Response>;

/** A body that does not say what it is. */
const UNTYPED = Failure.unsupportedMediaType("application/json");

/** Reads the bytes of a JSON body. */
const readJson = (
  request: Request,
  limitBytes: number,
  held: BodyMemory.Held,
  done: (bytes: Bytes) => void,
): void =>
  Body.read(request, limitBytes, held, (bytes) => {
    const isUntyped =
      Either.isRight(bytes) && bytes.right.length > 0 && request.header("content-type") === undefined;
    done(isUntyped ? Either.left(UNTYPED) : bytes);
  });

const NO_OPTIONS: Pipeline.CommandOptions = {};

/** Runs the operation of a route on what its decoders make of the request, a command under its key if it has one. */
const perform = (
  route: Route,
  target: Target,
  request: Request,
  principal: Principal.Principal,
  body: unknown,
  options = NO_OPTIONS,
): Effect.Effect<Response, Failure.Failure> => {
  const decoded = route.decode({ parameter: target.parameter, query: target.query, body });
  if (Either.isLeft(decoded)) return Effect.fail(decoded.left);
  if (route.method === "GET") return route.run(principal, decoded.right, options);
  const key = Idempotency.keyOf(request);
  if (Either.isLeft(key)) return Effect.fail(key.left);
  return key.right === null
    ? route.run(principal, decoded.right, options)
    : Effect.flatMap(Idempotency.options(key.right, route.method, route.template, decoded.right), (keyed) =>
        route.run(principal, decoded.right, keyed),
      );
};

interface Target {
  readonly parameter: string;
  readonly query: string;
}

/** Who decides whether a request goes on: the credential, how often it may ask, and how large it may be. */
interface Guards {
  readonly sizes: Limit.Sizes;
  readonly bodyMemory: BodyMemory.BodyMemory;
  readonly verifier: TokenVerifier.TokenVerifierService;
  readonly take: RateLimit.Take;
}

const UNLIMITED: RateLimit.Take = () => 0;

/** What follows once the principal is known; `options` are what its command has to be given. */
type Next<Result> = (
  principal: Principal.Principal,
  options?: Pipeline.CommandOptions,
) => Effect.Effect<Result, Failure.Failure>;

/** Goes on with the principal of a request, once it is known, not asking too often, and allowed to do this. */
const admitted = <Result>(
  { verifier, take }: Guards,
  route: Route,
  request: Request,
  visit: AccessLog.RequestInfo,
  next: Next<Result>,
): Effect.Effect<Result, Failure.Failure> => {
  const token = tokenOf(request);
  if (token === undefined) return Effect.fail(new TokenVerifier.Unauthorized());
  const enter: Next<Result> = (principal, options) => {
    visit.principalId = principal.principalId;
    const waitSeconds = take(`${principal.customerId}/${principal.principalId}`);
    if (waitSeconds > 0) return rejected(Failure.tooManyRequests(waitSeconds));
    const authorized = Principal.authorize(principal, route.operation);
    return Either.isLeft(authorized) ? Effect.fail(authorized.left) : next(principal, options);
  };
  const verified = (then: Next<Result>) =>
    Effect.flatMap(verifier.verify(token), (principal) => then(principal));
  // A replay is answered without a commit that could require anything.
  if (
    !route.acceptsCachedCredential ||
    verifier.cachedCredential === undefined ||
    request.header("idempotency-key") !== undefined
  ) {
    return verified(enter);
  }
  return Effect.flatMap(verifier.cachedCredential(token), (recalled) =>
    recalled === null
      ? verified(enter)
      : Effect.catchAll(enter(recalled.principal, { requires: recalled.requires }), (failure) => {
          if (failure._tag === "StorageError") return Effect.fail(failure);
          // No commit has shown that the credential is still good: whoever has lost it learns of nothing else.
          visit.principalId = null;
          return verified(({ principalId }) => {
            visit.principalId = principalId;
            return Effect.fail(failure);
          });
        }),
  );
};

/** Passes when a body without a length is none that a request may not have; it is read and dropped. */
const undeclared = (request: Request, { body, bodyBytesMax }: Route): Effect.Effect<void, Failure.Rejected> =>
  Effect.flatMap(Body.measured(request, bodyBytesMax), (length) => {
    if (length > 0 && request.header("content-type") === undefined) return rejected(UNTYPED);
    const problem = optionalProblem({ body }, request, length);
    return problem === null ? Effect.void : rejected(problem);
  });

/**
 * Goes on with the principal of a request whose body is not read yet; `next` reads it. A body without a length is measured
 * before its sender is turned away: too large outranks the credential.
 */
const admittedFirst = <Result>(
  gate: Guards,
  route: Route,
  request: Request,
  visit: AccessLog.RequestInfo,
  next: Next<Result>,
): Effect.Effect<Result, Failure.Failure> => {
  let isRead = request.header("content-length") !== undefined;
  const reading: Next<Result> = (principal, options) => {
    isRead = true;
    return next(principal, options);
  };
  return Effect.tapError(admitted(gate, route, request, visit, reading), () =>
    isRead ? Effect.void : undeclared(request, route),
  );
};

type Answer = Effect.Effect<Response, Failure.Failure>;

/**
 * An answer that takes a JSON body that has arrived. It is read before a fiber is begun: one that waited for it would be
 * alive when garbage is collected, and so would be all that it holds.
 */
interface Awaiting {
  readonly bytesMax: number;
  readonly given: (bytes: Bytes) => Answer;
}

/** Reads the bytes of a JSON body that has not arrived. */
const awaited = (
  request: Request,
  limitBytes: number,
  held: BodyMemory.Held,
): Effect.Effect<Uint8Array, Failure.Failure> =>
  Effect.async((resume) =>
    readJson(request, limitBytes, held, (bytes) =>
      resume(Either.isLeft(bytes) ? rejected(bytes.left) : Effect.succeed(bytes.right)),
    ),
  );

/** One request to one route, from its body on. */
const serve = (
  gate: Guards,
  route: Route,
  target: Target,
  request: Request,
  visit: AccessLog.RequestInfo,
  held: BodyMemory.Held,
): Answer | Awaiting => {
  const problem = bodyProblem(route, request);
  if (problem !== null) return rejected(problem);
  const decoded = (
    principal: Principal.Principal,
    bytes: Uint8Array,
    options?: Pipeline.CommandOptions,
  ): Answer => {
    const isAbsent = route.body === "optional" && bytes.length === 0;
    const body = isAbsent ? Either.right({}) : Json.parse(bytes);
    return Either.isLeft(body)
      ? Effect.fail(body.left)
      : perform(route, target, request, principal, body.right, options);
  };
  switch (route.body) {
    case "none":
      return admitted(gate, route, request, visit, (principal, options) =>
        perform(route, target, request, principal, undefined, options),
      );
    case "json":
    case "optional":
      if (!request.hasArrived) {
        return admittedFirst(gate, route, request, visit, (principal, options) =>
          Effect.flatMap(awaited(request, route.bodyBytesMax, held), (bytes) => {
            const refused = optionalProblem(route, request, bytes.length);
            return refused === null ? decoded(principal, bytes, options) : rejected(refused);
          }),
        );
      }
      return {
        bytesMax: route.bodyBytesMax,
        given: (bytes) => {
          if (Either.isLeft(bytes)) return rejected(bytes.left);
          const refused = optionalProblem(route, request, bytes.right.length);
          return refused !== null
            ? rejected(refused)
            : admitted(gate, route, request, visit, (principal, options) =>
                decoded(principal, bytes.right, options),
              );
        },
      };
    case "multipart":
      return admittedFirst(gate, route, request, visit, (principal) =>
        Effect.flatMap(Multipart.readForm(request, gate.sizes, route.parts, held), ({ file, texts }) =>
          perform(route, target, request, principal, { ...texts, file }),
        ),
      );
  }
};

const headTooLarge = (request: Request): Response | null =>
  request.target.length > Limit.HEAD_LENGTH_MAX
    ? Failure.targetTooLong(Limit.HEAD_LENGTH_MAX)
    : request.target.length + request.headerLength > Limit.HEAD_LENGTH_MAX
      ? Failure.headersTooLarge(Limit.HEAD_LENGTH_MAX)
      : null;

type Anyone = (Route | OpenRoute) & { readonly meter: Meter };

const UNMATCHED = "unmatched";

/** What a request leads to: who measures it, and its answer. */
interface Found {
  readonly meter: Meter;
  readonly answer: Answer | Awaiting;
  /** The methods of the path, when that is what was asked. */
  readonly allow?: string;
  /** What it holds of its body, where it has one. */
  readonly held: BodyMemory.Held;
}

const NOTHING_HELD: BodyMemory.Held = { add: () => false, release: () => {} };

const options = (allow: string): Effect.Effect<Response> =>
  Effect.succeed({ status: 204, headers: { allow }, body: null });

/** Finds the route of a request among those served; whatever has none is refused and measured together. */
const locator = (
  gate: Guards,
  served: ReadonlyArray<Route | OpenRoute>,
): ((request: Request, visit: AccessLog.RequestInfo) => Found) => {
  const metered = served.map((route): Anyone => ({ ...route, meter: meter(route.method, route.template) }));
  const find = Router.make(metered);
  const unmatched = meter("any", UNMATCHED);
  const refused = (response: Response): Found => ({
    meter: unmatched,
    answer: rejected(response),
    held: NOTHING_HELD,
  });
  return (request, visit) => {
    const tooLarge = headTooLarge(request);
    if (tooLarge !== null) return refused(tooLarge);
    const mark = request.target.indexOf("?");
    const match = find(mark < 0 ? request.target : request.target.slice(0, mark));
    if (match === null) return refused(Failure.unknownRoute);
    const { methods, allow } = match.place;
    if (request.method === "OPTIONS")
      return { meter: unmatched, answer: options(allow), allow, held: NOTHING_HELD };
    const route = methods.get(request.method === "HEAD" ? "GET" : request.method);
    if (route === undefined) return refused(Failure.methodNotAllowed(allow));
    visit.route = route.template;
    if ("answer" in route) {
      visit.level = route.level;
      const held = route.method === "GET" ? NOTHING_HELD : gate.bodyMemory();
      return { meter: route.meter, answer: route.answer(request, match.parameter, held), held };
    }
    const query = mark < 0 ? "" : request.target.slice(mark + 1);
    const target = { parameter: match.parameter, query };
    const held = route.body === "none" ? NOTHING_HELD : gate.bodyMemory();
    return { meter: route.meter, answer: serve(gate, route, target, request, visit, held), held };
  };
};

const WEBHOOK = { body: "json", bodyBytesMax: Limit.JSON_BYTES_MAX } as const;

/** Where payment providers report. */
const webhookRoute = (payments: Payments.Payments, secrets: PaymentWebhook.Secrets): OpenRoute => {
  const receive = PaymentWebhook.make(payments, secrets);
  return {
    method: "POST",
    template: "/webhooks/payments/{provider}",
    level: LogLevel.Info,
    answer: (request, provider, held) => {
      const problem = bodyProblem(WEBHOOK, request);
      const transport = problem === null ? Effect.void : rejected(problem);
      const body = Effect.zipRight(transport, awaited(request, WEBHOOK.bodyBytesMax, held));
      return receive(provider, request, transport, body);
    },
  };
};

/** How the outcome of a request is answered, and what the log should tell of it beyond that it was answered. */
const outcomeOf = (
  exit: Exit.Exit<Response, Failure.Failure>,
): { readonly response: Response; readonly unforeseen?: Cause.Cause<Failure.Failure> | "gave up" } => {
  if (Exit.isSuccess(exit)) return { response: exit.value };
  const { cause } = exit;
  const failure = Option.getOrNull(Cause.failureOption(cause));
  if (failure !== null) {
    const response = Failure.respond(failure);
    return failure._tag === "StorageError" ? { response, unforeseen: cause } : { response };
  }
  return Cause.isInterruptedOnly(cause)
    ? { response: Failure.unavailable, unforeseen: "gave up" }
    : { response: Failure.unexpected, unforeseen: cause };
};

const statusOf = (exit: Exit.Exit<Response, Failure.Failure>): number => outcomeOf(exit).response.status;

/** The shell in a host's runtime. Routes, decoders and meters are made here, once. */
export const make = (
  runtime: Runtime.Runtime<Services>,
  {
    ready,
    measure = Effect.void,
    paymentWebhookSecrets = {},
    rateLimit,
    corsOrigins = [],
    sizes = Limit.SIZES,
    bodyMemoryBytesMax = Limit.BODY_MEMORY_BYTES_MAX,
    tracing = false,
  }: Options,
): Handle => {
  const { context } = runtime;
  const verifier = Context.get(context, TokenVerifier.TokenVerifier);
  const take = rateLimit === undefined ? UNLIMITED : RateLimit.make(rateLimit);
  const cors = Cors.make(corsOrigins);
  const payments = Context.get(context, Payments.Payments);
  const locate = locator({ sizes, bodyMemory: BodyMemory.make(bodyMemoryBytesMax), verifier, take }, [
    ...compile(Handlers.make(context), sizes),
    ...openRoutes(ready, measure),
    webhookRoute(payments, paymentWebhookSecrets),
  ]);
  const run = Runtime.runCallback(runtime);
  const minimum = FiberRefs.getOrDefault(runtime.fiberRefs, FiberRef.currentMinimumLogLevel);
  return (request, respond) => {
    const startedAt = performance.now();
    const visit: AccessLog.RequestInfo = {
      method: request.method,
      route: UNMATCHED,
      requestId: requestIdOf(request),
      principalId: null,
      level: LogLevel.Info,
    };
    const found = locate(request, visit);
    const begin = (answer: Answer) =>
      run(tracing ? Trace.spanned(visit, request, answer, statusOf) : answer, {
        onExit: (exit) => {
          found.held.release();
          const { response, unforeseen } = outcomeOf(exit);
          const milliseconds = performance.now() - startedAt;
          found.meter(response.status, milliseconds);
          if (unforeseen === "gave up") run(AccessLog.abandoned(visit));
          else if (unforeseen !== undefined) run(AccessLog.failed(visit, unforeseen));
          if (LogLevel.lessThanEqual(minimum, visit.level)) {
            run(AccessLog.answered(visit, response.status, milliseconds));
          }
          respond({
            status: response.status,
            headers: Object.assign({}, COMMON_HEADERS, response.headers, cors(request, found.allow ?? null), {
              "x-request-id": visit.requestId,
            }),
            body: response.body,
          });
        },
      });
    const { answer } = found;
    if (Effect.isEffect(answer)) return begin(answer);
    let isGivenUp = false;
    let cancel = (): void => {
      isGivenUp = true;
      begin(Effect.interrupt);
    };
    readJson(request, answer.bytesMax, found.held, (bytes) => {
      if (!isGivenUp) cancel = begin(answer.given(bytes));
    });
    return () => cancel();
  };
};
