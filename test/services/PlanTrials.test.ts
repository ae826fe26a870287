/** Trials of plans over an engine in memory: compared with engines in which the draft is really in force. */
import { describe, expect, it } from "@effect/vitest";
import { Effect } from "effect";
import {
  Attributions,
  CommissionFormulas,
  CommissionPlans,
  type Ids,
  Limits,
  type PlanTrial,
  PlanTrials,
  type Principal,
  Storage,
} from "quittance";
import { Build, stateDump } from "quittance/testing";
import { random } from "../support/Random.ts";
import * as Given from "./Given.ts";
import * as PlanScene from "./PlanScene.ts";

const { rule, NOW, DAY, EUR } = Given;

type Start = Omit<PlanTrial.Start, "from" | "to"> & { readonly from?: number; readonly to?: number };

const FROM = NOW - 60 * DAY;
const TO = NOW + DAY;

const start = ({ owner }: Given.Scene, { from = FROM, to = TO, ...criteria }: Start) =>
  Effect.flatMap(PlanTrials.PlanTrials, (trials) =>
    Effect.map(trials.start(owner, { ...criteria, from, to }), ({ id }) => id),
  );

const read = ({ owner }: Given.Scene, id: Ids.PlanTrialId) =>
  Effect.flatMap(PlanTrials.PlanTrials, (trials) => trials.read(owner, id, { perPage: 100 }));

/** Starts a trial, computes it, and reads it with its results. */
const compute = (scene: Given.Scene, criteria: Start) =>
  Effect.gen(function* () {
    const id = yield* start(scene, criteria);
    yield* Given.drain;
    return yield* read(scene, id);
  });

/** Creates a sale with a date. */
const sellAt = (scene: Given.Scene, orderValue: number, occurredAt: number) =>
  Effect.flatMap(Attributions.Attributions, ({ create }) =>
    Effect.map(create(scene.owner, { ...Given.sale(scene, orderValue), occurredAt }), ({ id }) => id),
  );

const cancel = ({ owner }: Given.Scene, id: Ids.AttributionId) =>
  Effect.flatMap(Attributions.Attributions, (attributions) =>
    attributions.cancel(owner, id, { reason: "refunded" }),
  );

/** The sums of each partner and month, one line for each. */
type Lines = ReadonlyArray<string>;

const line = (partnerId: string, month: string, count: number, amount: bigint): string =>
  `${partnerId} ${month}: ${count} sales, ${amount}`;

/** What the results of a trial say of one side. */
const linesOf = ({ results }: PlanTrials.TrialWithResults, side: "amountNow" | "amountThen"): Lines =>
  results
    .flatMap(({ partnerId, months }) =>
      months.map((month) => line(partnerId, month.month, month.salesCount, month[side])),
    )
    .toSorted();

/** What the books say of the sales of a span: its confirmed sales, and the amounts of all their commissions. */
const booksOf = (
  scene: Given.Scene,
  { from = FROM, to = TO, formulaOf = (_: Ids.FormulaId): boolean => true } = {},
) =>
  Effect.gen(function* () {
    const { list } = yield* Attributions.Attributions;
    const sums = new Map<string, { count: number; amount: bigint }>();
    const placeOf = (partnerId: string, occurredAt: number): { count: number; amount: bigint } => {
      const key = `${partnerId} ${new Date(occurredAt).toISOString().slice(0, 7)}`;
      const place = sums.get(key) ?? { count: 0, amount: 0n };
      sums.set(key, place);
      return place;
    };
    const isInside = ({ occurredAt }: { readonly occurredAt: number }) =>
      from <= occurredAt && occurredAt < to;
    for (let page = 1; ; page++) {
      const { items, total, perPage } = yield* list(scene.owner, {
        page,
        perPage: 100,
        statuses: ["confirmed"],
      });
      for (const one of items.filter(isInside)) placeOf(one.partnerId, one.occurredAt).count += 1;
      if (page * perPage >= total) break;
    }
    for (const one of (yield* Given.commissions(scene)).filter(isInside))
      if (formulaOf(one.formulaId))
        placeOf(one.partnerId, one.occurredAt).amount += BigInt(one.computedAmount ?? 0);
    return [...sums]
      .filter(([, { count }]) => count > 0)
      .map(([key, { count, amount }]) => {
        const [partnerId = "", month = ""] = key.split(" ");
        return line(partnerId, month, count, amount);
      })
      .toSorted();
  });

