/** Turns intents into the credits of sales: one to four, most of them with shares that add up to 1. */
import type { Given } from "../../domain/Credit.ts";
import type { AttributionId } from "../../domain/Ids.ts";
import type { Partner } from "../../domain/Partner.ts";
import { saleOf } from "../model/world/Credits.ts";
import type { World } from "../model/world/World.ts";
import { type ChoiceContext, choose } from "./ChoiceContext.ts";
import type { Intent } from "./Intent.ts";

type Shares = ReadonlyArray<string>;

/** Shares of sellers that add up to 1, in several notations. */
const SHARES: readonly [Shares, ...ReadonlyArray<Shares>] = [
  ["0.6", "0.4"],
  ["1/3", "2/3"],
  ["0.50", ".5"],
  ["1/3", "1/6", "0.5"],
  ["1/3", "4/12", "1/3"],
  ["0.999999", "0.000001"],
  ["1/2", "0.25", "5/20"],
];

/** Shares of sellers that add up to something else, or are none. */
const WRONG: typeof SHARES = [
  ["0.6", "0.3"],
  ["2/3", "1/2"],
  ["1", "0"],
  ["0.333333", "0.666666"],
  ["60 %", "40 %"],
  ["21/42", "1/2"],
];

const OVERLAYS = ["manager", "recruiter", "manager", "finder"] as const;
const OVERLAY_SHARES = ["1", "0.1", "2/3", "0.25"] as const;

/** The other partners of the workspace, from one that a pick chooses. */
const othersOf = ({ world, creditPartners }: ChoiceContext, partner: Partner, pick: number) => {
  const all = (creditPartners ?? world.partners).filter(
    ({ id, customerId, workspaceId }) =>
      id !== partner.id && customerId === partner.customerId && workspaceId === partner.workspaceId,
  );
  const from = all.length === 0 ? 0 : pick % all.length;
  return [...all.slice(from), ...all.slice(0, from)];
};

/** The sellers of a sale: the partner and some others, as far as there are enough. */
const sellersOf = (shares: ReadonlyArray<string>, partners: ReadonlyArray<Partner>): ReadonlyArray<Given> =>
  partners.length < shares.length
    ? partners.slice(0, 1).map(({ id }) => ({ partnerId: id }))
    : shares.flatMap((share, index) => {
        const partner = partners[index];
        return partner === undefined ? [] : [{ partnerId: partner.id, share }];
      });

/** The credits of a new sale of a partner; null for most sales. */
export const chooseCredits = (
  context: ChoiceContext,
  partner: Partner,
  [, value, name, rest]: Intent["picks"],
): ReadonlyArray<Given> | null => {
  if ((value + name) % 4 !== 0) return null;
  const { eligible } = context.intent;
  const partners = [partner, ...othersOf(context, partner, rest)];
  const shares = !eligible && rest % 3 === 0 ? choose(WRONG, value) : choose(SHARES, value >> 2);
  const sellers = name % 3 === 0 ? sellersOf(["1"], partners) : sellersOf(shares, partners);
  const overlays = [name, name >> 2].slice(0, rest % 3).map(
    (pick, index): Given => ({
      partnerId: choose([partner, ...partners], pick + rest).id,
      role: choose(OVERLAYS, pick + index),
      ...(pick % 2 === 0 ? { share: choose(OVERLAY_SHARES, pick >> 1) } : {}),
    }),
  );
  const credits = [...overlays.slice(1), ...sellers, ...overlays.slice(0, 1)];
  return rest % 2 === 0 ? credits : credits.toReversed();
};

/** The credits of a sale as they were given, or without the last of them. */
export const repeatCredits = (
  { attributions }: World,
  originId: AttributionId,
  pick: number,
): ReadonlyArray<Given> => {
  const given = saleOf(attributions, originId).flatMap(({ partnerId, credit }) =>
    credit === null || credit.depth > 0 ? [] : [{ partnerId, role: credit.role, share: credit.share }],
  );
  return pick % 5 === 0 ? given.slice(0, -1) : given;
};
