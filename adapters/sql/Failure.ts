/** Translates errors of the database into errors of the port. */
import * as SqlError from "@effect/sql/SqlError";
import { Storage } from "quittance";

/** SQLSTATEs that `quittance.commit_command` raises itself, and returns in a conflict. */
const VERSION_CONFLICT = "QT001";
const IDEMPOTENCY_KEY_USED = "QT002";

const UNIQUE_VIOLATION = "23505";
/** Serialization failure and deadlock: the database rolled the whole command back, and it may run again. */
const RACES = new Set(["40001", "40P01"]);
/**
 * Lock timeout, statement timeout, a node that only reads since another one took over, and a transaction that idled: a
 * retry may succeed.
 */
const TEMPORARY = new Set(["55P03", "57014", "25006", "25P03"]);
/** Too few resources (a full disk, memory, connections), and a failure of the system. */
const TEMPORARY_CLASSES = ["53", "58"];

/** The unique constraints that two commands may race for, with the word of a `VersionConflict`. */
const KEYS: Readonly<Record<string, string>> = {
  commands_pkey: "command",
  formula_sets_pkey: "formula_set",
  schemas_pkey: "schema",
  partners_pkey: "partner",
  attributions_pkey: "attribution",
  attributions_external_reference: "external_reference",
  partners_external_reference: "external_reference",
  attributions_replacing: "attribution",
  formulas_pkey: "formula",
  plans_pkey: "plan",
  recomputations_pkey: "recomputation",
  settlements_pkey: "settlement",
  settlement_lines_pkey: "settlement",
  settlement_lines_unique_commission: "settlement",
  commissions_pkey: "commission",
  commissions_attribution_formula: "attribution and formula",
  reservations_pkey: "reservation",
  documents_pkey: "document",
  documents_settlement_kind: "document",
  document_series_pkey: "allocate_number",
  billing_profiles_pkey: "billingProfile",
  books_pkey: "books",
  tax_origins_pkey: "taxOrigin",
  arrival_orders_pkey: "arrivalOrder",
  attribution_histories_pkey: "attributionHistory",
  running_totals_pkey: "runningTotal",
  payment_files_pkey: "paymentFile",
  bank_payments_pkey: "bankPayment",
  webhook_endpoints_pkey: "webhookEndpoint",
  webhook_deliveries_pkey: "webhookDelivery",
  settlement_policies_pkey: "settlementPolicy",
  workspaces_pkey: "workspace",
  plan_acceptances_pkey: "planAcceptance",
  partner_links_pkey: "partnerLink",
  link_sets_pkey: "linkSet",
  settlement_runs_pkey: "settlementRun",
  settlement_run_results_pkey: "settlementRunResult",
  plan_trials_pkey: "planTrial",
  plan_trial_results_pkey: "planTrialResult",
  recredit_runs_pkey: "recreditRun",
  recredit_run_results_pkey: "recreditRunResult",
  reversals_pkey: "reversal",
  api_keys_pkey: "apiKey",
  api_key_routes_pkey: "api_key",
  payment_references_pkey: "payment_reference",
  events_pkey: "event",
  outbox_pkey: "message",
};

/** The fields of an error that PostgreSQL sends. */
interface ServerError {
  readonly state: string;
  readonly detail: string | null;
  readonly constraint: string | null;
}

const textOf = (value: object, name: string): string | null => {
  const field: unknown = Reflect.get(value, name);
  return typeof field === "string" ? field : null;
};

const serverError = (error: unknown): ServerError | null => {
  const cause = error instanceof SqlError.SqlError ? error.cause : error;
  if (typeof cause !== "object" || cause === null) return null;
  const state = textOf(cause, "code");
  // Errors of Node also have a code (`ECONNRESET`), but only the server sends a severity.
  return state === null || textOf(cause, "severity") === null
    ? null
    : {
        state,
        detail: textOf(cause, "detail"),
        constraint: textOf(cause, "constraint"),
      };
};

/** The word for a constraint of {@link KEYS}. Citus appends the number of a shard to its name (`commands_pkey_102031`). */
const keyOf = ({ constraint }: ServerError): string | undefined =>
  KEYS[constraint?.replace(/_\d+$/, "") ?? ""];

