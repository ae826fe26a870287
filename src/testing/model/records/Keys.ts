/** The model of API keys: who may create and revoke which, and the principal of a token. */

import type { Principal } from "../../../domain/Principal.ts";
import type { CommandOf } from "../Command.ts";
import { isName } from "../prediction/Bounds.ts";
import {
  accept,
  applyRules,
  baseRules,
  type Prediction,
  queryResult,
  refuse,
} from "../prediction/Prediction.ts";
import { personOf } from "../prediction/Rights.ts";
import { MINUTE } from "../world/Time.ts";
import { type Key, mapWhere, type World } from "../world/World.ts";
import { actorOf, logControl } from "./ControlLogs.ts";

type Reach = Pick<Key, "workspaceIds" | "partnerIds" | "agentId">;

const covers = (grant: "*" | ReadonlyArray<string>, ids: "*" | ReadonlyArray<string>): boolean =>
  grant === "*" || (ids !== "*" && ids.every((id) => grant.includes(id)));

/** True if a key reaches only workspaces, partners and agents that its creator reaches. */
const isWithin = (key: Reach, principal: Principal): boolean =>
  covers(principal.workspaceIds, key.workspaceIds) &&
  covers(principal.partnerIds, key.partnerIds) &&
  (principal.agentId === null || principal.agentId === key.agentId);

/** The requested key, with defaults from its creator's grant. */
const withDefaults = ({ principal, input }: CommandOf<"create_key">) => ({
  kind: input.kind ?? ("customer" as const),
  workspaceIds: input.workspaceIds ?? principal.workspaceIds,
  partnerIds: input.partnerIds ?? principal.partnerIds,
  agentId: input.agentId ?? null,
  scopes: input.scopes ?? principal.scopes.filter((scope) => scope !== "keys:admin"),
  expiresAt: input.expiresAt ?? principal.expiresAt ?? null,
  name: input.name ?? null,
  person: principal.kind === "platform" ? (input.person ?? null) : personOf(principal),
});

/** True if kind, grants, name and end go together: a partner key lists partners, an agent key alone names an agent. */
const isCoherent = (
  world: World,
  { kind, partnerIds, agentId, expiresAt, name, person }: ReturnType<typeof withDefaults>,
) =>
  [name, person].every((text) => text === null || isName(text)) &&
  (kind !== "partner" || (partnerIds !== "*" && partnerIds.length > 0)) &&
  (kind === "agent") === (agentId !== null) &&
  (expiresAt === null || expiresAt > world.now);

export const createKey = (world: World, command: CommandOf<"create_key">): Prediction => {
  const { principal, input } = command;
  const key = withDefaults(command);
  const customerId = input.customerId ?? principal.customerId;
  return applyRules(world, {
    ...baseRules(command),
    valid: customerId !== null && isCoherent(world, key),
    customerId: customerId ?? undefined,
    exceedsGrant:
      !isWithin(key, principal) ||
      (input.person !== undefined && input.person !== key.person) ||
      (principal.expiresAt !== undefined &&
        (key.expiresAt === null || key.expiresAt > principal.expiresAt)) ||
      key.scopes.some((scope) => !principal.scopes.includes(scope)),
    decide: () =>
      customerId === null
        ? refuse("Invalid")
        : accept((id, { token }) => {
            const made = { ...key, id, token: token ?? "", customerId, createdAt: world.now };
            const after = { ...world, keys: [...world.keys, { ...made, revokedAt: null, lastUsedAt: null }] };
            const { person, scopes, kind } = key;
            const entry = { ...actorOf(principal), person, scopes, kind };
            return logControl(after, customerId, `key ${id}`, "create_api_key", entry);
          }),
  });
};

export const revokeKey = (world: World, command: CommandOf<"revoke_key">): Prediction => {
  const { principal } = command;
  const key = world.keys.find(
    ({ id, customerId }) =>
      id === command.id && (principal.kind === "platform" || customerId === principal.customerId),
  );
  return applyRules(world, {
    ...baseRules(command),
    valid: true,
    customerId: principal.customerId === null ? key?.customerId : undefined,
    decide: () => {
      if (key === undefined || !isWithin(key, principal)) return refuse("Missing");
      const keys = mapWhere(
        world.keys,
        (item) => item === key,
        (item) => ({ ...item, revokedAt: Math.max(world.now, item.createdAt) }),
      );
      const after = { ...world, keys };
      const entry = actorOf(principal);
      return accept(
        key.revokedAt === null
          ? () => logControl(after, key.customerId, `key ${key.id}`, "revoke_api_key", entry)
          : null,
      );
    },
  });
};

/** List keys: the ids of one page, and the number of all keys within the caller's grant. */
export const listKeys = (world: World, command: CommandOf<"list_keys">): Prediction => {
  const { principal, page, perPage } = command;
  return applyRules(world, {
    ...baseRules(command),
    valid: page >= 1 && perPage >= 1 && perPage <= 100,
    decide: () => {
      const ids = world.keys
        .filter((key) => principal.kind === "platform" || key.customerId === principal.customerId)
        .filter((key) => isWithin(key, principal))
        .toSorted((a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1))
        .map(({ id }) => id);
      return queryResult({ ids: ids.slice((page - 1) * perPage, page * perPage), total: ids.length });
    },
  });
};

/** Verify a token: its principal; every invalid token has the same refusal. */
export const verify = (world: World, { token }: CommandOf<"verify">): Prediction => {
  const key = world.keys.find((candidate) => candidate.token === token);
  const usable =
    key !== undefined && key.revokedAt === null && (key.expiresAt === null || world.now < key.expiresAt);
  if (!usable) return { expected: refuse("Unauthorized"), stores: false, next: () => world };
  const { id: principalId, kind, customerId, workspaceIds, partnerIds, agentId, scopes } = key;
  const end = key.expiresAt === null ? {} : { expiresAt: key.expiresAt };
  const holder = key.person === null ? {} : { person: key.person };
  const body = {
    principalId,
    ...holder,
    kind,
    customerId,
    workspaceIds,
    partnerIds,
    agentId,
    scopes,
    ...end,
  };
  const lastUsedAt = Math.max(key.lastUsedAt ?? 0, world.now - (world.now % MINUTE));
  const keys = mapWhere(
    world.keys,
    (item) => item === key,
    (item) => ({ ...item, lastUsedAt }),
  );
  return {
    expected: { type: "succeeded", id: null, replayed: false, body },
    stores: false,
    next: () => ({ ...world, keys }),
  };
};
