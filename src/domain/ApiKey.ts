/** API keys: credentials of a customer, stored as a digest, and the rules for creating one. */
import { Either, Schema } from "effect";
import { type Actor, type Entry, type ErasureEvent, type ShownActor, shownActor } from "./Event.ts";
import { key, optional, optionalKey } from "./Field.ts";
import type { AgentId, CustomerId, PartnerId } from "./Ids.ts";
import * as Ids from "./Ids.ts";
import { GRANT_MAX, NAME_MAX } from "./Limits.ts";
import {
  ALL_SCOPES,
  DEFAULT_SCOPES,
  type Kind,
  Person,
  type Principal,
  personOf,
  grantOf as reachOf,
  Scope,
} from "./Principal.ts";
import { type Forbidden, forbidden, forbiddenField, invalid, type Refusal } from "./Refusal.ts";
import { Text } from "./Text.ts";
import { DAY, DateTime, format, parse, type Timestamp } from "./Timestamp.ts";

/**
 * What a key is for: a program; the session of a person who has signed in at an identity provider, or of a partner who has accepted
 * an invitation; or an invitation, which does nothing but open the session of its partner, once.
 */
export const Use = Schema.Literal("program", "session", "invitation");
export type Use = typeof Use.Type;

/** How long an invitation is valid by default and at most, and the session that it opens, in milliseconds. */
export const INVITATION_DEFAULT = 7 * DAY;
export const INVITATION_MAX = 30 * DAY;
export const PORTAL_SESSION = 30 * DAY;

const atMost = <A, I>(maximum: number, item: Schema.Schema<A, I>) =>
  Schema.Array(item).pipe(
    Schema.maxItems(maximum, {
      message: () => `must have at most ${maximum} values`,
      jsonSchema: { maxItems: maximum },
    }),
  );

const grantOf = <Id extends string>(id: Schema.Schema<Id, string>) =>
  Schema.Union(Schema.Literal("*"), atMost(GRANT_MAX, id));

const KeyKind = Schema.Literal("customer", "partner", "agent");
const Name = Text(1, NAME_MAX);
const Scopes = atMost(ALL_SCOPES.length, Scope);
const WORKSPACES = "The workspaces that the key may use, or * for all";
const PARTNERS = "The partners that the key may use, or * for all";

/** What a key allows, as it is stored, and as events and responses state it. */
export const Allowed = Schema.Struct({
  name: Schema.NullOr(Name),
  kind: KeyKind,
  workspaceIds: key(grantOf(Ids.WorkspaceId), "workspace_ids", WORKSPACES),
  partnerIds: key(grantOf(Ids.PartnerId), "partner_ids", PARTNERS),
  agentId: key(
    Schema.NullOr(Ids.AgentId),
    "agent_id",
    "The agent whom the key acts for; null for another kind.",
  ),
  scopes: Scopes,
  expiresAt: key(Schema.NullOr(DateTime), "expires_at", "Exclusive; null without an end."),
});

/**
 * A key as stored: what it allows, and the digest of its secret, never the secret. The scopes of an invitation are those of the
 * session that it opens.
 */
export interface ApiKey extends Schema.Schema.Type<typeof Allowed> {
  readonly id: string;
  /** 16 hexadecimal digits: the part of the key by which it is looked up. */
  readonly keyId: string;
  /** SHA-256 of the secret, in hexadecimal. */
  readonly secretSha256: string;
  readonly customerId: CustomerId;
  /** Absent where it is for a program. */
  readonly use?: Exclude<Use, "program">;
  /** The person that holds it; null where nobody stated one, so that the key counts as a person of its own. */
  readonly person: string | null;
  readonly createdAt: Timestamp;
  readonly revokedAt: Timestamp | null;
  /** Of an invitation that was accepted: the session that it opened. Absent from any other key. */
  readonly sessionId?: string;
  /** To the minute. */
  readonly lastUsedAt: Timestamp | null;
}

