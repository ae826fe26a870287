/** Sales that several people earn from. */
import { describe, expect, it } from "@effect/vitest";
import { Effect } from "effect";
import {
  Attribution,
  Attributions,
  Commissions,
  Credit,
  PartnerLinks,
  Partners,
  type Storage,
} from "quittance";
import type { Expression } from "quittance/formula";
import { Build, checkInvariants } from "quittance/testing";
import * as Given from "./Given.ts";
import { another } from "./PlanScene.ts";

const { rule, NOW, DAY } = Given;

const percent = (value: number): Expression => ({
  type: "multiply",
  operands: [
    { type: "property", name: "order_value" },
    { type: "literal", value: { type: "percent", value } },
  ],
});

/** Records a sale with credits; returns the id of its origin. */
const sell = (
  scene: Given.Scene,
  orderValue: number,
  credits: ReadonlyArray<Credit.Given>,
  more: Partial<Attribution.Create> = {},
) =>
  Effect.flatMap(Attributions.Attributions, ({ create }) =>
    Effect.map(create(scene.owner, { ...Given.sale(scene, orderValue), credits, ...more }), ({ id }) => id),
  );

/** A formula that pays credits of these roles, sellers by default. */
const formula = (
  scene: Given.Scene,
  expression: Expression,
  roles: ReadonlyArray<string> = [Credit.SELLER],
) => Given.formula(scene, { expression, roles });

/** The attributions of a customer, in order of arrival, and what they earn, by partner. */
const found = (scene: Given.Scene) =>
  Effect.gen(function* () {
    yield* checkInvariants(scene.customerId);
    const { items } = yield* Effect.flatMap(Attributions.Attributions, ({ list }) =>
      list(scene.owner, { perPage: 100 }),
    );
    const commissions = yield* Given.commissions(scene);
    return items.map((item) => ({
      ...item,
      earned: commissions
        .filter(({ attributionId }) => attributionId === item.id)
        .map(({ computedAmount }) => computedAmount),
    }));
  });

/** A scene with a seller, a second one and an engineer. */
const team = Effect.gen(function* () {
  const seller = yield* Given.scene();
  return { seller, second: yield* another(seller), engineer: yield* another(seller) };
});

/** Records the reads of credits and of what attributions earned. */
const recordReads =
  (reads: Array<string>) =>
  ({ creditedAttributions, commissionsOf }: Storage.StorageService): Partial<Storage.StorageService> => ({
    creditedAttributions: (...given) => {
      reads.push("creditedAttributions");
      return creditedAttributions(...given);
    },
    commissionsOf: (...given) => {
      reads.push("commissionsOf");
      return commissionsOf(...given);
    },
  });

const split = ({
  seller,
  second,
  engineer,
}: Effect.Effect.Success<typeof team>): ReadonlyArray<Credit.Given> => [
  { partnerId: seller.partnerId, share: "0.6" },
  { partnerId: second.partnerId, share: "0.4" },
  { partnerId: engineer.partnerId, role: "engineer" },
];

