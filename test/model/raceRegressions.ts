/** Commands that once met with a wrong end. */
import { layer } from "quittance/memory";
import { type ModelSession, owner, runInterleavings } from "quittance/testing";

/** The first formula of the opening, and who owns it. */
export const first = ({ world, principals }: ModelSession) => {
  const formula = world.formulas[0];
  if (formula === undefined) throw new Error("the opening makes a formula");
  return { formula, principal: owner(principals.customers[0]), idempotency: null };
};

const HALF = { order_value: 0.5 };

const attribution = ({ world }: ModelSession) => {
  const found = world.attributions.find(({ properties }) => properties.order_value === HALF.order_value);
  if (found === undefined) throw new Error("the attribution has been made");
  return found;
};

/** Makes the attribution. */
const createHalf: Parameters<typeof runInterleavings>[0]["before"][number] = (session) => {
  const { formula, principal, idempotency } = first(session);
  const { partnerId, schemaId, workspaceId } = formula;
  const input = { partnerId, schemaId, workspaceId, properties: HALF };
  return { type: "create_attribution", principal, idempotency, input };
};

/** A formula that pays 40 for whatever there is, from the beginning. */
const WORTH_SOMETHING = { plan: { type: "flat" as const, amount: 40 }, effectiveDatetime: 0 };

/** An attribution whose commission is 0 is cancelled while its formula comes to be worth something. */
export const cancelling = ({ interleavings }: { readonly interleavings: number }): Promise<void> =>
  runInterleavings({
    layer,
    seed: 1,
    interleavings: interleavings,
    before: [createHalf],
    group: (session) => {
      const { formula, principal, idempotency } = first(session);
      const { customerId, partnerId } = formula;
      const by = { principal, idempotency };
      return {
        customerId,
        partnerId,
        commands: [
          { type: "update_formula", ...by, id: formula.id, input: WORTH_SOMETHING },
          { type: "cancel_attribution", ...by, id: attribution(session).id, reason: "refunded" },
        ],
      };
    },
  });

/**
 * A settlement brings a commission of 0 up to a formula that has just come to be worth something, while its attribution
 * is cancelled and the recomputation of the formula has looked at it already.
 */
export const settling = ({ interleavings }: { readonly interleavings: number }): Promise<void> =>
  runInterleavings({
    layer,
    seed: 1,
    interleavings: interleavings,
    before: [createHalf],
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
        partnerId,
        commands: [
          { type: "update_formula", ...by, id: formula.id, input: WORTH_SOMETHING },
          { type: "cancel_attribution", ...by, id: cancelled.id, reason: "refunded" },
          { type: "create_settlement", ...by, input: { customerId, workspaceId, partnerId, commissionIds } },
        ],
      };
    },
  });