/** What creating a key takes. Without `scopes` the key gets the creator's, except `keys:admin`; without an end, the creator's. */
export const Create = Schema.Struct({
  customerId: optionalKey(
    Ids.CustomerId,
    "customer_id",
    "The customer of the key. Only a platform credential chooses it.",
  ),
  kind: optional(
    KeyKind,
    "customer (the default), partner, which needs partner_ids, or agent, which needs agent_id.",
  ),
  use: optional(
    Schema.Literal("program", "invitation"),
    "program (the default), or invitation: a key of a partner that opens a session for it, once.",
  ),
  workspaceIds: optionalKey(
    grantOf(Ids.WorkspaceId),
    "workspace_ids",
    `${WORKSPACES}; by default those of the caller.`,
  ),
  partnerIds: optionalKey(
    grantOf(Ids.PartnerId),
    "partner_ids",
    `${PARTNERS}; by default those of the caller.`,
  ),
  agentId: optionalKey(
    Ids.AgentId,
    "agent_id",
    "The agent whom the key acts for. Required when kind is agent; attributions that the key creates have it.",
  ),
  scopes: optional(Scopes, "What the key may do; by default every scope of the caller except keys:admin."),
  expiresAt: optionalKey(
    DateTime,
    "expires_at",
    `Exclusive: the key is valid before this moment; by default without end. An invitation is valid for ${INVITATION_DEFAULT / DAY} days by default and ${INVITATION_MAX / DAY} at most.`,
  ),
  name: optional(Name, "A name by which people recognise the key."),
  mail: optional(
    Schema.Boolean,
    "true sends the link of an invitation to the e-mail address of its one partner.",
  ),
  person: optional(
    Person,
    "Who holds the key; four eyes compare it. Only the platform states it: any other credential creates keys of its own person.",
  ),
});
export type Create = typeof Create.Type;

/** What a key is for, stated or not. */
export const useOf = ({ use }: Pick<ApiKey, "use">): Use => use ?? "program";

/** What a new key allows. */
export type Grant = Pick<
  ApiKey,
  | "use"
  | "customerId"
  | "kind"
  | "workspaceIds"
  | "partnerIds"
  | "agentId"
  | "scopes"
  | "expiresAt"
  | "name"
  | "person"
>;

const isNarrower = (inner: "*" | ReadonlyArray<string>, outer: "*" | ReadonlyArray<string>): boolean =>
  outer === "*" || (inner !== "*" && inner.every((id) => outer.includes(id)));

/** The workspaces, partners and agent of a credential; without an agent it covers all of them. */
export const Reach = Schema.Struct({
  workspaceIds: reachOf(Ids.WorkspaceId),
  partnerIds: reachOf(Ids.PartnerId),
  agentId: Schema.NullOr(Ids.AgentId),
});
export type Reach = typeof Reach.Type;

/** True if a key reaches no workspace, partner or agent beyond another's reach. A credential lists and revokes only such keys. */
export const isWithin = (key: Reach, reach: Reach): boolean =>
  isNarrower(key.workspaceIds, reach.workspaceIds) &&
  isNarrower(key.partnerIds, reach.partnerIds) &&
  (reach.agentId === null || key.agentId === reach.agentId);

/** The person of a new key: the one that the platform states, or that of the credential that creates it. */
const holder = (principal: Principal, { person }: Create): Either.Either<string | null, Forbidden> => {
  if (principal.kind === "platform") return Either.right(person ?? null);
  const own = personOf(principal);
  return person === undefined || person === own
    ? Either.right(own)
    : Either.left(
        forbiddenField("person", "must be that of the credential; only the platform names another"),
      );
};

/** The end of a new key for which none is stated. */
const defaultEnd = (principal: Principal, { use }: Create, now: Timestamp): Timestamp | null =>
  principal.expiresAt ?? (use === "invitation" ? now + INVITATION_DEFAULT : null);

/** Why a credential may not create an invitation; null where it may. */
const invitationProblem = (
  principal: Principal,
  { kind, expiresAt }: Pick<Grant, "kind" | "expiresAt">,
  now: Timestamp,
): Refusal | null => {
  if (kind !== "partner") return invalid("kind", "must be partner for an invitation");
  if (expiresAt !== null && expiresAt > now + INVITATION_MAX)
    return invalid("expires_at", `must be at most ${INVITATION_MAX / DAY} days ahead for an invitation`);
  return principal.expiresAt === undefined
    ? null
    : forbiddenField("use", "a credential that ends may not invite, because the session could last longer");
};

/**
 * The grant of a new key. The platform names the customer; a customer's credential creates keys of its own customer, with
 * nothing outside its own grant, no longer life and no other person. A partner key lists its partners, an agent key names its agent.
 */
