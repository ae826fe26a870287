/** Bugs of records, visibility, lists, repetition and concurrency. */
import { type Bug, bug } from "./Bug.ts";

const ATTRIBUTION = "src/domain/Attribution.ts";
const ATTRIBUTIONS = "src/services/Attributions.ts";
const CREDITING = "src/services/attributions/AttributionCreation.ts";
const PROPERTIES = "src/domain/Properties.ts";
const PAGE = "adapters/memory/Page.ts";
const PIPELINE = "src/services/commands/Pipeline.ts";
const COMMIT = "adapters/memory/Commit.ts";
const RECOMPUTATIONS = "src/services/worker/Recomputations.ts";

/** See the file. */
export const recordBugs: ReadonlyArray<Bug> = [
  bug(
    "a default is written into the properties",
    "model",
    PROPERTIES,
    "  const absent = definitions.find(",
    "  for (const { name, default: value } of definitions) if (value !== undefined) properties[name] ??= value;\n  const absent = definitions.find(",
  ),
  bug("a zero keeps its sign", "model", PROPERTIES, "Object.is(value, -0) ? 0 : value", "value"),
  bug(
    "a property may be any number",
    "model",
    PROPERTIES,
    "!Number.isFinite(value) || Math.abs(value) > MAGNITUDE_MAX",
    "Number.isNaN(value)",
  ),
  bug(
    "the last reason of a cancellation wins",
    "L4",
    ATTRIBUTION,
    'state.status === "cancelled" ? [] : [{ type: "cancel_attribution", reason }]',
    '[{ type: "cancel_attribution", reason }]',
  ),
  bug(
    "an external reference is another partner's too",
    "model",
    ATTRIBUTION,
    "existing.partnerId === asked.partnerId &&",
    "",
  ),
  bug(
    "a partner of another workspace is taken",
    "model",
    CREDITING,
    "|| partner.workspaceId !== workspaceId",
    "",
  ),
  bug(
    "events go back in time with the clock",
    "L2",
    "src/domain/Event.ts",
    "last === null || clock > last ? clock : last",
    "clock",
  ),
  bug(
    "a view without its event",
    "L1",
    COMMIT,
    "journal.append(log, change.row.id, frozen(change.entries));",
    "if (change.expected === 0 || change.row.version % 2 === 1) journal.append(log, change.row.id, frozen(change.entries));",
  ),
  bug(
    "a week starts on Sunday",
    "model",
    "src/domain/Calendar.ts",
    "(date.getUTCDay() + 6) % 7",
    "date.getUTCDay()",
  ),
  bug(
    "the last bucket takes what comes after it",
    "model",
    "src/services/Attributions.ts",
    "    to,\n    bucketStarts: starts,",
    "    to: to + 86_400_000,\n    bucketStarts: starts,",
  ),
  bug(
    "% stands for any text in a search",
    "model",
    PAGE,
    ".includes(nameContains))",
    '.includes(nameContains.replaceAll("%", "")))',
  ),
  bug(
    "pages in order of time alone",
    "M9",
    "adapters/memory/Order.ts",
    "(one.id < other.id ? -1 : one.id > other.id ? 1 : 0)",
    "(one.id < other.id ? 1 : one.id > other.id ? -1 : 0)",
  ),
  bug("the total is that of the page", "model", PAGE, "total: found.length,", "total: wanted.length,"),
  bug(
    "a formula is active on its last moment",
    "model",
    PAGE,
    "Formula.covers(row, activeAt)",
    "Formula.covers(row, activeAt - 1)",
  ),
  bug(
    "a settlement of the moment at which a span ends is in it",
    "model",
    PAGE,
    "row.createdAt < createdTo",
    "row.createdAt <= createdTo",
  ),
  bug(
    "the states of attributions are not asked",
    "model",
    PAGE,
    "add((row) => among(row.status));",
    "add((row) => among(row.status) || true);",
  ),
  bug(
    "lists forget who asks",
    "model",
    "src/services/commands/Listing.ts",
    '{ ...asked, ...restrict(principal, asked, kind !== "schema") }',
    "asked",
  ),
  bug(
    "403 for what is there but not seen",
    "model",
    "src/services/commands/Access.ts",
    "return owner !== null && sees(principal, owner) ? row : null;",
    'return owner !== null && sees(principal, owner) ? row : yield* new Forbidden({ message: "not yours" });',
  ),
  bug(
    "workspaces are not looked at",
    "model",
    "src/domain/Principal.ts",
    "  isGranted(principal.workspaceIds, record.workspaceId) &&",
    "",
  ),
  {
    name: "another customer's records are seen",
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
    "an idempotency key answers any request",
    "model",
    PIPELINE,
    "stored.requestSha256 === requestSha256",
    "stored.requestSha256 !== null",
  ),
  bug(
    "a repeated command is answered as before, and done again",
    "L5",
    PIPELINE,
    "(first === null ? other : Effect.succeed(first))",
    "(first === null ? other : Effect.as(Effect.ignore(once(customerId, principalId, {}, attempt, 1)), first))",
  ),
  bug(
    "an idempotency key is forgotten",
    "model",
    PIPELINE,
    "idempotency === undefined ? null : {",
    "true ? null : {",
  ),
  bug(
    "a refused command leaves a trace",
    "L3",
    "src/services/SettlementDocuments.ts",
    "yield* decide(settlement, command, policy);\n          yield* bytesOf.put(customerId, documentId, bytes);",
    'yield* bytesOf.put(customerId, (documentId + "x") as DocumentId, bytes);\n          yield* decide(settlement, command, policy);\n          yield* bytesOf.put(customerId, documentId, bytes);',
  ),
  bug(
    "a patch with equal values is a change",
    "L4",
    "src/services/Partners.ts",
    "return sameJson(partner, updated)",
    "return partner === updated",
  ),
  bug(
    "a recomputation is never over",
    "model",
    RECOMPUTATIONS,
    "after: reached, pending })",
    "after: reached, pending: true })",
  ),
  bug(
    "attributions do not ask whether a formula came meanwhile",
    "C1",
    CREDITING,
    'requires: [{ type: "formula_set", partnerId, schemaId, version: formulaSet.version }],',
    "requires: [],",
    "concurrent",
  ),
  bug(
    "formulas do not tell that they came",
    "C1",
    "src/services/CommissionFormulas.ts",
    '[save, { type: "bump_formula_set", partnerId, schemaId }]',
    "[save]",
    "concurrent",
  ),
  bug(
    "a cancellation does not ask whether a commission came meanwhile",
    "C1",
    ATTRIBUTIONS,
    '{ type: "commissions", attributionId: id, count: commissions.length },',
    "",
    "concurrent",
  ),
  bug(
    "a cancellation does not ask what became of commissions that were 0",
    "S5",
    ATTRIBUTIONS,
    "...commissions.map(",
    "...commissions.slice(commissions.length).map(",
    "meeting",
  ),
  bug(
    "a recomputation revives what was just cancelled",
    "C1",
    RECOMPUTATIONS,
    "requires.push({",
    "[requires].slice(1).at(0)?.push({",
    "meeting",
  ),
  {
    name: "whether a commission is free is only read",
    by: "concurrent",
    caughtBy: "M4",
    edits: [
      {
        file: COMMIT,
        find: 'insist(partition.rows.commission.get(commissionId)?.version === expected, "commission");',
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
    "of two commands on one record the later overwrites the earlier",
    "C1",
    COMMIT,
    "insist((rows.get(id)?.version ?? 0) === expected, kind);",
    'if (kind !== "settlement") insist((rows.get(id)?.version ?? 0) === expected, kind);',
    "concurrent",
  ),
];
