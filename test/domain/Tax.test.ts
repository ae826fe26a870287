import * as fc from "fast-check";
import { type Ids, type Partner, Tax } from "quittance";
import { describe, expect, it } from "vitest";

const settlementId = (number: number) =>
  `00000000-0000-7000-8000-${String(number).padStart(12, "0")}` as Ids.SettlementId;
const commissionId = (number: number) =>
  `00000000-0000-7000-9000-${String(number).padStart(12, "0")}` as Ids.CommissionId;

const standard = (rateBps: number, label = "VAT"): Partner.TaxConfig => ({
  treatment: "standard",
  label,
  rateBps,
});
const EXEMPT: Partner.TaxConfig = { treatment: "exempt", label: "VAT", rateBps: null };
const REVERSE: Partner.TaxConfig = { treatment: "reverse_charge", label: "VAT", rateBps: null };

interface Settled {
  readonly id: Ids.SettlementId;
  readonly terms: Partner.TaxConfig | null;
  readonly lines: ReadonlyArray<{ readonly commission: number; readonly amount: number }>;
  readonly assessment: Tax.Assessment;
  status: "open" | "paid" | "ended";
}

const shares = ({ assessment }: Settled): ReadonlyArray<Tax.Share> =>
  assessment.shares.map(({ originId, base, tax }) => ({ originId, base: Number(base), tax: Number(tax) }));

/** Settlements of one partner one after another, with the origins that the engine would store. */
class History {
  readonly settlements: Array<Settled> = [];
  readonly origins = new Map<string, Tax.TaxOrigin>();

  /** The remaining parts of a commission by paid settlement, the latest settlement first. */
  billed(commission: number): ReadonlyArray<Tax.BilledPart> {
    const sums = new Map<Ids.SettlementId, number>();
    const add = (id: Ids.SettlementId, amount: number) => sums.set(id, (sums.get(id) ?? 0) + amount);
    for (const { id, status, lines, assessment } of this.settlements) {
      if (status !== "paid") continue;
      for (const line of lines) if (line.commission === commission) add(id, line.amount);
      for (const part of assessment.reversals) {
        if (part.commissionId !== commissionId(commission)) continue;
        add(id, -part.amount);
        add(part.originId, part.amount);
      }
    }
    return [...sums]
      .filter(([, amount]) => amount !== 0)
      .toSorted(([one], [other]) => (one < other ? 1 : -1))
      .map(([originId, amount]) => ({ originId, amount }));
  }

  paid(commission: number): number {
    return this.billed(commission).reduce((sum, { amount }) => sum + amount, 0);
  }

  approve(lines: Settled["lines"], terms: Partner.TaxConfig | null): Settled {
    const id = settlementId(this.settlements.length + 1);
    const billed = lines.map(({ commission, amount }) => ({
      commissionId: commissionId(commission),
      amount,
      billed: this.billed(commission),
    }));
    const assessment = Tax.assess({
      settlementId: id,
      total: lines.reduce((sum, { amount }) => sum + amount, 0),
      lines: billed.filter((line) => line.billed.length > 0),
      terms,
      origins: [...this.origins.values()],
    });
    const settled: Settled = { id, terms, lines, assessment, status: "open" };
    this.settlements.push(settled);
    if (terms !== null) {
      const unbilled = { id, terms, base: "0", tax: "0", shares: shares(settled) };
      this.origins.set(id, unbilled as unknown as Tax.TaxOrigin);
      this.move(settled, "apply");
    }
    return settled;
  }

  pay(settled: Settled): void {
    settled.status = "paid";
  }

  giveBack(settled: Settled): void {
    settled.status = "ended";
    this.move(settled, "revert");
  }

  move(settled: Settled, movement: Tax.Movement): void {
    for (const origin of Tax.moveShares([...this.origins.values()], shares(settled), movement)) {
      this.origins.set(origin.id, origin);
    }
  }

