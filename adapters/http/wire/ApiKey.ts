/** API keys on the wire: everything but what opens a door. */
import { type ApiKey, Timestamp } from "quittance";
import type * as ApiKeys from "../api/ApiKeys.ts";
import { moment } from "./Entry.ts";

/** A key as lists show it. */
export const apiKey = (row: ApiKey.ApiKey): typeof ApiKeys.ApiKey.Type => ({
  id: row.id,
  customer_id: row.customerId,
  name: row.name,
  kind: row.kind,
  workspace_ids: row.workspaceIds,
  partner_ids: row.partnerIds,
  agent_id: row.agentId,
  scopes: row.scopes,
  created_at: Timestamp.format(row.createdAt),
  expires_at: moment(row.expiresAt),
  revoked_at: moment(row.revokedAt),
  last_used_at: moment(row.lastUsedAt),
});
