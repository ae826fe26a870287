/** Commissions page by page, each with its sale and its explanation. */

import { useState } from "preact/hooks";
import type { Client, Query } from "../api/Client.ts";
import type { Attribution, Commission } from "../api/Records.ts";
import { useSession } from "../api/Session.ts";
import { useLoad } from "../data/Load.ts";
import { linkTo } from "../data/Route.ts";
import { amountKey, timeKey } from "../data/Sort.ts";
import { creditWords } from "../format/Credits.ts";
import { money } from "../format/Money.ts";
import { type Text, t, translated } from "../words/Language.ts";
import { useWords } from "../words/Reader.ts";
import type { State } from "../words/Words.ts";
import { Amount, Badge, Clip, Empty, Id, LoadResult, SoldOn } from "./Basics.tsx";
import { type Formulas, PlanName, readFormulas } from "./PlanName.tsx";
import { type Column, Pager, Table } from "./Table.tsx";
import { WhyAmount } from "./Why.tsx";

/** The commissions of a page. */
export const PER_PAGE = 50;

const STATES: Readonly<{
  [Status in Commission["settlementStatus"]]: readonly ["open" | "done" | "waiting", Text];
}> = {
  unsettled: ["waiting", "In no settlement"],
  pending_settlement: ["open", "In a settlement"],
  settled: ["done", "Settled"],
};

/** The amount that is due, and the amount that waits for the buyer. */
export const CommissionDue = ({
  commission: { dueAmount, waitingAmount = 0, currency },
}: {
  readonly commission: Commission;
}) => {
  const { waits } = useWords();
  return (
    <>
      <Amount amount={dueAmount} currency={currency} />
      {waitingAmount > 0 && <span class="under">{waits(money(waitingAmount, currency))}</span>}
    </>
  );
};

/** The state of a commission in the reader's words. */
const stateOf = (
  { settlementStatus, computationError, dueAmount, waitingAmount = 0 }: Commission,
  waitsForBuyer: string,
): State => {
  if (computationError !== null) return { family: "waiting", words: t("Cannot be computed") };
  if (settlementStatus === "unsettled" && dueAmount === 0 && waitingAmount > 0)
    return { family: "open", words: translated(waitsForBuyer) };
  if (settlementStatus === "unsettled" && dueAmount === 0)
    return { family: "stopped", words: t("Nothing due") };
  const [family, words] = STATES[settlementStatus];
  return { family, words: t(words) };
};

/** The state of a commission. */
export const CommissionState = ({ commission }: { readonly commission: Commission }) => {
  const { family, words } = stateOf(commission, useWords().waitsForBuyer);
  return <Badge family={family}>{words}</Badge>;
};

/** A commission with its sale, where the key may read it, and the formulas of all that were read with it. */
export interface CommissionRow {
  readonly commission: Commission;
  readonly sale: Attribution | undefined;
  readonly formulas: Formulas;
}

/** The commissions with their sales and formulas, in the same order. */
export const withSales = async (
  client: Client,
  commissions: ReadonlyArray<Commission>,
  signal: AbortSignal,
): Promise<ReadonlyArray<CommissionRow>> => {
  const [sales, formulas] = await Promise.all([
    client
      .byIds(
        "attributions",
        commissions.map(({ attributionId }) => attributionId),
        signal,
      )
      .catch(() => new Map<string, Attribution>()),
    readFormulas(client, commissions, signal),
  ]);
  return commissions.map((commission) => ({
    commission,
    sale: sales.get(commission.attributionId),
    formulas,
  }));
};

const columnsWith = (waitsForBuyer: string): ReadonlyArray<Column<CommissionRow>> => [
  {
    name: "Sale and plan",
    show: ({ commission: { attributionId, commissionFormulaId }, sale, formulas }) => (
      <>
        <a href={linkTo(`sales/${attributionId}`)}>
          {sale === undefined ? <Id id={attributionId} /> : <SoldOn sale={sale} />}
        </a>
        <PlanName id={commissionFormulaId} formulas={formulas} />
        {sale?.credit !== undefined && <span class="under">{creditWords(sale.credit)}</span>}
      </>
    ),
    sort: ({ sale }) => timeKey(sale?.occurredOn ?? null),
  },
  {
    name: "Reference",
    show: ({ sale }) => <Clip>{sale?.externalReference ?? ""}</Clip>,
    sort: ({ sale }) => sale?.externalReference ?? null,
  },
  {
    name: "State",
    show: ({ commission }) => <CommissionState commission={commission} />,
    sort: ({ commission }) => stateOf(commission, waitsForBuyer).words,
  },
  {
    name: "Worth",
    isNumber: true,
    show: ({ commission: { id, computedAmount, currency } }) => (
      <WhyAmount commissionId={id} amount={computedAmount ?? 0} currency={currency} />
    ),
    sort: ({ commission: { computedAmount, currency } }) => amountKey(computedAmount, currency),
  },
  {
    name: "Due",
    isNumber: true,
    show: ({ commission }) => <CommissionDue commission={commission} />,
    sort: ({ commission: { dueAmount, currency } }) => amountKey(dueAmount, currency),
  },
];

/** The columns of commissions. */
export const useCommissionColumns = (): ReadonlyArray<Column<CommissionRow>> =>
  columnsWith(useWords().waitsForBuyer);

/** A page of commissions, and how many there are. */
export interface CommissionPage {
  readonly rows: ReadonlyArray<CommissionRow>;
  readonly total: number;
}

/** The commissions of a query, page by page. */
export const readCommissionPage = async (
  client: Client,
  query: Query,
  page: number,
  signal: AbortSignal,
): Promise<CommissionPage> => {
  const { items, total } = await client.list("commissions", { ...query, page, perPage: PER_PAGE }, signal);
  return { rows: await withSales(client, items, signal), total };
};

/** The commissions of a query. `empty` is the heading where there is none, and `first` the first page where it was read already. */
export const CommissionTable = ({
  query,
  empty,
  first,
}: {
  readonly query: Query;
  readonly empty: string;
  readonly first?: CommissionPage | undefined;
}) => {
  const { client } = useSession();
  const [page, setPage] = useState(1);
  const loaded = useLoad(
    `commissions/${JSON.stringify(query)}/${page}`,
    (signal) => readCommissionPage(client, query, page, signal),
    true,
    first,
  );
  const columns = useCommissionColumns();
  return (
    <LoadResult loaded={loaded} lines={8} what="Reading commissions">
      {({ rows, total }) =>
        total === 0 ? (
          <Empty title={empty} />
        ) : (
          <>
            <Table
              caption="Commissions"
              rows={rows}
              rowKey={({ commission }) => commission.id}
              isStale={loaded.isLoading}
              columns={columns}
            />
            {total > PER_PAGE && (
              <Pager page={page} perPage={PER_PAGE} total={total} go={setPage} isLoading={loaded.isLoading} />
            )}
          </>
        )
      }
    </LoadResult>
  );
};
