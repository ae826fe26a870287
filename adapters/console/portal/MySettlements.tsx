/** The settlements of a partner. */

import type { Settlement } from "../api/Records.ts";
import { useSession } from "../api/Session.ts";
import { linkTo, type Route } from "../data/Route.ts";
import { amountKey } from "../data/Sort.ts";
import { Amount, documentNumber, Empty, Heading, LoadResult, ReadAt } from "../parts/Basics.tsx";
import { Chips, isFiltered, ListPager } from "../parts/Filters.tsx";
import { useList } from "../parts/List.tsx";
import { type Column, Table } from "../parts/Table.tsx";
import { t, translated } from "../words/Language.ts";
import { PAYEE } from "../words/PayeeWords.ts";
import { drafted, net, state } from "./SettlementColumns.tsx";

const PER_PAGE = 25;

const columns: ReadonlyArray<Column<Settlement>> = [
  drafted,
  state,
  {
    name: "Invoice",
    isMinor: true,
    show: (settlement) =>
      documentNumber(settlement) || (settlement.invoiceReference === null ? "–" : t("uploaded")),
    sort: documentNumber,
  },
  net,
  {
    name: "With tax",
    isNumber: true,
    show: ({ payableAmount, taxAmount, currency }) =>
      payableAmount === null ? (
        "–"
      ) : (
        <>
          <Amount amount={payableAmount} currency={currency} />
          {taxAmount === null && <span class="under">{t("no tax stated")}</span>}
        </>
      ),
    sort: ({ payableAmount, currency }) => amountKey(payableAmount, currency),
  },
];

export const MySettlements = ({ route }: { readonly route: Route }) => {
  const { signOut } = useSession();
  const { loaded, words, order, notice } = useList({
    list: "settlements",
    filters: { statuses: route.query.getAll("statuses") },
    route,
    perPage: PER_PAGE,
    columns,
    order: "desc",
    created: drafted.name,
    rowsOf: async (settlements) => settlements,
  });
  return (
    <>
      <Heading title={t("My settlements")}>
        <ReadAt loaded={loaded} />
      </Heading>
      {/* A list of one page needs no filters. */}
      {(isFiltered(route) || (loaded.value?.total ?? 0) > PER_PAGE) && (
        <div class="filters">
          <Chips
            route={route}
            name="statuses"
            label="State"
            options={Object.entries(PAYEE.states).map(
              ([state, words]) => [state, translated(words)] as const,
            )}
          />
        </div>
      )}
      <LoadResult loaded={loaded} lines={8} what="Reading settlements" signOut={signOut}>
        {({ rows, total }) =>
          total === 0 ? (
            <Empty title={isFiltered(route) ? "No settlement matches" : "No settlements yet"}>
              {isFiltered(route) ? (
                <a href={linkTo("settlements")}>{t("Remove the filters")}</a>
              ) : (
                t("We put your commissions into settlements and pay these. They appear here.")
              )}
            </Empty>
          ) : (
            <>
              {notice}
              <Table
                caption={t("My settlements, {order}", { order: words })}
                columns={columns}
                order={order}
                rows={rows}
                rowKey={({ id }) => id}
                link={({ id }) => linkTo(`settlements/${id}`)}
                isStale={loaded.isLoading}
              />
              <ListPager route={route} perPage={PER_PAGE} total={total} isLoading={loaded.isLoading} />
            </>
          )
        }
      </LoadResult>
    </>
  );
};
