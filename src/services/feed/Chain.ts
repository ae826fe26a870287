/** Computes the ids, cursors and hashes of the entries of a feed. */
import { Effect } from "effect";
import * as EventFeed from "../../domain/EventFeed.ts";
import { type CustomerId, uuidV8 } from "../../domain/Ids.ts";
import type { DigestService } from "../../ports/Digest.ts";

/** The id of an event: one that is sent again has the same. */
export const idOf = (
  { sha256Hex }: DigestService,
  customerId: CustomerId,
  event: Pick<EventFeed.LoggedEvent, "recordId" | "sequence">,
): Effect.Effect<string> => Effect.map(sha256Hex(EventFeed.idInput(customerId, event)), uuidV8);

/** The cursor of a position of a customer's feed. */
export const cursorOf = (
  { sha256Hex }: DigestService,
  customerId: CustomerId,
  position: number,
): Effect.Effect<string> =>
  Effect.map(sha256Hex(EventFeed.cursorInput(customerId, position)), (sha256) =>
    EventFeed.cursorOf(position, sha256),
  );

/** The fields of the entry at a position that its hash covers in addition to the digest of its event. */
export const identify = (
  digest: DigestService,
  customerId: CustomerId,
  position: number,
  { kind, recordId, sequence, at }: Omit<EventFeed.LoggedEvent, "event">,
): Effect.Effect<EventFeed.Identified> =>
  Effect.zipWith(
    idOf(digest, customerId, { recordId, sequence }),
    cursorOf(digest, customerId, position),
    (id, cursor) => ({ id, cursor, customerId, kind, recordId, sequence, at }),
  );

/** The hash of the entry that follows the head of the feed. `eventDigest` is the digest of its event. */
export const hashOf = (
  digest: DigestService,
  customerId: CustomerId,
  head: EventFeed.Head,
  {
    event,
    eventDigest,
  }: { readonly event: Omit<EventFeed.LoggedEvent, "event">; readonly eventDigest: string },
): Effect.Effect<string> =>
  Effect.flatMap(identify(digest, customerId, head.position + 1, event), (identified) =>
    digest.sha256Hex(EventFeed.hashInput(head.hash, eventDigest, identified)),
  );
