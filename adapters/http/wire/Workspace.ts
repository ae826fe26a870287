/** Workspaces on the wire. */
import type { Workspaces } from "quittance";
import * as Contract from "../api/Workspaces.ts";
import { recordWriter } from "./Encoding.ts";

/** A workspace of a grant. */
export const workspace = recordWriter<Workspaces.GrantedWorkspace>()(Contract.Workspace, {
  id: ({ workspaceId }) => workspaceId,
});
