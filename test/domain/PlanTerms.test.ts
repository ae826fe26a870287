/** The spans of a partner's assignments, and what the hashes of their terms depend on. */

import { CommissionPlan, Currency, type Formula, Ids, PlanAgreement } from "quittance";
import { describe, expect, it } from "vitest";

const DAY = 86_400_000;
const START = Date.parse("2026-01-01T00:00:00Z");
const id = (last: number): string => `00000000-0000-4000-8000-${String(last).padStart(12, "0")}`;
const SALES = {
  id: Ids.SchemaId.make(id(1)),
  properties: [{ name: "amount", type: "number", required: true }],
} as const;

const rate = (value: number): Formula.ExpressionVersion["expression"] => ({
  type: "literal",
  value: { type: "number", value },
});

const formula = (overrides: Partial<Formula.Formula> = {}): Formula.Formula => ({
  id: Ids.FormulaId.make(id(2)),
  customerId: Ids.CustomerId.make(id(3)),
  parameters: [],
  roles: null,
  release: null,
  parameterValues: [],
  workspaceId: Ids.WorkspaceId.make(id(4)),
  partnerId: Ids.PartnerId.make(id(5)),
  schemaId: SALES.id,
  currency: Currency.Currency.make("EUR"),
  name: "Affiliates",
  description: null,
  startDatetime: START,
  endDatetime: null,
  versions: [{ expression: rate(1), effectiveDatetime: null }],
  status: "active",
  cancelReason: null,
  createdAt: START,
  assignment: {
    planId: Ids.PlanId.make(id(6)),
    planRevision: 1,
    planStartDatetime: START,
    planEndDatetime: null,
    startDatetime: null,
    endDatetime: null,
  },
  ...overrides,
});

const version = (value: number, day: number) => ({
  expression: rate(value),
  effectiveDatetime: START + day * DAY,
});
const first = { expression: rate(1), effectiveDatetime: null };

const spans = (overrides: Partial<Formula.Formula> = {}) => PlanAgreement.spansOf([formula(overrides)]);
const days = (found: ReturnType<typeof spans>) =>
  found.map(({ formulaVersion, fromDatetime, untilDatetime }) => [
    formulaVersion,
    (fromDatetime - START) / DAY,
    untilDatetime === null ? null : (untilDatetime - START) / DAY,
  ]);

describe("the spans of terms with parameters", () => {
  const reading = [{ expression: { type: "parameter", name: "rate" }, effectiveDatetime: null }] as const;
  const parameters = [
    { name: "rate", type: "number" },
    { name: "unread", type: "number", default: 1 },
  ] as const;
  const stated = (value: number, day: number | null, name = "rate") => ({
    values: { [name]: value },
    effectiveDatetime: day === null ? null : START + day * DAY,
  });

  it("are one for each value that the partner has of what the expression reads", () => {
    const parameterValues = [stated(7, null), stated(8, 10), stated(8, 20), stated(5, 30, "unread")];
    const found = spans({ versions: reading, parameters, parameterValues });
    expect(days(found)).toEqual([
      [1, 0, 10],
      [1, 10, null],
    ]);
    expect(found.map(({ values }) => values)).toEqual([{ rate: 7 }, { rate: 8 }]);
    const [one, other] = found.map((span) => PlanAgreement.ruleHash(span, SALES));
    expect(one).not.toBe(other);
  });

  it("state no values where the expression reads none, so that their hash stays", () => {
    const [span] = spans({ parameters, parameterValues: [stated(7, null)] });
    expect(span).not.toHaveProperty("values");
    expect(span && PlanAgreement.hashOf(span, SALES)).toBe(
      PlanAgreement.hashOf(spans()[0] as NonNullable<typeof span>, SALES),
    );
  });
});

describe("the spans of a partner's terms", () => {
  it("are one for each version that holds in the window", () => {
    expect(days(spans())).toEqual([[1, 0, null]]);
    const versions = [first, version(2, 10), version(3, 20)] as const;
    expect(days(spans({ versions }))).toEqual([
      [1, 0, 10],
      [2, 10, 20],
      [3, 20, null],
    ]);
    expect(days(spans({ versions, endDatetime: START + 15 * DAY }))).toEqual([
      [1, 0, 10],
      [2, 10, 15],
    ]);
  });

  it("follow the version stated last where an earlier one was corrected", () => {
    const versions = [first, version(2, 20), version(3, 10)] as const;
    expect(days(spans({ versions }))).toEqual([
      [1, 0, 10],
      [3, 10, null],
    ]);
    expect(days(spans({ versions: [first, version(2, -5)] }))).toEqual([[2, 0, null]]);
  });

  it("are none of what was cancelled, withdrawn or is of no plan", () => {
    expect(spans({ status: "cancelled" })).toEqual([]);
    expect(spans({ assignment: null })).toEqual([]);
    expect(spans({ endDatetime: START })).toEqual([]);
    const { assignment } = formula();
    if (assignment === null) throw new Error("the formula is of a plan");
    const withdrawn = { ...assignment, startDatetime: START, endDatetime: START };
    expect(CommissionPlan.isWithdrawn(withdrawn)).toBe(true);
    expect(spans({ assignment: withdrawn })).toEqual([]);
  });

  it("are chosen by a moment, before the first the one that begins next", () => {
    const found = spans({ versions: [first, version(2, 10)], endDatetime: START + 20 * DAY });
    const at = (day: number) => PlanAgreement.spanAt(found, START + day * DAY)?.formulaVersion;
    expect([at(-1), at(0), at(9), at(10), at(19), at(20)]).toEqual([1, 1, 1, 2, 2, undefined]);
  });
});

describe("the hash of terms", () => {
  const hashOf = (overrides: Partial<Formula.Formula> = {}, sales: PlanAgreement.Sales = SALES) => {
    const [span] = spans(overrides);
    if (span === undefined) throw new Error("there is a span");
    return [PlanAgreement.hashOf(span, sales), PlanAgreement.ruleHash(span, sales)] as const;
  };
  const [hash, rule] = hashOf();

  it("does not depend on names, the next version, or whose they are", () => {
    expect(hashOf({ name: "Partners", description: "in other words" })).toEqual([hash, rule]);
    expect(hashOf({ versions: [first, version(2, 10)] })).toEqual([hash, rule]);
    expect(hashOf({ partnerId: Ids.PartnerId.make(id(9)), id: Ids.FormulaId.make(id(8)) })).toEqual([
      hash,
      rule,
    ]);
  });

  it("depends on the rule", () => {
    for (const changed of [
      hashOf({ versions: [{ expression: rate(2), effectiveDatetime: null }] }),
      hashOf({ currency: Currency.Currency.make("USD") }),
      hashOf({}, { ...SALES, id: Ids.SchemaId.make(id(7)) }),
      hashOf({}, { ...SALES, properties: [{ ...SALES.properties[0], required: false }] }),
    ]) {
      expect(changed[0]).not.toBe(hash);
      expect(changed[1]).not.toBe(rule);
    }
  });

  it("depends on the dates, and that of the rule does not", () => {
    expect(hashOf({ endDatetime: START + DAY })[0]).not.toBe(hash);
    expect(hashOf({ startDatetime: START + DAY })[0]).not.toBe(hash);
    expect(hashOf({ endDatetime: START + DAY })[1]).toBe(rule);
  });
});
