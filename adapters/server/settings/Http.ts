/** What the server listens on, and what a request may cost. */
import { Either } from "effect";
import * as Value from "../Value.ts";
import { type Parsed, setting } from "./Setting.ts";

const MEBIBYTE = 1024 * 1024;
const BODY_MEMORY_MAX = 16 * 1024 * MEBIBYTE;
const BODY_MEMORY = Value.wholeNumber(1024, BODY_MEMORY_MAX);

const BY_STORE = "on for an embedded store, else off";
/** `on` or `off`; null for the default, which depends on the store. */
const EXAMPLE: Value.Kind<boolean | null> = {
  values: Value.onOff.values,
  parse: (name, text) => (text === BY_STORE ? Either.right(null) : Value.onOff.parse(name, text)),
};

/** Settings of the HTTP interface. */
export const HTTP = {
  host: setting({
    name: "HOST",
    option: "host",
    placeholder: "address",
    fallback: "127.0.0.1",
    meaning: "address to listen on",
    kind: Value.nonEmpty,
  }),
  port: setting({
    name: "PORT",
    option: "port",
    placeholder: "number",
    fallback: "3000",
    meaning: "port to listen on; 0 picks a free one",
    kind: Value.wholeNumber(0, 65_535),
  }),
  console: setting({
    name: "QUITTANCE_CONSOLE",
    option: "console",
    placeholder: "on|off",
    fallback: "on",
    meaning: "off: /console and /portal are not served",
    details:
      "`off`: the [console](finance/console.md) at `/console` and the partner portal at `/portal` are not served",
    kind: Value.onOff,
  }),
  example: setting({
    name: "QUITTANCE_EXAMPLE",
    option: "example",
    placeholder: "on|off",
    fallback: BY_STORE,
    meaning: "on: the console of an empty installation offers an example company",
    details:
      "`on`: the console of an installation without commissions offers an [example company](finance/console.md#the-example-company), which is kept in memory apart from your records",
    kind: EXAMPLE,
  }),
  rateLimit: setting({
    name: "QUITTANCE_RATE_LIMIT",
    option: "rate-limit",
    placeholder: "limit",
    fallback: "off",
    meaning: "requests a second for each credential, and the largest burst: 20:100",
    details:
      "requests a second for each credential, and the largest burst (without it, as many): `20:100`. Further requests get 429. Each process counts for itself",
    kind: Value.rateLimit,
  }),
  corsOrigins: setting({
    name: "QUITTANCE_CORS_ORIGINS",
    option: "cors-origins",
    placeholder: "origins",
    fallback: "",
    meaning: "origins whose pages may call from a browser, separated by commas",
    kind: Value.origins,
  }),
  jsonBytesMax: setting({
    name: "QUITTANCE_JSON_BYTES_MAX",
    option: "json-bytes-max",
    placeholder: "bytes",
    fallback: "1048576",
    meaning: "largest JSON body; a batch may be four times as large",
    kind: Value.wholeNumber(1024, 16 * MEBIBYTE),
  }),
  uploadBytesMax: setting({
    name: "QUITTANCE_UPLOAD_BYTES_MAX",
    option: "upload-bytes-max",
    placeholder: "bytes",
    fallback: "10485760",
    meaning: "largest uploaded file",
    details: "largest uploaded file; each is held in memory while the request runs",
    kind: Value.wholeNumber(1, 100 * MEBIBYTE),
  }),
  bodyMemoryBytesMax: setting({
    name: "QUITTANCE_BODY_MEMORY_BYTES_MAX",
    option: "body-memory-bytes-max",
    placeholder: "bytes",
    fallback: "67108864",
    meaning: "bytes of request bodies in memory, not counting the first 64 KiB of each; beyond: 503",
    details:
      "bytes of request bodies in memory, not counting the first 64 KiB of each; at least one body of the largest size must fit. A bank statement counts four times, or as all of it. Beyond the limit: 503 with `Retry-After`",
    kind: BODY_MEMORY,
  }),
  responseMillisecondsMax: setting({
    name: "QUITTANCE_REQUEST_TIMEOUT_SECONDS",
    option: "request-timeout-seconds",
    placeholder: "seconds",
    fallback: "30",
    meaning: "time limit of one request; beyond it the response is 503",
    kind: Value.timeout,
  }),
  connectionsMax: setting({
    name: "QUITTANCE_CONNECTIONS_MAX",
    option: "connections-max",
    placeholder: "number",
    fallback: "1000",
    meaning: "most connections open at once; further ones are closed",
    kind: Value.wholeNumber(1, 1_000_000),
  }),
};

/** True if the console may offer the example company. */
export const joinExample = ({ example }: Parsed<typeof HTTP>, { type }: Value.Database): boolean =>
  example ?? type !== "postgres";

/** Fails where the largest body would not fit into the memory of all bodies. */
export const checkBodyMemory = ({
  jsonBytesMax,
  uploadBytesMax,
  bodyMemoryBytesMax,
}: Parsed<typeof HTTP>): Value.Value<number> =>
  Value.wholeNumber(Math.max(4 * jsonBytesMax, uploadBytesMax), BODY_MEMORY_MAX).parse(
    HTTP.bodyMemoryBytesMax.name,
    String(bodyMemoryBytesMax),
  );
