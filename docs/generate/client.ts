/** Prints adapters/client/Contract.ts: the operations of the HTTP contract as a table, and their types. */
import { execFileSync } from "node:child_process";
import * as HttpApi from "@effect/platform/HttpApi";
import { api, openApi } from "quittance/http/api";
import { kindOf, methodNameOf, placeOf } from "./ClientPlaces.ts";
import {
  camelCase,
  comment,
  FLAT,
  momentFields,
  pascalCase,
  printer,
  resolve,
  type Schema,
  type Schemas,
  sumPlaces,
  unchangedFields,
} from "./ClientTypes.ts";
import { type Parameter, pathArguments } from "./PathArguments.ts";

/** The path of the table. */
export const file = "adapters/client/Contract.ts";

type Content = Readonly<Record<string, { readonly schema: Schema }>>;

interface Described {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly parameters: ReadonlyArray<Parameter>;
  readonly requestBody?: { readonly required?: boolean; readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>;
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
  readonly components: { readonly schemas: Schemas };
}

interface Endpoint {
  readonly group: string;
  readonly name: string;
  readonly method: string;
  /** Below `/api/v1`. */
  readonly path: string;
  readonly described: Described;
}

const PREFIX = "/api/v1";
const JSON_TYPE = "application/json";

const endpointsOf = ({ paths }: Document): ReadonlyArray<Endpoint> => {
  const found: Array<Endpoint> = [];
  HttpApi.reflect(api, {
    onGroup: () => {},
    onEndpoint: ({ group, endpoint: { name, method, path: template } }) => {
      const path = template.replace(/:(\w+)/g, "{$1}");
      const described = paths[path]?.[method.toLowerCase()];
      if (described === undefined) throw new Error(`${method} ${path} is not described`);
      found.push({ group: group.identifier, name, method, path: path.slice(PREFIX.length), described });
    },
  });
  return found;
};

/** What a list returns: the name of its records, their schema, and how it is read to its end. */
interface List {
  readonly items: string;
  readonly item: Schema;
  /** What a page has beside its records. */
  readonly rest: Schema;
  readonly walk: "page" | "cursor" | null;
  readonly hasIds: boolean;
}

/** One method of the client. */
interface Method extends Endpoint {
  readonly input: "query" | "json" | "form" | null;
  readonly inputSchema: Schema | null;
  readonly isOptional: boolean;
  /** The media types of the response, JSON first. */
  readonly mediaTypes: ReadonlyArray<string>;
  readonly output: Schema | null;
  /** What it returns of a request with `dryRun`, which creates nothing; null where there is no such request. */
  readonly dryOutput: Schema | null;
  readonly isCreated: boolean;
  readonly list: List | null;
  /** The kind of a settlement's document that it uploads or downloads. */
  readonly kind: string | null;
}

/** What a description says of query strings alone. */
const REPETITION = "; repeat the parameter for several values";

const querySchema = (parameters: ReadonlyArray<Parameter>): Schema => ({
  type: "object",
  properties: Object.fromEntries(
    parameters.map(({ name, schema, description }) => [
      name,
      description === undefined ? schema : { ...schema, description: description.replace(REPETITION, "") },
    ]),
  ),
  required: parameters.filter(({ required }) => required).map(({ name }) => name),
});

const listOf = (schemas: Schemas, output: Schema | null, query: ReadonlyArray<Parameter>): List | null => {
  const { properties = {}, required = [] } = output === null ? {} : resolve(schemas, output);
  const [only, ...more] = Object.entries(properties).filter(([, field]) => field.type === "array");
  if (only === undefined || more.length > 0) return null;
  const [items, { items: item = {} }] = only;
  const has = (...names: ReadonlyArray<string>): boolean =>
    names.every((name) => query.some((parameter) => parameter.name === name));
  const isIdentified = resolve(schemas, item).properties?.id !== undefined;
  const isPaged = isIdentified && has("page", "per_page", "order");
  const isRead = properties.next_cursor !== undefined && has("after");
  if (properties.total === undefined && properties.next_cursor === undefined) return null;
  const { [items]: _, ...rest } = properties;
  return {
    items,
    item,
    rest: { properties: rest, required: required.filter((name) => name !== items) },
    walk: isPaged ? "page" : isRead ? "cursor" : null,
    hasIds: isIdentified && has("ids"),
  };
};

/** Actions, which respond without a body, whose dry run responds with one. */
const DRY_RUNS_OF_ACTIONS: ReadonlySet<string> = new Set(["assignCommissionPlan"]);

const methodOf =
  (schemas: Schemas) =>
  (endpoint: Endpoint): Method => {
    const { name, method, path, described } = endpoint;
    const query = described.parameters.filter((parameter) => parameter.in === "query");
    const [mediaType, media] = Object.entries(described.requestBody?.content ?? {})[0] ?? [];
    if (media !== undefined && query.length > 0) {
      throw new Error(`${described.operationId}: the client sends either a query or a body`);
    }
    const isForm = mediaType?.startsWith("multipart/") ?? false;
    const successes = Object.entries(described.responses).filter(([code]) => code.startsWith("2"));
    // A dry run responds with 200, the command itself with 201; or only the dry run of an action has a body.
    const [status, success] = successes.at(-1) ?? [];
    const isOfAction = DRY_RUNS_OF_ACTIONS.has(described.operationId);
    const dry = successes.length > 1 || isOfAction ? successes[0]?.[1] : undefined;
    const content = isOfAction ? {} : (success?.content ?? {});
    const mediaTypes = Object.keys(content).sort((a, b) => Number(b === JSON_TYPE) - Number(a === JSON_TYPE));
    const isBinary =
      mediaTypes.length > 0 &&
      !mediaTypes.some((candidate) => candidate === JSON_TYPE || candidate.startsWith("text/"));
    const output = content[JSON_TYPE]?.schema ?? null;
    const called = methodNameOf(name);
    return {
      ...endpoint,
      name: called,
      input: media !== undefined ? (isForm ? "form" : "json") : query.length > 0 ? "query" : null,
      inputSchema: media?.schema ?? (query.length > 0 ? querySchema(query) : null),
      isOptional:
        media === undefined
          ? !query.some(({ required }) => required)
          : described.requestBody?.required !== true,
      mediaTypes,
      output,
      dryOutput: dry?.content?.[JSON_TYPE]?.schema ?? null,
      isCreated: method !== "GET" && (status === "201" || Object.keys(content).length === 0),
      list: name === "list" ? listOf(schemas, output, query) : null,
      kind: kindOf(called, path, isBinary || isForm),
    };
  };

const rowOf = ({ method, path, input, mediaTypes, list }: Method): string => {
  const isFile = mediaTypes.length > 0 && !mediaTypes.includes(JSON_TYPE);
  const fields = {
    method,
    path,
    ...(input === null ? {} : { input }),
    ...(isFile ? { isFile } : {}),
    ...(list === null ? {} : { items: camelCase(list.items) }),
    ...(list === null || list.walk === null ? {} : { walk: list.walk }),
    ...(list?.hasIds === true ? { hasIds: true } : {}),
  };
  return JSON.stringify(fields);
};

/** Methods by service and name; those of one name take the kind of document as their second argument. */
const grouped = (
  methods: ReadonlyArray<Method>,
): ReadonlyMap<string, ReadonlyMap<string, ReadonlyArray<Method>>> => {
  const groups = new Map<string, Map<string, Array<Method>>>();
  for (const method of methods) {
    const [group, name] = placeOf(method);
    const names = groups.get(group) ?? new Map<string, Array<Method>>();
    groups.set(group, names.set(name, [...(names.get(name) ?? []), method]));
  }
  return groups;
};

const tableOf = (methods: ReadonlyArray<Method>): string => {
  const entry = (found: ReadonlyArray<Method>): string =>
    found[0]?.kind == null
      ? found.map(rowOf).join()
      : `{ ${found.map((method) => `${method.kind}: ${rowOf(method)}`).join(", ")} }`;
  const groups = [...grouped(methods)].map(
    ([group, names]) =>
      `${group}: { ${[...names].map(([name, found]) => `${name}: ${entry(found)}`).join(", ")} }`,
  );
  return `export const TABLE = { ${groups.join(", ")} } as const satisfies OperationTable;`;
};

type Printer = ReturnType<typeof printer>;

const PAGING = ["page", "per_page", "order"];
const CURSOR = ["after", "limit"];

/** The signature of a method, and those that are derived from a list. */
const signaturesOf = (
  types: Printer,
  method: Method,
): ReadonlyArray<readonly [name: string, doc: string, type: string]> => {
  const { described, inputSchema, isOptional, isCreated, mediaTypes, output, dryOutput, list, kind, path } =
    method;
  const [, name] = placeOf(method);
  const ids = pathArguments(path, described.parameters);
  const operationName = pascalCase(described.operationId);
  const inputName = types.isSchema(operationName) ? `${operationName}Input` : operationName;
  const upload = method.input === "form";
  const input =
    inputSchema === null
      ? null
      : types.declare(
          inputName,
          upload
            ? `Upload & ${types.object(withoutFile(inputSchema), "input")}`
            : types.object(inputSchema, "input"),
        );
  const label = method.input === "query" && list !== null ? "filters" : upload ? "file" : "input";
  const taken = [
    ...ids,
    ...(kind === null ? [] : [`kind: ${JSON.stringify(kind)}`]),
    ...(input === null ? [] : [`${label}${isOptional ? "?" : ""}: ${input}`]),
  ];
  const json = output === null ? (mediaTypes.length > 0 ? "Download" : null) : types.type(output, "output");
  const returned =
    list === null
      ? isCreated
        ? json === null
          ? "Replayed"
          : `${json} & Replayed`
        : (json ?? "void")
      : pageOf(types, list);
  const others = mediaTypes.slice(1).map((item) => JSON.stringify(item));
  const options =
    others.length > 0 && json === "Download"
      ? `CallOptions & { readonly accept?: ${[JSON.stringify(mediaTypes[0]), ...others].join(" | ")} }`
      : "CallOptions";
  const parameters = [...taken, `options?: ${options}`].join(", ");
  const type =
    dryOutput !== null
      ? `{ (${taken.join(", ")} & { readonly dryRun: true }, options?: ${options}): Promise<${types.type(dryOutput, "output")}>; (${parameters}): Promise<${returned}> }`
      : others.length === 0 || json === "Download"
        ? `(${parameters}) => Promise<${returned}>`
        : `{ (${taken.map((item) => item.replace("?:", ":")).join(", ")}${taken.length > 0 ? ", " : ""}options: CallOptions & { readonly accept: ${others.join(" | ")} }): Promise<Download>; (${parameters}): Promise<${returned}> }`;
  const doc = `${described.summary}. ${described.description} (${method.method} ${PREFIX}${path})`;
  return [[name, doc, type], ...walks(types, method, input)];
};

const withoutFile = ({ properties = {}, ...schema }: Schema): Schema => {
  const { file: _, ...facts } = properties;
  return { ...schema, properties: facts };
};

const pageOf = (types: Printer, { item, rest }: List): string => {
  const printed = types.type(item, "output");
  const fields = Object.keys(rest.properties ?? {})
    .sort()
    .join();
  if (fields === "page,per_page,total") return `Page<${printed}>`;
  return `{ readonly items: ReadonlyArray<${printed}> } & ${types.object(rest, "output")}`;
};

const walks = (
  types: Printer,
  { list, isOptional }: Method,
  input: string | null,
): ReadonlyArray<readonly [string, string, string]> => {
  if (list === null || input === null) return [];
  const item = types.type(list.item, "output");
  const left = (list.walk === "page" ? PAGING : CURSOR)
    .map((name) => JSON.stringify(camelCase(name)))
    .join(" | ");
  const order =
    list.walk === "page"
      ? "oldest first, each once. It reads pages of 100 as the loop goes on."
      : "after the cursor, in the list's order.";
  return [
    ...(list.walk === null
      ? []
      : [
          [
            "all",
            `Every match, ${order}`,
            `(filters${isOptional ? "?" : ""}: ${list.walk === "page" ? `Omit<${input}, ${left}>` : input}, options?: CallOptions) => AsyncGenerator<${item}, void>`,
          ] as const,
        ]),
    ...(list.hasIds
      ? [
          [
            "get",
            "The record of an id; rejects with `NotFoundError` when the caller sees none.",
            `(id: string, options?: CallOptions) => Promise<${item}>`,
          ] as const,
        ]
      : []),
  ];
};

const servicesOf = (types: Printer, methods: ReadonlyArray<Method>): string => {
  const services = [...grouped(methods)].map(([group, names]) => {
    const members = [...names].flatMap(([, found]) => {
      const signatures = found.map((method) => signaturesOf(types, method));
      const [first = [], ...more] = signatures;
      return first.map(([name, doc, type], index) => {
        const variants = [type, ...more.map((other) => other[index]?.[2] ?? type)];
        const joined = variants.length === 1 ? type : variants.map((variant) => `(${variant})`).join(" & ");
        const docs = [doc, ...more.map((other) => other[index]?.[1] ?? "")];
        return `${comment(docs)}readonly ${name}: ${joined};`;
      });
    });
    return `readonly ${group}: { ${members.join("\n")} };`;
  });
  return `/** The services of a server. */\nexport interface Services { ${services.join("\n")} }`;
};

const HEADER = `/**
 * The operations of the HTTP interface and their types, generated from its contract by \`npm run docs\`: change the
 * contract, not this file.
 */
import type { Expression } from "quittance/formula";
import type { CallOptions, Download, Moment, Upload } from "./Call.ts";

/** How an operation is called. */
export interface Operation {
  readonly method: string;
  /** Below \`/api/v1\`. */
  readonly path: string;
  /** Where its input goes. */
  readonly input?: "query" | "json" | "form";
  readonly isFile?: boolean;
  /** The field of a list's response that has the records. */
  readonly items?: string;
  /** How a list is read to its end. */
  readonly walk?: "page" | "cursor";
  /** True if a list finds records by their ids. */
  readonly hasIds?: boolean;
}

/** Operations by service and method; those of documents also by the kind of document. */
export interface OperationTable {
  readonly [service: string]: { readonly [method: string]: Operation | { readonly [kind: string]: Operation } };
}

/** One page of a list. */
export interface Page<Item> {
  readonly items: ReadonlyArray<Item>;
  /** How many records match, on all pages. */
  readonly total: number;
  readonly page: number;
  readonly perPage: number;
}

/** Of every command: whether it repeats the result of an earlier call with the same idempotency key. */
export interface Replayed {
  readonly replayed: boolean;
}

`;

const setOf = (name: string, doc: string, values: Iterable<string>): string =>
  `/** ${doc} */\nexport const ${name}: ReadonlySet<string> = new Set(${JSON.stringify([...values].sort())});`;

const formatted = (text: string): string =>
  execFileSync(
    new URL("../../node_modules/.bin/biome", import.meta.url).pathname,
    ["format", "--stdin-file-path", file],
    { input: text, encoding: "utf8", cwd: new URL("../..", import.meta.url) },
  );

/** The whole module. */
export const print = (): string => {
  const document = openApi() as unknown as Document;
  const { schemas } = document.components;
  const methods = endpointsOf(document).map(methodOf(schemas));
  const roots = methods
    .flatMap(({ inputSchema, output, dryOutput }) => [inputSchema, output, dryOutput])
    .filter((candidate) => candidate !== null);
  const unchanged = unchangedFields(schemas, roots);
  const types = printer(schemas, unchanged);
  const services = servicesOf(types, methods);
  const declarations = types
    .declarations()
    .map(([name, text]) => `${comment([schemas[name]?.description ?? ""])}export type ${name} = ${text};`);
  return formatted(
    [
      HEADER,
      `/** Every operation. */\n${tableOf(methods)}`,
      setOf("UNCHANGED", "Fields of HTTP whose content has the same form here.", unchanged),
      setOf(
        "SUMS",
        "Where sums over many records are: the name of an object and of its field.",
        sumPlaces(
          schemas,
          methods
            .flatMap(({ output, dryOutput }) => [output, dryOutput])
            .filter((candidate) => candidate !== null),
        ),
      ),
      setOf(
        "MOMENTS",
        "Fields of requests that hold moments.",
        momentFields(
          schemas,
          methods.flatMap(({ inputSchema }) => (inputSchema === null ? [] : [inputSchema])),
        ),
      ),
      setOf("FLAT", "Fields of HTTP whose own fields are fields of the record around them.", FLAT),
      services,
      ...declarations,
      "",
    ].join("\n\n"),
  );
};
