/** The links in the chains above and below partners, read level by level. */
import { Effect } from "effect";
import type { CustomerId, PartnerId } from "../../domain/Ids.ts";
import type { PartnerLink } from "../../domain/PartnerLink.ts";
import type { Earnings, StorageError } from "../../ports/Storage.ts";

/** Where a walk begins, in which direction, and in which role; null follows the links of every role. */
interface Walk {
  readonly direction: "up" | "down";
  readonly from: ReadonlyArray<PartnerId>;
  readonly role: string | null;
  /** Chooses the links that it follows; all by default. */
  readonly follows?: (link: PartnerLink) => boolean;
}

/**
 * The links in the chains of partners, whatever their dates unless the walk chooses, each once. A level is one read, so they are of one moment only if
 * the version of the links of the workspace, read before, is still the same at the commit.
 */
export const readChains = (
  storage: Earnings,
  customerId: CustomerId,
  { direction, from, role, follows = () => true }: Walk,
): Effect.Effect<ReadonlyArray<PartnerLink>, StorageError> =>
  Effect.gen(function* () {
    const end = direction === "up" ? "partnerId" : "uplinePartnerId";
    const links: Array<PartnerLink> = [];
    const reached = new Set(from);
    let level: ReadonlyArray<PartnerId> = [...reached];
    while (level.length > 0) {
      const read = yield* storage.linksOf(customerId, { end, partnerIds: level, role });
      const found = read.filter(follows);
      links.push(...found);
      const next = new Set<PartnerId>();
      for (const link of found) {
        const other = direction === "up" ? link.uplinePartnerId : link.partnerId;
        if (!reached.has(other)) next.add(other);
      }
      for (const id of next) reached.add(id);
      level = [...next];
    }
    return links;
  });
