/** Principals: the customer, grants and scopes of a caller, and the one predicate that decides which records it sees. */
import { Either, Schema } from "effect";
import { AgentId, CustomerId, PartnerId, WorkspaceId } from "./Ids.ts";
import { NAME_MAX } from "./Limits.ts";
import { type Forbidden, forbidden, forbiddenField } from "./Refusal.ts";
import { Text } from "./Text.ts";

/** A permission of a credential; each operation needs one. */
export const Scope = Schema.Literal(
  "attributions:read",
  "attributions:write",
  "schemas:read",
  "schemas:write",
  "partners:read",
  "partners:write",
  "formulas:read",
  "formulas:write",
  "commissions:read",
  "settlements:read",
  "settlements:write",
  "settlements:approve",
  "settlements:pay",
  "payouts:read",
  "events:read",
  "events:write",
  "keys:admin",
);
export type Scope = typeof Scope.Type;

/** Every scope, in the order of their definition. */
export const ALL_SCOPES: ReadonlyArray<Scope> = Scope.literals;

/** Every scope except `keys:admin`: what a key gets when its creator names none. */
export const DEFAULT_SCOPES: ReadonlyArray<Scope> = ALL_SCOPES.filter((scope) => scope !== "keys:admin");

/** The kinds of principal. */
export const Kind = Schema.Literal("customer", "partner", "agent", "platform", "system");
export type Kind = typeof Kind.Type;

/** A grant: everything (`*`), or an explicit list of ids. */
export const grantOf = <A extends string>(id: Schema.Schema<A, string>) =>
  Schema.Union(Schema.Literal("*"), Schema.Array(id));

/** The name of a person, as the operator or the identity provider states it; compared as it is. */
export const Person = Text(1, 255);

/**
 * A caller. `customerId` is null for the platform only; a grant is `*` or an explicit list. `person` is who acts with the
 * credential, absent where the credential is all that is known of it; `name` is how people call a person who has signed in.
 * `expiresAt` is when the keys end that the credential creates, absent where they may be without end. `session` is there in
 * sessions of people, which alone a browser may keep in its cookie.
 */
export const Principal = Schema.Struct({
  principalId: Text(1, 255),
  person: Schema.optionalWith(Person, { exact: true }),
  name: Schema.optionalWith(Text(1, NAME_MAX), { exact: true }),
  kind: Kind,
  customerId: Schema.NullOr(CustomerId),
  workspaceIds: grantOf(WorkspaceId),
  partnerIds: grantOf(PartnerId),
  agentId: Schema.NullOr(AgentId),
  scopes: Schema.Array(Scope),
  expiresAt: Schema.optionalWith(Schema.Int, { exact: true }),
  session: Schema.optionalWith(Schema.Literal(true), { exact: true }),
});
export type Principal = typeof Principal.Type;

/** The person that a principal acts for: four eyes compare persons, because one person may hold several credentials. */
export const personOf = ({ person, principalId }: Pick<Principal, "person" | "principalId">): string =>
  person ?? principalId;

/** A principal that may do everything for one customer: what a host passes when it has checked its caller itself. */
export const customer = (customerId: CustomerId, principalId = "host"): Principal => ({
  principalId,
  kind: "customer",
  customerId,
  workspaceIds: "*",
  partnerIds: "*",
  agentId: null,
  scopes: ALL_SCOPES,
});

/** The operator of the engine, across all customers; `principalId` names the authority. */
export const platform = (principalId: string): Principal => ({
  principalId,
  kind: "platform",
  customerId: null,
  workspaceIds: "*",
  partnerIds: "*",
  agentId: null,
  scopes: ALL_SCOPES,
});

/** The fields that decide a record's visibility; `partnerId` is null when the record belongs to no partner. */
export interface Ownership {
  readonly customerId: CustomerId;
  readonly workspaceId: WorkspaceId;
  readonly partnerId: PartnerId | null;
}

const isGranted = (grant: "*" | ReadonlyArray<string>, id: string): boolean =>
  grant === "*" || grant.includes(id);

