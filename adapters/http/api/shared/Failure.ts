/** Failures on the wire: a code for programs, and a message for people. */
import * as HttpApiSchema from "@effect/platform/HttpApiSchema";
import { Schema } from "effect";
import { Refusal } from "quittance";
import { optional } from "./Field.ts";

/** The tokens of conflicts, as a list in words. */
const TOKENS = Refusal.CONFLICT_TOKENS.join(", ").replace(/, (\w+)$/, " or $1");

/** The codes of failure that a caller may branch on. */
export const ErrorCode = Schema.Literal(
  "UNAUTHORIZED",
  "NOT_FOUND",
  "INTERNAL_ERROR",
  "BAD_REQUEST",
  "FORBIDDEN",
  "CONFLICT",
);
export type ErrorCode = typeof ErrorCode.Type;

/** Every failure that a response may report: its status, its code, and what it means. */
export const FAILURES = {
  BadRequest: {
    status: 400,
    code: "BAD_REQUEST",
    description: "The request is invalid, and a retry fails too; the message names the field.",
  },
  Unauthorized: {
    status: 401,
    code: "UNAUTHORIZED",
    description: "The credential is missing or not valid; the message does not say which.",
  },
  Forbidden: {
    status: 403,
    code: "FORBIDDEN",
    description: "The credential does not allow this request.",
  },
  NotFound: {
    status: 404,
    code: "NOT_FOUND",
    description:
      "The path or record does not exist, or the caller cannot see it; the message does not say which.",
  },
  MethodNotAllowed: {
    status: 405,
    code: "BAD_REQUEST",
    description: "The path does not support the method; the header Allow lists those that it supports.",
  },
  RequestTimeout: {
    status: 408,
    code: "BAD_REQUEST",
    description: "The request took too long to arrive.",
  },
  Conflict: {
    status: 409,
    code: "CONFLICT",
    description: `The present state of a record does not allow the request; the message starts with a stable token and a colon: ${TOKENS}.`,
  },
  ContentTooLarge: {
    status: 413,
    code: "BAD_REQUEST",
    description: "The body is longer than the limit; the message has the limit.",
  },
  UriTooLong: {
    status: 414,
    code: "BAD_REQUEST",
    description: "The path and query exceed their limit.",
  },
  UnsupportedMediaType: {
    status: 415,
    code: "BAD_REQUEST",
    description: "The operation does not accept the media type of the body.",
  },
  TooManyRequests: {
    status: 429,
    code: "BAD_REQUEST",
    description: "The credential exceeds its rate limit; retry after Retry-After seconds.",
  },
  HeadersTooLarge: {
    status: 431,
    code: "BAD_REQUEST",
    description: "The path, query and headers exceed their limit.",
  },
  InternalError: {
    status: 500,
    code: "INTERNAL_ERROR",
    description: "An unexpected error; the server's log has the details under the X-Request-Id.",
  },
  Unavailable: {
    status: 503,
    code: "INTERNAL_ERROR",
    description: "The store is unreachable or too slow; retry after Retry-After seconds.",
  },
} as const satisfies Readonly<
  Record<string, { readonly status: number; readonly code: ErrorCode; readonly description: string }>
>;

/** The name of a failure, which is the name of its schema in the OpenAPI document. */
export type FailureName = keyof typeof FAILURES;

/** The failure that reports each kind of refusal. */
export const FAILURE_OF = {
  Invalid: "BadRequest",
  Forbidden: "Forbidden",
  Missing: "NotFound",
  Conflict: "Conflict",
} as const satisfies { readonly [Tag in Refusal.Refusal["_tag"]]: FailureName };

/** The body of every failure. */
export interface Failure {
  readonly error_code: ErrorCode;
  readonly message: string;
  readonly field?: string;
  readonly token?: string;
}

/** The body of a refusal. What it states in addition to its message is absent where there is none. */
export const bodyOf = (
  tag: Refusal.Refusal["_tag"],
  message: string,
  { field, token }: ReturnType<typeof Refusal.facts>,
): Failure => ({
  error_code: FAILURES[FAILURE_OF[tag]].code,
  message,
  ...(field === null ? {} : { field }),
  ...(token === null ? {} : { token }),
});

const Field = Schema.String.annotations({
  description:
    "The path of the field that is wrong, such as `bank_account.iban`; absent if no single field is.",
});

const Token = Schema.String.annotations({
  description: `The rule that refuses the request: ${TOKENS}. The message begins with it.`,
});

/** What a body of failure may have in addition to its code and message. */
export const FACTS = {
  field: optional(Field),
  token: optional(Token),
};

/** The schema of a failure, which states facts beside its message; {@link FAILURES} describes it. */
const schemaWith = <Name extends FailureName, Facts extends Schema.Struct.Fields>(
  name: Name,
  facts: Facts,
) => {
  const { status, code, description } = FAILURES[name];
  return Schema.Struct({
    error_code: Schema.Literal(code as (typeof FAILURES)[Name]["code"]),
    message: Schema.String,
    ...facts,
  }).annotations(HttpApiSchema.annotations({ status, identifier: name, description }));
};

const schemaOf = <Name extends FailureName>(name: Name) => schemaWith(name, {});

export const BadRequest = schemaWith("BadRequest", { field: FACTS.field });
export const Unauthorized = schemaOf("Unauthorized");
export const Forbidden = schemaWith("Forbidden", { field: FACTS.field });
export const NotFound = schemaOf("NotFound");
export const Conflict = schemaWith("Conflict", { token: Token });
const ContentTooLarge = schemaOf("ContentTooLarge");
const UnsupportedMediaType = schemaOf("UnsupportedMediaType");
export const InternalError = schemaOf("InternalError");
export const Unavailable = schemaOf("Unavailable");
export const RequestTimeout = schemaOf("RequestTimeout");
export const UriTooLong = schemaOf("UriTooLong");
export const TooManyRequests = schemaOf("TooManyRequests");
export const HeadersTooLarge = schemaOf("HeadersTooLarge");

/** The failures of operations that take a body and store nothing. */
export const ContentFailure = Schema.Union(ContentTooLarge, UnsupportedMediaType);

/** The failures of operations that take a body. */
export const BodyFailure = Schema.Union(Conflict, ContentTooLarge, UnsupportedMediaType);

/** The failures of operations on one record that take no body. */
export const RecordFailure = Schema.Union(NotFound, Conflict);

/** The failures of operations on one record that take a body. */
export const RecordBodyFailure = Schema.Union(NotFound, Conflict, ContentTooLarge, UnsupportedMediaType);
