/** A partner's part of a sale, for its explanation: the sellers below it are named to those who see them. */
import { Effect, Either } from "effect";
import type { Attribution } from "../../domain/Attribution.ts";
import { isAbove, SELLER, WHOLE } from "../../domain/Credit.ts";
import { CREDITS_MAX } from "../../domain/Limits.ts";
import { authorize, canSee, type Principal } from "../../domain/Principal.ts";
import type { SalePart } from "../../explanation/index.ts";
import type { Records, StorageError } from "../../ports/Storage.ts";

/** The sellers of a sale below one of its credits, each with its name where the principal sees the partner. */
const sellersBelow = (
  storage: Records,
  principal: Principal,
  { customerId, credit, originId }: Attribution,
): Effect.Effect<SalePart["sellers"], StorageError> =>
  Effect.gen(function* () {
    if (credit === null || originId === null || credit.depth === 0) return [];
    const { items } = yield* storage.list(customerId, "attribution", {
      ...{ where: { originIds: [originId], roles: [SELLER] }, page: 1, perPage: CREDITS_MAX, order: "asc" },
    });
    const below = items.filter(({ partnerId }) => isAbove(credit, partnerId));
    const partners = Either.isRight(authorize(principal, "list partners"))
      ? yield* storage.find(
          customerId,
          "partner",
          below.map(({ partnerId }) => partnerId),
        )
      : [];
    const names = new Map(
      partners
        .filter((partner) => canSee(principal, { ...partner, partnerId: partner.id }))
        .map(({ id, name }) => [id, name]),
    );
    return below.map((seller) => ({
      name: names.get(seller.partnerId) ?? null,
      share: (seller.credit ?? WHOLE).share,
    }));
  });

/** The part of a sale that an attribution is; null where its partner alone earns from it. */
export const partOf = (
  storage: Records,
  principal: Principal,
  attribution: Attribution,
): Effect.Effect<SalePart | null, StorageError> => {
  if (attribution.credit === null) return Effect.succeed(null);
  const { role, share, depth } = attribution.credit;
  return Effect.map(sellersBelow(storage, principal, attribution), (sellers) => ({
    ...{ role, share, depth, sellers },
  }));
};
