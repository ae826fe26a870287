/** The operations on attributions. */
import { Effect } from "effect";
import type { Attributions } from "quittance";
import * as Wire from "../wire/Attribution.ts";
import type { Handlers } from "./Handlers.ts";
import * as Responses from "./Responses.ts";

const page = Responses.page("attributions", Wire.attribution);

/** The handlers of the operations of this group; each calls its service. */
export const attributions = (service: Attributions.Attributions): Handlers["attributions"] => ({
  list: ({ principal, query }) => Effect.flatMap(service.list(principal, query), page),
  create: ({ principal, payload, options }) =>
    Effect.map(service.create(principal, payload, options), Responses.createdRecord),
  create_batch: ({ principal, payload, options }) =>
    Effect.map(service.createBatch(principal, payload, options), (batch) =>
      Responses.createdText(Wire.batch(batch), batch.replayed),
    ),
  stats: ({ principal, query }) =>
    Effect.map(service.statistics(principal, query), (statistics) =>
      Responses.jsonText(Wire.statistics(statistics)),
    ),
  cancel: ({ principal, path, payload, options }) =>
    Effect.map(service.cancel(principal, path.id, payload, options), Responses.emptyBody),
});