/** Without a connection, or the server is shutting down or starting. */
const isConnectionState = (state: string): boolean => state.startsWith("08") || state.startsWith("57P");

/** The error of a statement in an outage that the adapter logs once, when it begins and when it ends. */
export class OutageError extends SqlError.SqlError {}

/** True if the server has replied, so that the outcome of the statement is known. */
export const isAnswered = (error: unknown): boolean => {
  const reply = serverError(error);
  return reply !== null && !isConnectionState(reply.state);
};

/** True if the server has replied that it cannot reach another node of a distributed database. */
export const isOfNode = (error: unknown): boolean => serverError(error)?.state.startsWith("08") === true;

/** The message of a statement that was not sent, because there was no connection. */
export const UNCONNECTED = "Failed to acquire connection";

/** True if there was no connection, so that nothing was sent. */
export const isUnsent = (error: unknown): boolean =>
  error instanceof SqlError.SqlError && (error.message ?? "").startsWith(UNCONNECTED);

/** A failed read, or a failed write whose outcome is known. */
export const failure = (error: unknown): Storage.StorageError => {
  const reply = serverError(error);
  const isTemporary =
    reply === null
      ? error instanceof SqlError.SqlError
      : TEMPORARY.has(reply.state) ||
        RACES.has(reply.state) ||
        isConnectionState(reply.state) ||
        TEMPORARY_CLASSES.some((start) => reply.state.startsWith(start));
  const isLogged = error instanceof OutageError;
  return new Storage.StorageError({
    reason: isTemporary ? "unavailable" : "broken",
    cause: error,
    ...(isLogged ? { isLogged } : {}),
  });
};

const conflictOf = (detail: string | null): string => {
  const parsed: unknown = JSON.parse(detail ?? "{}");
  return typeof parsed === "object" && parsed !== null ? (textOf(parsed, "what") ?? "record") : "record";
};

/** A conflict as the functions that store commands return it. */
export interface Conflict {
  readonly code: string;
  readonly message: string;
  readonly detail: string | null;
  readonly constraint: string | null;
  /** The commands of a group, from 1, whose idempotency keys are used; null when it is for another reason. */
  readonly places: ReadonlyArray<number> | null;
}

/** The row of a statement that stores commands. */
export interface Committed {
  /** Null when they are stored. */
  readonly conflict: Conflict | null;
}

/** The conflict as the error that the server would have sent. */
export const conflictError = (conflict: Conflict): SqlError.SqlError =>
  new SqlError.SqlError({
    message: "Conflict with another command",
    cause: Object.assign(new Error(conflict.message), conflict, { severity: "ERROR" }),
  });

/** The id of the order of arrival in which another process was first; null for every other refusal. */
export const conflictingOrder = (error: unknown): string | null => {
  const reply = serverError(error);
  if (reply === null || reply.state !== VERSION_CONFLICT || conflictOf(reply.detail) !== "arrivalOrder")
    return null;
  const { id }: { readonly id?: string | null } = JSON.parse(reply.detail ?? "{}");
  return id ?? null;
};

/** The commands of a group, from 1, whose idempotency keys are used; none for every other refusal. */
export const usedKeys = (error: unknown): ReadonlySet<number> => {
  const cause = error instanceof SqlError.SqlError ? error.cause : null;
  const places: unknown = typeof cause === "object" && cause !== null ? Reflect.get(cause, "places") : null;
  return new Set(Array.isArray(places) ? places.map(Number) : []);
};

/** A commit that the server refused. */
export const refusal = (
  error: unknown,
): Storage.VersionConflict | Storage.IdempotencyKeyUsed | Storage.StorageError => {
  const reply = serverError(error);
  if (reply === null) return failure(error);
  if (reply.state === VERSION_CONFLICT)
    return new Storage.VersionConflict({ what: conflictOf(reply.detail) });
  if (reply.state === IDEMPOTENCY_KEY_USED) return new Storage.IdempotencyKeyUsed();
  if (RACES.has(reply.state)) return new Storage.VersionConflict({ what: "lock" });
  const key = reply.state === UNIQUE_VIOLATION ? keyOf(reply) : undefined;
  return key === undefined ? failure(error) : new Storage.VersionConflict({ what: key });
};
