/** What the model says of a command before it runs: the exact answer, and the world after it. */

import type { CustomerId } from "../../domain/Ids.ts";
import type { Principal } from "../../domain/Principal.ts";
import type { ConflictToken } from "../../domain/Refusal.ts";
import { isPermitted, namesOutsideGrant, type Permission, permissionOf } from "./Rights.ts";
import type { World } from "./World.ts";

/** The kinds of refusal. */
export type RefusalTag = "Invalid" | "Forbidden" | "Missing" | "Conflict" | "Unauthorized";

/** A refusal; of a conflict the tokens that are allowed, more than one where no order between them is stated. */
export interface Refused {
  readonly type: "refused";
  readonly tag: RefusalTag;
  readonly tokens: ReadonlyArray<ConflictToken>;
}

/** What one part of a batch comes to: a new record, one that was there, that of an earlier part, or a refusal. */
export type Part =
  | { readonly type: "made" }
  | { readonly type: "known"; readonly id: string }
  | { readonly type: "again"; readonly part: number }
  | Refused;

/** A success: the known id it answers with, or null when the engine makes one or none is answered. */
export interface Success {
  readonly type: "succeeded";
  readonly id: string | null;
  readonly replayed: boolean;
  /** What a query answers; undefined for commands. */
  readonly body?: unknown;
  /** What a batch answers, in its order. */
  readonly parts?: ReadonlyArray<Part> | undefined;
}

/** What the engine makes up, as it tells in its answer. */
export interface Generated {
  readonly id: string | null;
  /** Of a batch, in its order; null for what was refused. */
  readonly ids: ReadonlyArray<string | null>;
  /** The text of a new key, told this once. */
  readonly token: string | null;
}

/** The answer foretold, and how the world goes on once the engine has said what it made up. */
export interface Prediction {
  readonly expected: Refused | Success;
  /** Whether anything but a kept answer is stored. */
  readonly stores: boolean;
  readonly next: (made: Generated) => World;
}

/** A refusal without token. */
export const refused = (tag: Exclude<RefusalTag, "Conflict">): Refused => ({
  type: "refused",
  tag,
  tokens: [],
});

/** A conflict by its token, or by any of several. */
export const conflict = (...tokens: ReadonlyArray<ConflictToken>): Refused => ({
  type: "refused",
  tag: "Conflict",
  tokens,
});

/** A change of the world, given the id that the engine has made, or all that it has made up; null changes nothing. */
export type Effect = ((id: string, made: Generated) => World) | null;

/** What a command comes to once nothing in the request itself stands against it. */
export type Verdict =
  | Refused
  | {
      readonly type: "accepted";
      readonly id: string | null;
      readonly effect: Effect;
      readonly body?: unknown;
      readonly parts?: ReadonlyArray<Part>;
    };

/** Accepted, with this effect; the id is that of a record which is there already. */
export const accepted = (effect: Effect, id: string | null = null): Verdict => ({
  type: "accepted",
  id,
  effect,
});

/** A query's answer. */
export const queryResult = (body: unknown): Verdict => ({ type: "accepted", id: null, effect: null, body });

/** A command's rules in the order in which they refuse. */
export interface Rules {
  readonly principal: Principal;
  readonly permission: Permission;
  /** Whether the request is sound as written. */
  readonly valid: boolean;
  /** Ids in the request that an explicit grant must cover. */
  readonly workspaceIds?: ReadonlyArray<string>;
  readonly partnerIds?: ReadonlyArray<string>;
  /** The customer that a body names. */
  readonly customerId?: CustomerId | undefined;
  /** Whether the request asks for more than its principal may hand on. */
  readonly exceedsGrant?: boolean;
  readonly idempotency: { readonly key: string; readonly requestSha256: string } | null;
  /** 404, then 400 of references, then 409, then success. */
  readonly verdict: (world: World) => Verdict;
}

/** The parts of a batch as a replay answers them: what was made then is known now. */
const asReplayed = (parts: ReadonlyArray<Part>, { ids }: Generated): ReadonlyArray<Part> =>
  parts.map((part, index) => {
    const id = ids[index] ?? null;
    return part.type === "refused" || id === null ? part : { type: "known", id };
  });

/** Who asks for what, under which key: what every command's rules begin with. */
export const baseRules = (
  command: Parameters<typeof permissionOf>[0],
): Pick<Rules, "principal" | "permission" | "idempotency"> => ({
  principal: command.principal,
  permission: permissionOf(command),
  idempotency: command.idempotency,
});

const refusal = (world: World, expected: Refused): Prediction => ({
  expected,
  stores: false,
  next: () => world,
});

/** Applies the rules in their order: 403 of scope, 400 of form, 403 of named ids, the replay, then the verdict. */
export const applyRules = (world: World, rules: Rules): Prediction => {
  const { principal, idempotency } = rules;
  if (!isPermitted(principal, rules.permission)) return refusal(world, refused("Forbidden"));
  if (!rules.valid) return refusal(world, refused("Invalid"));
  if (namesOutsideGrant(principal, rules.workspaceIds ?? [], rules.partnerIds ?? [])) {
    return refusal(world, refused("Forbidden"));
  }
  const named = rules.customerId;
  const foreign = named !== undefined && principal.customerId !== null && named !== principal.customerId;
  if (foreign || rules.exceedsGrant === true) return refusal(world, refused("Forbidden"));
  const customerId = principal.customerId ?? named;
  const kept =
    idempotency === null || customerId === undefined
      ? undefined
      : world.idempotencyRecords.find(
          (one) =>
            one.customerId === customerId &&
            one.principalId === principal.principalId &&
            one.key === idempotency.key,
        );
  if (kept !== undefined) {
    const { id, parts } = kept;
    return kept.requestSha256 === idempotency?.requestSha256 && !kept.secret
      ? { expected: { type: "succeeded", id, parts, replayed: true }, stores: false, next: () => world }
      : refusal(world, conflict("idempotency_key_reuse"));
  }
  const verdict = rules.verdict(world);
  if (verdict.type === "refused") return refusal(world, verdict);
  const { id, body, parts } = verdict;
  const keep = (after: World, made: Generated): World => {
    if (idempotency === null || customerId === undefined) return after;
    const { principalId } = principal;
    const answer = { id: made.id, parts: parts && asReplayed(parts, made), secret: made.token !== null };
    return {
      ...after,
      idempotencyRecords: [
        ...after.idempotencyRecords,
        { customerId, principalId, ...idempotency, ...answer },
      ],
    };
  };
  return {
    expected: { type: "succeeded", id, replayed: false, body, parts },
    stores: verdict.effect !== null,
    next: (made) => keep(verdict.effect === null ? world : verdict.effect(made.id ?? "", made), made),
  };
};
