/** Look-ups before the tenant is known: of an API key, of a payment. */
import { Context, type Effect } from "effect";
import type { ApiKey } from "../domain/ApiKey.ts";
import type { CustomerId, SettlementId } from "../domain/Ids.ts";
import type { Timestamp } from "../domain/Timestamp.ts";
import type { StorageError, Versioned } from "./Storage.ts";

/** What a host supplies in addition to {@link Storage}, on the same store. */
export interface DirectoryService {
  /** The key whose public part this is, or null. */
  readonly apiKey: (keyId: string) => Effect.Effect<Versioned<ApiKey> | null, StorageError>;
  /** Records that a key was used at a minute; never moves back. */
  readonly touch: (keyId: string, minute: Timestamp) => Effect.Effect<void, StorageError>;
  /** True if any key exists at all. */
  readonly anyApiKey: Effect.Effect<boolean, StorageError>;
  /**
   * The settlement for which a payment reference was ever issued, or null. Fails while a part of a distributed store cannot be
   * reached and no other part has the reference.
   */
  readonly paymentReference: (
    reference: string,
  ) => Effect.Effect<
    { readonly customerId: CustomerId; readonly settlementId: SettlementId } | null,
    StorageError
  >;
}

/** The directory that a host supplies. */
export class Directory extends Context.Tag("quittance/ports/Directory")<Directory, DirectoryService>() {}
