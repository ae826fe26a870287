/** Sales whose sellers have uplines: who earns from them, by which links, and what a link leaves as it is. */
import { describe, expect, it } from "@effect/vitest";
import { Effect } from "effect";
import {
  Attributions,
  Events,
  type Ids,
  Limits,
  PartnerLinks,
  type Principal,
  type Replacement,
  type Storage,
} from "quittance";
import { Build } from "quittance/testing";
import * as Given from "./Given.ts";
import { attributions, formula, link, linkedTeam, SUM, sale, sell, shown, team } from "./Team.ts";

const { rule, NOW, DAY } = Given;

describe("a sale of a seller with uplines", () => {
  it.effect("has a credit for each partner of the chain, who earns by its own formulas for the role", () =>
    rule(
      Effect.gen(function* () {
        const { scene, seller, manager, director } = yield* linkedTeam;
        yield* Given.formula(scene);
        yield* formula(scene, manager, Given.percent(5), ["manager"]);
        yield* formula(scene, manager, Given.percent(50), ["seller"]);
        yield* formula(scene, director, Given.percent(1), ["manager", "seller"]);
        const id = yield* sell(scene, 1_000);
        const found = yield* sale(scene, id);
        expect(shown(found)).toEqual([
          [seller, "seller", 0, "1", 100],
          [manager, "manager", 1, "1", 50],
          [director, "manager", 2, "1", 10],
        ]);
        expect(found.map(({ originId }) => originId)).toEqual([null, id, id]);
        expect(new Set(found.map(({ createdAt }) => createdAt)).size).toBe(1);
        expect(found[1]?.credit).toEqual({ role: "manager", share: "1", depth: 1 });
        const { list } = yield* Events.Events;
        const { items } = yield* list(scene.owner, { types: ["create_attribution"] });
        expect(items.map(({ event }) => event)).toMatchObject([
          { credit: { role: "seller", share: "1", depth: 0 } },
          { credit: { role: "manager", depth: 1 }, origin_id: id },
          { credit: { role: "manager", depth: 2 }, origin_id: id },
        ]);
      }),
    ),
  );

  it.effect("gives an upline the exact sum of the shares of the sellers below it, at each depth", () =>
    rule(
      Effect.gen(function* () {
        const { scene, seller, second, manager, director, other } = yield* linkedTeam;
        yield* link(scene, other, director);
        yield* formula(scene, director, { type: "property", name: "order_value" }, ["manager"]);
        const id = yield* sell(scene, 3_000, {
          credits: [
            { partnerId: seller, share: "1/6" },
            { partnerId: second, share: "0.5" },
            { partnerId: other, share: "1/3" },
          ],
        });
        const found = yield* sale(scene, id);
        expect(shown(found).slice(3)).toEqual([
          [manager, "manager", 1, "2/3"],
          [director, "manager", 1, "1/3", 1_000],
          [director, "manager", 2, "2/3", 2_000],
        ]);
        expect(found.map(({ credit }) => credit?.sellers)).toEqual([
          ...[undefined, undefined, undefined],
          ...[[seller, second], [other], [seller, second]],
        ]);
        expect(found.map(({ credit }) => credit?.further)).toEqual([
          ...[undefined, undefined, undefined],
          ...[undefined, undefined, true],
        ]);
      }),
    ),
  );

  it.effect("follows the links of the moment for which it counts", () =>
    rule(
      Effect.gen(function* () {
        const { scene, seller, manager, director, link: first } = yield* linkedTeam;
        const { update } = yield* PartnerLinks.PartnerLinks;
        yield* update(scene.owner, first, { endDatetime: NOW - DAY });
        yield* link(scene, seller, director, { startDatetime: NOW - DAY, endDatetime: NOW + DAY });
        const uplines = (occurredAt?: number) =>
          Effect.gen(function* () {
            const id = yield* sell(scene, 1, occurredAt === undefined ? {} : { occurredAt });
            return (yield* sale(scene, id)).slice(1).map(({ partnerId }) => partnerId);
          });
        expect(yield* uplines()).toEqual([director]);
        expect(yield* uplines(NOW - DAY)).toEqual([director]);
        expect(yield* uplines(NOW - DAY - 1)).toEqual([manager, director]);
        expect(yield* uplines(NOW - 31 * DAY)).toEqual([]);
        // Dates ahead of the clock count for the moment of creation.
        yield* Given.wait(DAY - 1);
        expect(yield* uplines(NOW + DAY + 1)).toEqual([director]);
        yield* Given.wait(1);
        expect(yield* uplines()).toEqual([]);
      }),
    ),
  );

  it.effect("has no credit for a role that is given, and none for the uplines of other roles", () =>
    rule(
      Effect.gen(function* () {
        const { scene, seller, manager, director, other } = yield* linkedTeam;
        yield* link(scene, seller, other, { role: "recruiter" });
        const given = [
          { partnerId: seller },
          { partnerId: other, role: "manager", share: "0.5" },
          { partnerId: manager, role: "engineer" },
        ];
        const id = yield* sell(scene, 1, { credits: given });
        expect(shown(yield* sale(scene, id))).toEqual([
          [manager, "engineer", 0, "1"],
          [other, "manager", 0, "0.5"],
          [seller, "seller", 0, "1"],
          [other, "recruiter", 1, "1"],
        ]);
        expect((yield* attributions(scene, { partnerIds: [director] })).length).toBe(0);
      }),
    ),
  );

  it.effect("needs no grant for the uplines, who see their own credits alone", () =>
    rule(
      Effect.gen(function* () {
        const { scene, seller, manager } = yield* linkedTeam;
        const limited = { ...scene, owner: { ...scene.owner, partnerIds: [seller] } };
        const id = yield* sell(limited, 1);
        expect((yield* attributions(limited)).map(({ partnerId }) => partnerId)).toEqual([seller]);
        const upline: Principal.Principal = { ...scene.owner, kind: "partner", partnerIds: [manager] };
        expect(yield* attributions({ owner: upline })).toMatchObject([{ partnerId: manager, originId: id }]);
        const credits = [{ partnerId: seller }, { partnerId: manager, role: "manager" }];
        expect(yield* Given.refusal(sell(limited, 1, { credits }))).toMatch(/partner_id/);
      }),
    ),
  );

  it.effect("is repeated by its reference with the credits that were given, whatever the links are now", () =>
    rule(
      Effect.gen(function* () {
        const { scene, seller, manager, link: first } = yield* linkedTeam;
        const alone = yield* sell(scene, 1, { externalReference: "alone" });
        const credits = [{ partnerId: seller }, { partnerId: manager, role: "engineer" }];
        const shared = yield* sell(scene, 1, { externalReference: "shared", credits });
        const { update } = yield* PartnerLinks.PartnerLinks;
        yield* update(scene.owner, first, { endDatetime: NOW - 30 * DAY });
        const before = yield* attributions(scene);
        expect(yield* sell(scene, 1, { externalReference: "alone" })).toBe(alone);
        expect(yield* sell(scene, 1, { externalReference: "alone", credits: [{ partnerId: seller }] })).toBe(
          alone,
        );
        expect(yield* sell(scene, 1, { externalReference: "shared", credits })).toBe(shared);
        for (const other of [
          { externalReference: "alone", credits },
          { externalReference: "shared" },
          {
            externalReference: "alone",
            credits: [{ partnerId: seller }, { partnerId: manager, role: "manager" }],
          },
        ])
          expect(yield* Given.refusal(sell(scene, 1, other))).toMatch(/^external_reference_reuse: /);
        expect(yield* attributions(scene)).toEqual(before);
        const item = { ...Given.sale(scene, 1), externalReference: "batch" };
        yield* update(scene.owner, first, { endDatetime: null });
        const { createBatch } = yield* Attributions.Attributions;
        const { results } = yield* createBatch(scene.owner, { mode: "atomic", attributions: [item, item] });
        expect(results[0]).toEqual(results[1]);
        expect((yield* attributions(scene)).length).toBe(before.length + 3);
      }),
    ),
  );

  it.effect("adds to the totals of its uplines, whose orders decide its moment", () =>
    rule(
      Effect.gen(function* () {
        const { scene, second, manager, director, other } = yield* linkedTeam;
        yield* formula(scene, manager, SUM, ["manager", "seller"]);
        yield* formula(scene, director, SUM, ["manager"]);
        yield* sell(scene, 100);
        yield* sell({ ...scene, partnerId: second }, 10);
        // The clock is set back: the sale has the moment of the last one in the order of its uplines.
        yield* Given.wait(5);
        yield* sell(scene, 1);
        yield* Given.wait(-5);
        yield* link(scene, other, manager, { startDatetime: NOW + 5 });
        yield* link(scene, other, second, { role: "recruiter", startDatetime: NOW, endDatetime: NOW + 5 });
        // At the time of the clock nobody of an order stands above the seller.
        const early = yield* sell({ ...scene, partnerId: other }, 1_000);
        expect(shown(yield* sale(scene, early))).toEqual([
          [other, "seller", 0, "1"],
          [second, "recruiter", 1, "1"],
        ]);
        const id = yield* sell(scene, 10_000);
        const found = yield* sale(scene, id);
        expect(shown(found).map(([, , , , earned]) => earned)).toEqual([undefined, 111, 111]);
        expect(new Set(found.map(({ createdAt }) => createdAt))).toEqual(new Set([NOW + 5]));
        // The moment of the manager's order is that at which another manager is above the seller.
        yield* formula(scene, other, SUM, ["seller"]);
        yield* Given.wait(7);
        yield* sell({ ...scene, partnerId: other }, 1);
        yield* Given.wait(-7);
        const late = yield* sell({ ...scene, partnerId: other }, 1);
        expect(shown(yield* sale(scene, late))).toEqual([
          [other, "seller", 0, "1", 1_001],
          [manager, "manager", 1, "1", 10_112],
          [director, "manager", 2, "1", 10_112],
        ]);
        const { cancel } = yield* Attributions.Attributions;
        yield* cancel(scene.owner, id, { reason: "refunded" });
        const after = yield* sell(scene, 1);
        expect(shown(yield* sale(scene, after)).map(([, , , , earned]) => earned)).toEqual([
          undefined,
          113,
          113,
        ]);
      }),
    ),
  );

  it.effect("is cancelled with its credits, and is one sale in statistics", () =>
    rule(
      Effect.gen(function* () {
        const { scene, seller, manager, director } = yield* linkedTeam;
        yield* formula(scene, manager, Given.percent(10), ["manager"]);
        const id = yield* sell(scene, 100);
        yield* sell(scene, 100);
        const { cancel, statistics } = yield* Attributions.Attributions;
        const credit = (yield* attributions(scene, { originIds: [id], partnerIds: [manager] }))[0];
        if (credit === undefined) return yield* Effect.die("the manager has a credit");
        expect(yield* Given.refusal(cancel(scene.owner, credit.id, { reason: "refunded" }))).toMatch(
          /^credit_of_sale: /,
        );
        yield* cancel(scene.owner, id, { reason: "refunded" });
        const found = yield* sale(scene, id);
        expect(found.map(({ status }) => status)).toEqual(["cancelled", "cancelled", "cancelled"]);
        expect(found.flatMap(({ earned }) => earned)).toEqual([0]);
        const count = (partnerIds?: ReadonlyArray<Ids.PartnerId>) =>
          Effect.map(
            statistics(scene.owner, {
              ...{ from: NOW - DAY, to: NOW + DAY, granularity: "day" },
              ...(partnerIds === undefined ? {} : { partnerIds }),
            }),
            ({ summary: { total, confirmed } }) => [total, confirmed],
          );
        expect(yield* count()).toEqual([2, 1]);
        expect(yield* count([seller])).toEqual([2, 1]);
        expect(yield* count([manager, director])).toEqual([4, 2]);
        expect((yield* attributions(scene, { roles: ["manager"] })).length).toBe(4);
      }),
    ),
  );

  it.effect("has at most 100 credits", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene();
        const chain = [
          scene.partnerId,
          ...(yield* Effect.forEach(Array.from({ length: 16 }), () => Given.partner(scene))),
        ];
        const linkAll = (role: string) =>
          Effect.forEach(chain.slice(1), (upline, index) =>
            link(scene, chain[index] ?? upline, upline, { role }),
          );
        for (const role of ["a", "b", "c", "d", "e", "f"]) yield* linkAll(role);
        const overlays = (count: number) =>
          Array.from({ length: count }, (_, index) => ({
            partnerId: chain[15] ?? scene.partnerId,
            role: `overlay ${index}`,
          }));
        const credits = (count: number) => ({
          credits: [{ partnerId: scene.partnerId }, ...overlays(count)],
        });
        const id = yield* sell(scene, 1, credits(3));
        expect((yield* attributions(scene, { originIds: [id] })).length).toBe(Limits.SALE_CREDITS_MAX);
        expect(yield* Given.refusal(sell(scene, 1, credits(4)))).toBe(
          "credits: must not be more than 100 with those of uplines; the sale would have 101",
        );
        const { createBatch } = yield* Attributions.Attributions;
        const batch = (count: number) =>
          createBatch(scene.owner, {
            mode: "independent",
            attributions: Array.from({ length: count }, () => Given.sale(scene, 1)),
          });
        // 104 sales of 97 credits.
        expect(yield* Given.refusal(batch(104))).toBe(
          "attributions: must have at most 10000 credits with those of uplines; they have 10088",
        );
        expect((yield* list(scene)).total).toBe(100);
        yield* batch(2);
        expect((yield* list(scene)).total).toBe(100 + 2 * 97);
      }),
    ),
  );
});

