import { Either } from "effect";
import { Currency, Limits, PlanTrial } from "quittance";
import { Build } from "quittance/testing";
import { describe, expect, it } from "vitest";

const { EPOCH, DAY, fresh } = Build;
const EUR = Currency.Currency.make("EUR");
const span = { from: EPOCH, to: EPOCH + DAY };

const sums = (amountNow: number, amountThen: number): PlanTrial.Sums => ({
  salesCount: 1,
  notComputableCount: 0,
  amountNow: String(amountNow),
  amountThen: String(amountThen),
});

const empty = PlanTrial.NOTHING_COMPUTED.distribution;

/** The range in percent in which a partner with these amounts is counted. */
const rangeOf = (amountNow: number, amountThen: number) => {
  const counts = PlanTrial.distribute(empty, [sums(amountNow, amountThen)]);
  expect(counts.reduce((all, count) => all + count, 0)).toBe(1);
  const { from, to } = PlanTrial.CHANGE_RANGES[counts.indexOf(1)] ?? {};
  return [from, to];
};

describe("the distribution of a trial", () => {
  it("has one count for each range, from the largest loss to the largest gain", () => {
    expect(empty).toHaveLength(PlanTrial.CHANGE_RANGES.length);
    expect(PlanTrial.CHANGE_RANGES.map(({ from, to }) => `${from} to ${to}`)).toEqual([
      "null to -50",
      "-50 to -25",
      "-25 to -10",
      "-10 to 0",
      "0 to 0",
      "0 to 10",
      "10 to 25",
      "25 to 50",
      "50 to null",
    ]);
  });

  it.each([
    [1_000, 0, [null, -50]],
    [1_000, 499, [null, -50]],
    [1_000, 500, [-50, -25]],
    [1_000, 750, [-25, -10]],
    [1_000, 900, [-10, 0]],
    [1_000, 999, [-10, 0]],
    [1_000, 1_000, [0, 0]],
    [1_000, 1_001, [0, 10]],
    [1_000, 1_100, [0, 10]],
    [1_000, 1_101, [10, 25]],
    [1_000, 1_250, [10, 25]],
    [1_000, 1_500, [25, 50]],
    [1_000, 1_501, [50, null]],
    [0, 0, [0, 0]],
    [0, 1, [50, null]],
    [0, -1, [null, -50]],
    [-1_000, -900, [0, 10]],
    [-1_000, -1_100, [-10, 0]],
  ])("counts a change from %d to %d in %j", (now, then, range) => {
    expect(rangeOf(now, then)).toEqual(range);
  });
});

describe("the largest changes", () => {
  const change = (now: number, then: number, added: number): PlanTrial.SaleChange => ({
    ...{ partnerId: fresh.partner(), attributionId: null, added },
    ...{ occurredAt: EPOCH, occurredOn: "2026-01-01" },
    now: { amount: String(now), parts: [] },
    then: { amount: String(then), parts: [] },
  });

  it("are the ten with the largest differences in either direction, of equal ones the first", () => {
    const changes = Array.from({ length: 12 }, (_, index) => change(100, 100 + index, index));
    const all = [change(0, 5, 100), ...changes, change(50, 0, 101)];
    expect(PlanTrial.largestChanges(all).map(({ added }) => added)).toEqual([
      101, 11, 10, 9, 8, 7, 6, 100, 5, 4,
    ]);
    expect(PlanTrial.largestChanges(all)).toHaveLength(Limits.TRIAL_CHANGES_MAX);
  });
});

describe("sums", () => {
  it("are exact beyond the largest amount", () => {
    const largest = sums(Limits.MAX_AMOUNT, -Limits.MAX_AMOUNT);
    const total = PlanTrial.addSums([largest, largest, PlanTrial.NO_SUMS]);
    expect(total).toEqual({
      ...{ salesCount: 2, notComputableCount: 0, waitingNow: "0", waitingThen: "0" },
      amountNow: "18014398509481982",
      amountThen: "-18014398509481982",
    });
    expect(PlanTrial.showSums(total).difference).toBe(-36028797018963964n);
  });
});

describe("the totals of an amount", () => {
  it("are the same after they were stored", () => {
    const totals = [
      { rows: 3, numerator: 10n ** 30n },
      { rows: 0, numerator: null },
    ];
    expect(PlanTrial.decodeTotals({ totals: PlanTrial.encodeTotals(totals) })).toEqual(totals);
  });
});

describe("the month of a sale", () => {
  it("is that of UTC", () => {
    expect(PlanTrial.monthOf("2025-12-31")).toBe("2025-12");
    expect(PlanTrial.monthOf("2026-01-01")).toBe("2026-01");
    expect(PlanTrial.monthOf("0001-01-01")).toBe("0001-01");
  });
});

describe("what a request tries", () => {
  const planId = fresh.plan();
  const terms = { workspaceId: fresh.workspace(), schemaId: fresh.schema(), currency: EUR };
  const subject = (input: Partial<PlanTrial.Start>) => PlanTrial.subjectOf({ ...span, ...input });

  it("is a plan or the terms of a draft", () => {
    expect(subject({ planId })).toEqual(Either.right({ planId }));
    expect(subject(terms)).toEqual(Either.right(terms));
  });

  it.each([
    ["workspace_id", { workspaceId: terms.workspaceId }],
    ["schema_id", { schemaId: terms.schemaId }],
    ["currency", { currency: EUR }],
  ])("is not a plan with another %s", (field, more) => {
    expect(subject({ planId, ...more })).toMatchObject(Either.left({ field }));
  });
});

describe("a span", () => {
  const check = (input: Partial<PlanTrial.Start>) =>
    Either.isRight(PlanTrial.checkStart({ ...span, ...input }));

  it("has at most 3,660 days, and at least a millisecond", () => {
    expect(check({ to: EPOCH + Limits.TRIAL_DAYS_MAX * DAY })).toBe(true);
    expect(check({ to: EPOCH + Limits.TRIAL_DAYS_MAX * DAY + 1 })).toBe(false);
    expect(check({ to: EPOCH + 1 })).toBe(true);
    expect(check({ to: EPOCH })).toBe(false);
  });

  it("has every added sale, its end not included", () => {
    const sale = (occurredAt: number) => ({ partnerId: fresh.partner(), properties: {}, occurredAt });
    expect(check({ add: [sale(EPOCH), sale(EPOCH + DAY - 1)] })).toBe(true);
    expect(check({ add: [sale(EPOCH - 1)] })).toBe(false);
    expect(check({ add: [sale(EPOCH + DAY)] })).toBe(false);
  });
});
