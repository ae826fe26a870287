/** How the model names the records that decide who may do what. */
import type { ControlRecord } from "../LedgerSnapshot.ts";

/** The name of a record of control in the model. */
export const controlOf = (controlRecord: ControlRecord): string => {
  switch (controlRecord.kind) {
    case "partner":
      return `partner ${controlRecord.row.id}`;
    case "apiKey":
      return `key ${controlRecord.row.id}`;
    case "billingProfile":
      return `profile ${controlRecord.row.customerId}`;
    case "books":
      return `books ${controlRecord.row.customerId}`;
    case "settlementPolicy":
      return `policy ${controlRecord.row.workspaceId} ${controlRecord.row.partnerId}`;
    case "partnerLink":
      return `link ${controlRecord.row.id}`;
    case "workspace":
      return `workspace ${controlRecord.row.workspaceId}`;
  }
};
