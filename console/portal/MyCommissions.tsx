/** Every commission of a partner, with its reason. */
import type { Route } from "../data/Route.ts";
import { Heading } from "../parts/Basics.tsx";
import { CommissionTable } from "../parts/CommissionTable.tsx";
import { Chips, DateFilter } from "../parts/Filters.tsx";

const STATES = [
  ["unsettled", "Not settled"],
  ["pending_settlement", "In a settlement"],
  ["settled", "Settled"],
] as const;

const start = (date: string | null): string | undefined => (date ? `${date}T00:00:00Z` : undefined);

export const MyCommissions = ({ route: { query, path } }: { readonly route: Route }) => (
  <>
    <Heading title="My commissions" />
    <div class="filters">
      <Chips route={{ query, path }} name="settlement_status" label="State" options={STATES} />
      <DateFilter route={{ query, path }} name="occurred_from" label="Sales from" />
      <DateFilter route={{ query, path }} name="occurred_to" label="Sales before" />
    </div>
    <p class="note">Open an amount to see how it came about. Amounts are net of tax.</p>
    <CommissionTable
      key={query.toString()}
      query={{
        order: "desc",
        settlement_status: query.getAll("settlement_status").at(-1),
        occurred_from: start(query.get("occurred_from")),
        occurred_to: start(query.get("occurred_to")),
      }}
      empty="No commission matches"
    />
  </>
);
