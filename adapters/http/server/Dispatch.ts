/** Finds the route of a request and begins to handle it. */
import { Effect, Either } from "effect";
import type { Pipeline, Principal } from "quittance";
import * as Limit from "../api/shared/Limit.ts";
import * as Accept from "../transport/Accept.ts";
import type { Reservation } from "../transport/BodyMemory.ts";
import * as Failure from "../transport/Failure.ts";
import type { Request, Response } from "../transport/HttpMessage.ts";
import * as Multipart from "../transport/Multipart.ts";
import * as Json from "../wire/JsonBody.ts";
import { authorizeBeforeBody, authorizeRequest, type Guards } from "./checks/Guards.ts";
import * as Idempotency from "./checks/Idempotency.ts";
import { type Bytes, bodyProblem, optionalProblem, readPendingJson } from "./checks/RequestBody.ts";
import { type RecordResponse, responseRecorder } from "./observability/Metrics.ts";
import * as RequestLog from "./observability/RequestLog.ts";
import type { PublicRoute } from "./public/PublicRoutes.ts";
import type { Route } from "./routing/Route.ts";
import * as Router from "./routing/Router.ts";

const NO_OPTIONS: Pipeline.CommandOptions = {};

/** The preference for strict handling (RFC 7240, 4.4): unknown fields are refused in every body. */
const STRICT = /(?:^|[,;])\s*handling\s*=\s*"?strict\b/i;

/** Decodes the request and runs the operation of its route, a command under its idempotency key where it has one. */
const perform = (
  route: Route,
  target: Target,
  request: Request,
  principal: Principal.Principal,
  body: unknown,
  options = NO_OPTIONS,
): Effect.Effect<Response, Failure.Failure> => {
  const isStrict = STRICT.test(request.header("prefer") ?? "");
  const decoded = route.decode({ parameters: target.parameters, query: target.query, body, isStrict });
  if (Either.isLeft(decoded)) return Effect.fail(decoded.left);
  const accepts = {
    prefers: (mediaType: string) => Accept.prefers(request.header("accept"), mediaType),
    languages: () => Accept.languages(request.header("accept-language")),
  };
  if (route.method === "GET") return route.run(principal, decoded.right, options, accepts);
  const key = Idempotency.keyOf(request);
  if (Either.isLeft(key)) return Effect.fail(key.left);
  return key.right === null
    ? route.run(principal, decoded.right, options, accepts)
    : Effect.flatMap(Idempotency.options(key.right, route.method, route.template, decoded.right), (keyed) =>
        route.run(principal, decoded.right, keyed, accepts),
      );
};

interface Target {
  readonly parameters: ReadonlyArray<string>;
  readonly query: string;
}

/** The effect that responds to a request. */
export type ResponseEffect = Effect.Effect<Response, Failure.Failure>;

/**
 * The continuation of a request whose JSON body has arrived. The body is read before a fiber starts: a waiting fiber
 * survives garbage collections, with everything that it references.
 */
interface AwaitingBody {
  readonly bytesMax: number;
  readonly onBody: (bytes: Bytes) => ResponseEffect;
}

