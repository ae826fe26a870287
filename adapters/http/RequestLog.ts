/** One log line per request, and one for each failure nobody foresaw. */
import { Cause, Effect, type LogLevel } from "effect";

/** What is noted of a request. */
export interface RequestInfo {
  readonly method: string;
  /** The template of the path, never the path itself. */
  route: string;
  readonly requestId: string;
  /** Who asked, once it is known. */
  principalId: string | null;
  /** Probes of health and metrics come every few seconds and say little. */
  level: LogLevel.LogLevel;
}

const annotationsOf = ({ method, route, requestId, principalId }: RequestInfo) => ({
  method,
  route,
  request_id: requestId,
  ...(principalId === null ? {} : { principal_id: principalId }),
});

/** Notes an answer at the visit's level. */
export const answered = (
  visit: RequestInfo,
  status: number,
  durationMilliseconds: number,
): Effect.Effect<void> =>
  Effect.annotateLogs(Effect.logWithLevel(visit.level, "request answered"), {
    ...annotationsOf(visit),
    status,
    duration_ms: Math.round(durationMilliseconds * 1000) / 1000,
  });

const SECRETS: ReadonlyArray<RegExp> = [
  /qk_[0-9a-f]{16}_[A-Za-z0-9_-]+/g,
  /\bBearer\s+\S+/gi,
  /\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,4})?\b/g,
];

/** The text without API keys, bearer credentials and IBANs. */
export const redacted = (text: string): string =>
  SECRETS.reduce((kept, secret) => kept.replace(secret, "[redacted]"), text);

/** Notes a failure that the caller is told nothing about, with all that is known of it. */
export const failed = (visit: RequestInfo, cause: Cause.Cause<unknown>): Effect.Effect<void> =>
  Effect.annotateLogs(Effect.logError("request failed", redacted(Cause.pretty(cause))), annotationsOf(visit));

/** Notes a request that was given up because its answer took too long. */
export const abandoned = (visit: RequestInfo): Effect.Effect<void> =>
  Effect.annotateLogs(Effect.logWarning("request took too long"), annotationsOf(visit));
