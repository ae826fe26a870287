/** Settlement policies and runs over an engine in memory: drafts, reasons, holds, approvals, periods, and interrupted runs. */
import { describe, expect, it } from "@effect/vitest";
import { Effect } from "effect";
import {
  Attributions,
  Currency,
  type Ids,
  Limits,
  Principal,
  SettlementPolicies,
  type SettlementPolicy,
  SettlementRun,
  SettlementRuns,
  Settlements,
  Storage,
  Worker,
} from "quittance";
import { Build, findRunViolations } from "quittance/testing";
import * as Given from "./Given.ts";

const { rule, NOW, DAY, EUR } = Given;
const USD = Currency.Currency.make("USD");

/** Sums by currency, as services return them. */
const sums = (amounts: Readonly<Record<string, bigint>>) =>
  Object.entries(amounts).map(([currency, amount]) => ({ currency, amount }));

/** Writes the policy of the scene's workspace. */
const policy = ({ owner, workspaceId }: Given.Scene, terms: SettlementPolicy.Write) =>
  Effect.flatMap(SettlementPolicies.SettlementPolicies, ({ write }) => write(owner, workspaceId, terms));

const override = ({ owner, workspaceId, partnerId }: Given.Scene, terms: SettlementPolicy.WriteOverride) =>
  Effect.flatMap(SettlementPolicies.SettlementPolicies, ({ writeOverride }) =>
    writeOverride(owner, workspaceId, partnerId, terms),
  );

const readPolicy = ({ owner, workspaceId }: Given.Scene) =>
  Effect.flatMap(SettlementPolicies.SettlementPolicies, (policies) => policies.read(owner, workspaceId));

type Criteria = Omit<SettlementRun.Start, "workspaceId">;

const start = ({ owner, workspaceId }: Given.Scene, criteria: Criteria = {}) =>
  Effect.flatMap(SettlementRuns.SettlementRuns, (runs) =>
    Effect.map(runs.start(owner, { workspaceId, ...criteria }), ({ id }) => id),
  );

/** The place of a result: partners in the order of their creation, then currencies. */
const placeOf = ({ partnerId, currency }: SettlementRun.Finding): string => `${partnerId} ${currency ?? ""}`;

const read = ({ owner }: Given.Scene, id: Ids.SettlementRunId, paging = {}) =>
  Effect.gen(function* () {
    const found = yield* (yield* SettlementRuns.SettlementRuns).read(owner, id, { perPage: 100, ...paging });
    const results = found.results.toSorted((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1));
    return { ...found, results };
  });

const dryRun = ({ owner, workspaceId }: Given.Scene, criteria: Criteria = {}) =>
  Effect.flatMap(SettlementRuns.SettlementRuns, (runs) => runs.dryRun(owner, { workspaceId, ...criteria }));

/** Starts a run, performs it, and reads it with its results. */
const settle = (scene: Given.Scene, criteria: Criteria = {}) =>
  Effect.gen(function* () {
    const id = yield* start(scene, criteria);
    yield* Given.drain;
    return yield* read(scene, id);
  });

const settlements = ({ owner }: Given.Scene) =>
  Effect.flatMap(Settlements.Settlements, ({ list }) =>
    Effect.map(list(owner, { perPage: 100 }), ({ items }) => items),
  );

/** A partner with a formula of 10 %; sales follow. */
const partner = Effect.tap(Given.scene(), (scene) => Given.formula(scene));

/** Another partner of the workspace with the same formula. */
const another = (scene: Given.Scene) =>
  Effect.gen(function* () {
    const made = { ...scene, partnerId: yield* Given.partner(scene) };
    yield* Given.formula(made);
    return made;
  });

/** A sale on a date. */
const sellAt = (scene: Given.Scene, orderValue: number, occurredAt: number) =>
  Effect.flatMap(Attributions.Attributions, ({ create }) =>
    create(scene.owner, { ...Given.sale(scene, orderValue), occurredAt }),
  );

/** The fields of results that tests compare. */
const shown = ({ results }: SettlementRuns.RunWithResults) =>
  results.map(({ partnerId, currency, reason, total, lineCount, drafts }) => ({
    ...{ partnerId, currency, reason, total, lineCount },
    drafts: drafts.map((draft) => [draft.total, draft.lineCount, draft.approval]),
  }));

const partnerResult = ({ partnerId }: Given.Scene, given: object) => ({
  ...{ partnerId, currency: EUR, reason: null, drafts: [] },
  ...given,
});

