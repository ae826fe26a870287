import { Either } from "effect";
import { Formula } from "quittance";
import { Decider } from "quittance/testing";
import { describe, expect, it } from "vitest";

const at = (text: string): number => Date.parse(text);
const NOW = at("2026-06-01T00:00:00Z");
const RATE = { type: "literal", value: 1 } as never;
const OTHER_RATE = { type: "literal", value: 2 } as never;

type Command =
  | {
      readonly type: "update";
      readonly asked: Formula.Update;
      readonly expression?: typeof RATE;
      readonly newest?: number;
    }
  | { readonly type: "cancel"; readonly reason: string };

const given = Decider.specify({
  evolve: Formula.evolve,
  decide: (state: Formula.View | null, command: Command) => {
    if (state === null) throw new Error("a command needs a formula");
    return command.type === "cancel"
      ? Either.right({ events: Formula.cancel(state, command.reason) })
      : Either.map(
          Formula.update(state, command.asked, command.expression ?? null, {
            now: NOW,
            newest: command.newest ?? null,
          }),
          (events) => ({
            events,
          }),
        );
  },
});

const created = {
  type: "create_commission_formula",
  formula: RATE,
  name: "10 %",
  description: null,
  start_datetime: "2026-01-01T00:00:00.000Z",
  end_datetime: null,
  currency: "EUR" as never,
} as const;
const update = (asked: Formula.Update, expression?: typeof RATE): Command => ({
  type: "update",
  asked,
  ...(expression === undefined ? {} : { expression }),
});
const changed = (changes: object) => ({ type: "update_commission_formula", ...changes }) as const;
const cancelled = { type: "cancel_commission_formula", reason: "mistake" } as const;

const asked = (changes: Partial<Formula.Create> = {}): Formula.Create => ({
  partnerId: "p" as never,
  workspaceId: "w" as never,
  schemaId: "s" as never,
  name: "10 %",
  startDatetime: at("2026-01-01T00:00:00Z"),
  currency: "EUR" as never,
  expression: { type: "property", name: "cents" },
  ...changes,
});

describe("creating a formula", () => {
  it("makes it valid from its start on, without an end unless one is stated", () => {
    expect(Formula.create(asked(), RATE)).toEqual(Either.right(created));
    expect(
      Formula.create(asked({ endDatetime: at("2026-02-01T00:00:00Z"), description: "January" }), RATE),
    ).toEqual(Either.right({ ...created, description: "January", end_datetime: "2026-02-01T00:00:00.000Z" }));
  });

  it("is refused if the end is not after the start", () => {
    const refused = Formula.create(asked({ endDatetime: at("2026-01-01T00:00:00Z") }), RATE);
    expect(Either.mapLeft(refused, ({ message }) => message)).toEqual(
      Either.left("end_datetime: must be after start_datetime"),
    );
  });

  it("makes it active, with one expression for all dates", () => {
    given({ at: 7, actor: "a", event: created }).thenState({
      currency: "EUR" as never,
      name: "10 %",
      description: null,
      startDatetime: at("2026-01-01T00:00:00Z"),
      endDatetime: null,
      versions: [{ expression: RATE, effectiveDatetime: null }],
      status: "active",
      cancelReason: null,
      createdAt: 7,
    });
    given({ ...created, end_datetime: "2026-02-01T00:00:00.000Z" }).thenState({
      endDatetime: at("2026-02-01T00:00:00Z"),
    });
  });

  it("is the first event of its log", () => {
    expect(() => given(cancelled)).toThrow("a formula's log begins with create_commission_formula");
  });
});

