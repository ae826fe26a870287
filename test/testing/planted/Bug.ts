/** A bug planted in a correct store, with the laws that must fail. */

import { Effect } from "effect";
import { type Directory, type Documents, type Outbox, Storage } from "quittance";

/** The ports that an adapter supplies together. */
export interface Services {
  readonly storage: Storage.StorageService;
  readonly directory: Directory.DirectoryService;
  readonly outbox: Outbox.OutboxService;
  readonly documents: Documents.DocumentStoreService;
}

/** What is wrong, how to plant it, and for each law that it breaks a part of the law's name. */
export interface Bug {
  readonly bug: string;
  readonly plant: (services: Services) => Partial<Services>;
  readonly breaks: ReadonlyArray<string>;
}

/** A bug of the storage port. */
export const storageBug = (
  bug: string,
  breaks: ReadonlyArray<string>,
  plant: (storage: Storage.StorageService) => Partial<Storage.StorageService>,
): Bug => ({ bug, breaks, plant: ({ storage }) => ({ storage: { ...storage, ...plant(storage) } }) });

/** A bug of the outbox. */
export const outboxBug = (
  bug: string,
  breaks: ReadonlyArray<string>,
  plant: (outbox: Outbox.OutboxService) => Partial<Outbox.OutboxService>,
): Bug => ({ bug, breaks, plant: ({ outbox }) => ({ outbox: { ...outbox, ...plant(outbox) } }) });

/** A bug of the directory. */
export const directoryBug = (
  bug: string,
  breaks: ReadonlyArray<string>,
  plant: (directory: Directory.DirectoryService) => Partial<Directory.DirectoryService>,
): Bug => ({ bug, breaks, plant: ({ directory }) => ({ directory: { ...directory, ...plant(directory) } }) });

/** A bug of the document store. */
export const documentBug = (
  bug: string,
  breaks: ReadonlyArray<string>,
  plant: (documents: Documents.DocumentStoreService) => Partial<Documents.DocumentStoreService>,
): Bug => ({ bug, breaks, plant: ({ documents }) => ({ documents: { ...documents, ...plant(documents) } }) });

/** A bug that alters every change set before it is stored. */
export const changeSetBug = (
  bug: string,
  breaks: ReadonlyArray<string>,
  alter: (changeSet: Storage.ChangeSet, storage: Storage.StorageService) => Storage.ChangeSet,
): Bug =>
  storageBug(bug, breaks, (storage) => ({
    commit: (customerId, changeSet) => storage.commit(customerId, alter(changeSet, storage)),
  }));

/** A bug that ignores the conflict on one unique key. */
export const conflictBug = (what: string, breaks: ReadonlyArray<string>): Bug =>
  storageBug(`a conflict on ${what} is ignored`, breaks, (storage) => ({
    commit: (customerId, changeSet) =>
      storage.commit(customerId, changeSet).pipe(
        Effect.catchIf(
          (failure) => failure instanceof Storage.VersionConflict && failure.what === what,
          () => Effect.void,
        ),
      ),
  }));