describe("a sale with several credits", () => {
  it.effect("is one attribution for each, of one moment, which name the first one as their origin", () =>
    rule(
      Effect.gen(function* () {
        const all = yield* team;
        yield* formula(all.seller, percent(10));
        yield* formula(all.second, percent(10));
        yield* formula(all.engineer, percent(1), ["engineer"]);
        yield* formula(all.engineer, percent(50));
        const id = yield* sell(all.seller, 1_005, split(all), { externalReference: "order 1" });
        const items = yield* found(all.seller);
        expect(items.map(({ credit }) => credit?.role)).toEqual(["engineer", "seller", "seller"]);
        const of = ({ partnerId }: Given.Scene) => items.find((item) => item.partnerId === partnerId);
        expect(of(all.seller)).toMatchObject({
          id,
          originId: null,
          externalReference: "order 1",
          credit: { role: "seller", share: "0.6", depth: 0 },
          // 60 % of 100.5 is 60.3. Rounded first, it would be 60.6.
          earned: [60],
        });
        expect(of(all.second)).toMatchObject({ originId: id, externalReference: null, earned: [40] });
        expect(of(all.engineer)).toMatchObject({
          originId: id,
          credit: { role: "engineer", share: "1", depth: 0 },
          earned: [10],
        });
        expect(new Set(items.map(({ createdAt }) => createdAt)).size).toBe(1);
      }),
    ),
  );

  it.effect("is stored as any other sale where the partner alone has it", () =>
    rule(
      Effect.gen(function* () {
        const { seller, second, engineer } = yield* team;
        yield* Given.sell(seller, 100);
        yield* sell(seller, 100, [{ partnerId: seller.partnerId }]);
        const [plain, alone] = yield* found(seller);
        expect(alone).toEqual({ ...plain, id: alone?.id });
        expect(alone).toMatchObject({ credit: null, originId: null });
        // Also in one batch with a sale that has an upline, for which links are read.
        yield* (yield* PartnerLinks.PartnerLinks).create(seller.owner, {
          ...{ partnerId: second.partnerId, uplinePartnerId: engineer.partnerId, role: "manager" },
          startDatetime: Build.EPOCH,
        });
        const { createBatch } = yield* Attributions.Attributions;
        const attributions = [Given.sale(second, 100), Given.sale(seller, 100)];
        yield* createBatch(seller.owner, { mode: "atomic", attributions });
        const beside = (yield* found(seller)).filter(({ partnerId }) => partnerId === seller.partnerId);
        expect(beside.map(({ credit }) => credit)).toEqual([null, null, null]);
      }),
    ),
  );

  it.effect("is repeated by its reference with the same credits alone, also within a batch", () =>
    rule(
      Effect.gen(function* () {
        const all = yield* team;
        const reference = { externalReference: "order 1" };
        const id = yield* sell(all.seller, 100, split(all), reference);
        expect(yield* sell(all.seller, 100, split(all).toReversed(), reference)).toBe(id);
        const others: ReadonlyArray<ReadonlyArray<Credit.Given>> = [
          [{ partnerId: all.seller.partnerId }],
          split(all).slice(0, 2),
          split(all).map((credit) => (credit.role === undefined ? { ...credit, share: "0.5" } : credit)),
        ];
        for (const credits of others)
          expect(yield* Given.refusal(sell(all.seller, 100, credits, reference))).toMatch(
            /^external_reference_reuse: /,
          );
        const { createBatch } = yield* Attributions.Attributions;
        const item = (credits: ReadonlyArray<Credit.Given>) => ({
          ...Given.sale(all.seller, 100),
          credits,
          externalReference: "order 2",
        });
        const { results } = yield* createBatch(all.seller.owner, {
          mode: "independent",
          attributions: [item(split(all)), item(split(all).toReversed()), item(split(all).slice(0, 2))],
        });
        expect(results[0]).toEqual(results[1]);
        expect(results[2]).toMatchObject({ token: "external_reference_reuse" });
        expect(yield* found(all.seller)).toHaveLength(6);
      }),
    ),
  );

  it.effect("is refused with a partner that is not of the workspace or not seen, and stores nothing", () =>
    rule(
      Effect.gen(function* () {
        const all = yield* team;
        const stranger = yield* Given.scene();
        const credits = [...split(all), { partnerId: stranger.partnerId, role: "guest" }];
        expect(yield* Given.refusal(sell(all.seller, 100, credits))).toBe("credits.3.partner_id not found");
        const limited = { ...all.seller.owner, partnerIds: [all.seller.partnerId] };
        expect(yield* Given.refusal(sell({ ...all.seller, owner: limited }, 100, split(all)))).toMatch(
          /partner_id/,
        );
        const notSeller = [
          { partnerId: all.second.partnerId },
          { partnerId: all.seller.partnerId, role: "x" },
        ];
        expect(yield* Given.refusal(sell(all.seller, 100, notSeller))).toBe(
          "credits: must name the partner of partner_id as a seller",
        );
        expect(yield* found(all.seller)).toEqual([]);
      }),
    ),
  );

  it.effect("is refused with credits that no sale can have, and stores nothing", () =>
    rule(
      Effect.gen(function* () {
        const all = yield* team;
        const { seller, second, engineer } = all;
        const refused = (credits: ReadonlyArray<Credit.Given>) => Given.refusal(sell(seller, 100, credits));
        const own = { partnerId: seller.partnerId, share: "0.6" };
        expect(yield* refused([own, { partnerId: second.partnerId, share: "1/3" }])).toBe(
          "credits: the shares of the sellers must add up to exactly 1; they add up to 14/15",
        );
        const twice = { partnerId: engineer.partnerId, role: "engineer" };
        expect(yield* refused([...split(all), twice])).toBe(
          `credits: must not name the partner ${engineer.partnerId} twice in the role "engineer"`,
        );
        const roles = Array.from({ length: 18 }, (_, index) => ({ ...twice, role: `role ${index}` }));
        expect(yield* refused([...split(all), ...roles])).toBe("credits: must have 1 to 20 credits");
        expect(yield* refused([...split(all), { ...twice, role: "r".repeat(65) }])).toBe(
          "credits.3.role: must have 1 to 64 characters",
        );
        const { id: elsewhere } = yield* Effect.flatMap(Partners.Partners, ({ create }) =>
          create(seller.owner, { name: "Elsewhere", workspaceId: Build.fresh.workspace() }),
        );
        expect(yield* refused([...split(all), { partnerId: elsewhere, role: "guest" }])).toBe(
          "credits.3.partner_id not found",
        );
        expect(yield* found(seller)).toEqual([]);
      }),
    ),
  );

  it.effect("is refused with a share that is none, also where no request is decoded", () =>
    rule(
      Effect.gen(function* () {
        const { seller, second } = yield* team;
        const { create } = yield* Attributions.Attributions;
        const credits = (share: string) => [
          { partnerId: seller.partnerId },
          { partnerId: second.partnerId, role: "engineer", share },
        ];
        for (const share of ["2", "60 %", "0"]) {
          const refused = yield* Effect.flip(
            create(seller.owner, { ...Given.sale(seller, 100), credits: credits(share) }),
          );
          expect([refused._tag, refused.message]).toEqual([
            "Invalid",
            expect.stringMatching(/^credits\.1\.share: must be greater than 0 and at most 1/),
          ]);
        }
        yield* create(seller.owner, { ...Given.sale(seller, 100), credits: credits(".50") });
        const items = yield* found(seller);
        expect(items.map(({ credit }) => credit?.share)).toEqual(["0.5", "1"]);
      }),
    ),
  );

  it.effect("adds to totals by role, and each credit builds on those of its own role", () =>
    rule(
      Effect.gen(function* () {
        const all = yield* team;
        const { seller, second } = all;
        const sum = (role?: string): Expression => ({
          type: "aggregate",
          function: "sum",
          value: { type: "property", name: "order_value" },
          window: { type: "lifetime" },
          ...(role === undefined ? {} : { role }),
        });
        yield* formula(seller, sum(), ["seller", "engineer"]);
        yield* formula(second, sum("seller"), ["seller", "engineer"]);
        const both = [
          { partnerId: seller.partnerId },
          { partnerId: second.partnerId, role: "engineer" },
          { partnerId: seller.partnerId, role: "engineer" },
        ];
        yield* sell(seller, 100, both);
        yield* sell(second, 10, [
          { partnerId: second.partnerId },
          { partnerId: seller.partnerId, role: "engineer" },
        ]);
        // Another order is ahead of the clock, which was set back.
        yield* Given.wait(5);
        yield* Given.sell(second, 1);
        yield* Given.wait(-5);
        yield* sell(seller, 1_000, both);
        const items = yield* found(seller);
        const earned = ({ partnerId }: Given.Scene, role: string) =>
          items
            .filter((item) => item.partnerId === partnerId && Attribution.creditOf(item).role === role)
            .flatMap((item) => item.earned);
        expect(earned(seller, "seller")).toEqual([0, 100]);
        expect(earned(seller, "engineer")).toEqual([0, 100, 110]);
        expect(earned(second, "seller")).toEqual([0, 10]);
        expect(earned(second, "engineer")).toEqual([0, 11]);
        for (const item of items.filter(({ originId }) => originId !== null))
          expect(item.createdAt).toBe(items.find(({ id }) => id === item.originId)?.createdAt);
      }),
    ),
  );

  it.effect("is earned from at its moment, which is not before the last one of any of its partners", () =>
    rule(
      Effect.gen(function* () {
        const all = yield* team;
        const count: Expression = { type: "aggregate", function: "count", window: { type: "lifetime" } };
        yield* formula(all.seller, percent(10));
        yield* formula(all.second, count);
        yield* Given.wait(5);
        yield* Given.sell(all.second, 1);
        yield* Given.wait(-5);
        const id = yield* sell(all.seller, 1_000, split(all));
        const sale = (yield* found(all.seller)).filter((item) => (item.originId ?? item.id) === id);
        expect(sale.map(({ createdAt }) => createdAt)).toEqual([NOW + 5, NOW + 5, NOW + 5]);
        const own = yield* Given.commissions(all.seller, id);
        expect(own.map(({ createdAt, computedAmount }) => [createdAt, computedAmount])).toEqual([
          [NOW + 5, 60],
        ]);
      }),
    ),
  );

  it.effect("is cancelled as a whole, and its credits not by themselves", () =>
    rule(
      Effect.gen(function* () {
        const all = yield* team;
        const { seller, second } = all;
        const echo: Expression = {
          type: "aggregate",
          function: "max",
          value: { type: "property", name: "order_value" },
          window: { type: "lifetime" },
        };
        const known: Expression = {
          type: "coalesce",
          operands: [echo, { type: "literal", value: { type: "number", value: 0 } }],
        };
        for (const scene of [seller, second]) yield* formula(scene, known, ["seller", "engineer"]);
        const credits = [
          { partnerId: seller.partnerId, share: "0.5" },
          { partnerId: second.partnerId, share: "0.5" },
          { partnerId: seller.partnerId, role: "engineer" },
        ];
        const id = yield* sell(seller, 900, credits);
        yield* sell(seller, 100, credits);
        yield* sell(seller, 100, credits);
        const { cancel } = yield* Attributions.Attributions;
        const before = yield* found(seller);
        const other = before.find(({ originId }) => originId === id);
        if (other === undefined) return yield* Effect.die("the sale has other credits");
        const reason = { reason: "refunded" };
        expect(yield* Given.refusal(cancel(seller.owner, other.id, reason))).toBe(
          `credit_of_sale: is a credit of the sale ${id}, which is changed as a whole`,
        );
        yield* cancel(seller.owner, id, reason);
        const after = yield* found(seller);
        const ofSale = after.filter((item) => item.id === id || item.originId === id);
        expect(ofSale.map(({ status, cancelReason }) => [status, cancelReason])).toEqual(
          Array.from({ length: 3 }, () => ["cancelled", "refunded"]),
        );
        expect(ofSale.flatMap(({ earned }) => earned)).toEqual([0, 0, 0]);
        expect(
          after.filter((item) => !ofSale.includes(item)).map(({ credit, earned }) => [credit?.role, earned]),
        ).toEqual([
          ["engineer", [0]],
          ["seller", [0]],
          ["seller", [0]],
          ["engineer", [100]],
          ["seller", [50]],
          ["seller", [50]],
        ]);
        yield* cancel(seller.owner, other.id, { reason: "again" });
        yield* cancel(seller.owner, id, { reason: "again" });
        expect(yield* found(seller)).toEqual(after);
      }),
    ),
  );

  it.effect("is one sale in statistics, and one of each partner where they are asked for partners", () =>
    rule(
      Effect.gen(function* () {
        const all = yield* team;
        const credits = [...split(all), { partnerId: all.second.partnerId, role: "engineer" }];
        yield* sell(all.seller, 100, credits);
        const id = yield* sell(all.seller, 100, credits);
        yield* Given.sell(all.second, 100);
        const { statistics, cancel, list } = yield* Attributions.Attributions;
        yield* cancel(all.seller.owner, id, { reason: "refunded" });
        const count = (partners?: ReadonlyArray<Given.Scene>, owner = all.seller.owner) =>
          Effect.map(
            statistics(owner, {
              ...{ from: NOW - DAY, to: NOW + DAY, granularity: "day" },
              ...(partners === undefined ? {} : { partnerIds: partners.map(({ partnerId }) => partnerId) }),
            }),
            ({ summary: { total, confirmed } }) => [total, confirmed],
          );
        expect(yield* count()).toEqual([3, 2]);
        expect(yield* count([all.seller])).toEqual([2, 1]);
        expect(yield* count([all.second])).toEqual([3, 2]);
        expect(yield* count([all.second, all.engineer])).toEqual([5, 3]);
        const granted = { ...all.seller.owner, partnerIds: [all.second.partnerId] };
        expect(yield* count(undefined, granted)).toEqual([3, 2]);
        const ids = (query: Attributions.ListAttributions) =>
          Effect.map(list(all.seller.owner, { perPage: 100, ...query }), ({ items }) => items.length);
        expect(yield* ids({ originIds: [id] })).toBe(4);
        expect(yield* ids({ originIds: [id], roles: ["engineer"] })).toBe(2);
        expect(yield* ids({ roles: ["seller"] })).toBe(5);
      }),
    ),
  );

  it.effect("needs no statement more than any other where nobody else earns", () => {
    const reads: Array<string> = [];
    return rule(
      Effect.gen(function* () {
        const { seller } = yield* team;
        yield* Given.sell(seller, 100);
        reads.length = 0;
        const { create } = yield* Attributions.Attributions;
        const id = yield* create(seller.owner, { ...Given.sale(seller, 100), externalReference: "a" });
        yield* create(seller.owner, { ...Given.sale(seller, 100), externalReference: "a" });
        const { cancel } = yield* Attributions.Attributions;
        yield* cancel(seller.owner, id.id, { reason: "refunded" });
        expect(reads).toEqual(["commissionsOf"]);
      }),
      { storage: recordReads(reads) },
    );
  });

  it.effect("is cancelled with one read of its credits, and one of what they earned", () => {
    const reads: Array<string> = [];
    return rule(
      Effect.gen(function* () {
        const all = yield* team;
        const id = yield* sell(all.seller, 100, split(all));
        reads.length = 0;
        const { cancel } = yield* Attributions.Attributions;
        yield* cancel(all.seller.owner, id, { reason: "refunded" });
        expect(reads).toEqual(["creditedAttributions", "commissionsOf"]);
      }),
      { storage: recordReads(reads) },
    );
  });
});

/** A commission of a credit is explained by the product. */
describe("the explanation of a credit's commission", () => {
  it.effect("names the part of the sale", () =>
    rule(
      Effect.gen(function* () {
        const all = yield* team;
        yield* formula(all.seller, percent(10));
        yield* sell(all.seller, 1_015, split(all));
        const [commission] = yield* Given.commissions(all.seller);
        if (commission === undefined) return yield* Effect.die("the seller earns");
        const { explain } = yield* Commissions.Commissions;
        const { explanation } = yield* explain(all.seller.owner, commission.id);
        expect(explanation?.trace.map(({ type, value }) => [type, value])).toEqual([
          ["final", "61"],
          ["multiply", "60.9"],
          ["property", "1015"],
          ["literal", "0.1"],
          ["attribute", "0.6"],
        ]);
      }),
    ),
  );
});
