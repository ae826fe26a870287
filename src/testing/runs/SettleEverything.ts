/**
 * M8: from any state, settling everything that is due once, paid or written off, leaves nothing due, and a second round has
 * lines of 0 only.
 */
import { type CommissionId, SettlementId } from "../../domain/Ids.ts";
import { ratesOn } from "../generation/BooksChoice.ts";
import type { ChoiceContext } from "../generation/ChoiceContext.ts";
import { chooseNextStep } from "../generation/NextStepChoice.ts";
import type { Command } from "../model/Command.ts";
import { predict } from "../model/Model.ts";
import { conversionOfDraft, isWithoutEInvoice } from "../model/settlements/Actions.ts";
import { owedDocument } from "../model/settlements/Documents.ts";
import { quantities } from "../model/world/Earnings.ts";
import { isStale } from "../model/world/Lines.ts";
import type { Line, Settlement } from "../model/world/Settlements.ts";
import { isOpen } from "../model/world/States.ts";
import { computeTax } from "../model/world/Taxes.ts";
import { dayOf } from "../model/world/Workspaces.ts";
import type { World } from "../model/world/World.ts";
import { compare, FindingsError, type ModelSession, step } from "../session/ModelSession.ts";
import { owner } from "../session/Principals.ts";

const STEPS_MAX = 12;

/** In round `any`, open settlements end in any way; in round `settling`, new ones end paid or written off. */
type Round = "any" | "settling";

/** The reviews of round `settling`: a credit note or a write-off. */
const REVIEWS = [0, 3];

/** One settlement in this many is written off before it is paid. */
const WRITTEN_OFF_OF = 4;

const contextFor = ({ principals, world, history }: ModelSession, round: Round): ChoiceContext => ({
  principals,
  world,
  history,
  intent: {
    class: "advance",
    eligible: true,
    who: 0,
    keyed: false,
    picks: [0, history.count, 0, round === "any" ? history.count : (REVIEWS[history.count % 2] ?? 0)],
  },
});

const finishSettlement = async (session: ModelSession, id: string, round: Round): Promise<void> => {
  const paid = round === "any" || session.history.count % WRITTEN_OFF_OF > 0;
  for (let steps = 0; steps < STEPS_MAX; steps++) {
    const settlement = session.world.settlements.find((candidate) => candidate.id === id);
    if (settlement === undefined || !isOpen(settlement)) return;
    await step(session, chooseNext(session, settlement, round, paid));
  }
  throw new FindingsError([{ name: "M8", detail: `settlement ${id} does not end` }]);
};

/** True if the approval would exceed the largest amount because of tax. */
const isTooLarge = (world: World, settlement: Settlement): boolean => {
  if (settlement.status.type !== "draft") return false;
  const partner = world.partners.find(({ id }) => id === settlement.partnerId);
  const { billingMode = "partner_billing", selfBillingData = null } = partner ?? {};
  return computeTax(world, { ...settlement, billingMode, selfBillingData }) === null;
};

const UNTAXED = { treatment: "exempt", label: "VAT", rateBps: null } as const;

/** The command that makes a partner exempt from tax, so that its draft can be approved. */
const removeTax = (session: ModelSession, { customerId, partnerId }: Settlement): Command | null => {
  const data = session.world.partners.find(({ id }) => id === partnerId)?.selfBillingData ?? null;
  if (data === null || data.taxConfig.treatment === "exempt") return null;
  const by = { principal: owner(customerId), idempotency: null };
  return {
    type: "update_partner",
    ...by,
    id: partnerId,
    input: { selfBillingData: { ...data, taxConfig: UNTAXED } },
  };
};

/** The command that no longer requires e-invoices, so that a draft can be approved. */
const allowWithoutEInvoice = ({ world }: ModelSession, { customerId }: Settlement): Command | null => {
  const profile = world.profiles.find((candidate) => candidate.customerId === customerId);
  if (profile === undefined) return null;
  const { customerId: _, ...input } = profile;
  const by = { principal: owner(customerId), idempotency: null };
  return { type: "write_profile", ...by, input: { ...input, eInvoice: "optional" } };
};

/** The command that states the rate of a draft's currency, so that the draft can be approved. */
const stateRate = (
  { world }: ModelSession,
  { customerId, currency, ...draft }: Settlement,
): Command | null => {
  const profile = world.profiles.find((candidate) => candidate.customerId === customerId);
  if (profile === undefined) return null;
  const { customerId: _, exchangeRates = [], ...input } = profile;
  const by = { principal: owner(customerId), idempotency: null };
  const today = ratesOn(dayOf(world, { customerId, ...draft }, world.now), "1.5", [currency]);
  return {
    type: "write_profile",
    ...by,
    input: { ...input, exchangeRates: [...exchangeRates, ...today] },
  };
};

