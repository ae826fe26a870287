/** Recrediting sales: uplines derived again from the links of now, and what stays. */
import { describe, expect, it } from "@effect/vitest";
import { Effect } from "effect";
import { Attributions, Events, type Ids, PartnerLinks, Receipts, Recredits, Workspaces } from "quittance";
import * as Given from "./Given.ts";
import { formula, link, linkedTeam, SUM, sale, sell, shown, team } from "./Team.ts";

const { rule, NOW, DAY } = Given;

const REASON = { reason: "the team had been entered late" };

const recredit = ({ owner }: Given.Scene, id: Ids.AttributionId) =>
  Effect.flatMap(Recredits.Recredits, (service) => service.recredit(owner, id, REASON));

const dryRun = ({ owner }: Given.Scene, id: Ids.AttributionId) =>
  Effect.flatMap(Recredits.Recredits, (service) => service.dryRun(owner, id, REASON));

/** Ends a link at its start, so that it never held. */
const withdraw = ({ owner }: Given.Scene, id: Ids.PartnerLinkId, endDatetime = NOW - 30 * DAY) =>
  Effect.flatMap(PartnerLinks.PartnerLinks, ({ update }) => update(owner, id, { endDatetime }));

/** The confirmed attributions of a sale. */
const confirmed = (scene: Given.Scene, id: Ids.AttributionId) =>
  Effect.map(sale(scene, id), (found) => found.filter(({ status }) => status === "confirmed"));

const counts = ({ owner }: Given.Scene, partnerIds?: ReadonlyArray<Ids.PartnerId>) =>
  Effect.flatMap(Attributions.Attributions, ({ statistics }) =>
    Effect.map(
      statistics(owner, {
        ...{ from: NOW - 60 * DAY, to: NOW + 60 * DAY, granularity: "day" },
        ...(partnerIds === undefined ? {} : { partnerIds }),
      }),
      ({ summary }) => summary,
    ),
  );