describe("a run", () => {
  it.effect("creates one draft for each partner and currency, of everything that is due", () =>
    rule(
      Effect.gen(function* () {
        const one = yield* partner;
        const two = yield* another(one);
        const idle = yield* another(one);
        yield* Given.formula(two, { currency: USD });
        for (const value of [1_000, 2_000]) yield* Given.sell(one, value);
        yield* Given.sell(two, 500);
        const found = yield* settle(one);
        expect(shown(found)).toEqual([
          partnerResult(one, { total: 300, lineCount: 2, drafts: [[300, 2, "manual"]] }),
          partnerResult(two, { total: 50, lineCount: 1, drafts: [[50, 1, "manual"]] }),
          partnerResult(two, { currency: USD, total: 50, lineCount: 1, drafts: [[50, 1, "manual"]] }),
          partnerResult(idle, { currency: null, reason: "nothing_due", total: 0, lineCount: 0 }),
        ]);
        expect(found.run).toMatchObject({
          ...{ state: "done", period: null, partnerCount: 3, partnersDone: 3, draftCount: 3, lineCount: 4 },
          ...{ approvedCount: 0, totals: sums({ EUR: 350n, USD: 50n }), finishedAt: NOW },
        });
        const drafts = yield* settlements(one);
        expect(drafts.map(({ status, total }) => `${status.type} ${total}`).sort()).toEqual([
          "draft 300",
          "draft 50",
          "draft 50",
        ]);
        expect(drafts.map(({ id }) => id).sort()).toEqual(
          found.results.flatMap((result) => result.drafts.map(({ settlementId }) => settlementId)).sort(),
        );
      }),
    ),
  );

  it.effect("settles only the partners and currencies that it names, and only sales before its end", () =>
    rule(
      Effect.gen(function* () {
        const one = yield* partner;
        const two = yield* another(one);
        yield* Given.formula(two, { currency: USD });
        yield* sellAt(two, 1_000, NOW - DAY);
        yield* sellAt(two, 2_000, NOW - DAY + 1);
        yield* Given.sell(one, 400);
        const found = yield* settle(one, {
          partnerIds: [two.partnerId],
          currencies: [USD],
          until: NOW - DAY + 1,
        });
        expect(shown(found)).toEqual([
          partnerResult(two, { currency: USD, total: 100, lineCount: 1, drafts: [[100, 1, "manual"]] }),
        ]);
      }),
    ),
  );

  it.effect("states for each partner why there is no draft", () =>
    rule(
      Effect.gen(function* () {
        const small = yield* partner;
        const held = yield* another(small);
        const negative = yield* another(small);
        const open = yield* another(small);
        const failing = yield* another(small);
        yield* Given.formula(failing, { expression: Given.percent(1_000) });
        yield* policy(small, {
          ...{ holdDays: 14, minimum: { EUR: 5_000 }, negative: "carry_forward" },
        });
        yield* sellAt(small, 49_990, NOW - 20 * DAY);
        yield* sellAt(held, 100_000, NOW - 14 * DAY + 2);
        yield* sellAt(negative, -100_000, NOW - 20 * DAY);
        yield* sellAt(open, 100_000, NOW - 20 * DAY);
        const [waiting] = (yield* Given.commissions(open)).filter(
          ({ partnerId }) => partnerId === open.partnerId,
        );
        if (waiting === undefined) throw new Error("a commission");
        const { customerId, workspaceId, partnerId } = waiting;
        const asked = { customerId, workspaceId, partnerId, commissionIds: [waiting.id] };
        yield* (yield* Settlements.Settlements).create(open.owner, asked);
        yield* override(failing, { minimum: { EUR: 0 } });
        yield* sellAt(failing, Given.LARGEST_ORDER, NOW - 20 * DAY);
        const { run, results } = yield* settle(small);
        expect(results.map(({ partnerId, reason }) => [partnerId, reason])).toEqual([
          [small.partnerId, "below_minimum"],
          [held.partnerId, "on_hold"],
          [negative.partnerId, "negative"],
          [open.partnerId, "in_open_settlement"],
          [failing.partnerId, null],
        ]);
        expect(results[1]).toMatchObject({ onHoldCount: 1, onHoldAmount: 10_000 });
        expect(results[4]).toMatchObject({ notComputableCount: 1, lineCount: 1, total: 100_000_000_000_000 });
        expect(run.draftCount).toBe(1);
      }),
    ),
  );

  it.effect("compares the amount of a negative total with the minimum", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* partner;
        yield* policy(scene, { minimum: { EUR: 5_000 } });
        yield* sellAt(scene, -50_000, NOW - DAY);
        expect((yield* settle(scene)).results).toMatchObject([{ reason: null, total: -5_000 }]);
      }),
    ),
  );

  it.effect("does not put corrections of settled commissions on hold", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.approved([1_000]);
        yield* Given.payByHand(scene);
        yield* policy(scene, { holdDays: 30 });
        const [sale] = yield* Given.commissions(scene);
        yield* (yield* Attributions.Attributions).cancel(
          scene.owner,
          sale?.attributionId ?? Build.fresh.attribution(),
          {
            reason: "refunded",
          },
        );
        yield* Given.sell(scene, 7_000);
        const { results } = yield* settle(scene);
        expect(results).toMatchObject([
          { reason: null, total: -100, lineCount: 1, onHoldCount: 1, onHoldAmount: 700 },
        ]);
      }),
    ),
  );

  it.effect("applies the partner's own terms", () =>
    rule(
      Effect.gen(function* () {
        const one = yield* partner;
        const two = yield* another(one);
        yield* policy(one, { minimum: { EUR: 5_000 } });
        yield* override(two, { minimum: { EUR: 10 } });
        yield* Given.sell(one, 100);
        yield* Given.sell(two, 100);
        expect((yield* settle(one)).results.map(({ reason }) => reason)).toEqual(["below_minimum", null]);
        yield* (yield* SettlementPolicies.SettlementPolicies).removeOverride(
          one.owner,
          one.workspaceId,
          two.partnerId,
        );
        yield* Given.sell(two, 100);
        expect((yield* settle(one)).results.map(({ reason }) => reason)).toEqual([
          "below_minimum",
          "below_minimum",
        ]);
      }),
    ),
  );

  it.effect("with more than 10,000 commissions creates several drafts, to whose sum the policy applies", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* partner;
        const { createBatch } = yield* Attributions.Attributions;
        const count = Limits.SETTLEMENT_LINES_MAX + 1;
        for (let made = 0; made < count; made += Limits.BATCH_MAX) {
          const attributions = Array.from({ length: Math.min(Limits.BATCH_MAX, count - made) }, () =>
            Given.sale(scene, 100),
          );
          yield* createBatch(scene.owner, { mode: "atomic", attributions });
        }
        const sum = 10 * count;
        yield* policy(scene, { minimum: { EUR: sum }, autoApprove: { EUR: sum - 1 } });
        const found = yield* settle(scene);
        expect(shown(found)).toEqual([
          partnerResult(scene, {
            ...{ total: sum, lineCount: count },
            drafts: [
              [sum - 10, count - 1, "manual"],
              [10, 1, "manual"],
            ],
          }),
        ]);
        expect(found.run).toMatchObject({
          draftCount: 2,
          lineCount: count,
          totals: sums({ EUR: BigInt(sum) }),
        });
        expect(
          (yield* Given.commissions(scene)).filter((candidate) => candidate.openSettlementId === null),
        ).toEqual([]);
      }),
    ),
  );

  it.effect("settles many partners in steps, and is read in pages", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* partner;
        for (let count = 1; count < Limits.RUN_BATCH * 2; count++)
          yield* Given.sell(yield* another(scene), 1_000);
        const id = yield* start(scene);
        const { step } = yield* Worker.Worker;
        yield* step;
        const found = yield* read(scene, id, { page: 2, perPage: 30 });
        expect(found.run).toMatchObject({
          state: "done",
          partnersDone: 40,
          draftCount: 39,
          totals: sums({ EUR: 3900n }),
        });
        expect([found.total, found.results.length, found.page, found.perPage]).toEqual([40, 10, 2, 30]);
        const { list } = yield* SettlementRuns.SettlementRuns;
        expect(
          (yield* list(scene.owner, { workspaceIds: [scene.workspaceId] })).items.map((run) => run.id),
        ).toEqual([id]);
      }),
    ),
  );

  it.effect("of a workspace without partners ends at once", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* partner;
        const empty = { ...scene, workspaceId: Build.fresh.workspace() };
        expect((yield* settle(empty)).run).toMatchObject({ state: "done", partnerCount: 0, draftCount: 0 });
      }),
    ),
  );
});

