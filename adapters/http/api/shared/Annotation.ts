/** Annotations of the contract's operations: required scope, limits, and whether the published interface has the operation. */
import type * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint";
import * as OpenApi from "@effect/platform/OpenApi";
import { Context } from "effect";
import { Principal } from "quittance";
import type { JsonObject } from "../openapi/Json.ts";
import { JSON_BYTES_MAX } from "./Limit.ts";
import { MEANINGS_KEY, meaningsOf } from "./Meaning.ts";

/** The key under which an operation of the platform's document states its scope; our document does not show it. */
export const SCOPE_KEY = "x-scope";

/** The key under which an operation of the platform's document states its examples. */
export const EXAMPLES_KEY = "x-examples";

/** The examples of an operation in the OpenAPI document. */
export interface Examples {
  readonly request?: JsonObject;
  readonly response?: JsonObject | string;
  /** The response to a request that stores nothing, where the operation has such requests. */
  readonly dryRun?: JsonObject;
  /** The message of a response of 400, by default that the id must be a UUID. */
  readonly refused?: string;
  /** The message of a response of 403, by default that the credential lacks the scope. */
  readonly forbidden?: string;
}

/** The engine's operation that an endpoint performs; it decides which scope and which kinds of principal may call it. */
export class Operation extends Context.Tag("quittance/http/api/Operation")<
  Operation,
  Principal.Operation
>() {}

/** True if an endpoint goes beyond the published interface. */
export class Extension extends Context.Reference<Extension>()("quittance/http/api/Extension", {
  defaultValue: () => false,
}) {}

/** The largest JSON body an endpoint reads, in bytes. */
export class BodyBytesMax extends Context.Reference<BodyBytesMax>()("quittance/http/api/BodyBytesMax", {
  defaultValue: () => JSON_BYTES_MAX,
}) {}

/** How many times its size the body of an endpoint takes in memory while it is handled. */
export class MemoryTimes extends Context.Reference<MemoryTimes>()("quittance/http/api/MemoryTimes", {
  defaultValue: () => 1,
}) {}

/** True if an endpoint's JSON body is optional; without one it is an object without fields. */
export class OptionalBody extends Context.Reference<OptionalBody>()("quittance/http/api/OptionalBody", {
  defaultValue: () => false,
}) {}

/**
 * True if an endpoint may begin with a cached credential. Only for endpoints that are called often and whose service
 * runs every call through the pipeline, because the commit confirms the credential.
 */
export class CachedCredential extends Context.Reference<CachedCredential>()(
  "quittance/http/api/CachedCredential",
  { defaultValue: () => false },
) {}

type Described = Record<string, unknown> & {
  readonly tags?: ReadonlyArray<string>;
  readonly requestBody?: object;
};

/** What an endpoint states in addition to its types. */
interface Words extends Examples {
  /** The engine's operation, which decides the scope. */
  readonly operation: Principal.Operation;
  /** Its name in the OpenAPI document. */
  readonly id: string;
  readonly summary: string;
  readonly description: string;
}

type Annotate = <Endpoint extends HttpApiEndpoint.HttpApiEndpoint.Any>(endpoint: Endpoint) => Endpoint;

/** Annotates an endpoint with its words, its scope, and the meanings of its fields. */
const describe =
  (
    { operation, id, summary, description, ...examples }: Words,
    change: (endpoint: Described) => Described = (endpoint) => endpoint,
    flags: Context.Context<never> = Context.empty(),
  ): Annotate =>
  (endpoint) => {
    const described = endpoint as unknown as HttpApiEndpoint.HttpApiEndpoint.AnyWithProps;
    const context = OpenApi.annotations({
      identifier: id,
      summary,
      description,
      transform: (operationObject) => ({
        ...change(operationObject),
        [SCOPE_KEY]: Principal.SCOPE_OF[operation],
        [MEANINGS_KEY]: meaningsOf(described),
        [EXAMPLES_KEY]: examples,
      }),
    }).pipe(Context.merge(flags), Context.add(Operation, operation));
    return described.annotateContext(context) as unknown as typeof endpoint;
  };

const EXTENSION = Context.make(Extension, true) as Context.Context<never>;
const OPTIONAL_BODY = Context.make(OptionalBody, true) as Context.Context<never>;

const withOptionalBody = ({ requestBody, ...endpoint }: Described): Described => ({
  ...endpoint,
  requestBody: { ...requestBody, required: false },
});

const taggedExtension = ({ tags = [], ...endpoint }: Described): Described => ({
  ...endpoint,
  tags: [...tags, "extension"],
});

/** Annotates an endpoint of the published interface. */
export const publishedOperation = (words: Words): Annotate => describe(words);

/** Annotates an endpoint of the published interface whose JSON body is optional. */
export const publishedWithOptionalBody = (words: Words): Annotate =>
  describe(words, withOptionalBody, OPTIONAL_BODY);

/** Annotates an endpoint beyond the published interface: as {@link publishedOperation}, tagged `extension`. */
export const extension = (words: Words): Annotate => describe(words, taggedExtension, EXTENSION);

/** The same for an endpoint whose JSON body is optional. */
export const extensionWithOptionalBody = (words: Words): Annotate =>
  describe(
    words,
    (endpoint) => taggedExtension(withOptionalBody(endpoint)),
    Context.merge(EXTENSION, OPTIONAL_BODY),
  );

/** Annotates strings of the contract in which JSON never escapes a character. */
export const UNESCAPED: unique symbol = Symbol.for("quittance/http/api/Unescaped");

/** Annotates the texts of moments, for which records have milliseconds. */
export const MOMENT: unique symbol = Symbol.for("quittance/http/api/Moment");
