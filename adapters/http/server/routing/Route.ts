/** The route table: every endpoint of the contract with its compiled decoders and its handler. */
import * as HttpApi from "@effect/platform/HttpApi";
import type * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint";
import * as HttpApiSchema from "@effect/platform/HttpApiSchema";
import { SchemaAST as AST, Context, type Effect, Either, Option, Schema } from "effect";
import { Checked, type Pipeline, type Principal, type Refusal } from "quittance";
import { api } from "../../api/Api.ts";
import {
  BodyBytesMax,
  CachedCredential,
  Extension,
  MemoryTimes,
  Operation,
  OptionalBody,
} from "../../api/shared/Annotation.ts";
import { jsonBytesMax, multipartBytesMax, type Sizes } from "../../api/shared/Limit.ts";
import type { Call, Handlers } from "../../handlers/Handlers.ts";
import type { Failure } from "../../transport/Failure.ts";
import type { Response } from "../../transport/HttpMessage.ts";
import * as Decoding from "../../wire/Decoding.ts";
import { refusal } from "../../wire/DecodingProblem.ts";
import { unknownFieldCheck } from "../../wire/JsonBody.ts";
import * as Query from "../../wire/QueryString.ts";

/** The undecoded parts of a request. `body` is parsed JSON, or the fields of a form. */
export interface RawRequest {
  /** The text of each parameter of the path, in their order, still escaped. */
  readonly parameters: ReadonlyArray<string>;
  readonly query: string;
  readonly body: unknown;
  /** True if the caller wants unknown fields refused that the operation ignores. */
  readonly isStrict: boolean;
}

/** The decoded parts of a request. */
export interface DecodedRequest {
  readonly path: unknown;
  readonly query: unknown;
  readonly payload: unknown;
}

/** One endpoint, ready to serve. */
export interface Route {
  readonly method: string;
  /** The path with its parameters in braces. */
  readonly template: string;
  readonly operation: Principal.Operation;
  /** True if it may begin with a cached credential, which its commit confirms. */
  readonly acceptsCachedCredential: boolean;
  /** The kind of body; with `none` a body is ignored, with `optional` it may be empty. */
  readonly body: "none" | "json" | "optional" | "multipart";
  /** The parts that a form may have. */
  readonly parts: ReadonlyArray<string>;
  /** The largest body that is read, in bytes. */
  readonly bodyBytesMax: number;
  /** How many times its size a body is counted in the memory of bodies. */
  readonly memoryTimes: number;
  readonly decode: (raw: RawRequest) => Either.Either<DecodedRequest, Refusal.Invalid>;
  readonly run: (
    principal: Principal.Principal,
    decoded: DecodedRequest,
    options: Pipeline.CommandOptions,
    accepts: Pick<Call<unknown, unknown, unknown>, "prefers" | "languages">,
  ) => Effect.Effect<Response, Failure>;
}

type Decoder = (raw: RawRequest) => Either.Either<unknown, Refusal.Invalid>;

const NOTHING: Decoder = () => Either.right(undefined);

