import { Either } from "effect";
import { AffectedSpan, CommissionPlan, type Event, Formula } from "quittance";
import { describe, expect, it } from "vitest";

const at = (text: string): number => Date.parse(text);
const [JANUARY, FEBRUARY, MARCH, APRIL, MAY] = ["01", "02", "03", "04", "05"].map((month) =>
  at(`2026-${month}-01T00:00:00Z`),
) as [number, number, number, number, number];
const NOW = at("2026-06-01T00:00:00Z");
const PLAN = "01890a5d-ac96-774b-bcce-b302099a8057";
const OTHER_PLAN = "01890a5d-ac96-774b-bcce-b302099a8058";
const RATE = { type: "literal", value: 1 } as never;
const OTHER_RATE = { type: "literal", value: 2 } as never;
const iso = (moment: number): string => new Date(moment).toISOString();

const created: CommissionPlan.PlanEvent = {
  type: "create_commission_plan",
  formula: RATE,
  name: "Affiliates",
  description: null,
  start_datetime: iso(JANUARY),
  end_datetime: null,
  currency: "EUR" as never,
};

type Log = ReadonlyArray<Event.Entry<CommissionPlan.PlanEvent>>;

/** The log of a plan: its events, a second apart from {@link NOW} on. */
const logOf = (...events: ReadonlyArray<CommissionPlan.PlanEvent>): Log =>
  events.map((event, index) => ({ at: NOW + 1_000 * index, actor: "owner", event }));

const planOf = (log: Log) => ({
  ...log.reduce<CommissionPlan.View | null>(CommissionPlan.evolve, null),
  ...{ id: PLAN, customerId: "c", workspaceId: "w", schemaId: "s", version: log.length },
});

/** A plan as the functions take it. */
const asPlan = (log: Log) => planOf(log) as unknown as Parameters<typeof CommissionPlan.assign>[0];

type Bounds = CommissionPlan.Bounds;
const WHOLE: Bounds = { startDatetime: null, endDatetime: null };

/** The formula that assigning creates, and its events. */
const assigned = (log: Log, bounds: Bounds = WHOLE): Formula.Formula => {
  const event = Either.getOrThrow(CommissionPlan.assign(asPlan(log), "p" as never, bounds, []));
  if (event === null) throw new Error("the assignment is new");
  return {
    ...Formula.evolve(null, { at: NOW, actor: "owner", event }),
    ...{ id: "f", customerId: "c", workspaceId: "w", schemaId: "s", partnerId: "p" },
  } as Formula.Formula;
};

const advance = (formula: Formula.Formula, events: ReadonlyArray<Formula.FormulaEvent>): Formula.Formula => ({
  ...formula,
  ...events.reduce<Formula.View>(
    (view, event) => Formula.evolve(view, { at: NOW, actor: "owner", event }),
    formula,
  ),
});

const windowOf = ({ startDatetime, endDatetime }: Formula.View) => [startDatetime, endDatetime];

const changed = (changes: object) =>
  ({ type: "update_commission_plan", ...changes }) as CommissionPlan.PlanEvent;

describe("a plan", () => {
  it("is computed from its events, which have the fields of a formula's events", () => {
    const log = logOf(
      created,
      changed({
        name: "Partners",
        formula: OTHER_RATE,
        effective_datetime: iso(MARCH),
        end_datetime: iso(MAY),
      }),
      { type: "cancel_commission_plan", reason: "mistake" },
    );
    expect(planOf(log)).toMatchObject({
      name: "Partners",
      startDatetime: JANUARY,
      endDatetime: MAY,
      versions: [
        { expression: RATE, effectiveDatetime: null },
        { expression: OTHER_RATE, effectiveDatetime: MARCH },
      ],
      status: "cancelled",
      cancelReason: "mistake",
      createdAt: NOW,
    });
  });

  it("that is cancelled cannot change, and a change without a difference records no event", () => {
    const view = planOf(logOf(created)) as CommissionPlan.View;
    expect(CommissionPlan.update(view, { name: "Affiliates" }, RATE, { now: NOW, isUsed: true })).toEqual(
      Either.right([]),
    );
    const cancelled = planOf(
      logOf(created, { type: "cancel_commission_plan", reason: "mistake" }),
    ) as CommissionPlan.View;
    expect(CommissionPlan.cancel(cancelled, "again")).toEqual([]);
    expect(CommissionPlan.update(cancelled, { name: "New" }, null, { now: NOW, isUsed: true })).toMatchObject(
      {
        left: { token: "plan_cancelled" },
      },
    );
  });
});

