/** Bugs of batches, explanations and simulations, billing profiles and API keys. */
import { type Bug, bug } from "./Bug.ts";

const ATTRIBUTIONS = "src/services/Attributions.ts";
const CREDITING = "src/services/attributions/AttributionCreation.ts";
const COMMISSIONS = "src/services/Commissions.ts";
const FORMULAS = "src/services/CommissionFormulas.ts";
const PROFILES = "src/services/BillingProfiles.ts";
const KEY = "src/domain/ApiKey.ts";
const KEYS = "src/services/ApiKeys.ts";

/** See the file. */
export const requestBugs: ReadonlyArray<Bug> = [
  bug(
    "a batch forgets a reference that it has just taken",
    "model",
    CREDITING,
    "if (externalReference !== null) references.set(referenceKey(schemaId, externalReference), saved.row);",
    "",
  ),
  bug(
    "a batch rests on the partner and the formulas of its first part alone",
    "model",
    CREDITING,
    "contexts.get(contextKey(asked)) ?? NOTHING",
    "[...contexts.values()][0] ?? NOTHING",
  ),
  bug(
    "a refused batch stores its good half",
    "L3",
    ATTRIBUTIONS,
    "const decisions = yield* decided(creation, asked);",
    `const all = yield* Effect.either(decided({ ...creation, references: new Map(creation.references) }, asked));
    if (all._tag === "Left") {
      const good = yield* decided(creation, { ...asked, mode: "independent" });
      const changes = good.flatMap((one) => one.changes);
      yield* Effect.ignore(storage.commit(customerId, { command: execution, requires: [], changes, outbox: [], idempotencyRecord: null }));
    }
    const decisions = yield* all;`,
  ),
  bug(
    "a batch that is all or none leaves out what is refused",
    "model",
    ATTRIBUTIONS,
    'mode === "atomic"\n            ?',
    "mode.length === 0\n            ?",
  ),
  bug(
    "a batch of independent parts is all or none",
    "model",
    ATTRIBUTIONS,
    'mode === "atomic"\n            ?',
    "mode.length > 0\n            ?",
  ),
  bug(
    "a batch answers its refusals last",
    "model",
    ATTRIBUTIONS,
    "answer: { results: decisions.map(({ answer }) => answer) },",
    'answer: { results: decisions.map(({ answer }) => answer).sort((one, other) => Number("refusal" in one) - Number("refusal" in other)) },',
  ),
  bug(
    "a batch may be of any length",
    "model",
    "src/domain/Attribution.ts",
    "(length >= 1 && length <= BATCH_MAX)",
    "length >= 1",
  ),
  bug(
    "a batch does not ask whether a formula came meanwhile",
    "C1",
    ATTRIBUTIONS,
    "requires: formulaSetsOnce(decisions.flatMap(({ requires }) => requires)),",
    "requires: [],",
    "concurrent",
  ),
  bug(
    "of two batches at once both take a reference",
    "C1",
    "adapters/memory/Commit.ts",
    'claim(work, partition.references, join(schemaId, externalReference), id, "external_reference");',
    "work.journal.set(partition.references, join(schemaId, externalReference), id);",
    "concurrent",
  ),
  bug(
    "an explanation blames the attribution, whichever rule it was",
    "model",
    COMMISSIONS,
    "return { commissionId: id, amount: 0, basis, formulaVersion, explanation: null };",
    'return { commissionId: id, amount: 0, basis: "attribution_cancelled", formulaVersion, explanation: null };',
  ),
  bug(
    "an explanation evaluates what a rule has made 0",
    "model",
    COMMISSIONS,
    'if (basis !== "evaluated") {',
    'if (basis !== "evaluated" && basis !== "outside_window") {',
  ),
  bug(
    "an explanation is by the latest expression",
    "model",
    COMMISSIONS,
    "Formula.versionAt(formula, attribution.createdAt)",
    "formula.versions.length",
  ),
  bug(
    "an explanation forgets the version of an amount forced to 0",
    "model",
    COMMISSIONS,
    "const { formulaVersion } = commission;",
    "const formulaVersion = null;",
  ),
  bug(
    "anybody of a customer has its commissions explained",
    "model",
    COMMISSIONS,
    "if (found === undefined || !sees(principal, found.commission))",
    "if (found === undefined)",
  ),
  bug(
    "a simulation reads schemas of any workspace",
    "model",
    FORMULAS,
    'visible(storage, principal, "schema", asked.schemaId)',
    'visible(storage, { ...principal, workspaceIds: "*" }, "schema", asked.schemaId)',
  ),
  bug(
    "a simulation takes whatever properties it is given",
    "model",
    FORMULAS,
    "Either.mapBoth(conform(properties, schema.properties), {",
    "Either.mapBoth(Either.right(properties) as ReturnType<typeof conform>, {",
  ),
  bug(
    "a billing profile written as it is is stored again",
    "L4",
    PROFILES,
    "sameJson(written, profile)",
    "written === profile",
  ),
  bug(
    "a billing profile keeps what is not written again",
    "model",
    PROFILES,
    "saving(execution, { ...profile, version, lastAt })",
    "saving(execution, { ...written, ...profile, version, lastAt })",
  ),
  bug("a revoked key still verifies", "model", KEY, "key.revokedAt === null && (", "("),
  bug("a key outlives its end", "model", KEY, "key.expiresAt === null || now < key.expiresAt", "true"),
  bug(
    "any secret opens a key",
    "model",
    KEYS,
    "sameDigest(secretSha256, key?.secretSha256 ?? DUMMY_SHA256)",
    "secretSha256 !== DUMMY_SHA256",
  ),
  bug("a key reaches further than its maker", "model", KEY, "return within(made, principal) &&", "return "),
  bug(
    "a key may do what its maker may not",
    "model",
    KEY,
    "made.scopes.every((scope) => principal.scopes.includes(scope))",
    "true",
  ),
  bug(
    "a key manages keys although nobody said so",
    "model",
    KEY,
    "DEFAULT_SCOPES.filter((scope) => principal.scopes.includes(scope))",
    "principal.scopes",
  ),
  bug(
    "whoever may revoke revokes any key of the customer",
    "model",
    KEYS,
    "if (key === undefined || !ApiKey.within(key, principal))",
    "if (key === undefined)",
  ),
  bug(
    "a key revoked again is revoked anew",
    "L4",
    KEYS,
    "if (key.revokedAt !== null) return noEffect({});",
    "",
  ),
  bug(
    "making a key is replayed without its secret",
    "model",
    KEYS,
    "return made.replayed\n",
    "return made.replayed === null\n",
  ),
  bug(
    "nobody notes that a key was used",
    "model",
    KEYS,
    "Effect.as(Effect.ignore(directory.touch(keyId, minute)), principal)",
    "Effect.succeed(principal)",
  ),
];