const unescapeSegment = (text: string): string => {
  if (!text.includes("%")) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

/** The names of the parameters of a path, such as `/partners/:id`, in their order. */
const namesOf = (path: string): ReadonlyArray<string> =>
  [...path.matchAll(/:(\w+)/g)].map(([, name = ""]) => name);

const pathDecoder =
  (names: ReadonlyArray<string>) =>
  (schema: Schema.Schema<unknown, unknown>): Decoder => {
    const decode = Decoding.decoder(schema);
    return ({ parameters }) => {
      const texts = Object.fromEntries(
        names.map((name, index) => [name, unescapeSegment(parameters[index] ?? "")]),
      );
      return Either.mapLeft(decode(texts), ({ issue }) => refusal(issue, "id"));
    };
  };

/** A body beyond the published interface has no unknown fields: a misspelt one must not be another command. */
const payloadDecoder = (schema: Schema.Schema<unknown, unknown>, isExtension: boolean): Decoder => {
  const decode = Decoding.decoder(schema);
  const unknownField = unknownFieldCheck(AST.encodedAST(schema.ast));
  return ({ body, isStrict }) => {
    const problem = unknownField(body, isExtension || isStrict);
    return problem === null
      ? Either.mapBoth(decode(body), {
          onLeft: ({ issue }) => refusal(issue, "body"),
          onRight: (payload) => Checked.mark(payload, schema),
        })
      : Either.left(problem);
  };
};

const decoderOrNothing = (
  schema: Option.Option<Schema.Schema<unknown, unknown>>,
  decoder: (schema: Schema.Schema<unknown, unknown>) => Decoder,
): Decoder => Option.match(schema, { onNone: () => NOTHING, onSome: decoder });

const noQuery = Query.decoder(Schema.Struct({}));

type Endpoint = HttpApiEndpoint.HttpApiEndpoint<string, never, unknown, unknown, unknown, unknown>;

const decoderOf = (endpoint: Endpoint): Route["decode"] => {
  const path = decoderOrNothing(endpoint.pathSchema, pathDecoder(namesOf(endpoint.path)));
  const isExtension = Context.get(endpoint.annotations, Extension);
  const payload = decoderOrNothing(endpoint.payloadSchema, (schema) => payloadDecoder(schema, isExtension));
  const query = Option.match(endpoint.urlParamsSchema, { onNone: () => noQuery, onSome: Query.decoder });
  return (raw) => {
    const pathDecoded = path(raw);
    if (Either.isLeft(pathDecoded)) return Either.left(pathDecoded.left);
    const queryDecoded = query(raw.query);
    if (Either.isLeft(queryDecoded)) return Either.left(queryDecoded.left);
    const payloadDecoded = payload(raw);
    return Either.isLeft(payloadDecoded)
      ? Either.left(payloadDecoded.left)
      : Either.right({
          path: pathDecoded.right,
          query: queryDecoded.right,
          payload: payloadDecoded.right,
        });
  };
};

const bodyOf = (endpoint: Endpoint): Route["body"] =>
  Option.match(endpoint.payloadSchema, {
    onNone: () => "none",
    onSome: ({ ast }) =>
      HttpApiSchema.getMultipart(ast) !== undefined
        ? "multipart"
        : Context.get(endpoint.annotations, OptionalBody)
          ? "optional"
          : "json",
  });

const partsOf = (endpoint: Endpoint): ReadonlyArray<string> =>
  Option.match(endpoint.payloadSchema, {
    onNone: () => [],
    onSome: ({ ast }) => AST.getPropertySignatures(AST.encodedAST(ast)).map(({ name }) => String(name)),
  });

type Run = (call: Call<unknown, unknown, unknown>) => Effect.Effect<Response, Failure>;

/**
 * The handler of an endpoint. It accepts exactly what the endpoint's decoders return, because the type of `Handlers` is
 * derived from the same contract; a look-up by name loses that type.
 */
const runOf = (handlers: Handlers, group: string, name: string): Run => {
  const handler = (handlers as Readonly<Record<string, Readonly<Record<string, unknown>>>>)[group]?.[name];
  if (typeof handler !== "function") throw new Error(`the contract's ${group}.${name} has no handler`);
  return handler as Run;
};

/** The routes of the contract. */
export const compile = (handlers: Handlers, sizes: Sizes): ReadonlyArray<Route> => {
  const routes: Array<Route> = [];
  HttpApi.reflect(api, {
    onGroup: () => {},
    onEndpoint: ({ group, endpoint, mergedAnnotations }) => {
      const shapes = endpoint as unknown as Endpoint;
      const run = runOf(handlers, group.identifier, endpoint.name);
      routes.push({
        method: endpoint.method,
        template: endpoint.path.replace(/:(\w+)/g, "{$1}"),
        operation: Context.unsafeGet(mergedAnnotations, Operation),
        acceptsCachedCredential: Context.get(endpoint.annotations, CachedCredential),
        body: bodyOf(shapes),
        parts: partsOf(shapes),
        bodyBytesMax:
          bodyOf(shapes) === "multipart"
            ? multipartBytesMax(sizes)
            : jsonBytesMax(sizes, Context.get(endpoint.annotations, BodyBytesMax)),
        memoryTimes: Context.get(endpoint.annotations, MemoryTimes),
        decode: decoderOf(shapes),
        run: (principal, decoded, options, accepts) => run({ principal, ...decoded, options, ...accepts }),
      });
    },
  });
  return routes;
};
