import * as fc from "fast-check";
import { type Ids, InvoiceLine, type Partner } from "quittance";
import { describe, expect, it } from "vitest";

const formulaId = (number: number) =>
  `00000000-0000-7000-8000-${String(number).padStart(12, "0")}` as Ids.FormulaId;
const planId = "00000000-0000-7000-9000-000000000001" as Ids.PlanId;

const STANDARD: Partner.TaxConfig = { treatment: "standard", label: "VAT", rateBps: 2_500 };
const DAY = 86_400_000;
const JANUARY = Date.UTC(2026, 0, 1, 23, 30);

const part = (formula: number, amount: number, day = 0): InvoiceLine.InvoicePart => ({
  formulaId: formulaId(formula),
  attributionOccurredAt: JANUARY + day * DAY,
  attributionOccurredOn: null,
  amount,
});

/** Formulas 1 and 2 belong to one plan; formula 3 to none. */
const SUBJECTS: ReadonlyArray<InvoiceLine.InvoiceSubject> = [
  { formulaId: formulaId(1), id: planId, name: "Resellers" },
  { formulaId: formulaId(2), id: planId, name: "Resellers" },
  { formulaId: formulaId(3), id: formulaId(3), name: "Launch bonus" },
];

describe("invoice lines", () => {
  it("are one for each plan, and one for each formula without a plan, in the order of their first parts", () => {
    const parts = [part(3, 50, 4), part(1, 100, 9), part(2, 200, 2), part(1, 300, 5)];
    expect(InvoiceLine.sumBySubject(parts, SUBJECTS)).toEqual([
      {
        subjectId: formulaId(3),
        description: "Launch bonus",
        periodStart: "2026-01-05",
        periodEnd: "2026-01-05",
        count: 1,
        amount: 50,
      },
      {
        subjectId: planId,
        description: "Resellers",
        periodStart: "2026-01-03",
        periodEnd: "2026-01-10",
        count: 3,
        amount: 600,
      },
    ]);
  });

  it("state the calendar days of their sales", () => {
    const parts = [
      { ...part(1, 100, 2), attributionOccurredOn: "2026-01-02" },
      { ...part(1, 100, 2), attributionOccurredOn: "2026-01-04" },
      part(1, 100, 2),
    ];
    expect(InvoiceLine.sumBySubject(parts, SUBJECTS)).toMatchObject([
      { periodStart: "2026-01-02", periodEnd: "2026-01-04" },
    ]);
  });

  it("of formulas with the same name stay apart", () => {
    const subjects = [1, 2].map((item) => ({
      formulaId: formulaId(item),
      id: formulaId(item),
      name: "Sale",
    }));
    expect(
      InvoiceLine.sumBySubject([part(1, 10), part(2, 20)], subjects).map(({ amount }) => amount),
    ).toEqual([10, 20]);
  });

  it("name a formula that has no subject by its id", () => {
    expect(InvoiceLine.sumBySubject([part(7, 10)], [])).toMatchObject([
      { subjectId: formulaId(7), description: formulaId(7) },
    ]);
  });

  it("are split where a sum would exceed the largest amount", () => {
    const largest = Number.MAX_SAFE_INTEGER;
    const sums = InvoiceLine.sumBySubject([part(1, largest), part(1, 1), part(3, -largest)], SUBJECTS);
    expect(sums.map(({ description, amount }) => [description, amount])).toEqual([
      ["Resellers", largest],
      ["Resellers", 1],
      ["Launch bonus", -largest],
    ]);
  });

  it("state the tax on their own amounts; the largest line gets the remainder of the group's tax", () => {
    const lines = InvoiceLine.invoiceLines([part(1, 1_002), part(3, 402)], SUBJECTS, STANDARD, 350);
    expect(lines.map(({ tax }) => tax)).toEqual([249, 101]);
  });

  it("add up to the parts and to the group's tax", () => {
    const anyPart = fc
      .tuple(
        fc.integer({ min: 1, max: 5 }),
        fc.integer({ min: -1e9, max: 1e9 }),
        fc.integer({ min: 0, max: 60 }),
      )
      .map(([formula, amount, day]) => part(formula, amount, day));
    fc.assert(
      fc.property(fc.array(anyPart, { minLength: 1 }), fc.integer({ min: -1e6, max: 1e6 }), (parts, tax) => {
        const lines = InvoiceLine.invoiceLines(parts, SUBJECTS, STANDARD, tax);
        const total = (field: "amount" | "tax" | "count") =>
          lines.reduce((sum, line) => sum + line[field], 0);
        expect(total("amount")).toBe(parts.reduce((sum, { amount }) => sum + amount, 0));
        expect([total("tax"), total("count")]).toEqual([tax, parts.length]);
        expect(new Set(lines.map(({ subjectId }) => subjectId)).size).toBe(lines.length);
      }),
    );
  });
});
