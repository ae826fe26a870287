/** The room of the event feed: moving events from logs into the feed, and following it. */
import type { Effect } from "effect";
import type { CustomerId, WebhookEndpointId } from "../../../domain/Ids.ts";
import type { WebhookDelivery } from "../../../domain/WebhookDelivery.ts";
import type { StorageError } from "../Failure.ts";
import type { FeedAppend, FeedBacklog, FeedPage, FeedPart } from "../Feed.ts";
import type { Versioned } from "../Records.ts";

/** The event feed of a customer, and the deliveries that follow it. */
export interface Feed {
  /**
   * The next events that are not in the feed, about `limit` of them, from 1; none only when there are none.
   * Events from before the feed, and of commits that left it out, come first, ordered by (at, kind, record, sequence).
   * The events of each other commit are contiguous, ordered by kind, and come after those of every commit that it saw.
   * The order of kinds is API key, billing profile, partner, settlement policy, plan, formula, attribution, settlement, commission; each record's events keep their order.
   */
  readonly feedBacklog: (customerId: CustomerId, limit: number) => Effect.Effect<FeedBacklog, StorageError>;
  /**
   * Appends a backlog to the feed, all or nothing, durable when it returns: no event enters a feed twice. Returns false,
   * and stores nothing, when the feed no longer ends where the backlog was read. Messages of the customer with the topic
   * `deliver_webhooks` that wait are available at once when entries were appended.
   */
  readonly appendToFeed: (customerId: CustomerId, append: FeedAppend) => Effect.Effect<boolean, StorageError>;
  /** At most `limit` entries after a position, from 0, with their events as they were logged. */
  readonly feedPage: (
    customerId: CustomerId,
    after: number,
    limit: number,
  ) => Effect.Effect<FeedPage, StorageError>;
  /** The entries of these records among the `limit` entries after a position, from 0, and where those end. */
  readonly feedPart: (
    customerId: CustomerId,
    recordIds: ReadonlyArray<string>,
    after: number,
    limit: number,
  ) => Effect.Effect<FeedPart, StorageError>;
  /** The deliveries to an endpoint that have not ended, ordered by the positions of their events, at most `limit`. */
  readonly openDeliveries: (
    customerId: CustomerId,
    endpointId: WebhookEndpointId,
    limit: number,
  ) => Effect.Effect<ReadonlyArray<Versioned<WebhookDelivery>>, StorageError>;
}