describe("approval by the policy", () => {
  it.effect("approves drafts within its limit, and none above the limit of four eyes", () =>
    rule(
      Effect.gen(function* () {
        const one = yield* partner;
        const two = yield* another(one);
        const three = yield* another(one);
        yield* policy(one, { autoApprove: { EUR: 1_000 }, fourEyesAbove: { EUR: 500 } });
        for (const [scene, value] of [
          [one, 5_000],
          [two, 5_010],
          [three, 20_000],
        ] as const)
          yield* Given.sell(scene, value);
        const found = yield* settle(one);
        expect(shown(found).map(({ drafts }) => drafts)).toEqual([
          [[500, 1, "approved"]],
          [[501, 1, "manual"]],
          [[2_000, 1, "manual"]],
        ]);
        expect(found.run.approvedCount).toBe(1);
        expect((yield* settlements(one)).map(({ status }) => status.type).sort()).toEqual([
          "awaiting_invoice",
          "draft",
          "draft",
        ]);
      }),
    ),
  );

  it.effect("never happens if the engine requires four eyes", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* partner;
        yield* policy(scene, { autoApprove: { EUR: 1_000 } });
        yield* Given.sell(scene, 5_000);
        expect((yield* dryRun(scene)).results[0]?.autoApprove).toBe(false);
        expect(shown(yield* settle(scene))[0]?.drafts).toEqual([[500, 1, "manual"]]);
      }),
      { policy: { fourEyes: true } },
    ),
  );

  it.effect("the principal that starts a run may not approve its drafts above the limit of four eyes", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* partner;
        const two = yield* another(scene);
        yield* policy(scene, { fourEyesAbove: { EUR: 500 } });
        yield* Given.sell(scene, 5_000);
        yield* Given.sell(two, 5_010);
        const { results } = yield* settle(scene);
        const [small, large] = results.flatMap(({ drafts }) =>
          drafts.map(({ settlementId }) => settlementId),
        );
        const { approve } = yield* Settlements.Settlements;
        if (small === undefined || large === undefined) throw new Error("two drafts");
        yield* approve(scene.owner, small);
        expect(yield* Given.refusal(approve(scene.owner, large))).toContain("four_eyes:");
        yield* approve(Principal.customer(scene.customerId, "another person"), large);
      }),
    ),
  );

  it.effect("that is refused leaves a draft for a person to approve, with the reason", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene({ selfBilled: true });
        yield* Given.formula(scene, { expression: Given.percent(900) });
        yield* policy(scene, { autoApprove: { EUR: Limits.MAX_AMOUNT } });
        yield* Given.sell(scene, Given.LARGEST_ORDER);
        const { results, run } = yield* settle(scene);
        expect(results[0]?.drafts).toMatchObject([
          { approval: "refused", approvalProblem: expect.stringContaining("amount_too_large:") },
        ]);
        expect(run.approvedCount).toBe(0);
        expect((yield* settlements(scene)).map(({ status }) => status.type)).toEqual(["draft"]);
      }),
    ),
  );
});

