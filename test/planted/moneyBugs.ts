/** Planted bugs of amounts, the ledger and formula dates. */
import { type Bug, bug } from "./Bug.ts";

const LEDGER = "src/domain/Ledger.ts";
const FORMULA = "src/domain/Formula.ts";
const VERSIONS = "src/domain/ExpressionVersion.ts";
const SPAN = "src/domain/AffectedSpan.ts";
const DRAFTING = "src/services/settlements/Drafting.ts";
const DRAFTS = "src/testing/model/settlements/Drafts.ts";
const CANCELLATION = "src/services/cancellation/Cancellation.ts";

/** Wrong rules in both engine and model: no comparison shows them, but settling everything leaves amounts due. */
const neverSettled: ReadonlyArray<Bug> = [
  {
    name: "a negative due amount cannot be settled",
    by: "commands",
    caughtBy: "M8",
    edits: [
      {
        file: DRAFTING,
        find: "return Either.right({\n    commissionId: commission.id,",
        replace:
          'if (due(revised) < 0) return Either.left(conflict("commission_not_computable", "nothing is due"));\n  return Either.right({\n    commissionId: commission.id,',
      },
      {
        file: DRAFTS,
        find: 'if (holder !== null) tokens.add("commission_in_open_settlement");',
        replace:
          'if (holder !== null) tokens.add("commission_in_open_settlement");\n    if (due < 0) tokens.add("commission_not_computable");',
      },
    ],
  },
  {
    name: "a preview shows 1 where nothing is due",
    by: "commands",
    caughtBy: "M8",
    edits: [
      {
        file: "src/services/Settlements.ts",
        find: "lines: lines.map(({ commissionId, amount }) => ({ commissionId, amount })) };",
        replace: "lines: lines.map(({ commissionId, amount }) => ({ commissionId, amount: amount || 1 })) };",
      },
      {
        file: DRAFTS,
        find: "lines: lines.map(({ commissionId, amount }) => ({ commissionId, amount })),",
        replace: "lines: lines.map(({ commissionId, amount }) => ({ commissionId, amount: amount || 1 })),",
      },
    ],
  },
  {
    name: "a draft with a total of 0 cannot be approved",
    by: "commands",
    caughtBy: "M8",
    edits: [
      {
        file: "src/domain/SettlementMachine.ts",
        find: "if (problem !== null) return Either.left(problem);",
        replace:
          'if (problem !== null) return Either.left(problem);\n  if (command.type === "approve" && state.total === 0) return refuseUnlessDraft(state);',
      },
      {
        file: "src/testing/model/settlements/Actions.ts",
        find: 'if (settlement.status.type !== "draft") return conflict("settlement_not_draft");',
        replace:
          'if (settlement.status.type !== "draft" || settlement.lines.reduce((sum, { amount }) => sum + amount, 0) === 0) return conflict("settlement_not_draft");',
      },
    ],
  },
];

/** Write-offs of opposite sign cancel each other, in engine, model and double entry. */
const singleSum: Bug = {
  name: "write-offs of both signs are one sum",
  by: "commands",
  caughtBy: "M8",
  edits: [
    {
      file: LEDGER,
      find: "clamp(releasedAmount(quantities) - paidAmount, writtenOffNegative, writtenOffPositive)",
      replace:
        "clamp(releasedAmount(quantities) - paidAmount, Math.min(0, writtenOffNegative + writtenOffPositive), Math.max(0, writtenOffNegative + writtenOffPositive))",
    },
    {
      file: "src/testing/model/world/Earnings.ts",
      find: "const absorbed = open > 0 ? Math.min(open, writtenOffPositive) : Math.max(open, writtenOffNegative);",
      replace:
        "const both = writtenOffPositive + writtenOffNegative;\n  const absorbed = open > 0 ? Math.min(open, Math.max(0, both)) : Math.max(open, Math.min(0, both));",
    },
    {
      file: "src/testing/DoubleEntry.ts",
      find: "if (open > 0n) return paid + (open < writtenOffPositive ? open : writtenOffPositive);",
      replace:
        "const both = writtenOffPositive + writtenOffNegative;\n  if (open > 0n) return paid + (both < 0n ? 0n : open < both ? open : both);",
    },
    {
      file: "src/testing/DoubleEntry.ts",
      find: "return paid + (open > writtenOffNegative ? open : writtenOffNegative);",
      replace: "return paid + (both > 0n ? 0n : open > both ? open : both);",
    },
  ],
};

