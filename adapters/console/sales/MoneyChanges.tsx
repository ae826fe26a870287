/** What a change of a sale changes in money, for each partner and plan. */
import type { ReplacementDryRun } from "quittance/client";
import type { Client } from "../api/Client.ts";
import { ALONE, roleWords } from "../format/Credits.ts";
import { difference } from "../format/Money.ts";
import { Amount, Clip } from "../parts/Basics.tsx";
import { readFormulas } from "../parts/PlanName.tsx";
import { Table } from "../parts/Table.tsx";

type Row = ReplacementDryRun["commissions"][number];

/** A partner's commission under a formula before and after the change, with its role where it is known. */
export type MoneyChange = Omit<Row, "role" | "depth"> & Partial<Pick<Row, "role" | "depth">>;

/** The names of partners and of formulas, by their ids. */
export type Names = ReadonlyMap<string, string>;

/** The names, with those of formulas. */
export const withNames = (names: Names, formulas: ReadonlyMap<string, { readonly name: string }>): Names =>
  new Map([...names, ...[...formulas].map(([id, { name }]) => [id, name] as const)]);

/** The names of the partners, and of the formulas of the commissions. */
export const readNames = async (
  client: Client,
  partnerIds: ReadonlyArray<string>,
  commissions: ReadonlyArray<Pick<MoneyChange, "commissionFormulaId">>,
  signal: AbortSignal,
): Promise<Names> => {
  const [formulas, partners] = await Promise.all([
    readFormulas(client, commissions, signal),
    client.byIds("partners", partnerIds, signal),
  ]);
  return withNames(withNames(new Map(), partners), formulas);
};

const Worth = ({ amount, currency }: { readonly amount: number | null; readonly currency: string }) =>
  amount === null ? <>–</> : <Amount amount={amount} currency={currency} />;

/** The changes as a table; the last column is what the next settlement pays, or takes back. */
export const MoneyChanges = ({
  changes,
  names,
  worth = "Earns",
  none = "Nobody earns anything from this sale, before or after.",
}: {
  readonly changes: ReadonlyArray<MoneyChange>;
  readonly names: Names;
  /** What the amounts before and after are. */
  readonly worth?: string;
  /** What is said where there is no change. */
  readonly none?: string;
}) =>
  changes.length === 0 ? (
    <p>{none}</p>
  ) : (
    <>
      <Table
        caption="What changes in money"
        rows={changes}
        rowKey={(change) => String(changes.indexOf(change))}
        columns={[
          {
            name: "Partner and plan",
            show: ({ partnerId, role, depth = 0, commissionFormulaId, computationError }) => (
              <>
                <Clip>{names.get(partnerId) ?? "A partner"}</Clip>
                {role !== undefined && (role !== ALONE.role || depth > 0) && (
                  <span class="under">{roleWords({ role, depth })}</span>
                )}
                <span class="under">
                  <Clip>{names.get(commissionFormulaId) ?? ""}</Clip>
                </span>
                {computationError !== null && (
                  <span class="problem">No amount: {computationError.message}</span>
                )}
              </>
            ),
          },
          {
            name: worth,
            isNumber: true,
            show: ({ amountBefore, amountAfter, currency }) => (
              <>
                <Worth amount={amountBefore} currency={currency} />
                {" → "}
                <Worth amount={amountAfter} currency={currency} />
                <span class="under">{difference((amountAfter ?? 0) - (amountBefore ?? 0), currency)}</span>
              </>
            ),
          },
          {
            name: "Next settlement",
            isNumber: true,
            show: ({ dueAfter, currency }) => <Amount amount={dueAfter} currency={currency} />,
          },
        ]}
      />
      <p class="note">Next settlement: what it pays for this sale, or takes back.</p>
    </>
  );
