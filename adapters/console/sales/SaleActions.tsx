/** Replacing, recrediting and cancelling a sale: what changes in money is shown before anything is stored. */
import { useState } from "preact/hooks";
import { useMay } from "../api/Session.ts";
import { ALONE } from "../format/Credits.ts";
import type { SaleSubject } from "../pages/Sale.tsx";
import { ActionButton, Reason, text } from "../parts/Forms.tsx";
import { type MoneyChange, MoneyChanges, withNames } from "./MoneyChanges.tsx";
import { RecreditSale } from "./RecreditSale.tsx";
import { ReplaceSale } from "./ReplaceSale.tsx";
import { isOrigin } from "./SaleData.ts";
import { StateReceipt } from "./StateReceipt.tsx";

/** What every commission of a sale is after its cancellation: worth nothing, so that only what was settled is due back. */
const cancelled = ({ data, earnings }: SaleSubject): ReadonlyArray<MoneyChange> =>
  data.credits.flatMap(({ id, partnerId, credit: { role, depth } = ALONE }) =>
    (earnings?.commissions ?? [])
      .filter(({ attributionId }) => attributionId === id)
      .map(({ commissionFormulaId, currency, computedAmount, waitingAmount, dueAmount }) => ({
        ...{ partnerId, role, depth, commissionFormulaId, currency },
        amountBefore: computedAmount,
        amountAfter: 0,
        dueBefore: dueAmount,
        dueAfter: dueAmount - ((computedAmount ?? 0) - (waitingAmount ?? 0)),
        computationError: null,
      })),
  );

const Cancel = (subject: SaleSubject) => {
  const { data, earnings, done } = subject;
  return (
    <ActionButton
      title="Cancel this sale"
      words="Cancel this sale"
      danger
      consequence={[
        `Every commission of this sale becomes 0 at once${data.credits.length > 1 ? ", for everybody who earns from it" : ""}.`,
        "What was paid for it already is taken back in the next settlement.",
        "This cannot be undone.",
      ]}
      run={(commands, fields) =>
        commands.attributions.cancel(data.sale.id, { reason: text(fields, "reason") })
      }
      done={done}
    >
      {earnings !== null && (
        <MoneyChanges changes={cancelled(subject)} names={withNames(data.names, earnings.formulas)} />
      )}
      <Reason />
    </ActionButton>
  );
};

/** True if what the buyer pays decides what is payable of a commission, or has been stated. */
const waitsForBuyer = ({ data, earnings }: SaleSubject): boolean =>
  data.receipt !== undefined ||
  [...(earnings?.formulas.values() ?? [])].some(({ release }) => release === "on_receipt");

/** The buttons of a sale; a credit of a sale is changed with it. */
export const SaleActions = (subject: SaleSubject) => {
  const may = useMay();
  const [open, setOpen] = useState<"replace" | "receipt" | null>(null);
  const close = (): void => setOpen(null);
  const { sale } = subject.data;
  if (!may("attributions:write") || sale.status !== "confirmed") return null;
  if (!isOrigin(sale))
    return <p class="note">This is one part of a sale. The sale is corrected or cancelled as a whole.</p>;
  const waits = waitsForBuyer(subject) || !may("commissions:read") || !may("formulas:read");
  return (
    <div class="actions">
      <button type="button" onClick={() => setOpen("replace")}>
        Correct this sale
      </button>
      {waits && (
        <button type="button" onClick={() => setOpen("receipt")}>
          State what the buyer has paid
        </button>
      )}
      <RecreditSale {...subject} />
      <Cancel {...subject} />
      {open === "replace" && <ReplaceSale {...subject} close={close} />}
      {open === "receipt" && <StateReceipt data={subject.data} close={close} done={subject.done} />}
    </div>
  );
};
