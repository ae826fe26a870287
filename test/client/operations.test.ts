import { connect } from "quittance/client";
import { beforeAll, describe, expect, it } from "vitest";
import {
  type Operation as Entry,
  type OperationTable,
  TABLE,
  UNCHANGED,
} from "../../adapters/client/Contract.ts";
import { read } from "../../adapters/client/Values.ts";
import { type Operation, operations } from "../http/Document.ts";
import type { Engine } from "../http/Engine.ts";
import { type Ask, requests, startPaying } from "../http/Requests.ts";

type Method = (...rest: ReadonlyArray<unknown>) => Promise<unknown>;
type Methods = Readonly<Record<string, Readonly<Record<string, Method>>>>;

/** The path of a method in the client. */
interface Place {
  readonly service: string;
  readonly method: string;
  readonly kind: string | null;
  readonly entry: Entry;
}

const table: OperationTable = TABLE;

const places: ReadonlyArray<Place> = Object.entries(table).flatMap(([service, methods]) =>
  Object.entries(methods).flatMap(
    ([method, entry]): ReadonlyArray<Place> =>
      "method" in entry
        ? [{ service, method, kind: null, entry: entry as Entry }]
        : Object.entries(entry).map(([kind, one]) => ({ service, method, kind, entry: one })),
  ),
);

/** Every operation that a bearer credential may call. */
const called = operations.filter(({ path }) => path.startsWith("/api/v1/"));

const placeOf = ({ method, path }: Operation): Place => {
  const found = places.find(({ entry }) => entry.method === method && `/api/v1${entry.path}` === path);
  if (found === undefined) throw new Error(`the client has no ${method} ${path}`);
  return found;
};

const named = ({ method, path }: { readonly method: string; readonly path: string }): string =>
  `${method} ${path}`;

describe("the table of operations", () => {
  it("has every operation of the OpenAPI document once, and no other", () => {
    const known = places.map(({ entry }) => named({ method: entry.method, path: `/api/v1${entry.path}` }));
    expect(known.sort()).toEqual(called.map(named).sort());
    expect(called.length).toBeGreaterThan(45);
  });

  it("allows an idempotency key for every command and for no read", () => {
    for (const { method, path, parameters } of called)
      expect(
        parameters.some(({ name }) => name === "Idempotency-Key"),
        path,
      ).toBe(method !== "GET");
  });
});

/** The query of a request as filters of the client. */
const filtersOf = (query: string): unknown => {
  const parameters = new URLSearchParams(query);
  return read(
    Object.fromEntries([...new Set(parameters.keys())].map((name) => [name, parameters.getAll(name)])),
  );
};

/** The client's arguments for a request. */
const argumentsOf = (
  { kind, entry }: Place,
  { id, partnerId, deliveryId, accountId, attachmentId, number, query, json, upload = false, file }: Ask,
) => [
  ...[
    id,
    partnerId ??
      deliveryId ??
      accountId ??
      attachmentId ??
      (number === undefined ? undefined : Number(number)),
  ].slice(0, entry.path.split("{").length - 1),
  ...(kind === null ? [] : [kind]),
  ...(upload || file !== undefined
    ? [{ fileName: "invoice 17.pdf", bytes: new TextEncoder().encode(file ?? "%PDF-1.7") }]
    : []),
  ...(query === undefined ? [] : [filtersOf(query)]),
  ...(json === undefined ? [] : [read(json)]),
];

/** The names of fields, except inside content that has the same form in both. */
const namesIn = (value: unknown): ReadonlyArray<string> =>
  Array.isArray(value)
    ? value.flatMap(namesIn)
    : typeof value === "object" && value !== null && !(value instanceof Uint8Array)
      ? Object.entries(value).flatMap(([name, item]) => [name, ...(UNCHANGED.has(name) ? [] : namesIn(item))])
      : [];

describe("on a server", () => {
  let engine: Engine;
  let sent: Array<Request> = [];
  /** The credential of a request that has a customer of its own. */
  let authorization: string | undefined;
  let client: Methods;
  beforeAll(async () => {
    engine = await startPaying();
    client = connect({
      url: "http://engine.test",
      key: engine.token,
      fetch: (input, init) => {
        const request = new Request(input as string, init);
        if (authorization !== undefined) request.headers.set("authorization", authorization);
        sent.push(request.clone());
        return engine.handler(request);
      },
    }) as unknown as Methods;
  });

  it.each(called.map((operation) => [operation.name, operation] as const))(
    "%s succeeds",
    async (_, operation) => {
      const place = placeOf(operation);
      const ask = await requests[operation.id]?.(engine);
      if (ask === undefined) throw new Error(`there is no request of ${operation.id}`);
      sent = [];
      authorization = ask.headers?.authorization;
      const result = await client[place.service]?.[place.method]?.(...argumentsOf(place, ask));
      expect(sent.map(({ method }) => method)).toEqual([operation.method]);
      const { pathname } = new URL(sent[0]?.url ?? "");
      expect(pathname).toBe(
        operation.path
          .replace("{partner_id}", ask.partnerId ?? "")
          .replace("{delivery_id}", ask.deliveryId ?? "")
          .replace("{account_id}", ask.accountId ?? "")
          .replace("{attachment_id}", ask.attachmentId ?? "")
          .replace("{number}", ask.number ?? "")
          .replace(/\{\w+\}/, ask.id ?? ""),
      );
      if (ask.json !== undefined) expect(await sent[0]?.json()).toEqual(ask.json);
      expect(namesIn(result).filter((name) => name.includes("_") || name === "view")).toEqual([]);
      if (operation.method !== "GET" && operation.responses[201] !== undefined) {
        expect(result).toMatchObject({ replayed: false });
      }
    },
  );
});
