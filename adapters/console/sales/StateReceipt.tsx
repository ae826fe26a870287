/** The form that states what the buyer of a sale has paid; it says what becomes payable before anything is stored. */

import { useState } from "preact/hooks";
import type { ReceiptPreview } from "quittance/client";
import type { Client } from "../api/Client.ts";
import { FormProblem } from "../api/Refusal.ts";
import { useMay, useSession } from "../api/Session.ts";
import { pastEnd, utcDay } from "../format/Dates.ts";
import { readNumber } from "../format/Numbers.ts";
import { Field } from "../parts/Basics.tsx";
import { Confirm } from "../parts/Dialog.tsx";
import { WhatChanges } from "../parts/WhatChanges.tsx";
import { BuyerPaid } from "./BuyerPaid.tsx";
import { type MoneyChange, MoneyChanges, readNames } from "./MoneyChanges.tsx";
import type { SaleData } from "./SaleData.ts";

/** What a request states. */
interface Stated {
  readonly received: number;
  readonly of: number;
  readonly receivedAt?: string;
}

/** The texts of the fields. */
interface Typed {
  readonly received: string;
  readonly of: string;
  /** A day in UTC; empty for now. */
  readonly day: string;
}

/** A typed number that is not negative, or what is wrong with it. */
const numberOf = (text: string): number | { readonly problem: string } => {
  const found = readNumber(text);
  return typeof found === "number" && found < 0 ? { problem: "must not be negative" } : found;
};

const problemOf = (text: string): string | null => {
  const found = numberOf(text);
  return text === "" || typeof found === "number" ? null : found.problem;
};

/** What the fields state; null while a number is missing or wrong. */
const statedBy = ({ received, of, day }: Typed): Stated | null => {
  const [paid, whole] = [numberOf(received), numberOf(of)];
  if (typeof paid !== "number" || typeof whole !== "number" || whole === 0) return null;
  // A day that has not ended is stated as of now.
  const receivedAt = pastEnd(day);
  return { received: paid, of: whole, ...(receivedAt === null ? {} : { receivedAt }) };
};

/** What the server says of a statement, with the names of partners and formulas. */
const readChanges = (client: Client) => async (id: string, stated: Stated, signal: AbortSignal) => {
  const { commissions } = await client.receiptPreview(id, stated, signal);
  const partnerIds = commissions.map(({ partnerId }) => partnerId);
  return { commissions, names: await readNames(client, partnerIds, commissions, signal) };
};

/** What becomes payable of each commission. */
const payable = (commissions: ReceiptPreview["commissions"]): ReadonlyArray<MoneyChange> =>
  commissions.map(({ releasedBefore, releasedAfter, ...change }) => ({
    ...change,
    amountBefore: releasedBefore,
    amountAfter: releasedAfter,
    computationError: null,
  }));

export const StateReceipt = ({
  data: { sale },
  close,
  done,
}: {
  readonly data: SaleData;
  readonly close: () => void;
  readonly done: () => void;
}) => {
  const may = useMay();
  const { client } = useSession();
  const { receipt } = sale;
  const [typed, setTyped] = useState<Typed>({
    received: "",
    of: receipt === undefined ? "" : String(receipt.of),
    day: "",
  });
  const stated = statedBy(typed);
  const isEarlier =
    stated?.receivedAt !== undefined && receipt !== undefined && stated.receivedAt < receipt.receivedAt;
  const field = (name: "received" | "of") => ({
    ...{ name, required: true, inputMode: "decimal" as const, autocomplete: "off" },
    value: typed[name],
    onInput: ({ currentTarget }: { readonly currentTarget: HTMLInputElement }) =>
      setTyped({ ...typed, [name]: currentTarget.value }),
  });
  return (
    <Confirm
      title="State what the buyer has paid"
      action="State the payment"
      consequence={[
        "State the sum so far, not the single payment; it replaces what was stated before. Any unit is right, if both numbers have it.",
        "The same part of every commission that waits for the buyer becomes payable. Less than before takes back.",
      ]}
      close={close}
      run={async (commands) => {
        if (stated === null) throw new FormProblem("State two numbers, the second one greater than 0.");
        return commands.attributions.stateReceived(sale.id, stated);
      }}
      done={done}
    >
      {receipt !== undefined && (
        <p>
          Stated last: the buyer has paid <BuyerPaid receipt={receipt} />.
        </p>
      )}
      <Field label="Paid so far" problem={problemOf(typed.received)}>
        <input {...field("received")} />
      </Field>
      <Field label="Of" problem={problemOf(typed.of)}>
        <input {...field("of")} />
      </Field>
      <Field label="Paid by the end of (optional)" hint="A day in UTC. Empty: now.">
        <input
          name="day"
          type="date"
          max={utcDay(Date.now())}
          value={typed.day}
          onInput={({ currentTarget }) => setTyped({ ...typed, day: currentTarget.value })}
        />
      </Field>
      {isEarlier && (
        <div class="notice wait">A later statement is recorded already: this one will change nothing.</div>
      )}
      {stated !== null && may("commissions:read") && (
        <WhatChanges
          about={sale.id}
          request={stated}
          ask={readChanges(client)}
          working="Computing what becomes payable…"
        >
          {({ commissions, names }) => (
            <MoneyChanges
              changes={payable(commissions)}
              names={names}
              worth="Payable"
              none="No commission of this sale waits for its buyer. The statement is recorded."
            />
          )}
        </WhatChanges>
      )}
    </Confirm>
  );
};
