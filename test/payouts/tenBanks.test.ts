/** Statements in the style of ten countries' banks, each for a payment file of ours; `npm run verify` reads them at size. */
import { Effect } from "effect";
import { describe, expect, it } from "vitest";
import { BANKS, payBy } from "./banks/TenBanks.ts";

const PAYMENTS = 24;

describe("the statements of a bank", () => {
  it("are of ten countries", () => {
    expect([...new Set(BANKS.map(({ name }) => name.slice(0, 2)))].toSorted()).toEqual(
      "AT BE CH DE DK ES FR IT NL PL".split(" "),
    );
  });

  it.each(BANKS.map((bank) => [bank.name, bank] as const))("%s", async (_, bank) => {
    const { problems, reasons } = await Effect.runPromise(payBy(bank, PAYMENTS));
    expect(problems).toEqual([]);
    // One for what was rejected, one for what came back.
    expect(reasons).toHaveLength(2);
    for (const reason of reasons) expect(reason).toMatch(/[A-Za-z]{3}/);
  });
});
