/** True if a second person has to approve a draft, by the settlement policy and by what else was drafted on its day. */
import { Effect, Stream } from "effect";
import { startOf } from "../../domain/Calendar.ts";
import { hasChangedLimit, limitChanges, strictestLimit } from "../../domain/FourEyes.ts";
import type { CustomerId } from "../../domain/Ids.ts";
import type { Amount } from "../../domain/Money.ts";
import type { Settlement } from "../../domain/Settlement.ts";
import { magnitude, type SettlementPolicy } from "../../domain/SettlementPolicy.ts";
import { DAY } from "../../domain/Timestamp.ts";
import type { Records, StorageError } from "../../ports/Storage.ts";
import { every } from "../commands/Listing.ts";
import type { PartnerTerms } from "./PoliciesInForce.ts";

/** What the settlement policy says about the approval of a draft by a person. */
export interface SecondPerson {
  /** True if its creator may not approve it. */
  readonly isNeeded: boolean;
  /** True if it is needed, and the person has changed the limit since the draft was created. */
  readonly hasChangedLimit: boolean;
}

const NOT_NEEDED: SecondPerson = { isNeeded: false, hasChangedLimit: false };

/** The amount of a settlement that is compared with the limit; its sign does not matter. */
type AmountOf = (settlement: Settlement) => Amount;

/**
 * True if the settlements of the partner and currency that were created on the day of one, in UTC, add up to more than a limit.
 * Amounts count without their sign, and settlements that were cancelled do not count.
 */
const isDayAbove = (
  storage: Records,
  { customerId, partnerId, currency, createdAt }: Settlement,
  limit: number,
  amountOf: AmountOf,
): Effect.Effect<boolean, StorageError> =>
  Effect.suspend(() => {
    const createdFrom = startOf("day", createdAt);
    const where = {
      partnerIds: [partnerId],
      currencies: [currency],
      ...{ createdFrom, createdTo: createdFrom + DAY },
    };
    const sum = every(storage, customerId, "settlement", { where, linesMax: 0 }).pipe(
      Stream.filter(({ status }) => status.type !== "cancelled"),
      Stream.runFoldWhile(
        0n,
        (sum) => sum <= BigInt(limit),
        (sum, settlement) => sum + magnitude(amountOf(settlement)),
      ),
    );
    return Effect.map(sum, (found) => found > BigInt(limit));
  });

const logOf = (storage: Records, customerId: CustomerId, policy: SettlementPolicy | null) =>
  policy === null ? Effect.succeed([]) : storage.log(customerId, "settlementPolicy", policy.id);

/**
 * Reads whether a draft needs a second person. That both policies stay as they were read is among the requirements of
 * `inForce`. Settlements that are created meanwhile need none: the later approval counts this one.
 */
export const readSecondPerson = (
  storage: Records,
  settlement: Settlement,
  { inForce: { general, own }, person }: { readonly inForce: PartnerTerms; readonly person: string },
  amountOf: AmountOf = ({ total }) => total,
): Effect.Effect<SecondPerson, StorageError> =>
  Effect.gen(function* () {
    const { customerId, currency } = settlement;
    const [workspace, partner] = yield* Effect.all(
      [logOf(storage, customerId, general), logOf(storage, customerId, own)],
      { concurrency: "unbounded" },
    );
    const changes = limitChanges(workspace, partner, currency);
    const limit = strictestLimit(changes, settlement);
    if (limit === null) return NOT_NEEDED;
    const isNeeded =
      magnitude(amountOf(settlement)) > BigInt(limit) ||
      (yield* isDayAbove(storage, settlement, limit, amountOf));
    return { isNeeded, hasChangedLimit: isNeeded && hasChangedLimit(changes, settlement, person) };
  });