/** Three partners with the same sales in every engine: some imported late, some cancelled. Partners are named by their order. */
const history = (seed: number, planText: string) =>
  Effect.gen(function* () {
    const chance = random(seed);
    const one = yield* Given.scene();
    const partners = [one, yield* PlanScene.another(one), yield* PlanScene.another(one)];
    const planId = yield* (yield* CommissionPlans.CommissionPlans)
      .create(one.owner, {
        ...{ workspaceId: one.workspaceId, schemaId: one.schemaId, name: "Affiliates", currency: EUR },
        ...{ expressionText: planText, startDatetime: NOW - 400 * DAY },
      })
      .pipe(Effect.map(({ id }) => id));
    const bounds = [{}, { from: NOW - 45 * DAY }, { to: NOW - 20 * DAY }];
    for (const [index, scene] of partners.entries()) yield* PlanScene.assign(scene, planId, bounds[index]);
    const sold: Array<readonly [Given.Scene, Ids.AttributionId]> = [];
    for (let number = 0; number < 60; number++) {
      const scene = chance.pick(partners);
      const id = yield* sellAt(scene, chance.integer(1, 5_000), NOW - chance.integer(0, 150 * DAY));
      sold.push([scene, id]);
      if (chance.chance(0.25)) yield* Given.wait(chance.integer(0, 3_600_000));
      if (chance.chance(0.15)) yield* cancel(...chance.pick(sold));
    }
    return { one, partners, planId };
  });

type History = Effect.Effect.Success<ReturnType<typeof history>>;

/** Lines with the partners named by their order, so that lines of different engines can be compared. */
const named = ({ partners }: History, lines: Lines): Lines =>
  lines
    .map((text) =>
      partners.reduce((named, { partnerId }, index) => named.replace(partnerId, `partner ${index}`), text),
    )
    .toSorted();

const MONTHLY = `before = sum of order_value earlier this month
tiers(order_value, after before) { up to 5000: 5 %; up to 12000: 8 %; else: 11 % }`;
const PLANS = [
  ["a percentage", "order_value * 10 %", "order_value * 12.5 %"],
  ["tiers of a month in place of a percentage", "order_value * 10 %", MONTHLY],
  ["a percentage in place of tiers of a month", MONTHLY, "order_value * 7 %"],
  [
    "a rate by the number of all sales",
    "order_value * 3 %",
    `number = count earlier ever
if number < 8 then order_value * 20 % else order_value * 2 %`,
  ],
  [
    "a share of the last 30 days",
    MONTHLY,
    `large = sum of order_value earlier in the last 30 days where order_value > 2000
large * 1 % + order_value * 1 %`,
  ],
  [
    "a share of the greatest of a quarter",
    "order_value * 1 %",
    `greatest = greatest of order_value earlier this quarter
(greatest ?? 0) * 5 %`,
  ],
] as const;