describe("a dry run", () => {
  it.effect("returns what a run would create, and stores nothing", () =>
    rule(
      Effect.gen(function* () {
        const one = yield* partner;
        const two = yield* another(one);
        yield* policy(one, { minimum: { EUR: 60 }, autoApprove: { EUR: 300 } });
        yield* Given.sell(one, 3_000);
        yield* Given.sell(two, 500);
        const dry = yield* dryRun(one);
        expect(dry).toMatchObject({
          partnerCount: 2,
          draftCount: 1,
          lineCount: 1,
          totals: sums({ EUR: 300n }),
        });
        expect(yield* settlements(one)).toEqual([]);
        const { list } = yield* SettlementRuns.SettlementRuns;
        expect((yield* list(one.owner)).total).toBe(0);
        const { results } = yield* settle(one);
        expect(dry.results.map(({ draftCount, autoApprove, ...finding }) => finding)).toEqual(
          results.map(({ partnerId, currency, reason, total, lineCount, ...rest }) => ({
            ...{ partnerId, currency, reason, total, lineCount },
            ...{ onHoldCount: rest.onHoldCount, onHoldAmount: rest.onHoldAmount },
            ...{
              notComputableCount: rest.notComputableCount,
              notAcceptedCount: rest.notAcceptedCount,
              notAcceptedAmount: rest.notAcceptedAmount,
              inOpenSettlementCount: rest.inOpenSettlementCount,
            },
          })),
        );
        expect(dry.results.map(({ draftCount, autoApprove }) => [draftCount, autoApprove])).toEqual([
          [1, true],
          [0, false],
        ]);
      }),
    ),
  );
});

