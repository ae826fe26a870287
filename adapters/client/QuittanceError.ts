/** The errors that calls reject with: one class for each kind of failure, with the facts that a program branches on. */

/** The codes of errors, which are those of the HTTP interface. */
export type Code = "BAD_REQUEST" | "UNAUTHORIZED" | "FORBIDDEN" | "NOT_FOUND" | "CONFLICT" | "INTERNAL_ERROR";

/** What an error states in addition to its message. */
export interface Facts {
  readonly status?: number;
  readonly token?: string | null;
  readonly field?: string | null;
  readonly requestId?: string | null;
  readonly retryAfter?: number | null;
  readonly cause?: unknown;
}

/** Any failure of a call. */
export class QuittanceError extends Error {
  override readonly name: string = "QuittanceError";
  readonly code: Code;
  /** The status of the HTTP response; 0 when there was no response. In the process: the status that HTTP would respond with. */
  readonly status: number;
  /** The stable first word of a conflict's message, such as `settlement_state`; null for other errors. */
  readonly token: string | null;
  /** The path of the offending field in the input, such as `bankAccount.iban`; null if the error names no field. */
  readonly field: string | null;
  /** The `X-Request-Id` of the response, which the server logs; null without a response. */
  readonly requestId: string | null;
  /** The seconds of the response's `Retry-After`; null without one. */
  readonly retryAfter: number | null;

  constructor(code: Code, status: number, message: string, facts: Facts = {}) {
    super(message, facts.cause === undefined ? undefined : { cause: facts.cause });
    this.code = code;
    this.status = facts.status ?? status;
    this.token = facts.token ?? null;
    this.field = facts.field ?? null;
    this.requestId = facts.requestId ?? null;
    this.retryAfter = facts.retryAfter ?? null;
  }
}

/** The input can never succeed as it is. */
export class InvalidError extends QuittanceError {
  override readonly name = "InvalidError";
  constructor(message: string, facts: Facts = {}) {
    super("BAD_REQUEST", 400, message, facts);
  }
}

/** The credential is missing or not valid. */
export class UnauthorizedError extends QuittanceError {
  override readonly name = "UnauthorizedError";
  constructor(message: string, facts: Facts = {}) {
    super("UNAUTHORIZED", 401, message, facts);
  }
}

/** The caller may not do this. */
export class ForbiddenError extends QuittanceError {
  override readonly name = "ForbiddenError";
  constructor(message: string, facts: Facts = {}) {
    super("FORBIDDEN", 403, message, facts);
  }
}

/** The caller sees no such record. */
export class NotFoundError extends QuittanceError {
  override readonly name = "NotFoundError";
  constructor(message: string, facts: Facts = {}) {
    super("NOT_FOUND", 404, message, facts);
  }
}

/** The present state refuses the command; it may succeed later. `token` names the rule that refuses it. */
export class ConflictError extends QuittanceError {
  override readonly name = "ConflictError";
  constructor(token: string, message: string, facts: Facts = {}) {
    super("CONFLICT", 409, message, { ...facts, token });
  }
}

/** The credential has made too many requests; `retryAfter` is the time to wait before repeating. */
export class RateLimitError extends QuittanceError {
  override readonly name = "RateLimitError";
  constructor(message: string, facts: Facts = {}) {
    super("BAD_REQUEST", 429, message, facts);
  }
}

/** The store or the server cannot be reached, or the reply was lost. With an idempotency key the call can be repeated safely. */
export class UnavailableError extends QuittanceError {
  override readonly name: string = "UnavailableError";
  constructor(message: string, facts: Facts = {}) {
    super("INTERNAL_ERROR", 503, message, facts);
  }
}

/** Something did not happen in time. Nothing is stopped by it. */
export class TimeoutError extends UnavailableError {
  override readonly name = "TimeoutError";
}

/** A bug of the engine, a store that does not work, or a response that is not one of Quittance. */
export class InternalError extends QuittanceError {
  override readonly name = "InternalError";
  constructor(message: string, facts: Facts = {}) {
    super("INTERNAL_ERROR", 500, message, facts);
  }
}
