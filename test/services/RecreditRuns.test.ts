/** Recredit runs: every sale of a span derived again, what is left as it is, and what an interrupted run counts. */
import { describe, expect, it } from "@effect/vitest";
import { Effect } from "effect";
import { Attributions, type Ids, PartnerLinks, Principal, RecreditRuns, Recredits, Storage } from "quittance";
import { Build, findRecreditViolations, LedgerSnapshot } from "quittance/testing";
import * as Given from "./Given.ts";
import { attributions, formula, link, SUM, sale, sell, shown, team } from "./Team.ts";

const { rule, NOW, DAY } = Given;

const SPAN = { from: NOW - 10 * DAY, to: NOW + DAY, reason: "the team had been entered late" };

const start = (
  { owner, workspaceId }: Given.Scene,
  input: Partial<Parameters<RecreditRuns.RecreditRuns["start"]>[1]> = {},
) =>
  Effect.flatMap(RecreditRuns.RecreditRuns, (service) =>
    Effect.map(service.start(owner, { workspaceId, ...SPAN, ...input }), ({ id }) => id),
  );

/** A run with its results, where what every run counts is what its results have. */
const read = ({ owner, customerId }: Given.Scene, id: Ids.RecreditRunId, input = {}) =>
  Effect.gen(function* () {
    const books = yield* LedgerSnapshot.readSnapshot(customerId);
    expect((yield* findRecreditViolations(customerId, books)).violations).toEqual([]);
    const service = yield* RecreditRuns.RecreditRuns;
    return yield* service.read(owner, id, { perPage: 100, ...input });
  });

/** Performs a whole run. */
const recredit = (scene: Given.Scene, input: Parameters<typeof start>[1] = {}) =>
  Effect.gen(function* () {
    const id = yield* start(scene, input);
    yield* Given.drain;
    return yield* read(scene, id);
  });

const outcomes = ({ results }: RecreditRuns.RunWithResults) =>
  byAttribution(results).map(({ attributionId, outcome }) => [attributionId, outcome]);

/** By the sale: results of one moment are in no order that follows from the sales. */
const byAttribution = (results: RecreditRuns.RunWithResults["results"]) =>
  results.toSorted((a, b) => (a.attributionId < b.attributionId ? -1 : 1));

/** Everything that the customer has of attributions and commissions. */
const everything = (scene: Given.Scene) => Effect.zip(attributions(scene), Given.commissions(scene));

/** Six sales of a seller on six days, and then the link to a manager, who earns five percent. */
const late = Effect.gen(function* () {
  const all = yield* team;
  const { scene, seller, manager } = all;
  yield* formula(scene, manager, Given.percent(5), ["manager"]);
  const sales = yield* Effect.forEach([6, 5, 4, 3, 2, 1], (days) =>
    sell(scene, days * 1_000, { occurredAt: NOW - days * DAY }),
  );
  const first = yield* link(scene, seller, manager);
  return { ...all, sales, link: first };
});

