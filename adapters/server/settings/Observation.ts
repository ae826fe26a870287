/** Log and traces. */
import { Either } from "effect";
import * as Value from "../Value.ts";
import { setting } from "./Setting.ts";

/** How much is logged; `off` logs nothing. */
export const LOG_LEVELS = ["trace", "debug", "info", "warn", "error", "off"] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

const FORMATS = Value.oneOf(["pretty", "json"]);
const BY_TERMINAL = "pretty on a terminal, else json";
const LOG_FORMAT: Value.Kind<"pretty" | "json" | null> = {
  values: FORMATS.values,
  parse: (name, text) => (text === BY_TERMINAL ? Either.right(null) : FORMATS.parse(name, text)),
};

/** Settings of log and traces. */
export const OBSERVATION = {
  otlpEndpoint: setting({
    name: "OTEL_EXPORTER_OTLP_ENDPOINT",
    option: "otlp-endpoint",
    placeholder: "url",
    fallback: "",
    meaning: "base URL of a collector of OTLP spans; without it no spans are recorded",
    details: "base URL of a collector of OTLP spans; without it no spans are recorded. See [Traces](#traces)",
    kind: Value.endpoint,
  }),
  serviceName: setting({
    name: "OTEL_SERVICE_NAME",
    option: "service-name",
    placeholder: "name",
    fallback: "quittance",
    meaning: "the name of this server in its spans",
    kind: Value.text,
  }),
  logLevel: setting({
    name: "LOG_LEVEL",
    option: "log-level",
    placeholder: "level",
    fallback: "info",
    meaning: "least severe level that is logged",
    kind: Value.oneOf(LOG_LEVELS),
  }),
  logFormat: setting({
    name: "LOG_FORMAT",
    option: "log-format",
    placeholder: "pretty|json",
    fallback: BY_TERMINAL,
    meaning: "form of the log",
    kind: LOG_FORMAT,
  }),
};
