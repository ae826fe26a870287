/** Workspaces on the wire. */
import type { Workspaces } from "quittance";
import * as Contract from "../api/Workspaces.ts";
import { recordWriter } from "./Encoding.ts";
import { formatOrNull } from "./Entry.ts";

/** A workspace of a grant. */
export const workspace = recordWriter<Workspaces.GrantedWorkspace>()(Contract.Workspace, {
  id: ({ workspaceId }) => workspaceId,
  updated_at: ({ updatedAt }) => formatOrNull(updatedAt),
});
