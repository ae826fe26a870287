/**
 * Compares the response of each operation, byte for byte, with the recorded one. Ids, secrets and times are the same in every
 * run. `npm run record` records the responses again; its difference is what clients will see.
 */
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { json } from "../../docs/generate/Markdown.ts";
import { type Operation, operations } from "./Document.ts";
import type { Call, Engine, Reply } from "./Engine.ts";
import { type Ask, credentialFor, requests, send, settlementAt, startPaying } from "./Requests.ts";

const BEGIN = Date.parse("2026-03-02T08:00:00Z");
const MINUTE = 60_000;

/** The time, one minute later for each request, and the state of the random bytes. */
let now = BEGIN;
let seed = 1;

/** The next byte of a linear congruential generator. */
const nextByte = (): number => {
  seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
  return seed >>> 24;
};

const hex = (length: number): string => Array.from({ length }, () => (nextByte() & 15).toString(16)).join("");

beforeAll(() => {
  vi.spyOn(Date, "now").mockImplementation(() => now);
  vi.spyOn(crypto, "randomUUID").mockImplementation(
    () => `${hex(8)}-${hex(4)}-4${hex(3)}-8${hex(3)}-${hex(12)}`,
  );
  vi.spyOn(crypto, "getRandomValues").mockImplementation((bytes) => {
    const octets = new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    octets.forEach((_, index) => {
      octets[index] = nextByte();
    });
    return bytes;
  });
});
afterAll(() => {
  vi.restoreAllMocks();
});

const ticking =
  (call: Call): Call =>
  (...request) => {
    now += MINUTE;
    return call(...request);
  };

/** Headers that most responses have; others are printed. */
const USUAL: Readonly<Record<string, string>> = {
  "cache-control": "no-store",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
};

const printed = ({ id }: Operation, { status, headers, text }: Reply): string => {
  const { "x-request-id": _, ...all } = Object.fromEntries(headers);
  const own = [...new Set([...Object.keys(USUAL), ...Object.keys(all)])]
    .filter((name) => all[name] !== USUAL[name])
    .map((name) => `${name}: ${all[name] ?? "(absent)"}`);
  const isJson = all["content-type"]?.startsWith("application/json") ?? false;
  // The printed body differs from that of the response in line breaks and spaces only.
  if (isJson) expect(JSON.stringify(JSON.parse(text))).toBe(text);
  // A recorded text has no carriage returns.
  const body = isJson ? json(JSON.parse(text)) : text.replaceAll("\r", "\\r");
  return [`${id} ${status}`, ...own, ...(body === "" ? [] : [body])].join("\n");
};

/** The query of a request; of a list, which has no more than ten records otherwise, for all that there are. */
const queryOf = ({ parameters }: Operation, { query }: Ask): string | undefined =>
  query ?? (parameters.some(({ name }) => name === "per_page") ? "per_page=100" : undefined);

const tags = [...new Set(operations.flatMap(({ tags: [tag = ""] }) => tag))];

describe("recorded responses", () => {
  it.each(tags)("%s", async (tag) => {
    now = BEGIN;
    seed = 1;
    const started = await startPaying();
    const engine: Engine = { ...started, call: ticking(started.call) };
    await settlementAt(engine, "paid_by_hand");
    const own = operations.filter(({ tags: [first] }) => first === tag);
    const isRead = ({ method }: Operation): boolean => method === "GET";
    const responses: Array<string> = [];
    // Lists show what the other operations wrote.
    for (const operation of [...own.filter((candidate) => !isRead(candidate)), ...own.filter(isRead)]) {
      const ask = await requests[operation.id]?.(engine);
      if (ask === undefined) throw new Error(`no request of ${operation.id}`);
      const query = queryOf(operation, ask);
      const whole: Ask = query === undefined ? ask : { ...ask, query };
      responses.push(printed(operation, await send(engine.call, operation, whole, credentialFor(operation))));
    }
    await started.runtime.dispose();
    expect(responses.join("\n\n")).toMatchSnapshot();
  });
});
