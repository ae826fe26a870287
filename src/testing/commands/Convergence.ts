/**
 * M8: from any state, settling everything that is due once, paid or written off in any mixture, ends with nothing due,
 * and a second round is all zeros.
 */
import { type CommissionId, SettlementId } from "../../domain/Ids.ts";
import type { Command } from "../model/Command.ts";
import { owes } from "../model/Documents.ts";
import { isOpen, quantities } from "../model/Earnings.ts";
import { isStale } from "../model/Lines.ts";
import { predict } from "../model/Model.ts";
import { taxed } from "../model/Taxes.ts";
import type { Line, Settlement, World } from "../model/World.ts";
import type { Situation } from "./Choice.ts";
import { Broken, compare, type ModelSession, step } from "./ModelSession.ts";
import { owner } from "./Principals.ts";
import { nextStep } from "./SettlementChoice.ts";

const STEPS_MAX = 12;

/** What is open may end in any way; what is settled then ends paid or written off. */
type Round = "any" | "settling";

/** A refund is asked for, or written off. */
const REVIEWS = [0, 3];

/** One in so many settlements is written off before it is paid. */
const WRITTEN_OFF_OF = 4;

const situation = ({ cast, world, memory }: ModelSession, round: Round): Situation => ({
  cast,
  world,
  memory,
  intent: {
    class: "advance",
    eligible: true,
    who: 0,
    keyed: false,
    picks: [0, memory.count, 0, round === "any" ? memory.count : (REVIEWS[memory.count % 2] ?? 0)],
  },
});

const finish = async (play: ModelSession, id: string, round: Round): Promise<void> => {
  const paid = round === "any" || play.memory.count % WRITTEN_OFF_OF > 0;
  for (let steps = 0; steps < STEPS_MAX; steps++) {
    const settlement = play.world.settlements.find((one) => one.id === id);
    if (settlement === undefined || !isOpen(settlement)) return;
    await step(play, nextOf(play, settlement, round, paid));
  }
  throw new Broken([{ name: "M8", detail: `settlement ${id} does not come to an end` }]);
};

/** Whether tax would take an approval beyond the largest amount. */
const isTooLarge = (world: World, settlement: Settlement): boolean => {
  if (settlement.status.type !== "draft") return false;
  const partner = world.partners.find(({ id }) => id === settlement.partnerId);
  const { billingMode = "partner_billing", selfBillingData = null } = partner ?? {};
  return taxed(world, { ...settlement, billingMode, selfBillingData }) === null;
};

const UNTAXED = { treatment: "exempt", label: "VAT", rateBps: null } as const;

/** Takes the tax of a partner away, so that what is too large with it can be approved. */
const untaxed = (play: ModelSession, { customerId, partnerId }: Settlement): Command | null => {
  const data = play.world.partners.find(({ id }) => id === partnerId)?.selfBillingData ?? null;
  if (data === null || data.taxConfig.treatment === "exempt") return null;
  const by = { principal: owner(customerId), idempotency: null };
  return {
    type: "update_partner",
    ...by,
    id: partnerId,
    input: { selfBillingData: { ...data, taxConfig: UNTAXED } },
  };
};

/**
 * Towards the end; a draft that may not be approved is cancelled, and its commissions settled anew. What tax takes beyond
 * the largest amount is settled without tax.
 */
const nextOf = (play: ModelSession, settlement: Settlement, round: Round, paid: boolean): Command => {
  const act = (type: "cancel" | "write_off"): Command => ({
    type: "act",
    principal: owner(settlement.customerId),
    idempotency: null,
    id: settlement.id,
    action: { type },
  });
  const { world } = play;
  if (isTooLarge(world, settlement)) return untaxed(play, settlement) ?? act("cancel");
  const refused = world.policy.staleDrafts === "refuse" && isStale(world, settlement);
  const writtenOff = settlement.status.type !== "draft" && !paid;
  return (
    (refused || writtenOff ? null : nextStep(situation(play, round), settlement)) ??
    act(refused ? "cancel" : "write_off")
  );
};

interface Group {
  readonly request: Pick<Settlement, "customerId" | "workspaceId" | "partnerId">;
  readonly commissionIds: Array<CommissionId>;
}