/** True if a principal sees a record. Every read and write is checked here or by {@link restrict}. */
export const canSee = (principal: Principal, record: Ownership): boolean =>
  (principal.kind === "platform" || principal.customerId === record.customerId) &&
  isGranted(principal.workspaceIds, record.workspaceId) &&
  (record.partnerId === null || isGranted(principal.partnerIds, record.partnerId));

const intersect = <A extends string>(
  grant: "*" | ReadonlyArray<A>,
  requested: ReadonlyArray<A> | undefined,
): ReadonlyArray<A> | undefined =>
  grant === "*" ? requested : requested === undefined ? grant : requested.filter((id) => grant.includes(id));

/**
 * The same predicate as {@link canSee}, as filters of a list: the requested ids that the grants contain.
 * An empty list matches nothing. Pass `partnerOwned: false` for records that belong to no partner.
 */
export const restrict = (
  principal: Principal,
  requested: {
    readonly workspaceIds?: ReadonlyArray<WorkspaceId> | undefined;
    readonly partnerIds?: ReadonlyArray<PartnerId> | undefined;
  },
  partnerOwned = true,
): { readonly workspaceIds?: ReadonlyArray<WorkspaceId>; readonly partnerIds?: ReadonlyArray<PartnerId> } => {
  const workspaceIds = intersect(principal.workspaceIds, requested.workspaceIds);
  const partnerIds = partnerOwned
    ? intersect(principal.partnerIds, requested.partnerIds)
    : requested.partnerIds;
  return {
    ...(workspaceIds === undefined ? {} : { workspaceIds }),
    ...(partnerIds === undefined ? {} : { partnerIds }),
  };
};

/** The operations of a partner: reading its own records, uploading documents and attachments, raising disputes, commenting, and proposing an account. */
const PARTNER_MAY: ReadonlySet<Operation> = new Set([
  "read principal",
  "accept invitation",
  "list partners",
  "list payout accounts",
  "propose payout account",
  "list partner links",
  "list attributions",
  "attribution statistics",
  "list formulas",
  "read plan terms",
  "list plan acceptances",
  "accept plan terms",
  "list commissions",
  "commission statistics",
  "explain commission",
  "list settlements",
  "read settlement document",
  "read balance",
  "read statement",
  "upload invoice",
  "upload credit note",
  "dispute settlement",
  "withdraw dispute",
  "comment settlement",
  "attach file",
] satisfies ReadonlyArray<Operation>);

/** The operations of the platform across customers: reading, managing keys, creating a settlement. */
const PLATFORM_MAY: ReadonlySet<Operation> = new Set([
  "read principal",
  "list attributions",
  "attribution statistics",
  "list schemas",
  "list partners",
  "read partner events",
  "list payout accounts",
  "list partner links",
  "list formulas",
  "simulate formula",
  "list plans",
  "read plan terms",
  "list plan acceptances",
  "list commissions",
  "commission statistics",
  "explain commission",
  "list settlements",
  "preview settlement",
  "read settlement document",
  "read balance",
  "read statement",
  "create settlement",
  "list keys",
  "create key",
  "revoke key",
  "erase partner",
  "erase events",
] satisfies ReadonlyArray<Operation>);

/** The operations that nobody but the platform has: what they change cannot be undone. */
const PLATFORM_ALONE_MAY: ReadonlySet<Operation> = new Set<Operation>(["erase partner", "erase events"]);

