/** The log: on standard error, one JSON object a line or readable text. */
import { Layer, Logger, LogLevel } from "effect";
import type { LogLevel as Level, Settings } from "./Settings.ts";

const LEVELS: { readonly [Name in Level]: LogLevel.LogLevel } = {
  trace: LogLevel.Trace,
  debug: LogLevel.Debug,
  info: LogLevel.Info,
  warn: LogLevel.Warning,
  error: LogLevel.Error,
  off: LogLevel.None,
};

const json = Logger.map(Logger.jsonLogger, (line) => {
  process.stderr.write(`${line}\n`);
});

/** The logger and the least level that the settings ask for. */
export const layer = ({
  logLevel,
  logFormat,
}: Pick<Settings, "logLevel" | "logFormat">): Layer.Layer<never> =>
  Layer.merge(
    Logger.replace(Logger.defaultLogger, logFormat === "json" ? json : Logger.prettyLogger({ stderr: true })),
    Logger.minimumLogLevel(LEVELS[logLevel]),
  );