describe("bad input", () => {
  it.effect("partners of another workspace or customer, and an end in the future, are refused", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* partner;
        const stranger = yield* Given.scene();
        const elsewhere = { ...scene, workspaceId: Build.fresh.workspace() };
        const foreign = "must be the id of a partner of the workspace";
        for (const partnerId of [stranger.partnerId, Build.fresh.partner()]) {
          const partnerIds = [scene.partnerId, partnerId];
          expect(yield* Given.refusal(start(scene, { partnerIds }))).toBe(`partner_ids.1: ${foreign}`);
          expect(yield* Given.refusal(dryRun(scene, { partnerIds }))).toBe(`partner_ids.1: ${foreign}`);
        }
        expect(yield* Given.refusal(start(elsewhere, { partnerIds: [scene.partnerId] }))).toBe(
          `partner_ids.0: ${foreign}`,
        );
        expect(yield* Given.refusal(start(scene, { until: NOW + 300_001 }))).toContain(
          "until: must not be more than 5 minutes in the future",
        );
        expect(yield* Given.refusal(start(scene, { partnerIds: [] }))).toContain("must have 1 to 1000 ids");
      }),
    ),
  );

  it.effect("a credential that is limited to some partners or to other workspaces is refused", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* partner;
        const some = { ...scene, owner: { ...scene.owner, partnerIds: [scene.partnerId] } };
        const other = { ...scene, owner: { ...scene.owner, workspaceIds: [Build.fresh.workspace()] } };
        const limited =
          "The credential is limited to some partners; a settlement run needs one for all of them";
        expect(yield* Given.refusal(start(some))).toBe(limited);
        expect(yield* Given.refusal(read(some, Build.fresh.settlementRun()))).toBe(limited);
        expect(yield* Given.refusal(policy(some, {}))).toBe(
          "The credential is limited to some partners; a settlement policy needs one for all of them",
        );
        expect(yield* Given.refusal(start(other))).toBe("workspace_id: outside the credential's grant");
        const id = yield* start(scene);
        expect(yield* Given.refusal(read(other, id))).toBe("settlement run not found");
        expect(yield* Given.refusal(policy(other, {}))).toBe("workspace not found");
      }),
    ),
  );
});

