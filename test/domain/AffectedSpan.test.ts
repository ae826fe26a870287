import { AffectedSpan, type Formula } from "quittance";
import { describe, expect, it } from "vitest";

const RATE = { type: "literal", value: 1 } as never;
const OTHER_RATE = { type: "literal", value: 2 } as never;

describe("the attributions that a change affects", () => {
  const base: Formula.View = {
    currency: "EUR" as never,
    name: "10 %",
    description: null,
    startDatetime: 10,
    endDatetime: 20,
    versions: [{ expression: RATE, effectiveDatetime: null }],
    parameters: [],
    roles: null,
    release: null,
    status: "active",
    cancelReason: null,
    createdAt: 0,
    assignment: null,
    parameterValues: [],
  };

  it("are all of its window when it is created", () => {
    expect(AffectedSpan.affectedSpan(null, base)).toEqual({ from: 10, to: 20 });
  });

  it("are those of both windows when it is cancelled or its dates move", () => {
    expect(AffectedSpan.affectedSpan(base, { ...base, status: "cancelled" })).toEqual({ from: 10, to: 20 });
    expect(AffectedSpan.affectedSpan(base, { ...base, startDatetime: 5 })).toEqual({ from: 5, to: 20 });
    expect(AffectedSpan.affectedSpan(base, { ...base, startDatetime: 15 })).toEqual({ from: 10, to: 20 });
    expect(AffectedSpan.affectedSpan(base, { ...base, endDatetime: 15 })).toEqual({ from: 10, to: 20 });
    expect(AffectedSpan.affectedSpan(base, { ...base, endDatetime: null })).toEqual({ from: 10, to: null });
    expect(AffectedSpan.affectedSpan({ ...base, endDatetime: null }, base)).toEqual({ from: 10, to: null });
  });

  it("are those from the effective date on when the expression changes", () => {
    const version = (effectiveDatetime: number | null): Formula.View => ({
      ...base,
      versions: [...base.versions, { expression: OTHER_RATE, effectiveDatetime }],
    });
    expect(AffectedSpan.affectedSpan(base, version(15))).toEqual({ from: 15, to: 20 });
    expect(AffectedSpan.affectedSpan(base, version(5))).toEqual({ from: 10, to: 20 });
    expect(AffectedSpan.affectedSpan(base, version(null))).toEqual({ from: 10, to: 20 });
  });

  it("are those from the date of a version on that is withdrawn, unless it was stated since", () => {
    const stated = { expression: OTHER_RATE, effectiveDatetime: 15, ahead: true } as const;
    const withVersion = (version: Formula.ExpressionVersion): Formula.View => ({
      ...base,
      versions: [...base.versions, version],
    });
    const withdrawn = withVersion({ ...stated, withdrawn: true });
    expect(AffectedSpan.affectedSpan(withVersion(stated), withdrawn)).toEqual({ from: 15, to: 20 });
    expect(AffectedSpan.affectedSpan(base, withdrawn)).toBe(null);
    expect(AffectedSpan.affectedSpan(withdrawn, withdrawn)).toBe(null);
  });

  it("are those at which a value differs when the partner's values change", () => {
    const rated: Formula.View = {
      ...base,
      parameters: [{ name: "rate", type: "number", default: 5 }],
      parameterValues: [
        { values: { rate: 7 }, effectiveDatetime: null },
        { values: { rate: 9 }, effectiveDatetime: 16 },
      ],
    };
    const stating = (rate: number | null, effectiveDatetime: number | null, change = {}): Formula.View => ({
      ...rated,
      ...change,
      parameterValues: [...rated.parameterValues, { values: { rate }, effectiveDatetime }],
    });
    expect(AffectedSpan.affectedSpan(rated, stating(8, 12))).toEqual({ from: 12, to: 16 });
    expect(AffectedSpan.affectedSpan(rated, stating(8, 3))).toEqual({ from: 10, to: 16 });
    expect(AffectedSpan.affectedSpan(rated, stating(8, 18))).toEqual({ from: 18, to: 20 });
    expect(AffectedSpan.affectedSpan(rated, stating(8, 25))).toBe(null);
    expect(AffectedSpan.affectedSpan(rated, stating(7, 12))).toBe(null);
    expect(AffectedSpan.affectedSpan(rated, stating(null, 16))).toEqual({ from: 16, to: 20 });
    const open = { endDatetime: null };
    expect(AffectedSpan.affectedSpan({ ...rated, ...open }, stating(8, 16, open))).toEqual({
      from: 16,
      to: null,
    });
    const versions: Formula.View["versions"] = [
      ...base.versions,
      { expression: OTHER_RATE, effectiveDatetime: 18 },
    ];
    expect(AffectedSpan.affectedSpan(rated, stating(8, 12, { versions }))).toEqual({ from: 12, to: 20 });
  });

  it("are none when only its name or description changes", () => {
    expect(AffectedSpan.affectedSpan(base, { ...base, name: "other" })).toBe(null);
  });
});
