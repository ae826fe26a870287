import { Currency, JournalFile } from "quittance";
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
    fallbacks: new Set([
      ...([
        "commission_expense",
        "accrued_commissions",
        "commissions_awaiting_receipt",
        "input_tax",
      ] as const),
      ...(["partner_payables", "payments", "written_off_commissions"] as const),
    ]),
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
