/** The currencies to which a list of settlements is restricted, and those that its rows have. */
import type { Route } from "../data/Route.ts";
import { Chips } from "../parts/Filters.tsx";
import type { SettlementRow } from "./SettlementRows.ts";

export const CurrencyFilter = ({
  route,
  rows = [],
}: {
  readonly route: Route;
  readonly rows: ReadonlyArray<SettlementRow> | undefined;
}) => {
  const chosen = route.query.getAll("currencies");
  const found = new Set([...chosen, ...rows.map(({ settlement }) => settlement.currency)]);
  return found.size < 2 && chosen.length === 0 ? null : (
    <Chips
      route={route}
      name="currencies"
      label="Currency"
      options={[...found].toSorted().map((currency) => [currency, currency] as const)}
    />
  );
};
