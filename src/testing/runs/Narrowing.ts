/** Limits the records from which the commands of a concurrent group choose, and the partners whose records they may change. */
import type { CustomerId, PartnerId } from "../../domain/Ids.ts";
import type { Partner } from "../../domain/Partner.ts";
import { readsSellers } from "../model/world/Plan.ts";
import type { World } from "../model/world/World.ts";
import type { SeededRandom } from "../session/SeededRandom.ts";

/** Returns the other partners that have credits in a partner's sales. */
const earningWith = ({ attributions, partners }: World, partnerId: PartnerId): ReadonlyArray<Partner> => {
  const saleOf = ({ id, originId }: World["attributions"][number]) => originId ?? id;
  const sales = new Set(attributions.filter((one) => one.partnerId === partnerId).map(saleOf));
  const others = attributions.filter((one) => one.partnerId !== partnerId && sales.has(saleOf(one)));
  return partners.filter(({ id }) => others.some((other) => other.partnerId === id));
};

/**
 * Reduces the world to one partner, its records and one settlement, so that the commands of a group concern the same records. Some
 * groups also get a partner that has credits in the same sales.
 */
export const narrow = (world: World, { below }: SeededRandom): World => {
  const settlement =
    world.settlements[world.settlements.length - 1 - below(Math.min(4, world.settlements.length || 1))];
  const partner =
    world.partners.find(({ id }) => id === settlement?.partnerId) ??
    world.partners[below(world.partners.length)];
  if (partner === undefined) return world;
  const others = earningWith(world, partner.id);
  const other = others.length > 0 && below(3) > 0 ? others[below(others.length)] : undefined;
  const partners = other === undefined ? [partner] : [partner, other];
  const isOwn = ({ partnerId }: { readonly partnerId: PartnerId }) =>
    partners.some(({ id }) => id === partnerId);
  const rowsOf = <Row extends { readonly partnerId: PartnerId }>(rows: ReadonlyArray<Row>, count: number) =>
    rows.filter(isOwn).slice(-count * partners.length);
  const attributions = rowsOf(world.attributions, 4);
  const ids = new Set<string>(attributions.map(({ id }) => id));
  return {
    ...world,
    partners,
    attributions,
    formulas: rowsOf(world.formulas, 2),
    plans: world.plans.filter(
      ({ customerId, workspaceId }) =>
        customerId === partner.customerId && workspaceId === partner.workspaceId,
    ),
    commissions: world.commissions.filter(({ attributionId }) => ids.has(attributionId)),
    settlements: settlement === undefined ? [] : [settlement],
  };
};

/** Returns the partners whose records change when commands concern some of them. Where an override pays on the commissions of others,
 * these are all partners of the workspace. */
export const concernedBy = (
  { partners, formulas }: World,
  customerId: CustomerId,
  partnerIds: ReadonlyArray<PartnerId>,
): ReadonlyArray<PartnerId> => {
  const place = partners.find(({ id }) => partnerIds.includes(id));
  const isHere = (one: Pick<Partner, "customerId" | "workspaceId">): boolean =>
    one.customerId === customerId && one.workspaceId === place?.workspaceId;
  return formulas.some(
    (formula) => isHere(formula) && formula.versions.some(({ plan }) => readsSellers(plan)),
  )
    ? partners.filter(isHere).map(({ id }) => id)
    : partnerIds;
};
