/** The first account of a partner: there is none before it that somebody could replace. */
import { Effect } from "effect";
import type { Partner } from "../../domain/Partner.ts";
import { accountsOf, hasHeldAccount } from "../../domain/PartnerAccounts.ts";
import type { Records, StorageError, Versioned } from "../../ports/Storage.ts";

/** True if a partner never had an account. Only one without accounts can have lost its only one, so only its log is read. */
export const isFirstAccount = (
  storage: Records,
  partner: Versioned<Partner>,
): Effect.Effect<boolean, StorageError> =>
  accountsOf(partner).length > 0
    ? Effect.succeed(false)
    : Effect.map(
        storage.log(partner.customerId, "partner", partner.id),
        (log) => !hasHeldAccount(log.slice(0, partner.version)),
      );
