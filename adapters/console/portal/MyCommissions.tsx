/** All commissions of a partner, each with its explanation. */

import { useSession } from "../api/Session.ts";
import type { Route } from "../data/Route.ts";
import { filterEnd, filterStart } from "../format/Dates.ts";
import { Empty, Heading, ReadAt } from "../parts/Basics.tsx";
import { PER_PAGE, useCommissionColumns, withSales } from "../parts/CommissionTable.tsx";
import { Chips, DateFilter } from "../parts/Filters.tsx";
import { useList } from "../parts/List.tsx";
import { Listed } from "../parts/Listed.tsx";
import { t } from "../words/Language.ts";

const STATES = [
  ["unsettled", "In no settlement"],
  ["pending_settlement", "In a settlement"],
  ["settled", "Settled"],
] as const;

export const MyCommissions = ({ route }: { readonly route: Route }) => {
  const { client } = useSession();
  const { query } = route;
  const list = useList({
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
  return (
    <>
      <Heading title={t("My commissions")}>
        <ReadAt loaded={list.loaded} />
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
      <Listed
        list={list}
        what="Reading commissions"
        caption="My commissions"
        rowKey={({ commission }) => commission.id}
        noMatch="No commission matches"
        none={<Empty title="No commissions yet" />}
      />
    </>
  );
};
