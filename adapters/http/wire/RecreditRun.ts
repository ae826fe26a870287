/** Recredit runs on the wire. */
import type { RecreditRuns, Storage } from "quittance";
import * as Contract from "../api/Recredits.ts";
import { recreditFields } from "./Attribution.ts";
import { GAP, recordWriter, textAround } from "./Encoding.ts";

/** The fields of a run that are not written as they are. */
const runFields = {
  person: (row: RecreditRuns.Run) => row.startedByPerson,
  totals: [{}] as const,
};

/** A run in a list. */
export const recreditRun = recordWriter<RecreditRuns.Run>()(Contract.RecreditRun, runFields);

/** What a run found of one sale. */
export const recreditRunResult = recordWriter<Storage.Listed["recreditRunResult"]>()(
  Contract.RecreditRunResult,
  recreditFields,
);

/** A run, without the results of the page. */
export const aroundResults = textAround(
  recordWriter<Omit<RecreditRuns.RunWithResults, "results">>()(Contract.RecreditRunDetails, {
    run: [runFields],
    results: GAP,
  }),
);