export const grant = (
  principal: Principal,
  request: Create,
  now: Timestamp,
): Either.Either<Grant, Refusal> => {
  const customerId = request.customerId ?? principal.customerId;
  if (customerId === null) return Either.left(invalid("customer_id", "is required"));
  const isInvitation = request.use === "invitation";
  const requested: Omit<Grant, "person"> = {
    customerId,
    ...(isInvitation ? { use: "invitation" as const } : {}),
    kind: request.kind ?? "customer",
    workspaceIds: request.workspaceIds ?? principal.workspaceIds,
    partnerIds: request.partnerIds ?? principal.partnerIds,
    agentId: request.agentId ?? null,
    scopes: request.scopes ?? DEFAULT_SCOPES.filter((scope) => principal.scopes.includes(scope)),
    expiresAt: request.expiresAt ?? defaultEnd(principal, request, now),
    name: request.name ?? null,
  };
  const problem = isInvitation ? invitationProblem(principal, requested, now) : null;
  if (problem !== null) return Either.left(problem);
  if (requested.kind === "partner" && (requested.partnerIds === "*" || requested.partnerIds.length === 0)) {
    return Either.left(invalid("partner_ids", "must list the partners of a partner key"));
  }
  if ((requested.kind === "agent") !== (requested.agentId !== null)) {
    return Either.left(invalid("agent_id", "is required for, and only for, an agent key"));
  }
  if (requested.expiresAt !== null && requested.expiresAt <= now) {
    return Either.left(invalid("expires_at", "must be in the future"));
  }
  if (principal.customerId !== null && customerId !== principal.customerId) {
    return Either.left(forbiddenField("customer_id", "outside the credential's grant"));
  }
  const { expiresAt: end = null } = principal;
  if (end !== null && (requested.expiresAt ?? end) > end) {
    return Either.left(forbiddenField("expires_at", "must not be later than the credential's own expiry"));
  }
  return isWithin(requested, principal) && requested.scopes.every((scope) => principal.scopes.includes(scope))
    ? Either.map(holder(principal, request), (person) => ({ ...requested, person }))
    : Either.left(forbidden("the key would exceed the credential's own grant"));
};

/** The present state: the fold of the events. The last use is no event. */
export type View = Omit<ApiKey, "id" | "customerId" | "lastUsedAt">;

/** What can happen to a key. */
export type ApiKeyEvent =
  | {
      readonly type: "create_api_key";
      readonly actor: ShownActor;
      readonly name: string | null;
      readonly use?: Exclude<Use, "program">;
      readonly person: string | null;
      readonly kind: ApiKey["kind"];
      readonly workspace_ids: ApiKey["workspaceIds"];
      readonly partner_ids: ApiKey["partnerIds"];
      readonly agent_id: AgentId | null;
      readonly scopes: ReadonlyArray<Scope>;
      /** A date-time as the interface writes it. */
      readonly expires_at: string | null;
      readonly stored: { readonly key_id: string; readonly secret_sha256: string };
    }
  | {
      readonly type: "revoke_api_key";
      readonly actor: ShownActor;
      /** Of an invitation that was accepted: the session that it opened. */
      readonly session_id?: string;
    }
  | ErasureEvent;

/** A person who has signed in, and what the session may do. */
export interface SignedIn {
  readonly customerId: CustomerId;
  readonly person: string;
  /** How people call the person; null where the identity provider does not say. */
  readonly name: string | null;
  readonly scopes: ReadonlyArray<Scope>;
  /** Exclusive. */
  readonly expiresAt: Timestamp;
}

/** The grant of the key of a session: every workspace and partner of the customer. */
export const sessionGrant = (signedIn: SignedIn): Grant => ({
  ...signedIn,
  use: "session",
  kind: "customer",
  workspaceIds: "*",
  partnerIds: "*",
  agentId: null,
});

/** The person of a partner's sessions: whoever the partner lets in acts for the partner. */
export const personOfPartner = (partnerId: PartnerId): string => `partner:${partnerId}`;

/**
 * The grant of the session that an invitation opens: the records and scopes that the invitation states. Its person is the partner,
 * never whoever invited; a session of several partners is a person of its own.
 */
