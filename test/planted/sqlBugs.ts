/** Bugs in what runs on PostgreSQL: functions, queries, policies, and what is locked before. */
import type { Bug } from "./Bug.ts";

const FUNCTIONS = "adapters/sql/writing/functions";
const CREATION = "adapters/sql/groupCommit/createAttributions.ts";

/** A bug of one edit that a check on PostgreSQL must find; a `check` is also a part of the name of a law. */
const sql = (name: string, check: string, file: string, find: string, replace: string): Bug => ({
  name,
  edits: [{ file, find, replace }],
  by: "postgres",
  caughtBy: check,
});

/** No bug: what the checks of our own find then would betray them. */
export const soundChecks: ReadonlyArray<Bug> = ["rollups", "locks", "walls"].map((check) => ({
  name: `no bug, and the check of ${check} finds nothing`,
  edits: [],
  by: "postgres",
  caughtBy: check,
}));

/** See the file. */
export const sqlBugs: ReadonlyArray<Bug> = [
  sql(
    "commissions are not locked before their lines settle, are released or reopened",
    "locks",
    "adapters/sql/writing/ChangeSet.ts",
    'of("commission").lines_of?.push(settlementId);',
    "",
  ),
  sql(
    "a cancelled attribution is counted nowhere",
    "rollups",
    `${FUNCTIONS}/saves.ts`,
    ["  $", "{count(1)}\nend"].join(""),
    "end",
  ),
  sql(
    "a fold forgets what was settled before",
    "rollups",
    "adapters/sql/rollups/rollupFunctions.ts",
    "settled = r.settled + excluded.settled",
    "settled = excluded.settled",
  ),
  sql(
    "new commissions are counted without what is due",
    "rollups",
    CREATION,
    "r.currency, count(*), 0, coalesce(sum(r.amount), 0)",
    "r.currency, count(*), 0, 0",
  ),
  sql(
    "a number of a series is given out again",
    "gaps and repetitions are refused",
    `${FUNCTIONS}/commit.ts`,
    "\n        and t.last_number = wanted.last_number - 1;",
    ";",
  ),
  sql(
    "creations do not notice that a formula has changed",
    "No formula command has come since",
    CREATION,
    "elsif present <> formula_set_versions[place] then",
    "elsif false then",
  ),
  sql(
    "a key used at the same time is not noticed",
    "checked before any version",
    `${FUNCTIONS}/requirements.ts`,
    "raise exception 'idempotency key used' using errcode = 'QT002';",
    "null;",
  ),
  sql(
    "an attribution may have more commissions than were counted",
    "none, one and two commissions",
    `${FUNCTIONS}/requirements.ts`,
    "where w.count <> (",
    "where w.count > (",
  ),
  sql(
    "an event of lines is earlier than the one before",
    "an event is never earlier than the event before it",
    `${FUNCTIONS}/lines.ts`,
    "last_at = greatest(c.last_at, command_at)",
    "last_at = command_at",
  ),
  sql(
    "paid refunds are not told apart from payments",
    "as paid",
    `${FUNCTIONS}/lines.ts`,
    "paid_negative = c.paid_negative + case when is_paid then counted * least(0, l.amount) else 0 end,",
    "paid_negative = c.paid_negative,",
  ),
  sql(
    "% stands for any text in the query for names",
    "no character is a wildcard",
    "adapters/sql/reading/Filter.ts",
    "strpos(t.name_searchable, $) > 0",
    "t.name_searchable like '%' || $ || '%'",
  ),
  sql(
    "the query for what is due leaves out what is owed",
    "the sign of what is due",
    "adapters/sql/reading/Filter.ts",
    "t.due_sign in (-1, 1)",
    "t.due_sign = 1",
  ),
  sql(
    "rollups count what is due",
    "the sign of what is due",
    "adapters/sql/rollups/Rollup.ts",
    '"settlementIds", "due"]',
    '"settlementIds"]',
  ),
  sql(
    "drafts are stale before they are asked",
    "whether it is shown as stale",
    "adapters/sql/reading/Filter.ts",
    "t.status = 'draft' and quittance.is_stale(t.customer_id, t.id)",
    "t.status = 'draft'",
  ),
  sql(
    "the query for active formulas counts the end in",
    "at the edges of windows, alone and with every other filter",
    "adapters/sql/reading/Filter.ts",
    "moment < t.end_datetime",
    "moment <= t.end_datetime",
  ),
  sql(
    "a leased message is claimed again",
    "the message is available again when its lease ends",
    "adapters/sql/Outbox.ts",
    ["and t.leased_until <= ", "{NOW}"].join("$"),
    "",
  ),
  sql(
    "the policies let any customer see every row",
    "walls",
    "adapters/sql/migrations/rowLevelSecurity.ts",
    "customer_id = nullif(current_setting('app.customer_id', true), '')::uuid",
    "customer_id is not null",
  ),
];