  settle(lines: Settled["lines"], terms: Partner.TaxConfig | null): bigint {
    const settled = this.approve(lines, terms);
    this.pay(settled);
    return settled.assessment.tax;
  }

  chargedTax(): bigint {
    return [...this.origins.values()].reduce((sum, { tax }) => sum + BigInt(tax), 0n);
  }
}

const line = (amount: number, commission = 1) => ({ commission, amount });

describe("what a line reverses of earlier lines", () => {
  const parts = (amount: number, billed: ReadonlyArray<readonly [number, number]>) =>
    Tax.reversalsOf({
      commissionId: commissionId(1),
      amount,
      billed: billed.map(([origin, left]) => ({ originId: settlementId(origin), amount: left })),
    }).map((part) => [Number(part.originId.slice(-3)), part.amount]);

  it("is nothing if no earlier amount remains, or only ones of the same sign", () => {
    expect(parts(1000, [])).toEqual([]);
    expect(parts(-1000, [])).toEqual([]);
    expect(parts(1000, [[1, 500]])).toEqual([]);
  });

  it("is of the opposite sign, latest first, and at most the line", () => {
    expect(
      parts(-700, [
        [3, 500],
        [2, -50],
        [1, 1000],
      ]),
    ).toEqual([
      [3, -500],
      [1, -200],
    ]);
    expect(parts(-700, [[1, 500]])).toEqual([[1, -500]]);
    expect(parts(0, [[1, 500]])).toEqual([]);
    expect(
      parts(700, [
        [3, -500],
        [2, 50],
        [1, -1000],
      ]),
    ).toEqual([
      [3, 500],
      [1, 200],
    ]);
  });

  it("is everything, whatever its sign, if the line brings the commission to 0", () => {
    expect(
      parts(-40, [
        [3, 100],
        [1, -60],
      ]),
    ).toEqual([
      [3, -100],
      [1, 60],
    ]);
  });
});

describe("tax of a correction", () => {
  it("returns what was charged: sold at 25 %, refunded at 10 %", () => {
    const history = new History();
    expect(history.settle([line(1000)], standard(2500))).toBe(250n);
    expect(history.settle([line(-1000)], standard(1000))).toBe(-250n);
    expect(history.chargedTax()).toBe(0n);
  });

  it("returns the latest first, at its own rate, and charges the rest at the present rate", () => {
    const history = new History();
    history.settle([line(1000)], standard(2500));
    history.settle([line(400)], standard(1000));
    // 400 at 10 %, then 100 of the 1000 at 25 %.
    expect(history.settle([line(-500)], EXEMPT)).toBe(-65n);
    // 900 at 25 % remain; another 100 exceeds all billed amounts and has the terms of the snapshot.
    expect(history.settle([line(-1000)], standard(2000))).toBe(-225n - 20n);
  });

  it("follows the sign of the payable amount: 1000 exempt and -900 at 25 %", () => {
    const history = new History();
    history.settle([line(900, 1)], standard(2500));
    const { assessment } = history.approve([line(1000, 2), line(-900, 1)], EXEMPT);
    expect(assessment.tax).toBe(-225n);
    expect(assessment.groups).toEqual([
      { ...EXEMPT, base: 1000n, tax: 0n },
      { ...standard(2500), base: -900n, tax: -225n },
    ]);
  });

  it("uses the partner's data of the approval for a partner-billed line, and changes no origin for a partner's own note", () => {
    const history = new History();
    history.settle([line(1000)], null);
    expect(history.settle([line(-1000)], standard(1000))).toBe(-100n);
    const other = new History();
    other.settle([line(1000)], standard(2500));
    expect(other.settle([line(-500)], null)).toBe(0n);
    expect(other.chargedTax()).toBe(250n);
    expect(other.settle([line(-500)], standard(1000))).toBe(-125n);
  });

  it("changes no origin and has no group if the partner writes its own invoices", () => {
    const history = new History();
    history.settle([line(1000)], standard(2500));
    expect(history.approve([line(-400)], null).assessment).toEqual({
      reversals: [{ commissionId: commissionId(1), originId: settlementId(1), amount: -400 }],
      shares: [],
      groups: [],
      tax: 0n,
    });
  });

  it("does not change an origin if one line returns as much as another adds", () => {
    const history = new History();
    history.settle([line(500, 1), line(-500, 2), line(100, 3)], standard(2500));
    const { assessment } = history.approve([line(-500, 1), line(500, 2), line(40, 4)], standard(1000));
    expect(assessment.reversals).toHaveLength(2);
    expect(assessment.shares).toEqual([{ originId: settlementId(2), base: 40n, tax: 4n }]);
    expect(assessment.groups).toEqual([{ ...standard(1000), base: 40n, tax: 4n }]);
  });

  it("is rounded half away from zero in both directions, and is exact for sums of several amounts", () => {
    expect(Tax.taxOn(1002n, standard(2500))).toBe(251n);
    expect(Tax.taxOn(-1002n, standard(2500))).toBe(-251n);
    expect(Tax.taxOn(10n ** 20n + 2n, standard(2500))).toBe(25n * 10n ** 18n + 1n);
    expect(Tax.taxOn(1002n, REVERSE)).toBe(0n);
  });
});