/** Every operation and the scope it needs; null where any valid credential is enough. */
export const SCOPE_OF = {
  "read principal": null,
  "accept invitation": null,
  "list attributions": "attributions:read",
  "attribution statistics": "attributions:read",
  "create attribution": "attributions:write",
  "cancel attribution": "attributions:write",
  "replace attribution": "attributions:write",
  "recredit attribution": "attributions:write",
  "start recredit run": "attributions:write",
  "list recredit runs": "commissions:read",
  "state received": "attributions:write",
  "preview received": "commissions:read",
  "list schemas": "schemas:read",
  "create schema": "schemas:write",
  "list partners": "partners:read",
  "read partner events": "partners:read",
  "create partner": "partners:write",
  "update partner": "partners:write",
  "list payout accounts": "partners:read",
  "propose payout account": "partners:write",
  "confirm payout account": "settlements:approve",
  "retire payout account": "partners:write",
  "list partner links": "partners:read",
  "create partner link": "partners:write",
  "update partner link": "partners:write",
  "list formulas": "formulas:read",
  "simulate formula": "formulas:read",
  "create formula": "formulas:write",
  "update formula": "formulas:write",
  "set formula parameters": "formulas:write",
  "withdraw formula version": "formulas:write",
  "cancel formula": "formulas:write",
  "list plans": "formulas:read",
  "read plan terms": "formulas:read",
  "list plan acceptances": "formulas:read",
  "accept plan terms": "settlements:write",
  "create plan": "formulas:write",
  "update plan": "formulas:write",
  "withdraw plan version": "formulas:write",
  "cancel plan": "formulas:write",
  "assign plan": "formulas:write",
  "unassign plan": "formulas:write",
  "start plan trial": "formulas:write",
  "list plan trials": "commissions:read",
  "set plan parameters": "formulas:write",
  "set partner parameters": "formulas:write",
  "list commissions": "commissions:read",
  "commission statistics": "commissions:read",
  "explain commission": "commissions:read",
  "list settlements": "settlements:read",
  "preview settlement": "settlements:read",
  "read settlement document": "settlements:read",
  "read balance": "settlements:read",
  "read statement": "settlements:read",
  "read journal": "settlements:read",
  "read payables": "settlements:read",
  "read books": "settlements:read",
  "write books": "settlements:approve",
  "create settlement": "settlements:write",
  "cancel settlement": "settlements:write",
  "upload report": "settlements:write",
  "upload invoice": "settlements:write",
  "upload credit note": "settlements:write",
  "dispute settlement": "settlements:write",
  "withdraw dispute": "settlements:write",
  "comment settlement": "settlements:write",
  "attach file": "settlements:write",
  "approve settlement": "settlements:approve",
  "review settlement": "settlements:approve",
  "write off settlement": "settlements:approve",
  "resolve dispute": "settlements:approve",
  "choose payout account": "settlements:approve",
  "mark settlement as paid": "settlements:pay",
  "initiate payment": "settlements:pay",
  "fail payment": "settlements:pay",
  "return payment": "settlements:pay",
  "reconcile settlement": "settlements:pay",
  "read workspace": "partners:read",
  "write workspace": "partners:write",
  "read settlement policy": "settlements:read",
  "write settlement policy": "settlements:approve",
  "list settlement runs": "settlements:read",
  "start settlement run": "settlements:write",
  "list payment files": "settlements:pay",
  "create payment file": "settlements:pay",
  "hand over payment file": "settlements:pay",
  "discard payment file": "settlements:pay",
  "read bank statement": "settlements:pay",
  "list keys": "keys:admin",
  "create key": "keys:admin",
  "revoke key": "keys:admin",
  "read billing profile": "settlements:read",
  "write billing profile": "keys:admin",
  "read events": "events:read",
  "verify events": "events:read",
  "erase partner": "keys:admin",
  "erase events": "keys:admin",
  "list webhook endpoints": "events:read",
  "list webhook deliveries": "events:read",
  "create webhook endpoint": "events:write",
  "update webhook endpoint": "events:write",
  "delete webhook endpoint": "events:write",
  "rotate webhook secret": "events:write",
  "redeliver webhook": "events:write",
} as const satisfies Record<string, Scope | null>;
export type Operation = keyof typeof SCOPE_OF;

/** The operations that may concern any partner of the workspace, with the words of what they concern; they need the partner grant `*`. */
const EVERY_PARTNER: ReadonlyMap<Operation, string> = new Map<Operation, string>([
  ["create plan", "a plan"],
  ["update plan", "a plan"],
  ["withdraw plan version", "a plan"],
  ["cancel plan", "a plan"],
  ["assign plan", "a plan"],
  ["unassign plan", "a plan"],
  ["start plan trial", "a trial"],
  ["list plan trials", "a trial"],
  ["write workspace", "a workspace"],
  ["set plan parameters", "a plan"],
  ["set partner parameters", "a plan"],
  ["write settlement policy", "a settlement policy"],
  ["list settlement runs", "a settlement run"],
  ["start settlement run", "a settlement run"],
  ["start recredit run", "a recredit run"],
  ["list recredit runs", "a recredit run"],
]);

