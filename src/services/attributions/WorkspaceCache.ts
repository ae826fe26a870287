/**
 * A cache of what decides on new attributions of workspaces: the time zones, by which their calendar days are, and the versions
 * of the links of partners. Every commit that relies on one requires its version, so an outdated entry stores nothing.
 */
import { Context, Effect, Layer } from "effect";
import type { CustomerId, WorkspaceId } from "../../domain/Ids.ts";
import { linkSetId } from "../../domain/PartnerLink.ts";
import * as Workspace from "../../domain/Workspace.ts";
import { type RecordRequirement, type Records, Storage, type StorageError } from "../../ports/Storage.ts";
import * as BoundedCache from "../process/BoundedCache.ts";

/** The time zone of a workspace, and the requirements that it and the links of partners are still those that were read. */
export interface Zone {
  readonly timeZone: string;
  readonly unchanged: RecordRequirement;
  /** Of version 0 where no two partners were ever linked. */
  readonly sameLinks: RecordRequirement;
}

/** Reads the zones of workspaces, from memory where it can. */
export interface WorkspaceCacheService {
  /** The zones of the workspaces, by id. With `fresh` it reads the store: after a version conflict the cache is out of date. */
  readonly find: (
    customerId: CustomerId,
    workspaceIds: ReadonlyArray<WorkspaceId>,
    fresh: boolean,
  ) => Effect.Effect<ReadonlyMap<WorkspaceId, Zone>, StorageError>;
}

/** The zone of a workspace among those that were read. */
export const zoneOf = (zones: ReadonlyMap<WorkspaceId, Zone>, workspaceId: WorkspaceId): Zone => {
  const zone = zones.get(workspaceId);
  if (zone === undefined) throw new Error("the time zone of a workspace is used before it is read");
  return zone;
};

/** The cache in force. */
export class WorkspaceCache extends Context.Tag("quittance/services/WorkspaceCache")<
  WorkspaceCache,
  WorkspaceCacheService
>() {}

const requirementOf = (
  kind: "workspace" | "linkSet",
  id: string,
  found: { readonly version: number } | undefined,
): RecordRequirement => ({ type: "record", kind, id, version: found?.version ?? 0 });

/** Workspaces in the cache. */
const ENTRIES_MAX = 10_000;

const make = Effect.gen(function* () {
  const storage: Records = yield* Storage;
  const cache = BoundedCache.make<Zone>(ENTRIES_MAX);

  const load = (
    customerId: CustomerId,
    workspaceIds: ReadonlyArray<WorkspaceId>,
  ): Effect.Effect<ReadonlyArray<readonly [WorkspaceId, Zone]>, StorageError> => {
    const idsOf = <Id>(idOf: (customer: CustomerId, workspace: WorkspaceId) => Id) =>
      workspaceIds.map((workspaceId) => idOf(customerId, workspaceId));
    const found = Effect.all(
      [
        storage.find(customerId, "workspace", idsOf(Workspace.recordIdOf)),
        storage.find(customerId, "linkSet", idsOf(linkSetId)),
      ],
      { concurrency: "unbounded" },
    );
    return Effect.map(found, ([workspaces, linkSets]) =>
      workspaceIds.map((workspaceId) => {
        const workspace = workspaces.find((candidate) => candidate.workspaceId === workspaceId);
        const linkSet = linkSets.find((candidate) => candidate.workspaceId === workspaceId);
        const zone: Zone = {
          timeZone: (workspace ?? Workspace.DEFAULT).timeZone,
          unchanged: requirementOf("workspace", Workspace.recordIdOf(customerId, workspaceId), workspace),
          sameLinks: requirementOf("linkSet", linkSetId(customerId, workspaceId), linkSet),
        };
        cache.set(`${customerId}/${workspaceId}`, zone);
        return [workspaceId, zone] as const;
      }),
    );
  };

  return WorkspaceCache.of({
    find: (customerId, workspaceIds, fresh) =>
      Effect.suspend(() => {
        const zones = new Map<WorkspaceId, Zone>();
        const absent: Array<WorkspaceId> = [];
        for (const id of new Set(workspaceIds)) {
          const known = fresh ? undefined : cache.get(`${customerId}/${id}`);
          if (known === undefined) absent.push(id);
          else zones.set(id, known);
        }
        if (absent.length === 0) return Effect.succeed(zones);
        return Effect.map(load(customerId, absent), (loaded) => new Map([...zones, ...loaded]));
      }),
  });
});

/** An empty cache. */
export const layer: Layer.Layer<WorkspaceCache, never, Storage> = Layer.effect(WorkspaceCache, make);
