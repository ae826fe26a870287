/** The operations of the interface as tables, read from the contract. */
import * as HttpApi from "@effect/platform/HttpApi";
import { Context, Either } from "effect";
import { Principal } from "quittance";
import { api, Extension, Operation, openApi } from "quittance/http/api";
import { code, table } from "./Markdown.ts";

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
}

interface Shape {
  readonly properties?: Readonly<Record<string, unknown>>;
  readonly required?: ReadonlyArray<string>;
}

interface Described {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly parameters: ReadonlyArray<Parameter>;
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Shape }>> };
}

interface Row {
  readonly group: string;
  readonly method: string;
  /** Below `/api/v1`. */
  readonly path: string;
  readonly operation: Principal.Operation;
  readonly isExtension: boolean;
  readonly described: Described;
}

const PREFIX = "/api/v1";

/** Every operation, as the OpenAPI document describes it and the contract guards it. */
const rows = (): ReadonlyArray<Row> => {
  const { paths } = openApi() as unknown as {
    readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
  };
  const found: Array<Row> = [];
  HttpApi.reflect(api, {
    onGroup: () => {},
    onEndpoint: ({ group, endpoint, mergedAnnotations }) => {
      const path = endpoint.path.replace(/:(\w+)/g, "{$1}");
      const described = paths[path]?.[endpoint.method.toLowerCase()];
      if (described === undefined) throw new Error(`${endpoint.method} ${path} is not described`);
      found.push({
        group: group.identifier,
        method: endpoint.method,
        path: path.slice(PREFIX.length),
        operation: Context.unsafeGet(mergedAnnotations, Operation),
        isExtension: Context.get(mergedAnnotations, Extension),
        described,
      });
    },
  });
  return found;
};

const PAGING = ["page", "per_page", "order"];

const named = (name: string, isRequired: boolean): string => code(isRequired ? name : `${name}?`);

/** Query parameters, or the fields of the body; a question mark where one may be left out. */
const takes = ({ parameters, requestBody }: Described): string => {
  const query = parameters.filter((parameter) => parameter.in === "query");
  const isPaged = PAGING.every((name) => query.some((parameter) => parameter.name === name));
  const request = query
    .filter(({ name }) => !(isPaged && PAGING.includes(name)))
    .map(({ name, required = false }) => named(name, required));
  const [content] = Object.entries(requestBody?.content ?? {});
  const fields = Object.keys(content?.[1].schema.properties ?? {}).map((name) =>
    named(name, content?.[1].schema.required?.includes(name) ?? false),
  );
  const form = content?.[0].startsWith("multipart/") ? ["a form:"] : [];
  const parts = [...request, ...(isPaged ? ["[paging](#lists)"] : []), ...form, ...fields];
  return parts.length === 0 ? "—" : parts.join(" ");
};

/** The kinds of credential, in addition to `customer` and `agent`, that may perform the operation. */
const others = (operation: Principal.Operation): string => {
  const kinds = Principal.Kind.literals.filter((kind) => {
    const everything: Principal.Principal = {
      principalId: kind,
      kind,
      customerId: null,
      workspaceIds: "*",
      partnerIds: "*",
      agentId: null,
      scopes: Principal.ALL_SCOPES,
    };
    return Either.isRight(Principal.authorize(everything, operation));
  });
  return kinds.filter((kind) => kind !== "customer" && kind !== "agent").join(", ") || "—";
};

const row = ({ method, path, operation, isExtension, described }: Row): ReadonlyArray<string> => [
  `${code(`${method} ${path}`)}${isExtension ? " ✚" : ""}`,
  takes(described),
  `${described.summary}. ${described.description}`,
  Principal.SCOPE_OF[operation] === null ? "—" : code(Principal.SCOPE_OF[operation]),
  others(operation),
];

/** The table of a group's operations whose path matches. */
export const operations = (group: string, path = /./): string => {
  const shown = rows().filter((candidate) => candidate.group === group && path.test(candidate.path));
  if (shown.length === 0) throw new Error(`the contract has no operations ${group} ${path}`);
  return table(["Request", "Takes", "What it does", "Scope", "Also for"], shown.map(row));
};

/** The groups of the contract. */
export const groups = (): ReadonlyArray<string> => [...new Set(rows().map(({ group }) => group))];
