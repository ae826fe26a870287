/** The model of creating and previewing a settlement. */
import { SettlementId } from "../../../domain/Ids.ts";
import type { ConflictToken } from "../../../domain/Refusal.ts";
import type { Create as SettlementRequest } from "../../../domain/SettlementInput.ts";
import type { CommandOf } from "../Command.ts";
import {
  accept,
  applyRules,
  conflict,
  type Prediction,
  queryResult,
  refuse,
} from "../prediction/Prediction.ts";
import { canSee, permissionOf, personOf } from "../prediction/Rights.ts";
import { applyPlans } from "../records/Plans.ts";
import { quantities } from "../world/Earnings.ts";
import { isSameFormulaSet } from "../world/Joins.ts";
import { appendLineEvents, totalOf } from "../world/Lines.ts";
import { appendEntry } from "../world/Log.ts";
import { bringUpToDate, sellersBelow } from "../world/Recomputing.ts";
import type { Refused } from "../world/Result.ts";
import type { Line, Settlement } from "../world/Settlements.ts";
import type { Commission, World } from "../world/World.ts";

const LARGEST = 9_007_199_254_740_991n;
const LINES_MAX = 10_000;

/** The world with commissions up to date: their formulas and those of the sellers that they rest on have applied their plans. */
export const upToDate = (world: World, commissionIds: ReadonlyArray<string>): World => {
  const named = new Set<string>(commissionIds);
  const isNamed = ({ id }: Commission) => id !== null && named.has(id);
  const formulaIds = new Set(world.commissions.filter(isNamed).map(({ formulaId }) => formulaId));
  const own = applyPlans(world, ({ id }) => formulaIds.has(id));
  const sellers = sellersBelow(own, isNamed);
  return bringUpToDate(
    applyPlans(own, (formula) => sellers.some((seller) => isSameFormulaSet(seller, formula))),
    isNamed,
  );
};

/** The world with the requested commissions up to date and a line for each; or the refusal. */
const drawUp = (
  world: World,
  principal: CommandOf<"create_settlement">["principal"],
  { customerId, workspaceId, partnerId, commissionIds }: SettlementRequest,
):
  | Refused
  | {
      readonly type: "drawn";
      readonly world: World;
      readonly lines: ReadonlyArray<Line>;
      readonly currency: string;
    } => {
  const owner = { customerId, workspaceId, partnerId };
  const partner = world.partners.find(({ id }) => id === partnerId);
  const placed =
    partner !== undefined &&
    partner.customerId === customerId &&
    partner.workspaceId === workspaceId &&
    canSee(principal, owner);
  if (!placed) return refuse("Invalid");
  const current = upToDate(world, commissionIds);
  const lines: Array<Line> = [];
  const tokens = new Set<ConflictToken>();
  const currencies = new Set<string>();
  for (const commissionId of commissionIds) {
    const commission = current.commissions.find(({ id }) => id === commissionId);
    const attribution = current.attributions.find(({ id }) => id === commission?.attributionId);
    const formula = current.formulas.find(({ id }) => id === commission?.formulaId);
    if (commission === undefined || attribution === undefined || formula === undefined)
      return refuse("Invalid");
    const fits =
      attribution.customerId === customerId &&
      attribution.workspaceId === workspaceId &&
      attribution.partnerId === partnerId;
    if (!fits || !canSee(principal, attribution)) return refuse("Invalid");
    currencies.add(formula.currency);
    const { due, holder } = quantities(current, commission);
    if (commission.amount === null || commission.failing !== null) tokens.add("commission_not_computable");
    if (holder !== null) tokens.add("commission_in_open_settlement");
    lines.push({ attributionId: attribution.id, formulaId: formula.id, commissionId, amount: due });
  }
  if (currencies.size !== 1) return refuse("Invalid");
  if (tokens.size > 0) return conflict(...tokens);
  const sum = totalOf(lines);
  if (sum > LARGEST || sum < -LARGEST) return refuse("Invalid");
  return { type: "drawn", world: current, lines, currency: [...currencies][0] ?? "" };
};

const isRequest = ({ commissionIds }: SettlementRequest): boolean =>
  commissionIds.length >= 1 &&
  commissionIds.length <= LINES_MAX &&
  new Set(commissionIds).size === commissionIds.length;

const requestRules = (command: CommandOf<"create_settlement" | "preview_settlement">) => ({
  principal: command.principal,
  permission: permissionOf(command),
  idempotency: command.idempotency,
  valid: isRequest(command.input),
  workspaceIds: [command.input.workspaceId],
  partnerIds: [command.input.partnerId],
  customerId: command.input.customerId,
});

export const previewSettlement = (world: World, command: CommandOf<"preview_settlement">): Prediction =>
  applyRules(world, {
    ...requestRules(command),
    decide: () => {
      const drawn = drawUp(world, command.principal, command.input);
      if (drawn.type === "refused") return drawn;
      const { currency, lines } = drawn;
      return queryResult({
        currency,
        total: Number(totalOf(lines)),
        lines: lines.map(({ commissionId, amount }) => ({ commissionId, amount })),
      });
    },
  });

/** The world with a new draft of some lines, which hold their commissions. */
export const withDraft = (
  world: World,
  id: SettlementId,
  owner: Pick<Settlement, "customerId" | "workspaceId" | "partnerId" | "createdBy">,
  lines: ReadonlyArray<Line>,
): World => {
  const currency = world.formulas.find((formula) => formula.id === lines[0]?.formulaId)?.currency;
  if (currency === undefined) return world;
  const settlement: Settlement = {
    id,
    ...owner,
    currency,
    lines,
    status: { type: "draft" },
    billingMode: null,
    selfBillingData: null,
    approvedAt: null,
    linked: { report: null, invoice: null, credit_note: null },
    uploadCounts: { report: 0, invoice: 0, credit_note: 0 },
    invoiceTaxBps: "unknown",
    taxReview: null,
    dueDate: null,
    parts: [],
    shares: [],
    taxAmount: null,
    payableAmount: null,
    disputeReason: null,
    disputedAt: null,
    reconciled: false,
    attempt: 0,
    hasReference: false,
    references: [],
    paidLate: false,
    paidAt: null,
    bankReference: null,
    fee: undefined,
    received: undefined,
    createdAt: world.now,
    log: appendEntry([], world.now, "create_settlement", {
      total: Number(totalOf(lines)),
      line_count: lines.length,
    }),
  };
  const after = { ...world, settlements: [...world.settlements, settlement] };
  return appendLineEvents(after, settlement, "reserve_commission");
};

export const createSettlement = (world: World, command: CommandOf<"create_settlement">): Prediction => {
  const { customerId, workspaceId, partnerId } = command.input;
  return applyRules(world, {
    ...requestRules(command),
    decide: () => {
      const drawn = drawUp(world, command.principal, command.input);
      if (drawn.type === "refused") return drawn;
      const { lines, world: current } = drawn;
      return accept((id) => {
        const owner = { customerId, workspaceId, partnerId, createdBy: personOf(command.principal) };
        return withDraft(current, SettlementId.make(id), owner, lines);
      });
    },
  });
};
