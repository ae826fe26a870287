/** Laws of commission plans: the formulas that a plan assigned, those that it has not reached, and what its list shows. */
import { Effect } from "effect";
import { format } from "../../../domain/Timestamp.ts";
import { Storage } from "../../../ports/Storage.ts";
import * as Build from "../../Build.ts";
import { expectSame, expectSameSet, expectVersionConflict, type Law, law } from "../../Law.ts";
import * as Scene from "../../Scene.ts";
import { listAll } from "../../StateDump.ts";

const MOMENT = format(Build.EPOCH);

/**
 * Stores a plan at revision 2 and its formulas: of one partner a formula at each revision, of another one that was taken
 * back, and of a third one that another plan assigned.
 */
const createPlans = Effect.gen(function* () {
  const scene = yield* Scene.create();
  const { customerId } = scene;
  const others = [Build.partner(scene), Build.partner(scene)] as const;
  const [taken, third] = others.map(({ row }) => ({ ...scene, partnerId: row.id }));
  if (taken === undefined || third === undefined) return yield* Effect.die("two partners were built");
  const first = Build.plan(scene);
  const other = Build.plan(scene);
  yield* Scene.commit(customerId, [...others, first, other]);
  const behind = Build.formula(scene, Build.assignment(first.row));
  const next = Build.next("plan", first.row, [{ type: "update_commission_plan", name: "Second" }]);
  yield* Scene.commit(customerId, [behind, next]);
  const reached = Build.formula(scene, Build.assignment(next.row, { start_datetime: MOMENT }));
  const bounds = { start_datetime: MOMENT, end_datetime: MOMENT };
  const withdrawn = Build.formula(taken, {
    ...Build.assignment(first.row, bounds),
    ...bounds,
  });
  const elsewhere = Build.formula(third, Build.assignment(other.row));
  yield* Scene.commit(customerId, [reached, withdrawn, elsewhere]);
  return { scene, third, plan: next.row, other: other.row, behind, reached, withdrawn, elsewhere };
});

const behindPlan = Effect.gen(function* () {
  const storage = yield* Storage;
  const { scene, plan, behind, reached, withdrawn } = yield* createPlans;
  const find = (revision: number, limit = 100) =>
    storage.formulasBehindPlan(scene.customerId, plan.id, revision, limit);
  const byId = [behind.row, withdrawn.row].toSorted((a, b) => (a.id < b.id ? -1 : 1));
  yield* expectSame("formulas that have applied fewer than two events", yield* find(2), byId);
  yield* expectSame("the first of them", yield* find(2, 1), byId.slice(0, 1));
  yield* expectSame("formulas that have applied fewer than one event", yield* find(1), []);
  yield* expectSame("formulas that have applied fewer than three", (yield* find(3)).length, 3);
  const { assignment } = behind.row;
  if (assignment === null) return yield* Effect.die("the formula is assigned");
  const applied = Build.next("formula", behind.row, [
    { type: "update_commission_formula", name: "Second", ...Build.assignment(plan) },
  ]);
  yield* Scene.commit(scene.customerId, [applied]);
  yield* expectSame("the formulas that are left after one has applied them", yield* find(2), [withdrawn.row]);
  yield* expectSame(
    "a plan that does not exist",
    yield* storage.formulasBehindPlan(scene.customerId, Build.fresh.plan(), 9, 9),
    [],
  );
  yield* expectSame(
    "the formula that had applied them before",
    (yield* find(3)).map(({ id }) => id).includes(reached.row.id),
    true,
  );
});

const noFormulaOfPlan = Effect.gen(function* () {
  const { scene, plan } = yield* createPlans;
  const { customerId } = scene;
  const empty = Build.plan(scene);
  yield* Scene.commit(customerId, [empty]);
  const commitRequiring = (planId: typeof plan.id) =>
    Scene.commit(customerId, [Build.partner(scene)], { requires: [{ type: "no_formula_of_plan", planId }] });
  yield* commitRequiring(empty.row.id);
  yield* expectVersionConflict("a plan that has formulas", commitRequiring(plan.id));
  yield* Scene.commit(customerId, [Build.formula(scene, Build.assignment(empty.row))]);
  yield* expectVersionConflict("a plan that has gained a formula", commitRequiring(empty.row.id));
});

