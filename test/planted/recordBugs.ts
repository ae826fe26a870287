/** Planted bugs of records, visibility, lists, repetition and concurrency. */
import { type Bug, bug } from "./Bug.ts";

const ATTRIBUTION = "src/domain/Attribution.ts";
const CANCELLATION = "src/services/cancellation/Cancellation.ts";
const CREDITING = "src/services/attributions/AttributionCreation.ts";
const PROPERTIES = "src/domain/Properties.ts";
const FILTERS = "src/ports/storage/Filters.ts";
const MATCHES = "adapters/memory/Matches.ts";
const PAGE = "adapters/memory/Page.ts";
const PIPELINE = "src/services/commands/Pipeline.ts";
const COMMIT = "adapters/memory/Commit.ts";
const RECOMPUTATIONS = "src/services/formulas/Recomputations.ts";

/** Every planted bug of this file. */
export const recordBugs: ReadonlyArray<Bug> = [
  bug(
    "the default of a property is stored with the attribution",
    "model",
    PROPERTIES,
    "  const absent = definitions.find(",
    "  for (const { name, default: value } of definitions) if (value !== undefined) properties[name] ??= value;\n  const absent = definitions.find(",
  ),
  bug("a zero keeps its sign", "model", PROPERTIES, "Object.is(value, -0) ? 0 : value", "value"),
  bug(
    "a property can be a number of any size",
    "model",
    PROPERTIES,
    "!Number.isFinite(value) || Math.abs(value) > MAGNITUDE_MAX",
    "Number.isNaN(value)",
  ),
  {
    name: "a second cancellation stores another event",
    by: "rules",
    caughtBy: "Attributions: a second time changes nothing and keeps the first reason",
    edits: [
      {
        file: ATTRIBUTION,
        find: 'state.status === "cancelled" ? [] : [{ type: "cancel_attribution", reason }]',
        replace: '[{ type: "cancel_attribution", reason }]',
      },
      {
        file: "src/services/Attributions.ts",
        find: 'if (attribution.status === "cancelled") return unchanged({});',
        replace: "",
      },
    ],
  },
  bug(
    "an external reference is replayed for another partner",
    "Attributions: that is repeated for another partner is refused",
    ATTRIBUTION,
    "existing.partnerId === request.partnerId &&",
    "",
    "rules",
  ),
  bug(
    "a partner of another workspace is accepted",
    "Attributions: finds no partner and no schema of another workspace",
    CREDITING,
    " ||\n    partner.workspaceId !== workspaceId",
    "",
    "rules",
  ),
  bug(
    "the moments of events go back with the clock",
    "L2",
    "src/domain/Event.ts",
    "last === null || clock > last ? clock : last",
    "clock",
  ),
  bug(
    "a row is stored without its event",
    "L1",
    COMMIT,
    "journal.append(log, Storage.recordIdOf(change.row), deepFreeze(change.entries));",
    "if (change.expected === 0 || change.row.version % 2 === 1) journal.append(log, Storage.recordIdOf(change.row), deepFreeze(change.entries));",
  ),
  bug(
    "a week starts on Sunday",
    "model",
    "src/domain/Calendar.ts",
    "(date.getUTCDay() + 6) % 7",
    "date.getUTCDay()",
  ),
  bug(
    "the last bucket counts records after the span",
    "model",
    "src/services/commands/Statistics.ts",
    "    to,\n    bucketStarts: starts,",
    "    to: to + 86_400_000,\n    bucketStarts: starts,",
  ),
  bug(
    "% is ignored in a name search",
    "Partners: finds a part of a name in any letter case, and no character is a wildcard",
    MATCHES,
    ".includes(searched);",
    '.includes(searched.replaceAll("%", ""));',
    "rules",
  ),
  bug(
    "records of one moment are not ordered by id",
    "M9",
    "adapters/memory/Order.ts",
    "(a.id < b.id ? -1 : a.id > b.id ? 1 : 0)",
    "(a.id < b.id ? 1 : a.id > b.id ? -1 : 0)",
  ),
  bug("the total is that of the page", "model", PAGE, "total: found.length,", "total: pageRecords.length,"),
  bug(
    "a formula is active at the end of its window",
    "CommissionFormulas: is found by a date in its window",
    FILTERS,
    "covers(formula, moment)",
    "covers(formula, moment - 1)",
    "rules",
  ),
  bug(
    "created_to includes its moment",
    "model",
    MATCHES,
    "filter.of(row) < value",
    "filter.of(row) <= value",
  ),
  bug(
    "the status filter of attributions is ignored",
    "model",
    FILTERS,
    '({ status }: Row<"attribution">) => status,',
    '() => ["confirmed", "cancelled"],',
  ),
  bug(
    "lists ignore the principal's grants",
    "model",
    "src/services/commands/Listing.ts",
    'restrict(principal, requested, "partnerIds" in FILTERS[kind])',
    "{}",
  ),
  bug(
    "a record outside the grant is 403 instead of 404",
    "model",
    "src/services/commands/Access.ts",
    "return owner !== null && canSee(principal, owner) ? row : null;",
    'return owner !== null && canSee(principal, owner) ? row : yield* new Forbidden({ field: null, message: "not yours" });',
  ),
  bug(
    "workspace grants are ignored",
    "model",
    "src/domain/Principal.ts",
    "  isGranted(principal.workspaceIds, record.workspaceId) &&",
    "",
  ),
  {
    name: "records of another customer are visible",
    by: "commands",
    caughtBy: "model",
    edits: [
      {
        file: "src/domain/Principal.ts",
        find: '(principal.kind === "platform" || principal.customerId === record.customerId) &&',
        replace: "",
      },
      {
        file: "src/services/commands/Access.ts",
        find: 'principal.kind === "platform" ? Either.right(AllCustomers) : customerOf(principal);',
        replace: "Either.right(AllCustomers);",
      },
    ],
  },
  bug(
    "an idempotency key replays for a different request",
    "model",
    PIPELINE,
    "stored.requestSha256 === requestSha256",
    "stored.requestSha256 !== null",
  ),
  bug(
    "a replayed command is performed again",
    "L5",
    PIPELINE,
    "(first === null ? other : Effect.succeed(first))",
    "(first === null ? other : Effect.as(Effect.ignore(runAttempt(customerId, by, {}, attempt)({ attempt: 1, conflict: null })), first))",
  ),
  bug(
    "idempotency records are not stored",
    "model",
    PIPELINE,
    "idempotency === undefined ? null : {",
    "true ? null : {",
  ),
  bug(
    "a settlement keeps any number of uploads",
    "outcome",
    "src/services/SettlementDocuments.ts",
    "if (limit !== null) return yield* limit;",
    "if (limit !== null && limit.token !== 'upload_limit') return yield* limit;",
  ),
  bug(
    "a file of any type can be uploaded",
    "outcome",
    "src/domain/Upload.ts",
    "return uploadTypes.some((type) => type === mediaType)",
    "return uploadTypes.length > 0 || uploadTypes.some((type) => type === mediaType)",
  ),
  bug(
    "a refused upload stores its bytes",
    "L3",
    "src/services/SettlementDocuments.ts",
    "yield* decide(settlement, command, policy);\n            const documents",
    'yield* bytesOf.put(customerId, (allowed.id + "x") as DocumentId, bytes);\n            yield* decide(settlement, command, policy);\n            const documents',
  ),
  bug(
    "an update with equal values stores a change",
    "L4",
    "src/domain/Partner.ts",
    "if (fields.length === 0) return Either.right({ data, events: [] });",
    "",
  ),
  bug(
    "a recomputation stays pending",
    "model",
    RECOMPUTATIONS,
    "after: reached, pending })",
    "after: reached, pending: true })",
  ),
  bug(
    "a new attribution does not require the formula set version",
    "C1",
    CREDITING,
    '{ type: "formula_set", partnerId, schemaId, version: context.formulaSet.version },',
    "",
    "concurrent",
  ),
  bug(
    "a formula command does not raise the formula set version",
    "C1",
    "src/services/formulas/FormulaChange.ts",
    'changes.push(save, { type: "bump_formula_set", partnerId, schemaId });',
    "changes.push(save);",
    "concurrent",
  ),
  bug(
    "a cancellation does not require the number of commissions",
    "C1",
    CANCELLATION,
    '{ type: "commissions", attributionId: id, count },',
    "",
    "concurrent",
  ),
  bug(
    "a cancellation does not require the versions of commissions",
    "S5",
    CANCELLATION,
    "...earned.map(",
    "...earned.slice(earned.length).map(",
    "cancel race",
  ),
  bug(
    "a recomputation does not require the attributions it revises",
    "C1",
    "src/services/commands/RevisionCollector.ts",
    "requires.push({",
    "[requires].slice(1).at(0)?.push({",
    "cancel race",
  ),
  {
    name: "a reservation does not require that a commission is free",
    by: "concurrent",
    caughtBy: "M4",
    edits: [
      {
        file: COMMIT,
        find: 'failUnless(partition.rows.commission.get(commissionId)?.version === expected, "commission");',
        replace: "",
      },
      {
        file: COMMIT,
        find: "commission === undefined || commission.openSettlementId !== holder",
        replace:
          'commission === undefined || (change.type !== "reserve" && commission.openSettlementId !== holder)',
      },
    ],
  },
  bug(
    "the later of two concurrent commands overwrites the settlement",
    "L1",
    COMMIT,
    "failUnless((rows.get(id)?.version ?? 0) === expected, kind);",
    'if (kind !== "settlement") failUnless((rows.get(id)?.version ?? 0) === expected, kind);',
    "concurrent",
  ),
];
