/** The handlers that the contract demands: one for each of its operations, each with the input that it defines. */
import type * as HttpApi from "@effect/platform/HttpApi";
import type * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint";
import type * as HttpApiGroup from "@effect/platform/HttpApiGroup";
import type { Effect } from "effect";
import type { Pipeline, Principal } from "quittance";
import type { api } from "../api/Api.ts";
import type { Failure } from "../transport/Failure.ts";
import type { Response } from "../transport/HttpMessage.ts";

/** One call of an operation: the principal, and the request as the contract decodes it. */
export interface Call<Path, Query, Payload> {
  readonly principal: Principal.Principal;
  readonly path: Path;
  readonly query: Query;
  readonly payload: Payload;
  readonly options: Pipeline.CommandOptions;
  /** True if the header `Accept` prefers a media type that the operation has beside that of the interface. */
  readonly prefers: (mediaType: string) => boolean;
  /** The languages that the header `Accept-Language` names, the most wanted first. */
  readonly languages: () => ReadonlyArray<string>;
}

type Groups = typeof api extends HttpApi.HttpApi<infer _Id, infer Group, infer _E, infer _R> ? Group : never;

type CallOf<Endpoint> =
  Endpoint extends HttpApiEndpoint.HttpApiEndpoint<
    infer _Name,
    infer _Method,
    infer Path,
    infer Query,
    infer Payload,
    infer _Headers,
    infer _Success,
    infer _Error,
    infer _R,
    infer _RE
  >
    ? Call<Path, Query, Payload>
    : never;

/** Inferred rather than read, so that the declarations compile in hosts without the types of the contract. */
type IdentifierOf<Group> = Group extends { readonly identifier: infer Identifier extends string }
  ? Identifier
  : never;
type NameOf<Endpoint> = Endpoint extends { readonly name: infer Name extends string } ? Name : never;

/** The operations of a group. */
export type Endpoints<Group> = HttpApiGroup.HttpApiGroup.Endpoints<
  Extract<Groups, { readonly identifier: Group }>
>;

/** The handlers by group and name; each takes the input that the contract defines for its operation. */
export type Handlers = {
  readonly [Group in Groups as IdentifierOf<Group>]: {
    readonly [Endpoint in HttpApiGroup.HttpApiGroup.Endpoints<Group> as NameOf<Endpoint>]: (
      call: CallOf<Endpoint>,
    ) => Effect.Effect<Response, Failure>;
  };
};
