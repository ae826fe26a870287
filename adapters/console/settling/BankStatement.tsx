/** Reading a statement of the bank: what it confirms, returns and rejects, and what matches no payment. */
import { useState } from "preact/hooks";
import type { BankStatementResult } from "quittance/client";
import type { Client, Query } from "../api/Client.ts";
import { useSession } from "../api/Session.ts";
import { readAgain, useLoad } from "../data/Load.ts";
import { linkTo } from "../data/Route.ts";
import { calendarDay } from "../format/Dates.ts";
import { countWords } from "../format/Money.ts";
import { Amount, Clip, Field } from "../parts/Basics.tsx";
import { Confirm } from "../parts/Dialog.tsx";
import { type Column, Table } from "../parts/Table.tsx";
import { everySettlement, type SettlementRow } from "./SettlementRows.ts";

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

/** A movement that matches no payment, and the settlements that it may belong to. */
interface Finding {
  readonly movement: Movement;
  readonly suggested: ReadonlyArray<SettlementRow>;
}

const OPEN: Query = { statuses: ["awaiting_payment", "payment_initiated"], order: "asc" };

/** The most settlements among which those that a movement may belong to are looked for. */
const OPEN_MAX = 2_000;

/** The most settlements that are suggested for a movement. */
const SUGGESTED_MAX = 3;

/** True if a settlement waits for money of this amount: from us, or from the partner. */
const mayBe = ({ direction, amount, currency }: Movement, { settlement }: SettlementRow): boolean => {
  const payable = settlement.payableAmount ?? settlement.total;
  return settlement.currency === currency && payable === (direction === "credit" ? -Number(amount) : amount);
};

/** The movements, each with the open settlements of its amount. */
const findingsOf = async (
  client: Client,
  movements: ReadonlyArray<Movement>,
  signal: AbortSignal,
): Promise<ReadonlyArray<Finding>> => {
  const open = movements.some(({ amount }) => amount !== null)
    ? await everySettlement(client, OPEN, signal, OPEN_MAX)
    : [];
  return movements.map((movement) => ({
    movement,
    suggested: open.filter((row) => mayBe(movement, row)).slice(0, SUGGESTED_MAX),
  }));
};

const Suggested = ({ suggested }: Pick<Finding, "suggested">) =>
  suggested.map(({ settlement: { id, invoiceNumber, partnerId }, partner }) => (
    <span key={id} class="under">
      Same amount: <a href={linkTo(`settlements/${id}`)}>{partner?.name ?? partnerId}</a>
      {invoiceNumber !== null && `, ${invoiceNumber}`}
    </span>
  ));

const columns: ReadonlyArray<Column<Finding>> = [
  {
    name: "Booked",
    show: ({ movement: { bookingDate } }) => (bookingDate === null ? "–" : calendarDay(bookingDate)),
  },
  { name: "Direction", show: ({ movement }) => DIRECTIONS[movement.direction] },
  {
    name: "What it is",
    show: ({ movement: { reason, explanation }, suggested }) => (
      <>
        {[REASONS[reason], explanation].filter(Boolean).join(": ")}
        <Suggested suggested={suggested} />
      </>
    ),
  },
  {
    name: "Bank's reference",
    isMinor: true,
    show: ({ movement: { bankReference } }) => (bankReference === null ? "–" : <Clip>{bankReference}</Clip>),
  },
  {
    name: "Amount",
    isNumber: true,
    show: ({ movement: { amount, currency } }) =>
      amount === null ? "–" : <Amount amount={amount} currency={currency} />,
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

/**
 * True for what is no finding: a movement without a reference of ours, of an amount that no settlement waits for. What comes back
 * has an explanation, and somebody awaits it.
 */
const isOtherBusiness = ({ movement: { reason, explanation }, suggested }: Finding): boolean =>
  reason === "unknown_reference" && explanation === undefined && suggested.length === 0;

const Result = ({ result }: { readonly result: BankStatementResult }) => {
  const { client } = useSession();
  const { unmatched } = result;
  const loaded = useLoad(`suggested/${JSON.stringify(unmatched)}`, (signal) =>
    findingsOf(client, unmatched, signal),
  );
  // What is other business is known once the open settlements are read.
  const unknown = loaded.isLoading ? [] : unmatched.map((movement) => ({ movement, suggested: [] }));
  const all = loaded.value ?? unknown;
  const findings = all.filter((finding) => !isOtherBusiness(finding));
  const others = all.length - findings.length;
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
          rowKey={({ movement }) => JSON.stringify(movement)}
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
        Import what your bank sends you, to confirm and reconcile the payments of bank files and to record
        those that came back: statements (camt.053, camt.054, MT940, MT942), reports on a file (pain.002),
        NACHA return files, or a ZIP archive of them.
      </p>
      <button type="button" onClick={() => setOpen(true)}>
        Import a statement
      </button>
      {result !== null && <Result result={result} />}
      {isOpen && (
        <Confirm
          title="Import a statement"
          action="Import the statement"
          consequence={[
            "Payments that the bank has booked are confirmed. Payments that came back wait for payment again. Payments that the bank has rejected fail.",
            "Importing the same statement again changes nothing.",
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
          <Field label="File" hint="Drop it here or choose it.">
            <input name="file" type="file" required />
          </Field>
        </Confirm>
      )}
    </section>
  );
};