const MOVEMENTS = "adapters/memory/Movements.ts";
const STATEMENTS = "src/services/PartnerStatements.ts";

const statementBugs: ReadonlyArray<Bug> = [
  bug(
    "a movement is dated by the date that its sale counts for",
    "M14",
    MOVEMENTS,
    "at: entry.at, recordId: id",
    "at: rows.commission.get(id)?.occurredAt ?? 0, recordId: id",
  ),
  bug(
    "a movement omits the part that a write-off covers",
    "M14",
    MOVEMENTS,
    "settled: settledOf(after) - settledOf(before),",
    'settled: event.type === "update_commission" ? 0n : settledOf(after) - settledOf(before),',
  ),
  bug(
    "from is exclusive for movements and inclusive for the opening balance",
    "M14",
    MOVEMENTS,
    "movement.at >= from &&",
    "movement.at > from &&",
  ),
  bug(
    "a payment is a movement with its tax",
    "M14",
    STATEMENTS,
    "amount: amountOf(movement),",
    'amount: amountOf(movement) - BigInt("total" in subject ? (subject.taxAmount ?? 0) : 0),',
  ),
  bug(
    "a further page begins with the opening balance again",
    "M14",
    STATEMENTS,
    "let running = after?.balance ?? opening;",
    "let running = opening;",
  ),
  bug(
    "a cursor is accepted for another partner",
    "PartnerStatements: is returned in pages that repeat its balances",
    "src/domain/PartnerStatement.ts",
    "...[customerId, partnerId, currency,",
    "...[customerId, currency,",
    "rules",
  ),
  bug(
    "a returned payment changes the statement of the month before",
    "PartnerStatements: of a past period never changes, also if its payment is returned",
    "src/services/statements/MovementSubjects.ts",
    "if (before !== null && isOne && (found === null || entry.at <= at)) found = { entry, before, after };",
    "if (before !== null && isOne) found = { entry, before, after };\n    if (found !== null) found = { ...found, after };",
    "rules",
  ),
];

