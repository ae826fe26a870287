/** What the contract says of an operation beside its shapes: who may call it, and whether the interface has it. */
import * as OpenApi from "@effect/platform/OpenApi";
import { Context } from "effect";
import type { Principal } from "quittance";
import { JSON_BYTES_MAX } from "./Limit.ts";

/** The engine's operation an endpoint performs; it decides which scope and which kinds of principal may call it. */
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

/** Whether an endpoint's JSON body may be left out; it then reads as an object without fields. */
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

/** Annotates an endpoint of the published interface. `identifier` names it in the OpenAPI document. */
export const published = (
  operation: Principal.Operation,
  identifier: string,
  summary: string,
  description: string,
): Context.Context<Operation> =>
  OpenApi.annotations({ identifier, summary, description }).pipe(Context.add(Operation, operation));

/** Annotates an endpoint of the published interface whose JSON body may be left out. */
export const publishedWithOptionalBody = (
  ...[operation, identifier, summary, description]: Parameters<typeof published>
): Context.Context<Operation | OptionalBody> =>
  OpenApi.annotations({
    identifier,
    summary,
    description,
    transform: ({ requestBody, ...endpoint }) => ({
      ...endpoint,
      requestBody: { ...requestBody, required: false },
    }),
  }).pipe(Context.add(Operation, operation), Context.add(OptionalBody, true));

/** Annotates an endpoint beyond the published interface: as {@link published}, tagged `extension`. */
export const extension = (
  operation: Principal.Operation,
  identifier: string,
  summary: string,
  description: string,
): Context.Context<Operation | Extension> =>
  OpenApi.annotations({
    identifier,
    summary,
    description,
    transform: (endpoint) => ({ ...endpoint, tags: [...endpoint.tags, "extension"] }),
  }).pipe(Context.add(Operation, operation), Context.add(Extension, true));

/** Annotates strings of the contract that never hold a character that JSON escapes. */
export const UNESCAPED: unique symbol = Symbol.for("quittance/http/api/Unescaped");
