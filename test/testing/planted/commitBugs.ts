/** Bugs of the write door. */
import { Effect } from "effect";
import type { Ids, Storage } from "quittance";
import { Build } from "quittance/testing";
import { type Bug, ofChangeSets, ofStorage, unnoticed } from "./Bug.ts";

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

/** Brings each expected version to what the store holds: the check by read only, done away with. */
const unchecked = (storage: Storage.StorageService, customerId: Ids.CustomerId, change: Storage.Change) =>
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

/** The version that a commission has now, for lines and revisions that should not have to know. */
const current = (storage: Storage.StorageService, customerId: Ids.CustomerId, id: Ids.CommissionId) =>
  Effect.map(storage.find(customerId, "commission", [id]), ([found]) => found?.version ?? 0);

/** Bugs of commits. */
export const commitBugs: ReadonlyArray<Bug> = [
  ofChangeSets(
    "program versions are not compared",
    ["No formula command has come since"],
    without("formula_set"),
  ),
  ofChangeSets(
    "required records are not compared",
    ["a required record of every kind", "each requires the version"],
    without("record"),
  ),
  ofChangeSets("freshness is not compared", ["Every line of the draft equals"], without("freshness")),
  ofChangeSets("commissions are not counted", ["has exactly so many commissions"], without("commissions")),
  ofStorage(
    "expected versions are not compared",
    [
      "expected versions of every kind",
      "saving a record that is not there",
      "eight saves of one version",
      "the id of a new record, under a race",
    ],
    (storage) => ({
      commit: (customerId, changeSet) =>
        Effect.gen(function* () {
          const changes = yield* Effect.forEach(changeSet.changes, (change) =>
            unchecked(storage, customerId, change),
          );
          yield* storage.commit(customerId, { ...changeSet, changes });
        }),
    }),
  ),
  ofStorage(
    "versions of revised commissions are not compared",
    ["commissions revised and reserved"],
    (storage) => ({
      commit: (customerId, changeSet) =>
        Effect.gen(function* () {
          const changes = yield* Effect.forEach(changeSet.changes, (change) =>
            change.type === "revise"
              ? Effect.map(
                  Effect.forEach(change.revisions, (revision) =>
                    Effect.map(current(storage, customerId, revision.commissionId), (expected) => ({
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
  ofStorage(
    "an open settlement's commissions are handed over",
    ["in no open settlement, zero amounts included", "overlapping reservations"],
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
                    Effect.map(current(storage, customerId, line.commissionId), (expected) => ({
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
  ofStorage(
    "changes are stored one by one",
    ["refused by its last change", "lines expect the version"],
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
  ofStorage("messages are sent before the commit", ["refused by its last change"], (storage) => ({
    commit: (customerId, { outbox, ...changeSet }) =>
      Effect.zipRight(
        storage.commit(customerId, Build.changeSet({ outbox })),
        storage.commit(customerId, { ...changeSet, outbox: [] }),
      ),
  })),
  ofStorage("refused commands are noted as stored", ["before, refused, stored"], (storage) => ({
    commit: (customerId, changeSet) =>
      Effect.tapError(storage.commit(customerId, changeSet), () =>
        storage.commit(customerId, Build.changeSet({ command: changeSet.command })),
      ),
  })),
  ofStorage(
    "refused commands take their idempotency key",
    ["a refused commit leaves the key free"],
    (storage) => ({
      commit: (customerId, changeSet) =>
        Effect.tapError(storage.commit(customerId, changeSet), () =>
          storage.commit(customerId, Build.changeSet({ idempotencyRecord: changeSet.idempotencyRecord })),
        ),
    }),
  ),
  ofStorage(
    "moved versions are told before a repetition",
    ["told before versions are looked at"],
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
  ofChangeSets(
    "idempotency keys are not kept",
    ["per customer and principal", "six uses at once", "an answer without any change"],
    (changeSet) => ({ ...changeSet, idempotencyRecord: null }),
  ),
  ofChangeSets("idempotency keys are shared by principals", ["per customer and principal"], (changeSet) => ({
    ...changeSet,
    idempotencyRecord:
      changeSet.idempotencyRecord === null
        ? null
        : { ...changeSet.idempotencyRecord, principalId: "everyone" },
  })),
  ofChangeSets("commands are stored under an id of their own", ["the id of a command"], (changeSet) => ({
    ...changeSet,
    command: { ...changeSet.command, id: Build.fresh.command() },
  })),
  ofChangeSets(
    "formula sets are not bumped",
    ["No formula command has come since", "Raises the version of a formula set"],
    dropping(({ type }) => type === "bump_formula_set"),
  ),
  ofChangeSets(
    "numbers are not counted",
    ["no gap, no repetition", "per kind of document"],
    dropping(({ type }) => type === "allocate_number"),
  ),
  ofChangeSets(
    "a settlement may begin without its lines",
    ["(reserved)", "(the largest settlement)", "one of eight at once", "at once. (with their attributions)"],
    dropping(({ type }) => type === "reserve"),
  ),
  ofChangeSets(
    "amounts are not revised",
    ["a failure after an amount", "before, after, and after approval"],
    dropping(({ type }) => type === "revise"),
  ),
  ofChangeSets(
    "written-off lines are settled as paid",
    ["into settled ones. (written off)", "written off twice, of opposite sign"],
    altering((change) => (change.type === "settle" ? { ...change, as: "paid" } : change)),
  ),
  ofChangeSets(
    "paid lines are settled as written off",
    ["into settled ones. (paid)"],
    altering((change) => (change.type === "settle" ? { ...change, as: "written_off" } : change)),
  ),
  ofChangeSets(
    "every release looks like a cancelled draft",
    ["reserved lines of a settlement back. (for every cause)"],
    altering((change) => (change.type === "release" ? { ...change, cause: "draft_cancelled" } : change)),
  ),
  ofChangeSets(
    "a returned payment leaves the lines settled",
    ["and they can be settled again", "(held by another)"],
    dropping(({ type }) => type === "reopen"),
  ),
  ofChangeSets(
    "what takes back is forgotten",
    ["some and none", "sold, corrected, refunded"],
    dropping(({ type }) => type === "take_back"),
  ),
  unnoticed("take_back", ["(a second time)"]),
  ofStorage("parts of anything are taken", ["(others are refused)"], (storage) => ({
    commit: (customerId, changeSet) =>
      Effect.catchIf(
        storage.commit(customerId, changeSet),
        () => changeSet.changes.some(({ type }) => type === "take_back"),
        () => Effect.void,
      ),
  })),
  unnoticed("external_reference", ["unique per customer and schema", "an external reference under a race"]),
  unnoticed("attribution and formula", ["one commission per attribution and formula"]),
  unnoticed("document", ["one document per settlement, kind and revision"]),
  unnoticed("api_key", ["the public part of a key"]),
  unnoticed("payment_reference", ["(a payment reference)"]),
  unnoticed("partner", ["the id of a new record, under a race"]),
];
