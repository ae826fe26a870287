/** The event feed, whose pages are read by a cursor. */
import { Effect } from "effect";
import type { Events } from "quittance";
import { aroundEntries, feedEntry } from "../wire/Event.ts";
import type { Handlers } from "./Handlers.ts";
import * as Responses from "./Responses.ts";

export const listEvents =
  (service: Events.Events): Handlers["events"]["list"] =>
  ({ principal, query }) =>
    Effect.flatMap(service.list(principal, query), (page) =>
      Responses.listOfItems(aroundEntries(page), page.items, feedEntry),
    );
