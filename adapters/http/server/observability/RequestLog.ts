/** One log line per request, and one for each unexpected failure. */
import { Cause, Effect, type LogLevel } from "effect";

/** The route of requests that match none. */
export const UNMATCHED = "unmatched";

/** The facts that the log has of a request. */
export interface RequestInfo {
  readonly method: string;
  /** The template of the path, never the path itself. */
  route: string;
  readonly requestId: string;
  /** The principal, once it is known. */
  principalId: string | null;
  /** The level of the log line; lower for probes of health and metrics, which are frequent. */
  level: LogLevel.LogLevel;
}

const annotationsOf = ({ method, route, requestId, principalId }: RequestInfo) => ({
  method,
  route,
  request_id: requestId,
  ...(principalId === null ? {} : { principal_id: principalId }),
});

/** Logs a response at the level of its request. */
export const logResponse = (
  info: RequestInfo,
  status: number,
  durationMilliseconds: number,
): Effect.Effect<void> =>
  Effect.annotateLogs(Effect.logWithLevel(info.level, "response sent"), {
    ...annotationsOf(info),
    status,
    duration_ms: Math.round(durationMilliseconds * 1000) / 1000,
  });

const SECRETS: ReadonlyArray<RegExp> = [
  /qk_[0-9a-f]{16}_[A-Za-z0-9_-]+/g,
  /\bBearer\s+\S+/gi,
  /\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,4})?\b/g,
];

/** The text without API keys, bearer credentials and IBANs. */
const redact = (text: string): string =>
  SECRETS.reduce((result, secret) => result.replace(secret, "[redacted]"), text);

/** Logs an unexpected failure with its whole cause, which the response does not show. */
export const logFailure = (info: RequestInfo, cause: Cause.Cause<unknown>): Effect.Effect<void> =>
  Effect.annotateLogs(Effect.logError("request failed", redact(Cause.pretty(cause))), annotationsOf(info));

/** Logs a request that was interrupted because its response took too long to begin. */
export const logTimeout = (info: RequestInfo): Effect.Effect<void> =>
  Effect.annotateLogs(Effect.logWarning("request took too long"), annotationsOf(info));