describe("an assignment", () => {
  const log = logOf(created, changed({ end_datetime: iso(APRIL) }));

  it.each([
    ["without bounds covers the plan's window", WHOLE, [JANUARY, APRIL]],
    ["that starts later", { startDatetime: FEBRUARY, endDatetime: null }, [FEBRUARY, APRIL]],
    ["that starts earlier and ends within", { startDatetime: 0, endDatetime: MARCH }, [JANUARY, MARCH]],
    ["that ends later", { startDatetime: null, endDatetime: MAY }, [JANUARY, APRIL]],
    ["after the plan's end is empty", { startDatetime: MAY, endDatetime: null }, [MAY, MAY]],
    ["before the plan's start is empty", { startDatetime: 0, endDatetime: 1 }, [JANUARY, JANUARY]],
  ] as const)("%s", (_, bounds, window) => {
    expect(windowOf(assigned(log, bounds))).toEqual(window);
  });

  it.each([
    ["the same bounds", { startDatetime: FEBRUARY, endDatetime: MARCH }, null],
    ["inside it", { startDatetime: FEBRUARY + 1, endDatetime: MARCH }, "plan_assignment"],
    ["around it", WHOLE, "plan_assignment"],
    ["until its start", { startDatetime: null, endDatetime: FEBRUARY }, "new"],
    ["until after its start", { startDatetime: null, endDatetime: FEBRUARY + 1 }, "plan_assignment"],
    ["from its end on", { startDatetime: MARCH, endDatetime: null }, "new"],
    ["from before its end on", { startDatetime: MARCH - 1, endDatetime: null }, "plan_assignment"],
  ] as const)("beside another one: %s", (_, bounds, expected) => {
    const existing = assigned(log, { startDatetime: FEBRUARY, endDatetime: MARCH });
    const outcome = CommissionPlan.assign(asPlan(log), "p" as never, bounds, [existing]);
    const found = Either.match(outcome, {
      onLeft: (refusal) => ("token" in refusal ? refusal.token : refusal.field),
      onRight: (event) => (event === null ? null : "new"),
    });
    expect(found).toBe(expected);
  });

  it("does not overlap a withdrawn assignment or one to another plan", () => {
    const existing = assigned(log);
    const withdrawn = advance(existing, CommissionPlan.unassign(existing, JANUARY));
    expect(CommissionPlan.assign(asPlan(log), "p" as never, WHOLE, [withdrawn])).toMatchObject({
      right: { type: "create_commission_formula" },
    });
    const other = { ...asPlan(log), id: OTHER_PLAN } as ReturnType<typeof asPlan>;
    expect(CommissionPlan.assign(other, "p" as never, WHOLE, [existing])).toMatchObject({
      right: { type: "create_commission_formula" },
    });
  });
});