describe("a policy", () => {
  const readOverride = ({ owner, workspaceId, partnerId }: Given.Scene) =>
    Effect.flatMap(SettlementPolicies.SettlementPolicies, (policies) =>
      policies.readOverride(owner, workspaceId, partnerId),
    );

  it.effect("has defaults until it is written, and is replaced as a whole", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* partner;
        const defaults = {
          ...{
            workspaceId: scene.workspaceId,
            holdDays: 0,
            minimum: {},
            cadence: "manual",
            autoApprove: "never",
          },
          ...{
            fourEyesAbove: {},
            negative: "review",
            invoiceTaxBps: "unknown",
            requireAcceptance: false,
            nextRun: null,
            updatedAt: null,
          },
        };
        expect(yield* readPolicy(scene)).toEqual(defaults);
        yield* policy(scene, { holdDays: 14, minimum: { EUR: 1 } });
        yield* policy(scene, { negative: "carry_forward" });
        expect(yield* readPolicy(scene)).toEqual({ ...defaults, negative: "carry_forward", updatedAt: NOW });
      }),
    ),
  );

  it.effect("of a partner shows the partner's own terms and the terms in force", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* partner;
        const none = {
          holdDays: null,
          minimum: null,
          cadence: null,
          autoApprove: null,
          fourEyesAbove: null,
          negative: null,
        };
        expect(yield* readOverride(scene)).toMatchObject({
          ...none,
          updatedAt: null,
          inForce: { holdDays: 0 },
        });
        yield* policy(scene, { holdDays: 14, minimum: { EUR: 1 } });
        yield* override(scene, { holdDays: 0 });
        expect(yield* readOverride(scene)).toMatchObject({
          ...{ ...none, holdDays: 0 },
          inForce: { holdDays: 0, minimum: { EUR: 1 } },
        });
        const elsewhere = { ...scene, workspaceId: Build.fresh.workspace() };
        expect(yield* Given.refusal(readOverride(elsewhere))).toBe("partner not found");
        expect(yield* Given.refusal(override(elsewhere, {}))).toBe("partner not found");
      }),
    ),
  );

  it.effect("of a partner can change its cadence, and be removed again", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* partner;
        const cadence = (day: number) => ({ type: "monthly", day, timeZone: "UTC" }) as const;
        for (const day of [2, 3]) {
          yield* policy(scene, { cadence: cadence(day) });
          yield* override(scene, { cadence: cadence(day + 10) });
        }
        expect((yield* readPolicy(scene)).nextRun).toEqual({ label: "2026-01", at: NOW + 2 * DAY });
        expect((yield* readOverride(scene)).nextRun).toEqual({ label: "2026-01", at: NOW + 12 * DAY });
        yield* policy(scene, {});
        const { removeOverride } = yield* SettlementPolicies.SettlementPolicies;
        yield* removeOverride(scene.owner, scene.workspaceId, scene.partnerId);
        expect(yield* readPolicy(scene)).toMatchObject({ cadence: "manual", nextRun: null });
        expect(yield* readOverride(scene)).toMatchObject({ cadence: null, nextRun: null });
      }),
    ),
  );

  it.effect(
    "tells a partner when it is settled, of its own cadence or the workspace's, and no amount that people approve",
    () =>
      rule(
        Effect.gen(function* () {
          const scene = yield* partner;
          const { owner, partnerId } = scene;
          const { settlementSchedule } = yield* SettlementPolicies.SettlementPolicies;
          const own = { ...owner, kind: "partner", partnerIds: [partnerId] } as const;
          const unset = {
            cadence: "manual",
            holdDays: 0,
            minimum: {},
            requireAcceptance: false,
            nextRun: null,
          };
          expect(yield* settlementSchedule(own, partnerId)).toEqual(unset);
          const cadence = { type: "monthly", day: 2, timeZone: "UTC" } as const;
          yield* policy(scene, { cadence, holdDays: 7, minimum: { EUR: 5_000 }, fourEyesAbove: { EUR: 1 } });
          const general = { ...unset, cadence, holdDays: 7, minimum: { EUR: 5_000 } };
          const nextRun = { label: "2026-01", at: NOW + DAY };
          expect(yield* settlementSchedule(own, partnerId)).toMatchObject({ ...general, nextRun });
          yield* override(scene, { holdDays: 1 });
          expect(yield* settlementSchedule(own, partnerId)).toMatchObject({
            ...general,
            holdDays: 1,
            nextRun,
          });
          yield* override(scene, { cadence: "manual" });
          expect(yield* settlementSchedule(own, partnerId)).toMatchObject({
            cadence: "manual",
            nextRun: null,
          });
          const other = yield* partner;
          expect(yield* Given.refusal(settlementSchedule(own, other.partnerId))).toBe("partner not found");
        }),
      ),
  );

  it.effect("that is written unchanged is not stored again", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* partner;
        yield* policy(scene, { holdDays: 14 });
        yield* Given.wait(DAY);
        yield* policy(scene, { holdDays: 14 });
        yield* (yield* SettlementPolicies.SettlementPolicies).removeOverride(
          scene.owner,
          scene.workspaceId,
          scene.partnerId,
        );
        expect((yield* readPolicy(scene)).updatedAt).toBe(NOW);
        expect((yield* readOverride(scene)).updatedAt).toBeNull();
      }),
    ),
  );
});

