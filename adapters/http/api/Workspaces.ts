/** Workspaces: the name and the time zone of a part of the customer's business. */
import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint";
import * as HttpApiGroup from "@effect/platform/HttpApiGroup";
import * as HttpApiSchema from "@effect/platform/HttpApiSchema";
import * as PlatformOpenApi from "@effect/platform/OpenApi";
import { Schema } from "effect";
import { Workspace as Domain, Ids } from "quittance";
import * as Example from "./openapi/examples/Story.ts";
import { extension } from "./shared/Annotation.ts";
import { NotFound, RecordBodyFailure } from "./shared/Failure.ts";
import { DateTime, EventActor, event, Id } from "./shared/Field.ts";
import { recordPath } from "./shared/Query.ts";

const written = {
  name: Schema.NullOr(Schema.String),
  time_zone: Schema.String.annotations({ description: "A name of the IANA database." }),
};

/** A workspace of the grant; nothing was written about it where `updated_at` is null. */
export const Workspace = Schema.Struct({
  id: Id,
  ...written,
  updated_at: Schema.NullOr(DateTime).annotations({ description: "Null if it was never written." }),
}).annotations({ identifier: "Workspace" });

/** The event of a workspace. */
export const WorkspaceEvent = event("write_workspace", { actor: EventActor, workspace_id: Id, ...written });

const read = HttpApiEndpoint.get("read", "/workspaces/:id")
  .setPath(recordPath(Ids.WorkspaceId))
  .addSuccess(Workspace)
  .addError(NotFound)
  .pipe(
    extension({
      operation: "read workspace",
      id: "readWorkspace",
      summary: "Read a workspace",
      description:
        "Any workspace of the credential's grant exists: before it is written it has no name and the time zone UTC.",
      response: { id: Example.WORKSPACE, ...Example.workspace, updated_at: null },
    }),
  );

const write = HttpApiEndpoint.put("write", "/workspaces/:id")
  .setPath(recordPath(Ids.WorkspaceId))
  .setPayload(Domain.Write)
  .addSuccess(HttpApiSchema.Empty(200))
  .addError(RecordBodyFailure)
  .pipe(
    extension({
      operation: "write workspace",
      id: "writeWorkspace",
      summary: "Write a workspace",
      description:
        "Replaces name and time zone; an absent field gets its default. The time zone decides the calendar days of attributions that are created from now on; what is recorded keeps its days. Needs a credential for all partners.",
      request: Example.workspace,
      refused: "time_zone: must be an IANA time zone, such as Europe/Copenhagen",
    }),
  );

/** The operations on workspaces. */
export const Workspaces = HttpApiGroup.make("workspaces")
  .add(read)
  .add(write)
  .annotate(PlatformOpenApi.Title, "Workspaces")
  .annotate(
    PlatformOpenApi.Description,
    "Names and time zones of workspaces. A workspace is any UUID; it need not be written.",
  );
