/** The operations on commissions. */
import { Effect } from "effect";
import type { Commissions } from "quittance";
import { languageOf } from "quittance/explanation";
import * as Wire from "../wire/Commission.ts";
import type { Handlers } from "./Handlers.ts";
import * as Responses from "./Responses.ts";

const page = Responses.page("commissions", Wire.commission);

/** The handlers of the operations of this group; each calls its service. */
export const commissions = (service: Commissions.Commissions): Handlers["commissions"] => ({
  list: ({ principal, query }) => Effect.flatMap(service.list(principal, query), page),
  stats: ({ principal, query }) =>
    Effect.map(service.statistics(principal, query), (statistics) =>
      Responses.jsonText(Wire.statistics(statistics)),
    ),
  explanation: ({ principal, path, prefers, languages }) => {
    const language = languageOf(languages());
    return Effect.map(service.explain(principal, path.id, language), (explained) =>
      prefers("text/plain")
        ? Responses.text(`${explained.sentences}\n`, language)
        : Responses.jsonText(Wire.explanation(explained)),
    );
  },
});
