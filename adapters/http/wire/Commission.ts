/** Commissions on the wire. */
import type { Effect } from "effect";
import { type Commissions, Ledger, SettledElsewhere, type Storage } from "quittance";
import * as Contract from "../api/Commissions.ts";
import { recordWriter } from "./Encoding.ts";
import { datetime } from "./Entry.ts";

/** A commission in a list; settled and due follow from what is stored. */
export const commission = recordWriter<Storage.Listed["commission"]>()(Contract.Commission, {
  commission_formula_id: (row) => row.formulaId,
  events: [{ datetime }],
  view: {
    settlement_status: Ledger.settlementStatus,
    settled_amount: Ledger.settledAmount,
    due_amount: Ledger.due,
    released_amount: (row) => (row.receipt === null ? undefined : Ledger.releasedAmount(row)),
    waiting_amount: (row) => row.waitingAmount ?? undefined,
  },
});

/** How the amount of a commission is derived. */
export const explanation = recordWriter<Commissions.Explained>()(Contract.Explanation, {
  apply_share: (row) => row.applyShare,
  receipt: ({ released }) =>
    released === undefined || released.of === null
      ? undefined
      : { received: released.received, of: released.of },
  released_amount: (row) => row.released?.releasedAmount,
  waiting_amount: (row) => row.released?.waitingAmount,
  settled_elsewhere: ({ settledElsewhere }) =>
    settledElsewhere && { amount: settledElsewhere.amount, ...SettledElsewhere.stated(settledElsewhere) },
  trace: (row) => row.explanation?.trace ?? null,
});

type Statistics = Effect.Effect.Success<ReturnType<Commissions.Commissions["statistics"]>>;

/** Counts and sums of commissions; a sum beyond what a number holds is written with all its digits. */
export const statistics = recordWriter<Statistics>()(Contract.CommissionStatistics, {
  buckets: [{}],
});
