/** All commissions of a partner, each with its explanation. */

import { useSession } from "../api/Session.ts";
import type { Route } from "../data/Route.ts";
import { filterEnd, filterStart } from "../format/Dates.ts";
import { Empty, Heading, LoadResult, ReadAt } from "../parts/Basics.tsx";
import { PER_PAGE, useCommissionColumns, withSales } from "../parts/CommissionTable.tsx";
import { Chips, DateFilter, isFiltered, ListPager } from "../parts/Filters.tsx";
import { useList } from "../parts/List.tsx";
import { Table } from "../parts/Table.tsx";
import { t } from "../words/Language.ts";

const STATES = [
  ["unsettled", "In no settlement"],
  ["pending_settlement", "In a settlement"],
  ["settled", "Settled"],
] as const;

export const MyCommissions = ({ route }: { readonly route: Route }) => {
  const { client } = useSession();
  const { query } = route;
  const { loaded, words, order, notice } = useList({
    list: "commissions",
    filters: {
      settlementStatus: query.getAll("settlementStatus").at(-1),
      occurredFrom: filterStart(query.get("occurredFrom")),
      occurredTo: filterEnd(query.get("occurredTo")),
    },
    route,
    perPage: PER_PAGE,
    columns: useCommissionColumns(),
    order: "desc",
    rowsOf: (commissions, signal) => withSales(client, commissions, signal),
  });
  const columns = useCommissionColumns(loaded.value?.rows);
  return (
    <>
      <Heading title={t("My commissions")}>
        <ReadAt loaded={loaded} />
      </Heading>
      <div class="filters">
        <Chips
          route={route}
          name="settlementStatus"
          label="State"
          options={STATES.map(([state, name]) => [state, t(name)] as const)}
        />
        <DateFilter route={route} name="occurredFrom" label="Sales from" />
        <DateFilter route={route} name="occurredTo" label="Sales until" />
      </div>
      <p class="note">{t("Open an amount to see how it came about. Amounts are net of tax.")}</p>
      <LoadResult loaded={loaded} lines={8} what="Reading commissions">
        {({ rows, total }) =>
          total === 0 ? (
            <Empty title={isFiltered(route) ? "No commission matches" : "No commissions yet"} />
          ) : (
            <>
              {notice}
              <Table
                caption={t("My commissions, {order}", { order: words })}
                columns={columns}
                order={order}
                rows={rows}
                rowKey={({ commission }) => commission.id}
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