describe("the groups of a document", () => {
  it("are distinguished by treatment, label and rate", () => {
    expect(Tax.sameTerms(standard(2500), standard(2500))).toBe(true);
    expect(Tax.sameTerms(EXEMPT, { ...EXEMPT })).toBe(true);
    expect(Tax.sameTerms(standard(2500), standard(1000))).toBe(false);
    expect(Tax.sameTerms(standard(2500), standard(2500, "GST"))).toBe(false);
    expect(Tax.sameTerms(EXEMPT, REVERSE)).toBe(false);
  });

  it("add up amounts with the same terms, from whatever settlement", () => {
    const history = new History();
    history.settle([line(1000, 1)], standard(2500));
    history.settle([line(600, 2)], standard(1000));
    history.settle([line(300, 3)], standard(2500, "GST"));
    history.settle([line(200, 4)], standard(2500));
    const lines = [line(-1000, 1), line(-600, 2), line(-300, 3), line(-200, 4), line(80, 5)];
    expect(history.approve(lines, standard(2500)).assessment).toMatchObject({
      groups: [
        { ...standard(2500), base: 80n - 1000n - 200n, tax: 20n - 250n - 50n },
        { ...standard(1000), base: -600n, tax: -60n },
        { ...standard(2500, "GST"), base: -300n, tax: -75n },
      ],
      tax: 20n - 250n - 50n - 60n - 75n,
    });
  });
});

interface Step {
  readonly amounts: ReadonlyArray<number | null>;
  readonly terms: Partner.TaxConfig | null;
  readonly end: "pay" | "give back" | "later";
  readonly returned: number | null;
}

const COMMISSIONS = 3;

const terms = fc.constantFrom(
  standard(2500),
  standard(1000),
  standard(825),
  standard(825, "GST"),
  standard(1),
  EXEMPT,
  REVERSE,
);

const steps = (billed: fc.Arbitrary<Partner.TaxConfig | null>): fc.Arbitrary<ReadonlyArray<Step>> =>
  fc.array(
    fc.record({
      amounts: fc.array(fc.option(fc.integer({ min: -40, max: 60 })), {
        minLength: COMMISSIONS,
        maxLength: COMMISSIONS,
      }),
      terms: billed,
      end: fc.constantFrom("pay", "pay", "give back", "later" as const),
      returned: fc.option(fc.nat(20), { freq: 4 }),
    }),
    { minLength: 1, maxLength: 12 },
  );

