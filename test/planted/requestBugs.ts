/** Planted bugs of batches, explanations, simulations, billing profiles and API keys. */
import { type Bug, bug } from "./Bug.ts";

const ATTRIBUTIONS = "src/services/Attributions.ts";
const CREDITING = "src/services/attributions/AttributionCreation.ts";
const COMMISSIONS = "src/services/Commissions.ts";
const FORMULAS = "src/services/CommissionFormulas.ts";
const PROFILES = "src/services/BillingProfiles.ts";
const KEY = "src/domain/ApiKey.ts";
const KEYS = "src/services/ApiKeys.ts";

/** Every planted bug of this file. */
export const requestBugs: ReadonlyArray<Bug> = [
  bug(
    "a batch does not see external references of its own earlier parts",
    "model",
    CREDITING,
    "creation.references.set(referenceKey(schemaId, externalReference), origin);",
    "",
  ),
  bug(
    "a batch uses the partner and formulas of its first part for all parts",
    "model",
    "src/services/attributions/CreationReads.ts",
    "contexts.get(contextKey(key)) ?? NOTHING",
    "[...contexts.values()][0] ?? NOTHING",
  ),
  bug(
    "a refused atomic batch stores its accepted parts",
    "L3",
    ATTRIBUTIONS,
    "const decisions = yield* decideBatch(creation, request);",
    `const all = yield* Effect.either(decideBatch({ ...creation, references: new Map(creation.references) }, request));
    if (all._tag === "Left") {
      const good = yield* decideBatch(creation, { ...request, mode: "independent" });
      const changes = good.flatMap((one) => one.changes);
      yield* Effect.ignore(storage.commit(customerId, { command: execution, requires: [], changes, outbox: [], idempotencyRecord: null }));
    }
    const decisions = yield* all;`,
  ),
  bug(
    "an atomic batch skips refused parts",
    "model",
    "src/services/commands/Batch.ts",
    'if (mode === "independent")',
    "if (mode.length > 0)",
  ),
  bug(
    "an independent batch is refused as a whole",
    "model",
    "src/services/commands/Batch.ts",
    'if (mode === "independent")',
    "if (mode.length === 0)",
  ),
  bug(
    "the results of a batch are sorted by refusal",
    "model",
    ATTRIBUTIONS,
    "const results = decisions.map(({ result }) => result);",
    'const results = decisions.map(({ result }) => result).sort((one, other) => Number("refusal" in one) - Number("refusal" in other));',
  ),
  bug(
    "a batch can have any number of parts",
    "Attributions: holds 1 to 1,000 attributions",
    "src/domain/Attribution.ts",
    "if (length < 1 || length > BATCH_MAX)",
    "if (length < 1)",
    "rules",
  ),
  bug(
    "a batch does not require the formula set versions",
    "C1",
    ATTRIBUTIONS,
    "requires: distinctRequirements(decisions),",
    "requires: [],",
    "concurrent",
  ),
  bug(
    "two concurrent batches can store the same external reference",
    "C1",
    "adapters/memory/Indexes.ts",
    'claim(work, partition.references, join(schemaId, externalReference), id, "external_reference");',
    "work.journal.set(partition.references, join(schemaId, externalReference), id);",
    "concurrent",
  ),
  bug(
    "an explanation always names the cancelled attribution as its basis",
    "model",
    COMMISSIONS,
    "const known = { basis, formulaVersion, parametersVersion, explanation: null };",
    'const known = { basis: "attribution_cancelled" as const, formulaVersion, parametersVersion, explanation: null };',
  ),
  bug(
    "an explanation evaluates a formula outside of its window",
    "model",
    COMMISSIONS,
    'if (basis !== "evaluated") {',
    'if (basis !== "evaluated" && basis !== "outside_window") {',
  ),
  bug(
    "an explanation uses the latest version of the formula",
    "model",
    COMMISSIONS,
    "Formula.versionAt(formula, attribution.occurredAt)",
    "formula.versions.length",
  ),
  bug(
    "an explanation loses the formula version of an amount forced to 0",
    "model",
    COMMISSIONS,
    "const { formulaVersion, parametersVersion } = commission;",
    "const { parametersVersion } = commission, formulaVersion = null;",
  ),
  bug(
    "explanations ignore the principal's grants",
    "model",
    COMMISSIONS,
    "if (found === undefined || !canSee(principal, found.commission))",
    "if (found === undefined)",
  ),
  bug(
    "a simulation ignores workspace grants",
    "model",
    FORMULAS,
    'findVisible(storage, principal, "schema", request.schemaId)',
    'findVisible(storage, { ...principal, workspaceIds: "*" }, "schema", request.schemaId)',
  ),
  bug(
    "a simulation does not check the properties",
    "CommissionFormulas: names the sample whose properties do not fit the schema",
    "src/services/formulas/Simulation.ts",
    "const properties = yield* conform(sample.properties, schema.properties);",
    "const properties = yield* Either.right(sample.properties) as ReturnType<typeof conform>;",
    "rules",
  ),
  bug(
    "an unchanged billing profile is stored again",
    "BillingProfiles: that equals the previous one is not stored again",
    "src/domain/BillingProfile.ts",
    "!sameJson(old?.[field], present?.[field])",
    "old?.[field] !== present?.[field]",
    "rules",
  ),
  bug(
    "a billing profile keeps fields that are absent from the new one",
    "model",
    PROFILES,
    "const profile = { ...request, customerId, ...version };",
    "const profile = { ...written, ...request, customerId, ...version };",
  ),
  bug("a revoked key still verifies", "model", KEY, "key.revokedAt === null && (", "("),
  bug(
    "an expired key still verifies",
    "ApiKeys: is valid until it expires",
    KEY,
    "key.expiresAt === null || now < key.expiresAt",
    "true",
    "rules",
  ),
  bug(
    "a key verifies with any secret",
    "model",
    KEYS,
    "sameDigest(secretSha256, key?.secretSha256 ?? DUMMY_SHA256)",
    "secretSha256 !== DUMMY_SHA256",
  ),
  bug(
    "a key can have a wider grant than its creator",
    "model",
    KEY,
    "return isWithin(requested, principal) &&",
    "return ",
  ),
  bug(
    "a key can have another person than its creator",
    "model",
    "src/domain/ApiKey.ts",
    "return person === undefined || person === own",
    "return person === undefined || person.length > 0",
  ),
  bug(
    "a key of a customer's credential has no person",
    "FourEyes: does not approve with a second key what was drafted with the first",
    "src/domain/ApiKey.ts",
    "const own = personOf(principal);",
    "const own = null;",
    "rules",
  ),
  bug(
    "signing out revokes the key of a program",
    "Sessions: does not end the key of a program",
    "src/services/Sessions.ts",
    'key?.use === "session" ? ApiKey.revoke(key, execution) : []',
    "key === undefined ? [] : ApiKey.revoke(key, execution)",
    "rules",
  ),
  bug(
    "each session of a person is a person of its own",
    "Sessions: is of the person, in every session anew",
    KEY,
    '  ...signedIn,\n  use: "session",',
    '  ...signedIn,\n  person: null,\n  use: "session",',
    "rules",
  ),
  bug(
    "keys end with the session in which they were created",
    "Sessions: creates keys of the person that outlast it",
    KEY,
    'key.expiresAt === null || key.use === "session"',
    "key.expiresAt === null",
    "rules",
  ),
  bug(
    "a key can have scopes that its creator lacks",
    "model",
    KEY,
    "requested.scopes.every((scope) => principal.scopes.includes(scope))",
    "true",
  ),
  bug(
    "a key can outlive the credential of its creator",
    "ApiKeys: does not outlive the credential of its creator",
    KEY,
    "(requested.expiresAt ?? end) > end",
    "requested.expiresAt === null",
    "rules",
  ),
  bug(
    "a key without an end outlives the credential of its creator",
    "model",
    KEY,
    "request.expiresAt ?? principal.expiresAt ?? null",
    "request.expiresAt ?? null",
  ),
  bug(
    "a credential for some workspaces writes the billing profile",
    "model",
    "src/domain/Principal.ts",
    '  ["write billing profile", "the billing profile"],\n',
    "",
  ),
  bug(
    "a new key has the scope keys:admin by default",
    "model",
    KEY,
    "DEFAULT_SCOPES.filter((scope) => principal.scopes.includes(scope))",
    "principal.scopes",
  ),
  bug(
    "a key outside the grant can be revoked",
    "model",
    KEYS,
    "if (key === undefined || !ApiKey.isWithin(key, principal))",
    "if (key === undefined)",
  ),
  bug(
    "a second revocation stores a change",
    "L4",
    KEY,
    'revokedAt === null ? [{ type: "revoke_api_key", actor: shownActor(by) }] : []',
    '[{ type: "revoke_api_key", actor: shownActor(by) }]',
  ),
  bug(
    "creating a key is replayed without its secret",
    "ApiKeys: is returned once: a repeated request is refused, and creates no second key",
    KEYS,
    "return created.replayed\n",
    "return created.replayed === null\n",
    "rules",
  ),
  bug(
    "the use of a key is not recorded",
    "model",
    KEYS,
    "Effect.as(Effect.ignore(directory.touch(keyId, minute)), principal)",
    "Effect.succeed(principal)",
  ),
];
