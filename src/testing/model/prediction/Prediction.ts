/** A prediction: the exact outcome of a command, and the world after it. */

import type { AttributionId, CustomerId, PartnerId, SettlementId } from "../../../domain/Ids.ts";
import type { PayoutAccount } from "../../../domain/PayoutAccount.ts";
import type { Principal } from "../../../domain/Principal.ts";
import type { ConflictToken } from "../../../domain/Refusal.ts";
import type { Part, RefusalTag, Refused, Success } from "../world/Result.ts";
import type { World } from "../world/World.ts";
import { isPermitted, namesOutsideGrant, type Permission, permissionOf } from "./Rights.ts";

/** What the engine generated, from its outcome. */
export interface Generated {
  readonly id: string | null;
  /** The ids of a batch, in its order; null for a refused part. */
  readonly ids: ReadonlyArray<string | null>;
  /** The token of a new key. */
  readonly token: string | null;
  /** The runs that a cadence started. */
  readonly runs: ReadonlyArray<{
    readonly id: string;
    readonly customerId: CustomerId;
    readonly workspaceId: string;
    readonly partnerIds: ReadonlyArray<string> | null;
    readonly period: string | null;
  }>;
  /** The drafts of runs. */
  readonly drafts: ReadonlyArray<{
    readonly runId: string;
    readonly partnerId: string;
    readonly currency: string | null;
    readonly settlementId: SettlementId;
  }>;
  /** The attributions that name the origin of their sale. */
  readonly credited: ReadonlyArray<{
    readonly id: AttributionId;
    readonly originId: AttributionId;
    readonly partnerId: PartnerId;
    readonly role: string;
    readonly depth: number;
  }>;
  /** The bank accounts of billing data that became payout accounts. */
  readonly bankAccounts: ReadonlyArray<Pick<PayoutAccount, "id" | "details">>;
  /** The dates on documents that a worker has issued. */
  readonly issued: ReadonlyArray<{
    readonly settlementId: SettlementId;
    readonly kind: string;
    readonly on: string;
  }>;
}

/** What a command generates that generates nothing. */
export const NOTHING_GENERATED: Generated = {
  ...{ id: null, ids: [], token: null },
  ...{ runs: [], drafts: [], credited: [], issued: [], bankAccounts: [] },
};

/** The expected outcome, and the world after it, given what the engine generated. */
export interface Prediction {
  readonly expected: Refused | Success;
  /** True if the command stores anything but an idempotency record. */
  readonly stores: boolean;
  readonly next: (generated: Generated) => World;
}

/** A refusal without a token. */
export const refuse = (tag: Exclude<RefusalTag, "Conflict">): Refused => ({
  type: "refused",
  tag,
  tokens: [],
});

/** A conflict with its token, or with any of several. */
export const conflict = (...tokens: ReadonlyArray<ConflictToken>): Refused => ({
  type: "refused",
  tag: "Conflict",
  tokens,
});

/** The refusal of an action that the state of a settlement does not accept. */
export const STATE_CONFLICT = conflict("settlement_state");

/** A change of the world, given the generated id and everything else that was generated; null changes nothing. */
export type Effect = ((id: string, generated: Generated) => World) | null;

/** The decision on a command whose request is valid. */
export type Decision =
  | Refused
  | {
      readonly type: "accepted";
      readonly id: string | null;
      readonly effect: Effect;
      readonly body?: unknown;
      readonly parts?: ReadonlyArray<Part>;
    };

/** Accepted with an effect; the id is that of an existing record. */
export const accept = (effect: Effect, id: string | null = null): Decision => ({
  type: "accepted",
  id,
  effect,
});

export const queryResult = (body: unknown): Decision => ({ type: "accepted", id: null, effect: null, body });

/** The rules of a command, in the order in which they refuse. */
interface Rules {
  readonly principal: Principal;
  readonly permission: Permission;
  /** True if the request itself is valid. */
  readonly valid: boolean;
  /** Ids of the request that the principal's grant must cover. */
  readonly workspaceIds?: ReadonlyArray<string>;
  readonly partnerIds?: ReadonlyArray<string>;
  /** The customer named by the body. */
  readonly customerId?: CustomerId | undefined;
  /** True if the request exceeds what the principal may grant. */
  readonly exceedsGrant?: boolean;
  readonly idempotency: { readonly key: string; readonly requestSha256: string } | null;
  /** 404, then 400 of references, then 409, then success. */
  readonly decide: (world: World) => Decision;
}

/** The parts of a batch as a replay returns them: each record that was created is an existing one. */
const replayedParts = (parts: ReadonlyArray<Part>, { ids }: Generated): ReadonlyArray<Part> =>
  parts.map((part, index) => {
    const id = ids[index] ?? null;
    return part.type === "refused" || id === null ? part : { type: "existing", id };
  });

/** The rules that follow from the type of the command: principal, permission and idempotency key. */
export const baseRules = (
  command: Parameters<typeof permissionOf>[0],
): Pick<Rules, "principal" | "permission" | "idempotency"> => ({
  principal: command.principal,
  permission: permissionOf(command),
  idempotency: command.idempotency,
});

const predictRefusal = (world: World, expected: Refused): Prediction => ({
  expected,
  stores: false,
  next: () => world,
});

/** Applies the rules in order: 403 for the scope, 400 for the request, 403 for named ids, the replay, then the decision. */
export const applyRules = (world: World, rules: Rules): Prediction => {
  const { principal, idempotency } = rules;
  if (!isPermitted(principal, rules.permission)) return predictRefusal(world, refuse("Forbidden"));
  if (!rules.valid) return predictRefusal(world, refuse("Invalid"));
  if (namesOutsideGrant(principal, rules.workspaceIds ?? [], rules.partnerIds ?? [])) {
    return predictRefusal(world, refuse("Forbidden"));
  }
  const named = rules.customerId;
  const foreign = named !== undefined && principal.customerId !== null && named !== principal.customerId;
  if (foreign || rules.exceedsGrant === true) return predictRefusal(world, refuse("Forbidden"));
  const customerId = principal.customerId ?? named;
  const record =
    idempotency === null || customerId === undefined
      ? undefined
      : world.idempotencyRecords.find(
          (idempotencyRecord) =>
            idempotencyRecord.customerId === customerId &&
            idempotencyRecord.principalId === principal.principalId &&
            idempotencyRecord.key === idempotency.key,
        );
  if (record !== undefined) {
    const { id, parts } = record;
    return record.requestSha256 === idempotency?.requestSha256 && !record.secret
      ? { expected: { type: "succeeded", id, parts, replayed: true }, stores: false, next: () => world }
      : predictRefusal(world, conflict("idempotency_key_reuse"));
  }
  const decision = rules.decide(world);
  if (decision.type === "refused") return predictRefusal(world, decision);
  const { id, body, parts } = decision;
  const keepRecord = (after: World, generated: Generated): World => {
    if (idempotency === null || customerId === undefined) return after;
    const { principalId } = principal;
    const result = {
      id: generated.id,
      parts: parts && replayedParts(parts, generated),
      secret: generated.token !== null,
    };
    return {
      ...after,
      idempotencyRecords: [
        ...after.idempotencyRecords,
        { customerId, principalId, ...idempotency, ...result },
      ],
    };
  };
  return {
    expected: { type: "succeeded", id, replayed: false, body, parts },
    stores: decision.effect !== null,
    next: (generated) =>
      keepRecord(
        decision.effect === null ? world : decision.effect(generated.id ?? "", generated),
        generated,
      ),
  };
};
