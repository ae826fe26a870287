/** Concurrent commands that once stored a wrong amount. */

import { type ModelSession, owner, runInterleavings } from "quittance/testing";
import { layer } from "./memoryStore.ts";

/** The first formula of the set-up, and its owner. */
export const first = ({ world, principals }: ModelSession) => {
  const formula = world.formulas[0];
  if (formula === undefined) throw new Error("the set-up creates a formula");
  return { formula, principal: owner(principals.customers[0]), idempotency: null };
};

const HALF = { order_value: 0.5 };

const attribution = ({ world }: ModelSession) => {
  const found = world.attributions.find(({ properties }) => properties.order_value === HALF.order_value);
  if (found === undefined) throw new Error("the attribution was created");
  return found;
};

/** Creates an attribution whose commission is 0. */
const createAttributionOfZero: Parameters<typeof runInterleavings>[0]["before"][number] = (session) => {
  const { formula, principal, idempotency } = first(session);
  const { partnerId, schemaId, workspaceId } = formula;
  const input = { partnerId, schemaId, workspaceId, properties: HALF };
  return { type: "create_attribution", principal, idempotency, input };
};

/** A formula that pays 40 for every attribution, from the beginning. */
const FORTY = { plan: { type: "flat" as const, amount: 40 }, effectiveDatetime: 0 };

/** Cancels an attribution whose commission is 0 while its formula changes to another amount. */
export const raceCancellationAgainstFormula = ({
  interleavings,
}: {
  readonly interleavings: number;
}): Promise<void> =>
  runInterleavings({
    layer,
    isSynchronous: true,
    seed: 2,
    interleavings,
    before: [createAttributionOfZero],
    group: (session) => {
      const { formula, principal, idempotency } = first(session);
      const { customerId, partnerId } = formula;
      const by = { principal, idempotency };
      return {
        customerId,
        partnerIds: [partnerId],
        commands: [
          { type: "update_formula", ...by, id: formula.id, input: FORTY },
          { type: "cancel_attribution", ...by, id: attribution(session).id, reason: "refunded" },
        ],
      };
    },
  });

/**
 * Creates a settlement with a commission of 0 while its formula changes to another amount and its attribution is
 * cancelled, which the recomputation of the formula has already read.
 */
export const raceCancellationAgainstSettlement = ({
  interleavings,
}: {
  readonly interleavings: number;
}): Promise<void> =>
  runInterleavings({
    layer,
    isSynchronous: true,
    seed: 2,
    interleavings,
    before: [createAttributionOfZero],
    group: (session) => {
      const { formula, principal, idempotency } = first(session);
      const { customerId, workspaceId, partnerId } = formula;
      const by = { principal, idempotency };
      const cancelled = attribution(session);
      const commissionIds = session.world.commissions.flatMap(({ id, attributionId, formulaId }) =>
        id !== null && attributionId === cancelled.id && formulaId === formula.id ? [id] : [],
      );
      return {
        customerId,
        partnerIds: [partnerId],
        commands: [
          { type: "update_formula", ...by, id: formula.id, input: FORTY },
          { type: "cancel_attribution", ...by, id: cancelled.id, reason: "refunded" },
          { type: "create_settlement", ...by, input: { customerId, workspaceId, partnerId, commissionIds } },
        ],
      };
    },
  });
