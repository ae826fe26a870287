/** The commit of the storage port: one call of `quittance.commit_command`, or of the group commit for new attributions. */
import { Effect } from "effect";
import { type Ids, Storage } from "quittance";
import { creation } from "../groupCommit/Creation.ts";
import * as GroupCommit from "../groupCommit/GroupCommit.ts";
import { type Runner, runnerForRows } from "../Statement.ts";
import { withoutScope } from "../TenantScope.ts";
import { body } from "./ChangeSet.ts";
import { type Refused, send } from "./SendCommit.ts";

const COMMIT = withoutScope("select quittance.commit_command($1::uuid, $2::jsonb) as conflict");

/** About how many rows a change set stores: those of its lists, and the lines of the settlements that it moves. */
const rowsOf = ({ changes }: Storage.ChangeSet): number => {
  let count = changes.length;
  for (const change of changes) {
    if (change.type === "revise") count += change.revisions.length;
    else if (change.type === "save" && change.kind === "settlement") count += change.row.lineCount;
  }
  return count;
};

/**
 * Stores change sets. A change set that has been sent is completed even when the caller is interrupted, so that its
 * outcome is known. `committed` is called with the customer of each commit.
 */
export const make = (
  sql: Runner,
  committed: (customerId: Ids.CustomerId) => void,
): Storage.StorageService["commit"] => {
  const create = GroupCommit.make(sql);
  const store = (customerId: Ids.CustomerId, changeSet: Storage.ChangeSet): Effect.Effect<void, Refused> => {
    const created = creation(customerId, changeSet);
    if (created !== null) return create(customerId, created);
    return Effect.flatMap(body(customerId, changeSet), (text) =>
      send(runnerForRows(sql, rowsOf(changeSet)), customerId, changeSet.command, COMMIT, [customerId, text]),
    );
  };
  return (customerId, changeSet) =>
    Effect.try({
      try: () => store(customerId, changeSet),
      catch: (cause) => new Storage.StorageError({ reason: "broken", cause }),
    }).pipe(
      Effect.flatten,
      Effect.map(() => committed(customerId)),
      Effect.uninterruptible,
    );
};