/** Every planted bug of this file. */
export const moneyBugs: ReadonlyArray<Bug> = [
  ...neverSettled,
  singleSum,
  ...statementBugs,
  bug(
    "an amount is computed with the latest version of the formula",
    "S7",
    "src/domain/Commission.ts",
    "const formulaVersion = versionAt(formula, attribution.occurredAt);",
    "const formulaVersion = formula.versions.length;",
    "permutations",
  ),
  {
    name: "a window is compared with the moment of creation",
    by: "commands",
    caughtBy: "model",
    edits: [
      {
        file: "src/domain/Commission.ts",
        find: "  pays(formula, attribution);",
        replace: "  pays(formula, { ...attribution, occurredAt: attribution.createdAt });",
      },
      {
        file: "src/domain/Commission.ts",
        find: ": covers(formula, attribution.occurredAt)\n",
        replace: ": covers(formula, attribution.createdAt)\n",
      },
    ],
  },
  bug(
    "a late sale counts in the month in which it is recorded",
    "M9",
    "adapters/memory/Indexes.ts",
    'journal.insert(partition.occurrences, "attribution", occurred);',
    'journal.insert(partition.occurrences, "attribution", created);',
  ),
  bug(
    "an expression without a date rewrites the newest attribution",
    "model",
    FORMULA,
    "holdsFrom: Math.max(now, (newest ?? now - 1) + 1),",
    "holdsFrom: now,",
  ),
  bug(
    "a repeated reference may have another date",
    "model",
    "src/domain/Attribution.ts",
    "existing.occurredAtGiven === (request.occurredAt ?? null) &&",
    "",
  ),
  bug(
    "a date is ahead of the clock without a limit",
    "model",
    "src/domain/Attribution.ts",
    "occurredAt > now + OCCURRED_AHEAD_MAX",
    "occurredAt > now + 1_000 * OCCURRED_AHEAD_MAX",
  ),
  bug(
    "a date ahead of the clock is later than the creation",
    "model",
    "src/domain/Attribution.ts",
    "Math.min(Date.parse(date), createdAt)",
    "Date.parse(date)",
  ),
  bug(
    "the settled amount is paid plus written off, without a clamp",
    "M6",
    LEDGER,
    "clamp(releasedAmount(quantities) - paidAmount, writtenOffNegative, writtenOffPositive)",
    "writtenOffNegative + writtenOffPositive",
  ),
  bug(
    "negative payments are not counted as paid",
    "M2",
    "src/domain/Commission.ts",
    "paidAmount: paidAmount + sign * amount,",
    "paidAmount: paidAmount + sign * Math.max(0, amount),",
  ),
  bug(
    "positive write-offs do not count as settled",
    "M1",
    LEDGER,
    "writtenOffNegative, writtenOffPositive);",
    "writtenOffNegative, 0);",
  ),
  bug(
    "a line is the whole amount instead of what is due",
    "M7",
    DRAFTING,
    "amount: due(revised)",
    "amount: computedAmount",
  ),
  bug(
    "a total beyond the largest amount is accepted",
    "Settlements: refuses a total beyond the largest amount",
    DRAFTING,
    "fromBigInt(sum(lines.map(({ amount }) => amount)))",
    "lines.reduce((all, { amount }) => all + amount, 0)",
    "rules",
  ),
  bug(
    "a settlement accepts commissions of several currencies",
    "model",
    DRAFTING,
    "commission.currency === currency",
    "commission.currency !== null",
  ),
  bug(
    "a settlement accepts a commission whose computation failed",
    "model",
    DRAFTING,
    "computedAmount === null || error !== null",
    "computedAmount === null",
  ),
  bug(
    "a settlement accepts a commission of another open settlement",
    "model",
    DRAFTING,
    "if (commission.openSettlementId !== null) {",
    'if (commission.openSettlementId === "none") {',
  ),
  bug(
    "the amounts of a cancelled attribution are kept",
    "S5",
    CANCELLATION,
    'changes: [{ type: "revise", revisions }, ...parts',
    "changes: [...parts",
  ),
  bug(
    "an amount forced to 0 loses its formula version",
    "model",
    "src/domain/Commission.ts",
    "formulaVersion === null && state !== null ? state : { formulaVersion, parametersVersion };",
    "{ formulaVersion, parametersVersion };",
  ),
  bug(
    "a computation error stays after a successful computation",
    "model",
    "src/domain/Commission.ts",
    "computationError: null,\n      });",
    "computationError: state.computationError,\n      });",
  ),
  bug(
    "tax is rounded toward zero",
    "model",
    "src/domain/Money.ts",
    "(2n * magnitude + denominator)",
    "(2n * magnitude)",
  ),
  bug(
    "half of a unit is rounded to even",
    "model",
    "src/formula/fast/Arithmetic.ts",
    "remainder >= divisor - remainder ? quotient + 1 : quotient",
    "remainder > divisor - remainder || (remainder === divisor - remainder && quotient % 2 === 1) ? quotient + 1 : quotient",
  ),
  bug(
    "a percentage in a text is a plain number",
    "model",
    "src/formula/text/Values.ts",
    'cursor.accept("%") ? "percent"',
    'cursor.accept("%") ? "number"',
  ),
  bug(
    "the groups of an aggregate in a text are lost",
    "model",
    "src/formula/text/Forms.ts",
    "? { group_by: groupBy(cursor) } : {};",
    "? { group_by: groupBy(cursor).slice(1) } : {};",
  ),
  bug(
    "the window includes its end",
    "model",
    FORMULA,
    "moment < view.endDatetime",
    "moment <= view.endDatetime",
  ),
  bug(
    "the window excludes its start",
    "model",
    FORMULA,
    "view.startDatetime <= moment",
    "view.startDatetime < moment",
  ),
  bug(
    "an expression stated without a date rewrites the past",
    "model",
    VERSIONS,
    "const effective = given ?? holdsFrom;",
    "const effective = given ?? 0;",
  ),
  bug(
    "an expression is not in effect at its own date",
    "model",
    VERSIONS,
    "effectiveDatetime <= moment;",
    "effectiveDatetime < moment;",
  ),
  bug(
    "the latest date wins over the latest statement",
    "CommissionFormulas: from an earlier date on replaces what was stated before, later dates included",
    VERSIONS,
    "lastNumber(terms, (version) => startsBy(version, moment));",
    "lastNumber(terms, (version) => startsBy(version, moment) && terms.versions.every((other) => !startsBy(other, moment) || (other.effectiveDatetime ?? 0) <= (version.effectiveDatetime ?? 0)));",
    "rules",
  ),
  bug(
    "an attribution that leaves the window keeps its amount",
    "model",
    SPAN,
    "const from = Math.min(before.startDatetime, after.startDatetime);",
    "const from = after.startDatetime;",
  ),
  bug(
    "a later end of a window creates no commissions",
    "CommissionFormulas: sets commissions outside of it to 0, and creates the ones inside of it",
    SPAN,
    "const to = later(before.endDatetime, after.endDatetime);",
    "const to = before.endDatetime;",
    "rules",
  ),
  bug("a cancelled formula keeps its amounts", "S5", SPAN, "before.status !== after.status ||", ""),
  bug(
    "a new formula ignores existing attributions",
    "S6",
    SPAN,
    "if (before === null) return spanOf(after.startDatetime, after.endDatetime);",
    "if (before === null) return null;",
  ),
  bug(
    "an equal expression with an earlier date is ignored",
    "CommissionFormulas: to the same expression from an earlier date on states it again",
    VERSIONS,
    "repeats(last) && startsBy(last, effective)",
    "repeats(last)",
    "rules",
  ),
  bug(
    "a version ahead of its date is applied early",
    "VersionsAhead: is shown and used from its date on, not before",
    VERSIONS,
    "lastNumber(terms, (version) => startsBy(version, moment));",
    "lastNumber(terms, (version) => version.ahead === true || startsBy(version, moment));",
    "rules",
  ),
  bug(
    "a version ahead of its date is shown early",
    "VersionsAhead: is shown and used from its date on, not before",
    VERSIONS,
    "lastNumber(terms, (version) => !isAhead(version, now));",
    "lastNumber(terms, () => true);",
    "rules",
  ),
  bug(
    "a change silently undoes a version ahead of its date",
    "VersionsAhead: is undone by an earlier date only where the request says so",
    VERSIONS,
    "if (versionsAhead === null && replaced.length > 0)",
    "if (versionsAhead === null && replaced.length > 9)",
    "rules",
  ),
  bug(
    "a change that keeps versions ahead of their dates withdraws them",
    "VersionsAhead: is undone by an earlier date only where the request says so",
    VERSIONS,
    "...(isKept ? { later_versions: replaced.map(encode) } : {}),",
    "",
    "rules",
  ),
  bug(
    "a withdrawn version pays from its date on",
    "VersionsAhead: is withdrawn until its date, once",
    VERSIONS,
    "version.withdrawn === undefined && fulfils(version)",
    "fulfils(version)",
    "rules",
  ),
  bug(
    "a withdrawal that is late recomputes nothing",
    "VersionsAhead: that was withdrawn pays nothing, also where the withdrawal reaches a formula after its date",
    SPAN,
    "before.versions[index]?.withdrawn : true",
    "withdrawn : true",
    "rules",
  ),
  bug(
    "a day from which something holds is one of UTC",
    "VersionsAhead: begins at its first instant in the workspace's time zone of the command",
    "src/services/formulas/EffectiveDates.ts",
    "startOfDate(workspace.timeZone, request.effectiveOn)",
    'startOfDate("UTC", request.effectiveOn)',
    "rules",
  ),
  bug(
    "statistics count settled amounts of settled commissions only",
    "M9",
    "adapters/memory/Statistics.ts",
    "settledAmount: Money.sum(group.map(Ledger.settledAmount)),",
    'settledAmount: Ledger.settlementStatus(group[0]) === "settled" ? Money.sum(group.map(Ledger.settledAmount)) : 0n,',
  ),
  bug(
    "a commission with an amount due counts as settled",
    "S2",
    LEDGER,
    "(quantities.waitingAmount ?? 0) === 0 &&\n        due(quantities) === 0",
    "(quantities.waitingAmount ?? 0) === 0",
  ),
];
