/** Trials of plans on the wire. */
import type { Stream } from "effect";
import { Currency, type PlanTrials } from "quittance";
import { print } from "quittance/formula";
import * as Contract from "../api/PlanTrials.ts";
import * as Csv from "./Csv.ts";
import { GAP, recordWriter, textAround } from "./Encoding.ts";

/** The fields of a trial that are not written as they are. */
const trialFields = {
  formula_text: ({ expression }: PlanTrials.Trial) => (expression === null ? null : print(expression)),
  parameters: ({ parameters }: PlanTrials.Trial) => parameters,
  distribution: [{}] as const,
};

/** A trial in a list. */
export const planTrial = recordWriter<PlanTrials.Trial>()(Contract.PlanTrial, trialFields);

/** The result of a trial for one partner: its months, and their sums. */
export const planTrialResult = recordWriter<PlanTrials.TrialResult>()(Contract.PlanTrialResult, {
  months: [{}],
});

/** A trial and its largest changes, without the results of the page. */
export const aroundResults = textAround(
  recordWriter<Omit<PlanTrials.TrialWithResults, "results">>()(Contract.PlanTrialDetails, {
    trial: [trialFields],
    changes: [{}],
    results: GAP,
  }),
);

const HEADER =
  "partner_id,month,currency,sales_count,not_computable_count,amount_now,amount_then,difference,waiting_now,waiting_then";

/** One row for each month of each partner. Every cell is a UUID, a month, a currency code or a number, so none needs quotes. */
export const csv = (
  { trial, results }: PlanTrials.TrialExport,
  format: Csv.CsvFormat = "csv",
): Stream.Stream<Uint8Array, unknown> => {
  const { currency } = trial;
  const amount = (sum: bigint): string =>
    format === "spreadsheet" ? Currency.formatAmount(sum, currency) : String(sum);
  const rows = ({ partnerId, months }: PlanTrials.TrialResult): string =>
    months
      .map(({ month, salesCount, notComputableCount, amountNow, amountThen, difference, ...waiting }) => {
        const { waitingNow, waitingThen } = waiting;
        const amounts = [amountNow, amountThen, difference, waitingNow, waitingThen].map(amount);
        return `${[partnerId, month, currency, salesCount, notComputableCount, ...amounts].join(",")}\r\n`;
      })
      .join("");
  return Csv.file(`${HEADER}\r\n`, results, rows, { format });
};
