/**
 * Handlers derived from the contract and a service: an operation calls the method of its name with the parameters of its path and
 * its input, and responds as the contract says. Written by hand is only what HTTP adds.
 */
import type * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint";
import * as HttpApiSchema from "@effect/platform/HttpApiSchema";
import { SchemaAST as AST, Effect, Option, type Schema } from "effect";
import type { Listing, Pipeline, Principal } from "quittance";
import { api } from "../api/Api.ts";
import type { Created } from "../api/shared/Field.ts";
import { type CamelCase, camelCase } from "../api/shared/Name.ts";
import type { Failure } from "../transport/Failure.ts";
import type { Response } from "../transport/HttpMessage.ts";
import type { Writer } from "../wire/Encoding.ts";
import type { Call, Endpoints, Handlers } from "./Handlers.ts";
import * as Responses from "./Responses.ts";

/** Methods that services name otherwise than the contract. */
const METHODS = { stats: "statistics" } as const;

type MethodName<Name> = Name extends keyof typeof METHODS ? (typeof METHODS)[Name] : CamelCase<Name>;

/** A type that is no union, else never. */
type Single<Type, All = Type> = Type extends unknown ? ([All] extends [Type] ? Type : never) : never;

/** The parameters of a path: none, or one; the order of several is not in its type. */
type PathArguments<Path> = [Path] extends [never]
  ? []
  : [Single<keyof Path>] extends [never]
    ? never
    : [Path[keyof Path]];

type InputArguments<Query, Payload> = [Payload] extends [never]
  ? [Query] extends [never]
    ? []
    : [Query]
  : [Payload];

/** The result of a method that takes these arguments, with or without the options of commands; of any other never. */
type ResultOf<Method, Arguments extends ReadonlyArray<unknown>> = Method extends (
  ...args: infer Taken
) => Effect.Effect<infer Result, Failure>
  ? Required<Taken>["length"] extends Arguments["length"] | [...Arguments, unknown]["length"]
    ? Method extends (...args: [...Arguments, Pipeline.CommandOptions]) => unknown
      ? Result
      : never
    : never
  : never;

type Replayed = { readonly replayed: boolean };
type Paged = { readonly total: number; readonly page: number; readonly per_page: number };

/**
 * How the result of a service is written as the success of the contract: null where the contract says all, never where no handler
 * can be derived.
 */
type WriterOf<Success, Result> = [Result] extends [never]
  ? never
  : [Success] extends [typeof Schema.Void.Type]
    ? Result extends Replayed
      ? null
      : never
    : [Success, typeof Created.Type] extends [typeof Created.Type, Success]
      ? Result extends Replayed & { readonly id: string }
        ? null
        : never
      : [Success] extends [Paged]
        ? Result extends Listing.Listing<infer Item>
          ? Writer<Item>
          : never
        : Writer<Result>;

type Written<Service, Endpoint> =
  Endpoint extends HttpApiEndpoint.HttpApiEndpoint<
    infer Name,
    infer _Method,
    infer Path,
    infer Query,
    infer Payload,
    infer _Headers,
    infer Success,
    infer _Error,
    infer _R,
    infer _RE
  >
    ? MethodName<Name> extends keyof Service
      ? WriterOf<
          Success,
          ResultOf<
            Service[MethodName<Name>],
            [Principal.Principal, ...PathArguments<Path>, ...InputArguments<Query, Payload>]
          >
        >
      : never
    : never;

/** Instead of a handler: how the result of the service is written. */
export interface Writing<Value> {
  readonly write: Writer<Value>;
}

type WritingOf<Written> = [Written] extends [never]
  ? never
  : Written extends Writer<infer Value>
    ? Writing<Value>
    : never;

type GroupName = keyof Handlers;
type EndpointOf<Group extends GroupName, Name> = Extract<Endpoints<Group>, { readonly name: Name }>;