describe("applying a plan's events to a formula", () => {
  const first = logOf(created);
  const log = logOf(
    created,
    changed({ start_datetime: iso(FEBRUARY), name: "Second" }),
    changed({ formula: OTHER_RATE, effective_datetime: iso(MARCH) }),
    changed({ end_datetime: iso(APRIL) }),
  );

  it("appends one entry for each event, in order, with the plan's actor and time", () => {
    const entries = CommissionPlan.unappliedEntries(assigned(first), NOW, log);
    expect(entries.map(({ at: moment, actor }) => [moment, actor])).toEqual([
      [NOW + 1_000, "owner"],
      [NOW + 2_000, "owner"],
      [NOW + 3_000, "owner"],
    ]);
    const reached = advance(
      assigned(first),
      entries.map(({ event }) => event),
    );
    expect(windowOf(reached)).toEqual([FEBRUARY, APRIL]);
    expect(reached).toMatchObject({
      name: "Second",
      versions: planOf(log).versions,
      assignment: { planRevision: 4 },
    });
  });

  it("never dates an entry before the formula's last one", () => {
    const entries = CommissionPlan.unappliedEntries(assigned(first), NOW + 2_500, log);
    expect(entries.map(({ at: moment }) => moment)).toEqual([NOW + 2_500, NOW + 2_500, NOW + 3_000]);
  });

  it("results in the same formula whether events are applied one by one or together", () => {
    let oneByOne = assigned(first, { startDatetime: null, endDatetime: MARCH });
    for (let length = 2; length <= log.length; length++) {
      const entries = CommissionPlan.unappliedEntries(oneByOne, NOW, log.slice(0, length));
      expect(entries.length).toBe(1);
      oneByOne = advance(
        oneByOne,
        entries.map(({ event }) => event),
      );
    }
    const together = assigned(first, { startDatetime: null, endDatetime: MARCH });
    expect(oneByOne).toEqual(
      advance(
        together,
        CommissionPlan.unappliedEntries(together, NOW, log).map(({ event }) => event),
      ),
    );
    expect(CommissionPlan.unappliedEntries(oneByOne, NOW, log)).toEqual([]);
  });

  it("results in the formula of a later assignment, apart from the log", () => {
    const before = assigned(first);
    const reached = advance(
      before,
      CommissionPlan.unappliedEntries(before, NOW, log).map(({ event }) => event),
    );
    expect({ ...reached, createdAt: 0 }).toEqual({ ...assigned(log), createdAt: 0 });
  });

  it("cancels the formula with the plan, with the plan's reason", () => {
    const cancelled = logOf(created, { type: "cancel_commission_plan", reason: "mistake" });
    const [entry] = CommissionPlan.unappliedEntries(assigned(first), NOW, cancelled);
    expect(advance(assigned(first), entry === undefined ? [] : [entry.event])).toMatchObject({
      status: "cancelled",
      cancelReason: "mistake",
      assignment: { planRevision: 2 },
    });
  });
});

describe("ending an assignment", () => {
  const formula = assigned(logOf(created), { startDatetime: FEBRUARY, endDatetime: null });
  const ended = (end: number, from = formula) => advance(from, CommissionPlan.unassign(from, end));

  it.each([
    ["after its start: it ends there", MARCH, [FEBRUARY, MARCH]],
    ["at its start: it is withdrawn", FEBRUARY, [FEBRUARY, FEBRUARY]],
    ["before its start: it is withdrawn", JANUARY, [FEBRUARY, FEBRUARY]],
  ])("%s", (_, end, window) => {
    expect(windowOf(ended(end))).toEqual(window);
  });

  it("never moves an end to a later date, and does not change a withdrawn assignment", () => {
    expect(CommissionPlan.unassign(ended(MARCH), APRIL)).toEqual([]);
    expect(CommissionPlan.unassign(ended(MARCH), MARCH)).toEqual([]);
    expect(windowOf(ended(MARCH - 1, ended(MARCH)))).toEqual([FEBRUARY, MARCH - 1]);
    for (const end of [JANUARY, FEBRUARY, MARCH])
      expect(CommissionPlan.unassign(ended(JANUARY), end)).toEqual([]);
  });
});

