/** The first commands of runs that pay by files: several settlements of each partner that wait for their payment. */
import { chooseNextStep } from "../generation/NextStepChoice.ts";
import type { Command } from "../model/Command.ts";
import { type ModelSession, step } from "./ModelSession.ts";
import { owner } from "./Principals.ts";
import { createEarnings } from "./SetupCommands.ts";

const SALES = 3;
const STEPS_MAX = 6;

/** The next command towards the payment of a settlement, by its owner; null once it waits for it, or has ended. */
const nextStep = ({ principals, world, history }: ModelSession, id: string): Command | null => {
  const settlement = world.settlements.find((candidate) => candidate.id === id);
  if (settlement === undefined || settlement.status.type === "awaiting_payment") return null;
  const intent = { class: "advance", eligible: true, who: 0, keyed: false, picks: [0, 0, 0, 0] } as const;
  return chooseNextStep({ principals, world, history, intent }, settlement);
};

/** Sells a few times for each partner, and settles each sale by itself up to its payment. */
export const awaitPayments = async (session: ModelSession): Promise<void> => {
  const sales = createEarnings(session.world).filter(({ type }) => type === "create_attribution");
  for (let count = 0; count < SALES; count++) for (const sale of sales) await step(session, sale);
  for (const { id: commissionId, attributionId } of session.world.commissions) {
    const attribution = session.world.attributions.find(({ id }) => id === attributionId);
    const partner = session.world.partners.find(({ id }) => id === attribution?.partnerId);
    if (commissionId === null || partner?.billingMode !== "self_billing") continue;
    const { customerId, workspaceId, id: partnerId } = partner;
    const by = { principal: owner(customerId), idempotency: null };
    const input = { customerId, workspaceId, partnerId, commissionIds: [commissionId] };
    const created = await step(session, { type: "create_settlement", ...by, input });
    if (created.type !== "succeeded" || created.id === null) continue;
    for (let steps = 0; steps < STEPS_MAX; steps++) {
      const next = nextStep(session, created.id);
      if (next === null) break;
      await step(session, next);
    }
  }
};
