/** The billing profile of the company: who sees it, and if it is written. */
import { NotFoundError } from "quittance/client";
import type { Client } from "../api/Client.ts";
import type { Principal } from "../api/Records.ts";

/** True if the reader sees the profile, which belongs to the whole company. */
export const seesProfile = ({ scopes, workspaceIds, partnerIds }: Principal): boolean =>
  scopes.includes("settlements:read") && workspaceIds === "*" && partnerIds === "*";

/**
 * True once the billing profile is written. Its events say so without a failure: the profile itself is 404 until then, which
 * browsers log as an error.
 */
export const readHasProfile = async (
  { remote }: Client,
  { scopes }: Principal,
  signal: AbortSignal,
): Promise<boolean | null> => {
  if (scopes.includes("events:read")) {
    const query = { types: ["write_billing_profile"], limit: 1 } as const;
    const found = await remote.events.list(query, { signal }).catch(() => null);
    if (found !== null) return found.items.length > 0;
  }
  return remote.billingProfile.read({ signal }).then(
    () => true,
    (failure) => (failure instanceof NotFoundError ? false : null),
  );
};
