/** Planted bugs of commits. */
import { Effect } from "effect";
import type { Ids, Storage } from "quittance";
import { Build } from "quittance/testing";
import { type Bug, changeSetBug, conflictBug, storageBug } from "./Bug.ts";

const without = (type: Storage.Requirement["type"]) => (changeSet: Storage.ChangeSet) => ({
  ...changeSet,
  requires: changeSet.requires.filter((requirement) => requirement.type !== type),
});

const altering =
  (alter: (change: Storage.Change) => Storage.Change) =>
  (changeSet: Storage.ChangeSet): Storage.ChangeSet => ({
    ...changeSet,
    changes: changeSet.changes.map(alter),
  });

const dropping =
  (drop: (change: Storage.Change) => boolean) =>
  (changeSet: Storage.ChangeSet): Storage.ChangeSet => ({
    ...changeSet,
    changes: changeSet.changes.filter((change) => !drop(change)),
  });

/** Replaces the expected version of a save by the stored one, so that the store compares nothing. */
const withStoredVersion = (
  storage: Storage.StorageService,
  customerId: Ids.CustomerId,
  change: Storage.Change,
) =>
  Effect.gen(function* () {
    if (change.type === "save") {
      const id = "id" in change.row ? change.row.id : change.row.customerId;
      const [found] = yield* storage.find(customerId, change.kind, [id]);
      const expected = found?.version ?? 0;
      const raised = "entries" in change ? change.entries.length : 1;
      return { ...change, expected, row: { ...change.row, version: expected + raised } } as Storage.Change;
    }
    return change;
  });

/** The stored version of a commission. */
const storedVersion = (storage: Storage.StorageService, customerId: Ids.CustomerId, id: Ids.CommissionId) =>
  Effect.map(storage.find(customerId, "commission", [id]), ([found]) => found?.version ?? 0);

/** The change set without the person of its command, which is that of changed lines. */
const withoutPerson = ({ command: { person: _, ...command }, ...rest }: Storage.ChangeSet) => ({
  ...rest,
  command,
});