const list = ({ owner }: Given.Scene) =>
  Effect.flatMap(Attributions.Attributions, (service) => service.list(owner, { perPage: 1 }));

describe("a link", () => {
  it.effect("changes nothing that is recorded", () =>
    rule(
      Effect.gen(function* () {
        const { scene, seller, manager, director } = yield* linkedTeam;
        yield* formula(scene, manager, SUM, ["manager"]);
        yield* formula(scene, director, Given.percent(10), ["manager"]);
        yield* sell(scene, 100);
        const state = Effect.all([attributions(scene), Given.commissions(scene)]);
        const before = yield* state;
        const other = yield* Given.partner(scene);
        yield* link(scene, director, other);
        yield* link(scene, seller, other, { role: "recruiter" });
        expect(yield* state).toEqual(before);
      }),
    ),
  );

  it.effect("of another workspace leaves a sale as it was", () =>
    rule(
      Effect.gen(function* () {
        const { scene } = yield* team;
        const elsewhere = yield* Given.scene();
        yield* link(elsewhere, elsewhere.partnerId, yield* Given.partner(elsewhere));
        yield* Given.formula(scene);
        const id = yield* sell(scene, 100);
        const [only, ...others] = yield* sale(scene, id);
        expect(only).toMatchObject({ id, credit: null, originId: null, earned: [10] });
        expect(only?.events).toEqual([
          { at: NOW, actor: "host", event: { type: "create_attribution", properties: { order_value: 100 } } },
        ]);
        expect(others).toEqual([]);
      }),
    ),
  );

  it.effect("costs sales nothing in workspaces without links: no statement, and no byte", () => {
    const statements: Array<string> = [];
    const commits: Array<Storage.ChangeSet> = [];
    return rule(
      Effect.gen(function* () {
        const { scene } = yield* team;
        yield* Given.formula(scene);
        yield* sell(scene, 100);
        statements.length = 0;
        commits.length = 0;
        yield* sell(scene, 100);
        expect(statements).toEqual(["commit"]);
        const events = commits[0]?.changes.flatMap((change) =>
          change.type === "save" && "entries" in change ? change.entries.map(({ event }) => event) : [],
        );
        expect(events).toEqual([
          { type: "create_attribution", properties: { order_value: 100 } },
          expect.objectContaining({ type: "create_commission" }),
        ]);
      }),
      {
        storage: (service) => ({
          ...Object.fromEntries(
            Object.entries(service).map(([name, method]) => [
              name,
              (...given: ReadonlyArray<never>) => {
                statements.push(name);
                return (method as (...given: ReadonlyArray<never>) => unknown)(...given);
              },
            ]),
          ),
          commit: (customerId, changeSet) => {
            statements.push("commit");
            commits.push(changeSet);
            return service.commit(customerId, changeSet);
          },
        }),
      },
    );
  });
});

