/** Trials of plans, whose results are a list of any length. */
import { Effect } from "effect";
import type { PlanTrials } from "quittance";
import { languageOf } from "quittance/explanation";
import { aroundResults, csv, planTrialResult } from "../wire/PlanTrial.ts";
import type { Handlers } from "./Handlers.ts";
import * as Responses from "./Responses.ts";

/** Reads a trial with a page of its results, explained in the caller's language. */
export const readTrial =
  (service: PlanTrials.PlanTrials): Handlers["plan_trials"]["read"] =>
  ({ principal, path, query, languages }) =>
    Effect.flatMap(
      service.read(principal, path.id, { ...query, language: languageOf(languages()) }),
      ({ results, ...rest }) => Responses.listOfItems(aroundResults(rest), results, planTrialResult),
    );

/** Writes the results of a trial as CSV. */
export const exportTrial =
  (service: PlanTrials.PlanTrials): Handlers["plan_trials"]["export"] =>
  ({ principal, path, query }) =>
    Effect.map(service.exportResults(principal, path.id), (found) =>
      Responses.csv(`plan-trial-${found.trial.id}.csv`, csv(found, query.format)),
    );
