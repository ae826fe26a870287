/** Replacing sales that several people earn from. */
import { describe, expect, it } from "@effect/vitest";
import { Effect } from "effect";
import { Attribution, Attributions, type Credit, type Ids, type Replacement, type Storage } from "quittance";
import { checkInvariants } from "quittance/testing";
import * as Given from "./Given.ts";
import { another } from "./PlanScene.ts";

const { rule, percent } = Given;

/** A seller, a second one and an engineer, each of whom earns 10 %, and a sale that they share. */
const team = Effect.gen(function* () {
  const seller = yield* Given.scene();
  const [second, engineer] = [yield* another(seller), yield* another(seller)];
  for (const scene of [seller, second]) yield* Given.formula(scene, { expression: percent(10) });
  yield* Given.formula(engineer, { expression: percent(10), roles: ["engineer"] });
  return { seller, second, engineer };
});
type Team = Effect.Effect.Success<typeof team>;

const split = ({ seller, second, engineer }: Team): ReadonlyArray<Credit.Given> => [
  { partnerId: seller.partnerId, share: "0.6" },
  { partnerId: second.partnerId, share: "0.4" },
  { partnerId: engineer.partnerId, role: "engineer" },
];

const requestOf = (all: Team, more: Partial<Attribution.Create> = {}): Attribution.Create => ({
  ...Given.sale(all.seller, 1_000),
  credits: split(all),
  ...more,
});

const sell = (all: Team, more: Partial<Attribution.Create> = {}) =>
  Effect.flatMap(Attributions.Attributions, ({ create }) =>
    Effect.map(create(all.seller.owner, requestOf(all, more)), ({ id }) => id),
  );

const replace = (
  { seller: { owner } }: Team,
  id: Ids.AttributionId,
  change: Omit<Replacement.Replace, "reason">,
  principal = owner,
) =>
  Effect.flatMap(Attributions.Attributions, (attributions) =>
    Effect.map(
      attributions.replace(principal, id, { ...change, reason: "corrected" }),
      (result) => result.id,
    ),
  );

const priced = (orderValue: number) => ({ properties: { order_value: orderValue } });

/** The attributions of a sale by role and partner, each with what it earns. */
const saleOf = ({ seller }: Team, id: Ids.AttributionId) =>
  Effect.gen(function* () {
    yield* checkInvariants(seller.customerId);
    const { list } = yield* Attributions.Attributions;
    const { items } = yield* list(seller.owner, { perPage: 100, originIds: [id] });
    const commissions = yield* Given.commissions(seller);
    return items.map((item) => ({
      ...item,
      role: Attribution.creditOf(item).role,
      share: Attribution.creditOf(item).share,
      earned: commissions
        .filter(({ attributionId }) => attributionId === item.id)
        .map(({ computedAmount }) => computedAmount),
    }));
  });

const partOf =
  (sale: Effect.Effect.Success<ReturnType<typeof saleOf>>) =>
  ({ partnerId }: Given.Scene, role = "seller") =>
    sale.find((item) => item.partnerId === partnerId && item.role === role);

