/** The terms of a plan for a partner: as JSON, as text or as PDF, in a language of the caller. */
import { Effect } from "effect";
import { Document, type PlanTerms } from "quittance";
import { languageOf } from "quittance/explanation";
import { planTerms } from "../wire/PlanTerms.ts";
import type { Handlers } from "./Handlers.ts";
import * as Responses from "./Responses.ts";

export const terms =
  (service: PlanTerms.PlanTerms): Handlers["commission_plans"]["terms"] =>
  ({ principal, path, query, prefers, languages }) => {
    const language = languageOf(languages());
    if (prefers(Document.PDF))
      return Effect.map(service.readPdf(principal, path.id, query, language), ({ fileName, bytes }) =>
        Responses.file(fileName, bytes, Document.PDF),
      );
    return Effect.map(service.read(principal, path.id, query, language), (found) =>
      prefers("text/plain") ? Responses.text(found.text, language) : Responses.jsonText(planTerms(found)),
    );
  };