/** Everything computable, by customer, workspace, partner and currency. */
const groups = ({ world }: ModelSession): ReadonlyArray<Group> => {
  const found = new Map<string, Group>();
  for (const commission of world.commissions) {
    const attribution = world.attributions.find(({ id }) => id === commission.attributionId);
    const formula = world.formulas.find(({ id }) => id === commission.formulaId);
    if (
      attribution === undefined ||
      commission.id === null ||
      commission.amount === null ||
      commission.failing !== null
    )
      continue;
    const { customerId, workspaceId, partnerId } = attribution;
    const key = `${partnerId} ${formula?.currency}`;
    const group = found.get(key) ?? { request: { customerId, workspaceId, partnerId }, commissionIds: [] };
    group.commissionIds.push(commission.id);
    found.set(key, group);
  }
  return [...found.values()];
};

const ask = (type: "create_settlement" | "preview_settlement", { request, commissionIds }: Group) => ({
  type,
  principal: owner(request.customerId),
  idempotency: null,
  input: { ...request, commissionIds },
});

/** Whether a group's settlement, made and approved without tax, would be within the largest amount. */
const isApprovable = ({ world }: ModelSession, { request, commissionIds }: Group): boolean => {
  const partner = world.partners.find(({ id }) => id === request.partnerId);
  const data = partner?.selfBillingData ?? null;
  const lines = commissionIds.flatMap((commissionId) => {
    const commission = world.commissions.find(({ id }) => id === commissionId);
    if (commission === undefined) return [];
    const { attributionId, formulaId } = commission;
    return [{ commissionId, attributionId, formulaId, amount: quantities(world, commission).due }];
  });
  const [some] = world.settlements;
  return (
    data === null ||
    some === undefined ||
    taxed(world, {
      ...some,
      id: SettlementId.make(request.customerId),
      lines,
      billingMode: "self_billing",
      selfBillingData: { ...data, taxConfig: UNTAXED },
    }) !== null
  );
};

/** A group as it can be settled at once, or one by one where the sum would be too large, and is refused. */
const parts = async (play: ModelSession, group: Group): Promise<ReadonlyArray<Group>> => {
  const request = ask("create_settlement", group);
  const single = group.commissionIds.map((id) => ({ ...group, commissionIds: [id] }));
  if (predict(play.world, request).expected.type === "answered")
    return isApprovable(play, group) ? [group] : single;
  await step(play, request);
  return single;
};

/** Settles everything, twice; fails with {@link Broken} when something is still due. */
export const converge = async (play: ModelSession): Promise<void> => {
  for (const { id } of play.world.settlements.filter(isOpen)) await finish(play, id, "any");
  for (const owing of play.world.settlements.filter((one) => owes(one) !== null)) {
    const next = nextStep(situation(play, "settling"), owing);
    if (next !== null) await step(play, next);
  }
  // What no approval can take, not even without tax, stays due.
  const refused = new Set<CommissionId>();
  for (const group of groups(play)) {
    for (const part of await parts(play, group)) {
      const answer = await step(play, ask("create_settlement", part));
      if (answer.type !== "answered" || answer.id === null) continue;
      await finish(play, answer.id, "settling");
      const settlement = play.world.settlements.find(({ id }) => id === answer.id);
      if (settlement?.status.type === "cancelled") for (const id of part.commissionIds) refused.add(id);
    }
  }
  const due = play.world.commissions.filter(
    (one) =>
      one.amount !== null &&
      one.failing === null &&
      quantities(play.world, one).due !== 0 &&
      !(one.id !== null && refused.has(one.id)),
  );
  // A commission that the store does not have would be due for ever: that is told first.
  if (due.length > 0) await compare(play);
  if (due.length > 0) throw new Broken([{ name: "M8", detail: `${due.length} commissions are still due` }]);
  for (const group of groups(play)) {
    const answer = await step(play, ask("preview_settlement", group));
    const lines = answer.type === "answered" ? linesOf(answer.body) : [];
    const isSettled = ({ amount, commissionId }: (typeof lines)[number]) =>
      amount === 0 || refused.has(commissionId);
    if (lines.length === 0 || !lines.every(isSettled)) {
      throw new Broken([{ name: "M8", detail: "a second round is not all zeros" }]);
    }
  }
};

const linesOf = (body: unknown): ReadonlyArray<Line> =>
  typeof body === "object" && body !== null && "lines" in body && Array.isArray(body.lines) ? body.lines : [];
