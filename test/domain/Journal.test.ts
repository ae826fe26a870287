import { Either } from "effect";
import { Journal } from "quittance";
import { describe, expect, it } from "vitest";

const none = { type: "earned", earned: 0n, settled: 0n, waiting: 0n } as const;
const postings = (lines: ReadonlyArray<Journal.Line>) =>
  lines.map(({ account, amount }) => `${account} ${amount}`);

describe("the postings of a movement", () => {
  it("split what is earned from what waits for the buyer", () => {
    expect(postings(Journal.ofMovement({ ...none, earned: 100n, waiting: 40n }))).toEqual([
      "commission_expense 100",
      "accrued_commissions -60",
      "commissions_awaiting_receipt -40",
    ]);
  });

  it("give up what is written off, and what an earlier write-off covers", () => {
    expect(postings(Journal.ofMovement({ ...none, settled: -30n }))).toEqual([
      "accrued_commissions -30",
      "written_off_commissions 30",
    ]);
    expect(postings(Journal.ofMovement({ ...none, earned: 20n, settled: 20n }))).toEqual([
      "commission_expense 20",
      "written_off_commissions -20",
    ]);
  });

  it("clear what was settled elsewhere against an account of its own, without a payment", () => {
    const movement = { ...none, type: "settled_elsewhere", settled: 70n } as const;
    expect(postings(Journal.ofMovement(movement))).toEqual([
      "accrued_commissions 70",
      "settled_elsewhere -70",
    ]);
  });

  it("leave nothing written off where they are together with those of the payment", () => {
    const payment: ReadonlyArray<Journal.Line> = [
      { account: "accrued_commissions", amount: -100n },
      { account: "partner_payables", amount: 125n },
      { account: "payments", amount: -125n },
      { account: "written_off_commissions", amount: 100n },
    ];
    const paid = Journal.ofMovement({ ...none, settled: 100n });
    expect(postings(Journal.together(paid, payment))).toEqual(["partner_payables 125", "payments -125"]);
  });
});

describe("a place in a journal", () => {
  it("is read back from its cursor", () => {
    const position = { at: 12, recordId: "019c162d-6640-72e2-a925-cf22093aae82", sequence: 3 };
    for (const place of [Journal.START, { partner: 7, within: { currency: "EUR", position } }] as const) {
      const cursor = Journal.cursorOf(place as Journal.Bookmark, "0123456789abcdef0");
      expect(Journal.bookmarkOf(cursor)).toEqual(Either.right(place));
    }
  });

  it("is refused as a cursor of another form", () => {
    expect(Either.isLeft(Journal.bookmarkOf("7"))).toBe(true);
  });
});