/** Begins to handle a request whose route is known. */
const begin = (
  guards: Guards,
  route: Route,
  target: Target,
  request: Request,
  info: RequestLog.RequestInfo,
  reservation: Reservation,
): ResponseEffect | AwaitingBody => {
  const problem = bodyProblem(route, request);
  if (problem !== null) return Failure.reject(problem);
  const performWithBody = (
    principal: Principal.Principal,
    bytes: Uint8Array,
    options?: Pipeline.CommandOptions,
  ): ResponseEffect => {
    const isAbsent = route.body === "optional" && bytes.length === 0;
    const body = isAbsent ? Either.right({}) : Json.parse(bytes);
    return Either.isLeft(body)
      ? Effect.fail(body.left)
      : perform(route, target, request, principal, body.right, options);
  };
  switch (route.body) {
    case "none":
      return authorizeRequest(guards, route, request, info, (principal, options) =>
        perform(route, target, request, principal, undefined, options),
      );
    case "json":
    case "optional":
      if (!request.hasArrived) {
        return authorizeBeforeBody(guards, route, request, info, (principal, options) =>
          Effect.flatMap(readPendingJson(request, route.bodyBytesMax, reservation), (bytes) => {
            const lateProblem = optionalProblem(route, request, bytes.length);
            return lateProblem === null
              ? performWithBody(principal, bytes, options)
              : Failure.reject(lateProblem);
          }),
        );
      }
      return {
        bytesMax: route.bodyBytesMax,
        onBody: (bytes) => {
          if (Either.isLeft(bytes)) return Failure.reject(bytes.left);
          const lateProblem = optionalProblem(route, request, bytes.right.length);
          return lateProblem !== null
            ? Failure.reject(lateProblem)
            : authorizeRequest(guards, route, request, info, (principal, options) =>
                performWithBody(principal, bytes.right, options),
              );
        },
      };
    case "multipart":
      return authorizeBeforeBody(guards, route, request, info, (principal) =>
        Effect.flatMap(
          Multipart.readForm(request, guards.sizes, route.parts, reservation),
          ({ file, texts }) => perform(route, target, request, principal, { ...texts, file }),
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

type AnyRoute = (Route | PublicRoute) & { readonly record: RecordResponse };

/** A request with its route: the effect that responds, and the recorder of the response. */
interface LocatedRequest {
  readonly record: RecordResponse;
  readonly response: ResponseEffect | AwaitingBody;
  /** The methods of the path, for OPTIONS. */
  readonly allow?: string;
  /** The memory that its body may use. */
  readonly reservation: Reservation;
}

const NO_RESERVATION: Reservation = { add: () => false, release: () => {} };

const options = (allow: string): Effect.Effect<Response> =>
  Effect.succeed({ status: 204, headers: { allow }, body: null });

/** Returns a function that finds the route of a request; requests without a route are refused and share one recorder. */
export const makeLocator = (
  guards: Guards,
  routes: ReadonlyArray<Route | PublicRoute>,
): ((request: Request, info: RequestLog.RequestInfo) => LocatedRequest) => {
  const recordedRoutes = routes.map(
    (route): AnyRoute => ({ ...route, record: responseRecorder(route.method, route.template) }),
  );
  const find = Router.make(recordedRoutes);
  const unmatched = responseRecorder("any", RequestLog.UNMATCHED);
  const refuse = (response: Response): LocatedRequest => ({
    record: unmatched,
    response: Failure.reject(response),
    reservation: NO_RESERVATION,
  });
  return (request, info) => {
    const tooLarge = headTooLarge(request);
    if (tooLarge !== null) return refuse(tooLarge);
    const mark = request.target.indexOf("?");
    const match = find(mark < 0 ? request.target : request.target.slice(0, mark));
    if (match === null) return refuse(Failure.unknownRoute);
    const { methods, allow } = match.routes;
    if (request.method === "OPTIONS")
      return { record: unmatched, response: options(allow), allow, reservation: NO_RESERVATION };
    const route = methods.get(request.method === "HEAD" ? "GET" : request.method);
    if (route === undefined) return refuse(Failure.methodNotAllowed(allow));
    info.route = route.template;
    if ("respond" in route) {
      info.level = route.level;
      const reservation = route.method === "GET" ? NO_RESERVATION : guards.bodyMemory();
      return {
        record: route.record,
        response: route.respond(request, match.parameters[0] ?? "", reservation),
        reservation,
      };
    }
    const query = mark < 0 ? "" : request.target.slice(mark + 1);
    const target = { parameters: match.parameters, query };
    const reservation = route.body === "none" ? NO_RESERVATION : guards.bodyMemory(route.memoryTimes);
    return {
      record: route.record,
      response: begin(guards, route, target, request, info, reservation),
      reservation,
    };
  };
};
