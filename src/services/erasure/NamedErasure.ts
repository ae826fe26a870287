/** Erases a partner's names from its own formulas, from what was accepted for it, and its keys' names and persons. */
import { Clock, Effect } from "effect";
import { isUsable } from "../../domain/ApiKey.ts";
import { ERASED } from "../../domain/PersonalData.ts";
import type { Refusal } from "../../domain/Refusal.ts";
import type { Change, Listed, Logged, StorageError, Versioned } from "../../ports/Storage.ts";
import { noEffect } from "../commands/Pipeline.ts";
import type { Erasure, Task, Tools } from "./Erasure.ts";
import { type FindPlace, readPlaces } from "./FeedPlaces.ts";
import { eraseRecord, isShown } from "./Redaction.ts";

/** Records of one kind. */
interface NamedRecords<Name extends keyof Logged> {
  readonly kind: Name;
  readonly ids: ReadonlyArray<string>;
  /** The further changes when one of them is erased. */
  readonly more: (row: Versioned<Logged[Name]["record"]>) => ReadonlyArray<Change>;
}

/** Erases records of one kind, each in a commit of its own. */
const eraseEach = <Name extends "formula" | "planAcceptance" | "apiKey">(
  tools: Tools,
  task: Task,
  { kind, ids, more }: NamedRecords<Name>,
): Effect.Effect<void, Refusal | StorageError> =>
  Effect.gen(function* () {
    const { storage, pipeline, relay } = tools;
    const { customerId, caller } = task;
    const find: FindPlace = yield* readPlaces(storage, relay, customerId, ids);
    for (const id of ids)
      yield* pipeline.run(customerId, caller, {}, (execution) =>
        Effect.gen(function* () {
          const [row] = yield* storage.find(customerId, kind, [id]);
          if (row === undefined) return noEffect({});
          const log = yield* storage.log(customerId, kind, id);
          const changes = yield* eraseRecord({ tools, task, find }, execution, { kind, row, log });
          return { result: {}, requires: [], changes: [...changes, ...more(row)] };
        }),
      );
  });

const NAMES: Pick<Erasure, "contents"> = { contents: ["names"] };

/** Erases the names from those formulas that have them; lists these. */
export const eraseFormulas = (
  tools: Tools,
  task: Task,
  formulas: ReadonlyArray<Listed["formula"]>,
): Effect.Effect<ReadonlyArray<Erasure>, Refusal | StorageError> =>
  Effect.gen(function* () {
    const ids = formulas.filter(({ events }) => isShown(events, task.subject)).map(({ id }) => id);
    if (!task.isDryRun && ids.length > 0)
      yield* eraseEach(tools, task, {
        kind: "formula",
        ids,
        more: ({ partnerId, schemaId }) => [{ type: "bump_formula_set", partnerId, schemaId }],
      });
    return ids.map((recordId) => ({ recordType: "commission_formula", recordId, ...NAMES, kept: null }));
  });

/** Erases the names of those who have accepted terms for the partner; what was accepted when stays. */
export const eraseAcceptances = (
  tools: Tools,
  task: Task,
  acceptances: ReadonlyArray<Listed["planAcceptance"]>,
): Effect.Effect<ReadonlyArray<Erasure>, Refusal | StorageError> =>
  Effect.gen(function* () {
    const ids = acceptances.filter(({ name }) => name !== ERASED).map(({ id }) => id);
    if (!task.isDryRun && ids.length > 0)
      yield* eraseEach(tools, task, { kind: "planAcceptance", ids, more: () => [] });
    return ids.map((recordId) => ({ recordType: "plan_acceptance", recordId, ...NAMES, kept: null }));
  });

/** Erases names and persons of keys that cannot be used any more; lists all that have one. */
export const eraseKeys = (
  tools: Tools,
  task: Task,
  keys: ReadonlyArray<Listed["apiKey"]>,
): Effect.Effect<ReadonlyArray<Erasure>, Refusal | StorageError> =>
  Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis;
    const named = keys.filter(({ name, person }) => (name !== null && name !== ERASED) || person !== null);
    const erasable = named.filter((candidate) => !isUsable(candidate, now)).map(({ id }) => id);
    if (!task.isDryRun && erasable.length > 0)
      yield* eraseEach(tools, task, { kind: "apiKey", ids: erasable, more: () => [] });
    return named.map((item) => ({
      recordType: "api_key",
      recordId: item.id,
      ...NAMES,
      kept: isUsable(item, now) ? { reason: "key_usable", until: null } : null,
    }));
  });