/** The operations that concern every record of the customer, with the words of what they concern; they need the grants `*`. */
const EVERY_RECORD: ReadonlyMap<Operation, string> = new Map<Operation, string>([
  ["read events", "the feed"],
  ["verify events", "the feed"],
  ["list webhook endpoints", "a webhook endpoint"],
  ["list webhook deliveries", "a webhook endpoint"],
  ["create webhook endpoint", "a webhook endpoint"],
  ["update webhook endpoint", "a webhook endpoint"],
  ["delete webhook endpoint", "a webhook endpoint"],
  ["rotate webhook secret", "a webhook endpoint"],
  ["redeliver webhook", "a webhook endpoint"],
  ["list payment files", "a payment file"],
  ["create payment file", "a payment file"],
  ["hand over payment file", "a payment file"],
  ["discard payment file", "a payment file"],
  ["read bank statement", "a payment file"],
  ["read billing profile", "the billing profile"],
  ["write billing profile", "the billing profile"],
  ["write books", "the books"],
  ["read books", "the books"],
]);

const kindMay = (kind: Kind, operation: Operation): boolean => {
  switch (kind) {
    case "customer":
    case "agent":
      return !PLATFORM_ALONE_MAY.has(operation);
    case "partner":
      return PARTNER_MAY.has(operation);
    case "platform":
      return PLATFORM_MAY.has(operation);
    case "system":
      return false;
  }
};

/** Succeeds when the principal's kind, scopes and grants allow the operation. */
export const authorize = (principal: Principal, operation: Operation): Either.Either<void, Forbidden> => {
  if (!kindMay(principal.kind, operation))
    return Either.left(forbidden(`A ${principal.kind} credential may not ${operation}`));
  const scope = SCOPE_OF[operation];
  if (scope !== null && !principal.scopes.includes(scope))
    return Either.left(forbidden(`The credential lacks the scope ${scope}`));
  const everyRecordSubject = EVERY_RECORD.get(operation);
  if (everyRecordSubject !== undefined && (principal.workspaceIds !== "*" || principal.partnerIds !== "*"))
    return Either.left(
      forbidden(
        `The credential is limited to some workspaces or partners; ${everyRecordSubject} needs one for all of them`,
      ),
    );
  const everyPartnerSubject = EVERY_PARTNER.get(operation);
  return everyPartnerSubject !== undefined && principal.partnerIds !== "*"
    ? Either.left(
        forbidden(
          `The credential is limited to some partners; ${everyPartnerSubject} needs one for all of them`,
        ),
      )
    : Either.void;
};

/**
 * Succeeds unless a named id is outside an explicit grant list; under the grant `*` it always succeeds.
 * The message names the field of a body, or the parameter of a list (`several`).
 */
export const withinGrants = (
  principal: Principal,
  named: {
    readonly workspaceIds?: ReadonlyArray<string> | undefined;
    readonly partnerIds?: ReadonlyArray<string> | undefined;
    readonly uplinePartnerIds?: ReadonlyArray<string> | undefined;
  },
  several = false,
): Either.Either<void, Forbidden> => {
  const outside = (field: string) =>
    Either.left(forbiddenField(`${field}${several ? "s" : ""}`, "outside the credential's grant"));
  if (named.workspaceIds?.some((id) => !isGranted(principal.workspaceIds, id)))
    return outside("workspace_id");
  if (named.partnerIds?.some((id) => !isGranted(principal.partnerIds, id))) return outside("partner_id");
  if (named.uplinePartnerIds?.some((id) => !isGranted(principal.partnerIds, id)))
    return outside("upline_partner_id");
  return Either.void;
};
