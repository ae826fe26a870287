/** All commissions of a partner, each with its explanation. */

import type { Route } from "../data/Route.ts";
import { filterStart } from "../format/Dates.ts";
import { Heading } from "../parts/Basics.tsx";
import { CommissionTable } from "../parts/CommissionTable.tsx";
import { Chips, DateFilter, isFiltered } from "../parts/Filters.tsx";
import { t } from "../words/Language.ts";

const STATES = [
  ["unsettled", "Not settled"],
  ["pending_settlement", "In a settlement"],
  ["settled", "Settled"],
] as const;

export const MyCommissions = ({ route: { query, path } }: { readonly route: Route }) => (
  <>
    <Heading title={t("My commissions")} />
    <div class="filters">
      <Chips
        route={{ query, path }}
        name="settlementStatus"
        label="State"
        options={STATES.map(([state, words]) => [state, t(words)] as const)}
      />
      <DateFilter route={{ query, path }} name="occurredFrom" label="Sales from" />
      <DateFilter route={{ query, path }} name="occurredTo" label="Sales before" />
    </div>
    <p class="note">{t("Open an amount to see how it came about. Amounts are net of tax.")}</p>
    <CommissionTable
      key={query.toString()}
      query={{
        order: "desc",
        settlementStatus: query.getAll("settlementStatus").at(-1),
        occurredFrom: filterStart(query.get("occurredFrom")),
        occurredTo: filterStart(query.get("occurredTo")),
      }}
      empty={isFiltered({ query, path }) ? "No commission matches" : "No commissions yet"}
    />
  </>
);
