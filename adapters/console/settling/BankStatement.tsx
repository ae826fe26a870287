/** Reading a statement of the bank: what it confirms, returns and rejects, and what matches no payment. */
import { useState } from "preact/hooks";
import type { BankStatementResult } from "quittance/client";
import { readAgain } from "../data/Load.ts";
import { calendarDay } from "../format/Dates.ts";
import { countWords } from "../format/Money.ts";
import { Amount, Field } from "../parts/Basics.tsx";
import { Confirm } from "../parts/Dialog.tsx";
import { type Column, Table } from "../parts/Table.tsx";

type Movement = BankStatementResult["unmatched"][number];

const REASONS: Readonly<Record<Movement["reason"], string>> = {
  unknown_reference: "It names no payment of yours",
  other_account: "The payment went from or to another account",
  other_currency: "The payment has another currency",
  other_amount: "The payment has another amount",
  booked_before: "The payment was booked before: it may have been made twice. Ask the bank",
  duplicate: "The bank has this file or payment already; the first one is carried out",
  notice: "The bank tells something about the payment, and has moved no money",
  unexpected:
    "The settlement does not wait for this payment. Look at its log. If you marked it as paid and the money came back, record the return there",
};

const DIRECTIONS: Readonly<Record<Movement["direction"], string>> = {
  debit: "Paid",
  credit: "Received",
  rejected: "Rejected",
};

const columns: ReadonlyArray<Column<Movement>> = [
  { name: "Booked", show: ({ bookingDate }) => (bookingDate === null ? "–" : calendarDay(bookingDate)) },
  { name: "Direction", show: ({ direction }) => DIRECTIONS[direction] },
  {
    name: "What it is",
    show: ({ reason, explanation }) => [REASONS[reason], explanation].filter(Boolean).join(": "),
  },
  { name: "Bank's reference", isMinor: true, show: ({ bankReference }) => bankReference ?? "–" },
  {
    name: "Amount",
    isNumber: true,
    show: ({ amount, currency }) => (amount === null ? "–" : <Amount amount={amount} currency={currency} />),
  },
];

/** What was done, in one sentence; other business on the account is no finding. */
const resultWords = ({ confirmed, returned, reconciled, failed }: BankStatementResult): string => {
  const parts = [
    confirmed > 0 && `${countWords(confirmed, "payment")} confirmed`,
    reconciled > 0 && `${countWords(reconciled, "settlement")} reconciled`,
    returned > 0 && `${countWords(returned, "payment")} returned: initiate them again`,
    failed > 0 && `${countWords(failed, "payment")} rejected: initiate them again`,
  ].filter((part) => part !== false);
  return parts.length === 0 ? "Nothing new: the statement changes no payment." : `${parts.join(", ")}.`;
};

/** True for what is no finding: a movement without a reference of ours. What comes back has an explanation, and somebody awaits it. */
const isOtherBusiness = ({ reason, explanation }: Movement): boolean =>
  reason === "unknown_reference" && explanation === undefined;

const Result = ({ result }: { readonly result: BankStatementResult }) => {
  const findings = result.unmatched.filter((movement) => !isOtherBusiness(movement));
  const others = result.unmatched.length - findings.length;
  return (
    <div class={`notice ${findings.length > 0 ? "wait" : "done"}`} role="status">
      <strong>{resultWords(result)}</strong>
      {others > 0 && (
        <p>{countWords(others, "movement is", "movements are")} other business on the account.</p>
      )}
      {findings.length > 0 && (
        <Table
          caption="Movements that match no payment"
          columns={columns}
          rows={findings}
          rowKey={(movement) => JSON.stringify(movement)}
        />
      )}
    </div>
  );
};

export const BankStatement = () => {
  const [isOpen, setOpen] = useState(false);
  const [result, setResult] = useState<BankStatementResult | null>(null);
  return (
    <section class="panel" aria-label="Bank statement">
      <h2>Bank statement</h2>
      <p class="note">
        The statement of your bank (camt.053, camt.054, MT940, MT942), its report on a file (pain.002), a
        NACHA return file, or a ZIP archive of them, confirms, returns and reconciles the payments of bank
        files.
      </p>
      <button type="button" onClick={() => setOpen(true)}>
        Read a statement
      </button>
      {result !== null && <Result result={result} />}
      {isOpen && (
        <Confirm
          title="Read a statement"
          action="Read the statement"
          consequence={[
            "Payments that it books are confirmed, those that come back wait for payment again, and those that it rejects fail.",
            "The same statement again changes nothing.",
          ]}
          run={(commands, fields) => {
            const file = fields.get("file") as File;
            return commands.paymentFiles.readStatement({ fileName: file.name, bytes: file });
          }}
          done={(found) => {
            setResult(found);
            readAgain();
          }}
          close={() => setOpen(false)}
        >
          <Field label="File">
            <input name="file" type="file" required />
          </Field>
        </Confirm>
      )}
    </section>
  );
};