describe("changing a formula of a plan directly", () => {
  const log = logOf(created, changed({ end_datetime: iso(APRIL) }));
  const formula = assigned(log, { startDatetime: null, endDatetime: MARCH });
  const outcome = (asked: Formula.Update, from = formula, siblings: ReadonlyArray<Formula.Formula> = []) =>
    Either.match(CommissionPlan.updateAssigned(from, asked, [from, ...siblings]), {
      onLeft: (refusal) => ("token" in refusal ? refusal.token : refusal.message),
      onRight: (events) => windowOf(advance(from, events)),
    });

  it.each([
    ["an end of its own", { endDatetime: FEBRUARY }, [JANUARY, FEBRUARY]],
    ["an end after the plan's", { endDatetime: MAY }, [JANUARY, APRIL]],
    ["null, which is the plan's end", { endDatetime: null }, [JANUARY, APRIL]],
    ["nothing", {}, [JANUARY, MARCH]],
  ] as const)("accepts %s", (_, asked, window) => {
    expect(outcome(asked)).toEqual(window);
  });

  it.each([
    [
      "an end that is not after its start",
      { endDatetime: JANUARY },
      "end_datetime: must be after start_datetime",
    ],
    ["a name", { name: "Own" }, "formula_of_plan"],
    ["a description", { description: null }, "formula_of_plan"],
    ["a start", { startDatetime: FEBRUARY }, "formula_of_plan"],
    ["an expression", { expression: { type: "property", name: "cents" } }, "formula_of_plan"],
    ["an expression as text", { expressionText: "cents" }, "formula_of_plan"],
  ] as const)("refuses %s", (_, asked, refusal) => {
    expect(outcome(asked)).toBe(refusal);
  });

  it("refuses an end after the start of the partner's next assignment", () => {
    const next = {
      ...assigned(log, { startDatetime: MARCH, endDatetime: null }),
      id: "g",
    } as Formula.Formula;
    expect(outcome({ endDatetime: FEBRUARY }, formula, [next])).toEqual([JANUARY, FEBRUARY]);
    expect(outcome({ endDatetime: null }, formula, [next])).toBe("plan_assignment");
  });

  it("refuses a formula that is cancelled or whose assignment was withdrawn", () => {
    const withdrawn = advance(formula, CommissionPlan.unassign(formula, JANUARY));
    expect(outcome({ endDatetime: APRIL }, withdrawn)).toBe("formula_of_plan");
    const cancelled = advance(formula, [{ type: "cancel_commission_formula", reason: "mistake" }]);
    expect(outcome({ endDatetime: APRIL }, cancelled)).toBe("formula_cancelled");
  });

  it("cannot cancel it", () => {
    expect(CommissionPlan.checkChangeableAlone(formula)).toMatchObject({
      left: { token: "formula_of_plan" },
    });
    expect(CommissionPlan.checkChangeableAlone({ ...formula, assignment: null })).toEqual(Either.void);
  });
});

describe("the commissions that several changes at once affect", () => {
  const before = assigned(logOf(created));
  const reach = (...events: ReadonlyArray<CommissionPlan.PlanEvent>) => {
    const entries = CommissionPlan.unappliedEntries(before, NOW, logOf(created, ...events));
    return AffectedSpan.affectedSpan(
      before,
      advance(
        before,
        entries.map(({ event }) => event),
      ),
    );
  };

  it("are those from the earliest date of a new version on", () => {
    expect(
      reach(
        changed({ formula: OTHER_RATE, effective_datetime: iso(FEBRUARY) }),
        changed({ formula: RATE, effective_datetime: iso(APRIL) }),
      ),
    ).toEqual({ from: FEBRUARY, to: null });
  });

  it("are none when only the name changed, nor when both windows are empty", () => {
    expect(reach(changed({ name: "Second" }))).toBeNull();
    const empty = assigned(logOf(created), { startDatetime: 0, endDatetime: 1 });
    expect(AffectedSpan.affectedSpan(null, empty)).toBeNull();
  });
});