describe("a sale and a link at the same time", () => {
  /** Another process stores a link just before the commit of the next sale. */
  const overtaking = (changes: () => ReadonlyArray<Storage.Change>): Given.Host => {
    let hasOvertaken = false;
    return {
      storage: (service) => ({
        commit: (customerId, changeSet) => {
          const saves = changeSet.changes.some((one) => one.type === "save" && one.kind === "attribution");
          if (!saves || hasOvertaken) return service.commit(customerId, changeSet);
          hasOvertaken = true;
          const other = Build.changeSet({ changes: changes() });
          return Effect.zipRight(service.commit(customerId, other), service.commit(customerId, changeSet));
        },
      }),
    };
  };

  it.effect("are decided one after the other, also where it is the first link of the workspace", () => {
    let changes: ReadonlyArray<Storage.Change> = [];
    return rule(
      Effect.gen(function* () {
        const { scene, seller, manager } = yield* team;
        const { customerId, workspaceId } = scene;
        changes = [
          Build.linkSet({ customerId, workspaceId }),
          Build.partnerLink({ id: seller, customerId, workspaceId }, manager),
        ];
        const id = yield* sell(scene, 1);
        expect(shown(yield* sale(scene, id)).slice(1)).toEqual([[manager, "manager", 1, "1"]]);
      }),
      overtaking(() => changes),
    );
  });
});