describe("a recredit run", () => {
  it.effect("recredits every sale of a half-open span, and no other", () =>
    rule(
      Effect.gen(function* () {
        const { scene, manager, sales } = yield* late;
        const found = yield* recredit(scene, { from: NOW - 5 * DAY, to: NOW - 2 * DAY });
        const [, second, third, fourth] = sales;
        expect(outcomes(found)).toEqual([second, third, fourth].map((id) => [id, "changed"]));
        expect(found.run).toMatchObject({
          ...{ state: "done", salesDone: 3, changedCount: 3, cancelledCount: 0, failedCount: 0 },
          ...{ creditsAdded: 3, creditsCancelled: 0, reached: NOW - 2 * DAY, finishedAt: NOW },
          totals: [{ currency: "EUR", amountBefore: 0n, amountAfter: 600n }],
        });
        expect(byAttribution(found.results)[0]).toMatchObject({
          credits: [{ partnerId: manager, role: "manager", depth: 1, shareBefore: null, shareAfter: "1" }],
          commissions: [{ partnerId: manager, amountBefore: null, amountAfter: 250, dueAfter: 250 }],
          changesLaterSales: false,
        });
        const managed = yield* attributions(scene, { partnerIds: [manager] });
        expect(managed.map(({ originId }) => originId)).toEqual([second, third, fourth]);
      }),
    ),
  );

  it.effect("changes each sale as recrediting it alone does", () =>
    rule(
      Effect.gen(function* () {
        const { scene, seller, manager, director, other, sales, link: first } = yield* late;
        yield* formula(scene, other, SUM, ["manager"]);
        yield* recredit(scene);
        yield* Effect.flatMap(PartnerLinks.PartnerLinks, ({ update }) =>
          update(scene.owner, first, { endDatetime: NOW - 3 * DAY }),
        );
        yield* link(scene, seller, other, { startDatetime: NOW - 3 * DAY });
        yield* link(scene, other, director);
        const singly = yield* Effect.forEach(sales, (id) =>
          Effect.flatMap(Recredits.Recredits, (service) =>
            service.dryRun(scene.owner, id, { reason: "none" }),
          ),
        );
        const found = yield* recredit(scene);
        expect(byAttribution(found.results).map(({ credits }) => credits)).toEqual(
          singly.map(({ credits }) => credits).filter(({ length }) => length > 0),
        );
        expect(found.run).toMatchObject({
          salesDone: 6,
          changedCount: 3,
          creditsAdded: 6,
          creditsCancelled: 3,
          totals: [{ currency: "EUR", amountBefore: 300n, amountAfter: 8_000n }],
        });
        const [, , , fourth] = sales;
        expect(shown(yield* sale(scene, fourth as Ids.AttributionId))).toEqual([
          [seller, "seller", 0, "1"],
          [manager, "manager", 1, "1", 0],
          [other, "manager", 1, "1", 0],
          [director, "manager", 2, "1"],
        ]);
      }),
    ),
  );

  it.effect("twice is once", () =>
    rule(
      Effect.gen(function* () {
        const { scene } = yield* late;
        yield* recredit(scene);
        const before = yield* everything(scene);
        const again = yield* recredit(scene);
        expect(again.run).toMatchObject({ state: "done", salesDone: 6, changedCount: 0, creditsAdded: 0 });
        expect(again.results).toEqual([]);
        expect(yield* everything(scene)).toEqual(before);
      }),
    ),
  );

  it.effect("that is dry names what the run then changes, and changes no sale", () =>
    rule(
      Effect.gen(function* () {
        const { scene } = yield* late;
        const before = yield* everything(scene);
        const dry = yield* recredit(scene, { dryRun: true });
        expect(yield* everything(scene)).toEqual(before);
        expect(dry.run).toMatchObject({ dryRun: true, changedCount: 6, creditsAdded: 6 });
        const { run, results } = yield* recredit(scene);
        const facts = ({ attributionId, credits, commissions }: (typeof results)[number]) => ({
          ...{ attributionId, credits, commissions },
        });
        expect(byAttribution(dry.results).map(facts)).toEqual(byAttribution(results).map(facts));
        expect(dry.run.totals).toEqual(run.totals);
      }),
    ),
  );

  it.effect("that is dry has the formulas of now, as the dry run of one sale has", () =>
    rule(
      Effect.gen(function* () {
        const { scene, manager, sales } = yield* late;
        const [first] = sales as unknown as readonly [Ids.AttributionId];
        yield* recredit(scene, { dryRun: true });
        yield* formula(scene, manager, Given.percent(10), ["manager"]);
        const one = yield* Effect.flatMap(Recredits.Recredits, (service) =>
          service.dryRun(scene.owner, first, { reason: "none" }),
        );
        expect(one.commissions.map(({ amountAfter }) => amountAfter)).toEqual([300, 600]);
        yield* formula(scene, manager, Given.percent(1), ["manager"]);
        const { run } = yield* recredit(scene, { dryRun: true });
        expect(run.totals).toEqual([{ currency: "EUR", amountBefore: 0n, amountAfter: 3_360n }]);
      }),
    ),
  );

  it.effect("covers the sales in which one of the partners has a credit", () =>
    rule(
      Effect.gen(function* () {
        const { scene, seller, second, manager, director } = yield* team;
        const alone = yield* sell(scene, 1_000);
        const shared = yield* sell({ ...scene, partnerId: seller }, 1_000, {
          credits: [
            { partnerId: seller, share: "0.5" },
            { partnerId: second, share: "0.5" },
          ],
        });
        yield* link(scene, second, manager);
        const ofSecond = yield* recredit(scene, { partnerIds: [second] });
        expect(outcomes(ofSecond)).toEqual([[shared, "changed"]]);
        expect(ofSecond.run.salesDone).toBe(1);
        yield* link(scene, seller, director);
        yield* link(scene, manager, director, { role: "recruiter" });
        // The manager has a credit of the shared sale alone.
        expect(outcomes(yield* recredit(scene, { partnerIds: [manager] }))).toEqual([[shared, "changed"]]);
        expect(outcomes(yield* recredit(scene))).toEqual([[alone, "changed"]]);
      }),
    ),
  );

  it.effect("leaves cancelled sales and those of too many credits as they are, and names them", () =>
    rule(
      Effect.gen(function* () {
        const { scene, second, manager, sales } = yield* late;
        const [first] = sales as unknown as readonly [Ids.AttributionId];
        const { cancel } = yield* Attributions.Attributions;
        yield* cancel(scene.owner, first, { reason: "refunded" });
        const crowded = yield* sell({ ...scene, partnerId: second }, 1_000, {
          occurredAt: NOW - 4 * DAY + 1,
        });
        const chain = yield* Effect.forEach(Array.from({ length: 16 }), () => Given.partner(scene));
        for (const role of ["a", "b", "c", "d", "e", "f", "g"]) {
          for (const [index, above] of chain.entries())
            yield* link(scene, chain[index - 1] ?? second, above, { role });
        }
        const found = yield* recredit(scene);
        expect(found.run).toMatchObject({
          ...{ state: "done", salesDone: 7, changedCount: 5, cancelledCount: 1, tooManyCreditsCount: 1 },
          ...{ failedCount: 0, creditsAdded: 5 },
        });
        const left = found.results.filter(({ outcome }) => outcome !== "changed");
        expect(left.map((one) => [one.attributionId, one.outcome, one.problem, one.credits])).toEqual(
          expect.arrayContaining([
            [
              ...[first, "attribution_cancelled"],
              ...["attribution_cancelled: the uplines of a cancelled sale are not derived again", []],
            ],
            [
              ...[crowded, "too_many_credits"],
              ...["credits: must not be more than 100 with those of uplines; the sale would have 113", []],
            ],
          ]),
        );
        expect(left).toHaveLength(2);
        const named = yield* read(scene, found.run.id, { outcomes: ["too_many_credits"] });
        expect(outcomes(named)).toEqual([[crowded, "too_many_credits"]]);
        expect(shown(yield* sale(scene, crowded))).toEqual([[second, undefined, undefined, undefined]]);
        expect(yield* attributions(scene, { partnerIds: [manager] })).toHaveLength(5);
      }),
    ),
  );

  it.effect("goes on where one sale has a problem of its own", () => {
    let broken: string | null = null;
    return rule(
      Effect.gen(function* () {
        const { scene, sales } = yield* late;
        const [, second = ""] = sales;
        broken = second;
        const found = yield* recredit(scene);
        expect(found.run).toMatchObject({ state: "done", salesDone: 6, changedCount: 5, failedCount: 1 });
        expect(
          found.results.flatMap(({ attributionId, outcome, problem }) =>
            outcome === "changed" ? [] : [[attributionId, outcome, problem]],
          ),
        ).toEqual([[second, "failed", "an internal error; the server has logged it"]]);
        broken = null;
        expect(outcomes(yield* recredit(scene))).toEqual([[second, "changed"]]);
      }),
      {
        storage: ({ find }) => ({
          find: (tenant, kind, ids) =>
            kind === "attribution" && ids.some((id) => id === broken)
              ? Effect.dieMessage("a record that cannot be read")
              : find(tenant, kind, ids),
        }),
      },
    );
  });

  it.effect("leaves what is recorded under new links meanwhile as it is", () =>
    rule(
      Effect.gen(function* () {
        const { scene } = yield* late;
        const id = yield* start(scene);
        const later = yield* sell(scene, 9_000, { occurredAt: NOW - DAY });
        yield* Given.drain;
        const found = yield* read(scene, id);
        expect(found.run).toMatchObject({ salesDone: 7, changedCount: 6 });
        expect(outcomes(found).map(([sale]) => sale)).not.toContain(later);
      }),
    ),
  );
});

