/** What creating, changing and cancelling a formula does to what partners have earned. */

import { describe, expect, it } from "@effect/vitest";
import { Effect, Either } from "effect";
import { AttributionSchemas, Attributions, CommissionFormulas, Currency, Outbox, Storage } from "quittance";
import type { Expression } from "quittance/formula";
import { Build } from "quittance/testing";
import * as Given from "./Given.ts";

const { rule, NOW, DAY, EUR } = Given;
const formulas = CommissionFormulas.CommissionFormulas;

/** What creating a formula of a scene takes. */
const asked = ({ partnerId, workspaceId, schemaId }: Given.Scene, expression: Expression) => ({
  ...{ partnerId, workspaceId, schemaId, name: "Share", currency: EUR, expression },
  startDatetime: NOW - DAY,
});

describe("creating a formula", () => {
  it.effect("creates commissions for existing attributions that occurred in its window", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene();
        yield* Given.sell(scene, 10_000);
        yield* Given.wait(2 * DAY);
        yield* Given.sell(scene, 20_000);
        yield* Given.formula(scene, { from: NOW + DAY });
        expect(yield* Given.amounts(scene)).toEqual([2_000]);
      }),
    ),
  );

  it.effect("includes the start of its window, and excludes the end", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene();
        yield* Given.formula(scene, { from: NOW, to: NOW + DAY });
        yield* Given.sell(scene, 10_000);
        yield* Given.wait(DAY);
        yield* Given.sell(scene, 20_000);
        expect(yield* Given.amounts(scene)).toEqual([1_000]);
      }),
    ),
  );

  it.effect("creates no commissions for cancelled attributions", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene();
        const id = yield* Given.sell(scene, 10_000);
        yield* (yield* Attributions.Attributions).cancel(scene.owner, id, { reason: "returned" });
        yield* Given.formula(scene);
        expect(yield* Given.commissions(scene)).toEqual([]);
      }),
    ),
  );

  it.effect("creates one commission in each currency that has a formula", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene();
        yield* Given.formula(scene);
        yield* Given.formula(scene, { currency: Currency.Currency.make("JPY") });
        yield* Given.sell(scene, 10_000);
        expect((yield* Given.commissions(scene)).map(({ currency }) => currency).toSorted()).toEqual([
          "EUR",
          "JPY",
        ]);
      }),
    ),
  );

  it.effect("computes the first 10,000 attributions itself; a worker computes the rest", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene();
        const { createBatch } = yield* Attributions.Attributions;
        const thousand = Array.from({ length: 1_000 }, () => Given.sale(scene, 10_000));
        for (let count = 0; count < 11; count++)
          yield* createBatch(scene.owner, { mode: "atomic", attributions: thousand });
        yield* Given.formula(scene);
        const { list } = yield* formulas;
        const before = yield* list(scene.owner);
        expect([yield* Given.countCommissions(scene), before.items[0]?.recomputing]).toEqual([10_000, true]);
        yield* Given.drain;
        const after = yield* list(scene.owner);
        expect([yield* Given.countCommissions(scene), after.items[0]?.recomputing]).toEqual([11_000, false]);
      }),
    ),
  );

  it.effect("refuses an expression that does not fit the schema, and names the place", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene();
        const { create, list } = yield* formulas;
        const unknown = { type: "property", name: "profit" } as const;
        expect(yield* Given.refusal(create(scene.owner, asked(scene, unknown)))).toMatch(
          /^expression: \$.*profit/,
        );
        expect((yield* list(scene.owner)).total).toBe(0);
      }),
    ),
  );

  it.effect("refuses an end that is not after the start", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene();
        expect(yield* Given.refusal(Given.formula(scene, { from: NOW, to: NOW }))).toBe(
          "end_datetime: must be after start_datetime",
        );
      }),
    ),
  );

  it.effect("refuses a partner or a schema of another workspace", () =>
    rule(
      Effect.gen(function* () {
        const [scene, other] = [yield* Given.scene(), yield* Given.scene()];
        const { create } = yield* formulas;
        const of = (given: Partial<Given.Scene>) =>
          Given.refusal(create(scene.owner, asked({ ...scene, ...given }, Given.percent(1))));
        expect(yield* of({ partnerId: other.partnerId })).toBe(
          "partner_id: must be the id of a partner of the workspace",
        );
        expect(yield* of({ schemaId: other.schemaId })).toBe(
          "schema_id: must be the id of a schema of the workspace",
        );
      }),
    ),
  );
});

