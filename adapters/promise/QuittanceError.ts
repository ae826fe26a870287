/** The errors that calls reject with: one class for each way to fail, with what a program needs to decide by. */
import { Cause, Option } from "effect";
import type { Refusal, Storage } from "quittance";

/** Codes and statuses are those of the HTTP interface. */
const KINDS = {
  invalid: { code: "BAD_REQUEST", status: 400 },
  unauthorized: { code: "UNAUTHORIZED", status: 401 },
  forbidden: { code: "FORBIDDEN", status: 403 },
  notFound: { code: "NOT_FOUND", status: 404 },
  conflict: { code: "CONFLICT", status: 409 },
  internal: { code: "INTERNAL_ERROR", status: 500 },
  unavailable: { code: "INTERNAL_ERROR", status: 503 },
} as const;

/** The codes of errors. */
export type Code = (typeof KINDS)[keyof typeof KINDS]["code"];

interface Facts {
  readonly token?: string;
  readonly field?: string | null;
  readonly cause?: unknown;
}

/** Any failure of a call. */
export class QuittanceError extends Error {
  readonly code: Code;
  /** The status that the HTTP interface responds with. */
  readonly status: number;
  /** The stable first word of a conflict's message, such as `settlement_state`; null for other errors. */
  readonly token: string | null;
  /** The path of the offending field in the input, such as `bankAccount.iban`; null where no field is to blame. */
  readonly field: string | null;

  constructor(kind: keyof typeof KINDS, message: string, { token, field, cause }: Facts = {}) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = new.target.name;
    this.code = KINDS[kind].code;
    this.status = KINDS[kind].status;
    this.token = token ?? null;
    this.field = field ?? null;
  }
}

/** The input can never succeed as it is. */
export class InvalidError extends QuittanceError {
  constructor(message: string, facts: Facts = {}) {
    super("invalid", message, facts);
  }
}

/** The caller may not do this. */
export class ForbiddenError extends QuittanceError {
  constructor(message: string, facts: Facts = {}) {
    super("forbidden", message, facts);
  }
}

/** The caller sees no such record. */
export class NotFoundError extends QuittanceError {
  constructor(message: string) {
    super("notFound", message);
  }
}

/** The present state refuses the command; it may succeed later. `token` says which rule refuses it. */
export class ConflictError extends QuittanceError {
  constructor(token: string, message: string) {
    super("conflict", message, { token });
  }
}

/** The store cannot be reached, or its reply was lost. With an idempotency key the call can be repeated safely. */
export class UnavailableError extends QuittanceError {
  constructor(message: string, facts: Facts = {}) {
    super("unavailable", message, facts);
  }
}

/** A bug of the engine, or a store that does not work. */
export class InternalError extends QuittanceError {
  constructor(message: string, facts: Facts = {}) {
    super("internal", message, facts);
  }
}

/** Not every message names its field as the interface of TypeScript does. */
const camelCase = (path: string): string =>
  path.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** Messages begin with the path of the field and a colon. */
const fieldOf = (message: string): string | null => {
  const [, path] = /^([A-Za-z][\w.]*): /.exec(message) ?? [];
  return path === undefined ? null : camelCase(path);
};

/** The innermost message of a cause. */
const messageOf = (cause: unknown): string => {
  if (!(cause instanceof Error)) return String(cause);
  if (cause instanceof AggregateError && cause.errors.length > 0) return messageOf(cause.errors[0]);
  return cause.cause instanceof Error ? messageOf(cause.cause) : cause.message;
};

const ofStorage = ({ reason, cause }: Storage.StorageError): QuittanceError => {
  const message = `the database cannot be used: ${messageOf(cause)}`;
  return reason === "broken"
    ? new InternalError(message, { cause })
    : new UnavailableError(message, { cause });
};

/** The error of a failure of the services. */
export const ofFailure = (failure: Refusal.Refusal | Storage.StorageError): QuittanceError => {
  switch (failure._tag) {
    case "Invalid":
      return new InvalidError(failure.message, { field: fieldOf(failure.message) });
    case "Forbidden":
      return new ForbiddenError(failure.message, { field: fieldOf(failure.message) });
    case "Missing":
      return new NotFoundError(failure.message);
    case "Conflict":
      return new ConflictError(failure.token, failure.message);
    case "StorageError":
      return ofStorage(failure);
  }
};

/** The error of a cause: the failure itself, else an internal error. */
export const ofCause = (cause: Cause.Cause<Refusal.Refusal | Storage.StorageError>): QuittanceError => {
  const failure = Cause.failureOption(cause);
  if (Option.isSome(failure)) return ofFailure(failure.value);
  const defect = Cause.squash(cause);
  return new InternalError(defect instanceof Error ? defect.message : String(defect), { cause: defect });
};
