/** The examples of payout accounts. */
import type { JsonObject } from "../Json.ts";
import { PAYOUT_ACCOUNT } from "./Ids.ts";

/** The proposal of an account in the United States for settlements in dollars. */
export const proposal: JsonObject = {
  type: "us_ach",
  currency: "USD",
  details: {
    routing_number: "021000021",
    account_number: "000123456789",
    account_type: "checking",
    holder: "Nordlys Inc",
  },
};

/** The account, masked. */
export const account: JsonObject = {
  id: PAYOUT_ACCOUNT,
  type: "us_ach",
  currency: "USD",
  details: { routing_number: "021000021", account_number: "…789", account_type: "checking" },
  status: "confirmed",
  proposed_at: "2026-01-05T09:00:00.000Z",
  proposed_by: "ada@example.com",
  proposed_by_partner: false,
  confirmable_from: null,
  needs_second_person: false,
  confirmed_at: "2026-01-05T10:30:00.000Z",
  confirmed_by: "bo@example.com",
  retired_at: null,
};