const parameterValues = Effect.gen(function* () {
  const storage = yield* Storage;
  const scene = yield* Scene.create();
  const { customerId } = scene;
  const parameters = [
    { name: "rate", type: "number", default: 0.1, format: "percent" },
    { name: "name", type: "string" },
  ] as const;
  const plan = Build.plan(scene, { parameters });
  yield* Scene.commit(customerId, [plan]);
  const formula = Build.formula(scene, {
    ...Build.assignment(plan.row),
    parameters,
    parameter_values: [{ values: { rate: 7.25, name: "é" }, effective_datetime: null }],
  });
  yield* Scene.commit(customerId, [formula]);
  const next = Build.next("formula", formula.row, [
    { type: "set_parameter_values", values: { rate: null, name: "0" }, effective_datetime: MOMENT },
  ]);
  yield* Scene.commit(customerId, [next]);
  yield* expectSame("the plan", yield* storage.find(customerId, "plan", [plan.row.id]), [plan.row]);
  yield* expectSame("its log", yield* storage.log(customerId, "plan", plan.row.id), plan.entries);
  const [found] = yield* storage.find(customerId, "formula", [formula.row.id]);
  yield* expectSame("the formula", found, next.row);
  yield* expectSame("its values", found?.parameterValues.length, 2);
  const entries = [...formula.entries, ...next.entries];
  yield* expectSame("its whole log", yield* storage.log(customerId, "formula", formula.row.id), entries);
  const listed = (yield* listAll(customerId, "formula")).find(({ id }) => id === formula.row.id);
  yield* expectSame("its events in a list", listed?.events, entries);
  const { formulas } = yield* storage.formulaSet(customerId, scene.partnerId, scene.schemaId);
  const own = formulas.filter(({ id }) => id === formula.row.id);
  yield* expectSame("the formula among those of its partner", own, [next.row]);
});

const setsOfPartners = Effect.gen(function* () {
  const storage = yield* Storage;
  const { scene, third, elsewhere } = yield* createPlans;
  const { customerId, partnerId, schemaId } = scene;
  const stranger = Build.fresh.partner();
  const partnerIds = [third.partnerId, partnerId, third.partnerId, stranger];
  const found = yield* storage.formulaSets(customerId, schemaId, partnerIds);
  const alone = yield* storage.formulaSet(customerId, partnerId, schemaId);
  yield* expectSameSet(
    "the sets of three partners, one of them named twice",
    found,
    [
      { partnerId, ...alone },
      { partnerId: third.partnerId, version: 0, formulas: [elsewhere.row] },
      { partnerId: stranger, version: 0, formulas: [] },
    ],
    (set) => set.partnerId,
  );
  yield* expectSame("no partner", yield* storage.formulaSets(customerId, schemaId, []), []);
});

const shown = Effect.gen(function* () {
  const { scene, plan, other, reached } = yield* createPlans;
  const show = Effect.map(listAll(scene.customerId, "plan"), (items) =>
    items.map(({ id, partnerCount, rollingOut }) => ({ id, partnerCount, ...rollingOut })),
  );
  const second = { id: other.id, partnerCount: 1, pending: 0, done: 1 };
  const expectProgress = (what: string, pending: number, done: number) =>
    Effect.flatMap(show, (found) =>
      expectSameSet(what, found, [{ id: plan.id, partnerCount: 1, pending, done }, second], ({ id }) => id),
    );
  yield* expectProgress("a plan that has reached one of three formulas", 2, 1);
  const { customerId } = scene;
  const walk = Build.flat("recomputation", {
    ...{ id: Build.fresh.recomputation(), customerId, formulaId: reached.row.id },
    ...{ from: Build.EPOCH, to: null, after: null, pending: true },
  });
  yield* Scene.commit(customerId, [walk]);
  yield* expectProgress("the same while that one is recomputed", 3, 0);
  yield* Scene.commit(customerId, [Build.flat("recomputation", { ...walk.row, pending: false })]);
  yield* expectProgress("the same afterwards", 2, 1);
});

/** Every law of commission plans. */
export const plans: ReadonlyArray<Law> = [
  law(
    "The formulas of a plan that have applied fewer than `revision` of its events, ordered by id, at most `limit`.",
    "before and after one of them applies an event",
    behindPlan,
  ),
  law("No formula belongs to the plan.", "before and after the plan has one", noFormulaOfPlan),
  law(
    "The whole log of a record, stored parts included, in order: for replay and audit.",
    "a plan with parameters, and a formula with values",
    parameterValues,
  ),
  law(
    "Version and formulas of each of the partners for one schema, of one snapshot, in any order.",
    "partners with and without formulas, and one that does not exist",
    setsOfPartners,
  ),
  law(
    "Partners with a formula of the plan whose assignment was not withdrawn.",
    "a partner with two formulas, one with a withdrawn assignment, one of another plan",
    shown,
  ),
  law(
    "Formulas that have not applied the plan's last event, or whose recomputation is pending.",
    "before, during and after a recomputation",
    shown,
  ),
  law(
    "How far a plan has reached its formulas; the two numbers add up to all of them.",
    "before, during and after a recomputation",
    shown,
  ),
];
