/** Annotations of the contract's operations: required scope, limits, and whether the published interface has the operation. */
import * as OpenApi from "@effect/platform/OpenApi";
import { Context } from "effect";
import { Principal } from "quittance";
import { JSON_BYTES_MAX } from "./Limit.ts";

/** The key under which an operation of the platform's document states its scope; our document does not show it. */
export const SCOPE_KEY = "x-scope";

/** The engine's operation that an endpoint performs; it decides which scope and which kinds of principal may call it. */
export class Operation extends Context.Tag("quittance/http/api/Operation")<
  Operation,
  Principal.Operation
>() {}

/** Whether an endpoint goes beyond the published interface. */
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

/** Whether an endpoint's JSON body is optional; without one it is an object without fields. */
export class OptionalBody extends Context.Reference<OptionalBody>()("quittance/http/api/OptionalBody", {
  defaultValue: () => false,
}) {}

/**
 * Whether an endpoint may begin with a cached credential. Only for endpoints that are called often and whose service
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

/** The annotations of an endpoint: its operation, and its words and scope in the OpenAPI document. */
const describe = (
  operation: Principal.Operation,
  identifier: string,
  summary: string,
  description: string,
  change: (endpoint: Described) => Described = (endpoint) => endpoint,
): Context.Context<Operation> =>
  OpenApi.annotations({
    identifier,
    summary,
    description,
    transform: (endpoint) => ({ ...change(endpoint), [SCOPE_KEY]: Principal.SCOPE_OF[operation] }),
  }).pipe(Context.add(Operation, operation));

type Words = readonly [
  operation: Principal.Operation,
  identifier: string,
  summary: string,
  description: string,
];

/** Annotates an endpoint of the published interface. `identifier` names it in the OpenAPI document. */
export const publishedOperation = (...words: Words): Context.Context<Operation> => describe(...words);

const withOptionalBody = ({ requestBody, ...endpoint }: Described): Described => ({
  ...endpoint,
  requestBody: { ...requestBody, required: false },
});

const taggedExtension = ({ tags = [], ...endpoint }: Described): Described => ({
  ...endpoint,
  tags: [...tags, "extension"],
});

/** Annotates an endpoint of the published interface whose JSON body is optional. */
export const publishedWithOptionalBody = (...words: Words): Context.Context<Operation | OptionalBody> =>
  Context.add(describe(...words, withOptionalBody), OptionalBody, true);

/** Annotates an endpoint beyond the published interface: as {@link publishedOperation}, tagged `extension`. */
export const extension = (...words: Words): Context.Context<Operation | Extension> =>
  Context.add(describe(...words, taggedExtension), Extension, true);

/** The same for an endpoint whose JSON body is optional. */
export const extensionWithOptionalBody = (
  ...words: Words
): Context.Context<Operation | Extension | OptionalBody> =>
  describe(...words, (endpoint) => taggedExtension(withOptionalBody(endpoint))).pipe(
    Context.add(Extension, true),
    Context.add(OptionalBody, true),
  );

/** Annotates strings of the contract in which JSON never escapes a character. */
export const UNESCAPED: unique symbol = Symbol.for("quittance/http/api/Unescaped");