describe("starting a recredit run", () => {
  it.effect("refuses what cannot be done, and stores nothing", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene();
        const elsewhere = yield* Given.scene();
        const { list } = yield* RecreditRuns.RecreditRuns;
        const refused = (input: Parameters<typeof start>[1], owner = scene.owner) =>
          Given.refusal(start({ ...scene, owner }, input));
        expect(yield* refused({ to: SPAN.from })).toBe("to: must be after from");
        expect(yield* refused({ reason: "" })).toBe("reason: must not be empty");
        expect(yield* refused({ partnerIds: [] })).toBe("partnerIds: must have 1 to 1000 ids");
        expect(yield* refused({ partnerIds: [scene.partnerId, elsewhere.partnerId] })).toBe(
          "partner_ids.1: must be the id of a partner of the workspace",
        );
        expect(yield* refused({}, { ...scene.owner, scopes: ["commissions:read"] })).toBe(
          "The credential lacks the scope attributions:write",
        );
        expect(yield* refused({ dryRun: true }, { ...scene.owner, scopes: ["attributions:write"] })).toBe(
          "The credential lacks the scope commissions:read",
        );
        expect(yield* refused({}, { ...scene.owner, partnerIds: [scene.partnerId] })).toBe(
          "The credential is limited to some partners; a recredit run needs one for all of them",
        );
        expect(yield* refused({}, { ...scene.owner, workspaceIds: [] })).toBe(
          "workspace_id: outside the credential's grant",
        );
        expect(yield* Given.refusal(read(scene, Build.fresh.recreditRun()))).toBe("recredit run not found");
        expect((yield* list(scene.owner)).total).toBe(0);
      }),
    ),
  );

  it.effect("is seen in its workspace alone, and the events of its sales name who started it", () =>
    rule(
      Effect.gen(function* () {
        const { scene, sales } = yield* late;
        const person = { ...Principal.customer(scene.customerId, "key:ops"), person: "Ada" };
        yield* recredit({ ...scene, owner: person });
        const { list } = yield* RecreditRuns.RecreditRuns;
        const { items, total } = yield* list(scene.owner, { workspaceIds: [scene.workspaceId] });
        expect(total).toBe(1);
        expect(items[0]).toMatchObject({ startedBy: "key:ops", startedByPerson: "Ada", partnerIds: null });
        expect((yield* list({ ...scene.owner, workspaceIds: [Build.fresh.workspace()] })).total).toBe(0);
        const [origin] = yield* attributions(scene, { ids: sales.slice(0, 1) });
        expect(origin?.events.at(-1)).toMatchObject({ actor: "key:ops", person: "Ada" });
      }),
    ),
  );
});

