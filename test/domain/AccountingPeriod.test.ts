/** Months, the decisions on closing and reopening them, and which posting rules a date has. */
import { Either } from "effect";
import { AccountingPeriod, Books, type Event } from "quittance";
import { describe, expect, it } from "vitest";

const { Month, close, endOf, evolve, hashInput, monthOf, NONE, nextMonth, reopen, seal, startOf, statusOf } =
  AccountingPeriod;

const month = (text: string) => Month.make(text);
const at = (text: string): number => Date.parse(text);
const [ANA, EVA] = [{ actor: "ana" }, { actor: "eva" }];

type View = AccountingPeriod.View;

/** The state after commands of which none is refused. */
const stateAfter = (
  ...commands: ReadonlyArray<
    (view: View) => Either.Either<ReadonlyArray<AccountingPeriod.PeriodEvent>, { readonly message: string }>
  >
): View =>
  commands.reduce<View>(
    (view, command) =>
      Either.getOrThrowWith(command(view), ({ message }) => new Error(message)).reduce(
        (state, event) => evolve(state, at("2026-06-15T00:00:00Z"), event),
        view,
      ),
    NONE,
  );

const closing =
  (text: string, by = ANA) =>
  (view: View) =>
    close(view, month(text), at("2026-06-15T00:00:00Z"), by);
const reopening =
  (text: string, by = EVA) =>
  (view: View) =>
    reopen(view, month(text), { reason: "late" }, by);
const refusal = (decision: Either.Either<unknown, { readonly message: string }>): string =>
  Either.match(decision, { onLeft: ({ message }) => message, onRight: () => "accepted" });

describe("a month", () => {
  it("has its bounds in UTC, also in December and in leap years", () => {
    expect(startOf(month("2024-02"))).toBe(at("2024-02-01T00:00:00Z"));
    expect(endOf(month("2024-02"))).toBe(at("2024-03-01T00:00:00Z"));
    expect(endOf(month("2025-12"))).toBe(at("2026-01-01T00:00:00Z"));
    expect(monthOf(endOf(month("2025-12")) - 1)).toBe("2025-12");
    expect(endOf(month("0001-01"))).toBe(at("0001-02-01T00:00:00Z"));
  });

  it.each(["2026-00", "2026-13", "2026-1", "26-01", "2026-01-01", "0000-01", "9999-12", ""])(
    "is not %j",
    (text) => {
      expect(() => Month.make(text)).toThrow("must be a month as YYYY-MM");
    },
  );
});

describe("closing", () => {
  it("is possible from a minute after the end on", () => {
    const end = at("2026-02-01T00:00:00Z");
    expect(refusal(close(NONE, month("2026-01"), end + 59_999, ANA))).toMatch(
      /^period: 2026-01 has not ended/,
    );
    expect(refusal(close(NONE, month("2026-01"), end + 60_000, ANA))).toBe("accepted");
  });

  it("goes on from the last closed month, or from the first reopened one", () => {
    expect(nextMonth(NONE)).toBe(null);
    const closed = stateAfter(closing("2025-12"), closing("2026-01"), closing("2026-02"));
    expect(nextMonth(closed)).toBe("2026-03");
    expect(closed.closedUntil).toBe(at("2026-03-01T00:00:00Z"));
    const opened = stateAfter(...["2025-12", "2026-01"].map((text) => closing(text)), reopening("2026-01"));
    expect([nextMonth(opened), opened.closedUntil]).toEqual(["2026-01", at("2026-01-01T00:00:00Z")]);
    expect(refusal(closing("2026-02")(opened))).toBe("period: close 2026-01 first");
  });

  it("of a closed month changes nothing", () => {
    expect(closing("2026-01", EVA)(stateAfter(closing("2026-01")))).toEqual(Either.right([]));
  });
});

describe("the seal", () => {
  const journal = { sha256: "a".repeat(64), entries: 0, totals: [] };

  it("is that of the present closing alone", () => {
    const closed = stateAfter(closing("2026-01"));
    const [period] = closed.periods;
    if (period === undefined) throw new Error("no period");
    expect(seal(closed, period, journal, ANA)).toHaveLength(1);
    expect(seal(stateAfter(closing("2026-01"), reopening("2026-01")), period, journal, ANA)).toEqual([]);
    expect(seal(closed, { ...period, closedAt: period.closedAt - 1 }, journal, ANA)).toEqual([]);
    const sealed = stateAfter(closing("2026-01"), (view) => Either.right(seal(view, period, journal, ANA)));
    expect(sealed.periods.map(statusOf)).toEqual(["closed"]);
    expect(seal(sealed, period, journal, ANA)).toEqual([]);
  });

  it("covers what is posted, and neither names nor texts", () => {
    const entry = {
      at: at("2026-01-05T10:00:00Z"),
      kind: "earned",
      ...{ partnerId: "p", partnerName: "Nordlys", currency: "EUR", concerns: "2025-12" },
      ...{ commissionId: "c", settlementId: null, document: null },
      text: "Sale of 1 December 2025",
      lines: [
        { account: "commission_expense", amount: 12n, number: "6770", costCentre: "sales", text: "Nordlys" },
        { account: "accrued_commissions", amount: -12n },
      ],
    } as const;
    expect(hashInput("00", entry)).toBe(
      '00{"commission_id":"c","concerns":"2025-12","currency":"EUR","datetime":"2026-01-05T10:00:00.000Z","kind":"earned","lines":[{"account":"commission_expense","cost_centre":"sales","debit":"12","number":"6770"},{"account":"accrued_commissions","credit":"12"}],"partner_id":"p"}',
    );
  });
});

describe("posting rules of a date", () => {
  it("are those before its closing, else the present ones", () => {
    const log: Array<Event.Entry<Books.BooksEvent>> = [];
    const add = (event: Books.BooksEvent) =>
      log.push({ at: at("2026-06-15T00:00:00Z"), actor: "ana", event });
    const actor = { principal_id: "ana", person: "ana" };
    const write = (number: string) =>
      add({ type: "write_posting_rules", actor, rules: [{ account: "input_tax", number }] });
    const numberAt = (text: string) => Books.rulesByDate(log)(at(text)).rules[0]?.number;
    const numbers = () =>
      ["2025-03-01T00:00:00Z", "2026-01-31T23:59:59Z", "2026-02-01T00:00:00Z"].map(numberAt);
    write("1");
    add({ type: "close_period", actor, month: "2025-12" });
    write("2");
    add({ type: "close_period", actor, month: "2026-01" });
    write("3");
    expect(numbers()).toEqual(["1", "2", "3"]);
    add({ type: "reopen_period", actor, month: "2026-01", reason: "late" });
    expect(numbers()).toEqual(["1", "3", "3"]);
    add({ type: "close_period", actor, month: "2026-01" });
    write("4");
    expect(numbers()).toEqual(["1", "3", "4"]);
  });
});
