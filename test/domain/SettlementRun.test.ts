/** The rules of settlement runs: holds, reasons for no draft, derived ids, and due periods. */
import { Currency, Limits, SettlementPolicy, SettlementRun } from "quittance";
import { Build } from "quittance/testing";
import { describe, expect, it } from "vitest";

const EUR = Currency.Currency.make("EUR");
const USD = Currency.Currency.make("USD");
const { DAY } = Build;
const UNTIL = Build.EPOCH + 31 * DAY;
const partnerId = Build.fresh.partner();

const due = (
  dueAmount: number,
  given: Partial<SettlementRun.DueCommission> = {},
): SettlementRun.DueCommission => ({
  ...{ id: Build.fresh.commission(), partnerId, formulaId: Build.fresh.formula(), currency: EUR, dueAmount },
  ...{ createdAt: Build.EPOCH, occurredAt: Build.EPOCH },
  ...{ isComputable: true, isInOpenSettlement: false, isCorrection: false },
  ...given,
});

const tallied = (
  rows: ReadonlyArray<SettlementRun.DueCommission>,
  terms: Partial<SettlementPolicy.Terms> = {},
  currencies: ReadonlyArray<Currency.Currency> | null = null,
) => {
  const dueTotals = new SettlementRun.DueTotals({ holdDays: 0, ...terms }, { until: UNTIL, currencies });
  for (const row of rows) dueTotals.add(row);
  return dueTotals;
};

const found = (
  rows: ReadonlyArray<SettlementRun.DueCommission>,
  terms: Partial<SettlementPolicy.Terms> = {},
  isSuspended = false,
) => {
  const payee = { partnerId, terms: { ...SettlementPolicy.DEFAULT, ...terms }, isSuspended };
  return SettlementRun.finding(payee, EUR, tallied(rows, terms).of(EUR));
};

describe("a hold of 14 days", () => {
  const hold = { holdDays: 14 };
  const edge = UNTIL - 14 * DAY;
  const onHold = (occurredAt: number, isCorrection = false) =>
    SettlementRun.isOnHold(hold, UNTIL, { occurredAt, isCorrection });
  it("counts from the date of the attribution, in days of 24 hours", () =>
    expect([edge - 1, edge, edge + 1].map((moment) => onHold(moment))).toEqual([false, false, true]));
  it("does not hold corrections of what was settled before", () =>
    expect(onHold(edge + 1, true)).toBe(false));
  it("leaves commissions on hold out of the draft, and counts them", () =>
    expect(found([due(700), due(300, { occurredAt: edge + 1 })], hold)).toMatchObject({
      ...{ reason: null, total: 700, lineCount: 1, onHoldCount: 1, onHoldAmount: 300 },
    }));
});

describe("the reason for no draft", () => {
  it.each([
    ["nothing_due", [], {}],
    ["on_hold", [due(700, { occurredAt: UNTIL - 1 })], { holdDays: 1 }],
    ["in_open_settlement", [due(700, { isInOpenSettlement: true })], {}],
    ["not_computable", [due(0, { isComputable: false })], {}],
    ["not_computable", [due(0, { isComputable: false }), due(7, { isInOpenSettlement: true })], {}],
    ["below_minimum", [due(700)], { minimum: { EUR: 701 } }],
    ["below_minimum", [due(-700)], { minimum: { EUR: 701 } }],
    ["below_minimum", [due(700), due(-700)], { minimum: { EUR: 1 } }],
    ["negative", [due(300), due(-301)], { negative: "carry_forward" }],
    ["not_computable", [due(Limits.MAX_AMOUNT), due(1)], {}],
    [null, [due(700)], { minimum: { EUR: 700, USD: 701 } }],
    [null, [due(-700)], { minimum: { EUR: 700 } }],
    [null, [due(-700)], {}],
    [null, [due(700), due(-700)], { negative: "carry_forward" }],
  ] as ReadonlyArray<
    readonly [
      SettlementRun.Reason | null,
      ReadonlyArray<SettlementRun.DueCommission>,
      Partial<SettlementPolicy.Terms>,
    ]
  >)("%s", (reason, rows, terms) => expect(found(rows, terms).reason).toBe(reason));

  it.each([
    ["nothing_due", []],
    ["partner_suspended", [due(700)]],
    ["partner_suspended", [due(-700)]],
    ["partner_suspended", [due(700, { isInOpenSettlement: true })]],
    ["partner_suspended", [due(0, { isComputable: false })]],
  ] as ReadonlyArray<readonly [SettlementRun.Reason, ReadonlyArray<SettlementRun.DueCommission>]>)(
    "is %s for a suspended partner",
    (reason, rows) => expect(found(rows, {}, true).reason).toBe(reason),
  );

  it("comes with the count of what is left out", () =>
    expect(
      found([due(700), due(1, { isInOpenSettlement: true }), due(2, { isComputable: false })]),
    ).toMatchObject({ total: 700, lineCount: 1, inOpenSettlementCount: 1, notComputableCount: 1 }));
});

