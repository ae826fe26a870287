/** What is due to a partner, since when, and why runs leave a part of it out. */
import { useState } from "preact/hooks";
import type { Partner, PartnerBalance } from "../api/Records.ts";
import { useMay } from "../api/Session.ts";
import type { Loaded } from "../data/Load.ts";
import { difference, minus, sumByCurrency } from "../format/Money.ts";
import { SoldOn, When } from "../parts/Basics.tsx";
import type { CommissionPage } from "../parts/CommissionTable.tsx";
import { DraftDialog } from "../parts/DraftDialog.tsx";
import { Balances } from "../parts/Statement.tsx";
import { CHANGES_WORDS } from "../settling/Reconciliation.ts";
import { RunReasons } from "../settling/RunReasons.tsx";

/** What the page of a partner says of money. */
export interface PartnerOverview {
  readonly partner: Partner;
  /** Null where the key may not read settlements. */
  readonly balance: PartnerBalance | null;
  /** The first page of the commissions with something due that are in no settlement, the oldest first. */
  readonly due: CommissionPage;
  /** The currencies in which there is something to settle. */
  readonly waiting: ReadonlySet<string>;
}

/** By how much sales in settlements have changed since: what is due beyond the sales that are in none. */
const Changes = ({
  balance,
  due,
}: {
  readonly balance: PartnerBalance | null;
  readonly due: CommissionPage;
}) => {
  if (balance === null) return null;
  const { balances } = balance;
  // The sum of the sales is known where all of them were read.
  if (due.total > due.rows.length)
    return balances.some(({ pending }) => pending !== 0n) ? <p class="note">{CHANGES_WORDS}</p> : null;
  const changes = sumByCurrency([
    ...balances.map(({ currency, ...one }) => ({ currency, amount: minus(one.due, one.pending) })),
    ...due.rows.map(({ commission: { currency, dueAmount } }) => ({ currency, amount: -dueAmount })),
  ]).filter(({ amount }) => amount !== 0n);
  return changes.length === 0 ? null : (
    <p class="note">
      What is due includes changes of{" "}
      {changes.map(({ currency, amount }) => difference(amount, currency)).join(", ")} to sales that are in
      settlements. {CHANGES_WORDS}
    </p>
  );
};

export const DueAmounts = ({
  overview,
  loaded,
}: {
  readonly overview: PartnerOverview;
  readonly loaded: Loaded<PartnerOverview>;
}) => {
  const may = useMay();
  const [currency, setCurrency] = useState<string | null>(null);
  const { balance, due, partner, waiting } = overview;
  const oldest = due.rows[0]?.sale;
  return (
    <>
      {balance === null ? (
        <p class="note">
          What is due is not shown: you lack settlements:read. Ask an administrator for that right.
        </p>
      ) : (
        <Balances balance={balance}>
          {(code) =>
            waiting.has(code) &&
            may("settlements:write") && (
              <button type="button" class="primary" onClick={() => setCurrency(code)}>
                Draft a settlement
              </button>
            )
          }
        </Balances>
      )}
      <p class="note">
        Net of tax
        {balance !== null && (
          <>
            , as of <When at={balance.at} exact />
          </>
        )}
        . {due.total === 0 && "No sale is due outside settlements."}
        {oldest !== undefined && (
          <>
            The oldest sale that is due is of <SoldOn sale={oldest} />.
          </>
        )}
      </p>
      <Changes balance={balance} due={due} />
      <RunReasons partner={partner} dueCount={due.total} />
      {currency !== null && (
        <DraftDialog
          partner={partner}
          currency={currency}
          close={() => {
            setCurrency(null);
            loaded.reload();
          }}
        />
      )}
    </>
  );
};
