import { Either } from "effect";
import { Journal } from "quittance";
import { describe, expect, it } from "vitest";

const none = { earned: 0n, settled: 0n, waiting: 0n };
const postings = (lines: ReadonlyArray<Journal.Line>) =>
  lines.map(({ account, amount }) => `${account} ${amount}`);

describe("the postings of a movement", () => {
  it("split what is earned from what waits for the buyer", () => {
    expect(postings(Journal.ofMovement({ ...none, type: "earned", earned: 100n, waiting: 40n }, 0n))).toEqual(
      ["commission_expense 100", "accrued_commissions -60", "commissions_awaiting_receipt -40"],
    );
  });

  it("are none where a settlement pays its lines: its document and its payment are posted with the settlement", () => {
    expect(Journal.ofMovement({ ...none, type: "paid", settled: 100n }, 100n)).toEqual([]);
    expect(Journal.ofMovement({ ...none, type: "payment_returned", settled: -100n }, 100n)).toEqual([]);
  });

  it("give up what is written off, and what an earlier write-off covers", () => {
    expect(postings(Journal.ofMovement({ ...none, type: "written_off", settled: -30n }, -30n))).toEqual([
      "accrued_commissions -30",
      "written_off_commissions 30",
    ]);
    expect(
      postings(Journal.ofMovement({ ...none, type: "adjusted", earned: 20n, settled: 20n }, 0n)),
    ).toEqual(["commission_expense 20", "written_off_commissions -20"]);
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