/** The next command towards the end. A draft that cannot be approved is cancelled; one that is too large with tax loses its tax. */
const chooseNext = (session: ModelSession, settlement: Settlement, round: Round, paid: boolean): Command => {
  const act = (type: "cancel" | "write_off"): Command => ({
    type: "act",
    principal: owner(settlement.customerId),
    idempotency: null,
    id: settlement.id,
    action: { type },
  });
  const { world } = session;
  if (isTooLarge(world, settlement)) return removeTax(session, settlement) ?? act("cancel");
  if (settlement.status.type === "draft" && isWithoutEInvoice(world, settlement))
    return allowWithoutEInvoice(session, settlement) ?? act("cancel");
  if (settlement.status.type === "draft" && conversionOfDraft(world, settlement) === "missing")
    return stateRate(session, settlement) ?? act("cancel");
  const refused = world.policy.staleDrafts === "refuse" && isStale(world, settlement);
  const writtenOff = settlement.status.type !== "draft" && !paid;
  return (
    (refused || writtenOff ? null : chooseNextStep(contextFor(session, round), settlement)) ??
    act(refused ? "cancel" : "write_off")
  );
};

interface Group {
  readonly request: Pick<Settlement, "customerId" | "workspaceId" | "partnerId">;
  readonly commissionIds: Array<CommissionId>;
}

/** Groups the computable commissions by customer, workspace, partner and currency. */
const groupCommissions = ({ world }: ModelSession): ReadonlyArray<Group> => {
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

const settlementCommand = (
  type: "create_settlement" | "preview_settlement",
  { request, commissionIds }: Group,
) => ({
  type,
  principal: owner(request.customerId),
  idempotency: null,
  input: { ...request, commissionIds },
});

/** True if a group's settlement, approved without tax, would be within the largest amount. */
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
    computeTax(world, {
      ...some,
      id: SettlementId.make(request.customerId),
      lines,
      billingMode: "self_billing",
      selfBillingData: { ...data, taxConfig: UNTAXED },
    }) !== null
  );
};

/** The group itself, or its commissions one by one when their sum is too large; checks that the sum is refused. */
const splitTooLarge = async (session: ModelSession, group: Group): Promise<ReadonlyArray<Group>> => {
  const request = settlementCommand("create_settlement", group);
  const single = group.commissionIds.map((id) => ({ ...group, commissionIds: [id] }));
  if (predict(session.world, request).expected.type === "succeeded")
    return isApprovable(session, group) ? [group] : single;
  await step(session, request);
  return single;
};

/** Finishes the settlements that exist. */
const finishOpenSettlements = async (session: ModelSession): Promise<void> => {
  // A pending run would create drafts among the others.
  if (session.world.settlementRuns.some(({ done }) => done === null)) await step(session, { type: "work" });
  for (const { id } of session.world.settlements.filter(isOpen)) await finishSettlement(session, id, "any");
  for (const owing of session.world.settlements.filter((settlement) => owedDocument(settlement) !== null)) {
    const next = chooseNextStep(contextFor(session, "settling"), owing);
    if (next !== null) await step(session, next);
  }
};

/** Settles what is due. Returns the commissions that stay due, because they cannot be approved even without tax. */
const settleDue = async (session: ModelSession): Promise<ReadonlySet<CommissionId>> => {
  const refused = new Set<CommissionId>();
  for (const group of groupCommissions(session)) {
    for (const part of await splitTooLarge(session, group)) {
      const outcome = await step(session, settlementCommand("create_settlement", part));
      if (outcome.type !== "succeeded" || outcome.id === null) continue;
      await finishSettlement(session, outcome.id, "settling");
      const settlement = session.world.settlements.find(({ id }) => id === outcome.id);
      if (settlement?.status.type === "cancelled") for (const id of part.commissionIds) refused.add(id);
    }
  }
  return refused;
};

/** Throws {@link FindingsError} when a commission that was not refused is still due. */
const checkNothingDue = async (session: ModelSession, refused: ReadonlySet<CommissionId>): Promise<void> => {
  const due = session.world.commissions.filter(
    (commission) =>
      commission.amount !== null &&
      commission.failing === null &&
      quantities(session.world, commission).due !== 0 &&
      !(commission.id !== null && refused.has(commission.id)),
  );
  // A commission that the store lacks would stay due; the comparison reports that first.
  if (due.length > 0) await compare(session);
  if (due.length > 0)
    throw new FindingsError([{ name: "M8", detail: `${due.length} commissions are still due` }]);
};

/** Throws {@link FindingsError} when a preview of another round has lines other than 0. */
const checkSecondRound = async (session: ModelSession, refused: ReadonlySet<CommissionId>): Promise<void> => {
  for (const group of groupCommissions(session)) {
    const outcome = await step(session, settlementCommand("preview_settlement", group));
    const lines = outcome.type === "succeeded" ? linesOf(outcome.body) : [];
    const isSettled = ({ amount, commissionId }: (typeof lines)[number]) =>
      amount === 0 || refused.has(commissionId);
    if (lines.length === 0 || !lines.every(isSettled)) {
      throw new FindingsError([{ name: "M8", detail: "a second round has lines other than 0" }]);
    }
  }
};

/** Settles everything and previews a second round; throws {@link FindingsError} when something is still due. */
export const settleEverything = async (session: ModelSession): Promise<void> => {
  await finishOpenSettlements(session);
  const refused = await settleDue(session);
  await checkNothingDue(session, refused);
  await checkSecondRound(session, refused);
};

const linesOf = (body: unknown): ReadonlyArray<Line> =>
  typeof body === "object" && body !== null && "lines" in body && Array.isArray(body.lines) ? body.lines : [];
