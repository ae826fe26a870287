/** Attributions on the wire. */
import type { Effect } from "effect";
import {
  Attribution,
  type Attributions,
  type Receipts,
  type Recredits,
  SettledElsewhere,
  type Storage,
} from "quittance";
import * as Contract from "../api/Attributions.ts";
import { bodyOf } from "../api/shared/Failure.ts";
import { recordWriter } from "./Encoding.ts";
import { datetime } from "./Entry.ts";

/** An attribution in a list. */
export const attribution = recordWriter<Storage.Listed["attribution"]>()(Contract.Attribution, {
  metadata: { occurred_on: Attribution.dayOf },
  events: [{ datetime }],
  view: {
    receipt: ({ receipt }) =>
      receipt === null ? undefined : { ...receipt, received_at: receipt.receivedAt },
    settled_elsewhere: ({ settledElsewhere }) =>
      settledElsewhere === null ? undefined : SettledElsewhere.stated(settledElsewhere),
  },
});

/** One of a batch, or the body of its refusal. */
const resultOf = <Result extends object>(result: Result | Attributions.RefusedResult) =>
  "refusal" in result ? bodyOf(result.refusal, result.message, result) : result;

export const batch = recordWriter<{ readonly results: ReadonlyArray<Attributions.BatchResult> }>()(
  Contract.CreatedBatch,
  { results: ({ results }) => results.map(resultOf) },
);

export const statedBatch = recordWriter<{ readonly results: ReadonlyArray<Receipts.StatedResult> }>()(
  Contract.StatedBatch,
  { results: ({ results }) => results.map(resultOf) },
);

/** What replacing an attribution would change. */
export const replacementDryRun = recordWriter<Attributions.ReplacementProspect>()(
  Contract.ReplacementDryRun,
  {
    commissions: [{ commission_formula_id: (row) => row.formulaId }],
  },
);

/** What stating a receipt would release. */
export const receiptPreview = recordWriter<Receipts.ReceiptPreview>()(Contract.ReceiptPreview, {
  commissions: [{ commission_formula_id: (row) => row.formulaId }],
});

/** What recrediting a sale has changed. */
export const recredited = recordWriter<Recredits.Recredited>()(Contract.Recredited, {});

/** The fields of what recrediting changes that are not written as they are. */
export const recreditFields = {
  credits: [{}],
  commissions: [
    { commission_formula_id: (row: Recredits.RecreditProspect["commissions"][number]) => row.formulaId },
  ],
} as const;

/** What recrediting a sale would change. */
export const recreditDryRun = recordWriter<Recredits.RecreditProspect>()(
  Contract.RecreditDryRun,
  recreditFields,
);

type Statistics = Effect.Effect.Success<ReturnType<Attributions.Attributions["statistics"]>>;

/** Counts of attributions. */
export const statistics = recordWriter<Statistics>()(Contract.AttributionStatistics, {
  buckets: [{}],
});
