/** The operations on partners. */
import { Effect } from "effect";
import type { Partners } from "quittance";
import { partner } from "../wire/Partner.ts";
import type { Handlers } from "./Handlers.ts";
import * as Responses from "./Responses.ts";

const page = Responses.page("partners", partner);

/** The handlers of the operations of this group; each calls its service. */
export const partners = (
  service: Partners.Partners,
): Pick<Handlers["partners"], "list" | "create" | "update"> => ({
  list: ({ principal, query }) => Effect.flatMap(service.list(principal, query), page),
  create: ({ principal, payload, options }) =>
    Effect.map(service.create(principal, payload, options), Responses.createdRecord),
  update: ({ principal, path, payload, options }) =>
    Effect.map(service.update(principal, path.id, payload, options), Responses.emptyBody),
});