describe("changing a formula's expression", () => {
  it.effect("applies from now on: earlier commissions keep their amounts", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene();
        const id = yield* Given.formula(scene);
        yield* Given.sell(scene, 10_000);
        yield* Given.wait(DAY);
        yield* (yield* formulas).update(scene.owner, id, { expression: Given.percent(20) });
        yield* Given.sell(scene, 10_000);
        expect(yield* Given.amounts(scene)).toEqual([1_000, 2_000]);
      }),
    ),
  );

  it.effect("with an effective date in the past corrects the commissions since that date", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene();
        const id = yield* Given.formula(scene);
        for (let day = 0; day < 3; day++) {
          yield* Given.sell(scene, 10_000);
          yield* Given.wait(DAY);
        }
        yield* (yield* formulas).update(scene.owner, id, {
          expression: Given.percent(20),
          effectiveDatetime: NOW + DAY,
        });
        expect(yield* Given.amounts(scene)).toEqual([1_000, 2_000, 2_000]);
      }),
    ),
  );

  it.effect("from an earlier date on replaces what was stated before, later dates included", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene();
        const id = yield* Given.formula(scene);
        for (let day = 0; day < 3; day++) {
          yield* Given.sell(scene, 10_000);
          yield* Given.wait(DAY);
        }
        const { update } = yield* formulas;
        const state = (rate: number, effectiveDatetime: number) =>
          update(scene.owner, id, { expression: Given.percent(rate), effectiveDatetime });
        yield* state(20, NOW + 2 * DAY);
        yield* state(30, NOW + DAY);
        expect(yield* Given.amounts(scene)).toEqual([1_000, 3_000, 3_000]);
      }),
    ),
  );

  it.effect("to the same expression changes nothing", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene();
        const id = yield* Given.formula(scene);
        const { update, list } = yield* formulas;
        yield* update(scene.owner, id, { expression: Given.percent(10) });
        expect((yield* list(scene.owner)).items[0]?.version).toBe(1);
      }),
    ),
  );

  it.effect("to the same expression from an earlier date on states it again", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene();
        const id = yield* Given.formula(scene);
        const { update, list } = yield* formulas;
        const raise = (effectiveDatetime: number) =>
          update(scene.owner, id, { expression: Given.percent(20), effectiveDatetime });
        yield* raise(NOW - DAY);
        yield* raise(NOW - 2 * DAY);
        expect((yield* list(scene.owner)).items[0]?.versions.length).toBe(3);
      }),
    ),
  );

  it.effect("after a payment makes the difference due", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.approved([10_000]);
        yield* Given.payByHand(scene);
        const { update, list } = yield* formulas;
        const [formula] = (yield* list(scene.owner)).items;
        if (formula === undefined) throw new Error("no formula");
        yield* update(scene.owner, formula.id, {
          expression: Given.percent(12),
          effectiveDatetime: NOW,
        });
        const difference = yield* Given.draft(scene);
        expect((yield* Given.settlement(scene, difference)).total).toBe(200);
      }),
    ),
  );

  it.effect("makes a draft stale, which shows it and keeps its lines", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.drafted([10_000]);
        const { update, list } = yield* formulas;
        const [formula] = (yield* list(scene.owner)).items;
        if (formula === undefined) throw new Error("no formula");
        yield* update(scene.owner, formula.id, { expression: Given.percent(12), effectiveDatetime: NOW });
        const { stale, total } = yield* Given.settlement(scene, scene.settlementId);
        expect([stale, total]).toEqual([true, 1_000]);
      }),
    ),
  );
});

describe("changing a formula's window", () => {
  it.effect("sets commissions outside of it to 0, and creates the ones inside of it", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene();
        const id = yield* Given.formula(scene, { from: NOW, to: NOW + DAY });
        yield* Given.sell(scene, 10_000);
        yield* Given.wait(2 * DAY);
        yield* Given.sell(scene, 20_000);
        yield* (yield* formulas).update(scene.owner, id, { startDatetime: NOW + DAY, endDatetime: null });
        expect(yield* Given.amounts(scene)).toEqual([0, 2_000]);
      }),
    ),
  );

  it.effect("back to the old one computes the commissions again", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene();
        const id = yield* Given.formula(scene);
        yield* Given.sell(scene, 10_000);
        const { update } = yield* formulas;
        yield* update(scene.owner, id, { endDatetime: NOW - DAY });
        yield* update(scene.owner, id, { endDatetime: null });
        expect(yield* Given.amounts(scene)).toEqual([1_000]);
      }),
    ),
  );
});

