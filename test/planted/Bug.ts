/** A planted bug: a plausible mistake, and the finding that must reveal it. */

/** One edit of a source file; `find` occurs there exactly once. */
export interface Edit {
  /** From the root of the project. */
  readonly file: string;
  readonly find: string;
  readonly replace: string;
}

/** One bug. */
export interface Bug {
  readonly name: string;
  readonly edits: ReadonlyArray<Edit>;
  /**
   * The harness that must find it. Over the memory store: random commands in sequence, concurrent ones, shuffled ones, or
   * the races of `test/model/raceRegressions.ts`, `test/model/accumulatingRaces.ts` and `test/model/receiptRaces.ts`. Without a store: the random histories of `test/formula/RandomHistory.ts`
   * (`totals`), or the random documents of `test/einvoice/findings.ts` (`e-invoices`). The random
   * operations of `test/payouts/BankCampaign.ts` (`payment files`). On PostgreSQL: one check of `postgresHarness.ts`. Or one rule of `test/services`.
   */
  readonly by:
    | "commands"
    | "concurrent"
    | "permutations"
    | "cancel race"
    | "settle race"
    | "accumulating races"
    | "receipt races"
    | "totals"
    | "e-invoices"
    | "payment files"
    | "postgres"
    | "rules";
  /**
   * The invariant that must be among the findings; `model` stands for any difference from the model. On PostgreSQL the
   * check to run: `rollups`, `locks`, `closing`, `copies`, `row-level security`, or a part of the name of a law of the storage contract. Of
   * the rules: `<Resource>: <title>`.
   */
  readonly caughtBy: string;
}

/** A bug of one edit. */
export const bug = (
  name: string,
  caughtBy: string,
  file: string,
  find: string,
  replace: string,
  by: Bug["by"] = "commands",
): Bug => ({ name, edits: [{ file, find, replace }], by, caughtBy });