/** Fails commits of the store before or after they are stored, once for each call of `fail`. */
const interrupting = () => {
  let left: "before" | "after" | null = null;
  let passed = 0;
  return {
    /** At the commit with this number, counted from 0. */
    fail: (when: "before" | "after", commit: number): void => {
      left = when;
      passed = commit;
    },
    storage: ({ commit }: Storage.StorageService): Partial<Storage.StorageService> => ({
      commit: (customerId, changeSet) =>
        Effect.suspend(() => {
          const when = left;
          if (when === null || passed-- > 0) return commit(customerId, changeSet);
          left = null;
          const lost = Effect.fail(
            new Storage.StorageError({ reason: "unavailable", cause: new Error("cut") }),
          );
          return when === "before" ? lost : Effect.zipRight(commit(customerId, changeSet), lost);
        }),
    }),
  };
};

describe("an interrupted recredit run", () => {
  for (const when of ["before", "after"] as const) {
    for (const commit of [0, 1, 3, 5, 6]) {
      it.effect(`counts and changes every sale once: killed ${when} commit ${commit}`, () => {
        const cut = interrupting();
        return rule(
          Effect.gen(function* () {
            const { scene, manager, sales } = yield* late;
            const unchanged = yield* sell({ ...scene, partnerId: manager }, 500, {
              occurredAt: NOW - 4 * DAY,
            });
            const id = yield* start(scene);
            cut.fail(when, commit);
            yield* Given.drain;
            yield* Given.wait(DAY);
            yield* Given.drain;
            const found = yield* read(scene, id);
            expect(found.run).toMatchObject({
              ...{ state: "done", salesDone: 7, changedCount: 6, creditsAdded: 6, failedCount: 0 },
              totals: [{ currency: "EUR", amountBefore: 0n, amountAfter: 1_050n }],
            });
            expect(found.results.map(({ attributionId }) => attributionId).sort()).toEqual([...sales].sort());
            const managed = yield* attributions(scene, { partnerIds: [manager] });
            expect(managed.filter(({ id }) => id !== unchanged)).toHaveLength(6);
          }),
          { storage: cut.storage },
        );
      });
    }
  }

  it.effect("that several workers perform counts and changes every sale once", () =>
    rule(
      Effect.gen(function* () {
        const { scene, manager } = yield* late;
        const id = yield* start(scene);
        const storage = yield* Storage.Storage;
        const again = () =>
          ({
            topic: "recredit_run",
            ...{ customerId: scene.customerId, recordId: id, reference: null, delayMilliseconds: 0 },
            id: Build.fresh.message(),
          }) as const;
        yield* storage.commit(scene.customerId, Build.changeSet({ outbox: [again(), again()] }));
        yield* Given.drain;
        const { run, results } = yield* read(scene, id);
        expect(run).toMatchObject({ state: "done", salesDone: 6, changedCount: 6, creditsAdded: 6 });
        expect(results).toHaveLength(6);
        expect(yield* attributions(scene, { partnerIds: [manager] })).toHaveLength(6);
      }),
    ),
  );
});
