/** Examples of the failures that responses report, for the OpenAPI document. */
import { Record } from "effect";
import { FAILURES, type FailureName } from "../shared/Failure.ts";
import type { JsonObject } from "./Json.ts";

const failureMessages: Readonly<Record<Exclude<FailureName, "MethodNotAllowed">, string>> = {
  BadRequest: "name: must not be empty",
  Unauthorized: "Authentication credentials were not provided or are invalid.",
  Forbidden: "The credential lacks the scope settlements:approve",
  NotFound: "settlement not found",
  RequestTimeout: "The request took too long to arrive",
  Conflict: "settlement_not_draft: the settlement is paid",
  ContentTooLarge: "The body exceeds 1048576 bytes",
  UriTooLong: "The path and query exceed 16384 characters",
  UnsupportedMediaType: "The body must be application/json",
  TooManyRequests: "The credential has made too many requests",
  HeadersTooLarge: "The path, query and headers exceed 16384 characters",
  InternalError: "An unexpected error occurred.",
  Unavailable: "The service is temporarily unavailable.",
};

/** The example of a failure with a message; its first word is the field or token that the failure states too. */
export const failureExample = (name: keyof typeof failureMessages, message: string): JsonObject => {
  const [, first] = /^([\w.]+): /.exec(message) ?? [];
  const stated = first === undefined ? {} : name === "Conflict" ? { token: first } : { field: first };
  return { error_code: FAILURES[name].code, message, ...stated };
};

/** One refusal or failure of each kind, by the name of its schema. */
export const failureExamples: Readonly<Record<string, JsonObject>> = Record.map(
  failureMessages,
  (message, name) => failureExample(name, message),
);
