/** The partners that background work covers, page by page: some of a workspace, or all. */
import { Effect } from "effect";
import type { CustomerId, PartnerId, WorkspaceId } from "../../domain/Ids.ts";
import type { Partner } from "../../domain/Partner.ts";
import { type Invalid, invalid } from "../../domain/Refusal.ts";
import type { Records, StorageError, Versioned } from "../../ports/Storage.ts";
import { countOf } from "./Listing.ts";

/** Which partners. */
interface Chosen {
  readonly customerId: CustomerId;
  readonly workspaceId: WorkspaceId;
  /** Null: every partner of the workspace. */
  readonly partnerIds: ReadonlyArray<PartnerId> | null;
}

/** The partners of one step, counted from 0, in order of creation, and whether more follow. */
export const readPartners = (
  storage: Records,
  { customerId, workspaceId, partnerIds }: Chosen,
  step: number,
  size: number,
): Effect.Effect<{ readonly ids: ReadonlyArray<PartnerId>; readonly isLast: boolean }, StorageError> => {
  if (partnerIds !== null) {
    const ids = partnerIds.slice(step * size, (step + 1) * size);
    return Effect.succeed({ ids, isLast: (step + 1) * size >= partnerIds.length });
  }
  const query = {
    where: { workspaceIds: [workspaceId] },
    page: step + 1,
    perPage: size,
    order: "asc",
  } as const;
  return Effect.map(storage.list(customerId, "partner", query), ({ items }) => ({
    ids: items.map(({ id }: Versioned<Partner>) => id),
    isLast: items.length < size,
  }));
};

/** How many partners are chosen. */
export const countPartners = (
  storage: Records,
  { customerId, workspaceId, partnerIds }: Chosen,
): Effect.Effect<number, StorageError> =>
  partnerIds === null
    ? countOf(storage, customerId, "partner", { workspaceIds: [workspaceId] })
    : Effect.succeed(partnerIds.length);

/** Refuses ids that are no partners of the workspace; the message names the first of them by its place in the request. */
export const requirePartners = (
  storage: Records,
  { customerId, workspaceId }: Omit<Chosen, "partnerIds">,
  partnerIds: ReadonlyArray<PartnerId>,
  { pathOf = (index: number) => `partner_ids.${index}`, owner = "the workspace" } = {},
): Effect.Effect<void, Invalid | StorageError> =>
  Effect.flatMap(storage.find(customerId, "partner", [...new Set(partnerIds)]), (found) => {
    const placed = new Set(
      found.filter((candidate) => candidate.workspaceId === workspaceId).map(({ id }) => id),
    );
    const foreign = partnerIds.findIndex((id) => !placed.has(id));
    return foreign < 0
      ? Effect.void
      : Effect.fail(invalid(pathOf(foreign), `must be the id of a partner of ${owner}`));
  });
