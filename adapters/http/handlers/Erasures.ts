/** The operations that erase personal data. */
import { Effect } from "effect";
import type { Erasures } from "quittance";
import { eventErasure, partnerErasure } from "../wire/Erasure.ts";
import type { Handlers } from "./Handlers.ts";
import * as Responses from "./Responses.ts";

/** The handlers of the operations of this group; each calls its service. */
export const erasures = (service: Erasures.Erasures): Handlers["erasures"] => ({
  partner: ({ principal, path, payload, options }) =>
    Effect.map(service.partner(principal, path.id, payload, options), (erasure) =>
      Responses.commandResult(partnerErasure(erasure), erasure.replayed),
    ),
  events: ({ principal, payload, options }) =>
    Effect.map(service.events(principal, payload, options), (erasure) =>
      Responses.commandResult(eventErasure(erasure), erasure.replayed),
    ),
});
