/** Checks the headers that describe a body, and reads the body. */
import { Effect, Either } from "effect";
import * as Body from "../../transport/Body.ts";
import type { Reservation } from "../../transport/BodyMemory.ts";
import * as Failure from "../../transport/Failure.ts";
import type { Request, Response } from "../../transport/HttpMessage.ts";
import type { Route } from "../routing/Route.ts";

const JSON_TYPE = /^application\/json\s*(?:;\s*charset\s*=\s*"?utf-8"?\s*)?$/i;
const FORM_TYPE = /^multipart\/form-data\s*;/i;

/** The error in the headers of a body, or null. */
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

/** The error of a body before it is read, or null. An optional body needs no media type when it is empty. */
export const bodyProblem = (
  route: Pick<Route, "body" | "bodyBytesMax">,
  request: Request,
): Response | null => {
  if (route.body === "none") return null;
  if (Body.isDeclaredTooLarge(request, route.bodyBytesMax))
    return Failure.contentTooLarge(route.bodyBytesMax);
  const declared = Number(request.header("content-length") ?? 0);
  return route.body === "optional"
    ? optionalProblem(route, request, declared)
    : typeProblem(route.body, request);
};

/** The error in the media type of an optional body, once its length is known, or null. */
export const optionalProblem = (
  { body }: Pick<Route, "body">,
  request: Request,
  length: number,
): Response | null => (body === "optional" && length > 0 ? typeProblem(body, request) : null);

/** The bytes of a body, or the response that refuses it. */
export type Bytes = Either.Either<Uint8Array, Response>;

/** The body has no Content-Type. */
const UNTYPED = Failure.unsupportedMediaType("application/json");

/** Reads the bytes of a JSON body. */
export const readJson = (
  request: Request,
  limitBytes: number,
  reservation: Reservation,
  done: (bytes: Bytes) => void,
): void =>
  Body.read(request, limitBytes, reservation, (bytes) => {
    const isUntyped =
      Either.isRight(bytes) && bytes.right.length > 0 && request.header("content-type") === undefined;
    done(isUntyped ? Either.left(UNTYPED) : bytes);
  });

/** Reads and drops a body without a declared length; fails when the request may not have this body. */
export const checkUndeclaredBody = (
  request: Request,
  { body, bodyBytesMax }: Route,
): Effect.Effect<void, Failure.Rejected> =>
  Effect.flatMap(Body.measure(request, bodyBytesMax), (length) => {
    if (length > 0 && request.header("content-type") === undefined) return Failure.reject(UNTYPED);
    const problem = optionalProblem({ body }, request, length);
    return problem === null ? Effect.void : Failure.reject(problem);
  });

/** Reads the bytes of a JSON body that has not arrived. */
export const readPendingJson = (
  request: Request,
  limitBytes: number,
  reservation: Reservation,
): Effect.Effect<Uint8Array, Failure.Failure> =>
  Effect.async((resume) =>
    readJson(request, limitBytes, reservation, (bytes) =>
      resume(Either.isLeft(bytes) ? Failure.reject(bytes.left) : Effect.succeed(bytes.right)),
    ),
  );
