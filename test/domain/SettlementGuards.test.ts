import { SettlementMachine } from "quittance";
import { describe, expect, it } from "vitest";

const wordsOf = (row: string): ReadonlyArray<string> | undefined =>
  SettlementMachine.TRANSITIONS.find((transition) => transition.row === row)?.guards.map(
    ({ words }) => words,
  );

describe("the words of the guards in the documentation", () => {
  it.each([
    ["T2", ["policy four_eyes", "policy stale_drafts", "total and tax within the largest amount"]],
    ["T4", ["payable > 0, or = 0 with groups that balance"]],
    ["T5", ["payable < 0"]],
    ["T6", ["payable = 0, no group with a base"]],
    ["T7", ["from the worker", "payable not 0", "from its issuer", "tax_amount as approved"]],
    ["T7a", ["payable = 0", "from its issuer", "tax_amount as approved"]],
    ["T8", ["uploaded", "payable not 0", "from its issuer", "tax_amount as approved"]],
    ["T9", ["issue_credit_note"]],
    ["T10", ["carry_forward"]],
    ["T11", ["write_off"]],
    ["T13", ["no tax under review"]],
    [
      "T14",
      [
        ...["partner active", "no tax under review", "payout provider", "payable > 0"],
        ...["account still confirmed", "payable account"],
      ],
    ],
    ["T31", ["not the proposer"]],
    ["T31a", ["payment in no file", "not the proposer"]],
    ["T15", ["same payment reference"]],
    ["T29", ["accept_tax; tax under review", "policy four_eyes"]],
    ["T30", ["refuse_tax; tax under review", "payable > 0"]],
    ["T30a", ["refuse_tax; tax under review", "payable < 0"]],
    [
      "T18",
      [
        "paid by webhook, or marked as paid and returned by a person",
        "unreconciled",
        "its own payment reference",
        "no commission in another open settlement",
      ],
    ],
    ["T20", ["attachments that no message names"]],
    ["T21", ["rejected", "attachments that no message names"]],
    ["T22", ["upheld", "attachments that no message names"]],
    ["T23", ["reconciled: true", "unreconciled"]],
    ["T23a", ["reconciled: false", "reconciled"]],
    [
      "T24",
      [
        "with invoice, without credit note, no payment in flight or confirmed late",
        "from its issuer",
        "tax_amount as approved",
      ],
    ],
    [
      "T24a",
      [
        "with credit note, without invoice, no payment in flight or confirmed late",
        "from its issuer",
        "tax_amount as approved",
      ],
    ],
    ["T25", ["uploaded again, in place of an upload"]],
  ] as const)("of %s", (row, words) => {
    expect(wordsOf(row)).toEqual(words);
  });

  it("are empty if state and command alone decide", () => {
    for (const row of ["T3", "T16", "T19"]) expect(wordsOf(row)).toEqual([]);
  });
});
