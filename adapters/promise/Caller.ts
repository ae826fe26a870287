/** The caller: its description by the host, and the principal that follows from it. */
import { Either, Schema } from "effect";
import { Ids, Principal, Refusal } from "quittance";
import { errorFromInput } from "./Failure.ts";

/** What a host states of a caller that it has checked itself. Absent limits nothing. */
export interface Caller {
  /** The customer whose records the caller reads and writes; any UUID. */
  readonly customerId: string;
  /** Stored with every event; `host` by default. */
  readonly actor?: string;
  /** The person that acts, where the host knows it; by default every actor is a person of its own. Four eyes compare persons. */
  readonly person?: string;
  /** What the caller may do; everything by default. */
  readonly scopes?: ReadonlyArray<Principal.Scope>;
  readonly workspaceIds?: ReadonlyArray<string>;
  readonly partnerIds?: ReadonlyArray<string>;
}

const optional = <A, I>(schema: Schema.Schema<A, I>) => Schema.optionalWith(schema, { exact: true });
const CallerFields = Schema.Struct({
  customerId: Ids.CustomerId,
  actor: optional(Principal.Principal.fields.principalId),
  person: optional(Principal.Person),
  scopes: optional(Principal.Principal.fields.scopes),
  workspaceIds: optional(Principal.Principal.fields.workspaceIds),
  partnerIds: optional(Principal.Principal.fields.partnerIds),
});

// A misspelt limit must not be no limit.
const decode = Schema.decodeUnknownEither(CallerFields, { onExcessProperty: "error" });

/** The principal of a caller; throws when one of its fields is wrong. */
export const principalOf = (caller: Caller): Principal.Principal => {
  const stated = decode(caller);
  if (Either.isLeft(stated)) throw errorFromInput(Refusal.fromParseError(stated.left));
  const { customerId, actor, ...limits } = stated.right;
  return { ...Principal.customer(customerId, actor), ...limits };
};