describe("a trial of a plan", () => {
  it.effect.each(PLANS)("pays what the plan would pay with the draft in force: %s", ([, before, draft]) =>
    Effect.gen(function* () {
      for (const seed of [1, 2, 3]) {
        const tried = yield* rule(
          Effect.gen(function* () {
            const given = yield* history(seed, before);
            const found = yield* compute(given.one, { planId: given.planId, expressionText: draft });
            expect(named(given, linesOf(found, "amountNow"))).toEqual(
              named(given, yield* booksOf(given.one)),
            );
            expect(found.trial.state).toBe("done");
            const sum = (of: (trialResult: PlanTrials.TrialResult) => bigint) =>
              found.results.reduce((total, result) => total + of(result), 0n);
            expect(found.trial.difference).toBe(sum(({ difference }) => difference));
            return named(given, linesOf(found, "amountThen"));
          }),
        );
        const inForce = yield* rule(
          Effect.gen(function* () {
            const given = yield* history(seed, before);
            yield* (yield* CommissionPlans.CommissionPlans).update(given.one.owner, given.planId, {
              ...{ expressionText: draft, effectiveDatetime: FROM },
            });
            yield* Given.drain;
            return named(given, yield* booksOf(given.one));
          }),
        );
        expect(tried).toEqual(inForce);
      }
    }),
  );

  it.effect("compares a draft without a plan with every formula of its schema and currency", () =>
    Effect.gen(function* () {
      const tried = yield* rule(
        Effect.gen(function* () {
          const given = yield* history(4, MONTHLY);
          const { workspaceId, schemaId } = given.one;
          yield* Given.formula(given.one, { expression: Given.percent(2) });
          const draft = { workspaceId, schemaId, currency: EUR, expressionText: PLANS[3][2] };
          const found = yield* compute(given.one, draft);
          expect(named(given, linesOf(found, "amountNow"))).toEqual(named(given, yield* booksOf(given.one)));
          return named(given, linesOf(found, "amountThen"));
        }),
      );
      const inForce = yield* rule(
        Effect.gen(function* () {
          const given = yield* history(4, MONTHLY);
          const created = new Set<string>();
          for (const { owner, workspaceId, schemaId, partnerId } of given.partners) {
            const { create } = yield* CommissionFormulas.CommissionFormulas;
            const { id } = yield* create(owner, {
              ...{ workspaceId, schemaId, partnerId, name: "Draft", currency: EUR },
              ...{ expressionText: PLANS[3][2], startDatetime: FROM, endDatetime: TO },
            });
            created.add(id);
          }
          return named(given, yield* booksOf(given.one, { formulaOf: (id) => created.has(id) }));
        }),
      );
      expect(tried).toEqual(inForce);
    }),
  );

  it.effect("changes nothing in the books, and pays under the adopted draft what it computed", () =>
    rule(
      Effect.gen(function* () {
        const given = yield* history(5, MONTHLY);
        const { one, planId } = given;
        const before = yield* stateDump(one.customerId);
        const found = yield* compute(one, { planId, expressionText: "order_value * 15 %" });
        expect(found.changes).toHaveLength(10);
        expect(yield* stateDump(one.customerId)).toEqual(before);

        const trials = yield* PlanTrials.PlanTrials;
        yield* trials.adopt(one.owner, found.trial.id, { effectiveDatetime: FROM });
        yield* Given.drain;
        expect(linesOf(found, "amountThen")).toEqual(yield* booksOf(one));
      }),
    ),
  );

  it.effect("explains the largest changes on both sides, by the totals of their sales", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene();
        const planId = yield* PlanScene.plan(scene);
        yield* PlanScene.assign(scene, planId);
        yield* sellAt(scene, 4_000, NOW - 2);
        yield* sellAt(scene, 2_000, NOW - 1);
        const { changes, trial } = yield* compute(scene, {
          planId,
          expressionText: MONTHLY,
          add: [{ partnerId: scene.partnerId, properties: { order_value: 10_000 }, occurredAt: NOW - DAY }],
        });
        // The added sale arrives first: 5,000 × 5 % + 5,000 × 8 %; then 2,000 × 8 % + 2,000 × 11 %, and 2,000 × 11 %.
        expect(
          changes.map((change) => [change.added, change.amountNow, change.amountThen, change.difference]),
        ).toEqual([
          [0, 1_000n, 650n, -350n],
          [null, 400n, 380n, -20n],
          [null, 200n, 220n, 20n],
        ]);
        expect(changes[1]?.explanationNow).toContain("4.00 EUR");
        expect(changes[1]?.explanationThen).toContain("3.80 EUR");
        expect(changes[1]?.explanationThen).toContain("10,000");
        expect(trial.difference).toBe(-350n);
        // −350 of 1,600 is more than 10 % and at most 25 % less.
        expect(trial.distribution.map(({ partnerCount }) => partnerCount)).toEqual([
          0, 0, 1, 0, 0, 0, 0, 0, 0,
        ]);
      }),
    ),
  );

  it.effect("tries a change that reads a parameter which the plan does not declare", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene();
        const planId = yield* PlanScene.plan(scene);
        yield* PlanScene.assign(scene, planId);
        for (const value of [1_000, 250]) yield* sellAt(scene, value, NOW - 5 * DAY);
        yield* Given.drain;
        const change = { planId, expressionText: "order_value * plan.rate * 1 %", parameters: { rate: 9 } };
        const tried = yield* compute(scene, change);
        const written = yield* compute(scene, { planId, expressionText: "order_value * 9 %" });
        expect(linesOf(tried, "amountThen")).toEqual(linesOf(written, "amountThen"));
        expect(linesOf(tried, "amountNow")).toEqual(linesOf(written, "amountNow"));
        expect(tried.trial.amountThen).toBe(113n);
        expect(yield* Given.refusal(compute(scene, { ...change, parameters: { rate: 9, quota: 5 } }))).toBe(
          "parameters.quota: is no declared parameter",
        );
        expect(yield* Given.refusal(compute(scene, { ...change, parameters: { rate: "much" } }))).toMatch(
          /expression_text: line 1, column 15: must be a number, found a text/,
        );
        const { adopt } = yield* PlanTrials.PlanTrials;
        const { id } = tried.trial;
        expect(yield* Given.refusal(adopt(scene.owner, id))).toMatch(/rate/);
        const rate = { name: "rate", type: "number" } as const;
        expect(yield* Given.refusal(adopt(scene.owner, id, { parameters: [rate] }))).toBe(
          "parameters.0.default: is needed, because partners have no value for it",
        );
        const parameters = [{ ...rate, default: 9 }];
        yield* adopt(scene.owner, id, { parameters, effectiveDatetime: FROM });
        yield* Given.drain;
        expect(yield* Given.amounts(scene)).toEqual([90, 23]);
      }),
    ),
  );

  it.effect("tries the partners' own values of parameters, or others in their place", () =>
    rule(
      Effect.gen(function* () {
        const plans = yield* CommissionPlans.CommissionPlans;
        const scene = yield* Given.scene();
        const other = yield* PlanScene.another(scene);
        const { owner, workspaceId, schemaId } = scene;
        const { id: planId } = yield* plans.create(owner, {
          ...{ workspaceId, schemaId, name: "Rates", currency: EUR, startDatetime: NOW - 100 * DAY },
          expressionText: "order_value * plan.rate / 100",
          parameters: [{ name: "rate", type: "number", default: 5, format: "percent" }],
        });
        yield* PlanScene.assign(scene, planId, {}, [scene.partnerId, other.partnerId]);
        yield* plans.setPartnerParameters(owner, planId, scene.partnerId, {
          values: { rate: 7 },
          effectiveDatetime: NOW - 10 * DAY,
        });
        // At 5 %, at 7 % since ten days, and at 5 %.
        yield* sellAt(scene, 1_000, NOW - 20 * DAY);
        yield* sellAt(scene, 1_000, NOW - 5 * DAY);
        yield* sellAt(other, 1_000, NOW - 5 * DAY);
        yield* Given.drain;
        const sums = ({ trial }: PlanTrials.TrialWithResults) => [trial.amountNow, trial.amountThen];
        const twice = "order_value * plan.rate * 2 / 100";
        expect(sums(yield* compute(scene, { planId }))).toEqual([170n, 170n]);
        expect(sums(yield* compute(scene, { planId, expressionText: twice }))).toEqual([170n, 340n]);
        const parameters = { rate: 9 };
        const found = yield* compute(scene, { planId, parameters });
        expect(sums(found)).toEqual([170n, 270n]);
        expect(found.trial.parameters).toEqual(parameters);
        const explained = found.changes.map(({ explanationNow, explanationThen }) => [
          /\d \(your rate[^)]*\)/.exec(explanationNow)?.[0],
          /\d \(your rate[^)]*\)/.exec(explanationThen)?.[0],
        ]);
        expect(explained).toEqual([
          ["5 (your rate)", "9 (your rate)"],
          ["5 (your rate)", "9 (your rate)"],
          [expect.stringMatching(/^7 \(your rate since /), "9 (your rate)"],
        ]);
        expect(sums(yield* compute(scene, { planId, expressionText: twice, parameters }))).toEqual([
          170n,
          540n,
        ]);
        const draft = { workspaceId, schemaId, currency: EUR, expressionText: twice, parameters };
        expect(sums(yield* compute(scene, draft))).toEqual([170n, 540n]);
      }),
    ),
  );

  it.effect("computes many partners in several steps, and continues after a step that failed", () => {
    let failing = false;
    let failed = 0;
    return rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene();
        const planId = yield* PlanScene.plan(scene);
        const partnerIds = [scene.partnerId, ...(yield* PlanScene.partners(scene, 44))];
        yield* PlanScene.assign(scene, planId, {}, partnerIds);
        for (const partnerId of partnerIds) yield* Given.sell({ ...scene, partnerId }, 100);
        yield* Given.drain;
        const id = yield* start(scene, { planId, expressionText: "order_value * 11 %" });
        failing = true;
        yield* Given.drain;
        expect(failed).toBe(1);
        const { trial } = yield* read(scene, id);
        expect([trial.state, trial.partnersDone, trial.partnerCount]).toEqual(["running", 20, 45]);
        yield* Given.wait(2_000);
        yield* Given.drain;
        const found = yield* read(scene, id);
        expect([found.trial.state, found.trial.partnersDone, found.total]).toEqual(["done", 45, 45]);
        expect([found.trial.amountNow, found.trial.amountThen, found.trial.salesCount]).toEqual([
          450n,
          495n,
          45,
        ]);
        expect(found.trial.distribution[5]).toEqual({ fromPercent: 0, toPercent: 10, partnerCount: 45 });
      }),
      {
        storage: ({ commit }) => ({
          commit: (customerId, changeSet) => {
            const isSecondStep = changeSet.changes.some(
              (change) =>
                change.type === "save" && change.kind === "planTrial" && change.row.partnersDone === 40,
            );
            if (!failing || failed > 0 || !isSecondStep) return commit(customerId, changeSet);
            failed += 1;
            return Effect.fail(new Storage.StorageError({ reason: "unavailable", cause: "no connection" }));
          },
        }),
      },
    );
  });

  it.effect("leaves sales out that cannot be computed, and counts them", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene();
        const planId = yield* PlanScene.plan(scene);
        yield* PlanScene.assign(scene, planId);
        yield* Given.sell(scene, Given.LARGEST_ORDER);
        yield* Given.sell(scene, 100);
        const { results } = yield* compute(scene, { planId, expressionText: "order_value * 1000 %" });
        expect(results[0]?.months).toEqual([
          {
            month: "2026-01",
            salesCount: 1,
            notComputableCount: 1,
            amountNow: 10n,
            amountThen: 1_000n,
            difference: 990n,
            ...{ waitingNow: 0n, waitingThen: 0n },
          },
        ]);
      }),
    ),
  );
});

