/** The methods of the client, made from the table of operations. */
import type { CallOptions, Download, Upload } from "./Call.ts";
import { type Operation, type OperationTable, type Services, TABLE } from "./Contract.ts";
import { all, allAfter, type CursorList, type List } from "./Pages.ts";
import { NotFoundError } from "./QuittanceError.ts";
import { refuse } from "./Refuse.ts";
import { jsonOf, type Reply, send, type Transport } from "./Send.ts";
import { query, read, write } from "./Values.ts";

const CALL_OPTIONS: ReadonlySet<string> = new Set([
  "signal",
  "idempotencyKey",
  "timeout",
  "retries",
  "accept",
] satisfies ReadonlyArray<keyof CallOptions>);

type Fields = Readonly<Record<string, unknown>>;
type Method = (...rest: ReadonlyArray<unknown>) => unknown;

const isCallOptions = (value: unknown): value is CallOptions =>
  typeof value === "object" &&
  value !== null &&
  Object.keys(value).length > 0 &&
  Object.keys(value).every((key) => CALL_OPTIONS.has(key));

/** Refuses what a call is given beyond its parameters, such as a misspelt option, which would have no effect. */
const checkRest = (rest: ReadonlyArray<unknown>): void => {
  const names = rest.flatMap((value) =>
    typeof value === "object" && value !== null ? Object.keys(value) : value === undefined ? [] : ["options"],
  );
  const unknown = names.find((name) => !CALL_OPTIONS.has(name));
  if (unknown !== undefined)
    throw refuse(unknown, `is no option of this call; there are ${[...CALL_OPTIONS].join(", ")}`);
};

const encodeForm = (input: unknown): FormData => {
  const { fileName, bytes, ...facts } = input as Upload & Fields;
  if (typeof fileName !== "string") throw refuse("fileName", "must be a text");
  if (!(bytes instanceof Uint8Array || bytes instanceof Blob)) {
    throw refuse("bytes", "must be a Uint8Array or a Blob");
  }
  const data = new FormData();
  data.set("file", new Blob([bytes as Uint8Array<ArrayBuffer> | Blob]), fileName);
  for (const [name, value] of Object.entries(write(facts) as Fields)) {
    if (value !== undefined) data.set(name, String(value));
  }
  return data;
};

/** Of bodies: the server refuses unknown fields, also those that the published interface ignores. */
const JSON_HEADERS = { "content-type": "application/json", prefer: "handling=strict" };

/** 32 random hexadecimal digits; unlike `randomUUID` also on pages without TLS. */
const randomKey = (): string =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");

const fileNameOf = (headers: Headers): string | null => {
  const disposition = headers.get("content-disposition") ?? "";
  const [, extended] = /filename\*=UTF-8''([^;]+)/i.exec(disposition) ?? [];
  const [, plain] = /filename="([^"]*)"/i.exec(disposition) ?? [];
  return extended === undefined ? (plain ?? null) : decodeURIComponent(extended);
};

const download = ({ headers, bytes }: Reply): Download => ({
  document: {
    fileName: fileNameOf(headers),
    contentType: headers.get("content-type") ?? "application/octet-stream",
  },
  bytes,
});

/** What a call resolves to. */
const resultOf = ({ items, method, isFile = false }: Operation, reply: Reply): unknown => {
  const body = isFile ? undefined : jsonOf(reply);
  if (body === undefined && reply.bytes.length > 0) return download(reply);
  const result = read(body);
  if (items !== undefined) {
    const { [items]: found, ...page } = result as Fields;
    return { items: found, ...page };
  }
  const isCommand = method !== "GET" && (body === undefined || reply.status === 201);
  return isCommand ? { ...(result as object), replayed: reply.headers.has("idempotent-replayed") } : result;
};

