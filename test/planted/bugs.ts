/** Every planted bug, and the checks without a bug. */
import type { Bug } from "./Bug.ts";
import { bankBugs } from "./bankBugs.ts";
import { creditBugs } from "./creditBugs.ts";
import { eInvoiceBugs } from "./eInvoiceBugs.ts";
import { elsewhereBugs } from "./elsewhereBugs.ts";
import { importBugs } from "./importBugs.ts";
import { journalBugs } from "./journalBugs.ts";
import { moneyBugs } from "./moneyBugs.ts";
import { overrideBugs } from "./overrideBugs.ts";
import { partnerBugs } from "./partnerBugs.ts";
import { payoutBugs } from "./payoutBugs.ts";
import { periodBugs } from "./periodBugs.ts";
import { receiptBugs } from "./receiptBugs.ts";
import { recordBugs } from "./recordBugs.ts";
import { recreditBugs } from "./recreditBugs.ts";
import { recreditRunBugs } from "./recreditRunBugs.ts";
import { replacementBugs } from "./replacementBugs.ts";
import { requestBugs } from "./requestBugs.ts";
import { ruleBugs } from "./ruleBugs.ts";
import { runBugs } from "./runBugs.ts";
import { settlementBugs } from "./settlementBugs.ts";
import { sqlBugs } from "./sqlBugs.ts";
import { totalBugs } from "./totalBugs.ts";
import { trialBugs } from "./trialBugs.ts";
import { uplineBugs } from "./uplineBugs.ts";
import { valueBugs } from "./valueBugs.ts";

/** No bug: a finding here would be a defect of the check itself. */
const soundChecks: ReadonlyArray<Bug> = [
  ...["rollups", "locks", "closing", "copies", "row-level security"].map((check) => ({
    by: "postgres" as const,
    caughtBy: check,
  })),
  {
    by: "rules" as const,
    caughtBy: "CommissionFormulas: is finished by a worker at once after one of its batches failed",
  },
].map((check) => ({
  name: `without a bug the check of ${check.caughtBy} finds nothing`,
  edits: [],
  ...check,
}));

const BUGS: ReadonlyArray<Bug> = [
  ...soundChecks,
  ...sqlBugs,
  ...totalBugs,
  ...moneyBugs,
  ...journalBugs,
  ...settlementBugs,
  ...eInvoiceBugs,
  ...bankBugs,
  ...recordBugs,
  ...creditBugs,
  ...uplineBugs,
  ...overrideBugs,
  ...partnerBugs,
  ...recreditBugs,
  ...recreditRunBugs,
  ...replacementBugs,
  ...elsewhereBugs,
  ...importBugs,
  ...receiptBugs,
  ...requestBugs,
  ...ruleBugs,
  ...runBugs,
  ...payoutBugs,
  ...periodBugs,
  ...trialBugs,
  ...valueBugs,
];

/** The bugs whose names contain one of the words; all of them when there are no words. */
export const bugsNamed = (words: ReadonlyArray<string>): ReadonlyArray<Bug> =>
  BUGS.filter(({ name }) => words.length === 0 || words.some((word) => name.includes(word)));

/**
 * What a bug proves that it can fail: a check, or the comparison with the model for one file of the sources. Null for the tests of
 * rules, which say themselves what they expect.
 */
const checkOf = ({ by, caughtBy, edits }: Bug): string | null => {
  if (edits.length === 0) return `without a bug: ${caughtBy}`;
  if (by === "rules") return null;
  return [by, caughtBy, ...(caughtBy === "model" ? [edits[0]?.file] : [])].join(": ");
};

/** The first bug for each check. */
export const oneForEachCheck = (bugs: ReadonlyArray<Bug>): ReadonlyArray<Bug> => {
  const checks = bugs.map(checkOf);
  return bugs.filter((bug, index) => checkOf(bug) !== null && checks.indexOf(checkOf(bug)) === index);
};

/** True if a finding is one that must reveal the bug. */
export const reveals = ({ caughtBy }: Bug, finding: string): boolean =>
  caughtBy === "model" ? ["outcome", "state", "L4"].includes(finding) : finding === caughtBy;