describe("replacing a sale with several credits", () => {
  it.effect("keeps the credits that were given, and pairs the attributions of each partner", () =>
    rule(
      Effect.gen(function* () {
        const all = yield* team;
        const id = yield* sell(all, { externalReference: "order 1" });
        const newer = yield* replace(all, id, priced(500));
        const [oldPart, newPart] = [partOf(yield* saleOf(all, id)), partOf(yield* saleOf(all, newer))];
        const parts = [
          [all.seller, "seller", "0.6", 30],
          [all.second, "seller", "0.4", 20],
          [all.engineer, "engineer", "1", 50],
        ] as const;
        for (const [scene, role, share, earned] of parts) {
          const [old, now] = [oldPart(scene, role), newPart(scene, role)];
          expect(now).toMatchObject({ share, earned: [earned], replaces: old?.id, status: "confirmed" });
          expect(old).toMatchObject({ earned: [0], replacedBy: now?.id, cancelReason: "corrected" });
        }
        expect(newPart(all.seller)).toMatchObject({
          id: newer,
          originId: null,
          externalReference: "order 1",
        });
        expect(oldPart(all.seller)?.externalReference).toBe(null);
        expect(newPart(all.second)).toMatchObject({ originId: newer, externalReference: null });
      }),
    ),
  );

  it.effect("with another partner puts it in the place of the first, unless it has a part already", () =>
    rule(
      Effect.gen(function* () {
        const all = yield* team;
        const id = yield* sell(all);
        expect(yield* Given.refusal(replace(all, id, { partnerId: all.second.partnerId }))).toBe(
          "partner_id: has a credit of the sale as a seller already; state the credits anew",
        );
        const newer = yield* replace(all, id, { partnerId: all.engineer.partnerId });
        const [sale, old] = [yield* saleOf(all, newer), yield* saleOf(all, id)];
        const part = partOf(sale);
        expect(sale).toHaveLength(3);
        expect(part(all.engineer)).toMatchObject({ id: newer, share: "0.6", replaces: id });
        expect(part(all.engineer, "engineer")).toMatchObject({ earned: [100], originId: newer });
        expect(part(all.second)?.earned).toEqual([40]);
        expect(partOf(old)(all.seller)).toMatchObject({ earned: [0], replacedBy: newer });
      }),
    ),
  );

  it.effect("with other credits leaves out whoever is not among them", () =>
    rule(
      Effect.gen(function* () {
        const all = yield* team;
        const id = yield* sell(all);
        const credits = [
          { partnerId: all.seller.partnerId, share: "1/3" },
          { partnerId: all.second.partnerId, share: "2/3" },
        ];
        const newer = yield* replace(all, id, { credits });
        const sale = yield* saleOf(all, newer);
        expect(sale.map(({ earned }) => earned[0]).toSorted()).toEqual([33, 67]);
        expect(partOf(yield* saleOf(all, id))(all.engineer, "engineer")).toMatchObject({
          ...{ status: "cancelled", cancelReason: "corrected", replacedBy: null, earned: [0] },
        });
        const alone = yield* replace(all, newer, { credits: [{ partnerId: all.seller.partnerId }] });
        expect(yield* saleOf(all, alone)).toMatchObject([{ credit: null, earned: [100], replaces: newer }]);
        const shared = yield* replace(all, alone, { credits: split(all) });
        expect(yield* saleOf(all, shared)).toHaveLength(3);
        const problem = "credits: must name the partner of partner_id as a seller";
        const foreign = [{ partnerId: all.second.partnerId }];
        expect(yield* Given.refusal(replace(all, shared, { credits: foreign }))).toBe(problem);
        const moved = yield* replace(all, shared, { credits: foreign, partnerId: all.second.partnerId });
        expect(yield* saleOf(all, moved)).toMatchObject([{ partnerId: all.second.partnerId, earned: [100] }]);
      }),
    ),
  );

  it.effect("changes nothing with the credits that it has, in any order and notation", () =>
    rule(
      Effect.gen(function* () {
        const all = yield* team;
        const id = yield* sell(all);
        const [own, other, overlay] = split(all);
        if (own === undefined || other === undefined || overlay === undefined) throw new Error("three");
        const credits = [overlay, { ...other, share: "2/5" }, { ...own, share: "0.60" }];
        expect(yield* replace(all, id, { credits })).toBe(id);
        expect(yield* replace(all, id, { partnerId: all.seller.partnerId })).toBe(id);
        expect(yield* saleOf(all, id)).toMatchObject([{}, {}, {}]);
      }),
    ),
  );

  it.effect("is refused for another credit than the origin, and for a cancelled sale", () =>
    rule(
      Effect.gen(function* () {
        const all = yield* team;
        const id = yield* sell(all);
        const other = partOf(yield* saleOf(all, id))(all.second)?.id ?? id;
        expect(yield* Given.refusal(replace(all, other, priced(500)))).toBe(
          `credit_of_sale: is a credit of the sale ${id}, which is changed as a whole`,
        );
        yield* replace(all, id, priced(500));
        for (const cancelled of [id, other])
          expect(yield* Given.refusal(replace(all, cancelled, priced(400)))).toMatch(
            /^attribution_cancelled: /,
          );
      }),
    ),
  );

  it.effect("needs no grant for partners whose credits are kept, and one for those that it names", () =>
    rule(
      Effect.gen(function* () {
        const all = yield* team;
        const id = yield* sell(all);
        const within = { ...all.seller.owner, partnerIds: [all.seller.partnerId] };
        const named = { credits: split(all).slice(0, 2) };
        const { replace: put, dryRun } = yield* Attributions.Attributions;
        const refused = yield* Effect.flip(put(within, id, { ...named, reason: "r" }));
        expect(refused._tag).toBe("Forbidden");
        const { commissions } = yield* dryRun(within, id, { ...priced(500), reason: "r", dryRun: true });
        expect(commissions).toMatchObject([
          { partnerId: all.seller.partnerId, amountBefore: 60, amountAfter: 30 },
        ]);
        const newer = yield* replace(all, id, priced(500), within);
        expect(yield* saleOf(all, newer)).toHaveLength(3);
      }),
    ),
  );

  it.effect("is tried before, for every partner of the sale", () =>
    rule(
      Effect.gen(function* () {
        const all = yield* team;
        const { dryRun } = yield* Attributions.Attributions;
        yield* Given.formula(all.seller, { expression: percent(1), roles: ["seller", "engineer"] });
        const credits = [...split(all), { partnerId: all.seller.partnerId, role: "engineer" }];
        const id = yield* sell(all, { credits });
        const change = { ...priced(500), reason: "r", dryRun: true };
        const { commissions } = yield* dryRun(all.seller.owner, id, change);
        expect(
          commissions
            .map((one) => [one.role, one.amountBefore, one.amountAfter, one.dueAfter])
            .toSorted((a, b) => Number(b[1]) - Number(a[1])),
        ).toEqual([
          ["engineer", 100, 50, 50],
          ["seller", 60, 30, 30],
          ["seller", 40, 20, 20],
          // Two credits of one partner under one formula.
          ["engineer", 10, 5, 5],
          ["seller", 6, 3, 3],
        ]);
        const same = yield* dryRun(all.seller.owner, id, { reason: "r", dryRun: true });
        expect(same.commissions.map((one) => [one.role, one.amountBefore, one.amountAfter])).toEqual(
          commissions.map((one) => [one.role, one.amountBefore, one.amountBefore]),
        );
        expect(yield* saleOf(all, id)).toMatchObject([{}, {}, {}, {}]);
      }),
    ),
  );
});

