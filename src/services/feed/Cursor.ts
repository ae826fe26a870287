/** The cursors of a feed, as callers give them. */
import { Effect } from "effect";
import * as EventFeed from "../../domain/EventFeed.ts";
import type { CustomerId } from "../../domain/Ids.ts";
import { conflict, type Invalid } from "../../domain/Refusal.ts";
import type { DigestService } from "../../ports/Digest.ts";
import type { Feed, StorageError } from "../../ports/Storage.ts";

/** The refusal of an installation that keeps no feed. */
export const FEED_OFF = conflict("feed_off", "the operator has switched the event feed off");

/** The position that a cursor names; refused unless it is of the customer's feed. */
export const positionOf = (
  storage: Feed,
  digest: DigestService,
  customerId: CustomerId,
  cursor: string,
): Effect.Effect<number, Invalid | StorageError> =>
  Effect.gen(function* () {
    const position = yield* EventFeed.claimedPosition(cursor);
    const sha256 = yield* digest.sha256Hex(EventFeed.cursorInput(customerId, position));
    const { head } = yield* storage.feedPage(customerId, position, 1);
    yield* EventFeed.checkCursor(cursor, position, sha256, head.position);
    return position;
  });
