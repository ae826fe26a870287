/** What a manager reads by a key of its own: its team's sales as far as it earns from them, and nothing of another team. */
import { describe, expect, it } from "@effect/vitest";
import { Effect } from "effect";
import {
  Attributions,
  CommissionFormulas,
  Commissions,
  type Ids,
  PartnerLinks,
  PartnerStatements,
  Partners,
  type Principal,
  Settlements,
} from "quittance";
import * as Given from "./Given.ts";
import { formula, link, sell } from "./Team.ts";

const { rule, NOW, DAY } = Given;

/**
 * Two teams below one director: Anna with her manager Mira, and Ben with his manager Bea. Each has sold alone, and both together.
 * Bea has a settlement.
 */
const twoTeams = Effect.gen(function* () {
  const scene = yield* Given.scene();
  const [ben, mira, bea, director] = yield* Effect.forEach([1, 2, 3, 4], () => Given.partner(scene));
  if (ben === undefined || mira === undefined || bea === undefined || director === undefined)
    return yield* Effect.die("four partners");
  const anna = scene.partnerId;
  const formulas = new Map<string, Ids.FormulaId>();
  for (const id of [anna, ben]) formulas.set(id, yield* Given.formula({ ...scene, partnerId: id }));
  for (const id of [mira, bea, director])
    formulas.set(id, yield* formula(scene, id, Given.percent(5), ["manager"]));
  for (const [below, above] of [
    [anna, mira],
    [ben, bea],
    [mira, director],
    [bea, director],
  ] as const)
    yield* link(scene, below, above);
  const ofAnna = yield* sell(scene, 1_000);
  const ofBen = yield* sell({ ...scene, partnerId: ben }, 2_000);
  const credits = [
    { partnerId: anna, share: "0.6" },
    { partnerId: ben, share: "0.4" },
  ];
  const ofBoth = yield* sell(scene, 10_000, { credits });
  const earned = yield* Given.commissions(scene);
  const ofBea = earned.filter(({ partnerId }) => partnerId === bea);
  const { customerId, workspaceId, owner } = scene;
  const { create } = yield* Settlements.Settlements;
  const commissionIds = ofBea.map(({ id }) => id);
  const { id: settlementId } = yield* create(owner, {
    customerId,
    workspaceId,
    partnerId: bea,
    commissionIds,
  });
  const manager: Principal.Principal = { ...owner, kind: "partner", partnerIds: [mira] };
  return {
    ...{ scene, anna, ben, mira, bea, director, manager, formulas, settlementId },
    ...{ sales: { ofAnna, ofBen, ofBoth }, ofBea },
  };
});

type Listing = {
  readonly items: ReadonlyArray<{ readonly partnerId: Ids.PartnerId }>;
  readonly total: number;
};

/** True if a page has so many records, all of the partner. */
const isOwn = ({ items, total }: Listing, partnerId: Ids.PartnerId, count: number): boolean =>
  total === count && items.length === count && items.every((item) => item.partnerId === partnerId);

const SPAN = { from: NOW - 30 * DAY, to: NOW + 30 * DAY, granularity: "month" } as const;

