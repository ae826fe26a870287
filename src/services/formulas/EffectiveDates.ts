/** Dates from which requests say that something holds, as moments. */
import { Effect } from "effect";
import { type EffectiveDate, startOfDate } from "../../domain/EffectiveDate.ts";
import type { CustomerId, WorkspaceId } from "../../domain/Ids.ts";
import * as Workspace from "../../domain/Workspace.ts";
import type { Records, StorageError } from "../../ports/Storage.ts";

/**
 * The requests with their effective dates as moments: a day begins at its first instant in the time zone that the workspace has
 * now. Reads the workspace only where a request names a day.
 */
export const withEffectiveDatetimes = <Request extends EffectiveDate>(
  storage: Records,
  { customerId, workspaceId }: { readonly customerId: CustomerId; readonly workspaceId: WorkspaceId },
  requests: ReadonlyArray<Request>,
): Effect.Effect<ReadonlyArray<Request>, StorageError> =>
  requests.every(({ effectiveOn }) => effectiveOn == null)
    ? Effect.succeed(requests)
    : Effect.map(
        storage.find(customerId, "workspace", [Workspace.recordIdOf(customerId, workspaceId)]),
        ([workspace = Workspace.DEFAULT]) =>
          requests.map((request) =>
            request.effectiveOn == null
              ? request
              : { ...request, effectiveDatetime: startOfDate(workspace.timeZone, request.effectiveOn) },
          ),
      );

/** The same of one request. */
export const withEffectiveDatetime = <Request extends EffectiveDate>(
  storage: Records,
  owner: Parameters<typeof withEffectiveDatetimes>[1],
  request: Request,
): Effect.Effect<Request, StorageError> =>
  Effect.map(withEffectiveDatetimes(storage, owner, [request]), ([dated = request]) => dated);
