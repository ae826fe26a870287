/** The explanation of a commission: as JSON, or as text in a language of the caller. */
import { Effect } from "effect";
import type { Commissions } from "quittance";
import { languageOf } from "quittance/explanation";
import * as Wire from "../wire/Commission.ts";
import type { Handlers } from "./Handlers.ts";
import * as Responses from "./Responses.ts";

export const explanation =
  (service: Commissions.Commissions): Handlers["commissions"]["explanation"] =>
  ({ principal, path, prefers, languages }) => {
    const language = languageOf(languages());
    return Effect.map(service.explain(principal, path.id, language), (explained) =>
      prefers("text/plain")
        ? Responses.text(`${explained.sentences}\n`, language)
        : Responses.jsonText(Wire.explanation(explained)),
    );
  };