describe("recrediting a sale", () => {
  it.effect("gives it the uplines that its seller had when it occurred, who arrive now", () =>
    rule(
      Effect.gen(function* () {
        const { scene, seller, manager, director, other } = yield* team;
        yield* Given.formula(scene);
        yield* formula(scene, manager, Given.percent(5), ["manager"]);
        const id = yield* sell(scene, 1_000, { occurredAt: NOW - DAY });
        yield* link(scene, seller, manager, { endDatetime: NOW });
        yield* link(scene, seller, other, { startDatetime: NOW });
        yield* link(scene, manager, director);
        yield* Given.wait(DAY);
        expect(yield* recredit(scene, id)).toMatchObject({ added: 2, cancelled: 0 });
        const found = yield* sale(scene, id);
        expect(shown(found)).toEqual([
          [seller, "seller", 0, "1", 100],
          [manager, "manager", 1, "1", 50],
          [director, "manager", 2, "1"],
        ]);
        expect(found.map(({ occurredAt, createdAt }) => [occurredAt, createdAt])).toEqual([
          [NOW - DAY, NOW],
          [NOW - DAY, NOW + DAY],
          [NOW - DAY, NOW + DAY],
        ]);
        const { list } = yield* Events.Events;
        const { items } = yield* list(scene.owner, { types: ["recredit_attribution"] });
        expect(items.map(({ recordId, event }) => [recordId, event])).toEqual([
          [id, { type: "recredit_attribution", ...REASON, credit: { role: "seller", share: "1", depth: 0 } }],
        ]);
      }),
    ),
  );

  it.effect("twice is once, and changes nothing where the links give what the sale has", () =>
    rule(
      Effect.gen(function* () {
        const { scene, second, manager } = yield* linkedTeam;
        yield* formula(scene, manager, Given.percent(5), ["manager"]);
        const credits = [
          { partnerId: scene.partnerId, share: "0.4" },
          { partnerId: second, share: "0.6" },
        ];
        const id = yield* sell(scene, 1_000, { credits });
        const before = yield* sale(scene, id);
        expect(yield* recredit(scene, id)).toMatchObject({ added: 0, cancelled: 0 });
        expect(yield* sale(scene, id)).toEqual(before);
        const late = yield* link(scene, second, scene.partnerId, { role: "recruiter" });
        yield* recredit(scene, id);
        const after = yield* sale(scene, id);
        expect(after).toHaveLength(before.length + 1);
        expect(yield* recredit(scene, id)).toMatchObject({ added: 0, cancelled: 0 });
        expect(yield* sale(scene, id)).toEqual(after);
        yield* withdraw(scene, late);
        expect(yield* recredit(scene, id)).toMatchObject({ added: 0, cancelled: 1 });
      }),
    ),
  );

  it.effect("cancels a credit whose link never held, with what it earned, and leaves the others", () =>
    rule(
      Effect.gen(function* () {
        const { scene, seller, manager, director, other, link: first } = yield* linkedTeam;
        yield* formula(scene, manager, Given.percent(5), ["manager"]);
        yield* formula(scene, other, Given.percent(4), ["manager"]);
        yield* formula(scene, director, Given.percent(1), ["manager"]);
        const id = yield* sell(scene, 1_000);
        yield* withdraw(scene, first);
        yield* link(scene, seller, other);
        yield* link(scene, other, director);
        expect(yield* recredit(scene, id)).toMatchObject({ added: 1, cancelled: 1 });
        const found = yield* sale(scene, id);
        expect(shown(found)).toEqual([
          [seller, "seller", 0, "1"],
          [manager, "manager", 1, "1", 0],
          [other, "manager", 1, "1", 40],
          [director, "manager", 2, "1", 10],
        ]);
        expect(found.map(({ status, cancelReason }) => [status, cancelReason])).toEqual([
          ["confirmed", null],
          ["cancelled", REASON.reason],
          ["confirmed", null],
          ["confirmed", null],
        ]);
      }),
    ),
  );

  it.effect("replaces a credit whose share changes, and keeps every given one", () =>
    rule(
      Effect.gen(function* () {
        const { scene, seller, second, manager, other } = yield* team;
        yield* formula(scene, manager, Given.percent(10), ["manager"]);
        yield* link(scene, seller, manager);
        yield* link(scene, seller, other, { role: "recruiter" });
        const credits = [
          { partnerId: seller, share: "0.6" },
          { partnerId: second, share: "0.4" },
          { partnerId: other, role: "recruiter", share: "0.2" },
        ];
        const id = yield* sell(scene, 1_000, { credits });
        yield* link(scene, second, manager);
        expect(yield* recredit(scene, id)).toMatchObject({ added: 1, cancelled: 1 });
        expect(shown(yield* sale(scene, id))).toEqual([
          [other, "recruiter", 0, "0.2"],
          [seller, "seller", 0, "0.6"],
          [second, "seller", 0, "0.4"],
          [manager, "manager", 1, "0.6", 0],
          [manager, "manager", 1, "1", 100],
        ]);
        expect(yield* counts(scene, [manager])).toEqual({ total: 2, confirmed: 1, cancelled: 1 });
        expect(yield* counts(scene)).toEqual({ total: 1, confirmed: 1, cancelled: 0 });
      }),
    ),
  );

  it.effect("makes another credit the first of a partner whose first one is taken", () =>
    rule(
      Effect.gen(function* () {
        const { scene, seller, manager, link: first } = yield* linkedTeam;
        yield* link(scene, seller, manager, { role: "recruiter" });
        const id = yield* sell(scene, 1_000);
        expect(yield* counts(scene, [manager])).toEqual({ total: 1, confirmed: 1, cancelled: 0 });
        yield* withdraw(scene, first);
        yield* recredit(scene, id);
        const found = (yield* sale(scene, id)).filter(({ partnerId }) => partnerId === manager);
        expect(found.map(({ status, credit }) => [status, credit?.role, credit?.further])).toEqual([
          ["cancelled", "manager", undefined],
          ["confirmed", "recruiter", undefined],
        ]);
        expect(yield* counts(scene, [manager])).toEqual({ total: 2, confirmed: 1, cancelled: 1 });
        yield* link(scene, seller, manager);
        yield* recredit(scene, id);
        const again = (yield* confirmed(scene, id)).filter(({ partnerId }) => partnerId === manager);
        expect(again.map(({ credit }) => [credit?.role, credit?.further])).toEqual([
          ["manager", true],
          ["recruiter", undefined],
        ]);
        expect(yield* counts(scene, [manager])).toEqual({ total: 2, confirmed: 1, cancelled: 1 });
      }),
    ),
  );

  it.effect("computes overrides on what the sellers earn, and later changes follow", () =>
    rule(
      Effect.gen(function* () {
        const { scene, seller, second, manager } = yield* team;
        const { formulaId } = yield* Effect.map(Given.formula(scene), (id) => ({ formulaId: id }));
        expect(formulaId).toBeDefined();
        yield* formula(scene, manager, { type: "attribute", name: "sellers_commission" }, ["manager"]);
        const id = yield* sell(scene, 1_000);
        const shared = yield* sell(scene, 1_000, {
          credits: [
            { partnerId: seller, share: "0.5" },
            { partnerId: second, share: "0.5" },
          ],
        });
        yield* link(scene, second, manager);
        yield* link(scene, seller, manager);
        yield* recredit(scene, id);
        yield* recredit(scene, shared);
        expect(shown(yield* sale(scene, id))).toEqual([
          [seller, "seller", 0, "1", 100],
          [manager, "manager", 1, "1", 100],
        ]);
        yield* Given.formula({ ...scene, partnerId: second });
        expect(shown(yield* sale(scene, shared))).toEqual([
          [seller, "seller", 0, "0.5", 50],
          [second, "seller", 0, "0.5", 50],
          [manager, "manager", 1, "1", 100],
        ]);
      }),
    ),
  );

  it.effect("takes a credit out of the totals of its partner, and puts another at their end", () =>
    rule(
      Effect.gen(function* () {
        const { scene, seller, manager, link: first } = yield* linkedTeam;
        yield* formula(scene, manager, SUM, ["manager"]);
        const id = yield* sell(scene, 100);
        const later = yield* sell(scene, 10);
        yield* withdraw(scene, first);
        yield* recredit(scene, id);
        yield* Given.drain;
        expect(shown(yield* confirmed(scene, later))).toContainEqual([manager, "manager", 1, "1", 0]);
        yield* link(scene, seller, manager);
        yield* recredit(scene, id);
        expect(shown(yield* confirmed(scene, id))).toContainEqual([manager, "manager", 1, "1", 10]);
        expect(shown(yield* confirmed(scene, later))).toContainEqual([manager, "manager", 1, "1", 0]);
      }),
    ),
  );

  it.effect("keeps the day of the sale when the time zone of the workspace has changed", () =>
    rule(
      Effect.gen(function* () {
        const { scene, seller, manager, link: first } = yield* linkedTeam;
        const { write } = yield* Workspaces.Workspaces;
        const utc = yield* sell(scene, 1);
        yield* write(scene.owner, scene.workspaceId, { timeZone: "Pacific/Kiritimati" });
        const island = yield* sell(scene, 1);
        yield* withdraw(scene, first);
        for (const id of [utc, island]) yield* recredit(scene, id);
        yield* write(scene.owner, scene.workspaceId, { timeZone: "Pacific/Pago_Pago" });
        yield* link(scene, seller, manager);
        for (const id of [utc, island]) {
          yield* recredit(scene, id);
          const found = yield* sale(scene, id);
          expect(found.filter(({ originId }) => originId !== null).length).toBeGreaterThan(2);
          expect(new Set(found.map(({ occurredOn }) => occurredOn)).size).toBe(1);
        }
      }),
    ),
  );

  it.effect("is cancelled and replaced with everything that it has then", () =>
    rule(
      Effect.gen(function* () {
        const { scene, seller, manager } = yield* team;
        yield* formula(scene, manager, Given.percent(5), ["manager"]);
        const [kept, gone] = [yield* sell(scene, 1_000), yield* sell(scene, 1_000)];
        yield* link(scene, seller, manager);
        for (const id of [kept, gone]) yield* recredit(scene, id);
        const { cancel, replace } = yield* Attributions.Attributions;
        yield* cancel(scene.owner, gone, { reason: "refunded" });
        expect(shown(yield* sale(scene, gone))).toContainEqual([manager, "manager", 1, "1", 0]);
        const { id } = yield* replace(scene.owner, kept, { ...REASON, properties: { order_value: 2_000 } });
        expect(shown(yield* sale(scene, id))).toContainEqual([manager, "manager", 1, "1", 100]);
        expect(yield* confirmed(scene, kept)).toEqual([]);
      }),
    ),
  );

  it.effect("releases of new credits what the buyer has paid", () =>
    rule(
      Effect.gen(function* () {
        const { scene, seller, manager } = yield* team;
        const terms = { expression: Given.percent(5), roles: ["manager"], release: "on_receipt" } as const;
        yield* Given.formula({ ...scene, partnerId: manager }, terms);
        const id = yield* sell(scene, 1_000);
        const { stateReceived } = yield* Receipts.Receipts;
        yield* stateReceived(scene.owner, id, { received: 1, of: 4 });
        yield* link(scene, seller, manager);
        expect(yield* recredit(scene, id)).toMatchObject({ added: 1 });
        expect(shown(yield* sale(scene, id))).toContainEqual([manager, "manager", 1, "1", 50]);
        const waiting = () =>
          Effect.map(Given.commissions(scene), (all) => all.map(({ waitingAmount }) => waitingAmount));
        expect(yield* waiting()).toEqual([38]);
        yield* stateReceived(scene.owner, id, { received: 2, of: 4 });
        expect(yield* waiting()).toEqual([25]);
      }),
    ),
  );

  it.effect("is not needed after a replacement, which has the uplines of the date that it keeps", () =>
    rule(
      Effect.gen(function* () {
        const { scene, seller, manager } = yield* team;
        const id = yield* sell(scene, 1_000);
        yield* link(scene, seller, manager, { endDatetime: NOW + DAY });
        yield* Given.wait(2 * DAY);
        const { replace } = yield* Attributions.Attributions;
        const newer = yield* replace(scene.owner, id, { ...REASON, properties: { order_value: 2_000 } });
        expect(shown(yield* sale(scene, newer.id))).toContainEqual([manager, "manager", 1, "1"]);
        expect(yield* recredit(scene, newer.id)).toMatchObject({ added: 0, cancelled: 0 });
      }),
    ),
  );

  it.effect("is refused for a cancelled sale, a credit of a sale, and what the principal does not see", () =>
    rule(
      Effect.gen(function* () {
        const { scene, manager } = yield* linkedTeam;
        const id = yield* sell(scene, 1);
        const credited = (yield* sale(scene, id)).find(({ partnerId }) => partnerId === manager);
        if (credited === undefined) return yield* Effect.die("no credit");
        expect(yield* Given.refusal(recredit(scene, credited.id))).toMatch(/^credit_of_sale: /);
        const only = { ...scene, owner: { ...scene.owner, partnerIds: [manager] } };
        expect(yield* Given.refusal(recredit(only, id))).toMatch(/^attribution not found/);
        const { recredit: raw } = yield* Recredits.Recredits;
        expect(yield* Given.refusal(raw(scene.owner, id, { reason: "" }))).toMatch(/^reason: /);
        expect(yield* Given.refusal(raw(scene.owner, id, { ...REASON, dryRun: true }))).toMatch(/^dry_run: /);
        const { cancel } = yield* Attributions.Attributions;
        yield* cancel(scene.owner, id, { reason: "refunded" });
        expect(yield* Given.refusal(recredit(scene, id))).toMatch(/^attribution_cancelled: /);
      }),
    ),
  );

  it.effect("shows before what it would change, and stores nothing", () =>
    rule(
      Effect.gen(function* () {
        const { scene, seller, manager, other, link: first } = yield* linkedTeam;
        const lost = yield* formula(scene, manager, Given.percent(5), ["manager"]);
        const won = yield* formula(scene, other, Given.percent(4), ["manager"]);
        const id = yield* sell(scene, 1_000);
        expect(yield* dryRun(scene, id)).toEqual({ credits: [], commissions: [], changesLaterSales: false });
        yield* withdraw(scene, first);
        yield* link(scene, seller, other);
        const before = yield* sale(scene, id);
        const { credits, commissions } = yield* dryRun(scene, id);
        expect(credits.filter(({ depth }) => depth === 1)).toEqual([
          { partnerId: manager, role: "manager", depth: 1, shareBefore: "1", shareAfter: null },
          { partnerId: other, role: "manager", depth: 1, shareBefore: null, shareAfter: "1" },
        ]);
        expect(
          commissions.map((one) => [one.formulaId, one.amountBefore, one.amountAfter, one.dueAfter]),
        ).toEqual([
          [lost, 50, null, 0],
          [won, null, 40, 40],
        ]);
        expect(yield* sale(scene, id)).toEqual(before);
        const { dryRun: raw } = yield* Recredits.Recredits;
        const seen = yield* raw({ ...scene.owner, partnerIds: [seller] }, id, REASON);
        expect([seen.credits, seen.commissions]).toEqual([[], []]);
      }),
    ),
  );

  it.effect("shows apart what a partner would earn in two roles, and at two levels", () =>
    rule(
      Effect.gen(function* () {
        const { scene, seller, second, manager } = yield* team;
        const both = yield* formula(scene, manager, Given.percent(10), ["manager", "recruiter"]);
        const credits = [
          { partnerId: seller, share: "0.6" },
          { partnerId: second, share: "0.4" },
        ];
        const id = yield* sell(scene, 1_000, { credits });
        yield* link(scene, seller, manager);
        yield* link(scene, seller, manager, { role: "recruiter" });
        yield* link(scene, second, seller);
        const { commissions } = yield* dryRun(scene, id);
        const rows = commissions.filter(({ partnerId }) => partnerId === manager);
        const shownRows = rows.map((one) => [
          one.formulaId,
          one.role,
          one.depth,
          one.amountAfter,
          one.dueAfter,
        ]);
        expect(shownRows.toSorted()).toEqual(
          [
            [both, "manager", 1, 60, 60],
            [both, "manager", 2, 40, 40],
            [both, "recruiter", 1, 60, 60],
          ].toSorted(),
        );
      }),
    ),
  );
});
