/** The operations on API keys. */
import { Effect } from "effect";
import type { ApiKeys } from "quittance";
import { apiKey, createdApiKey, currentPrincipal } from "../wire/ApiKey.ts";
import type { Handlers } from "./Handlers.ts";
import * as Responses from "./Responses.ts";

const page = Responses.page("api_keys", apiKey);

/** The handlers of the operations of this group; each calls its service. */
export const apiKeys = (service: ApiKeys.ApiKeys): Handlers["api_keys"] => ({
  list: ({ principal, query }) => Effect.flatMap(service.list(principal, query), page),
  create: ({ principal, payload, options }) =>
    Effect.map(service.create(principal, payload, options), (created) =>
      Responses.createdText(createdApiKey(created), created.replayed),
    ),
  revoke: ({ principal, path, options }) =>
    Effect.map(service.revoke(principal, path.id, options), Responses.emptyBody),
  current: ({ principal }) => Effect.succeed(Responses.jsonText(currentPrincipal(principal))),
});
