/** Commissions page by page, each with its sale and its explanation. */

import { useState } from "preact/hooks";
import type { Client, Query } from "../api/Client.ts";
import type { Attribution, Commission, Page } from "../api/Records.ts";
import { useSession } from "../api/Session.ts";
import { useLoad } from "../data/Load.ts";
import { linkTo } from "../data/Route.ts";
import { creditWords } from "../format/Credits.ts";
import { money } from "../format/Money.ts";
import { type Text, t, translated } from "../words/Language.ts";
import { useWords } from "../words/Reader.ts";
import { Amount, Badge, Clip, Empty, Id, LoadResult, SoldOn } from "./Basics.tsx";
import { type Formulas, PlanName, readFormulas } from "./PlanName.tsx";
import { Pager, Table } from "./Table.tsx";
import { WhyAmount } from "./Why.tsx";

const PER_PAGE = 50;

const STATES: Readonly<{
  [Status in Commission["settlementStatus"]]: readonly ["open" | "done" | "waiting", Text];
}> = {
  unsettled: ["waiting", "Not settled"],
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

/** The state of a commission. */
export const CommissionState = ({ commission }: { readonly commission: Commission }) => {
  const { settlementStatus, computationError, dueAmount, waitingAmount = 0 } = commission;
  const { waitsForBuyer } = useWords();
  if (computationError !== null) return <Badge family="waiting">{t("Cannot be computed")}</Badge>;
  if (settlementStatus === "unsettled" && dueAmount === 0 && waitingAmount > 0)
    return <Badge family="open">{translated(waitsForBuyer)}</Badge>;
  if (settlementStatus === "unsettled" && dueAmount === 0)
    return <Badge family="stopped">{t("Nothing due")}</Badge>;
  const [family, words] = STATES[settlementStatus];
  return <Badge family={family}>{t(words)}</Badge>;
};

/** A page of commissions with their sales and formulas. */
export interface CommissionPage extends Page<Commission> {
  readonly attributions: ReadonlyMap<string, Attribution>;
  readonly formulas: Formulas;
}

/** The commissions of a query, page by page. */
export const readCommissions = async (
  client: Client,
  query: Query,
  page: number,
  signal: AbortSignal,
): Promise<CommissionPage> => {
  const found = await client.list("commissions", { ...query, page, perPage: PER_PAGE }, signal);
  const [attributions, formulas] = await Promise.all([
    client
      .byIds(
        "attributions",
        found.items.map(({ attributionId }) => attributionId),
        signal,
      )
      .catch(() => new Map<string, Attribution>()),
    readFormulas(client, found.items, signal),
  ]);
  return { ...found, attributions, formulas };
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
    (signal) => readCommissions(client, query, page, signal),
    true,
    first,
  );
  return (
    <LoadResult loaded={loaded} lines={8} what="Reading commissions">
      {({ items, total, attributions, formulas }) =>
        total === 0 ? (
          <Empty title={empty} />
        ) : (
          <>
            <Table
              caption="Commissions"
              rows={items}
              rowKey={({ id }) => id}
              isStale={loaded.isLoading}
              columns={[
                {
                  name: "Sale, plan or formula",
                  show: ({ attributionId, commissionFormulaId }) => {
                    const sale = attributions.get(attributionId);
                    return (
                      <>
                        <a href={linkTo(`sales/${attributionId}`)}>
                          {sale === undefined ? <Id id={attributionId} /> : <SoldOn sale={sale} />}
                        </a>
                        <PlanName id={commissionFormulaId} formulas={formulas} />
                        {sale?.credit !== undefined && <span class="under">{creditWords(sale.credit)}</span>}
                      </>
                    );
                  },
                },
                {
                  name: "Reference",
                  isMinor: true,
                  show: ({ attributionId }) => (
                    <Clip>{attributions.get(attributionId)?.externalReference ?? ""}</Clip>
                  ),
                },
                { name: "State", show: (commission) => <CommissionState commission={commission} /> },
                {
                  name: "Worth",
                  isNumber: true,
                  show: ({ id, computedAmount, currency }) => (
                    <WhyAmount commissionId={id} amount={computedAmount ?? 0} currency={currency} />
                  ),
                },
                {
                  name: "Due",
                  isNumber: true,
                  show: (commission) => <CommissionDue commission={commission} />,
                },
              ]}
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