describe("a repeated creation of a sale with several credits", () => {
  it.effect("is compared with the credits of each sale of the chain, with one read of each kind", () => {
    const reads: Array<string> = [];
    return rule(
      Effect.gen(function* () {
        const all = yield* team;
        const reference = { externalReference: "order 1" };
        const id = yield* sell(all, reference);
        const credits = [{ partnerId: all.seller.partnerId }, ...split(all).slice(2)];
        const second = yield* replace(all, id, { credits });
        const newest = yield* replace(all, second, {
          credits: split(all)
            .slice(0, 1)
            .map((one) => ({ ...one, share: "1" })),
        });
        reads.length = 0;
        expect(yield* sell(all, reference)).toBe(newest);
        expect(reads).toEqual(["find attribution", "find attribution", "creditedAttributions"]);
        expect(yield* sell(all, { ...reference, credits })).toBe(newest);
        const { create } = yield* Attributions.Attributions;
        const alone = { ...Given.sale(all.seller, 1_000), ...reference };
        expect((yield* create(all.seller.owner, alone)).id).toBe(newest);
        const others = [
          { partnerId: all.seller.partnerId },
          { partnerId: all.second.partnerId, role: "engineer" },
        ];
        expect(yield* Given.refusal(sell(all, { ...reference, credits: others }))).toMatch(
          /^external_reference_reuse: /,
        );
      }),
      {
        storage: (storage: Storage.StorageService) => ({
          find: (tenant, kind, ids) => {
            reads.push(`find ${kind}`);
            return storage.find(tenant, kind, ids);
          },
          creditedAttributions: (...given) => {
            reads.push("creditedAttributions");
            return storage.creditedAttributions(...given);
          },
        }),
      },
    );
  });
});
