/** Turns intents to create or preview a settlement into commands. */
import { CommissionId } from "../../domain/Ids.ts";
import type { Create as SettlementRequest } from "../../domain/SettlementInput.ts";
import type { Command } from "../model/Command.ts";
import { quantities } from "../model/world/Earnings.ts";
import { isOpen } from "../model/world/States.ts";
import type { Attribution, Commission, Formula, World } from "../model/world/World.ts";
import { type ChoiceContext, callerFor, chooseIfAny } from "./ChoiceContext.ts";
import type { Intent } from "./Intent.ts";

interface Candidate {
  readonly commission: Commission & { readonly id: CommissionId };
  readonly attribution: Attribution;
  readonly formula: Formula;
}

const listCandidates = (world: World): ReadonlyArray<Candidate> => {
  const attributions = new Map(world.attributions.map((attribution) => [attribution.id, attribution]));
  const formulas = new Map(world.formulas.map((formula) => [formula.id, formula]));
  return world.commissions.flatMap((commission) => {
    const attribution = attributions.get(commission.attributionId);
    const formula = formulas.get(commission.formulaId);
    if (attribution === undefined || formula === undefined || commission.id === null) return [];
    return [{ commission: { ...commission, id: commission.id }, attribution, formula }];
  });
};

/** True if no open settlement holds a candidate and its amount is computed. */
const isFreeIn = (world: World): ((candidate: Candidate) => boolean) => {
  const takenIds = new Set(
    world.settlements.filter(isOpen).flatMap(({ lines }) => lines.map((line) => line.commissionId)),
  );
  return ({ commission }) =>
    !takenIds.has(commission.id) && commission.amount !== null && commission.failing === null;
};

const isSameGroup = (a: Candidate, b: Candidate): boolean =>
  a.attribution.partnerId === b.attribution.partnerId &&
  a.attribution.workspaceId === b.attribution.workspaceId &&
  a.formula.currency === b.formula.currency;

const LINES_MAX = 10_000;
/** The sum of two such amounts exceeds the largest amount. */
const LARGE = 4_600_000_000_000_000;

/** Makes a request invalid. */
const makeInvalid = (
  request: SettlementRequest,
  pick: number,
  unknown: string,
  other: CommissionId,
): SettlementRequest => {
  const [first = other] = request.commissionIds;
  switch (pick % 16) {
    case 0:
      return { ...request, commissionIds: [] };
    case 1:
    case 2:
      return { ...request, commissionIds: [first, first] };
    case 3:
    case 4:
      return { ...request, commissionIds: [first, CommissionId.make(unknown)] };
    case 5: {
      const digits = (index: number) => index.toString(16).padStart(12, "0");
      const many = Array.from({ length: LINES_MAX + 1 }, (_, index) =>
        CommissionId.make(`${unknown.slice(0, 24)}${digits(index)}`),
      );
      return pick % 64 === 5 ? { ...request, commissionIds: many } : { ...request, commissionIds: [] };
    }
    default:
      return { ...request, commissionIds: [...new Set([other, ...request.commissionIds])] };
  }
};

/** The candidates for the first commission: free ones with an amount due, or any when the intent is not eligible. */
const firstCandidates = (
  world: World,
  { eligible, picks }: Intent,
  all: ReadonlyArray<Candidate>,
): ReadonlyArray<Candidate> => {
  if (!eligible) {
    const failing = all.filter(({ commission }) => commission.failing !== null);
    return picks[2] % 3 === 0 && failing.length > 0 ? failing : all;
  }
  const free = all.filter(isFreeIn(world));
  const worthwhile = free.filter(({ commission }) => {
    if (picks[0] % 4 === 0) return true;
    const { due } = quantities(world, commission);
    return picks[0] % 4 === 1 ? due < 0 : due !== 0;
  });
  return worthwhile.length === 0 ? free : worthwhile;
};

/** Chooses a request for a settlement of up to five commissions of one group; null while there are none. */
const chooseSettlementRequest = ({ principals, world, intent }: ChoiceContext): SettlementRequest | null => {
  const { eligible, picks } = intent;
  const all = listCandidates(world);
  const first = chooseIfAny(firstCandidates(world, intent, all), picks[1]);
  if (first === undefined) return null;
  const free = eligible ? all.filter(isFreeIn(world)) : all;
  const beside = free.filter(
    (candidate) => candidate.commission.id !== first.commission.id && isSameGroup(candidate, first),
  );
  // Two commissions whose sum is 0 are rare among random choices.
  const dueOf = ({ commission }: Candidate) => quantities(world, commission).due;
  const balancing =
    eligible && picks[2] % 4 === 0
      ? beside.find((candidate) => dueOf(candidate) === -dueOf(first))
      : undefined;
  const some =
    balancing === undefined
      ? beside.filter((_, index) => ((picks[2] >> (index % 12)) & 1) === 1).slice(0, 4)
      : [balancing];
  const { customerId, workspaceId, partnerId } = first.attribution;
  const commissionIds = [first, ...some].map(({ commission }) => commission.id);
  const request = { customerId, workspaceId, partnerId, commissionIds };
  if (eligible || (first.commission.failing !== null && picks[3] % 2 === 0)) return request;
  const largest = free.filter(
    (candidate) => isSameGroup(candidate, first) && Math.abs(candidate.commission.amount ?? 0) > LARGE,
  );
  if (largest.length > 1)
    return { ...request, commissionIds: largest.map(({ commission }) => commission.id) };
  if (picks[3] % 11 === 0) {
    return { ...request, customerId: principals.customers[customerId === principals.customers[0] ? 1 : 0] };
  }
  const strangers = all.filter(
    ({ attribution, formula }) =>
      picks[0] % 2 === 0 ||
      (attribution.partnerId === partnerId && formula.currency !== first.formula.currency),
  );
  const other = chooseIfAny(strangers, picks[0])?.commission.id ?? CommissionId.make(principals.unknown);
  return makeInvalid(request, picks[3], principals.unknown, other);
};

/** Create or preview settlement. */
export const chooseCreateSettlement = (
  context: ChoiceContext,
  type: "create_settlement" | "preview_settlement",
): Command | null => {
  const input = chooseSettlementRequest(context);
  if (input === null) return null;
  const by = callerFor(context, input);
  return type === "create_settlement" ? { type, ...by, input } : { type, ...by, idempotency: null, input };
};