describe("the sums of what is due", () => {
  it("are by currency, and include a requested currency in which nothing is due", () => {
    const rows = [due(1, { currency: USD }), due(2)];
    const totals = (given: SettlementRun.DueTotals) =>
      given.entries().map(([code, { total }]) => [code, total]);
    expect(totals(tallied(rows))).toEqual([
      ["EUR", 2n],
      ["USD", 1n],
    ]);
    expect(totals(tallied(rows, {}, [USD]))).toEqual([["USD", 1n]]);
    expect(totals(tallied([], {}, [USD]))).toEqual([["USD", 0n]]);
    expect(totals(tallied([]))).toEqual([]);
  });
  it("list the commissions of one draft, and count all", () => {
    const rows = Array.from({ length: Limits.SETTLEMENT_LINES_MAX + 2 }, () => due(1));
    const dueTotal = tallied(rows).of(EUR);
    expect(dueTotal.commissionIds).toEqual(rows.slice(0, Limits.SETTLEMENT_LINES_MAX).map(({ id }) => id));
    expect(dueTotal.last?.id).toBe(rows[Limits.SETTLEMENT_LINES_MAX - 1]?.id);
    expect([dueTotal.lineCount, dueTotal.total]).toEqual([rows.length, BigInt(rows.length)]);
    expect(SettlementRun.draftsOf({ reason: null, lineCount: dueTotal.lineCount })).toBe(2);
    expect(SettlementRun.draftsOf({ reason: null, lineCount: Limits.SETTLEMENT_LINES_MAX })).toBe(1);
    expect(SettlementRun.draftsOf({ reason: "on_hold", lineCount: 0 })).toBe(0);
  });
});

describe("ids", () => {
  const [run, other] = [Build.fresh.settlementRun(), Build.fresh.settlementRun()];
  it("of a draft are derived from run, partner, currency and part", () => {
    const ids = [
      SettlementRun.draftId(run, partnerId, EUR, 0),
      SettlementRun.draftId(other, partnerId, EUR, 0),
      SettlementRun.draftId(run, Build.fresh.partner(), EUR, 0),
      SettlementRun.draftId(run, partnerId, USD, 0),
      SettlementRun.draftId(run, partnerId, EUR, 1),
    ];
    expect(new Set(ids).size).toBe(ids.length);
    expect(SettlementRun.draftId(run, partnerId, EUR, 0)).toBe(ids[0]);
  });
  it("of a result are derived from run, partner and currency", () => {
    const ids = [
      SettlementRun.resultId(run, partnerId, EUR),
      SettlementRun.resultId(run, partnerId, null),
      SettlementRun.resultId(other, partnerId, EUR),
    ];
    expect(new Set(ids).size).toBe(ids.length);
  });
});

describe("counts", () => {
  const draft = (total: number, approval: SettlementRun.Approval = "manual") => ({
    total,
    lineCount: 2,
    approval,
  });
  it("add up drafts, lines, approvals and exact totals by currency", () => {
    const first = SettlementRun.countResults(SettlementRun.NO_COUNTS, [
      { currency: EUR, drafts: [draft(Limits.MAX_AMOUNT, "approved"), draft(2)] },
      { currency: null, drafts: [] },
    ]);
    expect(SettlementRun.countResults(first, [{ currency: USD, drafts: [draft(-5, "refused")] }])).toEqual({
      ...{ draftCount: 3, lineCount: 6, approvedCount: 1 },
      totals: { EUR: "9007199254740993", USD: "-5" },
    });
  });
});
