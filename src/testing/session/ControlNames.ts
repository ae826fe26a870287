/** How the model names the records that decide who may do what. */
import type { ControlRecord } from "../LedgerSnapshot.ts";

/** The name of a record of control in the model. */
export const controlOf = (one: ControlRecord): string => {
  switch (one.kind) {
    case "partner":
      return `partner ${one.row.id}`;
    case "apiKey":
      return `key ${one.row.id}`;
    case "billingProfile":
      return `profile ${one.row.customerId}`;
    case "settlementPolicy":
      return `policy ${one.row.workspaceId} ${one.row.partnerId}`;
    case "workspace":
      return `workspace ${one.row.workspaceId}`;
  }
};
