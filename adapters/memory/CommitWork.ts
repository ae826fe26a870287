/** A commit under way, and what its steps share. */
import { type Ids, Storage } from "quittance";

import type { Journal } from "./Journal.ts";
import type { LoggedEvent, Partition, Store } from "./Store.ts";

/** One commit under way. */
export interface CommitWork {
  readonly store: Store;
  readonly customerId: Ids.CustomerId;
  readonly partition: Partition;
  readonly journal: Journal;
  readonly command: Storage.ChangeSet["command"];
  /** By the store's clock. */
  readonly now: number;
  /** The events that changes of lines have appended. */
  readonly lineEvents: Array<LoggedEvent>;
}

/** A change that saves a record. */
export type SaveChange = Extract<Storage.Change, { readonly type: "save" }>;

/** Fails the commit with a version conflict unless the condition holds. */
export const failUnless = (holds: boolean, what: string): void => {
  if (!holds) throw new Storage.VersionConflict({ what });
};

/** Freezes a plain JSON value deeply, so that stored values cannot change. */
export const deepFreeze = <Value>(value: Value): Value => {
  if (typeof value === "object" && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const key in value) {
      const part = value[key];
      if (typeof part === "object") deepFreeze(part);
    }
  }
  return value;
};

/** Adds a unique key; fails the commit with a version conflict when the key is taken. */
export const claim = <Value>(
  work: CommitWork,
  map: Map<string, Value>,
  key: string,
  value: Value,
  what: string,
): void => {
  failUnless(!map.has(key), what);
  work.journal.add(map, key, value);
};
