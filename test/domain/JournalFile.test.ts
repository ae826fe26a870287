import { array, bigInt, assert as hold, property } from "fast-check";
import { Currency, Journal, JournalFile } from "quittance";
import { describe, expect, it } from "vitest";

const datev = (fiscalYearStart: string): JournalFile.Datev => ({
  ...{ consultant: 29_098, client: 55_003, accountLength: 4, fiscalYearStart },
});

describe("the fiscal year of a day", () => {
  it.each([
    ["01-01", "2026-02-28", "2026-01-01", "2026-12-31"],
    ["01-01", "2026-01-01", "2026-01-01", "2026-12-31"],
    ["07-01", "2026-06-30", "2025-07-01", "2026-06-30"],
    ["07-01", "2026-07-01", "2026-07-01", "2027-06-30"],
    ["03-01", "2024-02-29", "2023-03-01", "2024-02-29"],
  ])("that begins on %s, of %s, is from %s to %s", (start, day, first, last) => {
    expect(JournalFile.fiscalYearOf(datev(start), day)).toEqual({ first, last });
  });
});

describe("a file for DATEV", () => {
  const books = {
    rules: [{ account: "commission_expense", number: "6770" }],
    fallbacks: new Set(Object.keys(Journal.ACCOUNTS) as ReadonlyArray<Journal.Account>),
    ...{ datev: datev("07-01"), xero: null },
  } as const;
  const problem = (from: string, to: string) =>
    JournalFile.problemOf(
      "datev",
      books,
      { from: Date.parse(`${from}Z`), to: Date.parse(`${to}Z`) },
      Currency.Currency.make("EUR"),
    )?.message ?? null;

  it("lies in one fiscal year, to the last millisecond", () => {
    expect(problem("2025-07-01T00:00", "2026-07-01T00:00")).toBeNull();
    expect(problem("2026-06-30T23:59", "2026-07-01T00:00:00.001")).toBe(
      "to: must be in the fiscal year of from for datev, which ends on 2026-06-30",
    );
    expect(problem("2025-07-01T00:00", "2026-07-01T00:00:00.001")).toMatch(/2026-06-30/);
  });
});

describe("the pairs of an entry", () => {
  const accounts = Object.keys(Journal.ACCOUNTS) as ReadonlyArray<Journal.Account>;
  const pairs = (...amounts: ReadonlyArray<bigint>) =>
    JournalFile.pairsOf(
      amounts.map((amount, index) => ({ account: accounts[index] as Journal.Account, amount })),
    );

  it("are one fewer than its lines at most, each of one direction, and post what it posts", () => {
    hold(
      property(array(bigInt({ min: -50n, max: 50n }), { minLength: 1, maxLength: 6 }), (given) => {
        const amounts = [...given, given.reduce((sum, amount) => sum - amount, 0n)];
        const found = pairs(...amounts);
        const sums = new Map<Journal.Account, bigint>();
        for (const { posting, contra, amount } of found) {
          sums.set(posting.account, (sums.get(posting.account) ?? 0n) + amount);
          sums.set(contra.account, (sums.get(contra.account) ?? 0n) - amount);
          expect(amount).not.toBe(0n);
          expect(amount > 0n).toBe(posting.amount > 0n);
          expect(amount > 0n).toBe(contra.amount < 0n);
        }
        expect(amounts.map((_, index) => sums.get(accounts[index] as Journal.Account) ?? 0n)).toEqual(
          amounts,
        );
        expect(found.length).toBeLessThanOrEqual(
          Math.max(0, amounts.filter((amount) => amount !== 0n).length - 1),
        );
      }),
    );
  });

  it("begin with the line that comes first", () => {
    expect(
      pairs(12n, 3n, -15n).map(({ posting, contra, amount }) => [posting.account, contra.account, amount]),
    ).toEqual([
      ["commission_expense", "commissions_awaiting_receipt", 12n],
      ["accrued_commissions", "commissions_awaiting_receipt", 3n],
    ]);
  });
});