describe("changing a formula", () => {
  it("records the fields that change, and nothing when none does", () => {
    given(created).when(update({})).then();
    given(created)
      .when(update({ name: "10 %", startDatetime: at("2026-01-01T00:00:00Z"), endDatetime: null }))
      .then();
    given(created)
      .when(update({ description: null }))
      .then();
    given(created)
      .when(update({ name: "12 %", description: "raised" }))
      .then(changed({ name: "12 %", description: "raised" }))
      .thenState({
        name: "12 %",
        description: "raised",
        startDatetime: at("2026-01-01T00:00:00Z"),
        endDatetime: null,
        versions: [{ expression: RATE, effectiveDatetime: null }],
      });
  });

  it("moves its dates; null clears the end and leaves the name and the start", () => {
    given({ ...created, end_datetime: "2026-02-01T00:00:00.000Z" })
      .when(update({ endDatetime: null, name: null, startDatetime: null }))
      .then(changed({ end_datetime: null }))
      .thenState({ endDatetime: null, name: "10 %" });
    given(created)
      .when(update({ startDatetime: at("2026-02-01T00:00:00Z"), endDatetime: at("2026-03-01T00:00:00Z") }))
      .then(changed({ start_datetime: "2026-02-01T00:00:00.000Z", end_datetime: "2026-03-01T00:00:00.000Z" }))
      .thenState({
        startDatetime: at("2026-02-01T00:00:00Z"),
        endDatetime: at("2026-03-01T00:00:00Z"),
        name: "10 %",
      });
  });

  it("is refused if the window that results is empty", () => {
    given(created)
      .when(update({ endDatetime: at("2026-01-01T00:00:00Z") }))
      .thenRefused("Invalid", "end_datetime: must be after start_datetime");
    given({ ...created, end_datetime: "2026-02-01T00:00:00.000Z" })
      .when(update({ startDatetime: at("2026-02-01T00:00:00Z") }))
      .thenRefused("Invalid", "end_datetime: must be after start_datetime");
  });

  it("keeps a description that it does not name", () => {
    given({ ...created, description: "old" })
      .when(update({ name: "12 %" }))
      .then(changed({ name: "12 %" }))
      .thenState({ name: "12 %", description: "old" });
  });

  it("stores 0 in place of the default −0 of a parameter", () => {
    const parameters = [{ name: "rate", type: "number", default: -0 }] as const;
    const stored = [{ name: "rate", type: "number", default: 0 }] as const;
    expect(Formula.create(asked({ parameters }), RATE)).toMatchObject({ right: { parameters: stored } });
    given(created).when(update({ parameters })).thenState({ parameters: stored });
  });

  it("clears a description with null", () => {
    given({ ...created, description: "old" })
      .when(update({ description: null }))
      .then(changed({ description: null }))
      .thenState({ description: null });
  });

  it("sets another expression from now on, or from a date in the past", () => {
    given(created)
      .when(update({}, OTHER_RATE))
      .then(changed({ formula: OTHER_RATE, effective_datetime: "2026-06-01T00:00:00.000Z" }))
      .thenState({
        versions: [
          { expression: RATE, effectiveDatetime: null },
          { expression: OTHER_RATE, effectiveDatetime: NOW },
        ],
      });
    given(created)
      .when(update({ effectiveDatetime: at("2026-02-01T00:00:00Z") }, OTHER_RATE))
      .then(changed({ formula: OTHER_RATE, effective_datetime: "2026-02-01T00:00:00.000Z" }));
  });

  it("sets another expression from after the newest attribution on, if that is not before now", () => {
    const from = (newest: number, asked: Formula.Update = {}): Command => ({
      type: "update",
      asked,
      expression: OTHER_RATE,
      newest,
    });
    const holdsFrom = (moment: string) => changed({ formula: OTHER_RATE, effective_datetime: moment });
    given(created)
      .when(from(NOW - 1))
      .then(holdsFrom("2026-06-01T00:00:00.000Z"));
    given(created).when(from(NOW)).then(holdsFrom("2026-06-01T00:00:00.001Z"));
    given(created)
      .when(from(NOW + 5))
      .then(holdsFrom("2026-06-01T00:00:00.006Z"));
    given(created)
      .when(from(NOW, { effectiveDatetime: NOW - 5 }))
      .then(holdsFrom("2026-05-31T23:59:59.995Z"));
  });

  it("sets an expression ahead of its date, and never by the default date", () => {
    const stated = { formula: OTHER_RATE, effective_datetime: "2026-06-01T00:00:00.001Z" };
    given(created)
      .when(update({ effectiveDatetime: NOW + 1 }, OTHER_RATE))
      .then(changed({ ...stated, ahead: true }))
      .thenState({
        versions: [
          { expression: RATE, effectiveDatetime: null },
          { expression: OTHER_RATE, effectiveDatetime: NOW + 1, ahead: true },
        ],
      });
    given(created)
      .when({ type: "update", asked: {}, expression: OTHER_RATE, newest: NOW })
      .then(changed(stated));
    given(created)
      .when(update({ effectiveDatetime: NOW }, OTHER_RATE))
      .then(changed({ formula: OTHER_RATE, effective_datetime: "2026-06-01T00:00:00.000Z" }));
  });

  it("that would replace versions ahead says what becomes of them", () => {
    const ahead = (formula: typeof RATE, date: string) =>
      ({ formula, effective_datetime: `${date}T00:00:00.000Z`, ahead: true }) as const;
    const [second, third] = [ahead(OTHER_RATE, "2026-08-01"), ahead(RATE, "2026-10-01")];
    const log = [created, changed(second), changed(third)] as const;
    const inSeptember = { effectiveDatetime: at("2026-09-01T00:00:00Z") };
    const expression = { type: "literal", value: 3 } as never;
    given(...log)
      .when(update(inSeptember, expression))
      .thenRefused(
        "versions_ahead",
        "versions_ahead: the expression would replace version 3 from 2026-10-01T00:00:00.000Z on; state versions_ahead: keep to state them again after it, or withdraw",
      );
    given(...log)
      .when(update({ ...inSeptember, versionsAhead: "keep" }, expression))
      .then(
        changed({ withdrawn_versions: [3], ...ahead(expression, "2026-09-01"), later_versions: [third] }),
      );
    given(...log)
      .when(update({ versionsAhead: "withdraw" }, expression))
      .then(
        changed({
          withdrawn_versions: [2, 3],
          formula: expression,
          effective_datetime: "2026-06-01T00:00:00.000Z",
        }),
      );
    given(...log)
      .when(update({ effectiveDatetime: at("2026-11-01T00:00:00Z") }, expression))
      .then(changed(ahead(expression, "2026-11-01")));
    given(...log)
      .when(update({ versionsAhead: "keep" }, RATE))
      .then();
    given(...log)
      .when(update({ versionsAhead: "withdraw" }, RATE))
      .then(changed({ withdrawn_versions: [2, 3] }));
  });

  it("that repeats the expression in force changes nothing", () => {
    given(created).when(update({}, RATE)).then();
    given(created)
      .when(update({ effectiveDatetime: at("1969-12-31T00:00:00Z") }, RATE))
      .then();
    const second = changed({ formula: OTHER_RATE, effective_datetime: "2026-03-01T00:00:00.000Z" });
    given(created, second)
      .when(update({ effectiveDatetime: at("2026-03-01T00:00:00Z") }, OTHER_RATE))
      .then();
    given(created, second)
      .when(update({ effectiveDatetime: at("2026-02-01T00:00:00Z") }, OTHER_RATE))
      .then(changed({ formula: OTHER_RATE, effective_datetime: "2026-02-01T00:00:00.000Z" }));
    given(created, second)
      .when(update({}, RATE))
      .then(changed({ formula: RATE, effective_datetime: "2026-06-01T00:00:00.000Z" }));
  });

  it("is refused once it is cancelled", () => {
    given(created, cancelled)
      .when(update({ name: "12 %" }))
      .thenRefused("formula_cancelled", "formula_cancelled: a cancelled formula cannot be changed");
  });

  it("is refused before the formula is read if the request contradicts itself", () => {
    const message = (request: Formula.Update) =>
      Either.match(Formula.checkUpdate(request), { onLeft: ({ message }) => message, onRight: () => null });
    expect(message({})).toBe(null);
    expect(message({ effectiveDatetime: null })).toBe(null);
    expect(message({ effectiveDatetime: 5 })).toBe(
      "effective_datetime: is allowed only together with an expression",
    );
    expect(message({ effectiveDatetime: 5, expression: { type: "property", name: "amount" } })).toBe(null);
    expect(message({ effectiveDatetime: 5, expressionText: "amount" })).toBe(null);
    expect(message({ effectiveOn: "2026-03-01" })).toBe(
      "effective_on: is allowed only together with an expression",
    );
    expect(message({ versionsAhead: "keep" })).toBe(
      "versions_ahead: is allowed only together with an expression",
    );
    expect(message({ effectiveOn: "2026-03-01", effectiveDatetime: 5, expressionText: "amount" })).toBe(
      "effective_on: must not be given together with effective_datetime",
    );
    expect(message({ effectiveOn: "1969-12-31", expressionText: "amount" })).toBe(
      "effective_on: must be 1970-01-01 or later",
    );
    expect(message({ effectiveOn: "1970-01-01", effectiveDatetime: null, expressionText: "amount" })).toBe(
      null,
    );
    expect(message({ startDatetime: 5, endDatetime: 5 })).toBe("end_datetime: must be after start_datetime");
    expect(message({ startDatetime: 5, endDatetime: 6 })).toBe(null);
    expect(message({ startDatetime: 5, endDatetime: null })).toBe(null);
    expect(message({ startDatetime: 5 })).toBe(null);
    expect(message({ startDatetime: null, endDatetime: 5 })).toBe(null);
    expect(message({ startDatetime: null, endDatetime: 0 })).toBe(null);
  });
});