describe("cancelling a formula", () => {
  it.effect("sets all of its commissions to 0, and creates no more of them", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene();
        const id = yield* Given.formula(scene);
        yield* Given.sell(scene, 10_000);
        yield* (yield* formulas).cancel(scene.owner, id, { reason: "agreed by mistake" });
        yield* Given.sell(scene, 10_000);
        expect(yield* Given.amounts(scene)).toEqual([0]);
      }),
    ),
  );

  it.effect("is final: a cancelled formula cannot be changed", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene();
        const id = yield* Given.formula(scene);
        const { cancel, update } = yield* formulas;
        yield* cancel(scene.owner, id, { reason: "agreed by mistake" });
        expect(yield* Given.refusal(update(scene.owner, id, { name: "Other" }))).toMatch(
          /^formula_cancelled: /,
        );
      }),
    ),
  );
});

describe("the recomputation after a formula command", () => {
  /** Creates a formula over one attribution; the first read of the recomputation has the given outcome. */
  const createAndRecompute = (outcome: Effect.Effect<never, Storage.StorageError>) => {
    let isFirst = true;
    return {
      create: Effect.gen(function* () {
        const scene = yield* Given.scene();
        yield* Given.sell(scene, 10_000);
        yield* Effect.exit(Given.formula(scene));
        return scene;
      }),
      storage: ({ attributionsForFormula }: Storage.StorageService): Partial<Storage.StorageService> => ({
        attributionsForFormula: (formula, walk) =>
          Effect.suspend(() => {
            if (!isFirst) return attributionsForFormula(formula, walk);
            isFirst = false;
            return outcome;
          }),
      }),
    };
  };

  it.effect("leaves no message in the outbox if the command has completed it", () =>
    rule(
      Effect.gen(function* () {
        yield* Given.formula(yield* Given.scene());
        expect(yield* (yield* Outbox.Outbox).depth).toEqual([]);
      }),
    ),
  );

  it.effect("is finished by a worker 20 seconds after its command was interrupted", () => {
    const { create, storage } = createAndRecompute(Effect.interrupt);
    return rule(
      Effect.gen(function* () {
        const scene = yield* create;
        yield* Given.wait(19_999);
        const before = [yield* Given.drain, yield* Given.countCommissions(scene)];
        yield* Given.wait(1);
        expect([before, yield* Given.drain, yield* Given.countCommissions(scene)]).toEqual([[0, 0], 1, 1]);
      }),
      { storage },
    );
  });

  it.effect("is finished by a worker at once after one of its batches failed", () => {
    const { create, storage } = createAndRecompute(
      Effect.fail(new Storage.StorageError({ reason: "unavailable", cause: "the connection was lost" })),
    );
    return rule(
      Effect.gen(function* () {
        const scene = yield* create;
        expect([yield* Given.drain, yield* Given.countCommissions(scene)]).toEqual([1, 1]);
      }),
      { storage },
    );
  });
});