describe("a cadence", () => {
  const MONTHLY = { type: "monthly", day: 1, timeZone: "Europe/Copenhagen" } as const;
  const startDueRuns = Effect.flatMap(Worker.Worker, (worker) => worker.startDueRuns);
  const runs = ({ owner }: Given.Scene) =>
    Effect.flatMap(SettlementRuns.SettlementRuns, ({ list }) =>
      Effect.map(list(owner), ({ items }) => items),
    );
  const moveTo = (text: string) =>
    Effect.flatMap(
      Effect.clockWith((clock) => clock.currentTimeMillis),
      (now) => Given.wait(Date.parse(text) - now),
    );

  it.effect("starts one run for each period, at the first instant of the local day, up to that instant", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* partner;
        yield* policy(scene, { cadence: MONTHLY });
        yield* sellAt(scene, 1_000, NOW);
        yield* moveTo("2026-01-31T22:59:59.999Z");
        yield* startDueRuns;
        expect(yield* runs(scene)).toEqual([]);
        yield* moveTo("2026-01-31T23:00:00Z");
        yield* Given.sell(scene, 5_000);
        yield* Effect.all([startDueRuns, startDueRuns, startDueRuns], { concurrency: "unbounded" });
        yield* startDueRuns;
        yield* Given.drain;
        const [run, ...more] = yield* runs(scene);
        expect(more).toEqual([]);
        expect(run).toMatchObject({
          ...{ period: "2026-02", until: Date.parse("2026-01-31T23:00:00Z"), state: "done" },
          ...{ startedBy: "host", draftCount: 1, totals: sums({ EUR: 100n }) },
        });
      }),
    ),
  );

  it.effect("starts runs of their own for two customers whose workspaces have the same id", () =>
    rule(
      Effect.gen(function* () {
        const one = yield* Given.scene();
        const two = yield* Given.scene({ workspaceId: one.workspaceId });
        for (const scene of [one, two]) {
          yield* Given.formula(scene);
          yield* policy(scene, { cadence: MONTHLY });
          yield* Given.sell(scene, scene === one ? 1_000 : 2_000);
        }
        yield* moveTo("2026-02-01T00:00:00Z");
        yield* startDueRuns;
        yield* Given.drain;
        const found = yield* Effect.forEach([one, two], runs);
        expect(found.map((own) => own.map(({ totals }) => totals))).toEqual([
          [sums({ EUR: 100n })],
          [sums({ EUR: 200n })],
        ]);
        expect(new Set(found.flat().map(({ id }) => id)).size).toBe(2);
      }),
    ),
  );

  it.effect("starts the runs of other customers while those of many policies fail", () => {
    const refused = new Set<string>();
    const unavailable = new Storage.StorageError({ reason: "unavailable", cause: "refused" });
    return rule(
      Effect.gen(function* () {
        const failing = yield* Given.scene();
        for (let index = 0; index < 200; index++)
          yield* policy(
            { ...failing, workspaceId: Build.fresh.workspace() },
            { cadence: { ...MONTHLY, day: 20 } },
          );
        refused.add(failing.customerId);
        const scene = yield* partner;
        yield* policy(scene, { cadence: MONTHLY });
        yield* moveTo("2026-02-01T00:00:00Z");
        yield* startDueRuns;
        expect((yield* runs(scene)).map(({ period }) => period)).toEqual(["2026-02"]);
        refused.clear();
        expect(yield* runs(failing)).toEqual([]);
      }),
      {
        storage: ({ commit }) => ({
          commit: (customerId, changes) =>
            refused.has(customerId) ? Effect.fail(unavailable) : commit(customerId, changes),
        }),
      },
    );
  });

  it.effect("starts only the newest of several missed periods", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* partner;
        yield* policy(scene, { cadence: MONTHLY });
        yield* moveTo("2026-05-20T00:00:00Z");
        yield* startDueRuns;
        yield* startDueRuns;
        expect((yield* runs(scene)).map(({ period }) => period)).toEqual(["2026-05"]);
        yield* moveTo("2026-06-20T00:00:00Z");
        yield* startDueRuns;
        expect((yield* runs(scene)).map(({ period }) => period)).toEqual(["2026-05", "2026-06"]);
      }),
    ),
  );

  it.effect("continues after a period that was run before its cadence changed and changed back", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* partner;
        yield* policy(scene, { cadence: MONTHLY });
        yield* moveTo("2026-02-01T00:00:00Z");
        yield* startDueRuns;
        yield* policy(scene, { cadence: { type: "weekly", day: 1, timeZone: "UTC" } });
        yield* moveTo("2026-02-02T00:00:00Z");
        yield* startDueRuns;
        // Again the period 2026-02, on a later day of it.
        yield* policy(scene, { cadence: { ...MONTHLY, day: 28 } });
        const moments: ReadonlyArray<readonly [moment: string, next: string]> = [
          ["2026-02-28T00:00:00Z", "2026-03"],
          ["2026-03-28T00:00:00Z", "2026-04"],
        ];
        for (const [moment, next] of moments) {
          yield* moveTo(moment);
          yield* startDueRuns;
          expect(yield* readPolicy(scene)).toMatchObject({ nextRun: { label: next } });
        }
        const periods = (yield* runs(scene)).map(({ period }) => period);
        expect(periods.toSorted()).toEqual(["2026-02", "2026-03", "2026-W06"]);
      }),
    ),
  );

  it.effect("skips partners that have their own cadence", () =>
    rule(
      Effect.gen(function* () {
        const one = yield* partner;
        const two = yield* another(one);
        const three = yield* another(one);
        yield* policy(one, { cadence: MONTHLY });
        yield* override(two, { cadence: { type: "weekly", day: 1, timeZone: "UTC" } });
        yield* override(three, { cadence: "manual" });
        for (const scene of [one, two, three]) yield* sellAt(scene, 1_000, NOW);
        yield* moveTo("2026-02-01T00:00:00Z");
        yield* startDueRuns;
        yield* Given.drain;
        const started = yield* runs(one);
        expect(started.map(({ period, partnerIds }) => [period, partnerIds])).toEqual(
          expect.arrayContaining([
            ["2026-W05", [two.partnerId]],
            ["2026-02", null],
          ]),
        );
        const results = yield* Effect.forEach(started, ({ id }) => read(one, id));
        expect(results.flatMap((found) => found.results.map(({ partnerId }) => partnerId)).sort()).toEqual(
          [one.partnerId, two.partnerId].sort(),
        );
        const byHand = yield* settle(one);
        expect(byHand.results.map(({ reason }) => reason)).toEqual([
          "in_open_settlement",
          "in_open_settlement",
          null,
        ]);
      }),
    ),
  );
});