describe("cancelling a formula", () => {
  it("keeps the reason; a second cancellation keeps the first reason", () => {
    given(created)
      .when({ type: "cancel", reason: "mistake" })
      .then(cancelled)
      .thenState({ status: "cancelled", cancelReason: "mistake" });
    given(created, cancelled).when({ type: "cancel", reason: "again" }).then();
  });
});

describe("the version of a formula", () => {
  const view = (...effective: ReadonlyArray<number>): Formula.View => ({
    ...(given(created).state as Formula.View),
    versions: [
      { expression: RATE, effectiveDatetime: null },
      ...effective.map((date) => ({ expression: OTHER_RATE, effectiveDatetime: date })),
    ],
  });

  it("at a moment is the last one whose date is not after the moment", () => {
    expect(Formula.versionAt(view(), 5)).toBe(1);
    expect(Formula.versionAt(view(10), 9)).toBe(1);
    expect(Formula.versionAt(view(10), 10)).toBe(2);
    expect(Formula.versionAt(view(10, 20), 15)).toBe(2);
    expect(Formula.versionAt(view(10, 20), 20)).toBe(3);
  });

  it("that is set later for an earlier date replaces all versions from that date on", () => {
    expect(Formula.versionAt(view(20, 10), 25)).toBe(3);
    expect(Formula.versionAt(view(20, 10), 5)).toBe(1);
  });

  it("that is shown is the one that was set last", () => {
    expect(Formula.currentExpression(view(), 0)).toBe(RATE);
    expect(Formula.currentExpression(view(10), 0)).toBe(OTHER_RATE);
  });
});

describe("the window of a formula", () => {
  it("includes its start and excludes its end", () => {
    const view = { ...(given(created).state as Formula.View), startDatetime: 10, endDatetime: 20 };
    expect([9, 10, 19, 20].map((moment) => Formula.covers(view, moment))).toEqual([false, true, true, false]);
    expect(Formula.covers({ ...view, endDatetime: null }, 1_000)).toBe(true);
  });
});