describe("a manager with a key of its own", () => {
  it.effect("lists its own credits and commissions, whatever sale or partner of another team it names", () =>
    rule(
      Effect.gen(function* () {
        const { manager, mira, ben, bea, sales, ofBea, formulas } = yield* twoTeams;
        const { list } = yield* Attributions.Attributions;
        const attributions = (input: Attributions.ListAttributions) =>
          Effect.map(list(manager, input), (page) => isOwn(page, mira, page.total) && page.total);
        const every = Object.values(sales);
        const others = ofBea.map(({ attributionId }) => attributionId);
        expect(yield* attributions({})).toBe(2);
        expect(yield* attributions({ originIds: every })).toBe(2);
        expect(yield* attributions({ originIds: [sales.ofBoth] })).toBe(1);
        expect(yield* attributions({ originIds: [sales.ofBen] })).toBe(0);
        expect(yield* attributions({ roles: ["manager"] })).toBe(2);
        expect(yield* attributions({ ids: [...every, ...others] })).toBe(0);
        expect(yield* attributions({ partnerIds: [ben, bea] })).toBe(0);
        const { list: listCommissions, explain } = yield* Commissions.Commissions;
        const commissions = (input: Parameters<typeof listCommissions>[1]) =>
          Effect.map(listCommissions(manager, input), (page) => isOwn(page, mira, page.total) && page.total);
        expect(yield* commissions({})).toBe(2);
        expect(yield* commissions({ attributionIds: others })).toBe(0);
        expect(yield* commissions({ ids: ofBea.map(({ id }) => id) })).toBe(0);
        expect(yield* commissions({ formulaIds: [...formulas.values()] })).toBe(2);
        const foreign = yield* Effect.flip(listCommissions(manager, { partnerIds: [bea] }));
        expect(foreign._tag).toBe("Forbidden");
        for (const { id } of ofBea) expect((yield* Effect.flip(explain(manager, id)))._tag).toBe("Missing");
      }),
    ),
  );

  it.effect("lists no partner, link, formula or settlement of another team", () =>
    rule(
      Effect.gen(function* () {
        const { manager, anna, ben, mira, bea, director, formulas, settlementId } = yield* twoTeams;
        const partners = yield* Partners.Partners;
        const names = (input: Parameters<typeof partners.list>[1]) =>
          Effect.map(partners.list(manager, input), ({ items, total }) => [
            total,
            ...items.map(({ id }) => id),
          ]);
        expect(yield* names({})).toEqual([1, mira]);
        expect(yield* names({ ids: [anna, ben, mira, bea, director] })).toEqual([1, mira]);
        expect(yield* names({ ids: [bea] })).toEqual([0]);
        const links = yield* PartnerLinks.PartnerLinks;
        const ends = (input: Parameters<typeof links.list>[1]) =>
          Effect.map(links.list(manager, input), ({ items }) =>
            items.map(({ partnerId, uplinePartnerId }) => [partnerId, uplinePartnerId]),
          );
        expect(yield* ends({})).toEqual([
          [anna, mira],
          [mira, director],
        ]);
        expect(yield* ends({ uplinePartnerIds: [director] })).toEqual([[mira, director]]);
        expect(yield* ends({ partnerIds: [ben, bea] })).toEqual([]);
        const { list } = yield* CommissionFormulas.CommissionFormulas;
        expect(isOwn(yield* list(manager, {}), mira, 1)).toBe(true);
        expect((yield* list(manager, { ids: [...formulas.values()] })).total).toBe(1);
        expect((yield* list(manager, { partnerIds: [bea] })).total).toBe(0);
        const settlements = yield* Settlements.Settlements;
        expect((yield* settlements.list(manager, {})).total).toBe(0);
        expect((yield* settlements.list(manager, { ids: [settlementId] })).total).toBe(0);
      }),
    ),
  );

  it.effect("counts and sums nothing of another team", () =>
    rule(
      Effect.gen(function* () {
        const { manager, mira, bea } = yield* twoTeams;
        const { statistics } = yield* Attributions.Attributions;
        expect((yield* statistics(manager, SPAN)).summary.total).toBe(2);
        expect((yield* statistics(manager, { ...SPAN, partnerIds: [mira, bea] })).summary.total).toBe(2);
        expect((yield* statistics(manager, { ...SPAN, partnerIds: [bea] })).summary.total).toBe(0);
        const commissions = yield* Commissions.Commissions;
        const { summary } = yield* commissions.statistics(manager, SPAN);
        expect([summary.count, summary.unsettled.amounts]).toEqual([2, [{ currency: "EUR", amount: 350n }]]);
        const { balance } = yield* PartnerStatements.PartnerStatements;
        expect((yield* balance(manager, mira, {})).balances).toMatchObject([{ earned: 350n }]);
        expect((yield* Effect.flip(balance(manager, bea, {})))._tag).toBe("Missing");
      }),
    ),
  );
});