describe("replacing a sale whose seller has uplines", () => {
  it.effect("derives them anew, by the links of now", () =>
    rule(
      Effect.gen(function* () {
        const { scene, seller, second, manager, director } = yield* team;
        const plain = yield* sell(scene, 1);
        yield* link(scene, seller, manager);
        const { replace } = yield* Attributions.Attributions;
        const put = (id: Ids.AttributionId, change: Omit<Replacement.Replace, "reason">) =>
          Effect.map(replace(scene.owner, id, { ...change, reason: "corrected" }), (done) => done.id);
        const parts = (id: Ids.AttributionId) =>
          Effect.map(sale(scene, id), (items) =>
            items.map(({ partnerId, credit }) => [partnerId, credit?.depth]),
          );
        const first = yield* put(plain, { properties: { order_value: 2 } });
        expect(yield* parts(first)).toEqual([
          [seller, 0],
          [manager, 1],
        ]);
        yield* link(scene, manager, director);
        const later = yield* put(first, { properties: { order_value: 3 } });
        expect(yield* parts(later)).toEqual([
          [seller, 0],
          [manager, 1],
          [director, 2],
        ]);
        const [, above, top] = yield* sale(scene, later);
        const [, before] = yield* sale(scene, first);
        expect(before).toMatchObject({ status: "cancelled", replacedBy: above?.id });
        expect(above?.replaces).toBe(before?.id);
        expect(top?.replaces).toBe(null);
        const alone = yield* put(later, { partnerId: second });
        expect(yield* parts(alone)).toEqual([[second, undefined]]);
      }),
    ),
  );

  it.effect("takes the old sale out of the totals of uplines that the new one does not have", () =>
    rule(
      Effect.gen(function* () {
        const { scene, seller, second, manager } = yield* linkedTeam;
        yield* formula(scene, manager, SUM, ["manager"]);
        const { replace } = yield* Attributions.Attributions;
        const id = yield* sell(scene, 1_000);
        // The manager might stand above the seller, but the role is given to somebody else.
        yield* replace(scene.owner, id, {
          credits: [{ partnerId: seller }, { partnerId: second, role: "manager" }],
          reason: "the second seller managed it",
        });
        yield* Given.drain;
        const next = yield* sale(scene, yield* sell(scene, 1));
        expect(next.find(({ partnerId }) => partnerId === manager)?.earned).toEqual([0]);
      }),
    ),
  );

  it.effect("reads the links above the sellers of the new sale alone, once for each level", () => {
    const read: Array<ReadonlyArray<Ids.PartnerId>> = [];
    return rule(
      Effect.gen(function* () {
        const { scene, seller, second, manager, director } = yield* linkedTeam;
        const { replace } = yield* Attributions.Attributions;
        const id = yield* sell(scene, 1_000, {
          credits: [
            { partnerId: seller, share: "0.5" },
            { partnerId: second, share: "0.5" },
          ],
        });
        read.length = 0;
        yield* replace(scene.owner, id, { credits: [{ partnerId: seller }], reason: "corrected" });
        expect(read).toEqual([[seller], [manager], [director]]);
      }),
      {
        storage: (storage: Storage.StorageService) => ({
          linksOf: (customerId, query) => {
            read.push(query.partnerIds);
            return storage.linksOf(customerId, query);
          },
        }),
      },
    );
  });
});
