import { Either } from "effect";
import { type Movement, PayablesReport, Settlement } from "quittance";
import { describe, expect, it } from "vitest";
import { draft, group, invoice, PAID, SELF_BILLED, selfBilled, WRITTEN_OFF } from "./SettlementScene.ts";

const AT = Date.UTC(2026, 0, 31);

const viewAfter = (events: ReadonlyArray<Settlement.SettlementEvent>, more: object = {}): Settlement.View => {
  const view = events.reduce<Settlement.View | null>(
    (before, event) => Settlement.evolve(before, { at: AT, actor: "user:ida", event }),
    null,
  );
  if (view === null) throw new Error("no event");
  return { ...view, ...more };
};

const balance = (sums: Partial<Movement.Balance>): Movement.Balance => ({
  ...{ currency: "EUR", earned: 0n, settled: 0n, elsewhere: 0n, waiting: 0n, pending: 0n },
  ...sums,
});

/** The figures that are not 0. */
const figures = (...args: Parameters<typeof PayablesReport.figuresOf>) =>
  Object.fromEntries(Object.entries(PayablesReport.figuresOf(...args)).filter(([, amount]) => amount !== 0n));

describe("the figures of a partner", () => {
  it("are what is accrued, of which some waits for the buyer and some is in a settlement under way", () => {
    const own = balance({ earned: 1_700n, waiting: 200n, pending: 1_000n });
    expect(figures(own, [viewAfter([draft()])], "2026-02-01")).toEqual({
      ...{ earned: 1_700n, awaitingReceipt: 200n, accrued: 1_500n, inSettlement: 1_000n },
    });
  });

  it("count an invoice with its tax, by its age, and no longer as accrued", () => {
    const own = balance({ earned: 1_700n, pending: 1_000n });
    const billed = viewAfter(SELF_BILLED.awaiting_payment, { dueDate: "2026-01-31" });
    const bill = { earned: 1_700n, accrued: 700n, tax: 250n, payable: 1_250n };
    expect(figures(own, [billed], "2026-01-31")).toEqual({ ...bill, current: 1_250n });
    expect(figures(own, [billed], "2026-02-01")).toEqual({ ...bill, overdue1To30: 1_250n });
    expect(figures(own, [billed, billed], "2026-05-01")).toMatchObject({
      ...{ payable: 2_500n, overdue61To90: 2_500n },
    });
  });

  it("age a document without a due date from its own date, else from the approval", () => {
    const undated = viewAfter(SELF_BILLED.awaiting_payment);
    expect(figures(null, [{ ...undated, invoiceDate: "2026-01-01" }], "2026-01-31")).toHaveProperty(
      "overdue1To30",
    );
    expect(figures(null, [undated], "2026-01-31")).toHaveProperty("current");
    expect(figures(null, [undated], "2026-02-01")).toHaveProperty("overdue1To30");
  });

  it("show what is paid with its tax, and leave nothing payable", () => {
    const paid = viewAfter([...SELF_BILLED.awaiting_payment, PAID]);
    expect(figures(balance({ earned: 1_000n, settled: 1_000n }), [paid], "2026-02-01")).toEqual({
      ...{ earned: 1_000n, tax: 250n, paid: 1_250n },
    });
  });

  it("show what was settled elsewhere, which nothing was paid for here", () => {
    const own = balance({ earned: 1_000n, settled: 700n, elsewhere: 700n });
    expect(figures(own, [], "2026-02-01")).toEqual({
      ...{ earned: 1_000n, settledElsewhere: 700n, accrued: 300n },
    });
  });

  it("show what is written off, and a document as payable until another one takes it back", () => {
    const own = balance({ earned: 1_000n, settled: 1_000n });
    const open = viewAfter([...SELF_BILLED.awaiting_payment, WRITTEN_OFF], { dueDate: "2026-02-28" });
    expect(figures(own, [open], "2026-02-01")).toEqual({
      ...{ earned: 1_000n, writtenOff: 1_000n },
      ...{ tax: 250n, payable: 1_250n, current: 1_250n, accrued: -1_000n },
    });
    const taken = { ...open, creditNoteReference: open.invoiceReference };
    expect(figures(own, [taken], "2026-02-01")).toEqual({ earned: 1_000n, writtenOff: 1_000n });
  });

  it("add up: what is earned and its tax is waiting, accrued, payable, paid, settled elsewhere or written off", () => {
    const views = [
      viewAfter([draft(500), selfBilled(group(500, 125)), invoice(125, false), PAID]),
      viewAfter(SELF_BILLED.awaiting_payment),
    ];
    const own = balance({ earned: 5_000n, settled: 900n, elsewhere: 100n, waiting: 900n, pending: 1_000n });
    const row = PayablesReport.figuresOf(own, views, "2026-03-01");
    const right =
      row.awaitingReceipt + row.accrued + row.payable + row.paid + row.settledElsewhere + row.writtenOff;
    expect(row.earned + row.tax).toBe(right);
    const twice = PayablesReport.add(row, row);
    expect(PayablesReport.FIGURES.map((name) => twice[name])).toEqual(
      PayablesReport.FIGURES.map((name) => row[name] * 2n),
    );
  });
});

describe("the age of a document", () => {
  it("begins on the day after it is due", () => {
    const ages = ["2026-01-30", "2026-01-31", "2026-02-01", "2026-03-02", "2026-03-03"].map((day) =>
      PayablesReport.ageOf("2026-01-31", day),
    );
    expect(ages).toEqual(["current", "current", "overdue1To30", "overdue1To30", "overdue31To60"]);
    expect(PayablesReport.ageOf("2026-01-31", "2026-04-01")).toBe("overdue31To60");
    expect(PayablesReport.ageOf("2026-01-31", "2026-05-01")).toBe("overdue61To90");
    expect(PayablesReport.ageOf("2026-01-31", "2026-05-02")).toBe("overdueOver90");
  });
});

describe("a cursor", () => {
  it("is the number of partners before the page", () => {
    expect(PayablesReport.partnersBefore(undefined)).toEqual(Either.right(0));
    expect(PayablesReport.partnersBefore("12")).toEqual(Either.right(12));
    for (const text of ["", "-1", "1.5", "1234567890"])
      expect(Either.isLeft(PayablesReport.partnersBefore(text))).toBe(true);
  });
});