/** Every planted bug of commits. */
export const commitBugs: ReadonlyArray<Bug> = [
  changeSetBug("the events of lines have no person", ["Every event keeps its actor"], withoutPerson),
  changeSetBug(
    "links are saved without the version of their workspace",
    ["two commands on the links of a workspace"],
    dropping((change) => change.type === "save" && change.kind === "linkSet"),
  ),
  changeSetBug(
    "a replaced attribution keeps its external reference",
    ["an external reference that moves to a new attribution"],
    dropping(
      (change) =>
        change.type === "save" && change.kind === "attribution" && change.row.externalReference === null,
    ),
  ),
  changeSetBug(
    "formula set versions are not compared",
    ["The formula set still has this version"],
    without("formula_set"),
  ),
  changeSetBug(
    "required records are not compared",
    [
      "a required record of every kind",
      "each requires the version",
      "what orders the arrival of new attributions",
      "the links of a workspace, of a creation",
    ],
    without("record"),
  ),
  changeSetBug(
    "attributions since a moment are not looked for",
    ["No attribution of the partner, schema and workspace occurred"],
    without("no_attribution_since"),
  ),
  changeSetBug(
    "formulas of a plan are not looked for",
    ["No formula belongs to the plan."],
    without("no_formula_of_plan"),
  ),
  changeSetBug("freshness is not required", ["every line of the draft equals"], without("freshness")),
  changeSetBug(
    "commissions are not counted",
    ["has exactly this many commissions", "two that add to one each"],
    without("commissions"),
  ),
  storageBug(
    "expected versions are not compared",
    [
      "expected versions of every kind",
      "what orders the arrival of new attributions",
      "updates of records that are not stored",
      "eight concurrent saves at one version",
      "the id of a new record, four concurrent creations",
    ],
    (storage) => ({
      commit: (customerId, changeSet) =>
        Effect.gen(function* () {
          const changes = yield* Effect.forEach(changeSet.changes, (change) =>
            withStoredVersion(storage, customerId, change),
          );
          yield* storage.commit(customerId, { ...changeSet, changes });
        }),
    }),
  ),
  storageBug(
    "versions of revised commissions are not compared",
    ["commissions revised and reserved"],
    (storage) => ({
      commit: (customerId, changeSet) =>
        Effect.gen(function* () {
          const changes = yield* Effect.forEach(changeSet.changes, (change) =>
            change.type === "revise"
              ? Effect.map(
                  Effect.forEach(change.revisions, (revision) =>
                    Effect.map(storedVersion(storage, customerId, revision.commissionId), (expected) => ({
                      ...revision,
                      expected,
                    })),
                  ),
                  (revisions): Storage.Change => ({ ...change, revisions }),
                )
              : Effect.succeed(change),
          );
          yield* storage.commit(customerId, { ...changeSet, changes });
        }),
    }),
  ),
  storageBug(
    "a reservation takes commissions from another open settlement",
    ["amounts of zero included", "overlapping reservations"],
    (storage) => ({
      commit: (customerId, changeSet) =>
        Effect.gen(function* () {
          for (const change of changeSet.changes) {
            if (change.type !== "reserve") continue;
            for (const { commissionId } of change.lines) {
              const [held] = yield* storage.find(customerId, "commission", [commissionId]);
              if (held === undefined || held.openSettlementId === null) continue;
              const release = {
                type: "release",
                settlementId: held.openSettlementId,
                cause: "draft_cancelled",
              } as const;
              yield* storage.commit(customerId, Build.changeSet({ changes: [release] }));
            }
          }
          const changes = yield* Effect.forEach(changeSet.changes, (change) =>
            change.type === "reserve"
              ? Effect.map(
                  Effect.forEach(change.lines, (line) =>
                    Effect.map(storedVersion(storage, customerId, line.commissionId), (expected) => ({
                      ...line,
                      expected,
                    })),
                  ),
                  (lines): Storage.Change => ({ ...change, lines }),
                )
              : Effect.succeed(change),
          );
          yield* storage.commit(customerId, { ...changeSet, changes });
        }),
    }),
  ),
  storageBug(
    "every change is a commit of its own",
    [
      "refused by its last change",
      "a line may expect the version that a revision of the same commit produces",
    ],
    (storage) => ({
      commit: (customerId, changeSet) =>
        Effect.gen(function* () {
          yield* storage.commit(customerId, { ...changeSet, changes: [] });
          for (const change of changeSet.changes) {
            yield* storage.commit(customerId, Build.changeSet({ changes: [change] }));
          }
        }),
    }),
  ),
  storageBug("messages are sent before the commit", ["refused by its last change"], (storage) => ({
    commit: (customerId, { outbox, ...changeSet }) =>
      Effect.zipRight(
        storage.commit(customerId, Build.changeSet({ outbox })),
        storage.commit(customerId, { ...changeSet, outbox: [] }),
      ),
  })),
  storageBug(
    "the id of a refused command is stored",
    ["unknown, refused and stored commands"],
    (storage) => ({
      commit: (customerId, changeSet) =>
        Effect.tapError(storage.commit(customerId, changeSet), () =>
          storage.commit(customerId, Build.changeSet({ command: changeSet.command })),
        ),
    }),
  ),
  storageBug(
    "a refused command uses up its idempotency key",
    ["a refused commit leaves the key free"],
    (storage) => ({
      commit: (customerId, changeSet) =>
        Effect.tapError(storage.commit(customerId, changeSet), () =>
          storage.commit(customerId, Build.changeSet({ idempotencyRecord: changeSet.idempotencyRecord })),
        ),
    }),
  ),
  storageBug(
    "requirements are checked before the idempotency key",
    ["checked before any version"],
    (storage) => ({
      commit: (customerId, changeSet) =>
        Effect.zipRight(
          changeSet.idempotencyRecord === null
            ? Effect.void
            : storage.commit(customerId, Build.changeSet({ requires: changeSet.requires })),
          storage.commit(customerId, changeSet),
        ),
    }),
  ),
  changeSetBug(
    "idempotency records are not stored",
    ["per customer and principal", "six concurrent uses", "stored without any change"],
    (changeSet) => ({ ...changeSet, idempotencyRecord: null }),
  ),
  changeSetBug("idempotency keys are shared by principals", ["per customer and principal"], (changeSet) => ({
    ...changeSet,
    idempotencyRecord:
      changeSet.idempotencyRecord === null
        ? null
        : { ...changeSet.idempotencyRecord, principalId: "everyone" },
  })),
  changeSetBug("commands are stored under another id", ["the id of a command"], (changeSet) => ({
    ...changeSet,
    command: { ...changeSet.command, id: Build.fresh.command() },
  })),
  changeSetBug(
    "formula sets are not bumped",
    ["The formula set still has this version", "Raises the version of a formula set"],
    dropping(({ type }) => type === "bump_formula_set"),
  ),
  changeSetBug(
    "numbers are not allocated",
    [
      "gaps and repetitions are refused",
      "A series of the customer by its name; null before its first number. (by its name)",
    ],
    dropping(({ type }) => type === "allocate_number"),
  ),
  changeSetBug(
    "reservations are not stored",
    [
      "(reserved lines)",
      "a settlement of the largest size",
      "one of eight concurrent reservations is stored",
      "each with its formula and attribution",
    ],
    dropping(({ type }) => type === "reserve"),
  ),
  changeSetBug(
    "revisions are not stored",
    [
      "a failed computation after an amount, an amount after a failed computation",
      "fresh, after a revision, revised back, and after approval",
    ],
    dropping(({ type }) => type === "revise"),
  ),
  changeSetBug(
    "written-off lines are settled as paid",
    ["(as written off)", "as written off twice, with opposite signs"],
    altering((change) => (change.type === "settle" ? { ...change, as: "paid" } : change)),
  ),
  changeSetBug(
    "paid lines are settled as written off",
    ["as paid"],
    altering((change) => (change.type === "settle" ? { ...change, as: "written_off" } : change)),
  ),
  changeSetBug(
    "every release has the cause draft_cancelled",
    ["for every cause; the commissions can be reserved again"],
    altering((change) => (change.type === "release" ? { ...change, cause: "draft_cancelled" } : change)),
  ),
  changeSetBug(
    "reopenings are not stored",
    ["and the lines can be settled again", "refused while another settlement holds a commission"],
    dropping(({ type }) => type === "reopen"),
  ),
  changeSetBug(
    "reversals are not stored",
    ["with and without parts", "a sale, a correction and a refund"],
    dropping(({ type }) => type === "reverse"),
  ),
  conflictBug("reversal", ["a second time is refused"]),
  storageBug(
    "reversals are not checked",
    ["a part of another commission or settlement is refused"],
    (storage) => ({
      commit: (customerId, changeSet) =>
        Effect.catchIf(
          storage.commit(customerId, changeSet),
          () => changeSet.changes.some(({ type }) => type === "reverse"),
          () => Effect.void,
        ),
    }),
  ),
  conflictBug("external_reference", [
    "unique per customer and schema",
    "an external reference of a partner is unique per workspace",
    "an external reference, six concurrent creations",
  ]),
  conflictBug("attribution and formula", ["one commission per attribution and formula"]),
  conflictBug("document", ["one document per settlement, kind and revision"]),
  conflictBug("api_key", ["the public part of an API key is unique"]),
  conflictBug("payment_reference", ["a payment reference belongs to one settlement"]),
  conflictBug("partner", ["the id of a new record, four concurrent creations"]),
  conflictBug("books", ["a command or an event of a closed month", "sales while their month is closed"]),
];
