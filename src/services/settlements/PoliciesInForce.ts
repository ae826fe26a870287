/** The settlement policies that apply to partners, and the requirement that they stay as they were read. */
import { Effect } from "effect";
import type { CustomerId, PartnerId, WorkspaceId } from "../../domain/Ids.ts";
import { inForce, policyId, type SettlementPolicy, type Terms } from "../../domain/SettlementPolicy.ts";
import type { Records, Requirement, StorageError, Versioned } from "../../ports/Storage.ts";

/** The terms of one partner. */
export interface PartnerTerms {
  readonly terms: Terms;
  /** The policy of the workspace, or null. */
  readonly general: Versioned<SettlementPolicy> | null;
  /** The partner's own policy, or null. */
  readonly own: Versioned<SettlementPolicy> | null;
  /** That both policies stay as they were read. */
  readonly requires: ReadonlyArray<Requirement>;
}

/** Reads the policies of partners of one workspace; the result returns the terms of each of them. */
export const readTerms = (
  storage: Records,
  customerId: CustomerId,
  workspaceId: WorkspaceId,
  partnerIds: ReadonlyArray<PartnerId>,
): Effect.Effect<(partnerId: PartnerId) => PartnerTerms, StorageError> => {
  const general = policyId(customerId, workspaceId, null);
  const ids = partnerIds.map((partnerId) => policyId(customerId, workspaceId, partnerId));
  return Effect.map(storage.find(customerId, "settlementPolicy", [general, ...ids]), (found) => {
    const byId = new Map(found.map((policy) => [policy.id, policy]));
    const workspace = byId.get(general) ?? null;
    const requireUnchanged = (id: SettlementPolicy["id"]): Requirement => ({
      type: "record",
      kind: "settlementPolicy",
      id,
      version: byId.get(id)?.version ?? 0,
    });
    return (partnerId) => {
      const id = policyId(customerId, workspaceId, partnerId);
      const own = byId.get(id) ?? null;
      return {
        terms: inForce(workspace, own),
        general: workspace,
        own,
        requires: [requireUnchanged(general), requireUnchanged(id)],
      };
    };
  });
};
