/** The four interfaces of the engine, each with the methods of `quittance/client`: what is written once runs through all of them. */
import { Effect } from "effect";
import * as Services from "quittance";
import { connect } from "quittance/client";
import { open } from "quittance/promise";
import { checkInvariants } from "quittance/testing";
import { query, read, write } from "../../adapters/client/Values.ts";
import { type Engine, start } from "../http/Engine.ts";
import { form } from "../http/Scene.ts";
import { deriveJournal, journalProblems } from "../support/journalLaws.ts";

export type Api = ReturnType<typeof connect>;

/** A new engine with one customer, through one interface. */
export interface Driver {
  readonly me: Api;
  readonly customerId: string;
  /** Who calls, as events name it. */
  readonly person: string;
  /** Lets the worker do all it has to do. */
  readonly drain: () => Promise<unknown>;
  /** What breaks an invariant of the records or a law of the journal. */
  readonly problems: () => Promise<ReadonlyArray<string>>;
  readonly close: () => Promise<unknown>;
}

// biome-ignore lint/suspicious/noExplicitAny: arguments and results of every method
type Any = any;
type Call = (service: string, method: string, args: ReadonlyArray<Any>, key?: string) => Promise<unknown>;

/** Methods that are one function. Commands have an idempotency key as their last argument. */
const methods = (call: Call): Api => {
  const methodOf =
    (service: string, method: string) =>
    (...args: ReadonlyArray<Any>) => {
      const key = args.at(-1)?.idempotencyKey;
      return call(service, method, key === undefined ? args : args.slice(0, -1), key);
    };
  const methodsOf = (service: string) =>
    new Proxy({}, { get: (_, method: string) => methodOf(service, method) });
  return new Proxy({} as Api, { get: (_, service: string) => methodsOf(service) });
};

const onEngine =
  (apiOf: (engine: Engine, owner: Services.Principal.Principal) => Api) => async (): Promise<Driver> => {
    const engine = await start();
    const { person } = (await engine.call("GET", "/api/v1/principal")).body;
    const customerId = engine.customerId as Services.Ids.CustomerId;
    const owner = Services.Principal.customer(customerId, person);
    const problems = Effect.gen(function* () {
      yield* checkInvariants(customerId);
      return yield* journalProblems(owner, yield* deriveJournal(owner), [Date.now()]);
    });
    return {
      ...{ me: apiOf(engine, owner), customerId, person, drain: engine.settle },
      problems: () => engine.runtime.runPromise(problems),
      close: () => engine.runtime.dispose(),
    };
  };

const SERVICES: Readonly<Record<string, Any>> = {
  partners: Services.Partners.Partners,
  attributionSchemas: Services.AttributionSchemas.AttributionSchemas,
  commissionFormulas: Services.CommissionFormulas.CommissionFormulas,
  attributions: Services.Attributions.Attributions,
  commissions: Services.Commissions.Commissions,
  settlementRuns: Services.SettlementRuns.SettlementRuns,
  settlements: Services.Settlements.Settlements,
  documents: Services.SettlementDocuments.SettlementDocuments,
  journal: Services.Payables.Payables,
};
const STATUS: Readonly<Record<string, number>> = {
  Invalid: 400,
  Forbidden: 403,
  Missing: 404,
  Conflict: 409,
};

const services = onEngine(({ runtime }, owner) =>
  methods(async (service, method, args, key) => {
    const requestSha256 = JSON.stringify([service, method, args]);
    const options = key === undefined ? [] : [{ idempotency: { key, requestSha256 } }];
    const called: Effect.Effect<unknown, Any, Any> = Effect.flatMap(SERVICES[service], (found: Any) =>
      found[method](owner, ...args, ...options),
    );
    const result = await runtime.runPromise(Effect.either(called));
    if (result._tag === "Right") return result.right;
    throw Object.assign(result.left, { status: STATUS[result.left._tag] });
  }),
);

const kebabCase = (name: string) =>
  name.replace("_", "-").replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** Methods that the path of a request does not name. */
const IMPLIED = new Set(["create", "start", "list", "cancel"]);
const READS = new Set(["list", "payables", "download"]);

/** The body of a command. */
const bodyOf = (method: string, { bytes, fileName, ...facts }: Any) => {
  if (method !== "upload") return { json: write(facts) };
  const body = form(new TextDecoder().decode(bytes), fileName);
  for (const [name, fact] of Object.entries(write(facts) as object)) body.append(name, fact);
  return { body };
};

const http = onEngine((engine) =>
  methods(async (service, method, args, key) => {
    const [id, ...rest] = typeof args[0] === "string" ? args : [null, ...args];
    const path =
      {
        documents: () => ["settlements", id, kebabCase(rest.shift())],
        journal: () => [method],
      }[service] ?? (() => [kebabCase(service), id, IMPLIED.has(method) ? null : kebabCase(method)]);
    const url = `/api/v1/${path()
      .filter((part) => part !== null)
      .join("/")}`;
    const [input] = rest;
    const reply = READS.has(method)
      ? await engine.call("GET", url + query(input ?? {}))
      : await engine.call(method === "cancel" ? "DELETE" : "POST", url, {
          ...(key === undefined ? {} : { headers: { "idempotency-key": key } }),
          ...(input === undefined ? {} : bodyOf(method, input)),
        });
    const { status, headers, body, bytes } = reply;
    if (status >= 400) throw Object.assign(new Error(body.message), { status });
    if (method === "download") {
      const disposition = /^attachment; filename=".*"; filename\*=UTF-8''(.*)$/;
      const [, name = ""] = disposition.exec(headers.get("content-disposition") ?? "") ?? [];
      return { document: { fileName: decodeURIComponent(name) }, bytes };
    }
    const result = read(body) as Any;
    if (READS.has(method)) return { ...result, items: result[service] };
    return { ...result, replayed: headers.get("idempotent-replayed") === "true" };
  }),
);

const client = onEngine(({ token, handler }) =>
  connect({
    ...{ url: "http://engine.test/", key: async () => token },
    fetch: (input, init) => handler(new Request(input as string, init)),
  }),
);

const promise = async (): Promise<Driver> => {
  const quittance = await open({ database: "memory:", worker: false });
  const customerId = crypto.randomUUID();
  const me = quittance.as({ customerId, actor: "user:42" });
  return {
    ...{ customerId, person: "user:42", drain: quittance.drain, close: quittance.close },
    // The other methods have the same names and parameters.
    me: { ...me, journal: me.payables } as unknown as Api,
    // Its store is not shown.
    problems: async () => [],
  };
};

export const DRIVERS = { services, HTTP: http, "quittance/promise": promise, "quittance/client": client };
