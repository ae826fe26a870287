/** Planted bugs in what runs on PostgreSQL: functions, queries, policies and locks. */
import type { Bug } from "./Bug.ts";

const FUNCTIONS = "adapters/sql/writing/functions";
const FEED = "adapters/sql/feed/feedFunctions.ts";
const CREATION = "adapters/sql/groupCommit/createAttributions.ts";
const ORDERED = "adapters/sql/groupCommit/orderedArguments.ts";

/** A bug of one edit that a check on PostgreSQL must find; a `check` is also a part of the name of a law. */
const sql = (name: string, check: string, file: string, find: string, replace: string): Bug => ({
  name,
  edits: [{ file, find, replace }],
  by: "postgres",
  caughtBy: check,
});

/** No bug: a finding here would be a defect of the check itself. */
export const soundChecks: ReadonlyArray<Bug> = ["rollups", "locks", "row-level security"].map((check) => ({
  name: `without a bug the check of ${check} finds nothing`,
  edits: [],
  by: "postgres",
  caughtBy: check,
}));

/** Every planted bug of this file. */
export const sqlBugs: ReadonlyArray<Bug> = [
  sql(
    "commissions are not locked before their lines are settled, released or reopened",
    "locks",
    "adapters/sql/writing/ChangeSet.ts",
    'of("commission").lines_of?.push(settlementId);',
    "",
  ),
  sql(
    "a cancelled attribution is missing from the statistics",
    "rollups",
    `${FUNCTIONS}/saves.ts`,
    ["  $", "{count(1)}\nend"].join(""),
    "end",
  ),
  sql(
    "compaction overwrites the settled amounts of a rollup",
    "rollups",
    "adapters/sql/rollups/rollupFunctions.ts",
    "settled = r.settled + excluded.settled",
    "settled = excluded.settled",
  ),
  sql(
    "compaction forgets what is pending of a partner's balance",
    "rollups",
    "adapters/sql/rollups/rollupFunctions.ts",
    "pending = b.pending + excluded.pending",
    "pending = b.pending",
  ),
  sql(
    "the rest of a day is summed by the date that a sale counts for",
    "within days and at their ends",
    "adapters/sql/reading/Movements.ts",
    'onDay("c.created_at")',
    'onDay("c.occurred_at")',
  ),
  sql(
    "a movement omits the part that a write-off covers",
    "amounts that a write-off covers",
    `${FUNCTIONS}/lines.ts`,
    "m.currency, m.amount, m.settled, 0",
    "m.currency, m.amount, 0, 0",
  ),
  sql(
    "new commissions are counted with 0 due",
    "rollups",
    CREATION,
    "count(*), 0, coalesce(sum(r.amount), 0)",
    "count(*), 0, 0",
  ),
  sql(
    "new commissions count in the month of their creation",
    "rollups",
    CREATION,
    "select customer, 'commission', r.partner_id, quittance.day_of(r.occurred_at) as day",
    "select customer, 'commission', r.partner_id, quittance.day_of(moments[1]) as day",
  ),
  sql(
    "a changed commission counts in the month of its creation",
    "rollups",
    `${FUNCTIONS}/lines.ts`,
    "`c.partner_id, c.occurred_at, c.workspace_id",
    "`c.partner_id, c.created_at as occurred_at, c.workspace_id",
  ),
  sql(
    "dated attributions are missing from the walk of a formula",
    "by pages, spans and positions, among other attributions",
    "adapters/sql/reading/Records.ts",
    'walk(DATED, "", "occurred_at")',
    'walk("false", "", "occurred_at")',
  ),
  sql(
    "attributions of earlier dates do not delay a new version",
    "created then, dated then, and of others",
    `${FUNCTIONS}/requirements.ts`,
    " and t.occurred_at >= w.moment",
    " and t.occurred_at > w.moment",
  ),
  sql(
    "a new commission that is stored alone is counted with 0 due",
    "rollups",
    CREATION,
    "coalesce(commissions_computed_amount[1], 0)",
    "0",
  ),
  sql(
    "a document number can be allocated twice",
    "gaps and repetitions are refused",
    `${FUNCTIONS}/commit.ts`,
    "\n        and t.last_number = wanted.last_number - 1;",
    ";",
  ),
  sql(
    "creations do not compare the formula set version",
    "The formula set still has this version",
    CREATION,
    "elsif present <> formula_set_versions[place] then",
    "elsif false then",
  ),
  sql(
    "creations save an order of arrival over a newer version",
    "what orders the arrival of new attributions",
    ORDERED,
    "where t.customer_id = customer and t.id = r.id and t.version = r.expected;",
    "where t.customer_id = customer and t.id = r.id;",
  ),
  sql(
    "creations do not compare the version of the history",
    "what orders the arrival of new attributions",
    ORDERED,
    "where t.customer_id = customer and t.id = r.id and t.version = r.version",
    "where t.customer_id = customer and t.id = r.id",
  ),
  sql(
    "a used idempotency key is not detected",
    "checked before any version",
    `${FUNCTIONS}/requirements.ts`,
    "raise exception 'idempotency key used' using errcode = 'QT002';",
    "null;",
  ),
  sql(
    "a command that the database refuses counts as stored",
    "checked before any version",
    "adapters/sql/writing/SendCommit.ts",
    "committed.conflict === null ? Effect.void : Effect.fail(conflictError(committed.conflict))",
    "Effect.void",
  ),
  sql(
    "an attribution can have more commissions than required",
    "none, one and two commissions",
    `${FUNCTIONS}/requirements.ts`,
    "where w.count <> (",
    "where w.count > (",
  ),
  sql(
    "a line event can be earlier than the event before it",
    "an event is never earlier than the event before it",
    `${FUNCTIONS}/lines.ts`,
    "last_at = greatest(c.last_at, command_at)",
    "last_at = command_at",
  ),
  sql(
    "negative payments are not counted as paid_negative",
    "as paid",
    `${FUNCTIONS}/lines.ts`,
    "paid_negative = c.paid_negative + case when is_paid then counted * least(0, l.amount) else 0 end,",
    "paid_negative = c.paid_negative,",
  ),
  sql(
    "% is a wildcard in the name query",
    "no character is a wildcard",
    "adapters/sql/reading/Conditions.ts",
    "strpos(t.name_searchable, $) > 0",
    "t.name_searchable like '%' || $ || '%'",
  ),
  sql(
    "the due query leaves out negative amounts",
    "commission: each filter alone",
    "adapters/sql/reading/Conditions.ts",
    "t.due_sign in (-1, 1)",
    "t.due_sign = 1",
  ),
  sql(
    "rollups are used for a total with a due filter",
    "commission: each filter alone",
    "adapters/sql/reading/Conditions.ts",
    'settlementStatus: when("t.status = $"),',
    'settlementStatus: when("t.status = $"),\n    due: () => undefined,',
  ),
  sql(
    "the stale query matches every draft",
    "settlement: each filter alone",
    "adapters/sql/reading/Conditions.ts",
    "stale ? isStale(tenant) :",
    "stale ? \"t.status = 'draft'\" :",
  ),
  sql(
    "the query for active formulas includes the end",
    "formula: each filter alone",
    "adapters/sql/reading/Conditions.ts",
    "moment < t.end_datetime",
    "moment <= t.end_datetime",
  ),
  sql(
    "a leased message can be claimed again",
    "the message is available again when its lease ends",
    "adapters/sql/Outbox.ts",
    " and t.leased_until <= moment",
    "",
  ),
  sql(
    "commits have no place in the feed",
    "ten commits one after the other, and ten at once",
    FEED,
    "values (customer, own_place, command",
    "values (customer, 1, command",
  ),
  sql(
    "the events of a group are noted kind by kind",
    "ten commits one after the other, and ten at once",
    CREATION,
    "order by e.command, e.place)",
    "order by e.place)",
  ),
  sql(
    "a relay appends wherever the feed ends",
    "the same backlog twice",
    FEED,
    "if present <> reached then return false; end if;",
    "",
  ),
  sql(
    "an append to the feed wakes no webhook endpoint",
    "a delayed message, beside one of another topic and one of another customer",
    FEED,
    "t.topic = 'deliver_webhooks' and not t.dead_lettered",
    "false",
  ),
  sql(
    "the events of a settlement's lines are not noted",
    "a formula, attributions, a draft and its approval",
    `${FUNCTIONS}/commit.ts`,
    "line_records := line_records || changed.records;",
    "",
  ),
  sql(
    "the policies let any customer see every row",
    "row-level security",
    "adapters/sql/migrations/rowLevelSecurity.ts",
    "customer_id = nullif(current_setting('app.customer_id', true), '')::uuid",
    "customer_id is not null",
  ),
];
