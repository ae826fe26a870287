import { Either } from "effect";
import { Commission, SettledElsewhere } from "quittance";
import { describe, expect, it } from "vitest";

const SOLD = Date.UTC(2025, 10, 2);
const NOW = Date.UTC(2026, 0, 1);
const check = (at: number, occurredAt: number | undefined) =>
  Either.match(SettledElsewhere.check({ at }, occurredAt, NOW), {
    onLeft: ({ message }) => message,
    onRight: () => "accepted",
  });

describe("the moment at which a sale was settled elsewhere", () => {
  it("is between the sale and now, both included", () => {
    expect(check(SOLD, SOLD)).toBe("accepted");
    expect(check(NOW, SOLD)).toBe("accepted");
    expect(check(SOLD - 1, SOLD)).toBe("settled_elsewhere.at: must not be before occurred_at");
    expect(check(NOW + 1, SOLD)).toBe("settled_elsewhere.at: must not be in the future");
  });

  it("needs the date of the sale", () => {
    expect(check(SOLD, undefined)).toBe("occurred_at: is required with settled_elsewhere");
    expect(SettledElsewhere.check(undefined, undefined, NOW)).toEqual(Either.void);
  });

  it("is read back from what events state, with its reference or without one", () => {
    for (const reference of ["PO-7", null])
      expect(SettledElsewhere.settledOf(SettledElsewhere.stated({ at: SOLD, reference }))).toEqual({
        at: SOLD,
        reference,
      });
    expect(SettledElsewhere.stated({ at: SOLD })).toEqual({ at: "2025-11-02T00:00:00.000Z" });
  });

  it("is the same where the moment and the reference are", () => {
    const one = { at: SOLD, reference: "PO-7" };
    expect(SettledElsewhere.isSame(one, one)).toBe(true);
    expect(SettledElsewhere.isSame(null, null)).toBe(true);
    expect(SettledElsewhere.isSame(one, { at: SOLD })).toBe(false);
    expect(SettledElsewhere.isSame(one, { ...one, at: NOW })).toBe(false);
    expect(SettledElsewhere.isSame(null, one)).toBe(false);
  });
});

describe("a new commission of such a sale", () => {
  const begun = { receipt: null, settledElsewhere: { at: SOLD, reference: null } };

  it("settles its whole amount, also one of 0 or below", () => {
    for (const amount of [100, 0, -100])
      expect(
        Commission.begin(
          Either.right({ amount, formulaVersion: 1, parametersVersion: null }),
          { release: null },
          begun,
        ),
      ).toEqual([
        { type: "create_commission", amount, formula_version: 1 },
        { type: "settle_elsewhere", amount, at: "2025-11-02T00:00:00.000Z" },
      ]);
  });

  it("settles nothing where its amount could not be computed", () => {
    const failed = Either.left({ code: "OVERFLOW", message: "too large" });
    expect(Commission.begin(failed, { release: null }, begun)).toHaveLength(1);
  });
});