/** Runs steps; a commission is in one open settlement at a time, and a paid settlement may be returned. */
const played = (given: ReadonlyArray<Step>): History => {
  const history = new History();
  const held = () =>
    new Set(
      history.settlements.flatMap(({ status, lines }) =>
        status === "open" ? lines.map(({ commission }) => commission) : [],
      ),
    );
  for (const { amounts, terms, end, returned } of given) {
    const taken = held();
    const lines = amounts.flatMap((amount, commission) =>
      amount === null || taken.has(commission) ? [] : [{ commission, amount }],
    );
    if (lines.length > 0) {
      const settled = history.approve(lines, terms);
      if (end === "pay") history.pay(settled);
      if (end === "give back") history.giveBack(settled);
    }
    const back = returned === null ? undefined : history.settlements[returned % history.settlements.length];
    if (back?.status === "paid" && back.lines.every(({ commission }) => !held().has(commission))) {
      history.giveBack(back);
    }
  }
  for (const settled of history.settlements) if (settled.status === "open") history.pay(settled);
  return history;
};

const RUNS = { numRuns: 3_000 };

describe("every history of settlements", () => {
  it("has a remaining tax of 0 after everything is refunded, in any number of steps, unless a refund was itself returned", () => {
    fc.assert(
      fc.property(
        steps(terms),
        fc.array(fc.tuple(fc.nat(COMMISSIONS - 1), fc.integer({ min: 1, max: 7 })), { maxLength: 8 }),
        terms,
        (given, partial, last) => {
          const history = played(given.map((step) => ({ ...step, returned: null })));
          const charged = history.chargedTax();
          let returned = 0n;
          for (const [commission, share] of partial) {
            const amount = -Math.trunc(history.paid(commission) / share);
            returned += history.settle([{ commission, amount }], last);
          }
          for (let commission = 0; commission < COMMISSIONS; commission++) {
            returned += history.settle([{ commission, amount: -history.paid(commission) }], last);
          }
          expect(returned).toBe(-charged);
          for (const { base, tax } of history.origins.values()) expect([base, tax]).toEqual(["0", "0"]);
        },
      ),
      RUNS,
    );
  });

  it("has documents whose tax adds up to the origins, within one unit per document of each rate", () => {
    fc.assert(
      fc.property(steps(fc.option(terms, { freq: 6, nil: null })), (given) => {
        const history = played(given);
        const counted = history.settlements.filter(({ status }) => status !== "ended");
        const documents = counted.reduce((sum, { assessment }) => sum + assessment.tax, 0n);
        expect(history.chargedTax()).toBe(documents);
        for (const origin of history.origins.values()) {
          const moves = counted.flatMap(({ assessment }) =>
            assessment.shares.filter(({ originId }) => originId === origin.id),
          );
          expect(BigInt(origin.base)).toBe(moves.reduce((sum, { base }) => sum + base, 0n));
          expect(BigInt(origin.tax)).toBe(moves.reduce((sum, { tax }) => sum + tax, 0n));
          const exact = (Number(origin.base) * (origin.terms.rateBps ?? 0)) / 10_000;
          const documentCount = history.settlements.filter(({ assessment }) =>
            assessment.shares.some(({ originId }) => originId === origin.id),
          ).length;
          expect(Math.abs(Number(origin.tax) - exact)).toBeLessThan(Math.max(1, documentCount));
        }
      }),
      RUNS,
    );
  });

  it("splits every line completely, and has groups that equal the changes of origins", () => {
    fc.assert(
      fc.property(steps(terms), (given) => {
        for (const { lines, assessment } of played(given).settlements) {
          const sum = (parts: ReadonlyArray<{ readonly base: bigint; readonly tax: bigint }>) => [
            parts.reduce((total, { base }) => total + base, 0n),
            parts.reduce((total, { tax }) => total + tax, 0n),
          ];
          const total = lines.reduce((all, { amount }) => all + amount, 0);
          expect(sum(assessment.shares)).toEqual([BigInt(total), assessment.tax]);
          expect(sum(assessment.groups)).toEqual([BigInt(total), assessment.tax]);
        }
      }),
      RUNS,
    );
  });
});