/** Fails a commit before or after it is stored, once for each call of `fail`. */
const interrupting = () => {
  let left: "before" | "after" | null = null;
  let passed = 0;
  return {
    /** From the commit with this number on, counted from now. */
    fail: (when: "before" | "after", after: number): void => {
      left = when;
      passed = after;
    },
    storage: (storage: Storage.StorageService): Partial<Storage.StorageService> => ({
      commit: (customerId, changeSet) =>
        Effect.suspend(() => {
          const when = left;
          if (when === null || passed-- > 0) return storage.commit(customerId, changeSet);
          left = null;
          const lost = Effect.fail(
            new Storage.StorageError({ reason: "unavailable", cause: new Error("cut") }),
          );
          return when === "before" ? lost : Effect.zipRight(storage.commit(customerId, changeSet), lost);
        }),
    }),
  };
};

describe("an interrupted run", () => {
  for (const when of ["before", "after"] as const) {
    for (const commit of [0, 1, 2, 3, 4, 5, 6]) {
      it.effect(`continues without a second draft: killed ${when} commit ${commit}`, () => {
        const cut = interrupting();
        return rule(
          Effect.gen(function* () {
            const one = yield* partner;
            const two = yield* another(one);
            yield* policy(one, { autoApprove: { EUR: 100 } });
            yield* Given.sell(one, 1_000);
            yield* Given.sell(two, 2_000);
            const id = yield* start(one);
            cut.fail(when, commit);
            yield* Given.drain;
            yield* Given.wait(DAY);
            yield* Given.drain;
            const found = yield* read(one, id);
            expect(shown(found).map(({ drafts }) => drafts)).toEqual(
              expect.arrayContaining([[[100, 1, "approved"]], [[200, 1, "manual"]]]),
            );
            expect(found.run).toMatchObject({
              ...{
                state: "done",
                partnersDone: 2,
                draftCount: 2,
                approvedCount: 1,
                totals: sums({ EUR: 300n }),
              },
            });
            expect((yield* settlements(one)).map(({ total }) => total).sort()).toEqual([100, 200]);
            expect((yield* findRunViolations(one.customerId)).violations).toEqual([]);
          }),
          { storage: cut.storage },
        );
      });
    }
  }

  it.effect("that several workers perform has no second draft", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* partner;
        for (let count = 0; count < 30; count++) yield* Given.sell(yield* another(scene), 1_000);
        const id = yield* start(scene);
        // The same message three times, as after a lease that ended too early.
        const storage = yield* Storage.Storage;
        const message = {
          topic: "settlement_run",
          ...{ customerId: scene.customerId, recordId: id, reference: null, delayMilliseconds: 0 },
        } as const;
        yield* storage.commit(
          scene.customerId,
          Build.changeSet({
            outbox: [
              { ...message, id: Build.fresh.message() },
              { ...message, id: Build.fresh.message() },
            ],
          }),
        );
        const { step } = yield* Worker.Worker;
        yield* Effect.all([step, step, step], { concurrency: "unbounded" });
        yield* Given.wait(DAY);
        yield* Given.drain;
        const { run, total, results } = yield* read(scene, id);
        expect(run).toMatchObject({
          state: "done",
          partnersDone: 31,
          draftCount: 30,
          totals: sums({ EUR: 3000n }),
        });
        expect([total, new Set(results.map(({ partnerId }) => partnerId)).size]).toEqual([31, 31]);
        expect((yield* settlements(scene)).length).toBe(30);
        expect((yield* findRunViolations(scene.customerId)).violations).toEqual([]);
        expect(SettlementRun.draftId(id, scene.partnerId, EUR, 0)).not.toBe(
          results[0]?.drafts[0]?.settlementId,
        );
      }),
    ),
  );
});