describe("simulating a formula", () => {
  it.effect("returns the amount of each sample with its derivation, and stores nothing", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene();
        const { simulate, list } = yield* formulas;
        const results = yield* simulate(scene.owner, {
          schemaId: scene.schemaId,
          currency: EUR,
          expression: Given.percent(10),
          samples: [{ properties: { order_value: 1_000 } }, { properties: { order_value: 5 } }],
        });
        expect(results.map(({ result }) => result)).toMatchObject([{ right: 100 }, { right: 1 }]);
        expect([(yield* list(scene.owner)).total, (yield* Given.commissions(scene)).length]).toEqual([0, 0]);
      }),
    ),
  );

  const revenue: Expression = {
    type: "aggregate",
    function: "sum",
    value: { type: "property", name: "order_value" },
    window: { type: "calendar", unit: "month" },
  };

  it.effect("adds up the history of a sample, in its window and without what is cancelled", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene();
        const { simulate } = yield* formulas;
        const earlier = (order_value: number, day: string) => ({
          properties: { order_value },
          occurredAt: Date.parse(`2026-01-${day}T12:00:00Z`),
        });
        const sample = { properties: { order_value: 1 }, occurredAt: Date.parse("2026-01-31T23:59:59.999Z") };
        const history = [
          earlier(100, "02"),
          { ...earlier(1_000, "03"), status: "cancelled" as const },
          { ...earlier(20, "31"), status: "confirmed" as const },
          { ...earlier(7, "01"), occurredAt: Date.parse("2025-12-31T23:59:59.999Z") },
        ];
        const results = yield* simulate(scene.owner, {
          ...{ schemaId: scene.schemaId, currency: EUR, expression: revenue },
          samples: [sample, { ...sample, history }, { ...sample, history: history.slice(0, 1) }],
        });
        expect(results.map(({ result }) => result)).toMatchObject([
          { right: 0 },
          { right: 120 },
          { right: 100 },
        ]);
        expect(results[1]?.trace[1]).toMatchObject({
          type: "aggregate",
          value: "120",
          detail: { first_day: "2026-01-01", last_day: "2026-01-31", rows: 2 },
        });
      }),
    ),
  );

  it.effect("accepts 1,000 earlier attributions for a sample and 10,000 for all of them", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene();
        const { simulate } = yield* formulas;
        const asked = { schemaId: scene.schemaId, currency: EUR, expression: revenue };
        const sample = (length: number) => ({
          properties: { order_value: 1 },
          history: Array.from({ length }, () => ({ properties: { order_value: 2 } })),
        });
        const refusal = (lengths: ReadonlyArray<number>) =>
          Given.refusal(simulate(scene.owner, { ...asked, samples: lengths.map(sample) }));
        expect(yield* refusal([1, 1_001])).toBe("samples.1.history: must have at most 1000 attributions");
        const tens = Array.from({ length: 10 }, () => 1_000);
        expect(yield* refusal([...tens, 1])).toBe(
          "samples: must have at most 10000 attributions in all histories together",
        );
        const results = yield* simulate(scene.owner, { ...asked, samples: tens.map(sample) });
        expect(results.map(({ result }) => result)).toEqual(tens.map(() => Either.right(2_000)));
      }),
    ),
  );

  it.effect("names the earlier attribution whose properties do not fit the schema", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene();
        const { simulate } = yield* formulas;
        const fine = { properties: { order_value: 1 } };
        const samples = [fine, { ...fine, history: [fine, { properties: { order_value: "2" } }] }];
        const simulation = { schemaId: scene.schemaId, currency: EUR, expression: revenue, samples };
        expect(yield* Given.refusal(simulate(scene.owner, simulation))).toBe(
          "samples.1.history.1.properties.order_value: must be a number",
        );
      }),
    ),
  );

  it.effect("names the sample whose properties do not fit the schema", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene();
        const { simulate } = yield* formulas;
        const samples = [{ properties: { order_value: 1 } }, { properties: {} }];
        const simulation = { schemaId: scene.schemaId, currency: EUR, expression: Given.percent(1), samples };
        expect(yield* Given.refusal(simulate(scene.owner, simulation))).toMatch(
          /^samples\.1\.properties\.order_value: /,
        );
      }),
    ),
  );
});

describe("a formula", () => {
  it.effect("is read with the defaults of its schema's properties", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene();
        const { id } = yield* (yield* AttributionSchemas.AttributionSchemas).create(scene.owner, {
          workspaceId: scene.workspaceId,
          name: "Lead",
          properties: [{ name: "order_value", type: "number", required: false, default: 700 }],
        });
        const lead = { ...scene, schemaId: id };
        yield* Given.formula(lead);
        yield* (yield* Attributions.Attributions).create(scene.owner, {
          ...Given.sale(lead, 0),
          properties: {},
        });
        expect(yield* Given.amounts(scene)).toEqual([70]);
      }),
    ),
  );

  it.effect("of another partner creates no commission", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene();
        yield* Given.formula(scene);
        const other = yield* Given.partner(scene);
        yield* Given.sell({ ...scene, partnerId: other }, 10_000);
        expect(yield* Given.commissions(scene)).toEqual([]);
      }),
    ),
  );

  it.effect("is found by a date in its window", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene();
        const id = yield* Given.formula(scene, { from: NOW, to: NOW + DAY });
        const { list } = yield* formulas;
        const found = (activeAt: number) =>
          Effect.map(list(scene.owner, { activeAt }), ({ items }) => items.map((item) => item.id));
        expect([yield* found(NOW - 1), yield* found(NOW), yield* found(NOW + DAY)]).toEqual([[], [id], []]);
        expect(
          yield* Given.refusal(list(scene.owner, { workspaceIds: Array(101).fill(Build.freshUuid()) })),
        ).toMatch(/^workspace_ids: must have at most/);
      }),
    ),
  );
});