/** A handler, or how its result is written, for each operation that the contract and the service do not decide. */
type Own<Group extends GroupName, Service> = {
  readonly [Name in keyof Handlers[Group] as [Written<Service, EndpointOf<Group, Name>>] extends [null]
    ? [Written<Service, EndpointOf<Group, Name>>] extends [never]
      ? Name
      : never
    : Name]: Handlers[Group][Name] | WritingOf<Written<Service, EndpointOf<Group, Name>>>;
};

// The types above check the service and what is written by hand, so the code below does not.
type Run = (call: Call<unknown, unknown, unknown>) => Effect.Effect<Response, Failure>;

// biome-ignore lint/suspicious/noExplicitAny: see the lines above.
type Result = any;
type Method = (...args: ReadonlyArray<unknown>) => Effect.Effect<Result, Failure>;
type Respond = (called: ReturnType<Method>) => ReturnType<Run>;
type Endpoint = HttpApiEndpoint.HttpApiEndpoint<string, never, unknown, unknown, unknown, unknown>;

/** A page of a list has its records first, then its total, number and size. */
const listName = (ast: AST.AST): string | null => {
  const [first, ...rest] = AST.getPropertySignatures(ast).map(({ name }) => String(name));
  return first !== undefined && rest.join() === "total,page,per_page" ? first : null;
};

/** How an operation responds with the result of its service, or its failure. */
const responderOf = ({ successSchema }: Endpoint, write: Writer<Result> | null): Respond => {
  if (HttpApiSchema.isVoid(successSchema.ast))
    return Effect.map((result: Result) => Responses.emptyBody(result));
  if (write === null) return Effect.map((result: Result) => Responses.createdRecord(result));
  const list = listName(successSchema.ast);
  if (list !== null) return Effect.flatMap(Responses.page(list, write));
  const status = HttpApiSchema.getStatusSuccess(successSchema);
  return Effect.map((result: Result) => Responses.written(write(result), status, result.replayed));
};

/** Calls a method with what its operation states: a record's id, an input, and the options of commands. */
const callOf = (endpoint: Endpoint, method: Method): ((call: Parameters<Run>[0]) => ReturnType<Method>) => {
  const [, parameter = null] = /:(\w+)/.exec(endpoint.path) ?? [];
  const input = Option.isSome(endpoint.payloadSchema)
    ? "payload"
    : Option.isSome(endpoint.urlParamsSchema)
      ? "query"
      : null;
  if (parameter === null)
    return input === null
      ? (call) => method(call.principal, call.options)
      : (call) => method(call.principal, call[input], call.options);
  const id = camelCase(parameter);
  const idOf = ({ path }: Parameters<Run>[0]) => (path as Readonly<Record<string, unknown>>)[id];
  return input === null
    ? (call) => method(call.principal, idOf(call), call.options)
    : (call) => method(call.principal, idOf(call), call[input], call.options);
};

const derivedHandler = (endpoint: Endpoint, method: Method, write: Writer<Result> | null): Run => {
  const invoke = callOf(endpoint, method);
  const respond = responderOf(endpoint, write);
  return (call) => respond(invoke(call));
};

/** The handlers of a group of the contract by their service, with those that are written by hand. */
export const derive = <const Group extends GroupName, Service extends object>(
  group: Group,
  service: Service,
  own: Own<Group, Service>,
): Handlers[Group] => {
  const methods = service as Readonly<Record<string, Method | undefined>>;
  const written = own as Readonly<Record<string, Run | Writing<Result> | undefined>>;
  const handlers: Record<string, Run> = {};
  const { endpoints } = api.groups[group] as { readonly endpoints: Readonly<Record<string, unknown>> };
  for (const [name, endpoint] of Object.entries(endpoints)) {
    const stated = written[name];
    const method = methods[(METHODS as Readonly<Record<string, string>>)[name] ?? camelCase(name)];
    if (typeof stated === "function") handlers[name] = stated;
    else if (method !== undefined)
      handlers[name] = derivedHandler(endpoint as Endpoint, method, stated?.write ?? null);
  }
  return handlers as unknown as Handlers[Group];
};