export const portalGrant = (invitation: ApiKey, now: Timestamp): Grant => ({
  use: "session",
  customerId: invitation.customerId,
  kind: invitation.kind,
  workspaceIds: invitation.workspaceIds,
  partnerIds: invitation.partnerIds,
  agentId: invitation.agentId,
  scopes: invitation.scopes,
  expiresAt: now + PORTAL_SESSION,
  name: invitation.name,
  person:
    invitation.partnerIds !== "*" && invitation.partnerIds.length === 1
      ? invitation.partnerIds.map(personOfPartner).join()
      : null,
});

/** The state after one more entry. */
export const evolve = (state: View | null, { at, event }: Entry<ApiKeyEvent>): View => {
  if (event.type === "create_api_key")
    return {
      keyId: event.stored.key_id,
      secretSha256: event.stored.secret_sha256,
      name: event.name,
      ...(event.use === undefined ? {} : { use: event.use }),
      person: event.person,
      kind: event.kind,
      workspaceIds: event.workspace_ids,
      partnerIds: event.partner_ids,
      agentId: event.agent_id,
      scopes: event.scopes,
      createdAt: at,
      expiresAt: event.expires_at === null ? null : parse(event.expires_at),
      revokedAt: null,
    };
  if (state === null) throw new Error("a key's log begins with create_api_key");
  if (event.type === "erase_personal_data") return state;
  const { session_id: sessionId } = event;
  return { ...state, revokedAt: at, ...(sessionId === undefined ? {} : { sessionId }) };
};

/** The event of a new key. */
export const create = (
  grant: Omit<Grant, "customerId">,
  { keyId, secretSha256 }: Pick<ApiKey, "keyId" | "secretSha256">,
  by: Actor,
): ApiKeyEvent => ({
  type: "create_api_key",
  actor: shownActor(by),
  name: grant.name,
  ...(grant.use === undefined ? {} : { use: grant.use }),
  person: grant.person,
  kind: grant.kind,
  workspace_ids: grant.workspaceIds,
  partner_ids: grant.partnerIds,
  agent_id: grant.agentId,
  scopes: grant.scopes,
  expires_at: grant.expiresAt === null ? null : format(grant.expiresAt),
  stored: { key_id: keyId, secret_sha256: secretSha256 },
});

/** The events of a revocation; none when the key is revoked already. */
export const revoke = ({ revokedAt }: Pick<ApiKey, "revokedAt">, by: Actor): ReadonlyArray<ApiKeyEvent> =>
  revokedAt === null ? [{ type: "revoke_api_key", actor: shownActor(by) }] : [];

/** The event of an invitation that opens a session, which ends it. */
export const accept = (sessionId: string, by: Actor): ApiKeyEvent => ({
  type: "revoke_api_key",
  actor: shownActor(by),
  session_id: sessionId,
});

/** What has become of an invitation at a moment. */
export const invitationState = (
  { sessionId, revokedAt, expiresAt }: Pick<ApiKey, "sessionId" | "revokedAt" | "expiresAt">,
  now: Timestamp,
): "open" | "accepted" | "withdrawn" | "expired" => {
  if (sessionId !== undefined) return "accepted";
  if (revokedAt !== null) return "withdrawn";
  return expiresAt !== null && expiresAt <= now ? "expired" : "open";
};

/**
 * The principal of a key. That of an invitation has no scopes. That of a session has the key's name, and no end, because keys that
 * are created in a session are for programs and may last longer.
 */
export const principal = (key: ApiKey): Principal => ({
  principalId: key.id,
  ...(key.person === null ? {} : { person: key.person }),
  kind: key.kind satisfies Kind,
  customerId: key.customerId,
  workspaceIds: key.workspaceIds,
  partnerIds: key.partnerIds,
  agentId: key.agentId,
  scopes: key.use === "invitation" ? [] : key.scopes,
  ...(key.expiresAt === null || key.use === "session" ? {} : { expiresAt: key.expiresAt }),
  ...(key.name !== null && key.use === "session" ? { name: key.name } : {}),
  ...(key.use === "session" ? { session: true as const } : {}),
});

/** True if a key is neither revoked nor expired at a moment. */
export const isUsable = (key: ApiKey, now: Timestamp): boolean =>
  key.revokedAt === null && (key.expiresAt === null || now < key.expiresAt);
