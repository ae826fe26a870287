/** The operations on the event feed. */
import { Effect } from "effect";
import type { Events } from "quittance";
import { feedEntry } from "../wire/Event.ts";
import type { Handlers } from "./Handlers.ts";
import * as Responses from "./Responses.ts";

/** Handles them by their service. */
export const events = (service: Events.Events): Handlers["events"] => ({
  list: ({ principal, query }) =>
    Effect.flatMap(service.list(principal, query), ({ items, nextCursor }) =>
      Responses.listOfItems(
        '{"events":[',
        items,
        feedEntry,
        `],"next_cursor":${JSON.stringify(nextCursor)}}`,
      ),
    ),
});
