/** The log: on standard error, one flat JSON object a line or readable text. */
import { Cause, Effect, FiberRef, HashMap, HashSet, Layer, Logger, LogLevel } from "effect";
import { printableLine, printableText } from "./Printable.ts";
import type { LogLevel as Level, Settings } from "./Settings.ts";

const LEVELS: { readonly [Name in Level]: LogLevel.LogLevel } = {
  trace: LogLevel.Trace,
  debug: LogLevel.Debug,
  info: LogLevel.Info,
  warn: LogLevel.Warning,
  error: LogLevel.Error,
  off: LogLevel.None,
};

const textOf = (value: unknown): string =>
  typeof value === "string"
    ? value
    : Cause.isCause(value)
      ? Cause.pretty(value)
      : value instanceof Error
        ? (value.stack ?? value.message)
        : JSON.stringify(value);

/** The first fields of the line, which annotations cannot replace; the fields of the event follow. */
const json = Logger.make(({ logLevel, message, cause, annotations, date }) => {
  const [first = "", ...rest] = Array.isArray(message) ? message : [message];
  const details = [...rest.map(textOf), ...(Cause.isEmpty(cause) ? [] : [Cause.pretty(cause)])];
  const head = { time: date.toISOString(), level: logLevel.label.toLowerCase(), message: textOf(first) };
  const line = {
    ...head,
    ...Object.fromEntries(HashMap.toEntries(annotations)),
    ...(details.length === 0 ? {} : { details: details.join("\n") }),
    ...head,
  };
  process.stderr.write(`${printableLine(JSON.stringify(line))}\n`);
});

const colored = Logger.prettyLogger({ stderr: true });

/** Readable lines in colours; only the colours are control characters. */
const pretty = Logger.make((options) => {
  const { message, cause, annotations } = options;
  const parts = (Array.isArray(message) ? message : [message]).map((part) => printableLine(textOf(part)));
  return colored.log({
    ...options,
    message: Cause.isEmpty(cause) ? parts : [...parts, printableText(Cause.pretty(cause))],
    cause: Cause.empty,
    annotations: HashMap.map(annotations, (value) =>
      typeof value === "number" || typeof value === "boolean" ? value : printableLine(textOf(value)),
    ),
  });
});

/** The logger of commands: readable lines on standard error, because standard output is for results. */
const commandLogger = Logger.withConsoleError(Logger.map(Logger.logfmtLogger, printableLine));

/**
 * Logs by one logger and no other, and as events of spans. Replaces every logger before it at once: where one is removed
 * and another one added, a line that falls between is logged twice or not at all.
 */
export const logBy = (logger: Logger.Logger<unknown, void>): Layer.Layer<never> =>
  Layer.scopedDiscard(
    Effect.locallyScoped(FiberRef.currentLoggers, HashSet.make(logger, Logger.tracerLogger)),
  );

/** Warnings of commands and nothing less. A server replaces this by its own log. */
export const quiet: Layer.Layer<never> = Layer.merge(
  logBy(commandLogger),
  Logger.minimumLogLevel(LogLevel.Warning),
);

/** The logger and the least level of the settings. */
export const layer = ({
  logLevel,
  logFormat,
}: Pick<Settings, "logLevel" | "logFormat">): Layer.Layer<never> =>
  Layer.merge(logBy(logFormat === "json" ? json : pretty), Logger.minimumLogLevel(LEVELS[logLevel]));
