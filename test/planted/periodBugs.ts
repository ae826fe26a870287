/** Planted bugs of closed months. */
import { type Bug, bug } from "./Bug.ts";

const PERIOD = "src/domain/AccountingPeriod.ts";
const RULES_STAY = "AccountingPeriods: keeps the posting rules of its closing until it is reopened";
const RATES_STAY =
  "AccountingPeriods: keeps the rates of tax under reverse charge of its closing until it is reopened";

export const periodBugs: ReadonlyArray<Bug> = [
  bug(
    "what is dated in a closed month is stored",
    "AccountingPeriods: is refused where the clock stays behind",
    "adapters/memory/Commit.ts",
    "Storage.earliestOf(changeSet) >= closedUntil",
    "Storage.earliestOf(changeSet) >= 0",
    "rules",
  ),
  bug(
    "what is dated in a closed month is stored in a database",
    "a command or an event of a closed month",
    "adapters/sql/writing/functions/requirements.ts",
    "b.closed_until > earliest",
    "b.closed_until > earliest and earliest < 0",
    "postgres",
  ),
  bug(
    "an earlier event of a later command is stored in a closed month",
    "a command or an event of a closed month",
    "src/ports/storage/ChangeSet.ts",
    "for (const { at } of change.entries) earliest = Math.min(earliest, at);",
    "for (const { at } of change.entries) earliest = Math.max(earliest, at);",
    "postgres",
  ),
  bug(
    "a closing does not wait for the commits that are under way",
    "closing",
    "adapters/sql/writing/functions/requirements.ts",
    "perform pg_advisory_xact_lock(hashtextextended('quittance books ' || customer, 0));",
    "null;",
    "postgres",
  ),
  bug(
    "a closing waits for a commit for as long as it takes, and every other one waits for the closing",
    "closing",
    "adapters/sql/writing/functions/requirements.ts",
    "BOOKS_LOCK_MILLISECONDS = 2_000",
    "BOOKS_LOCK_MILLISECONDS = 0",
    "postgres",
  ),
  bug(
    "a creation that is under way is stored in a closed month",
    "closing",
    "adapters/sql/writing/functions/requirements.ts",
    "perform pg_advisory_xact_lock_shared(hashtextextended('quittance books ' || customer, 0));",
    "null;",
    "postgres",
  ),
  bug(
    "who closed a month reopens it",
    "AccountingPeriods: are reopened from the last one on, by another person than the one who closed it",
    PERIOD,
    "if (last.closedBy === personOf(by))",
    "if (last.closedBy === personOf(by) && false)",
    "rules",
  ),
  bug(
    "a credential of the closer reopens the month",
    "AccountingPeriods: are reopened from the last one on, by another person than the one who closed it",
    PERIOD,
    "if (last.closedBy === personOf(by))",
    "if (last.closedBy === by.actor)",
    "rules",
  ),
  bug(
    "a closed month has the posting rules of today",
    RULES_STAY,
    "src/domain/Books.ts",
    "closings.set(closedUntil, { rules, reverseCharge });",
    "closings.delete(closedUntil);",
    "rules",
  ),
  bug(
    "a closed month has the rates of today",
    RATES_STAY,
    "src/services/Journals.ts",
    "rulesOf(entry.at).reverseCharge ?? []",
    "rulesOf(Number.MAX_SAFE_INTEGER).reverseCharge ?? []",
    "rules",
  ),
  bug(
    "a file has postings of a closed month without a number",
    "AccountingPeriods: is in a file of several months only if its own rules name every account",
    "src/services/Journals.ts",
    "periods.map((period) => period.to).filter((at) => from < at && at < to)",
    "periods.map((period) => period.to).filter((at) => at < from)",
    "rules",
  ),
  bug(
    "the hash of a month is that of its last entry alone",
    "AccountingPeriods: has a hash of every entry, that is computed from the journal alone",
    PERIOD,
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is source text.
    "`${previousHash}${canonicalJson({",
    "`${canonicalJson({",
    "rules",
  ),
  bug(
    "another hash of a closed month is no problem",
    "AccountingPeriods: differs from its hash and totals once its journal is another one",
    PERIOD,
    "sameJson(stored, journal)) return null;",
    "sameJson(stored.totals, journal.totals)) return null;",
    "rules",
  ),
];