/** The parts of a call: the values of the path, the input where there is one, and options. */
const argumentsOf = (parameters: ReadonlyArray<unknown>, ids: number, hasInput: boolean) => {
  const last = parameters.at(-1);
  const options: CallOptions = isCallOptions(last) ? last : {};
  const args = isCallOptions(last) ? parameters.slice(0, -1) : parameters;
  checkRest(args.slice(ids + (hasInput ? 1 : 0)));
  return { args, options, values: hasInput ? args[ids] : undefined };
};

/** The method of an operation: the values of its path, its input, and options. */
const methodOf = (transport: Transport, base: string, operation: Operation): Method => {
  const { method, path, input } = operation;
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
  return async (...parameters) => {
    const { args, values, options } = argumentsOf(parameters, names.length, input !== undefined);
    const filled = names.reduce((text, name, index) => {
      const given = args[index];
      const value = typeof given === "number" ? `${given}` : given;
      if (typeof value !== "string" || value === "") throw refuse(name, "must be a text that is not empty");
      return text.replace(`{${name}}`, encodeURIComponent(value));
    }, path);
    const { idempotencyKey, timeout = transport.timeout, retries = transport.retries, accept } = options;
    // Every command takes an idempotency key.
    const key = method === "GET" ? undefined : (idempotencyKey ?? randomKey());
    const reply = await send(
      { ...transport, timeout, retries },
      {
        url: `${base}/api/v1${filled}${input === "query" ? query(values ?? {}) : ""}`,
        method,
        headers: {
          ...(accept === undefined ? {} : { accept }),
          ...(key === undefined ? {} : { "idempotency-key": key }),
          ...(input === "json" && values !== undefined ? JSON_HEADERS : {}),
        },
        body:
          values === undefined || input === "query"
            ? null
            : input === "form"
              ? encodeForm(values)
              : JSON.stringify(write(values)),
        isRepeatable: method === "GET" || key !== undefined,
        signal: options.signal,
      },
    );
    return resultOf(operation, reply);
  };
};

/** The operation of a kind of document, by the second argument of the method. */
const methodByKind = (
  transport: Transport,
  base: string,
  byKind: Readonly<Record<string, Operation>>,
): Method => {
  const methods = new Map(
    Object.entries(byKind).map(([kind, operation]) => [kind, methodOf(transport, base, operation)]),
  );
  return async (id, kind, ...rest) => {
    const method = methods.get(String(kind));
    if (method === undefined) throw refuse("kind", `must be ${[...methods.keys()].join(" or ")}`);
    return await method(id, ...rest);
  };
};

/** The methods of a list besides reading one page. */
const listMethods = (
  name: string,
  { walk, hasIds = false }: Operation,
  list: Method,
): Record<string, Method> => {
  const pages = list as List;
  const methods: Record<string, Method> = {};
  if (walk === "page") {
    methods.all = (filters = {}, options = {}) => all(pages, filters as object, options as object);
  }
  if (walk === "cursor") {
    methods.all = (filters = {}, options = {}) =>
      allAfter(list as CursorList<unknown>, filters as object, options as object);
  }
  if (hasIds) {
    methods.get = async (id, options = {}) => {
      if (typeof id !== "string" || id === "") throw refuse("id", "must be a text that is not empty");
      const { items } = await pages({ ids: [id] }, options as object);
      if (items[0] === undefined) throw new NotFoundError(`${name}: no record has the id ${id}`);
      return items[0];
    };
  }
  return methods;
};

/** The services of a server, without the functions that combine several calls. */
export const make = (transport: Transport, base: string): Services => {
  const table: OperationTable = TABLE;
  const methodsOf = (group: string): Record<string, Method> => {
    const methods: Record<string, Method> = {};
    for (const [name, entry] of Object.entries(table[group] ?? {})) {
      if ("method" in entry) {
        const method = methodOf(transport, base, entry as Operation);
        Object.assign(methods, { [name]: method }, listMethods(group, entry as Operation, method));
      } else {
        methods[name] = methodByKind(transport, base, entry);
      }
    }
    return methods;
  };
  return Object.fromEntries(
    Object.keys(table).map((group) => [group, methodsOf(group)]),
  ) as unknown as Services;
};