describe("starting a trial", () => {
  const refused = (change: (scene: Given.Scene, planId: Ids.PlanId) => Partial<PlanTrial.Start>) =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene();
        const planId = yield* PlanScene.plan(scene);
        const trials = yield* PlanTrials.PlanTrials;
        const message = yield* Given.refusal(
          trials.start(scene.owner, { planId, from: FROM, to: TO, ...change(scene, planId) }),
        );
        expect((yield* trials.list(scene.owner)).total).toBe(0);
        return message;
      }),
    );
  const unknown = Build.fresh.partner();

  it.effect.each<
    readonly [message: string, (scene: Given.Scene, planId: Ids.PlanId) => Partial<PlanTrial.Start>]
  >([
    ["to: must be after from", () => ({ to: FROM })],
    ["to: must be at most 3660 days after from", () => ({ to: FROM + 3_660 * DAY + 1 })],
    ["plan_id: must be the id of a plan", () => ({ planId: Build.fresh.plan() })],
    [
      "schema_id: must not be given together with plan_id: it is that of the plan",
      ({ schemaId }) => ({ schemaId }),
    ],
    [
      `partner_ids.1: must be the id of a partner of the workspace`,
      ({ partnerId }) => ({ partnerIds: [partnerId, unknown] }),
    ],
    [
      "add.0.partner_id: must be one of partner_ids",
      ({ partnerId }) => ({
        partnerIds: [partnerId],
        add: [{ partnerId: unknown, properties: { order_value: 1 }, occurredAt: FROM }],
      }),
    ],
    [
      "add.0.partner_id: must be the id of a partner of the workspace",
      () => ({ add: [{ partnerId: unknown, properties: { order_value: 1 }, occurredAt: FROM }] }),
    ],
    [
      "add.0.occurred_at: must not be before from, and must be before to",
      ({ partnerId }) => ({ add: [{ partnerId, properties: { order_value: 1 }, occurredAt: TO }] }),
    ],
    [
      "add.0.properties.amount: is not defined by the schema",
      ({ partnerId }) => ({ add: [{ partnerId, properties: { amount: 1 }, occurredAt: FROM }] }),
    ],
    [
      "expression_text: line 1, column 1: unknown name 'order_vale'; did you mean 'order_value'?",
      () => ({ expressionText: "order_vale * 10 %" }),
    ],
    ["parameters.rate: is no declared parameter", () => ({ parameters: { rate: 7 } })],
    [
      "expression_text: must not be given together with expression",
      () => ({ expression: Given.percent(1), expressionText: "order_value" }),
    ],
  ])("refuses: %s", ([message, change]) =>
    Effect.map(refused(change), (found) => expect(found).toBe(message)),
  );

  it.effect("of a draft without a plan needs workspace, schema, currency and expression", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene();
        const { owner, workspaceId, schemaId } = scene;
        const { start } = yield* PlanTrials.PlanTrials;
        const span = { from: FROM, to: TO, expressionText: "order_value" };
        const messages = yield* Effect.forEach(
          [
            span,
            { ...span, workspaceId },
            { ...span, workspaceId, schemaId },
            { workspaceId, schemaId, currency: EUR, from: FROM, to: TO },
            { ...span, workspaceId: Build.fresh.workspace(), schemaId, currency: EUR },
          ],
          (input) => Given.refusal(start(owner, input)),
        );
        const given = (parameters: PlanTrial.Start["parameters"], expressionText = "order_value") =>
          Given.refusal(
            start(owner, {
              ...{ ...span, workspaceId, schemaId, currency: EUR, expressionText },
              ...(parameters === undefined ? {} : { parameters }),
            }),
          );
        expect(yield* given({ "a rate": 7 })).toBe(
          "parameters.a rate: must be at most 64 letters, digits and underscores, and not begin with a digit",
        );
        expect(yield* given(Object.fromEntries(Array.from({ length: 51 }, (_, at) => [`p${at}`, at])))).toBe(
          "parameters: must have at most 50 parameters",
        );
        expect(yield* given(undefined, "order_value * plan.rate")).toContain(
          "expression_text: line 1, column",
        );
        expect(yield* given({ rate: "seven" }, "order_value * plan.rate")).toContain("expression_text");
        expect(messages).toEqual([
          "workspace_id: is required without plan_id",
          "schema_id: is required without plan_id",
          "currency: is required without plan_id",
          "expression: is missing; state it as nodes, or as text in expression_text",
          "schema_id: must be the id of a schema of the workspace",
        ]);
      }),
    ),
  );

  it.effect("needs a credential for all partners, both scopes, and the workspace of the draft", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene();
        const planId = yield* PlanScene.plan(scene);
        const { start, read, adopt } = yield* PlanTrials.PlanTrials;
        const input = { planId, from: FROM, to: TO };
        const as = (change: Partial<Principal.Principal>) =>
          Given.refusal(start({ ...scene.owner, ...change }, input));
        expect(yield* as({ scopes: ["formulas:write"] })).toBe(
          "The credential lacks the scope commissions:read",
        );
        expect(yield* as({ scopes: ["commissions:read"] })).toBe(
          "The credential lacks the scope formulas:write",
        );
        expect(yield* as({ partnerIds: [scene.partnerId] })).toContain("a trial needs one for all of them");
        expect(yield* as({ workspaceIds: [Build.fresh.workspace()] })).toBe(
          "plan_id: must be the id of a plan",
        );
        const { workspaceId, schemaId } = scene;
        const foreign = { ...scene.owner, workspaceIds: [Build.fresh.workspace()] };
        const draft = { workspaceId, schemaId, currency: EUR, expressionText: "order_value" };
        expect(yield* Given.refusal(start(foreign, { ...draft, from: FROM, to: TO }))).toContain(
          "workspace_id",
        );

        const { id } = yield* start(scene.owner, input);
        expect(yield* Given.refusal(read(foreign, id))).toBe("trial not found");
        expect(yield* Given.refusal(adopt(foreign, id))).toBe("trial not found");
        expect(yield* Given.refusal(adopt(scene.owner, id))).toBe(
          "plan_trial: the trial has no expression of its own; there is nothing to adopt",
        );
        const ofDraft = yield* start(scene.owner, { ...draft, from: FROM, to: TO });
        expect(yield* Given.refusal(adopt(scene.owner, ofDraft.id))).toBe(
          "plan_trial: the trial is of a draft that is no plan yet; create a plan with its expression",
        );
      }),
    ),
  );

  it.effect("refuses more sales than the limit, and more trials than are kept", () => {
    let sales = Limits.TRIAL_SALES_MAX + 1;
    let kept = 0;
    return rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene();
        const planId = yield* PlanScene.plan(scene);
        const { start } = yield* PlanTrials.PlanTrials;
        const input = { planId, from: FROM, to: TO };
        expect(yield* Given.refusal(start(scene.owner, input))).toBe(
          "to: the span has 1000001 sales, and a trial may have 1000000; try a shorter span, or fewer partners",
        );
        sales = Limits.TRIAL_SALES_MAX;
        yield* start(scene.owner, input);
        kept = Limits.TRIALS_MAX;
        expect(yield* Given.refusal(start(scene.owner, input))).toBe(
          "plan_trial: 1000 trials are kept already; each is removed 30 days after its end",
        );
      }),
      {
        storage: ({ list }) => ({
          list: (tenant, kind, query) =>
            Effect.map(list(tenant, kind, query), (page) =>
              kind === "attribution"
                ? { ...page, total: sales }
                : kind === "planTrial"
                  ? { ...page, total: kept }
                  : page,
            ),
        }),
      },
    );
  });
});
